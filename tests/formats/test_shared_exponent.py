"""RGB9E5."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from refnvn.formats.codec import decode, encode
from refnvn.formats.shared_exponent import decode_shared_exponent, encode_shared_exponent
from refnvn.formats.table import format_named

RGB9E5F = format_named("RGB9E5F")


@pytest.mark.rule("FMT-SHAREDEXP-2")
def test_shared_exponent_reads_as_measured() -> None:
    """Three measured texels."""
    texels = np.array([0xFE9891DE, 0xA76E94BE, 0xA94DBBA3], dtype="<u4").view(np.uint8).reshape(3, 4)
    assert decode(RGB9E5F, texels).view(np.uint32).tolist() == [
        [0x476F0000, 0x46100000, 0x47530000, 0x3F800000],
        [0x413E0000, 0x41A50000, 0x41ED8000, 0x3F800000],
        [0x42518000, 0x41DD0000, 0x41260000, 0x3F800000],
    ]


@pytest.mark.rule("FMT-SHAREDEXP-1")
@pytest.mark.parametrize(
    ("rgb", "codes"),
    [
        pytest.param([0.0, 0.0, 0.0], [0, 0, 0, 0], id="black"),
        pytest.param([1.0, 0.5, 0.25], [256, 128, 64, 16], id="powers"),
        pytest.param([65408.0, 1e9, float("inf")], [511, 511, 511, 31], id="clamped"),
        pytest.param([float("nan"), -1.0, 1.0], [0, 0, 256, 16], id="nan-and-negative"),
        pytest.param([1.9999, 0.0, 0.0], [256, 0, 0, 17], id="mantissa-overflows"),
        pytest.param([2.0**-24, 0.0, 0.0], [1, 0, 0, 0], id="smallest"),
    ],
)
def test_shared_exponent_encodes_by_the_specification(rgb: list[float], codes: list[int]) -> None:
    """Worked by hand from the extension's formulas."""
    assert encode_shared_exponent(np.array(rgb, dtype=np.float32)).tolist() == codes


@given(st.lists(st.integers(0, 511), min_size=3, max_size=3), st.integers(0, 31))
def test_shared_exponent_values_survive_a_round_trip(mantissas: list[int], exponent: int) -> None:
    """What a texel reads as is stored as the same values, though perhaps with another exponent."""
    values = decode_shared_exponent(np.array([*mantissas, exponent]))
    again = encode(RGB9E5F, np.array([*values, 1.0], dtype=np.float32))
    assert decode(RGB9E5F, again)[:3].tolist() == values.tolist()
