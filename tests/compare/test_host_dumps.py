"""Files that a host dumped as readbacks of a recording: serials, passes, and what is left out."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from refnvn.commands.recording import Recording
from refnvn.compare.host_dumps import DumpedFile, host_dumps
from refnvn.compare.host_passes import passes
from refnvn.compare.host_serials import textures_by_serial
from refnvn.nvn import TextureView, VertexStreamState
from refnvn.nvn.device import Device
from refnvn.nvn.scene import record


def two_passes(device: Device) -> None:
    """Set targets that nothing is done in; clear one target; draw twice to another: three SetRenderTargets."""
    one, two = device.texture("R8", 4, 4), device.texture("RGBA8", 8, 8, 13, target="2D_ARRAY", levels=4)
    first, second = device.buffer(np.zeros(24, np.uint8)), device.buffer(np.zeros(24, np.uint8))
    commands = device.command_buffer()
    commands.set_render_targets([two], [TextureView().set_layers(0, 1)])
    commands.set_render_targets([one])
    commands.clear_color(0, (1, 0, 0, 0))
    commands.bind_vertex_stream_state([VertexStreamState().set_stride(8)])
    commands.set_render_targets([two], [TextureView().set_layers(2, 1).set_levels(3, 1)])
    for buffer in (first, second):
        commands.bind_vertex_buffer(0, buffer)
        commands.draw_arrays("TRIANGLES", 0, 3)
    device.queue().submit(commands)


@pytest.fixture(scope="module")
def recording() -> Recording:
    """Return the recording of two passes."""
    return record(two_passes).recording


def left_out(recording: Recording, *files: DumpedFile, **more: object) -> str:
    """Return why files are left out."""
    return "\n".join(host_dumps(recording, files, **more).left_out)  # type: ignore[arg-type]


def test_passes_are_targets_that_something_is_done_in(recording: Recording) -> None:
    """The first SetRenderTargets is no pass; commands count from 1."""
    clear, draws = passes(recording)
    assert (clear.last, [one.number for one in clear.draws]) == (3, [])
    assert (draws.last, [one.number for one in draws.draws]) == (9, [7, 9])
    assert [one.streams[0].size_B for one in draws.draws] == [24, 24]


def test_two_ranges_of_one_size_are_not_told_apart(recording: Recording) -> None:
    """Both draws of pass 1 read 24 bytes of stream 0, at two places."""
    assert "24 bytes; the ranges of this kind that draws of pass 1 read have 24, 24" in left_out(
        recording, DumpedFile("F1_p1_vb0_0.bin", 24)
    )
    assert "the ranges of this kind that draws of pass 0 read have none" in left_out(
        recording, DumpedFile("F1_p0_vb0_0.bin", 24)
    )


def test_a_number_of_several_meanings_is_left_out_until_the_serial_is_told(recording: Recording) -> None:
    """Serial 6, layer 2, level 3 and serial 5, layer 12, level 3 are both 623: of one texel of four bytes."""
    dumped = DumpedFile("x_623.raw", 4)
    assert "may mean serial 6, layer 2, level 3 or serial 5, layer 12, level 3" in left_out(recording, dumped)
    (entry,) = host_dumps(recording, [dumped], {5: 1}).entries
    assert (entry.texture, entry.level, entry.layer, entry.after) == (1, 3, 12, 9)
    (entry,) = host_dumps(recording, [dumped], {6: 1}, after=7).entries
    assert (entry.layer, entry.after) == (2, 7)


def test_names_of_other_kinds_are_left_out(recording: Recording) -> None:
    """No 3D texture, no ASTC texture, and a size that no target has."""
    said = left_out(
        recording, DumpedFile("F1_c3d_1.bin", 64), DumpedFile("zb_1.bin", 64), DumpedFile("x_100.png", 9, (5, 5))
    )
    assert said.count("no texture of the trace has, or is given, 64 bytes") == 2
    assert "no colour target of the trace has such a layer and level, of 5x5" in said


@given(
    st.dictionaries(st.integers(0, 30), st.sets(st.integers(0, 6)), max_size=4),
    st.dictionaries(st.integers(0, 30), st.integers(0, 6), max_size=1),
)
def test_serials_are_what_a_rising_order_allows(allowed: dict[int, set[int]], said: dict[int, int]) -> None:
    """One texture where every rising order has it there, none where there is no such order; checked one by one."""
    found = textures_by_serial(allowed, said)
    free = sorted(one for one in allowed if one not in said)
    textures = [one for one in range(7) if one not in said.values()]
    orders = [
        dict(zip(free, chosen, strict=True))
        for chosen in combinations(textures, len(free))
        if all(texture in allowed[serial] for serial, texture in zip(free, chosen, strict=True))
    ]
    for serial in free:
        possible = {order[serial] for order in orders}
        assert possible <= set(found[serial])
        assert bool(found[serial]) is bool(possible)
        if len(found[serial]) == 1:
            assert possible == set(found[serial])
    assert all(found[serial] == (said[serial],) for serial in allowed if serial in said)
