"""``refnvn dump``: each kind of dumped file, what is told of it, and what is refused."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from PIL import Image

from refnvn.containers.npy import read_npy
from tests.cli.harness import complaint, files_in, noise, refnvn

ROWS = noise(10 * 6 * 4).reshape(6, 40)


def written(folder: Path, name: str, content: bytes) -> Path:
    """Write a file and return where."""
    (folder / name).write_bytes(content)
    return folder / name


def told(*arguments: object) -> str:
    """Return what a command that must succeed prints."""
    outcome = refnvn("dump", *arguments)
    assert (outcome.code, outcome.err) == (0, ""), outcome
    return outcome.out


def test_a_colour_target_has_several_readings(tmp_path: Path) -> None:
    """All are told, the plain one first; what is known of the texture leaves fewer."""
    path = written(tmp_path, "frame_623.png", b"")
    Image.fromarray(ROWS.reshape(6, 10, 4)).save(path)
    said = told(path).splitlines()
    assert said[0].endswith("bytes; colour target: number 623")
    assert said[2].strip() == "serial 6, layer 2, level 3"
    assert said[-1].strip() == "or, if it is a screenshot, presented frame 623: the name does not tell"
    found = refnvn("dump", path, "--layers", "13", "--levels", "4", "--json").json
    assert found["readings"] == [{"serial": 6, "layer": 2, "level": 3}, {"serial": 5, "layer": 12, "level": 3}]


@pytest.mark.parametrize("stride_B", [0, 64])
def test_raw_bytes_of_a_target_are_written_as_what_they_are_said_to_be(tmp_path: Path, stride_B: int) -> None:
    """Padded or not, the picture is the rows."""
    padded = np.zeros((6, stride_B or 40), np.uint8)
    padded[:, :40] = ROWS
    path = written(tmp_path, "frame_600.png.raw", padded.tobytes())
    said = ("--format", "RGBA8", "--width", "10", "--height", "6", "--layout", "rows", "--stride", stride_B)
    assert "NVN_FORMAT_RGBA8 10x6, plain rows: it fits" in told(path, *said, "-o", tmp_path / "o.png")
    with Image.open(tmp_path / "o.png") as picture:
        assert np.array(picture).tobytes() == ROWS.tobytes()


def test_guest_order_is_detiled(tmp_path: Path) -> None:
    """The same picture as detile gives."""
    path = written(tmp_path, "texture.bin", noise(16384).tobytes())
    said = ("--format", "RGBA8", "--width", "64", "--height", "64", "--layout", "guest")
    told(path, *said, "-o", tmp_path / "one.png")
    assert refnvn("detile", path, "--format", "RGBA8", "--size", "64x64", "-o", tmp_path / "two.png").code == 0
    assert (tmp_path / "one.png").read_bytes() == (tmp_path / "two.png").read_bytes()


def test_a_depth_plane_alone_is_said_to_be_one(tmp_path: Path) -> None:
    """A D32F_S8 texture is dumped as its depth: four bytes a texel, where the format has eight."""
    path = written(tmp_path, "depth.bin", np.arange(8, dtype="<f4").tobytes())
    said = ("--format", "DEPTH32F_STENCIL8", "--width", "4", "--height", "2", "--layout", "rows")
    assert "only the depth plane is there: read as DEPTH32F" in told(path, *said, "-o", tmp_path / "d.npy")
    assert read_npy(tmp_path / "d.npy").reshape(-1).view("<f4").tolist() == list(range(8))


def test_the_source_of_a_copy_is_rows(tmp_path: Path) -> None:
    """Before any layout, so that nobody has to say it; the C line says the stride."""
    path = written(tmp_path, "F3_c3d_9.bin", bytes(range(64)))
    said = ("--format", "R8", "--width", "4", "--height", "4", "--depth", "4", "--json")
    found = refnvn("dump", path, *said).json
    assert found["name"] == {"kind": "source of a copy into a 3D texture", "frame": 3, "serial": 9}
    assert found["texture"]["layout"] == "rows"


def test_a_storage_of_empty_blocks_and_its_map(tmp_path: Path) -> None:
    """The map beside it is found by its name; which byte means mapped is told by what holds something."""
    storage = np.zeros(8192, np.uint8)
    storage[0] = 1
    path = written(tmp_path, "zb_5.bin", storage.tobytes())
    assert "511 of 512 blocks are all zero, padding included" in told(path)
    written(tmp_path, "zbm_5.bin", bytes([3, 4]))
    said = told(path)
    assert "map byte 3: 1 pages of 4 KiB, 0 of them all zero" in said
    assert "are mapped: 3" in said
    other = written(tmp_path, "other.bin", bytes([1, 1]))
    assert refnvn("dump", path, "--page-map", other, "--json").json["zero_blocks"]["mapped_bytes"] == [1]
    assert "pages by byte: 1 of 3, 1 of 4" in told(tmp_path / "zbm_5.bin")


def test_the_first_part_of_a_sparse_storage_is_shown_with_its_end_as_zero(tmp_path: Path) -> None:
    """Two mebibytes of a texture that has more."""
    path = written(tmp_path, "zb_6.bin", noise(2 << 20).tobytes())
    said = ("--format", "RGBA_ASTC_4x4", "--width", "2048", "--height", "2048", "--sparse")
    assert "the first 2 MiB of 4194304 bytes; what follows is shown as zero" in told(path, *said)


def test_indices_are_counted(tmp_path: Path) -> None:
    """Shorts by NVN's value of the type; all ones may be a restart."""
    path = written(tmp_path, "F1_p2_ib1_ff00.bin", np.array([5, 0xFFFF, 2], "<u2").tobytes())
    said = told(path)
    assert "address 0xff00 (read as hexadecimal)" in said
    assert "indices 3, index_B 2, all_ones 1, least 2, most 65535" in said
    strange = written(tmp_path, "F1_p2_ibu16_0.bin", bytes(4))
    assert "the index type is spelled 'u16', which is none of 0, 1, 2" in told(strange)


