"""Goldens of ``t_int_float_view``, ``t_tbuf_align``, ``t_cube_placeholder`` and of handles: what fetches find.

Read next: ``texture_views.py``.
"""

from __future__ import annotations

import struct

import numpy as np

from goldens.sampling import Sampling
from refnvn.golden.scene import scene_case
from refnvn.nvn.device import Device
from refnvn.nvn.memory_pool import Buffer, MemoryPool
from refnvn.nvn.sampler import Sampler, SamplerBuilder
from refnvn.nvn.texture import Texture
from refnvn.nvn.texture_builder import TextureBuilder
from refnvn.shader.python import (
    Array,
    Uniform,
    attribute,
    binding,
    float_bits_to_uint,
    fragment_shader,
    gl,
    ivec2,
    sampler,
    sampler1D,
    sampler2D,
    sampler3D,
    samplerBuffer,
    samplerCube,
    texel_fetch,
    texture,
    texture2D,
    texture_lod,
    texture_size,
    uint,
    usamplerBuffer,
    uvec4,
    varying,
    vec2,
    vec3,
    vec4,
    vertex_shader,
)

WORDS = (3, 0x7F800001, 0xFFFFFFFF, 0x80000000)
LIST_WORDS = (1, 5, 0xFFFFFFFF, 0x7FC00001)


class Handles(Uniform, binding=4):
    """Handles in uniform memory."""

    words: Array[uvec4, 16]  # type: ignore[type-arg, valid-type]


class Chosen(Uniform, binding=0):
    """Which of two textures a shader reads."""

    number: int


@fragment_shader
def sampled(at: vec4 = varying(0), one: sampler2D = binding(0)):  # type: ignore[no-untyped-def]
    """Sample at the coordinates."""
    return texture(one, at.xy)


@fragment_shader
def by_handle(handles: Handles, at: vec4 = varying(0)):  # type: ignore[no-untyped-def]
    """Sample by the handle in word 0x2A."""
    return texture(sampler2D(handles.words[10].z), at.xy)


@fragment_shader
def bits_of_line(one: sampler1D = binding(0)):  # type: ignore[no-untyped-def]
    """Fetch by the 1D instruction, through floats, and store the bits."""
    read = texel_fetch(one, int(gl.frag_coord.x), 0)
    return uvec4(float_bits_to_uint(read.x), float_bits_to_uint(read.y), float_bits_to_uint(read.w), uint(0))


@fragment_shader
def bits_of_image(one: sampler2D = binding(0)):  # type: ignore[no-untyped-def]
    """Fetch through floats and store the bits."""
    read = texel_fetch(one, ivec2(int(gl.frag_coord.x), 0), 0)
    return uvec4(float_bits_to_uint(read.x), float_bits_to_uint(read.y), float_bits_to_uint(read.w), uint(0))


@fragment_shader
def first_elements(one: samplerBuffer = binding(0)):  # type: ignore[no-untyped-def]
    """Fetch the element of the column."""
    return texel_fetch(one, int(gl.frag_coord.x))


@fragment_shader
def far_elements(one: usamplerBuffer = binding(0)):  # type: ignore[no-untyped-def]
    """Fetch elements 0, 16383, 16384, 32768, 39999 and 40000, and the size."""
    column = int(gl.frag_coord.x)
    place = 16382 + column
    if column == 0:
        place = 0
    elif column == 3:
        place = 32768
    elif column >= 4:
        place = 39995 + column
    return uvec4(texel_fetch(one, place).x, uint(texture_size(one)), uint(0), uint(1))


@fragment_shader
def either_cube(  # type: ignore[no-untyped-def]
    chosen: Chosen, one: samplerCube = binding(1), two: samplerCube = binding(2)
):
    """Sample the cube that a uniform chooses."""
    along = vec3(1.0, 0.25, 0.5)
    if chosen.number == 1:
        return texture_lod(one, along, 0.0)
    return texture_lod(two, along, 0.0)


@fragment_shader
def either_volume(  # type: ignore[no-untyped-def]
    chosen: Chosen, one: sampler3D = binding(1), two: sampler3D = binding(2)
):
    """Sample the volume that a uniform chooses."""
    if chosen.number == 1:
        return texture_lod(one, vec3(0.5, 0.5, 0.5), 0.0)
    return texture_lod(two, vec3(0.5, 0.5, 0.5), 0.0)


