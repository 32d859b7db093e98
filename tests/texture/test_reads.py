"""Samples, fetches, gathers, comparisons, reductions and queries as shaders see them."""

from dataclasses import replace

import numpy as np
import pytest

from refnvn.enumerations import (
    CompareFunc,
    CompareMode,
    MagFilter,
    MinFilter,
    SamplerReduction,
    TextureSwizzle,
    WrapMode,
)
from refnvn.errors import ArgumentError, FieldRangeError, ShapeError
from refnvn.formats.table import format_named
from refnvn.layout.description import TextureTarget
from refnvn.rules.fields import NVN, FilterWeights
from refnvn.texture.fetch import fetch
from refnvn.texture.gather import gather
from refnvn.texture.gradients import Gradients
from refnvn.texture.query import query_lod, size_of
from refnvn.texture.reduction import reduced
from refnvn.texture.sample import sample
from refnvn.texture.sampled import SampledTexture, mapped_channels
from refnvn.texture.sampler import Sampler, float_border
from refnvn.texture.shadow import passes, passing_share, reference_number
from refnvn.texture.texels import Kind

EDGE = (WrapMode.CLAMP_TO_EDGE,) * 3
LINEAR = Sampler(min_filter=MinFilter.LINEAR, mag_filter=MagFilter.LINEAR, wrap=EDGE)
ONE, ZERO, RED = TextureSwizzle.ONE, TextureSwizzle.ZERO, TextureSwizzle.R
EXACT = NVN.with_(filter_weights=FilterWeights.EXACT)


def image(name: str, *rows: list[float], dtype: str = "u1", **fields: object) -> SampledTexture:
    """Return a 2D texture of one-component texels."""
    codes = np.array(rows, dtype)
    texels = codes.view(np.uint8).reshape(1, *codes.shape, codes.itemsize)
    return SampledTexture(format_named(name), TextureTarget.TARGET_2D, (texels,), **fields)  # type: ignore[arg-type]


def at(*places: tuple[float, ...]) -> np.ndarray:
    """Return coordinates, one column a place."""
    return np.array(places, np.float32).T


@pytest.mark.rule("TEX-SWIZZLE-1")
def test_a_mapped_glyph_keeps_its_coverage_in_alpha() -> None:
    """R8 texels 0, 85, 170, 255 mapped (1, 1, 1, R): alpha is the coverage, colour is white."""
    atlas = image("R8", [0, 85, 170, 255], swizzle=(ONE, ONE, ONE, RED))
    found = fetch(atlas, [[0, 1, 2, 3], [0, 0, 0, 0]])
    assert (found[:3] == 1).all()
    assert np.round(found[3] * 255).tolist() == [0, 85, 170, 255]


@pytest.mark.rule("TEX-SWIZZLE-1")
def test_one_is_an_integer_in_integer_formats() -> None:
    """ONE and the missing alpha are the integer 1 there, the float 1.0 elsewhere."""
    words = np.array([[9], [0], [0], [1]], np.uint32)
    assert mapped_channels(words, (ONE, ZERO, RED, TextureSwizzle.A), is_integer=True)[:, 0].tolist() == [1, 0, 9, 1]
    assert mapped_channels(words, (ONE, ZERO, RED, RED), is_integer=False)[0, 0] == 0x3F800000


@pytest.mark.rule("TEX-SWIZZLE-1")
def test_depth_reads_as_red() -> None:
    """(depth, 0, 0, 1) comes before the mapping."""
    depth = image("DEPTH32F", [0.25], dtype="<f4")
    assert fetch(depth, [[0], [0]])[:, 0].tolist() == [0.25, 0, 0, 1]
    mapped = replace(depth, swizzle=(RED, RED, RED, TextureSwizzle.G))
    assert fetch(mapped, [[0], [0]])[:, 0].tolist() == [0.25, 0.25, 0.25, 0]


@pytest.mark.rule("TEX-FILTER-1")
def test_a_border_mixes_like_any_texel() -> None:
    """All ones beside a border of 0.5: fully outside 0.5, on the edge halfway."""
    sampler = replace(LINEAR, wrap=(WrapMode.CLAMP_TO_BORDER,) * 3, border=float_border([0.5] * 4))
    found = sample(image("R8", *[[255] * 4] * 4), sampler, at((-0.25, 0.5), (0.0, 0.5), (0.5, 0.5)))[0]
    half = 127 / 255
    assert np.abs(found - [half, (1 + half) / 2, 1]).max() < 1e-5


