"""How fast are pixels filled, against memcpy of the same bytes and against llvmpipe?

Usage::

    python benchmarks/raster.py [--repetitions 9] [--json FILE]

The scene ``fill_opaque``: sixteen quads over the whole of a 1920 x 1080 RGBA8 target, colours interpolated, a depth
target attached, no test. "Relative" is the RGBA8 bytes written in a second over the bytes that memcpy copies in a
second, in the same run. The peer is OpenGL on a software driver (``LP_NUM_THREADS`` 1 and 2), each in a process of
its own, if moderngl and such a driver are installed. Read next: ``README.md`` for what the columns mean.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import measure
import numpy as np

from refnvn.formats.table import format_named
from refnvn.raster.clear import clear_color
from refnvn.raster.draw import draw_triangles
from refnvn.raster.state import RasterState
from refnvn.raster.target import ColorTarget, DepthStencilTarget
from refnvn.shader.ir import Shader, from_object

WIDTH, HEIGHT, LAYERS = 1920, 1080, 16
PIXELS = WIDTH * HEIGHT * LAYERS
COPY_B = 64 << 20
CORNERS = np.array([[-1, -1], [1, -1], [-1, 1], [-1, 1], [1, -1], [1, 1]], np.float64)
CORNER_NUMBERS = np.array([0, 1, 2, 2, 1, 3])
PEER = """
import json, statistics, sys, time
import moderngl, numpy as np
vertices = np.frombuffer(sys.stdin.buffer.read(), np.float32)
context = moderngl.create_standalone_context(backend="egl")
size = (%d, %d)
target = context.framebuffer([context.texture(size, 4)], context.depth_renderbuffer(size))
program = context.program(
    vertex_shader="#version 330\\nin vec3 p; in vec4 c; out vec4 v; void main() { gl_Position = vec4(p, 1); v = c; }",
    fragment_shader="#version 330\\nin vec4 v; out vec4 o; void main() { o = v; }")
array = context.vertex_array(program, [(context.buffer(vertices.tobytes()), "3f 4f", "p", "c")])
target.use()
times = []
for _ in range(%d):
    start = time.perf_counter()
    target.clear(0, 0, 0, 1)
    array.render()
    context.finish()
    times.append(time.perf_counter() - start)
image = np.frombuffer(target.read(components=4), np.uint8)
print(json.dumps({"seconds": statistics.median(times[1:]), "renderer": context.info["GL_RENDERER"],
                  "sum": int(image.astype(np.int64).sum())}))
"""


def hash_words(index: np.ndarray, salt: int) -> np.ndarray:
    """Return 32-bit hashes of integers: the benchmark's only randomness."""
    x = ((index.astype(np.uint64) * 0x9E3779B9 + salt) & 0xFFFFFFFF).astype(np.uint32)
    x ^= x >> 16
    x *= np.uint32(0x7FEB352D)
    x ^= x >> 15
    x *= np.uint32(0x846CA68B)
    return x ^ (x >> 16)


def unit(index: np.ndarray, salt: int) -> np.ndarray:
    """Return the top 24 bits of the hash as a number from 0 to 1."""
    return (hash_words(index, salt) >> 8).astype(np.float64) / (1 << 24)


def fill_vertices() -> np.ndarray:
    """Return the vertices of ``fill_opaque``: x, y, z, r, g, b, a as float32, shape (96, 7)."""
    vertices = np.zeros((LAYERS, 6, 7))
    vertices[:, :, 0:2] = CORNERS
    numbers = np.arange(LAYERS)[:, None] * 4 + CORNER_NUMBERS
    for channel in range(3):
        vertices[:, :, 3 + channel] = unit(numbers, 100 + channel)
    vertices[:, :, 6] = 0.5
    return vertices.reshape(-1, 7).astype(np.float32)


def passthrough() -> Shader:
    """Return the shader that writes its interpolated colour."""
    steps = []
    for k in range(4):
        steps.append({"do": "load_input", "to": k, "location": 0, "component": k})
        steps.append({"do": "store_output", "location": 0, "component": k, "of": k})
    return from_object(
        {
            "refnvn_shader": 1, "stage": "fragment", "inputs": [{"location": 0}], "outputs": [{"location": 0}],
            "registers": ["word"] * 4, "statements": steps,
        }
    )  # fmt: skip


