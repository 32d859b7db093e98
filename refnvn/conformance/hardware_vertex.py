"""How are the measured families ``vfetch`` and ``vfetch_robust`` scored: what vertex shaders read of streams?

``vfetch``: 1024 elements of each type (``in_TYPE``, at the stream's stride) and the words of four components
(``out_TYPE``); instances under four divisors; indices with a base vertex. ``vfetch_robust``: 20 elements and some
bytes more, of which 64 are read. Types carry OpenGL's names; those that NVN has no format for are information.

``out_tfb_*`` hold the order in which vertices were captured. Reads past a storage buffer wait for storage buffers.
Read next: ``schemas.py``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from refnvn.commands.state import VertexStreamState
from refnvn.conformance.hardware_draws import array_of
from refnvn.conformance.schema import Schema
from refnvn.conformance.score import ArrayScore, compare, information, not_run
from refnvn.conformance.signature import has_arrays
from refnvn.conformance.vector_file import VectorFile
from refnvn.enumerations import DrawPrimitive, IndexType
from refnvn.errors import InputFileError
from refnvn.formats.table import format_named
from refnvn.replay.assemble import primitives_of
from refnvn.replay.feedback import captured_order
from refnvn.replay.indices import vertex_numbers
from refnvn.replay.vertex import attribute_words, element_bytes, elements_of
from refnvn.rules.fields import Rules
from refnvn.rules.registry import collect

_PLAIN_TYPE = re.compile(r"(?P<sign>UNSIGNED_)?(?P<kind>BYTE|SHORT|INT)_(?P<count>[1-4])(?P<conversion>|_int|_norm)")
_BITS = {"BYTE": 8, "SHORT": 16, "INT": 32}
_SUFFIXES = {"": ("_I2F", "_UI2F"), "_int": ("I", "UI"), "_norm": ("SN", "")}
_FORMATS = {
    "HALF_FLOAT_4": "RGBA16F",
    "HALF_FLOAT_2": "RG16F",
    "FLOAT_4": "RGBA32F",
    "FLOAT_3": "RGB32F",
    "FLOAT_1": "R32F",
    "INT_2_10_10_10_REV_4": "RGB10A2_I2F",
    "INT_2_10_10_10_REV_4_norm": "RGB10A2SN",
    "UNSIGNED_INT_2_10_10_10_REV_4": "RGB10A2_UI2F",
    "UNSIGNED_INT_2_10_10_10_REV_4_norm": "RGB10A2",
    "UNSIGNED_BYTE_BGRA_norm": "BGRA8",
    "UNSIGNED_INT_10F_11F_11F_REV_3": "R11G11B10F",
}
_ROBUST = {
    "FLOAT4": "FLOAT_4",
    "FLOAT3": "FLOAT_3",
    "FLOAT1": "FLOAT_1",
    "UNSIGNED_BYTE4": "UNSIGNED_BYTE_4_norm",
    "SHORT2": "SHORT_2_norm",
    "UNSIGNED_INT4": "UNSIGNED_INT_4_int",
}
_DIVISORS, _VERTICES, _FIRST, _INSTANCES, _BASE_INSTANCE = range(4), 3, 2, 8, 5
_CAPTURED = re.compile(r"out_tfb_(?P<mode>[A-Z_]+)_(?P<provoking>first|last)")
_CAPTURED_VERTICES = {
    "TRIANGLE_STRIP": 6, "TRIANGLE_FAN": 6, "TRIANGLES": 7, "LINE_LOOP": 4, "LINE_STRIP": 4, "QUADS": 8, "POLYGON": 6,
    "QUAD_STRIP": 8,
}  # fmt: skip
_NOT_WRITTEN = 0xDEAD
_INDICES, _BASE_VERTEX = (0, 3, 1, 7, 2), 10


def nvn_vertex_format(name: str) -> str | None:
    """Return NVN's format for one of OpenGL's types, component counts and conversions; None where it has none.

    >>> nvn_vertex_format("UNSIGNED_SHORT_3_norm"), nvn_vertex_format("INT_4_norm")
    ('RGB16', None)
    """
    if name in _FORMATS:
        return _FORMATS[name]
    found = _PLAIN_TYPE.fullmatch(name)
    if found is None or (found["kind"] == "INT" and found["conversion"] == "_norm"):
        return None
    signed, unsigned = _SUFFIXES[found["conversion"]]
    suffix = unsigned if found["sign"] else signed
    return f"{'RGBA'[: int(found['count'])]}{_BITS[found['kind']]}{suffix}"


def _elements(
    file: VectorFile, name: str, gl_type: str, stream: NDArray[np.uint8], stride_B: int | None, rules: Rules
) -> ArrayScore:
    """Score the words of all elements that were read of a stream."""
    measured = array_of(file, name, (None, 4), "u")
    nvn_name = nvn_vertex_format(gl_type)
    if nvn_name is None:
        return information(name, "NVN has no vertex format of this kind")
    fmt = format_named(nvn_name)
    starts_B = np.arange(len(measured)) * (stride_B or fmt.bytes_per_block)
    with collect() as used:
        data = element_bytes(stream, starts_B, fmt.bytes_per_block, rules)
        words = attribute_words(fmt, data, rules).T
    return compare(name, words, measured, used)


def _instances(file: VectorFile, name: str, rules: Rules) -> ArrayScore:
    """Score which element each vertex of eight instances read."""
    del rules
    measured = array_of(file, name, (_INSTANCES * _VERTICES, 4), "u")
    stream = VertexStreamState(stride_B=16, divisor=_number(file, name, "out_divisor"))
    vertices = _FIRST + np.arange(_VERTICES)
    with collect() as used:
        rows = [elements_of(stream, vertices, instance, _BASE_INSTANCE) for instance in range(_INSTANCES)]
    return compare(name, np.concatenate(rows).astype(np.uint32), measured[:, 0], used)


def _number(file: VectorFile, name: str, prefix: str) -> int:
    text = name.removeprefix(prefix)
    if text not in map(str, _DIVISORS):
        raise InputFileError(f"{file.path}: array {name!r} names divisor {text!r}, not 0 to 3")
    return int(text)


def _base_vertex(file: VectorFile, name: str) -> ArrayScore:
    """Score the element and the vertex number that five indices gave in two instances."""
    measured = array_of(file, name, (2 * len(_INDICES), 4), "u")
    with collect() as used:
        numbers = vertex_numbers(np.array(_INDICES, "<u2").view(np.uint8), IndexType.SHORT, _BASE_VERTEX)
    words = np.tile(numbers.astype(np.uint32), 2)
    return compare(name, np.stack([words, words], axis=1), measured[:, :2], used)


def _captured(file: VectorFile, name: str) -> ArrayScore:
    """Score the order in which the vertices of a primitive are captured; what is behind them was not written."""
    found = _CAPTURED.fullmatch(name)
    if found is None or found["mode"] not in _CAPTURED_VERTICES:
        return not_run(name, "no rule knows this array")
    measured = array_of(file, name, (24,), "u").astype(np.uint32)
    first = found["provoking"] == "first"
    with collect() as used:
        drawn = primitives_of(DrawPrimitive[found["mode"]], _CAPTURED_VERTICES[found["mode"]], first)
        order = captured_order(drawn, first_provokes=first).reshape(-1)
    expected = np.full(len(measured), _NOT_WRITTEN, np.uint32)
    expected[: len(order)] = order
    return compare(name, expected, measured, used)


def _indices_inside(file: VectorFile, name: str) -> ArrayScore:
    """Score the vertices of the indices that there are; NVN's index buffers have no size to read past."""
    indices = array_of(file, "in_index", (None,), "u").astype("<u4")
    measured = array_of(file, name, (None, 4), "u")[: len(indices), :2]
    with collect() as used:
        numbers = vertex_numbers(indices.view(np.uint8), IndexType.INT, 0).astype(np.uint32)
    return compare(name, np.stack([numbers, numbers], axis=1), measured, used)


