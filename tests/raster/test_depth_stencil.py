"""The codes that a draw reaches are taken apart in pieces; nothing that was tested before is lost."""

from __future__ import annotations

import numpy as np

from refnvn.formats.table import format_named
from refnvn.raster import depth_stencil
from refnvn.raster.depth_stencil import StoredPlanes
from refnvn.raster.spans import Spans, spans_of
from refnvn.raster.state import RasterState
from refnvn.raster.target import DepthStencilTarget

WIDTH, HEIGHT = 100, 40
WRITES_DEPTH = depth_stencil.tests_of(
    RasterState(viewport=(0.0, 0.0, 1.0, 1.0), depth_test=True, depth_write=True), has_depth=True, has_stencil=True
)


def words() -> np.ndarray:
    """Return texels that all differ: stencil in the low byte, depth in the 24 bits above."""
    return (np.arange(WIDTH * HEIGHT, dtype=np.uint32) * np.uint32(40503)).reshape(HEIGHT, WIDTH)


def target_of(texels: np.ndarray) -> DepthStencilTarget:
    codes = texels[..., np.newaxis].view(np.uint8)
    return DepthStencilTarget(format_named("DEPTH24_STENCIL8"), codes)


def span(row: int, left: int, right: int) -> Spans:
    return spans_of(*(np.array([one]) for one in (0, row, left, right)))


def test_what_changed_stays_when_more_is_reached() -> None:
    texels = words()
    planes = StoredPlanes(target_of(texels), (7, 3, WIDTH - 7, HEIGHT - 3))
    planes.reach(span(10, 20, 24))
    assert int(planes.depth[10 - 3, 20 - 7]) == int(words()[10, 20] >> 8)
    planes.depth[10 - 3, 20 - 7] = 5
    planes.reach(span(10, 7, WIDTH))  # the same blocks and more
    planes.reach(span(30, 90, 91))
    assert int(planes.depth[10 - 3, 20 - 7]) == 5
    assert int(planes.stencil[30 - 3, 90 - 7]) == int(words()[30, 90] & 255)
    planes.depth[30 - 3, 90 - 7] = 9
    planes.put_back(WRITES_DEPTH)
    expected = words()
    expected[10, 20] = 5 << 8 | int(expected[10, 20] & 255)
    expected[30, 90] = 9 << 8 | int(expected[30, 90] & 255)
    np.testing.assert_array_equal(texels, expected)


def test_nothing_reached_changes_nothing() -> None:
    texels = words()
    planes = StoredPlanes(target_of(texels), (0, 0, WIDTH, HEIGHT))
    planes.reach(span(0, 0, 1).part(0, 0))
    planes.put_back(WRITES_DEPTH)
    np.testing.assert_array_equal(texels, words())
