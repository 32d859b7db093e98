"""Goldens of the condition half of ``t_sbw``: reports, and draws and clears that depend on them.

Two counters lie 16 bytes apart, each the first half of a report. No golden reads a time.
"""

from __future__ import annotations

import numpy as np

from goldens.drawing import draw_rectangle, set_up_drawing
from refnvn.golden.scene import scene_case
from refnvn.nvn.command_buffer import CommandBuffer
from refnvn.nvn.device import Device
from refnvn.nvn.memory_pool import Buffer
from refnvn.nvn.texture import Texture

RED, GREEN, BLUE = (1.0, 0.0, 0.0, 1.0), (0.0, 1.0, 0.0, 1.0), (0.0, 0.0, 1.0, 1.0)
WHOLE = (-1.0, -1.0, 1.0, 1.0)
REPORT_B = 16
MANY = 285
SLOTS = 8192
DRAW_COUNTERS = (
    "INPUT_VERTICES",
    "INPUT_PRIMITIVES",
    "VERTEX_SHADER_INVOCATIONS",
    "FRAGMENT_SHADER_INVOCATIONS",
    "CLIPPER_INPUT_PRIMITIVES",
    "CLIPPER_OUTPUT_PRIMITIVES",
    "PRIMITIVES_GENERATED",
)


def counters(first: int = 0, other: int = 0) -> np.ndarray:
    """Return the two counters of a condition, each with a time behind it."""
    return np.array([first, 7, other, 9], np.uint64)


def start(device: Device) -> tuple[Texture, CommandBuffer]:
    """Return a target of 8x8 pixels and commands that can draw to it."""
    target = device.texture("RGBA8", 8, 8)
    commands = device.command_buffer()
    commands.set_render_targets([target])
    set_up_drawing(device, commands, 8, 8)
    return target, commands


def clear_if_different(commands: CommandBuffer, record: Buffer, color: tuple[float, ...]) -> None:
    """Clear where the two counters differ."""
    commands.set_render_enable_conditional("RENDER_IF_NOT_EQUAL", record)
    commands.clear_color(0, color)
    commands.set_render_enable(True)


@scene_case(
    "sbw/cleared_once",
    t_test="t_sbw",
    says="A clear that hangs on a record runs while it is 1, and not once a timestamp report has set it to 0.",
    ledger=("render-cond",),
)
def cleared_once(device: Device) -> None:
    """The draw's red stays; where the second clear runs all is black."""
    target, commands = start(device)
    record = device.buffer(counters(1))
    clear_if_different(commands, record, GREEN)
    draw_rectangle(device, commands, (-1.0, -1.0, 0.0, 1.0), RED)
    commands.report_counter("TIMESTAMP_TOP", record)
    clear_if_different(commands, record, (0.0, 0.0, 0.0, 1.0))
    queue = device.queue()
    queue.submit(commands)
    target.read_texels("kept")
    record.write(counters(1))
    again = device.command_buffer()
    clear_if_different(again, record, BLUE)
    queue.submit(again)
    target.read_texels("set_by_the_processor")


@scene_case(
    "sbw/draws_and_clears",
    t_test="t_sbw",
    says="Equal and unequal, both ways: draws, colour and depth clears happen by the condition, copies always.",
    ledger=("render-cond",),
)
def draws_and_clears(device: Device) -> None:
    """Each condition compares all 64 bits of a counter, here in the upper half only."""
    pairs = {"same": counters(5, 5), "upper_half": counters(5, 5 | 1 << 40), "lower_half": counters(5, 4)}
    for mode in ("RENDER_IF_EQUAL", "RENDER_IF_NOT_EQUAL"):
        for name, pair in pairs.items():
            target, commands = start(device)
            depth = device.texture("DEPTH32F", 8, 8)
            copied = device.texture("RGBA8", 8, 8)
            pixels = device.buffer(np.full(256, 0x40, np.uint8))
            commands.set_render_targets([target], depth_stencil=depth)
            commands.set_render_enable_conditional(mode, device.buffer(pair))
            commands.clear_color(0, GREEN)
            commands.clear_depth_stencil(0.75, True, 0, 0)
            draw_rectangle(device, commands, (-1.0, -1.0, 0.0, 1.0), RED)
            commands.copy_buffer_to_texture(pixels, copied)
            commands.set_render_enable(True)
            device.queue().submit(commands)
            label = f"{mode.removeprefix('RENDER_').lower()}_{name}"
            for what, one in (("color", target), ("depth", depth), ("copied", copied)):
                one.read_texels(f"{label}_{what}")


@scene_case(
    "sbw/render_disabled",
    t_test="t_sbw",
    says="SetRenderEnable(false) keeps draws and clears of targets from happening until it is set true again.",
    ledger=("render-cond",),
)
def render_disabled(device: Device) -> None:
    """It lasts into the next command buffer and ends a condition too."""
    target, commands = start(device)
    commands.clear_color(0, GREEN)
    commands.set_render_enable(False)
    commands.clear_color(0, BLUE)
    queue = device.queue()
    queue.submit(commands)
    other = device.command_buffer()
    draw_rectangle(device, other, WHOLE, BLUE)
    other.set_render_enable_conditional("RENDER_IF_NOT_EQUAL", device.buffer(counters(1, 1)))
    draw_rectangle(device, other, WHOLE, BLUE)
    other.set_render_enable(True)
    draw_rectangle(device, other, (-1.0, -1.0, 0.0, 1.0), RED)
    queue.submit(other)
    target.read_texels("target")


