"""Which state does a draw of a random pipeline have?

OpenGL's words become the rasteriser's: a draw says only what is not at its default. OpenGL has one window origin, so
the queue's stays the lower left and the side of a triangle does not turn with it.

Read next: ``pipeline_draw.py``.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any, TypeVar

from refnvn.conformance.fields import Fields, number
from refnvn.enumerations import (
    AlphaFunc,
    BlendEquation,
    BlendFunc,
    DepthFunc,
    DepthMode,
    Face,
    FrontFace,
    LogicOp,
    PolygonMode,
    StencilFunc,
    StencilOp,
    WindowOriginMode,
)
from refnvn.raster.blend import BlendTargetState
from refnvn.raster.samples import ALL_SAMPLES, Multisample
from refnvn.raster.state import ALL_CHANNELS, TARGETS_MAX, RasterState, StencilFace

_EQUATIONS = {
    "FUNC_ADD": BlendEquation.ADD,
    "FUNC_SUBTRACT": BlendEquation.SUB,
    "FUNC_REVERSE_SUBTRACT": BlendEquation.REVERSE_SUB,
    "MIN": BlendEquation.MIN,
    "MAX": BlendEquation.MAX,
}
_FARTHEST_PX = 1 << 15

Rectangle = tuple[int, int, int, int]
Word = TypeVar("Word", bound=IntEnum)


def _word(told: Fields, field: str, words: type[Word], default: Word | None = None) -> Word:
    """Return the member of an enumeration that a field names."""
    if default is not None and field not in told:
        return default
    return words[told.word(field, words.__members__)]


def rectangle(told: Fields, field: str = "scissor") -> Rectangle | None:
    """Return the pixels of a rectangle; None where there is none."""
    if field not in told:
        return None
    x, y, width, height = (
        number(f"{told.name}: {field}", one, -_FARTHEST_PX, _FARTHEST_PX) for one in told.row(field, 4)
    )
    return x, y, width, height


def channel_mask(name: str, switches: list[Any]) -> int:
    """Return the switches of R, G, B and A as a mask."""
    return sum(number(f"{name}: color_mask", one, 0, 1) << place for place, one in enumerate(switches))


def _stencil_face(told: Fields) -> StencilFace:
    return StencilFace(
        func=_word(told, "func", StencilFunc),
        reference=told.integer("ref", high=255),
        value_mask=told.integer("read_mask", high=255),
        write_mask=told.integer("write_mask", high=255),
        fail=_word(told, "sfail", StencilOp),
        depth_fail=_word(told, "zfail", StencilOp),
        depth_pass=_word(told, "zpass", StencilOp),
    )


def _equation(told: Fields, field: str) -> tuple[BlendFunc, BlendFunc, BlendEquation]:
    words = Fields(dict(zip("sde", told.row(field, 3), strict=True)), f"{told.name}: {field}")
    source, destination = _word(words, "s", BlendFunc), _word(words, "d", BlendFunc)
    return source, destination, _EQUATIONS[words.word("e", _EQUATIONS)]


def _blend(value: Any, name: str) -> BlendTargetState | None:
    if value is None:
        return None
    told = Fields(value, name)
    source_color, destination_color, color = _equation(told, "color")
    source_alpha, destination_alpha, alpha = _equation(told, "alpha")
    return BlendTargetState(
        source_color=source_color,
        destination_color=destination_color,
        color_equation=color,
        source_alpha=source_alpha,
        destination_alpha=destination_alpha,
        alpha_equation=alpha,
    )


def _tests(draw: Fields) -> dict[str, Any]:
    """Return the settings of the depth, stencil and alpha tests that a draw has."""
    found: dict[str, Any] = {}
    if "depth_test" in draw:
        told = draw.inner("depth_test")
        found |= {"depth_test": True, "depth_write": told.flag("write"), "depth_func": _word(told, "func", DepthFunc)}
    if "stencil_test" in draw:
        told = draw.inner("stencil_test")
        found["stencil_test"] = True
        found |= {side: _stencil_face(told.inner(side)) for side in ("front", "back")}
    if "alpha_test" in draw:
        told = draw.inner("alpha_test")
        found |= {"alpha_test": _word(told, "func", AlphaFunc), "alpha_reference": told.real("ref")}
    if "depth_bounds" in draw:
        found["depth_bounds"] = tuple(draw.reals("depth_bounds", 2))
    return found


def _merging(draw: Fields) -> dict[str, Any]:
    """Return how a draw's outputs meet what is stored.

    OpenGL's logic operation COPY is an operation that is on, so nothing blends; NVN's COPY is none.
    """
    found: dict[str, Any] = {"logic_op": _word(draw, "logic_op", LogicOp, LogicOp.COPY)}
    if "blend" in draw and "logic_op" not in draw:
        blends = [_blend(one, f"{draw.name}: blend") for one in draw.items("blend")[:TARGETS_MAX]]
        found["blends"] = (*blends, *[None] * (TARGETS_MAX - len(blends)))
        found["blend_color"] = tuple(draw.reals("blend_color", 4))
    if "color_mask" in draw:
        masks = [channel_mask(draw.name, one) for one in draw.rows("color_mask", 4)[:TARGETS_MAX]]
        found["channel_masks"] = (*masks, *[ALL_CHANNELS] * (TARGETS_MAX - len(masks)))
    return found


def _multisample(draw: Fields) -> Multisample:
    dither = "disable"
    if "alpha_to_coverage" in draw:
        dither = draw.word("alpha_to_coverage", ("default", "enable", "disable"))
    return Multisample(
        enabled=draw.flag("multisample", True),
        mask=draw.integer("sample_mask", ALL_SAMPLES, high=0xFFFFFFFF),
        alpha_to_coverage="alpha_to_coverage" in draw,
        dither=dither != "disable",
        alpha_to_one=draw.flag("alpha_to_one", False),
    )


def state_of(draw: Fields, columns: int, rows: int, samples: int) -> RasterState:
    """Return the state of a draw to targets of so many pixels."""
    x, y, width, height = draw.reals("viewport", 4) if "viewport" in draw else (0.0, 0.0, float(columns), float(rows))
    near, far = draw.reals("depth_range", 2) if "depth_range" in draw else (0.0, 1.0)
    clip_depth = draw.word("clip_depth", ("ZERO_TO_ONE", "NEGATIVE_ONE_TO_ONE"), "NEGATIVE_ONE_TO_ONE")
    offset = draw.reals("polygon_offset", 3) if "polygon_offset" in draw else None
    return RasterState(
        viewport=(x, y, width, height),
        depth_range=(near, far),
        scissor=rectangle(draw),
        window_origin=_word(draw, "origin", WindowOriginMode, WindowOriginMode.LOWER_LEFT),
        depth_mode=DepthMode.NEAR_IS_ZERO if clip_depth == "ZERO_TO_ONE" else DepthMode.NEAR_IS_MINUS_W,
        depth_clamp=draw.flag("depth_clamp", False),
        cull_face=_word(draw, "cull", Face, Face.NONE),
        front_face=_word(draw, "front_face", FrontFace, FrontFace.CCW),
        polygon_mode=_word(draw, "polygon_mode", PolygonMode, PolygonMode.FILL),
        polygon_offset=None if offset is None else (offset[0], offset[1], offset[2]),
        line_width=draw.real("line_width", 1.0),
        point_size=draw.real("point_size", 1.0),
        point_sprite=draw.flag("point_sprite", False),
        multisample=_multisample(draw) if samples > 1 else Multisample(),
        **_tests(draw),
        **_merging(draw),
    )
