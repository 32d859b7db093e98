"""Textures, builders and views: descriptions are copied when they are recorded."""

from __future__ import annotations

import numpy as np
import pytest

from refnvn.errors import ArgumentError, FieldRangeError, SizeError
from refnvn.layout.description import TextureFlags, TextureTarget
from refnvn.nvn.device import Device, reserved_size_B
from refnvn.nvn.texture import Texture, TextureView
from refnvn.nvn.texture_builder import TextureBuilder
from refnvn.testing import results_of

RED, GREEN = (1, 0, 0, 1), (0, 1, 0, 1)


@pytest.mark.rule("NVN-RECORD-1")
def test_a_recorded_target_is_not_what_the_object_becomes() -> None:
    """Clear A red, make the object B before the submission: A is red and B still zero (record-snapshot)."""
    device = Device()
    pool = device.memory_pool(8192)
    builder = TextureBuilder().set_format("RGBA8").set_size_2d(8, 8).set_storage(pool, 0)
    texture = Texture(device, builder)
    commands = device.command_buffer()
    commands.set_render_targets([texture])
    commands.clear_color(0, RED)
    first = Texture(device, builder)
    builder.set_storage(pool, 4096).set_size_2d(4, 4)
    texture.initialize(builder)
    device.queue().submit(commands)
    first.read_texels("a")
    texture.read_texels("b")
    read = results_of(device)
    assert (read["a"] == (255, 0, 0, 255)).all()
    assert read["a"].shape == (8, 8, 4)
    assert not read["b"].any()
    assert read["b"].shape == (4, 4, 4)


def test_setters_of_a_builder_do_not_reach_a_texture() -> None:
    """A texture is a copy of its builder."""
    device = Device()
    builder = TextureBuilder().set_format("R8").set_size_2d(8, 8).set_storage(device.memory_pool(4096), 0)
    texture = Texture(device, builder)
    builder.set_format("RGBA8").set_swizzle("ONE", "ONE", "ONE", "R")
    assert texture.get_format() == "R8"
    assert [channel.name for channel in texture.get_swizzle()] == ["R", "G", "B", "A"]


@pytest.mark.rule("NVN-COMPARE-1")
@pytest.mark.parametrize(
    ("change", "equal"),
    [
        (lambda b: b, True),
        (lambda b: b.set_swizzle("R", "G", "B", "A"), True),
        (lambda b: b.set_label("other"), True),
        (lambda b: b.set_swizzle("ONE", "ONE", "ONE", "R"), False),
        (lambda b: b.set_storage(b.get_memory_pool(), 512), False),
        (lambda b: b.set_format("R8UI"), False),
        (lambda b: b.set_width(4), False),
        (lambda b: b.set_flags("IMAGE"), False),
        (lambda b: b.set_levels(2), False),
    ],
    ids=["same", "explicit-map", "label", "map", "storage", "format", "size", "flags", "levels"],
)
def test_compare_sees_description_storage_and_map(change: object, equal: bool) -> None:
    """(1, 1, 1, R) differs from the default map; an explicit (R, G, B, A) does not (texture-compare)."""
    device = Device()
    pool = device.memory_pool(65536)
    default = TextureBuilder().set_format("R8").set_size_2d(8, 8).set_storage(pool, 0)
    other = change(default.copy())  # type: ignore[operator]
    assert Texture(device, default).compare(Texture(device, other)) is equal
    assert Texture(device, other).compare(Texture(device, default)) is equal


def test_equal_descriptions_are_one_texture() -> None:
    """Two objects of one description share an index, and so their storage (transient-share)."""
    device = Device()
    first = device.texture("RGBA8", 8, 8)
    second = device.texture("RGBA8", 8, 8, over=first)
    assert first.ref() == second.ref()
    assert len(device.trace().recording.textures) == 1


def test_an_alias_sees_the_same_bytes() -> None:
    """R32UI over RGBA8 reads the four bytes as one little-endian word."""
    device = Device()
    color = device.texture("RGBA8", 4, 4)
    word = device.texture("R32UI", 4, 4, over=color)
    commands = device.command_buffer()
    commands.clear_texture(color, None, None, (1, 0, 0, 1))
    device.queue().submit(commands)
    word.read_texels("word")
    assert (results_of(device)["word"] == 0xFF0000FF).all()


def test_an_alias_may_be_larger_than_what_it_lies_over() -> None:
    """The device's pool grows; what comes after lies behind both (res-variants)."""
    device = Device()
    small = device.texture("R32UI", 64, 64)
    large = device.texture("R32UI", 512, 512, over=small)
    after = device.texture("R32UI", 4, 4)
    large_end_B = large.get_memory_offset() + large.get_storage_size()
    assert small.get_memory_offset() == large.get_memory_offset()
    assert after.get_memory_offset() >= large_end_B


