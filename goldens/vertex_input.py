"""Goldens of ``t_pull``, ``t_vbuf`` and ``t_float_pad``: the register words that vertex shaders read of streams.

A shader passes the four words of an attribute through a flat varying into an RGBA32UI target: column n shows element
n of the stream, row m the m-th draw.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from refnvn.formats.packing import pack_codes
from refnvn.formats.table import Component, Format, NumericClass, Use, format_named, formats
from refnvn.golden.scene import scene_case
from refnvn.nvn.command_buffer import CommandBuffer
from refnvn.nvn.device import Device
from refnvn.nvn.memory_pool import Buffer
from refnvn.nvn.states import VertexAttribState, VertexStreamState
from refnvn.nvn.texture import Texture
from refnvn.shader.python import (
    attribute,
    flat,
    fragment_shader,
    gl,
    uint,
    uint_bits_to_float,
    uvec2,
    uvec4,
    varying,
    vec4,
    vertex_shader,
)

COLUMNS = 8
CORNERS = 3
FLOAT_CODES = {
    32: (0x3F800000, 0xBF800001, 0x7F800001, 0xFFC12345, 0x00000001, 0x80000000, 0xFF800000, 0x4B7FFFFF),
    16: (0x3C00, 0xBC01, 0x7C01, 0xFE45, 0x0001, 0x8000, 0xFC00, 0x7BFF),
    11: (0x3C0, 0x001, 0x7C1, 0x7FF, 0x03F, 0x040, 0x7C0, 0x7BF),
    10: (0x1E0, 0x001, 0x3E1, 0x3FF, 0x01F, 0x020, 0x3E0, 0x3DF),
}
"""One, its neighbour, NaNs, denormals, zero, infinity, the largest: of each width."""
INTEGER_CLASSES = (NumericClass.UINT, NumericClass.SINT)


def cell_position(vertex_id: Any, columns: Any) -> Any:
    """Return corner ``vertex_id % 3`` of a triangle over the centre of column ``vertex_id // 3``."""
    corner = vertex_id % 3
    along = 1.0 if corner == 1 else 0.5 if corner == 2 else 0.0
    up = 1.0 if corner == 2 else -1.0
    return vec4((float(vertex_id // 3) + along) * (2.0 / columns) - 1.0, up, 0.0, 1.0)


@vertex_shader
def words_in_cells(words: uvec4 = attribute(0)):  # type: ignore[no-untyped-def]
    """Pass the words of element n on, in column n // 3."""
    return cell_position(gl.vertex_id, 8.0), words


@fragment_shader
def pass_words(words: uvec4 = varying(0, flat)):  # type: ignore[no-untyped-def]
    """Write the words."""
    return words


def component_codes(fmt: Format, component: Component) -> NDArray[np.uint32]:
    """Return eight codes of a component: what is special about its width, then any others."""
    bits, sign = component.bits, 1 << component.bits - 1
    if fmt.numeric_class in (NumericClass.FLOAT, NumericClass.UFLOAT):
        return np.roll(np.array(FLOAT_CODES[bits], np.uint32), -component.first_bit % 7)
    special = (0, 2 * sign - 1, sign, sign - 1, 1, sign | 1, 0x5A5A5A5A % (2 * sign), 0x12345679 % (2 * sign))
    return np.array(special, np.uint32)


def special_elements(fmt: Format) -> NDArray[np.uint8]:
    """Return the bytes of eight elements, each three times: once for each corner."""
    codes = np.stack([component_codes(fmt, one) for one in fmt.components], axis=1)
    return np.repeat(pack_codes(fmt, codes), CORNERS, axis=0)


def start(device: Device, rows: int, program: tuple[object, object]) -> tuple[Texture, CommandBuffer]:
    """Return a target of words and commands that draw to it."""
    target = device.texture("RGBA32UI", COLUMNS, rows)
    commands = device.command_buffer()
    commands.set_render_targets([target])
    commands.bind_program(device.program(*program))
    return target, commands


def draw_row(commands: CommandBuffer, row: int, elements: int = COLUMNS) -> None:
    """Draw elements into the columns of a row."""
    commands.set_viewport(0, row, COLUMNS, 1)
    commands.set_scissor(0, row, COLUMNS, 1)
    commands.draw_arrays("TRIANGLES", 0, elements * CORNERS)


def read_as(commands: CommandBuffer, format_name: str, stride_B: int, offset_B: int = 0) -> None:
    """Let attribute 0 read stream 0 in a format."""
    commands.bind_vertex_attrib_state([VertexAttribState().set_format(format_name, offset_B)])
    commands.bind_vertex_stream_state([VertexStreamState().set_stride(stride_B)])


def show_formats(device: Device, named: list[Format]) -> None:
    """Read eight special elements in each format, a row for each."""
    target, commands = start(device, len(named), (words_in_cells, pass_words))
    for row, fmt in enumerate(named):
        commands.bind_vertex_buffer(0, device.buffer(special_elements(fmt)))
        read_as(commands, fmt.name, fmt.bytes_per_block)
        draw_row(commands, row)
    device.queue().submit(commands)
    target.read_texels("words")


def vertex_formats() -> list[Format]:
    """Return every format that an attribute can have, as far as anybody knows."""
    return [fmt for fmt in formats().values() if fmt.has(Use.VERTEX)]


@scene_case(
    "pull/float_words",
    t_test="t_pull",
    says="Every format that gives floats: words of eight elements, in the order of the format table.",
    ledger=("vin-pull", "vertex-formats", "vconv-format-sign", "float-pad", "vin-shadow"),
)
def float_words(device: Device) -> None:
    """Correctly rounded quotients, integers as floats, canonical NaNs of small floats, 1.0 for a missing w."""
    show_formats(device, [fmt for fmt in vertex_formats() if fmt.numeric_class not in INTEGER_CLASSES])


@scene_case(
    "pull/integer_words",
    t_test="t_pull",
    says="Every integer format: its own sign widens the words, and a missing w is the integer 1.",
    ledger=("vin-pull", "int-vertex-inputs", "vconv-format-sign", "vin-shadow"),
)
def integer_words(device: Device) -> None:
    """Converted to floats, a bone index is garbage; zero-extended, -3 is 65533."""
    show_formats(device, [fmt for fmt in vertex_formats() if fmt.numeric_class in INTEGER_CLASSES])


@vertex_shader
def many_words(  # type: ignore[no-untyped-def]
    first: uint = attribute(0),
    second: uint = attribute(1),
    third: uint = attribute(2),
    fourth: uint = attribute(3),
    fifth: uint = attribute(4),
    sixth: uint = attribute(5),
    seventh: uint = attribute(6),
    eighth: uvec4 = attribute(7),
    half: uvec2 = attribute(8),
    unorm: uvec4 = attribute(9),
    signed: uint = attribute(10),
):
    """Pass eleven attributes on as words."""
    position = cell_position(gl.vertex_id, 8.0)
    rest = uvec4(signed, half, first + second + third + fourth + fifth + sixth + seventh)
    return position, eighth, unorm, rest


@fragment_shader
def pass_three(  # type: ignore[no-untyped-def]
    first: uvec4 = varying(0, flat),
    second: uvec4 = varying(1, flat),
    third: uvec4 = varying(2, flat),
):
    """Write three times four words."""
    return first, second, third


@scene_case(
    "pull/eleven_inputs",
    t_test="t_pull",
    says="Eleven integer inputs of eight integer formats, RG16F, RGBA8 and R16I: each gives its format's words.",
    ledger=("vin-shadow",),
)
def eleven_inputs(device: Device) -> None:
    """Inputs past the seventh integer one read 0 where only the float path serves them."""
    target, commands = start(device, 1, (many_words, pass_three))
    others = [device.texture("RGBA32UI", COLUMNS, 1) for _ in range(2)]
    commands.set_render_targets([target, *others])
    named = ["R8UI", "R16UI", "R32UI", "R8I", "R16I", "R32I", "RG8UI", "RGBA8UI", "RG16F", "RGBA8", "R16I"]
    data, attribs, offset_B = [], [], 0
    for name in named:
        fmt = format_named(name)
        attribs.append(VertexAttribState().set_format(name, offset_B))
        data.append(special_elements(fmt))
        offset_B += fmt.bytes_per_block
    commands.bind_vertex_attrib_state(attribs)
    commands.bind_vertex_stream_state([VertexStreamState().set_stride(offset_B)])
    commands.bind_vertex_buffer(0, device.buffer(np.concatenate(data, axis=1)))
    draw_row(commands, 0)
    device.queue().submit(commands)
    for name, one in (("eighth", target), ("unorm", others[0]), ("rest", others[1])):
        one.read_texels(name)


@vertex_shader
def seventeenth(words: uvec4 = attribute(16)):  # type: ignore[no-untyped-def]
    """Pass attribute 16 on."""
    return cell_position(gl.vertex_id, 8.0), words


@scene_case(
    "pull/seventeen_attributes",
    t_test="t_pull",
    says="Attribute 16 is fetched like any other, here from stream 6; a draw before had sixteen.",
    ledger=("attribs-32",),
)
def seventeen_attributes(device: Device) -> None:
    """Refused, the draw keeps the layout before it, here none of its own colour."""
    target, commands = start(device, 2, (words_in_cells, pass_words))
    green, red = ([0, 255, 0, 255], [255, 0, 0, 255])
    sixteen = [VertexAttribState().set_format("RGBA8UI", 0) for _ in range(16)]
    streams = [VertexStreamState().set_stride(0) for _ in range(7)]
    commands.bind_vertex_stream_state(streams)
    commands.bind_vertex_buffer(0, device.buffer(np.array(green, np.uint8)))
    commands.bind_vertex_buffer(6, device.buffer(np.array(red, np.uint8)))
    commands.bind_vertex_attrib_state(sixteen)
    draw_row(commands, 0)
    last = VertexAttribState().set_format("RGBA8UI", 0).set_stream_index(6)
    commands.bind_program(device.program(seventeenth, pass_words))
    commands.bind_vertex_attrib_state([*sixteen, last])
    draw_row(commands, 1)
    device.queue().submit(commands)
    target.read_texels("words")


@scene_case(
    "float_pad/words",
    t_test="t_float_pad",
    says="R32F, RG32F, RGB32F and RGBA32F through integer inputs: what is missing is 0, 0 and the bits of 1.0.",
    ledger=("float-pad",),
)
def float_pad_words(device: Device) -> None:
    """A row for each format."""
    show_formats(device, [format_named(name) for name in ("R32F", "RG32F", "RGB32F", "RGBA32F")])


@vertex_shader
def integer_positions(position: uvec4 = attribute(0)):  # type: ignore[no-untyped-def]
    """Take the words of an integer input for a position."""
    return uint_bits_to_float(position)


@fragment_shader
def white():  # type: ignore[no-untyped-def]
    """Write white."""
    return vec4(1.0, 1.0, 1.0, 1.0)


@scene_case(
    "float_pad/positions",
    t_test="t_float_pad",
    says="A triangle of RG32F positions through an integer input covers the right three columns.",
    ledger=("float-pad",),
)
def positions(device: Device) -> None:
    """With the integer 1 for w everything is far outside; only around the middle would nothing change."""
    target = device.texture("RGBA8", 8, 8)
    commands = device.command_buffer()
    commands.set_render_targets([target])
    commands.bind_program(device.program(integer_positions, white))
    commands.set_viewport(0, 0, 8, 8)
    commands.set_scissor(0, 0, 8, 8)
    read_as(commands, "RG32F", 8)
    commands.bind_vertex_buffer(0, device.buffer(np.array([(0.25, -1), (5, -1), (0.25, 5)], np.float32)))
    commands.draw_arrays("TRIANGLES", 0, 3)
    device.queue().submit(commands)
    target.read_texels("target")


def counted(first: int = 1, elements: int = COLUMNS) -> NDArray[np.uint32]:
    """Return elements of four 32-bit words, n, n + 100, n + 200, n + 300, each three times."""
    numbers = np.arange(first, first + elements, dtype=np.uint32)[:, None] + np.array([0, 100, 200, 300], np.uint32)
    return np.repeat(numbers, CORNERS, axis=0)


def placed(device: Device, data: NDArray[np.uint32], offset_B: int, after: int = 255) -> Buffer:
    """Return a buffer of bytes at an offset, other bytes before and behind."""
    raw = np.frombuffer(data.tobytes(), np.uint8)
    return device.buffer(np.pad(raw, (offset_B, 256), constant_values=after))


@scene_case(
    "vbuf/unaligned",
    t_test="t_vbuf",
    says="A stream starts at any byte: elements at offsets 0 to 3 read alike.",
    ledger=("vb-unaligned",),
)
def unaligned(device: Device) -> None:
    """Snapped down to four bytes, everything is read early."""
    target, commands = start(device, 4, (words_in_cells, pass_words))
    read_as(commands, "RGBA32UI", 16)
    data = counted()
    for offset_B in range(4):
        buffer = placed(device, data, offset_B)
        commands.bind_vertex_buffer(0, buffer.get_address(offset_B), data.nbytes)
        draw_row(commands, offset_B)
    device.queue().submit(commands)
    target.read_texels("words")


@scene_case(
    "vbuf/bound_size",
    t_test="t_vbuf",
    says="Elements past the bound size are zero bytes, whatever follows in the pool; a missing w is still 1.",
    ledger=("vb-bound-size",),
)
def bound_size(device: Device) -> None:
    """Four of eight elements are bound; a stream of no bytes has none; read on, all eight would be there."""
    named = ("RGBA32UI", "RGBA32F", "RG32F", "RG32I", "RGBA8", "RG8I", "R16_UI2F", "RGB10A2")
    target, commands = start(device, len(named) + 1, (words_in_cells, pass_words))
    for row, name in enumerate(named):
        fmt = format_named(name)
        read_as(commands, name, fmt.bytes_per_block)
        buffer = device.buffer(special_elements(fmt))
        commands.bind_vertex_buffer(0, buffer, buffer.size // 2)
        draw_row(commands, row)
    commands.bind_vertex_buffer(0, device.buffer(64), 0)
    draw_row(commands, len(named))
    device.queue().submit(commands)
    target.read_texels("words")


@scene_case(
    "vbuf/straddling",
    t_test="t_vbuf",
    says="An element partly past the bound size is zero as a whole on the chip that was asked, or by byte.",
    ledger=("vb-bound-size",),
)
def straddling(device: Device) -> None:
    """Column 4 is cut after 1, 4, 8 and 15 of its 16 bytes: what it reads is open; columns 5 to 7 are zero."""
    target, commands = start(device, 4, (words_in_cells, pass_words))
    read_as(commands, "RGBA32UI", 16)
    data = counted()
    for row, cut_B in enumerate((1, 4, 8, 15)):
        commands.bind_vertex_buffer(0, device.buffer(data), 4 * CORNERS * 16 + cut_B)
        draw_row(commands, row)
    device.queue().submit(commands)
    target.read_texels("words")


@vertex_shader
def numbered_positions(position: vec4 = attribute(0)):  # type: ignore[no-untyped-def]
    """Pass the position on, and which triangle it is of."""
    return position, uvec4(uint(gl.vertex_id // 3) + uint(1), 0, 0, 0)


@scene_case(
    "vbuf/surplus_vertices",
    t_test="t_vbuf",
    says="Nine vertices drawn from a stream that holds three: the surplus ones collapse, one triangle is left.",
    ledger=("vb-bound-size",),
)
def surplus_vertices(device: Device) -> None:
    """Other vertices that follow in the pool would draw over it."""
    target, commands = start(device, 8, (numbered_positions, pass_words))
    read_as(commands, "RG32F", 8)
    corners = np.array([(-1, -1), (3, -1), (-1, 3)], np.float32)
    commands.bind_vertex_buffer(0, device.buffer(np.concatenate([corners, corners / 2, corners / 4])), corners.nbytes)
    commands.set_viewport(0, 0, COLUMNS, 8)
    commands.set_scissor(0, 0, COLUMNS, 8)
    commands.draw_arrays("TRIANGLES", 0, 9)
    device.queue().submit(commands)
    target.read_texels("triangles")


@scene_case(
    "vbuf/writes_between_draws",
    t_test="t_vbuf",
    says="Each draw reads a stream as the copies and fills before it left it, at an odd address too.",
    ledger=("vb-unaligned",),
)
def writes_between_draws(device: Device) -> None:
    """A copy of the stream that is kept for its alignment goes stale."""
    target, commands = start(device, 3, (words_in_cells, pass_words))
    read_as(commands, "RGBA32UI", 16)
    data, other = counted(), device.buffer(counted(first=51))
    buffer = placed(device, data, 3)
    commands.bind_vertex_buffer(0, buffer.get_address(3), data.nbytes)
    draw_row(commands, 0)
    commands.copy_buffer_to_buffer(other, buffer.get_address(3))
    draw_row(commands, 1)
    commands.clear_buffer(buffer.get_address(4), 96, 0x01020304)
    draw_row(commands, 2)
    device.queue().submit(commands)
    target.read_texels("words")


@scene_case(
    "vbuf/stride_0",
    t_test="t_vbuf",
    says="Stride 0 reads one element for every vertex; short strides overlap; an offset may be any byte.",
    ledger=("vb-unaligned", "vin-pull"),
)
def stride_0(device: Device) -> None:
    """Strides 0, 1 and 3 of four-byte elements, behind an offset of 1."""
    target, commands = start(device, 3, (words_in_cells, pass_words))
    data = np.arange(128, dtype=np.uint8)
    buffer = device.buffer(data)
    for row, stride_B in enumerate((0, 1, 3)):
        read_as(commands, "RGBA8UI", stride_B, offset_B=1)
        commands.bind_vertex_buffer(0, buffer.get_address(2), 120)
        draw_row(commands, row)
    device.queue().submit(commands)
    target.read_texels("words")
