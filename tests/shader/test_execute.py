"""Running shaders: control flow, uniforms, derivatives, what is asked of lanes."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from refnvn.errors import ArgumentError, ShapeError
from refnvn.rules.fields import watch
from refnvn.rules.registry import collect
from refnvn.shader import execute_numba
from refnvn.shader.execute import COMPILE_LANE_OPERATIONS, LaneInputs, LaneOutputs, Plan, plan_of, run
from refnvn.shader.ir import Shader, from_object
from refnvn.shader.python import (
    ddx,
    ddx_coarse,
    ddy,
    ddy_coarse,
    discard,
    float_bits_to_int,
    fragment_shader,
    gl,
    varying,
    vec2,
    vec4,
)
from tests.shader.kernels import interpreted
from tests.shader.words import bits

BOTH: tuple[Callable[[Shader, LaneInputs], LaneOutputs], ...] = (run, interpreted)
"""NumPy, and the text of the kernel run as Python; ``test_executors_agree.py`` compiles it."""


def shader(statements: list[dict[str, Any]], **changes: Any) -> Shader:
    """Return a fragment shader on four words and a boolean with one output."""
    return from_object(
        {
            "refnvn_shader": 1,
            "stage": "fragment",
            "outputs": [{"location": 0, "components": 1, "type": "uint"}],
            "registers": ["word"] * 4 + ["bool"],
            "statements": statements,
            **changes,
        }
    )


def words(*rows: list[int]) -> LaneInputs:
    """Return lanes with these rows of input words, in quads."""
    values = np.array(rows, dtype=np.uint32)
    return LaneInputs(count=values.shape[1], values=values, helper_quads=True)


@pytest.mark.rule("SHADER-UNIFORM-1")
def test_uniform_reads_out_of_range_are_zero() -> None:
    """Beyond the block, beyond what is bound, and where nothing is bound; low bits of an offset are dropped."""
    load = shader(
        [
            {"do": "load_input", "to": 0, "location": 0},
            {"do": "load_uniform", "to": 1, "binding": 2, "offset_B": 4, "plus_B": 0},
            {"do": "store_output", "location": 0, "of": 1},
        ],
        inputs=[{"location": 0, "components": 1, "type": "uint", "interpolation": "flat"}],
        uniforms=[{"binding": 1, "size_B": 8}, {"binding": 2, "size_B": 16}],
    )
    bound = np.arange(1, 13, dtype=np.uint8)
    lanes = words([0, 3, 4, 8, 12, 0xFFFFFFFC])
    for execute in BOTH:
        inputs = LaneInputs(count=6, values=lanes.values, uniforms=lambda binding: bound[: 6 * binding])
        found = execute(load, inputs).values[0]
        assert [hex(word) for word in found] == ["0x8070605", "0x8070605", "0xc0b0a09", "0x0", "0x0", "0x4030201"]
        assert execute(load, lanes).values.tolist() == [[0] * 6]


@pytest.mark.rule("SHADER-DERIVE-1")
def test_derivatives_are_differences_in_the_quad() -> None:
    """Fine ones take the lane's own row or column, coarse ones the even one."""

    @fragment_shader
    def slopes(x: float = varying(0)):
        return vec4(ddx(x), ddy(x), ddx_coarse(x), ddy_coarse(x))

    quad = LaneInputs(count=4, values=bits(1.0, 3.0, 11.0, 17.0)[np.newaxis], helper_quads=True)
    for execute in BOTH:
        found = execute(slopes, quad).values.view(np.float32).tolist()
        assert found == [[2, 2, 6, 6], [10, 14, 10, 14], [2, 2, 2, 2], [10, 10, 10, 10]]


@pytest.mark.rule("SHADER-DERIVE-1")
def test_a_discarded_neighbour_counts_with_what_it_had() -> None:
    """What it computed before the discard stays; what it never computed is 0."""

    @fragment_shader
    def after(x: float = varying(0)):
        before = x + 1.0
        if x > 2.0:
            discard()
        late = x + 1.0
        return vec2(ddx(before), ddx(late))

    quad = LaneInputs(count=4, values=bits(1.0, 3.0, 1.0, 2.0)[np.newaxis], helper_quads=True)
    found = run(after, quad)
    assert found.discarded is not None
    assert found.discarded.tolist() == [False, True, False, False]
    assert found.values.view(np.float32)[:, 0].tolist() == [2.0, -2.0]


def test_loops_end_by_turns_and_by_break() -> None:
    """A loop takes its turns; break leaves it, continue goes on with the next turn."""
    count = [
        {"do": "load_input", "to": 0, "location": 0},
        {"do": "constant", "to": 1, "bits": 1},
        {"do": "loop", "times": 5, "counter": 2, "body": [
            {"do": "operate", "name": "word.equal", "to": 4, "of": [2, 0]},
            {"do": "if", "condition": 4, "then": [{"do": "break"}]},
            {"do": "operate", "name": "word.equal", "to": 4, "of": [2, 1]},
            {"do": "if", "condition": 4, "then": [{"do": "continue"}]},
            {"do": "operate", "name": "word.add", "to": 3, "of": [3, 1]}]},
        {"do": "store_output", "location": 0, "of": 3},
    ]  # fmt: skip
    flat = [{"location": 0, "components": 1, "type": "uint", "interpolation": "flat"}]
    for execute in BOTH:
        found = execute(shader(count, inputs=flat), words([0, 1, 3, 9]))
        assert found.values[0].tolist() == [0, 1, 2, 4]
        assert found.discarded is None
        assert found.depth is None


