"""What does a fragment shader ask of the order of tests and of each batch? Found out once for each shader.

Read next: ``stage.py``, what the fragments of a draw share besides it.
"""

from __future__ import annotations

from dataclasses import dataclass

from refnvn.raster import output
from refnvn.raster.sampled_rows import SampledRows, sampled_rows
from refnvn.rules.evidence import Evidence
from refnvn.rules.registry import collect, note, rule
from refnvn.shader.execute import plan_of
from refnvn.shader.independent import is_independent
from refnvn.shader.ir import LoadInput, Shader, StoreOutput, first_rows
from refnvn.shader.ir_base import Builtin, Sampling


@dataclass(frozen=True, slots=True)
class FragmentShader:
    """A fragment shader and what is asked of it for every batch.

    Attributes
    ----------
    shader : Shader
    builtins : tuple of Builtin
    late : bool
        Whether the tests must wait for it: it discards, writes depth, or stores to memory.
    early : bool
        Whether it asks for tests before it runs.
    changes_memory : bool
        Whether it stores to memory.
    alone : bool
        Whether primitives must run one after another, because one may see what another stores.
    quads : bool
        Whether it takes derivatives.
    outputs : dict of int to tuple of int
        The rows of its outputs by location; a sample mask is at -1.
    copies : tuple of int or None
        Where all it does is to copy inputs: the input row of each output row.
    sampled : SampledRows or None
        Where all it does is to sample one texture at an input.
    by_sample : bool
        Whether it must run once for each sample, if there are several.
    """

    shader: Shader
    builtins: tuple[Builtin, ...]
    late: bool
    early: bool
    changes_memory: bool
    alone: bool
    quads: bool
    outputs: dict[int, tuple[int, ...]]
    copies: tuple[int, ...] | None
    sampled: SampledRows | None
    by_sample: bool


def fragment_shader(shader: Shader) -> FragmentShader:
    """Return a shader with what is asked of it, found out once; its rules count each time."""
    plan = plan_of(shader)
    if plan.fragment is None:
        with collect() as used:
            plan.fragment = _fragment_shader(shader), frozenset(used)
    found: FragmentShader = plan.fragment[0]
    note(plan.fragment[1])
    return found


def _fragment_shader(shader: Shader) -> FragmentShader:
    changes_memory = shader.changes_memory
    return FragmentShader(
        shader=shader,
        builtins=shader.builtins,
        late=shader.can_discard or shader.writes_depth or changes_memory,
        early=shader.early_fragment_tests,
        changes_memory=changes_memory,
        alone=not is_independent(shader),
        quads=shader.uses_derivatives,
        outputs=output.written_rows(shader),
        copies=copied_rows(plan_of(shader).shader),
        sampled=sampled_rows(plan_of(shader).shader),
        by_sample=needs_samples(shader),
    )


@rule(
    "RASTER-SAMPLING-1",
    "A shader runs once for each pixel, never for several; one that reads a sample input, the sample's number or its "
    "position runs once for each covered sample and sees only that one covered; only its sample inputs are evaluated "
    "at the sample. Where sample shading is forced all inputs and the fragment coordinate are.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("hardware-vectors", "sample-vectors"),
    ledger=("vrs-ignored",),
)
def needs_samples(shader: Shader) -> bool:
    """Say whether a shader must run once for each sample."""
    of_samples = {Builtin.SAMPLE_ID, Builtin.SAMPLE_POSITION_X, Builtin.SAMPLE_POSITION_Y}
    reads_one = not of_samples.isdisjoint(shader.builtins)
    return reads_one or any(one.sampling is Sampling.SAMPLE for one in shader.inputs)


def copied_rows(shader: Shader) -> tuple[int, ...] | None:
    """Return which input row each output row is, where the shader does nothing but copy; else None."""
    input_rows, output_rows = first_rows(shader.inputs), first_rows(shader.outputs)
    held: dict[int, int] = {}
    copied: dict[int, int] = {}
    for one in shader.statements:
        if isinstance(one, LoadInput):
            held[one.to] = input_rows[one.location] + one.component
        elif isinstance(one, StoreOutput) and one.of in held:
            copied[output_rows[one.location] + one.component] = held[one.of]
        else:
            return None
    return tuple(copied[k] for k in range(len(copied))) if len(copied) == shader.output_components else None
