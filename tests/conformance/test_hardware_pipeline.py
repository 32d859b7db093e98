"""The measured family of random pipelines, where every fixed function meets every other."""

import gzip
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from refnvn.conformance.pipeline_contents import hashed
from refnvn.conformance.report import Report
from refnvn.conformance.run import run
from refnvn.conformance.vector_file import VectorFile
from refnvn.errors import InputFileError

FOLDER = Path(__file__).parents[1] / "data" / "hardware_pipeline"


@pytest.fixture(scope="module")
def report() -> Report:
    """Score the sample once."""
    return run([FOLDER])


def counted(report: Report, field: str, group: str) -> int:
    """Return a count of a group."""
    return sum(int(getattr(a, field)) for f in report.files for a in f.arrays if a.array == group)


@pytest.mark.rule("RASTER-ORDER-1", "RASTER-ORDER-2", "RASTER-EARLY-1", "RASTER-MERGE-1", "RASTER-WINDOW-1")
@pytest.mark.rule("PRIMITIVE-ID-1", "RASTER-BLEND-11")
def test_closed_pipelines_are_equal(report: Report) -> None:
    """All texels and counters of every pipeline whose results rest on closed rules."""
    assert counted(report, "cases", "closed") == 403
    assert counted(report, "equal", "closed") == 403


@pytest.mark.rule("RASTER-CLIP-8", "RASTER-DEPTH-3", "PRIMITIVE-MODE-3")
def test_pipelines_of_other_seeds_are_equal() -> None:
    """205 more; some alone show triangles beyond a side or the scissor, and where depth clamp ends."""
    more = run([FOLDER.with_name("hardware_pipeline_more")])
    assert counted(more, "cases", "closed") == counted(more, "equal", "closed") == 204


def test_pipelines_with_interpolated_values_are_as_good_as_planes_are(report: Report) -> None:
    """56 more, of which 5 differ in the last bits of a depth or an interpolated colour."""
    assert counted(report, "cases", "interpolated") == 56
    assert counted(report, "wrong", "interpolated") == 5


def test_no_pipeline_is_left_out_without_a_reason(report: Report) -> None:
    """The other 20 of 479 draw round points."""
    (reason,) = [a.reason for f in report.files for a in f.arrays if a.array == "round points"]
    assert reason.startswith("20 pipelines draw plain points")
    assert len(VectorFile(FOLDER / "pipeline.json.gz").json["cases"]) == 403 + 56 + 20


def test_initial_words_are_those_of_the_generator() -> None:
    """The mix of seed 1 and place 0: 0x85EBCA77 + 0x01234567 is 0x870F0FDE, mixed by hand."""
    x = 0x870F0FDE
    x ^= x >> 16
    x = x * 0x7FEB352D & 0xFFFFFFFF
    x ^= x >> 15
    x = x * 0x846CA68B & 0xFFFFFFFF
    assert int(hashed(1, np.zeros(1, np.uint32))[0]) == x ^ x >> 16


# --------------------------------------------------------------------------------------- hostile files

Change = Callable[[dict[str, Any]], None]


def changed(folder: Path, change: Change) -> Path:
    """Copy the sample with its first case changed, and leave out the others."""
    text = gzip.decompress((FOLDER / "pipeline.json.gz").read_bytes())
    told = json.loads(text)
    told["cases"] = told["cases"][:1]
    change(told["cases"][0])
    path = folder / "pipeline.json.gz"
    path.write_bytes(gzip.compress(json.dumps(told).encode()))
    shutil.copy(FOLDER / "pipeline.npz", folder)
    return path


@pytest.mark.parametrize(
    ("change", "message"),
    [
        pytest.param(lambda c: c.update(width=1 << 20), r"width.*from 0 to 64", id="wide"),
        pytest.param(lambda c: c.update(samples=3, commands=[]), "samples is 3", id="samples"),
        pytest.param(lambda c: c["outputs"][0].update(offset=1 << 30), "offset", id="offset"),
        pytest.param(lambda c: c["outputs"][0].update(shape=[9, 17, 99]), "shape is", id="shape"),
        pytest.param(lambda c: c["targets"][0].update(format="RGB9_E5"), "format is 'RGB9_E5'", id="format"),
        pytest.param(lambda c: c["commands"][0].update(op="explode"), "op is 'explode'", id="command"),
        pytest.param(lambda c: c["commands"][0].update(color_index=[1]), "vertices with 1 colours", id="colours"),
        pytest.param(lambda c: c["commands"][0].update(viewport=[0, 0, "wide", 1]), r"viewport\[2\]", id="word"),
        pytest.param(lambda c: c["commands"][0].update(viewport=[0, 0, 10**400, 1]), r"viewport\[2\]", id="huge"),
        pytest.param(lambda c: c.update(palette=[]), "a palette has 0 colours", id="palette"),
        pytest.param(lambda c: c.update(precision=["luck"]), "precision is", id="precision"),
        pytest.param(lambda c: c.update(samples_passed=[]), "samples_passed", id="counters"),
    ],
)
def test_a_damaged_case_is_one_clear_error(tmp_path: Path, change: Change, message: str) -> None:
    """It names the case and what was allowed."""
    with pytest.raises(InputFileError, match=message):
        run([changed(tmp_path, change)])


def test_results_that_are_missing_are_one_clear_error(tmp_path: Path) -> None:
    """The JSON alone cannot be scored."""
    changed(tmp_path, lambda case: case.update(id=0))
    (tmp_path / "pipeline.npz").unlink()
    with pytest.raises(InputFileError, match=r"pipeline\.npz"):
        run([tmp_path])
