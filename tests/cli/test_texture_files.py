"""``refnvn detile``, ``tile`` and ``decode``: every ending, round trips, and files that are not what they say."""

import struct
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from refnvn.containers.dds import read_dds
from refnvn.containers.ktx2 import read_ktx2
from refnvn.containers.npy import read_npy
from refnvn.containers.pfm import read_pfm
from refnvn.formats.blocks import decode_image
from refnvn.formats.table import format_named
from tests.cli.harness import RGBA8_64, complaint, files_in, noise, refnvn, tiled_by_hand

ROWS = noise(64 * 256).reshape(64, 256)
TILED = tiled_by_hand(ROWS, block_height_gob=8)
DDS_HEADER_B = 148
FINE_OUTPUT = {"detile": "out.png", "tile": "out.bin", "decode": "out.png"}
"""An output that each command could write."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with one texture, tiled by hand, and its rows."""
    (tmp_path / "tiled.bin").write_bytes(TILED)
    (tmp_path / "rows.bin").write_bytes(ROWS.tobytes())
    return tmp_path


@pytest.fixture
def dds(folder: Path) -> Path:
    """Return a DDS of the same texture in plain rows."""
    assert refnvn("detile", folder / "tiled.bin", *RGBA8_64, "-o", folder / "rows.dds").code == 0
    return folder / "rows.dds"


def changed(dds: Path, offset_B: int, value: int) -> Path:
    """Return a copy of a DDS with one word of its header changed."""
    content = bytearray(dds.read_bytes())
    struct.pack_into("<I", content, offset_B, value)
    path = dds.with_name("lying.dds")
    path.write_bytes(content)
    return path


def stored(path: Path) -> bytes:
    """Return the texels that a container holds."""
    readers = {".dds": read_dds, ".ktx2": read_ktx2}
    if path.suffix in readers:
        return b"".join(part for layer in readers[path.suffix](path).parts for part in layer)
    return read_npy(path).tobytes() if path.suffix == ".npy" else path.read_bytes()


@pytest.mark.parametrize("ending", [".dds", ".ktx2", ".npy", ".bin"])
def test_detiled_texels_are_the_rows_by_hand(folder: Path, ending: str) -> None:
    """Every form that holds stored bits holds the rows that were tiled by hand."""
    path = folder / f"out{ending}"
    outcome = refnvn("detile", folder / "tiled.bin", *RGBA8_64, "-o", path)
    assert (outcome.code, outcome.err) == (0, "")
    assert "block height 8 GOBs: 64 rows of blocks, floor(64 * 3 / 16) = 12 (LAYOUT-AUTO-1)" in outcome.out
    assert stored(path) == ROWS.tobytes()


@pytest.mark.parametrize("ending", [".dds", ".ktx2", ".npy", ".bin"])
def test_tile_takes_detile_back(folder: Path, ending: str) -> None:
    """Tiling what was detiled gives the guest bytes again, for every form that holds stored bits."""
    path = folder / f"out{ending}"
    refnvn("detile", folder / "tiled.bin", *RGBA8_64, "-o", path)
    described = () if ending in (".dds", ".ktx2") else RGBA8_64
    assert refnvn("tile", path, *described, "-o", folder / "again.bin").code == 0
    assert (folder / "again.bin").read_bytes() == TILED


def test_a_picture_shows_the_texels(folder: Path) -> None:
    """The PNG of an RGBA8 texture has its bytes, the PFM their values over 255, top row first when read."""
    refnvn("detile", folder / "tiled.bin", *RGBA8_64, "-o", folder / "out.png")
    refnvn("detile", folder / "tiled.bin", *RGBA8_64, "-o", folder / "out.pfm")
    with Image.open(folder / "out.png") as picture:
        assert np.array(picture).tobytes() == ROWS.tobytes()
    values = ROWS.reshape(64, 64, 4)[..., :3].astype(np.float64) / 255
    assert (read_pfm(folder / "out.pfm") == values.astype(np.float32)).all()


