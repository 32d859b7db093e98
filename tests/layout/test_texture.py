"""Whole textures: every number of the public vectors, the seeds' facts and the public checks."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from refnvn.layout.description import (
    Element,
    PackagedLayout,
    TextureDescription,
    TextureFlags,
    TextureTarget,
    layer_count,
)
from refnvn.layout.sparse import TILE_SIZE_B, tile_2d, tile_3d
from refnvn.layout.texture import texture_layout
from refnvn.rules.fields import (
    NVN,
    AutoBlockDepth,
    AutoBlockHeight,
    CubeArrayDepth,
    ExplicitBlock,
    MultisampleHeight,
    SingleLayerStride,
    SparseHeight,
    SparsePadding,
    SparseSmall,
    SparseTileTest,
    StorageAlignment,
    ZeroLayers,
)
from tests.layout.vectors import described, facts, layout_vectors, texture

FACTS = facts()
VECTORS = layout_vectors()


@pytest.mark.rule("LAYOUT-LEVEL-1", "LAYOUT-LEVEL-2", "LAYOUT-LEVEL-3", "LAYOUT-LAYERS-3", "LAYOUT-SPARSE-4")
@pytest.mark.parametrize("vector", VECTORS, ids=[v["id"] for v in VECTORS])
def test_layout_of_public_vector_equals_implementations_that_agree(vector: dict[str, Any]) -> None:
    """Offsets, sizes, pitches, blocks, layer stride and mip tail are what the public implementations agree on."""
    layout = texture_layout(described(vector))
    levels = [
        {
            "offset": level.offset_B,
            "size": level.size_B,
            "width_blocks": level.width_el,
            "height_blocks": level.height_el,
            "depth": level.slices,
            "pitch": level.pitch_B,
            "block_height": level.blocks.block_height_gob if level.blocks else None,
            "block_depth": level.blocks.block_depth_gob if level.blocks else None,
        }
        for level in layout.levels
    ]
    assert vector["levels"] == levels
    assert vector["block_height"] == layout.block_height_gob
    assert vector["block_depth"] == layout.block_depth_gob
    assert vector["layer_stride"] == layout.layer_stride_B
    assert vector["total_size"] == layout.size_B
    assert vector.get("tail_first_level") == layout.tail_first_level
    if "tile" in vector:
        assert layout.tile is not None
        assert vector["tile"] == [layout.tile.width_el, layout.tile.height_el, layout.tile.depth]


@pytest.mark.rule("LAYOUT-AUTO-1")
@pytest.mark.parametrize(
    "name",
    [
        "auto-160x160-bc3",
        "auto-672x160-bc7",
        "auto-1232x160-bc7",
        "auto-112x112-bc7",
        "auto-288x208-bc7",
        "auto-880x432-bc7",
        "public-39-rows",
    ],
)
def test_automatic_block_height_of_measured_texture(name: str) -> None:
    """Textures of titles read right at the automatic block height."""
    fact = FACTS[name]
    assert fact["expect"]["block_height"] == texture_layout(texture(fact["given"])).block_height_gob


@pytest.mark.rule("LAYOUT-AUTO-1")
def test_automatic_block_height_of_game_files_reads_right() -> None:
    """Four files of games, read right by eye at these heights."""
    fact = FACTS["public-reversebox-heights"]
    heights = [texture_layout(texture(given)).block_height_gob for given in fact["given"]]
    assert fact["expect"]["block_height"] == heights


@pytest.mark.rule("LAYOUT-SPARSE-1", "LAYOUT-SPARSE-4", "LAYOUT-SPARSE-5", "LAYOUT-STORAGE-1")
def test_sparse_astc_6x6_is_padded_to_whole_tiles() -> None:
    """1024x1024 ASTC 6x6 is 48 GOBs wide, not 43, and level 1 starts at 0x90000, not 0x81000."""
    expect = FACTS["sparse-mhr-astc6x6"]["expect"]
    layout = texture_layout(texture(FACTS["sparse-mhr-astc6x6"]["given"]))
    assert expect["block_height"] == layout.block_height_gob
    assert expect["width_gobs_level0"] * 64 == layout.levels[0].pitch_B
    assert expect["level1_offset"] == layout.levels[1].offset_B
    unpadded = texture_layout(layout.description, NVN.with_(sparse_padding=SparsePadding.NEVER))
    assert expect["width_gobs_unpadded"] * 64 == unpadded.levels[0].pitch_B
    assert expect["level1_offset_if_unpadded"] == unpadded.levels[1].offset_B
    assert layout.storage_size_B % TILE_SIZE_B == 0
    assert layout.storage_alignment_B == TILE_SIZE_B


@pytest.mark.rule("LAYOUT-SPARSE-1", "LAYOUT-SPARSE-5")
@pytest.mark.parametrize("name", ["sparse-octopath-bc1", "sparse-rgba8-512"])
def test_sparse_texture_takes_its_tiles_block_height(name: str) -> None:
    """A sparse texture reads right only at its tile's block height."""
    fact = FACTS[name]
    assert fact["expect"]["block_height"] == texture_layout(texture(fact["given"])).block_height_gob


