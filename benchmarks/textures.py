"""How fast are pixels textured, against memcpy and against llvmpipe?

Usage::

    python benchmarks/textures.py [--repetitions 9] [--only tex_bilinear] [--json FILE]

The scenes: ``tex_bilinear``, eight quads over the whole of a 1920 x 1080 RGBA8 target with a 1024 x 1024 RGBA8
texture of noise, repeated, linear, one level, once over the target; ``tex_trilinear``, four times over, with a mip
chain of 2 x 2 boxes. The fragment shader takes one sample at the interpolated coordinates and writes it. "Relative"
is the RGBA8 bytes written in a second over the bytes that memcpy copies in a second, in the same run. Read next:
``raster.py``.
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

from refnvn.enumerations import MagFilter, MinFilter
from refnvn.formats.table import format_named
from refnvn.layout.description import TextureTarget
from refnvn.raster.assembled import assembled
from refnvn.raster.clear import clear_color
from refnvn.raster.draw import draw_primitives
from refnvn.raster.shapes import Vertices
from refnvn.raster.state import RasterState
from refnvn.raster.target import ColorTarget
from refnvn.shader.ir import Shader, from_object
from refnvn.shader.textures import textures_of
from refnvn.texture.sampled import SampledTexture
from refnvn.texture.sampler import Sampler

LAYERS, SIDE = 8, 1024
PIXELS = raster.WIDTH * raster.HEIGHT * LAYERS
SCALES = {"tex_bilinear": 1.0, "tex_trilinear": 4.0}
PEER = """
import json, statistics, sys, time
import moderngl, numpy as np
data = sys.stdin.buffer.read()
side, mipmapped, size = %d, %s, (%d, %d)
texels, vertices = data[: side * side * 4], data[side * side * 4 :]
context = moderngl.create_standalone_context(backend="egl")
target = context.framebuffer([context.texture(size, 4)], context.depth_renderbuffer(size))
program = context.program(
    vertex_shader="#version 330\\nin vec3 p; in vec2 c; out vec2 v; void main() { gl_Position = vec4(p, 1); v = c; }",
    fragment_shader="#version 330\\nuniform sampler2D s; in vec2 v; out vec4 o; void main() { o = texture(s, v); }")
array = context.vertex_array(program, [(context.buffer(vertices), "3f 2f", "p", "c")])
texture = context.texture((side, side), 4, texels)
if mipmapped:
    texture.build_mipmaps()
texture.filter = (moderngl.LINEAR_MIPMAP_LINEAR if mipmapped else moderngl.LINEAR, moderngl.LINEAR)
texture.use(0)
target.use()
times = []
for _ in range(%d):
    start = time.perf_counter()
    target.clear(0, 0, 0, 1)
    array.render()
    context.finish()
    times.append(time.perf_counter() - start)
