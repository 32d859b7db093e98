"""A scene is a golden case: recorded once, replayed by the rules it is asked for, one result a readback."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from refnvn.errors import ArgumentError, InputFileError
from refnvn.golden.build import build
from refnvn.golden.bundle import bundle_files
from refnvn.golden.case import GoldenCase, case_named, guest_bytes
from refnvn.golden.result import Image
from refnvn.golden.results_folder import write_results
from refnvn.golden.scene import SceneFunction, replayed, trace_of
from refnvn.nvn.device import Device
from refnvn.nvn.scene import record
from refnvn.nvn.texture import TextureView
from refnvn.rules import registry
from refnvn.rules.fields import NVN, StoreNorm

recorded_scenes: list[str] = []


def half(device: Device) -> None:
    """Clear to one half, which NVIDIA stores as 127 and the nearest even is 128."""
    recorded_scenes.append("half")
    target = device.texture("RGBA8", 4, 2)
    buffer = device.buffer(16)
    commands = device.command_buffer()
    commands.set_render_targets([target])
    commands.clear_color(0, (0.5, 0, 1, 0.5))
    commands.copy_texture_to_buffer(target, None, (0, 0, 2, 1), buffer)
    device.queue().submit(commands)
    target.read_texels("target")
    buffer.read("copied")


def case_of(function: SceneFunction) -> GoldenCase:
    """Return a case that is in no catalogue."""
    return GoldenCase(name="test/half", t_test="t_half", says="One half is 127.", function=function)


def test_a_readback_is_a_result() -> None:
    """Texels are an image of codes, memory is bytes, each by the name it was read under."""
    target, copied = SceneFunction(half, "test/half")(NVN)
    assert (target.name, target.kind, target.array.shape) == ("target", "image", (2, 4, 4))
    assert target.image == Image(format="RGBA8", width_px=4, height_px=2)
    assert target.axes == ("row", "column", "component")
    assert (target.array == (127, 0, 255, 127)).all()
    assert (copied.name, copied.kind) == ("copied", "bytes")
    assert copied.array.tolist() == [127, 0, 255, 127] * 2 + [0] * 8


def test_a_scene_is_recorded_once_and_replayed_by_the_rules() -> None:
    """The rules reach the replay, not the recording."""
    recorded_scenes.clear()
    scene = SceneFunction(half, "test/half")
    other = scene(NVN.with_(store_norm=StoreNorm.NEAREST_EVEN))
    assert (other[0].array == (128, 0, 255, 128)).all()
    assert (scene(NVN)[0].array == (127, 0, 255, 127)).all()
    assert recorded_scenes == ["half"]


def test_every_replay_counts_the_same_rules() -> None:
    """Rules that ran when the scene was recorded count for each replay; those of storage sizes for none."""
    scene = SceneFunction(half, "test/half")
    with registry.collect() as first:
        scene(NVN)
    with registry.collect() as second:
        scene(NVN)
    assert first == second
    assert "NVN-RECORD-1" in first
    assert "LAYOUT-STORAGE-3" not in first


def test_a_built_scene_knows_what_a_port_may_store() -> None:
    """The golden says 127, or 128 in the whole result (run slack), and two builds give the same bytes."""
    golden = build(case_of(SceneFunction(half, "test/half")))
    assert bundle_files(golden) == bundle_files(build(case_of(SceneFunction(half, "test/half"))))
    assert "store_norm" in golden.reached
    choice = [choice.field for choice in golden.choices].index("store_norm")
    outcomes = [one for one in golden.results[0].outcomes if one.choice == choice]
    assert [np.unique(one.array).tolist() for one in outcomes] == [[0, 128, 255]]


def test_a_scene_case_is_in_the_catalogue_with_its_trace() -> None:
    """The decorator registers; the module keeps the plain function."""
    import goldens.clear_tex

    case = case_named("clear_tex/mask")
    assert case.t_test == "t_clear_tex"
    assert trace_of(case) == record(goldens.clear_tex.mask, "clear_tex/mask")
    with pytest.raises(ArgumentError, match="tex_layout/auto_block_height: is no scene"):
        trace_of(case_named("tex_layout/auto_block_height"))


def test_a_scene_that_reads_nothing_is_told() -> None:
    """There would be nothing to compare."""
    with pytest.raises(
        ArgumentError, match="'nothing': reads nothing; read_texels, read, present_texture give results"
    ):
        replayed(record(lambda device: device.set_depth_mode("NEAR_IS_ZERO"), "nothing"))


@pytest.mark.parametrize(
    ("format_name", "arguments", "shape", "axes", "dtype"),
    [
        ("RGBA16F", {}, (3, 5, 4), ("row", "column", "component"), "uint16"),
        ("R32F", {}, (3, 5), ("row", "column"), "uint32"),
        ("RGB565", {}, (3, 5), ("row", "column"), "uint16"),
        ("RGB10A2", {}, (3, 5), ("row", "column"), "uint32"),
        ("DEPTH24_STENCIL8", {}, (3, 5, 4), ("row", "column", "component"), "uint8"),
        ("DEPTH32F_STENCIL8", {}, (3, 5, 8), ("row", "column", "component"), "uint8"),
        ("DEPTH16", {}, (3, 5), ("row", "column"), "uint16"),
        ("RGBA_DXT1", {}, (1, 2, 8), ("row", "column", "component"), "uint8"),
        ("R8", {"depth": 2, "target": "2D_ARRAY"}, (2, 3, 5), ("layer", "row", "column"), "uint8"),
        ("R8", {"depth": 2, "target": "3D"}, (2, 3, 5), ("slice", "row", "column"), "uint8"),
        ("R8", {"target": "1D_ARRAY"}, (3, 1, 5), ("layer", "row", "column"), "uint8"),
        ("RG8", {"target": "2D_MULTISAMPLE", "samples": 4}, (3, 5, 4, 2), ("row", "column", "sample", "component"),
         "uint8"),
    ],
    ids=[
        "halves", "one-component", "packed-16", "packed-32", "depth-and-stencil", "wide-depth-and-stencil", "depth",
        "blocks", "layers", "slices", "1d-layers", "samples",
    ],
)  # fmt: skip
def test_codes_have_the_shape_of_their_format(
    format_name: str, arguments: dict[str, object], shape: tuple[int, ...], axes: tuple[str, ...], dtype: str
) -> None:
    """Components of one width have an axis; packed texels are one number; depth beside stencil is bytes."""

    def scene(device: Device) -> None:
        texture = device.texture(format_name, 5, 3, **arguments)  # type: ignore[arg-type]
        texture.read_texels("texture")

    (result,) = replayed(record(scene))
    assert (result.array.shape, result.axes, result.array.dtype.name) == (shape, axes, dtype)
    assert result.image is not None
    assert result.image.size_B == result.array.nbytes


def test_a_view_decides_what_a_readback_is() -> None:
    """Format, level and layers are the view's."""

    def scene(device: Device) -> None:
        texture = device.texture("RGBA8", 8, 4, 3, target="2D_ARRAY", levels=2)
        texture.read_texels("texture", TextureView().set_levels(1, 1).set_layers(1, 2).set_format("R32UI"))

    (result,) = replayed(record(scene))
    assert result.image == Image(format="R32UI", width_px=4, height_px=2, layers=2)


