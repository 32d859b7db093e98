"""What does the rasteriser write to? Texels of one slice, as codes, in place.

Row 0 is the first row in memory. A target is a view: writing it writes the surface it came from. Which bits a write
may touch is a mask of the texel's bytes, so that a masked channel keeps its stored bits whatever the format.

Read next: ``clear.py``, ``output.py``.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from refnvn.errors import ArgumentError, ShapeError, UnsupportedFormat
from refnvn.formats.floatbits import UInt8
from refnvn.formats.packing import pack_codes
from refnvn.formats.table import Format, NumericClass
from refnvn.layout.multisample import sample_cell, sample_grid

Rectangle = tuple[int, int, int, int]
"""x, y, width, height in pixels of memory."""

_NOT_STORED = (NumericClass.SHARED_EXPONENT, NumericClass.UINT_TO_FLOAT, NumericClass.SINT_TO_FLOAT)
_WORDS: dict[int, np.dtype[np.unsignedinteger]] = {n: np.dtype(f"<u{n}") for n in (1, 2, 4, 8)}
_MASK_BITS = {"R": 1, "G": 2, "B": 4, "A": 8, "X": 8}


def _require_texels(fmt: Format, codes: UInt8) -> None:
    if codes.dtype != np.uint8 or codes.ndim != 3 or codes.shape[2] != fmt.bytes_per_block:
        raise ShapeError(
            f"codes of a {fmt.nvn_name} target must be uint8 of shape (rows, columns, {fmt.bytes_per_block}), "
            f"not {codes.dtype} of shape {codes.shape}"
        )
    if not codes.flags.writeable:
        raise ShapeError(f"codes of a {fmt.nvn_name} target must be writeable")


def _require_samples(fmt: Format, codes: UInt8, others: tuple[UInt8, ...]) -> None:
    if any(one.shape != codes.shape for one in others):
        raise ShapeError(f"the samples of a {fmt.nvn_name} target must have one shape, {codes.shape}")
    for one in others:
        _require_texels(fmt, one)


@dataclass(frozen=True, slots=True)
class ColorTarget:
    """Texels of a colour format.

    Attributes
    ----------
    fmt : Format
        A format whose channels are stored apart: not compressed, no shared exponent, no depth.
    codes : uint8, shape (rows, columns, bytes per texel)
        Stored codes, written in place.
    others : tuple of uint8, each of that shape
        With several samples: the codes of sample 1 and on; ``codes`` are those of sample 0.
    """

    fmt: Format
    codes: UInt8
    others: tuple[UInt8, ...] = ()

    def of_sample(self, sample: int) -> ColorTarget:
        """Return one sample of it."""
        return ColorTarget(self.fmt, (self.codes, *self.others)[sample])

    def __post_init__(self) -> None:
        _require_samples(self.fmt, self.codes, self.others)
        if self.fmt.is_compressed or self.fmt.is_depth_stencil or not self.fmt.components:
            raise UnsupportedFormat(f"{self.fmt.nvn_name} cannot be a colour target; it has no colour channels")
        if self.fmt.numeric_class in _NOT_STORED:
            raise UnsupportedFormat(f"{self.fmt.nvn_name} cannot be a colour target; no channel of it can be stored")
        _require_texels(self.fmt, self.codes)


@dataclass(frozen=True, slots=True)
class DepthStencilTarget:
    """Texels of a format with depth, stencil or both.

    Attributes
    ----------
    fmt : Format
    codes : uint8, shape (rows, columns, bytes per texel)
        Stored codes, written in place.
    others : tuple of uint8, each of that shape
        With several samples: the codes of sample 1 and on; ``codes`` are those of sample 0.
    """

    fmt: Format
    codes: UInt8
    others: tuple[UInt8, ...] = ()

    def of_sample(self, sample: int) -> DepthStencilTarget:
        """Return one sample of it."""
        return DepthStencilTarget(self.fmt, (self.codes, *self.others)[sample])

    def __post_init__(self) -> None:
        _require_samples(self.fmt, self.codes, self.others)
        if not self.fmt.is_depth_stencil:
            raise UnsupportedFormat(f"{self.fmt.nvn_name} cannot be a depth-stencil target; it has neither")
        _require_texels(self.fmt, self.codes)


def samples_of(targets: Iterable[ColorTarget | DepthStencilTarget | None]) -> int:
    """Return how many samples some targets have.

    Raises
    ------
    ArgumentError
        Where they have not all the same number.

    Examples
    --------
    >>> samples_of([None])
    1
    """
    found = {1 + len(one.others) for one in targets if one is not None}
    if len(found) > 1:
        raise ArgumentError(f"targets of one draw have {sorted(found)} samples; they must have one number of samples")
    return found.pop() if found else 1


def sample_views(codes: UInt8, samples: int) -> tuple[UInt8, ...]:
    """Return the texels of each sample in the storage of a multisample texture, as views.

    Parameters
    ----------
    codes : uint8, shape (rows, columns, bytes per texel)
        Storage: a pixel is a grid of texels (``refnvn/layout/multisample.py``).
    samples : int

    Raises
    ------
    UnknownBehaviour
        For 16 samples.

    Examples
    --------
    >>> sample_views(np.arange(4, dtype=np.uint8).reshape(1, 4, 1), 2)[0].ravel().tolist()
    [1, 3]
    """
    across, down = sample_grid(samples)
    cells = (sample_cell(samples, sample) for sample in range(samples))
    return tuple(codes[y::down, x::across] for x, y in cells)


def _field_bits(fmt: Format, fields: dict[str, int]) -> UInt8:
    return pack_codes(fmt, np.array([fields.get(c.name, 0) for c in fmt.components], dtype=np.int64))


@functools.lru_cache(maxsize=1024)
def channel_bits(fmt: Format, mask: int) -> UInt8:
    """Return which bits of a texel belong to the channels of a mask, shape (bytes per texel,).

    The unread bits of ``X`` formats go with alpha: a mask of R, G and B leaves them.

    >>> from refnvn.formats.table import format_named
    >>> channel_bits(format_named("RGB565"), 0b0101).tolist()
    [31, 248]
    """
    ones = {c.name: (1 << c.bits) - 1 for c in fmt.components}
    return _field_bits(fmt, {name: bits for name, bits in ones.items() if mask & _MASK_BITS[name]})


@functools.lru_cache(maxsize=1024)
def plane_bits(fmt: Format, depth: bool, stencil_mask: int) -> UInt8:
    """Return which bits of a texel belong to the depth plane, if ``depth``, and to a mask of stencil bits.

    >>> from refnvn.formats.table import format_named
    >>> plane_bits(format_named("DEPTH24_STENCIL8"), False, 0x81).tolist()
    [129, 0, 0, 0]
    """
    depth_component = fmt.component("D")
    depth_bits = (1 << depth_component.bits) - 1 if depth and depth_component is not None else 0
    return _field_bits(fmt, {"D": depth_bits, "S": stencil_mask})


def clipped(rectangle: Rectangle | None, columns: int, rows: int) -> tuple[slice, slice]:
    """Return the rows and columns of a target that a rectangle covers; None covers all.

    >>> clipped((-2, 1, 4, 100), 8, 8)
    (slice(1, 8, None), slice(0, 2, None))
    """
    if rectangle is None:
        return slice(0, rows), slice(0, columns)
    x, y, width, height = rectangle
    left, right = min(max(x, 0), columns), min(max(x + max(width, 0), 0), columns)
    top, bottom = min(max(y, 0), rows), min(max(y + max(height, 0), 0), rows)
    return slice(top, max(bottom, top)), slice(left, max(right, left))


def write_bits(texels: UInt8, codes: UInt8, bits: UInt8) -> None:
    """Store ``codes`` in the ``bits`` of ``texels`` in place; the other bits stay as they are.

    >>> texels = np.array([[0xF0]], np.uint8)
    >>> write_bits(texels, np.array([0x0A], np.uint8), np.array([0x0F], np.uint8)); int(texels[0, 0])
    250
    """
    word = _WORDS.get(texels.shape[-1])
    if not (bits == 255).all():
        texels[...] = (texels & ~bits) | (codes & bits)
    elif codes.ndim == 1 and word is not None and texels.strides[-1] == 1:
        texels.view(word)[...] = codes.view(word)  # one word after another is much quicker than bytes
    else:
        texels[...] = codes