def test_vertices_are_read_by_stride_and_format(tmp_path: Path) -> None:
    """The attribute at the start of each vertex, as the vertex fetch reads it."""
    rows = np.zeros((3, 5), "<f4")
    rows[:, :2] = [[1, 2], [3, 4], [np.nan, np.inf]]
    path = written(tmp_path, "F1_p2_vb0_100.bin", rows.tobytes())
    found = refnvn("dump", path, "--format", "RG32F", "--stride", "20", "--json").json
    assert found["vertices"] == 3
    assert found["first"] == [[1.0, 2.0, 0.0, 1.0], [3.0, 4.0, 0.0, 1.0], ["nan", "inf", 0.0, 1.0]]
    assert "give --stride and --format of an attribute" in told(path)


def test_a_log_becomes_records(tmp_path: Path) -> None:
    """Known lines by kind, ambiguous ones with all they may be, unknown ones aloud."""
    path = written(tmp_path, "log.txt", b"P 1 c0 mtl=0x5\nC 1 a=0\nR 9 what\n\n")
    said = told(path)
    assert "3 lines, 1 of several meanings, 1 not known" in said
    assert "line 3 is not known: 9 what" in said
    found = refnvn("dump", path, "--json").json
    assert found["lines"][0] == {
        "line": 1, "letter": "P", "tags": [], "kinds": ["attachments of a pass"], "words": ["1", "c0"],
        "values": {"metal_texture": "0x5"}, "fields": [["mtl", "0x5"]],
    }  # fmt: skip
    assert len(found["lines"][1]["kinds"]) == 2


