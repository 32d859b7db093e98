"""Clip distances on triangles that reach behind the eye."""

from pathlib import Path

import pytest

from refnvn.conformance.run import run
from refnvn.conformance.score import Status

FILE = Path(__file__).parents[1] / "data" / "hardware_stages" / "clamp.npz"


@pytest.mark.rule("RASTER-CLIP-4", "RASTER-CLIP-7", "RASTER-BUILTIN-1")
def test_every_pixel_is_covered_as_measured() -> None:
    """Sixteen triangles of each of six sets, depth clamp on and off: coverage equal, values within 2^-10."""
    (scored,) = run([FILE]).files
    assert len(scored.arrays) == 12
    assert {one.status for one in scored.arrays} == {Status.EQUAL}
    assert all(one.equal + one.within == one.cases == 27_648 for one in scored.arrays)
    assert max(one.largest_error for one in scored.arrays) < 1
