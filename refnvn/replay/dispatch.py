"""How does a dispatch run a compute shader? Workgroup after workgroup, x fastest, each step by step.

Read next: ``lane_memory.py``, ``refnvn/shader/execute_memory.py``.
"""

from __future__ import annotations

from dataclasses import replace
from math import prod
from typing import cast

import numpy as np
from numpy.typing import NDArray

from refnvn.commands import commands as c
from refnvn.enumerations import ShaderStage
from refnvn.errors import ArgumentError, SizeError
from refnvn.replay.bound_shaders import shader_of
from refnvn.replay.context import Context
from refnvn.replay.errors import field
from refnvn.replay.group_batches import HeldStorage, MetInMemory, may_hold
from refnvn.replay.lane_memory import BoundMemory
from refnvn.replay.order import Path
from refnvn.replay.readings import Reader
from refnvn.replay.texture_reads import textures_of_stage
from refnvn.replay.uniform_buffers import bound_uniforms
from refnvn.rules.evidence import Evidence
from refnvn.rules.fields import MemoryOrder
from refnvn.rules.registry import rule
from refnvn.shader.execute import LaneInputs, plan_of, run
from refnvn.shader.independent import is_independent
from refnvn.shader.ir import Shader
from refnvn.shader.ir_base import Builtin
from refnvn.shader.lane_memory import LaneMemory

MOST_INVOCATIONS = 1 << 22
INVOCATIONS_AT_ONCE = 1 << 16
MOST_GROUPS_APART = 1 << 15
"""Of workgroups that must run one after another."""
MOST_STATEMENTS = 1 << 38
"""Of all invocations of a dispatch, every loop taking all its turns."""
MOST_STATEMENTS_APART = 1 << 28
"""Of workgroups that must run one after another, those of one invocation counted."""
MOST_GROUPS = 65535
FEW_GROUPS = 8
"""Fewer workgroups run one after another at once."""
Groups = tuple[int, int, int]
Words = NDArray[np.uint32]

_AXES = "xyz"


def dispatch_compute(context: Context, command: c.DispatchCompute) -> None:
    """Run the compute shader for so many workgroups along x, y and z."""
    dispatch(context, (command.groups_x, command.groups_y, command.groups_z))


@rule(
    "REPLAY-DISPATCH-1",
    "An indirect dispatch reads its three numbers of workgroups from memory when it executes, and its shader sees "
    "them as it would see those of a direct one.",
    evidence=Evidence.SWITCH,
    sources=("seed-titles",),
    ledger=("indirect",),
)
def dispatch_compute_indirect(context: Context, command: c.DispatchComputeIndirect) -> None:
    """Run the compute shader for as many workgroups as three words in memory say."""
    with field("address"):
        seen = context.reads.by(ShaderStage.COMPUTE, Path.INDIRECT)
        x, y, z = seen.read(command.address, 12).view("<u4").tolist()
        seen.tell(Reader.INDIRECT, "numbers of workgroups", command.address, 12)
        if max(x, y, z) > MOST_GROUPS:
            raise SizeError(f"{x} x {y} x {z} workgroups in memory; {MOST_GROUPS} along each axis are allowed")
    dispatch(context, (x, y, z))