@pytest.mark.parametrize(
    ("described", "ending"),
    [
        pytest.param("--format RGBA8 --size 40x24 --levels full", ".dds", id="levels-dds"),
        pytest.param("--format RGBA8 --size 40x24 --levels full", ".ktx2", id="levels-ktx2"),
        pytest.param("--format RGBA_DXT5 --size 36x20 --layers 3 --levels 3", ".dds", id="compressed-array-dds"),
        pytest.param("--format RGBA_DXT5 --size 36x20 --layers 3 --levels 3", ".ktx2", id="compressed-array-ktx2"),
        pytest.param("--format R16F --size 24x24 --target cubemap --levels full", ".dds", id="cube-dds"),
        pytest.param("--format R16F --size 24x24 --target cubemap --levels full", ".ktx2", id="cube-ktx2"),
        pytest.param("--format RG8 --size 20x12x6 --levels full", ".dds", id="3d-dds"),
        pytest.param("--format RG8 --size 20x12x6 --levels full", ".ktx2", id="3d-ktx2"),
        pytest.param("--format RGBA8 --size 8x8 --target cubemap-array --layers 12", ".dds", id="cubes-dds"),
        pytest.param("--format RGBA8 --size 8x8 --target cubemap-array --layers 12", ".ktx2", id="cubes-ktx2"),
        pytest.param("--format R32F --size 300 --target 1d", ".dds", id="1d-dds"),
        pytest.param("--format R32F --size 300 --target 1d", ".ktx2", id="1d-ktx2"),
        pytest.param("--format RGBA_ASTC_6x6 --size 40x40 --levels 2", ".ktx2", id="astc-ktx2"),
        pytest.param("--format DEPTH24_STENCIL8 --size 20x20 --layers 2", ".bin", id="depth-bin"),
        pytest.param("--format RGBA8 --size 16x16 --samples 4", ".bin", id="samples-bin"),
        pytest.param("--format RGBA8 --size 33x9 --linear --stride 160", ".bin", id="linear-bin"),
    ],
)
def test_whole_textures_come_back(tmp_path: Path, described: str, ending: str) -> None:
    """Rows, tiled, detiled into a container and tiled from it, are what was tiled first, container saying how."""
    texture = described.split()
    layout = refnvn("layout", *texture, "--json").json
    texel_B = {level["level"]: level["width_el"] * level["height_el"] * level["slices"] for level in layout["levels"]}
    block_B = {"R16F": 2, "RG8": 2, "RGBA_DXT5": 16, "RGBA_ASTC_6x6": 16}.get(texture[1], 4)
    (tmp_path / "rows.bin").write_bytes(noise(sum(texel_B.values()) * block_B * layout["layers"]).tobytes())
    assert refnvn("tile", tmp_path / "rows.bin", *texture, "-o", tmp_path / "tiled.bin").code == 0
    assert (tmp_path / "tiled.bin").stat().st_size == layout["size_B"]
    path = tmp_path / f"out{ending}"
    assert refnvn("detile", tmp_path / "tiled.bin", *texture, "-o", path).code == 0
    assert stored(path) == (tmp_path / "rows.bin").read_bytes()
    said = texture if ending == ".bin" else []
    assert refnvn("tile", path, *said, "-o", tmp_path / "again.bin").code == 0
    assert (tmp_path / "again.bin").read_bytes() == (tmp_path / "tiled.bin").read_bytes()


def test_a_dds_header_describes_block_linear_bytes(folder: Path, dds: Path) -> None:
    """A DDS header with guest bytes behind it needs no options."""
    (folder / "guest.dds").write_bytes(dds.read_bytes()[:DDS_HEADER_B] + TILED)
    assert refnvn("detile", folder / "guest.dds", "-o", folder / "out.bin").code == 0
    assert (folder / "out.bin").read_bytes() == ROWS.tobytes()


