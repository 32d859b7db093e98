"""Which way does a batch of fragments go, through NumPy or through compiled loops? Both give the same bits.

NumPy needs nothing loaded and is right for small draws; compiled loops pay where there are many pixels. The choice
is made by the number of pixels alone, never by what is drawn.

Read next: ``fragment.py``.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from refnvn.formats.floatbits import Float32, Float64, Int64, UInt32
from refnvn.formats.table import Format, NumericClass
from refnvn.kernel import jit_is_on
from refnvn.raster import depth_stencil, interpolate, output
from refnvn.raster.inputs import Inputs
from refnvn.raster.interpolate import Lanes, lanes_of
from refnvn.raster.spans import Spans
from refnvn.raster.target import ColorTarget
from refnvn.rules.fields import Rules, StoreNorm
from refnvn.rules.registry import note
from refnvn.shader.ir_base import Sampling

PAYS_TO_LOAD = 1 << 19
"""So many pixels at once are worth loading the compiled loops."""
PAYS_TO_CALL = 1 << 10
PIXELS_OF_A_PRIMITIVE = 32
"""A primitive costs NumPy, which tests one after another, as much as so many pixels."""
_KERNELS = "refnvn.raster.span_kernel"
_BYTE_CHANNELS = 4


def wants_kernels(pixels: int) -> bool:
    """Say whether so many pixels should go through compiled loops."""
    if not jit_is_on():
        return False
    return pixels >= (PAYS_TO_CALL if _KERNELS in sys.modules else PAYS_TO_LOAD)


Place = tuple[Float64 | float, Float64 | float]


@dataclass(frozen=True, slots=True)
class Sampled:
    """What a shader may see of the samples of a batch.

    Attributes
    ----------
    mask : uint32, shape (lanes,)
        Which samples are covered, sample 0 in bit 0; of no lanes where the shader does not ask.
    centroid, sample : tuple of float64, each of shape (lanes,), or float
        Where centroid and sample inputs are evaluated, in pixels.
    center : tuple of float64, each of shape (lanes,), or float
        Where other inputs and the fragment coordinate are evaluated.
    number : int
        Which sample the shader runs for.
    """

    mask: UInt32
    centroid: Place = (0.5, 0.5)
    sample: Place = (0.5, 0.5)
    center: Place = (0.5, 0.5)
    number: int = 0

    def of(self, number: int, place: Place, *, everything: bool) -> Sampled:
        """Return the same for a run of one sample; ``everything`` is then evaluated there."""
        places = {"sample": place, **({"centroid": place, "center": place} if everything else {})}
        return replace(self, mask=self.mask & np.uint32(1 << number), number=number, **places)

    def spread(self, lanes: NDArray[np.intp], count: int) -> Sampled:
        """Return the same for ``count`` lanes, of which these ``lanes`` are in ``lanes``; others are not covered."""

        def wide(values: Float64 | float) -> Float64 | float:
            if isinstance(values, float):
                return values
            found = np.full(count, 0.5)
            found[lanes] = values
            return found

        mask = np.zeros(count if self.mask.size else 0, dtype=np.uint32)
        if self.mask.size:
            mask[lanes] = self.mask
        places = [(wide(x), wide(y)) for x, y in (self.centroid, self.sample, self.center)]
        return Sampled(mask, places[0], places[1], places[2], self.number)


class Batch:
    """Fragments of some spans on their way.

    Attributes
    ----------
    spans : Spans
    compiled : bool
        Whether the compiled loops do the work.
    sampled : Sampled or None
        Where targets have several samples.
    """

    def __init__(self, spans: Spans, compiled: bool, sampled: Sampled | None = None) -> None:
        self.spans = spans
        self.compiled = compiled
        self.sampled = sampled

    @functools.cached_property
    def lanes(self) -> Lanes:
        """The fragments one by one."""
        return lanes_of(self.spans)


def note_planes(inputs: Inputs) -> None:
    """Count the rule as used that compiled loops evaluate planes by."""
    if inputs.planes is not None or inputs.inverse_w is not None:
        note(("RASTER-PLANE-7",))


def values_of(inputs: Inputs, batch: Batch) -> UInt32:
    """Return the bits of all input components, shape (components, lanes)."""
    if batch.compiled:
        from refnvn.raster import lane_kernel

        note_planes(inputs)
        values = lane_kernel.values_of(inputs, batch.spans)
    else:
        values = interpolate.values_of(inputs, batch.lanes)
    return values if batch.sampled is None else _at_places(values, inputs, batch, batch.sampled)


def _at_places(values: UInt32, inputs: Inputs, batch: Batch, sampled: Sampled) -> UInt32:
    """Replace, in place, the inputs that are not evaluated at the pixel's centre."""
    places = (
        (Sampling.CENTROID, sampled.centroid),
        (Sampling.SAMPLE, sampled.sample),
        *(() if sampled.center == (0.5, 0.5) else ((Sampling.CENTER, sampled.center),)),
    )
    for sampling, (x, y) in places:
        rows = [row for row, one in enumerate(inputs.sampling) if one is sampling]
        if rows:
            values[rows] = interpolate.values_of(inputs, replace(batch.lanes, x=x, y=y), rows)[rows]
    return values


