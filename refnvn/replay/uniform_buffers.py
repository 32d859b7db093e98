"""Which bytes does a shader read of its uniform blocks? Those that are bound when the draw or dispatch runs.

Read next: ``draw.py``.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from refnvn.enumerations import ShaderStage
from refnvn.replay.context import Context
from refnvn.replay.order import Path
from refnvn.replay.readings import Reader
from refnvn.rules.evidence import Evidence
from refnvn.rules.fields import Rules, UnboundUniform
from refnvn.rules.registry import rule
from refnvn.shader.execute import no_uniforms
from refnvn.shader.ir import Shader
from refnvn.shader.uniforms import WORD_B, loaded_offsets

Uniforms = Callable[[int], NDArray[np.uint8]]


@rule(
    "REPLAY-UNIFORM-1",
    "A shader reads the bytes bound to its stage's uniform slot as memory holds them when the draw executes.",
    evidence=Evidence.INFERRED,
    sources=("seed-titles",),
    ledger=("ub-unbound", "s4-3e-ubo"),
    refuted_by="a draw that reads uniform bytes as they were when it was recorded",
)
def bound_uniforms(context: Context, stage: ShaderStage, shader: Shader | None) -> Uniforms:
    """Return a function from binding to bytes: what the blocks of a shader hold now."""
    if shader is None or not shader.uniforms:
        return no_uniforms
    held: dict[int, NDArray[np.uint8]] = {}
    for block in shader.uniforms:
        bound = context.state.uniform_buffers.get((stage, block.binding))
        if bound is not None and bound.size_B:
            seen = context.reads.by(stage, Path.CONSTANT)
            read = seen.read(bound.address, min(bound.size_B, block.size_B))
            held[block.binding] = read
            if seen.listener is not None:
                places_B = loaded_offsets(shader, block.binding, read.size)
                what = f"block {block.binding} of the {stage.name.lower()} shader"
                seen.tell(Reader.UNIFORM, what, bound.address + places_B, WORD_B)
        if bound is None or bound.size_B < block.size_B:
            read = held.get(block.binding, np.zeros(0, np.uint8))
            held[block.binding] = filled_up(read, block.size_B, context.rules)
    return held.__getitem__


@rule(
    "REPLAY-UNIFORM-2",
    "A uniform slot without a buffer, and bytes past the end of one, read zero.",
    evidence=Evidence.OPEN,
    sources=("seed-titles",),
    ledger=("ub-unbound",),
    fields=("unbound_uniform",),
    refuted_by="what a console reads from a uniform slot that nothing is bound to",
)
def filled_up(content: NDArray[np.uint8], size_B: int, rules: Rules) -> NDArray[np.uint8]:
    """Return the bytes of a block, what nothing is bound to filled up."""
    rest = 0xFF if rules.unbound_uniform is UnboundUniform.ONES else 0
    return np.concatenate((content, np.full(size_B - content.size, rest, np.uint8)))
