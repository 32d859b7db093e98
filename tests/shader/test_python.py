"""Shaders written in Python."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from refnvn.errors import ArgumentError
from refnvn.shader.execute import LaneInputs, run
from refnvn.shader.ir import Input, Output, Shader, UniformBlock, from_json, to_json
from refnvn.shader.ir_base import Interpolation
from refnvn.shader.python import (
    Array,
    Uniform,
    all_of,
    any_of,
    attribute,
    bit_count,
    bvec2,
    clamp,
    cross,
    discard,
    dot,
    find_msb,
    flat,
    float_bits_to_uint,
    fragment_shader,
    fwidth,
    gl,
    int_bits_to_float,
    is_nan,
    ivec2,
    mat3,
    mat4,
    mul_high,
    noperspective,
    reflect,
    select,
    uint,
    uvec2,
    uvec4,
    varying,
    vec2,
    vec3,
    vec4,
    vertex_shader,
)
from refnvn.shader.validate import MAX_REGISTERS
from tests.shader.words import bits

HALF = 0.5
COUNT = 3


class Block(Uniform, binding=4):
    """Every kind of field."""

    scale: float
    offset: vec3
    matrix: mat4
    small: mat3
    colors: Array[vec4, 3]
    turned: bool
    counts: ivec2


def sums(t):
    """Put many functions in."""
    t = eight(eight(t))
    return eight(eight(t))


def eight(t):
    """Eight sums of products."""
    t = t * t + t * 2.0 + t * 3.0
    t = t * t + t * 2.0 + t * 3.0
    t = t * t + t * 2.0 + t * 3.0
    return t * t + t * 2.0 + t * 3.0


def call(shader: Shader, *rows: NDArray[np.uint32] | list[float], **given: Any) -> list[list[float]]:
    """Return the float outputs of a shader for rows of float inputs (or words)."""
    values = [row if isinstance(row, np.ndarray) else bits(*row) for row in rows]
    count = len(values[0]) if values else 1
    array = np.stack(values) if values else np.zeros((0, count), np.uint32)
    found: list[list[float]] = (
        run(shader, LaneInputs(count=count, values=array, **given)).values.view(np.float32).tolist()
    )
    return found


def test_a_pass_through_shader() -> None:
    """Inputs by location, the position first, then varyings."""

    @vertex_shader
    def pass_through(position: vec4 = attribute(0), color: vec4 = attribute(1)) -> object:
        """Docstrings are allowed."""
        return position, color

    assert pass_through.inputs == (Input(location=0, name="position"), Input(location=1, name="color"))
    assert pass_through.outputs == (Output(location=-1, name="position"), Output(location=0, name="color"))
    rows = [[float(i)] for i in range(8)]
    assert call(pass_through, *rows) == rows
    assert from_json(to_json(pass_through)) == pass_through


def test_interfaces() -> None:
    """Interpolation, integers, blocks and outputs by location are stated by the shader."""

    @fragment_shader
    def mixed(
        block: Block, a: vec2 = varying(3, noperspective), n: uint = varying(1, flat), b: float = varying(0)
    ) -> object:
        return {2: uvec2(n, 7), 0: vec4(a, b, block.scale)}

    assert [(one.location, one.interpolation) for one in mixed.inputs] == [
        (0, Interpolation.SMOOTH), (1, Interpolation.FLAT), (3, Interpolation.NOPERSPECTIVE)]  # fmt: skip
    assert [(one.location, one.components, one.type.value) for one in mixed.outputs] == [
        (0, 4, "float"),
        (2, 2, "uint"),
    ]
    assert mixed.uniforms == (UniformBlock(binding=4, size_B=208, name="Block"),)


def test_uniform_blocks_lie_as_std140_says() -> None:
    """Offsets 0, 16, 32, 96, 144, 192 and 200 of a block of 208 bytes."""

    @fragment_shader
    def fields(block: Block, n: int = varying(0, flat)) -> object:
        moved = block.matrix * vec4(block.offset, block.scale)
        turned = 1.0 if block.turned else 0.0
        return (
            moved,
            block.colors[n],
            vec4(block.small[1], turned),
            vec4(block.colors[2].y, block.small * block.offset),
        )

    content = np.zeros(52, np.float32)
    content[0], content[4:7], content[8:24] = 2.0, (1.0, 2.0, 3.0), np.arange(16.0)
    content[24:36] = np.arange(12.0) * 10
    content[36:48] = np.arange(12.0) + 100
    words = content.view(np.uint32)
    words[48], words[50:52] = 1, (5, 6)
    data = words.view(np.uint8)
    found = call(fields, np.array([1], np.uint32), uniforms=lambda binding: data if binding == 4 else data[:0])
    matrix = np.arange(16.0).reshape(4, 4).T
    assert [row[0] for row in found[:4]] == (matrix @ [1.0, 2.0, 3.0, 2.0]).tolist()
    assert [row[0] for row in found[4:8]] == [104.0, 105.0, 106.0, 107.0]
    assert [row[0] for row in found[8:12]] == [40.0, 50.0, 60.0, 1.0]
    assert [row[0] for row in found[12:]] == [109.0, 320.0, 380.0, 440.0]
    beyond = call(fields, np.array([9], np.uint32), uniforms=lambda _binding: data)
    assert [row[0] for row in beyond[4:8]] == [0.0] * 4


def test_arithmetic_by_component() -> None:
    """Scalars meet every component; bare integers become what they meet."""

    @fragment_shader
    def arithmetic(v: vec2 = varying(0)) -> object:
        w = 2 * v + vec2(1, 0.5)
        w.y -= HALF
        w *= v.yx
        return vec4(w, -v)

    assert call(arithmetic, [3.0], [4.0]) == [[28.0], [24.0], [-3.0], [-4.0]]


def test_integers() -> None:
    """Quotients, remainders, shifts and masks of int and uint, and how they convert."""

    @fragment_shader
    def integers(x: float = varying(0)) -> object:
        n = int(x)
        u = uint(n) + 1
        s = ivec2(n // 2, n % 4)
        b = uvec2(u << 2 | 1, ~u & 0xFF)
        return (
            vec4(vec2(s), vec2(b)),
            uvec4(n >> 1, u >> 1, bit_count(u), find_msb(u)),
            uvec2(mul_high(u, u), float(u)),
        )

    found = run(integers, LaneInputs(count=1, values=bits(-7.0)[np.newaxis])).values[:, 0]
    assert found[:4].view(np.float32).tolist() == [-3.0, 1.0, 4294967296.0, 5.0]
    assert found[4:8].tolist() == [0xFFFFFFFC, 0x7FFFFFFD, 0xFFFFFFFA.bit_count(), 31]
    assert found[8] == 0xFFFFFFFA * 0xFFFFFFFA >> 32


def test_variables_are_values() -> None:
    """A copy does not follow its source; several assignments at once see the old values."""

    def d_of(p):
        p.x += 100.0
        return p

    @fragment_shader
    def variables(v: vec2 = varying(0)) -> object:
        a = v
        b = a
        a.x = 9.0
        a, b = b, a
        a.xy = a.yx
        c = d_of(a)
        return vec4(a, b), c

    assert call(variables, [1.0], [2.0]) == [[2.0], [1.0], [9.0], [2.0], [102.0], [1.0]]


def test_branches_and_loops() -> None:
    """Early returns, elif, break, continue and ranges with steps do what Python does."""

    def early(x):
        if x < 1.0:
            return 10.0
        elif x < 2.0:  # noqa: RET505
            y = 20.0
        else:
            y = 30.0
            if x > 5.0:
                return 50.0
        y += 1.0
        return y

    @fragment_shader
    def flow(x: float = varying(0)) -> object:
        total = 0.0
        for i in range(6, -1, -2):
            if float(i) == x:
                continue
            total += float(i)
            for _ in range(COUNT):
                total += 0.25
                if total > 10.0:
                    break
        return early(x), total

    def by_python(x: float) -> list[float]:
        total = 0.0
        for i in range(6, -1, -2):
            if float(i) == x:
                continue
            total += float(i)
            for _ in range(COUNT):
                total += 0.25
                if total > 10.0:
                    break
        return [early(x), total]

    numbers = [0.0, 1.0, 2.0, 4.0, 6.0]
    assert np.array(call(flow, numbers)).T.tolist() == [by_python(x) for x in numbers]


def test_early_outputs() -> None:
    """A shader may return in branches, and discard before the rest."""

    @fragment_shader
    def ends(x: float = varying(0)) -> object:
        if x < 0.0:
            discard()
        if x < 1.0:
            return vec2(1.0, x)
        y = x * 2.0
        return vec2(2.0, y)

    found = run(ends, LaneInputs(count=3, values=bits(-1.0, 0.5, 3.0)[np.newaxis]))
    assert found.discarded is not None
    assert found.discarded.tolist() == [True, False, False]
    assert found.values.view(np.float32)[:, 1:].tolist() == [[1.0, 2.0], [0.5, 6.0]]


def test_conditions() -> None:
    """Chains, and, or, not, conditional expressions and vectors of booleans."""

    @fragment_shader
    def conditions(v: vec2 = varying(0)) -> object:
        inside = (0.0 < v.x < 1.0 and not v.y > 2.0) or v.x == 7.0
        equal = bvec2(v.x == v.y, inside)
        return vec4(
            1.0 if inside else 0.0, float(any_of(equal)), float(all_of(v >= 0.5)), select(is_nan(v.x), -1.0, v.y)
        )

    found = call(conditions, [0.5, 7.0, 3.0, float("nan")], [1.0, 9.0, 3.0, 4.0])
    assert found == [[1, 1, 0, 0], [1, 1, 1, 0], [1, 1, 1, 0], [1, 9, 3, -1]]


def test_functions_of_vectors() -> None:
    """Dot, cross, reflect, clamp, maximum and bits of vectors."""

    @fragment_shader
    def functions(a: vec3 = varying(0)) -> object:
        b = vec3(4.0, 5.0, 6.0)
        up = vec3(0.0, 1.0, 0.0)
        same = int_bits_to_float(int(float_bits_to_uint(a.x)))
        return vec4(cross(a, b), dot(a, b)), vec4(reflect(a, up), same), max(clamp(a, 1.5, 2.5), 2)

    found = call(functions, [1.0], [2.0], [3.0])
    expected = [-3.0, 6.0, -3.0, 32.0, 1.0, -2.0, 3.0, 1.0, 2.0, 2.0, 2.5]
    assert [row[0] for row in found] == expected


def test_matrices_are_columns() -> None:
    """A matrix times a matrix, a column, and a matrix of columns."""

    @fragment_shader
    def matrices(block: Block) -> object:
        turned = mat3(vec3(0.0, 1.0, 0.0), vec3(-1.0, 0.0, 0.0), vec3(0.0, 0.0, 1.0))
        both = turned * turned * 2.0
        return both * vec3(1.0, 2.0, 3.0), turned[1]

    assert [row[0] for row in call(matrices)] == [-2.0, -4.0, 6.0, -1.0, 0.0, 0.0]


def test_builtins_by_name() -> None:
    """The pipeline's values have their types."""

    @vertex_shader
    def numbers() -> object:
        return vec4(float(gl.vertex_id), float(gl.instance_id), 0.0, 1.0)

    given = {"vertex_id": np.array([3], np.uint32), "instance_id": np.array([0xFFFFFFFF], np.uint32)}
    assert call(numbers, builtins=given) == [[3.0], [-1.0], [0.0], [1.0]]