def test_a_cube_map_array_counts_faces() -> None:
    """Depth 12 is two cubes: the storage of a 2D array of 12 layers (cube-array-faces)."""
    builder = TextureBuilder().set_format("RGBA8").set_size_3d(8, 8, 12)
    cubes = builder.set_target("CUBEMAP_ARRAY").get_storage_size()
    assert cubes == builder.set_target("2D_ARRAY").get_storage_size() == 12 * 512
    assert TextureBuilder().set_format("RGBA8").set_size_3d(8, 8, 510).set_target(
        "CUBEMAP_ARRAY"
    ).get_storage_size() == (510 * 512)


@pytest.mark.parametrize(
    ("builder", "level", "layer"),
    [
        (TextureBuilder().set_format("RGBA8").set_size_2d(1, 1).set_levels(9), 5, 0),
        (TextureBuilder().set_format("RGBA8").set_target("1D_ARRAY").set_size_3d(1, 4096, 1), 0, 4095),
        (TextureBuilder().set_format("RGBA8").set_target("2D_ARRAY").set_size_3d(1, 1, 2049), 0, 2048),
    ],
    ids=["more-levels", "1d-layers", "2d-layers"],
)
def test_what_nvn_tolerates_is_recorded_and_read(builder: TextureBuilder, level: int, layer: int) -> None:
    """A 1x1 texture has nine levels, arrays have more than 2048 layers, each with texels (tex-illegal-fields)."""
    device = Device()
    texture = device.place(builder)
    view = TextureView().set_levels(level, 1).set_layers(layer, 1)
    texture.write_texels(bytes([1, 2, 3, 4]), view)
    texture.read_texels("texel", view)
    assert results_of(device)["texel"].reshape(-1).tolist() == [1, 2, 3, 4]


def test_an_array_of_no_layers_is_accepted() -> None:
    """Zero layers are no error (tex-illegal-fields)."""
    device = Device()
    texture = device.texture("RGBA8", 4, 4, 0, target="2D_ARRAY")
    assert texture.get_depth() == 0


def test_a_builder_answers_what_it_was_told() -> None:
    """Every setter is seen by the texture's getters."""
    device = Device()
    builder = (
        TextureBuilder()
        .set_target("CUBEMAP")
        .set_format("NVN_FORMAT_DEPTH24_STENCIL8")
        .set_size_2d(16, 16)
        .set_levels(3)
        .set_flags("IMAGE | COMPRESSIBLE")
        .set_depth_stencil_mode("STENCIL")
        .set_packaged_texture_layout(2)
        .set_label("shadow")
    )
    texture = device.place(builder)
    assert texture.get_target() is TextureTarget.TARGET_CUBEMAP
    assert texture.get_format() == "DEPTH24_STENCIL8"
    assert (texture.get_width(), texture.get_height(), texture.get_depth(), texture.get_levels()) == (16, 16, 1, 3)
    assert texture.get_flags() == TextureFlags.IMAGE | TextureFlags.COMPRESSIBLE
    assert texture.get_depth_stencil_mode().name == "STENCIL"
    assert texture.get_samples() == 1
    assert texture.get_stride() == 0
    assert texture.get_texture_address() == texture.get_memory_pool().get_buffer_address(texture.get_memory_offset())
    record = device.trace().recording.textures[0]
    assert record.packaged is not None
    assert (record.packaged.block_height, record.label) == (2, "shadow")
    assert builder.get_memory_pool() is None


def test_linear_and_sparse_textures_ask_for_their_storage() -> None:
    """A stride counts; a sparse texture has a tile of 64 KiB."""
    linear = TextureBuilder().set_format("RGBA8").set_size_2d(5, 3).set_flags("LINEAR").set_stride(64)
    assert linear.get_storage_size() == 64 * 3
    sparse = TextureBuilder().set_format("RGBA8").set_size_2d(256, 256).set_flags("SPARSE")
    assert sparse.get_storage_size() == 4 * 65536
    assert sparse.get_storage_alignment() == 65536
    assert sparse.get_sparse_tile_layout().width_gob == 8
    with pytest.raises(ArgumentError, match="flags lack SPARSE"):
        linear.get_sparse_tile_layout()


def test_what_cannot_be_stored_is_refused_when_the_texture_is_made() -> None:
    """The error comes before any command."""
    device = Device()
    pool = device.memory_pool(4096)
    plain = TextureBuilder().set_format("RGBA8").set_size_2d(8, 8)
    with pytest.raises(ArgumentError, match="the builder has no storage"):
        Texture(device, plain)
    with pytest.raises(ArgumentError, match="offset_B: 100, allowed are multiples of 512"):
        Texture(device, plain.copy().set_storage(pool, 100))
    with pytest.raises(ArgumentError, match=r"pool: \d+ bytes at offset 3584, pool 0 has 4096"):
        Texture(device, plain.copy().set_size_2d(64, 64).set_storage(pool, 3584))
    with pytest.raises(ArgumentError, match="pool is of another device"):
        Texture(Device(), plain.copy().set_storage(pool, 0))
    with pytest.raises(FieldRangeError, match="format 'RGBA9' is not an NVN format"):
        plain.set_format("RGBA9")
    with pytest.raises(SizeError, match="num_levels is 16, allowed are 1 to 15"):
        plain.set_levels(16)
    with pytest.raises(FieldRangeError, match="target is 'TARGET_4D', allowed are TARGET_1D"):
        plain.set_target("4D")