@pytest.mark.rule("TEX-FILTER-1")
def test_a_port_weighs_exactly() -> None:
    """A third of the way is a third for a port, 85/256 for the chip."""
    texture, place = image("R32F", [0, 1], dtype="<f4"), at((0.25 + 1 / 6, 0.5))
    assert float(sample(texture, LINEAR, place)[0, 0]) == 85 / 256
    assert abs(float(sample(texture, LINEAR, place, rules=EXACT)[0, 0]) - 1 / 3) < 1e-6


@pytest.mark.rule("TEX-FILTER-2")
def test_one_texel_reads_as_fetched() -> None:
    """A nearest sample reads -64/127 where the filter, or mixed levels, would give -16512/32767."""
    texture = image("R8SN", [-64], dtype="i1")
    mixing = Sampler(min_filter=MinFilter.NEAREST_MIPMAP_LINEAR)
    nearest, filtered, mixed = (float(sample(texture, s, at((0.5, 0.5)))[0, 0]) for s in (Sampler(), LINEAR, mixing))
    assert mixed == filtered
    assert nearest == float(np.float32(-64) / np.float32(127))
    assert filtered == float(np.float32(-16512) / np.float32(32767))


def test_integer_textures_are_never_filtered() -> None:
    """A sample of an integer texture is one texel's bits, whatever the filter says."""
    texture = image("R32UI", [3, 0x7F800001, 0xFFFFFFFF, 0x80000000], dtype="<u4")
    found = sample(texture, LINEAR, at((0.1, 0.5), (0.3, 0.5), (0.6, 0.5), (0.9, 0.5)))
    assert found.view(np.uint32)[0].tolist() == [3, 0x7F800001, 0xFFFFFFFF, 0x80000000]


@pytest.mark.rule("TEX-LEVEL-5", "TEX-WEIGHT-4")
def test_a_level_of_weight_zero_is_not_looked_at() -> None:
    """At a whole level NaN in the next level does not show, nor does it in a texel of fraction zero."""
    halves = [np.full((1, side, side), value, "<f4").view(np.uint8).reshape(1, side, side, 4)
              for side, value in ((4, 2.0), (2, np.nan), (1, 5.0))]  # fmt: skip
    texture = SampledTexture(format_named("R32F"), TextureTarget.TARGET_2D, tuple(halves))
    sampler = replace(LINEAR, min_filter=MinFilter.LINEAR_MIPMAP_LINEAR)
    assert float(sample(texture, sampler, at((0.4, 0.4)), lod=0.0)[0, 0]) == 2.0
    assert np.isnan(sample(texture, sampler, at((0.4, 0.4)), lod=0.01)[0, 0])
    pinned = replace(sampler, lod_clamp=(2.0, 2.0))
    assert float(sample(texture, pinned, at((0.4, 0.4)), lod=0.0)[0, 0]) == 5.0


@pytest.mark.rule("TEX-SHADOW-1")
@pytest.mark.parametrize(
    ("kind", "code", "reference", "results"),
    [
        pytest.param(Kind.DEPTH24, 1, "0x1.80011ap-24", (0, 0, 0, 1), id="depth24-just-above"),
        pytest.param(Kind.DEPTH24, 16777214, "0x1p+0", (0, 0, 0, 1), id="depth24-one"),
        pytest.param(Kind.UNORM16, 1, "0x1.0291e6p-17", (1, 0, 1, 0), id="depth16-half-a-code"),
        pytest.param(Kind.UNORM16, 65534, "0x1.fffd0cp-1", (0, 1, 1, 0), id="depth16-equal"),
    ],
)
def test_measured_comparisons(kind: Kind, code: int, reference: str, results: tuple[int, ...]) -> None:
    """Measured results of LESS, EQUAL, LEQUAL and GREATER around the edges of codes."""
    ours = reference_number(np.float32(float.fromhex(reference)), kind)
    functions = (CompareFunc.LESS, CompareFunc.EQUAL, CompareFunc.LEQUAL, CompareFunc.GREATER)
    assert tuple(int(passes(ours, np.array(code), one)) for one in functions) == results


@pytest.mark.rule("TEX-SHADOW-1")
def test_a_float_reference_is_not_clamped() -> None:
    """2 is greater than any depth of 1; NaN passes NOTEQUAL and ALWAYS alone."""
    nan = reference_number(np.float32(np.nan), Kind.FLOAT32)
    passing = [one.name for one in CompareFunc if passes(nan, np.array(0.5), one)]
    assert passing == ["NOTEQUAL", "ALWAYS"]
    assert passes(reference_number(np.float32(2), Kind.FLOAT32), np.array(1.0), CompareFunc.GREATER)


