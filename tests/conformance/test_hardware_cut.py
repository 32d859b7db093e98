"""The measured family of triangles that the near and far plane cut."""

from pathlib import Path

import pytest

from refnvn.conformance.run import run

FOLDER = Path(__file__).parents[1] / "data" / "hardware_cut"


@pytest.mark.rule("RASTER-CLIP-3", "RASTER-CLIP-4")
def test_depths_and_w_of_cut_triangles_are_within_their_bound() -> None:
    """400 triangles in eight sets, none beyond; of 50 behind the eye those that end at w 0 are listed."""
    (file,) = run([FOLDER]).files
    arrays = {one.array: one for one in file.arrays}
    behind = arrays.pop("out_behind")
    assert len(arrays) == 8
    assert sum(one.wrong for one in arrays.values()) == 0
    assert sum(one.equal for one in arrays.values()) == 454_736
    assert behind.wrong == behind.known
