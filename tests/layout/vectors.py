"""The layout vectors in ``tests/data`` as texture descriptions, and the pattern they fill textures with."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from refnvn.layout.description import (
    DEPTH_IS_LAYERS,
    NO_FLAGS,
    Element,
    PackagedLayout,
    TextureDescription,
    TextureFlags,
    TextureTarget,
)

DATA = Path(__file__).parents[1] / "data"
KINDS = {
    "1d": TextureTarget.TARGET_1D,
    "2d": TextureTarget.TARGET_2D,
    "2d_array": TextureTarget.TARGET_2D_ARRAY,
    "cube": TextureTarget.TARGET_CUBEMAP,
    "3d": TextureTarget.TARGET_3D,
    "sparse_2d": TextureTarget.TARGET_2D,
    "sparse_3d": TextureTarget.TARGET_3D,
}


def layout_vectors() -> list[dict[str, Any]]:
    """Return the 40 public vectors."""
    return json.loads((DATA / "layout_public.json").read_text())["vectors"]


def facts() -> dict[str, dict[str, Any]]:
    """Return the seed facts and the public checks by id."""
    data = json.loads((DATA / "seed_layout_facts.json").read_text())
    return {one["id"]: one for one in data["facts"] + data["public_checks"]}


def described(vector: dict[str, Any]) -> TextureDescription:
    """Return the texture of a public vector; blocks are given where the vector does not call them automatic."""
    sparse = vector["kind"].startswith("sparse")
    target = KINDS[vector["kind"]]
    given = not vector["auto"] and not sparse
    return TextureDescription(
        element=Element(vector["bytes_per_block"], vector["block_w"], vector["block_h"]),
        target=target,
        width=vector["width"],
        height=vector["height"],
        depth=vector["layers"] if target in DEPTH_IS_LAYERS else vector["depth"],
        levels=vector["mips"],
        flags=TextureFlags.SPARSE if sparse else NO_FLAGS,
        packaged=PackagedLayout(vector["block_height"], vector["block_depth"]) if given else None,
    )


def pattern(size_B: int) -> np.ndarray[Any, np.dtype[np.uint8]]:
    """Return the vectors' source bytes: bits 24..31 of i * 2654435761."""
    return ((np.arange(size_B, dtype=np.uint64) * np.uint64(2654435761)) >> np.uint64(24)).astype(np.uint8)


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
