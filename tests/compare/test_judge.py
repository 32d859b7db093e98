"""Judging: what is same, permitted and wrong, and which way ACTUAL went."""

from __future__ import annotations

import json

import numpy as np
import pytest

from refnvn.compare.judge import compare_raw, judge
from refnvn.errors import ArgumentError, ShapeError, SizeError
from refnvn.golden.build import build
from refnvn.golden.case import GoldenCase, Image, guest_bytes, image, table
from refnvn.rules.alternatives import Alternative
from refnvn.rules.fields import AutoBlockHeight, Scope, StorageAlignment, StoreFloat, StoreNorm

NORM = Alternative("store_norm", StoreNorm.NEAREST_EVEN, "a port rounds to even")
FLOAT_EACH = Alternative("store_float", StoreFloat.NEAREST_EVEN, "each may round", Scope.TEXEL)
ROUND_UP = Alternative("auto_block_height", AutoBlockHeight.ROUND_UP, "open")
ROWS_OVER_8 = Alternative("auto_block_height", AutoBlockHeight.ROWS_OVER_8, "open")
PAGE = Alternative("storage_alignment", StorageAlignment.PAGE, "open")


def golden_of(function, *, worlds=(), slack=()):
    """Return a golden of what ``function`` returns: bytes, or results."""

    def run(rules):
        made = function(rules)
        return [guest_bytes("b", made)] if isinstance(made, bytes) else made

    case = GoldenCase(name="made_up/judged", t_test="t_x", says="Judged.", function=run)
    return build(case, worlds=worlds, slack=slack)


def counts(verdict, number=0):
    """Return same, permitted by reason where there are any, and wrong of one result."""
    result = verdict.results[number]
    return {
        "same": result.same,
        **{reason: count for reason, count in result.permitted.items() if count},
        "wrong": result.wrong,
    }


def rounded(rules):
    """Return four bytes of which store_norm changes the first three."""
    step = int(rules.store_norm)
    return bytes([10 + step, 20 + step, 30 + step, 40])


ROUNDED = golden_of(rounded, slack=(NORM,))


@pytest.mark.parametrize(
    ("actual", "expected", "outcome"),
    [
        ([10, 20, 30, 40], {"same": 4, "wrong": 0}, "same"),
        ([11, 21, 31, 40], {"same": 1, "imprecise": 3, "wrong": 0}, "permitted"),
        ([10, 20, 30, 41], {"same": 3, "wrong": 1}, "wrong"),
        ([12, 20, 30, 40], {"same": 3, "wrong": 1}, "wrong"),
        ([11, 20, 30, 40], {"same": 3, "wrong": 1}, "wrong"),
        ([11, 21, 30, 40], {"same": 1, "imprecise": 2, "wrong": 1}, "wrong"),
    ],
    ids=["equal", "all_even", "untouched_differs", "no_setting", "one_even", "two_even"],
)
def test_run_choice_has_one_setting_for_all_elements(actual, expected, outcome):
    """A clear and a draw that must agree are not excused for differing; the setting of most elements is the one."""
    verdict = judge(ROUNDED, {"b": bytes(actual)})
    assert counts(verdict) == expected
    assert (verdict.outcome, verdict.exit_code) == (outcome, int(outcome == "wrong"))


def test_run_choice_tells_which_setting_was_chosen():
    """The verdict names the setting that ACTUAL agrees with."""
    assert judge(ROUNDED, {"b": bytes([11, 21, 31, 40])}).chosen == {"store_norm": ("nearest_even",)}
    assert judge(ROUNDED, {"b": bytes([10, 20, 30, 40])}).chosen == {"store_norm": ("nvidia",)}


def test_run_choice_contradiction_names_both_places():
    """An element that agrees with a setting which others exclude is wrong, and both places are named."""
    verdict = judge(ROUNDED, {"b": bytes([11, 21, 30, 40])})
    (contradiction,) = verdict.contradictions
    assert contradiction.text() == "store_norm: b[0] is nearest_even, b[2] is nvidia; one setting is allowed"
    (place,) = verdict.results[0].places
    assert (place.index, place.expected, place.actual, place.permitted) == ((2,), 30, 30, (31,))
    assert place.reason == "is store_norm = nvidia, only nearest_even is allowed"


def test_run_choice_holds_across_results():
    """One setting holds for all results of a golden, judged in the golden's order."""

    def two(rules):
        step = int(rules.store_norm)
        return [guest_bytes("clear", bytes([5 + step])), guest_bytes("draw", bytes([5 + step, 7]))]

    golden = golden_of(two, slack=(NORM,))
    assert judge(golden, {"clear": bytes([6]), "draw": bytes([6, 7])}).outcome == "permitted"
    verdict = judge(golden, {"draw": bytes([5, 7]), "clear": bytes([6])})
    assert (counts(verdict, 0), counts(verdict, 1)) == (
        {"same": 0, "imprecise": 1, "wrong": 0},
        {"same": 1, "wrong": 1},
    )
    assert verdict.contradictions[0].text() == (
        "store_norm: clear[0] is nearest_even, draw[0] is nvidia; one setting is allowed"
    )


