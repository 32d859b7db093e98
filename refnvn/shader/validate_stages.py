"""What of captures, geometry and tessellation fits a shader? Read next: ``validate.py``."""

from __future__ import annotations

from collections.abc import Iterator

from refnvn.shader.ir import POINT_SIZE, POSITION, Output, Shader, StoreOutput, walk
from refnvn.shader.ir_base import ComponentType, Stage
from refnvn.shader.ir_feedback import WORD_B
from refnvn.shader.ir_memory import Barrier
from refnvn.shader.ir_stages import (
    EmitVertex,
    EndPrimitive,
    LoadPatchOutput,
    LoadVertexInput,
    LoadVertexOutput,
    StageStatement,
    StorePatchOutput,
    VertexInput,
)
from refnvn.shader.special_outputs import TESS_LEVEL_INNER, TESS_LEVEL_OUTER, misfit

CAPTURED_STAGES = (Stage.VERTEX, Stage.TESS_EVALUATION, Stage.GEOMETRY)
WITH_VERTEX_INPUTS = (Stage.TESS_CONTROL, Stage.TESS_EVALUATION, Stage.GEOMETRY)
PATCH_LEVELS = (TESS_LEVEL_OUTER, TESS_LEVEL_INNER)


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
            last = one.component + one.components - 1
            yield place, f"components {one.component} to {last} of output {one.location}, which has fewer"
        stride_B = feedback.strides_B[one.buffer] if one.buffer < len(feedback.strides_B) else 0
        if one.offset_B + WORD_B * one.components > stride_B:
            yield place, f"beyond the {stride_B} bytes of a vertex in buffer {one.buffer}"


def layout_faults(shader: Shader) -> Iterator[tuple[str, str]]:
    """Yield place and what is wrong of how a geometry or tessellation shader says that it runs."""
    for name in (Stage.GEOMETRY, Stage.TESS_CONTROL, Stage.TESS_EVALUATION):
        given = getattr(shader, name) is not None
        if given is not (shader.stage is name):
            yield name.value, f"a {shader.stage} shader {'has none' if given else 'needs one'}"
    if shader.inputs and shader.stage in (Stage.GEOMETRY, Stage.TESS_CONTROL):
        yield "inputs", f"a {shader.stage} shader has vertex_inputs"
    if shader.vertex_inputs and shader.stage not in WITH_VERTEX_INPUTS:
        yield "vertex_inputs", f"a {shader.stage} shader has none"
    if shader.patch_outputs and shader.stage is not Stage.TESS_CONTROL:
        yield "patch_outputs", f"a {shader.stage} shader has none"
    yield from _double("vertex_inputs", [one.location for one in shader.vertex_inputs])
    yield from _double("patch_outputs", [one.location for one in shader.patch_outputs])
    for one in shader.vertex_inputs:
        wrong = _vertex_input_fault(one)
        if wrong:
            yield f"vertex_inputs: location {one.location}", wrong
    for output in shader.patch_outputs:
        wrong = _patch_output_fault(output)
        if wrong:
            yield f"patch_outputs: location {output.location}", wrong
    if any(one.location in PATCH_LEVELS for one in shader.outputs):
        yield "outputs", "tessellation levels are outputs of a patch"
    if shader.stage is Stage.TESS_CONTROL:
        yield from _shared_output_faults(shader)


def _shared_output_faults(shader: Shader) -> Iterator[tuple[str, str]]:
    """Yield what of a control shader reads outputs that no barrier has ordered, or waits where some may not come."""
    barriers = sum(isinstance(one, Barrier) for one in walk(shader.statements))
    if barriers != sum(isinstance(one, Barrier) for one in shader.statements):
        yield "statements", "a barrier of a tess_control shader stands outside of branches and loops"
    stored: dict[tuple[type, int], set[int]] = {}
    loaded: dict[tuple[type, int], set[int]] = {}
    passed = 0
    for outer in shader.statements:
        passed += isinstance(outer, Barrier)
        for one in walk((outer,)):
            match one:
                case StoreOutput(location=location) | StorePatchOutput(location=location):
                    stored.setdefault((type(one), location), set()).add(passed)
                case LoadVertexOutput(location=location):
                    loaded.setdefault((StoreOutput, location), set()).add(passed)
                case LoadPatchOutput(location=location):
                    loaded.setdefault((StorePatchOutput, location), set()).add(passed)
    for (kind, location), when in loaded.items():
        stores = stored.get((kind, location), set())
        what = "output" if kind is StoreOutput else "patch output"
        if not stores or min(stores) >= min(when):
            yield f"{what} {location}", "it is read before any barrier that follows a store to it"
        elif not stores.isdisjoint(when):
            yield f"{what} {location}", "it is read and stored with no barrier between; a barrier orders them"


def _double(what: str, locations: list[int]) -> Iterator[tuple[str, str]]:
    for location in locations:
        if locations.count(location) > 1:
            yield what, f"{location} stands twice"
            return


def _vertex_input_fault(one: VertexInput) -> str | None:
    wanted = {POSITION: 4, POINT_SIZE: 1}.get(one.location)
    if wanted is not None and (one.components, one.type) != (wanted, ComponentType.FLOAT):
        return f"{wanted} float components are allowed"
    return None


def _patch_output_fault(one: Output) -> str | None:
    if one.location >= 0:
        return None
    if one.location not in PATCH_LEVELS:
        return f"locations are 0 to 31, {TESS_LEVEL_OUTER} and {TESS_LEVEL_INNER} for tessellation levels"
    return misfit(Stage.TESS_CONTROL, one)


def stage_faults(shader: Shader, statement: StageStatement) -> Iterator[str]:
    """Yield what is wrong of a statement of ``ir_stages.py``, but for its registers."""
    match statement:
        case LoadVertexInput(location=location, component=component):
            inputs = {one.location: one.components for one in shader.vertex_inputs}
            if component >= inputs.get(location, 0):
                yield f"component {component} of vertex input {location}, which has {inputs.get(location, 0)}"
        case LoadVertexOutput(location=location, component=component):
            outputs = {one.location: one.components for one in shader.outputs}
            if shader.stage is not Stage.TESS_CONTROL:
                yield f"a {shader.stage} shader reads no outputs"
            if component >= outputs.get(location, 0):
                yield f"component {component} of output {location}, which has {outputs.get(location, 0)}"
        case (
            StorePatchOutput(location=location, component=component)
            | LoadPatchOutput(location=location, component=component)
        ):
            outputs = {one.location: one.components for one in shader.patch_outputs}
            if component >= outputs.get(location, 0):
                yield f"component {component} of patch output {location}, which has {outputs.get(location, 0)}"
        case EmitVertex() | EndPrimitive():
            if shader.stage is not Stage.GEOMETRY:
                yield f"a {shader.stage} shader emits no vertices"
        case _:
            raise AssertionError(statement)
