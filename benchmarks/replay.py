"""How many small commands a second does a replay execute, and how far is that from Python that does nothing?

Usage::

    python benchmarks/replay.py [--repetitions 11] [--commands 2000] [--only NAME] [--json FILE]

Each case replays a recording of many small commands, memory pools and all, and beside it looks up each command by
its type and calls a function that does nothing. The quotient says what refnvn adds to Python itself.
Read next: ``README.md`` for what the columns mean.
"""

from __future__ import annotations

import argparse
import json
import struct
from collections.abc import Callable, Iterator
from itertools import cycle, islice
from pathlib import Path
from typing import Any

import measure
import numpy as np

from refnvn.commands import commands as c
from refnvn.commands import recording as r
from refnvn.commands.recording import Recording, pool_base_B
from refnvn.commands.resources import MemoryPool, Program, Region, Texture, TextureRef
from refnvn.commands.state import BlendState, ColorState, DepthStencilState, VertexAttribState, VertexStreamState
from refnvn.enumerations import BlendFunc, DepthFunc, DrawPrimitive, ShaderStage
from refnvn.raster import small
from refnvn.replay.run import replay
from refnvn.shader.ir import to_object
from refnvn.shader.python import Uniform, attribute, fragment_shader, mat4, varying, vec4, vertex_shader

GOAL_PER_S = 20_000
ONE = 0x3F800000
POOL_B = 1 << 20
BUFFER = pool_base_B(0) + POOL_B // 2
TEXTURES = (
    Texture(pool=0, format="RGBA8", width=64, height=64),
    Texture(pool=0, format="DEPTH24_STENCIL8", width=64, height=64, offset_B=1 << 16),
    Texture(pool=0, format="RGBA16F", width=64, height=64, offset_B=1 << 17),
)
TARGETS = c.SetRenderTargets(colors=(TextureRef(texture=0),), depth_stencil=TextureRef(texture=1))
OTHER_TARGETS = c.SetRenderTargets(colors=(TextureRef(texture=2),))
CLEAR = c.ClearColor(index=0, color_bits=(ONE, 0, 0, ONE))
MASKED = c.ClearColor(index=0, color_bits=(0, ONE, 0, ONE), mask=3)
CLEAR_DEPTH = c.ClearDepthStencil(depth_bits=ONE, depth_mask=True, stencil=3, stencil_mask=15)
SCISSOR = c.SetScissor(x=3, y=5, width=40, height=30)
WHOLE = c.SetScissor(x=0, y=0, width=64, height=64)
VIEWPORT = c.SetViewport(x=0.0, y=0.0, width=64.0, height=64.0)
TESTS = c.BindDepthStencilState(state=DepthStencilState(depth_test=True))
COPY = c.CopyBufferToBuffer(source=BUFFER, destination=BUFFER + 4096, size_B=256)
UPLOAD = c.CopyBufferToTexture(
    source=BUFFER, texture=TextureRef(texture=0), region=Region(x=8, y=8, width=16, height=16)
)
REGION = c.ClearTexture(
    texture=TextureRef(texture=0), region=Region(x=8, y=8, width=16, height=16), color_bits=(ONE, ONE, 0, ONE)
)


class Tint(Uniform, binding=0):
    """One colour."""

    color: vec4


class Turn(Uniform, binding=0):
    """One matrix."""

    matrix: mat4


@vertex_shader
def plain(position: vec4 = attribute(0)):  # type: ignore[no-untyped-def]
    """Give positions as they are."""
    return position


@vertex_shader
def colored(position: vec4 = attribute(0), color: vec4 = attribute(1)):  # type: ignore[no-untyped-def]
    """Give positions and colours as they are."""
    return position, color


@vertex_shader
def turned(turn: Turn, position: vec4 = attribute(0)):  # type: ignore[no-untyped-def]
    """Give positions times a matrix."""
    return turn.matrix * position


@fragment_shader
def white():  # type: ignore[no-untyped-def]
    """Give white."""
    return vec4(1.0, 1.0, 1.0, 1.0)


@fragment_shader
def tinted(tint: Tint):  # type: ignore[no-untyped-def]
    """Give the colour of a block."""
    return tint.color


@fragment_shader
def smooth(color: vec4 = varying(0)):  # type: ignore[no-untyped-def]
    """Give a colour interpolated."""
    return color


@fragment_shader
def halved(color: vec4 = varying(0)):  # type: ignore[no-untyped-def]
    """Give half of a colour interpolated."""
    return color * 0.5


