"""``refnvn layout``: answers, searches, odd input."""

import pytest

from tests.cli.harness import complaint, refnvn


@pytest.mark.parametrize(
    ("described", "block_height_gob", "size_B"),
    [
        pytest.param(("--format", "RGBA_DXT5", "--size", "160x160"), 4, 40 * 640 + 8 * 640 + 16 * 640, id="bc3"),
        pytest.param(("--format", "RGBA_DXT1", "--size", "672x160"), 4, 168 * 8 * 64, id="bc1-672x160"),
        pytest.param(("--format", "RGBA_DXT5", "--size", "384x384", "--sparse"), 8, 0x40000, id="sparse-bc3"),
        pytest.param(("--format", "BGRA8", "--size", "1350x270", "--sparse"), 16, 0x210000, id="sparse-bgra8"),
        pytest.param(("--format", "RGBA_DXT5", "--size", "192x160", "--sparse"), 4, 0x10000, id="sparse-small"),
    ],
)
def test_layouts_of_shipped_titles(described: tuple[str, ...], block_height_gob: int, size_B: int) -> None:
    """The command answers what game data shows."""
    answer = refnvn("layout", *described, "--json").json
    assert (answer["block_height_gob"], answer["storage_size_B"]) == (block_height_gob, size_B)


def test_a_sparse_level_starts_on_whole_tiles() -> None:
    """Level 1 of a sparse 1024x1024 ASTC 6x6 starts at 0x90000, in the text and in JSON."""
    texture = ("layout", "--format", "RGBA_ASTC_6x6", "--size", "1024x1024", "--levels", "full", "--sparse")
    assert refnvn(*texture, "--json").json["levels"][1]["offset_B"] == 0x90000
    assert "0x90000" in refnvn(*texture).out


def test_the_text_names_the_rules() -> None:
    """People read level table, size and the rule of each number."""
    outcome = refnvn("layout", "--format", "RGBA_DXT5", "--size", "160x160")
    assert (outcome.code, outcome.err) == (0, "")
    assert "NVN_FORMAT_RGBA_DXT5 160x160, 2D, 1 level; 16 bytes per block" in outcome.out
    assert "block height 4 GOBs (by rule)  [LAYOUT-AUTO-1]" in outcome.out
    assert "storage 40960 bytes (0xa000)" in outcome.out
    assert "LAYOUT-AUTO-1: " in outcome.out


def test_json_names_evidence() -> None:
    """Each rule that made a number comes with its rank of evidence."""
    answer = refnvn("layout", "--format", "RGBA8", "--size", "64x64", "--json").json
    named = {one for ids in answer["rules"].values() for one in ids}
    assert set(answer["evidence"]) == named
    assert answer["evidence"]["LAYOUT-AUTO-1"] == "SWITCH"


def test_weak_evidence_exits_with_3_when_asked() -> None:
    """The alignment of storage is open, that of a linear texture is documented."""
    plain = ("layout", "--format", "RGBA8", "--size", "64x64")
    assert refnvn(*plain).code == 0
    assert refnvn(*plain, "--strict-evidence").code == 3
    assert refnvn(*plain, "--sparse", "--linear").code == 2


@pytest.mark.parametrize(
    ("described", "target", "layers"),
    [
        pytest.param(("--size", "64x64"), "TARGET_2D", 1, id="flat"),
        pytest.param(("--size", "64x64", "--layers", "3"), "TARGET_2D_ARRAY", 3, id="layers-make-an-array"),
        pytest.param(("--size", "64x64x8"), "TARGET_3D", 1, id="depth-makes-3d"),
        pytest.param(("--size", "64x64", "--target", "cubemap"), "TARGET_CUBEMAP", 6, id="cube"),
        pytest.param(("--size", "8x8", "--target", "cubemap-array", "--layers", "510"), "TARGET_CUBEMAP_ARRAY", 510,
                     id="85-cubes"),
        pytest.param(("--size", "64", "--target", "1d-array", "--layers", "3"), "TARGET_1D_ARRAY", 3, id="1d-array"),
        pytest.param(("--size", "64x3", "--target", "1d-array"), "TARGET_1D_ARRAY", 3, id="1d-array-by-height"),
        pytest.param(("--size", "64x64", "--samples", "4"), "TARGET_2D_MULTISAMPLE", 1, id="samples"),
        pytest.param(("--size", "64x64", "--samples", "4", "--layers", "2"), "TARGET_2D_MULTISAMPLE_ARRAY", 2,
                     id="samples-and-layers"),
        pytest.param(("--size", "64", "--target", "buffer"), "TARGET_BUFFER", 1, id="buffer"),
    ],
)  # fmt: skip
def test_the_target_follows_from_size_and_layers(described: tuple[str, ...], target: str, layers: int) -> None:
    """Depth, layers and samples choose the target where ``--target`` does not."""
    answer = refnvn("layout", "--format", "RGBA8", *described, "--json").json
    assert (answer["target"], answer["layers"]) == (target, layers)