def test_what_the_user_says_goes_before_the_file(tmp_path: Path) -> None:
    """``--levels 1`` of a DDS of several levels reads one: the file then has too many bytes for it."""
    (tmp_path / "rows.bin").write_bytes(noise((64 + 16 + 4 + 1) * 4).tobytes())
    refnvn(
        "tile", tmp_path / "rows.bin", "--format", "RGBA8", "--size", "8x8", "--levels", "4", "-o", tmp_path / "t.bin"
    )
    texture = ("--format", "RGBA8", "--size", "8x8", "--levels", "4")
    refnvn("detile", tmp_path / "t.bin", *texture, "-o", tmp_path / "t.dds")
    assert len(refnvn("tile", tmp_path / "t.dds", "-o", tmp_path / "u.bin", "--json").json["layout"]["levels"]) == 4
    assert "340 bytes" in complaint("tile", tmp_path / "t.dds", "--levels", "1", "-o", tmp_path / "v.bin")


def test_one_level_and_layer_can_be_taken(tmp_path: Path) -> None:
    """``--level`` and ``--layer`` pick one image."""
    rows = noise(2 * (16 + 4) * 4)
    (tmp_path / "rows.bin").write_bytes(rows.tobytes())
    texture = ("--format", "RGBA8", "--size", "4x4", "--layers", "2", "--levels", "2")
    refnvn("tile", tmp_path / "rows.bin", *texture, "-o", tmp_path / "t.bin")
    refnvn("detile", tmp_path / "t.bin", *texture, "--level", "1", "--layer", "1", "-o", tmp_path / "one.bin")
    assert (tmp_path / "one.bin").read_bytes() == rows[-16:].tobytes()


def test_bytes_around_the_texture_can_be_left_out(folder: Path) -> None:
    """``--start`` skips a header, ``--allow-rest`` what follows."""
    (folder / "more.bin").write_bytes(b"head" + TILED + b"tail")
    more = ("detile", folder / "more.bin", *RGBA8_64, "-o", folder / "out.bin", "--start", "4")
    assert "no layout of it has 16388 bytes" in complaint(*more)
    assert refnvn(*more, "--allow-rest").code == 0
    assert (folder / "out.bin").read_bytes() == ROWS.tobytes()


def test_json_says_what_was_written(folder: Path) -> None:
    """Each command answers with one object that names the output."""
    out = folder / "out.npy"
    detiled = refnvn("detile", folder / "tiled.bin", *RGBA8_64, "-o", out, "--json").json
    assert (detiled["output"], detiled["layout"]["size_B"]) == (str(out), 16384)
    tiled = refnvn("tile", folder / "rows.bin", *RGBA8_64, "-o", folder / "t.bin", "--json").json
    assert (tiled["output"], tiled["layout"]["block_height_gob"]) == (str(folder / "t.bin"), 8)
    decoded = refnvn("decode", folder / "rows.bin", *RGBA8_64, "-o", out, "--json").json
    assert decoded == {"output": str(out), "format": "NVN_FORMAT_RGBA8", "level": 0, "layer": 0,
                       "slice": None, "remark": "",
                       "evidence": decoded["evidence"], "weakest_evidence": "NVIDIA_HARDWARE"}  # fmt: skip


def test_decode_gives_values(folder: Path) -> None:
    """A .npy gets what the texture unit reads: floats, or integers for an integer format."""
    refnvn("decode", folder / "rows.bin", *RGBA8_64, "-o", folder / "v.npy")
    values = read_npy(folder / "v.npy")
    assert (values.shape, values.dtype) == ((1, 64, 64, 4), np.float32)
    assert (values == (ROWS.reshape(1, 64, 64, 4).astype(np.float64) / 255).astype(np.float32)).all()
    refnvn("decode", folder / "rows.bin", "--format", "RGBA8I", "--size", "64x64", "-o", folder / "i.npy")
    assert (read_npy(folder / "i.npy") == ROWS.reshape(1, 64, 64, 4).view(np.int8)).all()


@pytest.mark.parametrize("ending", [".png", ".pfm"])
def test_decode_gives_pictures(folder: Path, ending: str) -> None:
    """Decoding rows to a picture is what detiling the guest bytes to one gives."""
    refnvn("decode", folder / "rows.bin", *RGBA8_64, "-o", folder / f"one{ending}")
    refnvn("detile", folder / "tiled.bin", *RGBA8_64, "-o", folder / f"two{ending}")
    assert (folder / f"one{ending}").read_bytes() == (folder / f"two{ending}").read_bytes()


