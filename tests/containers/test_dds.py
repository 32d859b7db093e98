"""DDS, checked against hand-made headers, Pillow's reader and files of other tools."""

from __future__ import annotations

import io
import os
import struct
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from refnvn.containers.dds import dds_bytes, read_dds, read_dds_header, write_dds
from refnvn.containers.surface import BlockSize, Kind, Surfaces
from refnvn.errors import InputFileError, UnsupportedFormat

FOUR_CC, RGB, ALPHA, LUMINANCE, SIGNED = 0x4, 0x40, 0x1, 0x20000, 0x80000


def legacy_header(
    flags: int = RGB, four_cc: bytes = bytes(4), bits: int = 0, masks: tuple[int, int, int, int] = (0, 0, 0, 0), *,
    size_px: tuple[int, int] = (4, 4), header_flags: int = 0x1007, depth: int = 0, levels: int = 0, caps2: int = 0,
) -> bytes:  # fmt: skip
    """Spell a header as Direct3D 9 had it."""
    header = b"DDS " + struct.pack("<7I", 124, header_flags, size_px[1], size_px[0], 0, depth, levels) + bytes(44)
    header += struct.pack("<2I", 32, flags) + four_cc + struct.pack("<5I", bits, *masks)
    return header + struct.pack("<5I", 0x1000, caps2, 0, 0, 0)


def with_word(data: bytes, offset_B: int, word: int) -> bytes:
    return data[:offset_B] + struct.pack("<I", word) + data[offset_B + 4 :]


def block_of(code: int) -> bytes:
    return code.to_bytes(16, "little")


BC1_BLOCK = struct.pack("<HHI", 0xF800, 0xF800, 0)

BC1_SURFACES = Surfaces(
    format="RGBA_DXT1", block=BlockSize(8, 4, 4), width_px=8, height_px=4, levels=2,
    parts=((BC1_BLOCK + bytes(8), bytes(8)),),
)  # fmt: skip

BC1_HEADER = (
    b"DDS "
    + struct.pack("<I", 124)  # dwSize
    + struct.pack("<I", 0x000A1007)  # CAPS | HEIGHT | WIDTH | PIXELFORMAT | MIPMAPCOUNT | LINEARSIZE
    + struct.pack("<I", 4)  # dwHeight
    + struct.pack("<I", 8)  # dwWidth
    + struct.pack("<I", 16)  # dwPitchOrLinearSize: two blocks of level 0
    + struct.pack("<I", 1)  # dwDepth
    + struct.pack("<I", 2)  # dwMipMapCount
    + bytes(44)  # dwReserved1
    + struct.pack("<I", 32)  # ddspf.dwSize
    + struct.pack("<I", 4)  # DDPF_FOURCC
    + b"DX10"
    + bytes(20)  # dwRGBBitCount and masks
    + struct.pack("<I", 0x00401008)  # COMPLEX | TEXTURE | MIPMAP
    + bytes(16)  # dwCaps2 to dwReserved2
    + struct.pack("<I", 71)  # DXGI_FORMAT_BC1_UNORM
    + struct.pack("<I", 3)  # D3D10_RESOURCE_DIMENSION_TEXTURE2D
    + struct.pack("<I", 0)  # miscFlag
    + struct.pack("<I", 1)  # arraySize
    + struct.pack("<I", 0)  # miscFlags2: alpha unknown
)


def test_bc1_file_has_the_bytes_of_the_specification() -> None:
    """A BC1 texture of 8x4 with two levels is this header and its levels, largest first."""
    assert dds_bytes(BC1_SURFACES) == BC1_HEADER + BC1_BLOCK + bytes(16)
    assert len(BC1_HEADER) == 148


def test_cube_array_header_counts_cubes() -> None:
    """Two cubes are a 2D resource with the cube flag and an array size of two, all six faces announced."""
    surfaces = Surfaces(
        format="R8", block=BlockSize(1), kind=Kind.CUBE, is_array=True, width_px=1, layers=12,
        parts=tuple((bytes([face]),) for face in range(12)),
    )  # fmt: skip
    data = dds_bytes(surfaces)
    assert struct.unpack_from("<5I", data, 128) == (61, 3, 4, 2, 0)
    assert struct.unpack_from("<2I", data, 108) == (0x1008, 0xFE00)
    assert data[148:] == bytes(range(12))


