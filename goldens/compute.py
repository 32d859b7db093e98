"""Goldens of compute shaders and of storage buffers: ``t_perf_order`` and ``t_sbw``, and rows without a test."""

from __future__ import annotations

import numpy as np

from goldens.storing import SIZE, Out, Storing, ordered
from refnvn.golden.scene import scene_case
from refnvn.nvn.device import Device
from refnvn.shader.python import (
    Array,
    Shared,
    atomic_add,
    barrier,
    compute_shader,
    fragment_shader,
    gl,
    image,
    image2D,
    image_load,
    image_store,
    ivec2,
    uint,
    vec4,
)


@fragment_shader
def white():  # type: ignore[no-untyped-def]
    """White."""
    return vec4(1.0)


@compute_shader()
def seven(out: Out):  # type: ignore[no-untyped-def]
    """Write 7."""
    out.words[0] = uint(7)


@scene_case(
    "compute/binding",
    t_test="t_perf_order",
    says="The compute program is bound apart: a dispatch and a draw, and both again, need no program bound between.",
    ledger=("compute-binding",),
)
def binding(device: Device) -> None:
    """With one slot for both, the draw after the dispatch, or the dispatch after the draw, is dropped."""
    target, first, second = device.texture("RGBA8", SIZE, SIZE), device.buffer(4), device.buffer(4)
    storing = Storing(device)
    storing.draw_with(white, target)
    storing.compute(seven)
    storing.commands.bind_storage_buffer("COMPUTE", 0, first)
    storing.commands.dispatch_compute(1)
    storing.commands.set_scissor(0, 0, 4, SIZE)
    storing.cover()
    storing.commands.bind_storage_buffer("COMPUTE", 0, second)
    storing.commands.dispatch_compute(1)
    storing.commands.set_scissor(4, 0, 4, 4)
    storing.cover()
    storing.submit()
    target.read_texels("target")
    first.read("first")
    second.read("second")


@compute_shader(local_size=(8, 8, 1))
def doubled(picture: image2D = image(0, "R32F")):  # type: ignore[no-untyped-def]
    """Store twice what is there."""
    at = ivec2(gl.local_invocation_id.xy)
    image_store(picture, at, image_load(picture, at) * 2.0)


@scene_case(
    "compute/clear_first",
    t_test="t_perf_order",
    says="A clear to 1 lands before the dispatch that follows it and doubles what is there: 2.",
    ledger=("clear-before-dispatch",),
)
def clear_first(device: Device) -> None:
    """A clear that waits for the next pass lands after the dispatch: 1."""
    picture = device.texture("R32F", SIZE, SIZE)
    storing = Storing(device)
    storing.bind_image("COMPUTE", 0, picture)
    storing.compute(doubled)
    storing.commands.set_render_targets([picture])
    storing.commands.clear_color(0, (1, 0, 0, 0))
    ordered(storing.commands)
    storing.commands.dispatch_compute(1)
    storing.submit()
    picture.read_texels("picture")


@fragment_shader
def half():  # type: ignore[no-untyped-def]
    """One half."""
    return vec4(0.5)


@compute_shader(local_size=(8, 8, 1))
def kept(seen: image2D = image(0, "R32F"), copy: image2D = image(1, "R32F")):  # type: ignore[no-untyped-def]
    """Copy what is there now."""
    at = ivec2(gl.local_invocation_id.xy)
    image_store(copy, at, image_load(seen, at))


@scene_case(
    "compute/between_draws",
    t_test="t_perf_order",
    says="A dispatch between two draws of a pass sees the 0.5 of the first, not the 0 before or the 1 of the second.",
    ledger=("cs-hoist",),
)
def between_draws(device: Device) -> None:
    """Run ahead of the pass, it sees 0."""
    target, copy = device.texture("R32F", SIZE, SIZE), device.texture("R32F", SIZE, SIZE)
    storing = Storing(device)
    storing.bind_image("COMPUTE", 0, target)
    storing.bind_image("COMPUTE", 1, copy)
    storing.compute(kept)
    storing.draw_with(half, target)
    storing.cover()
    ordered(storing.commands)
    storing.commands.dispatch_compute(1)
    ordered(storing.commands)
    storing.commands.bind_program(device.program(None, white), "FRAGMENT")
    storing.cover()
    storing.submit()
    target.read_texels("target")
    copy.read_texels("copy")


