"""What is on the screen after a present? The stored bytes of the window's texture, its top row first.

Read next: ``refnvn/commands/presents.py``, which says what part of the texture.
"""

from __future__ import annotations

import numpy as np

from refnvn.commands.presents import PresentTexture, presented_region
from refnvn.enumerations import WindowOriginMode
from refnvn.memory.pool import Bytes
from refnvn.replay.context import Context
from refnvn.replay.copies import area_codes, tell_area
from refnvn.replay.errors import field
from refnvn.replay.readings import Reader
from refnvn.replay.views import area_of
from refnvn.rules.evidence import Evidence
from refnvn.rules.registry import rule


def present_texture(context: Context, event: PresentTexture) -> None:
    """Keep the picture under its name."""
    with field("texture"):
        target = context.textures.target(event.texture)
    area = area_of(target, presented_region(target.subject, event))
    codes = area_codes(target, area)[0]
    tell_area(context, Reader.DISPLAY, target, area, event.texture.texture)
    with field("name"):
        context.keep(event.name, scanned_out(as_stored(codes), event.window_origin).reshape(-1))


@rule(
    "PRESENT-BYTES-1",
    "Scan-out shows the stored bytes and decodes nothing, of a window texture of an sRGB format either; so it shows "
    "what the processor wrote, if nothing was drawn since.",
    evidence=Evidence.SWITCH,
    sources=("seed-titles",),
    ledger=("rt-view-srgb", "cpu-window-tex", "upscaler-colour"),
)
def as_stored(codes: Bytes) -> Bytes:
    """Return the codes that are shown of those that are stored."""
    return codes


@rule(
    "PRESENT-ORIGIN-1",
    "Under a lower-left origin row 0 of memory is the bottom of the screen, under an upper-left one the top; the "
    "origin is the device's at the present.",
    evidence=Evidence.INFERRED,
    sources=("seed-titles",),
    ledger=("origin-lower-left", "present-crop"),
    refuted_by="a console under the lower-left origin that shows a texture's first row at the top",
)
def scanned_out(rows: Bytes, origin: WindowOriginMode) -> Bytes:
    """Return rows of memory as rows of the screen, top first.

    >>> scanned_out(np.array([[1], [2]], np.uint8), WindowOriginMode.LOWER_LEFT).ravel().tolist()
    [2, 1]
    """
    return np.ascontiguousarray(rows[::-1]) if origin is WindowOriginMode.LOWER_LEFT else rows
