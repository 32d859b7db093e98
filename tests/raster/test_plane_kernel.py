"""Planes that a compiled loop fits against the same rules on arrays: the same bits."""

import os
import subprocess
import sys

import numpy as np
import pytest

from refnvn.raster.either import three_of
from refnvn.raster.plane_kernel import fitted
from refnvn.raster.planes import attribute_planes, depth_planes, frame_of, reference_block
from refnvn.rules.registry import collect

VIEWPORT = (3.0, -5.0, 700.5, 411.0)
SPREADS = {"small": 700, "slivers": 3, "large": 1 << 20, "far": 1 << 28}
SPECIAL = (np.inf, -np.inf, np.nan, -0.0, 0.0, 1e-45, -3.4e38)
Some = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]


def some(spread: int, count: int = 4000) -> Some:
    """Return snapped positions of triangles with an area, five values and a depth of each vertex."""
    rng = np.random.default_rng(spread)
    x, y = (
        rng.integers(-(1 << 12), 1 << 17, (count, 1)) + rng.integers(-spread, spread + 1, (count, 3)) for _ in "xy"
    )
    area = (x[:, 1] - x[:, 0]) * (y[:, 2] - y[:, 0]) - (x[:, 2] - x[:, 0]) * (y[:, 1] - y[:, 0])
    x, y = x[area != 0], y[area != 0]
    values = rng.normal(0.3, 1, (len(x), 3, 5)).astype(np.float32).astype(np.float64)
    values *= 2.0 ** rng.integers(-40, 40, (len(x), 1, 5))
    values[::3, :, 1] = values[::3, :1, 1]
    places = rng.random(values.shape) < 0.02
    values[places] = rng.choice(np.array(SPECIAL, np.float32), int(places.sum())).astype(np.float64)
    return x, y, values, rng.random((len(x), 3, 1)).astype(np.float32).astype(np.float64)


def compiled_bits(made: Some) -> bytes:
    """Return everything that the compiled loop fits."""
    planes, depth = fitted(*made, VIEWPORT)
    arrays = (planes.a, planes.b, planes.c, planes.x0, planes.y0, depth.a, depth.b, depth.c, depth.x0, depth.y0)
    return b"".join(one.tobytes() for one in arrays)


@pytest.mark.parametrize("name", SPREADS)
def test_planes_agree(name: str) -> None:
    """Triangles of all sizes, values of all sizes, of no size, and not numbers."""
    x, y, values, depths = made = some(SPREADS[name])
    with collect() as rules, np.errstate(all="ignore"):
        frame = frame_of(three_of(x), three_of(y))
        reference = reference_block(frame, VIEWPORT)
        planes = attribute_planes(frame, values, reference)
        depth = depth_planes(frame, depths[:, :, 0], reference)
    arrays = (planes.a, planes.b, planes.c, planes.x0, planes.y0, depth.a, depth.b, depth.c, depth.x0, depth.y0)
    with collect() as noted:
        found = compiled_bits(made)
    assert len(x) > 1000
    assert np.isnan(planes.c).any()
    assert found == b"".join(one.tobytes() for one in arrays)
    assert noted == rules


def test_planes_agree_without_the_compiler() -> None:
    """The loop gives the same bits where it is not compiled."""
    code = (
        "import sys; from tests.raster.test_plane_kernel import *; "
        "sys.stdout.write(compiled_bits(some(700, 200)).hex())"
    )
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout == compiled_bits(some(700, 200)).hex()
