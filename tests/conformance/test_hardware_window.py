"""The measured vertices in the window."""

from pathlib import Path

import numpy as np
import pytest

from refnvn.conformance.run import run
from refnvn.errors import InputFileError

FOLDER = Path(__file__).parents[1] / "data" / "hardware_window"


@pytest.mark.rule("RASTER-VIEWPORT-1", "RASTER-SNAP-1", "RASTER-VIEWPORT-2", "RASTER-RECIPROCAL-2")
def test_positions_and_depths_of_vertices_are_matched() -> None:
    """16 axes of viewports and 12 depth ranges: each sub-pixel, each bit of depth and of 1 / w."""
    depths, positions = run([FOLDER]).files
    assert len(positions.arrays) == 16
    assert positions.total("cases") == positions.total("equal") == 32_768
    assert len(depths.arrays) == 12
    assert depths.total("cases") == depths.total("equal") == 49_152


def test_a_viewport_that_is_not_told_is_an_error(tmp_path: Path) -> None:
    """What the numbers mean stands in the file's meta."""
    with np.load(FOLDER / "window_positions.npz") as kept:
        arrays = {name: kept[name] for name in kept.files if name != "meta"}
    np.savez(tmp_path / "one.npz", meta=np.array('{"viewports": [[0, 0, 32, 32]], "pixels": [2, 22]}'), **arrays)
    with pytest.raises(InputFileError, match=r"meta\.viewports has no row 1"):
        run([tmp_path])
