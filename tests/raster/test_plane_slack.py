"""Planes may lie a bound beside: what then changes is imprecise, what is constant stays exact."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from refnvn.compare.judge import judge
from refnvn.golden.build import build
from refnvn.golden.case import GoldenCase
from refnvn.golden.scene import SceneFunction
from refnvn.nvn.device import Device
from refnvn.nvn.states import VertexAttribState, VertexStreamState
from refnvn.rules.fields import NVN, PlanePlace
from refnvn.shader.python import attribute, fragment_shader, varying, vec4, vertex_shader


@vertex_shader
def passed_on(position: vec4 = attribute(0), color: vec4 = attribute(1)):  # type: ignore[no-untyped-def]
    return position, color


@fragment_shader
def smooth(color: vec4 = varying(0)):  # type: ignore[no-untyped-def]
    return color


def gradient(device: Device) -> None:
    """Draw red rising along x and along y, green constant, over 32x32 floats and bytes."""
    corners = [(-1, -1, 0.0), (1, -1, 0.7), (-1, 1, 0.3), (1, 1, 1.0)]
    vertices = np.array([(x, y, 0, 1, red, 0.2, 0, 1) for x, y, red in corners], np.float32)
    for name in ("RGBA8", "RGBA32F"):
        target = device.texture(name, 32, 32)
        commands = device.command_buffer()
        commands.set_render_targets([target])
        commands.set_viewport(0, 0, 32, 32)
        commands.set_scissor(0, 0, 32, 32)
        commands.bind_program(device.program(passed_on, smooth))
        commands.bind_vertex_attrib_state([VertexAttribState().set_format("RGBA32F", at) for at in (0, 16)])
        commands.bind_vertex_stream_state([VertexStreamState().set_stride(32)])
        commands.bind_vertex_buffer(0, device.buffer(vertices))
        commands.draw_arrays("TRIANGLE_STRIP", 0, 4)
        device.queue().submit(commands)
        target.read_texels(name.lower())


SCENE = SceneFunction(gradient, "gradient")


def values(setting: PlanePlace) -> Any:
    """Return the float target under a setting."""
    results = {one.name: one.array for one in SCENE(NVN.with_(plane_place=setting))}
    return results["rgba32f"].view(np.float32)


@pytest.mark.rule("RASTER-PLANE-8")
def test_slanted_values_move_by_at_most_the_bound_and_constant_ones_not_at_all() -> None:
    """Red moves up and down by up to 18 ULP of its largest vertex value, 1.0; green and alpha keep their bits."""
    chip, below, above = (values(one) for one in (PlanePlace.CHIP, PlanePlace.BELOW, PlanePlace.ABOVE))
    bound = 19 * 2.0**-23
    assert (below[..., 0] < chip[..., 0]).all()
    assert (above[..., 0] > chip[..., 0]).all()
    assert (np.abs(above[..., 0].astype(np.float64) - chip[..., 0]) <= bound).all()
    for other in (below, above):
        assert np.array_equal(other[..., 1:], chip[..., 1:])


@pytest.mark.rule("RASTER-PLANE-8")
def test_texel_on_the_other_side_of_a_rounding_step_is_permitted_each_alone() -> None:
    """A port may round single texels of a gradient the other way; --exact refuses that."""
    golden = build(GoldenCase(name="made_up/gradient", t_test="t_made_up", says="A gradient.", function=SCENE))
    result = golden.result("rgba8")
    touched = np.argwhere((result.mask != 0)[..., 0])
    assert len(touched)
    other = next(one for one in result.alternatives if (one.array != result.base.array).any())
    mixed = result.base.array.copy()
    where = tuple(np.argwhere(other.array != result.base.array)[0])
    mixed[where] = other.array[where]
    assert judge(golden, {"rgba8": mixed}).outcome == "permitted"
    assert judge(golden, {"rgba8": mixed}, exact=True).outcome == "wrong"
