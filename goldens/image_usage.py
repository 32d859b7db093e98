"""Goldens of ``t_image_usage`` and ``t_image_primitive_id``: what shaders find and leave in images."""

from __future__ import annotations

import numpy as np

from goldens.storing import Out, Storing, ordered
from refnvn.golden.scene import scene_case
from refnvn.nvn.device import Device
from refnvn.nvn.texture import TextureView
from refnvn.shader.ir import Shader, from_object, to_object
from refnvn.shader.python import (
    Uniform,
    compute_shader,
    fragment_shader,
    gl,
    image,
    image2D,
    image2DArray,
    image_atomic_add,
    image_atomic_compare_exchange,
    image_atomic_exchange,
    image_atomic_or,
    image_load,
    image_store,
    ivec2,
    ivec3,
    uimage2D,
    uimage2DArray,
    uint,
    uvec4,
    vec4,
)

COLOR = (0x11 / 255, 0x22 / 255, 0x33 / 255, 0x44 / 255)
"""The bytes 11 22 33 44."""
SLOTS = 8


@compute_shader(local_size=(4, 4, 1))
def mark(out: Out, picture: uimage2D = image(0, "R32UI")):  # type: ignore[no-untyped-def]
    """Set two bits of every texel, and say what was there."""
    found = image_atomic_or(picture, ivec2(gl.local_invocation_id.xy), 0x8800)
    out.words[gl.local_invocation_index] = found


@scene_case(
    "image_usage/atomic_rgba8",
    t_test="t_image_usage",
    says="An atomic or with 0x8800 through an R32UI slot makes the cleared bytes 11 22 33 44 into 11 aa 33 44.",
    ledger=("atomic-rgba8",),
)
def atomic_rgba8(device: Device) -> None:
    """Sent to a sink the bits are never set; on a new backing the cleared colour is gone."""
    picture, out = device.texture("RGBA8", 4, 4), device.buffer(64)
    storing = Storing(device)
    storing.commands.clear_texture(picture, None, None, COLOR)
    ordered(storing.commands)
    storing.bind_image("COMPUTE", 0, picture)
    storing.commands.bind_storage_buffer("COMPUTE", 0, out)
    storing.compute(mark)
    storing.commands.dispatch_compute(1)
    storing.submit()
    picture.read_texels("picture")
    out.read("found")


@compute_shader(local_size=(4, 4, 1))
def flip(out: Out, words: uimage2D = image(0, "R32UI")):  # type: ignore[no-untyped-def]
    """Store every word with its lowest byte turned over, and say what was there."""
    at = ivec2(gl.local_invocation_id.xy)
    found = image_load(words, at)
    out.words[gl.local_invocation_index] = found.x
    image_store(words, at, uvec4(found.x ^ 0xFF, 0, 0, 0))


@compute_shader(local_size=(4, 1, 1))
def whiten(colors: image2D = image(1, "RGBA8")):  # type: ignore[no-untyped-def]
    """Store white in the first row."""
    image_store(colors, ivec2(int(gl.local_invocation_index), 0), vec4(1.0))


@scene_case(
    "image_usage/integer_view",
    t_test="t_image_usage",
    says="An R32UI slot reads bytes 11 22 33 44 as 0x44332211 and writes bits; a colour slot stores beside it.",
    ledger=("image-int-view",),
)
def integer_view(device: Device) -> None:
    """Bound untyped, the integer slot reads 0 or anything."""
    picture, out = device.texture("RGBA8", 4, 4), device.buffer(64)
    storing = Storing(device)
    storing.commands.clear_texture(picture, None, None, COLOR)
    ordered(storing.commands)
    storing.bind_image("COMPUTE", 0, picture)
    storing.bind_image("COMPUTE", 1, picture)
    storing.commands.bind_storage_buffer("COMPUTE", 0, out)
    storing.compute(flip)
    storing.commands.dispatch_compute(1)
    ordered(storing.commands)
    storing.compute(whiten)
    storing.commands.dispatch_compute(1)
    storing.submit()
    picture.read_texels("picture")
    out.read("found")


@compute_shader(local_size=(8, 1, 1))
def chain(out: Out, words: uimage2D = image(0, "R32UI")):  # type: ignore[no-untyped-def]
    """Add, exchange, and compare and exchange, each invocation in a texel of its own."""
    i = gl.local_invocation_index
    at = ivec2(int(i), 0)
    out.words[4 * i] = image_atomic_add(words, at, i)
    out.words[4 * i + 1] = image_atomic_exchange(words, at, i * 16)
    out.words[4 * i + 2] = image_atomic_compare_exchange(words, at, 32, 7)
    out.words[4 * i + 3] = image_load(words, at).x


@scene_case(
    "image_usage/atomics",
    t_test="t_image_usage",
    says="Atomic accesses of an image give what they find and leave what they say; a barrier-free chain is in order.",
    ledger=("atomic-rgba8",),
)
def atomics(device: Device) -> None:
    """Texel 2 holds 32 when it is compared, the others do not."""
    picture, out = device.texture("R32UI", 8, 1), device.buffer(128)
    picture.write_texels(np.arange(100, 108, dtype="<u4").tobytes())
    storing = Storing(device)
    storing.bind_image("COMPUTE", 0, picture)
    storing.commands.bind_storage_buffer("COMPUTE", 0, out)
    storing.compute(chain)
    storing.commands.dispatch_compute(1)
    storing.submit()
    picture.read_texels("picture")
    out.read("found")


