"""KTX2, checked against a file spelled out from the specification."""

from __future__ import annotations

import math
import struct
from pathlib import Path

import pytest

from refnvn.containers.data_format import descriptor_bytes
from refnvn.containers.equivalents import equivalents
from refnvn.containers.ktx2 import ktx2_bytes, read_ktx2, read_ktx2_header, write_ktx2
from refnvn.containers.surface import BlockSize, Kind, Surfaces
from refnvn.errors import FieldRangeError, InputFileError, UnsupportedFormat

WRITER_ENTRY = struct.pack("<I", 17) + b"KTXwriter\0refnvn\0" + bytes(3)

# NVN BGR565 has B lowest: Vulkan's R5G6B5_UNORM_PACK16. 2x1 with two levels.
SURFACES = Surfaces(
    format="BGR565",
    block=BlockSize(2),
    width_px=2,
    height_px=1,
    levels=2,
    parts=((b"\x1f\x00\x00\xf8", b"\xe0\x07"),),
)

FILE = (
    b"\xabKTX 20\xbb\r\n\x1a\n"
    + struct.pack("<9I", 4, 2, 2, 1, 0, 0, 1, 2, 0)
    # vkFormat, typeSize, width, height, depth, layers, faces, levels, supercompression
    + struct.pack("<4I2Q", 128, 76, 204, 24, 0, 0)  # descriptor, key-value data, no global data
    + struct.pack("<3Q", 232, 4, 4)  # level 0, last in the file
    + struct.pack("<3Q", 228, 2, 2)  # level 1
    # The descriptor: 76 bytes in all, one block of 24 + 3 * 16.
    + struct.pack("<I", 76)
    + struct.pack("<2I", 0, 2 | 72 << 16)  # vendor and type; version 2, size of the block
    + struct.pack("<4B", 1, 1, 1, 0)  # RGBSDA, BT.709, linear, alpha is straight
    + bytes(4)  # blocks of one texel
    + struct.pack("<2I", 2, 0)  # two bytes of plane 0
    + struct.pack("<HBB3I", 0, 4, 2, 0, 0, 31)  # B: bit 0, 5 bits
    + struct.pack("<HBB3I", 5, 5, 1, 0, 0, 63)  # G: bit 5, 6 bits
    + struct.pack("<HBB3I", 11, 4, 0, 0, 0, 31)  # R: bit 11, 5 bits
    + WRITER_ENTRY
    + b"\xe0\x07" + bytes(2)  # level 1, then padding to four bytes
    + b"\x1f\x00\x00\xf8"  # level 0
)  # fmt: skip


def with_bytes(data: bytes, offset_B: int, new: bytes) -> bytes:
    return data[:offset_B] + new + data[offset_B + len(new) :]


def with_word(offset_B: int, word: int) -> bytes:
    return with_bytes(FILE, offset_B, struct.pack("<I", word))


def with_long(offset_B: int, word: int) -> bytes:
    return with_bytes(FILE, offset_B, struct.pack("<Q", word))


def test_565_file_has_the_bytes_of_the_specification() -> None:
    """A 2x1 picture with two levels is this file, byte by byte."""
    assert ktx2_bytes(SURFACES) == FILE
    assert read_ktx2(FILE) == SURFACES


def test_bc3_descriptor_has_the_bytes_of_the_specification() -> None:
    """BC3's descriptor has an alpha sample, linear though the colour is sRGB, and a colour sample."""
    expected = (
        struct.pack("<2I2H4B4B4B4B", 60, 0, 2, 56, 130, 1, 2, 0, 3, 3, 0, 0, 16, 0, 0, 0, 0, 0, 0, 0)
        + struct.pack("<HBB3I", 0, 63, 15 | 0x10, 0, 0, 0xFFFFFFFF)
        + struct.pack("<HBB3I", 64, 63, 0, 0, 0, 0xFFFFFFFF)
    )
    assert descriptor_bytes(equivalents()["RGBA_DXT5_SRGB"]) == expected