@pytest.mark.parametrize(("name", "block_B"), [("RGTC1_SNORM", 8), ("BPTC_UFLOAT", 16), ("RGBA_ASTC_6x5", 16)])
def test_decode_lays_blocks_out_as_texels(tmp_path: Path, name: str, block_B: int) -> None:
    """A .npy of 13 x 7 texels in two slices holds 2 x 7 x 13 values, cut from whole blocks; a .pfm one slice."""
    blocks = -(-13 // (6 if "ASTC" in name else 4)) * -(-7 // (5 if "ASTC" in name else 4))
    (tmp_path / "deep.bin").write_bytes(noise(2 * blocks * block_B).tobytes())
    (tmp_path / "flat.bin").write_bytes(noise(blocks * block_B).tobytes())
    refnvn("decode", tmp_path / "deep.bin", "--format", name, "--size", "13x7x2", "-o", tmp_path / "v.npy")
    values = np.load(tmp_path / "v.npy")
    assert (values.shape, values.dtype) == ((2, 7, 13, 4), np.float32)
    data = noise(2 * blocks * block_B)[: blocks * block_B]
    assert values[0].tobytes() == decode_image(format_named(name), data, 13, 7).tobytes()
    refnvn("decode", tmp_path / "flat.bin", "--format", name, "--size", "13x7", "-o", tmp_path / "v.pfm")
    flat = decode_image(format_named(name), noise(blocks * block_B), 13, 7)
    assert np.array_equal(read_pfm(tmp_path / "v.pfm"), flat[..., :3], equal_nan=True)


def test_try_heights_shows_each_block_height(tmp_path: Path) -> None:
    """A smooth picture has the weakest seams at the height that it was tiled with."""
    y, x = np.mgrid[:64, :64]
    rows = np.stack([x * 4, y * 4, (x + y) * 2, np.full_like(x, 255)], axis=-1).astype(np.uint8).reshape(64, 256)
    (tmp_path / "t.bin").write_bytes(tiled_by_hand(rows, block_height_gob=2))
    sheet = tmp_path / "heights.png"
    heights = ("detile", tmp_path / "t.bin", *RGBA8_64, "--try-heights", "-o", sheet)
    answer = refnvn(*heights, "--json").json
    assert answer["by_rule_gob"] == 8
    seams = {one["block_height_gob"]: one["seam_ratio"] for one in answer["heights"] if one["shown"]}
    assert sorted(seams) == [1, 2, 4, 8, 16, 32]
    assert min(seams, key=lambda height: seams[height]) == 2
    assert [one["level_0_gob"] for one in answer["heights"]] == [1, 2, 4, 8, 8, 8]
    with Image.open(sheet) as picture:
        assert picture.width >= 3 * 64
        assert picture.height >= 2 * 64


@pytest.mark.parametrize(
    ("more", "words"),
    [
        pytest.param(("-o", "heights.dds"), "--try-heights writes a PNG", id="not-a-png"),
        pytest.param(("-o", "h.png", "--linear"), "a linear texture has no blocks", id="linear"),
        pytest.param(("-o", "h.png", "--layer", "5"), "layer 5 is not in 0..0", id="no-layer"),
        pytest.param(("-o", "h.png", "--level", "1"), "--try-heights shows level 0, not 1", id="another-level"),
    ],
)
def test_try_heights_refuses_what_it_cannot_show(folder: Path, more: tuple[str, ...], words: str) -> None:
    """It says why, and writes nothing."""
    before = files_in(folder)
    assert words in complaint("detile", folder / "tiled.bin", *RGBA8_64, "--try-heights", *more)
    assert files_in(folder) == before


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        pytest.param("--format RGBA8 --size 32x32", "16384 bytes; NVN_FORMAT_RGBA8 32x32, 1 level, lays out in 4096",
                     id="over-long"),
        pytest.param("--format RGBA8 --size 128x128", "lays out in 65536", id="truncated"),
        pytest.param("--format RGBA8 --size 16384x16384 --layers 16384", "17592186044416", id="impossible"),
        pytest.param("--format RGBA8 --size 64x64 --start -1", "--start -1 is not in", id="before"),
        pytest.param("--format RGBA8 --size 64x64 --start 16384", "--start 16384 is not in", id="behind"),
        pytest.param("--format RGBA8 --size 64x64 --level 1", "level 1 is not in 0..0", id="no-level"),
        pytest.param("--format RGBA8 --size 64x64 --layer -1", "layer -1 is not in 0..0", id="no-layer"),
        pytest.param("--size 64x64", "--format must be given", id="no-format"),
        pytest.param("--format RGBA8 --size 64x64 --block-height 5", "block height 5 is not one of", id="odd-block"),
    ],
)  # fmt: skip
def test_a_dump_that_does_not_fit_is_refused(folder: Path, arguments: str, words: str) -> None:
    """The line says what the file has and what would fit; nothing is written."""
    before = files_in(folder)
    assert words in complaint("detile", folder / "tiled.bin", *arguments.split(), "-o", folder / "out.png")
    assert files_in(folder) == before