@fragment_shader
def both_tables(  # type: ignore[no-untyped-def]
    at: vec4 = varying(0), one: sampler2D = binding(0), two: texture2D = binding(0), alone: sampler = binding(0)
):
    """Add what a combined and a separate slot of one number hold."""
    return texture(one, at.xy) + texture(sampler2D(two, alone), vec2(1.25, 0.5))


@fragment_shader
def slot_34(at: vec4 = varying(0), one: sampler2D = binding(34)):  # type: ignore[no-untyped-def]
    """Sample combined slot 34."""
    return texture(one, at.xy)


@vertex_shader
def pulled(handles: Handles, position: vec4 = attribute(0)):  # type: ignore[no-untyped-def]
    """Fetch a colour from a buffer texture whose handle is in uniform memory."""
    read = texel_fetch(samplerBuffer(handles.words[0].x), gl.vertex_id)
    return position, vec4(read.xy, 0.0, 1.0)


@fragment_shader
def passed(color: vec4 = varying(0)):  # type: ignore[no-untyped-def]
    """Write the interpolated colour."""
    return color


def plain(device: Device, color: tuple[int, int, int, int], size_px: int = 1, **fields: object) -> Texture:
    """Return an RGBA8 texture of one colour."""
    found = device.texture("RGBA8", size_px, size_px, **fields)  # type: ignore[arg-type]
    texels = np.tile(np.array(color, np.uint8), size_px * size_px * found.subject().layers)
    found.write_texels(texels)
    return found


def buffer_texture(device: Device, pool: MemoryPool, offset_B: int, fmt: str, elements: int) -> Texture:
    """Return a buffer texture somewhere in a pool."""
    builder = TextureBuilder().set_target("BUFFER").set_format(fmt).set_size_1d(elements)
    return Texture(device, builder.set_storage(pool, offset_B))


@scene_case(
    "int_float_view/words",
    t_test="t_int_float_view",
    says="A fetch has no type: bits of 32-bit integers pass a float declaration, denormals and NaN payloads too.",
    ledger=("tex-int-as-float", "tbuf-int-as-float"),
)
def int_float_words(device: Device) -> None:
    """A 2D texture, and buffer textures of signed and unsigned integers, fetched as floats."""
    flat_words = device.texture("R32UI", 4, 1)
    flat_words.write_texels(np.array(WORDS, np.uint32))
    pool = device.memory_pool(np.array(LIST_WORDS, np.uint32))
    draws = Sampling(device)
    for name, one, fragment in (
        ("texture", flat_words, bits_of_image),
        ("signed_buffer", buffer_texture(device, pool, 0, "R32I", 4), bits_of_line),
        ("unsigned_buffer", buffer_texture(device, pool, 0, "R32UI", 4), bits_of_line),
    ):
        draws.bind(0, one)
        target = draws.target("RGBA32UI", 4, 1)
        draws.draw(fragment)
        draws.submit()
        target.read_texels(name)


@scene_case(
    "tbuf_align/offsets",
    t_test="t_tbuf_align",
    says="A buffer texture starts at any element, sees an earlier copy of the same submission, and is read in vertex "
    "order by a handle in uniform memory.",
    ledger=("tbuf-offset16", "tbuf-rows-align", "tbuf-ubo-handle"),
)
def offsets(device: Device) -> None:
    """R32F lists at 0x168, and at 4, 8 and 12 bytes more; a copy between two draws; a quad of pulled colours."""
    pool = device.memory_pool(4096)
    pool.write(0x168, np.arange(32, dtype=np.float32))
    draws = Sampling(device)
    for step in range(4):
        draws.bind(0, buffer_texture(device, pool, 0x168 + 4 * step, "R32F", 16))
        target = draws.target("R32F", 16, 1)
        draws.draw(first_elements)
        draws.submit()
        target.read_texels(f"offset_{4 * step}")
    list_at = Buffer(pool, 0x168, 64)
    draws.bind(0, buffer_texture(device, pool, 0x168, "R32F", 16))
    draws.commands.copy_buffer_to_buffer(device.buffer(np.full(16, 7, np.float32)), list_at, 64)
    draws.settle()
    target = draws.target("R32F", 16, 1)
    draws.draw(first_elements)
    draws.submit()
    target.read_texels("copied")
    _pulled(device, draws, pool)


