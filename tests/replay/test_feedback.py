"""Draws that read what they, or draws before them, render: what barriers decide, and what stays open."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from goldens.feedback import combined, orange, red_target, violet
from goldens.feedback_depth import DepthPass, depth_seen, half_deep
from goldens.sampling import Sampling
from refnvn.golden.build import build
from refnvn.golden.case import case_named
from refnvn.golden.scene import trace_of
from refnvn.nvn.device import Device
from refnvn.nvn.scene import Scene, record
from refnvn.replay.run import replay
from refnvn.rules.fields import NVN, OwnTargetReads, UnorderedReads, WatchedRules, watch
from refnvn.shader.python import gl, vec4, vertex_shader

RED, VIOLET, ORANGE = 255, 102, 204
"""The red of each, which a reader leaves in blue."""


@vertex_shader
def everywhere():  # type: ignore[no-untyped-def]
    """Let each triangle cover everything."""
    corner = gl.vertex_id % 3
    return vec4(3.0 if corner == 1 else -1.0, 3.0 if corner == 2 else -1.0, 0.0, 1.0)


def replayed(scene: Scene, rules: WatchedRules) -> NDArray[np.uint8]:
    """Return the target of a scene as RGBA8 pixels."""
    trace = record(scene)
    return replay(trace.recording, trace.blobs, rules)["target"].reshape(-1, 4)


def drawn_then_read(*barriers: str):  # type: ignore[no-untyped-def]
    """Return a scene: red, violet, orange, barriers, and a draw that leaves the red it reads in blue."""

    def scene(device: Device) -> None:
        draws = Sampling(device)
        target = red_target(draws)
        draws.bind(0, target)
        draws.draw(violet)
        draws.draw(orange)
        for barrier in barriers:
            draws.commands.barrier(barrier)
        draws.draw(combined)
        draws.submit()
        target.read_texels("target")

    return scene


@pytest.mark.rule("ORDER-READ-1")
@pytest.mark.parametrize(
    ("setting", "blue"),
    [
        (UnorderedReads.FRESH, ORANGE),
        (UnorderedReads.ONE_BACK, VIOLET),
        (UnorderedReads.TWO_BACK, RED),
        (UnorderedReads.OLDEST, RED),
    ],
)
def test_without_a_barrier_a_draw_sees_any_value_since_the_last(setting: UnorderedReads, blue: int) -> None:
    """By setting: what is there, the value before, the one before that."""
    rules = watch(NVN.with_(unordered_reads=setting))
    assert replayed(drawn_then_read(), rules)[:, 2].tolist() == [blue] * 256
    assert "unordered_reads" in rules.read


@pytest.mark.rule("ORDER-READ-1", "ORDER-CACHE-1")
def test_after_the_barrier_nothing_is_open() -> None:
    """The field is not read, and no setting of it matters."""
    rules = watch(NVN)
    scene = drawn_then_read("ORDER_FRAGMENTS | INVALIDATE_TEXTURE")
    assert replayed(scene, rules)[:, 2].tolist() == [ORANGE] * 256
    assert "unordered_reads" not in rules.read
    oldest = watch(NVN.with_(unordered_reads=UnorderedReads.OLDEST))
    assert replayed(scene, oldest)[:, 2].tolist() == [ORANGE] * 256


def test_a_submission_is_a_barrier() -> None:
    """What an earlier submission rendered is seen, whatever the setting."""

    def scene(device: Device) -> None:
        draws = Sampling(device)
        target = red_target(draws)
        draws.bind(0, target)
        draws.draw(violet)
        draws.submit()
        draws.commands = device.command_buffer()
        draws._begin()
        draws.draw_to(target)
        draws.bind(0, target)
        draws.draw(combined)
        draws.submit()
        target.read_texels("target")

    rules = watch(NVN.with_(unordered_reads=UnorderedReads.OLDEST))
    assert replayed(scene, rules)[:, 2].tolist() == [VIOLET] * 256


@pytest.mark.rule("ORDER-OWN-1")
def test_a_draw_sees_nothing_of_what_it_renders_itself() -> None:
    """Two triangles that overlap both read what was there before the draw; the fault shows blocks."""

    def scene(device: Device) -> None:
        draws = Sampling(device)
        target = red_target(draws)
        draws.bind(0, target)
        draws.commands.bind_program(device.program(everywhere, combined))
        draws.commands.draw_arrays("TRIANGLES", 0, 6)
        draws.submit()
        target.read_texels("target")

    assert np.unique(replayed(scene, watch(NVN)), axis=0).tolist() == [[0, 255, 255, 0]]
    blocks = watch(NVN.with_(own_target_reads=OwnTargetReads.BLOCKS))
    assert np.unique(replayed(scene, blocks), axis=0).tolist() == [[0, 255, 255, 255]]


@pytest.mark.rule("ORDER-DEPTH-1")
def test_depth_that_a_draw_writes_is_specified_only_where_it_reads_no_more() -> None:
    """A reader that writes no depth has one result; of one that does nothing is claimed."""

    def scene(device: Device) -> None:
        one = DepthPass(device)
        one.draws.bind(0, one.depth)
        one.write_depth(half_deep)
        one.commands.barrier("ORDER_FRAGMENTS | INVALIDATE_TEXTURE")
        one.read_depth(depth_seen)
        one.draws.submit()
        one.color.read_texels("target")

    rules = watch(NVN)
    trace = record(scene)
    found = replay(trace.recording, trace.blobs, rules)["target"].view(np.float32)
    assert np.unique(found).tolist() == [0.5]
    assert "unordered_reads" not in rules.read
    written = build(case_named("feedback/depth_written")).result("written_color")
    (mixed,) = written.outcomes
    assert mixed.padding.all()


@pytest.mark.parametrize("name", ["feedback/own_target", "feedback/image_load", "feedback/tile"])
def test_feedback_does_not_depend_on_threads_or_batches(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """One thread or two, all primitives at a time or one: the same bytes."""
    trace = trace_of(case_named(name))
    found = replay(trace.recording, trace.blobs)
    for module in ("chunks", "walk"):
        monkeypatch.setattr(f"refnvn.raster.{module}.PRIMITIVES_AT_ONCE", 1)
    again = replay(trace.recording, trace.blobs, threads=2)
    assert {key: one.tobytes() for key, one in found.items()} == {key: one.tobytes() for key, one in again.items()}
