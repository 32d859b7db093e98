"""Statements that read textures: what they give, which of them are a shader's, and what the subset makes of calls."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from refnvn.enumerations import MagFilter, MinFilter
from refnvn.errors import InputFileError
from refnvn.formats.table import format_named
from refnvn.layout.description import TextureTarget
from refnvn.shader.execute import LaneInputs, run
from refnvn.shader.execute_textures import joined_handle
from refnvn.shader.ir import Shader, from_json, from_object, to_json
from refnvn.shader.ir_textures import FetchTexel, SampleTexture
from refnvn.shader.python import (
    ShaderSourceError,
    binding,
    flat,
    fragment_shader,
    ivec2,
    sampler,
    sampler2D,
    sampler2DArray,
    sampler2DMS,
    sampler2DShadow,
    samplerBuffer,
    samplerCube,
    texel_fetch,
    texel_fetch_offset,
    texture,
    texture2D,
    texture_gather,
    texture_gather_offsets,
    texture_grad,
    texture_levels,
    texture_lod,
    texture_offset,
    texture_query_lod,
    texture_size,
    varying,
    vec2,
    vec3,
    vec4,
)
from refnvn.shader.textures import textures_of
from refnvn.texture.sampled import SampledTexture
from refnvn.texture.sampler import Sampler

LEVELS = (16, 8, 4)


def numbered(target: TextureTarget = TextureTarget.TARGET_2D, images: int = 1) -> SampledTexture:
    """Return an R32F texture of 16 x 16 whose texels hold 1000 * level + 100 * image + column + row / 16."""
    levels = []
    for level, size in enumerate(LEVELS):
        image, row, column = np.meshgrid(np.arange(images), np.arange(size), np.arange(size), indexing="ij")
        values = (1000 * level + 100 * image + column + row / 16).astype("<f4")
        levels.append(values[..., np.newaxis].view(np.uint8))
    return SampledTexture(format_named("R32F"), target, tuple(levels))


def floats(shader: Shader, coordinates: Any, one: SampledTexture, made: Sampler | None = None) -> NDArray[np.float32]:
    """Return what a fragment shader writes for quads of coordinates in slot 0's texture."""
    values = np.array(coordinates, np.float32).view(np.uint32)
    lanes = LaneInputs(
        count=values.shape[1], values=values, textures=textures_of({0: (one, made or Sampler())}), helper_quads=True
    )
    found: NDArray[np.float32] = run(shader, lanes).values.view(np.float32)
    return found


def quad(step: float, at: float = 0.03125) -> list[list[float]]:
    """Return coordinates of a quad whose pixels are so far apart."""
    return [[at, at + step, at, at + step], [at, at, at + step, at + step]]


@fragment_shader
def sampled(at: vec2 = varying(0), one: sampler2D = binding(0)):  # type: ignore[no-untyped-def]
    return texture(one, at).x


@pytest.mark.parametrize(("step_px", "level"), [(1, 0), (2, 1), (4, 2)])
def test_the_quad_decides_the_level(step_px: int, level: int) -> None:
    """Pixels that are 1, 2 or 4 texels apart take levels 0, 1 and 2; the nearest texel of it is read."""
    made = Sampler(min_filter=MinFilter.NEAREST_MIPMAP_NEAREST)
    found = floats(sampled, quad(step_px / 16), numbered(), made)
    assert found[0, 0] == 1000 * level


def test_a_branch_still_takes_neighbours() -> None:
    """A sample in a branch that one lane takes has the derivatives of the whole quad."""

    @fragment_shader
    def branching(at: vec2 = varying(0), one: sampler2D = binding(0)):  # type: ignore[no-untyped-def]
        value = -1.0
        if at.x < 0.05 and at.y < 0.05:
            value = texture(one, at).x
        return value

    made = Sampler(min_filter=MinFilter.NEAREST_MIPMAP_NEAREST)
    assert floats(branching, quad(2 / 16), numbered(), made)[0].tolist() == [1000.0, -1.0, -1.0, -1.0]