@pytest.mark.parametrize(
    ("name", "block", "alignment_B"),
    [
        pytest.param("R8", BlockSize(1), 4, id="one byte"),
        pytest.param("RGB8", BlockSize(3), 12, id="three bytes"),
        pytest.param("RGB16F", BlockSize(6), 12, id="six bytes"),
        pytest.param("RGBA_DXT1", BlockSize(8, 4, 4), 8, id="eight bytes"),
        pytest.param("RGB32F", BlockSize(12), 12, id="twelve bytes"),
        pytest.param("RGBA_ASTC_5x4", BlockSize(16, 5, 4), 16, id="sixteen bytes"),
    ],
)
def test_levels_are_aligned_and_the_smallest_is_first(name: str, block: BlockSize, alignment_B: int) -> None:
    """Each level begins at a multiple of its blocks and of four bytes, less than that after the one before."""
    shape = {"format": name, "block": block, "width_px": 13, "height_px": 7, "levels": 4}
    sizes_B = [
        math.ceil(max(1, 13 >> level) / block.block_width_px)
        * math.ceil(max(1, 7 >> level) / block.block_height_px)
        * block.bytes_per_block
        for level in range(4)
    ]
    data = ktx2_bytes(Surfaces(**shape, parts=(tuple(bytes(size_B) for size_B in sizes_B),)))
    descriptor_at, descriptor_B, text_at, text_B = struct.unpack_from("<4I", data, 48)
    assert descriptor_at == 80 + 4 * 24
    assert text_at == descriptor_at + descriptor_B
    end_B = text_at + text_B
    for level in (3, 2, 1, 0):
        offset_B, length_B, uncompressed_B = struct.unpack_from("<3Q", data, 80 + 24 * level)
        assert length_B == uncompressed_B == sizes_B[level]
        assert offset_B % alignment_B == 0
        assert 0 <= offset_B - end_B < alignment_B
        end_B = offset_B + length_B
    assert end_B == len(data)


@pytest.mark.parametrize(
    ("kind", "sizes", "counts"),
    [
        pytest.param("1D", {"is_array": False}, (4, 0, 0, 0, 1), id="1D"),
        pytest.param("1D", {"is_array": True, "layers": 1}, (4, 0, 0, 1, 1), id="1D array of one"),
        pytest.param("2D", {"height_px": 4}, (4, 4, 0, 0, 1), id="2D"),
        pytest.param("2D", {"height_px": 4, "is_array": True, "layers": 3}, (4, 4, 0, 3, 1), id="2D array"),
        pytest.param("3D", {"height_px": 4, "depth": 1}, (4, 4, 1, 0, 1), id="3D of one slice"),
        pytest.param("CUBE", {"height_px": 4, "layers": 6}, (4, 4, 0, 0, 6), id="cube"),
        pytest.param(
            "CUBE", {"height_px": 4, "layers": 6, "is_array": True}, (4, 4, 0, 1, 6), id="cube array of one"
        ),
    ],
)
def test_header_says_zero_for_what_is_not_there(kind: str, sizes: dict[str, int], counts: tuple[int, ...]) -> None:
    """Height, depth and layers are 0 where the texture has no such direction; a cube has six faces."""
    layers, height_px = sizes.get("layers", 1), sizes.get("height_px", 1)
    parts = tuple((bytes([layer]) * 4 * height_px,) for layer in range(layers))
    surfaces = Surfaces(format="R8", block=BlockSize(1), kind=Kind(kind), width_px=4, **sizes, parts=parts)
    data = ktx2_bytes(surfaces)
    assert struct.unpack_from("<5I", data, 20) == counts
    assert read_ktx2(data) == surfaces


def test_no_levels_means_one() -> None:
    """A level count of 0 asks the reader to make the others; one level is there."""
    surfaces = Surfaces(format="R8", block=BlockSize(1), width_px=4, height_px=1, parts=((b"abcd",),))
    assert read_ktx2(with_bytes(ktx2_bytes(surfaces), 40, bytes(4))) == surfaces


