"""Which writes a barrier settles for which reader, and what the others may see."""

import numpy as np
import pytest

from refnvn.commands import commands as c
from refnvn.enumerations import BarrierBits as Bits
from refnvn.memory.write_log import Writer
from refnvn.replay.later_writes import kept_away
from refnvn.replay.order import WRITERS, Order, Path, ReaderStage
from refnvn.replay.seen_values import seen_unordered, words_of_eight
from refnvn.rules.fields import NVN, UnorderedReads

VERTEX, FRAGMENT, COMPUTE = Writer.VERTEX, Writer.FRAGMENT, Writer.COMPUTE
IN_FRAGMENTS, ELSEWHERE = ReaderStage.FRAGMENT, ReaderStage.OTHER


def settled_by(stage: ReaderStage, path: Path, *barriers: int) -> set[Writer]:
    """Return whose writes are settled for a reader after barriers, one write before each."""
    order = Order()
    for now, bits in enumerate(barriers, start=1):
        order.barrier(bits, now)
    times = order.settled(stage, path)
    return {writer for writer in (VERTEX, FRAGMENT, COMPUTE) if times[writer] >= 1}


@pytest.mark.rule("ORDER-PRIMITIVES-1")
def test_primitives_finish_everything_before_later_vertices() -> None:
    """0x1, and 0x21 as titles use it, order vertex stores, and what was rendered, before vertex shaders."""
    for bits in (0x01, 0x21):
        assert settled_by(ELSEWHERE, Path.DIRECT, bits) == {VERTEX, FRAGMENT, COMPUTE}
    assert settled_by(IN_FRAGMENTS, Path.DIRECT, 0x01) == {VERTEX, COMPUTE}


@pytest.mark.rule("ORDER-FRAGMENTS-1")
@pytest.mark.parametrize("bits", [0x02, 0x04, 0x12])
def test_fragments_are_finished_before_later_fragments(bits: int) -> None:
    """0x2, 0x12 and the tiled form order fragments before fragments and promise vertices nothing."""
    assert settled_by(IN_FRAGMENTS, Path.DIRECT, bits) == {FRAGMENT}
    assert settled_by(ELSEWHERE, Path.DIRECT, bits) == set()


@pytest.mark.rule("ORDER-CACHE-1")
@pytest.mark.parametrize(
    ("path", "bit"),
    [
        (Path.TEXTURE, Bits.INVALIDATE_TEXTURE),
        (Path.CONSTANT, Bits.INVALIDATE_SHADER),
        (Path.INDIRECT, Bits.ORDER_INDIRECT_DATA),
    ],
)
def test_a_cache_shows_what_was_ordered_before_it_was_emptied(path: Path, bit: Bits) -> None:
    """Order and emptying may come at once, or in this order; the other way round, or one alone, promises nothing."""
    order = Bits.ORDER_FRAGMENTS
    assert settled_by(IN_FRAGMENTS, path, order | bit) == {FRAGMENT}
    assert settled_by(IN_FRAGMENTS, path, order, bit) == {FRAGMENT}
    assert settled_by(IN_FRAGMENTS, path, bit, order) == set()
    assert settled_by(IN_FRAGMENTS, path, order) == set()
    assert settled_by(IN_FRAGMENTS, path, bit) == set()


def test_every_draw_clear_and_dispatch_is_somebody_whom_barriers_are_about() -> None:
    """What renders or runs shaders is in the list; a fill of memory is a copy."""
    kinds = [kind for kind in vars(c).values() if isinstance(kind, type) and issubclass(kind, c.Command)]
    working = {kind for kind in kinds if kind.__name__.startswith(("Draw", "MultiDraw", "Clear", "Dispatch"))}
    assert set(WRITERS) == working - {c.ClearBuffer}


def test_other_bits_order_nothing() -> None:
    """Descriptors, depth culling and the second-level cache are no order."""
    rest = Bits.INVALIDATE_TEXTURE_DESCRIPTOR | Bits.INVALIDATE_ZCULL | Bits.INVALIDATE_L2_CACHE
    for stage in ReaderStage:
        for path in Path:
            assert settled_by(stage, path, rest) == set()


def test_a_submission_settles_everything() -> None:
    """What earlier submissions wrote is seen by all."""
    order = Order()
    order.submission(7)
    assert order.all_settled == 7


@pytest.mark.rule("ORDER-LATER-1")
def test_barriers_keep_later_stores_from_earlier_reads() -> None:
    """0x1 keeps all from vertices and dispatches, 0x2 later fragments from earlier ones, 0x3 all from fragments."""
    everybody = (VERTEX, FRAGMENT, COMPUTE)
    assert [kept_away(bits, ELSEWHERE) for bits in (0x00, 0x01, 0x02, 0x21)] == [(), everybody, (), everybody]
    by_fragments = [kept_away(bits, IN_FRAGMENTS) for bits in (0x01, 0x02, 0x12, 0x03, 0x05)]
    assert by_fragments == [(), (FRAGMENT,), (FRAGMENT,), everybody, everybody]


HELD = np.array([[[4], [9], [5]], [[3], [9], [5]], [[2], [9], [4]], [[1], [9], [4]]], np.uint8)
"""Three places at four times, the latest first: one that changed three times, one never, one once."""


@pytest.mark.rule("ORDER-READ-1")
@pytest.mark.parametrize(
    ("setting", "seen"),
    [
        (UnorderedReads.FRESH, [4, 9, 5]),
        (UnorderedReads.ONE_BACK, [3, 9, 4]),
        (UnorderedReads.TWO_BACK, [2, 9, 4]),
        (UnorderedReads.OLDEST, [1, 9, 4]),
    ],
)
def test_a_place_shows_one_of_the_values_that_it_held(setting: UnorderedReads, seen: list[int]) -> None:
    """Values of its own are counted, not writes: a place that changed once has one older value."""
    assert seen_unordered(HELD, 0, NVN.with_(unordered_reads=setting))[:, 0].tolist() == seen


@pytest.mark.rule("ORDER-READ-1")
def test_mixed_settings_part_any_two_places_both_ways() -> None:
    """Of places 0 to 12869 none is older only where another is: no word of eight bits of sixteen contains another."""
    words = words_of_eight()
    assert words.size == 12870
    assert {int(word).bit_count() for word in words} == {8}
    held = np.array([[[2]] * 300, [[1]] * 300], np.uint8)
    mixes = [setting for setting in UnorderedReads if setting >= UnorderedReads.MIXED]
    older = np.stack([seen_unordered(held, 12700, NVN.with_(unordered_reads=m))[:, 0] == 1 for m in mixes])
    only = (older[:, :, np.newaxis] & ~older[:, np.newaxis]).any(axis=0)
    assert only[~np.eye(300, dtype=bool)].all()


def test_mixed_settings_reach_every_older_value() -> None:
    """A place with three older values shows each of them in some setting."""
    held = np.repeat(HELD[:, :1], 8, axis=1)
    mixes = [setting for setting in UnorderedReads if setting >= UnorderedReads.MIXED]
    seen = np.concatenate([seen_unordered(held, 0, NVN.with_(unordered_reads=m))[:, 0] for m in mixes])
    assert set(seen.tolist()) == {1, 2, 3, 4}
