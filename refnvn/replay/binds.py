"""What does each setting command change? One field of the queue's state, and nothing else.

Read next: ``state.py``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain
from typing import TypeVar

import numpy as np

from refnvn.commands import commands as c
from refnvn.commands.resources import TextureRef
from refnvn.enumerations import Face, ShaderStage
from refnvn.errors import ArgumentError, SizeError, UnsupportedFormat
from refnvn.formats.floatbits import from_bits
from refnvn.formats.table import Use
from refnvn.raster.coverage_modulation import table_steps
from refnvn.replay.context import Context
from refnvn.replay.errors import field
from refnvn.replay.state import COLOR_TARGETS, NOTHING_BOUND, BoundRange, without
from refnvn.replay.views import Target
from refnvn.rules.evidence import Evidence
from refnvn.rules.registry import rule

T = TypeVar("T")


def set_render_targets(context: Context, command: c.SetRenderTargets) -> None:
    """Set all targets; a slot that is not named is empty."""
    if len(command.colors) > COLOR_TARGETS:
        raise SizeError(f"{len(command.colors)} colour targets; {COLOR_TARGETS} are allowed")
    colors: list[Target | None] = [None] * COLOR_TARGETS
    for slot, ref in enumerate(command.colors):
        if ref is not None:
            with field(f"colors[{slot}]"):
                colors[slot] = _color_target(context, ref)
    depth_stencil = None
    if command.depth_stencil is not None:
        with field("depth_stencil"):
            depth_stencil = _depth_stencil_target(context, command.depth_stencil)
    context.state.colors = context.kept.of(tuple, tuple(colors), colors)
    context.state.depth_stencil = depth_stencil


def _color_target(context: Context, ref: TextureRef) -> Target:
    target = context.textures.target(ref)
    if target.fmt.is_depth_stencil:
        raise UnsupportedFormat(f"{target.fmt.nvn_name} is no colour format; a view may give it one")
    target.fmt.require(Use.RENDER_TARGET)
    return target


def _depth_stencil_target(context: Context, ref: TextureRef) -> Target:
    target = context.textures.target(ref)
    if not target.fmt.is_depth_stencil:
        raise UnsupportedFormat(f"{target.fmt.nvn_name} holds neither depth nor stencil")
    return target


def set_depth_clamp(context: Context, command: c.SetDepthClamp) -> None:
    """Set whether depth is clamped instead of clipped."""
    context.state.depth_clamp = command.enable


def _set_sides(context: Context, faces: Face, **fields: int) -> None:
    """Set fields of the stencil test of one face or both."""
    state = context.state
    if faces & Face.FRONT:
        state.front = _same(context, replace(state.front, **fields))
    if faces & Face.BACK:
        state.back = _same(context, replace(state.back, **fields))


def _same(context: Context, record: T) -> T:
    """Return the first record that was equal to this one, which holds no floats."""
    return context.kept.same(record, (type(record), record))


def set_stencil_ref(context: Context, command: c.SetStencilRef) -> None:
    """Set the reference of one face or both."""
    _set_sides(context, command.faces, reference=command.reference)


def set_stencil_value_mask(context: Context, command: c.SetStencilValueMask) -> None:
    """Set the mask of the comparison, of one face or both."""
    _set_sides(context, command.faces, value_mask=command.mask)


def set_stencil_mask(context: Context, command: c.SetStencilMask) -> None:
    """Set the mask of what is written, of one face or both."""
    _set_sides(context, command.faces, write_mask=command.mask)


def bind_coverage_modulation_table(context: Context, command: c.BindCoverageModulationTable) -> None:
    """Keep what shares of covered samples are multiplied as."""
    context.state.modulation_table = table_steps(np.array(_floats(command.values_bits), dtype=np.float32))


def set_sample_mask(context: Context, command: c.SetSampleMask) -> None:
    """Set which samples may be written."""
    context.state.sample_mask = command.mask


def bind_depth_stencil_state(context: Context, command: c.BindDepthStencilState) -> None:
    """Copy in the depth and stencil tests."""
    context.state.depth_stencil_state = _same(context, command.state)


def bind_channel_mask_state(context: Context, command: c.BindChannelMaskState) -> None:
    """Copy in the channel masks."""
    context.state.channel_masks = _same(context, command.state)


def bind_polygon_state(context: Context, command: c.BindPolygonState) -> None:
    """Copy in facing, culling and the polygon mode."""
    context.state.polygon = _same(context, command.state)


def bind_color_state(context: Context, command: c.BindColorState) -> None:
    """Copy in the blend enables, the logic operation and the alpha test."""
    context.state.color = _same(context, command.state)


def bind_blend_state(context: Context, command: c.BindBlendState) -> None:
    """Copy in how one target blends."""
    blends = {**context.state.blends, command.state.target: _same(context, command.state)}
    context.state.blends = context.kept.of(dict, tuple(chain.from_iterable(blends.items())), blends)


def _floats(words: Sequence[int]) -> list[float]:
    found: list[float] = from_bits(np.array(words, dtype=np.uint32)).tolist()
    return found


def set_blend_color(context: Context, command: c.SetBlendColor) -> None:
    """Set the constant of blends."""
    red, green, blue, alpha = _floats(command.color_bits)
    context.state.blend_color = (red, green, blue, alpha)


def set_alpha_ref(context: Context, command: c.SetAlphaRef) -> None:
    """Set the reference of the alpha test."""
    context.state.alpha_reference = _floats((command.reference_bits,))[0]


def bind_multisample_state(context: Context, command: c.BindMultisampleState) -> None:
    """Copy in the multisample state."""
    context.state.multisample = command.state


def bind_program(context: Context, command: c.BindProgram) -> None:
    """Bind a program to the stages that are named, or take what is bound there away."""
    count = len(context.recording.programs)
    if command.program is not None and command.program >= count:
        with field("program"):
            raise ArgumentError(f"no program {command.program}; there are {count}")
    for stage in ShaderStage:
        if command.stages >> stage & 1:
            if command.program is None:
                unbind_program(context, stage)
            else:
                context.state.programs = {**context.state.programs, stage: command.program}


@rule(
    "REPLAY-PROGRAM-1",
    "A null program takes away what the named stages had, and nothing from the others; a draw without a fragment "
    "stage still writes depth and stencil.",
    evidence=Evidence.SWITCH,
    sources=("seed-titles",),
    ledger=("bind-per-stage",),
)
def unbind_program(context: Context, stage: ShaderStage) -> None:
    """Take away the program of one stage."""
    context.state.programs = without(context.state.programs, stage)


def bind_vertex_attrib_state(context: Context, command: c.BindVertexAttribState) -> None:
    """Copy in all attributes."""
    context.state.attribs = command.attribs


def bind_vertex_stream_state(context: Context, command: c.BindVertexStreamState) -> None:
    """Copy in all streams."""
    context.state.streams = command.streams


def bind_vertex_buffer(context: Context, command: c.BindVertexBuffer) -> None:
    """Bind memory to a stream; of no bytes, nothing."""
    bound = _range(context, command.address, command.size_B)
    context.state.vertex_buffers = {**context.state.vertex_buffers, command.index: bound}


def bind_uniform_buffer(context: Context, command: c.BindUniformBuffer) -> None:
    """Bind memory to a uniform slot; of no bytes, nothing."""
    key = (command.stage, command.index)
    bound = _range(context, command.address, command.size_B)
    context.state.uniform_buffers = {**context.state.uniform_buffers, key: bound}


def bind_storage_buffer(context: Context, command: c.BindStorageBuffer) -> None:
    """Bind memory to a storage slot; of size 0 it is used from its address on."""
    with field("address"):
        context.memory.locate(command.address, command.size_B)
    bound = BoundRange(command.address, command.size_B)
    key = (command.stage, command.index)
    context.state.storage_buffers = {**context.state.storage_buffers, key: bound}


def bind_image(context: Context, command: c.BindImage) -> None:
    """Put a handle into an image slot; 0 takes away what is there."""
    key = (command.stage, command.index)
    if command.handle:
        context.state.images = {**context.state.images, key: command.handle}
    else:
        context.state.images = without(context.state.images, key)


def _range(context: Context, address: int, size_B: int) -> BoundRange:
    if size_B == 0:
        return NOTHING_BOUND
    with field("address"):
        context.memory.locate(address, size_B)
    return BoundRange(address, size_B)
