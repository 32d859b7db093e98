"""Replayed blends, logic operations and alpha tests."""

from typing import Any

import numpy as np
import pytest

from refnvn.commands import commands as c
from refnvn.commands.state import BlendState, ChannelMaskState, ColorState
from refnvn.enumerations import AlphaFunc, BlendAdvancedMode, BlendFunc, LogicOp, WindowOriginMode
from refnvn.raster.blend import BlendTargetState
from refnvn.replay.draw_state import blends_of
from refnvn.replay.state import initial_state
from tests.replay.scenes import bits, clear, color, ref, run, targets, texels, texture
from tests.replay.shaders import PROGRAMS, WHOLE, draw, set_up, vertices

IMAGE = texture("RGBA8", 4, 4)
"""What is drawn to."""
ADD = BlendState(destination_color=BlendFunc.ONE, destination_alpha=BlendFunc.ONE)


def drawn(*commands: Any, grey: float = 0.25) -> list[int]:
    """Clear to a grey with alpha 0.25, draw white over all of it, and return one texel."""
    event, blobs = vertices(WHOLE)
    begin = [targets(ref()), clear(color(grey, grey, grey, 0.25)), *set_up(4, 4), *commands, draw()]
    found = texels(run([IMAGE], [event, begin], blobs, programs=PROGRAMS), IMAGE)[0]
    assert (found == found[0, 0]).all()
    texel: list[int] = found[0, 0].tolist()
    return texel


@pytest.mark.rule("REPLAY-BLEND-1")
def test_a_target_blends_where_it_is_enabled() -> None:
    """Bit 0 of the colour state decides; the default blend is a plain store; a state names its target."""
    state = initial_state(WindowOriginMode.LOWER_LEFT)
    assert blends_of(state) == (None,) * 8
    state.color = ColorState(blend_enables=0b101)
    state.blends[2] = ADD
    expected = BlendTargetState(destination_color=BlendFunc.ONE, destination_alpha=BlendFunc.ONE)
    assert blends_of(state) == (BlendTargetState(), None, expected, None, None, None, None, None)


def test_the_constant_scales_white_in_memory() -> None:
    """White times a constant over what is there, in every channel that the mask lets through."""
    scaled = BlendState(
        source_color=BlendFunc.CONSTANT_COLOR, destination_color=BlendFunc.ONE, source_alpha=BlendFunc.CONSTANT_ALPHA
    )
    state = [c.BindColorState(state=ColorState(blend_enables=1)), c.BindBlendState(state=scaled)]
    constant = c.SetBlendColor(color_bits=color(0.2, 0.4, 0.6, 0.8))
    assert drawn(*state, constant, grey=0.2) == [102, 153, 204, 204]
    masked = c.BindChannelMaskState(state=ChannelMaskState(masks=(2,) * 8))
    assert drawn(*state, constant, masked, grey=0.2) == [51, 153, 51, 64]
    assert drawn(*state, grey=0.2) == [51, 51, 51, 0]
    assert drawn(c.BindBlendState(state=scaled), constant) == [255, 255, 255, 255]


def test_an_advanced_mode_takes_the_place_of_factors() -> None:
    """EXCLUSION of white inverts, whatever the factors say."""
    mode = BlendState(advanced_mode=BlendAdvancedMode.EXCLUSION, destination_color=BlendFunc.ONE)
    state = [c.BindColorState(state=ColorState(blend_enables=1)), c.BindBlendState(state=mode)]
    assert drawn(*state) == [191, 191, 191, 255]


def test_a_logic_operation_combines_codes() -> None:
    """XOR with white inverts all bits; COPY is none."""
    assert drawn(c.BindColorState(state=ColorState(logic_op=LogicOp.XOR))) == [191, 191, 191, 191]
    assert drawn(c.BindColorState(state=ColorState(logic_op=LogicOp.COPY))) == [255, 255, 255, 255]


@pytest.mark.parametrize(("reference", "passes"), [(0.5, True), (1.0, False), (float("nan"), True)])
def test_the_alpha_test_has_its_reference(reference: float, passes: bool) -> None:
    """White has alpha 1: GREATER passes against less; NaN is 0 on an 8-bit target."""
    state = [c.BindColorState(state=ColorState(alpha_test=AlphaFunc.GREATER))]
    expected = [255, 255, 255, 255] if passes else [64, 64, 64, 64]
    assert drawn(*state, c.SetAlphaRef(reference_bits=bits(reference))) == expected


def test_state_stays_until_it_is_bound_again() -> None:
    """A second command buffer of the queue still blends with the same constant."""
    event, blobs = vertices(WHOLE)
    first = [
        targets(ref()),
        clear(color(0, 0, 0, 0)),
        *set_up(4, 4),
        c.BindColorState(state=ColorState(blend_enables=1)),
        c.BindBlendState(state=BlendState(source_color=BlendFunc.CONSTANT_COLOR, destination_color=BlendFunc.ONE)),
        c.SetBlendColor(color_bits=color(0.2, 0.2, 0.2, 0)),
        draw(),
    ]
    found = texels(run([IMAGE], [event, first, [draw()], [draw()]], blobs, programs=PROGRAMS), IMAGE)
    assert np.array_equal(found[0, 0, 0], [153, 153, 153, 255])