def test_what_stands_out_in_a_log_is_told(tmp_path: Path) -> None:
    """Dropped draws by their reason, logic operations, conditions; feedback that captures nothing."""
    log = """\
[nvn] Z 7 draw skipped: no program bound
Z 7 draw skipped: no program bound
D 8 lo=7
D 8 lo=3
E 9 conditional render values 1 / 0 → not drawn
Y tf begin 0x100 written 0/0/0/0
"""
    path = written(tmp_path, "log.txt", log.encode())
    said = refnvn("dump", path, "--json").json["remarks"]
    assert said == [
        "2 x draw skipped: no program bound, first in line 1",
        "1 x logic operation OR, first in line 3",
        "1 x a condition that does not draw, first in line 5",
        "transform feedback begins in line 6 and nothing is captured",
    ]
    assert "  2 x draw skipped: no program bound, first in line 1" in told(path)


def copies(numbers: bytes, *, line: bytes = b"t2t 4x1", runs_out_at: int = 240) -> bytes:
    """Return a trace of 240 copies of a row of four texels; from one entry on it holds infinity."""
    texels = np.zeros((240, 1, 4, 4), "<f2")
    texels[:, 0, 1] = np.linspace(-1, 1, 240)[:, None]
    texels[runs_out_at:, 0, 2] = np.inf
    return line + b"\n" + numbers + texels.tobytes()


FRAMES = np.arange(1000, 1240)


@pytest.mark.parametrize(
    ("numbers", "how"),
    [
        (FRAMES.astype("<u4").tobytes(), "words of 4 bytes, little-endian"),
        (FRAMES.astype(">u4").tobytes(), "words of 4 bytes, big-endian"),
        (FRAMES.astype("<u8").tobytes(), "words of 8 bytes, little-endian"),
        (b" ".join(b"%d" % one for one in FRAMES) + b"\n", "text"),
    ],
)
def test_a_trace_of_copies_is_read(tmp_path: Path, numbers: bytes, how: str) -> None:
    """Frame numbers as words or text; the first entry that runs out is named; -o writes the texels."""
    path = written(tmp_path, "trace.bin", copies(numbers, runs_out_at=100))
    said = told(path, "--layout", "copies", "-o", tmp_path / "t.npy")
    assert f"240 copies into RGBA16F 4x1, frames 1000 to 1239; frame numbers read as {how}" in said
    assert "from entry 100, frame 1100, on values run out" in said
    assert "4 components not finite" in said
    texels = read_npy(tmp_path / "t.npy")
    assert (texels.shape, texels.dtype, texels[239, 0, 1, 0]) == ((240, 1, 4, 4), np.float16, 1)
    entry = refnvn("dump", path, "--layout", "copies", "--json").json["copies"]["entries"][7]
    assert (entry["frame"], entry["is_out"], entry["not_finite"]) == (1007, False, 0)


def test_a_trace_of_copies_is_known_by_its_size(tmp_path: Path) -> None:
    """With words of 4 bytes nobody has to say what it is; without a size in its line that has to be said."""
    words = FRAMES.astype("<u4").tobytes()
    assert "240 copies into RGBA16F 4x1" in told(written(tmp_path, "a.bin", copies(words)))
    path = written(tmp_path, "b.bin", copies(words, line=b"trace"))
    assert "give --width and --height, of which 4 texels would fit" in complaint("dump", path)
    assert "240 copies into RGBA16F 2x2" in told(path, "--width", "2", "--height", "2")
    wrong = complaint("dump", path, "--layout", "copies", "--width", "3", "--height", "1")
    assert "a trace of 3x1 has 5760 of texels behind its line and 240 frame numbers; textures of 4 texels" in wrong
    assert "begins with a line of text" in complaint(
        "dump", written(tmp_path, "c.bin", bytes(99)), "--layout", "copies", "--width", "1", "--height", "1"
    )


def test_a_shader_is_checked_against_its_name(tmp_path: Path) -> None:
    """One file of both, or two files; a key that does not agree is told."""
    control, code = bytes(range(256)) * 9, b"\x07" * 100
    key = hashlib.sha256(control[:0x880] + code).hexdigest()[:16]
    both = written(tmp_path, f"{key}.bin", control + code)
    assert f"key {key}, as its name says: control section of 0x900 bytes, then code" in told(both)
    other = written(tmp_path, f"{'0' * 16}.bin", control + code)
    assert "which no split into control and code gives" in told(other)
    alone = written(tmp_path, "code.bin", code)
    assert f"key {key}" in told(alone, "--control", written(tmp_path, "control.bin", control))


