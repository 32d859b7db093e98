"""What does a read see that no barrier orders, as places of memory: the latest, something older, nothing specified?

By NVN's setting of ``unordered_reads`` such a read sees what all commands before it left. Other settings take one
of the values that a place held since the barrier that orders reader and writer: the one before, the one before that,
the oldest. A place is a texel or a word of a buffer. The MIXED settings let each place choose for itself: a place is
given one of the words of sixteen bits of which eight are set, and bit n says whether setting n takes something older
there. No such word contains another, so of any two places each is older in some setting in which the other is not.
What one place decides changes in half of these settings at most. An element that only three places or more decide
together may be missed.

It knows no memory. Read next: ``unordered.py``.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from refnvn.memory.pool import Bytes
from refnvn.rules.evidence import Evidence
from refnvn.rules.fields import OwnTargetReads, Rules, UnorderedReads
from refnvn.rules.registry import rule

STEPS_BACK = {
    UnorderedReads.FRESH: 0,
    UnorderedReads.ONE_BACK: 1,
    UnorderedReads.TWO_BACK: 2,
    UnorderedReads.OLDEST: 1 << 30,
    UnorderedReads.LATER: 0,
}
TILE_PX = 16
FIRST_MIX = UnorderedReads.MIXED
SCATTER = 7919
"""Gives neighbours words that part in many bits; it shares no factor with the number of words."""


@rule(
    "ORDER-READ-1",
    "A read that no barrier orders sees what all commands before it left, or anything that the place held since the "
    "barrier that orders reader and writer, each place for itself; submissions see all of earlier ones.",
    evidence=Evidence.INFERRED,
    sources=("seed-titles", "barrier-vectors"),
    ledger=("feedback-snapshot", "feedback-tile", "s4-sw-fbsnap", "s4-sw-barrier"),
    refuted_by="a draw of a console, without a barrier, that reads no value that the place has held since then",
    fields=("unordered_reads",),
)
def shows_latest(rules: Rules) -> bool:
    """Say whether a read that no barrier orders sees what all commands before it left."""
    return rules.unordered_reads is UnorderedReads.FRESH


@rule(
    "ORDER-OWN-1",
    "A draw that samples a colour target that it renders to sees nothing of what it renders itself.",
    evidence=Evidence.SWITCH,
    sources=("seed-titles", "barrier-vectors"),
    ledger=("feedback-snapshot", "s4-sw-fbsnap"),
    fields=("own_target_reads",),
)
def shows_target_before(rules: Rules) -> bool:
    """Say whether it sees what was there before, all of it."""
    return rules.own_target_reads is OwnTargetReads.BEFORE


def with_blocks(codes: Bytes) -> Bytes:
    """Return codes, shape (slices, rows, columns, bytes), all bits set in every other block of 16x16 texels."""
    rows, columns = np.indices(codes.shape[1:3]) // TILE_PX
    spoiled = codes.copy()
    spoiled[:, (rows + columns) % 2 == 0] = 0xFF
    return spoiled


@rule(
    "ORDER-DEPTH-1",
    "What a draw samples of the depth or stencil that it writes itself is not specified, whatever barrier stands "
    "before it; here it is what was there before the draw.",
    evidence=Evidence.OPEN,
    sources=("seed-titles",),
    ledger=("pool-depth-reader",),
    fields=("unordered_reads",),
    refuted_by="a console that always gives one value in a draw that samples and writes one depth target",
)
def shows_depth_before(rules: Rules) -> bool:
    """Say whether such a sample sees what was there: always, but where every place shows anything."""
    return rules.unordered_reads < UnorderedReads.MIXED


def seen_unordered(states: NDArray[np.uint8], first: int, rules: Rules, later: int = 0) -> Bytes:
    """Return what each place shows to a read that no barrier orders.

    Parameters
    ----------
    states : uint8, shape (n, places, bytes)
        What places hold; then what they held, the latest first; then what they will hold, the last first.
    first : int
        The number of the first place among all that were read so.
    rules : Rules
        What could be otherwise.
    later : int
        How many of the states are still to come: a place that held nothing else takes one of those.

    Returns
    -------
    uint8, shape (places, bytes)

    Examples
    --------
    >>> held = np.array([[[3], [8]], [[2], [8]], [[1], [7]]], np.uint8)
    >>> seen_unordered(held, 0, Rules()).tolist()
    [[3], [8]]
    >>> seen_unordered(held, 0, Rules(unordered_reads=UnorderedReads.ONE_BACK)).tolist()
    [[2], [7]]
    """
    setting = rules.unordered_reads
    if setting is UnorderedReads.FRESH or len(states) == 1:
        latest: Bytes = states[0]
        return latest
    held = states[: len(states) - later]
    seen = _chosen(held, first, setting)
    if not later:
        return seen
    coming = _chosen(np.concatenate([states[:1], states[len(held) :]]), first, setting)
    held_nothing_else = (held == states[0]).all(axis=(0, 2))
    return np.where(held_nothing_else[:, np.newaxis], coming, seen)


def _chosen(states: NDArray[np.uint8], first: int, setting: UnorderedReads) -> Bytes:
    """Return what each place takes of its states, the first of which is the latest."""
    changed = (states[1:] != states[:-1]).any(axis=2)
    steps: NDArray[np.int64] = np.concatenate([np.zeros((1, changed.shape[1]), np.int64), np.cumsum(changed, axis=0)])
    wanted = np.minimum(_steps_back(setting, first, steps[-1]), steps[-1])
    chosen = np.argmax(steps == wanted, axis=0)
    seen: Bytes = states[chosen, np.arange(states.shape[1])]
    return seen


def _steps_back(setting: UnorderedReads, first: int, most: NDArray[np.int64]) -> NDArray[np.int64] | int:
    """Return how many values back each place goes, of the most that it could."""
    if setting in STEPS_BACK:
        return STEPS_BACK[setting]
    places = np.arange(first, first + most.size)
    older = words_of_eight()[places * SCATTER % words_of_eight().size] >> (setting - FIRST_MIX) & 1
    steps: NDArray[np.int64] = older * (1 + (places * 7 + (setting - FIRST_MIX)) % np.maximum(most, 1))
    return steps


@cache
def words_of_eight() -> NDArray[np.int64]:
    """Return the 12870 numbers of 16 bits of which 8 are set.

    >>> words_of_eight().size
    12870
    """
    numbers: NDArray[Any] = np.arange(1 << 16)
    bits = sum(numbers >> bit & 1 for bit in range(16))
    found: NDArray[np.int64] = numbers[bits == 8]
    return found
