"""How are sources and stored texels of the families of the output merger read?

Read next: ``hardware_blend.py``.
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np
from numpy.typing import NDArray

from refnvn.conformance.hardware_formats import nvn_format, words
from refnvn.conformance.signature import META
from refnvn.conformance.vector_file import VectorFile
from refnvn.errors import InputFileError
from refnvn.formats.codec import encode
from refnvn.formats.floatbits import Float32, UInt32
from refnvn.formats.packing import unpack_codes
from refnvn.formats.table import Format, NumericClass, format_named
from refnvn.rules.fields import Rules

_PAIRS = "RGBA8x"
"""All pairs of bytes, given as bytes."""


def remarks(file: VectorFile, key: str) -> Any:
    """Return one entry of a file's remarks."""
    try:
        return json.loads(str(file.array(META).reshape(-1)[0]))[key]
    except (ValueError, KeyError, TypeError, IndexError) as error:
        raise InputFileError(f"{file.path}: array {META!r} does not hold {key!r}") from error


def texels(file: VectorFile, name: str, fmt: Format, count: int) -> UInt32:
    """Read stored texels of any shape as codes, shape (texels, components)."""
    array = file.array(name)
    if array.dtype.kind != "u" or array.nbytes != count * fmt.bytes_per_block:
        raise InputFileError(
            f"{file.path}: array {name!r} is {array.dtype} of shape {array.shape}, not {count} texels of "
            f"{fmt.bytes_per_block} unsigned bytes"
        )
    little = np.ascontiguousarray(array.astype(array.dtype.newbyteorder("<")))
    return unpack_codes(fmt, little.view(np.uint8).reshape(count, fmt.bytes_per_block))


def quads(file: VectorFile, name: str) -> NDArray[np.uint32]:
    """Read words as (texels, 4)."""
    array = words(file, name)
    if array.ndim < 2 or array.shape[-1] != 4:
        raise InputFileError(f"{file.path}: array {name!r} has shape {array.shape}, not (..., 4)")
    return array.reshape(-1, 4)


def source_of(file: VectorFile, name: str, key: str) -> Float32:
    """Read a source as float32, shape (texels, 4); pairs of bytes are shares of 255."""
    if key != _PAIRS:
        return quads(file, name + key).view(np.float32)
    array = file.array(name + key)
    if array.dtype != np.uint8 or array.ndim < 2 or array.shape[-1] != 4:
        raise InputFileError(f"{file.path}: array {name + key!r} is not uint8 of shape (..., 4)")
    scaled: Float32 = array.reshape(-1, 4).astype(np.float32) / np.float32(255)
    return scaled


def blend_format(file: VectorFile, key: str) -> Format:
    """Return the format that the key of a case names."""
    return format_named("RGBA8") if key == _PAIRS else nvn_format(file, key)


def masked(fmt: Format, mask: int, codes: UInt32, stored: UInt32) -> UInt32:
    """Return codes where a channel mask lets them be written."""
    written = np.array([mask >> "RGBA".index(c.name) & 1 for c in fmt.components], dtype=np.bool_)
    return np.where(written, codes, stored)


def drawn_codes(fmt: Format, bits: UInt32, rules: Rules) -> UInt32:
    """Return the codes that output bits become in a plain store."""
    if fmt.numeric_class is NumericClass.SINT:
        return unpack_codes(fmt, encode(fmt, bits.view(np.int32), rules))
    return unpack_codes(fmt, encode(fmt, bits if fmt.is_integer else bits.view(np.float32), rules))
