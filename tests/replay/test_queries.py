"""Reports, and draws and clears that hang on them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from refnvn.commands import commands as c
from refnvn.commands import recording as r
from refnvn.enumerations import ConditionalRenderMode, CounterType
from refnvn.replay.errors import ReplayError
from refnvn.replay.queries import reported_time
from refnvn.rules.fields import (
    NVN,
    ConditionReach,
    ConditionTime,
    OpenCounters,
    Rules,
    TimestampPace,
    TimestampStart,
)
from tests.replay.scenes import BUFFER, BUFFER_B, RED, clear, color, ref, run, targets, texels, texture, whole
from tests.replay.shaders import PROGRAMS, WHOLE, draw, set_up, vertices

RECORD, RECORD_B = BUFFER + 4096, BUFFER_B + 4096
EQUAL, NOT_EQUAL = ConditionalRenderMode.RENDER_IF_EQUAL, ConditionalRenderMode.RENDER_IF_NOT_EQUAL
SAMPLES = CounterType.SAMPLES_PASSED
HALF = color(0.5, 0, 0, 0)
IMAGE = texture("R8", 8, 8)


def records(*words: int) -> tuple[r.WriteMemory, dict[str, bytes]]:
    """Return the event that writes 64-bit words at the record."""
    return r.WriteMemory(pool=0, offset_B=RECORD_B, blob="record"), {"record": np.array(words, "<u8").tobytes()}


def condition(mode: ConditionalRenderMode = NOT_EQUAL) -> c.SetRenderEnableConditional:
    """Return the command that compares the record's counters."""
    return c.SetRenderEnableConditional(mode=mode, address=RECORD)


def report(counter: CounterType, number: int = 0) -> c.ReportCounter:
    """Return a report into the n-th 16 bytes of the record."""
    return c.ReportCounter(counter=counter, address=RECORD + 16 * number)


def words_after(commands: list[Any], count: int) -> list[int]:
    """Return the record's first words after commands that follow a set-up for drawing 8x8 pixels."""
    event, blobs = vertices(WHOLE)
    read = r.ReadMemory(name="record", pool=0, offset_B=RECORD_B, size_B=8 * count)
    everything = [targets(ref()), *set_up(8, 8), *commands]
    results = run([IMAGE], [event, everything, read], blobs, programs=PROGRAMS)
    return [int(word) for word in results["record"].view("<u8")]


@pytest.mark.rule("QUERY-REPORT-1", "QUERY-SAMPLES-1")
def test_samples_add_up_until_they_are_reset() -> None:
    """64 samples, twice; after a reset a draw of no vertices leaves 0."""
    reset = c.ResetCounter(counter=SAMPLES)
    commands = [draw(), report(SAMPLES), draw(), report(SAMPLES, 1), reset, draw(0), report(SAMPLES, 2)]
    assert words_after(commands, 6)[::2] == [64, 128, 0]


@pytest.mark.rule("QUERY-TIME-1", "QUERY-TIME-2")
@pytest.mark.parametrize("counter", [CounterType.TIMESTAMP, CounterType.TIMESTAMP_TOP], ids=["timestamp", "top"])
def test_a_timestamp_leaves_its_counter_0(counter: CounterType) -> None:
    """The time goes behind it, and grows."""
    first, time, second, later = words_after([report(counter), report(counter, 1)], 4)
    assert first == second == 0
    assert 0 < time < later


@pytest.mark.rule("QUERY-TIME-2")
def test_no_byte_of_a_time_is_claimed() -> None:
    """Both choices change all eight bytes, so that together they leave nothing to compare."""
    numbers = range(1, 1000)
    base = np.array([reported_time(n, NVN) for n in numbers], "<u8").view(np.uint8)
    for other in (NVN.with_(timestamp_start=TimestampStart.ELSEWHERE), NVN.with_(timestamp_pace=TimestampPace.OTHER)):
        assert (np.array([reported_time(n, other) for n in numbers], "<u8").view(np.uint8) != base).all()


