"""The list of what waits and the faults agree."""

from refnvn.faults.fault import all_faults
from refnvn.faults.rows import faults_of_row, not_modelled
from refnvn.rules.ledger import ledger_row, ledger_rows, pending_rows


def test_every_fault_belongs_to_a_row_with_a_fault() -> None:
    """The id starts with a row of the ledger that says what goes wrong."""
    assert [one.id for one in all_faults().values() if not ledger_row(one.row).metal_fault] == []


def test_no_row_waits_for_a_fault_that_is_modelled() -> None:
    """A listed row that waits for faults has none."""
    modelled = {one.row for one in all_faults().values()}
    assert [row for row, (_, words) in pending_rows().items() if "faults" in words and row in modelled] == []


def test_every_row_has_its_fault_or_the_reason_why_not() -> None:
    """A row that says what goes wrong has a fault of a scene or a setting, or is listed with a reason; never both."""
    rows = [row for row in ledger_rows().values() if row.metal_fault]
    assert [row.id for row in rows if bool(faults_of_row(row.id)) == (row.id in not_modelled())] == []


def test_only_one_row_of_the_ledger_is_without_its_fault() -> None:
    """The others that are listed are of host, time, tools and other APIs, and the ledger leaves them out."""
    assert [row for row in not_modelled() if row in ledger_rows()] == ["ub-unbound"]
    assert all(not_modelled().values())
    assert list(not_modelled()) == sorted(not_modelled())
