"""Which layouts of captured outputs fit a shader? Read next: ``validate.py``."""

from __future__ import annotations

from collections.abc import Iterator

from refnvn.shader.ir import Shader
from refnvn.shader.ir_base import Stage
from refnvn.shader.ir_feedback import WORD_B

CAPTURED_STAGES = (Stage.VERTEX, Stage.TESS_EVALUATION, Stage.GEOMETRY)


def feedback_faults(shader: Shader) -> Iterator[tuple[str, str]]:
    """Yield place and what is wrong of the captures of a shader."""
    feedback = shader.feedback
    if feedback is None:
        return
    if shader.stage not in CAPTURED_STAGES:
        yield "feedback", f"a {shader.stage} shader is not captured"
    components = {one.location: one.components for one in shader.outputs}
    for number, one in enumerate(feedback.captures):
        place = f"feedback.captures[{number}]"
        if one.component + one.components > components.get(one.location, 0):
            yield (
                place,
                f"components {one.component} to {one.component + one.components - 1} of output {one.location}",
            )
        stride_B = feedback.strides_B[one.buffer] if one.buffer < len(feedback.strides_B) else 0
        if one.offset_B + WORD_B * one.components > stride_B:
            yield place, f"beyond the {stride_B} bytes of a vertex in buffer {one.buffer}"
