"""Goldens of programs and buffers bound by stage: null binds, many pairs, and slots of uniform and storage buffers.

No test of the renderer's covers them alone; they go with ``t_sbw``, whose buffers they bind.
"""

from __future__ import annotations

import numpy as np

from goldens.storing import SIZE, Out, Storing, covering
from refnvn.golden.scene import scene_case
from refnvn.nvn.device import Device
from refnvn.nvn.states import DepthStencilState
from refnvn.shader.ir import Shader
from refnvn.shader.python import Uniform, atomic_add, fragment_shader, gl, uint, uvec4, vec4, vertex_shader

PAIRS = 70


@fragment_shader
def white():  # type: ignore[no-untyped-def]
    """White."""
    return vec4(1.0)


@scene_case(
    "program_binding/per_stage",
    t_test="t_sbw",
    says="A null fragment program leaves a depth prepass, which the EQUAL pass of the whole program then matches.",
    ledger=("bind-per-stage",),
)
def per_stage(device: Device) -> None:
    """Where a null bind drops the draw, the depth stays 1 and the EQUAL pass draws nothing."""
    target, zeta = device.texture("RGBA8", SIZE, SIZE), device.texture("DEPTH32F", SIZE, SIZE)
    commands = Storing(device).commands
    program = device.program(covering, white)
    commands.set_render_targets([target], depth_stencil=zeta)
    commands.clear_color(0, (0, 0, 0, 0))
    commands.clear_depth_stencil(1.0, True)
    commands.set_viewport(0, 0, SIZE, SIZE)
    commands.set_scissor(0, 0, SIZE, SIZE)
    tests = DepthStencilState().set_depth_test_enable(True).set_depth_write_enable(True)
    commands.bind_depth_stencil_state(tests.set_depth_func("LESS"))
    commands.bind_program(program, "VERTEX | FRAGMENT")
    commands.bind_program(None, "FRAGMENT")
    commands.draw_arrays("TRIANGLES", 0, 3)
    commands.bind_program(program, "VERTEX | FRAGMENT")
    commands.bind_depth_stencil_state(tests.set_depth_func("EQUAL"))
    commands.draw_arrays("TRIANGLES", 0, 3)
    device.queue().submit(commands)
    target.read_texels("target")
    zeta.read_texels("zeta")


def numbered(number: int) -> Shader:
    """Return a fragment shader that writes a number."""

    @fragment_shader
    def shader():  # type: ignore[no-untyped-def]
        return uvec4(number, 0, 0, 1)

    made: Shader = shader
    return made


@scene_case(
    "program_binding/seventy_pairs",
    t_test="t_sbw",
    says="Seventy pairs of programs bound stage by stage each draw their number, and the first pair draws it again.",
    ledger=("composite-program",),
)
def seventy_pairs(device: Device) -> None:
    """From a ring of 64 pairs the first one comes back as another."""
    target = device.texture("R32UI", PAIRS + 1, 1)
    commands = Storing(device).commands
    commands.set_render_targets([target])
    commands.set_viewport(0, 0, PAIRS + 1, 1)
    commands.bind_program(device.program(covering, white), "VERTEX")
    programs = [device.program(covering, numbered(number)) for number in range(PAIRS)]
    for column, program in enumerate([*programs, programs[0]]):
        commands.bind_program(program, "FRAGMENT")
        commands.set_scissor(column, 0, 1, 1)
        commands.draw_arrays("TRIANGLES", 0, 3)
    device.queue().submit(commands)
    target.read_texels("numbers")


class First(Uniform, binding=0):
    """Uniform slot 0."""

    color: vec4


class Second(Uniform, binding=1):
    """Uniform slot 1."""

    color: vec4


@fragment_shader
def of_slot_1(first: First, second: Second):  # type: ignore[no-untyped-def]
    """Write the colour of slot 1, and a little of slot 0."""
    return second.color + first.color * 0.0


@scene_case(
    "program_binding/uniform_slots",
    t_test="t_sbw",
    says="Uniform slot 0 holds red and slot 1 green: a shader that reads slot 1 draws green.",
    ledger=("s4-3e-ubo",),
)
def uniform_slots(device: Device) -> None:
    """Off by one bank, it draws red or black."""
    target = device.texture("RGBA8", SIZE, SIZE)
    red, green = (np.array(color, "<f4").tobytes() for color in ((1, 0, 0, 1), (0, 1, 0, 1)))
    colors = device.buffer(red.ljust(256, b"\0") + green.ljust(256, b"\0"))
    storing = Storing(device)
    storing.draw_with(of_slot_1, target)
    storing.commands.bind_uniform_buffer("FRAGMENT", 0, colors.get_address(), 16)
    storing.commands.bind_uniform_buffer("FRAGMENT", 1, colors.get_address() + 256, 16)
    storing.cover()
    storing.submit()
    target.read_texels("target")


@vertex_shader
def counting(out: Out):  # type: ignore[no-untyped-def]
    """Count vertices in the vertex stage's slot 0, and cover everything."""
    atomic_add(out.words[0], uint(1))
    return vec4(3.0 if gl.vertex_id == 1 else -1.0, 3.0 if gl.vertex_id == 2 else -1.0, 0.0, 1.0)


@fragment_shader
def counted(out: Out):  # type: ignore[no-untyped-def]
    """Count fragments in the fragment stage's slot 0."""
    atomic_add(out.words[0], uint(1))


@scene_case(
    "program_binding/storage_slots",
    t_test="t_sbw",
    says="Storage slot 0 of the vertex stage counts 3 vertices, that of the fragment stage 64 fragments, elsewhere.",
    ledger=("s4-3f-ssbo", "no-rt-pass"),
)
def storage_slots(device: Device) -> None:
    """With the base of another stage, one buffer holds all of it."""
    of_vertices, of_fragments = device.buffer(4), device.buffer(4)
    commands = Storing(device).commands
    commands.set_viewport(0, 0, SIZE, SIZE)
    commands.set_scissor(0, 0, SIZE, SIZE)
    commands.bind_program(device.program(counting, counted))
    commands.bind_storage_buffer("VERTEX", 0, of_vertices)
    commands.bind_storage_buffer("FRAGMENT", 0, of_fragments)
    commands.draw_arrays("TRIANGLES", 0, 3)
    device.queue().submit(commands)
    of_vertices.read("vertices")
    of_fragments.read("fragments")
