"""Fitting planes to many triangles, compiled: the very rules of ``planes.py``, compiled one on another.

Importing this module imports numba. Read next: ``interpolate.py``, which chooses.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from refnvn.formats.floatbits import Float64, Int64
from refnvn.kernel import compiled, rule_compiled
from refnvn.raster import arithmetic, either, planes, setup_reciprocal
from refnvn.raster.planes import Planes
from refnvn.rules.registry import note


def _select(condition: Any, yes: Any, no: Any) -> Any:
    return yes if condition else no


_chosen = compiled(_select)
_COEFFICIENTS = setup_reciprocal.coefficients()


def _choose(which: Any, zero: Any, one: Any, two: Any) -> Any:
    return _chosen(which == 0, zero, _chosen(which == 1, one, two))


def _look_up(segment: Any, power: int) -> Any:
    return _COEFFICIENTS[segment, power]


_cut_24 = rule_compiled(arithmetic.cut_to_24_bits)
_binary_exponent = rule_compiled(either.binary_exponent)
_two_to_the = rule_compiled(either.two_to_the)
_exponent = rule_compiled(arithmetic.exponent, binary_exponent=_binary_exponent)
_power_of_two = rule_compiled(arithmetic.power_of_two, two_to_the=_two_to_the)
_aligned_sum = rule_compiled(arithmetic.aligned_sum, exponent=_exponent, power_of_two=_power_of_two)
_dot_of_two = rule_compiled(
    arithmetic.dot_of_two,
    cut_to_24_bits=_cut_24,
    rounded_product=rule_compiled(
        arithmetic.rounded_product, chosen=_chosen, exponent=_exponent, power_of_two=_power_of_two
    ),
)
_setup_reciprocal = rule_compiled(
    setup_reciprocal.setup_reciprocal,
    chosen=_chosen,
    binary_exponent=_binary_exponent,
    two_to_the=_two_to_the,
    coefficient=compiled(_look_up),
)
_one_of_three = compiled(_choose)
_taken = rule_compiled(planes.taken, one_of_three=_one_of_three)
_turned = rule_compiled(planes.turned, one_of_three=_one_of_three)
_nearness = rule_compiled(planes.nearness, chosen=_chosen, exponent=_exponent)


def _each_nearness(x: Any, y: Any) -> Any:
    return _nearness(x[0], y[0]), _nearness(x[1], y[1]), _nearness(x[2], y[2])


_least = rule_compiled(planes.least, chosen=_chosen)
_without_nan = rule_compiled(planes.without_nan, chosen=_chosen)
_gradients = rule_compiled(planes.gradients, turned=_turned, cut_to_24_bits=_cut_24, dot_of_two=_dot_of_two)
_frame_of = rule_compiled(
    planes.frame_of,
    base_vertex=rule_compiled(planes.base_vertex, least=_least, edge_length=rule_compiled(planes.edge_length)),
    anchor_vertex=rule_compiled(
        planes.anchor_vertex,
        least=_least,
        nearness_of_three=compiled(_each_nearness),
    ),
    turned=_turned,
    cut_to_24_bits=_cut_24,
    setup_reciprocal=_setup_reciprocal,
)
_reference_block = rule_compiled(
    planes.reference_block, least=_least, taken=_taken, aligned_block=rule_compiled(planes.aligned_block)
)
_attribute_plane = rule_compiled(
    planes.attribute_plane,
    gradients=_gradients,
    taken=_taken,
    cut_to_24_bits=_cut_24,
    aligned_sum=_aligned_sum,
    without_nan=_without_nan,
)
_depth_plane = rule_compiled(
    planes.depth_plane, gradients=_gradients, taken=_taken, aligned_sum=_aligned_sum, without_nan=_without_nan
)


def _fit(
    x: Any, y: Any, values: Any, depth: Any, viewport: Any, found: Any, found_depth: Any, x0: Any, y0: Any
) -> None:
    for i in range(len(x)):
        frame = _frame_of((x[i, 0], x[i, 1], x[i, 2]), (y[i, 0], y[i, 1], y[i, 2]))
        x0[i], y0[i] = reference = _reference_block(frame, viewport)
        for k in range(values.shape[2]):
            three = (values[i, 0, k], values[i, 1, k], values[i, 2, k])
            found[0][i, k], found[1][i, k], found[2][i, k] = _attribute_plane(frame, three, reference)
        for k in range(depth.shape[2]):
            three = (depth[i, 0, k], depth[i, 1, k], depth[i, 2, k])
            found_depth[0][i, k], found_depth[1][i, k], found_depth[2][i, k] = _depth_plane(frame, three)


_fit_kernel: Any = compiled(_fit)
_RULES = tuple(f"RASTER-PLANE-{k}" for k in range(1, 6))


def _blank(triangles: int, values: int) -> tuple[Float64, Float64, Float64]:
    return np.empty((triangles, values)), np.empty((triangles, values)), np.empty((triangles, values))


def fitted(
    x: Int64, y: Int64, values: Float64, depth: Float64, viewport: tuple[float, float, float, float]
) -> tuple[Planes, Planes]:
    """Return the planes of values, shape (triangles, 3, values), and of depths, shape (triangles, 3, 0 or 1)."""
    note((*_RULES, "RASTER-RECIPROCAL-1"))
    note((*(("RASTER-PLANE-6",) if values.shape[2] else ()), *(("RASTER-DEPTH-1",) if depth.shape[2] else ())))
    found, found_depth = _blank(len(x), values.shape[2]), _blank(len(x), depth.shape[2])
    x0, y0, zero = np.empty(len(x)), np.empty(len(x)), np.zeros(len(x))
    edges = tuple(float(one) for one in viewport)
    with np.errstate(all="ignore"):
        _fit_kernel(x, y, values, depth, edges, found, found_depth, x0, y0)
    return Planes(*found, x0, y0), Planes(*found_depth, zero, zero)
