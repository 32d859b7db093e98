"""What is offered to tests: random traces that can be replayed, and results by name."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings

from refnvn.testing import results_of, traces
from refnvn.trace.files import Trace, decode_recording, trace_files


@settings(max_examples=40, deadline=None)
@given(traces())
def test_a_trace_that_was_written_replays_to_the_same(trace: Trace) -> None:
    """Scene, trace and the trace read again give the same bytes."""
    again = Trace(decode_recording(trace_files(trace)["trace.json"], "here"), trace.blobs)
    first, second = results_of(trace), results_of(again)
    assert first.keys() == second.keys()
    assert all(np.array_equal(first[name], second[name]) for name in first)


@settings(max_examples=20, deadline=None)
@given(traces(most_commands=3, draws=False))
def test_traces_without_draws_have_none(trace: Trace) -> None:
    """The strategy can leave out what a test does not want."""
    kinds = {type(command).__name__ for buffer in trace.recording.command_buffers for command in buffer}
    assert not any(kind.startswith("Draw") for kind in kinds)
