"""May a command stand where it stands? Its references, ranges, regions and formats, each with its place.

Numbers outside the range of their type are refused earlier, by the types. What NVN tolerates is allowed here: ranges
of no bytes bind nothing, wherever they are.

It does not follow state from command to command. Read next: ``check.py``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from refnvn.commands import commands as c
from refnvn.commands.subject import Subject, check_region, stored_format, strided_span_B
from refnvn.enumerations import IndexType
from refnvn.errors import ArgumentError, FieldRangeError, SizeError, UnsupportedFormat
from refnvn.formats.table import Use
from refnvn.layout.description import TextureTarget
from refnvn.trace import check_textures
from refnvn.trace.numbers import check_float32
from refnvn.trace.place import at
from refnvn.trace.resources import (
    Resources,
    check_address,
    check_blob,
    check_index,
    check_texture_ref,
    check_texture_region,
)

MOST_TARGETS = 8
MOST_ATTRIBS = 32
"""NVN has 16, NVN2 32."""
MOST_STREAMS = 16
MOST_VIEWPORTS = 16
SAMPLE_COUNTS = (0, 1, 2, 4, 8, 16)
WORD_B = 4
DISPATCH_B = 3 * WORD_B
INDEX_B = {IndexType.BYTE: 1, IndexType.SHORT: 2, IndexType.INT: 4}
UNIFORM_ALIGNMENT_B = 256
COUNTER_B = 8
REPORT_B = 16
MOST_UNIFORM_B = 65536


def check_command(resources: Resources, command: c.Command) -> None:
    """Raise for a command that cannot be executed.

    Raises
    ------
    Misplaced
        At the field that is wrong.
    """
    check = _CHECKS.get(type(command))
    if check is not None:
        check(resources, command)


def drawn_vertices(command: c.Command) -> int:
    """Return the vertices of a draw, all instances together; 0 where memory says how many, and for what is no draw.

    Examples
    --------
    >>> drawn_vertices(c.DrawArraysInstanced(primitive=4, first=0, count=3, instance_count=5))
    15
    """
    if isinstance(command, c.DrawArrays | c.DrawElements):
        return command.count
    if isinstance(command, c.DrawArraysInstanced | c.DrawElementsInstanced):
        return command.count * command.instance_count
    return 0


def _floats(*fields: str) -> Callable[[Resources, Any], None]:
    def check(_resources: Resources, command: Any) -> None:
        for field in fields:
            with at(field):
                check_float32(getattr(command, field))

    return check


def _set_render_targets(resources: Resources, command: c.SetRenderTargets) -> None:
    with at("colors"):
        if len(command.colors) > MOST_TARGETS:
            raise SizeError(f"{len(command.colors)} targets, allowed are {MOST_TARGETS}")
    for slot, ref in enumerate(command.colors):
        if ref is not None:
            with at("colors", slot):
                check_color_target(check_texture_ref(resources, ref))
    if command.depth_stencil is not None:
        with at("depth_stencil"):
            check_depth_target(check_texture_ref(resources, command.depth_stencil))


def check_color_target(subject: Subject) -> None:
    """Raise unless a subject can be a colour target.

    Raises
    ------
    UnsupportedFormat
        Naming its format and uses.
    """
    if subject.fmt.is_depth_stencil:
        raise UnsupportedFormat(f"{subject.fmt.nvn_name} is no colour format; a view may give it one")
    subject.fmt.require(Use.RENDER_TARGET)


def check_presented(subject: Subject) -> None:
    """Raise unless a subject can be shown on the screen.

    Raises
    ------
    ArgumentError
        For anything but one 2D image of a colour format and one sample.
    """
    if subject.target is not TextureTarget.TARGET_2D or subject.samples > 1:
        raise ArgumentError(f"{subject.target.name} of {subject.samples} samples, allowed is 2D of 1 sample")
    if subject.fmt.is_depth_stencil or subject.fmt.is_compressed:
        raise UnsupportedFormat(f"{subject.fmt.nvn_name} cannot be shown, allowed are colour formats")


def check_depth_target(subject: Subject) -> None:
    """Raise unless a subject can be the depth-stencil target.

    Raises
    ------
    UnsupportedFormat
        For a colour format.
    """
    if not subject.fmt.is_depth_stencil:
        raise UnsupportedFormat(f"{subject.fmt.nvn_name} is no depth or stencil format")


def _clear_texture(resources: Resources, command: c.ClearTexture | c.ClearTexturei | c.ClearTextureui) -> None:
    check_texture_region(resources, command.texture, command.region)
    with at("texture"):
        fmt = check_texture_ref(resources, command.texture).fmt
        if fmt.is_compressed or fmt.is_depth_stencil:
            raise UnsupportedFormat(f"{fmt.nvn_name} has no colour to clear; a view of a colour format has")


def _clear_buffer(resources: Resources, command: c.ClearBuffer) -> None:
    with at("size_B"):
        if command.size_B % WORD_B:
            raise SizeError(f"{command.size_B}, allowed are multiples of {WORD_B}")
    with at("address"):
        if command.address % WORD_B:
            raise ArgumentError(f"{command.address:#x}, allowed are multiples of {WORD_B}")
        check_address(resources, command.address, command.size_B)


def _copy_buffer_to_buffer(resources: Resources, command: c.CopyBufferToBuffer) -> None:
    with at("source"):
        check_address(resources, command.source, command.size_B)
    with at("destination"):
        check_address(resources, command.destination, command.size_B)


def _copy_rows(resources: Resources, command: c.CopyBufferToTexture | c.CopyTextureToBuffer) -> None:
    rows = check_texture_region(resources, command.texture, command.region)
    with at("row_stride_B"):
        size_B = strided_span_B(rows, command.row_stride_B, command.image_stride_B)
    if isinstance(command, c.CopyBufferToTexture):
        with at("source"):
            check_address(resources, command.source, size_B)
    else:
        with at("destination"):
            check_address(resources, command.destination, size_B)


def _copy_texture(resources: Resources, command: c.CopyTextureToTexture) -> None:
    for side, region in (("source", command.source_region), ("destination", command.destination_region)):
        texture = getattr(command, side)
        with at(side):
            check_texture_ref(resources, texture)
        with at(f"{side}_region"):
            check_region(check_texture_ref(resources, texture), region)


def _update_uniform_buffer(resources: Resources, command: c.UpdateUniformBuffer) -> None:
    with at("blob"):
        written_B = check_blob(resources, command.blob)
        if written_B % WORD_B:
            raise SizeError(f"{written_B} bytes, allowed are multiples of {WORD_B}")
    with at("offset_B"):
        if command.offset_B % WORD_B:
            raise ArgumentError(f"{command.offset_B}, allowed are multiples of {WORD_B}")
        if command.offset_B + written_B > command.size_B:
            raise SizeError(f"{command.offset_B} + {written_B} bytes, the buffer has {command.size_B}")
    with at("address"):
        check_address(resources, command.address, command.size_B)


def _set_scissor(_resources: Resources, command: c.SetScissor) -> None:
    for field in ("width", "height"):
        with at(field):
            if getattr(command, field) < 0:
                raise SizeError(f"{getattr(command, field)}, allowed are 0 and more")


def _set_viewports(_resources: Resources, command: c.SetViewports) -> None:
    _check_numbers("viewports", command.first, command.viewports)
    for place, viewport in enumerate(command.viewports):
        for value in viewport:
            with at("viewports", place):
                check_float32(value)


def _set_depth_ranges(_resources: Resources, command: c.SetDepthRanges) -> None:
    _check_numbers("ranges", command.first, command.ranges)
    for place, depth_range in enumerate(command.ranges):
        for value in depth_range:
            with at("ranges", place):
                check_float32(value)


def _draw_texture(_resources: Resources, command: c.DrawTexture) -> None:
    for name in ("destination", "source"):
        for value in getattr(command, name):
            with at(name):
                check_float32(value)


def _check_numbers(field: str, first: int, given: tuple[Any, ...]) -> None:
    """Raise unless all numbers from ``first`` on are those of viewports."""
    with at(field):
        if first + len(given) > MOST_VIEWPORTS:
            raise SizeError(f"{len(given)} from number {first} on, there are {MOST_VIEWPORTS}")


def _bind_program(resources: Resources, command: c.BindProgram) -> None:
    with at("program"):
        if command.program is not None:
            check_index("program", command.program, len(resources.programs))


def _bind_attribs(_resources: Resources, command: c.BindVertexAttribState) -> None:
    with at("attribs"):
        if len(command.attribs) > MOST_ATTRIBS:
            raise SizeError(f"{len(command.attribs)} attributes, allowed are {MOST_ATTRIBS}")
    for location, attrib in enumerate(command.attribs):
        with at("attribs", location, "format"):
            stored_format(attrib.format).require(Use.VERTEX)


def _bind_streams(_resources: Resources, command: c.BindVertexStreamState) -> None:
    with at("streams"):
        if len(command.streams) > MOST_STREAMS:
            raise SizeError(f"{len(command.streams)} streams, allowed are {MOST_STREAMS}")


def _bind_vertex_buffer(resources: Resources, command: c.BindVertexBuffer) -> None:
    with at("address"):
        if command.size_B:
            check_address(resources, command.address, command.size_B)


def _bind_uniform_buffer(resources: Resources, command: c.BindUniformBuffer) -> None:
    if not command.size_B:
        return
    with at("size_B"):
        if command.size_B > MOST_UNIFORM_B:
            raise SizeError(f"{command.size_B}, allowed are up to {MOST_UNIFORM_B}")
    with at("address"):
        if command.address % UNIFORM_ALIGNMENT_B:
            raise ArgumentError(f"{command.address:#x}, allowed are multiples of {UNIFORM_ALIGNMENT_B}")
        check_address(resources, command.address, command.size_B)


def _bind_storage_buffer(resources: Resources, command: c.BindStorageBuffer) -> None:
    with at("address"):
        if command.address % WORD_B:
            raise ArgumentError(f"{command.address:#x}, allowed are multiples of {WORD_B}")
        check_address(resources, command.address, command.size_B)


def _dispatch_indirect(resources: Resources, command: c.DispatchComputeIndirect) -> None:
    with at("address"):
        if command.address % WORD_B:
            raise ArgumentError(f"{command.address:#x}, allowed are multiples of {WORD_B}")
        check_address(resources, command.address, DISPATCH_B)


def _draw_elements(resources: Resources, command: c.DrawElements | c.DrawElementsInstanced) -> None:
    with at("address"):
        index_B = INDEX_B[command.index_type]
        if command.address % index_B:
            raise ArgumentError(f"{command.address:#x}, allowed are multiples of {index_B}, the size of an index")
        if command.count:
            check_address(resources, command.address, command.count * index_B)


def _feedback_buffer(resources: Resources, command: c.BindTransformFeedbackBuffer) -> None:
    with at("address"):
        if command.address % WORD_B:
            raise ArgumentError(f"{command.address:#x}, allowed are multiples of {WORD_B}")
        if command.size_B:
            check_address(resources, command.address, command.size_B)


def _feedback_control(resources: Resources, command: Any) -> None:
    with at("address"):
        if command.address % WORD_B:
            raise ArgumentError(f"{command.address:#x}, allowed are multiples of {WORD_B}")
        check_address(resources, command.address, c.FEEDBACK_CONTROL_B)


Indirect = (
    c.DrawArraysIndirect | c.DrawElementsIndirect | c.MultiDrawArraysIndirectCount | c.MultiDrawElementsIndirectCount
)


def _indirect(resources: Resources, command: Indirect) -> None:
    """Check places of records and counts; how many records there are is known when they are read."""
    by_index = isinstance(command, c.DrawElementsIndirect | c.MultiDrawElementsIndirectCount)
    sizes_B = {"address": (5 if by_index else 4) * WORD_B, "count_address": WORD_B}
    for name in ("address", "count_address", "stride_B"):
        value = getattr(command, name, None)
        if value is not None:
            with at(name):
                if value % WORD_B:
                    raise ArgumentError(f"{value:#x}, allowed are multiples of {WORD_B}")
                if name in sizes_B:
                    check_address(resources, value, sizes_B[name])
    if isinstance(command, c.DrawElementsIndirect | c.MultiDrawElementsIndirectCount):
        with at("index_address"):
            index_B = INDEX_B[command.index_type]
            if command.index_address % index_B:
                raise ArgumentError(f"{command.index_address:#x}, allowed are multiples of {index_B}")
            check_address(resources, command.index_address, index_B)


def _report(resources: Resources, command: c.ReportCounter | c.SetRenderEnableConditional) -> None:
    with at("address"):
        if command.address % REPORT_B:
            raise ArgumentError(f"{command.address:#x}, allowed are multiples of {REPORT_B}, the size of a report")
        pair_B = REPORT_B + COUNTER_B
        check_address(resources, command.address, REPORT_B if isinstance(command, c.ReportCounter) else pair_B)


def _mesh_record(resources: Resources, command: c.DrawMeshTasksIndirect) -> None:
    check_word(resources, command.address)
    with at("address"):
        check_address(resources, command.address, 2 * WORD_B)


def check_word(resources: Resources, address: int) -> None:
    """Raise unless an address is that of a word.

    Raises
    ------
    ArgumentError
        For one that is no multiple of 4, or in no pool.
    """
    with at("address"):
        if address % WORD_B:
            raise ArgumentError(f"{address:#x}, allowed are multiples of {WORD_B}")
        check_address(resources, address, WORD_B)


def _report_value(resources: Resources, command: c.ReportValue) -> None:
    with at("address"):
        if command.address % REPORT_B:
            raise ArgumentError(f"{command.address:#x}, allowed are multiples of {REPORT_B}, the size of a report")
        check_address(resources, command.address, REPORT_B)


def _downsample(resources: Resources, command: c.Downsample) -> None:
    with at("source"):
        source = check_texture_ref(resources, command.source)
    with at("destination"):
        destination = check_texture_ref(resources, command.destination)
        if destination.samples > 1:
            raise ArgumentError(f"{destination.samples} samples, allowed is 1")
        sizes = [(one.width_px, one.height_px) for one in (source, destination)]
        if source.samples > 1 and sizes[0] != sizes[1]:
            raise SizeError(f"width and height {sizes[1]}, those of the source are {sizes[0]}")


def _multisample(_resources: Resources, command: c.BindMultisampleState) -> None:
    for field in ("samples", "raster_samples"):
        with at("state", field):
            if getattr(command.state, field) not in SAMPLE_COUNTS:
                raise FieldRangeError(f"{getattr(command.state, field)}, allowed are 0, 1, 2, 4, 8 and 16")
    for number, location in enumerate(command.state.sample_locations):
        with at("state", "sample_locations", number):
            for value in location:
                check_float32(value)


def _checks() -> dict[type[c.Command], Callable[[Resources, c.Command], None]]:
    checks: dict[type[Any], Callable[[Resources, Any], None]] = {
        c.SetRenderTargets: _set_render_targets,
        c.ClearTexture: _clear_texture,
        c.ClearTexturei: _clear_texture,
        c.ClearTextureui: _clear_texture,
        c.ClearBuffer: _clear_buffer,
        c.CopyBufferToBuffer: _copy_buffer_to_buffer,
        c.CopyBufferToTexture: _copy_rows,
        c.CopyTextureToBuffer: _copy_rows,
        c.CopyTextureToTexture: _copy_texture,
        c.UpdateUniformBuffer: _update_uniform_buffer,
        c.DrawTexture: _draw_texture,
        c.SetViewport: _floats("x", "y", "width", "height"),
        c.SetScissor: _set_scissor,
        c.SetDepthRange: _floats("near", "far"),
        c.Downsample: _downsample,
        c.BindMultisampleState: _multisample,
        c.BindProgram: _bind_program,
        c.BindVertexAttribState: _bind_attribs,
        c.BindVertexStreamState: _bind_streams,
        c.BindVertexBuffer: _bind_vertex_buffer,
        c.BindUniformBuffer: _bind_uniform_buffer,
        c.SetTexturePool: check_textures.set_texture_pool,
        c.SetSamplerPool: check_textures.set_sampler_pool,
        c.BindStorageBuffer: _bind_storage_buffer,
        c.DispatchComputeIndirect: _dispatch_indirect,
        c.DrawElements: _draw_elements,
        c.DrawElementsInstanced: _draw_elements,
        c.SetViewports: _set_viewports,
        c.SetViewportSwizzles: lambda _, command: _check_numbers("swizzles", command.first, command.swizzles),
        c.SetScissors: lambda _, command: _check_numbers("scissors", command.first, command.scissors),
        c.SetDepthRanges: _set_depth_ranges,
        c.SetDepthBounds: _floats("near", "far"),
        c.SetConservativeRasterDilate: _floats("dilate"),
        c.SetPolygonOffsetClamp: _floats("factor", "units", "clamp"),
        c.SetPointSize: _floats("size"),
        c.SetLineWidth: _floats("width"),
        c.DrawArraysIndirect: _indirect,
        c.DrawElementsIndirect: _indirect,
        c.MultiDrawArraysIndirectCount: _indirect,
        c.MultiDrawElementsIndirectCount: _indirect,
        c.BindTransformFeedbackBuffer: _feedback_buffer,
        **dict.fromkeys(
            (
                c.BeginTransformFeedback,
                c.EndTransformFeedback,
                c.PauseTransformFeedback,
                c.ResumeTransformFeedback,
                c.DrawTransformFeedback,
            ),
            _feedback_control,
        ),
        c.ReportCounter: _report,
        c.ReportValue: _report_value,
        c.DrawMeshTasksIndirect: _mesh_record,
        c.SignalEvent: lambda resources, command: check_word(resources, command.address),
        c.WaitEvent: lambda resources, command: check_word(resources, command.address),
        c.SetRenderEnableConditional: _report,
    }
    return checks


_CHECKS = _checks()