def test_text_is_sorted_and_padded() -> None:
    """Key-value data is in the order of its keys, and every entry ends at a multiple of four."""
    data = ktx2_bytes(SURFACES, {"refnvn.source": "scene", "A": ""})
    header = read_ktx2_header(data, "a.ktx2")
    assert list(header.key_values.items()) == [
        ("A", b"\0"),
        ("KTXwriter", b"refnvn\0"),
        ("refnvn.source", b"scene\0"),
    ]
    assert header.says == "R5G6B5_UNORM_PACK16"
    assert struct.unpack_from("<I", data, 60)[0] % 4 == 0
    with pytest.raises(FieldRangeError, match="text without zeros, and a key"):
        ktx2_bytes(SURFACES, {"": "no key"})
    with pytest.raises(FieldRangeError, match="at most 1048576"):
        ktx2_bytes(SURFACES, {"long": "x" * (1 << 20)})


def test_format_without_an_equal_is_not_written(tmp_path: Path) -> None:
    """Vulkan has no RGB with an X that nothing reads: no KTX2, and no half of one."""
    with pytest.raises(UnsupportedFormat, match="BGRX8; can hold it: DDS and npy"):
        write_ktx2(
            tmp_path / "x.ktx2", Surfaces(format="BGRX8", block=BlockSize(4), width_px=1, parts=((bytes(4),),))
        )
    assert list(tmp_path.iterdir()) == []


def repeated_key() -> bytes:
    data = ktx2_bytes(SURFACES, {"KTXwriteq": "refnvn"})
    return data.replace(b"KTXwriteq", b"KTXwriter")


