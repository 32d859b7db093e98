"""What does a golden hold: results, and for each element what else it may be, and why?

Words used here. A *choice* is one field of the rules that was read and that has other *settings* than NVN's. An
*outcome* is one result under one other setting, kept only where it differs from the base. An outcome of the base's
shape is an *alternative*, judged element by element; one of another shape is a *variant*, compared as a whole.

A choice *touches* an element where one of its alternatives has other bits there, or disagrees with the base on
whether the element is padding. The mask follows from that alone, so a reader can check it (:func:`marks`).

What it does not do: no product of choices. An element that two choices touch may be anything, and says so.
Read next: ``build.py``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntFlag
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from refnvn.errors import ArgumentError
from refnvn.golden.result import Result
from refnvn.rules.evidence import Evidence

MOST_CHOICES = 64
MOST_SETTINGS = 31
"""Other settings of one choice: with NVN's own they fit the 32 bits of the C header."""


class Reason(IntFlag):
    """Why an element may differ from the base: the bits of a mask."""

    UNDEFINED = 0x0001
    """NVN itself may do otherwise here."""
    IMPRECISE = 0x0002
    """A faithful port cannot be asked to match this."""
    ANY = 0x0004
    """Several choices meet: nothing is claimed."""
    PADDING = 0x0008
    """No texel reaches it."""


@dataclass(frozen=True, slots=True)
class Setting:
    """One other setting of a choice: its name, UNDEFINED (a world) or IMPRECISE (slack), and why it is allowed."""

    name: str
    reason: Reason
    because: str


@dataclass(frozen=True, slots=True)
class Choice:
    """One field of the rules that could be otherwise.

    Attributes
    ----------
    field : str
        Its name in ``Rules``.
    scope : {'run', 'texel'}
        One setting for the whole golden, or one for each element.
    default : str
        NVN's setting, number 0.
    settings : tuple of Setting
        The others, number 1 and up.
    """

    field: str
    scope: Literal["run", "texel"]
    default: str
    settings: tuple[Setting, ...]

    def setting_name(self, number: int) -> str:
        """Return the name of setting 0 (NVN's) or of another.

        >>> Choice("f", "run", "nvidia", (Setting("nearest", Reason.IMPRECISE, ""),)).setting_name(1)
        'nearest'
        """
        return self.default if number == 0 else self.settings[number - 1].name


