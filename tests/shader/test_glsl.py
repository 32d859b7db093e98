"""Shaders as GLSL."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from refnvn.conformance.alu_shaders import SHADERS
from refnvn.shader.glsl import glsl
from refnvn.shader.ir import Shader
from refnvn.shader.ir_base import Stage
from refnvn.shader.operations import OPERATIONS
from refnvn.shader.python import (
    Uniform,
    attribute,
    binding,
    flat,
    fragment_shader,
    ivec2,
    mat4,
    sampler,
    sampler2D,
    sampler2DShadow,
    texel_fetch,
    texture,
    texture2D,
    texture_lod,
    texture_offset,
    uint,
    varying,
    vec2,
    vec4,
    vertex_shader,
)
from tests.shader.programs import program
from tests.shader.sampling_shaders import everything, handles, in_vertices, separate
from tests.shader.words import operations_shader

COMPILER = shutil.which("glslangValidator")


class Scene(Uniform, binding=3):
    """A block."""

    matrix: mat4
    tint: vec4


@vertex_shader
def place(scene: Scene, position: vec4 = attribute(0), index: uint = attribute(2)):
    """Return a place and an index."""
    return scene.matrix * position, index, {3: scene.tint.xy}


@fragment_shader
def paint(index: uint = varying(0, flat), where: vec2 = varying(3)):
    """Return two colours."""
    return {0: vec4(where, 0.0, 1.0), 4: index}


CASES = {
    "place": place,
    "paint": paint,
    "operations": operations_shader(list(OPERATIONS)),
    **{f"random-{seed}": program(seed, derivatives=bool(seed % 2)) for seed in range(6)},
    "pow": SHADERS["pow(A.x,B.x)"],
}


def test_interfaces_have_locations_and_bindings() -> None:
    """Inputs, outputs and blocks are declared with their numbers and types; names are remarks."""
    text = glsl(place)
    for line in (
        "#version 450",
        "layout(location = 0) in vec4 in_0; // position",
        "layout(location = 2) in uint in_2; // index",
        "layout(location = 0) flat out uint out_0; // index",
        "layout(location = 3) out vec2 out_3;",
        "layout(std140, binding = 3) uniform Block3 { uvec4 rows[5]; } block_3; // Scene",
    ):
        assert line in text.splitlines()
    assert "layout(location = 0) flat in uint in_0; // index" in glsl(paint)
    assert "layout(location = 4) out uint out_4; // index" in glsl(paint)


@pytest.mark.parametrize("name", CASES)
def test_every_word_is_precise(name: str) -> None:
    """No compiler may fuse what stands apart: each register that holds a number is precise."""
    text = glsl(CASES[name])
    declared = re.findall(r"^    (precise uint w\d+|bool b\d+) =", text, re.MULTILINE)
    assert len(declared) == len(CASES[name].registers)
    assert text.count("{") == text.count("}")


@pytest.mark.skipif(COMPILER is None, reason="glslangValidator is not installed")
@pytest.mark.parametrize("target", ["-G", "-V"])
@pytest.mark.parametrize("name", CASES)
def test_glsl_compiles(name: str, target: str) -> None:
    """The reference compiler takes every shader, for OpenGL and for Vulkan."""
    shader: Shader = CASES[name]
    text = glsl(shader)
    if target == "-V":
        text = text.replace("gl_VertexID", "gl_VertexIndex").replace("gl_InstanceID", "gl_InstanceIndex")
    stage = "vert" if shader.stage is Stage.VERTEX else "frag"
    command = [str(COMPILER), "--stdin", target, "-S", stage, "-o", "/dev/null"]
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + text


@fragment_shader
def textured(
    uv: vec2 = varying(0),
    handle: uint = varying(1, flat),
    one: sampler2D = binding(2),
    dark: sampler2DShadow = binding(3),
    two: texture2D = binding(4),
    alone: sampler = binding(5),
):
    """Return a sum of samples."""
    combined = texture_offset(one, uv, ivec2(1, -2), 0.5) + texture_lod(sampler2D(two, alone), uv, 1.0)
    return combined + texture(sampler2D(handle), uv) * texture(dark, uv, 0.25) + texel_fetch(one, ivec2(3, 4), 1)


def test_textures_have_slots_and_calls() -> None:
    """Slots are declared; calls are GLSL's own, the reference in the coordinates, handles by an extension."""
    text = glsl(textured)
    for part in (
        "#extension GL_ARB_bindless_texture : require",
        "layout(binding = 2) uniform sampler2D tex_2; // one",
        "layout(binding = 3) uniform sampler2DShadow tex_3; // dark",
        "layout(binding = 4) uniform texture2D texture_4; // two",
        "layout(binding = 5) uniform sampler sampler_5; // alone",
        "textureOffset(tex_2, vec2(uintBitsToFloat(w0), uintBitsToFloat(w1)), ivec2(1, -2), uintBitsToFloat(",
        "textureLod(sampler2D(texture_4, sampler_5), vec2(",
        "texture(sampler2D(uvec2(w2, 0u)), vec2(",
        "vec4(texture(tex_3, vec3(",
        "texelFetch(tex_2, ivec2(int(",
    ):
        assert part in text


@pytest.mark.skipif(COMPILER is None, reason="glslangValidator is not installed")
@pytest.mark.parametrize("shader", [everything, in_vertices, separate, handles], ids=lambda one: one.name)
def test_reads_of_textures_compile(shader: Shader, tmp_path: Path) -> None:
    """Every call; separate textures as GLSL for Vulkan, which alone has them."""
    assert COMPILER is not None
    path = tmp_path / "shader.glsl"
    path.write_text(glsl(shader))
    stage = "vert" if shader.stage is Stage.VERTEX else "frag"
    vulkan = ["-V", "--aml", "--amb", "-o", str(tmp_path / "out.spv")] if shader.samplers else []
    done = subprocess.run([COMPILER, *vulkan, "-S", stage, str(path)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
