"""What does a shader give for many lanes at once?

A lane is one vertex or one fragment. The same shader runs as NumPy operations on all lanes (at once, no compiling:
right for little work) or as a compiled kernel (``execute_numba.py``); both give the same bits.

Read next: ``execute_numpy.py``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from refnvn.errors import ArgumentError, ShapeError, SizeError
from refnvn.kernel import jit_is_on
from refnvn.rules.fields import NVN, Rules, ShaderDenormals, ShaderDivision
from refnvn.rules.registry import note
from refnvn.shader import execute_memory  # noqa: F401  a rule of it is named for every shader
from refnvn.shader.bits import EXACT_DIVISION, KEEP_DENORMALS
from refnvn.shader.execute_stages import StageAccess
from refnvn.shader.ir import Derive, LoadUniform, Shader, to_json, walk
from refnvn.shader.ir_base import Kind
from refnvn.shader.ir_textures import TextureStatement
from refnvn.shader.lane_memory import NO_MEMORY, LaneMemory
from refnvn.shader.moves import moved, moves_of
from refnvn.shader.operations import OPERATIONS
from refnvn.shader.textures import NO_TEXTURES, Textures
from refnvn.shader.validate import most_executed

QUAD = 4
STEP_LANES = 1 << 10
"""A statement costs NumPy as much as so many lanes of it, however few there are."""
NUMPY_LANE_OPERATIONS = 1 << 16
"""A run of more statements times lanes is worth loading a kernel that was compiled before."""
LOAD_LANE_OPERATIONS = 1 << 23
"""So are many runs that together have done so much in NumPy, their steps counted."""
COMPILE_LANE_OPERATIONS = 1 << 25
"""A shader that has done so much in NumPy is worth compiling."""
MOST_LANE_STATEMENTS = 1 << 38
"""Statements times lanes of one run, every loop taking all its turns."""
MOST_REGISTERS = 1 << 29
"""Registers times lanes of one run."""

Executor = Literal["auto", "numpy", "numba"]


def no_uniforms(_binding: int) -> NDArray[np.uint8]:
    """Return the bytes of a slot where nothing is bound: none, so that every read gives 0."""
    return np.zeros(0, dtype=np.uint8)


@dataclass(frozen=True, kw_only=True)
class LaneInputs:
    """What goes into a shader.

    Attributes
    ----------
    count : int
        The number of lanes.
    values : uint32, shape (input components, count)
        Rows in the order of ``shader.inputs``, component by component.
    builtins : dict of str to array of shape (count,)
        uint32 bits (``frag_coord_x`` ... float bits), bool for ``front_facing``; those that the shader reads.
    uniforms : callable
        The bytes (uint8) bound to a binding; shorter than the block reads zeros beyond.
    textures : Textures
        What the handles of textures and samplers name.
    memory : LaneMemory
        The storage buffers and images that are bound.
    live : bool, shape (count,), or None
        Which lanes may change memory: not those that only stand by for derivatives. None is all.
    watch : callable or None
        Told which lanes each access of a storage buffer comes from, before it.
    helper_quads : bool
        Whether lanes come as quads (0, 0), (1, 0), (0, 1), (1, 1), four in a row, as derivatives need.
    vertex_values : uint32, shape (vertices, vertex input components, count), or None
        What geometry and tessellation shaders read by vertex, in the order of ``shader.vertex_inputs``.
    """

    count: int
    values: NDArray[np.uint32]
    builtins: Mapping[str, NDArray[Any]] = field(default_factory=dict)
    uniforms: Callable[[int], NDArray[np.uint8]] = no_uniforms
    textures: Textures = NO_TEXTURES
    memory: LaneMemory = NO_MEMORY
    live: NDArray[np.bool_] | None = None
    watch: Callable[[NDArray[np.intp]], None] | None = None
    helper_quads: bool = False
    vertex_values: NDArray[np.uint32] | None = None


@dataclass(frozen=True, kw_only=True)
class LaneOutputs:
    """What comes out of a shader.

    Attributes
    ----------
    values : uint32, shape (output components, count)
        Rows in the order of ``shader.outputs``; 0 where a lane stored nothing.
    discarded : bool, shape (count,), or None
        Which lanes ended by ``discard``; None where the shader has none.
    depth : uint32, shape (count,), or None
        Float bits; None where the shader writes no depth.
    stages : StageAccess or None
        What geometry and tessellation control shaders give besides: emitted vertices, outputs of patches.
    """

    values: NDArray[np.uint32]
    discarded: NDArray[np.bool_] | None
    depth: NDArray[np.uint32] | None
    stages: StageAccess | None = None


class Plan:
    """What is found out about a shader once, before it runs.

    Attributes
    ----------
    shader : Shader
        Validated.
    rules : tuple of str
        Ids of the rules that its statements rest on.
    has_float, has_division : bool
        Whether it reads those fields of ``Rules``.
    most_executed : int
        Statements that a lane may run, every loop taking all its turns.
    builtins, uses_derivatives, can_discard, writes_depth, input_components, output_components
        As of the shader.
    moves : Moves or None
        Where its outputs come from, if it does nothing but move words.
    lane_operations : int
        How much it has run in NumPy so far.
    fragment : object
        What the fragment stage has found out about it.
    """

    def __init__(self, shader: Shader) -> None:
        self.most_executed = most_executed(shader)
        self.shader = shader
        operations = [OPERATIONS[name] for name in shader.operations]
        found = {"SHADER-SHARED-1", *(rule_id for operation in operations for rule_id in operation.rules)}
        statements = list(walk(shader.statements))
        if any(isinstance(s, LoadUniform) for s in statements):
            found.add("SHADER-UNIFORM-1")
        if any(isinstance(s, Derive) for s in statements):
            found |= {"SHADER-DERIVE-1", "SHADER-DENORM-1", "SHADER-NAN-1", "SHADER-ADD-1"}
        self.rules = tuple(sorted(found))
        self.has_float = "SHADER-DENORM-1" in found
        self.has_division = not found.isdisjoint(("SHADER-RCP-1", "SHADER-SQRT-1", "SHADER-RSQ-1"))
        self.reads_textures = any(isinstance(s, TextureStatement) for s in statements)
        self.uses_memory = shader.uses_memory
        self.is_staged = shader.is_staged
        self.builtins = shader.builtins
        self.uses_derivatives = shader.uses_derivatives
        self.can_discard = shader.can_discard
        self.writes_depth = shader.writes_depth
        self.input_components = shader.input_components
        self.output_components = shader.output_components
        self.moves = moves_of(shader)
        self.fragment: Any = None
        self.statement_count = len(statements)
        self.lane_operations = 0
        self.kernel: Any = None
        self.was_compiled: bool | None = None

    def mode(self, rules: Rules) -> int:
        """Return the flags of a run, reading only the fields that matter to this shader."""
        mode = 0
        if self.has_float and rules.shader_denormals is ShaderDenormals.KEEP:
            mode |= KEEP_DENORMALS
        if self.has_division and rules.shader_division is ShaderDivision.ROUNDED:
            mode |= EXACT_DIVISION
        return mode


_KEPT_PLANS = 256
_plans: dict[int, Plan] = {}
_kernels: dict[bytes, Any] = {}
"""The last kernels by what their shaders say: another replay reads the same shaders anew."""


def plan_of(shader: Shader) -> Plan:
    """Return the plan of a shader; the last few are kept, with their shaders.

    Raises
    ------
    InputFileError
        For what is no shader.
    """
    plan = _plans.get(id(shader))
    if plan is None or plan.shader is not shader:
        plan = Plan(shader)
        while len(_plans) >= _KEPT_PLANS:
            _plans.pop(next(iter(_plans)))
        _plans[id(shader)] = plan
    return plan


def _check(plan: Plan, lanes: LaneInputs) -> None:
    expected = (plan.input_components, lanes.count)
    if lanes.values.dtype != np.uint32 or lanes.values.shape != expected:
        raise ShapeError(
            f"lane values are {lanes.values.dtype} of shape {lanes.values.shape}; "
            f"the inputs of this shader are uint32 of shape {expected}"
        )
    _check_work(plan, lanes.count)
    for builtin in plan.builtins:
        kind = np.bool_ if builtin.kind is Kind.BOOL else np.uint32
        array = lanes.builtins.get(builtin)
        if array is None:
            raise ArgumentError(f"the shader reads the builtin {builtin}, which the lanes do not give")
        if array.dtype != kind or array.shape != (lanes.count,):
            raise ShapeError(
                f"builtin {builtin} is {array.dtype} of shape {array.shape}, not {kind.__name__} ({lanes.count},)"
            )
    if plan.uses_derivatives and (not lanes.helper_quads or lanes.count % QUAD):
        raise ArgumentError(
            f"the shader takes derivatives: its lanes must come in quads, not {lanes.count} one by one"
        )


def _check_work(plan: Plan, count: int) -> None:
    """Raise for a run that would take hours, or all memory."""
    registers = len(plan.shader.registers)
    for what, each, limit in (
        ("statements", plan.most_executed, MOST_LANE_STATEMENTS),
        ("registers", registers, MOST_REGISTERS),
    ):
        if each * count > limit:
            raise SizeError(f"a shader of {each} {what} for {count} lanes at once; {limit} in all are allowed")


def _wants_numpy(plan: Plan, count: int, executor: Executor) -> bool:
    if plan.reads_textures or plan.uses_memory or plan.is_staged:
        return True
    if executor != "auto":
        return executor == "numpy"
    if not jit_is_on() or not plan.statement_count:
        return True
    if plan.kernel is None and not plan.lane_operations:
        plan.kernel = _kernels.get(to_json(plan.shader))
    if plan.kernel is not None:
        return False
    plan.lane_operations += plan.statement_count * (count + STEP_LANES)
    if plan.lane_operations >= COMPILE_LANE_OPERATIONS:
        return False
    is_much = plan.statement_count * count > NUMPY_LANE_OPERATIONS
    return not (is_much or plan.lane_operations > LOAD_LANE_OPERATIONS) or not _was_compiled(plan)


def _was_compiled(plan: Plan) -> bool:
    """Say whether there is a kernel of a shader; what is not there when it is first asked for does not turn up."""
    if plan.was_compiled is None:
        from refnvn.shader.execute_numba import is_compiled

        plan.was_compiled = is_compiled(plan.shader)
    return plan.was_compiled


def run(shader: Shader, lanes: LaneInputs, *, rules: Rules = NVN, executor: Executor = "auto") -> LaneOutputs:
    """Run a shader.

    Parameters
    ----------
    shader : Shader
        Validated when it first runs.
    lanes : LaneInputs
        What goes in.
    rules : Rules
        Reads ``shader_denormals`` where there is floating-point arithmetic, ``shader_division`` where there is a
        quotient or a root.
    executor : {"auto", "numpy", "numba"}
        The result is the same, bit for bit. ``auto`` takes NumPy for little work and where compiling is off; a
        shader that reads textures always runs by NumPy.

    Returns
    -------
    LaneOutputs

    Raises
    ------
    InputFileError
        For what is no shader.
    ShapeError, ArgumentError
        For lanes that do not fit the shader's interface.
    SizeError
        For more work than a run may be.

    Examples
    --------
    >>> from refnvn.shader.ir import from_object
    >>> half = from_object({
    ...     "refnvn_shader": 1, "stage": "fragment",
    ...     "outputs": [{"location": 0, "components": 1}], "registers": ["word"],
    ...     "statements": [{"do": "constant", "to": 0, "bits": 0x3F000000},
    ...                    {"do": "store_output", "location": 0, "of": 0}]})
    >>> run(half, LaneInputs(count=2, values=np.zeros((0, 2), np.uint32))).values.view(np.float32).tolist()
    [[0.5, 0.5]]
    """
    plan = plan_of(shader)
    _check(plan, lanes)
    mode = plan.mode(rules)
    note(plan.rules)
    if plan.moves is not None and executor == "auto":
        values = moved(plan.moves, shader, lanes.count, lanes.values, lanes.builtins, lanes.uniforms)
        return LaneOutputs(values=values, discarded=None, depth=None)
    if _wants_numpy(plan, lanes.count, executor):
        from refnvn.shader import execute_numpy

        return execute_numpy.execute(shader, lanes, mode, rules)
    from refnvn.shader import execute_numba

    if plan.kernel is None:
        plan.kernel = execute_numba.kernel_of(shader)
        while len(_kernels) >= _KEPT_PLANS:
            _kernels.pop(next(iter(_kernels)))
        _kernels[to_json(shader)] = plan.kernel
    return execute_numba.execute(plan.kernel, shader, lanes, mode)
