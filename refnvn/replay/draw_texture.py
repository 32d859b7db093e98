"""How is DrawTexture executed? A rectangle of a texture, sampled through its handle, goes to every colour target.

No program, viewport or vertex of the game takes part, and none is changed. Read next:
``raster/textured_rectangle.py``.
"""

from __future__ import annotations

from dataclasses import replace

from refnvn.commands import commands as c
from refnvn.enumerations import LogicOp
from refnvn.raster.state import RasterState
from refnvn.raster.textured_rectangle import Ends, clip_corners, coordinates, drawn, rectangle_drawing
from refnvn.replay.context import Context
from refnvn.replay.draw_state import blends_of
from refnvn.replay.draw_targets import DrawTargets
from refnvn.replay.errors import field
from refnvn.replay.texture_reads import textures_of_handle
from refnvn.rules.evidence import Evidence
from refnvn.rules.fields import DrawTextureState
from refnvn.rules.registry import rule
from refnvn.rules.unknown import unknown
from refnvn.texture.handles import split_handle

INTEGERS = unknown(
    "DRAWTEXTURE-INTEGER-1",
    "Is DrawTexture allowed with integer textures or targets, and what becomes of their bits? An H200 through OpenGL "
    "takes them, and its shader runs red, green and blue through float operations.",
    settled_by="DrawTexture {way} {format} on a console",
    instead="textures and targets of no integer format are drawn",
    module=__name__,
)

Size = tuple[int, int]


def draw_texture(context: Context, command: c.DrawTexture) -> None:
    """Draw a region of a texture to a region of the targets.

    Raises
    ------
    UnknownBehaviour
        For integer targets and textures.
    """
    sizes = []
    for slot, target in enumerate(context.state.colors):
        if target is not None:
            sizes.append((target.subject.width_px, target.subject.height_px))
            if target.fmt.is_integer:
                with field(f"colors[{slot}]"):
                    raise INTEGERS.error(way="to", format=target.fmt.nvn_name)
    if not sizes:
        return
    size = min(width for width, _ in sizes), min(height for _, height in sizes)
    textures = textures_of_handle(context, command.handle)
    texture = textures.texture(split_handle(command.handle).texture_id)
    if texture is not None and texture.fmt.is_integer:
        with field("handle"):
            raise INTEGERS.error(way="of", format=texture.fmt.nvn_name)
    texels = (1, 1) if texture is None else (int(texture.sizes_px[0, 0]), int(texture.sizes_px[1, 0]))
    corners = clip_corners(ends_of(command.destination), 0.0, size)
    varyings = coordinates(ends_of(command.source), texels)
    state = rectangle_state(context, size)
    with DrawTargets(context) as targets:
        colors = targets.layer(0).colors
        drawing = rectangle_drawing(state, colors, None, corners, varyings, textures, context.rules)
        onlooker = None if context.observer is None else context.observer.draws(context, drawing)
        passed = drawn(drawing, threads=context.threads, onlooker=onlooker)
        context.count("samples_passed", passed)


def ends_of(region: tuple[float, float, float, float]) -> Ends:
    """Return the ends of a region of x, y, width and height; a negative size runs backwards."""
    x, y, width, height = region
    return Ends(x, y, x + width, y + height)


@rule(
    "REPLAY-DRAWTEXTURE-1",
    "DrawTexture reaches the first layer of every colour target, inside the scissor and by the channel masks; "
    "no depth, stencil or alpha test, blending, logic operation or viewport takes part.",
    evidence=Evidence.OPEN,
    sources=("seed-titles", "draw-texture-vectors"),
    ledger=("draw-texture",),
    refuted_by="a DrawTexture of a console while blending or a depth test is on",
    fields=("draw_texture_state",),
)
def rectangle_state(context: Context, size_px: Size) -> RasterState:
    """Return what the rasteriser gets, over targets of a size."""
    state = context.state
    bare = RasterState(
        viewport=(0.0, 0.0, float(size_px[0]), float(size_px[1])),
        scissor=state.scissor,
        channel_masks=state.channel_masks.masks,
        blend_color=state.blend_color,
    )
    reads = context.rules.draw_texture_state if _blends(context) else DrawTextureState.BARE
    return bare if reads is DrawTextureState.BARE else _blended(context, bare)


def _blends(context: Context) -> bool:
    """Whether blending or a logic operation is on: only then does it matter whether they take part."""
    color = context.state.color
    return bool(color.blend_enables) or color.logic_op is not LogicOp.COPY


def _blended(context: Context, bare: RasterState) -> RasterState:
    return replace(bare, blends=blends_of(context.state), logic_op=context.state.color.logic_op)
