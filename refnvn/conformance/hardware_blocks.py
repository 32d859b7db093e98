"""How are the two measured families of block compression scored?

``bc`` holds blocks (``in_F``) and what their texels read as, float32 bits of as many channels as the format has
(``out_F``), besides all four channels of the first texel (``out_F_rest``). ``tx2_bcends`` holds the code of each
index for all pairs of 8-bit end points, as differences along both (``out_delta_F``), and how many results were no
such code or differed between two texels of one index (``out_inexact_F``): by the rules none.

Read next: ``schemas.py``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from refnvn.conformance.hardware_formats import IN, OUT, words
from refnvn.conformance.schema import Schema
from refnvn.conformance.score import ArrayScore, compare
from refnvn.conformance.signature import META, has_arrays
from refnvn.conformance.vector_file import VectorFile
from refnvn.errors import InputFileError
from refnvn.formats.blocks import decode_block_codes, decode_blocks_values
from refnvn.formats.table import Format, format_named
from refnvn.rules.fields import Rules
from refnvn.rules.registry import collect

REST = "_rest"
DELTA, INEXACT = "out_delta_", "out_inexact_"

_NVN_NAMES = {
    "BC1_RGB": "RGB_DXT1",
    "BC1_RGBA": "RGBA_DXT1",
    "BC1_SRGB": "RGB_DXT1_SRGB",
    "BC1_SRGBA": "RGBA_DXT1_SRGB",
    "BC2": "RGBA_DXT3",
    "BC2_SRGB": "RGBA_DXT3_SRGB",
    "BC3": "RGBA_DXT5",
    "BC3_SRGB": "RGBA_DXT5_SRGB",
    "BC4U": "RGTC1_UNORM",
    "BC4S": "RGTC1_SNORM",
    "BC5U": "RGTC2_UNORM",
    "BC5S": "RGTC2_SNORM",
    "BC6HU": "BPTC_UFLOAT",
    "BC6HS": "BPTC_SFLOAT",
    "BC7": "BPTC_UNORM",
    "BC7_SRGB": "BPTC_UNORM_SRGB",
}

_ENDS = {"BC4U": (np.uint16, 0), "BC4S": (np.int16, 0), "BC3": (np.uint8, 3)}
"""By format of ``tx2_bcends``: the dtype of its codes and their channel."""

_INDICES = 8
_INDEX_BITS = sum((texel % _INDICES) << 3 * texel for texel in range(16))
"""Sixteen 3-bit indices: 0 to 7, twice."""


def block_format(file: VectorFile, name: str) -> Format:
    """Return NVN's format for a name of the vectors: ``BC1_RGB``, ``BC4U``, ``BC7_SRGB``."""
    if name not in _NVN_NAMES:
        raise InputFileError(f"{file.path}: {name!r} is no block format of this family; {', '.join(_NVN_NAMES)} are")
    return format_named(_NVN_NAMES[name])


def _blocks(file: VectorFile, name: str, fmt: Format) -> NDArray[np.uint8]:
    blocks = file.array(IN + name)
    if blocks.dtype != np.uint8 or blocks.ndim != 2 or blocks.shape[1] != fmt.bytes_per_block or not len(blocks):
        raise InputFileError(
            f"{file.path}: array {IN + name!r} is {blocks.dtype} of shape {blocks.shape}, "
            f"not uint8 of shape (blocks, {fmt.bytes_per_block})"
        )
    return blocks


def _score_blocks(file: VectorFile, name: str, rules: Rules) -> ArrayScore:
    fmt = block_format(file, name)
    blocks = _blocks(file, name, fmt)
    measured = words(file, OUT + name)
    if measured.ndim != 4 or not 1 <= measured.shape[3] <= 4:
        raise InputFileError(
            f"{file.path}: array {OUT + name!r} has shape {measured.shape}, not (blocks, 4, 4, 1 to 4)"
        )
    with collect() as used:
        values = decode_blocks_values(fmt, blocks, rules).view(np.uint32)[..., : measured.shape[3]]
    if measured.shape != values.shape:
        raise InputFileError(f"{file.path}: array {OUT + name!r} has shape {measured.shape}, not {values.shape}")
    return compare(OUT + name, values, measured, used, floats=True)


