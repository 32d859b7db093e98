"""What the two images alone say: every change of an image that is known is named first."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray

from refnvn.compare.image_remarks import remarks
from refnvn.compare.image_suspicions import image_suspicions
from refnvn.compare.judge import weighed
from refnvn.compare.places import View
from refnvn.golden.build import build
from refnvn.golden.case import GoldenCase
from refnvn.golden.model import Golden
from refnvn.golden.scene import SceneFunction
from refnvn.nvn.device import Device
from tests.compare.spoiled import painted, rows_of

Texels = NDArray[np.uint8]
Change = Callable[[Texels], Texels]
SIZE_PX = (64, 48)
FORMATS = {"colours": "RGBA8", "others": "RGBA8", "ten": "RGB10A2", "halves": "RGBA16F", "bytes": "R8"}


def written(device: Device) -> None:
    """Write a picture with alpha into a texture of each format, and read it back."""
    width, height = SIZE_PX
    for seed, (name, fmt) in enumerate(FORMATS.items()):
        target = device.texture(fmt, width, height)
        target.write_texels(expected(fmt, seed)[None])
        target.read_texels(name)


def expected(fmt: str, seed: int) -> Texels:
    """Return a picture in a format, alpha neither 0 nor 1, shape (rows, columns, bytes)."""
    picture = painted(seed, *SIZE_PX).copy()
    picture[..., 3] = 0.2 + 0.6 * picture[..., 0]
    return rows_of(fmt, picture).reshape(SIZE_PX[1], SIZE_PX[0], -1)


@cache
def golden() -> Golden:
    """Return the golden of the five pictures."""
    scene = SceneFunction(written, "t_images/written")
    return build(GoldenCase(name="t_images/written", t_test="t_images", says="Five pictures.", function=scene))


def views(result: str, change: Change) -> dict[str, View]:
    """Return the comparison with a readback in which one result is changed."""
    actual = {one.base.name: one.base.array.tobytes() for one in golden().results}
    seed = list(FORMATS).index(result)
    actual[result] = np.ascontiguousarray(change(expected(FORMATS[result], seed))).tobytes()
    return {view.name: view for view in weighed(golden(), actual, most_places=0).views}


def with_colours(texels: Texels, change: Callable[[NDArray[np.float64]], NDArray[np.float64]]) -> Texels:
    """Return 8-bit texels with changed colours, rounded to nearest."""
    values = np.clip(change(texels[..., :3] / 255), 0, 1)
    return np.concatenate((np.rint(values * 255).astype(np.uint8), texels[..., 3:]), axis=-1)


def ten_exchanged(texels: Texels) -> Texels:
    """Exchange bits 0 to 9 and 20 to 29."""
    word = texels.copy().view("<u4")
    return (word & 0xC00FFC00 | (word & 1023) << 20 | word >> 20 & 1023).astype("<u4").view(np.uint8)


def padded(texels: Texels) -> Texels:
    """Store rows four texels longer, and read them without."""
    rows, columns, size_B = texels.shape
    stored = np.zeros((rows, columns + 4, size_B), np.uint8)
    stored[:, :columns] = texels
    return stored.reshape(-1)[: texels.size].reshape(texels.shape)


@pytest.mark.parametrize(
    ("result", "change", "words"),
    [
        ("colours", lambda t: t[::-1], "rows upside down: the other window origin"),
        ("colours", lambda t: t[:, ::-1], "columns mirrored"),
        ("halves", lambda t: t[::-1, ::-1], "turned by half a turn"),
        ("colours", lambda t: t[..., [2, 1, 0, 3]], "components RGBA hold BGRA"),
        ("colours", lambda t: t[..., [3, 0, 1, 2]], "components RGBA hold ARGB"),
        ("halves", lambda t: t[..., [4, 5, 2, 3, 0, 1, 6, 7]], "components RGBA hold BGRA"),
        ("ten", ten_exchanged, "components RGBA hold BGRA"),
        ("colours", lambda t: with_colours(t, lambda v: 1.055 * v ** (1 / 2.4) - 0.055), "sRGB encoded once more"),
        ("colours", lambda t: with_colours(t, lambda v: ((v + 0.055) / 1.055) ** 2.4), "sRGB decoded once more"),
        ("colours", lambda t: with_colours(t, lambda v: v * t[..., 3:] / 255), "colours multiplied with alpha"),
        ("colours", lambda t: with_colours(t, lambda v: v / (t[..., 3:] / 255)), "colours divided by alpha"),
        ("bytes", lambda t: np.roll(t, 3, axis=0), "moved by 3 rows"),
        ("ten", lambda t: np.roll(t, -2, axis=1), "moved by -2 columns"),
        ("colours", lambda t: np.roll(t, 20, axis=0), "moved by 20 rows and 0 columns"),
        ("halves", lambda t: np.roll(t, (2, 3), axis=(0, 1)), "moved by 2 rows and 3 columns"),
        ("colours", padded, "rows stored 4 texels longer and read without"),
        ("colours", lambda _: expected("RGBA8", 1), "holds what result others should"),
    ],
)
def test_what_happened_to_an_image_is_named_first(result: str, change: Change, words: str) -> None:
    """One change, made here in other words than those of the code that looks for it."""
    first = image_suspicions(views(result, change))[0]
    assert (first.result, first.words) == (result, words)
    assert first.explained >= 0.9 * first.wrong


def test_a_rounding_of_its_own_does_not_hide_a_change() -> None:
    """SRGB encoded and cut instead of rounded: within one code it is all of it, and that is said."""
    first = image_suspicions(views("colours", lambda t: with_colours(t, lambda v: 1.055 * v ** (1 / 2.4) - 0.057)))[0]
    assert (first.words, first.within_one, first.left_over) == ("sRGB encoded once more", True, 0)


def test_noise_has_no_story() -> None:
    """Random bytes look like no change of the picture."""
    noise = np.random.default_rng(4)
    assert image_suspicions(views("colours", lambda t: noise.integers(0, 256, t.shape, np.uint8))) == []


def bytewise(*values: int) -> Texels:
    """Return the bytes of one texel."""
    return np.array(values, np.uint8)


def tile(texels: Texels) -> Texels:
    """Fill two tiles of 16 x 16."""
    changed = texels.copy()
    changed[16:32, 16:32] = changed[32:48, 48:64] = 0x40
    return changed


def with_nan(texels: Texels) -> Texels:
    """Put NaN into 12 texels."""
    changed = texels.copy().view("<u2")
    changed[3, 5:17] = 0x7E00
    return changed.view(np.uint8)


@pytest.mark.parametrize(
    ("result", "change", "words"),
    [
        ("colours", lambda t: t | bytewise(0, 0, 0, 255), "only component A differs: A holds 255 in all of them"),
        ("colours", lambda t: t & bytewise(255, 255, 0, 255), "only component B differs: B holds 0 in all of them"),
        ("colours", lambda t: t ^ bytewise(1, 0, 1, 1), "no component is off by more than one code"),
        ("bytes", lambda t: t * 0, "hold 00, which is what memory holds that nobody wrote"),
        ("halves", with_nan, "12 texels hold NaN where none should be"),
        ("ten", tile, "fill 2 whole squares of 16 x 16"),
    ],
)
def test_what_can_be_said_of_wrong_texels_is_said(result: str, change: Change, words: str) -> None:
    """A remark for what no change of the image makes."""
    assert any(one.startswith(f"{result}: ") and words in one for one in remarks(views(result, change)))
