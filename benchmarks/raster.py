"""How fast are pixels filled and triangles drawn, against memcpy of the same bytes and against llvmpipe?

Usage::

    python benchmarks/raster.py [--repetitions 9] [--only SCENE] [--json FILE]

All scenes draw to 1920 x 1080 RGBA8 with a depth target attached, colours interpolated:

``fill_opaque``, ``fill_blend``: sixteen quads over the whole target, no test; stored, or blended by source alpha.
``tri_50px``, ``tri_tiny``: 100,000 triangles of 50 pixels, 1,000,000 of 1.5, with depth LESS and depth writes.

"Relative" is the RGBA8 bytes written in a second over the bytes that memcpy copies in a second, in the same run; for
triangles it is million triangles a second per GB/s. The peer is OpenGL on a software driver (``LP_NUM_THREADS`` 1 and
2), each in a process of its own, if moderngl and such a driver are installed. Read next: ``README.md`` for what the
columns mean.
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

from refnvn.enumerations import BlendFunc
from refnvn.formats.table import format_named
from refnvn.raster.blend import BlendTargetState
from refnvn.raster.clear import clear_color, clear_depth_stencil
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
blended, tested = %s
if blended:
    context.enable(moderngl.BLEND)
    context.blend_func = (
        moderngl.SRC_ALPHA, moderngl.ONE_MINUS_SRC_ALPHA, moderngl.ONE, moderngl.ONE_MINUS_SRC_ALPHA)
if tested:
    context.enable(moderngl.DEPTH_TEST)
    context.depth_func = "<"
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


def triangle_vertices(count: int, leg_px: float) -> np.ndarray:
    """Return the vertices of right triangles all over the target, as :func:`fill_vertices` does."""
    number = np.arange(count)
    x, y, turn, z = (unit(number, salt)[:, None] for salt in (500, 501, 502, 503))
    corners = np.array([[-1, -1], [2, -1], [-1, 2]]) * leg_px / 3
    sine, cosine = np.sin(turn * 2 * np.pi), np.cos(turn * 2 * np.pi)
    vertices = np.empty((count, 3, 7))
    vertices[:, :, 0] = (x * WIDTH + corners[:, 0] * cosine - corners[:, 1] * sine) * 2 / WIDTH - 1
    vertices[:, :, 1] = (y * HEIGHT + corners[:, 0] * sine + corners[:, 1] * cosine) * 2 / HEIGHT - 1
    vertices[:, :, 2] = z * 2 - 1
    for channel in range(3):
        vertices[:, :, 3 + channel] = unit(3 * number[:, None] + np.arange(3), 504 + channel)
    vertices[:, :, 6] = 1
    return vertices.reshape(-1, 7).astype(np.float32)


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


OVER = BlendTargetState(
    source_color=BlendFunc.SRC_ALPHA, destination_color=BlendFunc.ONE_MINUS_SRC_ALPHA,
    source_alpha=BlendFunc.ONE, destination_alpha=BlendFunc.ONE_MINUS_SRC_ALPHA,
)  # fmt: skip


@dataclass(frozen=True)
class Kind:
    """What a scene is: its vertices, whether it blends and tests depth, how many things it draws, of what unit."""

    vertices: Callable[[], np.ndarray]
    blended: bool
    tested: bool
    count: int
    unit: str


SCENES = {
    "fill_opaque": Kind(fill_vertices, False, False, PIXELS, "pix"),
    "fill_blend": Kind(fill_vertices, True, False, PIXELS, "pix"),
    "tri_50px": Kind(lambda: triangle_vertices(100_000, 10.0), False, True, 100_000, "tri"),
    "tri_tiny": Kind(lambda: triangle_vertices(1_000_000, 3**0.5), False, True, 1_000_000, "tri"),
}


class Scene:
    """A scene, ready to be drawn."""

    def __init__(self, kind: Kind) -> None:
        vertices = kind.vertices()
        self.kind = kind
        self.positions = np.ones((len(vertices), 4), np.float32)
        self.positions[:, :3] = vertices[:, :3]
        self.varyings = np.ascontiguousarray(vertices[:, 3:].T).view(np.uint32)
        self.triangles = np.arange(len(vertices)).reshape(-1, 3)
        self.color = ColorTarget(format_named("RGBA8"), np.zeros((HEIGHT, WIDTH, 4), np.uint8))
        self.depth = DepthStencilTarget(format_named("DEPTH24_STENCIL8"), np.zeros((HEIGHT, WIDTH, 4), np.uint8))
        self.shader = passthrough()

    def draw(self, threads: int) -> None:
        """Clear and draw once."""
        clear_color(self.color, np.array([0, 0, 0, 0x3F800000], np.uint32))
        clear_depth_stencil(self.depth, 0x3F800000, True, 0, 255)
        state = RasterState(
            viewport=(0.0, 0.0, float(WIDTH), float(HEIGHT)),
            depth_test=self.kind.tested,
            depth_write=self.kind.tested,
            blends=(OVER if self.kind.blended else None, *(None,) * 7),
        )
        draw_triangles(
            state, [self.color], self.depth, self.positions, self.varyings, self.triangles, self.shader,
            threads=threads,
        )  # fmt: skip


def copier() -> Callable[[], object]:
    """Return a function that copies 64 MiB on one thread."""
    source, target = np.ones(COPY_B, np.uint8), np.empty(COPY_B, np.uint8)
    return lambda: np.copyto(target, source)


def peer(kind: Kind, threads: int, repetitions: int) -> dict[str, object] | str:
    """Return the peer's seconds and name, or why there is none."""
    environment = {
        **os.environ, "EGL_PLATFORM": "surfaceless", "GALLIUM_DRIVER": "llvmpipe", "LP_NUM_THREADS": str(threads)
    }  # fmt: skip
    code = PEER % (WIDTH, HEIGHT, (kind.blended, kind.tested), repetitions + 1)
    vertices = kind.vertices().tobytes()
    done = subprocess.run(
        [sys.executable, "-c", code], input=vertices, capture_output=True, env=environment, check=False
    )
    if done.returncode:
        return done.stderr.decode(errors="replace").strip().splitlines()[-1]
    found: dict[str, object] = json.loads(done.stdout)
    return found


