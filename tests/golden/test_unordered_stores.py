"""A golden of stores that nothing orders: either value is permitted, a third one is not."""

import numpy as np
import pytest

from refnvn.compare.judge import judge
from refnvn.golden.build import build
from refnvn.golden.case import case_named
from refnvn.rules.fields import NVN, MemoryOrder


@pytest.mark.rule("SHADER-ORDER-1")
def test_either_order_is_permitted_and_nothing_else() -> None:
    """The left half holds 2 or 1; the right half only 1."""
    case = case_named("image_usage/unordered")
    golden = build(case)
    (result,) = case.run(NVN)
    (turned,) = case.run(NVN.with_(memory_order=MemoryOrder.REVERSED))
    assert [np.unique(one.array[:, :4]).tolist() for one in (result, turned)] == [[2], [1]]
    assert judge(golden, {"picture": result.array}).outcome == "same"
    assert judge(golden, {"picture": turned.array}).outcome == "permitted"
    third, right = result.array.copy(), result.array.copy()
    third[0, 0] = 3
    right[0, 7] = 2
    assert judge(golden, {"picture": third}).outcome == "wrong"
    assert judge(golden, {"picture": right}).outcome == "wrong"
