"""Accepted results: what a check says, and what accepting writes."""

from __future__ import annotations

import dataclasses
import zipfile

import numpy as np
import pytest

import refnvn.golden.accepted as accepted_module
from refnvn.errors import ArgumentError, InputFileError
from refnvn.golden.accepted import accept, accept_golden, accepted_folder, check, check_golden
from refnvn.golden.archive import npz_bytes
from refnvn.golden.build import build
from refnvn.golden.case import GoldenCase, table
from refnvn.golden.model import RuleUse
from refnvn.rules.evidence import Evidence

from .made_up import made_up_golden


def golden_of(rows, **changes):
    """Return a golden with one table of one column, its rules and choices changed."""
    case = GoldenCase(
        name="made_up/rows", t_test="t_x", says="Rows.", function=lambda _: [table("heights", ("height_gob",), rows)]
    )
    return dataclasses.replace(build(case), **changes)


def use(rule_id, evidence=Evidence.SWITCH):
    """Return that a rule ran."""
    return RuleUse(id=rule_id, says="x", evidence=evidence, exactness="bit-exact")


def test_check_without_accepted_result_differs(tmp_path):
    """A golden that nobody accepted does not pass."""
    found = check_golden(made_up_golden(), tmp_path)
    assert (found.same, found.differences) == (False, ("nothing has been accepted yet",))


def test_check_after_accept_is_same(tmp_path):
    """What was accepted passes, and is not written again."""
    assert accept_golden(made_up_golden(), "first", tmp_path)
    found = check_golden(made_up_golden(), tmp_path)
    assert (found.same, found.text()) == (True, "made_up/everything: as accepted")
    before = {path: path.read_bytes() for path in tmp_path.rglob("*.*")}
    assert not accept_golden(made_up_golden(), "again", tmp_path)
    assert {path: path.read_bytes() for path in tmp_path.rglob("*.*")} == before


def test_check_tells_which_elements_differ(tmp_path):
    """A difference names the result, how many elements, and the first places with both values."""
    accept_golden(golden_of([[1], [2], [3]]), "first", tmp_path)
    assert check_golden(golden_of([[1], [5], [6]]), tmp_path).differences == (
        "heights: 2 of 3 elements differ: [1, 0] accepted 2, now 5; [2, 0] accepted 3, now 6",
    )


def test_check_tells_first_places_only(tmp_path):
    """Of many places the first four are told."""
    accept_golden(golden_of([[i] for i in range(9)]), "first", tmp_path)
    (line,) = check_golden(golden_of([[9]] * 9), tmp_path).differences
    assert line.startswith("heights: 9 of 9 elements differ: [0, 0] accepted 0, now 9; ")
    assert line.endswith("; [3, 0] accepted 3, now 9; ...")


def test_check_tells_another_shape(tmp_path):
    """A result of another shape is told as such, with its mask and field index."""
    accept_golden(golden_of([[1]]), "first", tmp_path)
    differences = check_golden(golden_of([[1], [2]]), tmp_path).differences
    assert "heights is int64 (2, 1), accepted was int64 (1, 1)" in differences
    assert len(differences) == 3


def test_check_tells_rules_that_came_went_and_changed(tmp_path):
    """The set of rules and their evidence are a part of what was accepted."""
    before = golden_of([[1]], rules=(use("A-B-1"), use("A-B-2")))
    accept_golden(before, "first", tmp_path)
    after = golden_of([[1]], rules=(use("A-B-2", Evidence.INFERRED), use("A-B-3")))
    assert check_golden(after, tmp_path).differences == (
        "rule A-B-1 was used, and is not now",
        "rule A-B-2 rests on inferred, accepted was switch",
        "rule A-B-3 is used now, and was not",
    )


def test_check_tells_choices_and_files_that_went(tmp_path):
    """A choice that is no longer reached is told, with the arrays that it had."""
    golden = made_up_golden()
    accept_golden(golden, "first", tmp_path)
    plain = build(
        GoldenCase(
            name=golden.name, t_test="t_x", says="x", function=lambda _: [r.base for r in golden.results]
        )
    )  # fmt: skip
    differences = check_golden(plain, tmp_path).differences
    assert "choice store_norm is not reached, accepted was run | nvidia | nearest_even: imprecise" in differences
    assert "codes.store_norm.nearest_even is gone" in differences


