"""Resolves: what one texel becomes of the samples of a pixel."""

import numpy as np
import pytest

from refnvn.errors import ShapeError, UnsupportedFormat
from refnvn.formats.codec import encode
from refnvn.formats.table import format_named
from refnvn.raster import resolve
from refnvn.raster.resolve import mixed_values, resolved


def one_pixel(name: str, *values: float) -> np.ndarray:
    """Return the codes of one pixel whose samples have these values in all channels."""
    fmt = format_named(name)
    return np.stack([encode(fmt, np.full((1, 1, 4), value, np.float32)) for value in values])


def resolved_of(name: str, *values: float) -> np.ndarray:
    """Return the bytes of one resolved pixel."""
    fmt = format_named(name)
    return resolved(fmt, one_pixel(name, *values), fmt)[0, 0]


@pytest.mark.rule("RESOLVE-MEAN-1")
def test_unorm_codes_are_mixed_in_16_bits() -> None:
    """Half of 0 and 255 is 0.5000076, which is stored as 127 like 0.5; 16 bits round halves up."""
    assert resolved_of("RGBA8", 0, 0, 1, 1).tolist() == [127] * 4
    assert resolved_of("R16", 0, 1).view("<u2").tolist() == [32768]


@pytest.mark.rule("RESOLVE-MEAN-1")
def test_srgb_is_mixed_decoded() -> None:
    """Half of black and white is 188 in colour, and 127 in alpha."""
    assert resolved_of("RGBA8_SRGB", 0, 1).tolist() == [188, 188, 188, 127]


@pytest.mark.rule("RESOLVE-MEAN-1")
def test_halves_lose_what_is_far_below_the_largest() -> None:
    """Of 4 samples 1 and three times 2^-15 the small ones are cut off; of eight the two quads are cut apart."""
    small = 2.0**-15
    assert resolved_of("R16F", 1, small, small, small).view("<f2").tolist() == [0.25]
    assert resolved_of("R16F", 0, 0, 0, 0, 0, 0, 0, 8 * small).view("<f2").tolist() == [small]


@pytest.mark.rule("RESOLVE-MEAN-2")
def test_sixteen_samples_are_mixed_by_quarters() -> None:
    """Four of 2^24 in the upper right, one in the lower right: 2^22, and the last quarter's 1/16 is lost in it."""
    samples = np.zeros(16, np.float32)
    samples[[3, 7, 9, 13]] = 2.0**24
    samples[0] = 1.0
    assert resolved_of("R32F", *samples).view("<f4").tolist() == [2.0**22]
    assert resolved_of("R32F", *([1.0] * 16)).view("<f4").tolist() == [1.0]
    assert resolved_of("R8", *([0.0] * 8), *([1.0] * 8)).tolist() == [127]
    words = np.arange(7, 23, dtype="<u4").view(np.uint8).reshape(16, 1, 1, 4)
    assert resolved(format_named("R32UI"), words, format_named("R32UI")).view("<u4").tolist() == [[[7]]]
    assert resolved(format_named("DEPTH32F"), words, format_named("DEPTH32F")).view("<u4").tolist() == [[[8]]]


@pytest.mark.parametrize("name", ["RGBA8", "R8", "RG8", "RGBX8", "BGRA8"])
@pytest.mark.parametrize("samples", [2, 4, 8])
def test_sums_and_loops_are_short_cuts(monkeypatch: pytest.MonkeyPatch, name: str, samples: int) -> None:
    """Plain bytes give the same by the filter, by the table of sums and by the compiled loop."""
    fmt = format_named(name)
    rng = np.random.default_rng(samples)
    stored = rng.integers(0, 256, (samples, 9, 7, fmt.bytes_per_block)).astype(np.uint8)
    by_filter = encode(fmt, mixed_values(fmt, stored))
    for answer in (False, True):
        monkeypatch.setattr(resolve, "wants_kernel", lambda _pixels, said=answer: said)
        assert resolved(fmt, stored, fmt).tolist() == by_filter.tolist()


def test_what_cannot_be_resolved_is_said() -> None:
    """One sample, samples of two shapes, integers or depth to another format."""
    fmt, whole = format_named("RGBA8"), format_named("RGBA8UI")
    codes = np.zeros((4, 2, 2, 4), np.uint8)
    for wrong in (codes[:1], [codes[0], codes[1][:1]]):
        with pytest.raises(ShapeError, match="one shape"):
            resolved(fmt, wrong, fmt)
    for source, target in ((whole, fmt), (fmt, whole), (fmt, format_named("DEPTH32F"))):
        with pytest.raises(UnsupportedFormat, match="cannot be resolved"):
            resolved(source, codes, target)
