"""Dumps spoiled by construction: the fault that was built in stands first, and a sound dump is not blamed."""

from __future__ import annotations

import tracemalloc
from typing import Any

import numpy as np
import pytest
from PIL import Image

from refnvn.compare.dump import Dump, ReadingKind
from refnvn.compare.texture_suspicions import Suspicion, empty_levels, stands_out, suspicions
from refnvn.errors import ShapeError, SizeError
from refnvn.formats.preview import preview
from refnvn.formats.table import Use, format_named, formats
from refnvn.layout.description import TextureDescription, TextureFlags, TextureTarget
from refnvn.layout.texture import texture_layout
from refnvn.layout.tiling import Bytes, tile_texture
from tests.compare.spoiled import SIZE_PX, described, dump_of, painted, rows_of, tiled
from tests.formats.astc_blocks import void_extent

SEEDS = (1, 2, 3)
WIDTH_PX, HEIGHT_PX = SIZE_PX


def first_of(dump_name: str, data: Bytes, description: TextureDescription | None = None) -> Suspicion:
    """Return the likeliest reading, which must stand out."""
    ranked = suspicions(dump_of(dump_name, data, description))
    assert stands_out(ranked), [(one.words, one.explained) for one in ranked[:3]]
    return ranked[0]


@pytest.mark.parametrize("name", ["R8", "RGB565", "RGBA8", "RGBA16F", "R11G11B10F", "RGBA32F"])
@pytest.mark.parametrize("size_px", [(200, 120), (64, 64), (130, 257), (100, 100)])
def test_a_sound_dump_is_not_blamed(name: str, size_px: tuple[int, int]) -> None:
    """Of any format and size, padded or not, what was said is first."""
    for seed in SEEDS:
        description = described(name, width=size_px[0], height=size_px[1])
        data = tiled(description, rows_of(name, painted(seed, *size_px)))
        ranked = suspicions(dump_of(name, data, description))
        assert ranked[0].reading.kind is ReadingKind.AS_SAID
        assert not stands_out(ranked)


@pytest.mark.parametrize("name", ["RGB565", "RGBA8", "RGBA16F"])
@pytest.mark.parametrize("height_gob", [1, 2, 4, 8])
def test_another_block_height_is_found(name: str, height_gob: int) -> None:
    """120 rows take 16 GOBs by rule; a texture tiled with another height says so, padding or not."""
    for seed in SEEDS:
        first = first_of(name, tiled(described(name), rows_of(name, painted(seed)), height_gob))
        assert first.reading.kind is ReadingKind.BLOCK_HEIGHT
        assert first.reading.options == f"--block-height {height_gob}"


@pytest.mark.parametrize("pitch_B", [WIDTH_PX * 4, 832, 1024, WIDTH_PX * 4 + 20])
def test_rows_that_are_not_tiled_are_found_with_their_pitch(pitch_B: int) -> None:
    """Tight, padded to 64, to 1024, and to nothing that anybody would guess."""
    for seed in SEEDS:
        padded = np.zeros((HEIGHT_PX, pitch_B), np.uint8)
        padded[:, : WIDTH_PX * 4] = rows_of("RGBA8", painted(seed)).reshape(HEIGHT_PX, -1)
        first = first_of("RGBA8", padded.reshape(-1))
        tight = pitch_B == WIDTH_PX * 4
        assert first.reading.kind is (ReadingKind.ROWS if tight else ReadingKind.PITCH)
        assert tight or first.reading.options == f"--linear --stride {pitch_B}"


def test_a_tiled_dump_that_is_said_to_be_linear_is_found() -> None:
    """The other way round too."""
    linear = described("RGBA8", flags=TextureFlags.LINEAR)
    first = first_of("RGBA8", tiled(described("RGBA8"), rows_of("RGBA8", painted(1))), linear)
    assert (first.reading.kind, first.reading.options) == (ReadingKind.ROWS, "without --linear")


@pytest.mark.parametrize("really_sparse", [True, False])
def test_sparse_padding_is_found(really_sparse: bool) -> None:
    """130 x 257 texels in tiles of 64 KiB, or not, against what was said."""
    size = {"width": 130, "height": 257}
    plain, sparse = described("RGBA8", **size), described("RGBA8", flags=TextureFlags.SPARSE, **size)
    real, said = (sparse, plain) if really_sparse else (plain, sparse)
    first = first_of("RGBA8", tiled(real, rows_of("RGBA8", painted(1, 130, 257))), said)
    assert first.reading.kind is ReadingKind.SPARSE
    assert first.reading.words == ("sparse" if really_sparse else "not sparse")


