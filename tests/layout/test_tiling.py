"""Tile and untile: exact bytes, any region, into any array, the same by every path."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from refnvn.errors import ShapeError, SizeError
from refnvn.layout import tiling
from refnvn.layout.copy_tables import Region
from refnvn.layout.description import Element, TextureDescription
from refnvn.layout.texture import TextureLayout, texture_layout
from refnvn.layout.tiling import linear_size_B, tile, tile_texture, untile, untile_texture
from tests.layout.strategies import textures
from tests.layout.vectors import described, layout_vectors, pattern

VECTORS = layout_vectors()


@pytest.mark.rule("LAYOUT-GOB-1", "LAYOUT-BLOCK-1", "LAYOUT-BLOCK-2", "LAYOUT-BLOCK-3")
@pytest.mark.parametrize("path", ["compiled", "interpreted"])
@pytest.mark.parametrize("vector", VECTORS, ids=[v["id"] for v in VECTORS])
def test_bytes_of_public_vector_equal_implementations_that_agree(
    vector: dict[str, Any], path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The placed bytes have the hash that the public implementations agree on, and come back unchanged."""
    if path == "compiled":
        monkeypatch.setattr(tiling, "COMPILE_FROM_B", 0)
        monkeypatch.setattr(tiling, "KERNEL_FROM_B", 0)
    else:
        monkeypatch.setattr(tiling, "jit_is_on", lambda: False)
    layout = texture_layout(described(vector))
    linear = pattern(linear_size_B(layout))
    assert hashlib.sha256(linear).hexdigest() == vector["sha256_linear"]
    storage = tile_texture(layout, linear)
    assert hashlib.sha256(storage).hexdigest() == vector["sha256_swizzled"]
    assert np.array_equal(untile_texture(layout, storage), linear)


@given(textures(), st.data())
@settings(max_examples=150, deadline=None)
def test_any_region_is_the_same_part_of_the_whole(description: TextureDescription, data: st.DataObject) -> None:
    """Untiling a region gives what cutting it out of the untiled level gives."""
    layout, storage = _filled(description)
    level, layer, region = _region(layout, data)
    whole = untile(layout, storage, level=level, layer=layer)
    part = untile(layout, storage, level=level, layer=layer, region=region)
    assert np.array_equal(part, _cut(whole, region, description.element.bytes_per_block))


@given(textures(), st.data())
@settings(max_examples=150, deadline=None)
def test_tiling_a_region_changes_that_region_and_nothing_else(
    description: TextureDescription, data: st.DataObject
) -> None:
    """Bytes outside the region, padding included, keep what they were."""
    layout, storage = _filled(description)
    level, layer, region = _region(layout, data)
    before = storage.copy()
    old = untile(layout, storage, level=level, layer=layer, region=region)
    tile(layout, ~old, storage, level=level, layer=layer, region=region)
    assert np.array_equal(untile(layout, storage, level=level, layer=layer, region=region), ~old)
    assert np.count_nonzero(storage != before) == old.size
    tile(layout, old, storage, level=level, layer=layer, region=region)
    assert np.array_equal(storage, before)


@given(textures())
@settings(max_examples=60, deadline=None)
def test_compiled_and_interpreted_copies_are_equal(description: TextureDescription) -> None:
    """The compiled loop and NumPy's move the same bytes."""
    layout, storage = _filled(description)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tiling, "COMPILE_FROM_B", 0)
        patch.setattr(tiling, "KERNEL_FROM_B", 0)
        compiled = untile_texture(layout, storage)
        placed = tile_texture(layout, compiled)
        patch.setattr(tiling, "jit_is_on", lambda: False)
        assert np.array_equal(untile_texture(layout, storage), compiled)
        assert np.array_equal(tile_texture(layout, compiled), placed)


def test_untile_writes_into_a_strided_array_of_the_caller() -> None:
    """Rows may lie at any stride in the given array; what is between them stays."""
    layout, storage = _filled(TextureDescription(element=Element(4), width=33, height=9))
    canvas = np.full((1, 9, 200), 7, np.uint8)
    out = canvas[:, :, 20 : 20 + 132]
    returned = untile(layout, storage, out=out)
    assert returned is out
    assert np.array_equal(out, untile(layout, storage))
    assert (canvas[:, :, :20] == 7).all()
    assert (canvas[:, :, 152:] == 7).all()


