"""The life of a sample: every command that touched it, with tests and operands, and what it stored."""

from __future__ import annotations

import json

import numpy as np
import pytest

from refnvn.compare.history import History, histories_of, history_of
from refnvn.compare.history_words import code_words, history_lines, history_object
from refnvn.compare.moments import BytesPlace, Moment, SamplePlace
from refnvn.errors import FieldRangeError
from refnvn.formats.table import format_named
from refnvn.golden.case import case_named
from refnvn.golden.scene import trace_of
from refnvn.nvn.device import Device
from refnvn.nvn.scene import record
from refnvn.nvn.texture import TextureView


def written_by(history: History) -> list[Moment]:
    """Return the moments at which something was drawn or stored."""
    return [moment for moment in history.moments if not moment.only_read]


def test_a_draw_and_a_clear_are_told_in_order() -> None:
    """A scene that draws red over column 3 and clears it to green afterwards: 0, then red, then green."""
    history = history_of(trace_of(case_named("clear_ds/in_pass")), SamplePlace(texture=0, x=3, y=5))
    assert history.first == bytes(4)
    assert [moment.after for moment in written_by(history)] == [bytes([255, 0, 0, 255]), bytes([0, 255, 0, 255])]
    assert [type(moment.step.command).__name__ for moment in written_by(history)] == ["DrawArrays", "ClearColor"]
    (fragment,) = written_by(history)[0].fragments
    assert fragment.outputs == {"color": (1.0, 0.0, 0.0, 1.0)}
    assert (fragment.before["color 0"], fragment.after["color 0"]) == ((0, 0, 0, 0), (255, 0, 0, 255))
    assert "FMT-NORM-1" in written_by(history)[1].rules
    assert history.last == bytes([0, 255, 0, 255])


def test_a_depth_test_is_told_with_its_codes() -> None:
    """D16 cleared to 0.5 holds 32767, and the draw at 0.5 passes EQUAL."""
    history = history_of(trace_of(case_named("depth16_clear/equal_pass")), SamplePlace(texture=0, x=2, y=2))
    (fragment,) = written_by(history)[-1].fragments
    (test,) = fragment.tests
    assert (test.name, test.passed) == ("depth test", True)
    assert test.words == "depth 0.5, code 32767, EQUAL stored code 32767"


def test_a_fragment_that_fails_is_told_too() -> None:
    """Row 5 of the alpha ramp asks for LESS than 0: alpha 0.2 fails and nothing changes."""
    history = history_of(trace_of(case_named("alpha/ramp")), SamplePlace(texture=0, x=3, y=5))
    (moment,) = written_by(history)
    assert not moment.changed
    (fragment,) = moment.fragments
    assert fragment.passed == 0
    assert [(test.name, test.passed) for test in fragment.tests] == [("alpha test", False)]


def test_one_sample_of_several_is_told() -> None:
    """A triangle that covers two of four samples stores in them and leaves the others."""
    trace = trace_of(case_named("ms_slot/depth_samples"))
    places = [SamplePlace(texture=0, x=3, y=3, sample=sample) for sample in range(4)]
    histories = histories_of(trace, places)
    changed = [any(moment.changed and moment.fragments for moment in one.moments) for one in histories]
    assert sum(changed) == 2
    assert {written_by(one)[-1].fragments[0].passed for one in histories} == {2}


def fills(device: Device) -> None:
    """Fill 16 bytes of a buffer twice, the second time the last 8 of them."""
    buffer = device.buffer(16)
    commands = device.command_buffer()
    commands.clear_buffer(buffer, 16, 0x01010101)
    commands.clear_buffer(buffer.get_address(8), 8, 0x02020202)
    device.queue().submit(commands)
    buffer.read("bytes")


def test_bytes_of_memory_have_a_life() -> None:
    """The first 8 bytes are written once, the last 8 twice."""
    trace = record(fills, "fills")
    read = next(event for event in trace.recording.timeline if hasattr(event, "pool") and hasattr(event, "name"))
    first, last = histories_of(
        trace,
        [BytesPlace(pool=read.pool, offset_B=read.offset_B + offset_B, size_B=4) for offset_B in (0, 12)],
    )
    assert [moment.after for moment in written_by(first)] == [b"\1" * 4]
    assert [moment.after for moment in written_by(last)] == [b"\1" * 4, b"\2" * 4]
    assert history_lines(last)[-1] == "at the end: 02 02 02 02"


