"""In which order could the bytes of texels, and the rows of a dump, have been written?

The other half of ``dump_readings.py``: the texels stay where a reading has them. Red and blue exchanged, and pictures
turned upside down, are as smooth as the right ones: those are only worth a try beside a picture of what is expected.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

from refnvn.compare.dump import Reading, ReadingKind
from refnvn.formats.table import Format
from refnvn.layout.tiling import Bytes

_ALPHA_ELSEWHERE = {"A first, then B, G, R": (3, 2, 1, 0), "A first, then R, G, B": (1, 2, 3, 0)}
_COLOURS = {
    "R and B exchanged": (2, 1, 0, 3),
    "R and G exchanged": (1, 0, 2, 3),
    "G and B exchanged": (0, 2, 1, 3),
    "components one place on": (1, 2, 0, 3),
    "components two places on": (2, 0, 1, 3),
}
"""For each order in words: which stored byte each component of the format is in."""
_WORDS_B = (2, 4)


def orders(reading: Reading, *, beside_picture: bool) -> Iterator[Reading]:
    """Give a reading with bytes in other orders, and with ``beside_picture`` those that only a picture can tell."""
    if is_bytes(reading.fmt):
        kinds = {**_ALPHA_ELSEWHERE, **(_COLOURS if beside_picture else {})}
        for words, order in kinds.items():
            yield _changed(reading, ReadingKind.CHANNELS, words, reading.rows[..., list(order)])
    else:
        for word_B in _WORDS_B:
            if reading.rows.shape[2] % word_B == 0:
                words = f"bytes of each {8 * word_B} bits the other way round"
                yield _changed(reading, ReadingKind.BYTE_ORDER, words, _reversed_words(reading.rows, word_B))
    if beside_picture and reading.is_whole and not reading.fmt.is_compressed:
        yield _changed(reading, ReadingKind.TURNED, "rows from the bottom up", reading.rows[::-1])
        yield _changed(reading, ReadingKind.TURNED, "columns from right to left", reading.rows[:, ::-1])


def is_bytes(fmt: Format) -> bool:
    """Whether a texel is four components of a byte each."""
    return len(fmt.components) == 4 and all(one.bits == 8 for one in fmt.components)


def _reversed_words(rows: Bytes, word_B: int) -> Bytes:
    words = rows.reshape(*rows.shape[:2], -1, word_B)[..., ::-1]
    return words.reshape(rows.shape)


def _changed(reading: Reading, kind: ReadingKind, words: str, rows: Bytes) -> Reading:
    where = "" if reading.kind is ReadingKind.AS_SAID else f"{reading.words}, "
    return dataclasses.replace(reading, kind=kind, words=where + words, options="", rows=rows)
