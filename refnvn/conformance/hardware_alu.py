"""How are the measured families of shader arithmetic scored?

``alu`` holds GLSL expressions (``meta.expr``) over operands ``in_a`` and ``in_b``, 1024 vectors of four, and the
bits that they gave (``out_f1_*``, ``out_f2_*``, ``out_u_*``); the same over one octave (``out_octave_*`` of
``in_octave``); and all 65536 halves unpacked. ``sfu`` holds the special functions over 65536 inputs. Each expression
stands as a shader in ``alu_shaders.py`` and is run here; one that the shader language does not have is not run.

Read next: ``alu_shaders.py``.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from refnvn.conformance.hardware_formats import OUT, words
from refnvn.conformance.schema import Schema
from refnvn.conformance.score import ArrayScore, compare, not_run
from refnvn.conformance.signature import has_arrays
from refnvn.conformance.vector_file import VectorFile
from refnvn.errors import InputFileError
from refnvn.rules.fields import Rules
from refnvn.rules.registry import collect
from refnvn.shader.execute import LaneInputs, run
from refnvn.shader.ir import Shader
from refnvn.shader.ir_base import ComponentType

OCTAVE = "octave_"
_SFU = {
    "rcp": "1.0/A.x",
    "rsq": "inversesqrt(A.x)",
    "sqrt": "sqrt(A.x)",
    "exp2": "exp2(A.x)",
    "log2": "log2(A.x)",
    "sin": "sin(A.x)",
    "cos": "cos(A.x)",
    "div": "A.x/B.x",
    "pow": "pow(A.x,B.x)",
}


def _score(
    name: str, shader: Shader, operands: list[NDArray[np.uint32]], measured: NDArray[np.uint32], rules: Rules
) -> ArrayScore:
    """Run a shader over operands, each of shape (lanes, 4), and compare its first output."""
    rows = [operands[one.location].T for one in shader.inputs]
    with collect() as used:
        found = run(shader, LaneInputs(count=len(measured), values=np.concatenate(rows)), rules=rules).values[0]
    return compare(name, found, measured, used, floats=shader.outputs[0].type is ComponentType.FLOAT)


def _in_x(values: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """Return operands whose first component is given and whose others are 0."""
    operand = np.zeros((len(values), 4), dtype=np.uint32)
    operand[:, 0] = values
    return operand


def _expressions(file: VectorFile) -> dict[str, str]:
    """Return the expression of each array, by the array's name without ``out_``."""
    meta: Any = file.array("meta")
    try:
        found = json.loads(str(meta.reshape(-1)[0]))["expr"]
        return {str(key): str(text) for key, text in found.items()}
    except (ValueError, KeyError, TypeError, AttributeError, IndexError) as error:
        raise InputFileError(f"{file.path}: array 'meta' does not say which expressions were measured") from error


def score_alu(file: VectorFile, rules: Rules) -> Iterator[ArrayScore]:
    """Score ``alu``."""
    from refnvn.conformance.alu_shaders import SHADERS, unpack_half

    expressions = _expressions(file)
    operands = [words(file, "in_a"), words(file, "in_b")]
    if operands[0].shape != operands[1].shape or operands[0].shape[1:] != (4,):
        raise InputFileError(f"{file.path}: in_a and in_b are not vectors of four of the same number")
    octave = file.array("in_octave")
    if octave.dtype != np.float32 or octave.ndim != 1:
        raise InputFileError(f"{file.path}: in_octave is not a row of float32")
    for name in (name for name in file.headers if name.startswith(OUT)):
        key = name.removeprefix(OUT)
        if key == "unpackHalf":
            halves = _in_x(np.arange(1 << 16, dtype=np.uint32))
            yield _score(name, unpack_half, [halves], words(file, name, (1 << 16,)), rules)
            continue
        shader = SHADERS.get(expressions.get(key, ""))
        if shader is None:
            yield not_run(name, f"the shader language has no {expressions.get(key, key)}")
            continue
        taken = [_in_x(octave.view(np.uint32))] if key.startswith(OCTAVE) else operands
        yield _score(name, shader, taken, words(file, name, (len(taken[0]),)), rules)


def score_sfu(file: VectorFile, rules: Rules) -> Iterator[ArrayScore]:
    """Score ``sfu``."""
    from refnvn.conformance.alu_shaders import SHADERS

    for name in (name for name in file.headers if name.startswith(OUT)):
        key = name.removeprefix(OUT)
        if key not in _SFU:
            yield not_run(name, f"no shader stands for {key}")
            continue
        pair = key in ("div", "pow")
        operands = [_in_x(words(file, one)) for one in (("in_pair_x", "in_pair_y") if pair else ("in_x",))]
        measured = words(file, name)
        if any(len(one) != len(measured) for one in operands) or measured.ndim != 1:
            raise InputFileError(f"{file.path}: {name} and its inputs have other numbers of values")
        yield _score(name, SHADERS[_SFU[key]], operands, measured, rules)


SCHEMAS: tuple[Schema, ...] = (
    Schema(name="alu", recognises=has_arrays("in_a", "in_b", "out_f1_*"), score=score_alu),
    Schema(name="sfu", recognises=has_arrays("in_x", "out_rcp", "out_rsq"), score=score_sfu),
)
