"""How does the signature of a shader's function become its interface, and its ``return`` its outputs?

A parameter has a type and a place: ``position: vec4 = attribute(0)``, ``shade: vec3 = varying(1, flat)``, or names a
uniform block: ``camera: Camera``. A vertex shader returns its position, then its varyings from location 0 on; a
fragment shader its colours from location 0 on. A dict gives locations: ``return position, {0: a, 3: b}``.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Iterator
from typing import Any

from refnvn.errors import ArgumentError, InputFileError
from refnvn.shader import subset_memory, subset_stages
from refnvn.shader.builder import Builder
from refnvn.shader.ir import POSITION, Input, Output, Shader, StoreOutput, UniformBlock
from refnvn.shader.ir_base import ComponentType, Interpolation, Sampling, Stage
from refnvn.shader.ir_stages import Geometry, TessControl, TessEvaluation
from refnvn.shader.language import Uniform
from refnvn.shader.language_words import Word
from refnvn.shader.special_outputs import SPECIAL_OUTPUTS, allowed_outputs
from refnvn.shader.subset import ShaderSourceError, Source, source_of
from refnvn.shader.subset_body import Body
from refnvn.shader.subset_flow import has_other_parameters, returns
from refnvn.shader.subset_textures import in_slot, is_sampler_type, sampler_in_slot, texture_type
from refnvn.shader.subset_values import BOOL, FLOAT, Block, Misuse, Type, Value, layout_of, typed
from refnvn.shader.validate import MAX_LOCATION, validate
from refnvn.texture.handles import COMBINED_SLOTS, SEPARATE_SLOTS

_PLACES = {
    Stage.VERTEX: "attribute",
    Stage.TESS_CONTROL: "varying",
    Stage.TESS_EVALUATION: "patch",
    Stage.GEOMETRY: "varying",
    Stage.FRAGMENT: "varying",
}
_POSITIONED = (Stage.VERTEX, Stage.TESS_EVALUATION, Stage.GEOMETRY)
_FROM_POSITION = (*_POSITIONED, Stage.TESS_CONTROL)


class Entry:
    """The interface of a shader while it is read.

    Parameters
    ----------
    builder : Builder
        What is built.
    source : Source
        The shader's function.
    """

    def __init__(self, builder: Builder, source: Source) -> None:
        self.builder = builder
        self.source = source

    def parameter(self, body: Body, parameter: ast.arg, default: ast.expr | None) -> None:
        """Read one parameter."""
        if parameter.annotation is None:
            raise Misuse(f"{parameter.arg} has no type; write {parameter.arg}: vec4 = {self._place()}(0)")
        if self._texture(body, parameter, default):
            return
        block = self._block(body, parameter.annotation)
        if block is not None:
            if default is not None:
                raise Misuse(f"{parameter.arg} is a uniform block, which has no place")
            body.bind(parameter.arg, block)
            return
        if self._memory(body, parameter, default):
            return
        if self.builder.stage in subset_stages.WITH_VERTICES and self._vertices(body, parameter, default):
            return
        wanted = body.named_type(parameter.annotation)
        if not isinstance(wanted, Type) or wanted.kind == BOOL:
            raise Misuse(
                f"{ast.unparse(parameter.annotation)} is no type of an input; use float, vec4, int, uvec2 ..."
            )
        if default is None:
            raise Misuse(f"{parameter.arg} has no place; write {parameter.arg}: {wanted} = {self._place()}(0)")
        location, interpolation, sampling = self._located(body, default)
        self.builder.inputs.append(
            Input(location=location, components=wanted.size, type=ComponentType(wanted.kind),
                  interpolation=interpolation, sampling=sampling, name=parameter.arg)
        )  # fmt: skip
        registers = tuple(self.builder.load_input(location, component) for component in range(wanted.size))
        body.bind(parameter.arg, Value(wanted, registers))

    def _vertices(self, body: Body, parameter: ast.arg, default: ast.expr | None) -> bool:
        """Read a parameter of which each vertex has one; return whether it is one."""
        assert parameter.annotation is not None
        wanted = subset_stages.array_type(body, parameter.annotation)
        if wanted is None:
            if self.builder.stage is Stage.TESS_EVALUATION:
                return False
            raise Misuse(f"each vertex has {parameter.arg}; write {parameter.arg}: Array[vec4] = varying(0)")
        if default is None:
            raise Misuse(f"{parameter.arg} has no place; write {parameter.arg}: Array[{wanted}] = varying(0)")
        location, _, _ = self._located(body, default, "varying")
        body.bind(parameter.arg, subset_stages.declare_vertices(self.builder, location, wanted, parameter.arg))
        return True

    def _place(self) -> str:
        place = _PLACES.get(self.builder.stage)
        if place is None:
            raise Misuse(f"a {self.builder.stage} shader has no inputs; it takes blocks, images and textures")
        return place

    def _memory(self, body: Body, parameter: ast.arg, default: ast.expr | None) -> bool:
        """Bind a parameter that is a storage buffer, shared memory or an image; return whether it is one."""
        assert parameter.annotation is not None
        names = body.source.names
        annotation = parameter.annotation
        name = annotation.value if isinstance(annotation, ast.Constant) else ast.unparse(annotation)
        found = names.get(str(name))
        block = subset_memory.block_of(self.builder, found, names)
        if block is not None and default is not None:
            raise Misuse(f"{parameter.arg} is a block of memory, which has no place")
        bound = block or subset_memory.image_of(self.builder, found, default, names)
        if bound is not None:
            body.bind(parameter.arg, bound)
        return bound is not None

    def _block(self, body: Body, annotation: ast.expr) -> Block | None:
        """Return the uniform block that an annotation names, if it does."""
        name = annotation.value if isinstance(annotation, ast.Constant) else ast.unparse(annotation)
        found = body.source.names.get(str(name))
        if not (inspect.isclass(found) and issubclass(found, Uniform)):
            return None
        module = inspect.getmodule(found)
        layout = layout_of(found, {**body.source.names, **(vars(module) if module else {})})
        self.builder.uniforms[layout.binding] = UniformBlock(
            binding=layout.binding, size_B=layout.size_B, name=layout.name
        )
        return Block(layout)

    def _texture(self, body: Body, parameter: ast.arg, default: ast.expr | None) -> bool:
        """Read a parameter that is a texture or a sampler; return whether it is one."""
        assert parameter.annotation is not None
        annotation = parameter.annotation
        name = annotation.value if isinstance(annotation, ast.Constant) else ast.unparse(annotation)
        word = body.source.names.get(str(name))
        declared = texture_type(word)
        if declared is None and not is_sampler_type(word):
            return False
        slots = SEPARATE_SLOTS if declared is None or declared.separate else COMBINED_SLOTS
        binding = self._binding(body, parameter.arg, default, slots)
        if declared is None:
            body.bind(parameter.arg, sampler_in_slot(self.builder, binding, parameter.arg))
        else:
            body.bind(parameter.arg, in_slot(self.builder, declared, binding, parameter.arg))
        return True

    def _binding(self, body: Body, name: str, default: ast.expr | None, slots: int) -> int:
        """Read ``binding(slot)``."""
        place = body.source.names.get(ast.unparse(default.func)) if isinstance(default, ast.Call) else None
        if not isinstance(default, ast.Call) or not isinstance(place, Word) or place.name != "binding":
            raise Misuse(f"{name} has no slot; write {name}: ... = binding(0)")
        if default.keywords or len(default.args) != 1:
            raise Misuse("a slot is written binding(0)")
        found = body.constant_int(default.args[0])
        if not 0 <= found < slots:
            raise Misuse(f"binding {found}; slots are 0 to {slots - 1}")
        return found

    def _located(
        self, body: Body, default: ast.expr, wanted: str | None = None
    ) -> tuple[int, Interpolation, Sampling]:
        """Read ``attribute(location)``, ``patch(location)`` or ``varying(location, interpolation, sampling)``."""
        wanted = wanted or self._place()
        if not isinstance(default, ast.Call) or default.keywords or not 1 <= len(default.args) <= 3:
            raise Misuse(f"the place of an input is written {wanted}(location)")
        place = body.source.names.get(ast.unparse(default.func))
        if not isinstance(place, Word) or place.name != wanted:
            raise Misuse(f"an input of a {self.builder.stage} shader is a{'n' * (wanted[0] == 'a')} "
                         f"{wanted}")  # fmt: skip
        interpolation, sampling = self._interpolated(body, default.args[1:])
        location = body.constant_int(default.args[0])
        if not 0 <= location <= MAX_LOCATION:
            raise Misuse(f"location {location}; locations are 0 to {MAX_LOCATION}")
        return location, interpolation, sampling

    def _interpolated(self, body: Body, words: list[ast.expr]) -> tuple[Interpolation, Sampling]:
        """Read an interpolation, a place in the pixel, or one after the other."""
        interpolation, sampling = Interpolation.SMOOTH, Sampling.CENTER
        known = {one.value: one for one in (*Interpolation, Sampling.CENTROID, Sampling.SAMPLE)}
        for number, node in enumerate(words):
            word = body.source.names.get(ast.unparse(node))
            found = known.get(word.name) if isinstance(word, Word) else None
            if self.builder.stage is not Stage.FRAGMENT:
                found = None
            if isinstance(found, Interpolation) and number == 0:
                interpolation = found
            elif isinstance(found, Sampling) and sampling is Sampling.CENTER:
                sampling = found
            else:
                names = ", ".join(one.value for one in Interpolation)
                raise Misuse(f"{ast.unparse(node)} is no interpolation; use {names}, then centroid or sample")
        return interpolation, sampling

    def finish(self, body: Body, value: ast.expr | None) -> None:
        """Store what the shader returns."""
        results = list(self._results(body, value))
        if results and self.builder.stage is Stage.COMPUTE:
            raise Misuse("a compute shader returns nothing; store to memory")
        if self.builder.stage in _POSITIONED and POSITION not in [location for location, _ in results]:
            gives = "emits" if self.builder.stage is Stage.GEOMETRY else "returns"
            raise Misuse(f"a {self.builder.stage} shader {gives} its position first")
        for location, node in results:
            self.store(body, location, node)

    def _results(self, body: Body, value: ast.expr | None) -> Iterator[tuple[int, ast.expr]]:
        """Yield location and expression of each result."""
        parts = [] if value is None else value.elts if isinstance(value, ast.Tuple) else [value]
        location = POSITION if self.builder.stage in _FROM_POSITION else 0
        for part in parts:
            if not isinstance(part, ast.Dict):
                yield location, part
                location += 1
                continue
            for key, node in zip(part.keys, part.values, strict=True):
                if key is None:
                    raise Misuse("outputs by location are written {0: a, 3: b}")
                yield body.constant_int(key), node

    def _check_location(self, location: int) -> None:
        """Refuse a place that the stage does not write; those of fragments depend on their types."""
        stage = self.builder.stage
        special = SPECIAL_OUTPUTS.get(location)
        is_known = 0 <= location <= MAX_LOCATION or (special is not None and stage in special.stages)
        if stage is not Stage.FRAGMENT and not is_known:
            raise Misuse(f"output {location}; {allowed_outputs(stage)}")

    def store(self, body: Body, location: int, node: ast.expr) -> None:
        """Store a value to an output."""
        self._check_location(location)
        value = typed(self.builder, body.expression(node), FLOAT)
        if value.type.kind == BOOL:
            raise Misuse("an output is a number; write float(x) or uint(x)")
        name = node.id if isinstance(node, ast.Name) else "position" if location == POSITION else ""
        output = Output(
            location=location, components=value.type.size, type=ComponentType(value.type.kind), name=name
        )  # fmt: skip
        known = self.builder.outputs.setdefault(location, output)
        if (known.components, known.type) != (output.components, output.type):
            raise Misuse(f"output {location} is {value.type} here and another type elsewhere")
        if location == POSITION and value.type != Type(FLOAT, 4):
            raise Misuse(f"a position is a vec4, not {value.type}")
        for component, register in enumerate(value.registers):
            self.builder.emit(StoreOutput(location=location, component=component, of=register))


def compile_function(
    function: Callable[..., Any],
    stage: Stage,
    *,
    local_size: tuple[int, int, int] = (1, 1, 1),
    early_fragment_tests: bool = False,
    layout: Geometry | TessControl | TessEvaluation | None = None,
) -> Shader:
    """Return the shader that a Python function says.

    Parameters
    ----------
    function : function
        Written in the subset; it is read, never run.
    stage : Stage
    local_size : tuple of int
        Of the workgroup of a compute shader.
    early_fragment_tests : bool
        Whether a fragment shader asks for tests before it runs.
    layout : Geometry, TessControl, TessEvaluation or None
        How a shader of those stages runs.

    Raises
    ------
    ShaderSourceError
        Naming file, line, the line's text and what is not in the subset.
    """
    source = source_of(function)
    definition = source.function
    builder = Builder(stage, definition.name)
    builder.local_size, builder.early_fragment_tests = local_size, early_fragment_tests
    builder.layout = layout
    entry = Entry(builder, source)
    body = Body(builder, source, entry)
    if has_other_parameters(definition):
        raise source.error(definition, "a shader's parameters are plain: name: type = place")
    arguments = definition.args
    defaults = [None] * (len(arguments.args) - len(arguments.defaults)) + list(arguments.defaults)
    for parameter, default in zip(arguments.args, defaults, strict=True):
        try:
            entry.parameter(body, parameter, default)
        except Misuse as error:
            raise source.error(parameter, str(error)) from None
    try:
        body.statements(definition.body, last=True)
    except RecursionError:
        raise source.error(definition, "an expression is nested too deep") from None
    except ShaderSourceError:
        raise
    except ArgumentError as error:
        raise source.error(definition, str(error)) from None
    if stage in (Stage.VERTEX, Stage.TESS_EVALUATION) and not returns(definition.body):
        raise source.error(definition, f"a {stage} shader returns its position, whichever way it goes")
    try:
        return validate(builder.shader(), f"{source.file}:{source.first_line}: {definition.name}")
    except InputFileError as error:
        raise ShaderSourceError(str(error)) from None
