"""Tessellation control shaders that read what other invocations of their patch have stored."""

from __future__ import annotations

import shutil
import subprocess
from typing import Any

import numpy as np
import pytest

from refnvn.errors import InputFileError
from refnvn.shader.execute import LaneInputs, run
from refnvn.shader.glsl import glsl
from refnvn.shader.ir import from_object, to_object
from refnvn.shader.python import (
    Array,
    ShaderSourceError,
    barrier,
    gl,
    load_patch,
    load_vertex,
    store_patch,
    store_vertex,
    tessellation_control_shader,
    varying,
    vec2,
    vec4,
    vertex_shader,
)

COMPILER = shutil.which("glslangValidator")


@tessellation_control_shader(vertices=4)
def mixed(value: Array[vec4] = varying(0)):  # type: ignore[no-untyped-def,type-arg,valid-type]
    i = gl.invocation_id
    store_vertex(0, value[i] * 2.0)
    if i == 0:
        store_patch(3, 7.0)
    barrier()
    total = load_vertex(0, (i + 1) & 3) + load_vertex(0, (i + 2) & 3) * load_patch(3)
    barrier()
    store_vertex(0, total)
    store_vertex(-1, vec4(0.0))
    gl.tess_level_outer = vec4(1.0)
    gl.tess_level_inner = vec2(1.0)


def of_two_patches(shader: Any) -> np.ndarray[Any, Any]:
    """Return the second component of output 0 of two patches whose vertices hold three times their numbers."""
    numbers = np.arange(8)
    values = np.zeros((4, 4, 8), np.float32)
    values[:, 1] = 3 * (numbers // 4 * 4 + np.arange(4)[:, np.newaxis])
    lanes = LaneInputs(
        count=8,
        values=np.zeros((0, 8), np.uint32),
        builtins={"invocation_id": (numbers % 4).astype(np.uint32)},
        vertex_values=values.view(np.uint32),
    )
    found = run(shader, lanes).values.view(np.float32)
    row = 5 if shader.outputs[0].location == -1 else 1
    return found[row]


@pytest.mark.rule("TESSELLATION-CONTROL-2")
def test_invocations_read_each_other_as_measured() -> None:
    """What an H200 captured of the same shader: each vertex has the next one's double and 14 times the one behind."""
    assert of_two_patches(mixed).tolist() == [90, 138, 18, 42, 282, 330, 210, 234]


@pytest.mark.rule("TESSELLATION-CONTROL-2")
def test_an_invocation_that_is_not_there_gives_zero() -> None:
    """A number past the patch reads nothing of the next patch."""

    @tessellation_control_shader(vertices=4)
    def past(value: Array[vec4] = varying(0)):  # type: ignore[no-untyped-def,type-arg,valid-type]
        store_vertex(0, value[gl.invocation_id])
        barrier()
        beyond = load_vertex(0, gl.invocation_id + 2)
        barrier()
        store_vertex(0, beyond)

    assert of_two_patches(past).tolist() == [6, 9, 0, 0, 18, 21, 0, 0]


def test_it_is_written_as_json_and_read_again() -> None:
    """A trace holds the statements as the others."""
    assert from_object(to_object(mixed)) == mixed


def test_reads_and_stores_of_outputs_are_parted_by_barriers() -> None:
    """No result may depend on which invocation is ahead; the error says what is missing."""

    def unordered(value: Array[vec4] = varying(0)):  # type: ignore[no-untyped-def,type-arg,valid-type]
        store_vertex(0, value[0])
        return vec4(0.0), {1: load_vertex(0, 1)}

    def stored_again(value: Array[vec4] = varying(0)):  # type: ignore[no-untyped-def,type-arg,valid-type]
        store_vertex(0, value[0])
        barrier()
        store_vertex(0, load_vertex(0, 1))

    def of_patch(value: Array[vec4] = varying(0)):  # type: ignore[no-untyped-def,type-arg,valid-type]
        store_patch(2, 1.0)
        store_vertex(0, vec4(load_patch(2)))

    make = tessellation_control_shader(vertices=2)
    with pytest.raises(ShaderSourceError, match="output 0: it is read before any barrier that follows a store to it"):
        make(unordered)
    with pytest.raises(ShaderSourceError, match="output 0: it is read and stored with no barrier between"):
        make(stored_again)
    with pytest.raises(ShaderSourceError, match="patch output 2: it is read before any barrier"):
        make(of_patch)


def test_a_barrier_stands_where_all_invocations_come() -> None:
    """Not in a branch or a loop."""

    def in_a_branch(value: Array[vec4] = varying(0)):  # type: ignore[no-untyped-def,type-arg,valid-type]
        if gl.invocation_id == 0:
            barrier()
        return value[0]

    with pytest.raises(ShaderSourceError, match="a barrier of a tess_control shader stands outside of branches"):
        tessellation_control_shader(vertices=2)(in_a_branch)


def test_the_words_belong_to_control_shaders_and_to_what_is_stored() -> None:
    """Elsewhere, or of an output that nothing stores, they are refused by name."""

    def in_a_vertex_shader():  # type: ignore[no-untyped-def]
        return load_vertex(0, 1)

    def nothing_stored(value: Array[vec4] = varying(0)):  # type: ignore[no-untyped-def,type-arg,valid-type]
        return vec4(load_patch(4))

    with pytest.raises(ShaderSourceError, match="load_vertex stands in a tess_control shader"):
        vertex_shader(in_a_vertex_shader)
    with pytest.raises(ShaderSourceError, match="nothing above stores patch output 4"):
        tessellation_control_shader(vertices=2)(nothing_stored)


def test_json_of_another_stage_reads_no_outputs() -> None:
    """Validation does not rest on the language."""
    load = {"do": "load_vertex_output", "to": 0, "vertex": 0, "location": 0}
    shader = {
        "refnvn_shader": 1,
        "stage": "vertex",
        "outputs": [{"location": 0, "components": 1}],
        "registers": ["word"],
        "statements": [load],
    }
    with pytest.raises(InputFileError, match="a vertex shader reads no outputs"):
        from_object(shader)


@pytest.mark.skipif(COMPILER is None, reason="glslangValidator is not installed")
def test_the_reference_compiler_takes_its_glsl() -> None:
    """Outputs of vertices by invocation, those of the patch by name, barriers between."""
    text = glsl(mixed)
    assert "out_0[w" in text
    assert text.count("barrier();") == 2
    command = [str(COMPILER), "--stdin", "-G", "-S", "tesc", "-o", "/dev/null"]
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + text