def test_volume_header_has_depth() -> None:
    """A 3D texture has the depth flag, the volume capability and dimension 4."""
    surfaces = Surfaces(
        format="RG8", block=BlockSize(2), kind=Kind.THREE_D, width_px=3, height_px=2, depth=5, parts=((bytes(60),),)
    )
    data = dds_bytes(surfaces)
    assert struct.unpack_from("<6I", data, 8) == (0x80100F, 2, 3, 6, 5, 1)
    assert struct.unpack_from("<2I", data, 108) == (0x1008, 0x200000)
    assert struct.unpack_from("<5I", data, 128) == (49, 4, 0, 1, 0)


def test_format_without_an_equal_is_not_written(tmp_path: Path) -> None:
    """D24S8 of DXGI has its stencil above the depth, NVN below: no DDS, and no half of one."""
    surfaces = Surfaces(format="DEPTH24_STENCIL8", block=BlockSize(4), width_px=1, parts=((bytes(4),),))
    with pytest.raises(UnsupportedFormat, match="DEPTH24_STENCIL8; can hold it: npy"):
        write_dds(tmp_path / "depth.dds", surfaces)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("name", "block", "pixel"),
    [
        pytest.param("RGBA_DXT1", BC1_BLOCK, (255, 0, 0, 255), id="bc1 red"),
        pytest.param(
            "RGBA_DXT5", bytes([128, 128]) + bytes(6) + struct.pack("<HHI", 0x07E0, 0x07E0, 0),
            (0, 255, 0, 128), id="bc3 half green",
        ),
        # Mode 6: 7 bits of mode, 7-bit R0 R1 G0 G1 B0 B1 A0 A1, then two P bits: R is 64 * 2 + 1, the rest 255.
        pytest.param(
            "BPTC_UNORM", block_of(0x40 | (64 | 64 << 7 | ((1 << 42) - 1) << 14) << 7 | 3 << 63),
            (129, 255, 255, 255), id="bc7 cyan and half red",
        ),
    ],
)  # fmt: skip
def test_pillow_sees_the_block_we_wrote(name: str, block: bytes, pixel: tuple[int, ...]) -> None:
    """Another reader opens our compressed DDS and finds the colour that the block was made for."""
    surfaces = Surfaces(
        format=name, block=BlockSize(len(block), 4, 4), width_px=8, height_px=4, parts=((block + block,),)
    )
    with Image.open(io.BytesIO(dds_bytes(surfaces))) as image:
        assert image.size == (8, 4)
        assert np.array(image.convert("RGBA")).reshape(-1, 4).tolist() == [list(pixel)] * 32


@pytest.mark.parametrize("name", ["RGBA8", "RGBA8_SRGB"])
def test_pillow_sees_the_rows_we_wrote(name: str) -> None:
    """Another reader opens our RGBA8 DDS, rows from the top, components in order."""
    codes = np.arange(5 * 3 * 4, dtype=np.uint8).reshape(3, 5, 4)
    surfaces = Surfaces(format=name, block=BlockSize(4), width_px=5, height_px=3, parts=((codes.tobytes(),),))
    with Image.open(io.BytesIO(dds_bytes(surfaces))) as image:
        np.testing.assert_array_equal(codes, np.array(image))


def test_we_see_the_rows_pillow_wrote() -> None:
    """A DDS of another writer, with a legacy header, reads as the codes that went in."""
    codes = np.arange(4 * 4 * 4, dtype=np.uint8).reshape(4, 4, 4)
    file = io.BytesIO()
    Image.fromarray(codes).save(file, format="DDS")
    surfaces = read_dds(file.getvalue())
    by_component = {"RGBA8": [0, 1, 2, 3], "BGRA8": [2, 1, 0, 3]}[surfaces.format]
    read = np.frombuffer(surfaces.parts[0][0], np.uint8).reshape(4, 4, 4)
    np.testing.assert_array_equal(codes, read[..., by_component])


