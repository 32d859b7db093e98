"""Words in and out of operations, and small shaders to run."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from refnvn.shader.ir import AnyStatement, Input, LoadInput, Operate, Output, Shader, StoreOutput
from refnvn.shader.ir_base import Kind, Stage
from refnvn.shader.operations import OPERATIONS
from refnvn.shader.validate import validate

EDGES = np.array(
    [
        0, 0x80000000, 1, 0x80000001, 0x7FFFFF, 0x807FFFFF, 0x800000, 0x80800000, 0x3F800000, 0xBF800000, 0x7F7FFFFF,
        0xFF7FFFFF, 0x7F800000, 0xFF800000, 0x7FC00000, 0xFFC00001, 0x7F800001, 0x7FFFFFFF, 0xFFFFFFFF, 2, 31, 32, 33,
        0x4F000000, 0x4F800000, 0xCF000000, 0x3F000000, 0x40200000, 0x7E800001, 0x7F000000, 0x38800000, 0x477FF000,
    ],
    dtype=np.uint32,
)  # fmt: skip
"""Zeros, denormals, least and largest numbers, infinities, NaN of all kinds, ends of integers, halfway cases."""


def apply(name: str, *operands: Any, mode: int = 0) -> Any:
    """Return what an operation gives for words (or booleans), as a plain number."""
    arrays = [np.array([one], np.bool_ if isinstance(one, bool) else np.uint32) for one in operands]
    with np.errstate(all="ignore"):
        return OPERATIONS[name].apply(arrays, mode)[0].item()


def apply_all(name: str, *operands: NDArray[Any], mode: int = 0) -> NDArray[Any]:
    """Return what an operation gives for arrays of words or booleans."""
    with np.errstate(all="ignore"):
        found: NDArray[Any] = OPERATIONS[name].apply(operands, mode)
    return found


def bits(*numbers: float) -> NDArray[np.uint32]:
    """Return the bits of float32 numbers."""
    return np.array(numbers, dtype=np.float32).view(np.uint32)


def operations_shader(names: list[str]) -> Shader:
    """Return a vertex shader whose outputs are operations on four words and three comparisons of them."""
    statements: list[AnyStatement] = [LoadInput(to=i, location=i) for i in range(4)]
    kinds = [Kind.WORD] * 4 + [Kind.BOOL] * 3
    for i, pair in enumerate(((3, 0), (3, 1), (1, 2))):
        statements.append(Operate(name="uint.less", to=4 + i, of=pair))
    for place, name in enumerate(names):
        operation = OPERATIONS[name]
        of = tuple((4 if view == "bool" else 0) + i for i, view in enumerate(operation.operands))
        kinds.append(Kind.BOOL if operation.result == "bool" else Kind.WORD)
        statements.append(Operate(name=name, to=len(kinds) - 1, of=of))
        if operation.result == "bool":
            kinds.append(Kind.WORD)
            statements.append(Operate(name="word.from_bool", to=len(kinds) - 1, of=(len(kinds) - 2,)))
        statements.append(StoreOutput(location=place // 4, component=place % 4, of=len(kinds) - 1))
    return validate(
        Shader(
            refnvn_shader=1,
            stage=Stage.VERTEX,
            inputs=tuple(Input(location=i, components=1) for i in range(4)),
            outputs=tuple(Output(location=i) for i in range(-(-len(names) // 4))),
            registers=tuple(kinds),
            statements=tuple(statements),
        )
    )
