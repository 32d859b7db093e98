"""What does the name of a dumped file say?

| name | holds |
|---|---|
| ``<path>_<n>.png``, ``<path>_<n>.raw``, both endings | a colour target, n = serial * 100 + layer * 10 + level |
| ``F<frame>_c3d_<serial>.bin`` | the bytes that a buffer copy put into a 3D texture, before any layout |
| ``F<frame>_p<pass>_vb<stream>_<address>.bin`` | the bytes of a vertex stream |
| ``F<frame>_p<pass>_ib<type>_<address>.bin`` | the bytes of an index buffer |
| ``zb_<serial>.bin``, ``zbm_<serial>.bin`` | the storage of an ASTC texture with empty blocks, and its map of pages |

Nothing says in which base addresses are; they are read as hexadecimal. The number of a colour target is not
one-to-one: :func:`target_readings` gives every texture, layer and level that it may be. A screenshot has a name of
the same form, its number being the presented frame, and is taken for a colour target.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from refnvn.errors import FieldRangeError

MOST_LEVELS = 15
MOST_LAYERS = 2048
MOST_NUMBER = 10**9
INDEX_TYPES = {"0": 1, "1": 2, "2": 4}
"""Bytes of an index by NVN's value of its type."""


class DumpKind(StrEnum):
    """What a dumped file holds."""

    TARGET = "colour target"
    TARGET_RAW = "raw bytes of a colour target"
    COPY_3D = "source of a copy into a 3D texture"
    VERTEX_STREAM = "vertex stream"
    INDEX_BUFFER = "index buffer"
    ZERO_BLOCKS = "storage of an ASTC texture with empty blocks"
    PAGE_MAP = "map of 4 KiB pages"
    UNKNOWN = "not known by its name"


@dataclass(frozen=True, slots=True, kw_only=True)
class DumpName:
    """What a name says; None where it does not.

    Attributes
    ----------
    kind : DumpKind
    frame, pass_, stream, serial, address, number : int or None
        ``number`` is a colour target's, from which serial, layer and level follow with luck.
    index_type : str or None
        As it is spelled.
    """

    kind: DumpKind
    frame: int | None = None
    pass_: int | None = None
    stream: int | None = None
    serial: int | None = None
    address: int | None = None
    number: int | None = None
    index_type: str | None = None

    @property
    def index_B(self) -> int | None:
        """Bytes of an index, where the type is one of NVN's values."""
        return INDEX_TYPES.get(self.index_type or "")


@dataclass(frozen=True, slots=True)
class TargetReading:
    """One texture, layer and level that a colour target's number may mean."""

    serial: int
    layer: int
    level: int

    @property
    def is_plain(self) -> bool:
        """Whether layer and level have one digit, as the number has room for."""
        return self.layer < 10 and self.level < 10


_NUMBER = r"(?P<{}>[0-9]{{1,12}})"
_HEX = r"(?:0x)?(?P<address>[0-9A-Fa-f]{1,16})"
_PASS = rf"F{_NUMBER.format('frame')}_p{_NUMBER.format('pass_')}_"
_FORMS: tuple[tuple[str, DumpKind], ...] = (
    (rf"F{_NUMBER.format('frame')}_c3d_{_NUMBER.format('serial')}\.bin", DumpKind.COPY_3D),
    (rf"{_PASS}vb{_NUMBER.format('stream')}_{_HEX}\.bin", DumpKind.VERTEX_STREAM),
    (rf"{_PASS}ib(?P<index_type>[0-9A-Za-z]{{1,16}})_{_HEX}\.bin", DumpKind.INDEX_BUFFER),
    (rf"zb_{_NUMBER.format('serial')}\.bin", DumpKind.ZERO_BLOCKS),
    (rf"zbm_{_NUMBER.format('serial')}\.bin", DumpKind.PAGE_MAP),
    (rf"(?:.*[^0-9])?{_NUMBER.format('number')}(?:\.png)?\.raw", DumpKind.TARGET_RAW),
    (rf"(?:.*[^0-9])?{_NUMBER.format('number')}\.png", DumpKind.TARGET),
)


def name_of_dump(path: Path | str) -> DumpName:
    """Return what the name of a file says.

    Examples
    --------
    >>> found = name_of_dump("F120_p7_vb2_1a2b3c000.bin")
    >>> found.kind.value, found.frame, found.pass_, found.stream, hex(found.address or 0)
    ('vertex stream', 120, 7, 2, '0x1a2b3c000')
    """
    for form, kind in _FORMS:
        match = re.fullmatch(form, Path(path).name)
        if match is not None:
            return _named(kind, match.groupdict())
    return DumpName(kind=DumpKind.UNKNOWN)


def _named(kind: DumpKind, found: dict[str, str]) -> DumpName:
    index_type = found.pop("index_type", None)
    numbers = {key: int(text, 16 if key == "address" else 10) for key, text in found.items()}
    return DumpName(kind=kind, index_type=index_type, **numbers)


def target_readings(number: int, *, layers: int = MOST_LAYERS, levels: int = MOST_LEVELS) -> list[TargetReading]:
    """Return every serial, layer and level that give a colour target's number, plain ones first.

    Parameters
    ----------
    number : int
        serial * 100 + layer * 10 + level, 0 to 10^9.
    layers, levels : int
        How many the texture has at most, if that is known: it leaves fewer.

    Raises
    ------
    FieldRangeError
        For a number outside its range.

    Examples
    --------
    >>> [(one.serial, one.layer, one.level) for one in target_readings(623, layers=13, levels=4)]
    [(6, 2, 3), (5, 12, 3)]
    """
    if not 0 <= number <= MOST_NUMBER:
        raise FieldRangeError(f"the number of a colour target is {number}; allowed: 0 to {MOST_NUMBER}")
    found = [
        TargetReading((number - level - 10 * layer) // 100, layer, level)
        for level in range(number % 10, min(levels, MOST_LEVELS, number + 1), 10)
        for layer in range((number - level) // 10 % 10, min(layers, MOST_LAYERS, (number - level) // 10 + 1), 10)
    ]
    return sorted(found, key=lambda one: (not one.is_plain, one.level >= 10, one.layer, one.level))