@pytest.mark.parametrize(
    ("name", "word_B"), [("R16", 2), ("RGB565", 2), ("RG16F", 2), ("RGBA16F", 2), ("R32F", 4), ("RGB10A2", 4)]
)
def test_bytes_the_other_way_round_are_found(name: str, word_B: int) -> None:
    """Words of 16 or 32 bits in the other byte order."""
    for seed in SEEDS:
        rows = rows_of(name, painted(seed))
        swapped = rows.reshape(HEIGHT_PX, -1, word_B)[..., ::-1]
        first = first_of(name, tiled(described(name), swapped))
        assert first.reading.kind is ReadingKind.BYTE_ORDER
        assert first.reading.words == f"bytes of each {8 * word_B} bits the other way round"


def test_alpha_in_the_first_byte_is_found_without_a_picture() -> None:
    """An opaque alpha tells where it is; which of the orders it is, red or blue first, it cannot tell."""
    for seed in SEEDS:
        rows = rows_of("RGBA8", painted(seed))
        for order in ([3, 2, 1, 0], [3, 0, 1, 2]):
            ranked = suspicions(dump_of("RGBA8", tiled(described("RGBA8"), rows[..., order])))
            assert {one.reading.words for one in ranked[:2]} == {"A first, then B, G, R", "A first, then R, G, B"}
            assert ranked[0].explained == pytest.approx(ranked[1].explained)


@pytest.mark.parametrize(
    ("order", "words"),
    [
        ([2, 1, 0, 3], "R and B exchanged"),
        ([1, 0, 2, 3], "R and G exchanged"),
        ([3, 2, 1, 0], "A first, then B, G, R"),
        ([3, 0, 1, 2], "A first, then R, G, B"),
    ],
)
def test_a_picture_tells_the_order_of_components(order: list[int], words: str) -> None:
    """Beside what is expected the order that was written is the only one that is exact."""
    for seed in SEEDS:
        rows = rows_of("RGBA8", painted(seed))
        ranked = suspicions(dump_of("RGBA8", tiled(described("RGBA8"), rows[..., order], 4)), rows)
        assert ranked[0].reading.words == f"block height 4, {words}"
        assert ranked[0].explained == 1.0 > ranked[1].explained


def test_a_picture_tells_rows_that_are_upside_down() -> None:
    """As smooth as the right ones, and found by the picture."""
    rows = rows_of("RGBA8", painted(1))
    first = suspicions(dump_of("RGBA8", tiled(described("RGBA8"), rows[::-1])), rows)[0]
    assert (first.reading.kind, first.reading.words) == (ReadingKind.TURNED, "rows from the bottom up")


@pytest.fixture
def chain() -> tuple[TextureDescription, Bytes]:
    """Return a texture of four levels, each the last one halved, and its storage."""
    rows = rows_of("RGBA8", painted(1))
    picture = Image.fromarray(rows)
    levels = [np.array(picture.resize((WIDTH_PX >> one, HEIGHT_PX >> one), Image.Resampling.BOX)) for one in range(4)]
    description = described("RGBA8", levels=4)
    texels = np.concatenate([level.reshape(-1) for level in levels])
    return description, tile_texture(texture_layout(description), texels)


def test_more_levels_than_were_said_are_found(chain: tuple[TextureDescription, Bytes]) -> None:
    """Four levels that are taken for one: the rest would be thrown away."""
    first = first_of("RGBA8", chain[1])
    assert (first.reading.kind, first.reading.options) == (ReadingKind.LEVELS, "--levels 4")


def test_a_file_that_begins_with_level_1_is_found(chain: tuple[TextureDescription, Bytes]) -> None:
    """It is half as large each way, as the chain places it."""
    description, data = chain
    first = first_of("RGBA8", data[texture_layout(description).levels[1].offset_B :], description)
    assert (first.reading.kind, first.reading.words) == (ReadingKind.START, "begins with level 1, 100x60")


