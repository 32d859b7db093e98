"""What does a sequence of atomic accesses leave, and what does each find?

Accesses to one word happen one after another; each gives the word that it found. Words of different places do not
matter to each other, so that they may be done together.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from refnvn.rules.evidence import Evidence
from refnvn.rules.registry import rule
from refnvn.shader.ir_memory import AtomicOperation

Words = NDArray[np.uint32]
Places = NDArray[np.intp]


def _signed(function: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    return lambda a, b: function(a.view(np.int32), b.view(np.int32)).view(np.uint32)


_COMBINE: dict[AtomicOperation, Callable[[Any, Any], Any]] = {
    AtomicOperation.ADD: np.add,
    AtomicOperation.MIN_INT: _signed(np.minimum),
    AtomicOperation.MAX_INT: _signed(np.maximum),
    AtomicOperation.MIN_UINT: np.minimum,
    AtomicOperation.MAX_UINT: np.maximum,
    AtomicOperation.AND: np.bitwise_and,
    AtomicOperation.OR: np.bitwise_or,
    AtomicOperation.XOR: np.bitwise_xor,
}


@rule(
    "SHADER-ATOMIC-1",
    "An atomic access replaces a word of 32 bits by its sum, smaller, larger, and, or or exclusive or with the "
    "operand, by the operand, or by the operand if the word equals another one, and gives the word that it found; "
    "sums wrap.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("hardware-pipeline-rules", "gl-memory-model"),
    ledger=("atomic-rgba8",),
)
def combined(operation: AtomicOperation, found: Words, operands: Words, compares: Words | None) -> Words:
    """Return what words become that each meet one access.

    Parameters
    ----------
    operation : AtomicOperation
    found, operands : uint32, shape (n,)
    compares : uint32, shape (n,), or None
        Of a compare and exchange.

    Examples
    --------
    >>> minus_one = np.array([0xFFFFFFFF], np.uint32)
    >>> combined(AtomicOperation.MAX_INT, minus_one, np.array([2], np.uint32), None).tolist()
    [2]
    """
    if operation is AtomicOperation.EXCHANGE:
        return operands
    if compares is not None:
        return np.where(found == compares, operands, found)
    changed: Words = _COMBINE[operation](found, operands)
    return changed


def change_in_order(
    words: Words, places: Places, operation: AtomicOperation, operands: Words, compares: Words | None
) -> Words:
    """Change words in place by accesses that come one after another.

    Parameters
    ----------
    words : uint32, shape (m,)
        Changed.
    places : intp, shape (n,)
        Which word each access changes.
    operation, operands, compares
        As in :func:`combined`.

    Returns
    -------
    uint32, shape (n,)
        What each access found.

    Examples
    --------
    >>> counters = np.array([5, 0], np.uint32)
    >>> change_in_order(counters, np.array([0, 1, 0]), AtomicOperation.ADD, np.array([1, 1, 1], np.uint32), None)
    array([5, 0, 6], dtype=uint32)
    >>> counters.tolist()
    [7, 1]
    """
    found = np.zeros(places.size, np.uint32)
    if not places.size:
        return found
    order = np.argsort(places, kind="stable")
    sorted_places = places[order]
    starts = np.flatnonzero(np.concatenate(([True], sorted_places[1:] != sorted_places[:-1])))
    lengths = np.diff(np.append(starts, places.size))
    if operation is AtomicOperation.ADD:
        _add_in_order(words, sorted_places, order, starts, lengths, operands, found)
        return found
    for turn in range(int(lengths.max())):  # the first access to every place, then the second, ...
        lanes = order[starts[lengths > turn] + turn]
        at = places[lanes]
        found[lanes] = words[at]
        words[at] = combined(operation, words[at], operands[lanes], None if compares is None else compares[lanes])
    return found


def change_inside(
    words: Words, places: Places, operation: AtomicOperation, operands: Words, compares: Words | None
) -> Words:
    """Do as :func:`change_in_order` does, with places that may be outside: there 0 is found and nothing changed."""
    inside = places < words.size
    found = np.zeros(places.size, np.uint32)
    compared = None if compares is None else compares[inside]
    found[inside] = change_in_order(words, places[inside], operation, operands[inside], compared)
    return found


def _add_in_order(
    words: Words, places: Places, order: Places, starts: Places, lengths: Places, operands: Words, found: Words
) -> None:
    """Do the same for sums, whose partial sums come all at once: counters that every lane adds to are common."""
    sums = np.cumsum(operands[order], dtype=np.uint32)
    before = sums - operands[order]
    base = np.repeat(before[starts], lengths)
    found[order] = words[places] + (before - base)
    ends = starts + lengths - 1
    words[places[ends]] += sums[ends] - before[starts]