def _score_rest(file: VectorFile, name: str, rules: Rules) -> ArrayScore:
    fmt = block_format(file, name)
    first = _blocks(file, name, fmt)[0]
    with collect() as used:
        values = decode_blocks_values(fmt, first, rules).view(np.uint32)[0, 0]
    return compare(OUT + name + REST, values, words(file, OUT + name + REST, (4,)), used, floats=True)


def score_bc(file: VectorFile, rules: Rules) -> Iterator[ArrayScore]:
    """Score ``bc``."""
    for array in file.headers:
        name = array.removeprefix(OUT)
        if array.startswith(OUT) and array.endswith(REST):
            yield _score_rest(file, name.removesuffix(REST), rules)
        elif array.startswith(OUT):
            yield _score_blocks(file, name, rules)


def _all_ends(fmt: Format) -> NDArray[np.uint8]:
    """Return a block for each pair of end points, by second and first, with every index among its first texels."""
    blocks = np.zeros((256, 256, fmt.bytes_per_block), dtype=np.uint8)
    blocks[..., 0] = np.arange(256)[np.newaxis, :]
    blocks[..., 1] = np.arange(256)[:, np.newaxis]
    blocks[..., 2:8] = np.frombuffer(_INDEX_BITS.to_bytes(6, "little"), np.uint8)
    return blocks


def _score_ends(file: VectorFile, name: str, rules: Rules) -> ArrayScore:
    if name not in _ENDS:
        raise InputFileError(f"{file.path}: {DELTA + name!r} is of no known format; {', '.join(_ENDS)} are known")
    dtype, channel = _ENDS[name]
    deltas = file.array(DELTA + name)
    if deltas.dtype != dtype or deltas.shape != (_INDICES, 256, 256):
        raise InputFileError(
            f"{file.path}: array {DELTA + name!r} is {deltas.dtype} of shape {deltas.shape}, "
            f"not {np.dtype(dtype)} of shape ({_INDICES}, 256, 256)"
        )
    measured: NDArray[Any] = deltas.cumsum(axis=1, dtype=dtype).cumsum(axis=2, dtype=dtype)
    fmt = block_format(file, name)
    with collect() as used:
        codes = decode_block_codes(fmt, _all_ends(fmt), rules)[..., channel]
    by_index = codes.reshape(256, 256, 16)[..., :_INDICES]
    return compare(DELTA + name, np.moveaxis(by_index, -1, 0), measured, used)


def _score_inexact(file: VectorFile, name: str) -> ArrayScore:
    counts = file.array(INEXACT + name)
    if counts.dtype != np.int64 or counts.shape != (2,):
        raise InputFileError(f"{file.path}: array {INEXACT + name!r} is not two int64")
    return compare(INEXACT + name, np.zeros(2, np.int64), counts, set())


def score_ends(file: VectorFile, rules: Rules) -> Iterator[ArrayScore]:
    """Score ``tx2_bcends``."""
    for array in file.headers:
        if array.startswith(DELTA):
            yield _score_ends(file, array.removeprefix(DELTA), rules)
        elif array.startswith(INEXACT):
            yield _score_inexact(file, array.removeprefix(INEXACT))


def _holds_blocks(file: VectorFile) -> bool:
    """Whether every result is of a block format."""
    names = {n.removeprefix(OUT).removesuffix(REST) for n in file.headers if n.startswith(OUT)}
    return META in file.headers and bool(names) and names <= set(_NVN_NAMES)


SCHEMAS: tuple[Schema, ...] = (
    Schema(name="bc", recognises=_holds_blocks, score=score_bc),
    Schema(name="tx2_bcends", recognises=has_arrays(f"{DELTA}*", f"{INEXACT}*"), score=score_ends),
)
