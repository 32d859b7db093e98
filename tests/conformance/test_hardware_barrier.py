"""Draws that sample their own target, replayed as measured."""

from pathlib import Path

import numpy as np
import pytest

from refnvn.conformance.run import run
from refnvn.conformance.score import Status

FILE = Path(__file__).parents[1] / "data" / "hardware_barrier" / "barrier.npz"


@pytest.mark.rule("ORDER-READ-1", "ORDER-CACHE-1", "ORDER-FRAGMENTS-1")
def test_draws_that_sample_their_target_are_matched() -> None:
    """Texel by texel: with barriers each draw sees the one before, without the chip showed a permitted value."""
    scores = {one.array: one for one in run([FILE]).files[0].arrays}
    assert {name: (one.status, one.cases) for name, one in scores.items()} == dict.fromkeys(
        ("out_one", "out_two_barrier", "out_two_nobarrier", "out_ten_barrier"), (Status.EQUAL, 4096)
    )
    assert "ORDER-READ-1" in scores["out_two_nobarrier"].rules
    assert "ORDER-READ-1" not in scores["out_two_barrier"].rules


def test_a_texel_that_was_never_there_is_wrong(tmp_path: Path) -> None:
    """One byte of the undefined array that is neither old nor new is one wrong case."""
    with np.load(FILE) as file:
        arrays = dict(file)
    arrays["out_two_nobarrier"] = arrays["out_two_nobarrier"].copy()
    arrays["out_two_nobarrier"][3, 4, 1] ^= 0x55
    np.savez(tmp_path / "barrier.npz", **arrays)
    scores = {one.array: one for one in run([tmp_path / "barrier.npz"]).files[0].arrays}
    assert scores["out_two_nobarrier"].status is Status.WRONG
    assert scores["out_two_barrier"].status is Status.EQUAL
