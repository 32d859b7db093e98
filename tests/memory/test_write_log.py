"""The log of writes gives back what memory held, and says at once where nothing was written."""

import numpy as np
import pytest

from refnvn.memory.memory import Memory
from refnvn.memory.pool import PAGE_B, Pool, Segment
from refnvn.memory.write_log import MOST_PLACES, WriteLog, Writer
from tests.memory.test_surface import BASE_B, RGBA8, one_pool

ALWAYS = 1 << 62
NOTHING_SETTLED = (ALWAYS, 0, 0, 0, ALWAYS)


def logged() -> Memory:
    """Return memory that keeps what is replaced, written by fragments."""
    memory = one_pool()
    memory.log.keeps_bytes = True
    memory.log.writer = Writer.FRAGMENT
    return memory


def put(memory: Memory, offset_B: int, *values: int) -> None:
    """Write bytes as the GPU does."""
    memory.write(BASE_B + offset_B, np.array(values, np.uint8))


def states(memory: Memory, offset_B: int, size_B: int, settled: tuple[int, ...] = NOTHING_SETTLED) -> list[list[int]]:
    """Return what a range may hold."""
    found = memory.log.states(memory.segments(BASE_B + offset_B, size_B), settled, memory.log.time)
    return [state.tolist() for state in found]


def test_states_go_back_write_by_write() -> None:
    """The newest first, then each time one write less; writes that change nothing make no state."""
    memory = logged()
    put(memory, 0, 1, 1, 1)
    put(memory, 1, 2)
    put(memory, 1, 2)
    put(memory, 2, 3, 4)
    assert states(memory, 0, 4) == [[1, 2, 3, 4], [1, 2, 1, 0], [1, 1, 1, 0], [0, 0, 0, 0]]


def test_settled_writes_stay() -> None:
    """What a settled write left is not taken back, nor what lies under it."""
    memory = logged()
    put(memory, 0, 1, 1)
    memory.log.writer = Writer.COMPUTE
    put(memory, 1, 2)
    assert states(memory, 0, 2) == [[1, 2], [1, 1], [0, 0]]
    compute_settled = (ALWAYS, 0, 0, memory.log.time, ALWAYS)
    assert states(memory, 0, 2, compute_settled) == [[1, 2], [0, 2]]


def test_a_reader_does_not_miss_what_it_wrote_itself() -> None:
    """Writes after a start are seen."""
    memory = logged()
    put(memory, 0, 1)
    start = memory.log.time
    put(memory, 1, 2)
    found = memory.log.states(memory.segments(BASE_B, 2), NOTHING_SETTLED, start)
    assert [state.tolist() for state in found] == [[1, 2], [0, 2]]


def test_surfaces_are_logged_as_bytes() -> None:
    """A surface that was written twice goes back through both, also when read as bytes."""
    memory = logged()
    surface = memory.surface(0, 0, RGBA8, 0, 0)
    for value in (7, 9):
        surface.codes[0, 0, 0] = value
        surface.written()
    assert states(memory, 0, 4) == [[9] * 4, [7] * 4, [0] * 4]
    older = memory.log.states(surface.segments, NOTHING_SETTLED, memory.log.time)[1]
    assert surface.codes_of(older)[0, 0, 0].tolist() == [7] * 4


def test_without_bytes_only_places_are_kept() -> None:
    """A log that keeps no bytes knows who wrote where, and one state."""
    memory = one_pool()
    memory.log.writer = Writer.VERTEX
    put(memory, 64, 5)
    segments = memory.segments(BASE_B + 64, 1)
    assert memory.log.is_unsettled(segments, NOTHING_SETTLED)
    assert not memory.log.is_unsettled(memory.segments(BASE_B, 64), NOTHING_SETTLED)
    assert not memory.log.is_unsettled(segments, (ALWAYS, memory.log.time, 0, 0, ALWAYS))
    assert [state.tolist() for state in memory.log.states(segments, NOTHING_SETTLED, 99)] == [[5]]


def test_ordered_writes_cost_nothing() -> None:
    """What needs no barrier is not noted where no bytes are kept."""
    memory = one_pool()
    put(memory, 0, 1)
    assert memory.log.time == 0
    assert not memory.log.has_unsettled(NOTHING_SETTLED)


def test_ordered_writes_settle_what_lies_under_them() -> None:
    """A copy over what was rendered leaves nothing older to see."""
    memory = logged()
    put(memory, 0, 1, 1)
    memory.log.writer = Writer.ORDERED
    put(memory, 0, 2)
    assert states(memory, 0, 2) == [[2, 1], [2, 0]]


def test_forgotten_writes_are_gone() -> None:
    """Up to a time nothing is kept."""
    memory = logged()
    put(memory, 0, 1)
    middle = memory.log.time
    put(memory, 0, 2)
    memory.log.forget(middle)
    assert states(memory, 0, 1) == [[2], [1]]


def test_many_places_are_united_never_lost() -> None:
    """A log of more places than it tells apart errs towards overlap."""
    log = WriteLog()
    log.writer = Writer.FRAGMENT
    pool = Pool(16 * PAGE_B)
    for number in range(MOST_PLACES + 5):
        log.note(number, [Segment(pool, 8 * number, 4)])
    assert log.is_unsettled([Segment(pool, 8, 1)], NOTHING_SETTLED)
    assert log.is_unsettled([Segment(pool, 12, 1)], NOTHING_SETTLED)
    assert not log.is_unsettled([Segment(pool, 8 * MOST_PLACES + 64, 1)], NOTHING_SETTLED)


def test_a_full_log_keeps_the_oldest(monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond what it keeps, values between are gone; the first, and the last two before now, stay."""
    monkeypatch.setattr("refnvn.memory.write_log.MOST_KEPT_B", 4)
    memory = logged()
    for value in range(1, 9):
        put(memory, 0, value)
    assert states(memory, 0, 1)[0] == [8]
    assert states(memory, 0, 1)[1] == [7]
    assert states(memory, 0, 1)[-1] == [0]
    assert len(states(memory, 0, 1)) < 9


def test_states_after_a_time_are_those_of_later_writes_that_barriers_are_about() -> None:
    """The latest first; what a copy left is not among them, nor what stood there at the time."""
    memory = logged()
    put(memory, 0, 1)
    time = memory.log.time
    by_fragments = (Writer.FRAGMENT,)
    assert not memory.log.was_stored_after(memory.segments(BASE_B, 1), time, by_fragments)
    put(memory, 0, 2)
    put(memory, 0, 3)
    memory.log.writer = Writer.ORDERED
    put(memory, 0, 4)
    segments = memory.segments(BASE_B, 1)
    assert memory.log.was_stored_after(segments, time, by_fragments)
    assert not memory.log.was_stored_after(segments, time, (Writer.VERTEX, Writer.COMPUTE))
    assert [state.tolist() for state in memory.log.states_after(segments, time, by_fragments)] == [[3], [2]]
    assert memory.log.states_after(segments, time, (Writer.VERTEX,)) == []
    assert memory.log.states_after(segments, memory.log.time, by_fragments) == []
    assert memory.log.stores == 3
