"""How are the five measured format families scored?

``store``, ``clear`` and ``imagestore`` hold values (``in_F``) and the texels they became (``out_F``), ``imagestore``
also what a load then read (``out_load_F``). ``thresholds`` holds for each code the least value that stores it.
``decode`` holds texels and what they read as, by fetch (``out_fetch_F``), in all four components
(``out_first_rgba_F``) and through a linear filter at the texel's centre (``out_linear_F``).

Formats carry OpenGL's names there. Read next: ``schemas.py``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from refnvn.conformance.schema import Schema
from refnvn.conformance.score import ArrayScore, compare
from refnvn.conformance.signature import META, has_arrays
from refnvn.conformance.vector_file import VectorFile
from refnvn.enumerations import MagFilter, WrapMode
from refnvn.errors import InputFileError, RefnvnError
from refnvn.formats.codec import component_code, decode, encode
from refnvn.formats.depth_stencil import depth_code
from refnvn.formats.image_load import decode_image_load
from refnvn.formats.norm import sign_extended
from refnvn.formats.packing import unpack_codes
from refnvn.formats.table import Format, NumericClass, format_named, formats
from refnvn.layout.description import TextureTarget
from refnvn.rules.fields import Rules
from refnvn.rules.registry import collect
from refnvn.texture.sample import sample
from refnvn.texture.sampled import SampledTexture
from refnvn.texture.sampler import Sampler

IN, OUT = "in_", "out_"
LOAD, FETCH, FIRST, LINEAR = "out_load_", "out_fetch_", "out_first_rgba_", "out_linear_"

_NVN_NAMES = {
    "SRGB8_ALPHA8": "RGBA8_SRGB",
    "SRGB8_ALPHA8_encode_off": "RGBA8",
    "RGB5_A1": "RGB5A1",
    "RGB10_A2": "RGB10A2",
    "RGB10_A2UI": "RGB10A2UI",
    "R11F_G11F_B10F": "R11G11B10F",
    "RGB9_E5": "RGB9E5F",
}

_THRESHOLDS = {
    "R8": ("R8", "R"),
    "RGBA8_a": ("RGBA8", "A"),
    "SRGB8": ("RGBA8_SRGB", "R"),
    "SRGB8_alpha": ("RGBA8_SRGB", "A"),
    "R8_SNORM": ("R8SN", "R"),
    "R8_SNORM_neg": ("R8SN", "R"),
    "RGB10": ("RGB10A2", "R"),
    "A2": ("RGB10A2", "A"),
    "R16": ("R16", "R"),
    "R16_SNORM": ("R16SN", "R"),
    "R16F": ("R16F", "R"),
    "R11F": ("R11G11B10F", "R"),
    "B10F": ("R11G11B10F", "B"),
    "DEPTH16": ("DEPTH16", "D"),
    "DEPTH24": ("DEPTH24_STENCIL8", "D"),
}
"""Which component of which format each array of ``thresholds`` measured; ``_neg`` with the sign turned."""


def nvn_format(file: VectorFile, name: str) -> Format:
    """Return NVN's format for an array name of the vectors (``R8_SNORM``, ``SRGB8_ALPHA8``, ``RGBA8_full``)."""
    plain = name.removesuffix("_full")
    try:
        return format_named(_NVN_NAMES.get(plain, plain.replace("_SNORM", "SN")))
    except RefnvnError as error:
        raise InputFileError(f"{file.path}: array {name!r}: {error}") from error


def _misfit(file: VectorFile, name: str, array: NDArray[Any], allowed: str) -> InputFileError:
    return InputFileError(f"{file.path}: array {name!r} is {array.dtype} of shape {array.shape}, not {allowed}")


def words(file: VectorFile, name: str, shape: tuple[int, ...] | None = None) -> NDArray[np.uint32]:
    """Read an array of 32-bit words, of a given shape where one is given."""
    array = file.array(name)
    if array.dtype != np.uint32 or (shape is not None and array.shape != shape):
        raise _misfit(file, name, array, f"uint32 of shape {shape or 'any'}")
    return array


def texel_bytes(file: VectorFile, name: str, fmt: Format) -> NDArray[np.uint8]:
    """Read stored texels, shape (rows, columns) or (rows, columns, components), as (rows, columns, bytes)."""
    array = file.array(name)
    components = array.shape[2] if array.ndim == 3 else 1
    if array.dtype.kind != "u" or array.ndim not in (2, 3) or components * array.itemsize != fmt.bytes_per_block:
        raise _misfit(file, name, array, f"(rows, columns[, components]) of {fmt.bytes_per_block} unsigned bytes")
    little = np.ascontiguousarray(array.astype(array.dtype.newbyteorder("<")))
    return little.view(np.uint8).reshape(*array.shape[:2], fmt.bytes_per_block)


