"""Goldens of ``t_pull_inv``: the same positions, fetched in two ways, must give the same depth to the last bit."""

from __future__ import annotations

import numpy as np

from refnvn.golden.scene import scene_case
from refnvn.nvn.device import Device
from refnvn.nvn.states import DepthStencilState, VertexAttribState, VertexStreamState
from refnvn.shader.python import Array, Storage, attribute, fragment_shader, gl, vec4, vertex_shader

SIZE = 32
TRIANGLES = 24
LARGEST = 255


class Pulled(Storage, binding=0):
    """Positions as floats."""

    positions: Array[vec4]  # type: ignore[type-arg]


@vertex_shader
def fetched(position: vec4 = attribute(0)):  # type: ignore[no-untyped-def]
    """Take the position of an attribute."""
    return position


@vertex_shader
def pulled(vertices: Pulled):  # type: ignore[no-untyped-def]
    """Take the position out of a storage buffer."""
    return vertices.positions[gl.vertex_id]


@fragment_shader
def white():  # type: ignore[no-untyped-def]
    """White."""
    return vec4(1.0)


def codes() -> np.ndarray[tuple[int, int], np.dtype[np.uint8]]:
    """Return RGBA8 positions of slanted triangles that fan out around a centre, z and w of a half and more."""
    turns = np.linspace(0.0, 2.0 * np.pi, TRIANGLES + 1)
    around, up = 0.45 + 0.4 * np.cos(turns), 0.45 + 0.4 * np.sin(turns)
    rim = np.stack((around, up, 0.7 + 0.15 * np.sin(3.0 * turns), 0.95 + 0.05 * np.cos(turns)))
    corners = []
    for k in range(TRIANGLES):
        corners += [np.array([0.45, 0.45, 0.55, 0.9]), rim[:, k], rim[:, k + 1]]
    rounded: np.ndarray[tuple[int, int], np.dtype[np.uint8]] = np.rint(np.array(corners) * LARGEST).astype(np.uint8)
    return rounded


@scene_case(
    "pull_inv/equal_pass",
    t_test="t_pull_inv",
    says="A depth prepass pulls float positions out of a buffer, an EQUAL pass fetches RGBA8: all is covered.",
    ledger=("vin-pull",),
)
def equal_pass(device: Device) -> None:
    """Normalised by a fast division, last bits of positions differ and the EQUAL pass loses scattered pixels."""
    stored = codes()
    target, zeta = device.texture("RGBA8", SIZE, SIZE), device.texture("DEPTH32F", SIZE, SIZE)
    floats = device.buffer((stored.astype(np.float32) / np.float32(LARGEST)).tobytes())
    commands = device.command_buffer()
    commands.set_render_targets([target], depth_stencil=zeta)
    commands.clear_color(0, (0, 0, 0, 0))
    commands.clear_depth_stencil(1.0, True)
    commands.set_viewport(-SIZE, -SIZE, 2 * SIZE, 2 * SIZE)
    commands.set_scissor(0, 0, SIZE, SIZE)
    tests = DepthStencilState().set_depth_test_enable(True).set_depth_write_enable(True).set_depth_func("LESS")
    commands.bind_depth_stencil_state(tests)
    commands.bind_program(device.program(pulled), "VERTEX")
    commands.bind_storage_buffer("VERTEX", 0, floats)
    commands.draw_arrays("TRIANGLES", 0, 3 * TRIANGLES)
    commands.bind_depth_stencil_state(tests.set_depth_func("EQUAL"))
    commands.bind_program(device.program(fetched, white))
    commands.bind_vertex_attrib_state([VertexAttribState().set_format("RGBA8", 0)])
    commands.bind_vertex_stream_state([VertexStreamState().set_stride(4)])
    commands.bind_vertex_buffer(0, device.buffer(stored.tobytes()))
    commands.draw_arrays("TRIANGLES", 0, 3 * TRIANGLES)
    device.queue().submit(commands)
    target.read_texels("target")
