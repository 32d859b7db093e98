"""Automatic block heights, by the numbers of the seeds."""

from __future__ import annotations

import pytest

from refnvn.layout.block_size import automatic_block_height_gob
from refnvn.rules.fields import NVN, AutoBlockHeight
from tests.layout.vectors import facts

RULE = facts()["auto-rule"]["expect"]["block_rows_to_gobs"]


@pytest.mark.rule("LAYOUT-AUTO-1")
@pytest.mark.parametrize("rows", [int(rows) for rows in RULE])
def test_automatic_height_of_rows(rows: int) -> None:
    """The height changes at 11, 22, 43 and 86 rows of blocks."""
    assert automatic_block_height_gob(rows) == RULE[str(rows)]


@pytest.mark.rule("LAYOUT-AUTO-1")
def test_rounding_up_differs_exactly_where_the_seeds_say() -> None:
    """At 6-10, 17-21, 38-42 and 81-85 rows, and nowhere else up to 5000."""
    wrong = NVN.with_(auto_block_height=AutoBlockHeight.ROUND_UP)
    differing = [
        rows for rows in range(1, 5001) if automatic_block_height_gob(rows) != automatic_block_height_gob(rows, wrong)
    ]
    ranges = facts()["auto-differs-from-round-up"]["expect"]["rows"]
    assert differing == [rows for first, last in ranges for rows in range(first, last + 1)]
