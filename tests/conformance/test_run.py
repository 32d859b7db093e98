"""A conformance run from paths to its report."""

import json
from pathlib import Path

import numpy as np
import pytest

from refnvn.conformance.run import known_mismatches, run, vector_files
from refnvn.conformance.schemas import INFORMATION, SCHEMAS, WAITING, schema_of, waiting_families
from refnvn.conformance.score import Status, ordered
from refnvn.conformance.vector_file import VectorFile
from refnvn.errors import InputFileError

META = np.array("{}")
NAN = 0x7FC00000


def store(path: Path, results: list[int]) -> None:
    """Write a family store whose three values 0, 1 and NaN became ``results`` in R8."""
    values = np.array([[0, 0x3F800000, NAN]], dtype=np.uint32)
    np.savez(path / "store.npz", meta=META, in_R8=values, out_R8=np.array([results], dtype=np.uint8))


def test_a_report_tells_equal_wrong_and_known(tmp_path: Path) -> None:
    """Known mismatches are no failure up to their count, and one more is."""
    store(tmp_path, [0, 255, 0])
    assert run([tmp_path]).exit_code(strict=True) == 0
    store(tmp_path, [0, 250, 0])
    wrong = run([tmp_path])
    score = wrong.files[0].arrays[0]
    assert (score.cases, score.equal, score.wrong, score.largest_error) == (3, 2, 1, 5.0)
    assert wrong.exit_code() == 1
    listed = {("store.npz", "out_R8"): (1, "the chip was tired")}
    known = run([tmp_path], known=listed)
    assert known.files[0].status is Status.KNOWN
    assert known.exit_code(strict=True) == 0
    assert "known mismatch: the chip was tired" in known.text()
    store(tmp_path, [0, 250, 1])
    assert run([tmp_path], known=listed).exit_code() == 1


def test_known_mismatches_are_those_of_drawn_triangles() -> None:
    """Every other family that is served is matched; each mismatch has a count and says why."""
    listed = known_mismatches()
    drawn = {
        "copies.npz",
        "counters.npz",
        "coverage.npz",
        "cut.npz",
        "depth.npz",
        "interp.npz",
        "nvraster.npz",
        "msaa.npz",
        "cov2color.npz",
        "occlusion.npz",
        "pipeline.json.gz",
        "resolve.npz",
    }
    cubes = {"texcube.npz", "tx2_lod.npz"}
    assert {file for file, _ in listed} <= drawn | cubes
    assert all(count > 0 and len(reason) > 20 for count, reason in listed.values())


def test_known_families_without_rules_are_not_run(tmp_path: Path) -> None:
    """They are told apart from unknown files, and fail only a strict run."""
    np.savez(tmp_path / "spirv.npz", meta=META, in_src=np.zeros(3), out_RGBA8_add=np.zeros(3))
    (tmp_path / "spirv.json").write_text(json.dumps({"format": 1, "schema": {}, "shaders": []}))
    report = run([tmp_path])
    assert [f.status for f in report.files] == [Status.NOT_RUN, Status.NOT_RUN]
    assert "not run: waits for shaders" in report.text()
    assert (report.exit_code(), report.exit_code(strict=True)) == (0, 1)


@pytest.mark.parametrize(
    ("name", "arrays"),
    [
        pytest.param("other.npz", {"meta": META, "out_R8": np.zeros(1)}, id="unknown-name"),
        pytest.param("store.npz", {"out_R8": np.zeros((1, 1), np.uint8)}, id="no-meta"),
        pytest.param("blend.npz", {"other": np.zeros(1)}, id="known-name-other-content"),
    ],
)
def test_files_of_no_schema_are_errors(name: str, arrays: dict[str, np.ndarray], tmp_path: Path) -> None:
    """What nobody recognises is never skipped."""
    np.savez(tmp_path / name, **arrays)
    with pytest.raises(InputFileError, match="no schema recognises it"):
        run([tmp_path])


def test_json_of_no_schema_is_an_error(tmp_path: Path) -> None:
    """A list, or an object with other keys, is no vector file."""
    (tmp_path / "a.json").write_text("[1, 2]")
    with pytest.raises(InputFileError, match="no schema recognises it"):
        run([tmp_path / "a.json"])


