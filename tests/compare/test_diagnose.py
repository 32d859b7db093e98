"""A hidden fault is found first, and what is right or permitted is never blamed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import pytest

from refnvn.compare.candidates import UNCHANGED, Left, candidate_named, candidates, left_by, reaches
from refnvn.compare.diagnose import Diagnosis, diagnose
from refnvn.errors import ArgumentError, FieldRangeError
from refnvn.faults.fault import Fault, fault_named
from refnvn.golden.build import build
from refnvn.golden.case import case_named
from refnvn.golden.model import Golden
from refnvn.golden.scene import trace_of
from refnvn.rules.fields import NVN, Rules
from refnvn.rules.slack import METAL
from refnvn.trace.files import Trace


def diagnosed(actual: dict[str, bytes], trace: Trace, golden: Golden) -> Diagnosis:
    """Diagnose in this process."""

    def run(work: Sequence[tuple[Fault, Rules]]) -> Iterator[Left]:
        return (left_by(candidate_named(fault.id), trace, rules) for fault, rules in work)

    return diagnose(trace, golden, actual, run)


def scene(name: str) -> tuple[Trace, Golden]:
    """Return a scene of the catalogue and its golden."""
    case = case_named(name)
    return trace_of(case), build(case)


@pytest.mark.parametrize("rules", [NVN, METAL], ids=["nvidia", "metal"])
@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("clear_tex/mask", "clear-tex-partial/mask"),
        ("clear_ds/partial_stencil", "clear-ds-partial-stencil/whole"),
        ("blend/src1_written", "src1-written/zero"),
        ("readback/packed_16_bit", "rgb565-order"),
        ("image_alias/virtual_pages", "copy-alias"),
        ("pull/integer_words", "vconv-format-sign/zero-extended"),
    ],
)
def test_a_hidden_fault_stands_first(name: str, fault: str, rules: Rules) -> None:
    """A port that rounds like NVIDIA or Metal and has one fault: it explains every wrong element, alone or tied."""
    trace, golden = scene(name)
    actual = {key: content.tobytes() for key, content in fault_named(fault).run(trace, rules).items()}
    found = diagnosed(actual, trace, golden)
    assert found.is_exact
    assert fault in found.explanations[0].ids
    assert found.explanations[0].words == "exact"


@pytest.mark.parametrize("rules", [NVN, METAL], ids=["nvidia", "metal"])
@pytest.mark.parametrize("name", ["clear_tex/rounding", "blend/src1_written", "depth16_clear/equal_pass"])
def test_what_is_right_or_permitted_is_not_blamed(name: str, rules: Rules) -> None:
    """NVN's own bytes, and those of a faithful port, need no explanation, and no fault is even tried."""
    trace, golden = scene(name)
    actual = left_by(UNCHANGED, trace, rules).results
    found = diagnosed(actual, trace, golden)
    assert (found.judged.verdict.wrong, found.explanations, found.tried) == (0, (), 0)


def test_two_faults_are_found_as_a_pair() -> None:
    """5-6-5 with red and blue exchanged, RGBA4 with nibbles reversed: each explains its result, both explain all."""
    trace, golden = scene("readback/packed_16_bit")
    both = candidate_named("rgb565-order + rgba4-order")
    found = diagnosed(left_by(both, trace, NVN).results, trace, golden)
    assert found.is_exact
    assert found.explanations[0].ids == ("rgb565-order + rgba4-order",)
    assert found.pairs >= 1


def spoiled(left: dict[str, bytes], share: float) -> dict[str, bytes]:
    """Return bytes of which a share is noise."""
    noise = np.random.default_rng(3)
    found = {}
    for name, content in left.items():
        bytes_ = np.frombuffer(content, np.uint8).copy()
        where = noise.random(bytes_.size) < share
        bytes_[where] ^= noise.integers(1, 256, int(where.sum()), np.uint8)
        found[name] = bytes_.tobytes()
    return found


def test_a_fault_that_leaves_most_open_is_weak() -> None:
    """A fault and a tenth of noise: it stands first and is not weak, and what shares half its texels is weak."""
    trace, golden = scene("alpha/ramp")
    left = left_by(fault_named("alpha-test"), trace, NVN).results
    found = diagnosed(spoiled(left, 0.1), trace, golden)
    assert (found.explanations[0].ids, found.explanations[0].is_weak) == (("alpha-test",), False)
    assert all(one.is_weak for one in found.explanations[1:])
    assert found.explanations[1:]
    hidden = diagnosed(spoiled(left, 0.5), trace, golden)
    assert all(one.is_weak for one in hidden.explanations)


def test_a_fault_that_explains_a_whole_result_is_not_weak() -> None:
    """Of two results one is noise and the other 5-6-5 with red and blue exchanged: that one is named."""
    trace, golden = scene("readback/packed_16_bit")
    left = left_by(fault_named("rgb565-order"), trace, NVN).results
    changed = [one.base.name for one in golden.results if left[one.base.name] != one.base.array.tobytes()]
    others = {name: content for name, content in left.items() if name not in changed}
    found = diagnosed({**left, **spoiled(others, 0.9)}, trace, golden)
    first = found.explanations[0]
    assert (first.ids, first.whole, first.is_weak) == (("rgb565-order",), tuple(changed), False)
    assert first.words.endswith(f", all of {' and '.join(changed)}")


def test_pairs_have_to_explain_more_than_their_faults() -> None:
    """A pair of which one fault explains as much alone says nothing, and is not among the answers."""
    trace, golden = scene("depth16_clear/boundaries")
    zeros = {one.base.name: bytes(one.base.array.nbytes) for one in golden.results}
    found = diagnosed(zeros, trace, golden)
    alone = {name: one.left_over for one in found.explanations for name in one.ids if " + " not in name}
    pairs = [(name, one) for one in found.explanations for name in one.ids if " + " in name]
    assert pairs
    for name, one in pairs:
        assert all(alone.get(part, one.wrong) > one.left_over for part in name.split(" + "))


def test_what_no_fault_explains_is_said_to_be_so() -> None:
    """Noise in every byte is explained by nothing exactly."""
    trace, golden = scene("clear_tex/mask")
    noise = np.random.default_rng(5)
    actual = {
        one.base.name: noise.integers(0, 256, one.base.array.nbytes, np.uint8).tobytes() for one in golden.results
    }
    found = diagnosed(actual, trace, golden)
    assert found.judged.verdict.wrong > 0
    assert not found.is_exact


def test_faults_that_a_scene_cannot_reach_are_not_tried() -> None:
    """A scene of texture clears has no draws: faults of blending do not reach it, and its own one does."""
    trace, golden = scene("clear_tex/mask")
    assert not reaches(fault_named("src1-written/zero"), trace, golden.reached)
    assert reaches(fault_named("clear-tex-partial/mask"), trace, golden.reached)
    ids = [one.id for one in candidates(trace, golden.reached)]
    assert "clear-tex-partial/mask" in ids
    assert "src1-written/zero" not in ids


@pytest.mark.parametrize("name", ["no-such-fault", "no_field=x", "store_norm=sideways"])
def test_a_candidate_that_is_not_there_is_named(name: str) -> None:
    """A fault, a field or a setting that does not exist is one error."""
    with pytest.raises(FieldRangeError):
        candidate_named(name)


def test_two_memories_cannot_be_one() -> None:
    """Two faults that both replace memory are no pair."""
    with pytest.raises(ArgumentError, match="both replace memory"):
        candidate_named("copy-alias + copy-alias")