def test_texels_are_written_and_read_by_level_layer_and_region() -> None:
    """Packed rows go to the region of the view's level and layers; the rest stays zero."""
    device = Device()
    texture = device.texture("RG8", 4, 4, 3, target="2D_ARRAY", levels=2)
    texels = np.arange(2 * 2 * 2, dtype=np.uint8)
    texture.write_texels(texels, TextureView().set_layers(1, 1), (1, 2, 2, 2))
    texture.write_texels(bytes(range(50, 74)), level=1)
    texture.read_texels("all")
    texture.read_texels("small", level=1)
    texture.read_texels("part", TextureView().set_layers(1, 2), (2, 2, 0, 1, 1, 2))
    read = results_of(device)
    expected = np.zeros((3, 4, 4, 2), np.uint8)
    expected[1, 2:4, 1:3] = texels.reshape(2, 2, 2)
    assert np.array_equal(read["all"], expected)
    assert read["small"].reshape(-1).tolist() == list(range(50, 74))
    assert read["part"].tolist() == [[[[2, 3]]], [[[0, 0]]]]


def test_writes_of_another_size_are_refused() -> None:
    """The error has both sizes."""
    texture = Device().texture("RGBA_DXT5", 9, 9)
    with pytest.raises(SizeError, match="data has 16 bytes, allowed are the 144 of the region"):
        texture.write_texels(bytes(16))
    with pytest.raises(ArgumentError, match=r"region x 2 \+ 4, allowed are whole blocks of 4"):
        texture.write_texels(bytes(16), region=(2, 0, 4, 4))
    with pytest.raises(ArgumentError, match=r"region is .*, allowed are"):
        texture.read_texels("x", region=(1, 2))  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match="level is 1 beside a view"):
        texture.read_texels("x", TextureView(), level=1)
    with pytest.raises(SizeError, match="level is 1, allowed are 0 to 0"):
        texture.read_texels("x", level=1)


def test_views_are_checked_when_they_are_used() -> None:
    """Levels, layers and formats must be those of the texture."""
    device = Device()
    texture = device.texture("RGBA8", 4, 4, levels=2)
    commands = device.command_buffer()
    for view, message in (
        (TextureView().set_levels(2, 1), r"set_render_targets: colors\[0\].view: view levels 2 \+ 1"),
        (TextureView().set_layers(1, 1), r"set_render_targets: colors\[0\].view: view layers 1 \+ 1"),
        (TextureView().set_format("R8"), r"view format R8 has 1 bytes"),
    ):
        with pytest.raises(ArgumentError, match=message):
            commands.set_render_targets([texture], [view])
    blocks = device.texture("RGBA_DXT1", 8, 8)
    with pytest.raises(ArgumentError, match=r"colors\[0\]: NVN_FORMAT_RGBA_DXT1 cannot be used as render_target"):
        commands.set_render_targets([blocks])
    commands.set_render_targets([blocks], [TextureView().set_format("RG32UI")])


def test_views_compare_by_what_they_set() -> None:
    """Defaults set nothing."""
    view = TextureView().set_format("R32UI").set_target("2D").set_swizzle("R", "R", "R", "ONE")
    assert not view.compare(TextureView())
    assert view.set_depth_stencil_mode("DEPTH").set_defaults().compare(TextureView())


def test_a_view_that_sets_nothing_is_no_view() -> None:
    """It records as the texture itself."""
    texture = Device().texture("R8", 4, 4)
    assert texture.ref(TextureView()) == texture.ref()


@pytest.mark.parametrize(
    "builder",
    [
        TextureBuilder().set_format("RGBA8").set_size_2d(100, 100).set_levels(7),
        TextureBuilder().set_format("RGBA32F").set_target("2D_MULTISAMPLE").set_size_2d(33, 33).set_samples(4),
        TextureBuilder().set_format("RGBA8").set_size_2d(300, 300).set_levels(9).set_flags("SPARSE"),
        TextureBuilder().set_format("RGBA8").set_target("3D").set_size_3d(33, 33, 33).set_levels(3),
    ],
    ids=["mipmapped", "multisample", "sparse", "3d"],
)
def test_storage_is_enough_under_any_setting(builder: TextureBuilder) -> None:
    """What a device gives holds the texture by every other setting of a rule, alone."""
    from refnvn.layout.texture import texture_layout
    from refnvn.rules.fields import FIELDS, NVN, settings_of

    description = builder.description()
    most_B = reserved_size_B(description)
    for field in FIELDS:
        for setting in settings_of(field):
            assert texture_layout(description, NVN.with_(**{field: setting})).size_B <= most_B