def _input_values(file: VectorFile, name: str, fmt: Format) -> NDArray[Any]:
    """Read the values of a store as (rows, columns, 4); one value per texel went to all four components."""
    array = words(file, name)
    if array.ndim == 2:
        array = np.repeat(array[..., np.newaxis], 4, axis=-1)
    if array.ndim != 3 or array.shape[2] != 4:
        raise _misfit(file, name, array, "(rows, columns) or (rows, columns, 4)")
    if fmt.is_integer:
        return array.view(np.int32) if fmt.numeric_class is NumericClass.SINT else array
    return array.view(np.float32)


def _score_store(file: VectorFile, name: str, rules: Rules) -> ArrayScore:
    """Score stored texels component by component, so that a case is one code."""
    fmt = nvn_format(file, name)
    values = _input_values(file, IN + name, fmt)
    measured = texel_bytes(file, OUT + name, fmt)
    if measured.shape[:2] != values.shape[:2]:
        raise InputFileError(f"{file.path}: {IN + name} and {OUT + name} have other numbers of texels")
    with collect() as used:
        stored = unpack_codes(fmt, encode(fmt, values, rules))
        return compare(OUT + name, stored, unpack_codes(fmt, measured), used)


def _score_load(file: VectorFile, name: str, rules: Rules) -> ArrayScore:
    """Score image loads of every fourth row of what the store left."""
    fmt = nvn_format(file, name)
    texels = texel_bytes(file, OUT + name, fmt)[::4]
    measured = words(file, LOAD + name, (*texels.shape[:2], 4))
    with collect() as used:
        loaded = decode_image_load(fmt, texels, rules).view(np.uint32)
    return compare(LOAD + name, loaded, measured, used, floats=not fmt.is_integer)


def score_stores(file: VectorFile, rules: Rules) -> Iterator[ArrayScore]:
    """Score ``store``, ``clear`` or ``imagestore``."""
    for name in file.headers:
        if name.startswith(LOAD):
            yield _score_load(file, name.removeprefix(LOAD), rules)
        elif name.startswith(OUT):
            yield _score_store(file, name.removeprefix(OUT), rules)


def _score_fetch(file: VectorFile, name: str, rules: Rules) -> ArrayScore:
    """Score fetched values: all four components, or only the one that the array keeps."""
    fmt = nvn_format(file, name)
    texels = texel_bytes(file, IN + name, fmt)
    measured = words(file, FETCH + name)
    with collect() as used:
        values = decode(fmt, texels, rules).view(np.uint32)
    if measured.ndim == 2:
        values = values[..., 0]
    if measured.shape != values.shape:
        raise _misfit(file, FETCH + name, measured, f"shape {values.shape}")
    return compare(FETCH + name, values, measured, used, floats=True)


def _score_first(file: VectorFile, name: str, rules: Rules) -> ArrayScore:
    """Score all components of the first texels.

    Depth was read there in OpenGL's luminance mode, which repeats red in green and blue; NVN has no such mode.
    """
    fmt = nvn_format(file, name)
    measured = words(file, FIRST + name)
    texels = texel_bytes(file, IN + name, fmt).reshape(-1, fmt.bytes_per_block)[: len(measured)]
    with collect() as used:
        values = decode(fmt, texels, rules).view(np.uint32)
    if fmt.is_depth_stencil:
        values[:, 1:3] = values[:, :1]
    if measured.shape != values.shape:
        raise _misfit(file, FIRST + name, measured, f"shape {values.shape}")
    return compare(FIRST + name, values, measured, used, floats=True)


def _score_linear(file: VectorFile, name: str, rules: Rules) -> ArrayScore:
    """Score what the linear filter gave at the centres of texels."""
    fmt = nvn_format(file, name)
    texels = texel_bytes(file, IN + name, fmt)
    rows, columns = texels.shape[:2]
    down, across = (np.arange(size, dtype=np.float32) + np.float32(0.5) for size in (rows, columns))
    v, u = np.meshgrid(down / np.float32(rows), across / np.float32(columns), indexing="ij")
    sampler = Sampler(mag_filter=MagFilter.LINEAR, wrap=(WrapMode.CLAMP_TO_EDGE,) * 3)
    texture = SampledTexture(fmt, TextureTarget.TARGET_2D, (texels[np.newaxis],))
    measured = words(file, LINEAR + name)
    with collect() as used:
        read = sample(texture, sampler, np.stack([u.ravel(), v.ravel()]), lod=0.0, rules=rules).view(np.uint32)
    values = read.T.reshape(rows, columns, 4)
    if measured.ndim == 2:
        values = values[..., 0]
    if measured.shape != values.shape:
        raise _misfit(file, LINEAR + name, measured, f"shape {values.shape}")
    return compare(LINEAR + name, values, measured, used, floats=True)