PROGRAMS = tuple(
    Program(vertex=to_object(vertex), fragment=to_object(fragment))
    for vertex, fragment in ((plain, white), (plain, tinted), (colored, smooth), (turned, white), (colored, halved))
)
UNIFORMS = BUFFER + 8192
VERTICES = 96
"""Of many triangles: draws that follow each other take others."""


def drawn_by(program: int) -> tuple[Any, ...]:
    """Return the commands before draws with a program."""
    return (
        TARGETS,
        VIEWPORT,
        c.BindProgram(program=program, stages=3),
        c.BindVertexAttribState(
            attribs=(VertexAttribState(format="RGB32F"), VertexAttribState(format="RGBA8", offset_B=12))
        ),
        c.BindVertexStreamState(streams=(VertexStreamState(stride_B=16),)),
        c.BindVertexBuffer(index=0, address=BUFFER, size_B=16 * VERTICES),
        c.BindUniformBuffer(stage=ShaderStage.FRAGMENT, index=0, address=UNIFORMS, size_B=16),
        c.BindUniformBuffer(stage=ShaderStage.VERTEX, index=0, address=UNIFORMS, size_B=64),
    )


def draws(*between: Any) -> tuple[Any, ...]:
    """Return draws of other triangles each, and before each of them one of some commands in turn."""
    made = [c.DrawArrays(primitive=DrawPrimitive.TRIANGLES, first=first, count=3) for first in range(0, VERTICES, 3)]
    if not between:
        return tuple(made)
    return tuple(command for pair in zip(cycle(between), made, strict=False) for command in pair)


BLENDED = c.BindColorState(state=ColorState(blend_enables=1))
OVER = BlendState(
    source_color=BlendFunc.SRC_ALPHA, destination_color=BlendFunc.ONE_MINUS_SRC_ALPHA,
    source_alpha=BlendFunc.ONE, destination_alpha=BlendFunc.ONE_MINUS_SRC_ALPHA,
)  # fmt: skip
ADDED = BlendState(source_color=BlendFunc.ONE, destination_color=BlendFunc.ONE)
SCISSORS = (SCISSOR, c.SetScissor(x=0, y=0, width=60, height=64))
VIEWPORTS = (VIEWPORT, c.SetViewport(x=2.0, y=1.0, width=60.0, height=60.0))
BLENDS = tuple(c.BindBlendState(state=one) for one in (OVER, ADDED))
DEPTHS = tuple(
    c.BindDepthStencilState(state=DepthStencilState(depth_test=True, depth_write=write, depth_func=func))
    for write, func in ((True, DepthFunc.LESS), (False, DepthFunc.LEQUAL))
)
STENCIL = c.BindDepthStencilState(state=DepthStencilState(stencil_test=True))
UPDATES = tuple(c.UpdateUniformBuffer(address=UNIFORMS, size_B=16, offset_B=0, blob=name) for name in ("red", "blue"))
MATRICES = tuple(
    c.UpdateUniformBuffer(address=UNIFORMS, size_B=64, offset_B=0, blob=name) for name in ("one", "other")
)
BUFFERS = tuple(c.BindVertexBuffer(index=0, address=BUFFER + at, size_B=16 * VERTICES) for at in (0, 16))


CASES: dict[str, tuple[tuple[Any, ...], tuple[Any, ...]]] = {
    "clears 64x64": ((TARGETS,), (CLEAR,)),
    "masked, scissored clears": ((TARGETS, SCISSOR), (MASKED,)),
    "depth-stencil clears": ((TARGETS,), (CLEAR_DEPTH,)),
    "clears of a region": ((), (REGION,)),
    "state changes": ((), (VIEWPORT, SCISSOR, TESTS, WHOLE)),
    "targets": ((), (TARGETS, OTHER_TARGETS)),
    "clears and state": ((), (TARGETS, VIEWPORT, SCISSOR, CLEAR, TESTS, WHOLE, CLEAR_DEPTH, OTHER_TARGETS, CLEAR)),
    "buffer copies 256 B": ((), (COPY,)),
    "uploads 16x16": ((), (UPLOAD,)),
    "draws of a triangle": (drawn_by(0), draws()),
    "draws, a scissor between": (drawn_by(0), draws(*SCISSORS)),
    "draws, a viewport between": (drawn_by(0), draws(*VIEWPORTS)),
    "draws, a vertex buffer between": (drawn_by(0), draws(*BUFFERS)),
    "draws, a uniform update between": (drawn_by(1), draws(*UPDATES)),
    "draws, a matrix update between": (drawn_by(3), draws(*MATRICES)),
    "draws, a blend state between": ((*drawn_by(0), BLENDED), draws(*BLENDS)),
    "draws, a depth state between": (drawn_by(0), draws(*DEPTHS)),
    "depth-tested draws, a scissor": ((*drawn_by(0), DEPTHS[0]), draws(*SCISSORS)),
    "smooth draws, a scissor between": (drawn_by(2), draws(*SCISSORS)),
    "stencil-tested draws, a scissor": ((*drawn_by(0), STENCIL), draws(*SCISSORS)),
    "draws that compute, a scissor": (drawn_by(4), draws(*SCISSORS)),
    "smooth, tested, blended, likewise": ((*drawn_by(2), DEPTHS[0], BLENDED, BLENDS[0]), draws(*SCISSORS)),
}