def written(device: Device) -> None:
    """Let the processor write 7, a clear 255, and the processor 9."""
    target = device.texture("R8", 2, 1)
    target.write_texels(np.full((1, 2, 1), 7, np.uint8))
    commands = device.command_buffer()
    commands.set_render_targets([target])
    commands.clear_color(0, (1, 0, 0, 0))
    device.queue().submit(commands)
    device.queue().finish()
    target.write_texels(np.full((1, 2, 1), 9, np.uint8))
    target.read_texels("end")


def layers_of_rows(device: Device) -> None:
    """Clear layers 2 and 3 of a 1D array to 255, then layer 2 to 0."""
    target = device.texture("R8", 4, 5, target="1D_ARRAY")
    commands = device.command_buffer()
    for first, layers, value in ((2, 2, 1.0), (2, 1, 0.0)):
        commands.set_render_targets([target], [TextureView().set_layers(first, layers)])
        commands.clear_color(0, (value, 0, 0, 0))
    device.queue().submit(commands)
    target.read_texels("end")


def test_rows_of_a_1d_array_are_its_layers() -> None:
    """Row 2 is cleared twice, row 3 once, row 4 never."""
    trace = record(layers_of_rows, "layers of rows")
    lives = histories_of(trace, [SamplePlace(texture=0, x=1, y=row) for row in (2, 3, 4)])
    assert [[moment.after for moment in written_by(one)] for one in lives] == [[b"\xff", b"\0"], [b"\xff"], []]


def unsubmitted(device: Device) -> None:
    """Let the processor write 7, and nothing else happen."""
    target = device.texture("R8", 2, 1)
    target.write_texels(np.full((1, 2, 1), 7, np.uint8))
    target.read_texels("end")


def test_what_the_processor_writes_between_is_told() -> None:
    """What it wrote before is there first; what it writes afterwards is a moment of its own, and the end."""
    trace = record(written, "written")
    history = history_of(trace, SamplePlace(texture=0, x=1, y=0))
    assert [history.first, *(moment.after for moment in written_by(history))] == [b"\7", b"\xff", b"\t"]
    last = len(trace.recording.timeline) - 2
    assert written_by(history)[-1].step.words == f"timeline[{last}] WriteTexels texture 0"
    assert history_lines(history)[-3:] == [
        f"timeline[{last}] WriteTexels texture 0: stores 09 (R 9 = 0.0352941193)",
        f"timeline[{last + 1}] ReadTexels 'end': read by processor",
        "at the end: 09 (R 9 = 0.0352941193)",
    ]
    assert [one["number"] for one in history_object(history)["commands"]] == [2, None, None]


@pytest.mark.parametrize("until", [None, 0])
def test_a_trace_without_commands_has_what_was_written(until: int | None) -> None:
    """Nothing is submitted, or nothing until command 0: the sample is what the processor wrote."""
    trace = record(unsubmitted if until is None else written, "unsubmitted")
    history = history_of(trace, SamplePlace(texture=0, x=1, y=0), until=until)
    assert (history.first, history.last, history.moments) == (b"\7", b"\7", ())
    assert history_lines(history) == ["no command runs: 07 (R 7 = 0.0274509806)"]


def test_a_life_may_end_early() -> None:
    """Until the draw the clear has not happened."""
    trace = trace_of(case_named("clear_ds/in_pass"))
    place = SamplePlace(texture=0, x=3, y=5)
    draw = history_of(trace, place).moments[0].step.number
    assert history_of(trace, place, until=draw).last == bytes([255, 0, 0, 255])
    assert history_of(trace, place, until=0).moments == ()


