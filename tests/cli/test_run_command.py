"""``refnvn run``: scenes and traces to results; the trace of a scene gives the scene's results."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from tests.cli.harness import complaint, refnvn
from tests.trace.traces_by_hand import whole_trace, write_folder


@pytest.mark.parametrize("trace", ["mask.zip", "mask"], ids=["zip", "folder"])
def test_a_scene_and_its_trace_give_the_same(tmp_path: Path, trace: str) -> None:
    """Every file of the results is equal byte for byte."""
    scene, again = tmp_path / "scene", tmp_path / "again"
    assert refnvn("run", "clear_tex/mask", "-o", scene, "--trace", tmp_path / trace).code == 0
    assert refnvn("run", tmp_path / trace, "-o", again).code == 0
    names = sorted(p.name for p in scene.iterdir())
    assert names == ["results.json", "target.npy", "target.png"]
    for name in names[1:]:
        assert (scene / name).read_bytes() == (again / name).read_bytes()
    # A scene also counts the rules of recording.
    first, second = (json.loads((p / "results.json").read_bytes()) for p in (scene, again))
    assert set(second.pop("rules")) <= set(first.pop("rules"))
    assert first["results"] == second["results"]
    assert first["name"] == second["name"] == "clear_tex/mask"


def test_a_golden_that_is_no_scene_runs_too(tmp_path: Path) -> None:
    """Tables become npy; there is no trace to write."""
    assert refnvn("run", "tex_layout/auto_block_height", "-o", tmp_path / "r").code == 0
    assert len(list((tmp_path / "r").glob("*.npy"))) >= 1
    message = complaint("run", "tex_layout/auto_block_height", "-o", tmp_path / "s", "--trace", tmp_path / "t")
    assert "is no scene, it has no trace" in message
    assert not (tmp_path / "s").exists()


def test_json_is_what_the_folder_says(tmp_path: Path) -> None:
    """One object on standard output, with the output's path."""
    outcome = refnvn("run", "clear_tex/mask", "-o", tmp_path / "r", "--json")
    written = json.loads((tmp_path / "r" / "results.json").read_bytes())
    assert outcome.json == {"output": str(tmp_path / "r"), **written}


def test_people_see_a_table(tmp_path: Path) -> None:
    """Name, kind and size of each result."""
    outcome = refnvn("run", "clear_tex/mask", "-o", tmp_path / "r")
    assert "target  image  RGBA8 8x4" in outcome.out
    assert np.load(tmp_path / "r" / "target.npy").shape == (4, 8, 4)


def test_weak_evidence_is_said_when_asked_for(tmp_path: Path) -> None:
    """A scene rests on the inferred rule that commands copy their textures."""
    assert refnvn("run", "clear_tex/mask", "-o", tmp_path / "r", "--strict-evidence").code == 3


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("missing.zip", "missing.zip: is missing; allowed are a trace's folder or zip, or a golden's name"),
        ("./missing", "is missing; allowed are"),
        ("clear_tex/maks", "no such golden; close are clear_tex/mask"),
    ],
    ids=["zip", "folder", "scene"],
)
def test_what_is_not_there_is_told(tmp_path: Path, source: str, message: str) -> None:
    """One line says what may be run."""
    assert message in complaint("run", source, "-o", tmp_path / "r")


def test_a_bad_trace_writes_nothing(tmp_path: Path) -> None:
    """The line names the file and the place in it."""
    trace, blobs = whole_trace()
    trace["command_buffers"][0][1]["index"] = 8
    folder = write_folder(tmp_path / "t", trace, blobs)
    message = complaint("run", folder, "-o", tmp_path / "r")
    assert "t/trace.json: Expected `int` <= 7 - at `$.command_buffers[0][1].index`" in message
    assert not (tmp_path / "r").exists()


def zip_of_a_trace(path: Path) -> Path:
    """Write the trace of a scene as a zip."""
    assert refnvn("run", "clear_tex/mask", "-o", path.parent / "first", "--trace", path).code == 0
    return path


@pytest.mark.parametrize("manifest", ["{}", '{"refnvn_results": 1, "results": []}', None])
def test_a_folder_with_the_input_is_not_replaced(tmp_path: Path, manifest: str | None) -> None:
    """Whatever else the folder holds, the input in it stays."""
    (tmp_path / "work").mkdir()
    source = zip_of_a_trace(tmp_path / "t.zip").rename(tmp_path / "work" / "t.zip")
    if manifest is not None:
        (tmp_path / "work" / "results.json").write_text(manifest)
    assert "work: holds " in complaint("run", source, "-o", tmp_path / "work")
    assert source.is_file()