@pytest.mark.parametrize(
    ("family", "arrays", "message"),
    [
        pytest.param("store", {"out_R8": np.zeros((1, 1), np.uint8)}, "has no array 'in_R8'", id="no-input"),
        pytest.param(
            "store",
            {"in_R8": np.zeros((1, 2), np.uint32), "out_R8": np.zeros((1, 3), np.uint8)},
            "other numbers of texels",
            id="other-count",
        ),
        pytest.param(
            "store",
            {"in_R8": np.zeros((1, 2), np.float32), "out_R8": np.zeros((1, 2), np.uint8)},
            "is float32 of shape",
            id="other-dtype",
        ),
        pytest.param(
            "store",
            {"in_R8": np.zeros(2, np.uint32), "out_R8": np.zeros((1, 2), np.uint8)},
            r"not \(rows, columns\)",
            id="other-shape",
        ),
        pytest.param(
            "clear",
            {"in_R8": np.zeros((1, 2, 4), np.uint32), "out_R8": np.zeros((1, 2), np.uint16)},
            "1 unsigned bytes",
            id="other-texel-size",
        ),
        pytest.param("store", {"out_R9": np.zeros((1, 1), np.uint8)}, "'R9' is not an NVN format", id="no-format"),
        pytest.param(
            "decode",
            {"in_R8": np.zeros((1, 2), np.uint8), "out_fetch_R8": np.zeros((1, 3), np.uint32)},
            "out_fetch_R8",
            id="fetch-of-other-shape",
        ),
        pytest.param(
            "decode",
            {
                "in_R8": np.zeros((1, 2), np.uint8),
                "out_fetch_R8": np.zeros((1, 2), np.uint32),
                "out_first_rgba_R8": np.zeros((3, 4), np.uint32),
            },
            "out_first_rgba_R8",
            id="more-first-than-all",
        ),
        pytest.param(
            "decode",
            {"in_BC1": np.zeros((1, 1), np.uint8), "out_fetch_BC1": np.zeros((1, 1), np.uint32)},
            "'BC1' is not an NVN format",
            id="decode-of-no-format",
        ),
        pytest.param(
            "thresholds",
            {"in_R8_code": np.ones(2, np.int64), "out_R8": np.zeros(2, np.uint32)},
            "'out_R8' holds a threshold of 0",
            id="threshold-zero",
        ),
        pytest.param(
            "thresholds",
            {"in_R9_code": np.ones(2, np.int64), "out_R9": np.ones(2, np.uint32)},
            "'out_R9' is of no component that is known; R8, ",
            id="threshold-of-nothing",
        ),
        pytest.param(
            "depth",
            {"in_fragdepth_DEPTH16": np.ones(2, np.uint32), "out_fragdepth_DEPTH16": np.ones((1, 2), np.uint16)},
            "other numbers of texels",
            id="depth-of-other-shape",
        ),
        pytest.param(
            "imagestore",
            {
                "in_RGBA8_SRGB": np.zeros((1, 1), np.uint32),
                "out_RGBA8_SRGB": np.zeros((1, 1, 4), np.uint8),
                "out_load_RGBA8_SRGB": np.zeros((1, 1, 4), np.uint32),
            },
            "cannot be used as image",
            id="load-of-no-image-format",
        ),
        pytest.param(
            "store",
            {"in_DEPTH16": np.zeros((1, 1), np.uint32), "out_DEPTH16": np.zeros((1, 1), np.uint16)},
            "DEPTH16 has no colour",
            id="store-of-depth",
        ),
    ],
)
def test_arrays_that_do_not_fit_their_family_are_errors(
    family: str, arrays: dict[str, np.ndarray], message: str, tmp_path: Path
) -> None:
    """The error names the file and the array."""
    np.savez(tmp_path / f"{family}.npz", meta=META, **arrays)
    with pytest.raises(InputFileError, match=message) as caught:
        run([tmp_path])
    assert family in str(caught.value)


