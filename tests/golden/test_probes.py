"""Elements in which several free choices meet are found by probes, and nothing is claimed of them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from refnvn.compare.judge import judge
from refnvn.errors import ArgumentError
from refnvn.golden.build import build
from refnvn.golden.bundle import read_bundle, write_bundle
from refnvn.golden.case import GoldenCase, guest_bytes
from refnvn.golden.model import Golden, Reason
from refnvn.replay.seen_values import seen_unordered
from refnvn.rules.fields import Rules
from refnvn.rules.worlds import WORLDS

OLD, NEW = [10, 20, 30, 40], [11, 21, 31, 40]
"""Four places before and after a write that no barrier orders."""


def results(rules: Rules):
    """Return what was not read, one place, the sum of two, a sum with one that did not change, and a difference."""
    states = np.array([NEW, OLD], np.uint8)[:, :, np.newaxis]
    a, b, _, d = seen_unordered(states, 0, rules)[:, 0].tolist()
    return [guest_bytes("seen", bytes([99, a, a + b, a + d, 10 + b - a]))]


@pytest.fixture
def golden() -> Golden:
    """Return the golden of those results."""
    case = GoldenCase(name="made_up/reads", t_test="t_x", says="Reads.", function=results)
    return build(case, worlds=[one for one in WORLDS if one.field == "unordered_reads"], slack=[])


def test_one_place_lists_its_values_and_several_nothing(golden: Golden) -> None:
    """A sum of two places, and a difference that is the same old and new, may be anything; the others are lists."""
    (seen,) = golden.results
    assert seen.mask.tolist() == [0, *[Reason.UNDEFINED] * 4]
    (mixed,) = [o for o in seen.outcomes if golden.choices[0].setting_name(o.setting) == "mixed"]
    assert mixed.padding.tolist() == [False, False, True, False, True]


@pytest.mark.parametrize(
    ("content", "outcome"),
    [
        ((99, 11, 32, 51, 20), "same"),
        ((99, 10, 30, 50, 20), "permitted"),
        ((99, 10, 77, 51, 3), "permitted"),
        ((98, 11, 32, 51, 20), "wrong"),
        ((99, 12, 32, 51, 20), "wrong"),
        ((99, 11, 32, 52, 20), "wrong"),
    ],
)
def test_old_and_new_pass_and_a_third_value_fails(golden: Golden, content: tuple[int, ...], outcome: str) -> None:
    """A place may be old while another is new; a value that it never held is wrong."""
    assert judge(golden, {"seen": bytes(content)}).outcome == outcome


def test_what_is_claimed_of_nothing_survives_the_bundle(golden: Golden, tmp_path) -> None:
    """The bundle that is read back judges as the golden does."""
    write_bundle(golden, tmp_path / "bundle")
    again = read_bundle(tmp_path / "bundle")
    assert judge(again, {"seen": bytes((99, 10, 77, 51, 3))}).outcome == "permitted"
    assert judge(again, {"seen": bytes((99, 12, 32, 51, 20))}).outcome == "wrong"


def test_a_probe_that_changes_a_shape_is_refused() -> None:
    """Probes only choose what is read."""

    def grows(rules: Rules):
        return [guest_bytes("seen", bytes(1 + int(rules.unordered_reads >= 6)))]

    case = GoldenCase(name="made_up/grows", t_test="t_x", says="Grows.", function=grows)
    with pytest.raises(ArgumentError, match="under setting 6 of unordered_reads"):
        build(case, slack=[])


@settings(max_examples=60, deadline=None)
@given(
    table=st.tuples(*[st.integers(0, 3)] * 4),
    first=st.integers(0, 12869),
    apart=st.integers(1, 60),
)
def test_whatever_two_places_decide_is_permitted_in_every_combination(
    table: tuple[int, ...], first: int, apart: int
) -> None:
    """Any function of two places, wherever they lie: old and old, old and new, new and old, new and new pass."""

    def function(rules: Rules):
        states = np.stack([np.ones((apart + 1, 1), np.uint8), np.zeros((apart + 1, 1), np.uint8)])
        seen = seen_unordered(states, first, rules)[:, 0].tolist()
        return [guest_bytes("seen", bytes([table[2 * seen[0] + seen[apart]]]))]

    case = GoldenCase(name="made_up/two", t_test="t_x", says="Two.", function=function)
    golden = build(case, worlds=[one for one in WORLDS if one.field == "unordered_reads"], slack=[])
    assert all(judge(golden, {"seen": bytes([value])}).outcome != "wrong" for value in table)


@settings(max_examples=60, deadline=None)
@given(first=st.integers(0, 12869), apart=st.integers(1, 60), steps=st.tuples(*[st.integers(1, 40)] * 4))
def test_a_sum_of_two_places_with_several_values_is_claimed_nowhere(
    first: int, apart: int, steps: tuple[int, ...]
) -> None:
    """Each of nine combinations of three values passes, also those that no run tries."""
    values = np.cumsum([(0, 0), steps[:2], steps[2:]], axis=0)

    def function(rules: Rules):
        states = np.zeros((3, apart + 1, 1), np.uint8)
        states[:, 0, 0], states[:, apart, 0] = values[:, 0], values[:, 1]
        seen = seen_unordered(states, first, rules)[:, 0].astype(int)
        return [guest_bytes("seen", bytes([seen[0] + seen[apart]]))]

    case = GoldenCase(name="made_up/sum", t_test="t_x", says="Sum.", function=function)
    golden = build(case, worlds=[one for one in WORLDS if one.field == "unordered_reads"], slack=[])
    sums = {int(a + b) for a in values[:, 0] for b in values[:, 1]}
    assert all(judge(golden, {"seen": bytes([value])}).outcome != "wrong" for value in sums)