def after_condition(words: tuple[int, ...], commands: list[Any], rules: Rules = NVN) -> np.ndarray:
    """Return the image after commands between a condition on words and its end."""
    write, blobs = records(*words)
    event, more = vertices(WHOLE)
    everything = [targets(ref()), *set_up(8, 8), *commands, c.SetRenderEnable(enable=True)]
    return texels(run([IMAGE], [event, write, everything], blobs | more, rules, programs=PROGRAMS), IMAGE)


@pytest.mark.rule("QUERY-CONDITION-1")
@pytest.mark.parametrize(
    ("inverted", "samples", "drawn", "cleared"),
    [(0, 0, 0, 0), (0, 1, 255, 127), (1, 0, 255, 127), (1, 1, 0, 0)],
    ids=["none-passed", "one-passed", "inverted-none-passed", "inverted-one-passed"],
)
def test_draws_and_clears_hang_on_samples_as_measured(inverted: int, samples: int, drawn: int, cleared: int) -> None:
    """The four rows of ``occlusion``: red after a conditional draw, and after a conditional clear to a half."""
    mode = EQUAL if inverted else NOT_EQUAL
    assert (after_condition((samples, 0, 0), [condition(mode), draw()]) == drawn).all()
    assert (after_condition((samples, 0, 0), [condition(mode), draw(), clear(HALF)]) == cleared).all()


@pytest.mark.rule("QUERY-CONDITION-1")
def test_all_64_bits_are_compared_and_no_time() -> None:
    """A difference in the highest bit counts, one in the words between the counters does not."""
    assert (after_condition((1 << 63, 5, 0), [condition(), clear(RED)]) == 255).all()
    assert not after_condition((3, 5, 3, 6), [condition(), clear(RED)]).any()


@pytest.mark.rule("QUERY-CONDITION-1")
def test_what_is_compared_is_read_at_execution() -> None:
    """A fill before the condition in the same commands makes the counters equal: the clear is skipped."""
    fill = c.ClearBuffer(address=RECORD, size_B=8, value=0)
    assert not after_condition((1, 0, 0), [fill, condition(), clear(RED)]).any()


@pytest.mark.rule("QUERY-CONDITION-2")
def test_a_condition_is_found_once_or_at_each_command() -> None:
    """The counters become equal between condition and clear."""
    commands = [condition(), c.ClearBuffer(address=RECORD, size_B=8, value=0), clear(RED)]
    assert (after_condition((1, 0, 0), commands) == 255).all()
    assert not after_condition((1, 0, 0), commands, NVN.with_(condition_time=ConditionTime.COMMAND)).any()


@pytest.mark.rule("QUERY-CONDITION-3")
def test_a_texture_clear_hangs_on_the_condition_or_does_not() -> None:
    """Nothing decides; fills of buffers and copies always happen."""
    texture_clear = c.ClearTexture(texture=ref(), region=whole(IMAGE), color_bits=RED)
    assert not after_condition((0, 0, 0), [condition(), texture_clear]).any()
    targets_only = NVN.with_(condition_reach=ConditionReach.TARGETS)
    assert (after_condition((0, 0, 0), [condition(), texture_clear], targets_only) == 255).all()


def test_rendering_stays_off_over_submissions() -> None:
    """SetRenderEnable(false) lasts until it is set true."""
    off, on = c.SetRenderEnable(enable=False), c.SetRenderEnable(enable=True)
    events = [[targets(ref()), off], [clear(RED)], [on, clear(HALF)]]
    assert (texels(run([IMAGE], events), IMAGE) == 127).all()
    assert not texels(run([IMAGE], events[:2]), IMAGE).any()


