"""What does each clear command reach: which target, layers and rectangle, and which bits?

``ClearColor`` and ``ClearDepthStencil`` clear what is bound, inside the scissor; ``ClearTexture`` clears a region of
a texture, whatever is bound. What a texel becomes is the rule of ``raster/clear.py``.

Read next: ``copies.py``.
"""

from __future__ import annotations

import numpy as np

from refnvn.commands import commands as c
from refnvn.commands.resources import Region
from refnvn.raster.clear import clear_color as clear_color_texels
from refnvn.raster.clear import clear_depth_stencil as clear_depth_stencil_texels
from refnvn.raster.target import ColorTarget, DepthStencilTarget, Rectangle, clipped
from refnvn.replay.context import Context
from refnvn.replay.errors import field
from refnvn.replay.stamp import Bytes, Stamp
from refnvn.replay.views import Part, Target, area_of
from refnvn.rules.evidence import Evidence
from refnvn.rules.registry import rule

Words = tuple[int, int, int, int]


@rule(
    "CLEAR-SCISSOR-1",
    "ClearColor and ClearDepthStencil are cut off at the scissor, which counts memory rows, and at nothing else: "
    "neither viewport nor the sizes of other targets.",
    evidence=Evidence.SWITCH,
    sources=("seed-titles", "deko3d", "open-gpu-doc"),
    ledger=("clear-scissor", "clear-larger-att", "clear-in-pass"),
    refuted_by="a clear of a large target that stops at the size of a smaller one, as deko3d's screen scissor would",
)
def cleared_rectangle(target: Target, scissor: Rectangle | None) -> Rectangle | None:
    """Return the texels of a bound target that a clear reaches; None is all."""
    return None if scissor is None else target.of_texels(scissor)


@rule(
    "CLEAR-LAYERS-1",
    "A clear of a bound target reaches every layer of its view: all layers of the texture where the view sets none.",
    evidence=Evidence.SWITCH,
    sources=("seed-titles", "deko3d", "open-gpu-doc"),
    ledger=("clear-layers",),
)
def clear_layers(target: Target, stamp: Stamp, rectangle: Rectangle | None) -> None:
    """Stamp a rectangle of every layer of a view."""
    for part in target.parts():
        stamp_part(part, stamp, rectangle)


@rule(
    "CLEAR-MASK-1",
    "A clear has its own masks: the channel masks, depth and stencil write masks, tests, blending, logic operation "
    "and culling that are set for draws do not bear on it, and it touches no other target.",
    evidence=Evidence.INFERRED,
    sources=("seed-titles", "deko3d", "open-gpu-doc"),
    ledger=("clear-in-pass", "zero-init"),
    refuted_by="a console that keeps a channel which the bound channel mask forbids through a clear that names it",
)
def color_stamp(context: Context, target: Target, words: Words, mask: int) -> Stamp:
    """Return what a colour clear does to a texel: its four words and its mask decide, no state."""
    fmt = target.fmt
    color = np.array(words, np.uint32)

    def clear(codes: Bytes) -> None:
        clear_color_texels(ColorTarget(fmt, codes), color, mask, None, context.rules)

    return context.stamps.get((fmt, words, mask), fmt.bytes_per_block, clear)


def depth_stencil_stamp(context: Context, target: Target, command: c.ClearDepthStencil) -> Stamp:
    """Return what a depth-stencil clear does to a texel."""
    fmt = target.fmt
    values = (command.depth_bits, command.depth_mask, command.stencil, command.stencil_mask)

    def clear(codes: Bytes) -> None:
        clear_depth_stencil_texels(DepthStencilTarget(fmt, codes), *values, None, context.rules)

    return context.stamps.get((fmt, *values), fmt.bytes_per_block, clear)


def stamp_part(part: Part, stamp: Stamp, rectangle: Rectangle | None) -> None:
    """Stamp a rectangle of some slices of a surface, clipped to it."""
    codes = part.surface.codes
    if rectangle is None:
        stamp.apply(codes[part.first_slice : part.first_slice + part.slices])
    else:
        rows, columns = clipped(rectangle, codes.shape[2], codes.shape[1])
        stamp.apply(codes[part.first_slice : part.first_slice + part.slices, rows, columns])
    part.surface.written()


def _bits(words: tuple[int, int, int, int]) -> Words:
    first, second, third, fourth = (word & 0xFFFFFFFF for word in words)
    return first, second, third, fourth


def _clear_bound(context: Context, index: int, words: Words, mask: int) -> None:
    """Clear a colour target; a slot without one is left out."""
    target = context.state.colors[index]
    if target is not None:
        stamp = color_stamp(context, target, words, mask)
        clear_layers(target, stamp, cleared_rectangle(target, context.state.scissor))


def clear_color(context: Context, command: c.ClearColor) -> None:
    """Clear a colour target with the bits of four floats."""
    _clear_bound(context, command.index, command.color_bits, command.mask)


def clear_color_integers(context: Context, command: c.ClearColori | c.ClearColorui) -> None:
    """Clear a colour target with four integers."""
    _clear_bound(context, command.index, _bits(command.color), command.mask)


def clear_depth_stencil(context: Context, command: c.ClearDepthStencil) -> None:
    """Clear the depth-stencil target, if there is one."""
    target = context.state.depth_stencil
    if target is not None:
        stamp = depth_stencil_stamp(context, target, command)
        clear_layers(target, stamp, cleared_rectangle(target, context.state.scissor))


@rule(
    "CLEAR-TEXTURE-1",
    "ClearTexture reaches the region, slices or layers that it names at the view's level; scissor and bound targets "
    "do not matter, and any format whose channels can be stored will do.",
    evidence=Evidence.SWITCH,
    sources=("seed-titles",),
    ledger=("clear-tex-partial", "rt-usage-upgrade"),
)
def clear_region(target: Target, region: Region, stamp: Stamp) -> None:
    """Stamp a region of a texture."""
    area = area_of(target, region)
    rectangle = target.of_texels(area.rectangle)
    for part in target.parts(area.first, area.layers):
        stamp_part(part, stamp, rectangle)


def _clear_texture(
    context: Context, command: c.ClearTexture | c.ClearTexturei | c.ClearTextureui, words: Words
) -> None:
    with field("texture"):
        target = context.textures.target(command.texture)
        stamp = color_stamp(context, target, words, command.mask)
    clear_region(target, command.region, stamp)


def clear_texture(context: Context, command: c.ClearTexture) -> None:
    """Clear a region with the bits of four floats."""
    _clear_texture(context, command, command.color_bits)


def clear_texture_integers(context: Context, command: c.ClearTexturei | c.ClearTextureui) -> None:
    """Clear a region with four integers."""
    _clear_texture(context, command, _bits(command.color))


def clear_buffer(context: Context, command: c.ClearBuffer) -> None:
    """Fill memory with a word."""
    context.memory.fill(command.address, command.size_B, command.value)
