"""``refnvn bisect`` of dumps whose names are a host's: what they say, what is assumed, and what is left out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from refnvn.nvn import TextureView, VertexAttribState, VertexStreamState
from refnvn.nvn.device import Device
from refnvn.nvn.scene import record
from refnvn.shader.python import attribute, fragment_shader, vec2, vec4, vertex_shader
from refnvn.trace.files import write_trace
from tests.cli.harness import complaint, noise, refnvn, tiled_by_hand

POINTS = np.zeros(6, "<f4")
INDICES = np.array([0, 1, 2, 0], "<u2")
VOLUME = noise(64, 1).tobytes()
BLOCKS = noise(16 * 4 * 4, 2)


@vertex_shader
def nowhere(place: vec2 = attribute(0)):
    """Place all vertices on one point."""
    return vec4(place, 0.0, 1.0)


@fragment_shader
def white():
    """Return white."""
    return vec4(1.0, 1.0, 1.0, 1.0)


def frame(device: Device) -> None:
    """Clear an RGBA8, a layer of an RGBA16F array and an RG8 target; fill a volume; draw triangles of no area."""
    plain = device.texture("RGBA8", 8, 4, label="albedo")
    layers = device.texture("RGBA16F", 8, 4, 3, target="2D_ARRAY", levels=2)
    volume = device.texture("R8", 4, 4, 4, target="3D")
    blocks = device.texture("RGBA_ASTC_4x4", 16, 16)
    small = device.texture("RG8", 4, 2)
    commands = device.command_buffer()
    commands.set_render_targets([plain])
    commands.clear_color(0, (10 / 255, 20 / 255, 30 / 255, 40 / 255))
    commands.set_viewport(0, 0, 8, 4)
    commands.bind_program(device.program(nowhere, white))
    commands.bind_vertex_attrib_state([VertexAttribState().set_format("RG32F", 0)])
    commands.bind_vertex_stream_state([VertexStreamState().set_stride(8)])
    commands.bind_vertex_buffer(0, device.buffer(POINTS))
    commands.draw_arrays("TRIANGLES", 0, 3)
    commands.set_render_targets([layers], [TextureView().set_layers(1, 1).set_levels(1, 1)])
    commands.clear_color(0, (0.5, 1, 2, -1))
    commands.draw_elements("TRIANGLES", "SHORT", 4, device.buffer(INDICES))
    commands.copy_buffer_to_texture(device.buffer(VOLUME), volume)
    blocks.write_texels(BLOCKS)
    commands.set_render_targets([small])
    commands.clear_color(0, (1, 0, 0, 1))
    device.queue().submit(commands)
    plain.read_texels("end")


@pytest.fixture
def trace(tmp_path: Path) -> Path:
    """Write the trace of the frame."""
    path = tmp_path / "frame.zip"
    write_trace(path, record(frame, "frame"))
    return path


def picture(path: Path, *code: int, size: tuple[int, int] = (8, 4)) -> None:
    """Write a picture of one colour."""
    Image.fromarray(np.full((size[1], size[0], len(code)), code, np.uint8)).save(path)


def dumped(folder: Path) -> Path:
    """Write a dump of everything that has a name, all of it right."""
    folder.mkdir()
    picture(folder / "f_1000.png", 10, 20, 30, 255)  # a host's picture is opaque
    halves = np.array([0.5, 1, 2, -1], "<f2")
    (folder / "f_1211.png.raw").write_bytes(np.tile(halves, 4 * 2).tobytes())
    picture(folder / "f_1211.png", 1, 2, 3, size=(4, 2))
    (folder / "F7_p0_vb0_1a0.bin").write_bytes(POINTS.tobytes())
    (folder / "F7_p1_ib1_2a0.bin").write_bytes(INDICES.tobytes())
    (folder / "F7_c3d_15.bin").write_bytes(VOLUME)
    (folder / "zb_18.bin").write_bytes(tiled_by_hand(BLOCKS.reshape(4, 64), 1))
    (folder / "zbm_18.bin").write_bytes(b"\1")
    (folder / "g_2100.raw").write_bytes(np.full(8, 0x00FF, "<u2").tobytes())
    (folder / "notes.txt").write_text("x")
    return folder


def test_dumps_that_are_right_are_told_so(trace, tmp_path):
    """Each file is found its place; what no name says is listed, and so is every file that says nothing."""
    found = refnvn("bisect", trace, dumped(tmp_path / "d"), "--json").json
    assert (found["compared"], found["parts"]) == (7, False)
    said = "\n".join(found["assumed"])
    assert "serial 10 is texture 0 'albedo', RGBA8 8x4: serials rise as the textures of the trace do" in said
    assert "serial 18 is texture 3, RGBA_ASTC_4x4 16x16" in said
    assert "colour targets and storage were dumped after command" in said
    assert "passes count from 0" in said
    assert "a picture of RGBA8 does not keep component A; it is taken as right" in said
    assert [one.split(":")[0] for one in found["left_out"]] == ["f_1211.png", "notes.txt", "zbm_18.bin"]
    people = refnvn("bisect", trace, tmp_path / "d")
    assert people.code == 0
    assert people.out.startswith("assumed:\n")
    assert people.out.endswith("\nall 7 readbacks are the same or permitted\n")


@pytest.mark.parametrize(
    ("name", "content", "command"),
    [
        pytest.param(
            "f_1211.raw", np.tile(np.array([0.5, 1, 2, 1], "<f2"), 8).tobytes(), "SetRenderTargets", id="target"
        ),
        pytest.param("F7_p0_vb0_1a0.bin", np.ones(6, "<f4").tobytes(), "BindVertexBuffer", id="vertices"),
        pytest.param("F7_p1_ib1_2a0.bin", np.array([0, 1, 2, 3], "<u2").tobytes(), "DrawArrays", id="indices"),
        pytest.param("F7_c3d_15.bin", noise(64, 9).tobytes(), "DrawElements", id="volume"),
        pytest.param("g_2100.raw", np.full(8, 0xFF00, "<u2").tobytes(), "ClearColor", id="last"),
    ],
)
def test_the_one_that_is_wrong_is_named(trace, tmp_path, name, content, command):
    """Exit 1, its name, and the commands until then."""
    folder = dumped(tmp_path / "d")
    if name.startswith("f_1211"):
        (folder / "f_1211.png.raw").unlink()
    (folder / name).write_bytes(content)
    found = refnvn("bisect", trace, folder, "--json")
    assert (found.code, found.json["file"]) == (1, name)
    assert command in [one["command"].split()[-1] for one in found.json["suspects"]]


def test_pictures_of_colours_are_compared(trace, tmp_path):
    """Green is off by one: red, green and blue count, and alpha does not."""
    folder = dumped(tmp_path / "d")
    picture(folder / "f_1000.png", 10, 21, 30)
    assert refnvn("bisect", trace, folder, "--json").json["file"] == "f_1000.png"


def test_a_serial_that_is_told_need_not_rise(trace, tmp_path):
    """The last target with the lowest serial: left out until the user says so."""
    folder = tmp_path / "d"
    folder.mkdir()
    picture(folder / "x_900.png", 10, 20, 30)
    (folder / "z_300.raw").write_bytes(np.full(8, 0x00FF, "<u2").tobytes())
    assert "z_300.raw: serial 3 is no texture where serials rise" in complaint("bisect", trace, folder)
    told = refnvn("bisect", trace, folder, "--texture", "3=4", "--texture", "9=0", "--json").json
    assert (told["compared"], told["left_out"]) == (2, [])


def test_a_picture_is_of_no_multisample_target(tmp_path):
    """It is left out beside one of its size, and the rest is compared; what is no colour target has to be said."""

    def scene(device: Device) -> None:
        several = device.texture("RGBA8", 8, 4, samples=4, target="2D_MULTISAMPLE")
        resolved, small = device.texture("RGBA8", 8, 4), device.texture("R8", 4, 4)
        commands = device.command_buffer()
        for target, red in ((several, 10 / 255), (small, 1)):
            commands.set_render_targets([target])
            commands.clear_color(0, (red, 20 / 255, 30 / 255, 1))
        commands.downsample(several, resolved)
        device.queue().submit(commands)
        small.read_texels("small")

    write_trace(tmp_path / "scene.zip", record(scene))
    folder = tmp_path / "d"
    folder.mkdir()
    picture(folder / "x_900.png", 10, 20, 30)
    (folder / "x_1000.raw").write_bytes(b"\xff" * 16)
    found = refnvn("bisect", tmp_path / "scene.zip", folder, "--json").json
    assert (found["compared"], found["parts"]) == (1, False)
    assert found["left_out"] == ["x_900.png: no colour target of the trace has such a layer and level, of 8x4"]
    for texture, compared in (("9=0", 1), ("9=1", 2)):
        answer = refnvn("bisect", tmp_path / "scene.zip", folder, "--texture", texture, "--json")
        assert (answer.code, answer.json["compared"]) == (0, compared)
    (folder / "x_900.raw").write_bytes(bytes([10, 20, 30, 255]) * 32)
    answer = refnvn("bisect", tmp_path / "scene.zip", folder, "--texture", "9=1", "--json").json
    assert (answer["compared"], [one.split(":")[0] for one in answer["left_out"]]) == (2, ["x_900.png"])


def test_what_may_be_several_textures_is_left_out(trace, tmp_path):
    """A picture of 8x4 may be of the RGBA8 target or of level 0 of the array."""
    folder = tmp_path / "d"
    folder.mkdir()
    picture(folder / "x_900.png", 10, 20, 30)
    assert "x_900.png: serial 9 may be any of the textures 0, 1" in complaint("bisect", trace, folder)
    assert refnvn("bisect", trace, folder, "--texture", "9=0").code == 0


def listed(folder: Path, content: bytes, **entry: Any) -> Path:
    """Write one dump and its list."""
    folder.mkdir()
    (folder / "a.bin").write_bytes(content)
    entries = [{"file": "a.bin", "after": 4, "texture": 0, **entry}]
    (folder / "readbacks.json").write_text(json.dumps({"refnvn_readbacks": 1, "readbacks": entries}))
    return folder


ROWS = np.full((4, 8, 4), (10, 20, 30, 40), np.uint8)


@pytest.mark.parametrize(
    ("content", "entry", "assumed"),
    [
        pytest.param(ROWS.tobytes(), {}, [], id="plain"),
        pytest.param(np.pad(ROWS, ((0, 0), (0, 8), (0, 0))).tobytes(), {},
                     ["a.bin: rows lie 64 bytes apart, of which 32 are texels"], id="pitch"),
        pytest.param(np.pad(ROWS, ((0, 3), (0, 2), (0, 0))).tobytes(), {"width": 10, "height": 7}, [], id="larger"),
        pytest.param(ROWS[..., [2, 1, 0, 3]].tobytes(), {"format": "BGRA8"}, [], id="order"),
        pytest.param(tiled_by_hand(np.pad(ROWS.reshape(4, 32), ((0, 0), (0, 32))), 1), {"layout": "guest"}, [],
                     id="guest"),
    ],
)  # fmt: skip
def test_what_is_said_of_raw_bytes_is_used(trace, tmp_path, content, entry, assumed):
    """Rows at a pitch that hosts use, larger rows, another order of components, block-linear bytes."""
    folder = listed(tmp_path / "d", content, **entry)
    found = refnvn("bisect", trace, folder, "--json")
    assert (found.code, found.json["assumed"]) == (0, assumed)
    if entry:
        (folder / "readbacks.json").write_text(json.dumps(
            {"refnvn_readbacks": 1, "readbacks": [{"file": "a.bin", "after": 4, "texture": 0}]}
        ))  # fmt: skip
        options = [text for name, value in entry.items() for text in (f"--{name}", value)]
        assert refnvn("bisect", trace, folder, *options).code == 0


@pytest.mark.parametrize(
    ("size_B", "entry", "words"),
    [
        (256 * 8, {}, "2048 bytes given, 128 expected; would fit: 64 rows of this width"),
        (512, {}, "would fit: texels of 16 bytes (RGBA32F, RGBA32UI, RGBA32I, ...); as block-linear bytes RGBA8 8x4"),
        (100, {}, "it is cut off: 78 % of it are there"),
        (100, {"layout": "guest"}, "the whole texture has 512 as block-linear bytes (RGBA8 8x4)"),
        (128, {"format": "RGB10A2"}, "one with the components of RGBA8 in any order"),
        (64, {"width": 4}, "4x4 texels or blocks; the level has 8x4"),
        (64, {"format": "NOPE"}, "NOPE"),
    ],
)
def test_raw_bytes_that_do_not_fit_are_one_line(trace, tmp_path, size_B, entry, words):
    """And the line says what would."""
    assert words in complaint("bisect", trace, listed(tmp_path / "d", bytes(size_B), **entry))


def test_folders_of_nothing_are_one_line(trace, tmp_path):
    """No file, only files that say nothing, a serial or a texture that cannot be."""
    folder = tmp_path / "d"
    folder.mkdir()
    assert "it is empty" in complaint("bisect", trace, folder)
    (folder / "uniforms.bin").write_bytes(b"x")
    (folder / "F7_p9_vb0_1.bin").write_bytes(b"x")
    said = complaint("bisect", trace, folder)
    assert "no readbacks.json, and no file that is a readback by name" in said
    assert "F7_p9_vb0_1.bin: pass 9; the trace has 3, from 0" in said
    assert "uniforms.bin: its name says nothing" in said
    assert "allowed is SERIAL=INDEX" in complaint("bisect", trace, folder, "--texture", "x=1")
    assert "serial 3 is texture 99; the trace has 5" in complaint("bisect", trace, folder, "--texture", "3=99")
    assert "readbacks.json" in complaint("bisect", trace, tmp_path / "none")


def test_a_picture_of_a_float_target_is_refused(trace, tmp_path):
    """Its tones are mapped: codes are in the raw file."""
    folder = tmp_path / "d"
    folder.mkdir()
    picture(folder / "f_1211.png", 1, 2, 3, size=(4, 2))
    assert "RGBA16F: a PNG of 8 bits does not hold its codes; give npy" in complaint("bisect", trace, folder)
