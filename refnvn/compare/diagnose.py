"""Which known fault explains a readback that is wrong?

The readback is judged as always: what is the same or permitted is never blamed. Then every candidate that the scene
can reach is replayed, by NVN's rules and, where nothing explains all, by those of a port with Metal's conversions. A
candidate *explains* a wrong element if it leaves the very bits that are there; it *misses* an element if the readback
is right there and the candidate's would be wrong. Candidates that leave the same bytes are one answer.

What it does not do: it knows modelled faults alone; ``image_suspicions.py`` looks at the two images without them.
Read next: ``candidates.py``, ``image_suspicions.py``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np

from refnvn.compare.candidates import PLUS, Left, candidates, together
from refnvn.compare.judge import Actual, Weighed, weighed
from refnvn.compare.weigh import Status
from refnvn.faults.fault import Fault
from refnvn.golden.model import Golden, bits
from refnvn.rules.fields import NVN, Rules
from refnvn.rules.slack import METAL
from refnvn.trace.files import Trace

MOST_PAIRS = 200
MOST_PLACES = 4
LEAST_EXPLAINED = 0.5
"""Of what is wrong: with less a fault is a weak explanation, since faults of one kind often share some texels."""
Runner = Callable[[Sequence[tuple[Fault, Rules]]], Iterator[Left]]
"""Replays faults by rules, in the order in which they are given."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """How well one thing explains a wrong readback.

    Attributes
    ----------
    ids : tuple of str
        Faults that look alike here; of a pair one text with both.
    symptom : str
        Of the first.
    explained, wrong : int
        Of how many wrong elements it leaves the bits that are there.
    missed : int
        Elements that it would get wrong and that are right.
    whole : tuple of str
        Wrong results of which it explains every wrong element and misses none.
    """

    ids: tuple[str, ...]
    symptom: str
    explained: int
    wrong: int
    missed: int
    whole: tuple[str, ...] = ()

    @property
    def left_over(self) -> int:
        """Elements that it does not account for."""
        return self.wrong - self.explained + self.missed

    @property
    def is_weak(self) -> bool:
        """Whether it leaves more than half open, and no result is explained by it as a whole."""
        return self.left_over > LEAST_EXPLAINED * self.wrong and not self.whole

    @property
    def words(self) -> str:
        """How much it explains: ``exact``, ``all but 3``, or which part."""
        if self.left_over == 0:
            return "exact"
        if self.explained == self.wrong:
            return f"all, and {self.missed} that are right"
        part = f"{self.explained} of {self.wrong}"
        part += f", all of {' and '.join(self.whole)}" if self.whole else ""
        return f"{part}, and {self.missed} that are right" if self.missed else part


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnosis:
    """What was found out about a readback.

    Attributes
    ----------
    judged : Weighed
        The comparison with the golden.
    explanations : tuple of Explanation
        The best first; none where nothing is wrong.
    tried, unreachable, impossible : int
        Candidates replayed; that the scene cannot reach; that made it impossible.
    pairs : int
        Pairs of candidates that were tried.
    """

    judged: Weighed
    explanations: tuple[Explanation, ...] = ()
    tried: int = 0
    impossible: int = 0
    pairs: int = 0

    @property
    def is_exact(self) -> bool:
        """Whether something explains every wrong element and nothing else."""
        return bool(self.explanations) and self.explanations[0].left_over == 0


class _Evidence:
    """The readback's wrong elements, and how a candidate's bytes compare with them."""

    def __init__(self, golden: Golden, judged: Weighed) -> None:
        self.golden = golden
        self.views = {view.name: view for view in judged.views}
        self.wrong = {name: view.weighing.status == Status.WRONG for name, view in self.views.items()}
        self.total = sum(int(np.count_nonzero(where)) for where in self.wrong.values())

    def explanation(self, fault: Fault, left: Left) -> Explanation | None:
        """Return how well what a candidate left explains the readback; None where it left other sizes."""
        given = {name: left.results[name] for name in self.views if name in left.results}
        if set(given) != set(self.views) or any(len(given[n]) != v.expected.nbytes for n, v in self.views.items()):
            return None
        found = {view.name: view for view in weighed(self.golden, given, most_places=0).views}
        explained, missed = {}, {}
        for name, view in self.views.items():
            same = (bits(found[name].actual) == bits(view.actual)).reshape(-1)
            explained[name] = int(np.count_nonzero(self.wrong[name] & same))
            would = found[name].weighing.status == Status.WRONG
            missed[name] = int(np.count_nonzero(would & ~self.wrong[name] & ~same))
        whole = (
            name for name, where in self.wrong.items()
            if explained[name] and explained[name] == np.count_nonzero(where) and not missed[name]
        )  # fmt: skip
        return Explanation(
            ids=(fault.id,), symptom=fault.symptom, explained=sum(explained.values()), wrong=self.total,
            missed=sum(missed.values()), whole=tuple(whole),
        )  # fmt: skip


def diagnose(
    trace: Trace,
    golden: Golden,
    actual: Mapping[str, Actual],
    run: Runner,
    *,
    exact: bool = False,
    begin: Callable[[int], None] = lambda _: None,
) -> Diagnosis:
    """Find the faults that explain a readback.

    Parameters
    ----------
    trace : Trace
        Of the scene.
    golden : Golden
        Built from the same.
    actual : mapping of result name to bytes or ndarray
        As for :func:`refnvn.compare.judge.judge`.
    run : callable
        Replays many faults by rules, perhaps in several processes.
    exact : bool
        Do not excuse what only slack permits.
    begin : callable
        Told how many replays follow.

    Returns
    -------
    Diagnosis

    Raises
    ------
    ArgumentError
        As for :func:`refnvn.compare.judge.judge`.
    """
    judged = weighed(golden, actual, exact=exact, most_places=MOST_PLACES)
    if not judged.verdict.wrong:
        return Diagnosis(judged=judged)
    evidence = _Evidence(golden, judged)
    faults = candidates(trace, golden.reached)
    answers = _Answers(evidence)
    for rules in _profiles(judged):
        begin(len(faults))
        answers.take(faults, run([(fault, rules) for fault in faults]))
        if answers.exact:
            break
    pairs = () if answers.exact else _pairs(answers.partial())
    begin(len(pairs))
    answers.take(pairs, run([(fault, NVN) for fault in pairs]))
    return Diagnosis(
        judged=judged,
        explanations=answers.ranked(),
        tried=len(faults),
        impossible=len(answers.impossible),
        pairs=len(pairs),
    )


def _profiles(judged: Weighed) -> list[Rules]:
    """Return the rules that candidates depart from: NVN's, what the readback says of its port, then Metal's."""
    chosen: dict[str, Any] = {}
    for name, settings in judged.verdict.chosen.items():
        usual = getattr(NVN, name)
        if usual.name.lower() not in settings and settings:
            chosen[name] = next(one for one in type(usual) if one.name.lower() == settings[0])
    found = [NVN]
    for rules in (NVN.with_(**chosen), METAL):
        if rules not in found:
            found.append(rules)
    return found


class _Answers:
    """Explanations as they come in, those that leave the same bytes as one."""

    def __init__(self, evidence: _Evidence) -> None:
        self.evidence = evidence
        self.found: dict[frozenset[tuple[str, bytes]], Explanation] = {}
        self.faults: dict[str, Fault] = {}
        self.impossible: set[str] = set()

    def take(self, faults: Sequence[Fault], results: Iterator[Left]) -> None:
        """Weigh what faults left."""
        for fault, left in zip(faults, results, strict=True):
            if left.error:
                self.impossible.add(fault.id)
                continue
            explanation = self.evidence.explanation(fault, left)
            if explanation is None or not explanation.explained or explanation.left_over >= self.evidence.total:
                continue
            self.faults[fault.id] = fault
            key = frozenset(left.results.items())
            before = self.found.get(key)
            if before is None:
                self.found[key] = explanation
            elif fault.id not in before.ids:
                self.found[key] = replace(before, ids=(*before.ids, fault.id))

    @property
    def exact(self) -> bool:
        """Whether one explains all and nothing else."""
        return any(one.left_over == 0 for one in self.found.values())

    def partial(self) -> list[Fault]:
        """Return one fault of each answer, the best answer first."""
        return [self.faults[one.ids[0]] for one in self.ranked()]

    def ranked(self) -> tuple[Explanation, ...]:
        """Return the answers, the best first; each fault where it explains most, a pair where it beats its parts."""
        told: set[str] = set()
        best = []
        for one in sorted(self.found.values(), key=lambda one: (one.left_over, PLUS in one.ids[0], one.ids)):
            ids = []
            for name in sorted(one.ids, key=lambda name: PLUS in name):
                if name not in told and not told.intersection(_parts(name)):
                    ids.append(name)
                    told.add(name)
            if ids:
                best.append(replace(one, ids=tuple(ids), symptom=self.faults[ids[0]].symptom))
        return tuple(best)


def _parts(name: str) -> list[str]:
    """Return the faults of a pair; none for a single one."""
    return name.split(PLUS) if PLUS in name else []


def _pairs(partial: Sequence[Fault]) -> list[Fault]:
    """Return at most :data:`MOST_PAIRS` pairs of those that each explain a part, of the best first."""
    by_rank = sorted(combinations(range(len(partial)), 2), key=sum)
    pairs = (together(partial[one], partial[other]) for one, other in by_rank)
    return [pair for pair in pairs if pair is not None][:MOST_PAIRS]
