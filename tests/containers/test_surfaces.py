"""The neutral value between readers and writers refuses every shape that no texture has."""

from __future__ import annotations

import pytest

from refnvn.containers.surface import BlockSize, Kind, Shape, Surfaces
from refnvn.errors import ArgumentError, FieldRangeError, SizeError

RGBA8 = {"format": "RGBA8", "block": BlockSize(4)}
BC1 = {"format": "RGBA_DXT1", "block": BlockSize(8, 4, 4)}


@pytest.mark.parametrize(
    ("shape", "sizes_B"),
    [
        pytest.param(Shape(**RGBA8, width_px=5, height_px=3, levels=3), [60, 8, 4], id="plain levels halve down"),
        pytest.param(Shape(**BC1, width_px=9, height_px=4, levels=4), [24, 8, 8, 8], id="blocks round up"),
        pytest.param(
            Shape(**RGBA8, kind=Kind.THREE_D, width_px=4, height_px=4, depth=3, levels=2),
            [192, 16],
            id="slices halve",
        ),
        pytest.param(
            Shape(format="RGBA_ASTC_12x10", block=BlockSize(16, 12, 10), width_px=13, height_px=10),
            [32],
            id="astc 12x10",
        ),
        pytest.param(Shape(format="RGB8", block=BlockSize(3), width_px=5, height_px=2), [30], id="three bytes"),
    ],
)
def test_part_size_is_blocks_times_slices_times_bytes(shape: Shape, sizes_B: list[int]) -> None:
    """A part holds the blocks that cover a level, all its slices, and no padding."""
    assert [shape.part_size_B(level) for level in range(shape.levels)] == sizes_B
    assert shape.total_B == shape.layers * sum(sizes_B)


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        pytest.param({"width_px": 0}, "width_px", id="no width"),
        pytest.param({"width_px": 16385}, "width_px", id="too wide"),
        pytest.param({"width_px": True}, "width_px", id="a bool for a size"),
        pytest.param({"width_px": 1, "height_px": 16385}, "height_px", id="too high"),
        pytest.param({"width_px": 1, "depth": 2}, "depth", id="depth of a 2D texture"),
        pytest.param({"width_px": 1, "kind": Kind.THREE_D, "depth": 2049}, "depth", id="too deep"),
        pytest.param({"width_px": 1, "kind": Kind.ONE_D, "height_px": 2}, "height_px", id="height of a 1D texture"),
        pytest.param({"width_px": 1, "layers": 2}, "layers", id="layers without an array"),
        pytest.param({"width_px": 1, "layers": 2049, "is_array": True}, "layers", id="too many layers"),
        pytest.param({"width_px": 1, "layers": 0, "is_array": True}, "layers", id="an array of nothing"),
        pytest.param({"width_px": 1, "kind": Kind.THREE_D, "is_array": True}, "is_array", id="an array of volumes"),
        pytest.param({"width_px": 1, "kind": Kind.CUBE, "layers": 5}, "layers", id="five faces"),
        pytest.param({"width_px": 1, "kind": Kind.CUBE, "layers": 12}, "layers", id="two cubes without an array"),
        pytest.param({"width_px": 1, "kind": Kind.CUBE, "layers": 13, "is_array": True}, "layers", id="thirteen"),
        pytest.param({"width_px": 2, "kind": Kind.CUBE, "layers": 6}, "height_px", id="a cube that is not square"),
        pytest.param({"width_px": 4, "levels": 4}, "levels", id="a level below 1x1"),
        pytest.param({"width_px": 4, "levels": 0}, "levels", id="no level"),
        pytest.param({"width_px": 4, "kind": "4D"}, "kind", id="four directions"),
        pytest.param({"width_px": 4, "format": "RGBA 8"}, "format", id="a name that is none"),
        pytest.param({"width_px": 4, "kind": Kind.ONE_D, **BC1}, "format", id="compressed 1D"),
    ],
)
def test_shape_outside_the_limits_is_refused_by_field(fields: dict[str, object], field: str) -> None:
    """A shape that no texture has is one error that names the field and what was allowed."""
    with pytest.raises(ArgumentError, match=rf"^{field} is .*allowed"):
        Shape(**{**RGBA8, **fields})


def test_largest_texture_has_fifteen_levels() -> None:
    """16384 texels halve fourteen times, so the largest texture has fifteen levels."""
    assert Shape(**RGBA8, width_px=16384, levels=15).level_size_px(14) == (1, 1, 1)
    with pytest.raises(SizeError, match="levels is 16"):
        Shape(**RGBA8, width_px=16384, levels=16)


@pytest.mark.parametrize("block", [(0, 1, 1), (17, 1, 1), (8, 0, 4), (8, 13, 4), (8, 4, 13)], ids=str)
def test_block_outside_the_limits_is_refused(block: tuple[int, int, int]) -> None:
    """A block has 1 to 16 bytes and sides of 1 to 12 texels."""
    with pytest.raises(SizeError, match="allowed"):
        BlockSize(*block)


@pytest.mark.parametrize(
    ("parts", "says"),
    [
        pytest.param((), "parts holds 0 layers; allowed: 1", id="no layer"),
        pytest.param(((bytes(16),),), r"parts\[0\] holds 1 levels; allowed: 2", id="a level missing"),
        pytest.param(((bytes(16), bytes(3)),), r"parts\[0\]\[1\] holds 3 bytes; allowed: 4", id="a byte missing"),
        pytest.param(((bytes(17), bytes(4)),), r"parts\[0\]\[0\] holds 17 bytes; allowed: 16", id="a byte too much"),
    ],
)
def test_parts_of_another_size_are_refused(parts: tuple[tuple[bytes, ...], ...], says: str) -> None:
    """Every part is exactly as long as its level."""
    with pytest.raises(SizeError, match=says):
        Surfaces(**RGBA8, width_px=2, height_px=2, levels=2, parts=parts)


def test_surfaces_keep_their_shape() -> None:
    """Taking the texels away and giving them back changes nothing."""
    surfaces = Surfaces(**RGBA8, width_px=1, kind="1D", parts=((bytes(4),),))
    assert surfaces.kind is Kind.ONE_D
    assert Surfaces.of(surfaces.shape, surfaces.parts) == surfaces
    with pytest.raises(SizeError, match="the texels take 4 bytes; allowed: at most 3"):
        surfaces.require_at_most(3)
    with pytest.raises(FieldRangeError, match="kind"):
        Shape(**RGBA8, width_px=1, kind="cube")