def test_run_choice_that_no_element_decides_stays_open():
    """Where two settings give the same there, both stay possible and later results decide."""

    def ambiguous(rules):
        height = rules.auto_block_height
        first = 1 if height is AutoBlockHeight.TRUNCATE else 2
        return [guest_bytes("a", bytes([first])), guest_bytes("b", bytes([10 + int(height)]))]

    golden = golden_of(ambiguous, worlds=(ROUND_UP, ROWS_OVER_8))
    assert judge(golden, {"a": bytes([2])}).chosen == {"auto_block_height": ("round_up", "rows_over_8")}
    verdict = judge(golden, {"a": bytes([2]), "b": bytes([12])})
    assert (verdict.chosen, verdict.outcome) == ({"auto_block_height": ("rows_over_8",)}, "permitted")
    assert judge(golden, {"a": bytes([2]), "b": bytes([10])}).exit_code == 1


def test_texel_choice_is_judged_element_by_element():
    """A choice of scope texel lets each element hold any listed value, and nothing else."""
    golden = golden_of(lambda rules: bytes([10 + int(rules.store_float)] * 3), slack=(FLOAT_EACH,))
    verdict = judge(golden, {"b": bytes([10, 11, 12])})
    assert counts(verdict) == {"same": 1, "imprecise": 1, "wrong": 1}
    assert verdict.results[0].places[0].permitted == (10, 11)
    assert verdict.chosen == {}


def test_element_that_several_choices_touch_may_be_anything():
    """No product of choices is claimed: where they meet, any value passes, and decides nothing."""
    golden = golden_of(
        lambda rules: bytes([10 + int(rules.store_norm) + 2 * int(rules.store_float)]), slack=(NORM, FLOAT_EACH)
    )
    verdict = judge(golden, {"b": bytes([99])})
    assert counts(verdict) == {"same": 0, "any": 1, "wrong": 0}
    assert verdict.chosen == {"store_norm": ("nvidia", "nearest_even")}


def test_padding_may_be_anything():
    """What no texel reaches is permitted whatever it holds."""
    mask = np.array([False, True])
    golden = golden_of(lambda _: [guest_bytes("b", bytes([1, 2]), any_mask=mask)])
    assert counts(judge(golden, {"b": bytes([1, 77])})) == {"same": 1, "padding": 1, "wrong": 0}


def test_padding_that_moves_is_judged_by_the_setting():
    """Where one setting has padding and another a texel, the setting that ACTUAL chose elsewhere decides."""

    def moving(rules):
        moved = rules.auto_block_height is AutoBlockHeight.ROUND_UP
        return [guest_bytes("b", bytes([10 + moved, 20, 30]), any_mask=np.array([False, moved, not moved]))]

    golden = golden_of(moving, worlds=(ROUND_UP,))
    assert golden.results[0].mask.tolist() == [1, 1, 9]
    assert counts(judge(golden, {"b": bytes([10, 20, 99])})) == {"same": 2, "padding": 1, "wrong": 0}
    assert counts(judge(golden, {"b": bytes([11, 99, 30])})) == {"same": 1, "undefined": 2, "wrong": 0}
    assert counts(judge(golden, {"b": bytes([10, 99, 99])}))["wrong"] == 1


def test_exact_refuses_slack_and_keeps_worlds_and_padding():
    """--exact asks for NVIDIA's own bits; what NVN itself may do otherwise stays permitted."""

    def mixed(rules):
        norm, height = int(rules.store_norm), int(rules.auto_block_height)
        content = bytes([10 + norm, 20 + height, 30 + norm + 2 * height, 40])
        return [guest_bytes("b", content, any_mask=np.array([False, False, False, True]))]

    golden = golden_of(mixed, worlds=(ROUND_UP,), slack=(NORM,))
    actual = bytes([11, 21, 99, 77])
    assert counts(judge(golden, {"b": actual})) == {"same": 0, "undefined": 1, "imprecise": 1, "any": 1, "padding": 1,
                                                    "wrong": 0}  # fmt: skip
    verdict = judge(golden, {"b": actual}, exact=True)
    assert counts(verdict) == {"same": 0, "undefined": 1, "padding": 1, "wrong": 2}
    assert [place.index for place in verdict.results[0].places] == [(0,), (2,)]
    assert verdict.chosen == {"auto_block_height": ("round_up",), "store_norm": ("nvidia",)}
    assert verdict.contradictions == ()
    assert counts(judge(golden, {"b": bytes([10, 21, 32, 40])}, exact=True))["wrong"] == 0


