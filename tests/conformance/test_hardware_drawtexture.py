"""The measured family of DrawTexture."""

from pathlib import Path

import numpy as np
import pytest

from refnvn.conformance.run import run
from refnvn.conformance.score import Status
from refnvn.raster.textured_rectangle import Ends, clip_corners, coordinates

FOLDER = Path(__file__).parents[1] / "data" / "hardware_drawtexture"


@pytest.mark.rule("RASTER-RECTANGLE-1")
def test_every_rectangle_is_matched_bit_for_bit() -> None:
    """35 rectangles, nearest and linear, with blending, scissor, mask, depth, logic operation and origin."""
    report = run([FOLDER])
    arrays = report.files[0].arrays
    assert len(arrays) == 16
    assert {one.status for one in arrays} == {Status.EQUAL}
    assert sum(one.cases for one in arrays) == 14 * 35 * 32 * 32 * 4 + 2 * 35 * 32 * 32
    assert report.exit_code() == 0


@pytest.mark.rule("RASTER-RECTANGLE-1")
def test_corners_are_snapped_with_ties_to_even() -> None:
    """28.978515625 is 7418.5 / 256 and becomes 7418, as the measured rectangle shows."""
    corners = clip_corners(Ends(0.0, 28.978515625, 16.0, 32.0), 0.0, (32, 32))
    assert ((corners[:, 1].astype(np.float64) + 1) * 16 * 256).tolist() == [7418, 7418, 8192, 8192]


def test_coordinates_are_parts_of_the_texture() -> None:
    """Texels 1 to 3 of 4 are 0.25 to 0.75, corner by corner."""
    found = coordinates(Ends(1, 0, 3, 8), (4, 8)).view(np.float32)
    assert found.tolist() == [[0.25, 0.75, 0.75, 0.25], [0, 0, 1, 1]]