def test_accept_writes_what_numpy_reads(tmp_path):
    """The npz holds the arrays of the bundle, with one time stamp for all."""
    accept_golden(made_up_golden(), "first", tmp_path)
    path = tmp_path / "made_up" / "everything.npz"
    with np.load(path) as arrays:
        assert arrays["codes"].tolist() == [10, 20, 30, 40, 50, 60, 70, 80]
        assert arrays["codes.mask"].dtype == np.uint16
    with zipfile.ZipFile(path) as archive:
        assert {entry.date_time for entry in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        assert archive.namelist() == sorted(archive.namelist())


def test_accept_notes_the_reason(tmp_path):
    """CHANGES.md gains one line for each acceptance: case, version, reason."""
    accept_golden(golden_of([[1]], refnvn_version="1.2", rules=(use("A-B-1"),)), "because", tmp_path)
    accept_golden(golden_of([[2]], refnvn_version="1.3"), "changed", tmp_path)
    assert (tmp_path / "CHANGES.md").read_text().splitlines()[2:] == [
        "- `made_up/rows`, refnvn 1.2: because",
        "- `made_up/rows`, refnvn 1.3: changed",
    ]


@pytest.mark.parametrize("reason", ["", "  ", "two\nlines"], ids=["none", "blank", "two_lines"])
def test_accept_without_reason_is_refused(tmp_path, reason):
    """Accepting takes one line that says why, and writes nothing without it."""
    with pytest.raises(ArgumentError, match="reason"):
        accept_golden(made_up_golden(), reason, tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_accept_and_check_build_the_case(tmp_path):
    """A case can be accepted and checked without building it first."""
    case = GoldenCase(name="a/b", t_test="t_x", says="x", function=lambda _: [table("t", ("a",), [[1]])])
    assert accept(case, "why", tmp_path)
    assert check(case, tmp_path).same


def test_accepted_results_of_the_catalogue_lie_beside_it():
    """By default accepted results are those of the package goldens."""
    folder = accepted_folder()
    assert (folder.name, folder.parent.name) == ("accepted", "goldens")


DAMAGE = {
    "no_json": ("json", lambda _: b"{"),
    "deep_json": ("json", lambda _: b"[" * 100000),
    "version": ("json", lambda content: content.replace(b'"refnvn_accepted": 1', b'"refnvn_accepted": 2')),
    "shape": ("json", lambda content: content.replace(b"8\n", b"-8\n")),
    "dtype": ("json", lambda content: content.replace(b'"uint8"', b'"object"')),
    "unknown_field": ("json", lambda content: content.replace(b'"name"', b'"other": 1, "name"')),
    "npz_truncated": ("npz", lambda content: content[:-40]),
    "npz_changed": ("npz", lambda content: content[:60] + bytes([content[60] ^ 255]) + content[61:]),
    "npz_other": ("npz", lambda _: npz_bytes({"a.npy": np.zeros(4)})),
}


@pytest.mark.parametrize(("suffix", "damage"), DAMAGE.values(), ids=DAMAGE.keys())
def test_check_against_damaged_files_is_refused(tmp_path, suffix, damage):
    """An accepted result that cannot be read is an error, never a difference or a pass; accepting anew repairs it."""
    accept_golden(made_up_golden(), "first", tmp_path)
    path = tmp_path / "made_up" / f"everything.{suffix}"
    content = path.read_bytes()
    path.write_bytes(damage(content))
    assert path.read_bytes() != content
    other = dataclasses.replace(made_up_golden(), results=made_up_golden().results[:1])
    with pytest.raises(InputFileError, match="everything"):
        check_golden(other, tmp_path)
    if suffix == "json":
        assert accept_golden(made_up_golden(), "repaired", tmp_path)
        assert check_golden(made_up_golden(), tmp_path).same


def test_check_without_its_arrays_is_refused(tmp_path):
    """Where the npz is missing a difference cannot be shown, which is an error."""
    accept_golden(golden_of([[1]]), "first", tmp_path)
    (tmp_path / "made_up" / "rows.npz").unlink()
    with pytest.raises(InputFileError, match="rows"):
        check_golden(golden_of([[2]]), tmp_path)


def test_check_against_arrays_nobody_accepted_is_refused(tmp_path):
    """An npz whose arrays do not have the accepted hashes is an error."""
    accept_golden(made_up_golden(), "first", tmp_path)
    path = tmp_path / "made_up" / "everything.npz"
    with np.load(path) as arrays:
        changed = {f"{name}.npy": array.copy() for name, array in arrays.items()}
    changed["codes.npy"][0] = 99
    path.write_bytes(npz_bytes(changed))
    other = dataclasses.replace(made_up_golden(), results=made_up_golden().results[:1])
    with pytest.raises(InputFileError, match="SHA-256"):
        check_golden(other, tmp_path)


def test_check_refuses_an_archive_that_unpacks_to_more(tmp_path):
    """A member larger than its array may be is refused before it is unpacked."""
    path = tmp_path / "bomb.npz"
    path.write_bytes(npz_bytes({"a.npy": np.zeros(1 << 20, dtype=np.uint8)}))
    with pytest.raises(InputFileError, match=r"a\.npy has 1048"):
        accepted_module.read_npz(path, {"a.npy": 16})