def depths_of(inputs: Inputs, batch: Batch, x: Float64 | float = 0.5, y: Float64 | float = 0.5) -> Float32:
    """Return depths before any clamp, at a place in each pixel: 0.5 and 0.5 is its centre."""
    if batch.compiled and isinstance(x, float) and isinstance(y, float):
        from refnvn.raster import lane_kernel

        note(("RASTER-DEPTH-2", "RASTER-PLANE-7"))
        return lane_kernel.depths_of(inputs, batch.spans, x, y)
    return interpolate.depths_of(inputs, replace(batch.lanes, x=x, y=y))


def run_tests(
    planes: depth_stencil.StoredPlanes,
    tests: depth_stencil.Tests,
    batch: Batch,
    codes: UInt32,
    front: NDArray[np.bool_],
    alive: NDArray[np.bool_] | None,
) -> NDArray[np.bool_]:
    """Return which fragments pass, the planes being updated in order."""
    planes.reach(batch.spans)
    if batch.compiled:
        from refnvn.raster import lane_kernel

        note(("RASTER-TEST-2",) if tests.bounds is None else ("RASTER-TEST-2", "RASTER-BOUNDS-2"))
        return lane_kernel.run_tests(planes, tests, batch.spans, codes, front, alive)
    return depth_stencil.run_tests(planes, tests, batch.lanes, codes, front, alive)


def store(
    target: ColorTarget,
    mask: int,
    values: UInt32,
    rows: tuple[int, ...],
    batch: Batch,
    alive: NDArray[np.bool_] | None,
    rules: Rules,
) -> None:
    """Convert one output of fragments and store it.

    Parameters
    ----------
    target : ColorTarget
    mask : int
        Channels that are written.
    values : uint32, shape (output components, lanes)
    rows : tuple of int
        The rows of ``values`` that are this output's components.
    batch : Batch
    alive : bool, shape (lanes,), or None
        Which fragments are stored; None for all.
    rules : Rules
        Reads what the conversion needs.
    """
    if not batch.compiled:
        lanes = batch.lanes
        if alive is not None:
            lanes = Lanes(lanes.primitive[alive], lanes.column[alive], lanes.row[alive])
            values = values[:, alive]
        bits = output.four_components(values, rows, target.fmt, rules)
        output.store(target, mask, output.stored_codes(target.fmt, bits, rules), lanes)
        return
    from refnvn.raster import lane_kernel, unorm8_kernel

    if stores_unorm8(target.fmt, rows, rules):
        output.note_unorm8()
        unorm8_kernel.store_unorm8(target, mask, values, in_byte_order(target.fmt, rows), batch.spans, alive)
    else:
        bits = output.four_components(values, rows, target.fmt, rules)
        lane_kernel.store_bytes(target, mask, output.stored_codes(target.fmt, bits, rules), batch.spans, alive)


def fill(target: ColorTarget, mask: int, inputs: Inputs, rows: tuple[int, ...], spans: Spans) -> None:
    """Fill spans of a target for which :func:`stores_unorm8` holds with input rows, in one compiled loop."""
    from refnvn.raster import unorm8_kernel

    note_planes(inputs)
    output.note_unorm8()
    unorm8_kernel.fill_unorm8(target, mask, inputs, in_byte_order(target.fmt, rows), spans)


def fill_samples(
    targets: Sequence[ColorTarget],
    mask: int,
    inputs: Inputs,
    rows: tuple[int, ...],
    spans: Spans,
    reach: tuple[Int64, Int64],
) -> None:
    """Fill the samples of a target as :func:`fill` does, each from one column to another of every span."""
    from refnvn.raster import unorm8_kernel

    note_planes(inputs)
    output.note_unorm8()
    unorm8_kernel.fill_samples_unorm8(targets, mask, inputs, in_byte_order(targets[0].fmt, rows), spans, reach)


def stores_unorm8(fmt: Format, rows: tuple[int, ...], rules: Rules) -> bool:
    """Say whether the compiled store of four plain bytes of unorm serves."""
    plain = fmt.numeric_class is NumericClass.UNORM and not fmt.srgb and len(fmt.components) == _BYTE_CHANNELS
    bytes_only = plain and all(c.bits == 8 and c.name in "RGBA" for c in fmt.components)
    return bytes_only and len(rows) == _BYTE_CHANNELS and rules.store_norm is StoreNorm.NVIDIA


def in_byte_order(fmt: Format, rows: tuple[int, ...]) -> tuple[int, ...]:
    """Return the rows of R, G, B and A in the order of a target's bytes."""
    return tuple(rows["RGBA".index(c.name)] for c in fmt.components)
