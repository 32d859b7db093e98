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
