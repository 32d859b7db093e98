"""DrawTexture: regions of texels to regions of pixels, through the pools that are set."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from goldens.draw_texture import blending, numbered, origins, pools, regions
from goldens.sampling import Sampling
from refnvn.errors import ArgumentError, FieldRangeError, RefnvnError
from refnvn.nvn.device import Device
from refnvn.rules.fields import NVN, DrawTextureState, watch
from refnvn.testing import results_of

STEPS = np.arange(4) * 80 + 15
SOURCE = np.full((4, 4, 4), (0, 0, 60, 255))
SOURCE[..., 0], SOURCE[..., 1] = STEPS, STEPS[:, None]


def image(found: object) -> np.ndarray:
    """Return a result as 8x8 pixels."""
    return np.asarray(found).reshape(8, 8, 4)


@pytest.mark.rule("REPLAY-DRAWTEXTURE-1")
def test_a_region_goes_to_a_region() -> None:
    """The ledger's 4x4 source to (2, 2, 4, 4): 16 pixels equal; turned, doubled, in part, cut off."""
    results = results_of(regions)
    expected = {name: np.full((8, 8, 4), 0x40) for name in results}
    expected["plain"][2:6, 2:6] = SOURCE
    expected["turned"][2:6, 2:6] = SOURCE[::-1, ::-1]
    doubled = SOURCE.repeat(2, 0).repeat(2, 1)
    expected["doubled"][:] = doubled
    expected["part"][1:3, 1:3] = SOURCE[2:4, 1:3]
    expected["outside"][:6, :6] = doubled[2:, 2:]
    expected["scissored"][2:5, 1:6] = doubled[2:5, 1:6]
    expected["masked"][..., [0, 3]] = doubled[..., [0, 3]]
    for name, found in results.items():
        assert (image(found) == expected[name]).all(), name


@pytest.mark.rule("REPLAY-DRAWTEXTURE-1")
def test_rows_are_those_of_memory_under_either_origin() -> None:
    """Rows 0 to 3 and columns 1 to 4 both times."""
    for found in results_of(origins).values():
        assert (image(found)[:4, 1:5] == SOURCE).all()
        assert not image(found)[4:].any()


def test_ids_are_those_of_the_pools_that_are_set() -> None:
    """Red by the first pool, green by the second, in both targets."""
    results = results_of(pools)
    assert (image(results["target_0"])[:4, :4] == (255, 0, 0, 255)).all()
    assert (image(results["target_0"])[4:, 4:] == (0, 255, 0, 255)).all()
    halves = np.asarray(results["target_1"]).reshape(8, 8, 4)
    assert halves[0, 0].tolist() == [0x3C00, 0, 0, 0x3C00]
    assert halves[7, 7].tolist() == [0, 0x3C00, 0, 0x3C00]


@pytest.mark.rule("REPLAY-DRAWTEXTURE-1")
def test_blending_is_open() -> None:
    """A corner is the texel itself, or the texel and 0x40; the middle of two texels weighs three to one."""
    plain = image(results_of(blending)["target"])
    added = image(results_of(blending, rules=NVN.with_(draw_texture_state=DrawTextureState.BLENDED))["target"])
    assert plain[0, :3, 0].tolist() == [15, 35, 75]
    assert added[0, :3, 0].tolist() == [15 + 0x40, 35 + 0x40, 75 + 0x40]


def test_what_cannot_be_drawn_is_refused() -> None:
    """Integers when it is replayed; wrong regions when it is recorded."""

    def drawn(source: str, target_format: str) -> Callable[[Device], None]:
        def scene(device: Device) -> None:
            sampling = Sampling(device)
            target = sampling.target(target_format, 8, 8)
            handle = sampling.handle(device.texture(source, 4, 4))
            sampling.commands.draw_texture(handle, (0, 0, 8, 8), (0, 0, 4, 4))
            sampling.submit()
            target.read_texels("target")

        return scene

    with pytest.raises(RefnvnError, match=r"colors\[0\]: DRAWTEXTURE-INTEGER-1: .*DrawTexture to NVN_FORMAT_RGBA8UI"):
        results_of(drawn("RGBA8", "RGBA8UI"))
    with pytest.raises(RefnvnError, match=r"handle: DRAWTEXTURE-INTEGER-1: .*DrawTexture of NVN_FORMAT_RGBA8UI"):
        results_of(drawn("RGBA8UI", "RGBA8"))
    commands = Device().command_buffer()
    with pytest.raises(ArgumentError, match="draw_texture: dst_region has 3 numbers, allowed are x, y, width and"):
        commands.draw_texture(0, (1, 2, 3), (0, 0, 4, 4))
    with pytest.raises(FieldRangeError, match="draw_texture: src_region width is inf, allowed are finite float32"):
        commands.draw_texture(0, (1, 2, 3, 4), (0, 0, float("inf"), 4))
    with pytest.raises(RefnvnError, match="draw_texture: handle is -1, allowed are 0 to"):
        commands.draw_texture(-1, (1, 2, 3, 4), (0, 0, 4, 4))


@pytest.mark.parametrize("barrier", [False, True])
def test_what_it_drew_is_sampled_behind_a_barrier(barrier: bool) -> None:
    """Without one a second DrawTexture may find what was there before; NVN permits either."""

    def chained(device: Device) -> None:
        scene = Sampling(device)
        first, second = scene.target("RGBA8", 4, 4), device.texture("RGBA8", 4, 4)
        scene.commands.draw_texture(scene.handle(numbered(device)), (0, 0, 4, 4), (0, 0, 4, 4))
        if barrier:
            scene.commands.barrier("ORDER_FRAGMENTS | INVALIDATE_TEXTURE")
        scene.commands.set_render_targets([second])
        scene.commands.draw_texture(scene.handle(first), (0, 0, 4, 4), (0, 0, 4, 4))
        scene.submit()
        second.read_texels("second")

    watched = watch()
    found = results_of(chained, watched)["second"]
    assert ("unordered_reads" in watched.read) is not barrier
    if barrier:
        assert (np.asarray(found).reshape(4, 4, 4) == SOURCE).all()
