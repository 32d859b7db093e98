"""How does a scene say which outputs of a shader transform feedback captures?

A shader that was compiled from Python gets a layout by :func:`with_feedback`, as NVN's compiler puts one into the
control section of a program. Read next: ``ir_feedback.py``.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from refnvn.errors import ArgumentError
from refnvn.shader.ir import Shader
from refnvn.shader.ir_feedback import WORD_B, Capture, Feedback
from refnvn.shader.validate import validate


def with_feedback(shader: Shader, *buffers: Sequence[int | None], strides: Sequence[int] | None = None) -> Shader:
    """Return a shader whose outputs are captured.

    Parameters
    ----------
    shader : Shader
        Vertex, tessellation evaluation or geometry.
    *buffers : sequences of int or None
        For each buffer the locations of outputs, one behind another, -1 for the position; None leaves one word.
    strides : sequence of int, or None
        Bytes from vertex to vertex in each buffer; None for no more than what is captured.

    Raises
    ------
    ArgumentError
        For a location that the shader does not write, or strides of another number than buffers.
    InputFileError
        For what is no layout.
    """
    sizes = {one.location: one.components for one in shader.outputs}
    captures: list[Capture] = []
    ends_B: list[int] = []
    for number, locations in enumerate(buffers):
        offset_B = 0
        for location in locations:
            if location is None:
                offset_B += WORD_B
                continue
            if location not in sizes:
                raise ArgumentError(f"with_feedback: no output has location {location}; {sorted(sizes)} are written")
            captures.append(
                Capture(location=location, components=sizes[location], buffer=number, offset_B=offset_B)
            )  # fmt: skip
            offset_B += WORD_B * sizes[location]
        ends_B.append(offset_B)
    stated_B = ends_B if strides is None else list(strides)
    if len(stated_B) != len(ends_B):
        raise ArgumentError(f"with_feedback: {len(stated_B)} strides for {len(ends_B)} buffers")
    feedback = Feedback(strides_B=tuple(stated_B), captures=tuple(captures))
    return validate(msgspec.structs.replace(shader, feedback=feedback))