def sized(rules):
    """Return a table and bytes whose number depends on storage_alignment."""
    page = rules.storage_alignment is StorageAlignment.PAGE
    content = bytes([1, 2, 3, 0, 0][: 5 if page else 3])
    mask = np.arange(len(content)) == 4
    return [table("size", ("size_B",), [(len(content),)]), guest_bytes("pool", content, any_mask=mask)]


SIZED = golden_of(sized, worlds=(PAGE,))


def test_variant_is_compared_as_a_whole():
    """A result of another size is compared with the setting that gives that size, padding aside."""
    verdict = judge(SIZED, {"pool": bytes([1, 2, 3, 0, 77])})
    assert counts(verdict) == {"same": 0, "undefined": 4, "padding": 1, "wrong": 0}
    assert verdict.results[0].variant == "storage_alignment = page"
    assert verdict.chosen == {"storage_alignment": ("page",)}
    assert counts(judge(SIZED, {"pool": bytes([1, 9, 3, 0, 0])}))["wrong"] == 1


@pytest.mark.parametrize(
    ("size", "pool", "exit_code"),
    [(3, 3, 0), (5, 5, 0), (3, 5, 1), (5, 3, 1)],
    ids=["both_nvn", "both_page", "page_pool", "page_size"],
)
def test_variant_must_agree_with_other_results(size, pool, exit_code):
    """A size that contradicts what another result chose is wrong as a whole."""
    content = bytes([1, 2, 3, 0, 0][:pool])
    verdict = judge(SIZED, {"size": np.array([[size]], dtype=np.int64), "pool": content})
    assert verdict.exit_code == exit_code
    assert verdict.results[1].wrong == (pool if exit_code else 0)
    if exit_code:
        assert verdict.contradictions[0].index is None
        assert "other results exclude that" in verdict.text()


def test_wrong_length_names_the_bytes_and_the_variants():
    """Bytes of a length that fits nothing are refused with the lengths that do."""
    with pytest.raises(
        SizeError, match=r"4 bytes given, 3 expected \(uint8 \(3,\)\), or 5 with storage_alignment = page"
    ):
        judge(SIZED, {"pool": bytes(4)})


@pytest.mark.parametrize(
    "actual",
    [np.zeros((1, 1), dtype=np.int32), np.zeros((2, 1), dtype=np.int64), np.zeros((1, 1))],
    ids=["narrow", "longer", "float"],
)
def test_array_of_another_dtype_or_shape_is_refused(actual):
    """An array is not converted: its dtype and shape must be the result's."""
    with pytest.raises(ShapeError, match=r"int64 \(1, 1\) expected"):
        judge(SIZED, {"size": actual})


@pytest.mark.parametrize("given", [bytes, bytearray, memoryview, lambda b: np.frombuffer(b, np.uint8)],
                         ids=["bytes", "bytearray", "memoryview", "uint8"])  # fmt: skip
def test_raw_bytes_are_read_by_the_result(given):
    """Raw bytes become the result's dtype and shape, little-endian."""
    assert judge(SIZED, {"size": given((3).to_bytes(8, "little"))}).outcome == "same"


def texels(fmt, codes):
    """Return a golden of one image of 2x1 texels."""
    what = Image(format=fmt, width_px=2, height_px=1)
    return golden_of(lambda _: [image("t", codes, what)])


@pytest.mark.parametrize(
    ("fmt", "codes", "given"),
    [
        ("R16F", np.array([[0x3C00, 0xC000]], "u2"), np.array([[1, -2]], "f2")),
        ("R32F", np.array([[0x3F800000, 0]], "u4"), np.array([[[1], [0]]], ">f4")),
        ("R8SN", np.array([[129, 127]], "u1"), np.array([[-127, 127]], "i1")),
        ("DEPTH32F", np.array([[0x3F000000, 0]], "u4"), np.array([[0.5, 0]], "f4")),
    ],
)
def test_floats_and_signed_integers_are_codes_where_the_format_has_them(fmt, codes, given):
    """IEEE bits and two's complement; an axis of one element more or less is the same image."""
    assert judge(texels(fmt, codes), {"t": given}).text().startswith("made_up/judged: same")


def test_floats_are_no_codes_of_other_formats():
    """Numbers of R32UI are no floats, and nothing is converted; what is expected is said."""
    with pytest.raises(
        ShapeError, match=r"float32 \(1, 2\) given, uint32 \(1, 2\) expected, the stored codes of R32UI"
    ):
        judge(texels("R32UI", np.array([[1, 2]], "u4")), {"t": np.array([[1, 2]], "f4")})


def test_what_would_fit_is_said():
    """Twice the bytes are texels of twice the size."""
    with pytest.raises(SizeError, match=r"4 bytes given, 2 expected .*; would fit: texels of 2 bytes"):
        judge(texels("R8", np.array([[1, 2]], "u1")), {"t": bytes(4)})


