"""How do derivatives come from a quad of lanes?

Lanes come four in a row: (0, 0), (1, 0), (0, 1), (1, 1). A fine derivative takes the lane's own row or column, a
coarse one the even row or column for the whole quad. A lane that was discarded keeps the values that it had.
"""

from __future__ import annotations

from refnvn.rules.evidence import Evidence
from refnvn.rules.registry import rule
from refnvn.shader.ir_base import Axis


@rule(
    "SHADER-DERIVE-1",
    "A derivative is the difference between neighbours in the 2 x 2 quad, right minus left or far minus near row, "
    "fine by default; a coarse one is that of the even row or column; a discarded neighbour counts with what it had "
    "computed, or 0.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("shader-findings",),
)
def neighbours(axis: Axis, coarse: bool) -> tuple[tuple[int, int], ...]:
    """Return for each lane of a quad which lane is subtracted from which: (minuend, subtrahend).

    >>> neighbours(Axis.X, False)
    ((1, 0), (1, 0), (3, 2), (3, 2))
    >>> neighbours(Axis.Y, True)
    ((2, 0), (2, 0), (2, 0), (2, 0))
    """
    if axis is Axis.X:
        return ((1, 0),) * 4 if coarse else ((1, 0), (1, 0), (3, 2), (3, 2))
    return ((2, 0),) * 4 if coarse else ((2, 0), (3, 1), (2, 0), (3, 1))
