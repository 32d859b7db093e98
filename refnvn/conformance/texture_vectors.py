"""How are the arrays of the measured texture families read: texels, coordinates, and what samples gave?

Read next: ``hardware_texture.py``.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from refnvn.conformance.hardware_draws import within
from refnvn.conformance.hardware_formats import nvn_format
from refnvn.conformance.schema import Schema
from refnvn.conformance.score import ArrayScore, compare, not_run
from refnvn.conformance.signature import has_arrays
from refnvn.conformance.vector_file import VectorFile
from refnvn.enumerations import MagFilter, MinFilter, WrapMode
from refnvn.errors import InputFileError
from refnvn.formats.table import Format, format_named
from refnvn.layout.description import TextureTarget
from refnvn.rules.fields import Rules
from refnvn.texture.gradients import Gradients
from refnvn.texture.sampled import SampledTexture
from refnvn.texture.sampler import Sampler

Scorer = Callable[[VectorFile, str, re.Match[str], Rules], ArrayScore]
"""What scores one array: the file, the array, how its name matched, the rules."""

QUAD_BOUND_256 = 1.0
"""By how much the level of detail of a quad's differences may be off."""

TARGET_2D = TextureTarget.TARGET_2D
WRAPS = {
    "REPEAT": WrapMode.REPEAT,
    "MIRRORED_REPEAT": WrapMode.MIRRORED_REPEAT,
    "CLAMP_TO_EDGE": WrapMode.CLAMP_TO_EDGE,
    "CLAMP_TO_BORDER": WrapMode.CLAMP_TO_BORDER,
    "MIRROR_CLAMP_TO_EDGE": WrapMode.MIRROR_CLAMP_TO_EDGE,
    "MIRROR_CLAMP_TO_BORDER_EXT": WrapMode.MIRROR_CLAMP_TO_BORDER,
    "CLAMP": WrapMode.CLAMP,
    "MIRROR_CLAMP_EXT": WrapMode.MIRROR_CLAMP,
}
"""Wrap modes by OpenGL's names."""

EDGE = (WrapMode.CLAMP_TO_EDGE,) * 3
REPEAT = (WrapMode.REPEAT,) * 3
BILINEAR = Sampler(min_filter=MinFilter.LINEAR, mag_filter=MagFilter.LINEAR, wrap=EDGE)
TRILINEAR = Sampler(min_filter=MinFilter.LINEAR_MIPMAP_LINEAR, mag_filter=MagFilter.LINEAR, wrap=REPEAT)


def stored_texels(file: VectorFile, name: str, fmt: Format, dimensions: int = 2) -> NDArray[np.uint8]:
    """Read stored texels as (images, rows, columns, bytes).

    Parameters
    ----------
    file : VectorFile
    name : str
        Of an array of unsigned integers, shape (images if 3 dimensions, rows, columns[, components]).
    fmt : Format
    dimensions : int
        1, 2 or 3: missing ones are 1.

    Raises
    ------
    InputFileError
        For another dtype or shape.
    """
    array = file.array(name)
    components = array.shape[-1] if array.ndim == dimensions + 1 else 1
    bytes_each = components * array.itemsize
    if array.dtype.kind != "u" or array.ndim - dimensions not in (0, 1) or bytes_each != fmt.bytes_per_block:
        raise InputFileError(
            f"{file.path}: array {name!r} is {array.dtype} of shape {array.shape}, not {dimensions} dimensions of "
            f"texels of {fmt.bytes_per_block} unsigned bytes"
        )
    little = np.ascontiguousarray(array.astype(array.dtype.newbyteorder("<"))).view(np.uint8)
    shape = (1,) * (3 - dimensions) + array.shape[:dimensions]
    return little.reshape(*shape, fmt.bytes_per_block)


def texture_2d(file: VectorFile, names: str | list[str], format_name: str) -> SampledTexture:
    """Return a 2D texture whose levels are the arrays of these names."""
    fmt = nvn_format(file, format_name)
    levels = [names] if isinstance(names, str) else names
    return SampledTexture(fmt, TARGET_2D, tuple(stored_texels(file, name, fmt) for name in levels))


def levels_named(file: VectorFile, stem: str) -> list[str]:
    """Return the arrays of levels 0, 1, ... of that stem that a file has."""
    return [f"{stem}{level}" for level in range(15) if f"{stem}{level}" in file.headers]