def test_depth_and_builtins() -> None:
    """Builtins are read by name; a written depth comes back as bits."""

    @fragment_shader
    def facing():
        gl.frag_depth = gl.frag_coord.z * 0.5
        return gl.primitive_id if gl.front_facing else -1

    builtins = {
        "frag_coord_z": bits(1.0, 0.5),
        "front_facing": np.array([True, False]),
        "primitive_id": np.array([7, 7], np.uint32),
    }
    for execute in BOTH:
        inputs = LaneInputs(count=2, values=np.zeros((0, 2), np.uint32), builtins=builtins)
        found = execute(facing, inputs)
        assert found.depth is not None
        assert found.depth.view(np.float32).tolist() == [0.5, 0.25]
        assert found.values.tolist() == [[7, 0xFFFFFFFF]]


def test_no_lanes_are_no_work() -> None:
    """A batch of no lanes gives empty arrays."""
    empty = LaneInputs(count=0, values=np.zeros((0, 0), np.uint32))
    assert run(shader([{"do": "store_output", "location": 0, "of": 0}]), empty).values.shape == (1, 0)


@pytest.mark.parametrize(
    ("inputs", "error", "complaint"),
    [
        pytest.param(lambda: words([1, 2]), ArgumentError, "must come in quads, not 2", id="no-quads"),
        pytest.param(lambda: words([1] * 4, [1] * 4), ShapeError, r"uint32 of shape \(1, 4\)", id="rows"),
        pytest.param(
            lambda: LaneInputs(count=4, values=np.zeros((1, 4), np.int64), helper_quads=True),
            ShapeError,
            "lane values are int64",
            id="dtype",
        ),
        pytest.param(lambda: words([1] * 4), ArgumentError, "reads the builtin front_facing", id="builtin"),
        pytest.param(
            lambda: LaneInputs(
                count=4,
                values=np.zeros((1, 4), np.uint32),
                helper_quads=True,
                builtins={"front_facing": np.zeros(4, np.uint32)},
            ),
            ShapeError,
            "front_facing is uint32",
            id="builtin-dtype",
        ),
    ],
)
def test_lanes_that_do_not_fit_are_refused(
    inputs: Callable[[], LaneInputs], error: type[Exception], complaint: str
) -> None:
    """Before anything runs, one error says what the shader's interface is."""

    @fragment_shader
    def facing(x: float = varying(0)):
        return ddx(x) if gl.front_facing else x

    given = inputs()
    if "quads" in complaint:
        builtins = {"front_facing": np.zeros(2, np.bool_)}
        given = LaneInputs(count=2, values=given.values, builtins=builtins, helper_quads=True)
    with pytest.raises(error, match=complaint):
        run(facing, given)


def test_only_the_fields_that_matter_are_read() -> None:
    """Integer work reads no field of Rules, a sum reads one, a quotient both."""

    @fragment_shader
    def whole(x: float = varying(0)):
        return float_bits_to_int(x) // 3

    @fragment_shader
    def total(x: float = varying(0)):
        return x + x

    @fragment_shader
    def part(x: float = varying(0)):
        return 1.0 / x

    expected = {whole: set(), total: {"shader_denormals"}, part: {"shader_denormals", "shader_division"}}
    for one, fields in expected.items():
        rules = watch()
        run(one, LaneInputs(count=1, values=bits(1.0)[np.newaxis]), rules=rules)
        assert rules.read == fields, one.name


def test_rules_count_as_used_whatever_ran_them() -> None:
    """The rules of all operations of the shader are noted, in branches that no lane takes too."""

    @fragment_shader
    def part(x: float = varying(0)):
        return 1.0 / x if x > 0.0 else 0.0

    with collect() as used:
        run(part, LaneInputs(count=1, values=bits(-1.0)[np.newaxis]))
    assert used >= {"SHADER-RCP-1", "SHADER-DIV-1", "SHADER-UNIT-1", "SHADER-COMPARE-1", "SHADER-NAN-1"}


def test_much_work_is_worth_a_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    """Little work runs in NumPy; what adds up, or was compiled before, runs in a kernel where compiling is on."""
    from refnvn.shader import execute as module

    plan = Plan(shader([{"do": "store_output", "location": 0, "of": 0}]))
    monkeypatch.setattr(module, "jit_is_on", lambda: True)
    monkeypatch.setattr(execute_numba, "is_compiled", lambda _shader: False)
    wants_numpy = module._wants_numpy
    assert wants_numpy(plan, 1000, "auto")
    assert wants_numpy(plan, 1 << 20, "auto")
    assert not wants_numpy(plan, COMPILE_LANE_OPERATIONS, "auto")
    other = Plan(shader([]))
    other.was_compiled = True
    assert wants_numpy(other, 0, "auto")
    other.statement_count = 100
    assert not wants_numpy(other, 10_000, "auto")
    monkeypatch.setattr(module, "jit_is_on", lambda: False)
    assert wants_numpy(other, 10_000, "auto")
    assert not wants_numpy(other, 1, "numba")


def test_a_shader_is_looked_at_once() -> None:
    """What is known of a shader is kept, for the last few shaders."""
    one = shader([])
    assert plan_of(one) is plan_of(one)
    for _ in range(300):
        plan_of(shader([]))
    assert plan_of(one).shader is one