def test_explicit_levels_gradients_and_offsets() -> None:
    """A level of detail, derivatives of four texels, and a texel beside."""

    @fragment_shader
    def explicit(at: vec2 = varying(0), one: sampler2D = binding(0)):  # type: ignore[no-untyped-def]
        beside = texture_offset(one, at, ivec2(2, -1)).x
        stretched = texture_grad(one, at, vec2(0.25, 0.0), vec2(0.0, 0.25)).x
        return vec4(texture_lod(one, at, 1.0).x, stretched, beside, float(texture_levels(one)))

    made = Sampler(min_filter=MinFilter.NEAREST_MIPMAP_NEAREST)
    found = floats(explicit, [[0.21875] * 4, [0.21875] * 4], numbered(), made)
    assert found[:, 0].tolist() == [1001 + 1 / 16, 2000.0, 5 + 2 / 16, 3.0]


def test_fetches_take_integers() -> None:
    """Texel, level and offset; outside, zeros."""

    @fragment_shader
    def fetched(at: vec2 = varying(0), one: sampler2D = binding(0)):  # type: ignore[no-untyped-def]
        inside = texel_fetch(one, ivec2(3, 2), 1)
        moved = texel_fetch_offset(one, ivec2(3, 2), 0, ivec2(-1, 1))
        outside = texel_fetch(one, ivec2(16, 0), 0)
        return vec4(inside.x, moved.x, outside.x, outside.w)

    found = floats(fetched, [[0.0] * 4, [0.0] * 4], numbered())
    assert found[:, 0].tolist() == [1003 + 2 / 16, 2 + 3 / 16, 0.0, 0.0]


def test_gathers_give_four_texels() -> None:
    """In the order (0, 1), (1, 1), (1, 0), (0, 0), or by four offsets."""

    @fragment_shader
    def gathered(at: vec2 = varying(0), one: sampler2D = binding(0)):  # type: ignore[no-untyped-def]
        return texture_gather(one, at, 0)

    @fragment_shader
    def four(at: vec2 = varying(0), one: sampler2D = binding(0)):  # type: ignore[no-untyped-def]
        return texture_gather_offsets(one, at, ivec2(0, 0), ivec2(1, 0), ivec2(0, 2), ivec2(-1, -1))

    at = [[2 / 16] * 4, [2 / 16] * 4]
    assert floats(gathered, at, numbered())[:, 0].tolist() == [1 + 2 / 16, 2 + 2 / 16, 2 + 1 / 16, 1 + 1 / 16]
    assert floats(four, at, numbered())[:, 0].tolist() == [1 + 1 / 16, 2 + 1 / 16, 1 + 3 / 16, 0.0]


def test_queries_answer_sizes_and_levels() -> None:
    """Columns, rows and layers of a level; the level that a sample would take."""

    @fragment_shader
    def asked(at: vec2 = varying(0), one: sampler2DArray = binding(0)):  # type: ignore[no-untyped-def]
        size = texture_size(one, 1)
        lod = texture_query_lod(one, at)
        return vec4(float(size.x), float(size.z), lod.x, lod.y)

    layers = numbered(TextureTarget.TARGET_2D_ARRAY, 5)
    made = Sampler(min_filter=MinFilter.LINEAR_MIPMAP_LINEAR, lod_clamp=(0.0, 1.5))
    assert floats(asked, quad(4 / 16), layers, made)[:, 0].tolist() == [8.0, 5.0, 1.5, 2.0]


def test_a_layer_is_the_last_coordinate() -> None:
    """Rounded to the nearest layer."""

    @fragment_shader
    def layered(at: vec2 = varying(0), one: sampler2DArray = binding(0)):  # type: ignore[no-untyped-def]
        return texture_lod(one, vec3(at, 2.6), 0.0).x

    layers = numbered(TextureTarget.TARGET_2D_ARRAY, 5)
    assert floats(layered, quad(1 / 16), layers)[0].tolist() == [300.0, 301.0, 300.0625, 301.0625]


def test_a_magnified_linear_sample_mixes() -> None:
    """Half way between two texels."""
    made = Sampler(mag_filter=MagFilter.LINEAR)
    found = floats(sampled, [[4 / 16] * 4, [4.5 / 16] * 4], numbered(), made)
    assert found[0, 0] == 3.5 + 4 / 16


