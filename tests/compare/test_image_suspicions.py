"""What the two images alone say: every change of an image that is known is named first."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from refnvn.compare.image_earlier import earlier_images
from refnvn.compare.image_parts import Part, parts_of
from refnvn.compare.image_remarks import remarks
from refnvn.compare.image_suspicions import image_suspicions
from refnvn.compare.judge import weighed
from refnvn.golden.build import build
from refnvn.golden.case import GoldenCase, Image, image
from refnvn.golden.model import Golden
from refnvn.golden.scene import SceneFunction, trace_of
from refnvn.layout import tiling
from refnvn.layout.texture import texture_layout
from refnvn.nvn.device import Device
from tests.compare.spoiled import described, painted, rows_of

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


def parts(result: str, change: Change) -> list[Part]:
    """Return the images of a comparison with a readback in which one result is changed."""
    actual = {one.base.name: one.base.array.tobytes() for one in golden().results}
    seed = list(FORMATS).index(result)
    actual[result] = np.ascontiguousarray(change(expected(FORMATS[result], seed))).tobytes()
    return parts_of({view.name: view for view in weighed(golden(), actual, most_places=0).views})


def with_colours(texels: Texels, change: Callable[[NDArray[np.float64]], NDArray[np.float64]]) -> Texels:
    """Return 8-bit texels with changed colours, rounded to nearest."""
    values = np.clip(change(texels[..., :3] / 255), 0, 1)
    return np.concatenate((np.rint(values * 255).astype(np.uint8), texels[..., 3:]), axis=-1)


def ten_exchanged(texels: Texels) -> Texels:
    """Exchange bits 0 to 9 and 20 to 29."""
    word = texels.copy().view("<u4")
    return (word & 0xC00FFC00 | (word & 1023) << 20 | word >> 20 & 1023).astype("<u4").view(np.uint8)


def as_ten(texels: Texels) -> Texels:
    """Pack 8-bit components, widened to 10 bits, as RGB10A2 would hold them."""
    r, g, b, a = (texels[..., place].astype(np.uint32) for place in range(4))
    wide = [np.rint(one * 1023 / 255).astype(np.uint32) for one in (r, g, b)]
    word = wide[0] | wide[1] << 10 | wide[2] << 20 | np.rint(a * 3 / 255).astype(np.uint32) << 30
    return word.astype("<u4")[..., None].view(np.uint8)


def in_eight(texels: Texels) -> Texels:
    """Round halves to 8 bits and back."""
    codes = np.rint(texels.view("<f2").astype(np.float64) * 255)
    return (codes.astype(np.float32) / np.float32(255)).astype("<f2").view(np.uint8)


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
        ("colours", as_ten, "holds the bits of RGB10A2"),
        ("halves", in_eight, "was RGBA8 on the way, and is rounded as that"),
    ],
)
def test_what_happened_to_an_image_is_named_first(result: str, change: Change, words: str) -> None:
    """One change, made here in other words than those of the code that looks for it."""
    first = image_suspicions(parts(result, change))[0]
    assert (first.result, first.words) == (result, words)
    assert first.explained >= 0.9 * first.wrong


@pytest.mark.parametrize(
    ("result", "change", "words"),
    [
        ("colours", lambda t: t[::-1][..., [2, 1, 0, 3]],
         "components RGBA hold BGRA, and rows upside down: the other window origin"),
        ("ten", lambda t: np.roll(ten_exchanged(t), 5, axis=1), "components RGBA hold BGRA, and moved by 5 columns"),
        ("colours", lambda t: np.roll(with_colours(t, lambda v: 1.055 * v ** (1 / 2.4) - 0.055), 3, axis=0),
         "sRGB encoded once more, and moved by 3 rows"),
        ("colours", lambda t: with_colours(t, lambda v: ((v + 0.055) / 1.055) ** 2.4)[..., [2, 1, 0, 3]],
         "sRGB decoded once more, and components RGBA hold BGRA"),
        ("colours", lambda t: padded(with_colours(t, lambda v: v * t[..., 3:] / 255)),
         "colours multiplied with alpha, and rows stored 4 texels longer and read without"),
        ("bytes", lambda t: np.roll(t[::-1], (20, 9), axis=(0, 1)),
         "rows upside down: the other window origin, and moved by 20 rows and 9 columns"),
        ("halves", lambda t: padded(t[:, ::-1]),
         "columns mirrored, and rows stored 4 texels longer and read without"),
    ],
)  # fmt: skip
def test_two_changes_at_once_are_named_first(result: str, change: Change, words: str) -> None:
    """Where none alone explains it; what two rolls and turns make has several names, and the first is told here."""
    found = image_suspicions(parts(result, change))
    first = found[0]
    assert (first.result, first.words, first.by_two) == (result, words, True)
    assert first.explained >= 0.9 * first.wrong


def test_one_change_stands_before_two() -> None:
    """A half turn is one change, and two: rows and columns. Where one explains all, two are not even tried."""
    found = image_suspicions(parts("halves", lambda t: t[::-1, ::-1]))
    assert not any(one.by_two for one in found)


def test_two_changes_have_to_explain_nearly_all() -> None:
    """A third of noise besides: two changes would explain two thirds, which is too little for so many of them."""
    noise = np.random.default_rng(7)

    def spoiled(texels: Texels) -> Texels:
        changed = np.ascontiguousarray(texels[::-1][..., [2, 1, 0, 3]])
        changed[:16] = noise.integers(0, 256, changed[:16].shape, np.uint8)
        return changed

    assert not any(one.by_two for one in image_suspicions(parts("colours", spoiled)))


def comparison(what: Image, change: Callable[[NDArray[Any]], NDArray[Any]]) -> list[Part]:
    """Return the parts of an image of 8-bit codes beside a changed one, both as rows of bytes."""
    codes = np.random.default_rng(3).integers(0, 256, what.size_B, np.uint8)
    made = build(GoldenCase(name="t_images/made", t_test="t_images", says="An image.",
                            function=lambda _: [image("made", codes, what)]))  # fmt: skip
    actual = {"made": np.ascontiguousarray(change(codes.copy())).tobytes()}
    return parts_of({view.name: view for view in weighed(made, actual, most_places=0).views})


SAMPLED = Image(format="RGBA8", width_px=12, height_px=8, samples=4)


def by_sample(codes: NDArray[Any]) -> NDArray[Any]:
    """Return rows, columns, samples, bytes."""
    return codes.reshape(8, 12, 4, 4)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda c: by_sample(c)[::-1], "rows upside down: the other window origin"),
        (lambda c: by_sample(c)[..., [2, 1, 0, 3]], "components RGBA hold BGRA"),
        (lambda c: by_sample(c)[:, :, ::-1], "samples in reverse order"),
        (lambda c: by_sample(c)[:, :, [2, 2, 2, 2]],
         "every sample holds sample 2: shaded or stored once for a pixel"),
        (lambda c: np.repeat(np.rint(by_sample(c).mean(axis=2, keepdims=True)).astype(np.uint8), 4, axis=2),
         "every sample holds the mean of the pixel: resolved on the way"),
        (lambda c: by_sample(c)[::-1][:, :, ::-1],
         "samples in reverse order, and rows upside down: the other window origin"),
    ],
)  # fmt: skip
def test_images_of_several_samples_are_looked_at(change: Callable[[NDArray[Any]], NDArray[Any]], words: str) -> None:
    """Rows of pixels, components of each sample, and samples in the place of others."""
    assert image_suspicions(comparison(SAMPLED, change))[0].words == words


def test_samples_that_are_wrong_are_named() -> None:
    """Sample 3 alone holds zero."""

    def spoiled(codes: NDArray[Any]) -> NDArray[Any]:
        by_sample(codes)[2:6, 3:9, 3] = 0
        return codes

    assert "made: of 4 samples only 3 are ever wrong" in remarks(comparison(SAMPLED, spoiled))


def test_every_level_is_an_image() -> None:
    """Level 1 of two, in both layers: 16 x 8 and 8 x 4 texels of one byte."""
    what = Image(format="R8", width_px=16, height_px=8, levels=2, layers=2)

    def spoiled(codes: NDArray[Any]) -> NDArray[Any]:
        level = codes.reshape(2, 160)[:, 128:].reshape(2, 4, 8)
        level[:] = level[:, ::-1].copy()
        return codes

    first = image_suspicions(comparison(what, spoiled))[0]
    assert (first.result, first.words) == ("made, level 1", "rows upside down: the other window origin")


def stored(device: Device) -> None:
    """Write two levels of a texture, and read its bytes as they lie in memory."""
    texture = device.texture("RGBA8", 64, 48, levels=2)
    for level, size in enumerate(((64, 48), (32, 24))):
        texture.write_texels(rows_of("RGBA8", painted(level, *size)), level=level)
    texture.read_storage("memory")


@pytest.mark.parametrize("level", [0, 1])
def test_textures_in_memory_are_looked_at(level: int) -> None:
    """Block-linear bytes: the recording says which texture lies there; one of its levels is mirrored."""
    scene = SceneFunction(stored, "t_images/stored")
    case = GoldenCase(name="t_images/stored", t_test="t_images", says="Storage.", function=scene)
    recording, made = trace_of(case).recording, build(case)
    layout = texture_layout(described("RGBA8", width=64, height=48, levels=2))
    storage = made.results[0].base.array.copy()
    rows = tiling.untile(layout, storage, level=level)
    mirrored = rows.reshape(*rows.shape[:2], -1, 4)[:, :, ::-1].reshape(rows.shape)
    tiling.tile(layout, np.ascontiguousarray(mirrored), storage, level=level)
    views = {view.name: view for view in weighed(made, {"memory": storage.tobytes()}, most_places=0).views}
    first = image_suspicions(parts_of(views, recording))[0]
    assert (first.result, first.words) == (f"memory, texture 0, level {level}", "columns mirrored")
    assert parts_of(views) == []


def twice_cleared(device: Device) -> None:
    """Write a picture, clear a corner of it to green, then another to red: commands 1 to 3, and 4 to 6."""
    target = device.texture("RGBA8", 32, 16)
    target.write_texels(rows_of("RGBA8", painted(8, 32, 16)))
    commands = device.command_buffer()
    for x, colour in ((0, (0, 1, 0, 1)), (16, (1, 0, 0, 1))):
        commands.set_render_targets([target])
        commands.set_scissor(x, 0, 16, 8)
        commands.clear_color(0, colour)
    device.queue().submit(commands)
    target.read_texels("target")


@pytest.mark.parametrize(("clears", "when"), [(0, "before the first command"), (1, "after command 3")])
def test_a_stale_image_is_named(clears: int, when: str) -> None:
    """What was there before the draws, or before the last of them."""
    scene = SceneFunction(twice_cleared, "t_images/stale")
    case = GoldenCase(name="t_images/stale", t_test="t_images", says="Clears.", function=scene)
    stale = rows_of("RGBA8", painted(8, 32, 16)).copy().reshape(16, 32, 4)
    stale[:8, : 16 * clears] = (0, 255, 0, 255)
    views = {view.name: view for view in weighed(build(case), {"target": stale.tobytes()}, most_places=0).views}
    trace = trace_of(case)
    found = parts_of(views, trace.recording)
    first = image_suspicions(found, earlier_images(trace, found))[0]
    assert (first.left_over, first.words) == (0, f"holds what it did {when}: a stale image, or later draws are lost")


def test_a_rounding_of_its_own_does_not_hide_a_change() -> None:
    """SRGB encoded and cut instead of rounded: within one code it is all of it, and that is said."""
    first = image_suspicions(parts("colours", lambda t: with_colours(t, lambda v: 1.055 * v ** (1 / 2.4) - 0.057)))[0]
    assert (first.words, first.within_one, first.left_over) == ("sRGB encoded once more", True, 0)


def test_codes_that_are_off_by_one_have_no_story() -> None:
    """Half of the texels are off by one code: that is what is remarked, and no change that moves others about."""

    def off(texels: Texels) -> Texels:
        changed = texels.copy()
        changed[:24, :, :3] ^= 1
        return changed

    found = parts("colours", off)
    assert image_suspicions(found) == []
    assert any("off by more than one code: rounded otherwise" in one for one in remarks(found))


def test_noise_has_no_story() -> None:
    """Random bytes look like no change of the picture."""
    noise = np.random.default_rng(4)
    assert image_suspicions(parts("colours", lambda t: noise.integers(0, 256, t.shape, np.uint8))) == []


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
    assert any(one.startswith(f"{result}: ") and words in one for one in remarks(parts(result, change)))
