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

from refnvn.commands import commands as c
from refnvn.commands import recording as r
from refnvn.commands.recording import Recording, pool_base_B
from refnvn.commands.resources import MemoryPool, Program, Region, Texture, TextureRef
from refnvn.commands.state import DepthStencilState, VertexAttribState, VertexStreamState
from refnvn.enumerations import DrawPrimitive
from refnvn.replay.run import replay
from refnvn.shader.ir import from_object, to_object

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

VERTEX_SHADER = from_object(
    {
        "refnvn_shader": 1,
        "stage": "vertex",
        "inputs": [{"location": 0}],
        "outputs": [{"location": -1}],
        "registers": ["word"],
        "statements": [
            statement
            for k in range(4)
            for statement in (
                {"do": "load_input", "to": 0, "location": 0, "component": k},
                {"do": "store_output", "location": -1, "component": k, "of": 0},
            )
        ],
    }
)
FRAGMENT_SHADER = from_object(
    {
        "refnvn_shader": 1,
        "stage": "fragment",
        "outputs": [{"location": 0}],
        "registers": ["word"],
        "statements": [
            {"do": "constant", "to": 0, "bits": ONE},
            *({"do": "store_output", "location": 0, "component": k, "of": 0} for k in range(4)),
        ],
    }
)
PROGRAM = Program(vertex=to_object(VERTEX_SHADER), fragment=to_object(FRAGMENT_SHADER))
DRAW_SET_UP = (
    TARGETS,
    VIEWPORT,
    c.BindProgram(program=0, stages=3),
    c.BindVertexAttribState(attribs=(VertexAttribState(format="RGB32F"),)),
    c.BindVertexStreamState(streams=(VertexStreamState(stride_B=12),)),
    c.BindVertexBuffer(index=0, address=BUFFER, size_B=36),
)
DRAW = c.DrawArrays(primitive=DrawPrimitive.TRIANGLES, first=0, count=3)

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
    "draws of a triangle": (DRAW_SET_UP, (DRAW,)),
    "draws, a scissor between": (DRAW_SET_UP, (SCISSOR, DRAW)),
    "depth-tested draws, likewise": ((*DRAW_SET_UP, TESTS), (SCISSOR, DRAW)),
}


def recording_of(before: tuple[Any, ...], repeated: tuple[Any, ...], count: int) -> Recording:
    """Return a recording of ``count`` commands."""
    commands = (*before, *islice(cycle(repeated), count - len(before)))
    triangle = r.WriteMemory(pool=0, offset_B=POOL_B // 2, blob="triangle")
    return Recording(
        refnvn_trace=1,
        pools=(MemoryPool(size_B=POOL_B),),
        textures=TEXTURES,
        programs=(PROGRAM,),
        command_buffers=(commands,),
        timeline=(triangle, r.Submit(command_buffers=(0,))),
        blobs={"triangle": 36},
    )


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
    blobs = {"triangle": struct.pack("<9f", -1, -1, 0, 1, -1, 0, -1, 1, 0)}
    works = {"replay": lambda: replay(recording, blobs), "nothing": nothing(recording)}
    found = measure.medians(works, repetitions)
    return {
        "case": name,
        "commands": count,
        "commands_per_s": count / found["replay"],
        "microseconds": found["replay"] / count * 1e6,
        "of_nothing": found["replay"] / found["nothing"],
    }


def rows(options: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """Yield the figures of all cases that are asked for."""
    for name in CASES:
        if options.only in name:
            count = options.commands // 10 if "draws," in name else options.commands
            yield figures(name, count, options.repetitions)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repetitions", type=int, default=11)
    parser.add_argument("--commands", type=int, default=2000)
    parser.add_argument("--only", default="")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    found = []
    print(f"{'commands':28} {'a second':>10} {'us each':>8} {'of nothing':>10}   goal {GOAL_PER_S} a second")
    for row in rows(options):
        found.append(row)
        print(f"{row['case']:28} {row['commands_per_s']:10.0f} {row['microseconds']:8.1f} {row['of_nothing']:10.0f}")
    if options.json:
        options.json.write_text(json.dumps({"versions": measure.versions(), "cases": found}, indent=2) + "\n")


if __name__ == "__main__":
    main()
