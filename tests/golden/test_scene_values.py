"""The scene goldens hold what the ledger says they must, in the ledger's own numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from refnvn.golden.build import build
from refnvn.golden.case import case_named


def result(golden: str, name: str) -> Any:
    """Return the values of one result of a golden."""
    return build(case_named(golden)).result(name).base.array


def test_integer_clears_keep_all_32_bits() -> None:
    """Ledger clear-int: {0x01000001, 0xFFFFFFFF, 7, 0} exact, where float32 gives 0x01000000."""
    for golden, name in (("clear_tex/integers", "wide"), ("clear_layers/integers", "target")):
        texels = result(golden, name).reshape(-1, 4)
        assert np.array_equal(texels, np.tile(np.array([0x01000001, 0xFFFFFFFF, 7, 0], np.uint32), (len(texels), 1)))


def test_new_memory_is_zero() -> None:
    """Ledger zero-init: every never-written depth, stencil and colour texel is all zero bits."""
    for name in ("depth_level_0", "depth_level_1", "combined", "array", "color"):
        assert not result("clear_ds/first_use", name).any()


def test_partial_stencil_clear_mixes_old_and_new_bits() -> None:
    """Ledger clear-ds-partial-stencil: (old & ~mask) | (value & mask); 0xA5 with 0x5A under 0x0F is 0xAA."""
    stencil = result("clear_ds/partial_stencil", "target")[..., 0]
    assert stencil[0, 0] == (0xA5 & ~0x0F) | (0x5A & 0x0F) == 0xAA
    assert stencil[0, 7] == 0xA5
    assert stencil[2, 3] == 0xAA & ~0x01
    assert stencil[2, 5] == 0xA5 & ~0x01


def test_mask_that_covers_all_channels_clears_everything() -> None:
    """Ledger mask-covers-all: R8 with mask R is a whole clear."""
    assert (result("clear_tex/mask_of_one_channel", "target") == 255).all()


def test_clear_covers_targets_larger_than_the_others() -> None:
    """Ledger clear-larger-att: each target is cleared whole."""
    assert (result("clear_ds/larger_attachment", "large").reshape(-1, 4) == [0, 255, 0, 255]).all()
    depth = result("clear_ds/larger_attachment", "depth")
    assert (depth.view(np.float32) == np.float32(0.75)).all()


def test_clear_reaches_all_layers_of_the_view() -> None:
    """Ledger clear-layers: six faces at depth 1; layers 1 and 2 green, the others red."""
    assert (result("clear_layers/whole_view", "cube").view(np.float32) == 1.0).all()
    first_texels = result("clear_layers/whole_view", "array")[:, 0, 0].tolist()
    red, green = [255, 0, 0, 255], [0, 255, 0, 255]
    assert first_texels == [red, green, green, red, red]


def test_scissored_clear_stays_in_its_rectangle() -> None:
    """Ledger clear-scissor: inside the scissor new, outside old."""
    target = result("clear_ds/scissor_and_channels", "target")
    green = (target[..., :2] == [0, 255]).all(axis=-1)
    assert int(green.sum()) == 8 * 4


def test_red_is_lowest_in_565_and_5551() -> None:
    """Ledger rgb565-order and rgba4-order: red is 0x001F and 0x801F, blue in RGBA4 is 0x0f00."""
    assert (result("readback/cleared_16_bit", "rgb565") == 0x001F).all()
    assert (result("readback/cleared_16_bit", "rgb5a1") == 0x801F).all()
    blue = np.ascontiguousarray(result("readback/cleared_16_bit", "rgba4")).view("<u2")
    assert (blue == 0x0F00).all()


def test_srgb_twin_shares_bytes() -> None:
    """Ledger srgb-alias: what is cleared through one is read through the other."""
    linear = result("image_alias/srgb_twin", "linear")
    assert np.array_equal(linear, result("image_alias/srgb_twin", "encoded"))
    assert linear[0, 0].tolist() == [0, 255, 0, 255]
    assert linear[3, 3].tolist() == [51, 102, 153, 255]


def test_virtual_pages_share_bytes() -> None:
    """Ledger copy-alias: P -> V, V -> P and V -> V all arrive."""
    words = result("image_alias/virtual_pages", "physical").view("<u4")
    assert words.tolist() == [0x11111111] * 32 + [0x22222222] * 32


def test_equal_pass_after_a_d16_clear_covers_everything() -> None:
    """Ledger d16-clear: 4096 white pixels, and every half-way depth passes."""
    for golden, pixels in (("depth16_clear/equal_pass", 4096), ("depth16_clear/boundaries", 24 * 4)):
        white = (result(golden, "color") == 255).all(axis=-1)
        assert int(white.sum()) == pixels


def test_d16_code_of_one_half_is_what_hardware_stores() -> None:
    """The vectors store 0.5 (code 32767.5) as 32767, in clears and draws alike; the seed assumed 32768."""
    depth = result("depth16_clear/boundaries", "depth")
    assert set(depth[:, 4 * 3].tolist()) == {32767}


def test_gequal_pass_over_new_depth_covers_everything() -> None:
    """Ledger zero-init: 256 white pixels over depth that nothing cleared."""
    white = (result("depth16_clear/first_use", "color") == 255).all(axis=-1)
    assert int(white.sum()) == 256
