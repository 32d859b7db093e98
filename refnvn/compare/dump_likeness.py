"""How much does a reading of a dump look like a picture? And which of its blocks are empty?

Smoothness alone prefers padding: a reading that takes zeros for texels has no steps there. So

- steps are counted only between elements that hold something,
- they are held against the steps between elements picked at random, so that a dark picture gains nothing,
- steps at the edges of GOBs count as much as all others, since a wrong block height leaves no other trace,
- what a reading throws away counts against it (:class:`refnvn.compare.dump.Reading`).

Nothing here is a rule of NVN, and a picture of noise defeats it; whoever uses it looks at the pictures too.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from refnvn.compare.dump import Reading
from refnvn.compare.dump_order import is_bytes
from refnvn.formats.block_coding import Coding, block_coding, is_astc
from refnvn.formats.blocks import decode_block_codes
from refnvn.formats.packing import unpack_codes
from refnvn.formats.table import Format, NumericClass
from refnvn.layout.gob import GOB_HEIGHT_ROWS, GOB_WIDTH_B
from refnvn.layout.tiling import Bytes

SHOWN_TEXELS = 512
"""Of larger pictures the upper left corner is judged."""
SHOWN_BLOCK_ROWS = 128
DECODED_TEXELS = 1 << 16
FEWEST_COLUMNS = 8
FEWEST_PAIRS = 8
OPAQUE = 255
_HALF_ONE = 0x3C00
_ERROR_HALVES = (_HALF_ONE, 0, _HALF_ONE, _HALF_ONE)
_ERROR_BYTES = (255, 0, 255, 255)
_FLOATS = (NumericClass.FLOAT,)

Numbers = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Look:
    """How a reading looks.

    Attributes
    ----------
    coherence : float or None
        1 for a picture without steps, about 0 for shuffled texels, below 0 for larger steps than those; None where
        there is too little to tell.
    illegal : float
        The share of ASTC blocks that hold the error colour; 0 for other formats. A wrong block size makes most blocks
        illegal, because their weights no longer fit.
    """

    coherence: float | None
    illegal: float


def look_of(reading: Reading) -> Look:
    """Return how the upper left corner of a reading looks."""
    rows = _corner(reading)
    held: NDArray[np.bool_] = (rows != 0).any(axis=2)
    if not reading.fmt.is_compressed:
        return Look(_coherence(rows, held, (_texel_numbers(reading.fmt, rows),) * 4), 0.0)
    codes = decode_block_codes(reading.fmt, rows)
    return Look(_coherence(rows, held, _edges(_ordered(reading.fmt, codes))), _illegal(reading.fmt, codes[held]))


def _corner(reading: Reading) -> Bytes:
    """Return as much as is judged: of compressed formats few columns, but rows enough for the tallest blocks."""
    fmt = reading.fmt
    if not fmt.is_compressed:
        return reading.rows[:SHOWN_TEXELS, :SHOWN_TEXELS]
    rows = reading.rows[:SHOWN_BLOCK_ROWS]
    texels = len(rows) * fmt.block_width_px * fmt.block_height_px
    return rows[:, : max(FEWEST_COLUMNS, DECODED_TEXELS // texels)]


def _coherence(rows: Bytes, held: NDArray[np.bool_], edges: tuple[Numbers, ...]) -> float | None:
    left, right, top, bottom = edges
    across = _steps(right[:, :-1], left[:, 1:], held[:, :-1] & held[:, 1:])
    down = _steps(bottom[:-1], top[1:], held[:-1] & held[1:])
    columns = (np.arange(1, rows.shape[1]) * rows.shape[2]) % GOB_WIDTH_B == 0
    lines = np.arange(1, rows.shape[0]) % GOB_HEIGHT_ROWS == 0
    means = [
        *_means(across, np.broadcast_to(columns, across.shape)),
        *_means(down, np.broadcast_to(lines[:, np.newaxis], down.shape)),
    ]
    chance = _chance(right[held], left[held]) + _chance(bottom[held], top[held])
    if not means or not chance > 0:
        return None
    return 1.0 - float(np.mean(means)) / (chance / 2)


def _illegal(fmt: Format, codes: NDArray[Any]) -> float:
    if not is_astc(fmt) or not len(codes):
        return 0.0
    error = _ERROR_HALVES if block_coding(fmt) is Coding.HALF else _ERROR_BYTES
    return float((codes == error).all(axis=(1, 2, 3)).mean())


def opaque_share(reading: Reading) -> float:
    """Return the share, of texels that hold something, whose alpha is all ones; 1 unless texels are four bytes."""
    alpha = reading.fmt.component("A")
    if alpha is None or not is_bytes(reading.fmt):
        return 1.0
    place = reading.fmt.components.index(alpha)
    codes = reading.rows[reading.rows.any(axis=2)][..., place]
    return float((codes == OPAQUE).mean()) if codes.size else 1.0


def empty_blocks(rows: Bytes) -> int:
    """Return how many elements are all zero, of shape (..., bytes of an element)."""
    return int((~rows.any(axis=-1)).sum())


def _edges(codes: Numbers) -> tuple[Numbers, ...]:
    """Return what stands at the left, right, upper and lower edge of each block, shape (rows, columns, n)."""
    edges = codes[:, :, :, 0], codes[:, :, :, -1], codes[:, :, 0], codes[:, :, -1]
    return tuple(edge.reshape(*codes.shape[:2], -1) for edge in edges)


def _ordered(fmt: Format, codes: NDArray[Any]) -> Numbers:
    if block_coding(fmt) is Coding.HALF:
        return _in_order(codes.astype(np.int64), 16)
    return codes.astype(np.float32)


def _texel_numbers(fmt: Format, rows: Bytes) -> Numbers:
    """Return the components of texels as numbers 0 to 1 in the order of what they mean."""
    codes = unpack_codes(fmt, rows)
    read = [place for place, component in enumerate(fmt.components) if component.name != "X"]
    return np.stack([_component_numbers(fmt, fmt.components[at].bits, codes[..., at]) for at in read], axis=-1)


def _component_numbers(fmt: Format, bits: int, codes: NDArray[np.uint32]) -> Numbers:
    wide = codes.astype(np.int64)
    if bits in (16, 32) and fmt.numeric_class in _FLOATS:
        return _in_order(wide, bits)
    if fmt.numeric_class in (NumericClass.SNORM, NumericClass.SINT):
        wide ^= 1 << bits - 1
    return (wide / (1 << bits)).astype(np.float32)


def _in_order(codes: NDArray[np.int64], bits: int) -> Numbers:
    """Return the bits of floats as numbers that rise with the float."""
    sign = codes >> bits - 1
    return (np.where(sign, -(codes & (1 << bits - 1) - 1), codes) / (1 << bits)).astype(np.float32)


def _steps(one: Numbers, other: Numbers, held: NDArray[np.bool_]) -> Numbers:
    """Return the mean step of each pair; NaN where one of the two holds nothing."""
    steps = np.abs(one - other).mean(axis=2, dtype=np.float32) if one.size else np.zeros(held.shape, np.float32)
    steps[~held] = np.nan
    return steps


def _means(steps: Numbers, at_edge: NDArray[np.bool_]) -> list[float]:
    """Return the mean step at the edges of GOBs and elsewhere, each where there are enough."""
    means = []
    for chosen in (steps[at_edge], steps[~at_edge]):
        there = chosen[~np.isnan(chosen)]
        if there.size >= FEWEST_PAIRS:
            means.append(float(there.mean(dtype=np.float64)))
    return means


def _chance(one: Numbers, other: Numbers) -> float:
    """Return the mean step between elements that have nothing to do with each other."""
    if len(one) < FEWEST_PAIRS:
        return 0.0
    order = np.random.default_rng(1).permutation(len(one))
    return float(np.abs(one - other[order]).mean(dtype=np.float64))