def test_files_are_found_sorted_once_and_others_ignored(tmp_path: Path) -> None:
    """Folders are searched all the way down; a named file of another kind is an error, one inside is not."""
    (tmp_path / "deep").mkdir()
    for name in ("b.json", "a.npz", "deep/c.json.gz", "models.py", "README.md", "deep/x.json.bak"):
        (tmp_path / name).write_bytes(b"")
    found = vector_files([tmp_path, tmp_path / "a.npz"])
    assert [p.relative_to(tmp_path).as_posix() for p in found] == ["a.npz", "b.json", "deep/c.json.gz"]
    with pytest.raises(InputFileError, match="not a vector file"):
        vector_files([tmp_path / "models.py"])
    with pytest.raises(InputFileError, match="no such file or folder"):
        vector_files([tmp_path / "nowhere"])
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputFileError, match="holds no vector file"):
        vector_files([tmp_path / "empty"])


def test_progress_is_told_before_each_file(tmp_path: Path) -> None:
    """The callback gets number, count and name."""
    store(tmp_path, [0, 255, 0])
    told: list[tuple[int, int, str]] = []
    run([tmp_path], progress=lambda number, count, name: told.append((number, count, name)))
    assert told == [(0, 1, "store.npz")]


def test_the_report_is_json_and_a_table(tmp_path: Path) -> None:
    """One object with everything; one line per file, per array on request."""
    store(tmp_path, [0, 255, 0])
    report = run([tmp_path])
    told = json.loads(json.dumps(report.as_dict()))
    assert told["cases"] == told["equal"] == 3
    assert told["files"][0]["arrays"][0]["rules"] == ["FMT-BITS-1", "FMT-NORM-1"]
    assert told["arrays"] == {"equal": 1, "known mismatch": 0, "wrong": 0, "not run": 0, "information": 0}
    assert len(report.text().splitlines()) == 3
    assert "  out_R8" in report.text(details=True)


def test_families_are_known_once() -> None:
    """No family that is served is still listed as waiting."""
    served = {schema.name for schema in SCHEMAS if schema not in (WAITING, INFORMATION)}
    assert not served & set(waiting_families()["npz"])
    assert SCHEMAS[-2:] == (WAITING, INFORMATION)


def test_ordered_bits_count_ulp_across_zero() -> None:
    """The smallest floats on both sides of zero are two steps apart, and the zeros none."""
    bits = np.array([0x80000001, 0x80000000, 0, 1], dtype=np.uint32)
    assert ordered(bits).tolist() == [-1, 0, 0, 1]


R8 = {"in_R8": np.zeros((1, 2), np.uint32), "out_R8": np.zeros((1, 2), np.uint8)}
RG8 = {"in_RG8": np.zeros((1, 2), np.uint32), "out_RG8": np.zeros((1, 2, 2), np.uint8)}


@pytest.mark.parametrize(
    ("family", "arrays", "message"),
    [
        pytest.param("store", {**R8, "in_RG8": RG8["in_RG8"]}, "'in_RG8' is used by nothing", id="input-alone"),
        pytest.param("store", {**R8, "out_RG8": RG8["out_RG8"]}, "has no array 'in_RG8'", id="output-alone"),
        pytest.param("store", {**R8, "other": np.zeros(3)}, "'other' is used by nothing", id="other-array"),
        pytest.param(
            "store",
            {**R8, "in_RG8": np.zeros((0, 2), np.uint32), "out_RG8": np.zeros((0, 2, 2), np.uint8)},
            "'out_RG8' holds no case",
            id="emptied-on-both-sides",
        ),
        pytest.param(
            "decode",
            {
                "in_R8": np.zeros((1, 2), np.uint8),
                "out_fetch_R8": np.zeros((1, 2), np.uint32),
                "in_RG8": np.zeros((1, 2, 2), np.uint8),
            },
            "'in_RG8' is used by nothing",
            id="texels-alone",
        ),
        pytest.param(
            "thresholds",
            {"in_R8_code": np.ones(0, np.int64), "out_R8": np.ones(0, np.uint32)},
            "'out_R8' holds no case",
            id="no-thresholds",
        ),
        pytest.param(
            "thresholds",
            {"in_R8_code": np.ones(2, np.int32), "out_R8": np.ones(2, np.uint32)},
            "array 'in_R8_code' is int32",
            id="codes-of-another-type",
        ),
        pytest.param(
            "depth",
            {
                "in_fragdepth_DEPTH16": np.zeros((1, 2), np.uint32),
                "out_fragdepth_DEPTH16": np.zeros((1, 2), np.uint16),
                "in_clear_DEPTH16": np.zeros((1, 2), np.uint32),
            },
            "'in_clear_DEPTH16' is used by nothing",
            id="depths-alone",
        ),
    ],
)
def test_what_is_left_unjudged_is_an_error(
    family: str, arrays: dict[str, np.ndarray], message: str, tmp_path: Path
) -> None:
    """An array without its counterpart or without any case is named: it must not pass as equal or not run."""
    np.savez(tmp_path / f"{family}.npz", meta=META, **arrays)
    with pytest.raises(InputFileError, match=message):
        run([tmp_path])