@pytest.mark.parametrize(
    ("place", "words"),
    [
        (SamplePlace(texture=99, x=0, y=0), "texture 99; there are"),
        (SamplePlace(texture=0, x=-1, y=0), "x -1; allowed are 0 to"),
        (SamplePlace(texture=0, x=0, y=1000), "y 1000; allowed are 0 to"),
        (SamplePlace(texture=0, x=0, y=0, layer=3), "layer 3; allowed are 0 to 0"),
        (SamplePlace(texture=0, x=0, y=0, sample=1), "sample 1; allowed are 0 to 0"),
        (BytesPlace(pool=9, offset_B=0, size_B=1), "pool 9; there are"),
        (BytesPlace(pool=0, offset_B=-4, size_B=4), "bytes -4 to 0"),
    ],
)
def test_a_place_that_is_not_there_is_named(place: SamplePlace | BytesPlace, words: str) -> None:
    """A texture, texel, layer, sample, pool or byte that the trace does not have."""
    with pytest.raises(FieldRangeError, match=words):
        history_of(trace_of(case_named("clear_ds/in_pass")), place)


def test_codes_are_told_with_their_values() -> None:
    """Stencil 5 beside depth 1.0 in D24S8; a block of BC1 as bytes."""
    assert code_words(format_named("DEPTH24_STENCIL8"), bytes([5, 255, 255, 255])).endswith("(S 5, D 16777215 = 1)")
    assert code_words(format_named("RGB_DXT1"), bytes(8)) == "00 00 00 00 00 00 00 00"


def test_a_history_is_json() -> None:
    """NaN inputs would be no JSON; everything is written as strict JSON."""
    history = history_of(trace_of(case_named("alpha/ramp_float")), SamplePlace(texture=0, x=3, y=5))
    text = json.dumps(history_object(history), allow_nan=False)
    assert json.loads(text)["format"] == history.fmt.name


def test_what_a_condition_keeps_from_happening_is_told() -> None:
    """One clear and one draw under SetRenderEnable(false), one draw under a condition of equal words."""
    history = history_of(trace_of(case_named("sbw/render_disabled")), SamplePlace(texture=0, x=6, y=6))
    assert [(type(moment.step.command).__name__, moment.remark) for moment in written_by(history)][1:] == [
        ("ClearColor", "does not happen: rendering is disabled"),
        ("DrawArrays", "does not happen: rendering is disabled"),
        ("DrawArrays", "does not happen: the condition RENDER_IF_NOT_EQUAL does not hold"),
    ]
    assert not any(moment.changed for moment in written_by(history)[1:])


def skipped(device: Device) -> None:
    """Clear one of two targets, a texture, and depth while rendering is disabled."""
    first, second = (device.texture("R8", 1, 1) for _ in range(2))
    other, depth = device.texture("R8", 1, 1), device.texture("DEPTH16", 1, 1)
    commands = device.command_buffer()
    commands.set_render_targets([first, second], depth_stencil=depth)
    commands.set_render_enable(False)
    commands.clear_color(1, (1, 0, 0, 0))
    commands.clear_texture(other, None, (0, 0, 1, 1), (1, 0, 0, 0))
    commands.clear_depth_stencil(1.0, True, 0, 0)
    device.queue().submit(commands)


def test_only_what_a_clear_goes_to_is_told_of_it() -> None:
    """Target 1 alone of the first, the texture of the second, depth of the third."""
    trace = record(skipped, "skipped")
    lives = histories_of(trace, [SamplePlace(texture=number, x=0, y=0) for number in range(4)])
    kinds = [[type(moment.step.command).__name__ for moment in one.moments if moment.remark] for one in lives]
    assert kinds == [[], ["ClearColor"], ["ClearTexture"], ["ClearDepthStencil"]]


def test_a_drawn_texture_has_fragments() -> None:
    """What the fragment stored is what the target holds then."""
    history = history_of(trace_of(case_named("draw_texture/regions")), SamplePlace(texture=1, x=3, y=3))
    (moment,) = [one for one in history.moments if one.fragments]
    assert type(moment.step.command).__name__ == "DrawTexture"
    assert bytes(moment.fragments[-1].after["color 0"]) == moment.after != moment.before