def test_results_are_written_in_one_step(tmp_path: Path) -> None:
    """An npy or bin for each result, a picture of what has one, and what they are in results.json."""
    folder = tmp_path / "results"
    results = replayed(record(half))
    description = write_results(folder, "half", results, {"NVN-RECORD-1"})
    assert sorted(p.name for p in folder.iterdir()) == ["copied.bin", "results.json", "target.npy", "target.png"]
    assert np.array_equal(np.load(folder / "target.npy"), results[0].array)
    assert (folder / "copied.bin").read_bytes() == results[1].array.tobytes()
    written = json.loads((folder / "results.json").read_bytes())
    assert written == json.loads(json.dumps(description))
    assert (written["refnvn_results"], written["weakest_evidence"]) == (1, "INFERRED")
    assert written["results"][0]["image"]["format"] == "RGBA8"
    write_results(folder, "half", results[1:], ())
    assert sorted(p.name for p in folder.iterdir()) == ["copied.bin", "results.json"]


def test_results_do_not_replace_another_folder(tmp_path: Path) -> None:
    """What is in the way stays as it is."""
    (tmp_path / "photos").mkdir()
    (tmp_path / "photos" / "cat.png").write_bytes(b"cat")
    with pytest.raises(InputFileError, match="photos: is in the way"):
        write_results(tmp_path / "photos", "x", [guest_bytes("x", b"x")], ())
    assert (tmp_path / "photos" / "cat.png").exists()