def test_big_endian_array_is_its_numbers():
    """An array in another byte order is compared by its numbers."""
    assert judge(SIZED, {"size": np.array([[3]], dtype=">i8")}).outcome == "same"


@pytest.mark.parametrize("actual", [{}, {"other": b""}], ids=["nothing", "unknown"])
def test_nothing_or_unknown_results_are_refused(actual):
    """There must be something to compare, and the golden must have it."""
    with pytest.raises(ArgumentError, match="size, pool"):
        judge(SIZED, actual)


def test_results_not_given_are_told():
    """What nobody gave is not judged, and the verdict says so."""
    verdict = judge(SIZED, {"pool": bytes([1, 2, 3])})
    assert verdict.not_judged == ("size",)
    assert "not judged: size" in verdict.text()


def picture(value=0):
    """Return an image of 3 x 4 RGBA8 texels."""
    return np.full((3, 4, 4), value, dtype=np.uint8)


def test_wrong_elements_have_a_box_and_counts_by_channel():
    """The verdict says where the wrong elements lie and in which channel."""
    what = Image(format="RGBA8", width_px=4, height_px=3)
    golden = golden_of(lambda _: [image("picture", picture(), what)])
    actual = picture()
    actual[1, 2, 0] = actual[2, 1, 0] = actual[2, 1, 3] = 9
    result = judge(golden, {"picture": actual}).results[0]
    assert (result.box, result.per_channel) == (((1, 2), (1, 2), (0, 3)), {"R": 2, "A": 1})
    assert result.first_wrong == 24


def test_table_counts_by_column():
    """The channels of a table are its columns."""
    golden = golden_of(lambda _: [table("t", ("width_px", "height_px"), [(1, 2), (3, 4)])])
    result = judge(golden, {"t": np.array([[1, 0], [3, 0]])}).results[0]
    assert result.per_channel == {"height_px": 2}


def test_places_are_the_first_few():
    """Only the first wrong places are listed; the rest are counted."""
    golden = golden_of(lambda _: bytes(100))
    verdict = judge(golden, {"b": b"\1" * 100}, most_places=3)
    assert [place.index for place in verdict.results[0].places] == [(0,), (1,), (2,)]
    assert "and 97 more" in verdict.text()


def test_floats_are_compared_by_bits():
    """NaN equals itself and zero is not minus zero; a place says the bits."""
    expected = np.array([np.nan, 0.0], dtype=np.float32)
    assert compare_raw(expected, expected.copy()).outcome == "same"
    verdict = compare_raw(expected, np.array([np.nan, -0.0], dtype=np.float32))
    assert verdict.results[0].places[0].reason == "bits 0x00000000 and 0x80000000"


def test_compare_raw_of_plain_arrays():
    """Two files without a golden must have the same bits everywhere."""
    verdict = compare_raw(picture(), picture(1), name="x.png", most_places=1)
    assert (verdict.exit_code, verdict.results[0].wrong, verdict.golden) == (1, 48, "")
    with pytest.raises(ShapeError, match="x"):
        compare_raw(picture(), picture()[0], name="x")


def test_verdict_becomes_json():
    """The dictionary of a verdict holds plain values only."""
    content = json.loads(json.dumps(judge(ROUNDED, {"b": bytes([11, 21, 30, 41])}).to_dict()))
    assert (content["outcome"], content["exit_code"], content["golden"]) == ("wrong", 1, "made_up/judged")
    assert content["results"][0]["places"][0]["index"] == [2]
    assert content["chosen"] == {"store_norm": ["nearest_even"]}


def test_text_is_compact():
    """The text says the outcome first, then each result, then the choices."""
    assert judge(ROUNDED, {"b": bytes([11, 21, 31, 41])}).text().splitlines() == [
        "made_up/judged: wrong",
        "b: WRONG, 0 of 4 same, 3 imprecise, 1 wrong",
        "  within [3]",
        "  [3] expected 40, actual 41",
        "store_norm: nearest_even",
    ]


def test_results_that_have_to_be_there_fail_when_missing():
    """An incomplete readback is no success, though nothing in it is wrong."""
    pool = {"pool": bytes([1, 2, 3])}
    verdict = judge(SIZED, pool, required=("size", "pool"))
    assert (verdict.outcome, verdict.exit_code, verdict.wrong) == ("incomplete", 1, 0)
    assert (verdict.missing, verdict.not_judged) == (("size",), ())
    assert "missing: size" in verdict.text()
    on_purpose = judge(SIZED, pool, required=("pool",))
    assert (on_purpose.outcome, on_purpose.exit_code, on_purpose.not_judged) == ("same", 0, ("size",))
    with pytest.raises(ArgumentError, match="no result 'nowhere'"):
        judge(SIZED, pool, required=("nowhere",))
