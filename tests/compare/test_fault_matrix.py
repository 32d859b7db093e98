"""The matrix says which golden sees which fault, and which faults it cannot tell apart."""

from __future__ import annotations

import numpy as np
import pytest

from refnvn.compare.fault_matrix import MatrixRow, always_alike, matrix_row, never_seen, scene_cases
from refnvn.containers.png import read_png
from refnvn.faults.fault import all_faults
from refnvn.golden.case import case_named
from tests.cli.harness import complaint, refnvn


def test_a_golden_sees_its_fault_and_not_others() -> None:
    """Masked texture clears see the fault that ignores masks, and nothing of blending."""
    row = matrix_row(case_named("clear_tex/mask"))
    assert "clear-tex-partial/mask" in row.seen
    assert "src1-written/zero" not in {*row.seen, *row.unseen}
    assert "d16-clear" in row.unseen


def test_faults_that_leave_the_same_bytes_are_alike() -> None:
    """Two of three faults share a digest in one golden; another golden tells two others apart."""
    rows = [
        MatrixRow("a/one", {"x": "1", "y": "1", "z": "2"}),
        MatrixRow("a/two", {"z": "3"}),
    ]
    assert rows[0].alike == (("x", "y"),)
    assert always_alike(rows) == [("x", "y")]
    told = [*rows, MatrixRow("a/three", {"x": "4", "y": "5"})]
    assert always_alike(told) == []


def test_faults_that_nothing_sees_are_listed() -> None:
    """With one golden that sees one fault, all others are unseen."""
    assert never_seen([MatrixRow("a/one", {"d16-clear": "1"})]) == [one for one in all_faults() if one != "d16-clear"]


def test_only_scenes_are_in_the_matrix() -> None:
    """Tables of layouts have no trace that a fault could change."""
    names = {case.name for case in scene_cases()}
    assert "clear_tex/mask" in names
    assert "nvn/storage_size" not in names


@pytest.mark.parametrize("jobs", [1, 2])
def test_the_command_tells_and_draws(tmp_path, jobs) -> None:
    """One line for each golden, a picture with a row for each, and the same as JSON."""
    picture = tmp_path / "matrix.png"
    found = refnvn("rules", "--fault", "--matrix", "clear_tex/mask", "--jobs", jobs, "-o", picture)
    assert found.code == 0
    assert found.out.startswith("clear_tex/mask: clear-tex-partial/mask, ")
    assert read_png(picture).ndim == 3
    assert np.unique(read_png(picture).reshape(-1, 3), axis=0).shape[0] >= 4
    answer = refnvn("rules", "--fault", "--matrix", "clear_tex/mask", "--json").json
    assert [one["golden"] for one in answer["goldens"]] == ["clear_tex/mask", "clear_tex/mask_of_one_channel"]


def test_a_matrix_of_nothing_is_refused() -> None:
    """No scene of that name, or --matrix beside another table: one line."""
    assert "no scene's name begins with" in complaint("rules", "--fault", "--matrix", "nothing/here")
    assert "--matrix goes with --fault" in complaint("rules", "--matrix")


def test_every_modelled_fault_is_listed_with_its_symptom() -> None:
    """``rules --fault`` ends with the modelled faults."""
    found = refnvn("rules", "--fault")
    assert f"{len(all_faults())} modelled faults of scenes, which --matrix runs over the catalogue" in found.out
    listed = refnvn("rules", "--fault", "--json").json["faults"]
    assert {one["id"] for one in listed} >= set(all_faults())
    assert all(one["symptom"] for one in listed)
