"""Faults where bytes cross to the processor: channel orders of packed formats."""

from __future__ import annotations

import numpy as np

from refnvn.commands.recording import Readback, ReadMemory, Recording
from refnvn.commands.subject import subject_of
from refnvn.faults.fault import Bytes, Fault, register
from refnvn.formats.table import Format

RED_LOWEST = ("RGB565", "RGB5A1", "RGB5")


def _format_read(recording: Recording, event: Readback) -> Format | None:
    if isinstance(event, ReadMemory):
        return None
    reference = event.texture
    return subject_of(recording.textures[reference.texture], reference.view).fmt


def _red_and_blue_exchanged(recording: Recording, event: Readback, content: Bytes) -> Bytes:
    """Exchange the components at the two ends of a 5-6-5 or 5-5-5-1 texel."""
    fmt = _format_read(recording, event)
    if fmt is None or fmt.name not in RED_LOWEST:
        return content
    words = content.view("<u2")
    blue = fmt.component("B")
    assert blue is not None
    middle = np.uint16(~(31 | 31 << blue.first_bit) & 0xFFFF)
    swapped = (words & middle) | (words & 31) << blue.first_bit | (words >> blue.first_bit & 31)
    return swapped.astype("<u2").view(np.uint8)


def _nibbles_reversed(recording: Recording, event: Readback, content: Bytes) -> Bytes:
    """Read the four nibbles of RGBA4 from the other end."""
    fmt = _format_read(recording, event)
    if fmt is None or fmt.name != "RGBA4":
        return content
    words = content.view("<u2")
    reversed_ = (words & 15) << 12 | (words >> 4 & 15) << 8 | (words >> 8 & 15) << 4 | words >> 12
    return reversed_.astype("<u2").view(np.uint8)


register(
    Fault(
        id="rgb565-order",
        symptom="shapes right, red and blue swapped",
        readback=_red_and_blue_exchanged,
    ),
    Fault(
        id="rgba4-order",
        symptom="a mask loses its red, the ground turns nearly black",
        readback=_nibbles_reversed,
    ),
)