@pytest.mark.parametrize(
    ("manifest", "other", "message"),
    [
        ("{}", "photo.png", "its results.json is not one of refnvn's"),
        ('{"refnvn_results": 1, "results": []}', "photo.png", "'photo.png' in it is not listed in its results.json"),
        ('{"refnvn_results": 1, "results": []}', "deep/down/photo.png", "'deep/down/photo.png' in it is not listed"),
    ],
    ids=["not-ours", "not-listed", "not-listed-below"],
)
def test_what_results_do_not_list_is_not_lost(tmp_path: Path, manifest: str, other: str, message: str) -> None:
    """A folder is replaced only where its own results.json lists all that is in it."""
    folder = tmp_path / "work"
    (folder / other).parent.mkdir(parents=True)
    (folder / other).write_bytes(b"mine")
    (folder / "results.json").write_text(manifest)
    assert message in complaint("run", "clear_tex/mask", "-o", folder)
    assert (folder / other).read_bytes() == b"mine"


def test_results_replace_results(tmp_path: Path) -> None:
    """Pictures too, which results.json does not name."""
    for _ in range(2):
        assert refnvn("run", "clear_tex/mask", "-o", tmp_path / "r", "--trace", tmp_path / "t").code == 0


@pytest.mark.parametrize(
    ("output", "trace", "message"),
    [
        ("r", "r/t.zip", "t.zip: lies in"),
        ("r", "r/t", "t: lies in"),
        ("t/r", "t", "t: holds"),
        ("r", "r", "is an input"),
    ],
    ids=["zip-inside", "folder-inside", "results-inside", "same"],
)
def test_results_and_trace_lie_apart(tmp_path: Path, output: str, trace: str, message: str) -> None:
    """Neither is written into the other, which would delete it or make it no trace."""
    for folder in ("r", "t"):
        (tmp_path / folder).mkdir()
    assert message in complaint("run", "clear_tex/mask", "-o", tmp_path / output, "--trace", tmp_path / trace)


def test_a_trace_replaces_nothing_that_it_does_not_list(tmp_path: Path) -> None:
    """The same holds for the folder of ``--trace``, before anything is run."""
    folder = write_folder(tmp_path / "t", *whole_trace())
    (folder / "notes.txt").write_text("mine")
    message = complaint("run", "clear_tex/mask", "-o", tmp_path / "r", "--trace", folder)
    assert "'notes.txt' in it is not listed in its trace.json" in message
    assert not (tmp_path / "r").exists()


@pytest.mark.parametrize("output", [".", "..", "/"])
def test_an_output_ends_in_a_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, output: str) -> None:
    """The folder that one is in is not replaced."""
    monkeypatch.chdir(tmp_path)
    assert "allowed is a path that ends in a name" in complaint("run", "clear_tex/mask", "-o", output)


def test_links_that_go_in_a_circle_are_told(tmp_path: Path) -> None:
    """In a trace and as an output."""
    folder = write_folder(tmp_path / "t", *whole_trace())
    (folder / "blobs" / "loop.bin").symlink_to("loop.bin")
    assert "blobs/loop.bin" in complaint("run", folder, "-o", tmp_path / "r")
    (tmp_path / "loop").symlink_to("loop")
    complaint("run", folder, "-o", tmp_path / "loop")
    complaint("run", tmp_path / "loop", "-o", tmp_path / "r")


def test_what_fails_while_it_runs_names_the_file(tmp_path: Path) -> None:
    """A trace that reads nothing passes every check and still cannot be run."""
    folder = write_folder(tmp_path / "t", {"refnvn_trace": 1}, {})
    assert f"{folder}: recording ''" in complaint("run", folder, "-o", tmp_path / "r")


def test_nothing_at_the_end_of_a_pool_is_filled_and_copied(tmp_path: Path) -> None:
    """Ranges of no bytes do nothing, wherever they are: what the check lets through runs."""
    base = 1 << 34
    end = base + 4096
    trace = {
        "refnvn_trace": 1,
        "pools": [{"size_B": 4096}],
        "command_buffers": [
            [
                {"command": "ClearBuffer", "address": end, "size_B": 0, "value": 1},
                {"command": "CopyBufferToBuffer", "source": end, "destination": base, "size_B": 0},
                {"command": "CopyBufferToBuffer", "source": base, "destination": end, "size_B": 0},
            ]
        ],
        "timeline": [
            {"event": "Submit", "command_buffers": [0]},
            {"event": "ReadMemory", "name": "memory", "pool": 0, "offset_B": 0, "size_B": 4096},
        ],
    }
    assert refnvn("run", write_folder(tmp_path / "t", trace, {}), "-o", tmp_path / "r").code == 0
    assert (tmp_path / "r" / "memory.bin").read_bytes() == bytes(4096)


def test_results_are_not_written_into_the_trace_that_gives_them(tmp_path: Path) -> None:
    """A trace holds nothing else, or it is none any more."""
    folder = write_folder(tmp_path / "t", *whole_trace())
    assert "r: lies in" in complaint("run", folder, "-o", folder / "r")
    assert not (folder / "r").exists()