@pytest.mark.rule("TEX-HANDLE-2")
def test_handles_of_lanes_join_with_a_number() -> None:
    """A register of texture ids, and one sampler for all."""
    found = joined_handle([np.array([0x101, 0x102], np.uint32), 0x10300000])
    assert isinstance(found, np.ndarray)
    assert found.tolist() == [0x10300101, 0x10300102]


def test_both_executors_are_the_same() -> None:
    """A shader that reads textures runs by NumPy whichever is asked for."""
    values = np.array(quad(1 / 16), np.float32).view(np.uint32)
    given = textures_of({0: (numbered(), Sampler())})
    lanes = LaneInputs(count=4, values=values, textures=given, helper_quads=True)
    assert (
        run(sampled, lanes, executor="numba").values.tolist() == run(sampled, lanes, executor="numpy").values.tolist()
    )


def test_texture_statements_survive_json() -> None:
    """Interface and statements, written and read."""
    assert from_json(to_json(sampled)) == sampled
    (read,) = (one for one in sampled.statements if isinstance(one, SampleTexture))
    assert read.texture == 0
    assert sampled.textures[0].name == "one"


def test_what_nothing_reads_is_left_out() -> None:
    """A fetch whose result is not used is no statement of the shader."""

    @fragment_shader
    def unused(at: vec2 = varying(0), one: sampler2D = binding(0)):  # type: ignore[no-untyped-def]
        dropped = texel_fetch(one, ivec2(0, 0), 0)  # noqa: F841
        kept = texel_fetch(one, ivec2(1, 0), 0)
        return kept.x if at.x < 2.0 else kept.y

    assert sum(isinstance(one, FetchTexel) for one in unused.statements) == 1