LEGACY = [
    *[pytest.param(FOUR_CC, four_cc, 0, (0, 0, 0, 0), name, id=four_cc.decode()) for four_cc, name in (
        (b"DXT1", "RGBA_DXT1"), (b"DXT3", "RGBA_DXT3"), (b"DXT5", "RGBA_DXT5"), (b"ATI1", "RGTC1_UNORM"),
        (b"BC4U", "RGTC1_UNORM"), (b"BC4S", "RGTC1_SNORM"), (b"ATI2", "RGTC2_UNORM"), (b"BC5U", "RGTC2_UNORM"),
        (b"BC5S", "RGTC2_SNORM"),
    )],
    *[pytest.param(FOUR_CC, struct.pack("<I", number), 0, (0, 0, 0, 0), name, id=f"number {number}")
      for number, name in ((111, "R16F"), (112, "RG16F"), (113, "RGBA16F"), (114, "R32F"), (115, "RG32F"),
                           (116, "RGBA32F"), (36, "RGBA16"), (110, "RGBA16SN"))],
    pytest.param(RGB | ALPHA, bytes(4), 32, (0xFF, 0xFF00, 0xFF0000, 0xFF000000), "RGBA8", id="red first"),
    pytest.param(RGB | ALPHA, bytes(4), 32, (0xFF0000, 0xFF00, 0xFF, 0xFF000000), "BGRA8", id="blue first"),
    pytest.param(RGB, bytes(4), 32, (0xFF0000, 0xFF00, 0xFF, 0), "BGRX8", id="blue first, no alpha"),
    pytest.param(RGB, bytes(4), 32, (0xFF0000, 0xFF00, 0xFF, 0xFF000000), "BGRX8", id="alpha mask not announced"),
    pytest.param(RGB, bytes(4), 32, (0xFF, 0xFF00, 0xFF0000, 0), "RGBX8", id="red first, no alpha"),
    pytest.param(RGB | ALPHA, bytes(4), 32, (0x3FF, 0xFFC00, 0x3FF00000, 0xC0000000), "RGB10A2", id="ten bits"),
    pytest.param(RGB, bytes(4), 32, (0xFFFF, 0xFFFF0000, 0, 0), "RG16", id="two of 16 bits"),
    pytest.param(RGB, bytes(4), 16, (0xF800, 0x7E0, 0x1F, 0), "BGR565", id="565 blue lowest"),
    pytest.param(RGB, bytes(4), 16, (0x1F, 0x7E0, 0xF800, 0), "RGB565", id="565 red lowest"),
    pytest.param(RGB | ALPHA, bytes(4), 16, (0x7C00, 0x3E0, 0x1F, 0x8000), "BGR5A1", id="5551 blue lowest"),
    pytest.param(RGB, bytes(4), 16, (0x7C00, 0x3E0, 0x1F, 0), "BGR5", id="555 blue lowest"),
    pytest.param(RGB | ALPHA, bytes(4), 16, (0x1F, 0x3E0, 0x7C00, 0x8000), "RGB5A1", id="5551 red lowest"),
    pytest.param(RGB | ALPHA, bytes(4), 16, (0xF800, 0x7C0, 0x3E, 0x1), "A1BGR5", id="5551 alpha lowest"),
    pytest.param(RGB | ALPHA, bytes(4), 16, (0xF, 0xF0, 0xF00, 0xF000), "RGBA4", id="4444 red lowest"),
    pytest.param(LUMINANCE, bytes(4), 8, (0xFF, 0, 0, 0), "R8", id="luminance"),
    pytest.param(LUMINANCE, bytes(4), 8, (0xFF, 0xFF, 0xFF, 0), "R8", id="luminance with green and blue"),
    pytest.param(LUMINANCE, bytes(4), 16, (0xFFFF, 0, 0, 0), "R16", id="16-bit luminance"),
    pytest.param(LUMINANCE | ALPHA, bytes(4), 16, (0xFF, 0, 0, 0xFF00), "RG8", id="luminance and alpha"),
    pytest.param(SIGNED, bytes(4), 16, (0xFF, 0xFF00, 0, 0), "RG8SN", id="signed"),
]  # fmt: skip


@pytest.mark.parametrize(("flags", "four_cc", "bits", "masks", "name"), LEGACY)
def test_legacy_pixel_format_is_the_nvn_format_of_its_bits(
    flags: int, four_cc: bytes, bits: int, masks: tuple[int, int, int, int], name: str
) -> None:
    """A FourCC, a Direct3D 9 number or masks name the NVN format that has these bits."""
    from refnvn.formats.table import formats

    header, offset_B = read_dds_header(legacy_header(flags, four_cc, bits, masks), "a.dds")
    entry = formats()[name]
    assert (header.shape.format, offset_B, header.is_dx10) == (name, 128, False)
    assert header.shape.block == BlockSize(entry.bytes_per_block, entry.block_width_px, entry.block_height_px)
    components = {c.name: ((1 << c.bits) - 1) << c.first_bit for c in entry.components}
    if bits and flags & RGB:
        announced = masks if flags & ALPHA else (*masks[:3], 0)
        assert tuple(components.get(letter, 0) for letter in "RGBA") == announced


