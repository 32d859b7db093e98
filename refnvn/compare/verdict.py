"""What does a comparison say: same, permitted or wrong, where, and which way ACTUAL went?

What it does not do: it decides nothing; ``judge.py`` does. Read next: ``judge.py``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

REASONS = ("undefined", "imprecise", "any", "padding")
"""Why an element may differ from the golden and still be permitted."""


@dataclass(frozen=True, slots=True)
class WrongPlace:
    """One wrong element.

    Attributes
    ----------
    index : tuple of int
        Its place in the result.
    expected, actual : int or float
        The elements, read by the result's dtype.
    permitted : tuple of int or float
        What else would have passed here.
    reason : str
        Why it is wrong, in a few words.
    """

    index: tuple[int, ...]
    expected: int | float
    actual: int | float
    permitted: tuple[int | float, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Two places that agree with two settings of a choice that allows one for the whole golden.

    ``result`` and ``index`` are wrong: they agree with ``claimed`` only. ``decided_result`` and ``decided_index`` are
    where ACTUAL agreed with ``chosen`` and not with ``claimed``. An index is None for a result as a whole.
    """

    field: str
    chosen: str
    claimed: str
    result: str
    index: tuple[int, ...] | None
    decided_result: str
    decided_index: tuple[int, ...] | None

    def text(self) -> str:
        """Return it as one line."""
        here = f"{self.result}{list(self.index) if self.index is not None else ''}"
        there = f"{self.decided_result}{list(self.decided_index) if self.decided_index is not None else ''}"
        return f"{self.field}: {there} is {self.chosen}, {here} is {self.claimed}; one setting is allowed"


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultVerdict:
    """What became of one result.

    Attributes
    ----------
    name : str
        The result.
    variant : str or None
        ``field = setting`` of the variant it was compared with; None for the golden's own shape.
    elements, same, wrong : int
        How many; with ``permitted`` they add up.
    permitted : dict of str to int
        By reason, see :data:`REASONS`.
    first_wrong : int or None
        Position of the first wrong element in the flattened result.
    box : tuple or None
        First and last wrong index along each axis.
    per_channel : dict of str to int
        Wrong elements by the name of the last axis' position, where it has names.
    places : tuple of WrongPlace
        The first few.
    """

    name: str
    variant: str | None
    elements: int
    same: int
    permitted: Mapping[str, int]
    wrong: int
    first_wrong: int | None = None
    box: tuple[tuple[int, int], ...] | None = None
    per_channel: Mapping[str, int] | None = None
    places: tuple[WrongPlace, ...] = ()

    def lines(self) -> list[str]:
        """Return it as lines for people."""
        head = [f"{self.name}: {'WRONG' if self.wrong else 'ok'}", f"{self.same} of {self.elements} same"]
        head += [f"{count} {reason}" for reason, count in self.permitted.items() if count]
        head += [f"{self.wrong} wrong"] if self.wrong else []
        out = [", ".join(head) + (f" (as {self.variant})" if self.variant else "")]
        if self.box is not None:
            ranges = ", ".join(f"{first}" if first == last else f"{first}..{last}" for first, last in self.box)
            out.append(f"  within [{ranges}]")
        if self.per_channel:
            out.append("  by column: " + ", ".join(f"{name} {count}" for name, count in self.per_channel.items()))
        for place in self.places:
            line = f"  {list(place.index)} expected {place.expected}, actual {place.actual}"
            others = [value for value in place.permitted if value != place.expected]
            line += f", also permitted {', '.join(map(str, others))}" if others else ""
            out.append(line + (f": {place.reason}" if place.reason else ""))
        if self.wrong > len(self.places):
            out.append(f"  and {self.wrong - len(self.places)} more")
        return out


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What became of a comparison.

    Attributes
    ----------
    golden : str
        Name of the golden; empty for two plain files.
    exact : bool
        Whether slack was refused.
    results : tuple of ResultVerdict
        In the golden's order.
    not_judged : tuple of str
        Results of the golden that were left out on purpose.
    missing : tuple of str
        Results that should have been given and were not.
    chosen : dict of str to tuple of str
        For each choice of one setting for the whole golden: the settings that ACTUAL still agrees with.
    contradictions : tuple of Contradiction
        The first of each result and choice.
    weakest_evidence : str or None
        Of the golden, in words.
    """

    golden: str
    exact: bool
    results: tuple[ResultVerdict, ...]
    not_judged: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    chosen: Mapping[str, tuple[str, ...]]
    contradictions: tuple[Contradiction, ...] = ()
    weakest_evidence: str | None = None

    @property
    def wrong(self) -> int:
        """Wrong elements of all results."""
        return sum(result.wrong for result in self.results)

    @property
    def permitted(self) -> int:
        """Elements of all results that differ and may."""
        return sum(sum(result.permitted.values()) for result in self.results)

    @property
    def exit_code(self) -> int:
        """0 where everything is there and the same or permitted, else 1."""
        return 1 if self.wrong or self.missing else 0

    @property
    def outcome(self) -> str:
        """``same``, ``permitted``, ``incomplete`` (nothing is wrong, but something is missing) or ``wrong``."""
        if self.wrong:
            return "wrong"
        return "incomplete" if self.missing else "permitted" if self.permitted else "same"

    def text(self) -> str:
        """Return the verdict for people: compact, the worst first to see."""
        lines = [f"{self.golden + ': ' if self.golden else ''}{self.outcome}{' (exact)' if self.exact else ''}"]
        for result in self.results:
            lines += result.lines()
        lines += [contradiction.text() for contradiction in self.contradictions]
        for field, settings in self.chosen.items():
            lines.append(f"{field}: {settings[0] if len(settings) == 1 else 'not decided, ' + ' or '.join(settings)}")
        if self.missing:
            lines.append(f"missing: {', '.join(self.missing)}")
        if self.not_judged:
            lines.append(f"not judged: {', '.join(self.not_judged)}")
        if self.wrong and self.weakest_evidence:
            lines.append(f"weakest evidence of the golden: {self.weakest_evidence}")
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """Return the verdict as plain values for JSON."""
        return {"outcome": self.outcome, "exit_code": self.exit_code, **asdict(self)}
