"""The sampling goldens hold what the ledger says they must, in the ledger's own numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from refnvn.golden.build import build
from refnvn.golden.case import case_named


def result(golden: str, name: str) -> Any:
    """Return the values of one result of a golden."""
    return build(case_named(golden)).result(name).base.array


def undefined(golden: str, name: str) -> Any:
    """Return where a golden says that NVN leaves a result open."""
    found = build(case_named(golden)).result(name)
    return np.any([one.array != found.base.array for one in found.alternatives], axis=0)


def test_a_border_is_mixed_like_a_texel() -> None:
    """Ledger sampler-border: 0.5 fully outside, 1 inside, and a quarter and three between."""
    red = result("border/half_grey", "filtered").view(np.float16).reshape(16, 4)[:, 0]
    assert red.tolist() == [0.5] * 3 + [0.625, 0.875] + [1.0] * 6 + [0.875, 0.625] + [0.5] * 3
    integers = result("border/integers", "target").reshape(8, 4)
    assert integers[0].tolist() == integers[7].tolist() == [7, 8, 9, 10]
    assert (integers[2:6] == 200).all()


def test_reductions_give_extremes() -> None:
    """Ledger sampler-reduction: of 0.1, 0.9, 0.5 and 0.3 the least is 0.1, the largest 0.9."""
    for name, expected in (("min_1", 0.1), ("max_1", 0.9)):
        assert result("border/reduction", name).view(np.float32).ravel().tolist() == [np.float32(expected)]


def test_a_bias_of_one_is_a_level() -> None:
    """Ledger sampler-lod-bias: level 1 everywhere for +1; 1.5 is half way between levels 1 and 2."""
    for name, expected in (("bias_0", 60), ("bias_1", 120), ("bias_2", 150), ("bias_3", 240)):
        assert (result("border/lod_bias", name) == expected).all()


def test_a_glyph_atlas_blends_as_coverage() -> None:
    """Ledger tex-swizzle: grey 0, 85, 170, 255."""
    for name in ("builder", "view"):
        assert result("view_swizzle/glyph_atlas", name).reshape(4, 4)[:, :3].tolist() == [
            [k] * 3 for k in (0, 85, 170, 255)
        ]


def test_packed_formats_sample_in_nvns_order() -> None:
    """Ledger rgba4-order and rgb565-order: 0x8421 is (1, 2, 4, 8) / 15; 0x001F is red, blue in BGR565."""
    assert result("view_swizzle/packed_16_bit", "rgba4").reshape(4, 4)[:2].tolist() == [
        [17, 34, 68, 136],
        [0, 0, 255, 0],
    ]
    assert result("view_swizzle/packed_16_bit", "rgba4_mapped").reshape(4, 4)[1].tolist() == [255, 0, 0, 0]
    assert result("view_swizzle/packed_16_bit", "rgb565").reshape(4, 4)[2].tolist() == [255, 0, 0, 255]
    assert result("view_swizzle/packed_16_bit", "bgr565").reshape(4, 4)[2].tolist() == [0, 0, 255, 255]


def test_views_show_their_levels_and_layers() -> None:
    """Ledger tex-fit-root, cube-view-cubes, cube-as-array: face n is level 1 of layer 6 + n; six colours each."""
    cube = result("tex_fit_root/levels_and_layers", "cube").reshape(6, 4)
    assert cube[:, 0].tolist() == [16 * (6 + face) for face in range(6)]
    assert (cube[:, 1] == 64).all()
    for golden, name, first in (
        ("tex_fit_root/cubes", "array_as_cube", 0),
        ("tex_fit_root/cubes", "array_in_cube_slot", 0),
        ("tex_fit_root/cube_arrays", "cube_in_array_slot", 0),
        ("tex_fit_root/cube_arrays", "second_cube", 6),
    ):
        faces = result(golden, name).reshape(6, 4)[:, 0]
        assert faces.tolist() == [16 * (first + face) for face in range(6)]


def test_a_line_is_a_row() -> None:
    """Ledger tex-1d-row: 64 steps from 0 to 1."""
    ramp = result("tex_fit_root/other_dimensions", "line").view(np.float32).ravel()
    assert ramp.tolist() == (np.arange(64) / 63).astype(np.float32).tolist()


def test_twins_share_bytes() -> None:
    """Ledger srgb-alias: bytes of 188 sample as 0.503, in the chip's table 129 / 256; floats have the bits."""
    twin = result("srgb_alias/sampled", "twin").view(np.float16).reshape(4, 4)
    assert (twin[:, 0] == 129 / 256).all()
    bits = result("srgb_alias/sampled", "bits").view(np.uint32).ravel()
    assert (bits == 0xBCFF00BC).all()