@pytest.mark.parametrize(
    ("flags", "four_cc", "bits", "masks"),
    [
        pytest.param(RGB | ALPHA, bytes(4), 16, (0xF00, 0xF0, 0xF, 0xF000), id="4444 blue lowest"),
        pytest.param(RGB | ALPHA, bytes(4), 32, (0x3FF00000, 0xFFC00, 0x3FF, 0xC0000000), id="ten bits blue lowest"),
        pytest.param(RGB, bytes(4), 24, (0xFF0000, 0xFF00, 0xFF, 0), id="24 bits blue lowest"),
        pytest.param(FOUR_CC, b"DXT2", 0, (0, 0, 0, 0), id="premultiplied alpha"),
        pytest.param(FOUR_CC, b"UYVY", 0, (0, 0, 0, 0), id="video"),
        pytest.param(RGB | LUMINANCE, bytes(4), 8, (0xFF, 0, 0, 0), id="two sorts at once"),
        pytest.param(0, bytes(4), 0, (0, 0, 0, 0), id="nothing"),
    ],
)
def test_pixel_format_nvn_lacks_is_refused(
    flags: int, four_cc: bytes, bits: int, masks: tuple[int, int, int, int]
) -> None:
    """What has no NVN format of the same bits is one error that says what is known."""
    with pytest.raises(InputFileError, match=r"^a\.dds: pixel format is .*; allowed: DX10, DXT1"):
        read_dds_header(legacy_header(flags, four_cc, bits, masks), "a.dds")


def test_legacy_cube_and_volume() -> None:
    """Old headers say cube and volume in their capabilities; a cube needs all its faces."""
    cube = legacy_header(LUMINANCE, bits=8, masks=(0xFF, 0, 0, 0), caps2=0xFE00, size_px=(1, 1))
    assert read_dds(cube + bytes(range(6))).parts == tuple((bytes([face]),) for face in range(6))
    volume = legacy_header(LUMINANCE, bits=8, masks=(0xFF, 0, 0, 0), caps2=0x200000, depth=3, size_px=(1, 1))
    assert read_dds(volume + b"abc").parts == ((b"abc",),)
    with pytest.raises(InputFileError, match="caps2 is 0x600; allowed: all six faces"):
        read_dds(legacy_header(LUMINANCE, bits=8, masks=(0xFF, 0, 0, 0), caps2=0x600, size_px=(1, 1)) + b"a")
    with pytest.raises(InputFileError, match="caps2 is 0x20fe00; allowed: a cube or a volume"):
        read_dds(legacy_header(LUMINANCE, bits=8, masks=(0xFF, 0, 0, 0), caps2=0x20FE00, depth=1, size_px=(1, 1)))


GOOD = dds_bytes(BC1_SURFACES)


