"""A few shaders, and the commands that draw with them."""

from __future__ import annotations

from typing import Any

import numpy as np

from refnvn.commands import commands as c
from refnvn.commands import recording as r
from refnvn.commands.resources import Program
from refnvn.commands.state import DepthStencilState, VertexAttribState, VertexStreamState
from refnvn.enumerations import DepthFunc, DrawPrimitive
from refnvn.shader.ir import to_object
from refnvn.shader.python import (
    Uniform,
    attribute,
    flat,
    fragment_shader,
    gl,
    uint,
    uvec4,
    varying,
    vec4,
    vertex_shader,
)
from tests.replay.scenes import BUFFER, BUFFER_B


@vertex_shader
def plain(position: vec4 = attribute(0)):  # type: ignore[no-untyped-def]
    return position


@vertex_shader
def words(position: vec4 = attribute(0), value: uvec4 = attribute(1)):  # type: ignore[no-untyped-def]
    return position, value


@vertex_shader
def numbered(position: vec4 = attribute(0)):  # type: ignore[no-untyped-def]
    return position, uint(gl.vertex_id)


@fragment_shader
def white():  # type: ignore[no-untyped-def]
    return vec4(1.0, 1.0, 1.0, 1.0)


@fragment_shader
def passed(value: uvec4 = varying(0, flat)):  # type: ignore[no-untyped-def]
    return value


@fragment_shader
def number(value: uint = varying(0, flat)):  # type: ignore[no-untyped-def]
    return uvec4(value, uint(gl.primitive_id), uint(0), uint(1))


class Tint(Uniform, binding=2):
    """One colour."""

    color: vec4


@fragment_shader
def tinted(tint: Tint):  # type: ignore[no-untyped-def]
    return tint.color


PROGRAMS = tuple(
    Program(vertex=to_object(vertex), fragment=None if fragment is None else to_object(fragment))
    for vertex, fragment in (
        (plain, white),
        (words, passed),
        (numbered, number),
        (plain, tinted),
        (plain, None),
    )
)
WHITE, WORDS, NUMBERS, TINTED, NO_COLOUR = range(5)

WHOLE = np.array([[-1, -1, 0, 1], [3, -1, 0, 1], [-1, 3, 0, 1]], "<f4")
"""A triangle over the whole viewport."""


def at_depth(z: float) -> np.ndarray:
    """Return the whole triangle at a clip depth."""
    moved = WHOLE.copy()
    moved[:, 2] = z
    return moved


def vertices(data: np.ndarray | bytes, offset_B: int = 0, blob: str = "vertices") -> tuple[Any, dict[str, bytes]]:
    """Return the event that puts vertices into the buffer, and its blob."""
    stored = data if isinstance(data, bytes) else data.tobytes()
    return r.WriteMemory(pool=0, offset_B=BUFFER_B + offset_B, blob=blob), {blob: stored}


def set_up(
    width: float,
    height: float,
    *,
    program: int = WHITE,
    attribs: tuple[tuple[str, int], ...] = (("RGBA32F", 0),),
    stride_B: int = 16,
    offset_B: int = 0,
    size_B: int = 48,
) -> list[Any]:
    """Return the commands before a draw: viewport, program, one stream with its attributes."""
    return [
        c.SetViewport(x=0.0, y=0.0, width=float(width), height=float(height)),
        c.BindProgram(program=program, stages=3),
        c.BindVertexAttribState(attribs=tuple(VertexAttribState(format=f, offset_B=o) for f, o in attribs)),
        c.BindVertexStreamState(streams=(VertexStreamState(stride_B=stride_B),)),
        c.BindVertexBuffer(index=0, address=BUFFER + offset_B, size_B=size_B),
    ]


def draw(count: int = 3, first: int = 0, primitive: DrawPrimitive = DrawPrimitive.TRIANGLES) -> c.DrawArrays:
    """Return a draw of vertices."""
    return c.DrawArrays(primitive=primitive, first=first, count=count)


def depth_test(func: DepthFunc, *, write: bool = False) -> c.BindDepthStencilState:
    """Return the command that turns the depth test on."""
    return c.BindDepthStencilState(state=DepthStencilState(depth_test=True, depth_write=write, depth_func=func))
