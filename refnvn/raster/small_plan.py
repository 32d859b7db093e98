"""What do small draws with one state share, as their loop takes it? Found out once for many draws.

Nothing here counts as a rule that ran: a draw may turn out to reach no pixel. ``small_count.py`` counts.

Read next: ``small.py``.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextvars import Context
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from refnvn.enumerations import AlphaFunc, DepthMode, Face, LogicOp, PolygonMode
from refnvn.formats.floatbits import Float32, Float64, Int64, UInt32
from refnvn.formats.table import Format, format_named
from refnvn.raster import depth_stencil
from refnvn.raster.batch import in_byte_order, stores_unorm8
from refnvn.raster.blend import BlendTargetState
from refnvn.raster.blend_plan import LINES, NormPlan, counts_in_codes, norm_plan
from refnvn.raster.clip_sides import ends_inside_pixels
from refnvn.raster.fragment_shader import fragment_shader
from refnvn.raster.inputs import HOW, component_rows, interpolation_numbers
from refnvn.raster.mixed_samples import raster_samples_of
from refnvn.raster.state import PLAIN_SWIZZLE, RasterState
from refnvn.raster.target import ColorTarget, DepthStencilTarget
from refnvn.raster.walk import depth_words
from refnvn.raster.window import depth_ends, depth_scale, front_sign, window_axes
from refnvn.rules.fields import FIELDS, NVN, Rules
from refnvn.rules.kept import Kept
from refnvn.shader.execute import plan_of
from refnvn.shader.ir import Shader
from refnvn.shader.ir_base import Interpolation

Colors = Sequence[ColorTarget | None]
_NO_WORDS = np.zeros((1, 1), np.uint32)


@dataclass(frozen=True, slots=True, eq=False)
class Fragments:
    """What is asked of a fragment shader that only moves words.

    Attributes
    ----------
    shader : Shader or None
    outputs : dict of int to tuple of int
        By location the columns of its components: inputs first, then constants, then words of uniform blocks.
    how : int64, shape (columns,)
        How each is interpolated.
    constants : float32
    uniforms : list of int
        Words of the uniform blocks.
    """

    shader: Shader | None
    outputs: dict[int, tuple[int, ...]]
    how: Int64
    constants: Float32
    uniforms: list[int]


class Blend(NamedTuple):
    """A blend by the value of all that it rests on; the constant as the bytes of four float32."""

    how: BlendTargetState
    fmt: Format
    constant: bytes
    mask: int


class Color(NamedTuple):
    """The one target that is written, as the loop takes it, its format, None without one, location, and blend."""

    arrays: tuple[Any, ...]
    merge: tuple[Any, ...]
    fmt: Format | None
    location: int
    blend: Blend | None


class Scratch(NamedTuple):
    """What one triangle after another is worked out in."""

    planes: Float64
    w_plane: Float64
    origin: Float64
    perspective: NDArray[np.bool_]
    flat: Float32
    values: Float32
    same: NDArray[np.bool_]
    reciprocal: Float64
    ramp: Float64
    columns: Int64
    lines: Float32
    line: UInt32
    new: UInt32


class Small(NamedTuple):
    """What draws with one state share: arguments of the loop, and the format of depth if it is tested."""

    fragments: Fragments
    settings: tuple[Any, ...]
    color: Color
    zeta: tuple[Any, ...]
    scratch: Scratch
    depth_format: Format | None


def small_of(
    kept: Kept,
    state: RasterState,
    colors: Colors,
    depth: DepthStencilTarget | None,
    fragment: Shader | None,
    rules: Rules,
) -> Small | None:
    """Return what draws with a state share; None where the loop does not serve."""
    if not _is_plain(state) or not kept.of(are_of_nvn, (rules,), rules):
        return None
    if raster_samples_of(state.multisample, colors, depth) > 1:
        return None
    fragments = kept.of(fragments_of, (fragment,), fragment)
    zeta = _zeta(state, depth)
    tests = bool(zeta[1])
    if fragments is None or (tests and state.polygon_offset is not None):
        return None
    color, columns = _color(kept, fragments, state, colors), len(fragments.how)
    if color is None:
        return None
    return Small(
        fragments=fragments,
        settings=(*_settings(state), bool((fragments.how == HOW[Interpolation.SMOOTH]).any()), fragments.how),
        color=color,
        zeta=zeta,
        scratch=kept.by_value(_scratch, columns, columns),
        depth_format=depth.fmt if depth is not None and tests else None,
    )


def _is_plain(state: RasterState) -> bool:
    """Say whether nothing is on that the loop has not."""
    fills = state.polygon_mode is PolygonMode.FILL and state.viewport_swizzle == PLAIN_SWIZZLE
    tests = state.stencil_test or state.depth_bounds is not None or state.alpha_test is not AlphaFunc.ALWAYS
    return fills and not ends_inside_pixels(state) and not tests and state.logic_op is LogicOp.COPY


def are_of_nvn(rules: Rules) -> bool:
    """Say whether all settings are those of NVN, which are what the loop knows; none counts as read."""
    return all(rules.peek(name) is NVN.peek(name) for name in FIELDS)


def fragments_of(shader: Shader | None) -> Fragments | None:
    """Return what is asked of a shader; None where it does more than move words."""
    if shader is None:
        return Fragments(None, {}, np.zeros(0, np.int64), np.zeros(0, np.float32), [])
    moves, found = plan_of(shader).moves, Context().run(fragment_shader, shader)
    if moves is None or moves.builtins or found.early or min(found.outputs, default=-1) < 0:
        return None
    rows = component_rows(shader)
    constants, uniforms = (_places(moves.sources, kind) for kind in ("constant", "uniform"))
    sources = [("input", row) for row in range(len(rows))]
    sources += [("constant", one) for one in constants] + [("uniform", one) for one in uniforms]
    column = {one: place for place, one in enumerate(sources)}
    return Fragments(
        shader=shader,
        outputs={at: tuple(column[moves.sources[row]] for row in of) for at, of in found.outputs.items()},
        how=np.pad(
            interpolation_numbers(rows), (0, len(sources) - len(rows)), constant_values=HOW[Interpolation.FLAT]
        ),
        constants=np.array(constants, np.uint32).view(np.float32),
        uniforms=uniforms,
    )


def _places(sources: Sequence[tuple[str, Any]], kind: str) -> list[int]:
    """Return the sources of a kind, each once."""
    return list(dict.fromkeys(place for what, place in sources if what == kind))


def _settings(state: RasterState) -> tuple[Any, ...]:
    (scale_x, middle_x), (scale_y, middle_y) = window_axes(state)
    cull = int(state.cull_face)
    return (
        (scale_x, middle_x, scale_y, middle_y),
        (state.depth_mode is DepthMode.NEAR_IS_ZERO, state.depth_clamp),
        (front_sign(state), bool(cull & Face.FRONT), bool(cull & Face.BACK)),
        tuple(float(one) for one in state.viewport),
        depth_scale(state),
    )


def _zeta(state: RasterState, depth: DepthStencilTarget | None) -> tuple[Any, ...]:
    """Return the words that hold depth, whether they are tested, and how."""
    ends = depth_ends(state)
    low, high = min(ends), max(ends)
    if depth is None or not state.depth_test or depth.fmt.component("D") is None:
        return _NO_WORDS, False, (32, np.uint32(0), False, low, high, 15, False)
    tests = Context().run(depth_stencil.tests_of, state, has_depth=True, has_stencil=False)
    words, bits, shift = depth_words(depth)
    return words, True, (bits, np.uint32(shift), state.depth_clamp, low, high, tests.depth, tests.depth_write)


def _color(kept: Kept, fragments: Fragments, state: RasterState, colors: Colors) -> Color | None:
    """Return the one target that is written, or that none is; None where there are more, or one of another kind."""
    from refnvn.raster.unorm8_kernel import UNORM8, words_of

    written = [
        (at, rows, target)
        for at, rows in fragments.outputs.items()
        if at < len(colors) and (target := colors[at]) is not None and state.channel_masks[at]
    ]
    stores = kept.by_value(_merge_of, None, None)
    if not written:
        return Color((_NO_WORDS, np.uint32(0), (0, 0, 0, 0), UNORM8), stores, None, 0, None)
    at, rows, target = written[0]
    how, first, mask = state.blends[at], state.blends[0], state.channel_masks[at]
    if len(written) > 1 or not stores_unorm8(target.fmt, rows, NVN) or (first is not None and first.uses_source1):
        return None
    words, bits = words_of(target, mask)
    if how is None:
        return Color((words, bits, in_byte_order(target.fmt, rows), UNORM8), stores, target.fmt, at, None)
    if how.uses_source1 or not Context().run(counts_in_codes, how, target.fmt, NVN):
        return None
    blend = Blend(how, target.fmt, np.array(state.blend_color, np.float32).tobytes(), mask)
    return Color((words, bits, rows, UNORM8), kept.by_value(_merge_of, blend, blend), target.fmt, at, blend)


_STAND_IN = Blend(BlendTargetState(), format_named("RGBA8"), bytes(16), 15)
"""Has arrays of the kinds that the loop is compiled for."""


def _merge_of(blend: Blend | None) -> tuple[Any, ...]:
    """Return whether and how the loop blends."""
    from refnvn.raster.blend_kernel import channels_of, how_of, sources_of

    how, fmt, constant, mask = _STAND_IN if blend is None else blend
    plan: NormPlan = Context().run(norm_plan, how, fmt, np.frombuffer(constant, np.float32), NVN, mask)
    return blend is not None, channels_of(plan), how_of(plan), sources_of(plan)[2]


def _scratch(columns: int) -> Scratch:
    from refnvn.raster.small_kernel import AT_ONCE
    from refnvn.raster.span_kernel import ramp_of

    return Scratch(
        planes=np.zeros((3, 1, columns)),
        w_plane=np.zeros((3, 1, 1)),
        origin=np.zeros((2, 1)),
        perspective=np.zeros(1, np.bool_),
        flat=np.zeros((1, columns), np.float32),
        values=np.empty((columns, AT_ONCE), np.float32),
        same=np.empty(columns, np.bool_),
        reciprocal=np.empty(AT_ONCE),
        ramp=ramp_of(AT_ONCE),
        columns=np.empty(AT_ONCE, np.int64),
        lines=np.zeros((LINES, AT_ONCE), np.float32),
        line=np.empty(AT_ONCE, np.uint32),
        new=np.empty(AT_ONCE, np.uint32),
    )
