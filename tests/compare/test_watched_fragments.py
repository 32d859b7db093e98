"""Fragments of multisample targets, and of shaders that store to memory: told as they were drawn, and drawn once."""

from __future__ import annotations

import numpy as np
import pytest

from goldens.drawing import depth_state
from goldens.storing import Out, Storing, covering
from refnvn.compare.history import histories_of, history_of
from refnvn.compare.history_words import history_lines, history_object
from refnvn.compare.moments import SamplePlace
from refnvn.golden.case import case_named
from refnvn.golden.scene import trace_of
from refnvn.nvn.device import Device
from refnvn.nvn.scene import record
from refnvn.nvn.states import DepthStencilState, MultisampleState
from refnvn.raster.fragment_seen import FragmentSeen
from refnvn.replay.run import replay
from refnvn.rules.fields import NVN, MemoryOrder
from refnvn.shader.ir import Shader
from refnvn.shader.python import atomic_add, discard, fragment_shader, gl, uint, vec4, vertex_shader
from refnvn.trace.files import Trace

QUARTER_CODE = 0x3E800000
"""0.25 as a float's bits."""


@vertex_shader
def sloping():  # type: ignore[no-untyped-def]
    """Cover everything; the depth is half of the part of the width that is to the left."""
    corner = gl.vertex_id % 3
    return vec4(3.0 if corner == 1 else -1.0, 3.0 if corner == 2 else -1.0, 1.0 if corner == 1 else -1.0, 1.0)


@fragment_shader
def red():  # type: ignore[no-untyped-def]
    """Write red, alpha 1."""
    return vec4(1.0, 0.0, 0.0, 1.0)


@fragment_shader
def half():  # type: ignore[no-untyped-def]
    """Write red, alpha 0.5."""
    return vec4(1.0, 0.0, 0.0, 0.5)


@fragment_shader
def thrown_away():  # type: ignore[no-untyped-def]
    """End every fragment."""
    if gl.frag_coord.x > 0.0:
        discard()
    return vec4(1.0, 0.0, 0.0, 1.0)


@fragment_shader
def of_sample():  # type: ignore[no-untyped-def]
    """Write the number of the sample over 255."""
    return vec4(float(gl.sample_id) / 255.0, 0.0, 0.0, 1.0)


@fragment_shader
def counting(out: Out):  # type: ignore[no-untyped-def]
    """Count fragments, and write how many there were before, over 255."""
    return vec4(float(atomic_add(out.words[0], uint(1))) / 255.0, 0.0, 0.0, 1.0)


@fragment_shader(early_fragment_tests=True)
def counting_early(out: Out):  # type: ignore[no-untyped-def]
    """Count fragments that pass."""
    return vec4(float(atomic_add(out.words[0], uint(1))) / 255.0, 0.0, 0.0, 1.0)


def one_pixel(
    fragment: Shader,
    vertex: Shader = covering,
    mask: int = 0xF,
    state: MultisampleState | None = None,
    depth: str = "",
    color_samples: int = 4,
) -> Trace:
    """Return a trace that draws one triangle over one pixel of four samples; ``depth`` is compared with 0.25."""

    def scene(device: Device) -> None:
        kind = "2D_MULTISAMPLE" if color_samples > 1 else "2D"
        target = device.texture("RGBA8", 1, 1, samples=color_samples, target=kind)
        zeta = device.texture("DEPTH32F", 1, 1, samples=4, target="2D_MULTISAMPLE")
        commands = device.command_buffer()
        commands.set_render_targets([target], depth_stencil=zeta)
        commands.clear_color(0, (0, 0, 0, 0))
        commands.clear_depth_stencil(0.25, True, 0, 0)
        commands.set_viewport(0, 0, 1, 1)
        commands.set_scissor(0, 0, 1, 1)
        commands.set_sample_mask(mask)
        commands.bind_multisample_state(state or MultisampleState().set_samples(4))
        commands.bind_depth_stencil_state(depth_state(depth) if depth else DepthStencilState())
        commands.bind_program(device.program(vertex, fragment))
        commands.draw_arrays("TRIANGLES", 0, 3)
        device.queue().submit(commands)

    return record(scene, "one pixel")


def fragment_at(trace: Trace, sample: int = 0, texture: int = 0, x: int = 0, y: int = 0) -> FragmentSeen:
    """Return the one fragment of a pixel."""
    history = history_of(trace, SamplePlace(texture=texture, x=x, y=y, sample=sample))
    (fragment,) = [one for moment in history.moments for one in moment.fragments]
    return fragment