def _pulled(device: Device, draws: Sampling, pool: MemoryPool) -> None:
    pool.write(0x408, np.array([[0, 0], [1, 0], [0, 1], [0, 1], [1, 0], [1, 1]], np.float32))
    handle = draws.handle(buffer_texture(device, pool, 0x408, "RG32F", 6))
    block = np.zeros(64, np.uint32)
    block[0] = handle
    draws.commands.bind_uniform_buffer("VERTEX", 4, device.buffer(block))
    target = draws.target("RGBA8", 8, 8)
    draws.draw(passed)
    draws.commands.bind_program(device.program(pulled, passed))
    draws.commands.draw_arrays("TRIANGLES", 0, 6)
    draws.submit()
    target.read_texels("pulled")


@scene_case(
    "tbuf_align/far_elements",
    t_test="t_tbuf_align",
    says="A buffer texture of 40000 elements is read past 16384, queried for its size, and reads 0 beyond its end.",
    ledger=("tbuf-1d-fetch",),
)
def far(device: Device) -> None:
    """Element n holds n."""
    pool = device.memory_pool(np.arange(40000, dtype=np.uint32))
    draws = Sampling(device)
    draws.bind(0, buffer_texture(device, pool, 0, "R32UI", 40000))
    target = draws.target("RGBA32UI", 6, 1)
    draws.draw(far_elements)
    draws.submit()
    target.read_texels("target")


@scene_case(
    "cube_placeholder/cubes",
    t_test="t_cube_placeholder",
    says="A flat texture in a cube slot disturbs nothing where another cube is chosen; chosen itself, what it gives "
    "is not specified.",
    ledger=("cube-slot-2d",),
)
def cube_placeholders(device: Device) -> None:
    """A blue cube beside a 2D texture, an array of one layer and one of five."""
    draws = Sampling(device)
    draws.bind(1, plain(device, (0, 0, 255, 255), 4, target="CUBEMAP"))
    others = {
        "flat": plain(device, (10, 20, 30, 40), 4),
        "one_layer": plain(device, (10, 20, 30, 40), 4, depth=1, target="2D_ARRAY"),
        "five_layers": plain(device, (10, 20, 30, 40), 4, depth=5, target="2D_ARRAY"),
    }
    for name, one in others.items():
        draws.bind(2, one)
        _choose(device, draws, either_cube, name)


@scene_case(
    "cube_placeholder/volumes",
    t_test="t_cube_placeholder",
    says="A flat texture in a 3D slot disturbs nothing where another volume is chosen; chosen itself, what it gives "
    "is not specified.",
    ledger=("vol-slot-2d",),
)
def volume_placeholders(device: Device) -> None:
    """A volume of 127 beside a 2D texture."""
    draws = Sampling(device)
    volume = device.texture("RGBA8", 4, 4, 4, target="3D")
    volume.write_texels(np.full(256, 127, np.uint8))
    draws.bind(1, volume)
    draws.bind(2, plain(device, (10, 20, 30, 40), 4))
    _choose(device, draws, either_volume, "flat")


def _choose(device: Device, draws: Sampling, fragment: object, name: str) -> None:
    """Draw with the first texture chosen, and with the second."""
    for number, what in ((1, "unselected"), (2, "selected")):
        draws.commands.bind_uniform_buffer("FRAGMENT", 0, device.buffer(np.array([number] * 64, np.int32)))
        target = draws.target("RGBA8", 1, 1)
        draws.draw(fragment)  # type: ignore[arg-type]
        draws.submit()
        target.read_texels(f"{name}_{what}")


