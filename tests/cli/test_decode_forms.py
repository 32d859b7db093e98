"""``refnvn decode`` and ``detile``: one call or two, every form, and the one image that is asked for."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from refnvn.containers.dds import read_dds
from refnvn.containers.ktx2 import read_ktx2
from refnvn.containers.npy import read_npy
from refnvn.containers.pfm import read_pfm
from refnvn.containers.surface import Kind, Surfaces
from refnvn.formats.table import Use, formats
from tests.cli.harness import complaint, noise, refnvn

CUBE = ("--format", "RG8", "--size", "8x8", "--target", "cubemap", "--levels", "2")
SLAB = ("--format", "R16F", "--size", "12x8x5", "--levels", "3")
WHOLE_SAMPLED = [one.name for one in formats().values() if one.has(Use.TEXTURE) and one.bytes_per_block != 12]
"""Texels of 96 bits are for buffers alone."""


def tiled(folder: Path, texture: tuple[str, ...], name: str = "dump.bin") -> Path:
    """Write noise in the size of a texture's layout and return where."""
    size_B = refnvn("layout", *texture, "--json").json["size_B"]
    (folder / name).write_bytes(noise(size_B, seed=3).tobytes())
    return folder / name


def ran(*arguments: object) -> None:
    """Run a command that must succeed and complain of nothing."""
    outcome = refnvn(*arguments)
    assert (outcome.code, outcome.err) == (0, ""), outcome


@pytest.mark.parametrize("fmt", WHOLE_SAMPLED)
def test_one_call_is_the_two_calls(tmp_path: Path, fmt: str) -> None:
    """Of every sampled format: detile and decode at once give the file that detile, then decode give."""
    texture = ("--format", fmt, "--size", "21x13", "--levels", "2", "--layers", "2")
    dump = tiled(tmp_path, texture)
    ran("detile", dump, *texture, "-o", tmp_path / "rows.bin")
    for ending, choice in (("npy", ("--level", "1", "--layer", "1")), ("ktx2", ()), ("png", ())):
        if ending == "png" and fmt.startswith("RGBA_ASTC"):
            continue  # the values have been compared; a preview of them is slow
        one, two = tmp_path / f"one.{ending}", tmp_path / f"two.{ending}"
        ran("decode", dump, "--tiled", *texture, *choice, "-o", one)
        ran("decode", tmp_path / "rows.bin", *texture, *choice, "-o", two)
        assert one.read_bytes() == two.read_bytes()


@pytest.mark.parametrize(("ending", "read"), [(".dds", read_dds), (".ktx2", read_ktx2)])
@pytest.mark.parametrize(
    ("fmt", "wide", "dtype"),
    [
        pytest.param("RGBA_DXT5", "RGBA32F", "<f4", id="blocks"),
        pytest.param("RG16UI", "RGBA32UI", "<u4", id="unsigned"),
        pytest.param("R8I", "RGBA32I", "<i4", id="signed"),
    ],
)
def test_a_container_of_values_holds_all_levels_and_layers(
    tmp_path: Path, ending: str, read: object, fmt: str, wide: str, dtype: str
) -> None:
    """Decoding to DDS or KTX2 gives four components of 32 bits, equal to the npy of each image."""
    texture = ("--format", fmt, "--size", "20x12", "--levels", "3", "--layers", "2")
    dump = tiled(tmp_path, texture)
    ran("decode", dump, "--tiled", *texture, "-o", tmp_path / f"all{ending}")
    found = read(tmp_path / f"all{ending}")  # type: ignore[operator]
    assert isinstance(found, Surfaces)
    assert (found.format, found.layers, found.levels, found.is_array) == (wide, 2, 3, True)
    for layer in range(2):
        for level in range(3):
            one = tmp_path / "one.npy"
            ran("decode", dump, "--tiled", *texture, "--level", level, "--layer", layer, "-o", one)
            values = np.frombuffer(found.parts[layer][level], dtype).reshape(read_npy(one).shape)
            assert values.tobytes() == read_npy(one).tobytes()


