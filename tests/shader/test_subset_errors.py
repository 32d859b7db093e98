"""What is not in the shader language is refused, with the place and a hint."""

from collections.abc import Callable
from typing import Any

import pytest

from refnvn.errors import ArgumentError
from refnvn.shader.python import (
    Array,
    ShaderSourceError,
    Storage,
    Uniform,
    attribute,
    compute_shader,
    ddx,
    discard,
    dot,
    flat,
    fragment_shader,
    geometry_shader,
    gl,
    inverse_sqrt,
    mat3,
    tessellation_control_shader,
    tessellation_evaluation_shader,
    uint,
    varying,
    vec2,
    vec3,
    vec4,
    vertex_shader,
)

TEXT = "a text"


class Block(Uniform, binding=0):
    """A block with a matrix."""

    matrix: mat3


class WrongBlock(Uniform, binding=20):
    """A block beyond the last slot."""

    scale: float


class OddBlock(Uniform, binding=1):
    """A block with a field of no type."""

    names: str


def while_loop(x: float = varying(0)):
    while x > 0.0:
        x -= 1.0
    return x


def listed(x: float = varying(0)):
    return [x]


def of_text(x: float = varying(0)):
    return x + TEXT


def text_inside(x: float = varying(0)):
    return x + "1"


def mixed(x: float = varying(0), n: int = varying(1, flat)):
    return x * n


def divided(n: int = varying(0, flat)):
    return n / 2


def halved(x: float = varying(0)):
    return x // 2.0


def power(x: float = varying(0)):
    return x**2.0


def sizes(a: vec2 = varying(0), b: vec3 = varying(1)):
    return a + b


def swizzled(a: vec2 = varying(0)):
    return a.z


def twice(a: vec2 = varying(0)):
    b = a
    b.xx = a
    return b


def retyped(a: vec2 = varying(0)):
    b = a.x
    b = a
    return b * 2.0


def maybe(x: float = varying(0)):
    if x > 0.0:
        y = 1.0
    return y


def after_loop(x: float = varying(0)):
    for _ in range(2):
        y = x
    return y


def too_many(x: float = varying(0)):
    for _ in range(70_000):
        x += 1.0
    return x


def varying_range(n: int = varying(0, flat)):
    total = 0
    for i in range(n):
        total += i
    return total


def over_list(x: float = varying(0)):
    for y in (1.0, 2.0):
        x += y
    return x


def returns_in_loop(x: float = varying(0)):
    for _ in range(2):
        return x
    return x


def vector_condition(a: vec2 = varying(0)):
    return 1.0 if a > 0.0 else 0.0


def unknown(x: float = varying(0)):
    return nothing_known(x)  # noqa: F821


def library(x: float = varying(0)):
    return sorted(x)


def too_few(x: vec2 = varying(0)):
    return dot(x)


def named(x: float = varying(0)):
    return inverse_sqrt(x=x)


def no_type(x=varying(0)):
    return x


def no_place(x: float):
    return x


def wrong_place(x: float = attribute(0)):
    return x


def no_interpolation(x: float = varying(0, dot)):
    return x


def smooth_integer(n: uint = varying(0)):
    return n


def bad_location(x: float = varying(32)):
    return x


def same_location(x: float = varying(1), y: float = varying(1)):
    return x + y


def stars(*x: float):
    return x


def keyword(*, x: float = varying(0)):
    return x


def boolean_output(x: float = varying(0)):
    return x > 0.0


def two_types(x: float = varying(0)):
    if x > 0.0:
        return x
    return vec2(x, x)


def recursive(x: float = varying(0)):
    return recursive(x)


def forgets(x):  # noqa: RET503
    if x > 0.0:
        return x


def calls_forgetful(x: float = varying(0)):
    return forgets(x)


def assigns_input(block: Block, x: float = varying(0)):
    block = x  # noqa: F841
    return x


def no_field(block: Block):
    return block.scale


def wrong_block(block: WrongBlock):
    return block.scale


def odd_block(block: OddBlock):
    return block.names


def matrix_output(block: Block):
    return block.matrix


def turned_product(block: Block, x: vec3 = varying(0)):
    return x * block.matrix


def vertex_builtin():
    return float(gl.vertex_id)


def no_builtin():
    return gl.point_size


def writes_builtin(x: float = varying(0)):
    gl.frag_coord = vec4(x)
    return x


def inner(x: float = varying(0)):
    def square(y):
        return y * y

    return square(x)


def imports(x: float = varying(0)):
    import math  # noqa: F401

    return x


def ninth():
    return {8: 1.0}


def huge():
    return 1e40


def below_zero() -> object:
    return uint(-1)


def component_twice():
    return vec4(1.0, 2.0)


