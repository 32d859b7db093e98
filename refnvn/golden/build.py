"""How does a case become a golden: which choices did it reach, and what changes under each of them?

The case runs by NVN's rules while the fields it reads and the rules it uses are noted. Then it runs once for each
alternative of a field that was read. A run that reads a new field adds that field's alternatives, until none is
left. An alternative that nobody could reach is not run. Where each place of memory may choose for itself, probes that
mix choices find the elements in which several meet: of those nothing is claimed. The same is done for slack: a port
takes all of its conversions together, and where that gives what none of them gives alone, nothing is claimed.

What it does not do: but for those probes it sets one alternative at a time. Two builds of one case give the same
value. Read next: ``bundle.py``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from refnvn.errors import ArgumentError
from refnvn.golden.case import GoldenCase
from refnvn.golden.model import (
    MOST_CHOICES,
    MOST_SETTINGS,
    Choice,
    Golden,
    GoldenResult,
    Outcome,
    Reason,
    RuleUse,
    Setting,
    marks,
    touched,
)
from refnvn.golden.probes import Probed, differing, padding_of
from refnvn.golden.result import Result
from refnvn.rules import registry
from refnvn.rules.alternatives import Alternative
from refnvn.rules.fields import FIELDS, NVN, Scope, WatchedRules, watch
from refnvn.rules.slack import SLACK
from refnvn.rules.worlds import WORLDS
from refnvn.version import VERSION

Key = tuple[str, int]
"""A field and the number of its other setting in the enumeration."""

Results = tuple[Result, ...]

TOGETHER = Choice(
    "slack_together",
    "texel",
    "one_at_a_time",
    (Setting("together", Reason.IMPRECISE, "a port takes all of its conversions at once, and several meet here"),),
)
"""No field of the rules: what a faithful port leaves where several settings meet in one element."""


def build(
    case: GoldenCase, *, worlds: Sequence[Alternative] = WORLDS, slack: Sequence[Alternative] = SLACK
) -> Golden:
    """Run a case by NVN's rules and under every alternative that it reaches.

    Parameters
    ----------
    case : GoldenCase
        A function of the rules alone.
    worlds, slack : sequence of Alternative
        What NVN itself may do otherwise, and what a port is not asked to match. A setting in both counts as a world.
        What the case fixes is left out, and what it allows besides is slack.

    Returns
    -------
    Golden
        Equal for equal cases.

    Raises
    ------
    ArgumentError
        Where an alternative changes which results there are, their dtype or their kind, or is malformed.
    """
    offered = _offered(worlds, (*slack, *case.also))
    offered = {key: found for key, found in offered.items() if key[0] not in case.fixed}
    rules = watch(NVN)
    with registry.collect() as used:
        base = case.run(rules)
    runs = _run_alternatives(case, base, rules, offered)
    together = _slack_together(case, base, runs, rules, slack)
    choices, numbers = _choices(runs, offered)
    met = [] if together is None else [((len(choices), 1), together)]
    choices += () if together is None else (TOGETHER,)
    return Golden(
        name=case.name,
        t_test=case.t_test,
        says=case.says,
        ledger=case.ledger,
        refnvn_version=VERSION,
        reached=tuple(name for name in FIELDS if name in rules.read),
        choices=choices,
        rules=_rules_used(used),
        results=tuple(
            _golden_result(
                result,
                [
                    *((numbers[key], run[position]) for key, run in sorted(runs.items())),
                    *((number, run[position]) for number, run in met),
                ],
                choices,
            )
            for position, result in enumerate(base)
        ),
    )


def _offered(worlds: Sequence[Alternative], slack: Sequence[Alternative]) -> dict[Key, tuple[Alternative, Reason]]:
    """Return all alternatives by field and setting, each with its reason; a world comes before slack."""
    offered: dict[Key, tuple[Alternative, Reason]] = {}
    scopes: dict[str, Scope] = {}
    for reason, alternatives in ((Reason.UNDEFINED, worlds), (Reason.IMPRECISE, slack)):
        for alternative in alternatives:
            if alternative.setting == getattr(NVN, alternative.field):
                raise ArgumentError(
                    f"alternative {alternative.field}: {alternative.setting.name} is NVN's own setting"
                )
            if scopes.setdefault(alternative.field, alternative.scope) != alternative.scope:
                raise ArgumentError(f"alternative {alternative.field}: its settings differ in scope")
            offered.setdefault((alternative.field, int(alternative.setting)), (alternative, reason))
    return offered


def _run_alternatives(
    case: GoldenCase, base: Results, rules: WatchedRules, offered: dict[Key, tuple[Alternative, Reason]]
) -> dict[Key, Results]:
    """Run the case under each alternative whose field was read, until no run reads a new one."""
    runs: dict[Key, Results] = {}
    while todo := [key for key in offered if key[0] in rules.read and key not in runs]:
        for key in todo:
            alternative = offered[key][0]
            if alternative.probes:
                listed = [run for other, run in runs.items() if other[0] == alternative.field]
                runs[key] = _probed(case, base, listed, alternative, rules)
                continue
            run = case.run(alternative.of(rules))
            _check_same_results(case, key, base, run)
            runs[key] = run
    return runs


def _probed(
    case: GoldenCase, base: Results, listed: Sequence[Results], alternative: Alternative, rules: WatchedRules
) -> Results:
    """Return the base, with elements marked in which several places meet: nothing is claimed of them."""
    probed = Probed(base, listed)
    for setting in alternative.probes:
        run = case.run(rules.with_(**{alternative.field: setting}))
        _check_same_results(case, (alternative.field, int(setting)), base, run, shapes=True)
        probed.add(run)
    return probed.marked()


def _slack_together(
    case: GoldenCase, base: Results, runs: dict[Key, Results], rules: WatchedRules, slack: Sequence[Alternative]
) -> Results | None:
    """Return the base with what a port's conversions give together and none gives alone; None for no such element."""
    taken = {one.field: one for one in reversed(slack) if one.scope is Scope.RUN and one.field in rules.read}
    if len(taken) < 2:
        return None
    run = case.run(NVN.with_(**{one.field: one.setting for one in taken.values()}))
    listed = [base, *runs.values()]
    merged = tuple(
        _where_unlike(result, run[position], [one[position] for one in listed])
        for position, result in enumerate(base)
    )
    return merged if any(differing(*pair).any() for pair in zip(base, merged, strict=True)) else None


