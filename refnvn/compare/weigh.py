"""How is one result weighed against the golden's own shape: which element is same, permitted or wrong?

An element that no choice touches must equal the base, or be padding. One that a single choice touches may hold what
any setting of that choice gives; where the choice has one setting for the whole golden, the settings vote: the one
that explains most elements of this result, among those that earlier results left open, is the one, and elements that
agree with others only are wrong. One that several choices touch may hold anything.

The same is written in C in ``refnvn/golden/compare.h``; a test holds the two together.
What it does not do: it does not choose between shapes; ``judge.py`` does. Read next: ``judge.py``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from refnvn.golden.model import Choice, GoldenResult, Outcome, Reason, bits, touched

Index = NDArray[np.intp]
Settings = NDArray[np.uint32]


class Status(IntEnum):
    """What became of one element."""

    SAME = 0
    UNDEFINED = 1
    IMPRECISE = 2
    ANY = 3
    PADDING = 4
    WRONG = 5


def allowed_settings(choices: Sequence[Choice], exact: bool) -> list[int]:
    """Return for each choice the settings that may be chosen, one bit each, NVN's own being bit 0."""
    allowed = []
    for choice in choices:
        permitted = (not exact or s.reason is Reason.UNDEFINED for s in choice.settings)
        allowed.append(1 | sum(1 << number for number, ok in enumerate(permitted, start=1) if ok))
    return allowed


@dataclass(slots=True)
class Clash:
    """Two elements (flat positions) of one result, or of an earlier one (-1), that chose differently."""

    choice: int
    chosen: int
    claimed: int
    position: int
    decided: int


@dataclass(slots=True)
class Weighing:
    """One result weighed one way.

    Attributes
    ----------
    status : uint8 ndarray, flat
        :class:`Status` of each element.
    possible : list of int
        For each choice the settings left open after it.
    deciders : dict of int to int
        For each choice that this result narrowed, the flat position of an element that did.
    clashes : list of Clash
        The first of each choice.
    impossible : tuple of int or None
        Choice whose earlier setting rules out this shape altogether, and the setting this shape claims.
    variant : Outcome or None
        What it was compared with; None for the base.
    """

    status: NDArray[np.uint8]
    possible: list[int]
    deciders: dict[int, int] = field(default_factory=dict)
    clashes: list[Clash] = field(default_factory=list)
    impossible: tuple[int, int] | None = None
    variant: Outcome | None = None

    @property
    def wrong(self) -> int:
        """How many elements are wrong."""
        return int(np.count_nonzero(self.status == Status.WRONG))


def weigh_base(
    result: GoldenResult, actual: NDArray[Any], choices: Sequence[Choice], allowed: list[int], possible: list[int]
) -> Weighing:
    """Weigh an array of the base's shape element by element.

    Parameters
    ----------
    result : GoldenResult
        The golden's.
    actual : ndarray
        Same dtype and shape as the base.
    choices : sequence of Choice
        The golden's.
    allowed : list of int
        From :func:`allowed_settings`.
    possible : list of int
        What earlier results left open; not changed.
    """
    same = (bits(actual) == bits(result.base.array)).reshape(-1)
    padding = result.padding.reshape(-1)
    status = np.where(same, Status.SAME, np.where(padding, Status.PADDING, Status.WRONG)).astype(np.uint8)
    weighing = Weighing(status, list(possible))
    alternatives = [o for o in result.alternatives if allowed[o.choice] >> o.setting & 1]
    _exclude_variants(result, choices, weighing)
    if weighing.impossible is not None:
        status[:] = Status.WRONG
        return weighing
    by_choice = _touched_by_choice(result, alternatives)
    count = np.zeros(status.size, dtype=np.uint8)
    for where in by_choice.values():
        count += where
    status[(count > 1) & ~same] = Status.ANY
    for choice, where in by_choice.items():
        elements = np.flatnonzero(where & (count == 1))
        if elements.size:
            mine = [o for o in alternatives if o.choice == choice]
            agrees = _agreement(choices[choice], mine, actual.reshape(-1), same, padding, elements)
            agrees &= np.uint32(allowed[choice] & ~_variant_settings(result, choice))
            _weigh_choice(weighing, choice, choices[choice], agrees, same, elements)
    for number, choice_ in enumerate(choices):
        if choice_.scope == "texel":
            weighing.possible[number] = possible[number]
    return weighing


def _exclude_variants(result: GoldenResult, choices: Sequence[Choice], weighing: Weighing) -> None:
    """Rule out the settings that would give this result another shape; note the first choice that has none left."""
    for outcome in result.variants:
        left = weighing.possible[outcome.choice] & ~(1 << outcome.setting)
        weighing.possible[outcome.choice] = left
        if left == 0 and choices[outcome.choice].scope == "run" and weighing.impossible is None:
            weighing.impossible = (outcome.choice, 0)


