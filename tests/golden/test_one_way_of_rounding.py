"""A port rounds one way: one that clears by one rule and draws by another is not excused by slack."""

from __future__ import annotations

import numpy as np
import pytest

from goldens.drawing import draw_rectangle, set_up_drawing
from refnvn.compare.judge import judge
from refnvn.golden.build import build
from refnvn.golden.case import GoldenCase
from refnvn.golden.model import Golden, Reason
from refnvn.golden.scene import SceneFunction
from refnvn.nvn.device import Device

NVIDIA, NEAREST = 127, 128
"""What 0.5 is stored as: truncated to 12 bits and rounded half down, or rounded to nearest even."""
SIZE_PX = 8


def half_and_half(device: Device) -> None:
    """Clear to 0.5 and draw 0.5 over the right half of one target; clear one more, and draw all of a third."""
    commands = device.command_buffer()
    targets = {name: device.texture("RGBA8", SIZE_PX, SIZE_PX) for name in ("both", "cleared", "drawn")}
    set_up_drawing(device, commands, SIZE_PX, SIZE_PX)
    for name, left in (("both", 0.0), ("cleared", None), ("drawn", -1.0)):
        commands.set_render_targets([targets[name]])
        commands.clear_color(0, (0.5,) * 4)
        if left is not None:
            draw_rectangle(device, commands, (left, -1.0, 1.0, 1.0), (0.5,) * 4)
    device.queue().submit(commands)
    for name, target in targets.items():
        target.read_texels(name)


@pytest.fixture(scope="module")
def golden() -> Golden:
    """Return the golden, with all slack."""
    function = SceneFunction(half_and_half, "half_and_half")
    return build(GoldenCase(name="made_up/halves", t_test="t_x", says="Halves.", function=function))


def result(left: int, right: int) -> bytes:
    """Return a target whose halves hold two codes."""
    codes = np.full((SIZE_PX, SIZE_PX, 4), left, np.uint8)
    codes[:, SIZE_PX // 2 :] = right
    return codes.tobytes()


def test_the_choice_is_one_of_the_whole_golden(golden: Golden) -> None:
    """Every element of all targets is imprecise by one choice of scope run."""
    (choice,) = (one for one in golden.choices if one.field == "store_norm")
    assert choice.scope == "run"
    for one in golden.results:
        assert (one.base.array == NVIDIA).all()
        assert (one.mask == Reason.IMPRECISE).all()


@pytest.mark.parametrize(
    ("left", "right", "outcome"),
    [
        (NVIDIA, NVIDIA, "same"),
        (NEAREST, NEAREST, "permitted"),
        (NEAREST, NVIDIA, "wrong"),
        (NVIDIA, NEAREST, "wrong"),
        (NEAREST, NEAREST + 1, "wrong"),
    ],
)
def test_a_clear_and_a_draw_of_one_target_round_alike(golden: Golden, left: int, right: int, outcome: str) -> None:
    """Within one result: half of the elements cannot choose otherwise than the other half."""
    verdict = judge(golden, {"both": result(left, right)})
    assert verdict.outcome == outcome
    if outcome == "wrong":
        assert verdict.results[0].wrong == SIZE_PX * SIZE_PX * 4 // 2


def test_targets_of_one_golden_round_alike(golden: Golden) -> None:
    """Between results: a cleared target decides for a drawn one, and the verdict names both ways."""
    verdict = judge(golden, {"cleared": result(NEAREST, NEAREST), "drawn": result(NVIDIA, NVIDIA)})
    assert verdict.outcome == "wrong"
    (contradiction,) = verdict.contradictions
    assert contradiction.field == "store_norm"
    alike = {name: result(NEAREST, NEAREST) for name in ("both", "cleared", "drawn")}
    assert judge(golden, alike).outcome == "permitted"


def test_exact_asks_for_the_chip(golden: Golden) -> None:
    """Where slack is refused, one rounding alone is right."""
    assert judge(golden, {"both": result(NEAREST, NEAREST)}, exact=True).outcome == "wrong"
    assert judge(golden, {"both": result(NVIDIA, NVIDIA)}, exact=True).outcome == "same"
