"""How is a shader written down as GLSL, for people who must put the same one on another machine?

GLSL 4.50 with locations and bindings. Registers stay registers: words are ``uint``, seen as float or int where an
operation does so, and every one is ``precise``, so that no compiler fuses a product and a sum that stand apart.
Uniform blocks are arrays of words. What GLSL leaves open (denormals, the last bit of a division or a root, a NaN's
payload) stays open there; the bits are this package's.

Read next: ``operations.py``, whose table holds each operation's text.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping

from refnvn.shader import glsl_memory, glsl_stages, glsl_textures
from refnvn.shader.ir import (
    POINT_SIZE,
    POSITION,
    SAMPLE_MASK,
    AnyStatement,
    Break,
    Constant,
    Continue,
    Derive,
    Discard,
    If,
    Input,
    LoadBuiltin,
    LoadInput,
    LoadUniform,
    Loop,
    Operate,
    Output,
    Shader,
    StoreDepth,
    StoreOutput,
)
from refnvn.shader.ir_base import Axis, Builtin, ComponentType, Interpolation, Kind, Sampling, Stage
from refnvn.shader.ir_memory import MemoryStatement
from refnvn.shader.ir_stages import StageStatement
from refnvn.shader.ir_textures import TextureStatement
from refnvn.shader.operations import OPERATIONS
from refnvn.shader.special_outputs import (
    CLIP_DISTANCES,
    LAYER,
    MORE_CLIP_DISTANCES,
    SPECIAL_OUTPUTS,
    VIEWPORT_INDEX,
)
from refnvn.shader.validate import validate

_INDENT = "    "
_TO_FRAGMENTS = (Stage.VERTEX, Stage.TESS_EVALUATION, Stage.GEOMETRY)
_VECTORS = {ComponentType.FLOAT: "vec", ComponentType.INT: "ivec", ComponentType.UINT: "uvec"}
_SEEN = {"float": "uintBitsToFloat({})", "int": "int({})", "uint": "{}", "word": "{}", "bool": "{}"}
_KEPT = {"float": "floatBitsToUint({})", "int": "uint({})", "uint": "{}", "word": "{}", "bool": "{}"}
_BUILTINS = {
    Builtin.VERTEX_ID: "uint(gl_VertexID)",
    Builtin.INSTANCE_ID: "uint(gl_InstanceID)",
    Builtin.FRAG_COORD_X: "floatBitsToUint(gl_FragCoord.x)",
    Builtin.FRAG_COORD_Y: "floatBitsToUint(gl_FragCoord.y)",
    Builtin.FRAG_COORD_Z: "floatBitsToUint(gl_FragCoord.z)",
    Builtin.FRAG_COORD_W: "floatBitsToUint(gl_FragCoord.w)",
    Builtin.FRONT_FACING: "gl_FrontFacing",
    Builtin.PRIMITIVE_ID: "uint(gl_PrimitiveID)",
    Builtin.POINT_COORD_X: "floatBitsToUint(gl_PointCoord.x)",
    Builtin.POINT_COORD_Y: "floatBitsToUint(gl_PointCoord.y)",
    Builtin.SAMPLE_ID: "uint(gl_SampleID)",
    Builtin.SAMPLE_MASK_IN: "uint(gl_SampleMaskIn[0])",
    Builtin.SAMPLE_POSITION_X: "floatBitsToUint(gl_SamplePosition.x)",
    Builtin.SAMPLE_POSITION_Y: "floatBitsToUint(gl_SamplePosition.y)",
    Builtin.LAYER: "uint(gl_Layer)",
    Builtin.VIEWPORT_INDEX: "uint(gl_ViewportIndex)",
    Builtin.INVOCATION_ID: "uint(gl_InvocationID)",
    Builtin.PATCH_VERTICES: "uint(gl_PatchVerticesIn)",
    Builtin.TESS_COORD_X: "floatBitsToUint(gl_TessCoord.x)",
    Builtin.TESS_COORD_Y: "floatBitsToUint(gl_TessCoord.y)",
    Builtin.TESS_COORD_Z: "floatBitsToUint(gl_TessCoord.z)",
    **glsl_memory.BUILTINS,
}
_HELPERS = {
    "uint.mul_high": "uint refnvn_umulh(uint a, uint b) { uint h, l; umulExtended(a, b, h, l); return h; }",
    "int.mul_high": "int refnvn_imulh(int a, int b) { int h, l; imulExtended(a, b, h, l); return h; }",
}


def glsl(shader: Shader) -> str:
    """Return a shader as GLSL 4.50.

    Parameters
    ----------
    shader : Shader
        Validated here.

    Returns
    -------
    str
        Compiles with ``glslangValidator -S vert``, ``-S frag`` and so on. Input i is ``in_i``, output i ``out_i``.

    Raises
    ------
    InputFileError
        For what is no shader.

    Examples
    --------
    >>> from refnvn.shader.ir import Output
    >>> half = Shader(refnvn_shader=1, stage=Stage.FRAGMENT, outputs=(Output(location=0, components=1),),
    ...     registers=(Kind.WORD,), statements=(Constant(to=0, bits=0x3F000000), StoreOutput(location=0, of=0)))
    >>> print(glsl(half))
    #version 450
    layout(location = 0) out float out_0;
    <BLANKLINE>
    void main()
    {
        precise uint w0 = 0u;
        out_0 = 0.0;
        w0 = 0x3f000000u; // 0.5
        out_0 = uintBitsToFloat(w0);
    }
    <BLANKLINE>
    """
    return _Printer(validate(shader)).text()


def _type_name(one: Input | Output) -> str:
    return one.type.value if one.components == 1 else f"{_VECTORS[one.type]}{one.components}"


def _part(one: Input | Output, name: str, component: int) -> str:
    return name if one.components == 1 else f"{name}.{'xyzw'[component]}"


def _distance(location: int, component: int) -> str:
    """Return how a clip distance is written; nothing for another location."""
    if location not in (CLIP_DISTANCES, MORE_CLIP_DISTANCES):
        return ""
    return f"gl_ClipDistance[{component + 4 * (location == MORE_CLIP_DISTANCES)}]"


def _comment(name: str) -> str:
    return f" // {name}" if name else ""


class _Printer:
    def __init__(self, shader: Shader) -> None:
        self.shader = shader
        self.inputs = {one.location: one for one in shader.inputs}
        self.outputs = {one.location: one for one in shader.outputs}
        self.blocks = {one.binding: one for one in shader.uniforms}
        self.lines: list[str] = []
        self.depth = 0
        self.turns = 0
        self.reads = 0

    def line(self, text: str) -> None:
        self.lines.append(_INDENT * self.depth + text)

    def text(self) -> str:
        self.lines = [
            "#version 450",
            *self._extensions(),
            *self._interface(),
            *self._functions(),
            "",
            "void main()",
            "{",
        ]
        self.depth = 1
        for register, kind in enumerate(self.shader.registers):
            declared = f"bool b{register} = false;" if kind is Kind.BOOL else f"precise uint w{register} = 0u;"
            self.line(declared)
        for one in self.shader.outputs:
            if one.location not in (CLIP_DISTANCES, MORE_CLIP_DISTANCES):
                self.line(f"{self._output_name(one)} = {self._zero(one)};")
        for distance in range(self._clip_distances()):
            self.line(f"gl_ClipDistance[{distance}] = 0.0;")
        self.block(self.shader.statements)
        return "\n".join([*self.lines, "}", ""])

    def _interface(self) -> Iterator[str]:
        """Yield the declarations of inputs, outputs and uniform blocks."""
        yield from glsl_stages.layouts(self.shader)
        if read := self._distances(self.inputs):
            yield f"in float gl_ClipDistance[{read}];"
        for one in (one for one in self.shader.inputs if one.location >= 0):
            how = "patch " if self.shader.stage is Stage.TESS_EVALUATION else ""
            how += "" if one.interpolation is Interpolation.SMOOTH else f"{one.interpolation} "
            how += "" if one.sampling is Sampling.CENTER else f"{one.sampling} "
            declared = f"{how}in {_type_name(one)} in_{one.location};"
            yield f"layout(location = {one.location}) {declared}{_comment(one.name)}"
        yield from self._own_block()
        for output in self.shader.outputs:
            if output.location < 0:
                continue
            flat = self.shader.stage in _TO_FRAGMENTS and output.type is not ComponentType.FLOAT
            each = "[]" if self.shader.stage is Stage.TESS_CONTROL else ""
            declared = f"{'flat ' if flat else ''}out {_type_name(output)} out_{output.location}{each};"
            yield f"layout(location = {output.location}) {declared}{_comment(output.name)}"
        for block in self.shader.uniforms:
            rows = -(-block.size_B // 16)
            declared = f"uniform Block{block.binding} {{ uvec4 rows[{rows}]; }} block_{block.binding};"
            yield f"layout(std140, binding = {block.binding}) {declared}{_comment(block.name)}"
        yield from glsl_stages.declarations(self.shader)
        yield from glsl_memory.declarations(self.shader)
        yield from glsl_textures.declarations(self.shader)

    def _extensions(self) -> Iterator[str]:
        """Yield what has to stand first."""
        chooses = not self.outputs.keys().isdisjoint((LAYER, VIEWPORT_INDEX))
        if chooses and self.shader.stage is not Stage.GEOMETRY:
            yield "#extension GL_ARB_shader_viewport_layer_array : require"
        yield from glsl_textures.extensions(self.shader)

    def _clip_distances(self) -> int:
        """Return how many clip distances GLSL has to declare."""
        return 0 if self.shader.stage is Stage.FRAGMENT else self._distances(self.outputs)

    @staticmethod
    def _distances(interface: Mapping[int, Input | Output]) -> int:
        """Return how many clip distances some inputs or outputs hold."""
        if MORE_CLIP_DISTANCES in interface:
            return 4 + interface[MORE_CLIP_DISTANCES].components
        return interface[CLIP_DISTANCES].components if CLIP_DISTANCES in interface else 0

    def _own_block(self) -> Iterator[str]:
        """Yield the block of what the pipeline takes of a vertex."""
        outputs = self.outputs
        if POSITION not in outputs or self.shader.stage is Stage.FRAGMENT:
            return
        held = "precise vec4 gl_Position;"
        held += " float gl_PointSize;" if POINT_SIZE in outputs else ""
        held += f" float gl_ClipDistance[{self._clip_distances()}];" if self._clip_distances() else ""
        each = " gl_out[]" if self.shader.stage is Stage.TESS_CONTROL else ""
        yield f"out gl_PerVertex {{ {held} }}{each};"

    def _functions(self) -> Iterator[str]:
        for name in self.shader.operations:
            if name in _HELPERS:
                yield _HELPERS[name]
        for block in self.shader.uniforms:
            yield (
                f"uint load_{block.binding}(uint place) {{ return place < {block.size_B // 4}u ? "
                f"block_{block.binding}.rows[place >> 2u][place & 3u] : 0u; }}"
            )

    def _output_name(self, one: Output) -> str:
        if one.location >= 0:
            return glsl_stages.output_name(self.shader, f"out_{one.location}")
        if self.shader.stage is Stage.FRAGMENT:
            return "gl_SampleMask[0]"
        return glsl_stages.output_name(self.shader, SPECIAL_OUTPUTS[one.location].glsl)

    def _stored(self, one: Output, component: int) -> str:
        """Return how one component of an output is written."""
        return _distance(one.location, component) or _part(one, self._output_name(one), component)

    def _is_mask(self, location: int) -> bool:
        return location == SAMPLE_MASK and self.shader.stage is Stage.FRAGMENT

    def _zero(self, one: Output) -> str:
        if self._is_mask(one.location):
            return "0"
        zero = {ComponentType.FLOAT: "0.0", ComponentType.INT: "0", ComponentType.UINT: "0u"}[one.type]
        return zero if one.components == 1 else f"{_type_name(one)}({zero})"

    def register(self, register: int, view: str = "word") -> str:
        name = f"{'b' if self.shader.registers[register] is Kind.BOOL else 'w'}{register}"
        return _SEEN[view].format(name)

    def block(self, statements: tuple[AnyStatement, ...]) -> None:
        for statement in statements:
            self.statement(statement)

    def _braced(self, statements: tuple[AnyStatement, ...]) -> None:
        self.line("{")
        self.depth += 1
        self.block(statements)
        self.depth -= 1
        self.line("}")

    def statement(self, statement: AnyStatement) -> None:
        match statement:
            case If(condition=condition, then=then, otherwise=otherwise):
                self.line(f"if ({self.register(condition)})")
                self._braced(then)
                if otherwise:
                    self.line("else")
                    self._braced(otherwise)
            case Loop():
                self._loop(statement)
            case Break() | Continue() | Discard():
                self.line(f"{type(statement).__name__.lower()};")
            case StoreOutput(location=location, of=of) if self._is_mask(location):
                self.line(f"gl_SampleMask[0] = int({self.register(of)});")
            case StoreOutput(location=location, component=component, of=of):
                one = self.outputs[location]
                stored = self._stored(one, component)
                self.line(f"{stored} = {self.register(of, one.type.value)};")
            case StoreDepth(of=of):
                self.line(f"gl_FragDepth = {self.register(of, 'float')};")
            case MemoryStatement():
                for text in glsl_memory.lines(self.shader, statement, self.register):
                    self.line(text)
            case StageStatement():
                self.line(glsl_stages.line(self.shader, statement, self.register))
            case TextureStatement():
                for text in glsl_textures.lines(self.shader, statement, self.register, self.reads):
                    self.line(text)
                self.reads += 1
            case _:
                self.line(f"{self.register(statement.to)} = {self.value(statement)}")

    def _loop(self, loop: Loop) -> None:
        turn = f"t{self.turns}"
        self.turns += 1
        self.line(f"for (uint {turn} = 0u; {turn} < {loop.times}u; {turn}++)")
        self.line("{")
        self.depth += 1
        if loop.counter is not None:
            self.line(f"{self.register(loop.counter)} = {turn};")
        self.block(loop.body)
        self.depth -= 1
        self.line("}")

    def value(self, statement: Operate | Constant | LoadInput | LoadBuiltin | LoadUniform | Derive) -> str:
        """Return what is written to a register, with the semicolon."""
        match statement:
            case Operate(name=name, of=of):
                operation = OPERATIONS[name]
                seen = [self.register(one, view) for one, view in zip(of, operation.operands, strict=True)]
                return _KEPT[operation.result].format(operation.glsl.format(*seen)) + ";"
            case Constant(to=to, bits=bits):
                return self._constant(to, bits)
            case LoadInput(location=location, component=component):
                one = self.inputs[location]
                name = _distance(location, component) or _part(one, f"in_{location}", component)
                return _KEPT[one.type.value].format(name) + ";"
            case LoadBuiltin(builtin=builtin):
                if builtin is Builtin.PRIMITIVE_ID and self.shader.stage is Stage.GEOMETRY:
                    return "uint(gl_PrimitiveIDIn);"
                return _BUILTINS[builtin] + ";"
            case LoadUniform(binding=binding, offset_B=offset_B, plus_B=plus_B):
                place = f"{offset_B // 4}u"
                if plus_B is not None:
                    place = f"({self.register(plus_B)} + {offset_B}u) >> 2u"
                return f"load_{binding}({place});"
            case Derive(of=of, axis=axis, coarse=coarse):
                function = f"dFd{'x' if axis is Axis.X else 'y'}{'Coarse' if coarse else 'Fine'}"
                return f"floatBitsToUint({function}({self.register(of, 'float')}));"

    def _constant(self, register: int, bits: int) -> str:
        if self.shader.registers[register] is Kind.BOOL:
            return f"{'true' if bits else 'false'};"
        number = struct.unpack("<f", struct.pack("<I", bits))[0]
        remark = f" // {number:.9g}" if 0x00800000 <= bits & 0x7FFFFFFF < 0x7F800000 else ""
        return f"{bits:#x}u;{remark}"