def test_a_skipped_draw_counts_no_samples() -> None:
    """The report says 0."""
    assert words_after([condition(EQUAL), draw(), report(SAMPLES, 1)], 3)[2] == 64
    assert words_after([condition(NOT_EQUAL), draw(), report(SAMPLES, 1)], 3)[2] == 0


def test_a_counter_of_which_nothing_is_known_is_refused() -> None:
    """The error names the counter's field and what would settle it."""
    with pytest.raises(
        ReplayError, match=r"command_buffers\[0\]\[6\] ReportCounter.counter: QUERY-ZCULL-1: .*settled"
    ):
        words_after([report(CounterType.ZCULL_STATS)], 1)


COUNTERS = (
    CounterType.INPUT_VERTICES,
    CounterType.INPUT_PRIMITIVES,
    CounterType.VERTEX_SHADER_INVOCATIONS,
    CounterType.FRAGMENT_SHADER_INVOCATIONS,
    CounterType.CLIPPER_INPUT_PRIMITIVES,
    CounterType.PRIMITIVES_GENERATED,
)


def counted(commands: list[Any], *counters: CounterType) -> list[int]:
    """Return what some counters hold after commands."""
    reports = [report(counter, number) for number, counter in enumerate(counters)]
    return words_after([*commands, *reports], 2 * len(counters))[::2]


@pytest.mark.rule(
    "QUERY-INPUT-1", "QUERY-INPUT-2", "QUERY-INVOCATIONS-1", "QUERY-INVOCATIONS-4", "QUERY-PRIMITIVES-1"
)
def test_a_draw_counts_what_it_takes_and_makes() -> None:
    """Four vertices are a triangle and one vertex more, which makes nothing and is not shaded; 64 pixels."""
    assert counted([draw(4)], *COUNTERS) == [4, 1, 3, 64, 1, 1]


@pytest.mark.rule("QUERY-INPUT-1", "QUERY-INPUT-2")
def test_draws_in_a_row_are_counted_each() -> None:
    """Where draws are counted none are drawn together."""
    assert counted([draw(4), draw(3), draw(5)], *COUNTERS) == [12, 3, 9, 192, 3, 3]


@pytest.mark.rule("QUERY-CLIPPER-1", "QUERY-PRIMITIVES-1")
def test_rasterizer_discard_keeps_primitives_from_the_clipper() -> None:
    """They are generated all the same."""
    commands = [c.SetRasterizerDiscard(discard=True), draw()]
    assert counted(commands, CounterType.CLIPPER_INPUT_PRIMITIVES, CounterType.PRIMITIVES_GENERATED) == [0, 1]


@pytest.mark.rule("QUERY-OPEN-1", "QUERY-CLIPPER-1")
def test_what_the_clipper_makes_of_a_cut_triangle_is_open_until_a_reset() -> None:
    """The triangle that covers the viewport reaches beyond it: any number; after a reset 0, for sure."""
    clipped = CounterType.CLIPPER_OUTPUT_PRIMITIVES
    commands = [draw(), report(clipped), c.ResetCounter(counter=clipped), report(clipped, 1)]
    event, blobs = vertices(WHOLE)
    read = r.ReadMemory(name="record", pool=0, offset_B=RECORD_B, size_B=32)
    everything = [targets(ref()), *set_up(8, 8), *commands]

    def words(rules: Rules) -> list[int]:
        results = run([IMAGE], [event, everything, read], blobs, rules, programs=PROGRAMS)
        return [int(word) for word in results["record"].view("<u8")[::2]]

    plain, turned = words(NVN), words(NVN.with_(open_counters=OpenCounters.TURNED))
    assert plain[0] ^ turned[0] == (1 << 64) - 1
    assert plain[1] == turned[1] == 0


def test_clears_count_nothing_and_draws_that_are_skipped_neither() -> None:
    """As of samples."""
    condition_fails = [condition(NOT_EQUAL), draw()]
    assert counted([clear(RED), *condition_fails], *COUNTERS) == [0] * len(COUNTERS)