def test_inputs_may_wait_with_their_results(tmp_path: Path) -> None:
    """What is not run yet needs its inputs later: they share a subject, ``later``."""
    depth = {
        "in_fragdepth_DEPTH16": np.zeros((1, 2), np.uint32),
        "out_fragdepth_DEPTH16": np.zeros((1, 2), np.uint16),
    }
    waiting = {"in_later_configs": np.zeros(3), "out_later_DEPTH16": np.zeros(3)}
    np.savez(tmp_path / "depth.npz", meta=META, **depth, **waiting)
    assert run([tmp_path]).arrays(Status.NOT_RUN) == 1


@pytest.mark.parametrize(
    ("arrays", "family"),
    [
        pytest.param(R8, "store", id="store"),
        pytest.param(
            {"in_R8": np.zeros((1, 2), np.uint8), "out_fetch_R8": np.zeros((1, 2), np.uint32)}, "decode", id="decode"
        ),
        pytest.param(
            {"in_R8_code": np.ones(1, np.int64), "out_R8": np.ones(1, np.uint32)}, "thresholds", id="thresholds"
        ),
    ],
)
def test_a_renamed_file_is_known_by_its_arrays(arrays: dict[str, np.ndarray], family: str, tmp_path: Path) -> None:
    """The name of a file says nothing that its arrays do not."""
    np.savez(tmp_path / "mine.npz", meta=META, **arrays)
    assert run([tmp_path]).files[0].schema == family


def test_a_name_decides_between_families_of_the_same_arrays(tmp_path: Path) -> None:
    """Stores and clears have the same arrays; both are scored alike, under the name that the file has."""
    for name in ("clear", "store", "mine"):
        np.savez(tmp_path / f"{name}.npz", meta=META, **R8)
    assert [file.schema for file in run([tmp_path]).files] == ["clear", "store", "store"]


def test_kept_vectors_are_each_recognised_once() -> None:
    """No two families that are scored differently claim one of the project's files, whatever it is called."""
    for path in vector_files([Path(__file__).parents[1] / "data"]):
        named = VectorFile(path)
        renamed = VectorFile(path)
        renamed.family = "renamed"
        assert schema_of(renamed).score == schema_of(named).score


def test_a_family_without_anything_to_score_is_information(tmp_path: Path) -> None:
    """Limits of a driver are no results: they are told, and fail no strict run."""
    np.savez(tmp_path / "limits.npz", meta=META)
    report = run([tmp_path])
    assert report.files[0].status is Status.INFORMATION
    assert "information: limits of one driver" in report.text()
    assert report.exit_code(strict=True) == 0


def test_what_other_seeds_showed_counts_for_other_seeds_alone(tmp_path: Path) -> None:
    """The kept file of seed 1 may differ as listed; a file that tells another seed as nine other runs did."""
    with np.load(Path(__file__).parents[1] / "data" / "hardware_raster" / "coverage.npz") as kept:
        arrays = {name: kept[name] for name in kept.files}
    arrays["out_lower_left"] = arrays["out_lower_left"].copy()
    arrays["out_lower_left"][3, 20, 2] ^= 0x10
    for seed, status in ((1, Status.WRONG), (7, Status.KNOWN)):
        arrays["meta"] = np.array(f'{{"seed": {seed}}}')
        np.savez(tmp_path / "coverage.npz", **arrays)
        (score,) = (one for one in run([tmp_path]).files[0].arrays if one.array == "out_lower_left")
        assert (score.wrong, score.status) == (1, status)
