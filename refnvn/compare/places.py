"""Where is a weighed result wrong, and what would have passed there?

What it does not do: it weighs nothing; ``weigh.py`` does. Read next: ``judge.py``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from refnvn.compare.verdict import ResultVerdict, WrongPlace
from refnvn.compare.weigh import Status, Weighing
from refnvn.formats.table import format_named
from refnvn.golden.model import Choice, GoldenResult, bits, touched


@dataclass(slots=True)
class View:
    """A weighed result with what its places are told from."""

    name: str
    expected: NDArray[Any]
    actual: NDArray[Any]
    weighing: Weighing
    golden: GoldenResult | None
    choices: Sequence[Choice]
    allowed: Sequence[int]


def index_of(position: int, shape: tuple[int, ...]) -> tuple[int, ...]:
    """Return where the element at a flat position is."""
    return tuple(int(i) for i in np.unravel_index(position, shape))


def result_verdict(view: View, most_places: int) -> ResultVerdict:
    """Return the counts of a weighed result and its first wrong places."""
    status, variant = view.weighing.status, view.weighing.variant
    wrong = np.flatnonzero(status == Status.WRONG)
    counts = np.bincount(status, minlength=len(Status))
    return ResultVerdict(
        name=view.name,
        variant=None if variant is None else setting_text(view.choices[variant.choice], variant.setting),
        elements=int(status.size),
        same=int(counts[Status.SAME]),
        permitted={s.name.lower(): int(counts[s]) for s in Status if s not in (Status.SAME, Status.WRONG)},
        wrong=int(wrong.size),
        first_wrong=int(wrong[0]) if wrong.size else None,
        box=_box(wrong, view.expected.shape),
        per_channel=_per_channel(view, wrong),
        places=tuple(_place(view, int(position)) for position in wrong[:most_places]),
    )


def setting_text(choice: Choice, setting: int) -> str:
    """Return ``field = setting``."""
    return f"{choice.field} = {choice.setting_name(setting)}"


def _box(wrong: NDArray[np.intp], shape: tuple[int, ...]) -> tuple[tuple[int, int], ...] | None:
    if not wrong.size:
        return None
    return tuple((int(np.min(axis)), int(np.max(axis))) for axis in np.unravel_index(wrong, shape))


def _per_channel(view: View, wrong: NDArray[np.intp]) -> dict[str, int] | None:
    if view.golden is None or not wrong.size:
        return None
    base, last = view.golden.base, view.expected.shape[-1]
    names = base.columns
    if base.image is not None and len(base.axes) > 1:
        names = tuple(c.name for c in format_named(base.image.format).components)
    if len(names) != last:
        return None
    counts = np.bincount(wrong % last, minlength=last)
    return {f"{name}": int(count) for name, count in zip(names, counts, strict=True) if count}


def _place(view: View, position: int) -> WrongPlace:
    expected, actual = view.expected.reshape(-1)[position], view.actual.reshape(-1)[position]
    permitted, reason = _permitted(view, position)
    if expected.dtype.kind == "f" and not reason:
        digits = 2 * expected.dtype.itemsize
        reason = f"bits 0x{_bits_of(expected):0{digits}x} and 0x{_bits_of(actual):0{digits}x}"
    return WrongPlace(
        index_of(position, view.expected.shape), expected.item(), actual.item(), tuple(permitted), reason
    )


def _permitted(view: View, position: int) -> tuple[list[int | float], str]:
    """Return what would have passed at a wrong element, NVN's own first, and why ACTUAL did not."""
    expected = view.expected.reshape(-1)[position]
    weighing, golden = view.weighing, view.golden
    if weighing.impossible is not None:
        choice = view.choices[weighing.impossible[0]]
        return [], f"this size says {setting_text(choice, weighing.impossible[1])}, other results exclude that"
    touching = [] if golden is None or weighing.variant else _touching(golden, view.allowed, position)
    if golden is None or len(touching) != 1:
        return [expected.item()], ""
    number = touching[0]
    choice, left = view.choices[number], weighing.possible[number]
    values = {0: expected}
    values |= {o.setting: o.array.reshape(-1)[position] for o in golden.alternatives if o.choice == number}
    actual_bits = _bits_of(view.actual.reshape(-1)[position])
    claimed = [n for n, value in values.items() if _bits_of(value) == actual_bits]
    settings = [n for n in range(len(choice.settings) + 1) if left >> n & 1]
    permitted = list(dict.fromkeys(values.get(setting, expected).item() for setting in settings))
    only = " or ".join(choice.setting_name(n) for n in settings)
    if claimed:
        return permitted, f"is {setting_text(choice, claimed[0])}, only {only} is allowed"
    return permitted, f"is no setting of {choice.field}"


def _touching(golden: GoldenResult, allowed: Sequence[int], position: int) -> list[int]:
    """Return the choices that touch an element: those with an allowed setting, or, with none, those refused."""
    at = slice(position, position + 1)
    base, padding = golden.base.array.reshape(-1)[at], golden.padding.reshape(-1)[at]
    here = [
        o
        for o in golden.alternatives
        if touched(base, padding, o.array.reshape(-1)[at], o.padding.reshape(-1)[at]).any()
    ]
    may = {o.choice for o in here if allowed[o.choice] >> o.setting & 1}
    return sorted(may or {o.choice for o in here})


def _bits_of(value: Any) -> int:
    return int(bits(np.atleast_1d(value))[0])