def test_what_nothing_reads_is_left_out() -> None:
    """Unread components, variables and arithmetic cost nothing; registers are used again."""

    @fragment_shader
    def lean(a: vec4 = varying(0), b: vec4 = varying(1)) -> object:
        unread = a * b + 5.0  # noqa: F841
        total = a.x
        return total + 1.0 + 2.0 + 3.0 + 4.0

    assert len(lean.statements) == 11
    assert len(lean.registers) <= 6


def test_a_long_shader_fits() -> None:
    """A sum of four hundred products of vectors, more values than there are registers, needs few of them."""

    @fragment_shader
    def long(a: vec4 = varying(0)) -> object:
        t = a
        for _ in range(2):
            t = sums(t)
        return t * 0.5

    assert len(long.registers) < MAX_REGISTERS // 4


def test_derivatives_need_quads() -> None:
    """A shader that takes one says so."""

    @fragment_shader
    def width(x: float = varying(0)) -> object:
        return fwidth(x)

    assert width.uses_derivatives
    assert call(width, [1.0, 3.0, 11.0, 17.0], helper_quads=True) == [[12.0, 16.0, 16.0, 20.0]]


def test_words_mean_nothing_outside() -> None:
    """Calling a word of the language elsewhere says what it is."""
    with pytest.raises(ArgumentError, match="word of the shader language"):
        dot(1, 2)
    with pytest.raises(ArgumentError, match="inside a shader only"):
        _ = gl.frag_coord