def test_stencil_is_an_integer_in_red() -> None:
    """Ledger stencil-view, stencil-builder-mode, image-flag-share: 0x40 lights the right half, 3 is read as 3."""
    for name in ("view", "builder"):
        for fmt in ("depth24_stencil8", "depth32f_stencil8"):
            read = result("stencil_view/view_and_builder", f"{name}_{fmt}").view(np.uint32).reshape(8, 8, 4)
            assert (read[:, 4:, 0] == 0x40).all()
            assert not read[:, :4, 0].any()
            assert (read[..., 3] == (read[..., 0] == 0x40)).all()
    assert (result("upgrade_alias/image_flag", "stencil").view(np.uint32).reshape(8, 8, 4)[:, 4:, 0] == 3).all()


def test_depth_reads_as_red() -> None:
    """Ledger depth-as-red: 0.25 is (64, 0, 0, 255), then 0.75 is (191, 0, 0, 255)."""
    for fmt in ("depth32f", "depth16"):
        for name, red in (("first", 64), ("second", 191)):
            assert (result("stencil_view/depth_as_red", f"red_{name}_{fmt}").reshape(-1, 4) == (red, 0, 0, 255)).all()
            mapped = result("stencil_view/depth_as_red", f"mapped_{name}_{fmt}").reshape(-1, 4)
            assert (mapped == (0, 0, red, red)).all()


@pytest.mark.rule("TEX-FETCH-2")
def test_bits_come_through_floats() -> None:
    """Ledger tex-int-as-float and tbuf-int-as-float: the same words."""
    expected = {
        "texture": [3, 0x7F800001, 0xFFFFFFFF, 0x80000000],
        "signed_buffer": [1, 5, 0xFFFFFFFF, 0x7FC00001],
        "unsigned_buffer": [1, 5, 0xFFFFFFFF, 0x7FC00001],
    }
    for name, words in expected.items():
        assert result("int_float_view/words", name).view(np.uint32).reshape(4, 4)[:, 0].tolist() == words


@pytest.mark.rule("REPLAY-SAMPLED-2")
def test_buffers_start_anywhere_and_go_far() -> None:
    """Ledger tbuf-offset16 and tbuf-1d-fetch: element 0 of each offset; elements past 16383; the size."""
    for step in range(4):
        found = result("tbuf_align/offsets", f"offset_{4 * step}").view(np.float32).ravel()
        assert found.tolist() == list(range(step, step + 16))
    assert (result("tbuf_align/offsets", "copied").view(np.float32) == 7.0).all()
    far = result("tbuf_align/far_elements", "target").view(np.uint32).reshape(6, 4)
    assert far[:, 0].tolist() == [0, 16383, 16384, 32768, 39999, 0]
    assert (far[:, 1] == 40000).all()


@pytest.mark.parametrize("name", ["flat", "one_layer", "five_layers"])
def test_a_placeholder_is_open_only_where_it_is_read(name: str) -> None:
    """Ledger cube-slot-2d: blue where the real cube is chosen; anything the worlds give where the flat one is."""
    blue = result("cube_placeholder/cubes", f"{name}_unselected")
    assert blue.ravel().tolist() == [0, 0, 255, 255]
    assert not undefined("cube_placeholder/cubes", f"{name}_unselected").any()
    assert undefined("cube_placeholder/cubes", f"{name}_selected").all()


def test_handles_and_slots_name_their_textures() -> None:
    """Ledger s4-4-bindless, s4-3a, s4-3c: red then green; blue and red together; slot 34."""
    pixels = result("bindless/handle_updated_inline", "target").reshape(2, 4)
    assert pixels.tolist() == [[255, 0, 0, 255], [0, 255, 0, 255]]
    assert result("bindless/slots", "both").ravel().tolist() == [255, 0, 255, 255]
    assert result("bindless/slots", "slot_34").ravel().tolist() == [200, 0, 0, 255]


def test_a_new_mapping_shows() -> None:
    """Ledger texture-compare: alpha 255, then 64."""
    assert result("nvn/compared_by_mapping", "first").ravel().tolist() == [64, 0, 0, 255]
    assert result("nvn/compared_by_mapping", "second").ravel().tolist() == [255, 255, 255, 64]


def test_tolerated_and_sparse_levels_are_sampled() -> None:
    """Ledger tex-illegal-fields and sparse-first-mapped: red level 5, layer 4095, green of the first mapped level."""
    assert result("view_levels/tolerated", "level_5").ravel().tolist() == [255, 0, 0, 255]
    assert result("view_levels/tolerated", "layer_4095").ravel().tolist() == [77] * 4
    assert (result("view_levels/first_mapped", "target").reshape(-1, 4) == (0, 255, 0, 255)).all()
    assert (result("image_alias/sampled_blocks", "target").reshape(-1, 4) == (255, 0, 0, 255)).all()


def test_an_empty_id_is_open_but_never_stale() -> None:
    """Ledger texid-stale-view: red where it is registered; zeros, or another world's ones, where it is not."""
    assert result("bindless/empty_id", "registered").ravel().tolist() == [255, 0, 0, 255]
    assert result("bindless/empty_id", "empty").ravel().tolist() == [0, 0, 0, 0]
    assert undefined("bindless/empty_id", "empty").all()
