"""Conditional draws and clears, replayed as measured."""

from pathlib import Path

import pytest

from refnvn.conformance.run import run
from refnvn.conformance.score import Status

FILE = Path(__file__).parents[1] / "data" / "hardware_primitives" / "occlusion.npz"


@pytest.mark.rule("QUERY-CONDITION-1", "QUERY-SAMPLES-1", "QUERY-REPORT-1")
def test_conditional_draws_and_clears_are_matched() -> None:
    """Four rows: seen or not, inverted or not; what a draw and a clear to a half left."""
    (score,) = (a for a in run([FILE]).files[0].arrays if a.array == "out_conditional")
    assert (score.status, score.cases) == (Status.EQUAL, 16)
    assert "QUERY-CONDITION-1" in score.rules
