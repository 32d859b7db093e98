"""The layout vectors in ``tests/data`` as texture descriptions, and the pattern they fill textures with."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from refnvn.conformance.fields import Fields
from refnvn.conformance.layout_vectors import KINDS, pattern
from refnvn.conformance.layout_vectors import described as described_fields
from refnvn.layout.description import (
    NO_FLAGS,
    Element,
    PackagedLayout,
    TextureDescription,
    TextureFlags,
    TextureTarget,
)

DATA = Path(__file__).parents[1] / "data"

__all__ = ["described", "facts", "layout_vectors", "pattern", "texture"]


def layout_vectors() -> list[dict[str, Any]]:
    """Return the 40 public vectors."""
    return json.loads((DATA / "layout_public.json").read_text())["vectors"]


def described(vector: dict[str, Any]) -> TextureDescription:
    """Return the texture of a public vector."""
    return described_fields(Fields(vector, vector["id"]))


def facts() -> dict[str, dict[str, Any]]:
    """Return the seed facts and the public checks by id."""
    data = json.loads((DATA / "seed_layout_facts.json").read_text())
    return {one["id"]: one for one in data["facts"] + data["public_checks"]}


def texture(given: dict[str, Any], **more: Any) -> TextureDescription:
    """Return the texture that a fact's ``given`` describes."""
    kind = given.get("kind", "2d")
    explicit = "block_height" in given and not kind.startswith("sparse")
    sparse = given.get("sparse", False) or kind.startswith("sparse")
    layers = given.get("layers", 1)
    target = TextureTarget.TARGET_2D_ARRAY if layers > 1 else KINDS[kind]
    fields = {
        "element": Element(given["bytes_per_block"], given.get("block_w", 1), given.get("block_h", 1)),
        "target": target,
        "width": given["width"],
        "height": given["height"],
        "depth": layers if layers > 1 else given.get("depth", 1),
        "levels": given.get("mips", 1),
        "flags": TextureFlags.SPARSE if sparse else NO_FLAGS,
        "packaged": PackagedLayout(given["block_height"]) if explicit else None,
    }
    return TextureDescription(**{**fields, **more})