def figures(name: str, repetitions: int) -> dict[str, float]:
    """Measure one scene on one thread and two, and print its lines."""
    kind, copy = SCENES[name], copier()
    drawn = Scene(kind)
    works = {"memcpy": copy, **{f"refnvn {t}": lambda t=t: drawn.draw(t) for t in (1, 2)}}
    rows = measure.medians(works, repetitions)
    before = rows.pop("memcpy")
    for threads in (1, 2):
        other = peer(kind, threads, repetitions)
        if isinstance(other, str):
            print(f"no peer: {other}")
            break
        rows[f"llvmpipe {threads}"] = float(str(other["seconds"]))
    after = statistics.median(measure.seconds(copy) for _ in range(repetitions))
    copy_B_s = COPY_B / ((before + after) / 2)
    print(f"{name}, memcpy {copy_B_s / 1e9:.1f} GB/s, {int((drawn.color.codes[..., 3] != 0).sum())} pixels not 0")
    for work, seconds in rows.items():
        rate = kind.count / seconds / 1e6
        relative = rate * 4e6 / copy_B_s if kind.unit == "pix" else rate / (copy_B_s / 1e9)
        print(f"    {work:<12}{rate:>10.2f} M{kind.unit}/s{relative:>10.3f}")
    for threads in (1, 2):
        if f"llvmpipe {threads}" in rows:
            ratio = rows[f"llvmpipe {threads}"] / rows[f"refnvn {threads}"]
            print(f"    {ratio:.2f} of llvmpipe on {threads}")
    return {**rows, "memcpy_B_s": copy_B_s}


def main() -> None:
    """Measure all in one run."""
    parser = argparse.ArgumentParser(description="Fill rates and rates of triangles.")
    parser.add_argument("--repetitions", type=int, default=9, help="samples per median (default 9)")
    parser.add_argument("--only", default="", help="scenes whose name has this in it")
    parser.add_argument("--json", type=Path, help="also write all figures to this file")
    options = parser.parse_args()
    found = {name: figures(name, options.repetitions) for name in SCENES if options.only in name}
    if options.json:
        content = {
            "repetitions": options.repetitions, "versions": measure.versions(), "seconds": found, "time": time.time()
        }  # fmt: skip
        options.json.write_text(json.dumps(content, indent=2) + "\n")


if __name__ == "__main__":
    main()
