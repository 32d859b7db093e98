"""docs/faults.md: it lists every fault, as the code has it, and what looks alike there leaves the same bytes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from refnvn.compare.candidates import left_by
from refnvn.faults.fault import all_faults, fault_named
from refnvn.faults.rows import not_modelled
from refnvn.faults.setting_faults import setting_faults
from refnvn.golden.case import case_named
from refnvn.golden.scene import trace_of
from refnvn.rules.fields import FIELDS, NVN
from tests.faults.test_scene_faults import SEEN_BY

PAGE = (Path(__file__).parents[2] / "docs" / "faults.md").read_text(encoding="utf-8")


def rows(heading: str) -> list[list[str]]:
    """Return the cells of the table below a heading."""
    table = PAGE.split(f"## {heading}\n")[1].split("\n## ")[0]
    lines = [line for line in table.splitlines() if line.startswith("| ")]
    return [line.strip("| ").split(" | ") for line in lines[1:]]


def named(cell: str) -> list[str]:
    """Return what a cell names."""
    return re.findall(r"`([^`]+)`", cell)


SCENES = rows("Of scenes")
ALIKE = [(named(fault)[0], named(golden)[0], named(alike)) for fault, _, golden, alike in SCENES if named(alike)]


def test_every_fault_of_a_scene_is_listed_with_its_symptom() -> None:
    """In order, in the words that `refnvn diagnose` says."""
    listed = [(named(fault)[0], symptom) for fault, symptom, _, _ in SCENES]
    assert listed == [(one.id, one.symptom) for one in all_faults().values()]


def test_the_golden_that_tells_a_fault_is_tested_to_see_it() -> None:
    """Each golden of the table is one of those for which a test runs the fault."""
    assert [fault for fault, _, golden, _ in SCENES if named(golden)[0] not in SEEN_BY[named(fault)[0]]] == []


@pytest.mark.slow
@pytest.mark.parametrize(("fault", "golden", "alike"), ALIKE, ids=[fault for fault, _, _ in ALIKE])
def test_what_looks_alike_leaves_the_same_bytes(fault: str, golden: str, alike: list[str]) -> None:
    """Every fault of the last column leaves the golden of its line as the line's own fault does."""
    trace = trace_of(case_named(golden))
    left = left_by(fault_named(fault), trace, NVN)
    assert [one for one in alike if left_by(fault_named(one), trace, NVN) != left] == []


def test_every_setting_that_is_a_fault_is_listed() -> None:
    """With its symptom and its rows."""
    listed = [
        (named(one)[0], symptom, tuple(named(served))) for one, symptom, served, _ in rows("Settings of the rules")
    ]
    assert listed == [(one.id, one.symptom, one.rows) for one in setting_faults(FIELDS)]


def test_every_row_that_is_not_modelled_is_listed_with_its_reason() -> None:
    """The page and the list of the code agree."""
    assert {row: reason for reason, cell in rows("Not modelled") for row in named(cell)} == not_modelled()
