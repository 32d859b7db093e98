"""Conservative rasterisation: pixels that a triangle touches, dilation, finer steps, and its commands."""

import numpy as np
import pytest

from refnvn.commands import commands as c
from refnvn.enumerations import DepthFunc
from refnvn.errors import ArgumentError
from refnvn.formats.table import format_named
from refnvn.nvn.device import Device
from refnvn.nvn.states import VertexAttribState, VertexStreamState
from refnvn.raster.conservative import reach_sub
from refnvn.raster.state import Conservative
from refnvn.raster.target import ColorTarget, DepthStencilTarget
from refnvn.replay.run import replay
from refnvn.shader.python import attribute, fragment_shader, vec2, vec4, vertex_shader
from tests.raster.scenes import ONE, clip, color, constant, draw, view

SIZE = 8


def pixels(*corners: tuple[float, float], **state: object) -> list[list[int]]:
    """Draw a triangle and return the pixels that it covers as row and column."""
    target = color("R8", SIZE, SIZE)
    draw(view(target, **state), [target], None, clip(np.array(corners), SIZE, SIZE), constant(ONE))
    return np.argwhere(target.codes[..., 0]).tolist()


SMALL = ((3.125, 3.125), (3.375, 3.125), (3.125, 3.375))
"""A corner of pixel 3, far from its centre."""


@pytest.mark.rule("RASTER-CONSERVATIVE-3")
def test_a_triangle_covers_the_pixels_that_it_touches() -> None:
    """One that holds no centre covers its pixel, and one whose corner is at a pixel's edge the pixels there too."""
    assert pixels(*SMALL) == []
    assert pixels(*SMALL, conservative=Conservative()) == [[3, 3]]
    touching = ((3.0, 3.125), (3.375, 3.125), (3.125, 3.375))
    assert pixels(*touching, conservative=Conservative()) == [[3, 2], [3, 3]]


@pytest.mark.rule("RASTER-CONSERVATIVE-1")
def test_dilation_comes_in_quarters_of_a_pixel() -> None:
    """0.1 acts as 0.25 and reaches the pixels a sixteenth before the corner; nothing goes beyond 0.75."""
    assert [reach_sub(d) for d in (-1.0, 0.0, 0.1, 0.25, 0.4, 0.75, 5.0, np.nan)] == [
        128, 128, 192, 192, 256, 320, 320, 128,
    ]  # fmt: skip
    assert pixels(*SMALL, conservative=Conservative(dilate=0.1)) == [[2, 2], [2, 3], [3, 2], [3, 3]]


@pytest.mark.rule("RASTER-CONSERVATIVE-2")
def test_finer_steps_keep_what_1_256_would_lose() -> None:
    """A triangle a thousandth wide has no area on the usual grid, and one on a grid of 1/4096."""
    thin = ((3.5, 3.0), (3.5 + 1 / 1024, 3.0), (3.5, 4.0))
    assert pixels(*thin, conservative=Conservative()) == []
    assert [3, 3] in pixels(*thin, conservative=Conservative(bias=(4, 4)))


@pytest.mark.rule("RASTER-CONSERVATIVE-4")
def test_all_samples_of_a_touched_pixel_are_covered() -> None:
    """A corner of pixel 3 far from both of its samples covers both, with depths of their own places."""
    fmt, zeta = format_named("R8"), format_named("DEPTH32F")
    codes, depths = np.zeros((2, SIZE, SIZE, 1), np.uint8), np.zeros((2, SIZE, SIZE, 4), np.uint8)
    corners = clip(np.array(SMALL), SIZE, SIZE)
    corners[:, 2] = corners[:, 0]
    state = {"conservative": Conservative(), "depth_test": True, "depth_write": True, "depth_func": DepthFunc.ALWAYS}
    target = ColorTarget(fmt, codes[0], (codes[1],))
    passed = draw(
        view(target, **state), [target], DepthStencilTarget(zeta, depths[0], (depths[1],)), corners, constant(ONE)
    )
    assert passed == 2
    assert codes[:, 3, 3].tolist() == [[255], [255]]
    assert codes.sum() == 2 * 255
    assert depths[:, 3, 3].copy().view(np.float32).ravel().tolist() == [(3 + x / 16) / SIZE for x in (12, 4)]


@vertex_shader
def through(position: vec2 = attribute(0)):  # type: ignore[no-untyped-def]
    """Pass positions on."""
    return vec4(position, 0.0, 1.0)


@fragment_shader
def white():  # type: ignore[no-untyped-def]
    """Write one."""
    return vec4(1.0)


def shown(**calls: tuple[object, ...]) -> int:
    """Record a scene with some calls before a draw of the small triangle; return how many pixels it covers."""
    device = Device("conservative")
    target = device.texture("R8", SIZE, SIZE)
    corners = clip(np.array(SMALL), SIZE, SIZE)[:, :2]
    vertices = device.buffer(np.ascontiguousarray(corners).tobytes())
    commands = device.command_buffer()
    commands.set_render_targets([target])
    commands.set_viewport(0, 0, SIZE, SIZE)
    commands.set_scissor(0, 0, SIZE, SIZE)
    commands.clear_color(0, (0, 0, 0, 0))
    commands.bind_program(device.program(through, white))
    commands.bind_vertex_buffer(0, vertices, 24)
    commands.bind_vertex_attrib_state([VertexAttribState().set_format("RG32F", 0)])
    commands.bind_vertex_stream_state([VertexStreamState().set_stride(8)])
    for name, values in calls.items():
        getattr(commands, name)(*values)
    commands.draw_arrays("TRIANGLES", 0, 3)
    device.queue().submit(commands)
    target.read_texels("pixels")
    trace = device.trace()
    return int(np.count_nonzero(replay(trace.recording, trace.blobs)["pixels"]))


def test_commands_switch_dilate_and_refine() -> None:
    """Dilation alone does nothing; with the enable on, one pixel or four."""
    assert shown(set_conservative_raster_dilate=(0.25,)) == 0
    assert shown(set_conservative_raster_enable=(True,)) == 1
    assert shown(set_conservative_raster_enable=(True,), set_conservative_raster_dilate=(0.25,)) == 4
    assert shown(set_conservative_raster_enable=(True,), set_subpixel_precision_bias=(8, 8)) == 1


def test_a_bias_is_0_to_8_bits() -> None:
    """Nine are refused, with the call and the argument."""
    commands = Device("bias").command_buffer()
    with pytest.raises(ArgumentError, match="set_subpixel_precision_bias"):
        commands.set_subpixel_precision_bias(9, 0)
    commands.set_subpixel_precision_bias(8, 0)
    assert c.SetSubpixelPrecisionBias(x_bits=8, y_bits=0).x_bits == 8