@pytest.mark.parametrize("command", ["detile", "tile", "decode"])
@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        pytest.param("no.bin", None, "No such file or directory", id="missing"),
        pytest.param(".", None, "is not a file", id="a-folder"),
        pytest.param("empty.bin", b"", "empty.bin: ", id="empty"),
        pytest.param("short.bin", b"\0" * 100, "100 bytes", id="short"),
        pytest.param("cut.dds", b"DDS " + b"\0" * 50, "allowed: 128 or more", id="cut-dds"),
        pytest.param("cut.ktx2", b"\xabKTX 20\xbb\r\n\x1a\n" + b"\0" * 9, "cut.ktx2: ", id="cut-ktx2"),
        pytest.param("cut.npy", b"\x93NUMPY\x01\x00", "cut.npy: ", id="cut-npy"),
        pytest.param("empty.dds", b"", "empty.dds: ends in .dds but is empty, which is not a DDS", id="empty-dds"),
        pytest.param("no.ktx2", b"garbled!" * 2048, "but begins with 67 61 72 62 6c 65 64 21", id="no-ktx2"),
        pytest.param("no.npy", b"\0" * 16384, "which is not an npy", id="no-npy"),
        pytest.param("no.PNG", b"\0" * 16384, "which is not a PNG", id="no-png"),
        pytest.param("a.png", b"\x89PNG\r\n\x1a\n", "a PNG file", id="png"),
    ],
)
def test_files_that_hold_no_texture_are_refused(
    folder: Path, command: str, name: str, content: bytes | None, words: str
) -> None:
    """Missing, empty, cut and foreign files are one line each; nothing is written."""
    if content is not None:
        (folder / name).write_bytes(content)
    before = files_in(folder)
    said = complaint(command, folder / name, *RGBA8_64, "-o", folder / FINE_OUTPUT[command])
    expected = "a KTX2 file" if command == "detile" and name == "cut.ktx2" else words
    expected = "a NPY file" if command == "detile" and name == "cut.npy" else expected
    assert expected in said
    assert files_in(folder) == before


@pytest.mark.parametrize(
    ("offset_B", "value", "words"),
    [
        pytest.param(4, 5, "header size is 5; allowed: 124", id="header-size"),
        pytest.param(12, 999999, "height_px is 999999", id="height"),
        pytest.param(12, 128, "32768", id="twice-the-height"),
        pytest.param(16, 0, "width_px is 0", id="no-width"),
        pytest.param(28, 4000000, "levels is 4000000", id="levels"),
        pytest.param(128, 9999, "DXGI format is 9999", id="format"),
        pytest.param(140, 0xFFFFFFFF, "layers is 4294967295", id="layers"),
    ],
)
@pytest.mark.parametrize("command", ["detile", "tile", "decode"])
def test_a_lying_header_is_refused(dds: Path, command: str, offset_B: int, value: int, words: str) -> None:
    """A DDS that says what it does not hold is one line, and nothing is written."""
    lying = changed(dds, offset_B, value)
    before = files_in(dds.parent)
    assert words in complaint(command, lying, "-o", dds.parent / FINE_OUTPUT[command])
    assert files_in(dds.parent) == before


