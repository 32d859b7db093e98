"""What the filter takes of texels, and what weighted texels give."""

import numpy as np
import pytest

from refnvn.errors import UnsupportedFormat
from refnvn.formats.codec import encode
from refnvn.formats.table import format_named
from refnvn.texture.block_float import float_result, quad_sum, rounded_result, sum_of_quads
from refnvn.texture.border import border_texels, integer_border
from refnvn.texture.integer_sums import depth24_result, integer_result, norm_result, snorm8_result
from refnvn.texture.special_values import with_specials
from refnvn.texture.texels import (
    NO_PLACE,
    Kind,
    Texels,
    filter_texels,
    float_places,
    shared_exponent_texels,
    srgb_texels,
    unorm16,
)


def texels_of(name: str, *codes: int) -> tuple[Texels, ...]:
    """Return the texels of a format's bytes."""
    return filter_texels(format_named(name), np.array(codes, np.uint8))


@pytest.mark.rule("TEX-TEXEL-1")
def test_unorm_codes_are_repeated_to_sixteen_bits() -> None:
    """Eight bits times 257, ten and two bits repeated, five bits through eight."""
    assert [int(unorm16(np.array(c), b)) for c, b in ((1, 8), (1, 16), (1, 10), (1, 2), (1, 1), (3, 5))] == [
        257, 1, 64, 21845, 65535, 24 * 257,
    ]  # fmt: skip
    (texels,) = texels_of("RGB10A2", 1, 0, 0, 0x40)
    assert (texels.kind, texels.numbers.tolist()) == (Kind.UNORM16, [64, 0, 0, 21845])


@pytest.mark.rule("TEX-TEXEL-2")
def test_floats_keep_four_bits_below_their_last() -> None:
    """A half of 1 has its last place at 2^-10, four bits more are kept; a float32 at 2^-23."""
    one = np.array([1.0, -1.9, 0.0, np.inf, np.nan])
    assert float_places(one, Kind.HALF).tolist() == [-14, -14, NO_PLACE, NO_PLACE, NO_PLACE]
    assert float_places(one, Kind.FLOAT32).tolist() == [-27, -27, NO_PLACE, NO_PLACE, NO_PLACE]
    (denormal,) = texels_of("R32F", 1, 0, 0, 0x80)
    assert np.signbit(denormal.numbers).tolist() == [True]
    assert denormal.numbers.tolist() == [0.0]


@pytest.mark.rule("TEX-TEXEL-3")
def test_shared_exponents_set_the_place() -> None:
    """Exponent 15 means mantissas of 2^-9, and five bits below are kept; zero mantissas too."""
    found = shared_exponent_texels(np.array([1, 0, 511, 15]))
    assert found.numbers.tolist() == [2.0**-9, 0.0, 511 * 2.0**-9]
    assert found.places is not None
    assert found.places.tolist() == [-14, -14, -14]


@pytest.mark.rule("TEX-TEXEL-4")
def test_srgb_colours_have_the_places_of_their_table() -> None:
    """The step doubles at 32, 48, 64, 96, 136, 184 and 248, and alpha is a group of its own."""
    found = srgb_texels(np.array([31, 32, 48, 64, 96, 136, 184, 248]), (0,))
    assert found.places is not None
    assert found.places.tolist() == [-14, -13, -12, -11, -10, -9, -8, -7]
    colour, alpha = texels_of("RGBA8_SRGB", 255, 0, 0, 128)
    assert (colour.numbers.tolist(), alpha.kind, alpha.numbers.tolist()) == ([1, 0, 0], Kind.UNORM16, [128 * 257])


def test_integers_are_not_filtered() -> None:
    """A format of integers has no texels for the filter."""
    with pytest.raises(UnsupportedFormat, match="cannot be filtered"):
        texels_of("R8UI", 1)


@pytest.mark.parametrize(
    ("name", "channels"),
    [
        pytest.param("BGRA8", (0, 1, 2, 3), id="bgra"),
        pytest.param("RG16F", (0, 1), id="two"),
        pytest.param("DEPTH24_STENCIL8", (0,), id="depth"),
        pytest.param("RGBX8", (0, 1, 2), id="padding"),
    ],
)
def test_channels_are_those_of_the_format(name: str, channels: tuple[int, ...]) -> None:
    """Numbers come in the order R, G, B, A; depth is red; padding is not there."""
    (texels,) = texels_of(name, *([0] * format_named(name).bytes_per_block))
    assert texels.channels == channels


