"""What is a shader, and what is refused."""

import json
from typing import Any

import pytest

from refnvn.errors import InputFileError
from refnvn.shader.ir import Output, Shader, from_json, from_object, to_json, to_object
from refnvn.shader.ir_base import Builtin, Stage
from refnvn.shader.validate import MAX_NESTING, MAX_STATEMENTS, validate


def shader(**changes: Any) -> dict[str, Any]:
    """Return a small fragment shader as JSON objects, with changes."""
    return {
        "refnvn_shader": 1,
        "stage": "fragment",
        "inputs": [{"location": 1, "components": 2}],
        "outputs": [{"location": 0, "components": 1}],
        "uniforms": [{"binding": 3, "size_B": 16}],
        "registers": ["word", "word", "bool"],
        "statements": [],
        **changes,
    }


def operate(name: str, to: int, *of: int) -> dict[str, Any]:
    """Return an operation as JSON."""
    return {"do": "operate", "name": name, "to": to, "of": list(of)}


def nested(block: list[dict[str, Any]], depth: int, what: str) -> list[dict[str, Any]]:
    """Return statements inside ifs or loops inside one another."""
    for _ in range(depth):
        if what == "if":
            block = [{"do": "if", "condition": 2, "then": block}]
        else:
            block = [{"do": "loop", "times": 2, "body": block}]
    return block


EVERYTHING = [
    {"do": "constant", "to": 0, "bits": 5},
    {"do": "load_input", "to": 1, "location": 1, "component": 1},
    {"do": "load_builtin", "to": 2, "builtin": "front_facing"},
    {"do": "load_uniform", "to": 0, "binding": 3, "offset_B": 4, "plus_B": 1},
    {"do": "derive", "to": 0, "of": 1, "axis": "x", "coarse": True},
    operate("float.less", 2, 0, 1),
    {"do": "loop", "times": 3, "counter": 0, "body": [
        {"do": "if", "condition": 2, "then": [{"do": "break"}], "otherwise": [{"do": "continue"}]}]},
    {"do": "store_depth", "of": 0},
    {"do": "store_output", "location": 0, "of": 1},
    {"do": "discard"},
]  # fmt: skip