@pytest.mark.parametrize(("place", "face"), list(enumerate(("+X", "-X", "+Y", "-Y", "+Z", "-z"))))
def test_a_face_is_its_layer(tmp_path: Path, place: int, face: str) -> None:
    """Faces count +X, -X, +Y, -Y, +Z, -Z, as layers of a cube do; one of them is a 2D texture."""
    dump = tiled(tmp_path, CUBE)
    ran("detile", dump, *CUBE, "--face", face, "-o", tmp_path / "face.dds")
    ran("detile", dump, *CUBE, "--layer", place, "-o", tmp_path / "layer.dds")
    ran("detile", dump, *CUBE, "-o", tmp_path / "cube.dds")
    whole, one = read_dds(tmp_path / "cube.dds"), read_dds(tmp_path / "face.dds")
    assert (tmp_path / "face.dds").read_bytes() == (tmp_path / "layer.dds").read_bytes()
    assert (one.kind, one.layers, one.parts) == (Kind.TWO_D, 1, (whole.parts[place],))


def test_a_face_of_a_cube_of_an_array(tmp_path: Path) -> None:
    """Cube 1, face +Y is layer-face 8."""
    cubes = ("--format", "R8", "--size", "8x8", "--target", "cubemap-array", "--layers", "12")
    dump = tiled(tmp_path, cubes)
    ran("detile", dump, *cubes, "--face", "+Y", "--cube", "1", "-o", tmp_path / "a.bin")
    ran("detile", dump, *cubes, "--layer", "8", "-o", tmp_path / "b.bin")
    assert (tmp_path / "a.bin").read_bytes() == (tmp_path / "b.bin").read_bytes()


def test_a_slice_is_a_flat_texture(tmp_path: Path) -> None:
    """Slice 1 of a slab of 5 has levels 0 and 1, level 2 has one slice alone; each form takes just that slice."""
    dump = tiled(tmp_path, SLAB)
    ran("detile", dump, *SLAB, "-o", tmp_path / "slab.ktx2")
    for command in ("detile", "decode --tiled"):
        ran(*command.split(), dump, *SLAB, "--slice", "1", "-o", tmp_path / "one.ktx2")
        one = read_ktx2(tmp_path / "one.ktx2")
        assert (one.kind, one.depth, one.levels, one.width_px) == (Kind.TWO_D, 1, 2, 12)
    ran("detile", dump, *SLAB, "--slice", "1", "-o", tmp_path / "one.ktx2")
    whole = read_ktx2(tmp_path / "slab.ktx2").parts[0]
    assert read_ktx2(tmp_path / "one.ktx2").parts == ((whole[0][192:384], whole[1][48:96]),)
    ran("decode", dump, "--tiled", *SLAB, "--slice", "1", "-o", tmp_path / "one.npy")
    ran("decode", dump, "--tiled", *SLAB, "--slice", "1", "-o", tmp_path / "one.pfm")
    halves = np.frombuffer(whole[0][192:384], np.float16).reshape(8, 12).astype(np.float32)
    values = read_npy(tmp_path / "one.npy")
    assert values.shape == (1, 8, 12, 4)
    assert values[0, ..., 0].tobytes() == halves.tobytes()
    assert read_pfm(tmp_path / "one.pfm")[..., 0].tobytes() == halves.tobytes()


def test_stencil_is_read_as_a_texture_of_its_own(tmp_path: Path) -> None:
    """``--stencil`` gives what a view of the stencil reads: an integer, 0, 0, 1."""
    texture = ("--format", "DEPTH24_STENCIL8", "--size", "16x16")
    codes = noise(16 * 16 * 4).reshape(1, 16, 16, 4)
    (tmp_path / "rows.bin").write_bytes(codes.tobytes())
    ran("decode", tmp_path / "rows.bin", *texture, "--stencil", "-o", tmp_path / "s.npy")
    values = read_npy(tmp_path / "s.npy")
    assert values.dtype == np.uint32
    assert (values[..., 0] == codes[..., 0]).all()
    assert (values[..., 1:] == [0, 0, 1]).all()


def test_a_sheet_shows_everything_under_labels(tmp_path: Path) -> None:
    """Six faces in two levels: twelve pictures, each below a white band with its label."""
    dump = tiled(tmp_path, CUBE)
    for command in (("detile",), ("decode", "--tiled")):
        ran(*command, dump, *CUBE, "--sheet", "-o", tmp_path / "sheet.png")
        with Image.open(tmp_path / "sheet.png") as picture:
            pixels = np.array(picture)
        bands = (pixels[:, :, :3] == 255).all(axis=2) & (pixels[..., 3] == 255)
        starts = np.flatnonzero(bands[:, 0] & ~np.roll(bands[:, 0], 1))
        assert len(starts) == 6
        assert all(bands[y, 0] and bands[y, -1] for y in starts)


