"""What stands out in a log of passes, of what people have found faults by?

Draws that were dropped, by their reason; logic operations other than COPY; transform feedback that begins and
captures nothing; conditions that did not draw; passes that were skipped; blocks of magenta. It proves nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from refnvn.dumps.line_kinds import LineKind
from refnvn.dumps.pass_log import PassLog
from refnvn.enumerations import LogicOp

_COUNTED = {
    LineKind.SKIPPED: "passes were skipped",
    LineKind.MAGENTA: "lines tell of blocks of magenta",
    LineKind.WARNING: "warnings of the host",
}


def remarks(log: PassLog) -> Iterator[str]:
    """Yield sentences, each with the number of the first line that it is of."""
    found: dict[str, list[int]] = {}
    for line in log.lines:
        for words in _of_line(line.kinds[0], line.values) if line.is_known else ():
            found.setdefault(words, []).append(line.number)
    for words, lines in found.items():
        yield f"{len(lines)} x {words}, first in line {lines[0]}"
    kinds = Counter(line.kinds[0] for line in log.lines if line.is_known)
    begun = [one for one in log.lines if one.values.get("call") == "begin"]
    if begun and not kinds[LineKind.FEEDBACK_CAPTURE]:
        yield f"transform feedback begins in line {begun[0].number} and nothing is captured"


def _of_line(kind: LineKind, values: Mapping[str, object]) -> Iterator[str]:
    if kind is LineKind.DROPPED_DRAW:
        yield f"draw skipped: {values.get('reason', 'no reason')}"
    operation = values.get("logic_op")
    if isinstance(operation, dict) and operation["value"] != LogicOp.COPY:
        yield f"logic operation {operation['name'] or operation['value']}"
    if values.get("drawn") is False:
        yield "a condition that does not draw"
    if values.get("skipped_by_condition"):
        yield "a clear that a condition skips"
    if kind in _COUNTED:
        yield _COUNTED[kind]
