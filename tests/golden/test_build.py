"""Building goldens: which choices are reached, and what the mask says about each element."""

from __future__ import annotations

import numpy as np
import pytest

from refnvn.compare.judge import judge
from refnvn.errors import ArgumentError
from refnvn.golden.build import build
from refnvn.golden.bundle import bundle_files
from refnvn.golden.case import GoldenCase, guest_bytes
from refnvn.golden.model import MOST_CHOICES, Reason
from refnvn.rules import registry
from refnvn.rules.alternatives import Alternative
from refnvn.rules.evidence import Evidence
from refnvn.rules.fields import FIELDS, StoreFloat, StoreNorm, StoreSrgb
from refnvn.rules.slack import SLACK
from refnvn.rules.worlds import WORLDS

from .made_up import CASE, made_up_golden
from .made_up import SLACK as MADE_UP_SLACK
from .made_up import WORLDS as MADE_UP_WORLDS

U, I, A, P = Reason.UNDEFINED, Reason.IMPRECISE, Reason.ANY, Reason.PADDING  # noqa: E741


@pytest.fixture
def made_up_rules(monkeypatch):
    """Give a weak and a strong rule that the registry forgets afterwards."""
    monkeypatch.setattr(registry, "_RULES", dict(registry.load_all()))
    weak = registry.rule("TEST-WEAK-1", "Weak.", evidence=Evidence.INFERRED, sources=("x",), refuted_by="a look")
    strong = registry.rule("TEST-STRONG-1", "Strong.", evidence=Evidence.SWITCH, sources=("x",))
    return weak(lambda number: number), strong(lambda number: number + 0)


def case_of(function):
    """Return a case that has one result of the bytes that ``function`` gives."""
    return GoldenCase(
        name="made_up/small", t_test="t_x", says="Small.", function=lambda rules: [guest_bytes("b", function(rules))]
    )


def test_build_marks_each_element_by_who_touches_it():
    """One choice: its reason and its number; several: any; no texel: padding."""
    codes = made_up_golden().result("codes")
    assert codes.mask.tolist() == [I, I, I, I, I | A, U, P, 0]
    assert codes.field_index.tolist() == [3, 3, 4, 4, 0, 1, 0, 0]
    assert (codes.mask.dtype, codes.field_index.dtype) == (np.uint16, np.uint8)


def test_build_lists_choices_in_the_order_of_the_fields():
    """Choices stand in the order of Rules, each with NVN's setting and the others; what was not read is not there."""
    golden = made_up_golden()
    assert [(c.field, c.scope, c.default, [s.name for s in c.settings]) for c in golden.choices] == [
        ("auto_block_height", "run", "truncate", ["round_up", "rows_over_8"]),
        ("storage_alignment", "run", "gob", ["page"]),
        ("store_norm", "run", "nvidia", ["nearest_even"]),
        ("store_float", "texel", "toward_zero", ["nearest_even"]),
    ]
    assert golden.reached == tuple(f for f in FIELDS if f in {c.field for c in golden.choices})


def test_build_result_of_another_size_is_a_variant():
    """Under a setting that changes a result's shape the whole result is kept beside the base."""
    pool = made_up_golden().result("pool")
    (variant,) = pool.variants
    assert variant.array.tolist() == [1, 2, 3, 4, 5, 6]
    assert variant.padding.tolist() == [False, False, False, True, False, True]


def test_build_padding_that_moves_is_touched():
    """An element that is padding under one setting only is touched by that choice, and stays marked as padding."""
    pool = made_up_golden().result("pool")
    assert pool.mask.tolist() == [0, 0, 0, U | P]
    assert pool.field_index.tolist() == [0, 0, 0, 1]


def test_build_floats_differ_by_bits():
    """A NaN equals itself, so it is not marked."""
    assert made_up_golden().result("floats").mask.tolist() == [[0, 0, I]]


def test_build_choice_read_only_under_an_alternative_is_run():
    """An alternative run that reads a new field adds that field's alternatives; both give 2, which neither does."""

    def later(rules):
        if rules.store_norm is StoreNorm.NEAREST_EVEN:
            return bytes([1 + int(rules.store_float)])
        return bytes([0])

    golden = build(case_of(later))
    assert [c.field for c in golden.choices] == ["store_norm", "store_float", "slack_together"]
    assert golden.reached == ("store_norm", "store_float")
    assert golden.results[0].mask.tolist() == [I | A]


def test_build_unread_field_is_not_run():
    """A case that reads no field runs once and has no choices."""
    runs = []

    def plain(rules):
        runs.append(rules)
        return bytes([7])

    golden = build(case_of(plain))
    assert (len(runs), golden.choices, golden.reached, golden.weakest) == (1, (), (), None)


