"""How is a texture written as a DDS, and how is one read?

Written always with the DX10 header; read with either. After the header come the layers one after another (the faces
of a cube in the order +X, -X, +Y, -Y, +Z, -Z), each with all its levels, largest first, rows without padding::

    layer 0: level 0 | level 1 | ...    layer 1: level 0 | ...

It does not convert: a format without an equivalent of the same bits is refused (``equivalents.py``). A DDS whose
payload is block-linear is read with :func:`refnvn.containers.dds_header.read_dds_header`.
"""

from __future__ import annotations

from pathlib import Path

from refnvn.containers.dds_header import (
    CAPS2_ALL_FACES,
    CAPS2_CUBE,
    CAPS2_VOLUME,
    DIMENSIONS,
    FLAG_DEPTH,
    HEADER,
    HEADER_B,
    HEADER_DX10,
    MAGIC,
    MISC_CUBE,
    PIXEL_FORMAT_B,
    DdsHeader,
    read_dds_header,
)
from refnvn.containers.dds_legacy import HAS_FOUR_CC
from refnvn.containers.equivalents import equivalent_for
from refnvn.containers.source import Source, lies_of, load
from refnvn.containers.surface import CUBE_FACES, DEFAULT_LIMIT_B, Kind, Shape, Surfaces
from refnvn.errors import InputFileError
from refnvn.files import write_file

__all__ = ["DdsHeader", "dds_bytes", "read_dds", "read_dds_header", "write_dds"]

FLAGS_ALWAYS = 0x1 | 0x2 | 0x4 | 0x1000
"""Capabilities, height, width and pixel format are there."""
FLAG_PITCH = 0x8
FLAG_LEVELS = 0x20000
FLAG_LINEAR_SIZE = 0x80000
CAPS_COMPLEX = 0x8
CAPS_TEXTURE = 0x1000
CAPS_LEVELS = 0x400000


def dds_bytes(surfaces: Surfaces) -> bytes:
    """Return a texture as a DDS file.

    Parameters
    ----------
    surfaces : Surfaces
        Any kind. An array of one layer becomes a file that reads as no array: DDS cannot tell them apart.

    Returns
    -------
    bytes
        148 bytes of header and the texels, the same on every machine.

    Raises
    ------
    UnsupportedFormat
        DXGI has no format of the same bits.
    """
    payload = (part for levels in surfaces.parts for part in levels)
    return b"".join((_header(surfaces), _header_dx10(surfaces), *payload))


def write_dds(path: Path | str, surfaces: Surfaces) -> None:
    """Write a texture as a DDS file in one step; see :func:`dds_bytes`."""
    write_file(path, dds_bytes(surfaces))


def _header(shape: Shape) -> bytes:
    """Return the magic, the header and a pixel format that points to the DX10 header."""
    is_compressed = (shape.block.block_width_px, shape.block.block_height_px) != (1, 1)
    is_volume = shape.kind is Kind.THREE_D
    slice_B = shape.part_size_B(0) // shape.depth
    flags = FLAGS_ALWAYS | (FLAG_LINEAR_SIZE if is_compressed else FLAG_PITCH)
    caps, caps2 = CAPS_TEXTURE, 0
    if shape.levels > 1:
        flags |= FLAG_LEVELS
        caps |= CAPS_LEVELS | CAPS_COMPLEX
    if is_volume:
        flags |= FLAG_DEPTH
        caps2 |= CAPS2_VOLUME
    if shape.kind is Kind.CUBE:
        caps2 |= CAPS2_CUBE | CAPS2_ALL_FACES
    if is_volume or shape.layers > 1:
        caps |= CAPS_COMPLEX
    pitch_B = slice_B if is_compressed else slice_B // shape.height_px
    return HEADER.pack(
        MAGIC, HEADER_B, flags, shape.height_px, shape.width_px, pitch_B, shape.depth, shape.levels,
        PIXEL_FORMAT_B, HAS_FOUR_CC, b"DX10", 0, 0, 0, 0, 0, caps, caps2, 0, 0,
    )  # fmt: skip


def _header_dx10(shape: Shape) -> bytes:
    """Return the DX10 header; a cube is a 2D texture whose array size counts cubes."""
    is_cube = shape.kind is Kind.CUBE
    dimension = next(code for code, kind in DIMENSIONS.items() if kind is (Kind.TWO_D if is_cube else shape.kind))
    code = equivalent_for(shape, "DDS").dxgi_code
    array_size = shape.layers // (CUBE_FACES if is_cube else 1)
    return HEADER_DX10.pack(code, dimension, MISC_CUBE if is_cube else 0, array_size, 0)


def _parts(data: bytes, shape: Shape, offset_B: int) -> tuple[tuple[bytes, ...], ...]:
    """Cut the texels, whose length is known to be right, into layers and levels."""
    layers = []
    for _ in range(shape.layers):
        levels = []
        for level in range(shape.levels):
            end_B = offset_B + shape.part_size_B(level)
            levels.append(data[offset_B:end_B])
            offset_B = end_B
        layers.append(tuple(levels))
    return tuple(layers)


def read_dds(source: Source, *, limit_B: int = DEFAULT_LIMIT_B, typeless: str | None = None) -> Surfaces:
    """Read a texture from a DDS file whose texels are linear.

    Parameters
    ----------
    source : Path, str or bytes
        A file, or its bytes.
    limit_B : int
        More texel bytes are refused before anything is allocated.
    typeless : str or None
        NVN's format to take where the header names a DXGI format that does not say what its bits mean.

    Returns
    -------
    Surfaces
        BC1 is RGBA_DXT1: DDS does not say whether its alpha counts.

    Raises
    ------
    InputFileError
        The header lies, the data is short or long, or NVN has no such format.
    """
    data, name = load(source, limit_B)
    header, offset_B = read_dds_header(data, name, typeless=typeless)
    with lies_of(name):
        header.shape.require_at_most(limit_B)
    expected_B, actual_B = header.shape.total_B, len(data) - offset_B
    if actual_B < expected_B:
        raise InputFileError(f"{name}: {actual_B} bytes of texels; allowed: the {expected_B} its header asks for")
    if actual_B > expected_B:
        extra_B = actual_B - expected_B
        raise InputFileError(f"{name}: {extra_B} trailing bytes after the {expected_B} of its texels; allowed: none")
    return Surfaces.of(header.shape, _parts(data, header.shape, offset_B))