def test_each_sample_is_tested_at_its_own_place() -> None:
    """Samples stand 6, 14, 2 and 10 of 16 from the left, and half so deep: less than 0.25 are the first and third."""
    one = fragment_at(one_pixel(red, sloping, depth="LESS"))
    assert one.passed == 2
    assert [sample.lost_to for sample in one.samples] == ["", "depth test", "", "depth test"]
    for sample, sixteenths in zip(one.samples, (6, 14, 2, 10), strict=True):
        (test,) = sample.tests
        code = np.float32(sixteenths / 32).view(np.uint32)
        assert test.words == f"depth {sixteenths / 32}, code {code}, LESS stored code {QUARTER_CODE}"
        assert sample.after["color 0"] == ((255, 0, 0, 255) if test.passed else (0, 0, 0, 0))
        assert sample.before["depth"] == (QUARTER_CODE,)
        assert sample.after["depth"] == (code if test.passed else QUARTER_CODE,)
        assert sample.reads == (("depth", "depth test"),)
    assert one.outputs == {"location 0": (1.0, 0.0, 0.0, 1.0)}


def test_samples_are_lost_to_the_mask() -> None:
    """A mask of 0b0110 keeps samples 1 and 2."""
    one = fragment_at(one_pixel(red, mask=0b0110), sample=3)
    assert [sample.lost_to for sample in one.samples] == ["sample mask", "", "", "sample mask"]
    assert (one.passed, one.after, one.seen.number) == (2, one.before, 3)


def test_samples_are_lost_to_alpha() -> None:
    """Alpha 0.5 leaves half of four samples."""
    state = MultisampleState().set_samples(4).set_alpha_to_coverage_enable(True).set_alpha_to_coverage_dither(False)
    one = fragment_at(one_pixel(half, state=state))
    assert sorted(sample.lost_to for sample in one.samples) == ["", "", "alpha to coverage", "alpha to coverage"]


def test_a_discard_takes_all_samples() -> None:
    """The shader ran, and ended the fragment."""
    one = fragment_at(one_pixel(thrown_away))
    assert {sample.lost_to for sample in one.samples} == {"discard"}
    assert [test.passed for test in one.tests] == [False]
    assert one.passed == 0


def test_a_shader_of_samples_has_outputs_for_each() -> None:
    """It writes the number of the sample, and the number is stored."""
    one = fragment_at(one_pixel(of_sample, mask=0b1011), sample=3)
    reds = [sample.outputs["location 0"][0] * 255 if sample.outputs else None for sample in one.samples]
    assert [red if red is None else round(red) for red in reds] == [0, 1, None, 3]
    assert [sample.after["color 0"][0] for sample in one.samples] == [0, 1, 0, 3]
    assert one.outputs == one.samples[3].outputs


def test_fewer_colour_samples_than_raster_samples() -> None:
    """Raster samples 0 and 2 pass; the one colour sample is stored, the depth of each raster sample its own."""
    state = MultisampleState().set_samples(1).set_raster_samples(4)
    trace = one_pixel(red, sloping, depth="LESS", state=state, color_samples=1)
    one = fragment_at(trace)
    assert [sample.lost_to for sample in one.samples] == ["", "depth test", "", "depth test"]
    assert {sample.after["color 0"] for sample in one.samples} == {(255, 0, 0, 255)}
    assert (one.passed, one.before["color 0"]) == (2, (0, 0, 0, 0))
    third = fragment_at(trace, sample=3, texture=1)
    assert (third.seen.lost_to, third.after["depth"]) == ("depth test", (QUARTER_CODE,))


def test_raster_samples_name_their_colour_samples() -> None:
    """Of four raster samples 0 and 2, to the left, make colour sample 1; where each has its own none is named."""
    state = MultisampleState().set_samples(2).set_raster_samples(4)
    trace = one_pixel(red, mask=0b0001, state=state, color_samples=2)
    for sample, stored in ((0, False), (1, True)):
        history = history_of(trace, SamplePlace(texture=0, x=0, y=0, sample=sample))
        lines = [line.strip() for line in history_lines(history)]
        assert "raster sample 0, of color sample 1: stored" in lines
        (told,) = [line for line in lines if line.startswith("color 0: codes")]
        assert ("as before" in told) is not stored
        (fragment,) = history_object(history)["commands"][-1]["fragments"]
        assert [one["color_sample"] for one in fragment["samples"]] == [1, 0, 1, 0]
    alone = one_pixel(red)
    lines = history_lines(history_of(alone, SamplePlace(texture=0, x=0, y=0)))
    assert "    sample 0: stored" in lines