def test_the_form_can_be_said_instead_of_an_output(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """``--to FORM`` writes beside the user, under the file's name with that ending."""
    dump = tiled(tmp_path, CUBE)
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    ran("detile", dump, *CUBE, "--to", "dds")
    ran("decode", dump, "--tiled", *CUBE, "--to", "npy", "-o", "other.npy")
    assert sorted(path.name for path in Path().iterdir()) == ["dump.dds", "other.npy"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        pytest.param(("--face", "+X", "--layer", "1", "-o", "o.png"), "give that or --face", id="face-and-layer"),
        pytest.param(("--face", "up", "-o", "o.png"), "'up' is not one of", id="no-face"),
        pytest.param(("--face", "+X", "--cube", "1", "-o", "o.png"), "cube 1 is not in 0..0", id="no-cube"),
        pytest.param(("--cube", "0", "-o", "o.png"), "--cube says which cube --face is of", id="cube-alone"),
        pytest.param(("--level", "2", "-o", "o.png"), "level 2 is not in 0..1", id="no-level"),
        pytest.param(("--layer", "6", "-o", "o.png"), "layer 6 is not in 0..5", id="no-layer"),
        pytest.param(("--slice", "1", "-o", "o.png"), "slice 1 is not in 0..0 of level 0", id="no-slice"),
        pytest.param(("--slice", "-1", "-o", "o.png"), "slice -1 is not in 0..0", id="before-slices"),
        pytest.param(("--stencil", "-o", "o.png"), "NVN_FORMAT_RG8 has no stencil", id="no-stencil"),
        pytest.param(("--sheet", "-o", "o.npy"), "--sheet is for pictures", id="sheet-of-values"),
        pytest.param((), "where to write is not said", id="no-output"),
        pytest.param(("--to", "png", "-o", "o.dds"), "name different forms", id="two-forms"),
        pytest.param(("--to", "exr"), "'exr' is not one of", id="unknown-form"),
    ],
)
def test_what_is_not_there_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], words: str
) -> None:
    """One line, and nothing is written."""
    dump = tiled(tmp_path, CUBE)
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    assert words in complaint("decode", dump, "--tiled", *CUBE, *arguments)
    assert list(Path().iterdir()) == []


def test_options_of_guest_bytes_need_guest_bytes(tmp_path: Path) -> None:
    """``--start`` and ``--allow-rest`` without ``--tiled`` would be ignored, so they are refused."""
    for option in (("--start", "4"), ("--allow-rest",)):
        said = complaint("decode", tiled(tmp_path, CUBE), *CUBE, *option, "-o", tmp_path / "o.npy")
        assert "are for block-linear bytes" in said


def test_a_face_needs_a_cube(tmp_path: Path) -> None:
    """A 2D array has layers."""
    texture = ("--format", "R8", "--size", "8x8", "--layers", "6")
    said = complaint("detile", tiled(tmp_path, texture), *texture, "--face", "+X", "-o", tmp_path / "o.png")
    assert "TARGET_2D_ARRAY has no faces; use --layer" in said


@pytest.mark.parametrize("fmt", ["RGBA8", "BPTC_UNORM"])
def test_another_viewer_opens_a_whole_chain(tmp_path: Path, fmt: str) -> None:
    """Pillow opens a DDS of all levels and layers, and sees what our picture of level 0, layer 0 shows."""
    texture = ("--format", fmt, "--size", "20x12", "--levels", "3", "--layers", "2")
    dump = tiled(tmp_path, texture)
    ran("detile", dump, *texture, "-o", tmp_path / "all.dds")
    ran("decode", dump, "--tiled", *texture, "-o", tmp_path / "one.png")
    with Image.open(tmp_path / "all.dds") as theirs, Image.open(tmp_path / "one.png") as ours:
        assert (np.array(theirs.convert("RGBA")) == np.array(ours)).all()
