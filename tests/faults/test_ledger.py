"""The list of what waits and the faults agree."""

from refnvn.faults.fault import all_faults
from refnvn.rules.ledger import ledger_row, pending_rows


def test_every_fault_belongs_to_a_row_with_a_fault() -> None:
    """The id starts with a row of the ledger that says what goes wrong."""
    assert [one.id for one in all_faults().values() if not ledger_row(one.row).metal_fault] == []


def test_no_row_waits_for_a_fault_that_is_modelled() -> None:
    """A listed row that waits for faults has none."""
    modelled = {one.row for one in all_faults().values()}
    assert [row for row, (_, words) in pending_rows().items() if "faults" in words and row in modelled] == []