def _where_unlike(base: Result, run: Result, listed: Sequence[Result]) -> Result:
    """Return the base with a run's elements where they are unlike all that are listed; of another shape, the base."""
    comparable = [one for one in listed if one.array.shape == run.array.shape]
    if run.array.shape != base.array.shape:
        return base
    where = np.logical_and.reduce([differing(one, run) for one in comparable])
    return replace(
        base,
        array=np.where(where, run.array, base.array),
        any_mask=np.where(where, padding_of(run), padding_of(base)),
    )


def _check_same_results(case: GoldenCase, key: Key, base: Results, run: Results, *, shapes: bool = False) -> None:
    def outline(results: Results) -> list[tuple[object, ...]]:
        return [
            (r.name, r.kind, r.array.dtype.name, r.columns, *([r.array.shape] if shapes else [])) for r in results
        ]

    if outline(base) != outline(run):
        raise ArgumentError(
            f"golden {case.name}: under setting {key[1]} of {key[0]} its results are {outline(run)}, "
            f"allowed are those of NVN's rules, {outline(base)}"
        )


def _choices(
    runs: Iterable[Key], offered: dict[Key, tuple[Alternative, Reason]]
) -> tuple[tuple[Choice, ...], dict[Key, tuple[int, int]]]:
    """Return the choices in the order of the fields, and where each alternative stands among them."""
    by_field: dict[str, list[Key]] = {}
    for key in sorted(runs, key=lambda key: (FIELDS.index(key[0]), key[1])):
        by_field.setdefault(key[0], []).append(key)
    if len(by_field) > MOST_CHOICES or any(len(keys) > MOST_SETTINGS for keys in by_field.values()):
        raise ArgumentError(f"a golden holds at most {MOST_CHOICES} choices of {MOST_SETTINGS} other settings")
    choices = []
    numbers: dict[Key, tuple[int, int]] = {}
    for position, (field, keys) in enumerate(by_field.items()):
        settings = []
        for number, key in enumerate(keys, start=1):
            alternative, reason = offered[key]
            settings.append(Setting(alternative.setting.name.lower(), reason, alternative.because))
            numbers[key] = (position, number)
        scope = offered[keys[0]][0].scope
        default = getattr(NVN, field).name.lower()
        choices.append(Choice(field, "run" if scope is Scope.RUN else "texel", default, tuple(settings)))
    return tuple(choices), numbers


def _golden_result(
    base: Result, runs: Sequence[tuple[tuple[int, int], Result]], choices: Sequence[Choice]
) -> GoldenResult:
    """Keep of the runs what differs from the base, and mark the base's elements."""
    padding = padding_of(base)
    outcomes = []
    for (choice, setting), run in sorted(runs, key=lambda item: item[0]):
        other_padding = padding_of(run)
        if run.array.shape != base.array.shape:
            outcomes.append(Outcome(choice, setting, run.array, other_padding, run.row_labels))
        elif touched(base.array, padding, run.array, other_padding).any():
            outcomes.append(Outcome(choice, setting, run.array, other_padding))
    mask, field_index = marks(base.array, padding, outcomes, choices)
    return GoldenResult(base, tuple(outcomes), mask, field_index)


def _rules_used(used: set[str]) -> tuple[RuleUse, ...]:
    known = registry.load_all()
    return tuple(
        RuleUse(id=i, says=known[i].says, evidence=known[i].evidence, exactness=known[i].exactness)
        for i in sorted(used)
    )