def test_samples_are_told_in_words_and_json() -> None:
    """A line for each: its test, what took it away."""
    trace = one_pixel(red, sloping, mask=0b1101, depth="LESS")
    history = history_of(trace, SamplePlace(texture=0, x=0, y=0, sample=2))
    lines = [line.strip() for line in history_lines(history)]
    assert "primitive 0 (front): 2 passed" in lines
    assert "sample 1: lost to sample mask" in lines
    code = np.float32(0.3125).view(np.uint32)
    assert f"sample 3: depth test: depth 0.3125, code {code}, LESS stored code {QUARTER_CODE}: fails" in lines
    (fragment,) = history_object(history)["commands"][-1]["fragments"]
    assert [one["lost_to"] for one in fragment["samples"]] == [None, "sample mask", None, "depth test"]
    assert [one["covered"] for one in fragment["samples"]] == [True] * 4
    assert (fragment["sample"], fragment["lost_to"]) == (2, None)


def counted(fragment: Shader, triangles: int, samples: int = 1, depth: str = "") -> Trace:
    """Return a trace whose fragments count themselves, over 4x4 pixels; ``depth`` is compared with 0.5."""

    def scene(device: Device) -> None:
        kind = "2D_MULTISAMPLE" if samples > 1 else "2D"
        target = device.texture("RGBA8", 4, 4, samples=samples, target=kind)
        zeta = device.texture("DEPTH32F", 4, 4, samples=samples, target=kind)
        counter = device.buffer(np.zeros(4, np.uint32))
        storing = Storing(device)
        storing.commands.set_render_targets([target], depth_stencil=zeta)
        storing.commands.clear_color(0, (0, 0, 0, 0))
        storing.commands.clear_depth_stencil(0.5, True, 0, 0)
        storing.draw_with(fragment, width=4, height=4)
        storing.commands.bind_multisample_state(MultisampleState().set_samples(samples))
        storing.commands.bind_depth_stencil_state(depth_state(depth) if depth else DepthStencilState())
        storing.commands.bind_storage_buffer("FRAGMENT", 0, counter)
        storing.cover(triangles)
        storing.submit()
        counter.read("counter")

    return record(scene, "counted")


def count_of(trace: Trace) -> int:
    """Return how many fragments were counted in all."""
    return int(replay(trace.recording, trace.blobs)["counter"].view("<u4")[0])


@pytest.mark.parametrize("samples", [1, 4])
def test_a_shader_that_counts_is_watched_and_runs_once(samples: int) -> None:
    """Two triangles over 16 pixels count to 32; a pixel's second fragment counts 16 or more, and stores its count."""
    trace = counted(counting, 2, samples)
    seen = []
    for y in range(4):
        for x in range(4):
            history = history_of(trace, SamplePlace(texture=0, x=x, y=y))
            first, second = [one for moment in history.moments for one in moment.fragments]
            counts = [round(one.outputs["location 0"][0] * 255) for one in (first, second)]
            assert [one.after["color 0"][0] for one in (first, second)] == counts
            assert history.last[0] == counts[1]
            assert (second.before, first.primitive, second.primitive) == (first.after, 0, 1)
            assert not any(moment.remark for moment in history.moments)
            seen.append(counts)
    assert sorted(one[0] for one in seen) == list(range(16))
    assert sorted(one[1] for one in seen) == list(range(16, 32))
    assert count_of(trace) == 32


@pytest.mark.parametrize(("fragment", "runs", "count"), [(counting, True, 16), (counting_early, False, 0)])
def test_a_store_before_and_after_failed_tests(fragment: Shader, runs: bool, count: int) -> None:
    """0.5 is not less than 0.5: a shader runs and counts before late tests, and not behind early ones."""
    trace = counted(fragment, 1, depth="LESS")
    one = fragment_at(trace, x=1, y=2)
    assert [(test.name, test.passed) for test in one.tests] == [("depth test", False)]
    assert bool(one.outputs) is runs
    assert count_of(trace) == count


def test_where_shaders_run_backwards_that_is_said() -> None:
    """One setting runs shaders that store for the last primitive first."""
    rules = NVN.with_(memory_order=MemoryOrder.REVERSED)
    history = history_of(counted(counting, 2), SamplePlace(texture=0, x=0, y=0), rules=rules)
    assert "last primitive first" in history.moments[-1].remark


def test_several_pixels_at_once_are_as_each_alone() -> None:
    """Neighbours in a row, in a column and far apart."""
    trace = trace_of(case_named("clear_ds/in_pass"))
    places = [SamplePlace(texture=0, x=x, y=y) for x, y in ((3, 5), (3, 6), (4, 5), (0, 0), (7, 7), (1, 2))]
    for place, together in zip(places, histories_of(trace, places), strict=True):
        alone = history_of(trace, place)
        assert [moment.fragments for moment in together.moments] == [moment.fragments for moment in alone.moments]
        assert [moment.reads for moment in together.moments] == [moment.reads for moment in alone.moments]
