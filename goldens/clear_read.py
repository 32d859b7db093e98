"""Goldens of clears whose first reader samples the target: nothing is drawn between the two.

Read next: ``clear_targets.py``.
"""

from __future__ import annotations

from goldens.depth_views import sampled
from goldens.sampling import Sampling
from refnvn.golden.scene import scene_case
from refnvn.nvn.device import Device

RED, BLUE, GREEN = (1.0, 0.0, 0.0, 1.0), (0.0, 0.0, 1.0, 1.0), (0.0, 1.0, 0.0, 1.0)
SIZE_PX = 4


@scene_case(
    "clear_ds/sampled_between",
    t_test="t_clear_ds",
    says="A clear is done before another pass samples its target, also where nothing is drawn to it.",
    ledger=("lazy-clear", "s4-sw-lazyclear"),
)
def sampled_between(device: Device) -> None:
    """Red is cleared and drawn over in a frame, blue is cleared alone and sampled; then green, after the reader."""
    draws = Sampling(device)
    cleared = device.texture("RGBA8", SIZE_PX, SIZE_PX)
    source = device.texture("RGBA8", 1, 1)
    source.write_texels(bytes([255, 0, 0, 255]))
    draws.draw_to(cleared)
    draws.bind(0, source)
    draws.commands.clear_color(0, RED)
    draws.draw(sampled)
    draws.submit()
    draws.draw_to(cleared)
    draws.commands.clear_color(0, BLUE)
    draws.settle()
    seen = draws.target("RGBA8", SIZE_PX, SIZE_PX)
    draws.bind(0, cleared)
    draws.draw(sampled)
    draws.settle()
    draws.draw_to(cleared)
    draws.commands.clear_color(0, GREEN)
    draws.submit()
    seen.read_texels("seen")
    cleared.read_texels("cleared")
