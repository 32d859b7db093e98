"""Could the texels of a dump be plain rows, and how far apart?

One part of ``dump_readings.py``. Tried are rows without padding, rows padded to what people pad to, what the size of
the file says, and the distance at which its bytes repeat.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from refnvn.compare.dump import Content, Dump, Reading, ReadingKind, corner
from refnvn.layout.texture import texture_layout
from refnvn.layout.tiling import Bytes, linear_size_B

PITCHES_B = (32, 64, 128, 256, 512, 1024)
"""What rows are commonly padded to."""
SAMPLE_B = 1 << 16
MOST_DISTANCES = 4096


def as_rows(dump: Dump, content: Content) -> Iterator[Reading]:
    """Give plain rows: of the whole texture without padding, and of level 0 at every likely pitch."""
    columns, rows, _ = dump.description.extent_el(0)
    element_B = dump.description.element.bytes_per_block
    tight_B = columns * element_B
    layout = texture_layout(dump.description)
    whole_B = linear_size_B(layout)
    data = dump.data[dump.layer * (whole_B // layout.layers) :]
    for pitch_B in _pitches_B(data, tight_B, rows, element_B):
        if pitch_B * (rows - 1) + tight_B > data.size:
            continue
        shown = np.lib.stride_tricks.as_strided(data, (rows, tight_B), (pitch_B, 1))
        tight = pitch_B == tight_B
        kept = dump.data[:whole_B] if tight else shown
        yield Reading(
            kind=ReadingKind.ROWS if tight else ReadingKind.PITCH,
            words="plain rows" if tight else f"plain rows, {pitch_B} bytes apart",
            options="decode, not detile" if tight else f"--linear --stride {pitch_B}",
            fmt=dump.fmt,
            rows=corner(shown, element_B),
            width_px=dump.description.extent_px(0)[0],
            height_px=dump.description.extent_px(0)[1],
            lost=content.lost([kept]),
        )


def _pitches_B(data: Bytes, tight_B: int, rows: int, element_B: int) -> list[int]:
    """Return pitches worth a try: tight, padded, as the file's size says, and as its bytes repeat."""
    found = [tight_B, *(-(-tight_B // unit) * unit for unit in PITCHES_B)]
    if data.size % rows == 0:
        found.append(data.size // rows)
    found += _repeats_B(data, tight_B, element_B)
    return [one for one in dict.fromkeys(found) if one >= tight_B and one % element_B == 0]


def _repeats_B(data: Bytes, tight_B: int, element_B: int) -> list[int]:
    """Return the distance from one to two rows at which bytes are most alike."""
    sample = data[:SAMPLE_B].astype(np.int16)
    lags = range(tight_B, min(2 * tight_B, sample.size // 2), element_B)
    if len(lags) < 2 or len(lags) > MOST_DISTANCES:
        return []
    size = sample.size - lags[-1]
    steps = [float(np.abs(sample[:size] - sample[lag : lag + size]).mean()) for lag in lags]
    return [lags[int(np.argmin(steps))]]
