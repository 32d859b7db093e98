"""What stands in for texels outside: measured on five texels."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from refnvn.enumerations import WrapMode
from refnvn.texture.wrap import BORDER, clamped, clamped_coordinate, is_clamped, mirrored_once, repeated, wrapped

MODES = list(WrapMode)


@pytest.mark.rule("TEX-WRAP-1")
def test_repeating_and_mirroring() -> None:
    """Mirrors show each end twice: a coordinate at -k/size reads texel k - 1."""
    texels = np.arange(-6, 11)
    assert repeated(texels, 5, mirrored=False).tolist() == [4, 0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 0]
    assert repeated(texels, 5, mirrored=True).tolist() == [4, 4, 3, 2, 1, 0, 0, 1, 2, 3, 4, 4, 3, 2, 1, 0, 0]


@pytest.mark.rule("TEX-WRAP-2")
def test_mirroring_once() -> None:
    """Only texels below zero are mirrored."""
    assert mirrored_once(np.array([-6, -1, 0, 7])).tolist() == [5, 0, 0, 7]


@pytest.mark.rule("TEX-WRAP-3")
def test_the_gl_clamps_differ_between_filters() -> None:
    """The nearest filter clamps to the edge; the linear one clamps the coordinate: the border weighs at most half."""
    for mode in (WrapMode.CLAMP, WrapMode.MIRROR_CLAMP):
        assert int(wrapped(np.array(5), 5, mode, linear=False)) == 4
        assert int(wrapped(np.array(5), 5, mode, linear=True)) == BORDER
    assert [float(clamped_coordinate(u, WrapMode.CLAMP)) for u in (-3, 0.4, 7)] == [0, np.float64(0.4), 1]
    assert [float(clamped_coordinate(u, WrapMode.MIRROR_CLAMP)) for u in (-3, -0.5, 7)] == [-1, -0.5, 1]
    assert float(clamped_coordinate(-3, WrapMode.CLAMP_TO_EDGE)) == -3


@pytest.mark.rule("TEX-WRAP-4")
def test_clamping() -> None:
    """To the edge the first or last texel, to the border none."""
    assert clamped(np.array([-1, 2, 9]), 5, to_border=False).tolist() == [0, 2, 4]
    assert clamped(np.array([-1, 2, 9]), 5, to_border=True).tolist() == [BORDER, 2, BORDER]


@pytest.mark.rule("TEX-WRAP-5")
@pytest.mark.parametrize(
    ("mode", "expected"),
    [
        pytest.param(WrapMode.CLAMP_TO_EDGE, [True, True, False, True], id="edge"),
        pytest.param(WrapMode.CLAMP_TO_BORDER, [True, False, False, False], id="border"),
        pytest.param(WrapMode.MIRROR_CLAMP_TO_EDGE, [False, False, False, True], id="mirror-then-edge"),
        pytest.param(WrapMode.MIRRORED_REPEAT, [False] * 4, id="mirror"),
    ],
)
def test_only_clamping_takes_the_fraction_away(mode: WrapMode, expected: list[bool]) -> None:
    """Texels -2, -1, 1 and 3 of 4, each with the next one: measured over two levels with shares below 256."""
    texel = np.array([-2, -1, 1, 3])
    both = wrapped(np.stack([texel, texel + 1]), 4, mode, linear=True)
    assert is_clamped(texel, both, mode).tolist() == expected


@given(st.integers(-(2**40), 2**40), st.integers(1, 32768), st.sampled_from(MODES), st.booleans())
def test_every_mode_ends_inside_or_on_the_border(texel: int, size_px: int, mode: WrapMode, linear: bool) -> None:
    """Whatever the texel, what comes out exists; texels inside stay where they are."""
    found = int(wrapped(np.array(texel), size_px, mode, linear=linear))
    assert found == BORDER or 0 <= found < size_px
    if 0 <= texel < size_px:
        assert found == texel
