"""Where do the end points of a BC6H block lie, in each of its fourteen modes?

A field is a channel and an end point: ``rw`` is the red of the first end point, ``x`` the second, ``y`` and ``z``
those of the second region. ``gy0-3`` says that the next four bits of the block are bits 0 to 3 of that field, the
lowest first; ``rw15-10`` that the next six are bits 15 down to 10. The five bits of the partition follow in modes of
two regions. The layouts are facts of the format (specification key ``bptc``).

Read next: ``bc6h.py``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

FIELDS = 12

_TABLE = """
00    10  5 5 5  gy4 by4 bz4 rw0-9 gw0-9 bw0-9 rx0-4 gz4 gy0-3 gx0-4 bz0 gz0-3 bx0-4 bz1 by0-3 ry0-4 bz2 rz0-4 bz3
01     7  6 6 6  gy5 gz4-5 rw0-6 bz0-1 by4 gw0-6 by5 bz2 gy4 bw0-6 bz3 bz5-4 rx0-5 gy0-3 gx0-5 gz0-3 bx0-5 by0-3
                 ry0-5 rz0-5
00010 11  5 4 4  rw0-9 gw0-9 bw0-9 rx0-4 rw10 gy0-3 gx0-3 gw10 bz0 gz0-3 bx0-3 bw10 bz1 by0-3 ry0-4 bz2 rz0-4 bz3
00110 11  4 5 4  rw0-9 gw0-9 bw0-9 rx0-3 rw10 gz4 gy0-3 gx0-4 gw10 gz0-3 bx0-3 bw10 bz1 by0-3 ry0-3 bz0 bz2 rz0-3
                 gy4 bz3
01010 11  4 4 5  rw0-9 gw0-9 bw0-9 rx0-3 rw10 by4 gy0-3 gx0-3 gw10 bz0 gz0-3 bx0-4 bw10 by0-3 ry0-3 bz1-2 rz0-3
                 bz4-3
01110  9  5 5 5  rw0-8 by4 gw0-8 gy4 bw0-8 bz4 rx0-4 gz4 gy0-3 gx0-4 bz0 gz0-3 bx0-4 bz1 by0-3 ry0-4 bz2 rz0-4 bz3
10010  8  6 5 5  rw0-7 gz4 by4 gw0-7 bz2 gy4 bw0-7 bz3-4 rx0-5 gy0-3 gx0-4 bz0 gz0-3 bx0-4 bz1 by0-3 ry0-5 rz0-5
10110  8  5 6 5  rw0-7 bz0 by4 gw0-7 gy5-4 bw0-7 gz5 bz4 rx0-4 gz4 gy0-3 gx0-5 gz0-3 bx0-4 bz1 by0-3 ry0-4 bz2 rz0-4
                 bz3
11010  8  5 5 6  rw0-7 bz1 by4 gw0-7 by5 gy4 bw0-7 bz5-4 rx0-4 gz4 gy0-3 gx0-4 bz0 gz0-3 bx0-5 by0-3 ry0-4 bz2 rz0-4
                 bz3
11110  6  0 0 0  rw0-5 gz4 bz0-1 by4 gw0-5 gy5 by5 bz2 gy4 bw0-5 gz5 bz3 bz5-4 rx0-5 gy0-3 gx0-5 gz0-3 bx0-5 by0-3
                 ry0-5 rz0-5
00011 10  0 0 0  rw0-9 gw0-9 bw0-9 rx0-9 gx0-9 bx0-9
00111 11  9 9 9  rw0-9 gw0-9 bw0-9 rx0-8 rw10 gx0-8 gw10 bx0-8 bw10
01011 12  8 8 8  rw0-9 gw0-9 bw0-9 rx0-7 rw11-10 gx0-7 gw11-10 bx0-7 bw11-10
01111 16  4 4 4  rw0-9 gw0-9 bw0-9 rx0-3 rw15-10 gx0-3 gw15-10 bx0-3 bw15-10
"""
"""Mode bits; bits of an end point; bits of a delta in red, green and blue, 0 where it is whole; then the fields."""


class _Layout(NamedTuple):
    mode: str
    end_bits: int
    delta_bits: tuple[int, int, int]
    fields: tuple[str, ...]


def _layouts() -> Iterator[_Layout]:
    for line in _TABLE.replace("\n ", "").split("\n"):
        if line:
            mode, end_bits, red, green, blue, *fields = line.split()
            yield _Layout(mode, int(end_bits), (int(red), int(green), int(blue)), tuple(fields))


_LAYOUTS = tuple(_layouts())


def _runs(fields: tuple[str, ...]) -> Iterator[tuple[int, int, int]]:
    """Yield ``(field, lowest bit, bits)`` in the order of the block; bits that run down come one by one."""
    for word in fields:
        parts = re.fullmatch(r"([rgb])([wxyz])(\d+)(?:-(\d+))?", word)
        assert parts is not None, word
        field = "rgb".index(parts[1]) + 3 * "wxyz".index(parts[2])
        first, last = int(parts[3]), int(parts[4] or parts[3])
        if last >= first:
            yield field, first, last - first + 1
        else:
            yield from ((field, bit, 1) for bit in range(first, last - 1, -1))


RUNS_OF_MODE = tuple(tuple(_runs(one.fields)) for one in _LAYOUTS)
"""By mode, in the order above: ``(field, lowest bit, bits)``, as the bits come."""

_MOST_RUNS = max(len(runs) for runs in RUNS_OF_MODE)

RUNS = tuple((*runs, *((0, 0, 0),) * (_MOST_RUNS - len(runs))) for runs in RUNS_OF_MODE)
"""The same, filled up with runs of no bits to one length."""

RUN_COUNTS = tuple(len(runs) for runs in RUNS_OF_MODE)
"""By mode: how many runs it has."""

END_BITS = tuple(one.end_bits for one in _LAYOUTS)
"""By mode: bits of an end point."""

DELTA_BITS = tuple(one.delta_bits for one in _LAYOUTS)
"""By mode: bits of the deltas in red, green and blue; 0 where all end points are whole."""

REGIONS = tuple(2 if "ry0" in " ".join(one.fields) else 1 for one in _LAYOUTS)
"""By mode: its regions, each with two end points."""

RESERVED = -1


def _mode_of(code: int) -> int:
    written = f"{code:05b}"
    return next((mode for mode, one in enumerate(_LAYOUTS) if written.endswith(one.mode)), RESERVED)


MODES = tuple(_mode_of(code) for code in range(32))
"""By the lowest five bits of a block: its mode here, or -1 where they are reserved."""