@pytest.mark.rule("LAYOUT-SPARSE-5")
def test_sparse_map_at_the_automatic_height_is_the_known_fault() -> None:
    """The 4096x2048 BC1 map would be 16 GOBs high if the automatic rule were used."""
    given = FACTS["sparse-octopath-bc1"]["given"]
    wrong = texture_layout(texture(given), NVN.with_(sparse_height=SparseHeight.AUTOMATIC))
    assert wrong.block_height_gob == 16


@pytest.mark.rule("LAYOUT-SPARSE-4")
@pytest.mark.parametrize("name", ["sparse-ycw-384-dxt5", "sparse-1350x270-bgra8"])
def test_sparse_level_size_is_whole_tiles(name: str) -> None:
    """A title's cooked level has exactly this size, in whole tiles."""
    expect = FACTS[name]["expect"]
    layout = texture_layout(texture(FACTS[name]["given"]))
    level = layout.levels[0]
    assert level.blocks is not None
    assert expect["block_height"] == level.blocks.block_height_gob
    assert expect["width_gobs"] == level.blocks.width_gob
    assert expect["block_rows_of_gobs"] == level.blocks.height_block
    assert expect["level_size"] == level.size_B


@pytest.mark.rule("LAYOUT-SPARSE-5")
@pytest.mark.parametrize("name", ["sparse-small-192x160-dxt5", "sparse-small-384x384-dxt1"])
def test_sparse_texture_smaller_than_a_tile_keeps_the_automatic_height(name: str) -> None:
    """Smaller than a tile: all mip tail, the automatic block height, the same size as with the tile's."""
    fact = FACTS[name]
    layout = texture_layout(texture(fact["given"]))
    assert fact["expect"]["block_height"] == layout.block_height_gob
    assert layout.tail_first_level == 0
    assert layout.levels[0].blocks is not None
    assert fact["expect"]["width_gobs"] == layout.levels[0].blocks.width_gob
    wrong = texture_layout(layout.description, NVN.with_(sparse_small=SparseSmall.TILE))
    assert wrong.block_height_gob == 8
    assert wrong.size_B == layout.size_B


@pytest.mark.rule("LAYOUT-SPARSE-1", "LAYOUT-SPARSE-6")
def test_2d_tile_shapes_are_the_standard_ones() -> None:
    """The tile of 1 to 16 bytes per block, in blocks and in GOBs."""
    for bytes_per_block, expect in FACTS["sparse-tile-shapes-2d"]["expect"].items():
        tile = tile_2d(int(bytes_per_block))
        assert expect["blocks"] == [tile.width_el, tile.height_el]
        assert (expect["block_height"], expect["width_gobs"]) == (tile.block_height_gob, tile.width_gob)


@pytest.mark.rule("LAYOUT-SPARSE-2", "LAYOUT-SPARSE-3", "LAYOUT-SPARSE-7")
def test_3d_tile_shapes_are_the_standard_ones() -> None:
    """The 3D tile of 1 to 16 bytes per block, in blocks and in GOBs; each is 128 GOBs."""
    for bytes_per_block, expect in FACTS["sparse-tile-shapes-3d"]["expect"].items():
        tile = tile_3d(int(bytes_per_block))
        assert expect["blocks"] == [tile.width_el, tile.height_el, tile.depth]
        assert expect["width_gobs"] == tile.width_gob
        assert (expect["block_height"], expect["block_depth"]) == (tile.block_height_gob, tile.block_depth_gob)
        assert tile.width_gob * tile.block_height_gob * tile.block_depth_gob == 128