@pytest.mark.parametrize("header_B", [128, 148, 77])
def test_bytes_before_the_texture_are_found(header_B: int) -> None:
    """A header of the usual length, or as many bytes as the file is too long."""
    data = tiled(described("RGBA8"), rows_of("RGBA8", painted(1)))
    first = first_of("RGBA8", np.concatenate([np.arange(header_B, dtype=np.uint8), data]))
    assert first.reading.options == f"--start {header_B} --allow-rest"


def test_layers_that_were_not_said_are_found() -> None:
    """Three layers in a file that was said to be one texture."""
    array = described("RGBA8", target=TextureTarget.TARGET_2D_ARRAY, depth=3)
    rows = np.stack([rows_of("RGBA8", painted(seed)) for seed in SEEDS])
    assert first_of("RGBA8", tiled(array, rows)).reading.options == "--layers 3"


@pytest.mark.parametrize(("real", "said"), [("6x6", "8x8"), ("8x8", "6x6"), ("5x4", "12x10")])
def test_a_wrong_size_of_astc_block_is_found(real: str, said: str) -> None:
    """A smooth picture of blocks of one colour, which are legal in every size."""
    across, down = map(int, real.split("x"))
    columns, rows = -(-WIDTH_PX // across), -(-HEIGHT_PX // down)
    colours = (painted(1, columns, rows) * 0xFFFF).astype(np.int64)
    blocks = b"".join(void_extent(tuple(int(code) for code in one)) for one in colours.reshape(-1, 4))
    name = f"RGBA_ASTC_{real}"
    data = tiled(described(name), np.frombuffer(blocks, np.uint8))
    first = first_of(f"RGBA_ASTC_{said}", data)
    assert (first.reading.kind, first.reading.fmt.name) == (ReadingKind.ASTC_SIZE, name)


@pytest.mark.parametrize("name", ["RGBA_DXT1", "RGBA_DXT5"])
@pytest.mark.parametrize("height_gob", [1, 2, 8])
def test_another_block_height_of_blocks_is_found(name: str, height_gob: int) -> None:
    """A picture of 200 x 140 blocks of one colour each, which take 16 GOBs by rule."""
    columns, rows = 200, 140
    size = {"width": 4 * columns, "height": 4 * rows}
    ends = np.repeat(rows_of("RGB565", painted(1, columns, rows)), 2, axis=2).reshape(rows, columns, 4)
    opaque = np.full((rows, columns, 2), 255, np.uint8)
    nothing = np.zeros((rows, columns, 6), np.uint8)
    alpha = [opaque, nothing] if name == "RGBA_DXT5" else []
    blocks = np.concatenate([*alpha, ends[..., [0, 1, 0, 1]], nothing[..., :4]], axis=2)
    first = first_of(name, tiled(described(name, **size), blocks, height_gob), described(name, **size))
    assert first.reading.options == f"--block-height {height_gob}"


_SAID: list[dict[str, Any]] = [
    {},
    {"target": TextureTarget.TARGET_3D, "depth": 5, "levels": 3},
    {"target": TextureTarget.TARGET_CUBEMAP, "width": 40, "height": 40},
    {"target": TextureTarget.TARGET_2D_MULTISAMPLE, "samples": 4},
    {"flags": TextureFlags.LINEAR},
    {"target": TextureTarget.TARGET_2D_ARRAY, "depth": 3, "levels": 2},
]


@pytest.mark.parametrize(
    ("place", "name"),
    [*enumerate(one.name for one in formats().values() if one.has(Use.TEXTURE) and one.bytes_per_block != 12)],
)
def test_noise_in_any_format_is_read_and_accused_of_nothing(place: int, name: str) -> None:
    """Every sampled format, by turns as every kind of texture."""
    fmt = format_named(name)
    said = _SAID[place % len(_SAID)]
    if fmt.is_compressed and "samples" in said:
        said = {}
    description = described(name, **{"width": 40, "height": 24, **said})
    layout = texture_layout(description)
    data = np.random.default_rng(place).integers(0, 256, layout.size_B, dtype=np.uint8)
    ranked = suspicions(Dump(fmt=fmt, description=description, data=data, layer=layout.layers - 1))
    assert ranked[0].reading.fmt.name.split("_")[0] == name.split("_", maxsplit=1)[0]
    assert not stands_out(ranked)


def test_the_work_is_bounded_by_the_file() -> None:
    """2048 layers of all levels are said, and one level is there: nothing of the size that is said is made."""
    said = described("RGBA8", width=1024, height=1024, depth=2048, levels=11, target=TextureTarget.TARGET_2D_ARRAY)
    layout = texture_layout(said)
    data = np.random.default_rng(1).integers(0, 256, layout.levels[0].size_B, dtype=np.uint8)
    tracemalloc.start()
    ranked = suspicions(dump_of("RGBA8", data, said))
    empty = empty_levels(dump_of("RGBA8", data, said))
    peak_B = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert layout.size_B > 10**10
    assert peak_B < 60 * data.size
    assert not stands_out(ranked)
    assert [(one.layer, one.level) for one in empty] == [(0, 0)]


def test_of_a_large_dump_the_corner_is_judged_and_all_is_counted() -> None:
    """1100 x 1100 texels: a block height is found, and the corner says how much of it there is."""
    size = {"width": 1100, "height": 1100}
    data = tiled(described("R8", **size), rows_of("R8", painted(1, 1100, 1100)), 4)
    first = first_of("R8", data, described("R8", **size))
    assert first.reading.options == "--block-height 4"
    assert (first.reading.shown_px, first.reading.width_px, first.reading.is_whole) == ((1024, 1024), 1100, False)
    assert first.reading.lost == 0


def test_noise_accuses_nobody() -> None:
    """Where no reading looks like a picture, none stands out."""
    description = described("RGBA8")
    noise = np.random.default_rng(1).integers(0, 256, texture_layout(description).size_B, dtype=np.uint8)
    assert not stands_out(suspicions(dump_of("RGBA8", noise)))


def test_a_height_that_reads_padding_does_not_win() -> None:
    """A dark picture with an empty lower half: smooth zeros gain nothing, bytes that are thrown away cost."""
    picture = painted(1) * np.float32(0.1)
    picture[HEIGHT_PX // 2 :] = 0
    data = tiled(described("RGBA8"), rows_of("RGBA8", picture), 2)
    first = suspicions(dump_of("RGBA8", data))[0]
    assert "block height 2" in (first.reading.words, *first.same)


def test_a_reading_shows_what_it_says() -> None:
    """The rows of the first reading are the picture that was tiled."""
    rows = rows_of("RGBA8", painted(1))
    reading = suspicions(dump_of("RGBA8", tiled(described("RGBA8"), rows, 2)))[0].reading
    assert (reading.rows == rows).all()
    assert (preview(reading.fmt, reading.rows, reading.width_px, reading.height_px) == rows).all()


def test_empty_blocks_are_counted_by_level_and_layer() -> None:
    """Two layers of BC1, the second with one block that holds something."""
    description = described("RGBA_DXT1", width=16, height=8, target=TextureTarget.TARGET_2D_ARRAY, depth=2, levels=2)
    texels = np.zeros(2 * (8 + 2) * 8, np.uint8)
    texels[10 * 8 + 3] = 1
    found = empty_levels(dump_of("RGBA_DXT1", tiled(description, texels), description))
    assert [(one.layer, one.level, one.empty, one.blocks) for one in found] == [
        (0, 0, 8, 8), (0, 1, 2, 2), (1, 0, 7, 8), (1, 1, 2, 2),
    ]  # fmt: skip


def test_a_file_too_short_for_anything_is_refused() -> None:
    """It says what it does not hold."""
    with pytest.raises(SizeError, match="hold no level 0 of 200x120"):
        suspicions(dump_of("RGBA8", np.ones(1000, np.uint8)))


def test_an_expected_picture_of_another_size_is_refused() -> None:
    """It would match nothing."""
    data = tiled(described("RGBA8"), rows_of("RGBA8", painted(1)))
    with pytest.raises(ShapeError, match=r"allowed: \(120, 200, 4\)"):
        suspicions(dump_of("RGBA8", data), np.zeros((120, 100, 4), np.uint8))


def test_the_answer_does_not_depend_on_when_it_is_asked() -> None:
    """Twice the same ranking, to the bit."""
    dump = dump_of("RGBA16F", tiled(described("RGBA16F"), rows_of("RGBA16F", painted(3)), 1))
    one, two = suspicions(dump), suspicions(dump)
    assert [(each.words, each.explained) for each in one] == [(each.words, each.explained) for each in two]
