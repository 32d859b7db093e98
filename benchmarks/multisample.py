"""How fast are targets of four samples filled and resolved, against memcpy and against llvmpipe?

Usage::

    python benchmarks/multisample.py [--repetitions 9] [--json FILE]

The scenes: ``msaa4_fill``, eight quads over the whole of a 1920 x 1080 RGBA8 target of four samples, colours
interpolated and blended, without depth; ``msaa4_resolve``, eight resolves of that target into one of a
single sample. "Relative" is the RGBA8 bytes of the pixels (not of their samples) in a second over the bytes that
memcpy copies in a second, in the same run. Read next: ``raster.py``.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

import measure
import numpy as np
import raster

from refnvn.formats.table import format_named
from refnvn.raster.draw import draw_triangles
from refnvn.raster.resolve import resolved
from refnvn.raster.state import RasterState
from refnvn.raster.target import ColorTarget, sample_views

LAYERS, SAMPLES = 8, 4
VERTICES = LAYERS * 6
PIXELS = raster.WIDTH * raster.HEIGHT * LAYERS
PEER = """
import json, statistics, sys, time
import moderngl, numpy as np
vertices = np.frombuffer(sys.stdin.buffer.read(), np.float32)
context = moderngl.create_standalone_context(backend="egl")
size = (%d, %d)
target = context.framebuffer([context.texture(size, 4, samples=4)])
plain = context.framebuffer([context.texture(size, 4)])
program = context.program(
    vertex_shader="#version 330\\nin vec3 p; in vec4 c; out vec4 v; void main() { gl_Position = vec4(p, 1); v = c; }",
    fragment_shader="#version 330\\nin vec4 v; out vec4 o; void main() { o = v; }")
array = context.vertex_array(program, [(context.buffer(vertices.tobytes()), "3f 4f", "p", "c")])
context.enable(moderngl.BLEND)
context.blend_func = (moderngl.SRC_ALPHA, moderngl.ONE_MINUS_SRC_ALPHA, moderngl.ONE, moderngl.ONE_MINUS_SRC_ALPHA)
fill, resolve = [], []
for _ in range(%d):
    target.use()
    start = time.perf_counter()
    target.clear(0, 0, 0, 1)
    array.render()
    context.finish()
    fill.append(time.perf_counter() - start)
    start = time.perf_counter()
    for _ in range(8):
        context.copy_framebuffer(plain, target)
    context.finish()
    resolve.append(time.perf_counter() - start)
print(json.dumps({"msaa4_fill": statistics.median(fill[1:]), "msaa4_resolve": statistics.median(resolve[1:]),
                  "renderer": context.info["GL_RENDERER"]}))
"""


class Scene:
    """Both scenes, ready to run."""

    def __init__(self) -> None:
        fmt = format_named("RGBA8")
        self.storage = np.zeros((2 * raster.HEIGHT, 2 * raster.WIDTH, 4), np.uint8)
        self.views = sample_views(self.storage, SAMPLES)
        self.target = ColorTarget(fmt, self.views[0], self.views[1:])
        vertices = raster.fill_vertices()[:VERTICES]
        self.positions = np.ones((VERTICES, 4), np.float32)
        self.positions[:, :3] = vertices[:, :3]
        self.varyings = np.ascontiguousarray(vertices[:, 3:].T).view(np.uint32)
        self.shader = raster.passthrough()

    def fill(self, threads: int) -> None:
        """Clear and draw once."""
        self.storage.view("<u4")[...] = 0xFF000000
        blends = (raster.OVER, *(None,) * 7)
        state = RasterState(viewport=(0.0, 0.0, float(raster.WIDTH), float(raster.HEIGHT)), blends=blends)
        triangles = np.arange(VERTICES).reshape(-1, 3)
        draw_triangles(
            state, [self.target], None, self.positions, self.varyings, triangles, self.shader, threads=threads
        )

    def resolve(self) -> None:
        """Resolve eight times."""
        for _ in range(LAYERS):
            resolved(self.target.fmt, self.views, self.target.fmt)


def peer(threads: int, repetitions: int) -> dict[str, object] | str:
    """Return the peer's seconds and name, or why there is none."""
    environment = {
        **os.environ, "EGL_PLATFORM": "surfaceless", "GALLIUM_DRIVER": "llvmpipe", "LP_NUM_THREADS": str(threads)
    }  # fmt: skip
    code = PEER % (raster.WIDTH, raster.HEIGHT, repetitions + 1)
    vertices = raster.fill_vertices()[:VERTICES].tobytes()
    done = subprocess.run(
        [sys.executable, "-c", code], input=vertices, capture_output=True, env=environment, check=False
    )
    if done.returncode:
        return done.stderr.decode(errors="replace").strip().splitlines()[-1]
    found: dict[str, object] = json.loads(done.stdout)
    return found


def main() -> None:
    """Measure all in one run."""
    parser = argparse.ArgumentParser(description="Fill and resolve rates of targets of four samples.")
    parser.add_argument("--repetitions", type=int, default=9, help="samples per median (default 9)")
    parser.add_argument("--json", type=Path, help="also write all figures to this file")
    options = parser.parse_args()
    scene, copy = Scene(), raster.copier()
    works = {
        "memcpy": copy,
        "msaa4_fill, refnvn 1": lambda: scene.fill(1),
        "msaa4_fill, refnvn 2": lambda: scene.fill(2),
        "msaa4_resolve, refnvn 1": scene.resolve,
    }
    rows = measure.medians(works, options.repetitions)
    before = rows.pop("memcpy")
    for threads in (1, 2):
        other = peer(threads, options.repetitions)
        if isinstance(other, str):
            print(f"no peer: {other}")
            break
        for name in ("msaa4_fill", "msaa4_resolve"):
            rows[f"{name}, llvmpipe {threads}"] = float(str(other[name]))
    after = statistics.median(measure.seconds(copy) for _ in range(options.repetitions))
    copy_B_s = raster.COPY_B / ((before + after) / 2)
    print(f"memcpy {copy_B_s / 1e9:.1f} GB/s")
    print(f"{'':<28}{'Mpix/s':>8}{'relative':>10}")
    for name, seconds in sorted(rows.items()):
        print(f"{name:<28}{PIXELS / seconds / 1e6:>8.0f}{PIXELS * 4 / seconds / copy_B_s:>10.3f}")
    if options.json:
        content = {
            "repetitions": options.repetitions, "versions": measure.versions(), "memcpy_B_s": copy_B_s,
            "seconds": rows, "time": time.time(),
        }  # fmt: skip
        options.json.write_text(json.dumps(content, indent=2) + "\n")


if __name__ == "__main__":
    main()