def recording_of(before: tuple[Any, ...], repeated: tuple[Any, ...], count: int) -> Recording:
    """Return a recording of ``count`` commands."""
    commands = (*before, *islice(cycle(repeated), count - len(before)))
    triangles = r.WriteMemory(pool=0, offset_B=POOL_B // 2, blob="triangles")
    return Recording(
        refnvn_trace=1,
        pools=(MemoryPool(size_B=POOL_B),),
        textures=TEXTURES,
        programs=PROGRAMS,
        command_buffers=(commands,),
        timeline=(triangles, r.Submit(command_buffers=(0,))),
        blobs={name: len(data) for name, data in BLOBS.items()},
    )


def triangles() -> bytes:
    """Return vertices of small triangles, RGB32F positions and RGBA8 colours."""
    rng = np.random.default_rng(0)
    vertices = np.zeros(VERTICES, dtype=[("position", "<f4", 3), ("color", "u1", 4)])
    corner = np.repeat(rng.uniform(-1, 0, (VERTICES // 3, 3)), 3, axis=0)
    vertices["position"] = corner + np.tile([[0, 0, 0], [1, 0, 0], [0, 1, 0]], (VERTICES // 3, 1))
    vertices["color"] = rng.integers(0, 256, (VERTICES, 4))
    return vertices.tobytes()


BLOBS = {
    "triangles": triangles(),
    "red": struct.pack("<4f", 1, 0, 0, 1),
    "blue": struct.pack("<4f", 0, 0, 1, 1),
    "one": np.eye(4, dtype="<f4").tobytes(),
    "other": np.diag([0.5, 0.75, 1, 1]).astype("<f4").tobytes(),
}


def nothing(recording: Recording) -> Callable[[], None]:
    """Return a loop that looks up every command by its type and calls a function that does nothing."""
    commands = recording.command_buffers[0]

    def handler(_context: object, _command: object) -> None: ...

    handlers = dict.fromkeys(map(type, commands), handler)

    def loop() -> None:
        for command in commands:
            handlers[type(command)](None, command)

    return loop


def figures(name: str, count: int, repetitions: int) -> dict[str, Any]:
    """Return the figures of one case."""
    recording = recording_of(*CASES[name], count)
    works = {"replay": lambda: replay(recording, BLOBS), "nothing": nothing(recording)}
    found = measure.medians(works, repetitions)
    return {
        "case": name,
        "commands": count,
        "commands_per_s": count / found["replay"],
        "commands_per_processor_s": count / measure.least_processor_seconds(works["replay"], repetitions),
        "microseconds": found["replay"] / count * 1e6,
        "of_nothing": found["replay"] / found["nothing"],
    }


def rows(options: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """Yield the figures of all cases that are asked for."""
    for name in CASES:
        if options.only in name:
            yield figures(name, options.commands, options.repetitions)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repetitions", type=int, default=11)
    parser.add_argument("--commands", type=int, default=2000)
    parser.add_argument("--only", default="")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    small.load()  # which else happens after so many draws, in the middle of a sample
    found = []
    print(f"{'commands':34} {'a second':>9} {'processor':>9} {'us each':>8} {'of nothing':>10}   goal {GOAL_PER_S}")
    for row in rows(options):
        found.append(row)
        print(
            f"{row['case']:34} {row['commands_per_s']:9.0f} {row['commands_per_processor_s']:9.0f} "
            f"{row['microseconds']:8.1f} {row['of_nothing']:10.0f}"
        )
    if options.json:
        options.json.write_text(json.dumps({"versions": measure.versions(), "cases": found}, indent=2) + "\n")


if __name__ == "__main__":
    main()
