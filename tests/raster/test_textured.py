"""Textured fills in one go: the bits and the rules of the way through NumPy, whatever is drawn and sampled."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

from refnvn.enumerations import MagFilter, MinFilter, TextureSwizzle, WrapMode
from refnvn.kernel import jit_is_on
from refnvn.raster import draw as draw_module
from refnvn.raster import textured
from refnvn.raster.assembled import assembled
from refnvn.raster.draw import draw_primitives
from refnvn.raster.fragment import shade
from refnvn.raster.sampled_rows import sampled_rows
from refnvn.raster.shapes import Vertices
from refnvn.raster.spans import batches
from refnvn.rules.fields import NVN, FilterWeights
from refnvn.rules.registry import collect
from refnvn.shader.ir import Shader
from refnvn.shader.textures import textures_of
from refnvn.texture import footprint_kernel, plain
from refnvn.texture.sampled import IDENTITY
from refnvn.texture.sampler import Sampler
from tests.raster.scenes import color, passthrough, shader, view
from tests.raster.test_lane_kernel import SIZE, scene
from tests.texture.test_plain import MAPPED, SIZES, WRAPS, noise

VERTICES = 120 if jit_is_on() else 9


def sampling(order: tuple[int, ...] = (0, 1, 2, 3), interpolation: str = "smooth", **fields: Any) -> Shader:
    """Return a shader that writes the channels of one sample in some order; its input has a component to spare."""
    loads = [{"do": "load_input", "to": k, "location": 0, "component": k + 1} for k in range(2)]
    sample = {"do": "sample_texture", "to": [2, 3, 4, 5], "texture": 0, "coordinates": [0, 1], **fields}
    stores = [{"do": "store_output", "location": 0, "component": k, "of": 2 + one} for k, one in enumerate(order)]
    return shader(
        inputs=[{"location": 0, "components": 3, "interpolation": interpolation}], outputs=[{"location": 0}],
        textures=[{"binding": 0}], registers=["word"] * 6, statements=[*loads, sample, *stores],
    )  # fmt: skip


def drawn(
    monkeypatch: pytest.MonkeyPatch, at_once: bool, fragment: Shader, texture: Any, sampler: Sampler, **options: Any
) -> tuple[Any, ...]:
    """Draw triangles with ragged edges, some in perspective; return whether it was at once, and what is left."""
    calls = []
    monkeypatch.setattr(draw_module, "wants_kernels", lambda _pixels: at_once)
    monkeypatch.setattr(plain, "wants_kernel", lambda _lanes: False)

    def counted(*arguments: Any) -> int | None:
        found = textured.shade_textured(*arguments)
        calls.append(found is not None)
        return found

    monkeypatch.setattr(draw_module, "shade_textured", counted)
    positions, words = scene(options.get("seed", 5))
    positions, words = positions[-VERTICES:], words[-VERTICES:, : fragment.input_components]
    target = color(options.get("format", "RGBA8"), SIZE, SIZE, fill=0x5A)
    state = view(target, channel_masks=(options.get("mask", 15),) * 8)
    triangles = np.arange(len(positions), dtype=np.int64).reshape(-1, 3)
    with collect() as used:
        passed = draw_primitives(
            state, [target], None, Vertices(positions, np.ascontiguousarray(words.T)),
            assembled(triangles, triangles[:, 2]), fragment, rules=options.get("rules", NVN),
            textures=textures_of({0: (texture, sampler)}), threads=options.get("threads", 1),
        )  # fmt: skip
    assert passed > 0
    return calls, (passed, set(used), target.codes.tobytes())


def check(monkeypatch: pytest.MonkeyPatch, *arguments: Any, **options: Any) -> None:
    """Both ways agree, and the second is taken."""
    _, slow = drawn(monkeypatch, False, *arguments, **options)
    calls, fast = drawn(monkeypatch, True, *arguments, **options)
    assert calls
    assert all(calls)
    assert slow == fast


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("smooth", [MagFilter.NEAREST, MagFilter.LINEAR], ids=["nearest", "linear"])
@pytest.mark.parametrize("filtered", MinFilter, ids=[one.name.lower() for one in MinFilter])
def test_filters_wraps_and_levels_agree(
    monkeypatch: pytest.MonkeyPatch, size: str, smooth: MagFilter, filtered: MinFilter
) -> None:
    """Every filter, and wrap modes in turn, biased and moved, inputs that are no numbers among them."""
    turn = int(filtered) + int(smooth) + len(size)
    made = Sampler(
        min_filter=filtered, mag_filter=smooth, wrap=(WRAPS[turn % 3], WRAPS[turn // 3 % 3], WrapMode.REPEAT),
        lod_bias=-1.3 if size == "odd" else 0.0,
    )  # fmt: skip
    fragment = sampling(offset=(turn % 3 - 1, 1, 0))
    check(monkeypatch, fragment, noise(*SIZES[size]), made, seed=turn)


LINEAR = Sampler(min_filter=MinFilter.LINEAR_MIPMAP_LINEAR, mag_filter=MagFilter.LINEAR)


@pytest.mark.parametrize("format_name", ["RGBA8", "BGRA8"])
@pytest.mark.parametrize("mask", [15, 6])
@pytest.mark.parametrize("swizzle", [IDENTITY, MAPPED, (TextureSwizzle.ZERO, *MAPPED[1:])])
def test_channels_agree(monkeypatch: pytest.MonkeyPatch, format_name: str, mask: int, swizzle: Any) -> None:
    """Channels in other orders in the texture, its view, the shader and the target, some of them masked."""
    texture = noise(37, 20, 6, "BGRA8", swizzle)
    for order in ((0, 1, 2, 3), (2, 0, 3, 3)):
        check(monkeypatch, sampling(order), texture, LINEAR, format=format_name, mask=mask)


@pytest.mark.parametrize("interpolation", ["smooth", "noperspective", "flat"])
@pytest.mark.parametrize("threads", [1, 2, 5])
def test_interpolations_and_threads_agree(monkeypatch: pytest.MonkeyPatch, interpolation: str, threads: int) -> None:
    """Every interpolation, on several threads."""
    check(monkeypatch, sampling(interpolation=interpolation), noise(*SIZES["square"]), LINEAR, threads=threads)


def test_too_many_footprints_go_the_other_way(monkeypatch: pytest.MonkeyPatch) -> None:
    """A batch that finds no room for its footprints is shaded as ever, and the next one starts anew."""
    monkeypatch.setattr(footprint_kernel, "_MOST_FOOTPRINTS", 64)
    shaded = []
    monkeypatch.setattr(textured, "batches", lambda spans: batches(spans, 200))
    monkeypatch.setattr(textured, "shade", lambda *arguments: shaded.append(shade(*arguments)))
    check(monkeypatch, sampling(), noise(*SIZES["square"]), LINEAR)
    assert shaded


@pytest.mark.parametrize(
    ("fragment", "sampler", "rules"),
    [
        (sampling(), Sampler(max_anisotropy=2.0), NVN),
        (sampling(), Sampler(wrap=(WrapMode.CLAMP_TO_BORDER,) * 3), NVN),
        (sampling(), LINEAR, NVN.with_(filter_weights=FilterWeights.EXACT)),
        (sampling(bias=0), LINEAR, NVN),
        (sampling(lod=1), LINEAR, NVN),
    ],
    ids=["anisotropic", "border", "exact", "bias", "lod"],
)
def test_others_go_the_other_way(
    monkeypatch: pytest.MonkeyPatch, fragment: Shader, sampler: Sampler, rules: Any
) -> None:
    """What the loops do not know is drawn as ever."""
    texture = noise(*SIZES["square"])
    _, slow = drawn(monkeypatch, False, fragment, texture, sampler, rules=rules)
    calls, fast = drawn(monkeypatch, True, fragment, texture, sampler, rules=rules)
    assert not any(calls)
    assert slow[2] == fast[2]


def test_shaders_are_told_apart() -> None:
    """The rows of a shader that only samples; nothing for others."""
    found = sampled_rows(sampling((2, 0, 3, 3)))
    assert found is not None
    assert found.coordinates == (1, 2)
    assert found.channels == (2, 0, 3, 3)
    assert sampled_rows(passthrough()) is None
    assert sampled_rows(sampling((0, 1, 2))) is None
    assert sampled_rows(sampling(dx=[0, 1], dy=[1, 0])) is None


def test_without_the_compiler_the_bytes_are_the_same() -> None:
    """A process with ``NUMBA_DISABLE_JIT=1`` draws the same image by the same loops."""
    code = (
        "import hashlib, pytest\n"
        "import tests.raster.test_textured as here\n"
        "here.VERTICES = 9\n"
        "with pytest.MonkeyPatch.context() as patch:\n"
        "    calls, found = here.drawn(patch, True, here.sampling(), here.noise(37, 20, 6, 'BGRA8'), here.LINEAR)\n"
        "print(calls, found[0], hashlib.sha256(found[2]).hexdigest())\n"
    )
    found = []
    for switch in ("0", "1"):
        environment = {**os.environ, "NUMBA_DISABLE_JIT": switch}
        done = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=True
        )
        found.append(done.stdout)
    assert found[0].startswith("[True]")
    assert found[0] == found[1]
