"""Which texture and which sampler does a handle name?

A handle is a word in a uniform buffer like any other: what it holds when the draw runs decides, and changes between
two draws change what they read.
"""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from refnvn.errors import FieldRangeError
from refnvn.rules.evidence import Evidence
from refnvn.rules.registry import rule

TEXTURE_ID_BITS, SAMPLER_ID_BITS = 20, 12
RESERVED_IDS = 256
"""The first ids of each pool belong to the driver."""
COMBINED_SLOTS, IMAGE_SLOTS, SEPARATE_SLOTS = 41, 8, 128
"""Slots of a stage: combined textures, images, separate textures and as many separate samplers."""
_COMBINED_B, _IMAGE_B, _SEPARATE_TEXTURE_B, _SEPARATE_SAMPLER_B, _SLOT_B = 0x20, 0x120, 0x168, 0x568, 8


class Handle(NamedTuple):
    """The ids that a combined handle names."""

    texture_id: int
    sampler_id: int


@rule(
    "TEX-HANDLE-1",
    "A combined handle holds the texture's id in its low 20 bits and the sampler's in the 12 bits above.",
    evidence=Evidence.SWITCH,
    sources=("seed-graphics", "nvn-device-info"),
    ledger=("s4-4-bindless",),
)
def split_handle(word: int) -> Handle:
    """Return the ids that the low 32 bits of a combined handle name.

    Examples
    --------
    >>> split_handle(0x00500123)
    Handle(texture_id=291, sampler_id=5)
    """
    return Handle(word & ((1 << TEXTURE_ID_BITS) - 1), word >> TEXTURE_ID_BITS & ((1 << SAMPLER_ID_BITS) - 1))


def combined_handle(texture_id: int, sampler_id: int) -> int:
    """Return the handle of two ids, as ``nvnDeviceGetTextureHandle`` does.

    Raises
    ------
    FieldRangeError
        For an id that has no place in a handle.

    Examples
    --------
    >>> hex(combined_handle(0x123, 5))
    '0x500123'
    """
    for what, number, bits in (("texture", texture_id, TEXTURE_ID_BITS), ("sampler", sampler_id, SAMPLER_ID_BITS)):
        if not 0 <= number < 1 << bits:
            raise FieldRangeError(f"{what} id {number} is outside 0 to {(1 << bits) - 1}")
    return texture_id | sampler_id << TEXTURE_ID_BITS


class SlotKind(Enum):
    """What a slot of a stage takes."""

    COMBINED = _COMBINED_B
    IMAGE = _IMAGE_B
    SEPARATE_TEXTURE = _SEPARATE_TEXTURE_B
    SEPARATE_SAMPLER = _SEPARATE_SAMPLER_B


@rule(
    "TEX-SLOT-3",
    "A stage's handles lie in one bank, 8 bytes each: combined textures from 0x20, images from 0x120, separate "
    "textures from 0x168, separate samplers from 0x568; combined slots 32 to 39 are the same words as images 0 to 7, "
    "and what was bound last is there.",
    evidence=Evidence.SWITCH,
    sources=("seed-graphics",),
    ledger=("s4-3-bindings", "s4-3a-combined", "s4-3c-septex", "s4-3d-sepsamp"),
)
def slot_offset_B(kind: SlotKind, slot: int) -> int:
    """Return where in the bank the handle of a slot lies.

    Examples
    --------
    >>> slot_offset_B(SlotKind.COMBINED, 34) == slot_offset_B(SlotKind.IMAGE, 2) == 0x130
    True
    """
    return kind.value + slot * _SLOT_B