@compute_shader()
def one_more(out: Out):  # type: ignore[no-untyped-def]
    """Add one, by load and store."""
    out.words[0] += 1


@scene_case(
    "compute/hundred",
    t_test="t_perf_order",
    says="A hundred dispatches with barriers between them, each adding one by load and store, count to a hundred.",
    ledger=("dispatch-shared",),
)
def hundred(device: Device) -> None:
    """Run without order, sums come out low."""
    out = device.buffer(4)
    storing = Storing(device)
    storing.compute(one_more)
    storing.commands.bind_storage_buffer("COMPUTE", 0, out)
    for _ in range(100):
        storing.commands.dispatch_compute(1)
        ordered(storing.commands)
    storing.submit()
    out.read("sum")


@compute_shader(local_size=(4, 1, 1))
def numbered(out: Out):  # type: ignore[no-untyped-def]
    """Say which workgroup, of how many."""
    out.words[gl.global_invocation_id.x] = gl.work_group_id.x + 16 * gl.num_work_groups.x


@scene_case(
    "compute/indirect",
    t_test="t_geometry_hazards",
    says="A dispatch reads its three numbers of workgroups when it executes, and its shader sees them.",
    ledger=("indirect",),
)
def indirect(device: Device) -> None:
    """Read when it was recorded, the record holds nothing."""
    out, record = device.buffer(128), device.buffer(12)
    wanted = device.buffer(np.array([5, 1, 1], "<u4").tobytes())
    storing = Storing(device)
    storing.compute(numbered)
    storing.commands.bind_storage_buffer("COMPUTE", 0, out)
    storing.commands.copy_buffer_to_buffer(wanted, record, 12)
    storing.commands.barrier("ORDER_PRIMITIVES | ORDER_INDIRECT_DATA")
    storing.commands.dispatch_compute_indirect(record)
    storing.submit()
    out.read("out")


class Tile(Shared):
    """What a workgroup shares."""

    sums: Array[uint, 64]  # type: ignore[type-arg, valid-type]


@compute_shader(local_size=(64, 1, 1))
def summed(out: Out, tile: Tile):  # type: ignore[no-untyped-def]
    """Sum 64 numbers by halves; count invocations with atomics beside."""
    i = gl.local_invocation_index
    tile.sums[i] = gl.global_invocation_id.x
    barrier()
    for k in range(6):
        reach = uint(32) >> uint(k)
        if i < reach:
            tile.sums[i] += tile.sums[i + reach]
        barrier()
    if i == 0:
        out.words[1 + gl.work_group_id.x] = tile.sums[0]
    atomic_add(out.words[0], uint(1))


@scene_case(
    "compute/shared_sums",
    t_test="t_sbw",
    says="Workgroups of 64 sum their numbers in shared memory with barriers, into a buffer bound with size 0.",
    ledger=("ssbo-size0", "compute-binding"),
)
def shared_sums(device: Device) -> None:
    """Taken for nothing bound, the buffer stays empty."""
    out = device.buffer(32)
    storing = Storing(device)
    storing.compute(summed)
    storing.commands.bind_storage_buffer("COMPUTE", 0, out, 0)
    storing.commands.dispatch_compute(4)
    storing.submit()
    out.read("sums")


@compute_shader(local_size=(16, 1, 1))
def sixteen(out: Out):  # type: ignore[no-untyped-def]
    """Write sixteen words."""
    out.words[gl.local_invocation_index] = 100 + gl.local_invocation_index


@scene_case(
    "sbw/storage_of_size_0",
    t_test="t_sbw",
    says="A storage buffer bound with size 0 is used from its address: sixteen words are there.",
    ledger=("ssbo-size0",),
)
def storage_of_size_0(device: Device) -> None:
    """Taken for nothing bound, the words are missing."""
    out = device.buffer(64)
    storing = Storing(device)
    storing.compute(sixteen)
    storing.commands.bind_storage_buffer("COMPUTE", 0, out, 0)
    storing.commands.dispatch_compute(1)
    storing.submit()
    out.read("words")