def score_decode(file: VectorFile, rules: Rules) -> Iterator[ArrayScore]:
    """Score ``decode``."""
    for name in file.headers:
        if name.startswith(LINEAR):
            yield _score_linear(file, name.removeprefix(LINEAR), rules)
        elif name.startswith(FIRST):
            yield _score_first(file, name.removeprefix(FIRST), rules)
        elif name.startswith(FETCH):
            yield _score_fetch(file, name.removeprefix(FETCH), rules)


def _threshold_codes(name: str, values: NDArray[np.float32], rules: Rules) -> NDArray[np.int64]:
    """Return the codes that values become in the component that an array measured, its sign turned for ``_neg``."""
    format_name, component_name = _THRESHOLDS[name]
    fmt = format_named(format_name)
    component = fmt.component(component_name)
    assert component is not None
    if component.name == "D":
        return depth_code(fmt, values, rules).astype(np.int64)
    turned = -values if name.endswith("_neg") else values
    codes = component_code(fmt, component, turned, rules)
    if fmt.numeric_class is not NumericClass.SNORM:
        return codes.astype(np.int64)
    signed = sign_extended(codes, component.bits)
    return -signed if name.endswith("_neg") else signed


def _score_threshold(file: VectorFile, name: str, rules: Rules) -> ArrayScore:
    """Score both sides of each threshold: the value itself reaches the code, the float before it does not.

    The measured code may be skipped by the conversion; then the threshold stores a greater one. A case counts as
    measured where its code stands on the right side.
    """
    if name not in _THRESHOLDS:
        raise InputFileError(
            f"{file.path}: array {OUT + name!r} is of no component that is known; {', '.join(_THRESHOLDS)} are"
        )
    source = IN + name + "_code"
    codes = file.array(source)
    if codes.dtype != np.int64 or codes.ndim != 1:
        raise _misfit(file, source, codes, "int64 of one axis")
    bits = words(file, OUT + name, codes.shape)
    if not bits.all():
        raise InputFileError(f"{file.path}: array {OUT + name!r} holds a threshold of 0; allowed are those above 0")
    with collect() as used:
        at = _threshold_codes(name, bits.view(np.float32), rules)
        before = _threshold_codes(name, (bits - np.uint32(1)).view(np.float32), rules)
    by_rule = np.concatenate([at, before])
    nearest_allowed = np.concatenate([np.maximum(at, codes), np.minimum(before, codes - 1)])
    return compare(OUT + name, by_rule, nearest_allowed, used)


def score_thresholds(file: VectorFile, rules: Rules) -> Iterator[ArrayScore]:
    """Score ``thresholds``."""
    for name in file.headers:
        if name.startswith(OUT):
            yield _score_threshold(file, name.removeprefix(OUT), rules)


def _holds_stores(file: VectorFile) -> bool:
    """Whether every result is of a colour format and has its input: ``in_R8`` and ``out_R8``."""
    names = [name.removeprefix(OUT) for name in file.headers if name.startswith(OUT)]
    return META in file.headers and bool(names) and all(_is_format(n) and IN + n in file.headers for n in names)


def _is_format(name: str) -> bool:
    plain = name.removesuffix("_full")
    return _NVN_NAMES.get(plain, plain.replace("_SNORM", "SN")) in formats()


def _holds_fetches(file: VectorFile) -> bool:
    """Whether everything fetched is of a format and has its texels: ``in_R8`` and ``out_fetch_R8``."""
    names = [name.removeprefix(FETCH) for name in file.headers if name.startswith(FETCH)]
    return META in file.headers and bool(names) and all(_is_format(n) and IN + n in file.headers for n in names)


def _holds_thresholds(file: VectorFile) -> bool:
    """Whether some result has its codes: ``out_R8`` and ``in_R8_code``."""
    names = [name.removeprefix(OUT) for name in file.headers if name.startswith(OUT)]
    return META in file.headers and any(f"{IN}{name}_code" in file.headers for name in names)


SCHEMAS: tuple[Schema, ...] = (
    Schema(name="store", recognises=_holds_stores, score=score_stores),
    Schema(name="thresholds", recognises=_holds_thresholds, score=score_thresholds),
    Schema(name="clear", recognises=_holds_stores, score=score_stores),
    Schema(name="imagestore", recognises=has_arrays(f"{LOAD}*"), score=score_stores),
    Schema(name="decode", recognises=_holds_fetches, score=score_decode),
)
