"""Fitting planes to many triangles, compiled: the very rules of ``planes.py``, compiled one on another.

Importing this module imports numba. Read next: ``inputs.py``, which chooses.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from refnvn.formats.floatbits import Float64, Int64
from refnvn.kernel import compiled, inlined, rule_compiled
from refnvn.raster import arithmetic, planes, products, setup_reciprocal
from refnvn.raster.arithmetic_kernel import (
    binary_exponent_kernel,
    choice_kernel,
    cut_24_kernel,
    cut_29_kernel,
    exponent_kernel,
    power_of_two_kernel,
    two_to_the_kernel,
)
from refnvn.raster.planes import Planes
from refnvn.rules.registry import note

_COEFFICIENTS = setup_reciprocal.coefficients()


def _choose(which: Any, zero: Any, one: Any, two: Any) -> Any:
    return choice_kernel(which == 0, zero, choice_kernel(which == 1, one, two))


def _look_up(segment: Any, power: int) -> Any:
    return _COEFFICIENTS[segment, power]


_multiplied = {
    "chosen": choice_kernel,
    "power_of_two": power_of_two_kernel,
    "exponent": exponent_kernel,
    "power_of_product": rule_compiled(products.power_of_product, chosen=choice_kernel, exponent=exponent_kernel),
    "sign_of_product": rule_compiled(products.sign_of_product, chosen=choice_kernel),
    "significand": rule_compiled(products.significand, chosen=choice_kernel),
}
_recoded_row = rule_compiled(products.recoded_row)
_cut_row = rule_compiled(products.cut_row)


def _recoded_rows(recoded: Any, other: Any) -> Any:
    total = np.int64(0)
    for row in range(products.RECODED_ROWS):
        total += _recoded_row(recoded, other, row)
    return total


def _cut_rows(one: Any, other: Any) -> Any:
    total = np.int64(0)
    for row in range(products.CUT_ROWS):
        total += _cut_row(one, other, row)
    return total


_dot_of_two = rule_compiled(
    products.dot_of_two,
    cut_to_24_bits=cut_24_kernel,
    recoded_product=rule_compiled(products.recoded_product, recoded_rows=inlined(_recoded_rows)),
    **_multiplied,
)
_moved_constant = rule_compiled(
    products.moved_constant,
    cut_product=rule_compiled(products.cut_product, cut_rows=inlined(_cut_rows)),
    **_multiplied,
)
_setup_reciprocal = rule_compiled(
    setup_reciprocal.setup_reciprocal,
    chosen=choice_kernel,
    binary_exponent=binary_exponent_kernel,
    two_to_the=two_to_the_kernel,
    coefficient=inlined(_look_up),
)
_one_of_three = inlined(_choose)
_taken = rule_compiled(planes.taken, one_of_three=_one_of_three)
_turned = rule_compiled(planes.turned, one_of_three=_one_of_three)
_is_nearer = rule_compiled(
    planes.is_nearer, chosen=choice_kernel, position_word=rule_compiled(planes.position_word, chosen=choice_kernel)
)
_least = rule_compiled(planes.least, chosen=choice_kernel)
_without_nan = rule_compiled(planes.without_nan, chosen=choice_kernel)
_gradients = rule_compiled(
    planes.gradients,
    turned=_turned,
    aligned_difference=rule_compiled(
        arithmetic.aligned_difference,
        exponent=exponent_kernel,
        power_of_two=power_of_two_kernel,
        cut_to_24_bits=cut_24_kernel,
    ),
    dot_of_two=_dot_of_two,
)
frame_kernel: Any = rule_compiled(
    planes.frame_of,
    base_vertex=rule_compiled(planes.base_vertex, least=_least, edge_length=rule_compiled(planes.edge_length)),
    anchor_vertex=rule_compiled(planes.anchor_vertex, chosen=choice_kernel, is_nearer=_is_nearer),
    turned=_turned,
    cut_to_24_bits=cut_24_kernel,
    setup_reciprocal=_setup_reciprocal,
)
reference_block_kernel: Any = rule_compiled(
    planes.reference_block, least=_least, taken=_taken, aligned_block=rule_compiled(planes.aligned_block)
)
_from_anchor = rule_compiled(
    planes.plane_from_anchor, gradients=_gradients, taken=_taken, moved_constant=_moved_constant
)
attribute_plane_kernel: Any = rule_compiled(
    planes.attribute_plane, plane_from_anchor=_from_anchor, cut_to_24_bits=cut_24_kernel, without_nan=_without_nan
)
depth_plane_kernel: Any = rule_compiled(
    planes.depth_plane,
    plane_from_anchor=_from_anchor,
    cut_to_29_bits=cut_29_kernel,
    without_nan=_without_nan,
)


def _fit(
    x: Any, y: Any, values: Any, depth: Any, viewport: Any, found: Any, found_depth: Any, x0: Any, y0: Any
) -> None:
    for i in range(len(x)):
        frame = frame_kernel((x[i, 0], x[i, 1], x[i, 2]), (y[i, 0], y[i, 1], y[i, 2]))
        x0[i], y0[i] = reference = reference_block_kernel(frame, viewport)
        for k in range(values.shape[2]):
            three = (values[i, 0, k], values[i, 1, k], values[i, 2, k])
            found[0][i, k], found[1][i, k], found[2][i, k] = attribute_plane_kernel(frame, three, reference)
        for k in range(depth.shape[2]):
            three = (depth[i, 0, k], depth[i, 1, k], depth[i, 2, k])
            found_depth[0][i, k], found_depth[1][i, k], found_depth[2][i, k] = depth_plane_kernel(
                frame, three, reference
            )


_fit_kernel: Any = compiled(_fit)


def _blank(triangles: int, values: int) -> tuple[Float64, Float64, Float64]:
    return np.empty((triangles, values)), np.empty((triangles, values)), np.empty((triangles, values))


def fitted(
    x: Int64, y: Int64, values: Float64, depth: Float64, viewport: tuple[float, float, float, float]
) -> tuple[Planes, Planes]:
    """Return the planes of values, shape (triangles, 3, values), and of depths, shape (triangles, 3, 0 or 1)."""
    note(planes.FIT_RULES)
    note((*(("RASTER-PLANE-6",) if values.shape[2] else ()), *(("RASTER-DEPTH-1",) if depth.shape[2] else ())))
    found, found_depth = _blank(len(x), values.shape[2]), _blank(len(x), depth.shape[2])
    x0, y0 = np.empty(len(x)), np.empty(len(x))
    edges = tuple(float(one) for one in viewport)
    with np.errstate(all="ignore"):
        _fit_kernel(x, y, values, depth, edges, found, found_depth, x0, y0)
    return Planes(*found, x0, y0), Planes(*found_depth, x0, y0)