@rule(
    "REPLAY-COMPUTE-1",
    "The compute program is bound apart from the graphics programs: dispatches and draws go in the order of their "
    "commands, none unbinds the other's, and a render condition does not touch dispatches.",
    evidence=Evidence.SWITCH,
    sources=("seed-titles",),
    ledger=("compute-binding", "clear-before-dispatch", "dispatch-shared", "cs-hoist"),
)
def dispatch(context: Context, groups: Groups) -> None:
    """Run the compute shader that is bound.

    Raises
    ------
    ArgumentError
        Where none is.
    SizeError
        For more invocations than a replay runs.
    """
    shader = shader_of(context, ShaderStage.COMPUTE)
    if shader is None:
        raise ArgumentError("a dispatch needs a compute shader; none is bound")
    size = prod(shader.local_size)
    if prod(groups) * size > MOST_INVOCATIONS:
        raise SizeError(f"{prod(groups)} workgroups of {size} invocations; {MOST_INVOCATIONS} in one are allowed")
    _check_statements(shader, prod(groups) * size, MOST_STATEMENTS)
    everyone = np.indices(groups[::-1], np.uint32).reshape(3, -1).T[:, ::-1]
    at_once = max(1, INVOCATIONS_AT_ONCE // size)
    parts = [everyone[first : first + at_once] for first in range(0, len(everyone), at_once)]
    backwards = shader.changes_memory and context.rules.memory_order is MemoryOrder.REVERSED
    if backwards:
        parts.reverse()
    lanes = _LanesOf(context, shader, groups)
    done = _run_together(context, lanes, parts)
    _run_apart(context, lanes, parts[done:], backwards=backwards)
    context.count("invocations", len(everyone) * size)


def _run_together(context: Context, lanes: _LanesOf, parts: list[Words]) -> int:
    """Run workgroups part by part as long as no two of a part meet in memory; return how many parts have run."""
    shader, done = lanes.shader, 0
    if is_independent(shader) or not may_hold(shader) or sum(map(len, parts)) < FEW_GROUPS:
        return done
    try:
        held = HeldStorage(context, shader, prod(shader.local_size))
        memory = cast("LaneMemory", held)  # it has no images, nor does the shader
        for part in parts:
            run(shader, replace(lanes.of(part), memory=memory, watch=held.watch), rules=context.rules)
            held.keep()
            done += 1
    except MetInMemory:
        pass
    return done


def _run_apart(context: Context, lanes: _LanesOf, parts: list[Words], *, backwards: bool) -> None:
    """Run workgroups one after another, or together where one statement is all that reaches memory."""
    if not is_independent(lanes.shader):
        singles = [part[k : k + 1] for part in parts for k in range(len(part))[:: -1 if backwards else 1]]
        if len(singles) > MOST_GROUPS_APART:
            raise SizeError(
                f"{len(singles)} workgroups that may see what others store; {MOST_GROUPS_APART} in one are allowed"
            )
        _check_statements(lanes.shader, len(singles), MOST_STATEMENTS_APART)
        parts = singles
    memory = BoundMemory(context, ShaderStage.COMPUTE)
    for part in parts:
        run(lanes.shader, replace(lanes.of(part), memory=memory), rules=context.rules)


def _check_statements(shader: Shader, times: int, limit: int) -> None:
    """Raise where a shader, run so often, may run for hours."""
    executed = plan_of(shader).most_executed
    if executed * times > limit:
        raise SizeError(f"{executed} statements {times} times; {limit} in one dispatch are allowed")


class _LanesOf:
    """The invocations of a dispatch; its uniform blocks and textures are read once.

    Parameters
    ----------
    context : Context
    shader : Shader
    groups : tuple of int
        How many workgroups there are along x, y and z.
    """

    def __init__(self, context: Context, shader: Shader, groups: Groups) -> None:
        self.shader = shader
        self._groups = groups
        self._uniforms = bound_uniforms(context, ShaderStage.COMPUTE, shader)
        self._textures = textures_of_stage(context, ShaderStage.COMPUTE, shader)

    def of(self, these: Words) -> LaneInputs:
        """Return the invocations of some workgroups, without memory."""
        count = len(these) * prod(self.shader.local_size)
        return LaneInputs(
            count=count,
            values=np.zeros((0, count), np.uint32),
            builtins=invocations(self.shader, these, self._groups),
            uniforms=self._uniforms,
            textures=self._textures,
        )


def invocations(shader: Shader, these: Words, groups: Groups) -> dict[str, Words]:
    """Return what the invocations of some workgroups see: ids, x fastest, workgroup after workgroup.

    Parameters
    ----------
    shader : Shader
        Its workgroup's size, and which builtins it reads.
    these : uint32, shape (n, 3)
        Ids of workgroups.
    groups : tuple of int
        How many there are along x, y and z.
    """
    size = shader.local_size
    count = prod(size)
    local = np.stack([row.ravel() for row in np.indices(size[::-1])[::-1]]).astype(np.uint32)
    found: dict[str, Words] = {Builtin.LOCAL_INDEX: np.tile(np.arange(count, dtype=np.uint32), len(these))}
    for axis, name in enumerate(_AXES):
        group = np.repeat(these[:, axis], count)
        inside = np.tile(local[axis], len(these))
        found[f"work_group_id_{name}"] = group
        found[f"local_id_{name}"] = inside
        found[f"global_id_{name}"] = group * np.uint32(size[axis]) + inside
        found[f"work_groups_{name}"] = np.full(group.size, groups[axis], np.uint32)
    return {builtin: found[builtin] for builtin in shader.builtins}
