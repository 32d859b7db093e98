"""The pictures beside a golden's numbers."""

import io

import numpy as np
import pytest
from PIL import Image as Picture

from refnvn.golden.case import image
from refnvn.golden.preview import MOST_PICTURES, preview_png
from refnvn.golden.result import Image


def shown(codes: np.ndarray, what: Image) -> np.ndarray:
    """Return the picture of an image result."""
    png = preview_png(image("codes", codes, what))
    assert png is not None
    with Picture.open(io.BytesIO(png)) as picture:
        return np.array(picture)


def test_all_slices_are_shown_with_one_scale() -> None:
    """Four slices of 0, 1, 2 and 3 lie two by two; 3 is white, and the others a third apart."""
    codes = np.repeat(np.arange(4, dtype=np.uint8), 4).reshape(4, 2, 2)
    picture = shown(codes, Image(format="R8UI", width_px=2, height_px=2, depth_px=4, dimensions="3d"))
    assert [int(picture[y, x, 0]) for y in (0, 6) for x in (0, 6)] == [0, 85, 170, 255]


def test_all_layers_are_shown_and_only_level_0() -> None:
    """Each layer's smaller levels are left out."""
    layers = np.array([[10, 10, 10, 10, 99], [20, 20, 20, 20, 99]], dtype=np.uint8)
    picture = shown(layers, Image(format="R8", width_px=2, height_px=2, layers=2, levels=2))
    assert picture.shape == (2, 2 + 4 + 2, 4)
    assert [int(picture[0, x, 0]) for x in (0, 6)] == [10, 20]


def test_a_sheet_stops_at_its_limit() -> None:
    """510 faces would be a wall of dots: the first 256 are shown."""
    assert MOST_PICTURES == 256
    picture = shown(np.zeros((510, 1, 1), np.uint8), Image(format="R8", width_px=1, height_px=1, layers=510))
    assert picture.shape[:2] == (16 + 15 * 4, 16 + 15 * 4)


@pytest.mark.parametrize("more", [{"layout": "guest"}, {"samples": 2}], ids=["guest", "samples"])
def test_what_is_not_rows_of_pixels_has_no_picture(more: dict) -> None:
    """Guest memory is not a picture, nor are samples."""
    codes = np.zeros(2 * more.get("samples", 1), np.uint8)
    assert preview_png(image("codes", codes, Image(format="R8", width_px=2, height_px=1, **more))) is None