@pytest.mark.rule("TEX-SUM-1")
def test_norm_sums_are_rounded_half_up() -> None:
    """128/256 of a code goes up; the lowest snorm reads -1."""
    assert float(norm_result(np.array(128), Kind.UNORM16)) == float(np.float32(1) / np.float32(65535))
    assert float(norm_result(np.array(127), Kind.UNORM16)) == 0.0
    assert float(norm_result(np.array(-32768 * 256), Kind.SNORM16)) == -1.0
    assert float(integer_result(Kind.UNORM16, np.array([[65535], [0]]), np.array([512, 512]), 1024)[0]) > 0.5


@pytest.mark.rule("TEX-SUM-2")
def test_snorm8_sums_keep_the_lowest_code() -> None:
    """Half of -128 and half of 127 is not half of -127 and 127; -64 alone gives -16512/32767."""
    assert float(snorm8_result(np.array(-64 * 256))) == float(np.float32(-16512) / np.float32(32767))
    assert float(snorm8_result(np.array(128 * (127 - 128)))) == float(np.float32(-129) / np.float32(32767))
    assert [float(snorm8_result(np.array(c * 256))) for c in (127, 0, -127, -128)] == [1.0, 0.0, -1.0, -1.0]


@pytest.mark.rule("TEX-SUM-3")
def test_depth_sums_are_cut() -> None:
    """A sum of more than 24 bits loses the rest: 2^24 - 1 with one part of nothing."""
    assert float(depth24_result(np.array(256 * 0xFFFFFF))) == 1.0
    cut = np.array(255 * 0xFFFFFF)
    assert float(depth24_result(cut)) == float(np.float32((255 * 0xFFFFFF & ~255) / (256 * 0xFFFFFF)))


@pytest.mark.rule("TEX-FLOAT-1")
def test_small_texels_are_cut_beside_large_ones() -> None:
    """2^-15 is below the last place of 1; without a weight the large one cuts nothing."""
    values, places = np.array([[1.0], [2.0**-15 * 3]]), np.array([[-14], [-28]])
    total, _ = quad_sum(values, places, np.array([128, 128]))
    assert float(total[0]) == 0.5 + 2.0**-15
    total, place = quad_sum(values, places, np.array([0, 256]))
    assert (float(total[0]), int(place[0])) == (3 * 2.0**-15, -28)


@pytest.mark.rule("TEX-FLOAT-2")
def test_quads_are_added_in_coarse_units() -> None:
    """Next to a quad of last place -14 the unit stands at -25 for halves, at -22 for sRGB and 32-bit floats."""
    totals, places = [np.array(1.0), np.array(2.0**-24)], [np.array(-14), np.array(-38)]
    assert float(sum_of_quads(totals, places, Kind.HALF)) == 1 + 2.0**-24
    assert float(sum_of_quads(totals, places, Kind.HALF, srgb=True)) == 1.0
    assert float(sum_of_quads([totals[0], -totals[1]], places, Kind.FLOAT32)) == 1 - 2.0**-22


@pytest.mark.rule("TEX-FLOAT-2")
def test_both_slices_of_a_level_are_added_at_once() -> None:
    """Two halves of a unit of 2^-10 make one if the second slice, whose unit it is, comes later; at once neither."""
    totals, places = [np.array(v) for v in (2.0**-11, 0.0, 2.0**-11, 1.0)], [np.array(v) for v in (-14, -14, -14, 0)]
    assert float(sum_of_quads(totals, places, Kind.FLOAT32)) == 1 + 2.0**-10
    assert float(sum_of_quads(totals, places, Kind.FLOAT32, at_once=2)) == 1


@pytest.mark.rule("TEX-FLOAT-3")
def test_results_are_rounded_away_from_zero() -> None:
    """Ties leave zero, what vanishes keeps its sign, halves keep denormals and 32-bit floats have none."""
    total = np.array([1 + 2.0**-11, -1 - 2.0**-11, 2.0**-25, -(2.0**-26)])
    assert rounded_result(total, Kind.HALF).tolist() == [1 + 2.0**-10, -1 - 2.0**-10, 2.0**-24, -0.0]
    assert np.signbit(rounded_result(total, Kind.HALF)).tolist() == [False, True, False, True]
    singles = rounded_result(np.array([1 + 2.0**-24, 2.0**-127, -(2.0**-127), 0.0]), Kind.FLOAT32)
    assert singles.tolist() == [1 + 2.0**-23, 0.0, -0.0, 0.0]
    assert np.signbit(singles).tolist() == [False, False, True, False]


