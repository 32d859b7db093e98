"""NumPy, the kernel's text as Python, and the compiled kernel give the same bits."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from refnvn.kernel import jit_is_on
from refnvn.rules.fields import ShaderDenormals, ShaderDivision
from refnvn.rules.slack import METAL
from refnvn.shader import execute_numpy
from refnvn.shader.bits import EXACT_DIVISION, KEEP_DENORMALS
from refnvn.shader.execute import LaneInputs, LaneOutputs, run
from refnvn.shader.operations import OPERATIONS
from tests.shader.kernels import interpreted
from tests.shader.programs import lanes, program
from tests.shader.words import EDGES, operations_shader

NAMES = list(OPERATIONS)
GROUPS = [NAMES[i : i + 20] for i in range(0, len(NAMES), 20)]


def same(one: LaneOutputs, other: LaneOutputs) -> bool:
    """Whether every bit of two results is the same."""
    pairs = ((one.values, other.values), (one.discarded, other.discarded), (one.depth, other.depth))
    return all(np.array_equal(a, b) if a is not None and b is not None else a is b for a, b in pairs)


def edge_lanes(random_lanes: int) -> LaneInputs:
    """Return every triple of edge values, and random words."""
    source = np.random.default_rng(7)
    triples = np.stack(np.meshgrid(EDGES, EDGES, EDGES, indexing="ij")).reshape(3, -1)
    words = source.integers(0, 1 << 32, (3, random_lanes), dtype=np.uint32)
    values = np.concatenate([triples, words], axis=1)
    fourth = source.choice(EDGES, values.shape[1])[np.newaxis]
    return LaneInputs(count=values.shape[1], values=np.concatenate([values, fourth]).astype(np.uint32))


@pytest.mark.parametrize("names", GROUPS, ids=lambda names: names[0])
def test_every_operation_compiled_gives_the_same(names: list[str]) -> None:
    """All triples of edge values and 60,000 random ones, through every operation."""
    shader = operations_shader(names)
    inputs = edge_lanes(60_000)
    if not jit_is_on():  # the text runs as Python then: fewer lanes
        few = np.ascontiguousarray(inputs.values[:, ::950])
        inputs = LaneInputs(count=few.shape[1], values=few)
    with_numpy = run(shader, inputs, executor="numpy")
    assert same(with_numpy, run(shader, inputs, executor="numba"))


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(*[st.integers(0, (1 << 32) - 1)] * 4), min_size=1, max_size=3), st.integers(0, 3))
def test_every_operation_as_text_gives_the_same(words: list[tuple[int, int, int, int]], mode: int) -> None:
    """Any words, with denormals flushed or kept, quotients by reciprocal or rounded."""
    values = np.array(words, dtype=np.uint32).T.copy()
    inputs = LaneInputs(count=values.shape[1], values=values)
    shader = operations_shader(NAMES)
    assert same(execute_numpy.execute(shader, inputs, mode), interpreted(shader, inputs, mode))


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 1 << 32), st.booleans(), st.sampled_from([0, KEEP_DENORMALS | EXACT_DIVISION]))
def test_random_programs_as_text_give_the_same(seed: int, derivatives: bool, mode: int) -> None:
    """Branches, loops, break, continue, discard, uniforms, derivatives, in any nesting."""
    shader, inputs = program(seed, derivatives=derivatives), lanes(seed, 8)
    assert same(execute_numpy.execute(shader, inputs, mode), interpreted(shader, inputs, mode))


@pytest.mark.parametrize("derivatives", [False, True], ids=["lanes", "quads"])
@pytest.mark.parametrize("seed", [11])
def test_random_programs_compiled_give_the_same(seed: int, derivatives: bool) -> None:
    """The same for compiled kernels and many lanes."""
    shader = program(seed, derivatives=derivatives, statements=30)
    inputs = lanes(seed, 4096 if jit_is_on() else 16)
    assert same(run(shader, inputs, executor="numpy"), run(shader, inputs, executor="numba"))


def test_other_rules_reach_both() -> None:
    """Kept denormals and rounded quotients change results, alike in both executors."""
    shader = operations_shader(["float.add", "float.div"])
    values = np.array([[1, 0x437F0000], [1, 0x437F0000], [0, 0], [0, 0]], dtype=np.uint32)
    inputs = LaneInputs(count=2, values=values)
    for executor in ("numpy", "numba"):
        assert run(shader, inputs, executor=executor).values[:2].tolist() == [
            [0, 0x43FF0000],
            [0x7FFFFFFF, 0x3F7FFFFF],
        ]
        metal = run(shader, inputs, executor=executor, rules=METAL).values[:2].tolist()
        assert metal == [[2, 0x43FF0000], [0x3F800000, 0x3F800000]]
    assert METAL.shader_denormals is ShaderDenormals.KEEP
    assert METAL.shader_division is ShaderDivision.ROUNDED


def test_no_result_depends_on_the_batch() -> None:
    """Quads one by one and all together give the same."""
    shader, inputs = program(5, derivatives=True), lanes(5, 64)
    whole = run(shader, inputs, executor="numpy")
    for first in range(0, 64, 4):
        part = slice(first, first + 4)
        one = LaneInputs(
            count=4,
            values=np.ascontiguousarray(inputs.values[:, part]),
            builtins={name: array[part] for name, array in inputs.builtins.items()},
            uniforms=inputs.uniforms,
            helper_quads=True,
        )
        assert (run(shader, one, executor="numpy").values == whole.values[:, part]).all()