def test_full_levels_go_down_to_one_texel() -> None:
    """320x200 has nine levels; the rows of a 1D array are layers and count for nothing."""
    assert (
        len(refnvn("layout", "--format", "R8", "--size", "320x200", "--levels", "full", "--json").json["levels"]) == 9
    )
    one_d = ("layout", "--format", "R8", "--size", "16x500", "--target", "1d-array", "--levels", "full", "--json")
    assert len(refnvn(*one_d).json["levels"]) == 5


def test_a_size_that_fits_is_found() -> None:
    """320 rows are 40 GOBs, whole blocks of 8 but not of 16; the layouts of that size are listed; exit 0."""
    outcome = refnvn("layout", "--format", "RGBA8", "--size", "320x320", "--bytes", "409600")
    assert outcome.code == 0
    assert "  block height 8, 1 level, as laid out" in outcome.out
    assert "  linear, stride a multiple of 32, as laid out" in outcome.out
    found = refnvn("layout", "--format", "RGBA8", "--size", "320x320", "--bytes", "409600", "--json").json
    heights = {one["block_height_gob"] for one in found["layouts"] if one["storage_size_B"] == 409600}
    assert heights == {0, 1, 2, 4, 8}


@pytest.mark.parametrize(
    ("described", "fact"),
    [
        pytest.param("--size 33x33x33", "block height 1, depth 16 GOBs (by rule)  [LAYOUT-AUTO-2", id="3d"),
        pytest.param("--size 33x33x33 --block-height 2", "block height 2, depth 1 GOBs  [given]", id="given-3d"),
        pytest.param("--size 64x64", "block height 8 GOBs (by rule)  [LAYOUT-AUTO-1]", id="2d"),
        pytest.param("--size 64x64 --block-height 2", "block height 2 GOBs  [given]", id="given"),
        pytest.param("--size 256x256x64 --sparse", "GOBs (by rule)  [LAYOUT-SPARSE-", id="sparse-3d"),
    ],
)
def test_height_and_depth_name_their_rules(described: str, fact: str) -> None:
    """What no user gave is not called given, in the text and in JSON; one rule says both of a 3D texture."""
    asked = ("layout", "--format", "RGBA8", *described.split())
    assert fact in refnvn(*asked).out
    if "block-height" not in described:
        assert refnvn(*asked, "--json").json["rules"]["block_height_gob"]


def test_blocks_of_3d_textures_are_searched_by_height_and_depth() -> None:
    """A size that only a depth of 4 gives is found, and says so."""
    asked = ("layout", "--format", "RGBA8", "--size", "16x8x6", "--bytes", 8 * 512)
    said = refnvn(*asked).out
    assert "block height 1, depth 4, 1 level, as laid out" in said
    assert {one["block_depth_gob"] for one in refnvn(*asked, "--json").json["layouts"]} >= {4, 8}


def test_a_size_that_fits_nothing_exits_with_1() -> None:
    """The nearest sizes are told instead."""
    outcome = refnvn("layout", "--format", "RGBA8", "--size", "4x4", "--bytes", "513")
    assert outcome.code == 1
    assert "512 bytes (-1)" in outcome.out
    answer = refnvn("layout", "--format", "RGBA8", "--size", "4x4", "--bytes", "513", "--json")
    assert answer.code == 1
    assert (answer.json["layouts"], answer.json["nearest"][0]["size_B"]) == ([], 512)


@pytest.mark.parametrize(
    ("described", "words"),
    [
        pytest.param("", "--format and --size must be given", id="nothing"),
        pytest.param("--format RGBA8", "--size must be given", id="no-size"),
        pytest.param("--size 4x4", "--format must be given", id="no-format"),
        pytest.param("--format= --size 4x4", "format '' is not an NVN format", id="empty-format"),
        pytest.param("--format BC7 --size 4x4", "NVN calls it: BPTC_UNORM", id="foreign-format"),
        pytest.param("--format RGB8 --size 4x4", "cannot be used as texture; its uses: vertex", id="no-use"),
        pytest.param("--format RGB32F --size 4x4", "cannot have 12 bytes per texel", id="12-bytes"),
    ],
)
def test_a_texture_that_is_not_described_is_refused(described: str, words: str) -> None:
    """Format and size are needed, and the format must be one of a texture."""
    assert words in complaint("layout", *described.split())