FRAGMENTS: list[tuple[Callable[..., Any], str]] = [
    (
        while_loop,
        r"a while loop \(write for i in range\(constant\) and break\) is not in .*: 'while x",
    ),
    (listed, "a list is not in the shader subset"),
    (of_text, "TEXT is a str; a shader takes numbers from outside"),
    (text_inside, "text is not in the shader subset"),
    (mixed, "float and int meet; convert one"),
    (divided, "/ on int is not in the shader subset; integers divide with //"),
    (halved, "// on float is not in the shader subset; floats divide with /"),
    (power, r"\*\* on float is not in the shader subset; multiply instead"),
    (sizes, "vec2 meets a vector of 3 components"),
    (swizzled, r"a value of 2 components has no \.z"),
    (twice, r"\.xx names a component twice"),
    (retyped, "b is float from its first assignment on, not vec2"),
    (maybe, "y may have no value here"),
    (after_loop, "y may have no value here"),
    (too_many, "70000 turns, more than the 65536"),
    (varying_range, "n is no constant integer"),
    (over_list, r"a loop runs over range\(constant\)"),
    (returns_in_loop, "return ends the function"),
    (vector_condition, "a condition is one boolean, not bvec2"),
    (unknown, "nothing_known is not defined"),
    (library, "sorted is no function of the shader language"),
    (too_few, "dot takes 2 arguments, not 1"),
    (named, "arguments are given by place"),
    (no_type, "x has no type; write x: vec4 = varying"),
    (no_place, r"x has no place; write x: float = varying\(0\)"),
    (wrong_place, "an input of a fragment shader is a varying"),
    (no_interpolation, "dot is no interpolation; use smooth, noperspective, flat"),
    (smooth_integer, "must be flat"),
    (bad_location, "location 32; locations are 0 to 31"),
    (same_location, "1 stands twice"),
    (stars, "parameters are plain"),
    (keyword, "parameters are plain"),
    (boolean_output, "an output is a number"),
    (two_types, "output 0 is vec2 here and another type elsewhere"),
    (recursive, "recursion is not possible"),
    (calls_forgetful, "forgets does not return a value whichever way it goes"),
    (assigns_input, "block is an input and keeps its value|cannot stand here"),
    (no_field, "Block has no field scale; it has matrix"),
    (wrong_block, "binding of 0 to 13"),
    (odd_block, "is no type of a field"),
    (matrix_output, "a matrix cannot stand here"),
    (turned_product, r"write matrix \* vector"),
    (vertex_builtin, "a fragment shader has no gl.vertex_id"),
    (no_builtin, "there is no gl.point_size"),
    (writes_builtin, "gl.frag_coord cannot be assigned"),
    (inner, "a function inside a shader"),
    (imports, "import is not in the shader subset"),
    (ninth, "a colour's location is 0 to 7"),
    (huge, "beyond the range of a float"),
    (below_zero, "-1 does not fit uint"),
    (component_twice, "vec4 is made of 4 components or one, not 2"),
]


@pytest.mark.parametrize(("function", "complaint"), FRAGMENTS, ids=lambda one: getattr(one, "__name__", ""))
def test_what_is_not_in_the_subset_is_refused(function: Callable[..., Any], complaint: str) -> None:
    """One sentence: file, line, what it is, what to write instead, and the line."""
    with pytest.raises(ShaderSourceError, match=complaint) as caught:
        fragment_shader(function)
    message = str(caught.value)
    assert message.startswith("test_subset_errors.py:")
    assert "\n" not in message
    assert isinstance(caught.value, ArgumentError)


def test_an_error_names_the_line() -> None:
    """The line is the statement's own, in the file."""
    first = while_loop.__code__.co_firstlineno
    with pytest.raises(ShaderSourceError, match=rf"test_subset_errors\.py:{first + 1}: .*'while x > 0.0:'"):
        fragment_shader(while_loop)


def no_position(color: vec4 = attribute(0)):
    color = color * 2.0


def half_position(x: float = attribute(0)):  # noqa: RET503
    if x > 0.0:
        return vec4(x)


def short_position(p: vec3 = attribute(0)):
    return p


def vertex_discard(p: vec4 = attribute(0)):
    discard()
    return p


def vertex_derivative(p: vec4 = attribute(0)):
    return ddx(p)


def vertex_depth(p: vec4 = attribute(0)):
    gl.frag_depth = p.z
    return p


def far_varying(p: vec4 = attribute(0)):
    return p, {40: p}


def low_varying(p: vec4 = attribute(0)):
    return p, {-7: p}


def only_varyings(p: vec4 = attribute(0)):
    return {0: p}


@pytest.mark.parametrize(
    ("function", "complaint"),
    [
        (no_position, "a vertex shader returns its position"),
        (half_position, "a vertex shader returns its position, whichever way it goes"),
        (short_position, "a position is a vec4, not vec3"),
        (vertex_discard, r"a vertex shader has no discard\(\)"),
        (vertex_derivative, "a vertex shader has no ddx"),
        (vertex_depth, "a vertex shader has no gl.frag_depth"),
        (far_varying, r"output 40; outputs of a vertex shader are 0 to 31, .*'return p, \{40: p\}'"),
        (low_varying, r"output -7; outputs of a vertex shader are 0 to 31"),
        (only_varyings, "a vertex shader returns its position first"),
    ],
    ids=lambda one: getattr(one, "__name__", ""),
)
def test_vertex_shaders_have_their_own_limits(function: Callable[..., Any], complaint: str) -> None:
    """A position is needed; fragments' own words are refused."""
    with pytest.raises(ShaderSourceError, match=complaint):
        vertex_shader(function)