@dataclass
class Scene:
    """``fill_opaque``, ready to be drawn."""

    color: ColorTarget
    depth: DepthStencilTarget
    positions: np.ndarray
    varyings: np.ndarray
    shader: Shader

    def draw(self, threads: int) -> None:
        """Clear and draw once."""
        black = np.array([0, 0, 0, 0x3F800000], np.uint32)
        clear_color(self.color, black)
        state = RasterState(viewport=(0.0, 0.0, float(WIDTH), float(HEIGHT)))
        triangles = np.arange(len(self.positions)).reshape(-1, 3)
        draw_triangles(
            state, [self.color], self.depth, self.positions, self.varyings, triangles, self.shader, threads=threads
        )


def scene() -> Scene:
    """Return the scene with its targets."""
    vertices = fill_vertices()
    positions = np.ones((len(vertices), 4), np.float32)
    positions[:, :3] = vertices[:, :3]
    color, depth = format_named("RGBA8"), format_named("DEPTH24_STENCIL8")
    return Scene(
        color=ColorTarget(color, np.zeros((HEIGHT, WIDTH, 4), np.uint8)),
        depth=DepthStencilTarget(depth, np.zeros((HEIGHT, WIDTH, 4), np.uint8)),
        positions=positions,
        varyings=np.ascontiguousarray(vertices[:, 3:].T).view(np.uint32),
        shader=passthrough(),
    )


def copier() -> Callable[[], object]:
    """Return a function that copies 64 MiB on one thread."""
    source, target = np.ones(COPY_B, np.uint8), np.empty(COPY_B, np.uint8)
    return lambda: np.copyto(target, source)


def peer(threads: int, repetitions: int) -> dict[str, object] | str:
    """Return the peer's seconds and name, or why there is none."""
    environment = {
        **os.environ, "EGL_PLATFORM": "surfaceless", "GALLIUM_DRIVER": "llvmpipe", "LP_NUM_THREADS": str(threads)
    }  # fmt: skip
    code = PEER % (WIDTH, HEIGHT, repetitions + 1)
    done = subprocess.run(
        [sys.executable, "-c", code],
        input=fill_vertices().tobytes(),
        capture_output=True,
        env=environment,
        check=False,
    )
    if done.returncode:
        return done.stderr.decode(errors="replace").strip().splitlines()[-1]
    found: dict[str, object] = json.loads(done.stdout)
    return found


def main() -> None:
    """Measure all in one run."""
    parser = argparse.ArgumentParser(description="Fill rate of opaque interpolated quads.")
    parser.add_argument("--repetitions", type=int, default=9, help="samples per median (default 9)")
    parser.add_argument("--json", type=Path, help="also write all figures to this file")
    options = parser.parse_args()
    drawn = scene()
    copy = copier()
    works = {"memcpy": copy, **{f"refnvn {t}": lambda t=t: drawn.draw(t) for t in (1, 2)}}
    found = measure.medians(works, options.repetitions)
    rows = {name: seconds for name, seconds in found.items() if name != "memcpy"}
    names = {}
    for threads in (1, 2):
        other = peer(threads, options.repetitions)
        if isinstance(other, str):
            print(f"no peer: {other}")
            break
        rows[f"llvmpipe {threads}"] = float(str(other["seconds"]))
        names[f"llvmpipe {threads}"] = other
    again = statistics.median(measure.seconds(copy) for _ in range(options.repetitions))
    copy_B_s = COPY_B / ((found["memcpy"] + again) / 2)
    print(f"memcpy {copy_B_s / 1e9:.1f} GB/s, image sum {int(drawn.color.codes.astype(np.int64).sum())}")
    print(f"{'fill_opaque':<14}{'Mpix/s':>8}{'relative':>10}")
    for name, seconds in rows.items():
        print(f"{name:<14}{PIXELS / seconds / 1e6:>8.0f}{PIXELS * 4 / seconds / copy_B_s:>10.3f}")
    if options.json:
        content = {
            "repetitions": options.repetitions, "versions": measure.versions(), "memcpy_B_s": copy_B_s,
            "seconds": rows, "peers": names, "time": time.time(),
        }  # fmt: skip
        options.json.write_text(json.dumps(content, indent=2) + "\n")


if __name__ == "__main__":
    main()