def score_vfetch(file: VectorFile, rules: Rules) -> Iterator[ArrayScore]:
    """Score ``vfetch``."""
    for name in (one for one in file.headers if one.startswith("out_")):
        plain = name.removeprefix("out_")
        if plain.startswith("divisor"):
            yield _instances(file, name, rules)
        elif plain == "basevertex":
            yield _base_vertex(file, name)
        elif plain.startswith("tfb_"):
            yield _captured(file, name)
        else:
            data = array_of(file, f"in_{plain}", (None, None), "u")
            yield _elements(file, name, plain, data.reshape(-1), data.shape[1], rules)


def score_vfetch_robust(file: VectorFile, rules: Rules) -> Iterator[ArrayScore]:
    """Score ``vfetch_robust``."""
    for name in (one for one in file.headers if one.startswith("out_")):
        kind = name.removeprefix("out_").partition("_cut")[0]
        if kind in _ROBUST:
            data = array_of(file, f"in_{name.removeprefix('out_')}", (None,), "u")
            yield _elements(file, name, _ROBUST[kind], data, None, rules)
        elif kind == "index_overrun":
            yield _indices_inside(file, name)
        else:
            yield not_run(name, "waits for storage buffers")


SCHEMAS: tuple[Schema, ...] = (
    Schema(name="vfetch", recognises=has_arrays("out_divisor0", "out_basevertex"), score=score_vfetch),
    Schema(name="vfetch_robust", recognises=has_arrays("out_index_overrun"), score=score_vfetch_robust),
)