def shader_of(slot: dict[str, Any], statement: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Return the JSON of a fragment shader with one slot and one statement."""
    read = {"to": [0, 1, 2, 3], "texture": 0, **statement}
    return {
        "refnvn_shader": 1, "stage": "fragment", "textures": [slot], "registers": ["word"] * 8 + ["bool"],
        "outputs": [{"location": 0}], "statements": [read, {"do": "store_output", "location": 0, "of": 0}], **more,
    }  # fmt: skip


SAMPLE = {"do": "sample_texture", "coordinates": [4, 5]}
FETCH = {"do": "fetch_texel", "texels": [4, 5]}
WRONG = {
    "no such texture": ({"binding": 0}, {**SAMPLE, "texture": 1}, "texture 1; there are 1"),
    "binding beyond 40": ({"binding": 41}, SAMPLE, "combined slots are 0 to 40"),
    "handle beside a binding": ({"binding": 0}, {**SAMPLE, "handle": 6}, "exactly one of them"),
    "no handle": ({}, SAMPLE, "exactly one of them"),
    "one coordinate": ({"binding": 0}, {**SAMPLE, "coordinates": [4]}, "takes 2 coordinates, not 1"),
    "a boolean": ({"binding": 0}, {**SAMPLE, "coordinates": [4, 8]}, "holds a bool"),
    "lod and gradients": (
        {"binding": 0}, {**SAMPLE, "lod": 6, "dx": [4, 5], "dy": [4, 5]}, "given or derived",
    ),
    "dx alone": ({"binding": 0}, {**SAMPLE, "dx": [4, 5]}, "dy of 0 numbers"),
    "reference without shadow": ({"binding": 0}, {**SAMPLE, "reference": 6}, "sampled with a reference"),
    "shadow without reference": ({"binding": 0, "shadow": True}, SAMPLE, "sampled with a reference"),
    "shadow of 3D": ({"binding": 0, "shadow": True, "dimension": "3d"}, SAMPLE, "is not compared"),
    "a separate texture alone": ({"binding": 0, "separate": True}, SAMPLE, "needs a sampler"),
    "a sampled buffer": ({"binding": 0, "dimension": "buffer"}, SAMPLE, "not sampled"),
    "level of a buffer": (
        {"binding": 0, "dimension": "buffer"}, {"do": "fetch_texel", "texels": [4], "level": 5}, "has no levels",
    ),
    "no sample": ({"binding": 0, "dimension": "multisample"}, FETCH, "a sample is fetched"),
    "a fetched cube": ({"binding": 0, "dimension": "cube"}, FETCH, "no texels are fetched"),
    "gathered 3D": ({"binding": 0, "dimension": "3d"}, {"do": "gather_texels", "coordinates": [4, 5]}, "gathered"),
    "bias of an explicit level": ({"binding": 0}, {**SAMPLE, "lod": 6, "bias": 7}, "that the quad gives"),
}  # fmt: skip


@pytest.mark.parametrize(("slot", "statement", "message"), WRONG.values(), ids=WRONG)
def test_what_is_no_shader_is_refused(slot: dict[str, Any], statement: dict[str, Any], message: str) -> None:
    """Each with what is wrong."""
    with pytest.raises(InputFileError, match=message):
        from_object(shader_of(slot, statement))


def test_a_slot_stands_once() -> None:
    """Two slots of one binding are refused."""
    twice = shader_of({"binding": 3}, SAMPLE) | {"textures": [{"binding": 3}, {"binding": 3, "type": "uint"}]}
    with pytest.raises(InputFileError, match="3 stands twice"):
        from_object(twice)


def test_misuse_of_textures_is_named() -> None:
    """Coordinates, slots, offsets and samplers that the types do not take."""

    def coordinates(at: vec2 = varying(0), one: samplerCube = binding(0)):  # type: ignore[no-untyped-def]
        return texture(one, at)

    def no_slot(at: vec2 = varying(0), one: sampler2D = varying(1)):  # type: ignore[no-untyped-def]
        return texture(one, at)

    def slot_41(at: vec2 = varying(0), one: sampler2D = binding(41)):  # type: ignore[no-untyped-def]
        return texture(one, at)

    def moving(at: vec2 = varying(0), by: ivec2 = varying(1, flat), one: sampler2D = binding(0)):  # type: ignore[no-untyped-def]
        return texture_offset(one, at, by)

    def alone(at: vec2 = varying(0), one: texture2D = binding(0)):  # type: ignore[no-untyped-def]
        return texture(one, at)

    def twice(at: vec2 = varying(0), one: sampler2D = binding(0), two: sampler = binding(0)):  # type: ignore[no-untyped-def]
        return texture(sampler2D(one, two), at)

    def number(at: vec2 = varying(0), one: sampler2D = binding(0)):  # type: ignore[no-untyped-def]
        return one + 1.0

    def dark(at: vec2 = varying(0), one: sampler2DShadow = binding(0)):  # type: ignore[no-untyped-def]
        return texture(one, at)

    def many(one: sampler2DMS = binding(0)):  # type: ignore[no-untyped-def]
        return texel_fetch(one, ivec2(0, 0))

    def deep(one: samplerBuffer = binding(0)):  # type: ignore[no-untyped-def]
        return texel_fetch(one, 0, 1)

    def handle(at: vec2 = varying(0)):  # type: ignore[no-untyped-def]
        return texture(sampler2D(at), at)

    expected = {
        coordinates: "coordinates is vec3, not vec2", no_slot: "has no slot; write one", slot_41: "slots are 0 to 40",
        moving: "an offset is a constant ivec2", alone: "read by sampler2D\\(texture, sampler\\)",
        twice: "a sampler already", number: "a texture or sampler cannot stand here", dark: "needs a reference",
        many: "needs a sample", deep: "1 arguments fewer", handle: "a handle is a uint",
    }  # fmt: skip
    for function, message in expected.items():
        with pytest.raises(ShaderSourceError, match=message):
            fragment_shader(function)  # type: ignore[call-overload]


def test_textures_pass_into_functions() -> None:
    """A function that is put in takes a texture like any argument."""

    @fragment_shader
    def caller(at: vec2 = varying(0), one: sampler2D = binding(0)):  # type: ignore[no-untyped-def]
        return doubled(one, at)  # type: ignore[no-untyped-call]

    found = floats(caller, quad(1 / 16), numbered())
    assert found[0].tolist() == [0.0, 2.0, 0.125, 2.125]


def doubled(one, at):  # type: ignore[no-untyped-def]
    """Return twice what is sampled."""
    return texture(one, at).x * 2.0