def constant_levels(sizes: list[tuple[int, ...]], target: TextureTarget = TARGET_2D) -> SampledTexture:
    """Return an R32F texture whose texels hold the number of their level; sizes are (images, rows, columns)."""
    levels = [np.full(size, level, "<f4").view(np.uint8).reshape(*size, 4) for level, size in enumerate(sizes)]
    return SampledTexture(format_named("R32F"), target, tuple(levels))


def halved(*size: int) -> list[tuple[int, ...]]:
    """Return the sizes of all levels of a texture.

    >>> halved(1, 2, 5)
    [(1, 2, 5), (1, 1, 2), (1, 1, 1)]
    """
    return [tuple(max(1, side >> level) for side in size) for level in range(max(size).bit_length())]


def coordinates_of(file: VectorFile, name: str, count: int) -> NDArray[np.float32]:
    """Read (lanes, count) floats as (count, lanes); a plain row of floats where ``count`` is 1."""
    array = file.array(name)
    if array.dtype != np.float32 or array.ndim > 2 or (array.shape[1] if array.ndim == 2 else 1) != count:
        raise InputFileError(
            f"{file.path}: array {name!r} is {array.dtype} of shape {array.shape}, not float32 of shape (n, {count})"
        )
    return np.ascontiguousarray(array.reshape(-1, count).T)


def beside(row: ArrayLike, *constants: float) -> NDArray[np.float32]:
    """Return coordinates of a varying first row and constant others."""
    first = np.asarray(row, np.float32)
    return np.stack([first, *(np.full(first.shape, value, np.float32) for value in constants)])


def score_floats(
    file: VectorFile, name: str, values: NDArray[np.float32], used: set[str], measured: NDArray[Any] | None = None
) -> ArrayScore:
    """Score float32 results, shape (channels, lanes), against an array of bits, shape (lanes[, channels])."""
    array = file.array(name) if measured is None else measured
    bits = np.ascontiguousarray(values).view(np.uint32)
    by_rule = bits[0] if array.ndim == 1 else bits[: array.shape[-1]].T
    if array.dtype != np.uint32 or array.shape != by_rule.shape:
        raise InputFileError(
            f"{file.path}: array {name!r} is {array.dtype} of shape {array.shape}, "
            f"not uint32 of shape {by_rule.shape}"
        )
    return compare(name, by_rule, array, used, floats=True)


def near(
    score: ArrayScore, values: NDArray[np.float32], measured: NDArray[Any], unit: float, bound: float, name: str
) -> ArrayScore:
    """Return a score whose cases within ``bound`` units of a measured float count as within it."""
    errors = np.abs(values.astype(np.float64) - np.ascontiguousarray(measured).view(np.float32)) / unit
    return within(score, errors, bound, name)


def as_opengl_reads(fmt: Format, values: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return values with OpenGL's luminance mode for depth, which repeats red in green and blue; NVN has none."""
    if not fmt.is_depth_stencil:
        return values
    return np.stack([values[0], values[0], values[0], values[3]])


def gradients_of(array: NDArray[np.float32]) -> Gradients:
    """Return gradients of rows (dx ..., dy ...)."""
    half = array.shape[1] // 2
    return Gradients(np.ascontiguousarray(array[:, :half].T), np.ascontiguousarray(array[:, half:].T))


def score_levels(
    file: VectorFile, name: str, values: NDArray[np.float32], used: set[str], bound_256: float = 0.0
) -> ArrayScore:
    """Score levels that the file keeps as integers in 1/256."""
    measured = file.array(name)
    if measured.dtype != np.int16 or measured.shape != values.shape[1:]:
        raise InputFileError(f"{file.path}: array {name!r} is {measured.dtype} of shape {measured.shape}, not int16")
    levels = np.rint(values[0].astype(np.float64) * 256).astype(np.int64)
    score = compare(name, levels, measured.astype(np.int64), used)
    errors = np.abs(levels - measured.astype(np.int64)).astype(np.float64)
    return within(score, errors, bound_256, "codes") if bound_256 else score


def scored(served: dict[str, Scorer], file: VectorFile, rules: Rules) -> Iterator[ArrayScore]:
    """Score every result of a file by the first pattern that its name matches."""
    for name in file.headers:
        if not name.startswith("out_"):
            continue
        for pattern, scorer in served.items():
            if found := re.fullmatch(pattern, name):
                yield scorer(file, name, found, rules)
                break
        else:
            yield not_run(name, "is no array of this family that is known")


def schema(name: str, served: dict[str, Scorer], *arrays: str) -> Schema:
    """Return the schema of a family that is known by some arrays and scored by the patterns of its results."""
    return Schema(name=name, recognises=has_arrays(*arrays), score=functools.partial(scored, served))
