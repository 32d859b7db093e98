"""A PNG as stored texels: channels go where the components of their names are, and what has no codes is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from refnvn.compare.pictures import picture_texels
from refnvn.errors import ArgumentError, ShapeError
from refnvn.golden.result import Image, Result, image


def expected(fmt: str, size_B: int, **more: Any) -> Result:
    """Return an image of 2x1 texels that holds bytes 1, 2, 3, ..."""
    codes = np.arange(1, size_B + 1, dtype=np.uint8).reshape(1, -1)
    return image("target", codes, Image(**{"format": fmt, "width_px": 2, "height_px": 1, **more}))


def picture(*texels: tuple[int, ...], dtype: str = "u1") -> NDArray[Any]:
    """Return a picture of one row."""
    return np.array([texels], dtype)


@pytest.mark.parametrize(
    ("fmt", "pixels", "texels"),
    [
        ("RGBA8", picture((9, 8, 7, 6), (5, 4, 3, 2)), [9, 8, 7, 6, 5, 4, 3, 2]),
        ("BGRA8", picture((9, 8, 7, 6), (5, 4, 3, 2)), [7, 8, 9, 6, 3, 4, 5, 2]),
        ("RGBX8", picture((9, 8, 7), (5, 4, 3)), [9, 8, 7, 4, 5, 4, 3, 8]),
        ("RG8", picture((9, 8, 7), (5, 4, 3)), [9, 8, 5, 4]),
        ("R8", picture((9,), (5,)), [9, 5]),
        ("R8UI", np.array([[9, 5]], np.uint8), [9, 5]),
        ("RG16", picture((0x102, 0x304, 0), (5, 6, 0), dtype="u2"), [2, 1, 4, 3, 5, 0, 6, 0]),
    ],
)
def test_channels_go_where_their_components_are(fmt: str, pixels: NDArray[Any], texels: list[int]) -> None:
    """By the format table: B first in BGRA8; X of RGBX8 means nothing and is as expected."""
    size_B = len(texels)
    assert np.asarray(picture_texels(pixels, expected(fmt, size_B))).tolist() == texels


def test_what_a_picture_does_not_have_is_refused_or_told() -> None:
    """An RGB picture of RGBA8 has no alpha: refused, or as expected and told."""
    rgb = picture((9, 8, 7), (5, 4, 3))
    with pytest.raises(ArgumentError, match="a picture of RGBA8 does not have component A; npy and raw"):
        picture_texels(rgb, expected("RGBA8", 8))
    told: list[str] = []
    assert np.asarray(picture_texels(rgb, expected("RGBA8", 8), told.append)).tolist() == [9, 8, 7, 4, 5, 4, 3, 8]
    assert told == ["a picture of RGBA8 does not have component A"]
    opaque = picture((9, 8, 7, 255), (5, 4, 3, 255))
    left = picture_texels(opaque, expected("RGBA8", 8), told.append, has_alpha=False)
    assert np.asarray(left).tolist() == [9, 8, 7, 4, 5, 4, 3, 8]


@pytest.mark.parametrize(
    ("fmt", "size_B", "dtype"),
    [("RGBA16F", 16, "u1"), ("RGB10A2", 8, "u1"), ("DEPTH16", 4, "u1"), ("RGBA8", 8, "u2"), ("RGBA_DXT5", 16, "u1")],
)
def test_formats_whose_codes_no_picture_has_are_refused(fmt: str, size_B: int, dtype: str) -> None:
    """And the line says what would do."""
    pixels = picture((0, 0, 0, 0), (0, 0, 0, 0), dtype=dtype)
    with pytest.raises(ArgumentError, match=f"{fmt}: a PNG of .* bits does not hold its codes; give npy"):
        picture_texels(pixels, expected(fmt, size_B))


def test_pictures_of_other_sizes_are_refused() -> None:
    """Size, layers and samples are named."""
    with pytest.raises(ShapeError, match="a picture of 1x1 is given, R8 2x1 expected"):
        picture_texels(picture((9,)), expected("R8", 2))
    with pytest.raises(ShapeError, match="R8 2x1, 3 layers expected"):
        picture_texels(picture((9,), (9,)), expected("R8", 6, layers=3))
    with pytest.raises(ArgumentError, match="block-linear, which no picture is"):
        picture_texels(picture((9,), (9,)), expected("R8", 512, layout="guest"))


def test_what_is_no_image_is_taken_as_it_is() -> None:
    """A table of numbers has no components."""
    table = Result(name="codes", array=np.zeros((1, 2), np.uint8), kind="table", columns=("a", "b"))
    pixels = np.zeros((1, 2), np.uint8)
    assert picture_texels(pixels, table) is pixels