@pytest.mark.parametrize("cut", [DDS_HEADER_B, DDS_HEADER_B + 1, -1])
def test_a_truncated_dds_is_refused(dds: Path, cut: int) -> None:
    """A DDS whose texels end early is refused by all three commands."""
    (dds.parent / "cut.dds").write_bytes(dds.read_bytes()[:cut])
    for command in ("detile", "tile", "decode"):
        assert "16384" in complaint(command, dds.parent / "cut.dds", "-o", dds.parent / FINE_OUTPUT[command])


@pytest.mark.parametrize(
    ("command", "name", "words"),
    [
        pytest.param("detile", "out.xyz", "'.xyz' names no form of output; allowed: .png", id="detile"),
        pytest.param("detile", "out", "the ending '' names no form of output", id="detile-none"),
        pytest.param(
            "decode", "out.bin", "'.bin' names no form of output; allowed: .png, .dds, .ktx2, .npy", id="decode"
        ),
    ],
)
def test_an_unknown_ending_is_refused(folder: Path, command: str, name: str, words: str) -> None:
    """The ending names the form; others are told with what is allowed."""
    before = files_in(folder)
    assert words in complaint(command, folder / "tiled.bin", *RGBA8_64, "-o", folder / name)
    assert files_in(folder) == before


@pytest.mark.parametrize(
    ("described", "name", "words"),
    [
        pytest.param("--format RGBA8 --size 32x32 --samples 4", "o.dds", "no place in a DDS", id="samples"),
        pytest.param("--format RGBA8 --size 4096 --target buffer", "o.ktx2", "has no place in a DDS", id="buffer"),
        pytest.param("--format RGBX8 --size 64x64", "o.dds", "no format with the bits of RGBX8", id="no-twin"),
        pytest.param("--format RGBA8 --size 16x16x16", "o.pfm", "a PFM holds one slice", id="slices"),
    ],
)
def test_what_a_form_cannot_hold_is_refused(folder: Path, described: str, name: str, words: str) -> None:
    """The line says which form could; nothing is written."""
    before = files_in(folder)
    assert words in complaint("detile", folder / "tiled.bin", *described.split(), "-o", folder / name)
    assert files_in(folder) == before


def test_an_array_of_other_numbers_is_refused(folder: Path) -> None:
    """Stored texels are bytes: an npy of floats is not taken for them."""
    np.save(folder / "floats.npy", np.zeros((64, 64, 4), np.float32))
    said = complaint("tile", folder / "floats.npy", *RGBA8_64, "-o", folder / "out.bin")
    assert "an npy of float32; stored texels are uint8" in said


@pytest.mark.parametrize("command", ["detile", "tile", "decode"])
@pytest.mark.parametrize("spelling", ["same", "other-spelling", "symbolic-link", "hard-link"])
def test_an_output_that_is_the_input_is_refused(dds: Path, command: str, spelling: str) -> None:
    """However it is spelled, a command does not write over what it reads."""
    before = dds.read_bytes()
    folder = dds.parent
    (folder / "deep").mkdir()
    output = {"same": dds, "other-spelling": folder / "deep" / ".." / dds.name}.get(spelling, folder / "link.dds")
    if spelling == "symbolic-link":
        output.symlink_to(dds)
    elif spelling == "hard-link":
        output.hardlink_to(dds)
    assert "is an input too" in complaint(command, dds, "-o", output)
    assert dds.read_bytes() == before


