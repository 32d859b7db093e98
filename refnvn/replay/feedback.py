"""What does transform feedback capture, where, and how much of it?

The vertices of every primitive that reaches the rasteriser, one primitive after another, as the last shader before it
lays them out. Read next: ``stage_state.py``, ``rasterise.py``.
"""

from __future__ import annotations

import numpy as np

from refnvn.commands import commands as c
from refnvn.commands.commands import FEEDBACK_BUFFERS as BUFFERS
from refnvn.commands.commands import FEEDBACK_CONTROL_B as CONTROL_B
from refnvn.enumerations import ShaderStage
from refnvn.errors import ArgumentError
from refnvn.formats.floatbits import Int64
from refnvn.memory.pool import Bytes
from refnvn.memory.write_log import Writer
from refnvn.raster.assembled import Assembled, Shape
from refnvn.replay.context import Context
from refnvn.replay.errors import field
from refnvn.replay.order import Path
from refnvn.replay.rasterise import Shaded
from refnvn.replay.readings import Reader
from refnvn.replay.stage_state import Capturing
from refnvn.rules.evidence import Evidence
from refnvn.rules.registry import rule
from refnvn.shader.ir import Shader, first_rows
from refnvn.shader.ir_feedback import WORD_B, Feedback

STORED_AT_ONCE_B = 1 << 24


def bind_transform_feedback_buffer(context: Context, command: c.BindTransformFeedbackBuffer) -> None:
    """Bind memory that vertices are captured to; of no bytes, nothing."""
    with field("address"):
        if command.size_B:
            context.memory.locate(command.address, command.size_B)
    context.state.stages.feedback_buffers[command.index] = (command.address, command.size_B)


@rule(
    "FEEDBACK-CONTROL-1",
    "BeginTransformFeedback starts from 0 captured bytes; pausing and ending save what was captured to a control "
    "buffer of 32 bytes, resuming goes on from what one holds.",
    evidence=Evidence.NVN_DOCUMENTATION,
    sources=("seed-titles", "nvn-header"),
    ledger=("transform-feedback",),
)
def begin_transform_feedback(context: Context, command: c.BeginTransformFeedback) -> None:
    """Start to capture; the control buffer is written as if nothing was captured."""
    _require(context, captures=False)
    context.state.stages.capturing = Capturing()
    _save(context, command.address)


def end_transform_feedback(context: Context, command: c.EndTransformFeedback) -> None:
    """Save how much was captured, and capture no more."""
    _require(context, captures=True)
    _save(context, command.address)
    context.state.stages.capturing = None


def pause_transform_feedback(context: Context, command: c.PauseTransformFeedback) -> None:
    """Save how much was captured, and capture nothing until it is resumed."""
    _require(context, captures=True)
    _save(context, command.address)
    _capturing(context).paused = True


def resume_transform_feedback(context: Context, command: c.ResumeTransformFeedback) -> None:
    """Go on behind what a control buffer says was captured."""
    words = _control(context, command.address)
    context.state.stages.capturing = Capturing(words[:BUFFERS], words[BUFFERS])


def _require(context: Context, *, captures: bool) -> None:
    if (context.state.stages.capturing is not None) is not captures:
        state = "has begun already" if not captures else "has not begun"
        raise ArgumentError(f"transform feedback {state}")


def _capturing(context: Context) -> Capturing:
    capturing = context.state.stages.capturing
    assert capturing is not None
    return capturing


