"""Quotients, roots and special functions, against measured values."""

import numpy as np
import pytest

from refnvn.shader.bits import EXACT_DIVISION, KEEP_DENORMALS
from refnvn.shader.interpolation_unit import coefficients, short_square
from tests.shader.words import apply, apply_all, bits

NAN = 0x7FFFFFFF
INPUTS = (0, 0x80000000, 0x7F800000, 0xFF800000, 0x7FC00000, 0x3F800000, 0x40000000, 0x40400000, 0xBF800000, 1,
          0x80000001, 0x00800000, 0x7F7FFFFF, 0x3F000000, 0x40490FDB)  # fmt: skip
INFINITY, MINUS_ZERO = 0x7F800000, 0x80000000

MEASURED = {
    "float.rcp": (INFINITY, 0xFF800000, 0, MINUS_ZERO, NAN, 0x3F800000, 0x3F000000, 0x3EAAAAAB, 0xBF800000, INFINITY,
                  0xFF800000, 0x7E800000, 0, 0x40000000, 0x3EA2F983),
    "float.inverse_sqrt": (INFINITY, 0xFF800000, 0, NAN, NAN, 0x3F800000, 0x3F3504F2, 0x3F13CD3A, NAN, INFINITY,
                           0xFF800000, 0x5F000000, 0x1F800000, 0x3FB504F2, 0x3F106EBA),
    "float.sqrt": (0, MINUS_ZERO, INFINITY, NAN, NAN, 0x3F800000, 0x3FB504F3, 0x3FDDB3D7, NAN, 0, MINUS_ZERO,
                   0x20000000, 0x5F7FFFFF, 0x3F3504F3, 0x3FE2DFC5),
    "float.exp2": (0x3F800000, 0x3F800000, INFINITY, 0, NAN, 0x40000000, 0x40800000, 0x41000000, 0x3F000000,
                   0x3F800000, 0x3F800000, 0x3F800000, INFINITY, 0x3FB504F3, 0x410D331D),
    "float.log2": (0xFF800000, 0xFF800000, INFINITY, NAN, NAN, 0, 0x3F800000, 0x3FCAE00D, NAN, 0xFF800000,
                   0xFF800000, 0xC2FBFFFF, 0x42FFFFFF, 0xBF7FFFFE, 0x3FD3643A),
    "float.sin": (0, MINUS_ZERO, NAN, NAN, NAN, 0x3F576AA3, 0x3F68C7B6, 0x3E1081BF, 0xBF576AA3, 0, MINUS_ZERO, 0, 0,
                  0x3EF57740, 0),
    "float.cos": (0x3F800000, 0x3F800000, NAN, NAN, NAN, 0x3F0A5141, 0xBED51130, 0xBF7D7025, 0x3F0A5141, 0x3F800000,
                  0x3F800000, 0x3F800000, 0x3F800000, 0x3F60A940, 0xBF800000),
}  # fmt: skip


@pytest.mark.rule("SHADER-RCP-1")
@pytest.mark.rule("SHADER-RSQ-1")
@pytest.mark.rule("SHADER-SQRT-1")
@pytest.mark.rule("SHADER-EXP2-1")
@pytest.mark.rule("SHADER-LOG2-1")
@pytest.mark.rule("SHADER-SIN-1")
@pytest.mark.parametrize("name", MEASURED)
def test_special_functions_are_as_measured(name: str) -> None:
    """Zeros, infinities, NaN, denormals, powers of two and a few others give what the chip gave."""
    words = np.array(INPUTS, dtype=np.uint32)
    found = apply_all(name, words)
    assert [hex(w) for w in found] == [hex(w) for w in MEASURED[name]]


@pytest.mark.rule("SHADER-DIV-1")
@pytest.mark.rule("SHADER-POW-1")
@pytest.mark.parametrize(
    ("x", "y", "quotient", "power"),
    [
        pytest.param(0x3F99CD21, 0x3FB0A709, 0x3F5EE279, 0x3FA4EB77, id="both-positive"),
        pytest.param(0x40A1A5B4, 0xC0466114, 0xBFD09958, 0x3BD84FF6, id="negative-divisor"),
        pytest.param(0x4070E3AB, 0xBE8E3BDB, 0xC158C861, 0x3F3124FC, id="large-quotient"),
        pytest.param(0x804AC7C5, 0x00A4E622, MINUS_ZERO, 0, id="denormal-dividend"),
        pytest.param(0x006B62B0, 0x80A2C792, MINUS_ZERO, INFINITY, id="denormal-base"),
    ],
)
def test_quotients_and_powers_are_as_measured(x: int, y: int, quotient: int, power: int) -> None:
    """A quotient is the dividend times the reciprocal; a power of x is exp2 of a product with log2 of x."""
    assert apply("float.div", x, y) == quotient
    assert apply("float.pow", x, y) == power


