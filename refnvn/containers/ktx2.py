"""How is a texture written as a KTX2, and how is one read?

After the header (``ktx2_header.py``) come the levels, the smallest first, each at a multiple of its blocks and of
four bytes; inside a level come the layers, inside a layer the faces, inside a face the slices, rows without
padding::

    level n: layer 0 (face 0, face 1, ...) | layer 1 | ...    level n - 1: ...    level 0: ...

It does not compress, and does not convert: a format without an equivalent of the same bits is refused
(``equivalents.py``).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path

from refnvn.containers.data_format import descriptor_bytes
from refnvn.containers.equivalents import equivalent_for
from refnvn.containers.ktx2_header import (
    HEADER,
    IDENTIFIER,
    LEVEL,
    MAX_KEY_VALUES_B,
    Ktx2Header,
    read_ktx2_header,
    type_size_B,
)
from refnvn.containers.source import Source, lies_of, load
from refnvn.containers.surface import CUBE_FACES, DEFAULT_LIMIT_B, Kind, Shape, Surfaces
from refnvn.errors import FieldRangeError
from refnvn.files import write_file

__all__ = ["Ktx2Header", "ktx2_bytes", "read_ktx2", "read_ktx2_header", "write_ktx2"]

WRITER = "refnvn"


def ktx2_bytes(surfaces: Surfaces, key_values: Mapping[str, str] | None = None) -> bytes:
    """Return a texture as a KTX2 file.

    Parameters
    ----------
    surfaces : Surfaces
        Any kind.
    key_values : mapping of str to str, optional
        More text for the file, such as where the texels come from; ``KTXwriter`` is there always.

    Returns
    -------
    bytes
        The same on every machine.

    Raises
    ------
    UnsupportedFormat
        Vulkan has no format of the same bits that KTX2 allows.
    FieldRangeError
        A key is empty or holds a zero, or there is too much text.
    """
    row = equivalent_for(surfaces, "KTX2")
    descriptor = descriptor_bytes(row)
    text = _key_value_bytes({**(key_values or {}), "KTXwriter": WRITER})
    descriptor_at_B = HEADER.size + surfaces.levels * LEVEL.size
    text_at_B = descriptor_at_B + len(descriptor)
    offsets_B = _level_offsets_B(surfaces, text_at_B + len(text))
    header = HEADER.pack(
        IDENTIFIER, row.vulkan_code, type_size_B(row), *_sizes(surfaces), 0,
        descriptor_at_B, len(descriptor), text_at_B, len(text), 0, 0,
    )  # fmt: skip
    index = b""
    for level, offset_B in enumerate(offsets_B):
        length_B = surfaces.layers * surfaces.part_size_B(level)
        index += LEVEL.pack(offset_B, length_B, length_B)
    return _with_levels(header + index + descriptor + text, surfaces, offsets_B)


def write_ktx2(path: Path | str, surfaces: Surfaces, key_values: Mapping[str, str] | None = None) -> None:
    """Write a texture as a KTX2 file in one step; see :func:`ktx2_bytes`."""
    write_file(path, ktx2_bytes(surfaces, key_values))


def _sizes(shape: Shape) -> tuple[int, int, int, int, int, int]:
    """Return width, height, depth, layers, faces and levels as KTX2 counts them: 0 for what is not there."""
    faces = CUBE_FACES if shape.kind is Kind.CUBE else 1
    return (
        shape.width_px,
        0 if shape.kind is Kind.ONE_D else shape.height_px,
        shape.depth if shape.kind is Kind.THREE_D else 0,
        shape.layers // faces if shape.is_array else 0,
        faces,
        shape.levels,
    )


def _key_value_bytes(key_values: Mapping[str, str]) -> bytes:
    """Return key-value data: sorted by key, each entry padded to four bytes."""
    data = b""
    for key, value in sorted(key_values.items()):
        if not key or "\0" in key + value:
            raise FieldRangeError(f"key {key!r} has value {value!r}; allowed: text without zeros, and a key")
        entry = key.encode() + b"\0" + value.encode() + b"\0"
        data += len(entry).to_bytes(4, "little") + entry + bytes(-len(entry) % 4)
    if len(data) > MAX_KEY_VALUES_B:
        raise FieldRangeError(f"key-value data takes {len(data)} bytes; allowed: at most {MAX_KEY_VALUES_B}")
    return data


def _level_offsets_B(shape: Shape, end_B: int) -> list[int]:
    """Return where each level goes, level 0 first; the smallest level is the first in the file."""
    alignment_B = math.lcm(shape.block.bytes_per_block, 4)
    offsets_B = [0] * shape.levels
    for level in reversed(range(shape.levels)):
        offsets_B[level] = end_B + -end_B % alignment_B
        end_B = offsets_B[level] + shape.layers * shape.part_size_B(level)
    return offsets_B


def _with_levels(head: bytes, surfaces: Surfaces, offsets_B: list[int]) -> bytes:
    """Return the file: everything before the levels, then each level at its place."""
    pieces, end_B = [head], len(head)
    for level in reversed(range(surfaces.levels)):
        pieces.append(bytes(offsets_B[level] - end_B))
        pieces.extend(levels[level] for levels in surfaces.parts)
        end_B = offsets_B[level] + surfaces.layers * surfaces.part_size_B(level)
    return b"".join(pieces)


def read_ktx2(source: Source, *, limit_B: int = DEFAULT_LIMIT_B) -> Surfaces:
    """Read a texture from a KTX2 file that is not supercompressed.

    Parameters
    ----------
    source : Path, str or bytes
        A file, or its bytes.
    limit_B : int
        More texel bytes are refused before anything is allocated.

    Raises
    ------
    InputFileError
        The header or an index lies, or NVN has no such format.
    """
    data, name = load(source, limit_B)
    header = read_ktx2_header(data, name)
    with lies_of(name):
        header.shape.require_at_most(limit_B)
    sizes_B = [header.shape.part_size_B(level) for level in range(header.shape.levels)]
    parts = tuple(
        tuple(
            data[offset_B + layer * size_B : offset_B + (layer + 1) * size_B]
            for offset_B, size_B in zip(header.level_offsets_B, sizes_B, strict=True)
        )
        for layer in range(header.shape.layers)
    )
    return Surfaces.of(header.shape, parts)
