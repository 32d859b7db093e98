"""A case may excuse less than others, or more."""

from __future__ import annotations

import pytest

from refnvn.compare.judge import judge
from refnvn.errors import ArgumentError
from refnvn.golden.build import build
from refnvn.golden.case import GoldenCase, guest_bytes
from refnvn.rules.alternatives import Alternative
from refnvn.rules.fields import BlendPrecision, Rules, StoreNorm

SLACK = (Alternative("store_norm", StoreNorm.NEAREST_EVEN, "a port rounds to even"),)
MORE = (Alternative("blend_precision", BlendPrecision.FLOAT32, "here a port may blend in floats"),)


def results(rules: Rules):
    """Return one byte that each of two fields decides."""
    return [guest_bytes("bytes", bytes([10 + int(rules.store_norm), 20 + int(rules.blend_precision)]))]


def outcome(content: tuple[int, int], **more: object) -> str:
    """Return how bytes are judged by a case that asks for more or less."""
    case = GoldenCase(name="made_up/case", t_test="t_x", says="Case.", function=results, **more)
    return judge(build(case, worlds=(), slack=SLACK), {"bytes": bytes(content)}).outcome


@pytest.mark.parametrize(
    ("more", "rounded", "blended"),
    [
        ({}, "permitted", "wrong"),
        ({"fixed": ("store_norm",)}, "wrong", "wrong"),
        ({"also": MORE}, "permitted", "permitted"),
        ({"fixed": ("store_norm",), "also": MORE}, "wrong", "permitted"),
    ],
)
def test_a_case_may_be_stricter_or_wider(more: dict[str, object], rounded: str, blended: str) -> None:
    """What it fixes is not excused, what it names besides is."""
    assert outcome((10, 20), **more) == "same"
    assert outcome((11, 20), **more) == rounded
    assert outcome((10, 21), **more) == blended


def test_a_field_that_is_none_is_refused() -> None:
    """The error names the golden and the field."""
    with pytest.raises(ArgumentError, match="golden made_up/case: 'no_field' is no field of the rules"):
        outcome((10, 20), fixed=("no_field",))