def test_a_plain_mean_of_equal_texels_is_the_texel() -> None:
    """Four equal halves in two quads give the half again."""
    values = np.full((2, 4, 1, 1), 0.333251953125)
    weights = np.full((2, 4, 1), 32)
    assert float(float_result(Kind.HALF, values, float_places(values, Kind.HALF), weights)[0, 0]) == 0.333251953125


@pytest.mark.rule("TEX-SPECIAL-1")
def test_special_texels_override() -> None:
    """NaN and both infinities give one NaN, one infinity itself, minus zeros minus zero; absentees nothing."""

    def bits(kind: Kind, *values: float, part: tuple[bool, ...] = (True, True)) -> int:
        texels, nothing = np.array(values)[:, np.newaxis], np.zeros((1, 1), np.float32)
        result = with_specials(nothing, texels[..., np.newaxis], np.array(part)[:, np.newaxis], kind)
        return int(result.view(np.uint32)[0, 0])

    assert bits(Kind.HALF, 1.0, np.nan) == 0x7FFFE000
    assert bits(Kind.FLOAT32, 1.0, np.nan) == 0x7FFFFFFF
    assert bits(Kind.FLOAT32, np.inf, -np.inf) == 0x7FFFFFFF
    assert bits(Kind.HALF, 1.0, -np.inf) == 0xFF800000
    assert bits(Kind.HALF, -0.0, -0.0) == 0x80000000
    assert bits(Kind.HALF, -0.0, np.nan, part=(True, False)) == 0x80000000


@pytest.mark.rule("TEX-BORDER-1")
@pytest.mark.parametrize(
    ("name", "numbers"),
    [
        pytest.param("RGBA8", [127 * 257, 65535, 0, 0], id="eight-bits"),
        pytest.param("RGB565", [127 * 257, 65535, 0], id="five-bits-keep-eight"),
        pytest.param("RGB10A2", [32767, 65535, 0, 0], id="ten-bits-keep-sixteen"),
        pytest.param("RGBA8SN", [63, 127, -127, 0], id="snorm"),
        pytest.param("R11G11B10F", [0.5, 2.0, -1.0], id="small-floats-stay-signed"),
        pytest.param("RGBA32F", [0.5, 2.0, -1.0, 0.0], id="floats"),
        pytest.param("DEPTH16", [32767], id="depth"),
        pytest.param("RGTC1_UNORM", [32767], id="bc4"),
        pytest.param("RGBA_DXT5", [127 * 257, 65535, 0, 0], id="bc3"),
    ],
)
def test_a_border_is_converted_to_the_filter(name: str, numbers: list[float]) -> None:
    """0.5, 2, -1 and 0 as border texels."""
    (texels,) = border_texels(format_named(name), [0.5, 2.0, -1.0, 0.0])
    assert texels.numbers.tolist() == numbers


@pytest.mark.rule("TEX-BORDER-1")
def test_an_srgb_border_is_encoded_and_decoded() -> None:
    """The border of an sRGB format is the decoded code that its colour would store."""
    fmt, colour = format_named("RGBA8_SRGB"), [0.5, 2.0, 0.0, 0.25]
    ours, alpha = border_texels(fmt, colour)
    stored, _ = filter_texels(fmt, encode(fmt, colour))
    assert ours.numbers.tolist() == stored.numbers.tolist()
    assert alpha.numbers.tolist() == [64 * 257]


@pytest.mark.rule("TEX-BORDER-2")
def test_integer_borders_wrap() -> None:
    """Measured with 7, 300, 2^31 + 5 and 2^32 - 3: low bits stay, signed ones extended."""
    words = np.array([7, 300, 2**31 + 5, 2**32 - 3])
    assert integer_border(format_named("RGBA8UI"), words).tolist() == [7, 44, 5, 253]
    assert integer_border(format_named("R32UI"), words).tolist() == [7, 0, 0, 1]
    assert integer_border(format_named("RGBA8I"), words).tolist() == [7, 44, 5, 2**32 - 3]
