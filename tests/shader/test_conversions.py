"""Conversions between float, integer, half and boolean in shaders."""

import numpy as np
import pytest

from tests.shader.words import apply, apply_all, bits


@pytest.mark.rule("SHADER-TOINT-1")
@pytest.mark.parametrize(
    ("word", "as_int", "as_uint"),
    [
        pytest.param(0x7F800000, 0x7FFFFFFF, 0xFFFFFFFF, id="infinity"),
        pytest.param(0x7F800001, 0, 0, id="nan"),
        pytest.param(0xFF7FFFFF, 0x80000000, 0, id="most-negative"),
        pytest.param(0x477FF000, 0xFFF0, 0xFFF0, id="whole"),
        pytest.param(0xBF000000, 0, 0, id="minus-a-half"),
        pytest.param(0x007FFFFF, 0, 0, id="denormal"),
        pytest.param(0xC0200000, 0xFFFFFFFE, 0, id="cut-towards-zero"),
        pytest.param(0x4F000000, 0x7FFFFFFF, 0x80000000, id="two-to-the-31"),
    ],
)
def test_floats_saturate_to_integers(word: int, as_int: int, as_uint: int) -> None:
    """Out of range becomes the nearest end, NaN becomes 0."""
    assert apply("int.from_float", word) == as_int
    assert apply("uint.from_float", word) == as_uint


@pytest.mark.rule("SHADER-FROMINT-1")
def test_integers_become_the_nearest_float() -> None:
    """2^24 + 1 is a tie and goes to the even neighbour."""
    assert apply("float.from_uint", 16777217) == bits(16777216.0)[0]
    assert apply("float.from_uint", 16777219) == bits(16777220.0)[0]
    assert apply("float.from_uint", 0xFFFFFFFF) == 0x4F800000
    assert apply("float.from_int", 0xFFFFFFFF) == 0xBF800000
    assert apply("float.from_int", 0x80000000) == 0xCF000000


@pytest.mark.rule("SHADER-HALF-1")
@pytest.mark.parametrize(
    ("word", "half"),
    [
        pytest.param(0x3F800000, 0x3C00, id="one"),
        pytest.param(0x477FEFFF, 0x7BFF, id="just-below-the-tie-at-the-top"),
        pytest.param(0x477FF000, 0x7C00, id="tie-at-the-top-is-infinity"),
        pytest.param(0x7FC00000, 0x7FFF, id="nan"),
        pytest.param(0xFFFFFFFF, 0x7FFF, id="negative-nan"),
        pytest.param(0x33000000, 0x0000, id="tie-below-the-least-goes-to-zero"),
        pytest.param(0x33000001, 0x0001, id="above-that-tie"),
        pytest.param(0xB3C00000, 0x8002, id="tie-goes-to-even"),
        pytest.param(0xFF800000, 0xFC00, id="minus-infinity"),
    ],
)
def test_halves_are_rounded_to_nearest_even(word: int, half: int) -> None:
    """What a shader packs is rounded, unlike what a colour target stores."""
    assert apply("half.from_float", word) == half


@pytest.mark.rule("SHADER-HALF-1")
def test_every_half_unpacks_to_its_value() -> None:
    """All 65536 halves: numbers exactly, every NaN the one NaN."""
    halves = np.arange(1 << 16, dtype=np.uint32)
    expected = halves.astype(np.uint16).view(np.float16).astype(np.float32).view(np.uint32)
    nan = (halves & 0x7FFF) > 0x7C00
    assert (apply_all("float.from_half", halves) == np.where(nan, np.uint32(0x7FFFFFFF), expected)).all()


@pytest.mark.rule("SHADER-MOVE-1")
@pytest.mark.parametrize("word", [0x7FA5A5A5, 0xFFC00001, 0x80000001, 0x007FFFFF])
def test_moves_and_selections_keep_every_bit(word: int) -> None:
    """Payloads and denormals pass."""
    assert apply("word.move", word) == word
    assert apply("word.select", True, word, 0) == word
    assert apply("word.select", False, 0, word) == word
    assert apply("bool.select", False, True, False) is False
    assert (apply("word.from_bool", True), apply("word.from_bool", False)) == (1, 0)
    assert apply("bool.move", True) is True
