"""How is the conditional part of the measured family ``occlusion`` scored: draws and clears under a condition?

Each row of ``out_conditional`` holds whether the condition was inverted, how many samples the query saw, the largest
red after a conditional draw of white, and red after a conditional clear to a half. It is recorded and replayed as a
scene: OpenGL's condition on a query is NVN's comparison of a report with zero.

Read next: ``hardware_primitives.py`` (the counts).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from refnvn.conformance.hardware_draws import array_of, white
from refnvn.conformance.score import ArrayScore, compare
from refnvn.conformance.vector_file import VectorFile
from refnvn.nvn.device import Device
from refnvn.replay.run import replay
from refnvn.rules.fields import Rules
from refnvn.rules.registry import collect
from refnvn.shader.python import gl, vec4, vertex_shader

_SIZE_PX = 8
_REPORTS_B = 32


@vertex_shader
def whole():  # type: ignore[no-untyped-def]
    """Cover the whole viewport by three vertices."""
    right = 3.0 if gl.vertex_id == 1 else -1.0
    top = 3.0 if gl.vertex_id == 2 else -1.0
    return vec4(right, top, 0.0, 1.0)


def _recorded(inverted: bool, samples: int) -> Any:
    """Return the trace of one row; the query sees a square of ``samples`` by ``samples`` pixels."""
    device = Device("occlusion")
    target = device.texture("R8", _SIZE_PX, _SIZE_PX)
    record = device.buffer(_REPORTS_B)
    commands = device.command_buffer()
    commands.set_render_targets([target])
    commands.bind_program(device.program(whole, white()))
    commands.set_viewport(0, 0, _SIZE_PX, _SIZE_PX)
    commands.reset_counter("SAMPLES_PASSED")
    commands.set_scissor(0, 0, samples, samples)
    commands.draw_arrays("TRIANGLES", 0, 3)
    commands.report_counter("SAMPLES_PASSED", record)
    commands.set_scissor(0, 0, _SIZE_PX, _SIZE_PX)
    commands.clear_color(0, (0, 0, 0, 0))
    commands.set_render_enable_conditional("RENDER_IF_EQUAL" if inverted else "RENDER_IF_NOT_EQUAL", record)
    commands.draw_arrays("TRIANGLES", 0, 3)
    queue = device.queue()
    queue.submit(commands)
    target.read_texels("drawn")
    commands = device.command_buffer()
    commands.clear_color(0, (0.5, 0, 0, 0))
    queue.submit(commands)
    target.read_texels("cleared")
    return device.trace()


def score_conditional(file: VectorFile, name: str, rules: Rules) -> ArrayScore:
    """Score the array ``out_conditional`` of ``occlusion``."""
    measured = array_of(file, name, (None, 4), "i")
    rows = []
    with collect() as used:
        for inverted, samples in measured[:, :2].tolist():
            trace = _recorded(bool(inverted), min(max(samples, 0), _SIZE_PX))
            found = replay(trace.recording, trace.blobs, rules)
            rows.append((inverted, samples, int(found["drawn"].max()), int(found["cleared"].ravel()[0])))
    return compare(name, np.array(rows, np.int64).reshape(-1, 4), measured.astype(np.int64), used)