def test_only_functions_with_a_source_are_shaders() -> None:
    """A lambda, a built-in function, and a function without source are refused."""
    with pytest.raises(ShaderSourceError, match=r"not as a lambda|cannot be read"):
        fragment_shader(lambda: 1.0)
    with pytest.raises(ShaderSourceError, match="is no plain function"):
        fragment_shader(len)
    made: dict[str, Any] = {}
    exec("def made():\n    return 1.0\n", made)
    with pytest.raises(ShaderSourceError, match="the source of made cannot be read"):
        fragment_shader(made["made"])


def test_a_coroutine_is_called_one() -> None:
    """`async def` is no lambda."""

    async def later():
        return vec4(0.0)

    with pytest.raises(ShaderSourceError, match="written as a function with `def`, not with `async def`"):
        fragment_shader(later)


def test_deep_expressions_are_refused() -> None:
    """An expression of thousands of terms gives an error, not a crash."""
    import linecache

    text = "def deep():\n    return " + " + ".join(["1.0"] * 1500) + "\n"
    linecache.cache["deep.py"] = (len(text), None, text.splitlines(keepends=True), "deep.py")
    made: dict[str, Any] = {}
    exec(compile(text, "deep.py", "exec"), made)
    with pytest.raises(ShaderSourceError, match="nested too deep"):
        fragment_shader(made["deep"])


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"local_size": 64}, "local_size is 64: Expected `array`"),
        ({"local_size": (8, 8)}, r"local_size is \(8, 8\): Expected `array` of length 3"),
        ({"local_size": ("8", 8, 1)}, "Expected `int`, got `str`"),
        ({"local_size": (0, 1, 1)}, "Expected `int` >= 1"),
    ],
    ids=["one-number", "two-numbers", "text", "nothing"],
)
def test_a_workgroup_is_three_whole_numbers(options: dict[str, Any], complaint: str) -> None:
    """The error names the option, its value, and what is allowed."""
    with pytest.raises(ShaderSourceError, match=complaint):
        compute_shader(**options)


@pytest.mark.parametrize(
    ("make", "complaint"),
    [
        (lambda: fragment_shader(early_fragment_tests="no"), "early_fragment_tests is 'no': Expected `bool`"),
        (lambda: geometry_shader(takes="points", makes="points", max_vertices="3"), "max_vertices is '3'"),
        (
            lambda: geometry_shader(takes="points", makes="points", max_vertices=1025),
            "max_vertices is 1025: .* <= 1024",
        ),
        (lambda: geometry_shader(takes="points", makes="points", max_vertices=1, invocations=33), "<= 32"),
        (lambda: geometry_shader(takes="triangle", makes="points", max_vertices=1), "takes 'triangle'; allowed are"),
        (lambda: tessellation_control_shader(vertices=33), "vertices is 33: Expected `int` <= 32"),
        (lambda: tessellation_evaluation_shader(domain="quads", clockwise=1), "clockwise is 1: Expected `bool`"),
    ],
    ids=["early-tests", "text", "vertices", "invocations", "takes", "patch", "clockwise"],
)
def test_options_of_stages_have_types_and_ranges(make: Callable[[], Any], complaint: str) -> None:
    """What no shader in a trace may say is refused where it is written."""
    with pytest.raises(ShaderSourceError, match=complaint):
        make()


def test_blocks_name_a_slot_and_arrays_a_length() -> None:
    """A block without a binding, or with text for one, says how it is written."""
    with pytest.raises(ArgumentError, match=r"Bare has no binding; write class Bare\(Uniform, binding=0\)"):
        type("Bare", (Uniform,), {})
    with pytest.raises(ArgumentError, match=r"Bare has the binding '1'; write class Bare\(Storage, binding=0\)"):
        type("Bare", (Storage,), {}, binding="1")
    with pytest.raises(ArgumentError, match=r"length is '3', allowed are whole numbers; write Array\[vec4, 16\]"):
        Array[vec4, "3"]


def test_a_uniform_field_is_not_assigned() -> None:
    """Not `assign all of it first`: a block is an input."""

    def writes(block: Block):
        block.matrix = vec4(0.0)
        return vec4(0.0)

    with pytest.raises(ShaderSourceError, match="block is an input and keeps its value"):
        fragment_shader(writes)


def test_blocks_may_stand_in_the_function_around() -> None:
    """A test's own block is found by the annotation, although the shader keeps no cell of it."""

    class Tint(Uniform, binding=3):
        color: vec4

    @fragment_shader
    def tinted(tint: Tint):
        return tint.color

    assert [(one.binding, one.size_B, one.name) for one in tinted.uniforms] == [(3, 16, "Tint")]


def test_a_compute_shader_without_options_is_one_invocation() -> None:
    """`@compute_shader` stands alone, as `@fragment_shader` does."""

    @compute_shader
    def nothing():
        pass

    assert nothing.local_size == (1, 1, 1)
