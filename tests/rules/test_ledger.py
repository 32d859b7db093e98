"""The ledger, the list of what waits, and the rules agree."""

import dataclasses

import pytest

from refnvn.errors import FieldRangeError
from refnvn.golden.case import catalogue
from refnvn.rules import ledger
from refnvn.rules.evidence import Evidence
from refnvn.rules.ledger import RowScope, State, coverage, disagreements, ledger_row, ledger_rows, pending_rows
from refnvn.rules.registry import Rule, load_all

SERVED_IN_FULL = {"auto-block-height", "sparse-64k", "sparse-tile-height", "sparse-small-auto"}


def named(*rows: str) -> dict[str, Rule]:
    """Return one made-up rule that names rows."""
    rule = Rule(
        id="TEST-ONE-1", says="One is one.", evidence=Evidence.OPEN, sources=("nil",), ledger=rows,
        exactness="bit-exact", refuted_by="two", fields=(), code="nowhere.one",
    )  # fmt: skip
    return {rule.id: rule}


def test_the_ledger_has_152_rows() -> None:
    """110 rows have a rule and a fault to model, 10 a rule only, 32 a fault only; no id is repeated."""
    rows = ledger_rows().values()
    scopes = [row.scope for row in rows]
    assert [scopes.count(one) for one in (RowScope.BOTH, RowScope.ORACLE, RowScope.FAULT)] == [110, 10, 32]
    assert len(ledger._read("ledger.csv")) == len(ledger_rows()) == 152


def test_every_row_says_what_nvn_does_or_what_goes_wrong() -> None:
    """A row of the oracle has a rule, a row of faults a fault."""
    for row in ledger_rows().values():
        assert row.nvn_rule or row.scope is RowScope.FAULT, row.id
        assert row.metal_fault or row.scope is RowScope.ORACLE, row.id
        assert all(row.capability), row.id


def test_the_measured_16_bit_depth_supersedes_its_row() -> None:
    """Hardware stores depth 0.5 as 32767 on both paths, where the row says 32768; no other row is superseded."""
    assert "32767, not 32768" in ledger_row("d16-clear").superseded
    assert [row.id for row in ledger_rows().values() if row.superseded] == ["d16-clear"]


def test_an_unknown_row_is_refused() -> None:
    """The error says where to find all rows."""
    with pytest.raises(FieldRangeError, match="'no-such-row' is no row of the ledger"):
        ledger_row("no-such-row")


def test_every_row_is_served_or_listed() -> None:
    """Rules, ledger and pending list contradict one another nowhere."""
    assert disagreements(load_all()) == []


def test_a_listed_row_says_what_it_waits_for() -> None:
    """A row that waits does so for something; a served row is not in the list; no row is listed twice."""
    assert all(state in (State.PARTLY, State.PENDING) and all(words) for state, words in pending_rows().values())
    assert len(ledger._read("pending.csv")) == len(pending_rows())


@pytest.mark.parametrize(
    ("rows", "listed", "complaint"),
    [
        pytest.param(("made-up",), {}, "TEST-ONE-1 names made-up, which the ledger lacks", id="unknown-named"),
        pytest.param((), {"made-up": State.PENDING}, "lists made-up, which the ledger lacks", id="unknown-listed"),
        pytest.param(("indirect",), {"indirect": State.PENDING}, "TEST-ONE-1 names it", id="pending-yet-named"),
        pytest.param((), {"indirect": State.PARTLY}, "taken to be partly but no rule", id="partly-unnamed"),
        pytest.param((), {}, "indirect is taken to be served but no rule names it", id="forgotten"),
    ],
)
def test_a_disagreement_is_found(
    monkeypatch: pytest.MonkeyPatch, rows: tuple[str, ...], listed: dict[str, State], complaint: str
) -> None:
    """Each way in which the three can disagree is told."""
    one_row = {"indirect": ledger_row("indirect")}
    monkeypatch.setattr(ledger, "ledger_rows", lambda: one_row)
    monkeypatch.setattr(ledger, "pending_rows", lambda: {row: (state, ("work",)) for row, state in listed.items()})
    assert any(complaint in one for one in disagreements(named(*rows)))


def test_coverage_has_one_line_a_row() -> None:
    """Each row comes with the rules that name it, in the ledger's order."""
    covered = {one.id: one for one in coverage()}
    assert list(covered) == list(ledger_rows())
    assert covered["sparse-small-auto"].rules == ("LAYOUT-SPARSE-4", "LAYOUT-SPARSE-5")
    assert covered["sparse-small-auto"].waits_for == ()
    assert all(one.waits_for for one in covered.values() if one.state is not State.SERVED)


def test_the_layout_rows_with_their_faults_are_served() -> None:
    """Four layout rows have their rule and their fault; whatever else is served must come on top."""
    assert {one.id for one in coverage() if one.state is State.SERVED} >= SERVED_IN_FULL


def test_rows_are_frozen() -> None:
    """Nobody edits the ledger in passing."""
    with pytest.raises(dataclasses.FrozenInstanceError):
        ledger_row("indirect").id = "other"  # type: ignore[misc]


def test_goldens_name_rows_of_the_ledger() -> None:
    """A golden that says which rows it shows names rows that there are."""
    named_rows = {row for case in catalogue() for row in case.ledger}
    assert named_rows
    assert sorted(named_rows - set(ledger_rows())) == []