@dataclass(frozen=True, slots=True, eq=False)
class Outcome:
    """One result under one other setting.

    Attributes
    ----------
    choice : int
        Position in the golden's list of choices.
    setting : int
        1 and up, see :meth:`Choice.setting_name`.
    array : ndarray
        The whole result; the same dtype as the base.
    padding : bool ndarray
        The same shape: elements that no texel reaches under this setting.
    row_labels : tuple of str
        Of a variant that is a table.
    """

    choice: int
    setting: int
    array: NDArray[Any]
    padding: NDArray[np.bool_]
    row_labels: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class GoldenResult:
    """One result of a golden with everything it may be.

    Attributes
    ----------
    base : Result
        By the rules of NVN.
    outcomes : tuple of Outcome
        What differs from it, by choice and setting.
    mask : uint16 ndarray
        :class:`Reason` bits, the shape of the base.
    field_index : uint8 ndarray
        Position + 1 of the one choice that touches an element; 0 for none or several.
    """

    base: Result
    outcomes: tuple[Outcome, ...]
    mask: NDArray[np.uint16]
    field_index: NDArray[np.uint8]

    @property
    def padding(self) -> NDArray[np.bool_]:
        """Elements of the base that no texel reaches."""
        padding: NDArray[np.bool_] = (self.mask & np.uint16(Reason.PADDING)) != 0
        return padding

    @property
    def alternatives(self) -> tuple[Outcome, ...]:
        """The outcomes of the base's shape, judged element by element."""
        return tuple(o for o in self.outcomes if o.array.shape == self.base.array.shape)

    @property
    def variants(self) -> tuple[Outcome, ...]:
        """The outcomes of another shape, compared whole."""
        return tuple(o for o in self.outcomes if o.array.shape != self.base.array.shape)

    def settings_like(self, variant: Outcome) -> int:
        """Return the settings of a variant's choice that give this same array, one bit each."""
        like = 0
        for other in self.variants:
            if other.choice == variant.choice and other.array.shape == variant.array.shape:
                equal = np.array_equal(bits(other.array), bits(variant.array))
                if equal and np.array_equal(other.padding, variant.padding):
                    like |= 1 << other.setting
        return like


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleUse:
    """A rule that ran, as the registry had it when the golden was built."""

    id: str
    says: str
    evidence: Evidence
    exactness: str


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Golden:
    """A golden as a value: what a bundle holds.

    Attributes
    ----------
    name, t_test, says, ledger
        As the case has them.
    refnvn_version : str
        What built it.
    reached : tuple of str
        Every field of the rules that was read, whether or not it could be otherwise.
    choices : tuple of Choice
        Those that could.
    rules : tuple of RuleUse
        The rules that ran by NVN's settings, by id.
    results : tuple of GoldenResult
        In the order the case gave them, which is the order they are judged in.
    """

    name: str
    t_test: str
    says: str
    ledger: tuple[str, ...]
    refnvn_version: str
    reached: tuple[str, ...]
    choices: tuple[Choice, ...]
    rules: tuple[RuleUse, ...]
    results: tuple[GoldenResult, ...]

    @property
    def weakest(self) -> Evidence | None:
        """The weakest evidence among the rules; None for no rules."""
        return max((use.evidence for use in self.rules), default=None)

    def result(self, name: str) -> GoldenResult:
        """Return a result by its name.

        Raises
        ------
        ArgumentError
            For no such result, with the names there are.
        """
        for result in self.results:
            if result.base.name == name:
                return result
        names = ", ".join(r.base.name for r in self.results)
        raise ArgumentError(f"golden {self.name}: no result {name!r}; it has {names}")


def bits(array: NDArray[Any]) -> NDArray[Any]:
    """Return the elements as unsigned integers of the same width, so that NaN equals itself and -0 is not 0.

    >>> bits(np.array([-0.0], dtype="<f4"))
    array([2147483648], dtype=uint32)
    """
    return np.ascontiguousarray(array).view(np.dtype(f"<u{array.dtype.itemsize}"))


def touched(
    base: NDArray[Any], padding: NDArray[np.bool_], other: NDArray[Any], other_padding: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """Return where an alternative differs: other bits where both are texels, or padding in one of the two only."""
    differs: NDArray[np.bool_] = (bits(base) != bits(other)) & ~padding & ~other_padding
    differs |= padding != other_padding
    return differs


def marks(
    base: NDArray[Any], padding: NDArray[np.bool_], outcomes: Sequence[Outcome], choices: Sequence[Choice]
) -> tuple[NDArray[np.uint16], NDArray[np.uint8]]:
    """Return the mask and the field index that follow from a result and its outcomes.

    Parameters
    ----------
    base : ndarray
        The result by NVN's rules.
    padding : bool ndarray
        The same shape: elements that no texel reaches.
    outcomes : sequence of Outcome
        Variants are passed over: they have no element of the base to mark.
    choices : sequence of Choice
        The golden's.

    Returns
    -------
    uint16 and uint8 ndarrays, the shape of ``base``
        :class:`Reason` bits; position + 1 of the only choice that touches, or 0.
    """
    mask = np.where(padding, np.uint16(Reason.PADDING), np.uint16(0)).astype(np.uint16)
    index = np.zeros(base.shape, dtype=np.uint8)
    count = np.zeros(base.shape, dtype=np.uint8)
    for number, choice in enumerate(choices):
        by_choice = np.zeros(base.shape, dtype=np.bool_)
        for outcome in outcomes:
            if outcome.choice == number and outcome.array.shape == base.shape:
                where = touched(base, padding, outcome.array, outcome.padding)
                mask[where] |= np.uint16(choice.settings[outcome.setting - 1].reason)
                by_choice |= where
        index[by_choice] = number + 1
        count += by_choice
    mask[count > 1] |= np.uint16(Reason.ANY)
    index[count > 1] = 0
    return mask, index