def test_other_bytes_are_shown_as_words(tmp_path: Path) -> None:
    """Uniform buffers have no name that is known."""
    path = written(tmp_path, "uniforms.bin", np.array([1.5, -2], "<f4").tobytes() + b"\0\0\0\1\xff")
    said = told(path)
    assert "nothing says what it holds; as words of 32 bits" in said
    assert "3fc00000  c0000000  01000000" in said
    assert refnvn("dump", path, "--json").json["first_words"] == ["3fc00000", "c0000000", "01000000"]


@pytest.mark.parametrize(
    ("name", "size", "arguments", "words"),
    [
        pytest.param("none.bin", None, (), "No such file", id="missing"),
        pytest.param("a_1.raw", 96, ("--format", "RGBA8"), "no file says --width, --height, --layout", id="not-said"),
        pytest.param("a_1.raw", 96, ("-o", "o.png"), "--format, --width, --height, --layout of these bytes", id="o"),
        pytest.param("a_1.raw", 96, ("--format", "RGBA8", "--width", "4", "--height", "5", "--layout", "rows"),
                     "96 bytes; allowed for plain rows of this texture: 80", id="long"),
        pytest.param("a_1.raw", 96, ("--format", "RGBA8", "--width", "4", "--height", "6", "--layout", "guest"),
                     "4x6, 1 level, lays out in 512; it has the size of plain rows", id="not-guest"),
        pytest.param("a_1.raw", 512, ("--format", "RGBA8", "--width", "4", "--height", "6", "--layout", "guest",
                                      "--stride", "32"), "--stride is for plain rows", id="stride-of-guest"),
        pytest.param("F1_p2_ib2_0.bin", 7, (), "7 bytes of indices; allowed: a multiple of 4", id="indices"),
        pytest.param("F1_p2_vb2_0.bin", 7, ("--format", "RG32F", "--stride", "4"), "fits in the stride", id="vb"),
        pytest.param("zb_1.bin", 7, (), "zb_1.bin: a storage of 7 bytes; allowed", id="blocks"),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_refused(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    size: int | None,
    arguments: tuple[str, ...],
    words: str,
) -> None:
    """One line, and nothing is written."""
    monkeypatch.chdir(tmp_path)
    if size is not None:
        written(tmp_path, name, bytes(size))
    before = files_in(tmp_path)
    assert words in complaint("dump", name, *arguments)
    assert files_in(tmp_path) == before


def test_json_of_every_kind_is_one_object(tmp_path: Path) -> None:
    """Strict JSON, no NaN."""
    path = written(tmp_path, "x.bin", np.array([np.nan], "<f4").tobytes())
    assert json.loads(told(path, "--json"), parse_constant=pytest.fail)["bytes"] == 4


@pytest.mark.parametrize(
    "name",
    ["a_1.png", "a_1.raw", "F1_c3d_2.bin", "F1_p2_vb3_4.bin", "F1_p2_ib0_4.bin", "F1_p2_ib2_4.bin", "zb_1.bin",
     "zbm_1.bin", "log.txt", "0123456789abcdef.bin", "anything"],
)  # fmt: skip
@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
@given(content=st.one_of(st.binary(max_size=200), st.text(max_size=200).map(str.encode), st.just(bytes(3000))))
@example(content=b"")
def test_any_content_is_told_or_refused_in_one_line(tmp_path: Path, name: str, content: bytes) -> None:
    """Whatever the bytes and whatever their name promises."""
    path = written(tmp_path, name, content)
    for more in ((), ("--json",)):
        outcome = refnvn("dump", path, *more)
        assert outcome.code in (0, 2)
        assert bool(outcome.out) is (outcome.code == 0)
        assert outcome.err.count("\n") == (outcome.code == 2)