class Number(Uniform, binding=1):
    """What a slot stores."""

    value: uint


@compute_shader()
def store_number(number: Number, picture: uimage2D = image(0, "R32UI")):  # type: ignore[no-untyped-def]
    """Store one number."""
    image_store(picture, ivec2(0, 0), uvec4(number.value))


def in_slot(slot: int) -> Shader:
    """Return the shader above with its image in another slot."""
    made = to_object(store_number)
    for one in (*made["images"], *(s for s in made["statements"] if s["do"] == "store_image")):
        one["binding"] = slot
    return from_object(made)


@scene_case(
    "image_usage/slots",
    t_test="t_image_usage",
    says="Each of the eight image slots of a stage holds its own image: slot n stores 70 + n.",
    ledger=("s4-3b-image",),
)
def slots(device: Device) -> None:
    """Where slots are numbered from another place, numbers land in other images."""
    pictures = [device.texture("R32UI", 1, 1) for _ in range(SLOTS)]
    numbers = device.buffer(np.repeat(70 + np.arange(SLOTS, dtype="<u4"), 64).tobytes())
    storing = Storing(device)
    for slot, picture in enumerate(pictures):
        storing.bind_image("COMPUTE", slot, picture)
    for slot in range(SLOTS):
        storing.compute(in_slot(slot))
        storing.commands.bind_uniform_buffer("COMPUTE", 1, numbers.get_address() + 256 * slot, 256)
        storing.commands.dispatch_compute(1)
    storing.submit()
    for slot, picture in enumerate(pictures):
        picture.read_texels(f"slot{slot}")


@compute_shader(local_size=(4, 1, 1))
def raw(out: Out, picture: image2D = image(0, "R8")):  # type: ignore[no-untyped-def]
    """Say what an R8 texel loads as: R in the low byte, then G, B and A."""
    i = gl.local_invocation_index
    texel = image_load(picture, ivec2(int(i), 0)) * 255.0 + 0.5
    out.words[i] = uint(texel.r) | uint(texel.g) << 8 | uint(texel.b) << 16 | uint(texel.a) << 24


@scene_case(
    "image_usage/unmapped_channels",
    t_test="t_image_usage",
    says="An R8 texture mapped (1, 1, 1, R) loads from an image slot as its raw red, 0, 0 and 1.",
    ledger=("tex-swizzle", "image-int-view"),
)
def unmapped_channels(device: Device) -> None:
    """The channel mapping belongs to samples alone."""
    picture, out = device.texture("R8", 4, 1), device.buffer(16)
    picture.write_texels(bytes([0, 85, 170, 255]))
    storing = Storing(device)
    storing.bind_image("COMPUTE", 0, picture, TextureView().set_swizzle("ONE", "ONE", "ONE", "R"))
    storing.commands.bind_storage_buffer("COMPUTE", 0, out)
    storing.compute(raw)
    storing.commands.dispatch_compute(1)
    storing.submit()
    out.read("loaded")


@fragment_shader
def layer_of_primitive(picture: uimage2DArray = image(0, "R32UI")):  # type: ignore[no-untyped-def]
    """Store the primitive's number plus 1 in the layer of that number."""
    at = ivec3(int(gl.frag_coord.x), int(gl.frag_coord.y), gl.primitive_id)
    image_store(picture, at, uvec4(uint(gl.primitive_id) + 1))


@scene_case(
    "image_primitive_id/layers",
    t_test="t_image_primitive_id",
    says="Four triangles of one draw without targets store their number plus 1 to the layer of their number: 1 to 4.",
    ledger=("primitive-id", "no-rt-pass"),
)
def layers_of_primitives(device: Device) -> None:
    """Where the fragment stage always reads 0, layers 1 to 3 stay empty; where such passes are skipped, all do."""
    picture = device.texture("R32UI", 8, 8, 4, target="2D_ARRAY")
    storing = Storing(device)
    storing.bind_image("FRAGMENT", 0, picture)
    storing.draw_with(layer_of_primitive)
    storing.cover(4)
    storing.submit()
    picture.read_texels("layers")


@fragment_shader
def number_where_it_is(picture: uimage2D = image(0, "R32UI")):  # type: ignore[no-untyped-def]
    """Store the primitive's number plus 1: the first one everywhere, the second in the left half."""
    if gl.primitive_id == 0 or gl.frag_coord.x < 4.0:
        image_store(picture, ivec2(gl.frag_coord.xy), uvec4(uint(gl.primitive_id) + 1))


@scene_case(
    "image_usage/unordered",
    t_test="t_image_usage",
    says="Two triangles of one draw store to the left half: which of them stays is not said, 1 and 2 are allowed.",
    ledger=("no-rt-pass",),
)
def unordered(device: Device) -> None:
    """The right half holds 1; skipped as a pass without targets, all is 0."""
    picture = device.texture("R32UI", 8, 8)
    storing = Storing(device)
    storing.bind_image("FRAGMENT", 0, picture)
    storing.draw_with(number_where_it_is)
    storing.cover(2)
    storing.submit()
    picture.read_texels("picture")


@fragment_shader
def to_all_layers(picture: image2DArray = image(0, "RGBA8")):  # type: ignore[no-untyped-def]
    """Store 200 in every layer."""
    for layer in range(4):
        image_store(picture, ivec3(int(gl.frag_coord.x), int(gl.frag_coord.y), layer), vec4(200.0 / 255.0))
    return vec4(0.0)
