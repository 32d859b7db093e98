"""What do the lines of a pass log say?

A line has a letter and then words and ``key=value`` fields. Its exact grammar is written nowhere, and some letters
mean two or three things. So each line becomes a record with all that its letter may mean, less what its words rule
out; a letter that nobody described, or no letter at all, is kept as it is and counted. Lines of other logs begin with
a tag in brackets: ``[zb]``, ``[kd]``, ``[mag]``.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from refnvn.errors import SizeError, printable

MOST_LINES = 4_000_000
MOST_LINE = 1 << 16


class LineKind(StrEnum):
    """What a line tells of."""

    ATTACHMENTS = "attachments of a pass"
    CLEAR_COLOURS = "clear colours of a pass"
    BUFFER_COPY = "copy of a buffer into a texture"
    OWN_CLEAR = "clear in a pass of its own"
    KEYS = "shader keys"
    BINDING = "binding"
    DRAW_STATE = "draw state"
    INLINE_UPDATE = "inline update"
    FEEDBACK = "transform feedback"
    TEXTURE_CLEAR = "texture clear"
    TEXTURE_COPY = "texture copy"
    FEEDBACK_CAPTURE = "transform feedback capture"
    BARRIER = "barrier"
    DROPPED_DRAW = "draw that was dropped"
    SKIPPED = "pass that was skipped"
    INNER_FEEDBACK = "note of feedback within a pass"
    COMPUTE_IMAGES = "images of a dispatch"
    VIEW_FORMAT = "view format"
    LAYERED = "layered pass"
    MERGED_SLICES = "pass of merged slices"
    CONTINUED = "pass that goes on"
    HOISTED_DISPATCH = "dispatch moved ahead of a pass"
    CONDITION = "condition"
    REPORT = "report"
    PIPELINE = "pipeline formats"
    CLEAR = "recorded clear"
    DRAW = "draw"
    ZERO_BLOCKS = "empty blocks of a texture"
    KEY_DATA = "inputs of a shader's draw"
    MAGENTA = "blocks of magenta"
    UNKNOWN = "not known"


_OF_LETTER: Final[dict[str, tuple[LineKind, ...]]] = {
    "P": (LineKind.ATTACHMENTS,),
    "C": (LineKind.CLEAR_COLOURS, LineKind.BUFFER_COPY, LineKind.OWN_CLEAR),
    "K": (LineKind.KEYS,),
    "B": (LineKind.BINDING,),
    "d": (LineKind.DRAW_STATE,),
    "D": (LineKind.DRAW_STATE,),
    "Y": (LineKind.INLINE_UPDATE, LineKind.FEEDBACK),
    "X": (LineKind.TEXTURE_CLEAR,),
    "T": (LineKind.TEXTURE_COPY, LineKind.FEEDBACK_CAPTURE),
    "Z": (LineKind.BARRIER, LineKind.DROPPED_DRAW),
    "N": (LineKind.SKIPPED, LineKind.INNER_FEEDBACK),
    "W": (LineKind.COMPUTE_IMAGES,),
    "V": (LineKind.VIEW_FORMAT,),
    "L": (LineKind.LAYERED, LineKind.MERGED_SLICES),
    "M": (LineKind.CONTINUED,),
    "H": (LineKind.HOISTED_DISPATCH,),
    "E": (LineKind.CONDITION,),
    "Q": (LineKind.REPORT,),
    "J": (LineKind.PIPELINE,),
    "c": (LineKind.CLEAR,),
    "j": (LineKind.DRAW,),
}
"""By letter: what a line may be. R lines occur and were never described."""

_OF_TAG = {"zb": LineKind.ZERO_BLOCKS, "kd": LineKind.KEY_DATA, "mag": LineKind.MAGENTA}

_MARKS: Final[tuple[tuple[LineKind, str], ...]] = (
    (LineKind.OWN_CLEAR, r"cleared in a pass of its own"),
    (LineKind.FEEDBACK, r"(?:^|\s)tf\s"),
    (LineKind.FEEDBACK_CAPTURE, r"tf capture"),
    (LineKind.DROPPED_DRAW, r"draw skipped"),
    (LineKind.INNER_FEEDBACK, r"same-pass feedback"),
    (LineKind.LAYERED, r"layered pass"),
    (LineKind.MERGED_SLICES, r"slice-merged"),
)
"""Words that only a line of one kind has: with them it is that, without them it is not."""

_LINE = re.compile(r"\s*(?:\[(?P<tag>[a-z]{1,12})\]\s*)?(?:(?P<letter>[A-Za-z])(?=\s|$))?\s*(?P<rest>.*)")
_FIELD = re.compile(r"(?<!\S)(?P<key>[A-Za-z_][A-Za-z0-9_]*)=(?P<value>\S*)")


@dataclass(frozen=True, slots=True)
class Line:
    """One line.

    Attributes
    ----------
    number : int
        From 1.
    letter : str
        Empty where it has none.
    kinds : tuple of LineKind
        What it may be: one, or several where nothing tells them apart, or UNKNOWN alone.
    words : tuple of str
        What stands between the fields, in order.
    fields : tuple of (str, str)
        Keys and values as they are spelled, in order; a key may come again.
    """

    number: int
    letter: str
    kinds: tuple[LineKind, ...]
    words: tuple[str, ...]
    fields: tuple[tuple[str, str], ...]

    @property
    def is_known(self) -> bool:
        """Whether it is of one known kind."""
        return len(self.kinds) == 1 and self.kinds[0] is not LineKind.UNKNOWN

    def field(self, key: str) -> str | None:
        """Return the first value of a key, or None."""
        return next((value for one, value in self.fields if one == key), None)


@dataclass(frozen=True, slots=True)
class PassLog:
    """The lines of a log that are not blank."""

    lines: tuple[Line, ...]

    @property
    def ambiguous(self) -> tuple[Line, ...]:
        """Lines that may be of several kinds."""
        return tuple(one for one in self.lines if len(one.kinds) > 1)

    @property
    def unknown(self) -> tuple[Line, ...]:
        """Lines that no description covers."""
        return tuple(one for one in self.lines if LineKind.UNKNOWN in one.kinds)

    def counts(self) -> list[tuple[str, str, int]]:
        """Return letter, what it may be in words, and how often, in the order of first appearance."""
        found = Counter((one.letter, " or ".join(one.kinds)) for one in self.lines)
        return [(letter, words, count) for (letter, words), count in found.items()]


def read_pass_log(text: str) -> PassLog:
    """Return the records of a log.

    Raises
    ------
    SizeError
        More lines, or a longer one, than any log has.

    Examples
    --------
    >>> log = read_pass_log("Z 12 draw skipped: no program bound\\nB 3 c4 mtl=0x1f\\nR 7")
    >>> [" or ".join(one.kinds) for one in log.lines]
    ['draw that was dropped', 'binding', 'not known']
    >>> log.lines[1].field("mtl")
    '0x1f'
    """
    lines = text.splitlines()
    if len(lines) > MOST_LINES:
        raise SizeError(f"a log of {len(lines)} lines; allowed: at most {MOST_LINES}")
    return PassLog(tuple(_record(number, one) for number, one in enumerate(lines, 1) if one.strip()))


def _record(number: int, text: str) -> Line:
    if len(text) > MOST_LINE:
        raise SizeError(f"line {number} has {len(text)} characters, {printable(text[:40])}...; allowed: {MOST_LINE}")
    match = _LINE.fullmatch(text)
    assert match is not None
    tag, letter, rest = match["tag"] or "", match["letter"] or "", match["rest"]
    fields = tuple((one["key"], one["value"]) for one in _FIELD.finditer(rest))
    words = tuple(_FIELD.sub(" ", rest).split())
    return Line(number, letter, _kinds(tag, letter, rest), words, fields)


def _kinds(tag: str, letter: str, rest: str) -> tuple[LineKind, ...]:
    if tag in _OF_TAG:
        return (_OF_TAG[tag],)
    possible = _OF_LETTER.get(letter, (LineKind.UNKNOWN,))
    marked = {kind: re.search(pattern, rest) is not None for kind, pattern in _MARKS if kind in possible}
    if any(marked.values()):
        return tuple(kind for kind, there in marked.items() if there)
    return tuple(kind for kind in possible if kind not in marked) or possible