@pytest.mark.rule("TEX-SHADOW-2")
def test_a_filtered_comparison_is_a_share() -> None:
    """Two of four texels pass: their weights over 256; and a comparing sampler needs a reference."""
    assert float(passing_share(np.array([True, False, True, False]), np.array([100, 60, 50, 46]))) == 150 / 256
    texture = image("DEPTH32F", [0.2, 0.8], dtype="<f4")
    sampler = replace(LINEAR, compare_mode=CompareMode.COMPARE_R_TO_TEXTURE, compare_func=CompareFunc.LESS)
    assert sample(texture, sampler, at((0.5, 0.5)), reference=0.5)[:, 0].tolist() == [0.5, 0, 0, 1]
    with pytest.raises(ArgumentError, match="no reference"):
        sample(texture, sampler, at((0.5, 0.5)))


@pytest.mark.rule("TEX-REDUCE-1")
def test_a_depth_pyramid_takes_extremes() -> None:
    """0.1, 0.9, 0.5 and 0.3 under one sample: least 0.1, largest 0.9, mean 0.45."""
    texture = image("R32F", [0.1, 0.9], [0.5, 0.3], dtype="<f4")
    found = [
        float(sample(texture, replace(LINEAR, reduction=one), at((0.5, 0.5)))[0, 0])
        for one in (SamplerReduction.MIN, SamplerReduction.MAX, SamplerReduction.AVERAGE)
    ]
    assert np.round(found, 6).tolist() == [0.1, 0.9, 0.45]
    values, weights = np.array([[1.0], [2.0]], np.float32), np.array([256, 0])
    assert reduced(values, weights, SamplerReduction.MAX).tolist() == [1.0]


@pytest.mark.rule("TEX-REDUCE-1")
def test_reductions_order_zeros_and_pass_over_nan() -> None:
    """-0 is the least of zeros, NaN counts only alone."""
    values = np.array([[0.0], [-0.0], [np.nan], [3.0]], np.float32)
    everywhere, alone = np.full(4, 64), np.array([0, 0, 256, 0])
    least = reduced(values, everywhere, SamplerReduction.MIN)
    assert np.signbit(least).tolist() == [True]
    assert reduced(values, everywhere, SamplerReduction.MAX).tolist() == [3.0]
    assert np.isnan(reduced(values, alone, SamplerReduction.MAX)).all()


@pytest.mark.rule("TEX-FILTER-3")
def test_gathers_and_reductions_read_through_the_filter() -> None:
    """-64/127 and 512/1023 in the filter's numbers; a denormal is zero; a NaN the filter's own."""
    for name, codes, dtype, bits in (
        ("R8SN", [-64], "i1", np.float32(np.float32(-16512) / np.float32(32767)).view(np.uint32)),
        ("R32F", [1], "<u4", 0),
        ("R32F", [0x7F800001], "<u4", 0x7FFFFFFF),
        ("R16F", [0x7E00], "<u2", 0x7FFFE000),
    ):
        texture = image(name, codes, dtype=dtype)
        assert gather(texture, LINEAR, at((0.5, 0.5))).view(np.uint32)[0, 0] == bits
        least = sample(texture, replace(LINEAR, reduction=SamplerReduction.MIN), at((0.5, 0.5)))
        assert least.view(np.uint32)[0, 0] == bits


@pytest.mark.rule("TEX-GATHER-1")
def test_a_gather_runs_around_the_quad() -> None:
    """Texels in the order (0, 1), (1, 1), (1, 0), (0, 0); offsets move them; the mapping comes first."""
    texture = image("R8UI", [0, 1, 2, 3], [10, 11, 12, 13], [20, 21, 22, 23])
    place = at((0.5, 0.4))
    words = [
        gather(texture, LINEAR, place, offsets=offsets).view(np.uint32)[:, 0].tolist()
        for offsets in ((0, 0), (1, 1), ((0, 0), (1, 0), (0, 1), (-1, -1)))
    ]
    assert words == [[11, 12, 2, 1], [22, 23, 13, 12], [1, 2, 11, 0]]
    mapped = replace(texture, swizzle=(ONE, RED, ZERO, ZERO))
    assert gather(mapped, LINEAR, place, component=1).view(np.uint32)[:, 0].tolist() == [11, 12, 2, 1]
    with pytest.raises(FieldRangeError, match="0 to 3"):
        gather(texture, LINEAR, place, component=4)


