"""What does the header of a KTX2 say, and is it true?

::

    0    identifier, Vulkan format, type size, width, height, depth, layers, faces, levels, supercompression
    48   index: where the data format descriptor, the key-value data and the global data are
    80   level index: offset, length and uncompressed length of each level, level 0 first
    ...  data format descriptor, key-value data, levels (smallest first)

Every offset and length is checked against the file and against each other before a byte of texels is copied.
Supercompressed files are refused. It does not read texels. Read next: ``ktx2.py``.
"""

from __future__ import annotations

import re
import struct
from dataclasses import dataclass

from refnvn.containers.data_format import check_descriptor
from refnvn.containers.equivalents import Equivalent, by_vulkan_code
from refnvn.containers.source import lies_of, require
from refnvn.containers.surface import CUBE_FACES, MAX_LEVELS, Kind, Shape
from refnvn.errors import InputFileError

IDENTIFIER = b"\xabKTX 20\xbb\r\n\x1a\n"
HEADER = struct.Struct("<12s9I4I2Q")
LEVEL = struct.Struct("<3Q")
MAX_KEY_VALUES_B = 1 << 20
SCHEMES = {1: "BasisLZ", 2: "Zstandard", 3: "ZLIB"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Ktx2Header:
    """What a KTX2 says before its texels.

    Attributes
    ----------
    shape : Shape
        The texture.
    says : str
        Vulkan's name of the format without ``VK_FORMAT_``.
    key_values : dict of str to bytes
        As the file has them; text ends with a zero byte.
    level_offsets_B : tuple of int
        Where each level begins, level 0 first; all layers of a level lie together.
    """

    shape: Shape
    says: str
    key_values: dict[str, bytes]
    level_offsets_B: tuple[int, ...]


def type_size_B(row: Equivalent) -> int:
    """Return the bytes of the words that a machine of the other byte order would swap.

    Examples
    --------
    >>> from refnvn.containers.equivalents import equivalents
    >>> [type_size_B(equivalents()[name]) for name in ("RGBA_DXT1", "RGBA16F", "BGR565", "DEPTH32F_STENCIL8")]
    [1, 2, 2, 4]
    """
    name = row.vulkan_name
    if name.endswith("_BLOCK"):
        return 1
    packed = re.search(r"_PACK(\d+)$", name)
    # Otherwise the word is a component, and all of them are as large as the first; beside D32, S8 fills a word.
    word = packed or re.match(r"[RBDS](\d+)", name)
    assert word is not None
    return int(word[1]) // 8


def read_ktx2_header(data: bytes, name: str) -> Ktx2Header:
    """Read and check everything of a KTX2 but its texels.

    Parameters
    ----------
    data : bytes
        The whole file.
    name : str
        What to call it in an error.

    Raises
    ------
    InputFileError
        Cut short, contradictory, supercompressed, or of a format that NVN does not have.
    """
    require(name, "size", f"{len(data)} bytes", allowed=f"{HEADER.size} or more", fine=len(data) >= HEADER.size)
    identifier, code, type_size, *size, scheme, dfd_at, dfd_B, kvd_at, kvd_B, sgd_at, sgd_B = HEADER.unpack_from(data)
    require(name, "identifier", identifier, allowed=str(IDENTIFIER), fine=identifier == IDENTIFIER)
    scheme_says = f"{scheme} ({SCHEMES.get(scheme, 'unknown')})"
    require(name, "supercompression", scheme_says, allowed="0, no supercompression", fine=scheme == 0)
    require(name, "global data", (sgd_at, sgd_B), allowed="none", fine=(sgd_at, sgd_B) == (0, 0))
    row = by_vulkan_code().get(code)
    if row is None:
        raise InputFileError(f"{name}: Vulkan format is {code}; allowed: one whose bits are an NVN format's")
    expected_B = type_size_B(row)
    require(name, "type size", type_size, allowed=f"{expected_B} for {row.vulkan_name}", fine=type_size == expected_B)
    shape = _shape(name, row, *size)
    levels = _levels(data, name, shape)
    _check_regions(len(data), name, [("DFD", dfd_at, dfd_B), ("key-value data", kvd_at, kvd_B), *levels])
    check_descriptor(data[dfd_at : dfd_at + dfd_B], row, name)
    most_B = MAX_KEY_VALUES_B
    require(name, "key-value data length", kvd_B, allowed=f"at most {most_B}", fine=kvd_B <= most_B)
    key_values = parse_key_values(data[kvd_at : kvd_at + kvd_B], name)
    _check_orientation(key_values, name)
    return Ktx2Header(
        shape=shape,
        says=row.vulkan_name,
        key_values=key_values,
        level_offsets_B=tuple(offset_B for _, offset_B, _ in levels),
    )


def _shape(
    name: str, row: Equivalent, width_px: int, height_px: int, depth: int, layers: int, faces: int, levels: int
) -> Shape:
    """Return the shape; in KTX2 a size of 0 says that there is no such direction, or no array."""
    require(name, "face count", faces, allowed="1 or 6", fine=faces in (1, CUBE_FACES))
    require(name, "level count", levels, allowed=f"0 to {MAX_LEVELS}", fine=levels <= MAX_LEVELS)
    is_flat = depth == 0 or (height_px > 0 and layers == 0 and faces == 1)
    require(name, "pixel depth", depth, allowed="0, or more for a texture with height, no layers and one face",
            fine=is_flat)  # fmt: skip
    is_cube = faces == CUBE_FACES
    kind = Kind.CUBE if is_cube else Kind.THREE_D if depth else Kind.TWO_D if height_px else Kind.ONE_D
    with lies_of(name):
        return Shape(
            format=row.nvn,
            block=row.block,
            kind=kind,
            is_array=layers > 0,
            width_px=width_px,
            height_px=1 if kind is Kind.ONE_D else height_px,
            depth=max(1, depth),
            layers=max(1, layers) * faces,
            levels=max(1, levels),
        )


def _levels(data: bytes, name: str, shape: Shape) -> list[tuple[str, int, int]]:
    """Return name, offset and length of each level; the lengths are known to be right."""
    index_end_B = HEADER.size + shape.levels * LEVEL.size
    require(name, "size", f"{len(data)} bytes", allowed=f"{index_end_B} or more for {shape.levels} levels",
            fine=len(data) >= index_end_B)  # fmt: skip
    levels = []
    for level in range(shape.levels):
        offset_B, length_B, uncompressed_B = LEVEL.unpack_from(data, HEADER.size + level * LEVEL.size)
        expected_B = shape.layers * shape.part_size_B(level)
        for field, actual_B in (("length", length_B), ("uncompressed length", uncompressed_B)):
            require(name, f"{field} of level {level}", actual_B, allowed=str(expected_B), fine=actual_B == expected_B)
        levels.append((f"level {level}", offset_B, length_B))
    return levels


def _check_regions(size_B: int, name: str, regions: list[tuple[str, int, int]]) -> None:
    """Raise unless all regions lie between the level index and the end, apart, and reach the end."""
    levels = len(regions) - 2
    end_B, before = HEADER.size + levels * LEVEL.size, "the level index"
    for region, offset_B, length_B in sorted(regions, key=lambda region: region[1]):
        if length_B == 0:
            continue
        require(name, f"offset of {region}", offset_B, allowed=f"{end_B} or more, where {before} ends",
                fine=offset_B >= end_B)  # fmt: skip
        require(name, f"length of {region}", length_B, allowed=f"at most {max(0, size_B - offset_B)}, to the end",
                fine=length_B <= size_B - offset_B)  # fmt: skip
        end_B, before = offset_B + length_B, region
    require(name, "trailing bytes", f"{size_B - end_B} after {before}", allowed="none", fine=size_B == end_B)


def parse_key_values(data: bytes, name: str) -> dict[str, bytes]:
    """Return the key-value data of a file by key.

    Raises
    ------
    InputFileError
        An entry is cut short, has no key, or repeats one.
    """
    found: dict[str, bytes] = {}
    offset_B = 0
    while offset_B < len(data):
        left_B = len(data) - offset_B - 4
        length_B = int.from_bytes(data[offset_B : offset_B + 4], "little")
        require(name, f"length of key-value entry {len(found)}", length_B, allowed=f"2 to {max(0, left_B)}",
                fine=2 <= length_B <= left_B)  # fmt: skip
        key, zero, value = data[offset_B + 4 : offset_B + 4 + length_B].partition(b"\0")
        text = key.decode("utf-8", "backslashreplace")
        fine = bool(key and zero) and text.encode() == key and text not in found
        require(name, f"key of entry {len(found)}", repr(text), allowed="new UTF-8 text that ends with a zero byte",
                fine=fine)  # fmt: skip
        found[text] = value
        offset_B += 4 + (length_B + 3) // 4 * 4
    return found


def _check_orientation(key_values: dict[str, bytes], name: str) -> None:
    """Raise where a file says that its rows or slices run the other way."""
    orientation = key_values.get("KTXorientation", b"rdi\0").rstrip(b"\0")
    require(name, "KTXorientation", orientation, allowed="r, rd or rdi", fine=orientation in (b"r", b"rd", b"rdi"))
