"""Which rules did a small draw go by? Those that one triangle of its kind meets on the way that all draws take.

So no list of rules stands here. The triangle goes to targets of one pixel of the same formats, once for each kind.

Read next: ``draw.py``, whose way that is.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from refnvn.enumerations import DepthFunc, Face
from refnvn.formats.floatbits import UInt8
from refnvn.formats.table import Format
from refnvn.raster.assembled import assembled
from refnvn.raster.draw import draw_primitives
from refnvn.raster.shapes import Vertices
from refnvn.raster.small_plan import Blend, Fragments, Small
from refnvn.raster.state import TARGETS_MAX, RasterState
from refnvn.raster.target import ColorTarget, DepthStencilTarget
from refnvn.rules.fields import Rules
from refnvn.rules.kept import Kept
from refnvn.shader.execute import no_uniforms

NOTHING, NO_PIXELS, NONE_PASSED, SOME_PASSED = range(4)
"""What may become of a draw."""
_CORNERS: dict[int, list[list[float]]] = {
    NOTHING: [[-1, -1], [-1, -1], [-1, -1]],
    NO_PIXELS: [[-1, -1], [-0.5, -1], [-1, 1]],
    NONE_PASSED: [[-1, -1], [3, -1], [-1, 3]],
    SOME_PASSED: [[-1, -1], [3, -1], [-1, 3]],
}


class Kind(NamedTuple):
    """All that decides which rules a small draw goes by.

    Attributes
    ----------
    fragments : Fragments
    color, location, blend
        Of the target that is written; None where none is, or where it is stored to.
    depth : Format or None
        Of depth that is tested.
    clamps : bool
        Whether depth is clamped.
    outcome : int
        What became of it.
    not_one : bool
        Whether a vertex had w other than 1.
    """

    fragments: Fragments
    color: Format | None
    location: int
    blend: Blend | None
    depth: Format | None
    clamps: bool
    outcome: int
    not_one: bool


def count_rules_of(
    kept: Kept, small: Small, outcome: int, state: RasterState, rules: Rules, *, not_one: bool
) -> None:
    """Count the rules that a draw went by, and read the settings that they read."""
    kept.of(_count, (small, outcome, not_one), kept, small, outcome, state, rules, not_one=not_one)


def _count(kept: Kept, small: Small, outcome: int, state: RasterState, rules: Rules, *, not_one: bool) -> None:
    color = small.color
    kind = Kind(
        small.fragments,
        color.fmt,
        color.location,
        color.blend,
        small.depth_format,
        state.depth_clamp,
        outcome,
        not_one,
    )
    kept.by_value(_draw_like, kind, kind, state, rules)


def _draw_like(kind: Kind, state: RasterState, rules: Rules) -> None:
    """Draw one triangle of a kind."""
    colors: list[ColorTarget | None] = [None] * TARGETS_MAX
    if kind.color is not None:
        colors[kind.location] = ColorTarget(kind.color, _texel(kind.color))
    depth = None if kind.depth is None else DepthStencilTarget(kind.depth, _texel(kind.depth))
    alike = state.through(
        viewport=(0.0, 0.0, 1.0, 1.0),
        scissor=None,
        cull_face=Face.NONE,
        depth_func=DepthFunc.NEVER if kind.outcome == NONE_PASSED else DepthFunc.ALWAYS,
    )
    shader = kind.fragments.shader
    corners = np.array([[*at, 0, 1] for at in _CORNERS[kind.outcome]], np.float32)
    components = 0 if shader is None else shader.input_components
    vertices = Vertices(corners * np.float32(2 if kind.not_one else 1), np.zeros((components, 3), np.uint32))
    triangle = assembled(np.array([[0, 1, 2]]), np.array([2]))
    draw_primitives(alike, colors, depth, vertices, triangle, shader, no_uniforms, rules)


def _texel(fmt: Format) -> UInt8:
    return np.zeros((1, 1, fmt.bytes_per_block), np.uint8)