@pytest.mark.parametrize("ending", [".png", ".dds", ".KTX2", ".npy", ".pfm", ".npz", ".json"])
def test_tile_refuses_an_ending_of_another_form(folder: Path, ending: str) -> None:
    """Guest bytes have no form of their own; a name that promises one would lie."""
    before = files_in(folder)
    said = complaint("tile", folder / "rows.bin", *RGBA8_64, "-o", folder / f"out{ending}")
    assert "what is written is raw guest bytes" in said
    assert files_in(folder) == before


@pytest.mark.parametrize("command", ["detile", "tile", "decode"])
def test_a_missing_output_folder_is_told_and_not_made(folder: Path, command: str) -> None:
    """A mistyped path makes no folders; the first that is missing is named."""
    before = files_in(folder)
    output = folder / "typo" / "deep" / FINE_OUTPUT[command]
    said = complaint(command, folder / ("tiled.bin" if command == "detile" else "rows.bin"), *RGBA8_64, "-o", output)
    assert f"folder {folder / 'typo'} is missing" in said
    assert not (folder / "typo").exists()
    assert files_in(folder) == before


def test_try_heights_judges_each_height_by_its_own_size(tmp_path: Path) -> None:
    """A 320x320 RGBA8 of blocks of 8 GOBs has 409600 bytes; the automatic 16 would have 491520."""
    (tmp_path / "d.bin").write_bytes(noise(409600).tobytes())
    texture = ("--format", "RGBA8", "--size", "320x320")
    heights = ("detile", tmp_path / "d.bin", *texture, "--try-heights", "-o", tmp_path / "h.png")
    answer = refnvn(*heights, "--json").json
    assert (answer["bytes"], answer["by_rule_gob"], answer["given_gob"]) == (409600, 16, None)
    over_B = {one["block_height_gob"]: one["over_B"] for one in answer["heights"]}
    assert over_B == {1: 0, 2: 0, 4: 0, 8: 0, 16: 409600 - 491520, 32: 409600 - 655360}
    assert [one["shown"] for one in answer["heights"]] == [True] * 4 + [False] * 2
    said = refnvn(*heights).out
    assert "  16 (by rule) " in said
    assert "81920 bytes too few, even for level 0: not shown" in said
    assert "shrinks there, as with --block-height (LAYOUT-LEVEL-4)" in said


def test_try_heights_tells_the_given_height_from_the_one_by_rule(folder: Path) -> None:
    """``--block-height`` is what the user says, not what NVN would take."""
    heights = ("detile", folder / "tiled.bin", *RGBA8_64, "--block-height", "2", "--try-heights", "-o")
    answer = refnvn(*heights, folder / "h.png", "--json").json
    marks = {one["block_height_gob"]: (one["by_rule"], one["given"]) for one in answer["heights"]}
    assert marks[2] == (False, True)
    assert marks[8] == (True, False)
    said = refnvn(*heights, folder / "h.png").out
    assert "  2 (given) " in said
    assert "  8 (by rule) " in said
    assert "by rule block height 8 GOBs: 64 rows of blocks" in said


@pytest.mark.parametrize("height", [1, 2, 4, 8, 16, 32])
def test_try_heights_shows_what_detile_then_writes(folder: Path, height: int) -> None:
    """Both lay an explicit height out by one rule: what level 0 does not need shrinks."""
    sheet = folder / "h.png"
    refnvn("detile", folder / "tiled.bin", *RGBA8_64, "--try-heights", "--opaque", "-o", sheet)
    one = refnvn(
        "detile", folder / "tiled.bin", *RGBA8_64, "--block-height", height, "--opaque", "-o", folder / "o.png"
    )
    taken = min(height, 8)
    assert (f"block height {height} GOBs as given, {taken}" in one.out) == (height > 8)
    with Image.open(sheet) as picture, Image.open(folder / "o.png") as alone:
        pixels, wanted = np.array(picture), np.array(alone)
    assert any(
        (pixels[y : y + 64, x : x + 64] == wanted).all()
        for y in range(pixels.shape[0] - 63)
        for x in range(pixels.shape[1] - 63)
        if (pixels[y, x] == wanted[0, 0]).all()
    )