@pytest.mark.rule("SHADER-DIV-1")
def test_a_number_by_itself_may_fall_short_of_one() -> None:
    """255 / 255 is 0.99999994, and a huge number by itself is 0."""
    assert apply("float.div", 0x437F0000, 0x437F0000) == 0x3F7FFFFF
    assert apply("float.div", 0x7F7FFFFF, 0x7F7FFFFF) == 0
    assert apply("float.div", 0x437F0000, 0x437F0000, mode=EXACT_DIVISION) == 0x3F800000


@pytest.mark.rule("SHADER-POW-1")
def test_powers_that_are_nan() -> None:
    """A negative base, 0^0, infinity^0 and 1^infinity are NaN; exp and log are made of exp2 and log2."""
    cases = ((0xC0000000, 0x40000000), (0, 0), (INFINITY, 0), (0x3F800000, INFINITY))
    assert [apply("float.pow", x, y) for x, y in cases] == [NAN] * 4
    assert apply("float.pow", 0x40200000, 0x3F800000) == 0x40200001
    assert apply("float.exp", 0) == 0x3F800000
    assert apply("float.log", 0x3F800000) == 0


@pytest.mark.rule("SHADER-UNIT-1")
def test_the_short_square_drops_low_partial_products() -> None:
    """Adding bit by bit only the partial products above a column gives the same."""
    x = np.array([0, 1, 0x1FFFF, 0x15555, 0x0AAAA, 0x10001, 54321], dtype=np.int64)
    for dropped in (16, 18):
        expected = [
            sum(
                1 << (2 * i if i == j else i + j + 1)
                for i in range(17)
                for j in range(i, 17)
                if v >> i & 1 and v >> j & 1 and (2 * i if i == j else i + j + 1) > dropped
            )
            for v in x.tolist()
        ]
        assert short_square(x, dropped).tolist() == expected


@pytest.mark.rule("SHADER-UNIT-1")
@pytest.mark.parametrize(
    ("function", "segments"),
    [("reciprocal", 128), ("inverse_sqrt", 128), ("sqrt", 128), ("exp2", 64), ("log2", 64), ("sin", 64)],
)
def test_coefficients_have_the_widths_of_the_unit(function: str, segments: int) -> None:
    """C0 fits 27 bits, C1 and C2 fit 16 and 11 bits with their own steps, and there is a row for each segment."""
    table = coefficients(function)
    assert table.shape == (segments, 3)
    step_1 = np.gcd.reduce(table[:, 1])
    step_2 = np.gcd.reduce(table[:, 2])
    assert np.abs(table[:, 0]).max() <= 1 << 26
    assert np.abs(table[:, 1] // step_1).max() < 1 << 17
    assert np.abs(table[:, 2] // step_2).max() < 1 << 11


def test_the_last_place_is_not_always_the_nearest() -> None:
    """Over an octave the reciprocal is the nearest float in 86.8 % of cases, the others are 1 ULP off."""
    mantissas = np.arange(0, 1 << 23, 37, dtype=np.uint32) | np.uint32(0x3F800000)
    found = apply_all("float.rcp", mantissas).astype(np.int64)
    nearest = (np.float32(1) / mantissas.view(np.float32)).view(np.uint32).astype(np.int64)
    assert np.abs(found - nearest).max() == 1
    assert round(float((found == nearest).mean()), 3) == 0.868


def test_kept_denormals_reach_the_special_functions() -> None:
    """With the other setting log2 of a denormal is finite, exp2 may be denormal, 1 / 2^127 too."""
    assert apply("float.log2", 1, mode=KEEP_DENORMALS) == bits(-149.0)[0] - 1
    assert apply("float.exp2", bits(-140.0)[0], mode=KEEP_DENORMALS) == 1 << 9
    assert apply("float.rcp", 0x7F000000, mode=KEEP_DENORMALS) == 1 << 22


def test_sine_and_cosine_keep_their_symmetries() -> None:
    """The sine is odd and the cosine even, to the bit; huge angles are 0 turns."""
    words = bits(*np.linspace(0.0, 50.0, 1001))
    mirrored = words ^ np.uint32(0x80000000)
    assert (apply_all("float.sin", words) ^ np.uint32(0x80000000) == apply_all("float.sin", mirrored)).all()
    assert (apply_all("float.cos", words) == apply_all("float.cos", mirrored)).all()
    assert apply("float.sin", 0x7F7FFFFF) == 0
    assert apply("float.cos", 0x7F7FFFFF) == 0x3F800000