@rule(
    "FEEDBACK-CONTROL-2",
    "A control buffer holds the bytes captured in each of four buffers, then the vertices captured, words of 32 bits "
    "each; the rest is 0.",
    evidence=Evidence.OPEN,
    sources=("seed-titles",),
    ledger=("transform-feedback",),
    refuted_by="the 32 bytes that a console leaves after EndTransformFeedback",
)
def control_words(capturing: Capturing) -> Bytes:
    """Return the bytes of a control buffer.

    >>> control_words(Capturing([48, 0, 0, 0], 4)).view("<u4").tolist()
    [48, 0, 0, 0, 4, 0, 0, 0]
    """
    words = np.zeros(CONTROL_B // WORD_B, "<u4")
    words[:BUFFERS] = capturing.counts_B
    words[BUFFERS] = capturing.vertices
    return words.view(np.uint8)


def _save(context: Context, address: int) -> None:
    with field("address"):
        context.memory.write(address, control_words(_capturing(context)))


def _control(context: Context, address: int) -> list[int]:
    """Return the words of a control buffer."""
    seen = context.reads.by(ShaderStage.VERTEX, Path.INDIRECT)
    with field("address"):
        words: list[int] = seen.read(address, CONTROL_B).view("<u4").tolist()
    seen.tell(Reader.INDIRECT, "captured counts", address, CONTROL_B)
    return words


def captured_vertices(context: Context, command: c.DrawTransformFeedback) -> int:
    """Return how many vertices a control buffer says were captured."""
    return _control(context, command.address)[BUFFERS]


@rule(
    "FEEDBACK-ORDER-1",
    "Strips, fans, loops, quads and polygons are captured as single lines and triangles, in the order in which they "
    "are drawn, the provoking vertex last; primitives with adjacency without their neighbours.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("vertex-vectors", "stage-vectors"),
    ledger=("transform-feedback",),
)
def captured_order(primitives: Assembled, *, first_provokes: bool = False) -> Int64:
    """Return the vertices of primitives as they are captured, shape (m, 1 to 3).

    Parameters
    ----------
    primitives : Assembled
    first_provokes : bool
        Where the first vertex provokes, as it never does in NVN, it is captured first.

    Examples
    --------
    >>> from refnvn.enumerations import DrawPrimitive
    >>> from refnvn.replay.assemble import primitives_of
    >>> captured_order(primitives_of(DrawPrimitive.TRIANGLE_STRIP, 4)).tolist()
    [[0, 1, 2], [2, 1, 3]]
    """
    vertices = primitives.vertices
    if not first_provokes or primitives.shape is not Shape.TRIANGLES or not len(vertices):
        return vertices
    turn = np.argmax(vertices == primitives.provoking[:, np.newaxis], axis=1)
    columns = (np.arange(3) + turn[:, np.newaxis]) % 3
    return np.take_along_axis(vertices, columns, axis=1)


@rule(
    "FEEDBACK-ROOM-1",
    "Only whole primitives are captured, each to all buffers or to none: from the first that does not fit one of "
    "them on, nothing is.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("stage-vectors", "seed-titles"),
    ledger=("transform-feedback",),
)
def primitives_that_fit(feedback: Feedback, room_B: list[int], vertices: int) -> int:
    """Return how many primitives of so many vertices fit into what is left of each buffer, in bytes.

    Examples
    --------
    >>> from refnvn.shader.ir_feedback import Capture
    >>> layout = Feedback(strides_B=(12, 4), captures=(Capture(location=-1, components=3),))
    >>> primitives_that_fit(layout, [84, 1024, 0, 0], 3)
    2
    """
    return min(
        room // (stride * vertices)
        for stride, room in zip(feedback.strides_B, room_B, strict=False)
        if stride
    )  # fmt: skip


def capture(context: Context, shaded: Shaded) -> int:
    """Capture the primitives of a draw, where transform feedback is on; return how many."""
    capturing, feedback = context.state.stages.capturing, shaded.shader.feedback
    if capturing is None or capturing.paused or feedback is None:
        return 0
    order = captured_order(shaded.primitives)
    bound = [context.state.stages.feedback_buffers.get(k, (0, 0)) for k in range(BUFFERS)]
    room_B = [size_B - count_B for (_, size_B), count_B in zip(bound, capturing.counts_B, strict=True)]
    fit = min(len(order), max(primitives_that_fit(feedback, room_B, order.shape[1]), 0))
    names = order[:fit].reshape(-1)
    context.memory.log.writer = Writer.VERTEX
    for number, stride_B in enumerate(feedback.strides_B):
        if stride_B and names.size:
            start = bound[number][0] + capturing.counts_B[number]
            each = max(STORED_AT_ONCE_B // stride_B, 1)
            for first in range(0, names.size, each):
                part = names[first : first + each]
                _store(context, shaded, number, stride_B, part, start + first * stride_B)
            capturing.counts_B[number] += stride_B * names.size
    capturing.vertices += names.size
    return fit


def _store(context: Context, shaded: Shaded, buffer: int, stride_B: int, names: Int64, address: int) -> None:
    """Store what one buffer takes of vertices; bytes between keep what they hold."""
    feedback = shaded.shader.feedback
    assert feedback is not None
    with field("transform_feedback_buffer"):
        held = context.memory.read(address, stride_B * names.size).reshape(names.size, stride_B)
        words = held.view("<u4")
        for one in feedback.captures:
            if one.buffer == buffer:
                first = one.offset_B // WORD_B
                row = _row(shaded.shader, one.location, one.component)
                words[:, first : first + one.components] = shaded.values[row : row + one.components, names].T
        context.memory.write(address, held.reshape(-1))


def _row(shader: Shader, location: int, component: int) -> int:
    return first_rows(shader.outputs)[location] + component