@pytest.mark.parametrize(
    ("data", "says"),
    [
        pytest.param(b"", "size is 0 bytes; allowed: 128 or more", id="empty"),
        pytest.param(b"DDX " + GOOD[4:], "magic is b'DDX '", id="another magic"),
        pytest.param(with_word(GOOD, 4, 125), "header size is 125; allowed: 124", id="header size"),
        pytest.param(with_word(GOOD, 12, 0), "height_px is 0; allowed here: 1 to 16384", id="no height"),
        pytest.param(
            with_word(GOOD, 16, 0xFFFFFFFF), "width_px is 4294967295; allowed here: 1 to", id="absurd width"
        ),
        pytest.param(with_word(GOOD, 28, 5), "levels is 5; allowed here: 1 to 4", id="too many levels"),
        pytest.param(with_word(GOOD, 28, 1 << 31), "levels is 2147483648; allowed", id="absurd levels"),
        pytest.param(with_word(GOOD, 76, 24), "pixel format size is 24; allowed: 32", id="pixel format size"),
        pytest.param(GOOD[:140], "size is 140 bytes; allowed: 148 or more", id="half a DX10 header"),
        pytest.param(with_word(GOOD, 128, 70), "DXGI format is 70; allowed: one that says what", id="typeless"),
        pytest.param(with_word(GOOD, 128, 45), "DXGI format is 45; allowed", id="D24S8"),
        pytest.param(with_word(GOOD, 132, 5), "resource dimension is 5; allowed: 2, 3 or 4", id="dimension"),
        pytest.param(with_word(GOOD, 132, 2), "height_px is 4; allowed here: 1", id="1D with height"),
        pytest.param(with_word(GOOD, 136, 1), "misc flag is 0x1; allowed: 0, or 0x4", id="misc flag"),
        pytest.param(with_word(with_word(GOOD, 136, 4), 132, 4), "misc flag is 0x4; allowed", id="a cube of volumes"),
        pytest.param(with_word(GOOD, 136, 4), "height_px is 4; allowed for a cube: its width, 8", id="cube 8x4"),
        pytest.param(with_word(GOOD, 140, 1 << 30), "layers is 1073741824; allowed", id="absurd array"),
        pytest.param(with_word(GOOD, 144, 5), "misc flags 2 is 5; allowed: 0 to 4", id="alpha mode"),
        pytest.param(GOOD[:-1], "23 bytes of texels; allowed: the 24", id="a byte short"),
        pytest.param(with_word(GOOD, 140, 2), "24 bytes of texels; allowed: the 48", id="a layer short"),
        pytest.param(GOOD + b"abc", "3 trailing bytes after the 24", id="three bytes more"),
    ],
)
def test_header_that_lies_is_one_error(data: bytes, says: str, tmp_path: Path) -> None:
    """A header that lies is one error that names the file, the field, the value and what was allowed."""
    path = tmp_path / "lies.dds"
    path.write_bytes(data)
    with pytest.raises(InputFileError, match=rf"^{path}: {says}"):
        read_dds(path)


def test_a_typeless_format_takes_the_meaning_that_is_said() -> None:
    """DXGI 82 is BC5_TYPELESS, which Pillow writes, as an array of 0: it is read as the format that is said."""
    buffer = io.BytesIO()
    Image.fromarray(np.full((4, 8, 3), 90, np.uint8)).save(buffer, "DDS", pixel_format="BC5")
    assert read_dds(buffer.getvalue(), typeless="RGTC2_UNORM").shape.format == "RGTC2_UNORM"
    with pytest.raises(InputFileError, match=r"DXGI format is 82; allowed: .* such as RGTC2_UNORM"):
        read_dds(buffer.getvalue())
    with pytest.raises(InputFileError, match="DXGI format is 82"):
        read_dds(buffer.getvalue(), typeless="RGBA_DXT1")


def test_limit_is_checked_before_the_texels() -> None:
    """More texels than the caller allows are refused."""
    with pytest.raises(InputFileError, match="the texels take 24 bytes; allowed: at most 23"):
        read_dds(GOOD, limit_B=23)


def test_header_alone_reads_with_any_payload() -> None:
    """A DDS whose payload is block-linear gives its description and where the payload begins."""
    header, offset_B = read_dds_header(GOOD + bytes(1000), "switch.dds")
    assert (header.shape, header.says, offset_B) == (BC1_SURFACES.shape, "BC1_UNORM", 148)


def test_written_file_reads_back(tmp_path: Path) -> None:
    """What is written to a path is what is read from it."""
    write_dds(tmp_path / "a.dds", BC1_SURFACES)
    assert read_dds(tmp_path / "a.dds") == BC1_SURFACES


def test_files_of_another_tool_read() -> None:
    """A linear DDS of another tool reads with nine levels; its Switch twin has a block-linear payload."""
    shared = Path(os.environ.get("REFNVN_SHARED") or Path(__file__).parents[3] / "shared")
    linear, switch = (shared / "samples" / f"bc1_256x256_mips{twin}.dds" for twin in ("", "_switch"))
    if not linear.is_file() or not switch.is_file():
        pytest.skip("sample files are not here; REFNVN_SHARED names their folder")
    surfaces = read_dds(linear)
    assert (surfaces.format, surfaces.width_px, surfaces.height_px, surfaces.levels) == ("RGBA_DXT1", 256, 256, 9)
    assert surfaces.total_B == 43704
    data = switch.read_bytes()
    header, offset_B = read_dds_header(data, str(switch))
    assert header.shape == surfaces.shape
    assert len(data) - offset_B == 46080
    with pytest.raises(InputFileError, match="2376 trailing bytes"):
        read_dds(switch)
