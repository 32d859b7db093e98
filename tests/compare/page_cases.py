"""Comparisons that tests of the report page share."""

from __future__ import annotations

from typing import Any

import numpy as np

from refnvn.compare.judge import weighed, weighed_raw
from refnvn.compare.page_data import comparison_object
from refnvn.compare.page_histories import page_histories
from refnvn.golden.build import build
from refnvn.golden.case import case_named
from refnvn.golden.model import Choice, Golden, GoldenResult, Outcome, Reason, Setting, marks
from refnvn.golden.result import Image, image, table
from refnvn.golden.scene import trace_of


def rounding_golden() -> Golden:
    """Return a golden of one RGBA8 texel whose red is 127, or 128 where a port rounds to nearest."""
    base = image("target", np.array([[[127, 0, 0, 255]]], np.uint8), Image(format="RGBA8", width_px=1, height_px=1))
    setting = Setting("nearest_even", Reason.IMPRECISE, "another GPU rounds to nearest")
    choice = Choice("store_norm", "run", "half_down", (setting,))
    padding = np.zeros(base.array.shape, np.bool_)
    other = Outcome(0, 1, np.array([[[128, 0, 0, 255]]], np.uint8), padding)
    mask, index = marks(base.array, padding, (other,), (choice,))
    return Golden(
        name="page/rounding", t_test="t_page", says="A half is stored as 127.", ledger=(), refnvn_version="0",
        reached=("store_norm",), choices=(choice,), rules=(),
        results=(GoldenResult(base, (other,), mask, index),),
    )  # fmt: skip


def plain_golden(*results: Any) -> Golden:
    """Return a golden of results of which every element is decided."""
    made = []
    for base in results:
        padding = np.zeros(base.array.shape, np.bool_)
        mask, index = marks(base.array, padding, (), ())
        made.append(GoldenResult(base, (), mask, index))
    return Golden(
        name="page/plain", t_test="t_page", says="Plain results.", ledger=(), refnvn_version="0", reached=(),
        choices=(), rules=(), results=tuple(made),
    )  # fmt: skip


def hostile_comparison() -> dict[str, Any]:
    """Return a comparison whose words are markup."""
    found = weighed_raw(np.zeros(3, np.uint8), np.array([0, 1, 0], np.uint8), name="<svg onload=alert(1)>")
    return comparison_object("</script><b>@SCRIPT@", "<!--<script>", found)


def picture_comparison() -> dict[str, Any]:
    """Return two results: an RG8 picture of two layers, wrong at column 3, row 1 of layer 1, and a table."""
    codes = np.arange(2 * 2 * 4 * 2, dtype=np.uint8).reshape(2, 2, 4, 2) * 7
    what = Image(format="RG8", width_px=4, height_px=2, layers=2)
    picture = image("picture", codes, what, axes=("layer", "row", "column", "component"))
    rows = table("rows", ("width_px", "height_px"), [(1, 2), (3, 4)], row_labels=("first", "second"))
    golden = plain_golden(picture, rows)
    wrong = codes.copy()
    wrong[1, 1, 3, 1] = 0x2A
    numbers = rows.array.copy()
    numbers[1, 0] = 9
    found = weighed(golden, {"picture": wrong, "rows": numbers})
    return comparison_object(
        golden.name, golden.says, found, histories={"picture": {"0/1/3/1/0": "draw 7 <b>stored</b> 0x2a"}}
    )


def followed_comparison(name: str, result: str, spoiled_B: int) -> dict[str, Any]:
    """Return a readback of a golden with one wrong byte, and the history of what that belongs to."""
    case = case_named(name)
    golden = build(case)
    actual = {one.base.name: one.base.array.copy() for one in golden.results}
    actual[result].reshape(-1).view(np.uint8)[spoiled_B] ^= 0xFF
    found = weighed(golden, actual)
    return comparison_object(name, golden.says, found, histories=page_histories(trace_of(case), found))