@pytest.mark.parametrize(
    ("described", "words"),
    [
        pytest.param("--size 4x4x4x4", "size '4x4x4x4' is not WIDTHxHEIGHT", id="four-numbers"),
        pytest.param("--size -4x4", "size '-4x4' is not", id="negative"),
        pytest.param("--size 4×4", "size '4×4' is not", id="another-cross"),
        pytest.param("--size ٤x4", "size '٤x4' is not", id="other-digits"),
        pytest.param("--size=", "size '' is not", id="empty-size"),
        pytest.param("--size 0x4", "width 0 is not in 1..16384", id="zero"),
        pytest.param("--size 16385x4", "width 16385 is not in 1..16384", id="too-wide"),
        pytest.param("--size 4x4x2049", "depth 2049 is not in 0..2048", id="too-deep"),
        pytest.param(f"--size {'9' * 30}x4", "is not WIDTHxHEIGHT", id="huge"),
        pytest.param("--size 4x4 --levels abc", "levels 'abc' is neither a number nor 'full'", id="word"),
        pytest.param("--size 4x4 --levels -1", "levels '-1' is neither", id="negative-levels"),
        pytest.param("--size 4x4 --levels ²", "levels '²' is neither", id="superscript-levels"),
        pytest.param("--size 4x4 --levels 0", "levels 0 is not in 1..15", id="no-levels"),
        pytest.param("--size 4x4 --levels 16", "levels 16 is not in 1..15", id="too-many-levels"),
        pytest.param("--size 4x4 --layers -1", "-1 is not in 0..16384", id="negative-layers"),
        pytest.param("--size 4x4 --layers 3 --target 2d", "needs an array target, not 2d", id="layers-of-2d"),
        pytest.param("--size 4x4x4 --layers 3", "needs an array target, not 3d", id="layers-of-3d"),
        pytest.param("--size 4x4 --layers 7 --target cubemap", "needs an array target", id="cube-of-7"),
        pytest.param("--size 4x4 --layers 7 --target cubemap-array", "multiple of 6", id="7-faces"),
        pytest.param("--size 4x4 --target cubemap-array", "counts faces: 6, 12, 18", id="no-faces"),
        pytest.param("--size 4x5 --target cubemap", "faces are square, not 4x5", id="oblong-cube"),
        pytest.param("--size 4x4 --layers 3 --target 1d-array", "counts a 1d-array's layers", id="height-and-layers"),
        pytest.param("--size 4x4x4 --target 2d", "which only a 3d target has", id="depth-of-2d"),
        pytest.param("--size 4x4 --samples 3", "samples 3 is not one of 1, 2, 4, 8, 16", id="3-samples"),
        pytest.param("--size 4x4 --samples 4 --target 2d", "need a multisample target", id="2d-samples"),
        pytest.param("--size 4x4 --stride 64", "only for a LINEAR texture", id="stride"),
        pytest.param("--size 4x4 --linear --stride -32", "must be a multiple of 32", id="negative-stride"),
        pytest.param(f"--size 4x4 --linear --stride {2**70}", "is more than", id="huge-stride"),
        pytest.param("--size 4x4 --linear --sparse", "a linear texture is 2D", id="linear-sparse"),
        pytest.param("--size 4x4 --block-height 3", "block height 3 is not one of", id="odd-block"),
        pytest.param("--size 4x4 --block-height -1", "block height -1 is not one of", id="negative-block"),
        pytest.param("--size 4x4 --block-depth 2", "block depth 2 needs a 3D texture", id="flat-block-depth"),
        pytest.param("--size 4x4 --bytes 0", "--bytes 0 is not a size", id="no-bytes"),
        pytest.param("--size 4x4 --bytes -5", "--bytes -5 is not a size", id="negative-bytes"),
    ],
)
def test_odd_input_is_refused_in_one_line(described: str, words: str) -> None:
    """The line says what was wrong and what is allowed; with ``--json`` standard output stays empty too."""
    assert words in complaint("layout", "--format", "RGBA8", *described.split())
    assert words in complaint("layout", "--format", "RGBA8", *described.split(), "--json")