@pytest.mark.rule("TEX-GATHER-2")
def test_a_gather_at_a_corner_reads_a_mean() -> None:
    """A cube of one colour reads that colour at its corners too."""
    faces = np.full((6, 2, 2, 1), 77, np.uint8)
    cube = SampledTexture(format_named("R8"), TextureTarget.TARGET_CUBEMAP, (faces,))
    found = gather(cube, LINEAR, at((1.0, 1.0, 1.0)))[:, 0]
    assert np.round(found * 255).tolist() == [77] * 4


@pytest.mark.rule("TEX-FETCH-1")
def test_fetches_outside_read_nothing() -> None:
    """Beyond the sides, the levels, the layers or the samples all channels are 0, alpha too."""
    texture = image("R8", [255, 255])
    places = [(-1, 0), (2, 0), (0, 1), (0, -1), (1, 0)]
    assert fetch(texture, np.array(places).T)[:, :4].tolist() == [[0.0] * 4] * 4
    assert fetch(texture, np.array(places).T)[:, 4].tolist() == [1, 0, 0, 1]
    assert fetch(texture, [[0], [0]], level=1).tolist() == [[0.0]] * 4
    assert fetch(texture, [[0], [0]], sample=1).tolist() == [[0.0]] * 4
    with pytest.raises(ShapeError, match="TARGET_2D takes texels of shape"):
        fetch(texture, [[0]])


def test_buffers_have_no_limit() -> None:
    """Element 39999 of a buffer texture is reached by its number."""
    codes = np.arange(40_000, dtype="<u4").view(np.uint8).reshape(1, 1, -1, 4)
    texture = SampledTexture(format_named("R32UI"), TextureTarget.TARGET_BUFFER, (codes,))
    found = fetch(texture, [[0, 16383, 16384, 39999, 40000]]).view(np.uint32)[0]
    assert found.tolist() == [0, 16383, 16384, 39999, 0]
    assert size_of(texture) == (40_000,)


@pytest.mark.rule("TEX-QUERY-1")
def test_queries_tell_both_levels() -> None:
    """The level that a sample takes, clamped to what is there, and beside it the biased one."""
    levels = tuple(np.zeros((1, side, side, 1), np.uint8) for side in (64, 32))
    texture = SampledTexture(format_named("R8"), TextureTarget.TARGET_2D, levels)
    gradients = Gradients(at((4 / 64, 0.0)), at((0.0, 4 / 64)))
    sampler = replace(LINEAR, min_filter=MinFilter.LINEAR_MIPMAP_LINEAR, lod_bias=0.5)
    assert query_lod(texture, sampler, at((0.5, 0.5)), gradients)[:, 0].tolist() == [1.0, 2.5]
    assert size_of(texture, 1) == (32, 32)
    assert size_of(texture, 2) == (0, 0)


@pytest.mark.parametrize(
    ("target", "count"),
    [
        pytest.param(TextureTarget.TARGET_1D, 1, id="line"),
        pytest.param(TextureTarget.TARGET_2D_ARRAY, 3, id="array"),
        pytest.param(TextureTarget.TARGET_CUBEMAP_ARRAY, 4, id="cubes"),
        pytest.param(TextureTarget.TARGET_3D, 3, id="volume"),
    ],
)
def test_a_target_takes_its_own_coordinates(target: TextureTarget, count: int) -> None:
    """One coordinate more or less is one clear error."""
    texture = SampledTexture(format_named("R8"), target, (np.full((12, 2, 2, 1), 51, np.uint8),))
    assert float(sample(texture, LINEAR, np.full((count, 1), 0.25))[0, 0]) == float(np.float32(0.2))
    with pytest.raises(ShapeError, match="takes coordinates of shape"):
        sample(texture, LINEAR, np.full((count + 1, 1), 0.25))


@pytest.mark.parametrize(
    ("fields", "complaint"),
    [
        pytest.param({"max_anisotropy": 17.0}, "allowed are 1 to 16", id="anisotropy"),
        pytest.param({"border": (0, 0, 0)}, "four words", id="border"),
        pytest.param({"wrap": (WrapMode.CLAMP,)}, "three WrapModes", id="wrap"),
        pytest.param({"min_filter": 3}, "allowed is a MinFilter", id="filter"),
    ],
)
def test_a_sampler_refuses_what_there_is_not(fields: dict[str, object], complaint: str) -> None:
    """Values of another type or range are one clear error."""
    with pytest.raises(ArgumentError, match=complaint):
        Sampler(**fields)  # type: ignore[arg-type]