def test_a_dump_shorter_than_level_0_has_no_heights_to_show(tmp_path: Path) -> None:
    """The line says how many bytes any height takes."""
    (tmp_path / "d.bin").write_bytes(bytes(1000))
    heights = ("detile", tmp_path / "d.bin", *RGBA8_64, "--try-heights", "-o", tmp_path / "h.png")
    assert "1000 bytes; level 0 takes 16384 or more at any block height" in complaint(*heights)


def test_a_picture_whose_alpha_is_zero_says_so_and_can_be_shown(folder: Path) -> None:
    """Colours behind alpha 0 cannot be seen; ``--opaque`` shows them and changes nothing else."""
    rows = ROWS.reshape(64, 64, 4).copy()
    rows[..., 3] = 0
    rows[:3, :, 3] = 255
    (folder / "clear.bin").write_bytes(rows.tobytes())
    picture = folder / "p.png"
    decode = ("decode", folder / "clear.bin", *RGBA8_64, "-o", picture)
    remark = "alpha is 0 in 95 % of it, which looks empty: --opaque shows the colours"
    assert refnvn(*decode, "--json").json["remark"] == remark
    assert remark in refnvn(*decode).out
    assert "alpha is 0" not in refnvn(*decode, "--opaque").out
    with Image.open(picture) as shown:
        assert (np.array(shown)[..., :3] == rows[..., :3]).all()
        assert (np.array(shown)[..., 3] == 255).all()
    refnvn("tile", folder / "clear.bin", *RGBA8_64, "-o", folder / "t.bin")
    assert remark in refnvn("detile", folder / "t.bin", *RGBA8_64, "-o", picture).out
    assert remark not in refnvn("detile", folder / "tiled.bin", *RGBA8_64, "-o", picture).out
    for command, ending in (("detile", "npy"), ("decode", "npy"), ("decode", "pfm"), ("detile", "dds")):
        source = folder / ("tiled.bin" if command == "detile" else "clear.bin")
        said = complaint(command, source, *RGBA8_64, "-o", folder / f"o.{ending}", "--opaque")
        assert "--opaque is for pictures" in said


def test_slices_of_small_integers_share_one_scale(tmp_path: Path) -> None:
    """Slices of 1 and of 3 stay apart on a sheet: 3 is white in both."""
    values = np.repeat(np.array([1, 3], np.uint8), 16)
    (tmp_path / "r.bin").write_bytes(values.tobytes())
    refnvn("decode", tmp_path / "r.bin", "--format", "R8UI", "--size", "4x4x2", "-o", tmp_path / "p.png")
    with Image.open(tmp_path / "p.png") as shown:
        assert [np.array(shown)[y, 0, 0] for y in (0, 8)] == [85, 255]


@pytest.mark.parametrize(
    ("described", "code"),
    [("--format RGBA8 --size 64x64", 0), ("--format DEPTH32F --size 64x64", 3)],
    ids=["console-data", "depth-order-is-open"],
)
def test_detile_and_tile_tell_their_evidence(folder: Path, described: str, code: int) -> None:
    """The weakest rule is named, and ``--strict-evidence`` exits with 3 where it is inferred or open."""
    for command, source in (("detile", "tiled.bin"), ("tile", "rows.bin")):
        asked = (command, folder / source, *described.split(), "-o", folder / "o.bin")
        assert "\n  evidence: " in refnvn(*asked).out
        assert refnvn(*asked).code == 0
        assert refnvn(*asked, "--strict-evidence").code == code


def test_detile_prints_the_depth_of_3d_blocks(tmp_path: Path) -> None:
    """33 slices: floor(33 * 3 / 2) = 49, and at most 16."""
    (tmp_path / "r.bin").write_bytes(noise(33 * 33 * 33).tobytes())
    texture = ("--format", "R8", "--size", "33x33x33")
    said = refnvn("tile", tmp_path / "r.bin", *texture, "-o", tmp_path / "t.bin").out
    assert "block height 1, depth 16 GOBs: 33 slices, floor(33 * 3 / 2) = 49 (LAYOUT-AUTO-2" in said