def test_build_collects_rules_and_weakest_evidence(made_up_rules):
    """A golden names the rules that ran by NVN's settings, and is as good as the weakest."""
    weak, strong = made_up_rules

    def by_rules(rules):
        if rules.store_norm is StoreNorm.NEAREST_EVEN:
            strong(1)
        return bytes([weak(2)])

    golden = build(case_of(by_rules))
    assert [(use.id, use.says) for use in golden.rules] == [("TEST-WEAK-1", "Weak.")]
    assert golden.weakest is Evidence.INFERRED


def test_build_twice_gives_equal_bytes():
    """Nothing in a bundle depends on when or how often it was built."""
    assert bundle_files(made_up_golden()) == bundle_files(build(CASE, worlds=MADE_UP_WORLDS, slack=MADE_UP_SLACK))


def test_build_setting_in_worlds_and_slack_counts_as_world():
    """What NVN itself may do is undefined, even where a port need not match it either."""
    both = Alternative("store_norm", StoreNorm.NEAREST_EVEN, "why")
    golden = build(case_of(lambda rules: bytes([int(rules.store_norm)])), worlds=(both,), slack=(both,))
    assert golden.results[0].mask.tolist() == [U]


@pytest.mark.parametrize(
    "function",
    [
        lambda rules: [guest_bytes("ab"[int(rules.store_norm)], bytes(1))],
        lambda rules: [guest_bytes(n, bytes(1)) for n in "ab"[: 1 + int(rules.store_norm)]],
    ],
    ids=["renamed", "one_more"],
)
def test_build_alternative_with_other_results_is_refused(function):
    """Which results there are does not depend on a choice."""
    with pytest.raises(ArgumentError, match="under setting 1 of store_norm"):
        build(GoldenCase(name="a/b", t_test="t_x", says="No.", function=function))


def test_build_alternative_equal_to_nvn_is_refused():
    """An alternative is another setting than NVN's."""
    same = Alternative("store_srgb", StoreSrgb.NVIDIA, "no")
    with pytest.raises(ArgumentError, match="NVN's own"):
        build(case_of(lambda _: bytes(1)), slack=(same,))


def test_build_choice_of_two_scopes_is_refused():
    """All settings of a field have one scope."""
    from refnvn.rules.fields import AutoBlockHeight, Scope

    mixed = (
        Alternative("auto_block_height", AutoBlockHeight.ROUND_UP, "x"),
        Alternative("auto_block_height", AutoBlockHeight.ROWS_OVER_8, "x", Scope.TEXEL),
    )
    with pytest.raises(ArgumentError, match="differ in scope"):
        build(case_of(lambda _: bytes(1)), worlds=mixed)


def test_every_alternative_fits_the_bundle():
    """Worlds and slack together are few enough for the 64 choices a golden holds, each with one scope."""
    fields = {a.field for a in (*WORLDS, *SLACK)}
    assert len(fields) <= MOST_CHOICES
    golden = build(case_of(lambda rules: bytes(int(getattr(rules, f)) for f in sorted(fields))))
    assert {c.field for c in golden.choices} == fields


def test_outcomes_that_change_nothing_are_not_kept():
    """A choice that was read and changes nothing has no files."""

    def reads(rules):
        assert rules.store_float in StoreFloat
        return bytes([1])

    golden = build(case_of(reads))
    assert [c.field for c in golden.choices] == ["store_float"]
    assert golden.results[0].outcomes == ()


def test_build_claims_nothing_where_slack_meets():
    """Byte 0 is 7, or 8 by either of two conversions, 10 by both: it may be anything. Byte 1 hears one of them."""

    def met(rules):
        norm, small = rules.store_norm is StoreNorm.NEAREST_EVEN, rules.store_srgb is StoreSrgb.NEAREST
        return bytes([{(0, 0): 7, (1, 0): 8, (0, 1): 8, (1, 1): 10}[norm, small], 5 + norm])

    slack = (
        Alternative("store_norm", StoreNorm.NEAREST_EVEN, "rounds"),
        Alternative("store_srgb", StoreSrgb.NEAREST, "rounds too"),
    )
    golden = build(case_of(met), worlds=(), slack=slack)
    assert golden.choices[-1].field == "slack_together"
    assert golden.result("b").mask.tolist() == [I | A, I]
    for content, wrong in ((b"\x0a\x06", 0), (b"\x07\x05", 0), (b"\x0a\x07", 1)):
        assert judge(golden, {"b": content}).wrong == wrong


def test_build_of_conversions_that_do_not_meet_names_no_meeting():
    """Two conversions of two bytes: each byte's own choice says all."""

    def apart(rules):
        return bytes([rules.store_norm is StoreNorm.NEAREST_EVEN, rules.store_srgb is StoreSrgb.NEAREST])

    slack = (
        Alternative("store_norm", StoreNorm.NEAREST_EVEN, "rounds"),
        Alternative("store_srgb", StoreSrgb.NEAREST, "rounds too"),
    )
    golden = build(case_of(apart), worlds=(), slack=slack)
    assert [choice.field for choice in golden.choices] == ["store_norm", "store_srgb"]
