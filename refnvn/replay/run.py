"""How is a recording executed? Event by event, command by command, in the order of its timeline.

Each command is looked up by its type and executed on the memory that all before it have left; nothing is put off
where it could be seen. An error names the place and ends the replay.

What commands do: ``binds.py``, ``clears.py``, ``copies.py``, ``draw.py``; whether they do it: ``queries.py``; events:
``texels.py``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from refnvn.commands import commands as c
from refnvn.commands import recording as r
from refnvn.commands import sync as s
from refnvn.commands.commands import AnyCommand
from refnvn.commands.presents import PresentTexture
from refnvn.commands.recording import Recording
from refnvn.errors import ArgumentError, RefnvnError
from refnvn.memory.memory import Memory
from refnvn.memory.write_log import Writer
from refnvn.replay import (
    binds,
    clears,
    copies,
    descriptors,
    discards,
    dispatch,
    feedback,
    indirect,
    mesh,
    presents,
    queries,
    stages,
    sync,
    texels,
    viewports,
)
from refnvn.replay.context import Context
from refnvn.replay.draw import (
    draw_arrays,
    draw_arrays_instanced,
    draw_elements,
    draw_elements_instanced,
    draw_transform_feedback,
)
from refnvn.replay.draw_runs import draw_together, end_of_run
from refnvn.replay.draw_texture import draw_texture
from refnvn.replay.errors import failed, field
from refnvn.replay.observer import Observer
from refnvn.replay.order import WRITERS
from refnvn.replay.resolves import downsample
from refnvn.replay.texture_copies import copy_texture_to_texture
from refnvn.replay.timeline import in_order
from refnvn.rules.evidence import Evidence
from refnvn.rules.fields import NVN, Rules, UnorderedReads
from refnvn.rules.registry import rule

Progress = Callable[[int, int], None]
Handler = Callable[[Context, Any], None]
_REPORT_EACH = 1024


class Results(dict[str, NDArray[np.uint8]]):
    """What a replay read back, by name, in the order of the timeline: bytes, packed rows of texels or plain memory.

    Attributes
    ----------
    counters : dict of str to int
        How many commands of each kind ran, and what else was counted.
    """

    def __init__(self, read: dict[str, NDArray[np.uint8]], memory: Memory, counters: dict[str, int]) -> None:
        super().__init__(read)
        self._memory = memory
        self.counters = counters

    def pool_bytes(self, pool: int) -> NDArray[np.uint8]:
        """Return a copy of all bytes of a pool as the replay left them.

        Raises
        ------
        ArgumentError
            If there is no such pool.
        """
        return self._memory.pool_bytes(pool)


def replay(
    recording: Recording,
    blobs: Mapping[str, bytes],
    rules: Rules = NVN,
    *,
    progress: Progress | None = None,
    threads: int = 1,
    memory: type[Memory] = Memory,
    observer: Observer | None = None,
) -> Results:
    """Execute a recording.

    Parameters
    ----------
    recording : Recording
        What to execute. It need not have been checked.
    blobs : mapping of str to bytes
        Its blobs by name.
    rules : Rules
        What could be otherwise.
    progress : callable or None
        Called now and then with the commands that have run and the commands of all submissions.
    threads : int
        How many may draw at the same time; the results are the same.
    memory : type
        Another memory than the reference's, for faults.
    observer : Observer or None
        Looks on; runs of draws are then drawn one by one, which gives the same.

    Returns
    -------
    Results
        Bit-exact where the rules that ran are.

    Raises
    ------
    ReplayError
        Naming the command buffer, command and field, or the event.

    Examples
    --------
    >>> from refnvn.commands.resources import MemoryPool
    >>> pools = (MemoryPool(size_B=4096),)
    >>> fill = c.ClearBuffer(address=r.pool_base_B(0), size_B=8, value=0x04030201)
    >>> read = r.ReadMemory(name="first", pool=0, offset_B=4, size_B=6)
    >>> recording = Recording(refnvn_trace=1, pools=pools, command_buffers=((fill,),),
    ...                       timeline=(r.Submit(command_buffers=(0,)), read))
    >>> replay(recording, {})["first"].tolist()
    [1, 2, 3, 4, 0, 0]
    """
    context = Context(recording, blobs, rules, threads, memory)
    context.watch(observer)
    _execute(context, _Report(recording, progress))
    later = context.reads.later.states
    if later and rules.peek("unordered_reads") >= UnorderedReads.LATER:
        context = Context(recording, blobs, rules, threads, memory, later)
        _execute(context, _Report(recording, None))
    return Results(context.results, context.memory, context.counters)


def _execute(context: Context, report: _Report) -> None:
    """Execute the events of a recording."""
    recording, rules = context.recording, context.rules
    for position, event in in_order(recording, rules):
        place = f"timeline[{position}]"
        if isinstance(event, r.Submit):
            _submit(context, event, place, report)
            continue
        try:
            context.reads.command(Writer.ORDERED)
            _EVENTS[type(event)](context, event)
        except RefnvnError as error:
            raise failed(place, error) from error
        if context.observer is not None:
            context.observer.happened(context, position, event)
    if context.observer is not None:
        context.observer.finished(context)
    context.reads.later.close()


class _Report:
    """Tells how many commands have run of how many."""

    def __init__(self, recording: Recording, progress: Progress | None) -> None:
        sizes = [len(commands) for commands in recording.command_buffers]
        submitted = [i for event in recording.timeline if isinstance(event, r.Submit) for i in event.command_buffers]
        self._all = sum(sizes[index] for index in submitted if index < len(sizes))
        self._done = 0
        self._progress = progress

    def ran(self, commands: int) -> None:
        """Count commands that have run."""
        self._done += commands
        if self._progress is not None:
            self._progress(self._done, self._all)


def _submit(context: Context, event: r.Submit, place: str, report: _Report) -> None:
    """Let a queue execute command buffers."""
    buffers = context.recording.command_buffers
    with field(f"{place}.queue"):
        if event.queue >= len(context.queues):
            raise ArgumentError(f"no queue {event.queue}; there are {len(context.queues)}")
    with field(f"{place}.command_buffers"):
        for index in event.command_buffers:
            if index >= len(buffers):
                raise ArgumentError(f"no command buffer {index}; there are {len(buffers)}")
    context.state = context.queues[event.queue]
    context.reads.submission()
    for index in event.command_buffers:
        for start in range(0, len(buffers[index]), _REPORT_EACH):
            commands = buffers[index][start : start + _REPORT_EACH]
            run_in_order(context, commands, f"command_buffers[{index}]", start)
            report.ran(len(commands))


@rule(
    "REPLAY-ORDER-1",
    "Commands take effect in the order in which they were recorded, each whole: it sees all that stands before it, "
    "and of what the processor does all that precedes its submission and nothing that follows.",
    evidence=Evidence.SWITCH,
    sources=("seed-titles",),
    ledger=(
        "copy-order",
        "lazy-clear",
        "s4-sw-lazyclear",
        "buf-tex-copy-early",
        "s4-sw-blitorder",
        "slice-merge",
        "bindless-depth-reader",
    ),
)
def run_in_order(context: Context, commands: tuple[AnyCommand, ...], place: str, first: int = 0) -> None:
    """Execute commands of one command buffer.

    Raises
    ------
    ReplayError
        With ``place``, the command's number (the first one's is ``first``) and its field.
    """
    handlers, begin, observer = _COMMANDS, context.reads.command, context.observer
    place_in_buffer, one_by_one = 0, 0
    try:
        while place_in_buffer < len(commands):
            command = commands[place_in_buffer]
            if observer is not None:
                observer.begins(context, command)
            begin(WRITERS.get(type(command), Writer.ORDERED))
            handlers[type(command)](context, command)
            place_in_buffer += 1
            if observer is not None:
                observer.ends(context, command)
            elif type(command) is c.DrawArrays and place_in_buffer >= one_by_one:
                end = end_of_run(commands, place_in_buffer)
                if end > place_in_buffer and draw_together(context, commands[place_in_buffer - 1 : end]):
                    place_in_buffer = end
                one_by_one = end
    except RefnvnError as error:
        name = type(commands[place_in_buffer]).__name__
        raise failed(f"{place}[{first + place_in_buffer}] {name}", error) from error
    for kind, count in Counter(map(type, commands)).items():
        context.count(kind.__name__, count)


_EVENTS: dict[type[Any], Handler] = {
    r.WriteMemory: texels.write_memory,
    r.FlushMappedRange: texels.flush_mapped_range,
    r.ReadMemory: texels.read_memory,
    r.MapVirtual: texels.map_virtual,
    r.WriteTexels: texels.write_texels,
    r.ReadTexels: texels.read_texels,
    r.RegisterTexture: descriptors.register_texture,
    r.RegisterImage: descriptors.register_image,
    r.RegisterSampler: descriptors.register_sampler,
    PresentTexture: presents.present_texture,
    s.QueueFlush: sync.no_wait,
    s.QueueFinish: sync.no_wait,
    s.QueueFenceSync: sync.fence_sync,
    s.QueueWaitSync: sync.wait_sync,
    s.SyncWait: sync.wait_sync,
    s.EventSignal: sync.signal_event,
    s.InvalidateMappedRange: sync.invalidate_mapped_range,
}


def _barrier(context: Context, command: c.Barrier) -> None:
    """Order what follows after what stands before, as far as the bits say."""
    context.reads.barrier(command.bits)


_COMMANDS: dict[type[Any], Handler] = {
    c.SetRenderTargets: binds.set_render_targets,
    c.ClearColor: queries.if_enabled(clears.clear_color),
    c.ClearColori: queries.if_enabled(clears.clear_color_integers),
    c.ClearColorui: queries.if_enabled(clears.clear_color_integers),
    c.ClearDepthStencil: queries.if_enabled(clears.clear_depth_stencil),
    c.DiscardColor: discards.discard_color,
    c.DiscardDepthStencil: discards.discard_depth_stencil,
    c.ClearTexture: queries.if_texture_clears_enabled(clears.clear_texture),
    c.ClearTexturei: queries.if_texture_clears_enabled(clears.clear_texture_integers),
    c.ClearTextureui: queries.if_texture_clears_enabled(clears.clear_texture_integers),
    c.ClearBuffer: clears.clear_buffer,
    c.CopyBufferToBuffer: copies.copy_buffer_to_buffer,
    c.CopyBufferToTexture: copies.copy_buffer_to_texture,
    c.CopyTextureToBuffer: copies.copy_texture_to_buffer,
    c.CopyTextureToTexture: copy_texture_to_texture,
    c.UpdateUniformBuffer: copies.update_uniform_buffer,
    c.SetViewport: viewports.set_viewport,
    c.SetViewports: viewports.set_viewports,
    c.SetViewportSwizzles: viewports.set_viewport_swizzles,
    c.SetScissor: viewports.set_scissor,
    c.SetScissors: viewports.set_scissors,
    c.SetDepthRange: viewports.set_depth_range,
    c.SetDepthRanges: viewports.set_depth_ranges,
    c.SetDepthBounds: viewports.set_depth_bounds,
    c.SetConservativeRasterEnable: viewports.set_conservative_raster_enable,
    c.SetConservativeRasterDilate: viewports.set_conservative_raster_dilate,
    c.SetSubpixelPrecisionBias: viewports.set_subpixel_precision_bias,
    c.SetPolygonOffsetClamp: viewports.set_polygon_offset_clamp,
    c.SetPointSize: viewports.set_point_size,
    c.SetLineWidth: viewports.set_line_width,
    c.SetBlendColor: binds.set_blend_color,
    c.SetAlphaRef: binds.set_alpha_ref,
    c.SetPrimitiveRestart: viewports.set_primitive_restart,
    c.SetDepthClamp: binds.set_depth_clamp,
    c.SetStencilRef: binds.set_stencil_ref,
    c.SetStencilValueMask: binds.set_stencil_value_mask,
    c.SetStencilMask: binds.set_stencil_mask,
    c.BindCoverageModulationTable: binds.bind_coverage_modulation_table,
    c.SetSampleMask: binds.set_sample_mask,
    c.Downsample: downsample,
    c.BindDepthStencilState: binds.bind_depth_stencil_state,
    c.BindChannelMaskState: binds.bind_channel_mask_state,
    c.BindPolygonState: binds.bind_polygon_state,
    c.BindColorState: binds.bind_color_state,
    c.BindBlendState: binds.bind_blend_state,
    c.BindMultisampleState: binds.bind_multisample_state,
    c.BindProgram: binds.bind_program,
    c.BindVertexAttribState: binds.bind_vertex_attrib_state,
    c.BindVertexStreamState: binds.bind_vertex_stream_state,
    c.BindVertexBuffer: binds.bind_vertex_buffer,
    c.BindUniformBuffer: binds.bind_uniform_buffer,
    c.SetTexturePool: descriptors.set_texture_pool,
    c.SetSamplerPool: descriptors.set_sampler_pool,
    c.BindTexture: descriptors.bind_texture,
    c.BindSeparateTexture: descriptors.bind_separate_texture,
    c.BindSeparateSampler: descriptors.bind_separate_sampler,
    c.BindStorageBuffer: binds.bind_storage_buffer,
    c.BindImage: binds.bind_image,
    c.DispatchCompute: dispatch.dispatch_compute,
    c.DispatchComputeIndirect: dispatch.dispatch_compute_indirect,
    c.DrawMeshTasks: queries.counted(mesh.draw_mesh_tasks),
    c.DrawMeshTasksIndirect: queries.counted(mesh.draw_mesh_tasks_indirect),
    c.DrawTexture: queries.counted(draw_texture),
    c.DrawArrays: queries.counted(draw_arrays),
    c.DrawElements: queries.counted(draw_elements),
    c.DrawArraysInstanced: queries.counted(draw_arrays_instanced),
    c.DrawElementsInstanced: queries.counted(draw_elements_instanced),
    c.DrawArraysIndirect: queries.counted(indirect.draw_arrays_indirect),
    c.DrawElementsIndirect: queries.counted(indirect.draw_elements_indirect),
    c.MultiDrawArraysIndirectCount: queries.counted(indirect.multi_draw_arrays_indirect_count),
    c.MultiDrawElementsIndirectCount: queries.counted(indirect.multi_draw_elements_indirect_count),
    c.ReportCounter: queries.report_counter,
    c.ResetCounter: queries.reset_counter,
    c.ReportValue: sync.report_value,
    c.FenceSync: sync.fence_sync,
    c.WaitSync: sync.wait_sync,
    c.SignalEvent: sync.signal_event,
    c.WaitEvent: sync.wait_event,
    c.SetRenderEnable: queries.set_render_enable,
    c.SetRenderEnableConditional: queries.set_render_enable_conditional,
    c.SetRasterizerDiscard: stages.set_rasterizer_discard,
    c.SetPatchSize: stages.set_patch_size,
    c.SetOuterTessellationLevels: stages.set_outer_tessellation_levels,
    c.SetInnerTessellationLevels: stages.set_inner_tessellation_levels,
    c.BindTransformFeedbackBuffer: feedback.bind_transform_feedback_buffer,
    c.BeginTransformFeedback: feedback.begin_transform_feedback,
    c.EndTransformFeedback: feedback.end_transform_feedback,
    c.PauseTransformFeedback: feedback.pause_transform_feedback,
    c.ResumeTransformFeedback: feedback.resume_transform_feedback,
    c.DrawTransformFeedback: queries.counted(draw_transform_feedback),
    c.Barrier: _barrier,
}
