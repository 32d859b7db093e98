"""The text of a kernel, run as Python."""

from __future__ import annotations

from refnvn.shader import execute_numba
from refnvn.shader.execute import LaneInputs, LaneOutputs
from refnvn.shader.ir import Shader
from refnvn.shader.numba_source import kernel_text


def interpreted(shader: Shader, inputs: LaneInputs, mode: int = 0) -> LaneOutputs:
    """Run the text of a kernel without compiling it."""
    kernel = execute_numba.load(kernel_text(shader), "not_compiled.py", lambda function: function)
    return execute_numba.execute(kernel, shader, inputs, mode)
