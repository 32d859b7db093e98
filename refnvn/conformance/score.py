"""How well do the rules match one array, one file?

A case is one measured element: a component's code, a float, a side of a threshold. It is equal, within the bound that
its rule declares, or wrong. Nothing here knows what was measured.

Read next: ``schemas.py``.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray


class Status(StrEnum):
    """What became of an array or a file, best first."""

    EQUAL = "equal"
    KNOWN = "known mismatch"
    WRONG = "wrong"
    NOT_RUN = "not run"
    INFORMATION = "information"


@dataclass(frozen=True, slots=True, kw_only=True)
class ArrayScore:
    """The score of one array.

    Attributes
    ----------
    array : str
        Its name in the file.
    cases, equal, within, wrong : int
        All cases; bit-equal ones; others within the declared bound; the rest.
    largest_error : float
        Largest distance of a case from the rule, in ``unit``; 0 where all are equal.
    unit : str
        ``codes``, or ``ULP`` of float32.
    rules : tuple of str
        Ids of the rules that answered.
    known : int
        How many wrong ones the project lists as known.
    reason : str
        Why it was not run, or why the known ones are wrong.
    informational : bool
        Whether nothing in it is meant to be judged: no rule will ever run it.
    """

    array: str
    cases: int = 0
    equal: int = 0
    within: int = 0
    wrong: int = 0
    largest_error: float = 0.0
    unit: str = "codes"
    rules: tuple[str, ...] = ()
    known: int = 0
    reason: str = ""
    informational: bool = False

    @property
    def status(self) -> Status:
        """Equal, known mismatch, wrong, not run or information."""
        if self.informational:
            return Status.INFORMATION
        if not self.cases and self.reason:
            return Status.NOT_RUN
        if not self.wrong:
            return Status.EQUAL
        return Status.KNOWN if self.wrong <= self.known else Status.WRONG


def not_run(array: str, reason: str) -> ArrayScore:
    """Return the score of an array that nothing could judge yet."""
    return ArrayScore(array=array, reason=reason)


def information(array: str, reason: str) -> ArrayScore:
    """Return the score of what is not there to be judged."""
    return ArrayScore(array=array, reason=reason, informational=True)


def ordered(float_bits: NDArray[np.uint32]) -> NDArray[np.int64]:
    """Return float32 bits as integers that grow with the value, so that a difference counts ULP.

    >>> (ordered(np.array([0x3F800001], np.uint32)) - ordered(np.array([0x3F800000], np.uint32))).tolist()
    [1]
    """
    wide = float_bits.astype(np.int64)
    return np.where(wide >= 1 << 31, (1 << 31) - wide, wide)


def compare(
    array: str,
    by_rule: NDArray[Any],
    measured: NDArray[Any],
    rules: set[str],
    *,
    floats: bool = False,
) -> ArrayScore:
    """Score integers (codes, or the bits of float32) of the same shape; every element is a case.

    Parameters
    ----------
    array : str
        Name for the report.
    by_rule, measured : integer arrays of one shape
        uint32 bits where ``floats``.
    rules : set of str
        Ids of the rules that gave ``by_rule``.
    floats : bool
        Whether errors count in ULP.
    """
    different = by_rule != measured
    wrong = int(np.count_nonzero(different))
    error = 0.0
    if wrong:
        one, other = by_rule[different], measured[different]
        distance = ordered(one) - ordered(other) if floats else one.astype(np.int64) - other.astype(np.int64)
        error = float(np.abs(distance).max())
    return ArrayScore(
        array=array,
        cases=by_rule.size,
        equal=by_rule.size - wrong,
        wrong=wrong,
        largest_error=error,
        unit="ULP" if floats else "codes",
        rules=tuple(sorted(rules)),
    )


def permitting(score: ArrayScore, permitted: NDArray[np.bool_], measured_equal: NDArray[np.bool_]) -> ArrayScore:
    """Return a score in which what a world permits is within its bound.

    Parameters
    ----------
    score : ArrayScore
        Of the rules alone.
    permitted : bool array
        The elements that some permitted setting gives.
    measured_equal : bool array of the same shape
        The elements that the rules themselves give.
    """
    within = int(np.count_nonzero(permitted & ~measured_equal))
    return replace(score, within=within, wrong=score.wrong - within)


@dataclass(frozen=True, slots=True, kw_only=True)
class FileScore:
    """The scores of one file.

    Attributes
    ----------
    file : str
        Its name.
    path : str
        Where it was found.
    schema : str
        What recognised it.
    arrays : tuple of ArrayScore
        In the file's order.
    """

    file: str
    path: str
    schema: str
    arrays: tuple[ArrayScore, ...]

    def total(self, field: str) -> int:
        """Return the sum of an ``ArrayScore`` count over all arrays."""
        return sum(int(getattr(score, field)) for score in self.arrays)

    @property
    def status(self) -> Status:
        """Wrong if any array is; else known mismatch; not run only if nothing ran; information if nothing could."""
        found = {score.status for score in self.arrays}
        for status in (Status.WRONG, Status.KNOWN, Status.EQUAL, Status.NOT_RUN):
            if status in found:
                return status
        return Status.INFORMATION

    @property
    def largest_error(self) -> float:
        """The largest error of its arrays, whatever their units."""
        return max((score.largest_error for score in self.arrays), default=0.0)
