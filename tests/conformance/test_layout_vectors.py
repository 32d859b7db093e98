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
    """Every number and every hash; the one fact that says not to be tested against is not run."""
    (score,) = run([DATA / file]).files
    assert (len(score.arrays), score.total("cases"), score.total("equal")) == (arrays, cases, cases)
    waiting = [one.array for one in score.arrays if one.status is Status.NOT_RUN]
    assert waiting == (["host-auto-depth-3d"] if file.startswith("seed") else [])


def test_a_wrong_rule_is_seen() -> None:
    """With the height rounded up, facts and vectors are wrong."""
    report = run([DATA / "seed_layout_facts.json", DATA / "layout_public.json"],
                 NVN.with_(auto_block_height=AutoBlockHeight.ROUND_UP))  # fmt: skip
    assert [file.status for file in report.files] == [Status.WRONG, Status.WRONG]


@pytest.mark.parametrize(
    "change",
    [
        lambda v: v.pop("width"),
        lambda v: v.update(width=0),
        lambda v: v.update(kind="4d"),
        lambda v: v.update(levels=None),
        lambda v: v.update(bytes_per_block=3),
        lambda v: v.update(sha256_swizzled="zz"),
        lambda v: v.update(width=16384, height=16384, mips=1, levels=[], block_w=1, block_h=1),
    ],
    ids=["no_width", "zero_width", "unknown_kind", "no_levels", "three_bytes", "bad_hash", "huge"],
)
def test_lying_vector_is_one_error_that_names_it(tmp_path: Path, change: Any) -> None:
    """A vector that misses a field or describes the impossible stops with its name."""
    data = json.loads((DATA / "layout_public.json").read_text())
    change(data["vectors"][2])
    path = tmp_path / "layout_public.json"
    path.write_text(json.dumps(data))
    with pytest.raises(InputFileError, match="vector 2d_002"):
        run([path])


def test_unknown_key_of_a_fact_is_an_error(tmp_path: Path) -> None:
    """Nothing that a fact expects goes unjudged."""
    data = json.loads((DATA / "seed_layout_facts.json").read_text())
    data["facts"][2]["expect"]["colour"] = 7
    path = tmp_path / "seed_layout_facts.json"
    path.write_text(json.dumps(data))
    with pytest.raises(InputFileError, match="fact auto-160x160-bc3"):
        run([path])
