"""Where in a pixel are its samples, and what does the multisample state say about them?

Positions are in 1/16 pixel, x to the right and y along the memory rows, under either window origin. A state may bring
positions of its own, one set for all pixels or one for each pixel of a small grid.

Where samples lie in memory: ``refnvn/layout/multisample.py``. Read next: ``sample_spans.py``.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from refnvn.enumerations import CoverageModulationMode
from refnvn.errors import FieldRangeError
from refnvn.formats.floatbits import Float32, Int64
from refnvn.rules.evidence import Evidence
from refnvn.rules.registry import rule

SAMPLE_UNITS = 16
"""A pixel is so many units of sample position wide."""
SUBPIXELS_PER_UNIT = 256 // SAMPLE_UNITS
ALL_SAMPLES = 0xFFFF
LOCATIONS = 16
CENTRE = (8, 8)

Location = tuple[int, int]

_POSITIONS: dict[int, tuple[Location, ...]] = {
    1: (CENTRE,),
    2: ((12, 12), (4, 4)),
    4: ((6, 2), (14, 6), (2, 10), (10, 14)),
    8: ((9, 5), (7, 11), (13, 9), (5, 3), (3, 13), (1, 7), (11, 15), (15, 1)),
}
_POSITIONS_16: tuple[Location, ...] = (
    (9, 9), (7, 5), (5, 10), (12, 7), (3, 6), (10, 13), (13, 11), (11, 3),
    (6, 14), (8, 1), (4, 2), (2, 12), (0, 8), (15, 4), (14, 15), (1, 0),
)  # fmt: skip
_GRIDS = {1: (4, 4), 2: (2, 4), 4: (2, 2), 8: (1, 2), 16: (1, 1)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Multisample:
    """The multisample state of a draw.

    Attributes
    ----------
    enabled : bool
        Off: the pixel's centre decides for all samples, and masks and alpha do nothing to coverage.
    mask : int
        The samples that may be written, sample 0 in bit 0.
    alpha_to_coverage, dither : bool
        Whether the alpha of output 0 takes samples away, and whether what it takes varies over 2 x 2 pixels.
    alpha_to_one : bool
        Whether all outputs have alpha 1 afterwards.
    coverage_to_color : int
        The target that gets the coverage as a number instead of the shader's output; -1 for none.
    sample_shading : bool
        Whether the shader runs once for each sample.
    locations : tuple of tuple of int
        Sixteen positions of the state's own in 1/16 pixel; empty for the usual ones.
    location_grid : bool
        Whether they differ from pixel to pixel.
    raster_samples : int
        How many samples the rasteriser has where colour targets have fewer.
    coverage_modulation : CoverageModulationMode
        Which channels the share of raster samples that are left is multiplied into.
    modulation_table : tuple of int
        What 1 to 16 sixteenths become there.
    """

    enabled: bool = True
    mask: int = ALL_SAMPLES
    alpha_to_coverage: bool = False
    dither: bool = True
    alpha_to_one: bool = False
    coverage_to_color: int = -1
    sample_shading: bool = False
    locations: tuple[Location, ...] = ()
    location_grid: bool = False
    raster_samples: int = 0
    coverage_modulation: CoverageModulationMode = CoverageModulationMode.NONE
    modulation_table: tuple[int, ...] = tuple(range(1, 17))


@rule(
    "RASTER-SAMPLES-1",
    "2, 4 and 8 samples have fixed positions in 1/16 pixel, the same in all pixels and under both origins.",
    evidence=Evidence.NVN_DOCUMENTATION,
    sources=("deko3d", "envytools", "hardware-vectors"),
    ledger=("ms-slot", "tex-illegal-fields"),
)
def usual_positions(samples: int) -> tuple[Location, ...]:
    """Return the position of each sample.

    Raises
    ------
    FieldRangeError
        For a count other than 1, 2, 4, 8, 16.

    Examples
    --------
    >>> usual_positions(2)
    ((12, 12), (4, 4))
    """
    if samples == LOCATIONS:
        return positions_of_16()
    if samples not in _POSITIONS:
        raise FieldRangeError(f"samples {samples} is not one of 1, 2, 4, 8, 16")
    return _POSITIONS[samples]


@rule(
    "RASTER-SAMPLES-2",
    "Sixteen samples have the positions that Tegra's driver lists, in its order.",
    evidence=Evidence.NVN_DOCUMENTATION,
    sources=("deko3d", "sample-vectors", "hardware-vectors"),
    exactness="bit by bit those of 16 raster samples on the measured chip; its OpenGL driver draws a target of 16 "
    "samples as 2 x 2 pixels of four: the same positions, numbers of its own, vertices snapped to 1/512 pixel",
)
def positions_of_16() -> tuple[Location, ...]:
    """Return the positions of 16 samples."""
    return _POSITIONS_16


@rule(
    "RASTER-SAMPLES-3",
    "A programmable position is clamped to 0 to 15/16 of the pixel and kept in 1/16, halves up.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("hardware-vectors", "deko3d"),
)
def programmed_locations(values: Float32) -> tuple[Location, ...]:
    """Return positions in 1/16 pixel.

    Parameters
    ----------
    values : float32, shape (n, 2)
        x and y as parts of a pixel.

    Examples
    --------
    >>> programmed_locations(np.array([[0.5, 1.0], [0.09375, np.nan]], np.float32))
    ((8, 15), (2, 0))
    """
    inside = np.where(values > 0, np.minimum(values, np.float32(0.9375)), np.float32(0)).astype(np.float64)
    units = np.floor(inside * SAMPLE_UNITS + 0.5).astype(np.int64)
    return tuple((int(x), int(y)) for x, y in units)


@rule(
    "RASTER-SAMPLES-4",
    "Of sixteen programmable positions pixel (x, y) takes those from samples * ((y mod h) * w + x mod w) on: the "
    "grid is 2x4, 2x2 and 1x2 pixels wide and high at 2, 4 and 8 samples, or one pixel where the grid is off.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("hardware-vectors",),
)
def location_grid(locations: tuple[Location, ...], samples: int, *, grid: bool) -> Int64:
    """Return the positions by row and column of the grid, shape (h, w, samples, 2).

    Raises
    ------
    FieldRangeError
        For fewer positions than the grid takes.
    """
    across, down = _GRIDS[samples] if grid else (1, 1)
    count = across * down * samples
    if len(locations) < count:
        raise FieldRangeError(f"{len(locations)} sample locations are too few; {count} are needed")
    return np.array(locations[:count], dtype=np.int64).reshape(down, across, samples, 2)


def positions_by_pixel(state: Multisample, samples: int) -> Int64:
    """Return where the samples of a draw are, in 1/16 pixel.

    Parameters
    ----------
    state : Multisample
    samples : int
        1, 2, 4, 8 or 16.

    Returns
    -------
    int64, shape (rows, columns, samples, 2)
        x and y by row and column of the grid after which they repeat.

    Examples
    --------
    >>> positions_by_pixel(Multisample(), 2).tolist()
    [[[[12, 12], [4, 4]]]]
    """
    if not state.enabled:
        usual_positions(samples)
        return centres(samples)
    if state.locations:
        return location_grid(state.locations, samples, grid=state.location_grid)
    return np.array(usual_positions(samples), dtype=np.int64).reshape(1, 1, samples, 2)


@rule(
    "RASTER-SAMPLES-5",
    "With multisampling off the pixel's centre decides for all samples of the target; sample mask, alpha to coverage "
    "and alpha to one do nothing, and the counter still counts samples.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("hardware-pipeline-rules",),
)
def centres(samples: int) -> Int64:
    """Return the pixel's centre as the position of every sample."""
    return np.full((1, 1, samples, 2), CENTRE[0], dtype=np.int64)


def mask_of(state: Multisample, samples: int) -> NDArray[np.bool_]:
    """Return which samples the state's mask lets through, shape (samples,)."""
    bits = state.mask if state.enabled else ALL_SAMPLES
    let_through: NDArray[np.bool_] = (bits >> np.arange(samples) & 1) != 0
    return let_through
