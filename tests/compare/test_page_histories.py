"""Which places of a page come with their history: wrong samples and wrong words."""

from __future__ import annotations

from typing import Any

from tests.compare.page_cases import followed_comparison

SAMPLE_5_B = ((3 * 8 + 3) * 8 + 5) * 4
"""The byte of sample 5 of pixel 3, 3, of 8 pixels in a row of 8 samples of 4 bytes each."""


def histories_of(comparison: dict[str, Any], name: str) -> dict[str, str]:
    """Return the histories of one result."""
    (found,) = [one["histories"] for one in comparison["results"] if one["name"] == name]
    return found


def test_a_wrong_sample_has_its_own_history() -> None:
    """Sample 5 of pixel 3, 3 was cleared to blue and drawn white; sample 6 was not covered."""
    found = histories_of(followed_comparison("ms_slot/eight_samples", "target", SAMPLE_5_B), "target")
    ((key, text),) = found.items()
    assert key == "0/0/3/3/5"
    lines = [line.strip() for line in text.splitlines()]
    assert "sample 5: stored" in lines
    assert "sample 6: not covered" in lines
    assert "color 0: codes 0, 0, 255, 255 -> 255, 255, 255, 255 (stores; writes RGBA)" in lines


def test_a_wrong_byte_has_the_history_of_its_word() -> None:
    """Byte 5 is of word 1, which a copy wrote and the processor read."""
    found = histories_of(followed_comparison("copy_order/overlapping_writes", "copied", 5), "copied")
    assert list(found) == ["word/1"]
    assert "CopyBufferToBuffer: stores 11 11 11 11" in found["word/1"]
    assert "ReadMemory 'copied': read by processor" in found["word/1"]


def test_what_is_right_has_no_history() -> None:
    """The other results of the scene."""
    comparison = followed_comparison("copy_order/overlapping_writes", "copied", 5)
    assert [histories_of(comparison, name) for name in ("updated", "filled")] == [{}, {}]
