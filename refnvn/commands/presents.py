"""What is shown on the screen: the event, and which part of a window's texture it means.

What the display makes of the picture, its scaling and its colours, is no part of this. Read next: ``recording.py``.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from refnvn.commands.event import Event
from refnvn.commands.resources import Index, Name, Region, TextureRef
from refnvn.commands.subject import Subject
from refnvn.enumerations import WindowOriginMode
from refnvn.rules.evidence import Evidence
from refnvn.rules.registry import rule

Pixels = Annotated[int, Meta(ge=0, lt=1 << 16)]
Rectangle = tuple[Pixels, Pixels, Pixels, Pixels]


class PresentTexture(Event, frozen=True, kw_only=True):
    """``nvnQueuePresentTexture``: a named result, the picture that is scanned out, its top row first.

    ``window_crop`` and ``layer_crop`` are x, y, width, height in rows of memory, or None where none is set;
    ``window_origin`` is the device's.
    """

    name: Name
    texture: TextureRef
    window_crop: Rectangle | None = None
    layer_crop: Rectangle | None = None
    window_origin: WindowOriginMode = WindowOriginMode.LOWER_LEFT
    queue: Index = 0


@rule(
    "PRESENT-CROP-1",
    "A present shows the window's crop where one is set, else the crop of the vi layer, else the whole texture; a "
    "crop that does not fit the texture is ignored.",
    evidence=Evidence.INFERRED,
    sources=("seed-titles",),
    ledger=("present-crop",),
    refuted_by="a console that shows more of a window texture than the crop of its layer",
)
def presented_region(subject: Subject, event: PresentTexture) -> Region:
    """Return the part of a window's texture that is shown, in memory's rows."""
    crop = event.layer_crop if event.window_crop is None else event.window_crop
    x, y, width, height = crop or (0, 0, 0, 0)
    if not width or not height or x + width > subject.width_px or y + height > subject.height_px:
        return Region(width=subject.width_px, height=subject.height_px)
    return Region(x=x, y=y, width=width, height=height)