def test_every_statement_round_trips() -> None:
    """JSON to shader to JSON to shader is the same, and the shader says what it uses."""
    one = from_object(shader(statements=EVERYTHING))
    assert from_json(to_json(one)) == one == from_object(to_object(one))
    assert one.builtins == (Builtin.FRONT_FACING,)
    assert (one.writes_depth, one.can_discard, one.uses_derivatives) == (True, True, True)
    assert one.operations == ("float.less",)
    assert (one.input_components, one.output_components) == (2, 1)


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        pytest.param({"refnvn_shader": 2}, r"refnvn_shader", id="version"),
        pytest.param({"stage": "mesh"}, "Invalid enum value 'mesh'", id="stage"),
        pytest.param({"colour": 1}, "unknown field", id="unknown-field"),
        pytest.param({"statements": [{"do": "jump"}]}, "Invalid value 'jump'", id="unknown-statement"),
        pytest.param({"name": "a b; x"}, "name", id="name"),
        pytest.param({"statements": [operate("float.add", 0, 1)]}, "takes 2 operands, not 1", id="operands"),
        pytest.param({"statements": [operate("os.system", 0, 1)]}, "no operation 'os.system'", id="operation"),
        pytest.param({"statements": [operate("word.move", 3, 1)]}, "register 3; there are 3", id="no-register"),
        pytest.param({"statements": [operate("word.move", 2, 1)]}, "register 2 holds a bool, not a word", id="kind"),
        pytest.param({"statements": [operate("bool.not", 2, 1)]}, "holds a word, not a bool", id="operand-kind"),
        pytest.param({"statements": [{"do": "constant", "to": 2, "bits": 2}]}, "holds 0 or 1", id="boolean-constant"),
        pytest.param({"statements": [{"do": "load_input", "to": 0, "location": 2}]}, "no input has", id="input"),
        pytest.param({"statements": [{"do": "load_input", "to": 0, "location": 1, "component": 2}]},
                     "component 2 of input 1, which has 2", id="component"),
        pytest.param({"statements": [{"do": "store_output", "of": 0, "location": 5}]}, "no output has", id="output"),
        pytest.param({"statements": [{"do": "load_uniform", "to": 0, "binding": 4}]}, "binding 4", id="uniform"),
        pytest.param({"statements": [{"do": "load_builtin", "to": 0, "builtin": "vertex_id"}]}, "no vertex_id",
                     id="builtin"),
        pytest.param({"statements": [{"do": "break"}]}, "break stands outside of a loop", id="break"),
        pytest.param({"statements": nested([], 5, "loop")}, "loops are nested more than 4 deep", id="loops"),
        pytest.param({"statements": nested([], MAX_NESTING + 1, "if")}, "nested more than 24 deep", id="nesting"),
        pytest.param({"statements": [{"do": "loop", "times": 65537}]}, "65536", id="turns"),
        pytest.param({"statements": [{"do": "loop", "times": 65536, "body": [{"do": "loop", "times": 65536}]}]},
                     r"a lane may run \d+, more than the 4194304", id="executed"),
        pytest.param({"statements": [operate("word.move", 0, 1)] * (MAX_STATEMENTS + 1)}, "more than 4096 statements",
                     id="statements"),
        pytest.param({"registers": ["word"] * 1025}, "more than the 1024", id="registers"),
        pytest.param({"inputs": [{"location": 0, "type": "int"}]}, "must be flat", id="integer-varying"),
        pytest.param({"inputs": [{"location": 0}, {"location": 0}]}, "0 stands twice", id="same-location"),
        pytest.param({"outputs": [{"location": 8}]}, "0 to 7", id="ninth-colour"),
        pytest.param({"outputs": [{"location": -1}]}, "0 to 7|sample mask", id="position-of-a-fragment"),
        pytest.param({"uniforms": [{"binding": 0, "size_B": 6}]}, "size_B", id="uniform-size"),
        pytest.param({"stage": "vertex", "statements": [{"do": "discard"}]}, "vertex shader has no discard",
                     id="vertex-discard"),
        pytest.param({"stage": "vertex", "statements": [{"do": "store_depth", "of": 0}]}, "no depth", id="depth"),
        pytest.param({"stage": "vertex", "statements": [{"do": "derive", "to": 0, "of": 1, "axis": "x"}]},
                     "no derivative", id="vertex-derivative"),
        pytest.param({"stage": "vertex", "outputs": [{"location": -1, "components": 3}]}, "4 float components",
                     id="position-of-three"),
    ],
)  # fmt: skip
def test_what_is_no_shader_is_refused(changes: dict[str, Any], complaint: str) -> None:
    """One error names the file and what is wrong."""
    with pytest.raises(InputFileError, match=complaint) as caught:
        from_object(shader(**changes), "here")
    assert str(caught.value).startswith("here: ")
    with pytest.raises(InputFileError, match=complaint):
        from_json(json.dumps(shader(**changes)).encode(), "here")


def test_an_error_names_the_statement() -> None:
    """The path leads through branches and loops."""
    inner = nested([operate("word.move", 9, 0)], 1, "if")
    with pytest.raises(InputFileError, match=r"statements\[1\]\.body\[0\]\.then\[0\]: register 9; there are 3"):
        from_object(shader(statements=[operate("word.move", 0, 1), {"do": "loop", "times": 1, "body": inner}]))


@pytest.mark.parametrize(
    "text",
    [
        b"", b"[" * 100_000, b"{}", b"null", b'{"refnvn_shader": 1}', b"\xff\xfe",
        b'{"refnvn_shader":1,"stage":"fragment","registers":["bool"],"statements":'
        + b'[{"do":"if","condition":0,"then":' * 5000 + b"[]" + b"}]" * 5000 + b"}",
    ],
    ids=["empty", "deep-list", "no-fields", "null", "no-stage", "no-text", "deep-shader"],
)  # fmt: skip
def test_hostile_text_is_refused(text: bytes) -> None:
    """Nesting without end, other JSON and no JSON give one error."""
    with pytest.raises(InputFileError, match="is not a shader"):
        from_json(text)


def test_a_huge_text_is_refused_before_it_is_read() -> None:
    """More than 4 MiB is no shader."""
    with pytest.raises(InputFileError, match="more than the 4194304 bytes"):
        from_json(b" " * ((4 << 20) + 1))


def test_a_vertex_shader_s_outputs_have_a_range() -> None:
    """Built as objects or read as JSON, an output beyond 31 or below -2 is refused."""
    for location in (32, 40, -7):
        shader = Shader(refnvn_shader=1, stage=Stage.VERTEX, outputs=(Output(location=-1), Output(location=location)))
        with pytest.raises(InputFileError, match="outputs of a vertex shader are 0 to 31"):
            validate(shader)