def _touched_by_choice(result: GoldenResult, alternatives: Sequence[Outcome]) -> dict[int, NDArray[np.bool_]]:
    by_choice: dict[int, NDArray[np.bool_]] = {}
    for outcome in alternatives:
        where = touched(result.base.array, result.padding, outcome.array, outcome.padding).reshape(-1)
        by_choice[outcome.choice] = by_choice.get(outcome.choice, np.zeros_like(where)) | where
    return by_choice


def _variant_settings(result: GoldenResult, choice: int) -> int:
    return sum(1 << outcome.setting for outcome in result.variants if outcome.choice == choice)


def _weigh_choice(
    weighing: Weighing, number: int, choice: Choice, agrees: Settings, same: NDArray[np.bool_], elements: Index
) -> None:
    """Weigh the elements that one choice alone touches."""
    open_before = weighing.possible[number]
    left = _vote(agrees, open_before) if choice.scope == "run" else open_before
    weighing.possible[number] = left
    accepted = agrees & np.uint32(left)
    _note_clash(weighing, number, agrees, left, open_before, elements)
    undefined = sum(1 << n for n, s in enumerate(choice.settings, start=1) if s.reason is Reason.UNDEFINED)
    status = np.where(accepted & np.uint32(undefined), Status.UNDEFINED, Status.IMPRECISE)
    status[(accepted & np.uint32(1)) != 0] = Status.PADDING
    status[same[elements]] = Status.SAME
    status[accepted == 0] = Status.WRONG
    weighing.status[elements] = status


def _agreement(
    choice: Choice,
    alternatives: Sequence[Outcome],
    actual: NDArray[Any],
    same: NDArray[np.bool_],
    padding: NDArray[np.bool_],
    elements: Index,
) -> Settings:
    """Return for each element the settings that it agrees with, one bit each.

    A setting without an alternative here gives what the base gives; the caller rules out those not allowed.
    """
    like_base = (same | padding)[elements]
    agrees = np.where(like_base, np.uint32((1 << len(choice.settings) + 1) - 1), np.uint32(0)).astype(np.uint32)
    actual_bits = bits(actual[elements])
    for outcome in alternatives:
        bit = np.uint32(1 << outcome.setting)
        value_bits = bits(outcome.array.reshape(-1)[elements])
        fits = (actual_bits == value_bits) | outcome.padding.reshape(-1)[elements]
        agrees = np.where(fits, agrees | bit, agrees & ~bit)
    return agrees


def _vote(agrees: Settings, possible: int) -> int:
    """Return the settings left open: those that explain every explained element, or the one that explains most."""
    explained = int(np.count_nonzero(agrees & np.uint32(possible)))
    if explained == 0:
        return possible
    numbers = [n for n in range(possible.bit_length()) if possible >> n & 1]
    votes = {n: int(np.count_nonzero(agrees & np.uint32(1 << n))) for n in numbers}
    best = max(votes.values())
    winners = [n for n in numbers if votes[n] == best]
    return sum(1 << n for n in winners) if best == explained else 1 << winners[0]


def _note_clash(
    weighing: Weighing, number: int, agrees: Settings, left: int, open_before: int, elements: Index
) -> None:
    """Remember who narrowed a choice, and the first element that agrees with another setting of it only."""
    narrowing = np.flatnonzero((agrees & np.uint32(left) != 0) & (agrees & np.uint32(open_before) != open_before))
    if left != open_before and narrowing.size:
        weighing.deciders[number] = int(elements[narrowing[0]])
    against = np.flatnonzero((agrees & np.uint32(left) == 0) & (agrees != 0))
    if against.size:
        position = int(elements[against[0]])
        claimed = _lowest(int(agrees[against[0]]))
        weighing.clashes.append(Clash(number, _lowest(left), claimed, position, weighing.deciders.get(number, -1)))


def _lowest(settings: int) -> int:
    return (settings & -settings).bit_length() - 1


def weigh_variant(
    result: GoldenResult, variant: Outcome, actual: NDArray[Any], choices: Sequence[Choice], possible: list[int]
) -> Weighing:
    """Weigh an array of a variant's shape against that variant as a whole."""
    same = (bits(actual) == bits(variant.array)).reshape(-1)
    choice = choices[variant.choice]
    reason = choice.settings[variant.setting - 1].reason
    permitted = Status.UNDEFINED if reason is Reason.UNDEFINED else Status.IMPRECISE
    padding = variant.padding.reshape(-1)
    status = np.where(same, permitted, np.where(padding, Status.PADDING, Status.WRONG)).astype(np.uint8)
    weighing = Weighing(status, list(possible), variant=variant)
    if choice.scope == "run":
        left = possible[variant.choice] & result.settings_like(variant)
        if left == 0:
            weighing.impossible = (variant.choice, variant.setting)
            status[:] = Status.WRONG
        else:
            weighing.possible[variant.choice] = left
    return weighing
