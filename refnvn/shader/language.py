"""The words of the shader language, so that a scene can name them: types, functions, places of the interface.

They mean something inside a shader only, where they are read and never called; called anywhere else they raise. What
each does is in ``docs/shader-subset.md`` and, as code, in ``subset_functions.py``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from refnvn.errors import ArgumentError
from refnvn.shader.language_words import Place, Word, slot_of

__all__ = [
    "Array",
    "Uniform",
    "all_of",
    "any_of",
    "attribute",
    "bit_count",
    "bitfield_reverse",
    "bvec2",
    "bvec3",
    "bvec4",
    "ceil",
    "centroid",
    "clamp",
    "cos",
    "cross",
    "ddx",
    "ddx_coarse",
    "ddy",
    "ddy_coarse",
    "discard",
    "distance",
    "dot",
    "exp",
    "exp2",
    "find_lsb",
    "find_msb",
    "flat",
    "float_bits_to_int",
    "float_bits_to_uint",
    "floor",
    "fma",
    "fract",
    "fwidth",
    "gl",
    "int_bits_to_float",
    "inverse_sqrt",
    "is_infinite",
    "is_nan",
    "ivec2",
    "ivec3",
    "ivec4",
    "length",
    "log",
    "log2",
    "mat2",
    "mat3",
    "mat4",
    "mix",
    "mod",
    "mul_high",
    "noperspective",
    "normalize",
    "pack_half_2x16",
    "pack_snorm_2x16",
    "pack_snorm_4x8",
    "pack_unorm_2x16",
    "pack_unorm_4x8",
    "rcp",
    "reflect",
    "round_even",
    "sample",
    "saturate",
    "select",
    "sign",
    "sin",
    "smooth",
    "smoothstep",
    "sqrt",
    "step",
    "tan",
    "trunc",
    "uint",
    "uint_bits_to_float",
    "unpack_half_2x16",
    "uvec2",
    "uvec3",
    "uvec4",
    "varying",
    "vec2",
    "vec3",
    "vec4",
]


class Array:
    """``Array[vec4, 16]``: a field of a block; ``Array[uint]`` is an open one, the last of a storage buffer."""

    def __init__(self, element: Any, length: int = 0) -> None:
        if not isinstance(length, int):
            raise ArgumentError(f"Array: length is {length!r}, allowed are whole numbers; write Array[vec4, 16]")
        self.element = element
        self.length = length

    def __class_getitem__(cls, item: Any) -> Any:
        return cls(*item) if isinstance(item, tuple) else cls(item)

    if TYPE_CHECKING:  # type checkers see a container of anything

        def __getitem__(self, place: Any) -> Any: ...

        def __setitem__(self, place: Any, value: Any) -> None: ...


class Uniform:
    """Base of uniform blocks: ``class Camera(Uniform, binding=0)`` with annotated fields, laid out as std140 does.

    Attributes
    ----------
    binding : int
        The uniform buffer slot.
    """

    binding: ClassVar[int]

    def __init_subclass__(cls, *, binding: int | None = None, **named: Any) -> None:
        super().__init_subclass__(**named)
        cls.binding = slot_of(cls, "Uniform", binding)


class _Pipeline(Word):
    """``gl``: what the pipeline gives and takes by name."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        raise ArgumentError(f"gl.{name} means something inside a shader only")


if TYPE_CHECKING:  # type checkers see classes of which anything may be asked

    class vec2(Any): ...  # type: ignore[misc]  # noqa: D101, N801

    class vec3(Any): ...  # type: ignore[misc]  # noqa: D101, N801

    class vec4(Any): ...  # type: ignore[misc]  # noqa: D101, N801

    class ivec2(Any): ...  # type: ignore[misc]  # noqa: D101, N801

    class ivec3(Any): ...  # type: ignore[misc]  # noqa: D101, N801

    class ivec4(Any): ...  # type: ignore[misc]  # noqa: D101, N801

    class uint(Any): ...  # type: ignore[misc]  # noqa: D101, N801

    class uvec2(Any): ...  # type: ignore[misc]  # noqa: D101, N801

    class uvec3(Any): ...  # type: ignore[misc]  # noqa: D101, N801

    class uvec4(Any): ...  # type: ignore[misc]  # noqa: D101, N801

    class bvec2(Any): ...  # type: ignore[misc]  # noqa: D101, N801

    class bvec3(Any): ...  # type: ignore[misc]  # noqa: D101, N801

    class bvec4(Any): ...  # type: ignore[misc]  # noqa: D101, N801

    class mat2(Any): ...  # type: ignore[misc]  # noqa: D101, N801

    class mat3(Any): ...  # type: ignore[misc]  # noqa: D101, N801

    class mat4(Any): ...  # type: ignore[misc]  # noqa: D101, N801

