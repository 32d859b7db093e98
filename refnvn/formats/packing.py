"""Where do the codes of a texel's components stand in its bytes?

Texels are little-endian words of the whole texel: bit 0 is the lowest bit of the first byte, and component
positions come from the format table alone. The order of codes is the table's (lowest bits first), not R, G, B, A.

It gives codes no meaning. Read next: ``codec.py``.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
from numpy.typing import NDArray

from refnvn.errors import FieldRangeError, ShapeError, UnsupportedFormat
from refnvn.formats.floatbits import UInt8, UInt32
from refnvn.formats.table import Component, Format
from refnvn.rules.evidence import Evidence
from refnvn.rules.registry import rule

_WORDS: dict[int, np.dtype[Any]] = {8: np.dtype("<u1"), 16: np.dtype("<u2"), 32: np.dtype("<u4")}


def _require_components(fmt: Format) -> None:
    if not fmt.components:
        what = "is compressed: its blocks have no component bits" if fmt.is_compressed else "holds nothing"
        raise UnsupportedFormat(f"{fmt.nvn_name} {what}")


def _word_of_all(fmt: Format) -> np.dtype[Any] | None:
    """Return the word type where the texel is simply an array of equal words, else None."""
    bits = fmt.components[0].bits
    plain = all(c.bits == bits and c.first_bit == i * bits for i, c in enumerate(fmt.components))
    filled = len(fmt.components) * bits == 8 * fmt.bytes_per_block
    return _WORDS.get(bits) if plain and filled else None


def _texel_bytes(fmt: Format, data: NDArray[np.uint8]) -> UInt8:
    array: UInt8 = np.asarray(data)
    if array.dtype != np.uint8 or array.ndim == 0 or array.shape[-1] != fmt.bytes_per_block:
        raise ShapeError(
            f"texels of {fmt.nvn_name} must be uint8 of shape (..., {fmt.bytes_per_block}), "
            f"not {array.dtype} of shape {array.shape}"
        )
    return array


def _bytes_of(component: Component) -> range:
    return range(component.first_bit // 8, (component.first_bit + component.bits + 7) // 8)


@rule(
    "FMT-BITS-1",
    "A texel is a little-endian number of all its bytes; each component is the field that the format table gives, "
    "bit 0 being the lowest bit of the first byte.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("nvn-formats", "open-gpu-doc", "hardware-vectors", "seed-titles"),
    ledger=("rgb565-order", "rgba4-order"),
)
def unpack_codes(fmt: Format, data: NDArray[np.uint8]) -> UInt32:
    """Return the codes of texels, component by component, lowest bits first.

    Parameters
    ----------
    fmt : Format
        Any format that is not compressed.
    data : uint8, shape (..., bytes_per_block)

    Returns
    -------
    uint32, shape (..., number of components)
        Bits that nothing reads (``X``) are given like any component.

    Raises
    ------
    UnsupportedFormat
        For a compressed format and for NONE.
    ShapeError
        For another dtype or last dimension.

    Examples
    --------
    >>> from refnvn.formats.table import format_named
    >>> unpack_codes(format_named("RGB565"), np.array([0x1F, 0xF8], np.uint8)).tolist()
    [31, 0, 31]
    """
    _require_components(fmt)
    texels = _texel_bytes(fmt, data)
    word = _word_of_all(fmt)
    if word is not None:
        return np.ascontiguousarray(texels).view(word).astype(np.uint32)
    codes = np.empty((*texels.shape[:-1], len(fmt.components)), dtype=np.uint32)
    for place, component in enumerate(fmt.components):
        wide = np.zeros(texels.shape[:-1], dtype=np.uint64)
        for index, byte in enumerate(_bytes_of(component)):
            wide |= texels[..., byte].astype(np.uint64) << np.uint64(8 * index)
        wide >>= np.uint64(component.first_bit % 8)
        codes[..., place] = (wide & np.uint64((1 << component.bits) - 1)).astype(np.uint32)
    return codes


def pack_codes(fmt: Format, codes: NDArray[np.integer]) -> UInt8:
    """Return the bytes of texels whose components have these codes; the inverse of :func:`unpack_codes`.

    Parameters
    ----------
    fmt : Format
        Any format that is not compressed.
    codes : integers, shape (..., number of components)
        Lowest bits first; ``X`` components included.

    Returns
    -------
    uint8, shape (..., bytes_per_block)
        Bits of no component are 0.

    Raises
    ------
    UnsupportedFormat
        For a compressed format and for NONE.
    ShapeError
        For codes that are no integers or have another last dimension.
    FieldRangeError
        For a code that does not fit its field.

    Examples
    --------
    >>> from refnvn.formats.table import format_named
    >>> pack_codes(format_named("RGB565"), np.array([31, 0, 31])).tolist()
    [31, 248]
    """
    _require_components(fmt)
    array = np.asarray(codes)
    if array.dtype.kind not in "iu" or array.ndim == 0 or array.shape[-1] != len(fmt.components):
        raise ShapeError(
            f"codes of {fmt.nvn_name} must be integers of shape (..., {len(fmt.components)}), "
            f"not {array.dtype} of shape {array.shape}"
        )
    if array.size and (array.min() < 0 or int(array.max()) > _least_largest(fmt)):
        for place, component in enumerate(fmt.components):
            _require_fit(fmt, component, array[..., place])
    word = _word_of_all(fmt)
    if word is not None:
        return np.ascontiguousarray(array.astype(word)).view(np.uint8)
    texels = np.zeros((*array.shape[:-1], fmt.bytes_per_block), dtype=np.uint8)
    for place, component in enumerate(fmt.components):
        wide = array[..., place].astype(np.uint64) << np.uint64(component.first_bit % 8)
        for index, byte in enumerate(_bytes_of(component)):
            texels[..., byte] |= (wide >> np.uint64(8 * index) & np.uint64(0xFF)).astype(np.uint8)
    return texels


@functools.cache
def _least_largest(fmt: Format) -> int:
    """Return the greatest code that fits every component of a format."""
    return min((1 << component.bits) - 1 for component in fmt.components)


def _require_fit(fmt: Format, component: Component, codes: NDArray[np.integer]) -> None:
    low, high = int(np.min(codes)), int(np.max(codes))
    largest = (1 << component.bits) - 1
    if low < 0 or high > largest:
        wrong = low if low < 0 else high
        raise FieldRangeError(
            f"code {wrong} of component {component.name} of {fmt.nvn_name} is outside 0 to {largest}"
        )
