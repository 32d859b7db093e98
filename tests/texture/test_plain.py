"""Many lanes of plain textures: the compiled loop gives the bits of the NumPy path, and rests on the same rules."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from numpy.typing import NDArray

from refnvn.enumerations import MagFilter, MinFilter, SamplerReduction, TextureSwizzle, WrapMode
from refnvn.formats.table import format_named
from refnvn.kernel import jit_is_on
from refnvn.layout.description import TextureTarget
from refnvn.rules.fields import NVN, FilterWeights
from refnvn.rules.registry import collect
from refnvn.texture import plain
from refnvn.texture.gradients import quad_gradients
from refnvn.texture.sample import sample
from refnvn.texture.sampled import IDENTITY, SampledTexture, Swizzle
from refnvn.texture.sampler import Sampler

LANES = 1 << 10 if jit_is_on() else 64
WRAPS = (WrapMode.REPEAT, WrapMode.MIRRORED_REPEAT, WrapMode.CLAMP_TO_EDGE)
SIZES = {
    "square": (16, 16, 5, "RGBA8"),
    "odd": (37, 20, 6, "BGRA8"),
    "wide": (9000, 3, 2, "RGBA8"),
    "one": (1, 1, 1, "RGBA8"),
}
MAPPED = (TextureSwizzle.ONE, TextureSwizzle.B, TextureSwizzle.B, TextureSwizzle.R)


def noise(width: int, height: int, levels: int, fmt: str, swizzle: Swizzle = IDENTITY) -> SampledTexture:
    """Return a texture of random bytes."""
    random = np.random.default_rng(width)
    shapes = [(1, max(1, height >> level), max(1, width >> level), 4) for level in range(levels)]
    texels = tuple(random.integers(0, 256, shape, dtype=np.uint8) for shape in shapes)
    return SampledTexture(format_named(fmt), TextureTarget.TARGET_2D, texels, swizzle)


def scattered(seed: int) -> NDArray[np.float32]:
    """Return coordinates of quads of all sizes, some of them no numbers."""
    random = np.random.default_rng(seed)
    centres = random.standard_normal((2, LANES // 4, 1)) * 2
    spread = random.standard_normal((2, LANES // 4, 4)) * 10.0 ** random.uniform(-5, 0, (1, LANES // 4, 1))
    found = (centres + spread).astype(np.float32).reshape(2, LANES)
    found[:, :8] = [np.nan, np.inf, -np.inf, 1e30, 1e-40, 0.0, -0.0, 1.0]
    return found


def other_way(monkeypatch: pytest.MonkeyPatch, *, at_once: bool) -> None:
    """Send all lanes one way."""
    monkeypatch.setattr(plain, "wants_kernel", lambda _lanes: at_once)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("smooth", [MagFilter.NEAREST, MagFilter.LINEAR], ids=["nearest", "linear"])
def test_both_ways_give_the_same(monkeypatch: pytest.MonkeyPatch, size: str, smooth: MagFilter) -> None:
    """Every minification filter and wrap mode, biased, moved and mapped: equal bits and equal rules."""
    texture = noise(*SIZES[size], MAPPED if size == "square" else IDENTITY)
    for seed, (filtered, mode) in enumerate(itertools.product(MinFilter, WRAPS)):
        wrap = (mode, WRAPS[seed % 3], mode)
        made = Sampler(min_filter=filtered, mag_filter=smooth, wrap=wrap, lod_bias=0.3 if size == "odd" else 0.0)
        uv = scattered(seed)
        results, used = [], []
        for at_once in (True, False):
            other_way(monkeypatch, at_once=at_once)
            with collect() as rules:
                found = sample(texture, made, uv, gradients=quad_gradients(uv), offset=(seed % 3 - 1, 1, 0))
            results.append(found.view(np.uint32))
            used.append(set(rules))
        assert (results[0] == results[1]).all()
        assert used[0] == used[1]


def test_a_level_of_detail_for_all_lanes_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """An explicit number, with and without a bias."""
    texture, uv = noise(*SIZES["square"]), scattered(1)
    made = Sampler(min_filter=MinFilter.LINEAR_MIPMAP_LINEAR, mag_filter=MagFilter.LINEAR)
    for lod, bias in ((0.0, 0.0), (1.7, 0.0), (9.0, -0.25)):
        results = []
        for at_once in (True, False):
            other_way(monkeypatch, at_once=at_once)
            results.append(sample(texture, made, uv, lod=lod, bias=bias).view(np.uint32))
        assert (results[0] == results[1]).all()


def test_what_is_not_plain_goes_the_other_way(monkeypatch: pytest.MonkeyPatch) -> None:
    """Borders, reductions, anisotropy, other formats and exact filters."""
    other_way(monkeypatch, at_once=True)
    texture, uv = noise(*SIZES["square"]), scattered(2)
    border = (WrapMode.CLAMP_TO_BORDER, WrapMode.REPEAT, WrapMode.REPEAT)
    assert not plain.is_plain(texture, Sampler(wrap=border))
    assert not plain.is_plain(texture, Sampler(reduction=SamplerReduction.MIN))
    assert not plain.is_plain(texture, Sampler(max_anisotropy=2.0))
    for fmt in ("RGBA8_SRGB", "RGBA8UI", "R32F", "RG16"):
        other = SampledTexture(format_named(fmt), TextureTarget.TARGET_2D, (np.zeros((1, 4, 4, 4), np.uint8),))
        assert not plain.is_plain(other, Sampler())
    exact = NVN.with_(filter_weights=FilterWeights.EXACT)
    found = plain.sampled_at_once(texture, Sampler(), uv, None, 0.0, None, (0, 0, 0), exact)
    assert found is None


def test_few_lanes_load_no_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    """As long as nobody else has, and above a limit where they are worth it."""
    monkeypatch.setattr(plain, "_COMPILER", "no_such_module")
    assert not plain.wants_kernel(plain.PAYS_TO_LOAD - 1)
    assert plain.wants_kernel(plain.PAYS_TO_LOAD) is jit_is_on()
