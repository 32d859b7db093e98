"""The measured family of counters, and what fragments read of clip distances."""

from pathlib import Path

import pytest

from refnvn.conformance.report import Report
from refnvn.conformance.run import run

FOLDER = Path(__file__).parents[1] / "data" / "hardware_counters"


@pytest.fixture(scope="module")
def report() -> Report:
    """Return the scores of the family."""
    return run([FOLDER])


@pytest.mark.rule("QUERY-INPUT-1", "QUERY-INPUT-2", "QUERY-INVOCATIONS-1", "QUERY-PRIMITIVES-1", "QUERY-CLIPPER-1")
@pytest.mark.rule("QUERY-INVOCATIONS-2", "QUERY-INVOCATIONS-3", "QUERY-INVOCATIONS-4", "REPLAY-CLIP-2")
def test_what_is_decided_of_counters_is_as_measured(report: Report) -> None:
    """All is equal but for geometry shaders that OpenGL's compiler replaces, and two triangles on four samples."""
    (file,) = report.files
    scored = {one.array: one for one in file.arrays if one.cases}
    assert len(scored) == 40
    assert sum(one.cases for one in scored.values()) > 50_000
    wrong = {name: one.wrong for name, one in scored.items() if one.wrong}
    assert set(wrong) == {"out_geometry", "out_tessellation"}
    assert all(one.wrong <= one.known for one in scored.values())