@pytest.mark.parametrize(
    ("data", "says"),
    [
        pytest.param(b"", "size is 0 bytes; allowed: 80 or more", id="empty"),
        pytest.param(b"\xabKTX 11" + FILE[7:], "identifier is", id="another version"),
        pytest.param(with_word(12, 0), "Vulkan format is 0; allowed", id="no format"),
        pytest.param(with_word(12, 129), "Vulkan format is 129; allowed", id="D24S8"),
        pytest.param(with_word(16, 1), "type size is 1; allowed: 2 for R5G6B5", id="type size"),
        pytest.param(with_word(20, 0), "width_px is 0; allowed", id="no width"),
        pytest.param(with_word(20, 1 << 31), "width_px is 2147483648; allowed", id="absurd width"),
        pytest.param(with_word(24, 2), "length of level 0 is 4; allowed: 8", id="another height"),
        pytest.param(with_word(28, 2), "length of level 0 is 4; allowed: 8", id="two slices"),
        pytest.param(with_bytes(FILE, 28, struct.pack("<2I", 1, 1)), "pixel depth is 1; allowed", id="3D array"),
        pytest.param(with_bytes(FILE, 24, struct.pack("<2I", 0, 1)), "pixel depth is 1; allowed", id="no height"),
        pytest.param(with_word(32, 1 << 31), "layers is 2147483648; allowed", id="absurd layers"),
        pytest.param(with_word(36, 0), "face count is 0; allowed: 1 or 6", id="no face"),
        pytest.param(with_word(36, 6), "height_px is 1; allowed for a cube: its width, 2", id="six faces 2x1"),
        pytest.param(with_word(40, 16), "level count is 16; allowed: 0 to 15", id="sixteen levels"),
        pytest.param(with_word(40, 3), "levels is 3; allowed here: 1 to 2", id="a level below 1x1"),
        pytest.param(with_word(44, 2), r"supercompression is 2 \(Zstandard\); allowed: 0", id="Zstandard"),
        pytest.param(with_word(48, 127), "offset of DFD is 127; allowed: 128 or more", id="descriptor in the index"),
        pytest.param(with_word(48, 1 << 31), "length of DFD is 76; allowed: at most 0", id="descriptor far away"),
        pytest.param(with_word(52, 0), "DFD length is 0; allowed: 28 or more", id="no descriptor"),
        pytest.param(with_word(52, 77), "offset of key-value data is 204; allowed: 205", id="descriptor over text"),
        pytest.param(with_word(52, 72), "DFD total size is 76; allowed: its length 72", id="descriptor cut short"),
        pytest.param(with_word(60, 1 << 31), "offset of level|length of key-value", id="absurd text"),
        pytest.param(with_long(64, 8), r"global data is \(8, 0\); allowed: none", id="global data"),
        pytest.param(with_long(80, 228), "offset of level 0|offset of level 1", id="levels on each other"),
        pytest.param(with_long(80, 1 << 63), "length of level 0 is 4; allowed: at most 0", id="level far away"),
        pytest.param(with_long(88, 1 << 63), "length of level 0 is 9223372036854775808; allowed: 4", id="length"),
        pytest.param(with_long(96, 5), "uncompressed length of level 0 is 5; allowed: 4", id="uncompressed length"),
        pytest.param(FILE[:-1], "length of level 0 is 4; allowed: at most 3", id="a byte short"),
        pytest.param(FILE + b"ab", "trailing bytes is 2 after level 0; allowed: none", id="two bytes more"),
        pytest.param(with_word(132, 1), "DFD vendor and type is 1; allowed: 0", id="vendor"),
        pytest.param(with_word(136, 2 | 73 << 16), "DFD block size is 73; allowed", id="descriptor block size"),
        pytest.param(with_word(144, 3), r"DFD block dimensions is \[3, 0, 0, 0\]; allowed", id="block dimensions"),
        pytest.param(with_word(148, 4), "DFD bytes of a block is 4; allowed: 2", id="bytes of a block"),
        pytest.param(with_word(204, 1), "length of key-value entry 0 is 1; allowed: 2 to 20", id="short entry"),
        pytest.param(with_word(204, 21), "length of key-value entry 0 is 21; allowed: 2 to 20", id="long entry"),
        pytest.param(with_bytes(FILE, 208, b"\0"), "key of entry 0 is ''; allowed", id="empty key"),
        pytest.param(with_bytes(FILE, 208, b"\xff"), "key of entry 0 is .*; allowed: new UTF-8", id="key not UTF-8"),
        pytest.param(repeated_key(), "key of entry 1 is 'KTXwriter'; allowed: new", id="key twice"),
        pytest.param(
            ktx2_bytes(SURFACES, {"KTXorientation": "ru"}),
            "KTXorientation is b'ru'; allowed: r, rd",
            id="upside down",
        ),
    ],
)
def test_header_that_lies_is_one_error(data: bytes, says: str, tmp_path: Path) -> None:
    """A header or index that lies is one error that names the file, the field, the value and what was allowed."""
    path = tmp_path / "lies.ktx2"
    path.write_bytes(data)
    with pytest.raises(InputFileError, match=rf"^{path}: ({says})"):
        read_ktx2(path)


def test_srgb_format_needs_an_srgb_descriptor() -> None:
    """An sRGB format whose descriptor says linear is refused."""
    data = ktx2_bytes(Surfaces(format="RGBA8_SRGB", block=BlockSize(4), width_px=1, parts=((bytes(4),),)))
    transfer_at = 80 + 24 + 4 + 10
    assert data[transfer_at] == 2
    with pytest.raises(InputFileError, match="DFD transfer is 1; allowed: 2"):
        read_ktx2(with_bytes(data, transfer_at, b"\x01"))


def test_limit_is_checked_before_the_texels() -> None:
    """More texels than the caller allows are refused."""
    with pytest.raises(InputFileError, match="the texels take 6 bytes; allowed: at most 5"):
        read_ktx2(FILE, limit_B=5)


def test_written_file_reads_back(tmp_path: Path) -> None:
    """What is written to a path is what is read from it."""
    write_ktx2(tmp_path / "a.ktx2", SURFACES)
    assert (tmp_path / "a.ktx2").read_bytes() == FILE
    assert read_ktx2(str(tmp_path / "a.ktx2")) == SURFACES
