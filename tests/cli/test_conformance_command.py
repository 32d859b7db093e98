"""``refnvn conformance``: exit codes, report, where JSON goes."""

import json
from pathlib import Path

import numpy as np
import pytest

from refnvn.conformance import run as conformance_run
from tests.cli.harness import complaint, refnvn

META = np.array("{}")
NAN = 0x7FC00000


@pytest.fixture
def vectors(tmp_path: Path) -> Path:
    """Return a folder with a family whose three values 0, 1 and NaN became codes in R8."""
    (tmp_path / "vectors").mkdir()
    store(tmp_path / "vectors", [0, 255, 0])
    return tmp_path / "vectors"


def store(folder: Path, codes: list[int]) -> None:
    """Write what three values became."""
    values = np.array([[0, 0x3F800000, NAN]], dtype=np.uint32)
    np.savez(folder / "store.npz", meta=META, in_R8=values, out_R8=np.array([codes], dtype=np.uint8))


def test_vectors_that_the_rules_match_exit_with_0(vectors: Path) -> None:
    """A line a file, with cases, equal, within and wrong; arrays on request."""
    outcome = refnvn("conformance", vectors)
    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.out.splitlines()[1].split() == ["store.npz", "3", "3", "0", "0", "0", "equal"]
    assert "out_R8" not in outcome.out
    assert "  out_R8" in refnvn("conformance", vectors, "--details").out


def test_a_wrong_vector_exits_with_1(vectors: Path) -> None:
    """A code 5 away is told with its error, without ``--details`` too."""
    store(vectors, [0, 250, 0])
    outcome = refnvn("conformance", vectors)
    assert outcome.code == 1
    assert "5 codes  wrong" in outcome.out


def test_known_mismatches_are_told_and_no_failure(vectors: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the project lists is shown with count and reason; one more than listed is wrong."""
    listed = {("store.npz", "out_R8"): (1, "the chip was tired")}
    monkeypatch.setattr(conformance_run, "known_mismatches", lambda: listed)
    store(vectors, [0, 250, 0])
    outcome = refnvn("conformance", vectors, "--strict")
    assert outcome.code == 0
    assert outcome.out.endswith("Known mismatches:\n  store.npz out_R8: 1 of at most 1: the chip was tired\n")
    store(vectors, [0, 250, 9])
    assert refnvn("conformance", vectors).code == 1


def test_a_family_that_waits_fails_only_a_strict_run(vectors: Path) -> None:
    """A known family that no rule serves is not run."""
    (vectors / "spirv.json").write_text(json.dumps({"format": 1, "schema": {}, "shaders": []}))
    outcome = refnvn("conformance", vectors)
    assert outcome.code == 0
    assert "not run" in outcome.out
    assert refnvn("conformance", vectors, "--strict").code == 1


@pytest.mark.parametrize("to", [("--json", "-"), ("--json",)], ids=["dash", "bare"])
def test_json_to_standard_output_is_one_object(vectors: Path, to: tuple[str, ...]) -> None:
    """Nothing but the object is printed, and the exit code is the report's."""
    answer = refnvn("conformance", vectors, *to).json
    assert (answer["cases"], answer["equal"], answer["wrong"]) == (3, 3, 0)
    assert answer["files"][0]["arrays"][0]["array"] == "out_R8"
    store(vectors, [0, 250, 0])
    assert refnvn("conformance", vectors, *to).code == 1


def test_json_to_a_file_leaves_the_table_on_standard_output(vectors: Path) -> None:
    """The file holds the object; an earlier report is replaced."""
    target = vectors.parent / "scores.json"
    for _ in range(2):
        outcome = refnvn("conformance", vectors, "--json", target)
        assert (outcome.code, outcome.out.splitlines()[-1]) == (0, f"written: {target}")
        assert json.loads(target.read_text())["cases"] == 3


def test_json_never_goes_over_vectors(vectors: Path) -> None:
    """A forgotten file name would make the vectors the target: that is refused, and they stay."""
    (vectors / "spirv.json").write_text(json.dumps({"format": 1, "schema": {}, "shaders": []}))
    assert "the report is JSON" in complaint("conformance", "--json", vectors / "store.npz", vectors)
    assert "written over vectors" in complaint("conformance", "--json", vectors / "spirv.json", vectors)
    one = vectors / "spirv.json"
    assert "written over vectors" in complaint("conformance", one, "--json", one)
    assert "Missing argument 'PATH...'" in complaint("conformance", "--json", vectors)


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        pytest.param("other.npz", None, "no such file or folder", id="missing"),
        pytest.param("notes.txt", b"hello", "notes.txt", id="other-kind"),
        pytest.param("store.npz", b"PK\x03\x04", "is not a sound npz file", id="damaged-npz"),
        pytest.param("any.json", b"{", "is not sound JSON", id="damaged-json"),
        pytest.param("any.json", b"{}", "no schema recognises it", id="unknown-schema"),
    ],
)
def test_files_of_no_schema_exit_with_2(tmp_path: Path, name: str, content: bytes | None, words: str) -> None:
    """Missing, foreign, damaged and unknown files are one line; no report is written."""
    if content is not None:
        (tmp_path / name).write_bytes(content)
    said = complaint("conformance", tmp_path / name, "--json", tmp_path / "scores.json")
    assert words in said
    assert not (tmp_path / "scores.json").exists()


def test_an_empty_folder_is_refused(tmp_path: Path) -> None:
    """A folder without vectors would pass everything."""
    assert "holds no vector file" in complaint("conformance", tmp_path)


def test_strict_says_what_was_not_run_and_why(tmp_path: Path) -> None:
    """An exit code of 1 without a word helps nobody; arrays that wait for the same share a line."""
    arrays = {f"out_{name}": np.zeros(1) for name in ("a", "b", "c", "d", "e")}
    np.savez(tmp_path / "spirv.npz", meta=np.array("{}"), **arrays)
    loose, strict = refnvn("conformance", tmp_path), refnvn("conformance", tmp_path, "--strict")
    assert (loose.code, strict.code) == (0, 1)
    assert "--strict" not in loose.out
    assert "Not run, which --strict refuses:\n  spirv.npz out_a, out_b, out_c and 2 more: waits for " in strict.out
