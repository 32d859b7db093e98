"""How is the measured family ``resolve`` scored: samples, and what they became in one texel?

``in_F_nx`` holds what was written to each sample, ``out_F_nx`` the texels after a resolve, with ``_srgb`` one that
decodes and encodes sRGB. ``out_samples_F_nx`` holds fetches of single samples, of the first two rows. Sixteen samples
have the numbers of the measured driver.

Read next: ``refnvn/raster/resolve.py``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from refnvn.conformance.hardware_formats import nvn_format, texel_bytes
from refnvn.conformance.hardware_multisample import DRIVERS_16
from refnvn.conformance.schema import Schema
from refnvn.conformance.score import ArrayScore, compare, not_run
from refnvn.conformance.signature import has_arrays
from refnvn.conformance.vector_file import VectorFile
from refnvn.errors import InputFileError
from refnvn.formats.codec import decode, encode
from refnvn.formats.depth_stencil import encode_depth_stencil
from refnvn.formats.packing import unpack_codes
from refnvn.formats.table import Format, format_named
from refnvn.raster.resolve import resolved
from refnvn.raster.samples import LOCATIONS
from refnvn.rules.fields import Rules
from refnvn.rules.registry import collect

_RESOLVE = re.compile(r"out_(?P<fetched>samples_)?(?P<format>\w+?)_(?P<samples>2|4|8|16)x(?P<srgb>_srgb)?")


def _stored_samples(file: VectorFile, fmt: Format, inputs: NDArray[np.uint32], rules: Rules) -> NDArray[np.uint8]:
    """Return the codes that each sample's values are stored as, shape (samples, rows, columns, bytes)."""
    if fmt.is_depth_stencil:
        stencil = 255 if fmt.component("S") else None
        return np.stack([encode_depth_stencil(fmt, one.view(np.float32), stencil, rules) for one in inputs])
    if inputs.ndim != 4:
        raise InputFileError(f"{file.path}: the samples of a colour format have 4 components")
    values = inputs if fmt.is_integer else inputs.view(np.float32)
    return np.stack([encode(fmt, one, rules) for one in values])


def _inputs(file: VectorFile, format_name: str, samples: int) -> NDArray[np.uint32]:
    inputs = file.array(f"in_{format_name}_{samples}x")
    if inputs.dtype != np.uint32 or len(inputs) != samples or inputs.ndim not in (3, 4):
        raise InputFileError(f"{file.path}: in_{format_name}_{samples}x does not hold {samples} samples of 32 bits")
    return np.ascontiguousarray(inputs)


def _score(file: VectorFile, name: str, rules: Rules) -> ArrayScore:
    served = _RESOLVE.fullmatch(name)
    if served is None:
        return not_run(name, "no rule knows this array")
    if served["fetched"]:
        return _score_fetched(file, name, served["format"], int(served["samples"]), rules)
    format_name, samples, encodes = served["format"], int(served["samples"]), served["srgb"] is not None
    fmt = nvn_format(file, format_name)
    inputs = _inputs(file, format_name, samples)
    measured = texel_bytes(file, name, fmt)
    target = fmt if encodes or not fmt.srgb else format_named("RGBA8")
    with collect() as used, np.errstate(all="ignore"):
        stored = _stored_samples(file, fmt, inputs, rules)
        if samples == LOCATIONS:
            stored = stored[np.argsort(DRIVERS_16)]
        by_rule = resolved(target, stored, target, rules)
    return compare(name, unpack_codes(fmt, by_rule), unpack_codes(fmt, measured), used)


def _score_fetched(file: VectorFile, name: str, format_name: str, samples: int, rules: Rules) -> ArrayScore:
    """Score fetches: what a sample stores, decoded; of depth the red, which OpenGL repeats in green and blue."""
    fmt = nvn_format(file, format_name)
    measured = file.array(name)
    if measured.dtype != np.uint32 or measured.ndim != 4 or measured.shape[0] != samples or measured.shape[3] != 4:
        raise InputFileError(f"{file.path}: array {name!r} is {measured.dtype} of shape {measured.shape}")
    with collect() as used, np.errstate(all="ignore"):
        stored = _stored_samples(file, fmt, _inputs(file, format_name, samples), rules)
        values = decode(fmt, stored[:, : measured.shape[1]], rules)
    by_rule = np.ascontiguousarray(values).view(np.uint32)
    if by_rule.shape != measured.shape:
        raise InputFileError(
            f"{file.path}: array {name!r} has shape {measured.shape}, its inputs give {by_rule.shape}"
        )
    shown = slice(0, 1 if fmt.is_depth_stencil else 4)
    return compare(name, by_rule[..., shown], measured[..., shown], used)


def score_resolve(file: VectorFile, rules: Rules) -> Iterator[ArrayScore]:
    """Score ``resolve``; a case is a component of a texel."""
    for name in file.headers:
        if name.startswith("out_"):
            yield _score(file, name, rules)


SCHEMAS: tuple[Schema, ...] = (
    Schema(name="resolve", recognises=has_arrays("in_RGBA8_4x", "out_RGBA8_4x"), score=score_resolve),
    Schema(name="resolve probe", recognises=has_arrays("in_RGBA32F_16x", "out_RGBA32F_16x"), score=score_resolve),
)
