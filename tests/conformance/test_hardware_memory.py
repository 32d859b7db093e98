"""Loads and atomic accesses outside of images, as measured."""

from pathlib import Path

import pytest

from refnvn.conformance.run import run

FOLDER = Path(__file__).parents[1] / "data" / "hardware_memory"


@pytest.mark.rule("REPLAY-IMAGE-4")
def test_the_family_is_equal() -> None:
    """All 22 formats, eight places each, and what atomic accesses find."""
    (file,) = run([FOLDER]).files
    assert len(file.arrays) == 24
    assert sum(one.equal for one in file.arrays) == sum(one.cases for one in file.arrays) == 744
