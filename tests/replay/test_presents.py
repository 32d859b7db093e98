"""What is on the screen after a present: which part, which bytes, which way up."""

from __future__ import annotations

import numpy as np
import pytest

from goldens.present_crop import srgb_bytes
from refnvn.commands import recording as r
from refnvn.commands.presents import PresentTexture, Rectangle, presented_region
from refnvn.commands.resources import Region
from refnvn.commands.subject import subject_of
from refnvn.enumerations import WindowOriginMode
from refnvn.errors import RefnvnError
from refnvn.replay.run import replay
from refnvn.testing import results_of
from refnvn.trace.check import check
from tests.replay.scenes import recording, ref, run, texture, whole

WHOLE = Region(width=12, height=9)


@pytest.mark.rule("PRESENT-CROP-1")
@pytest.mark.parametrize(
    ("window", "layer", "shown"),
    [
        pytest.param(None, None, WHOLE, id="none"),
        pytest.param(None, (0, 0, 8, 6), Region(width=8, height=6), id="layer"),
        pytest.param((1, 2, 3, 4), (0, 0, 8, 6), Region(x=1, y=2, width=3, height=4), id="window-wins"),
        pytest.param(None, (0, 0, 20, 20), WHOLE, id="layer-too-large"),
        pytest.param((4, 0, 9, 9), (0, 0, 8, 6), WHOLE, id="window-too-large"),
        pytest.param((0, 0, 0, 6), None, WHOLE, id="empty"),
    ],
)
def test_a_crop_says_what_is_shown(window: Rectangle | None, layer: Rectangle | None, shown: Region) -> None:
    """The ledger's 12x9 texture with crops of 8x6 and 20x20."""
    event = PresentTexture(name="screen", texture=ref(), window_crop=window, layer_crop=layer)
    assert presented_region(subject_of(texture("RGBA8", 12, 9)), event) == shown


@pytest.mark.rule("PRESENT-ORIGIN-1", "PRESENT-BYTES-1")
@pytest.mark.parametrize("fmt", ["R8", "RGBA8_SRGB"])
def test_the_screen_shows_stored_bytes_from_its_top(fmt: str) -> None:
    """Rows 0 to 2 of memory are the bottom ones under the lower-left origin, the top ones under the upper-left."""
    image = texture(fmt, 2, 3)
    codes = np.arange(6 * (1 if fmt == "R8" else 4), dtype=np.uint8).reshape(3, -1)
    events = [
        r.WriteTexels(texture=ref(), region=whole(image), blob="codes"),
        PresentTexture(name="lower", texture=ref(), window_crop=(0, 0, 2, 2)),
        PresentTexture(name="upper", texture=ref(), window_origin=WindowOriginMode.UPPER_LEFT),
    ]
    results = run([image], events, {"codes": codes.tobytes()})
    assert results["lower"].tolist() == codes[[1, 0]].ravel().tolist()
    assert results["upper"].tolist() == codes.ravel().tolist()


@pytest.mark.parametrize(
    ("image", "event", "message"),
    [
        (texture("DEPTH32F", 4, 4), {}, "timeline.0..texture: NVN_FORMAT_DEPTH32F cannot be shown"),
        (texture("RGBA8", 4, 4), {"name": "Screen"}, "timeline.0..name: result name 'Screen'"),
        (texture("RGBA8", 4, 4), {"texture": ref(3)}, "timeline.0..texture: no texture 3; allowed are 0 to 0"),
    ],
)
def test_what_cannot_be_shown_is_refused(image: object, event: dict[str, object], message: str) -> None:
    """The reader of a trace names the place."""
    present = PresentTexture(**({"name": "screen", "texture": ref()} | event))  # type: ignore[arg-type]
    with pytest.raises(RefnvnError, match=message):
        check(recording([image], [present]))  # type: ignore[list-item]


def test_two_pictures_of_one_name_are_refused() -> None:
    """A present is a result, and each has a name of its own."""
    image, present = texture("RGBA8", 4, 4), PresentTexture(name="screen", texture=ref())
    for execute in (check, lambda one: replay(one, {})):
        with pytest.raises(RefnvnError, match=r"timeline.1..name: .*screen"):
            execute(recording([image], [present, present]))


@pytest.mark.rule("PRESENT-BYTES-1")
def test_an_srgb_view_encodes_and_the_screen_decodes_nothing() -> None:
    """The ledger's measured bytes: linear 0, 0.2633, 0.5225 and 1 are shown as 0, 140, 191 and 255."""
    results = results_of(srgb_bytes)
    for name in ("through_view", "srgb_texture"):
        assert np.asarray(results[name]).reshape(4, 4)[:, 0].tolist() == [0, 140, 191, 255]
