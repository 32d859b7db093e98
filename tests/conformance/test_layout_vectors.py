"""The layout vectors kept with the tests score as equal, and a file that lies is an error."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from refnvn.conformance.run import run
from refnvn.conformance.score import Status
from refnvn.errors import InputFileError
from refnvn.rules.fields import NVN, AutoBlockHeight

DATA = Path(__file__).parents[1] / "data"


@pytest.mark.parametrize(
    ("file", "arrays", "cases"), [("layout_public.json", 80, 1720), ("seed_layout_facts.json", 36, 1231)]
)
def test_layout_vectors_are_equal(file: str, arrays: int, cases: int) -> None:
    """Every number and every hash; the one fact that says not to be tested against is information."""
    (score,) = run([DATA / file]).files
    assert (len(score.arrays), score.total("cases"), score.total("equal")) == (arrays, cases, cases)
    told = [one.array for one in score.arrays if one.status is Status.INFORMATION]
    assert told == (["host-auto-depth-3d"] if file.startswith("seed") else [])


def test_a_wrong_rule_is_seen() -> None:
    """With the height rounded up, facts and vectors are wrong."""
    report = run([DATA / "seed_layout_facts.json", DATA / "layout_public.json"],
                 NVN.with_(auto_block_height=AutoBlockHeight.ROUND_UP))  # fmt: skip
    assert [file.status for file in report.files] == [Status.WRONG, Status.WRONG]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda v: v.pop("width"), "has no field 'width'"),
        (lambda v: v.update(width=0), "width 0 is not in 1..16384"),
        (lambda v: v.update(width="wide"), "width is 'wide'; allowed is an integer from 0 to"),
        (lambda v: v.update(width=1.5), "width is 1.5; allowed is an integer"),
        (lambda v: v.update(auto="yes"), "auto is 'yes'; allowed are true and false"),
        (lambda v: v.update(kind="4d"), "kind is '4d'; allowed are 1d, 2d, 2d_array"),
        (lambda v: v.update(kind=["2d"]), "kind is ['2d']; allowed are 1d, 2d, 2d_array"),
        (lambda v: v.update(levels=None), "levels is None; allowed is a list"),
        (lambda v: v["levels"].insert(0, 7), "levels[0] is 7; allowed is an object"),
        (lambda v: v["levels"][0].update(pitch="x"), "levels[0]: pitch is 'x'; allowed is an integer"),
        (lambda v: v.update(bytes_per_block=3), "cannot have 3 bytes per texel"),
        (lambda v: v.update(sha256_swizzled="zz"), "sha256_swizzled is 'zz'; allowed are 64 hexadecimal digits"),
        (lambda v: v.update(sha256_swizzled="z" * 64), "allowed are 64 hexadecimal digits"),
        (lambda v: v.update(tile=[1, True]), "tile[1] is True; allowed is an integer"),
        (
            lambda v: v.update(width=16384, height=16384, mips=1, levels=[], block_w=1, block_h=1),
            "more than the 268435456 that are hashed",
        ),
    ],
    ids=["no_width", "zero_width", "word", "fraction", "no_flag", "unknown_kind", "list_kind", "no_levels",
         "no_level", "word_in_a_level", "three_bytes", "bad_hash", "no_hex", "tile", "huge"],
)  # fmt: skip
def test_lying_vector_is_one_error_that_names_it(tmp_path: Path, change: Any, words: str) -> None:
    """The line names the vector, the field, its value and what is allowed, and nothing of Python's inside."""
    data = json.loads((DATA / "layout_public.json").read_text())
    change(data["vectors"][2])
    path = tmp_path / "layout_public.json"
    path.write_text(json.dumps(data))
    with pytest.raises(InputFileError, match="vector 2d_002") as caught:
        run([path])
    assert words in str(caught.value)
    assert "Error" not in str(caught.value)


@pytest.mark.parametrize(
    ("fact", "change", "words"),
    [
        (2, {"expect": {"colour": 7}}, "expect has the key 'colour'; known are block_height"),
        (2, {"expect": {"block_height": "tall"}}, "expect: block_height is 'tall'; allowed is an integer"),
        (2, {"expect": {"block_height": [4, 4]}}, "block_height holds 2 numbers; allowed are 1"),
        (2, {"expect": {"level1_offset": 4}}, "level1_offset is asked of a texture that has no such thing"),
        (2, {"expect": None}, "expect is None; allowed is an object"),
        (2, {"given": [3]}, "given[0] is 3; allowed is an object"),
        (2, {"given": {"kind": "5d"}}, "given: kind is '5d'; allowed are 2d, 3d"),
        (2, {"expect": {}}, "holds no case"),
        (0, {"expect": {"block_rows_to_gobs": {"few": 1}}}, "has the key 'few'; allowed is a number"),
        (1, {"expect": {"rows": [[1, 2, 3]]}}, "rows[0] is [1, 2, 3]; allowed are 2 numbers"),
        (9, {"expect": {"tile_width_gobs_2d": {"bh8": None}}}, "bh8 is None; allowed is an integer"),
        (10, {"expect": {"4": {"blocks": [1]}}}, "blocks holds 1 numbers; allowed are 2"),
    ],
    ids=["key", "word", "too_many", "no_such_level", "no_expect", "no_object", "kind", "nothing", "table", "ranges",
         "widths", "shapes"],
)  # fmt: skip
def test_lying_fact_is_one_error_that_names_it(tmp_path: Path, fact: int, change: dict[str, Any], words: str) -> None:
    """Nothing that a fact expects goes unjudged, and the line says what is allowed."""
    data = json.loads((DATA / "seed_layout_facts.json").read_text())
    data["facts"][fact].update(change)
    path = tmp_path / "seed_layout_facts.json"
    path.write_text(json.dumps(data))
    with pytest.raises(InputFileError) as caught:
        run([path])
    assert data["facts"][fact]["id"] in str(caught.value)
    assert words in str(caught.value)
    assert "Error" not in str(caught.value)


@pytest.mark.parametrize(
    ("file", "emptied"),
    [("layout_public.json", ["vectors"]), ("seed_layout_facts.json", ["facts", "public_checks"])],
)
def test_a_file_without_vectors_is_an_error(tmp_path: Path, file: str, emptied: list[str]) -> None:
    """A list that somebody emptied must not pass as equal."""
    data = json.loads((DATA / file).read_text())
    for name in emptied:
        data[name] = []
    (tmp_path / file).write_text(json.dumps(data))
    with pytest.raises(InputFileError, match="holds nothing to score"):
        run([tmp_path])