print(json.dumps({"seconds": statistics.median(times[1:]), "renderer": context.info["GL_RENDERER"]}))
"""


def noise() -> np.ndarray:
    """Return the texels of level 0, uint8 of shape (1024, 1024, 4)."""
    words = raster.hash_words(np.arange(SIDE * SIDE), 77)
    return words.astype("<u4").view(np.uint8).reshape(SIDE, SIDE, 4)


def mip_chain(texels: np.ndarray) -> list[np.ndarray]:
    """Return all levels: each the mean of 2 x 2 texels of the one before, rounded."""
    levels = [texels]
    while levels[-1].shape[0] > 1:
        wide = levels[-1].astype(np.uint32)
        total = wide[0::2, 0::2] + wide[1::2, 0::2] + wide[0::2, 1::2] + wide[1::2, 1::2]
        levels.append(((total + 2) >> 2).astype(np.uint8))
    return levels


def vertices_of(scale: float) -> np.ndarray:
    """Return x, y, z, u, v of all quads, float32 of shape (48, 5)."""
    vertices = np.zeros((LAYERS, 6, 5))
    vertices[:, :, 0:2] = raster.CORNERS
    vertices[:, :, 3:5] = (raster.CORNERS + 1) / 2 * scale
    return vertices.reshape(-1, 5).astype(np.float32)


def shader() -> Shader:
    """Return the shader that writes a sample at its coordinates."""
    loads = [{"do": "load_input", "to": k, "location": 0, "component": k} for k in range(2)]
    sample = {"do": "sample_texture", "to": [2, 3, 4, 5], "texture": 0, "coordinates": [0, 1]}
    stores = [{"do": "store_output", "location": 0, "component": k, "of": k + 2} for k in range(4)]
    return from_object(
        {
            "refnvn_shader": 1, "stage": "fragment", "inputs": [{"location": 0, "components": 2}],
            "outputs": [{"location": 0}], "textures": [{"binding": 0}], "registers": ["word"] * 6,
            "statements": [*loads, sample, *stores],
        }
    )  # fmt: skip


class Scene:
    """A scene, ready to be drawn."""

    def __init__(self, name: str) -> None:
        mipmapped = name == "tex_trilinear"
        levels = mip_chain(noise()) if mipmapped else [noise()]
        texture = SampledTexture(
            format_named("RGBA8"), TextureTarget.TARGET_2D, tuple(level[np.newaxis] for level in levels)
        )
        minified = MinFilter.LINEAR_MIPMAP_LINEAR if mipmapped else MinFilter.LINEAR
        self.textures = textures_of({0: (texture, Sampler(min_filter=minified, mag_filter=MagFilter.LINEAR))})
        vertices = vertices_of(SCALES[name])
        positions = np.ones((len(vertices), 4), np.float32)
        positions[:, :3] = vertices[:, :3]
        self.vertices = Vertices(positions, np.ascontiguousarray(vertices[:, 3:].T).view(np.uint32))
        triangles = np.arange(len(vertices), dtype=np.int64).reshape(-1, 3)
        self.primitives = assembled(triangles, triangles[:, 2])
        self.color = ColorTarget(format_named("RGBA8"), np.zeros((raster.HEIGHT, raster.WIDTH, 4), np.uint8))
        self.shader = shader()

    def draw(self, threads: int) -> None:
        """Clear and draw once."""
        clear_color(self.color, np.array([0, 0, 0, 0x3F800000], np.uint32))
        state = RasterState(viewport=(0.0, 0.0, float(raster.WIDTH), float(raster.HEIGHT)))
        draw_primitives(
            state, [self.color], None, self.vertices, self.primitives, self.shader, textures=self.textures,
            threads=threads,
        )  # fmt: skip


def peer(name: str, threads: int, repetitions: int) -> dict[str, object] | str:
    """Return the peer's seconds and name, or why there is none."""
    environment = {
        **os.environ, "EGL_PLATFORM": "surfaceless", "GALLIUM_DRIVER": "llvmpipe", "LP_NUM_THREADS": str(threads)
    }  # fmt: skip
    code = PEER % (SIDE, name == "tex_trilinear", raster.WIDTH, raster.HEIGHT, repetitions + 1)
    given = noise().tobytes() + vertices_of(SCALES[name]).tobytes()
    done = subprocess.run(
        [sys.executable, "-c", code], input=given, capture_output=True, env=environment, check=False
    )
    if done.returncode:
        return done.stderr.decode(errors="replace").strip().splitlines()[-1]
    found: dict[str, object] = json.loads(done.stdout)
    return found


def figures(name: str, repetitions: int) -> dict[str, float]:
    """Measure one scene on one thread and two, and print its lines."""
    scene, copy = Scene(name), raster.copier()
    works = {"memcpy": copy, **{f"refnvn {t}": lambda t=t: scene.draw(t) for t in (1, 2)}}
    rows = measure.medians(works, repetitions)
    before = rows.pop("memcpy")
    for threads in (1, 2):
        other = peer(name, threads, repetitions)
        if isinstance(other, str):
            print(f"no peer: {other}")
            break
        rows[f"llvmpipe {threads}"] = float(str(other["seconds"]))
    after = statistics.median(measure.seconds(copy) for _ in range(repetitions))
    copy_B_s = raster.COPY_B / ((before + after) / 2)
    print(f"{name}, memcpy {copy_B_s / 1e9:.1f} GB/s")
    for work, seconds in rows.items():
        print(f"    {work:<12}{PIXELS / seconds / 1e6:>10.1f} Mpix/s{PIXELS * 4 / seconds / copy_B_s:>10.3f}")
    for threads in (1, 2):
        if f"llvmpipe {threads}" in rows:
            print(f"    {rows[f'llvmpipe {threads}'] / rows[f'refnvn {threads}']:.2f} of llvmpipe on {threads}")
    return {**rows, "memcpy_B_s": copy_B_s}


def main() -> None:
    """Measure all in one run."""
    parser = argparse.ArgumentParser(description="Rates of textured pixels.")
    parser.add_argument("--repetitions", type=int, default=9, help="samples per median (default 9)")
    parser.add_argument("--only", default="", help="scenes whose name has this in it")
    parser.add_argument("--json", type=Path, help="also write all figures to this file")
    options = parser.parse_args()
    found = {name: figures(name, options.repetitions) for name in SCALES if options.only in name}
    if options.json:
        content = {
            "repetitions": options.repetitions, "versions": measure.versions(), "seconds": found, "time": time.time()
        }  # fmt: skip
        options.json.write_text(json.dumps(content, indent=2) + "\n")


if __name__ == "__main__":
    main()
