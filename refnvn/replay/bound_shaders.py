"""Which shader is bound to a stage, and do the shaders of a draw read anything that it may write?

Read next: ``draw.py``, ``draw_runs.py``.
"""

from __future__ import annotations

from refnvn.enumerations import ShaderStage
from refnvn.errors import ArgumentError
from refnvn.replay.context import Context
from refnvn.replay.errors import field
from refnvn.replay.state import ALWAYS
from refnvn.shader.execute import plan_of
from refnvn.shader.ir import Shader, from_object
from refnvn.shader.special_outputs import LAYER, VIEWPORT_INDEX

PLAIN_STAGES = (ShaderStage.VERTEX, ShaderStage.FRAGMENT)


def shader_of(context: Context, stage: ShaderStage) -> Shader | None:
    """Return the validated shader that is bound to a stage; None where no program, or one without it, is bound.

    Raises
    ------
    ReplayError
        For what is no shader of that stage.
    """
    program = context.state.programs.get(stage)
    if program is None:
        return None
    key = (program, stage)
    if key not in context.shaders:
        name = stage.name.lower()
        stored = getattr(context.recording.programs[program], name)
        with field(f"programs[{program}].{name}"):
            found = None if stored is None else from_object(stored, name)
            if found is not None and found.stage != name:
                raise ArgumentError(f"a {found.stage} shader; a {name} shader is needed")
            context.shaders[key] = found
    shader: Shader | None = context.shaders[key]
    return shader


def reads_nothing_written(context: Context) -> bool:
    """Say whether, by state and shaders, draws read only vertices and uniforms, and write only targets."""
    state = context.state
    if state.rendering is not ALWAYS or context.memory.log.keeps_bytes or state.stages.capturing is not None:
        return False
    if context.observer is not None or context.counted:  # who watches or counts wants to see each draw
        return False
    if any(shader_of(context, one) is not None for one in ShaderStage if one not in PLAIN_STAGES):
        return False
    shaders = [shader_of(context, one) for one in PLAIN_STAGES]
    return shaders[0] is not None and all(one is None or _is_plain(one) for one in shaders)


def _is_plain(shader: Shader) -> bool:
    plan = plan_of(shader)
    chooses = any(one.location in (LAYER, VIEWPORT_INDEX) for one in shader.outputs)
    return not (plan.reads_textures or plan.uses_memory or chooses)