@scene_case(
    "sbw/samples_passed",
    t_test="t_sbw",
    says="Samples passed add up from draw to draw until reset; behind an order, a condition draws what was seen.",
    ledger=("render-cond", "query-slots"),
)
def samples_passed(device: Device) -> None:
    """64, then 96, then after a reset 0 behind a scissor; the hidden object is not drawn, the seen one is."""
    target, commands = start(device)
    reports = [device.buffer(np.full(4, 0x1111111111111111, np.uint64)) for _ in range(3)]
    seen, hidden = device.buffer(counters()), device.buffer(counters())
    commands.reset_counter("SAMPLES_PASSED")
    draw_rectangle(device, commands, WHOLE, BLUE)
    commands.report_counter("SAMPLES_PASSED", reports[0])
    draw_rectangle(device, commands, (-1.0, -1.0, 0.0, 1.0), BLUE)
    commands.report_counter("SAMPLES_PASSED", reports[1])
    commands.report_counter("SAMPLES_PASSED", seen)
    commands.reset_counter("SAMPLES_PASSED")
    commands.set_scissor(0, 0, 0, 0)
    draw_rectangle(device, commands, WHOLE, BLUE)
    commands.set_scissor(0, 0, 8, 8)
    commands.report_counter("SAMPLES_PASSED", reports[2])
    commands.report_counter("SAMPLES_PASSED", hidden)
    commands.barrier("ORDER_PRIMITIVES")
    for record, corners, color in ((seen, (-1.0, -1.0, 0.0, 1.0), GREEN), (hidden, (0.0, -1.0, 1.0, 1.0), RED)):
        commands.set_render_enable_conditional("RENDER_IF_NOT_EQUAL", record)
        draw_rectangle(device, commands, corners, color)
    commands.set_render_enable(True)
    device.queue().submit(commands)
    target.read_texels("target")
    for number, report in enumerate(reports):
        report.pool.read(f"counter_{number}", report.offset, REPORT_B // 2)


@scene_case(
    "sbw/condition_after_285_reports",
    t_test="t_sbw",
    says="After 285 reports of one submission a timestamp report still sets its counter to 0: the clear is skipped.",
    ledger=("report-table", "render-cond"),
)
def condition_after_285_reports(device: Device) -> None:
    """A table of 256 forgets the last ones, and the target is cleared again before it is read."""
    target, commands = start(device)
    table = device.buffer(MANY * REPORT_B)
    record = device.buffer(counters(1))
    draw_rectangle(device, commands, WHOLE, RED)
    for number in range(MANY):
        commands.report_counter("SAMPLES_PASSED", table.get_address(number * REPORT_B))
    commands.report_counter("TIMESTAMP", record)
    clear_if_different(commands, record, (0.0, 0.0, 0.0, 1.0))
    device.queue().submit(commands)
    target.read_texels("target")
    table.pool.read("last_counter", table.offset + (MANY - 1) * REPORT_B, REPORT_B // 2)


@scene_case(
    "sbw/query_slots",
    t_test="t_sbw",
    says="The 8193rd and later queries of a pass count as the first ones do.",
    ledger=("query-slots",),
)
def query_slots(device: Device) -> None:
    """Where slots run out, late queries read 0 and objects are culled."""
    target, commands = start(device)
    table = device.buffer((SLOTS + 8) * REPORT_B)
    commands.set_scissor(0, 0, 1, 1)
    draw_rectangle(device, commands, WHOLE, RED)
    for number in range(SLOTS):
        commands.report_counter("SAMPLES_PASSED", table.get_address(number * REPORT_B))
    for number in range(SLOTS, SLOTS + 8):
        commands.reset_counter("SAMPLES_PASSED")
        commands.set_scissor(number % 8, 0, 1, 1)
        draw_rectangle(device, commands, WHOLE, BLUE)
        commands.report_counter("SAMPLES_PASSED", table.get_address(number * REPORT_B))
    device.queue().submit(commands)
    target.read_texels("target")
    for number in (0, SLOTS - 1, SLOTS, SLOTS + 7):
        table.pool.read(f"counter_{number}", table.offset + number * REPORT_B, REPORT_B // 2)


@scene_case(
    "sbw/draw_counters",
    t_test="t_sbw",
    says="Counters of vertices, primitives and invocations hold what a draw takes, makes and runs; nothing is "
    "claimed of vertices that are shared and of triangles that are cut.",
    ledger=("query-slots",),
)
def draw_counters(device: Device) -> None:
    """Two triangles inside of the view volume and a vertex more; then under rasterizer discard; then a cut one."""
    target, commands = start(device)
    corners = [(-1, -1), (1, -1), (-1, 1), (-1, 1), (1, -1), (1, 1), (0, 0), (9, 0), (0, 9)]
    vertices = np.array([(x, y, 0.0, 1.0, *RED) for x, y in corners], np.float32)
    commands.bind_vertex_buffer(0, device.buffer(vertices))
    reports = {}

    def counted(what: str, mode: str, first: int, count: int) -> None:
        for counter in DRAW_COUNTERS:
            commands.reset_counter(counter)
        commands.draw_arrays(mode, first, count)
        for counter in DRAW_COUNTERS:
            reports[f"{what}_{counter.lower()}"] = report = device.buffer(REPORT_B)
            commands.report_counter(counter, report)

    counted("drawn", "TRIANGLES", 0, 7)
    counted("fan", "TRIANGLE_FAN", 0, 6)
    counted("cut", "TRIANGLES", 6, 3)
    commands.set_rasterizer_discard(True)
    counted("discarded", "LINE_LOOP", 0, 3)
    device.queue().submit(commands)
    target.read_texels("target")
    for name, report in reports.items():
        report.pool.read(name, report.offset, REPORT_B // 2)
