"""Which of the rows that the reference must model are served by rules, which wait, and for what?

``ledger.csv`` lists the rows: what NVN does (``nvn_rule``), what a Metal path is known to do wrong
(``metal_fault``), the renderer's own test of it, and a remark where measurement has ``superseded`` the row.
Rules name the rows that they serve (``ledger=`` of :func:`refnvn.rules.registry.rule`). ``pending.csv`` lists by
hand what no rule serves yet (``pending``) or only part of (``partly``), and what the rest waits for. A row is
served when rules name it and ``pending.csv`` does not.

It does not judge whether a rule is right: its evidence and its tests do. Read next: ``registry.py``.
"""

from __future__ import annotations

import csv
import functools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from refnvn.errors import FieldRangeError
from refnvn.rules.registry import Rule, load_all


class RowScope(StrEnum):
    """Who uses a row."""

    ORACLE = "oracle"
    """The oracle models its rule."""
    FAULT = "fault"
    """``diagnose`` models its fault; the rule says nothing of its own."""
    BOTH = "both"
    """Both of these."""


class State(StrEnum):
    """How far a row is served, best first."""

    SERVED = "served"
    PARTLY = "partly"
    PENDING = "pending"


@dataclass(frozen=True, slots=True, kw_only=True)
class LedgerRow:
    """One row of ``ledger.csv``, word for word.

    Attributes
    ----------
    id : str
        Its name, which rules repeat.
    scope : RowScope
        Who uses it.
    capability : tuple of str
        The areas it touches.
    nvn_rule, metal_fault : str
        What NVN does, and what a Metal path is known to do instead.
    tests : tuple of str
        The renderer's own tests of it.
    confidence : str
        How sure its author was.
    superseded : str
        What measurement has since shown to be otherwise; empty for most.
    """

    id: str
    scope: RowScope
    capability: tuple[str, ...]
    nvn_rule: str
    metal_fault: str
    tests: tuple[str, ...]
    confidence: str
    superseded: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LedgerCoverage:
    """How far one row is served.

    Attributes
    ----------
    id : str
        The row.
    scope : RowScope
        Who uses it.
    capability : tuple of str
        The areas it touches.
    rules : tuple of str
        Ids of the rules that name it, sorted.
    state : State
        Served, partly or pending.
    waits_for : tuple of str
        What the rest waits for; empty where it is served.
    """

    id: str
    scope: RowScope
    capability: tuple[str, ...]
    rules: tuple[str, ...]
    state: State
    waits_for: tuple[str, ...]


def _read(name: str) -> list[dict[str, str]]:
    with Path(__file__).with_name(name).open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


@functools.cache
def ledger_rows() -> dict[str, LedgerRow]:
    """Return all rows by id, in the order of ``ledger.csv``."""
    return {
        row["id"]: LedgerRow(
            id=row["id"],
            scope=RowScope(row["in_scope"]),
            capability=tuple(row["capability"].split(";")),
            nvn_rule=row["nvn_rule"],
            metal_fault=row["metal_fault"],
            tests=tuple(row["t_test"].split()),
            confidence=row["confidence"],
            superseded=row["superseded"],
        )
        for row in _read("ledger.csv")
    }


@functools.cache
def pending_rows() -> dict[str, tuple[State, tuple[str, ...]]]:
    """Return state and what is waited for of every row of ``pending.csv``, by id."""
    return {row["id"]: (State(row["state"]), tuple(row["waits_for"].split("; "))) for row in _read("pending.csv")}


def ledger_row(row_id: str) -> LedgerRow:
    """Return one row.

    Raises
    ------
    FieldRangeError
        For no such row.

    Examples
    --------
    >>> ledger_row("auto-block-height").scope.value
    'both'
    """
    rows = ledger_rows()
    if row_id not in rows:
        raise FieldRangeError(f"{row_id!r} is no row of the ledger; `refnvn rules --ledger` lists all {len(rows)}")
    return rows[row_id]


def disagreements(rules: Mapping[str, Rule]) -> list[str]:
    """Return what is not as it should be between rules, ledger and pending list, one sentence each; none is right.

    A row that no rule names must be listed as pending; one that is listed as partly must be named; one listed as
    pending must not; rules and list name rows of the ledger only.
    """
    named = _naming(rules.values())
    listed = pending_rows()
    found = [
        f"rule {', '.join(ids)} names {row}, which the ledger lacks" for row, ids in named.items() if not _known(row)
    ]
    found += [f"pending.csv lists {row}, which the ledger lacks" for row in listed if not _known(row)]
    for row in ledger_rows():
        state = listed[row][0] if row in listed else State.SERVED
        if row in named and state is State.PENDING:
            found.append(f"{row} is listed as pending but {', '.join(named[row])} names it")
        if row not in named and state is not State.PENDING:
            found.append(f"{row} is taken to be {state} but no rule names it")
    return found


def coverage() -> list[LedgerCoverage]:
    """Return how far each row is served, in the order of the ledger."""
    named = _naming(load_all().values())
    listed = pending_rows()
    covered = []
    for row in ledger_rows().values():
        state, waits_for = listed.get(row.id, (State.SERVED, ()))
        covered.append(
            LedgerCoverage(
                id=row.id,
                scope=row.scope,
                capability=row.capability,
                rules=named.get(row.id, ()),
                state=state,
                waits_for=waits_for,
            )
        )
    return covered


def _known(row_id: str) -> bool:
    return row_id in ledger_rows()


def _naming(rules: Iterable[Rule]) -> dict[str, tuple[str, ...]]:
    """Return the ids of the rules that name each row."""
    named: dict[str, list[str]] = {}
    for rule in rules:
        for row in rule.ledger:
            named.setdefault(row, []).append(rule.id)
    return {row: tuple(sorted(ids)) for row, ids in named.items()}