@scene_case(
    "bindless/handle_updated_inline",
    t_test="t_nvn",
    says="The handle in word 0x2A of a uniform buffer is what it is when the draw runs: red, then green.",
    ledger=("s4-4-bindless",),
)
def handle_updated_inline(device: Device) -> None:
    """Texture 0x123 with sampler 5, then another texture, updated inline between two draws."""
    draws = Sampling(device)
    draws.samplers.register_sampler(5, Sampler(SamplerBuilder()))
    draws.textures.register_texture(0x123, plain(device, (255, 0, 0, 255)))
    draws.textures.register_texture(0x124, plain(device, (0, 255, 0, 255)))
    block = device.buffer(256)
    target = draws.target("RGBA8", 2, 1)
    draws.commands.bind_uniform_buffer("FRAGMENT", 4, block)
    for column, word in enumerate((0x00500123, 0x00500124)):
        draws.commands.update_uniform_buffer(block, 256, 4 * 0x2A, struct.pack("<I", word))
        draws.commands.set_scissor(column, 0, 1, 1)
        draws.draw(by_handle)
    draws.submit()
    target.read_texels("target")


@scene_case(
    "bindless/slots",
    t_test="t_nvn",
    says="Combined and separate slots of one number are two; combined slot 34 is a slot like the first; a separate "
    "sampler wraps as it says.",
    ledger=("s4-3a-combined", "s4-3c-septex", "s4-3d-sepsamp"),
)
def slots(device: Device) -> None:
    """Combined 0 is blue; separate 0 is red at its last texel, which a clamping sampler takes at u = 1.25."""
    draws = Sampling(device)
    draws.bind(0, plain(device, (0, 0, 255, 255)))
    two = device.texture("RGBA8", 2, 1)
    two.write_texels(np.array([0, 255, 0, 255, 255, 0, 0, 255], np.uint8))
    number = draws.textures.register_texture(None, two)
    clamped = SamplerBuilder().set_wrap_mode("CLAMP_TO_EDGE", "CLAMP_TO_EDGE", "CLAMP_TO_EDGE")
    alone = draws.samplers.register_sampler(None, Sampler(clamped))
    draws.commands.bind_separate_texture("FRAGMENT", 0, device.get_separate_texture_handle(number))
    draws.commands.bind_separate_sampler("FRAGMENT", 0, device.get_separate_sampler_handle(alone))
    draws.bind(34, plain(device, (200, 0, 0, 255)))
    for name, fragment in (("both", both_tables), ("slot_34", slot_34)):
        target = draws.target("RGBA8", 1, 1)
        draws.draw(fragment)
        draws.submit()
        target.read_texels(name)


@scene_case(
    "nvn/compared_by_mapping",
    t_test="t_nvn",
    says="Textures that differ in the channel mapping alone are different: the id that is registered again shows the "
    "new mapping.",
    ledger=("texture-compare",),
)
def compared_by_mapping(device: Device) -> None:
    """An R8 texture as it is, then with the mapping (1, 1, 1, R) under the same id: alpha 255, then 64."""
    one = plain_r8(device)
    mapped = TextureBuilder().set_format("R8").set_size_2d(8, 8).set_swizzle("ONE", "ONE", "ONE", "R")
    other = device.place(mapped, over=one)
    draws = Sampling(device)
    handle = device.get_texture_handle(300, draws.samplers.register_sampler(None, Sampler(SamplerBuilder())))
    draws.commands.bind_texture("FRAGMENT", 0, handle)
    for name, texture_now in (("first", one), ("second", other)):
        if name == "first" or not one.compare(texture_now):
            draws.textures.register_texture(300, texture_now)
        target = draws.target("RGBA8", 1, 1)
        draws.draw(sampled)
        draws.submit()
        target.read_texels(name)


def plain_r8(device: Device) -> Texture:
    """Return an 8 x 8 texture of 64."""
    found = device.texture("R8", 8, 8)
    found.write_texels(np.full(64, 64, np.uint8))
    return found


@scene_case(
    "bindless/empty_id",
    t_test="t_nvn",
    says="An id with nothing registered reads like an empty slot, not what it named in another pool: unspecified.",
    ledger=("texid-stale-view",),
)
def empty_id(device: Device) -> None:
    """A red texture by its id, then the same handle with a pool in which the id is empty."""
    draws = Sampling(device)
    draws.bind(0, plain(device, (255, 0, 0, 255)))
    for name in ("registered", "empty"):
        if name == "empty":
            draws.commands.set_texture_pool(device.texture_pool(512))
        target = draws.target("RGBA8", 1, 1)
        draws.draw(sampled)
        draws.submit()
        target.read_texels(name)
