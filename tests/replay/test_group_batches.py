"""Workgroups that run together leave what they leave one after another."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from refnvn.nvn.device import Device
from refnvn.nvn.scene import record
from refnvn.replay import dispatch as dispatches
from refnvn.replay.run import replay
from refnvn.rules.fields import NVN, MemoryOrder, Rules, StorageBound, UnorderedReads
from refnvn.shader.python import (
    Array,
    Storage,
    array_length,
    atomic_add,
    compute_shader,
    gl,
    uint,
)

GROUPS = 12
SIZE = 4
WORDS = 64
TURNED = NVN.with_(memory_order=MemoryOrder.REVERSED)


class First(Storage, binding=0):
    """Words."""

    words: Array[uint]


class Second(Storage, binding=1):
    """More of them."""

    words: Array[uint]


@compute_shader(local_size=(SIZE, 1, 1))
def apart(first: First, second: Second):  # type: ignore[no-untyped-def]
    """Change a word of one's own twice, and read what nobody changes."""
    i = gl.global_invocation_id.x
    first.words[i] += second.words[i] + 1
    first.words[i] = first.words[i] * 3 + uint(array_length(second.words))


@compute_shader(local_size=(SIZE, 1, 1))
def chained(first: First, second: Second):  # type: ignore[no-untyped-def]
    """Read what the workgroup before left."""
    i = gl.global_invocation_id.x
    before = first.words[i - SIZE] if i >= SIZE else uint(0)
    first.words[i] = before + second.words[i]


@compute_shader(local_size=(SIZE, 1, 1))
def tickets(first: First, second: Second):  # type: ignore[no-untyped-def]
    """Take a number, and write it down."""
    second.words[gl.global_invocation_id.x] = atomic_add(first.words[0], 1)


@compute_shader(local_size=(SIZE, 1, 1))
def late(first: First, second: Second):  # type: ignore[no-untyped-def]
    """Meet in the last workgroups only."""
    i = gl.global_invocation_id.x
    first.words[i] = second.words[i]
    if gl.work_group_id.x >= 10:
        first.words[0] = first.words[0] * 5 + i


@compute_shader(local_size=(SIZE, 1, 1))
def beyond(first: First, second: Second):  # type: ignore[no-untyped-def]
    """Leave what is bound."""
    i = gl.global_invocation_id.x
    first.words[i + 40] = second.words[i + 40] + i


@compute_shader(local_size=(SIZE, 1, 1))
def shared(first: First, second: Second):  # type: ignore[no-untyped-def]
    """Change one buffer through two slots, where they overlap."""
    i = gl.global_invocation_id.x
    first.words[i] = i
    second.words[i] = first.words[i] * 2


SHADERS = [apart, chained, tickets, late, beyond, shared]


def left(shader: object, rules: Rules, *, overlap: bool = False, times: int = 1) -> NDArray[np.uint8]:
    """Return the bytes of both buffers after a dispatch, or several without barriers."""

    def scene(device: Device) -> None:
        content = np.arange(2 * WORDS, dtype="<u4") * 7
        buffer = device.buffer(content.tobytes())
        commands = device.command_buffer()
        commands.bind_program(device.program(compute=shader), "COMPUTE")
        start = buffer.get_address()
        commands.bind_storage_buffer("COMPUTE", 0, start, 4 * WORDS)
        commands.bind_storage_buffer("COMPUTE", 1, start + (16 if overlap else 4 * WORDS), 4 * WORDS)
        for _ in range(times):
            commands.dispatch_compute(GROUPS)
        device.queue().submit(commands)
        buffer.read("buffer")

    trace = record(scene)
    return replay(trace.recording, trace.blobs, rules)["buffer"]


@pytest.fixture
def one_by_one(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Give what makes workgroups run one after another from then on."""
    return lambda: monkeypatch.setattr(dispatches, "may_hold", lambda _: False)


@pytest.mark.rule("SHADER-ORDER-1")
@pytest.mark.parametrize("rules", [NVN, TURNED, NVN.with_(storage_bound=StorageBound.POOL)], ids=str)
@pytest.mark.parametrize("shader", SHADERS, ids=lambda one: one.name)
@pytest.mark.parametrize("at_once", [8, 1 << 16])
def test_together_is_as_apart(
    shader: Any, rules: Rules, at_once: int, one_by_one: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether they meet or not, in either order, with parts of two workgroups or of all."""
    monkeypatch.setattr(dispatches, "INVOCATIONS_AT_ONCE", at_once)
    overlap = shader is shared
    together = left(shader, rules, overlap=overlap)
    one_by_one()
    assert np.array_equal(together, left(shader, rules, overlap=overlap))


@pytest.mark.parametrize("setting", [UnorderedReads.FRESH, UnorderedReads.ONE_BACK, UnorderedReads.OLDEST], ids=str)
def test_loads_see_the_same_older_words(setting: UnorderedReads, one_by_one: Any) -> None:
    """The second of two dispatches may miss what the first one left, and never what it stored itself."""
    rules = NVN.with_(unordered_reads=setting)
    together = left(apart, rules, times=2)
    one_by_one()
    assert np.array_equal(together, left(apart, rules, times=2))
    step = 7 * WORDS + 1
    seen = {UnorderedReads.FRESH: 3 * step + WORDS, UnorderedReads.ONE_BACK: step, UnorderedReads.OLDEST: 0}
    assert together.view("<u4")[0] == 3 * (seen[setting] + step) + WORDS


def test_they_do_run_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """Twelve workgroups that do not meet are one run; where they meet, there is one more for each."""
    runs: list[int] = []
    run = dispatches.run

    def counted(shader: Any, lanes: Any, **rest: Any) -> Any:
        runs.append(lanes.count)
        return run(shader, lanes, **rest)

    monkeypatch.setattr(dispatches, "run", counted)
    left(apart, NVN)
    assert runs == [GROUPS * SIZE]
    left(chained, NVN)
    assert runs[1:] == [GROUPS * SIZE, *[SIZE] * GROUPS]


def test_chained_workgroups_add_up() -> None:
    """The last word is the sum of twelve: 64 + i is what slot 1 holds, times 7."""
    words = left(chained, NVN).view("<u4")
    assert words[11 * SIZE] == sum(7 * (WORDS + SIZE * k) for k in range(GROUPS))