def test_arrays_that_overlap_are_copied_as_if_they_did_not() -> None:
    """Reading out of and into the same memory gives what separate arrays give, on the compiled path too."""
    layout, storage = _filled(TextureDescription(element=Element(4), width=128, height=128))
    expected = untile(layout, storage)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tiling, "COMPILE_FROM_B", 0)
        patch.setattr(tiling, "KERNEL_FROM_B", 0)
        shared = storage.copy()
        scratch = np.empty_like(shared)
        result = untile(layout, shared, out=scratch[: expected.size].reshape(expected.shape))
    assert np.array_equal(result, expected)


@pytest.mark.parametrize(
    ("storage", "error"),
    [
        (np.zeros(95, np.uint8), SizeError),
        (np.zeros(0, np.uint8), SizeError),
        (np.zeros((2, 512), np.uint8), ShapeError),
        (np.zeros(512, np.uint16), ShapeError),
        (np.zeros(1024, np.uint8)[::2], ShapeError),
    ],
    ids=["one_byte_short", "empty", "two_dimensions", "wrong_dtype", "strided"],
)
def test_wrong_storage_is_one_clear_error(storage: Any, error: type[Exception]) -> None:
    """Storage that is too short or no row of bytes is refused before a byte moves."""
    layout = texture_layout(TextureDescription(element=Element(4), width=4, height=4))
    with pytest.raises(error, match="storage"):
        untile(layout, storage)


@pytest.mark.parametrize(
    ("region", "match"),
    [
        (Region(0, 0, 0, 17, 1, 1), r"region x 0\.\.16 is not in 0\.\.15"),
        (Region(0, 4, 0, 1, 13, 1), r"region y 4\.\.16 is not in 0\.\.15"),
        (Region(-1, 0, 0, 1, 1, 1), r"region x -1"),
        (Region(0, 0, 1, 1, 1, 1), r"region z 1\.\.1"),
        (Region(0, 0, 0, 0, 1, 1), r"region x"),
    ],
    ids=["too_wide", "too_high", "negative", "no_such_slice", "empty"],
)
def test_region_outside_the_level_is_refused(region: Region, match: str) -> None:
    """A region must lie in its level."""
    layout, storage = _filled(TextureDescription(element=Element(4), width=16, height=16))
    with pytest.raises(SizeError, match=match):
        untile(layout, storage, region=region)


def test_missing_level_and_layer_are_refused() -> None:
    """A level or layer that is not there is named with what there is."""
    layout, storage = _filled(TextureDescription(element=Element(4), width=16, height=16, levels=2))
    with pytest.raises(SizeError, match=r"level 2 is not in 0\.\.1"):
        untile(layout, storage, level=2)
    with pytest.raises(SizeError, match=r"layer 1 is not in 0\.\.0"):
        untile(layout, storage, layer=1)


def test_wrong_output_is_refused() -> None:
    """An output array of another shape, or one that cannot be written, is refused."""
    layout, storage = _filled(TextureDescription(element=Element(4), width=16, height=16))
    with pytest.raises(ShapeError, match=r"out must be uint8 of shape \(1, 16, 64\)"):
        untile(layout, storage, out=np.zeros((16, 64), np.uint8))
    locked = np.zeros((1, 16, 64), np.uint8)
    locked.flags.writeable = False
    with pytest.raises(ShapeError, match="read-only"):
        untile(layout, storage, out=locked)
    with pytest.raises(ShapeError, match="next to each other"):
        untile(layout, storage, out=np.zeros((1, 16, 128), np.uint8)[:, :, ::2])
    with pytest.raises(SizeError, match="linear data has 3 bytes"):
        tile_texture(layout, np.zeros(3, np.uint8))


def _filled(description: TextureDescription) -> tuple[TextureLayout, np.ndarray[Any, np.dtype[np.uint8]]]:
    layout = texture_layout(description)
    return layout, pattern(layout.size_B)


def _region(layout: TextureLayout, data: st.DataObject) -> tuple[int, int, Region]:
    level = data.draw(st.sampled_from(layout.levels))
    layer = data.draw(st.integers(0, layout.layers - 1))
    x_el = data.draw(st.integers(0, level.width_el - 1))
    y_el = data.draw(st.integers(0, level.height_el - 1))
    z = data.draw(st.integers(0, level.slices - 1))
    width_el = data.draw(st.integers(1, level.width_el - x_el))
    height_el = data.draw(st.integers(1, level.height_el - y_el))
    slices = data.draw(st.integers(1, level.slices - z))
    return level.level, layer, Region(x_el, y_el, z, width_el, height_el, slices)


def _cut(whole: Any, region: Region, bytes_per_block: int) -> Any:
    columns = slice(region.x_el * bytes_per_block, (region.x_el + region.width_el) * bytes_per_block)
    return whole[region.z : region.z + region.slices, region.y_el : region.y_el + region.height_el, columns]
