"""Shaders that only move words give what they give step by step."""

from typing import Any

import numpy as np
import pytest

from refnvn.rules.registry import collect
from refnvn.shader.execute import LaneInputs, plan_of, run
from refnvn.shader.ir import Shader, from_object
from refnvn.shader.moves import moves_of

SHADER: dict[str, Any] = {
    "refnvn_shader": 1,
    "stage": "vertex",
    "inputs": [{"location": 0}, {"location": 3, "components": 2}],
    "outputs": [{"location": -1}, {"location": 1, "components": 3}],
    "uniforms": [{"binding": 1, "size_B": 16}, {"binding": 2, "size_B": 16}],
    "registers": ["word"] * 3,
}


def load(to: int, location: int, component: int) -> dict[str, Any]:
    """Return a statement that loads an input."""
    return {"do": "load_input", "to": to, "location": location, "component": component}


def store(of: int, location: int, component: int) -> dict[str, Any]:
    """Return a statement that stores an output."""
    return {"do": "store_output", "of": of, "location": location, "component": component}


def shader(*statements: dict[str, Any], **changes: Any) -> Shader:
    """Return a vertex shader."""
    return from_object({**SHADER, **changes, "statements": list(statements)})


MOVING = {
    "inputs": (load(0, 3, 1), store(0, -1, 0), load(0, 0, 2), store(0, -1, 3)),
    "stored twice": (load(0, 0, 0), load(1, 0, 1), store(0, 1, 0), store(1, 1, 0)),
    "register never set": (store(2, 1, 1),),
    "moved between registers": (
        load(0, 0, 0), {"do": "operate", "to": 1, "name": "word.move", "of": [0]}, load(0, 0, 1), store(1, -1, 1),
        store(0, -1, 2),
    ),
    "constants": ({"do": "constant", "to": 1, "bits": 7}, store(1, -1, 1), store(1, 1, 2)),
    "builtins": ({"do": "load_builtin", "to": 2, "builtin": "vertex_id"}, store(2, 1, 2), load(0, 0, 0)),
    "uniforms": (
        {"do": "load_uniform", "to": 0, "binding": 2, "offset_B": 8}, store(0, -1, 2),
        {"do": "load_uniform", "to": 0, "binding": 1, "offset_B": 4}, store(0, -1, 3),
        {"do": "load_uniform", "to": 0, "binding": 1, "offset_B": 20}, store(0, 1, 0),
    ),
    "all inputs in order": tuple(one for k in range(4) for one in (load(0, 0, k), store(0, -1, k))),
}  # fmt: skip


@pytest.mark.parametrize("statements", MOVING.values(), ids=MOVING.keys())
def test_words_move_as_statement_by_statement(statements: tuple[dict[str, Any], ...]) -> None:
    """Outputs and the names of rules are those of the run that takes each statement."""
    made = shader(*statements)
    rng = np.random.default_rng(1)
    lanes = LaneInputs(
        count=5,
        values=rng.integers(0, 1 << 32, (6, 5), np.uint32),
        builtins={"vertex_id": np.arange(5, dtype=np.uint32), "instance_id": np.full(5, 9, np.uint32)},
        uniforms=lambda binding: np.arange(16, dtype=np.uint8) + np.uint8(16 * binding),
    )
    found = {}
    for executor in ("auto", "numpy"):
        with collect() as used:
            found[executor] = run(made, lanes, executor=executor).values.tolist(), used  # type: ignore[arg-type]
    assert plan_of(made).moves is not None
    assert found["auto"] == found["numpy"]


@pytest.mark.parametrize(
    "statement",
    [
        {"do": "operate", "to": 0, "name": "float.neg", "of": [0]},
        {"do": "load_uniform", "to": 0, "binding": 1, "offset_B": 0, "plus_B": 1},
        {"do": "if", "condition": 3, "then": []},
    ],
    ids=lambda one: one["do"],
)
def test_a_shader_that_does_more_moves_nothing(statement: dict[str, Any]) -> None:
    """Arithmetic, places that lanes choose and branches are run step by step."""
    assert moves_of(shader(statement, registers=["word"] * 3 + ["bool"])) is None
