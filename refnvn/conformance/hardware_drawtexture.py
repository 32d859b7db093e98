"""How is the measured family ``drawtexture`` scored: rectangles of a texture without a shader?

``in_rects`` are ``glDrawTextureNV``'s arguments: x0, y0, x1, y1 in pixels, depth, and s0, t0, s1, t1. The variants
set blending, scissor, mask, depth test, logic operation or origin.

Read next: ``schemas.py``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from refnvn.conformance.hardware_draws import array_of
from refnvn.conformance.schema import Schema
from refnvn.conformance.score import ArrayScore, compare, not_run
from refnvn.conformance.signature import has_arrays
from refnvn.conformance.vector_file import VectorFile
from refnvn.enumerations import BlendFunc, DepthFunc, LogicOp, MagFilter, MinFilter, WrapMode
from refnvn.formats.table import format_named
from refnvn.layout.description import TextureTarget
from refnvn.raster.blend import BlendTargetState
from refnvn.raster.state import TARGETS_MAX, RasterState
from refnvn.raster.target import ColorTarget, DepthStencilTarget
from refnvn.raster.textured_rectangle import Ends, clip_corners, coordinates, draw_rectangle
from refnvn.rules.fields import Rules
from refnvn.rules.registry import collect
from refnvn.shader.textures import Textures, textures_of
from refnvn.texture.sampled import SampledTexture
from refnvn.texture.sampler import Sampler

_SIZE_PX = 32
_NAME = re.compile(r"out_(NEAREST|LINEAR)_(plain|blend|scissor|mask|depth|depthbuf|logicop|upper_left)")
_WRAP = (WrapMode.REPEAT, WrapMode.MIRRORED_REPEAT, WrapMode.REPEAT)
_RED_AND_ALPHA = 0b1001
_DEPTH = np.float32(0.5)


def _state(variant: str) -> RasterState:
    blend = BlendTargetState(
        source_color=BlendFunc.SRC_ALPHA,
        destination_color=BlendFunc.ONE_MINUS_SRC_ALPHA,
        source_alpha=BlendFunc.SRC_ALPHA,
        destination_alpha=BlendFunc.ONE_MINUS_SRC_ALPHA,
    )
    tests = variant.startswith("depth")
    return RasterState(
        viewport=(0.0, 0.0, float(_SIZE_PX), float(_SIZE_PX)),
        scissor=(3, 5, 14, 9) if variant == "scissor" else None,
        channel_masks=(_RED_AND_ALPHA if variant == "mask" else 15,) * TARGETS_MAX,
        blends=(blend if variant == "blend" else None,) * TARGETS_MAX,
        logic_op=LogicOp.XOR if variant == "logicop" else LogicOp.COPY,
        depth_test=tests,
        depth_write=tests,
        depth_func=DepthFunc.LESS,
    )


def _textures(texels: NDArray[np.uint8], filter_name: str) -> Textures:
    texture = SampledTexture(format_named("RGBA8"), TextureTarget.TARGET_2D, (texels[np.newaxis],))
    sampler = Sampler(min_filter=MinFilter[filter_name], mag_filter=MagFilter[filter_name], wrap=_WRAP)
    return textures_of({0: (texture, sampler)})


def _score(file: VectorFile, name: str, filter_name: str, variant: str, rules: Rules) -> ArrayScore:
    rectangles = array_of(file, "in_rects", (None, 9), "f")
    texels = array_of(file, "in_tex", (None, None, 4), "u")
    before = array_of(file, "in_dst", (_SIZE_PX, _SIZE_PX, 4), "u")
    measured = file.array(name)
    state, textures = _state(variant), _textures(np.ascontiguousarray(texels), filter_name)
    fmt, depth_fmt = format_named("RGBA8"), format_named("DEPTH32F")
    images, depths = [], []
    with collect() as used:
        for one in rectangles:
            target = ColorTarget(fmt, before.copy())
            plane = np.full((_SIZE_PX, _SIZE_PX, 1), _DEPTH).view(np.uint8)
            corners = clip_corners(Ends(*one[:4].tolist()), float(one[4]), (_SIZE_PX, _SIZE_PX))
            varyings = coordinates(Ends(*one[5:].tolist()), (1, 1))
            draw_rectangle(state, [target], DepthStencilTarget(depth_fmt, plane), corners, varyings, textures, rules)
            images.append(target.codes)
            depths.append(plane.view(np.uint32)[..., 0])
    return compare(name, np.stack(depths if variant == "depthbuf" else images), measured, used)


def score_drawtexture(file: VectorFile, rules: Rules) -> Iterator[ArrayScore]:
    """Score ``drawtexture``."""
    for name in (one for one in file.headers if one.startswith("out_")):
        if found := _NAME.fullmatch(name):
            yield _score(file, name, found[1], found[2], rules)
        else:
            yield not_run(name, "no rule knows this array")


SCHEMAS: tuple[Schema, ...] = (
    Schema(name="drawtexture", recognises=has_arrays("in_rects", "in_tex", "in_dst"), score=score_drawtexture),
)
