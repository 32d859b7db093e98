"""Which faults does a row of the ledger have, and which rows have none that is modelled, and why?

``not_modelled.csv`` holds the latter: matters of the host, of time, of tools and of other APIs.
"""

from __future__ import annotations

import csv
import functools
from pathlib import Path

from refnvn.faults.fault import all_faults
from refnvn.faults.setting_faults import setting_faults
from refnvn.rules.fields import FIELDS


@functools.cache
def not_modelled() -> dict[str, str]:
    """Return the reason of every row whose fault is not modelled, by id."""
    with Path(__file__).with_name("not_modelled.csv").open(newline="", encoding="utf-8") as file:
        return {row["id"]: row["reason"] for row in csv.DictReader(file)}


def faults_of_row(row: str) -> list[str]:
    """Return the ids of the faults of a row: of scenes, and settings.

    >>> faults_of_row("clear-scissor"), faults_of_row("cube-array-faces")
    (['clear-scissor/skipped', 'clear-scissor/whole'], ['cube_array_depth=cubes'])
    """
    return [one.id for one in (*all_faults().values(), *setting_faults(FIELDS)) if row in one.rows]
