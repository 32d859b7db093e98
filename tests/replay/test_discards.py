"""What is discarded is undefined until it is written anew."""

from __future__ import annotations

import numpy as np
import pytest

from goldens.drawing import draw_rectangle, set_up_drawing
from refnvn.commands import commands as c
from refnvn.compare.judge import judge
from refnvn.golden.build import build
from refnvn.golden.case import GoldenCase
from refnvn.golden.model import Golden, Reason
from refnvn.golden.scene import SceneFunction
from refnvn.nvn.device import Device

RED, GREEN = (1.0, 0.0, 0.0, 1.0), (0.0, 1.0, 0.0, 1.0)


def discards(device: Device) -> None:
    """Clear colour and depth, discard both, and draw the left half of the colour anew."""
    target, kept = device.texture("RGBA8", 8, 8), device.texture("RGBA8", 8, 8)
    depth = device.texture("DEPTH32F", 8, 8)
    commands = device.command_buffer()
    set_up_drawing(device, commands, 8, 8)
    commands.set_render_targets([target, None, kept], depth_stencil=depth)
    for slot in (0, 1, 2):
        commands.clear_color(slot, RED)
    commands.clear_depth_stencil(0.5, True)
    commands.discard_color(0)
    commands.discard_color(1)
    commands.discard_depth_stencil()
    commands.set_render_targets([target])
    draw_rectangle(device, commands, (-1.0, -1.0, 0.0, 1.0), GREEN)
    device.queue().submit(commands)
    for name, one in (("target", target), ("kept", kept), ("depth", depth)):
        one.read_texels(name)


@pytest.fixture(scope="module")
def golden() -> Golden:
    """Return the golden of that scene."""
    return build(
        GoldenCase(
            name="made_up/discards", t_test="t_x", says="Discards.", function=SceneFunction(discards, "discards")
        )
    )


@pytest.mark.rule("DISCARD-TARGET-1")
def test_of_what_is_discarded_nothing_is_claimed(golden: Golden) -> None:
    """The half that is drawn anew is green, the other half anything, so is depth; another target stays red."""
    target, kept, depth = golden.results
    assert not target.mask[:, :4].any()
    assert (target.base.array[:, :4] == [0, 255, 0, 255]).all()
    assert ((target.mask[:, 4:] & Reason.UNDEFINED) != 0).all()
    assert not kept.mask.any()
    assert ((depth.mask & Reason.UNDEFINED) != 0).all()
    content = target.base.array.copy()
    content[:, 4:] = np.arange(128, dtype=np.uint8).reshape(8, 4, 4)
    assert judge(golden, {"target": content.tobytes()}).outcome == "permitted"
    content[0, 0, 0] = 1
    assert judge(golden, {"target": content.tobytes()}).outcome == "wrong"


def test_discards_are_recorded() -> None:
    """With the slot; a slot beyond eight is refused."""
    device = Device()
    commands = device.command_buffer()
    commands.discard_color(3)
    commands.discard_depth_stencil()
    device.queue().submit(commands)
    (recorded,) = device.trace().recording.command_buffers
    assert recorded == (c.DiscardColor(index=3), c.DiscardDepthStencil())
