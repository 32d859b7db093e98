"""Storage buffers, shared memory and images in the Python subset: what is emitted, and what is refused."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from refnvn.shader.glsl import glsl
from refnvn.shader.ir import AnyStatement, Shader, walk
from refnvn.shader.ir_memory import (
    AtomicImage,
    AtomicMemory,
    Barrier,
    ImageSize,
    LoadImage,
    LoadMemory,
    MemoryBarrier,
    MemorySize,
    StoreImage,
    StoreMemory,
)
from refnvn.shader.python import (
    Array,
    ShaderSourceError,
    Shared,
    Storage,
    array_length,
    atomic_add,
    atomic_compare_exchange,
    atomic_exchange,
    atomic_max,
    atomic_min,
    barrier,
    compute_shader,
    fragment_shader,
    gl,
    iimage2D,
    image,
    image2D,
    image2DMS,
    image_atomic_compare_exchange,
    image_atomic_min,
    image_load,
    image_size,
    image_store,
    ivec2,
    ivec3,
    mat3,
    memory_barrier,
    uimage2D,
    uimage3D,
    uint,
    uvec4,
    vec2,
    vec3,
    vec4,
    vertex_shader,
)


class Mixed(Storage, binding=3):
    """Fields of every alignment."""

    flag: bool
    place: vec2
    normal: vec3
    weight: float
    turn: mat3
    few: Array[vec3, 2]
    many: Array[uint]


class Tile(Shared):
    """Shared by a workgroup."""

    sums: Array[int, 5]
    count: uint


class Other(Shared):
    """More of it."""

    last: float


class Middle(Storage, binding=0):
    """An open array in the middle."""

    many: Array[uint]
    last: uint


class Far(Storage, binding=16):
    """Beyond the last slot."""

    one: uint


def of_kind(shader: Shader, *kinds: type[Any]) -> list[Any]:
    """Return the statements of some kinds."""
    found: list[AnyStatement] = [one for one in walk(shader.statements) if isinstance(one, kinds)]
    return found


def stored_offsets(shader: Shader) -> list[int]:
    """Return where a shader stores words."""
    return [one.offset_B for one in of_kind(shader, StoreMemory)]


def test_fields_lie_as_std430_places_them() -> None:
    """Worked out by hand: 0, 8, 16, 28, 32 (columns of 16), 80 (elements of 16), 112."""

    @compute_shader()
    def shader(mixed: Mixed):  # type: ignore[no-untyped-def]
        mixed.flag = mixed.weight > 1.0
        mixed.place = vec2(1.0, 2.0)
        mixed.normal = vec3(3.0)
        mixed.weight = 4.0
        mixed.few[1] = mixed.turn * mixed.normal
        mixed.many[2] = 7

    assert stored_offsets(shader) == [0, 8, 12, 16, 20, 24, 28, 96, 100, 104, 120]
    loaded = sorted({one.offset_B for one in of_kind(shader, LoadMemory)})
    assert loaded == [16, 20, 24, 28, 32, 36, 40, 48, 52, 56, 64, 68, 72]
    assert [one.binding for one in shader.storage] == [3]


def test_shared_blocks_follow_each_other() -> None:
    """24 bytes become 32, so that the next block starts there."""

    @compute_shader(local_size=(5, 1, 1))
    def shader(tile: Tile, other: Other):  # type: ignore[no-untyped-def]
        tile.sums[gl.local_invocation_index] = 1
        tile.count = 2
        other.last = 3.0

    assert (shader.shared_B, shader.local_size) == (48, (5, 1, 1))
    assert stored_offsets(shader) == [0, 20, 32]
    assert all(one.binding is None for one in of_kind(shader, StoreMemory))


def test_components_and_elements_are_assigned_alone() -> None:
    """A swizzle of one letter, an index, and what stands before an equals sign with an operator."""

    @compute_shader()
    def shader(mixed: Mixed):  # type: ignore[no-untyped-def]
        mixed.normal.y = 1.0
        mixed.normal[2] = 2.0
        mixed.few[0].x = 3.0
        mixed.many[gl.global_invocation_id.x] += 4

    assert stored_offsets(shader) == [20, 24, 80, 112]
    assert of_kind(shader, StoreMemory)[-1].plus_B is not None


def test_atomics_take_their_sign_from_what_they_change() -> None:
    """Signed in shared memory, unsigned in the buffer; an exchange takes floats too."""

    @compute_shader()
    def shader(mixed: Mixed, tile: Tile):  # type: ignore[no-untyped-def]
        atomic_min(tile.sums[0], -1)
        found = atomic_max(mixed.many[0], 2)
        atomic_add(mixed.many[1], found)
        atomic_exchange(mixed.weight, 0.5)
        atomic_compare_exchange(mixed.many[0], 3, 4)
        memory_barrier()
        barrier()

    atomics = of_kind(shader, AtomicMemory)
    assert [one.operation for one in atomics] == ["min_int", "max_uint", "add", "exchange", "compare_exchange"]
    assert [one.binding for one in atomics] == [None, 3, 3, 3, 3]
    assert atomics[2].of == atomics[1].to
    assert len(of_kind(shader, Barrier, MemoryBarrier)) == 2


def test_images_are_declared_with_slot_format_and_kind() -> None:
    """One without a format can be stored to."""

    @fragment_shader(early_fragment_tests=True)
    def shader(  # type: ignore[no-untyped-def]
        words: uimage3D = image(2, "R32UI"), drawn: image2D = image(5), signed: iimage2D = image(7, "R32I")
    ):
        at = ivec2(gl.frag_coord.xy)
        image_store(drawn, at, vec4(1.0))
        found = image_load(words, ivec3(at.x, at.y, 0))
        image_atomic_min(signed, at, -1)
        image_atomic_compare_exchange(signed, at, 1, int(found.x))
        image_store(words, image_size(words) - 1, found)

    assert shader.early_fragment_tests
    assert [(one.binding, one.dimension, one.format, one.type) for one in shader.images] == [
        (2, "3d", "R32UI", "uint"), (5, "2d", "", "float"), (7, "2d", "R32I", "int"),
    ]  # fmt: skip
    assert [one.operation for one in of_kind(shader, AtomicImage)] == ["min_int", "compare_exchange"]
    assert [len(one.at) for one in of_kind(shader, LoadImage, StoreImage)] == [2, 3, 3]
    assert len(of_kind(shader, ImageSize)) == 1


def test_what_is_loaded_and_not_read_is_left_out() -> None:
    """Atomics stay, whoever reads what they found."""

    @compute_shader()
    def shader(mixed: Mixed):  # type: ignore[no-untyped-def]
        unread = mixed.weight  # noqa: F841
        length = array_length(mixed.many)  # noqa: F841
        atomic_add(mixed.many[0], 1)

    assert of_kind(shader, LoadMemory, MemorySize) == []
    assert len(of_kind(shader, AtomicMemory)) == 1


@compute_shader(local_size=(8, 4, 1))
def printed(mixed: Mixed, tile: Tile, picture: uimage2D = image(1, "RG32UI")):  # type: ignore[no-untyped-def]
    """Something of everything."""
    i = gl.local_invocation_index
    tile.count = i
    barrier()
    mixed.many[i] = tile.count + uint(array_length(mixed.many))
    atomic_min(tile.sums[0], -5)
    at = ivec2(gl.global_invocation_id.xy)
    image_store(picture, at, image_load(picture, at) + 1)
    size = image_size(picture)
    atomic_add(mixed.many[0], uint(size.x))


@pytest.mark.parametrize(
    "line",
    [
        "layout(local_size_x = 8, local_size_y = 4, local_size_z = 1) in;",
        "layout(std430, binding = 3) coherent buffer Storage3 { uint words[]; } storage_3; // Mixed",
        "layout(binding = 1, rg32ui) coherent uniform uimage2D image_1;",
        "shared uint memory[8];",
        "w0 = gl_LocalInvocationIndex;",
        "memory[5u] = w0;",
        "barrier();",
        r"w\d+ = uint\(storage_3\.words\.length\(\)\) \* 4u;",
        r"storage_3\.words\[\(w\d+ \+ 112u\) >> 2u\] = w\d+;",
        r"uvec4 texel = imageLoad\(image_1, ivec2\(int\(w\d+\), int\(w\d+\)\)\);",
        r"imageStore\(image_1, ivec2\(int\(w\d+\), int\(w\d+\)\), uvec4\(w\d+, w\d+, w\d+, w\d+\)\);",
        r"w\d+ = atomicAdd\(storage_3\.words\[28u\], w\d+\);",
        r"old = atomicCompSwap\(memory\[0u\], now, uint\(min\(int\(now\), int\(w\d+\)\)\)\); \} while",
        r"w\d+ = uint\(imageSize\(image_1\)\.x\);",
    ],
)
def test_glsl_says_the_same(line: str) -> None:
    """Line by line, whatever numbers registers have."""
    text = glsl(printed)
    assert line in text or re.search(line, text)


def no_field(mixed: Mixed):  # type: ignore[no-untyped-def]
    mixed.nothing = 1.0


def whole_array(mixed: Mixed):  # type: ignore[no-untyped-def]
    mixed.few = vec3(1.0)


def other_type(mixed: Mixed):  # type: ignore[no-untyped-def]
    mixed.place = vec3(1.0)


def matrix(mixed: Mixed):  # type: ignore[no-untyped-def]
    mixed.turn = mixed.turn


def too_far(mixed: Mixed):  # type: ignore[no-untyped-def]
    mixed.few[2] = vec3(1.0)


def float_index(mixed: Mixed):  # type: ignore[no-untyped-def]
    mixed.many[1.0] = 1


def atomic_of_float(mixed: Mixed):  # type: ignore[no-untyped-def]
    atomic_add(mixed.weight, 1.0)


def atomic_of_vector(mixed: Mixed):  # type: ignore[no-untyped-def]
    atomic_exchange(mixed.place, vec2(1.0))


def atomic_of_variable(mixed: Mixed):  # type: ignore[no-untyped-def]
    x = uint(1)
    atomic_add(x, 1)


def value_of_barrier(mixed: Mixed):  # type: ignore[no-untyped-def]
    mixed.many[0] = barrier()


def returned(mixed: Mixed):  # type: ignore[no-untyped-def]
    return mixed.many[0]


def with_input(position: vec4):  # type: ignore[no-untyped-def]
    pass


def no_slot(picture: uimage2D):  # type: ignore[no-untyped-def]
    pass


def far_slot(picture: uimage2D = image(8, "R32UI")):  # type: ignore[no-untyped-def]
    pass


def no_format(picture: uimage2D = image(0, "RGB8")):  # type: ignore[no-untyped-def]
    pass


def other_kind(picture: uimage2D = image(0, "RGBA8")):  # type: ignore[no-untyped-def]
    pass


def load_of_no_format(picture: image2D = image(0)):  # type: ignore[no-untyped-def]
    image_load(picture, ivec2(0, 0))


def few_coordinates(picture: uimage2D = image(0, "R32UI")):  # type: ignore[no-untyped-def]
    image_load(picture, 1)


def no_sample(picture: image2DMS = image(0, "R32F")):  # type: ignore[no-untyped-def]
    image_store(picture, ivec2(0, 0), vec4(1.0))


def other_texel(picture: uimage2D = image(0, "R32UI")):  # type: ignore[no-untyped-def]
    image_store(picture, ivec2(0, 0), vec4(1.0))


def placed_block(mixed: Mixed = image(0)):  # type: ignore[no-untyped-def]
    pass


MISUSES = [
    (no_field, "Mixed has no field nothing; it has flag, place"),
    (whole_array, "few is an array; take an element of it"),
    (other_type, "takes vec2, not vec3"),
    (matrix, "a matrix in memory is read only"),
    (too_far, "element 2 of an array of 2"),
    (float_index, "an index is one int or uint, not float"),
    (atomic_of_float, "atomic_add takes int or uint, not float"),
    (atomic_of_vector, "changes one component"),
    (atomic_of_variable, "changes one component of a storage buffer or of shared memory"),
    (value_of_barrier, "barrier gives no value; it stands alone on its line"),
    (returned, "a compute shader returns nothing; store to memory"),
    (with_input, "a compute shader has no inputs"),
    (no_slot, 'an image has a slot from 0 to 7 and a format: name: uimage2D = image\\(0, "R32UI"\\)'),
    (far_slot, "a slot from 0 to 7"),
    (no_format, "'RGB8' is no format of images"),
    (other_kind, "the components of RGBA8 are float, those of uimage2D uint"),
    (load_of_no_format, "image_load needs the format"),
    (few_coordinates, "the coordinates of a 2d image are 2 integers, not int"),
    (no_sample, "image_store takes 4 arguments, not 3"),
    (other_texel, "image_store takes uvec4, not vec4"),
    (placed_block, "mixed is a block of memory, which has no place"),
]


@pytest.mark.parametrize(("function", "complaint"), MISUSES, ids=lambda one: getattr(one, "__name__", ""))
def test_misuse_names_the_line_and_what_to_write(function: Callable[..., Any], complaint: str) -> None:
    """One sentence."""
    with pytest.raises(ShaderSourceError, match=complaint) as caught:
        compute_shader()(function)
    assert str(caught.value).startswith("test_subset_memory.py:")


def test_other_stages_have_no_barrier_and_no_shared_memory() -> None:
    """A vertex shader with either is refused."""

    def waiting():  # type: ignore[no-untyped-def]
        barrier()
        return vec4(0.0)

    def sharing(tile: Tile):  # type: ignore[no-untyped-def]
        return vec4(float(tile.count))

    with pytest.raises(ShaderSourceError, match=r"a vertex shader has no barrier\(\)"):
        vertex_shader(waiting)
    with pytest.raises(ShaderSourceError, match="a vertex shader has no shared memory"):
        vertex_shader(sharing)


def test_blocks_are_checked_when_they_are_used() -> None:
    """An open array in the middle, a far binding, and no fields."""

    def middle(block: Middle):  # type: ignore[no-untyped-def]
        block.last = 1

    def far(block: Far):  # type: ignore[no-untyped-def]
        block.one = 1

    with pytest.raises(ShaderSourceError, match="only the last field of a storage buffer may be an open array"):
        compute_shader()(middle)
    with pytest.raises(ShaderSourceError, match="has binding 16; bindings are 0 to 15"):
        compute_shader()(far)


def test_values_outside_of_shaders_mean_nothing() -> None:
    """Words raise where they are called."""
    with pytest.raises(Exception, match="word of the shader language"):
        image_load(None, uvec4)