else:
    vec2 = Word("vec2")
    vec3 = Word("vec3")
    vec4 = Word("vec4")
    ivec2 = Word("ivec2")
    ivec3 = Word("ivec3")
    ivec4 = Word("ivec4")
    uint = Word("uint")
    uvec2 = Word("uvec2")
    uvec3 = Word("uvec3")
    uvec4 = Word("uvec4")
    bvec2 = Word("bvec2")
    bvec3 = Word("bvec3")
    bvec4 = Word("bvec4")
    mat2 = Word("mat2")
    mat3 = Word("mat3")
    mat4 = Word("mat4")

# Places of the interface.
attribute: Any = Place("attribute")
varying: Any = Place("varying")
smooth: Any = Word("smooth")
noperspective: Any = Word("noperspective")
flat: Any = Word("flat")
centroid: Any = Word("centroid")
sample: Any = Word("sample")
gl: Any = _Pipeline("gl")

# Functions.
discard: Any = Word("discard")
select: Any = Word("select")
sign: Any = Word("sign")
floor: Any = Word("floor")
ceil: Any = Word("ceil")
trunc: Any = Word("trunc")
round_even: Any = Word("round_even")
fract: Any = Word("fract")
sqrt: Any = Word("sqrt")
inverse_sqrt: Any = Word("inverse_sqrt")
rcp: Any = Word("rcp")
exp2: Any = Word("exp2")
log2: Any = Word("log2")
exp: Any = Word("exp")
log: Any = Word("log")
sin: Any = Word("sin")
cos: Any = Word("cos")
tan: Any = Word("tan")
fma: Any = Word("fma")
mod: Any = Word("mod")
clamp: Any = Word("clamp")
saturate: Any = Word("saturate")
mix: Any = Word("mix")
step: Any = Word("step")
smoothstep: Any = Word("smoothstep")
dot: Any = Word("dot")
cross: Any = Word("cross")
length: Any = Word("length")
distance: Any = Word("distance")
normalize: Any = Word("normalize")
reflect: Any = Word("reflect")
is_nan: Any = Word("is_nan")
is_infinite: Any = Word("is_infinite")
any_of: Any = Word("any_of")
all_of: Any = Word("all_of")
ddx: Any = Word("ddx")
ddy: Any = Word("ddy")
ddx_coarse: Any = Word("ddx_coarse")
ddy_coarse: Any = Word("ddy_coarse")
fwidth: Any = Word("fwidth")
float_bits_to_int: Any = Word("float_bits_to_int")
float_bits_to_uint: Any = Word("float_bits_to_uint")
int_bits_to_float: Any = Word("int_bits_to_float")
uint_bits_to_float: Any = Word("uint_bits_to_float")
pack_half_2x16: Any = Word("pack_half_2x16")
unpack_half_2x16: Any = Word("unpack_half_2x16")
pack_unorm_4x8: Any = Word("pack_unorm_4x8")
pack_snorm_4x8: Any = Word("pack_snorm_4x8")
pack_unorm_2x16: Any = Word("pack_unorm_2x16")
pack_snorm_2x16: Any = Word("pack_snorm_2x16")
bit_count: Any = Word("bit_count")
find_lsb: Any = Word("find_lsb")
find_msb: Any = Word("find_msb")
bitfield_reverse: Any = Word("bitfield_reverse")
mul_high: Any = Word("mul_high")
