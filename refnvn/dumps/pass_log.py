"""What do the lines of a pass log say?

A line has a letter and then words and ``key=value`` fields. Its exact grammar is written nowhere, and some letters
mean two or three things. So each line becomes a record with all that its letter may mean, less what its words rule
out, and with the values that its words give; what nobody described is kept as it is and counted. Lines of other logs
begin with a tag in brackets, ``[zb]``, ``[kd]``, ``[mag]``, or with TEXINFO.

Read next: ``pass_values.py``.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

from refnvn.dumps.line_kinds import MARKS, OF_LETTER, OF_TAG, OF_WORDS, LineKind
from refnvn.dumps.pass_values import Value, values_of
from refnvn.errors import SizeError, printable

MOST_LINES = 4_000_000
MOST_LINE = 1 << 16

_LINE = re.compile(r"\s*(?P<tags>(?:\[[A-Za-z-]{1,12}\]\s*)*)(?:(?P<letter>[A-Za-z])(?=\s|$))?\s*(?P<rest>.*)")
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
    tags : tuple of str
        In brackets before the letter.
    text : str
        What stands behind the letter.
    """

    number: int
    letter: str
    kinds: tuple[LineKind, ...]
    words: tuple[str, ...]
    fields: tuple[tuple[str, str], ...]
    tags: tuple[str, ...] = ()
    text: str = ""

    @property
    def values(self) -> dict[str, Value | None]:
        """What its words say, by name; nothing where it may be of several kinds."""
        return values_of(self.kinds[0], self.text) if self.is_known else {}

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
    tags, letter, rest = tuple(re.findall(r"\[(.*?)\]", match["tags"])), match["letter"] or "", match["rest"]
    fields = tuple((one["key"], one["value"]) for one in _FIELD.finditer(rest))
    words = tuple(_FIELD.sub(" ", rest).split())
    return Line(number, letter, _kinds(tags, letter, rest), words, fields, tags, rest)


def _kinds(tags: tuple[str, ...], letter: str, rest: str) -> tuple[LineKind, ...]:
    by_tag = [OF_TAG[one] for one in tags if one in OF_TAG]
    if by_tag:
        return (by_tag[-1],)
    if not letter:
        return (next((kind for words, kind in OF_WORDS if rest.startswith(words)), LineKind.UNKNOWN),)
    possible = OF_LETTER.get(letter, (LineKind.UNKNOWN,))
    marked = {kind: re.search(pattern, rest) is not None for kind, pattern in MARKS if kind in possible}
    if any(marked.values()):
        return tuple(kind for kind, there in marked.items() if there)
    return tuple(kind for kind in possible if kind not in marked) or possible
