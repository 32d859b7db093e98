"""Conservative triangles on targets of several samples."""

from pathlib import Path

import pytest

from refnvn.conformance.run import run
from refnvn.conformance.score import Status

FILE = Path(__file__).parents[1] / "data" / "hardware_multisample" / "touched.npz"


@pytest.mark.rule("RASTER-CONSERVATIVE-3", "RASTER-CONSERVATIVE-4")
def test_touched_pixels_have_all_samples() -> None:
    """Ten triangles: what is covered and what a shader sees of it are equal, all but 1090 depths of samples too."""
    (scored,) = run([FILE]).files
    assert {one.status for one in scored.arrays} == {Status.EQUAL}
    assert [one.cases for one in scored.arrays] == [10 * n * 32 * 32 * 5 for n in (1, 4, 8)]
    assert [one.within for one in scored.arrays] == [0, 336, 754]