@pytest.mark.rule("LAYOUT-SPARSE-3")
@pytest.mark.parametrize(("height_gob", "width_gob"), [(8, 16), (16, 8), (32, 4)])
def test_tile_width_of_packaged_blocks(height_gob: int, width_gob: int) -> None:
    """A packaged layout's tile is 128 GOBs over its block height wide."""
    expect = FACTS["sparse-tile-width-rule"]["expect"]["tile_width_gobs_2d"]
    layout = texture_layout(
        TextureDescription(
            element=Element(16, 4, 4),
            width=4096,
            height=4096,
            flags=TextureFlags.SPARSE,
            packaged=PackagedLayout(height_gob),
        )
    )
    assert layout.tile is not None
    assert width_gob == layout.tile.width_gob == expect[f"bh{height_gob}"]
    assert layout.block_height_gob == height_gob


@pytest.mark.rule("LAYOUT-SPARSE-2")
def test_prime_tiles_cover_one_box_in_both_formats() -> None:
    """BC1 tiles 5-7, 9-11 and BC6H tiles 10-15, 18-23 of a slab are the same texels, x 128..511, y 64..191."""
    fact = FACTS["sparse-3d-prime-tiles"]
    for bytes_per_block, tiles in fact["expect"]["tiles_of_box"].items():
        tile = tile_3d(int(bytes_per_block))
        width_px, height_px = tile.width_el * 4, tile.height_el * 4
        assert fact["expect"]["tile_texels"][bytes_per_block] == [width_px, height_px, tile.depth]
        across = 512 // width_px
        assert fact["expect"]["tiles_across"][bytes_per_block] == across
        inside = [
            number
            for number in range(across * (256 // height_px))
            if number % across * width_px >= 128 and 64 <= number // across * height_px < 192
        ]
        assert tiles == inside


@pytest.mark.rule("LAYOUT-LAYERS-1")
def test_cube_array_of_510_faces_equals_a_2d_array_of_510_layers() -> None:
    """The depth of a cube-map array counts faces; its storage is that of a 2D array."""
    expect = FACTS["cube-array-depth"]["expect"]
    fields: dict[str, Any] = {"element": Element(4), "width": 8, "height": 8, "depth": 510}
    cube = texture_layout(TextureDescription(target=TextureTarget.TARGET_CUBEMAP_ARRAY, **fields))
    flat = texture_layout(TextureDescription(target=TextureTarget.TARGET_2D_ARRAY, **fields))
    assert expect["layers"] == cube.layers == flat.layers
    assert expect["cubes"] * 6 == cube.layers
    assert (cube.layer_stride_B, cube.storage_size_B) == (flat.layer_stride_B, flat.storage_size_B)


@pytest.mark.rule("LAYOUT-LAYERS-1")
def test_1d_array_counts_layers_in_its_height() -> None:
    """A 1D array of 4096 layers is accepted and each layer is one row."""
    layout = texture_layout(
        TextureDescription(element=Element(4), target=TextureTarget.TARGET_1D_ARRAY, width=16, height=4096)
    )
    assert layout.layers == 4096
    assert layout.levels[0].height_el == 1


@pytest.mark.rule("LAYOUT-LAYERS-2")
def test_array_of_no_layers_is_accepted() -> None:
    """No layers: the storage of one, or of none in another world."""
    empty = TextureDescription(element=Element(4), target=TextureTarget.TARGET_2D_ARRAY, width=16, height=16, depth=0)
    assert layer_count(empty) == 1
    assert texture_layout(empty, NVN.with_(zero_layers=ZeroLayers.NONE)).size_B == 0


@pytest.mark.rule("LAYOUT-LEVEL-3")
def test_levels_beyond_the_size_are_one_texel() -> None:
    """A 1x1 texture of nine levels has nine levels of one GOB each."""
    layout = texture_layout(TextureDescription(element=Element(4), width=1, height=1, levels=9))
    assert [(level.width_px, level.height_px, level.size_B) for level in layout.levels] == [(1, 1, 512)] * 9


@pytest.mark.rule("LAYOUT-LAYERS-3")
def test_cube_faces_of_128_rgba8_lie_0x6000_after_level_0() -> None:
    """Seen on hardware: 0x6000 bytes between level 0 of a face and the next face."""
    expect = FACTS["public-cube-128-rgba8"]["expect"]
    layout = texture_layout(texture(FACTS["public-cube-128-rgba8"]["given"]))
    assert expect["layer_stride"] == layout.layer_stride_B
    assert expect["level0_size"] == layout.levels[0].size_B
    assert expect["gap_after_level0"] == layout.layer_stride_B - layout.levels[0].size_B


@pytest.mark.rule("LAYOUT-AUTO-2", "LAYOUT-AUTO-4")
def test_automatic_depth_of_33_slices_is_16() -> None:
    """A game file of 33x33x33 RGBA8 has the size that 16 GOBs deep gives; 32 gives another."""
    expect = FACTS["public-3d-33-rgba8"]["expect"]
    description = texture(FACTS["public-3d-33-rgba8"]["given"])
    layout = texture_layout(description)
    assert expect["total_size"] == layout.size_B
    assert (expect["block_height"], expect["block_depth"]) == (layout.block_height_gob, layout.block_depth_gob)
    reported = texture_layout(description, NVN.with_(auto_block_depth=AutoBlockDepth.THIRTY_TWO))
    assert reported.block_depth_gob == 32
    assert reported.size_B != expect["total_size"]


@pytest.mark.rule("LAYOUT-LEVEL-3")
@pytest.mark.parametrize("name", ["public-bc3-512-mips", "public-rgba8-1024-mips", "public-console-swizzler-bc1"])
def test_level_offsets_of_public_checks(name: str) -> None:
    """Offsets of all levels, from game files and public checks."""
    fact = FACTS[name]
    layout = texture_layout(texture(fact["given"]))
    assert fact["expect"]["level_offsets"] == [level.offset_B for level in layout.levels]
    assert fact["expect"].get("total_size", layout.size_B) == layout.size_B


@pytest.mark.rule("LAYOUT-LAYERS-3")
def test_sizes_of_six_layer_game_files() -> None:
    """Twelve sizes from game file footers."""
    fact = FACTS["public-nutexb-layers"]
    assert fact["expect"]["total_size"] == [texture_layout(texture(given)).size_B for given in fact["given"]]


@pytest.mark.rule("LAYOUT-LEVEL-3", "LAYOUT-LAYERS-3")
@pytest.mark.parametrize(
    ("name", "number"),
    [
        ("public-1080p-bh4", "level_size"),
        ("public-r8-1080p-mips", "level7_offset"),
        ("public-astc12-8192x4096", "sum_of_levels"),
        ("public-astc12-8192x4096", "layer_stride"),
        ("public-rgba8-1024-stride-bh4", "layer_stride"),
        ("public-bc3-128-stride", "layer_stride"),
        ("public-sparse-518x572-rgba8", "layer_stride"),
        ("public-sparse-bc5-1024", "layer_stride"),
    ],
)
def test_public_checks_at_given_block_heights(name: str, number: str) -> None:
    """Numbers that a public tree checks at compile time; its layer strides are those of an array."""
    given = FACTS[name]["given"]
    as_array = number == "layer_stride" and not given.get("kind", "").startswith("sparse")
    more = {"target": TextureTarget.TARGET_2D_ARRAY} if as_array else {}
    layout = texture_layout(texture(given, **more))
    found = {
        "level_size": layout.levels[0].size_B,
        "level7_offset": layout.levels[-1].offset_B,
        "sum_of_levels": layout.levels[-1].offset_B + layout.levels[-1].size_B,
        "layer_stride": layout.layer_stride_B,
    }
    assert FACTS[name]["expect"][number] == found[number]


@pytest.mark.rule("LAYOUT-AUTO-3")
def test_video_decode_is_two_gobs_high() -> None:
    """The VIDEO_DECODE flag sets the block height, whatever the rows."""
    description = TextureDescription(element=Element(1), width=1920, height=1080, flags=TextureFlags.VIDEO_DECODE)
    assert texture_layout(description).block_height_gob == 2


@pytest.mark.rule("LAYOUT-SAMPLES-3", "LAYOUT-SAMPLES-1")
def test_multisample_rows_are_storage_rows_or_pixels_in_another_world() -> None:
    """Sixty pixel rows of four samples are 120 rows of storage: 16 GOBs, or 8 if pixels counted."""
    description = TextureDescription(
        element=Element(4), target=TextureTarget.TARGET_2D_MULTISAMPLE, width=60, height=60, samples=4
    )
    layout = texture_layout(description)
    assert (layout.levels[0].width_el, layout.levels[0].height_el) == (120, 120)
    assert layout.block_height_gob == 16
    assert (
        texture_layout(description, NVN.with_(multisample_height=MultisampleHeight.PIXEL_ROWS)).block_height_gob == 8
    )


@pytest.mark.rule("LAYOUT-LEVEL-4")
def test_packaged_block_taller_than_level_0_shrinks_or_stays_in_another_world() -> None:
    """Sixteen GOBs for eight rows: one block of one GOB, or of sixteen."""
    description = TextureDescription(element=Element(4), width=16, height=8, packaged=PackagedLayout(16))
    assert texture_layout(description).size_B == 512
    kept = texture_layout(description, NVN.with_(explicit_block=ExplicitBlock.KEEP_LEVEL_0))
    assert kept.size_B == 16 * 512


@pytest.mark.rule("LAYOUT-GOB-2")
def test_depth_layout_rests_on_the_open_order_of_its_gobs() -> None:
    """A depth texture names the open rule of its GOBs; a colour texture does not."""
    depth = texture_layout(TextureDescription(element=Element(4, is_depth_stencil=True), width=64, height=64))
    color = texture_layout(TextureDescription(element=Element(4), width=64, height=64))
    assert depth.rules["gob_order"] == ("LAYOUT-GOB-2",)
    assert "gob_order" not in color.rules


@pytest.mark.rule("LAYOUT-LAYERS-4")
def test_single_layer_is_the_sum_of_levels_or_rounded_in_another_world() -> None:
    """A 64x64 RGBA8 chain: 16 KiB and its tail, rounded up to an 8-GOB block only in another world."""
    description = TextureDescription(element=Element(4), width=64, height=64, levels=7)
    layout = texture_layout(description)
    rounded = texture_layout(description, NVN.with_(single_layer_stride=SingleLayerStride.ALIGNED))
    assert layout.size_B == 16384 + 4096 + 1024 + 4 * 512
    assert rounded.size_B == 24576


@pytest.mark.rule("LAYOUT-STORAGE-2")
@pytest.mark.parametrize(
    ("setting", "alignment_B"),
    [(StorageAlignment.GOB, 512), (StorageAlignment.PAGE, 8192), (StorageAlignment.BIG_PAGE, 65536)],
    ids=["gob", "page", "big_page"],
)
def test_storage_alignment_of_a_depth_texture(setting: StorageAlignment, alignment_B: int) -> None:
    """512 bytes, or what other drivers ask for in other worlds."""
    description = TextureDescription(element=Element(4, is_depth_stencil=True), width=256, height=256)
    layout = texture_layout(description, NVN.with_(storage_alignment=setting))
    assert layout.storage_alignment_B == alignment_B
    assert layout.storage_size_B % alignment_B == 0


@pytest.mark.rule("LAYOUT-SPARSE-8")
def test_partly_filled_gob_counts_as_one_or_not_in_another_world() -> None:
    """63 blocks of 16 bytes fill 16 GOBs but for one block: a tile wide by GOBs, not by blocks."""
    description = TextureDescription(element=Element(16), width=63, height=200, flags=TextureFlags.SPARSE)
    assert texture_layout(description).block_height_gob == 8
    by_texels = texture_layout(description, NVN.with_(sparse_tile_test=SparseTileTest.TEXELS))
    assert by_texels.block_height_gob == 16


@pytest.mark.rule("LAYOUT-SPARSE-8")
def test_level_exactly_a_tile_high_is_padded_or_not_in_another_world() -> None:
    """128 rows of RGBA8 are exactly a tile: 10 GOBs of width become 16, or stay 10."""
    description = TextureDescription(element=Element(4), width=160, height=128, flags=TextureFlags.SPARSE)
    assert texture_layout(description).levels[0].pitch_B == 16 * 64
    other = texture_layout(description, NVN.with_(sparse_padding=SparsePadding.MORE_THAN_A_TILE))
    assert other.levels[0].pitch_B == 10 * 64


@pytest.mark.rule("LAYOUT-PITCH-1")
@pytest.mark.parametrize(
    ("flags", "stride_B", "expected_B"),
    [
        (TextureFlags.LINEAR, 0, 416),
        (TextureFlags.LINEAR_RENDER_TARGET, 0, 512),
        (TextureFlags.LINEAR, 1024, 1024),
    ],
    ids=["texture", "render_target", "given"],
)
def test_linear_stride(flags: TextureFlags, stride_B: int, expected_B: int) -> None:
    """A row of 100 RGBA8 texels is 400 bytes: 416 as a texture, 512 as a render target."""
    layout = texture_layout(
        TextureDescription(element=Element(4), width=100, height=10, flags=flags, stride_B=stride_B)
    )
    assert layout.levels[0].pitch_B == expected_B
    assert layout.size_B == expected_B * 10


def test_faulty_rules_change_the_layout() -> None:
    """The two known faults of the automatic height give 8 GOBs and 4 + 1 where NVN gives 4."""
    description = texture(FACTS["auto-160x160-bc3"]["given"])
    up = texture_layout(description, NVN.with_(auto_block_height=AutoBlockHeight.ROUND_UP))
    over_8 = texture_layout(
        dataclasses.replace(description, height=880), NVN.with_(auto_block_height=AutoBlockHeight.ROWS_OVER_8)
    )
    assert (up.block_height_gob, over_8.block_height_gob) == (8, 16)


@pytest.mark.rule("LAYOUT-STORAGE-3")
def test_linear_and_buffer_storage_alignment() -> None:
    """32 bytes for a linear texture; a buffer's element, 4 for three words."""
    linear = TextureDescription(element=Element(4), width=100, height=10, flags=TextureFlags.LINEAR)
    words = TextureDescription(element=Element(12), target=TextureTarget.TARGET_BUFFER, width=7)
    halves = TextureDescription(element=Element(2), target=TextureTarget.TARGET_BUFFER, width=7)
    assert [texture_layout(one).storage_alignment_B for one in (linear, words, halves)] == [32, 4, 2]
    assert [texture_layout(one).storage_size_B for one in (linear, words, halves)] == [4160, 84, 14]


@pytest.mark.rule("LAYOUT-SPARSE-5")
def test_faulty_sparse_heights_give_the_sizes_of_the_seeds() -> None:
    """With 16-GOB blocks the DXT5 level is 0x30000; 3D tiles one GOB high are 256x32x16 texels of BC1."""
    fault = NVN.with_(sparse_height=SparseHeight.AUTOMATIC)
    dxt5 = texture_layout(texture(FACTS["sparse-ycw-384-dxt5"]["given"]), fault)
    assert dxt5.levels[0].size_B == FACTS["sparse-ycw-384-dxt5"]["expect"]["wrong_size_unpadded"] == 0x30000
    prime = TextureDescription(
        element=Element(8, 4, 4), target=TextureTarget.TARGET_3D, width=512, height=256, depth=368,
        flags=TextureFlags.SPARSE,
    )  # fmt: skip
    tile = texture_layout(prime, fault).tile
    assert tile is not None
    assert (tile.width_el * 4, tile.height_el * 4, tile.depth) == (256, 32, 16)


@pytest.mark.rule("LAYOUT-LAYERS-1")
def test_depth_taken_for_cubes_makes_storage_six_times_as_large() -> None:
    """510 faces read as 510 cubes are 3060 layers."""
    description = TextureDescription(
        element=Element(4), target=TextureTarget.TARGET_CUBEMAP_ARRAY, width=8, height=8, depth=510
    )
    wrong = texture_layout(description, NVN.with_(cube_array_depth=CubeArrayDepth.CUBES))
    assert wrong.layers == 3060
    assert wrong.size_B == 6 * texture_layout(description).size_B
