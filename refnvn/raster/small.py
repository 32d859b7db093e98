"""Which small draws go from clip space to the targets in one call?

They are a few triangles, filled and whole, whose fragments at most test depth, are inputs, constants or words of
uniform blocks, and are stored to, or blended with, one target of four plain bytes. All else goes the way of
``draw.py``, which gives the same bits; so do all where the compiled loop is not loaded.

Read next: ``small_plan.py``, ``small_kernel.py``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from refnvn.kernel import jit_is_on
from refnvn.raster.assembled import Assembled, Shape
from refnvn.raster.draw_stage import reachable
from refnvn.raster.shapes import Vertices
from refnvn.raster.small_count import NO_PIXELS, NONE_PASSED, NOTHING, SOME_PASSED, count_rules_of
from refnvn.raster.small_plan import Colors, Small, small_of
from refnvn.raster.state import RasterState
from refnvn.raster.target import DepthStencilTarget, Rectangle
from refnvn.raster.window import intersection, require_viewport
from refnvn.rules.fields import Rules
from refnvn.rules.kept import Kept
from refnvn.shader.ir import Shader
from refnvn.shader.uniforms import uniform_words

MOST_TRIANGLES = 32
"""Of a draw that is small."""
PAYS_TO_LOAD = 1 << 11
"""So many small draws in arrays take longer than to load the loop."""
Uniforms = Callable[[int], NDArray[np.uint8]]


class Drawn(NamedTuple):
    """What became of a draw: whether it was done, triangles, whether w was not 1, pixels, and samples that passed."""

    done: bool
    triangles: int
    not_one: bool
    pixels: int
    passed: int

    @property
    def outcome(self) -> int:
        """How far the draw came."""
        if not self.pixels:
            return NO_PIXELS if self.triangles else NOTHING
        return SOME_PASSED if self.passed else NONE_PASSED


class _Loop:
    """The loop, once it is loaded, and how many draws would have gone through it before."""

    kernel: Any = None
    missed = 0


def load() -> None:
    """Load the loop, compiling it where that was never done; not where compiling is off."""
    if jit_is_on():
        from refnvn.raster.small_kernel import draw_kernel

        _Loop.kernel = draw_kernel


def _kernel() -> Any:
    """Return the loop; None before so many draws have missed it that it is worth its loading."""
    if _Loop.kernel is None:
        _Loop.missed += 1
        if _Loop.missed == PAYS_TO_LOAD:
            load()
    return _Loop.kernel


def draw_small(
    kept: Kept,
    state: RasterState,
    scissor: Rectangle | None,
    colors: Colors,
    depth: DepthStencilTarget | None,
    vertices: Vertices,
    primitives: Assembled,
    fragment: Shader | None,
    uniforms: Uniforms,
    rules: Rules,
) -> int | None:
    """Draw, if the draw is small, and return how many samples passed; None where nothing was done.

    Parameters
    ----------
    kept : Kept
        What draws before found out.
    state : RasterState
        Without its scissor, and the very same as long as nothing else of it changes; so are ``colors`` and ``depth``.
    scissor : tuple of int or None

    Everything else, and errors, are as for :func:`refnvn.raster.draw.draw_primitives`.
    """
    if primitives.shape is not Shape.TRIANGLES or len(primitives) > MOST_TRIANGLES or vertices.distances is not None:
        return None
    window = kept.of(_window, (state.viewport, state.depth_range, colors, depth), state, colors, depth)
    if scissor is not None:
        window = intersection(window, scissor)
    if not window[2] or not window[3]:
        return None
    small = kept.of(small_of, (state, colors, depth, fragment), kept, state, colors, depth, fragment, rules)
    kernel = None if small is None else _kernel()
    if small is None or kernel is None:
        return None
    drawn = _drawn(kernel, small, window, vertices, primitives, uniforms)
    if not drawn.done:
        return None
    count_rules_of(kept, small, drawn.outcome, state, rules, not_one=drawn.not_one)
    return drawn.passed


def _window(state: RasterState, colors: Colors, depth: DepthStencilTarget | None) -> Rectangle:
    """Return the pixels that a draw can write where there is no scissor."""
    require_viewport(state)
    return reachable(state, colors, depth)


def _drawn(
    kernel: Any, small: Small, window: Rectangle, vertices: Vertices, primitives: Assembled, uniforms: Uniforms
) -> Drawn:
    fragments, flat = small.fragments, small.scratch.flat[0]
    varyings = vertices.varyings.view(np.float32)[: 0 if fragments.shader is None else None]
    first, after = len(varyings), len(varyings) + len(fragments.constants)
    flat[first:after] = fragments.constants
    if fragments.uniforms and fragments.shader is not None:
        flat[after:] = uniform_words(fragments.shader, uniforms)[fragments.uniforms].view(np.float32)
    arrays = (vertices.positions, primitives.vertices, primitives.provoking, varyings)
    settings, color = small.settings, small.color
    with np.errstate(all="ignore"):
        return Drawn(*kernel(arrays, settings, window, color.arrays, color.merge, small.zeta, small.scratch))
