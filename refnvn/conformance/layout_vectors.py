"""How are layout vectors scored? Every number of a layout is a case, and so is the hash of the placed bytes.

Two schemas: ``layout_public`` (whole layouts on which implementations agree) and ``layout_facts`` (single numbers
that the seeds and public threads state). A vector names a texture (``given``) and what is so (``expect``); a key
that is not known here is an error, so that nothing goes unjudged.

Read next: ``layout_facts.py``.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Any

import numpy as np

from refnvn.conformance import layout_facts
from refnvn.conformance.fields import Fields
from refnvn.conformance.schema import Schema
from refnvn.conformance.score import ArrayScore, compare
from refnvn.conformance.vector_file import VectorFile
from refnvn.errors import InputFileError, RefnvnError
from refnvn.layout.description import (
    DEPTH_IS_LAYERS,
    NO_FLAGS,
    Element,
    PackagedLayout,
    TextureDescription,
    TextureFlags,
    TextureTarget,
)
from refnvn.layout.levels import LevelLayout
from refnvn.layout.texture import TextureLayout, texture_layout
from refnvn.layout.tiling import linear_size_B, tile_texture
from refnvn.rules.fields import Rules
from refnvn.rules.registry import collect

KINDS = {
    "1d": TextureTarget.TARGET_1D,
    "2d": TextureTarget.TARGET_2D,
    "2d_array": TextureTarget.TARGET_2D_ARRAY,
    "cube": TextureTarget.TARGET_CUBEMAP,
    "cube_array": TextureTarget.TARGET_CUBEMAP_ARRAY,
    "3d": TextureTarget.TARGET_3D,
    "sparse_2d": TextureTarget.TARGET_2D,
    "sparse_3d": TextureTarget.TARGET_3D,
}
LARGEST_TEXTURE_B = 1 << 28


def described(vector: Fields) -> TextureDescription:
    """Return the texture of a vector; blocks are given where the vector does not call them automatic.

    Raises
    ------
    RefnvnError
        For a missing field, an unknown kind or a texture that cannot be stored.
    """
    kind = vector.word("kind", KINDS)
    sparse, target = kind.startswith("sparse"), KINDS[kind]
    given = not vector.flag("auto") and not sparse
    return TextureDescription(
        element=Element(vector.integer("bytes_per_block"), vector.integer("block_w"), vector.integer("block_h")),
        target=target,
        width=vector.integer("width"),
        height=vector.integer("height"),
        depth=vector.integer("layers" if target in DEPTH_IS_LAYERS else "depth"),
        levels=vector.integer("mips"),
        flags=TextureFlags.SPARSE if sparse else NO_FLAGS,
        packaged=PackagedLayout(vector.integer("block_height"), vector.integer("block_depth")) if given else None,
    )


def pattern(size_B: int) -> np.ndarray[Any, np.dtype[np.uint8]]:
    """Return the vectors' source bytes: bits 24..31 of i * 2654435761."""
    return ((np.arange(size_B, dtype=np.uint64) * np.uint64(2654435761)) >> np.uint64(24)).astype(np.uint8)


def _score_public(file: VectorFile, rules: Rules) -> Iterable[ArrayScore]:
    for vector in Fields(file.json, "the file").objects("vectors"):
        name = str(vector.value.get("id", vector.name))
        try:
            yield from _score_vector(name, vector, rules)
        except RefnvnError as error:
            raise InputFileError(f"{file.path}: vector {name}: {error}") from error


def _score_vector(name: str, vector: Fields, rules: Rules) -> Iterable[ArrayScore]:
    with collect() as used:
        layout = texture_layout(described(vector), rules)
    stated = [_stated_level(level) for level in vector.objects("levels")]
    found = [_found_level(level) for level in layout.levels]
    stated.append(_stated_texture(vector))
    found.append(_found_texture(layout))
    yield _numbers(f"{name}: layout", stated, found, used)
    if layout.size_B > LARGEST_TEXTURE_B:
        raise InputFileError(f"{layout.size_B} bytes, more than the {LARGEST_TEXTURE_B} that are hashed")
    stated_hash = np.frombuffer(vector.sha256("sha256_swizzled"), np.uint8)
    with collect() as used:
        placed = tile_texture(layout, pattern(linear_size_B(layout)))
    found_hash = np.frombuffer(hashlib.sha256(placed.tobytes()).digest(), np.uint8)
    same = bool((found_hash == stated_hash).all())
    yield compare(f"{name}: bytes", np.array([int(same)]), np.array([1]), used)


def _stated_level(level: Fields) -> list[int]:
    names = ("offset", "size", "width_blocks", "height_blocks", "depth", "pitch", "block_height", "block_depth")
    return [level.integer(name) for name in names]


def _found_level(level: LevelLayout) -> list[int]:
    blocks = level.blocks
    assert blocks is not None
    return [
        level.offset_B,
        level.size_B,
        level.width_el,
        level.height_el,
        level.slices,
        level.pitch_B,
        blocks.block_height_gob,
        blocks.block_depth_gob,
    ]


def _stated_texture(vector: Fields) -> list[int]:
    names = ("block_height", "block_depth", "layer_stride", "total_size", "linear_size")
    has_tail = vector.value.get("tail_first_level") is not None
    tail = vector.integer("tail_first_level") if has_tail else -1
    return [*(vector.integer(name) for name in names), tail, *(vector.numbers("tile") if "tile" in vector else ())]


def _found_texture(layout: TextureLayout) -> list[int]:
    tail = layout.tail_first_level
    tile = () if layout.tile is None else (layout.tile.width_el, layout.tile.height_el, layout.tile.depth)
    return [
        layout.block_height_gob,
        layout.block_depth_gob,
        layout.layer_stride_B,
        layout.size_B,
        linear_size_B(layout),
        -1 if tail is None else tail,
        *tile,
    ]


def _numbers(array: str, stated: list[list[int]], found: list[list[int]], used: set[str]) -> ArrayScore:
    """Score rows of numbers; rows of other lengths count as wrong where one is missing."""
    one = [number for row in found for number in row]
    other = [number for row in stated for number in row]
    length = max(len(one), len(other))
    by_rule = np.array([*one, *[-2] * (length - len(one))], np.int64)
    measured = np.array([*other, *[-3] * (length - len(other))], np.int64)
    return compare(array, by_rule, measured, used)


SCHEMAS: tuple[Schema, ...] = (
    Schema(
        name="layout_public",
        recognises=lambda file: file.json_has("format", "pattern", "vectors"),
        score=_score_public,
    ),
    layout_facts.SCHEMA,
)
