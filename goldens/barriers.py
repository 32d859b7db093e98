"""Goldens of barriers: the ordering half of ``t_rast_discard``, ``t_perf_order``, and rows without a test.

What barriers order has one result; of the rest the golden lists what it may be.
"""

from __future__ import annotations

import numpy as np

from goldens.drawing import depth_state
from goldens.feedback_depth import half_deep, quarter_deep
from goldens.sampling import Sampling
from goldens.storing import SIZE, Out, Storing, covering
from refnvn.golden.scene import scene_case
from refnvn.nvn.device import Device
from refnvn.nvn.memory_pool import Buffer
from refnvn.nvn.texture import TextureView
from refnvn.shader.python import (
    Array,
    Storage,
    binding,
    compute_shader,
    float_bits_to_uint,
    fragment_shader,
    gl,
    image,
    image2D,
    image_load,
    image_store,
    ivec2,
    sampler2D,
    texel_fetch,
    vec4,
    vertex_shader,
)

PRODUCED = 4096
EVERYTHING = "ORDER_PRIMITIVES | ORDER_FRAGMENTS | INVALIDATE_TEXTURE | INVALIDATE_SHADER"


class Places(Storage, binding=0):
    """What a vertex shader adds to positions along x."""

    offsets: Array[float]  # type: ignore[type-arg]


@vertex_shader
def producing(places: Places):  # type: ignore[no-untyped-def]
    """Store 1 for each vertex."""
    places.offsets[gl.vertex_id] = 1.0
    return vec4(0.0, 0.0, 0.0, 1.0)


@vertex_shader
def producing_less(places: Places):  # type: ignore[no-untyped-def]
    """Store -1 for each vertex."""
    places.offsets[gl.vertex_id] = -1.0
    return vec4(0.0, 0.0, 0.0, 1.0)


@vertex_shader
def shifted(places: Places):  # type: ignore[no-untyped-def]
    """Cover the left half, shifted by what the last vertices stored."""
    corner = gl.vertex_id % 6
    right = corner == 1 or corner == 4 or corner == 5
    top = corner == 2 or corner == 3 or corner == 5
    x = (0.0 if right else -1.0) + places.offsets[PRODUCED - 1 - corner]
    return vec4(x, 1.0 if top else -1.0, 0.0, 1.0)


@fragment_shader
def red():  # type: ignore[no-untyped-def]
    """Red."""
    return vec4(1.0, 0.0, 0.0, 1.0)


@fragment_shader
def green():  # type: ignore[no-untyped-def]
    """Green."""
    return vec4(0.0, 1.0, 0.0, 1.0)


class Skinning:
    """Draws whose vertex shaders store or read offsets; the target starts black."""

    def __init__(self, device: Device) -> None:
        self.device = device
        self.commands = device.command_buffer()
        self.target = device.texture("RGBA8", SIZE, SIZE)
        self.offsets: Buffer = device.buffer(np.zeros(PRODUCED, np.float32))
        self.commands.set_render_targets([self.target])
        self.commands.set_viewport(0, 0, SIZE, SIZE)
        self.commands.set_scissor(0, 0, SIZE, SIZE)
        self.commands.bind_storage_buffer("VERTEX", 0, self.offsets)

    def produce(self, shader: object) -> None:
        """Run 4096 vertices that store, and rasterise nothing."""
        self.commands.set_rasterizer_discard(True)
        self.commands.bind_program(self.device.program(shader))
        self.commands.draw_arrays("POINTS", 0, PRODUCED)
        self.commands.set_rasterizer_discard(False)

    def consume(self, fragment: object) -> None:
        """Draw two triangles that read what was stored last."""
        self.commands.bind_program(self.device.program(shifted, fragment))
        self.commands.draw_arrays("TRIANGLES", 0, 6)

    def finish(self, name: str) -> None:
        """Submit, and read the target."""
        self.device.queue().submit(self.commands)
        self.target.read_texels(name)


@scene_case(
    "rast_discard/producer_and_consumer",
    t_test="t_rast_discard",
    says="After ORDER_PRIMITIVES a vertex shader reads what 4096 vertices stored: the rectangle is shifted.",
    ledger=("barrier-prims", "rast-discard"),
)
def producer_and_consumer(device: Device) -> None:
    """0x1 and 0x21 order; without a barrier, or with one for fragments, a vertex may be where it was."""
    for name, bits in {"primitives": 0x01, "with_shader_caches": 0x21, "fragments": 0x02, "none": 0x00}.items():
        skinning = Skinning(device)
        skinning.produce(producing)
        if bits:
            skinning.commands.barrier(bits)
        skinning.consume(red)
        skinning.finish(name)


@scene_case(
    "rast_discard/write_after_read",
    t_test="t_rast_discard",
    says="A barrier also keeps a later store from what earlier draws still read: each draw sees its own offsets.",
    ledger=("barrier-war",),
)
def write_after_read(device: Device) -> None:
    """Left half green with offset 0, then right half red with offset 1; overtaken, both lie on the right.

    A barrier for fragments alone, between the reader and the store, leaves that open.
    """
    barriers: dict[str, str | int] = {"primitives": 0x01, "everything": EVERYTHING, "fragments": 0x02}
    for name, bits in barriers.items():
        skinning = Skinning(device)
        skinning.consume(green)
        skinning.commands.barrier(bits)
        skinning.produce(producing)
        skinning.commands.barrier("ORDER_PRIMITIVES")
        skinning.consume(red)
        skinning.finish(name)


@scene_case(
    "rast_discard/chain",
    t_test="t_rast_discard",
    says="Producers and consumers in turn, a barrier between each: every consumer sees the producer before it.",
    ledger=("barrier-prims", "barrier-war"),
)
def chain(device: Device) -> None:
    """The second producer moves the rectangle out on the left, so that the first one's stays."""
    skinning = Skinning(device)
    for producer, fragment in ((producing, red), (producing_less, green)):
        skinning.produce(producer)
        skinning.commands.barrier("ORDER_PRIMITIVES")
        skinning.consume(fragment)
        skinning.commands.barrier("ORDER_PRIMITIVES")
    skinning.finish("target")


@fragment_shader
def hundred(picture: image2D = image(0, "R32F")):  # type: ignore[no-untyped-def]
    """Store 100."""
    image_store(picture, ivec2(gl.frag_coord.xy), vec4(100.0))


@fragment_shader
def fifty_more(picture: image2D = image(0, "R32F")):  # type: ignore[no-untyped-def]
    """Add 50, by load and store."""
    at = ivec2(gl.frag_coord.xy)
    image_store(picture, at, image_load(picture, at) + 50.0)


@scene_case(
    "barriers/fragment_images",
    t_test="t_perf_order",
    says="Draws of one pass without targets that change an image compose in order across fragment barriers: 200.",
    ledger=("barrier-fragment-image",),
)
def fragment_images(device: Device) -> None:
    """0x2, 0x12 and the tiled form order; without one a load may be older, and of the sum nothing is claimed."""
    for name, bits in {"order": 0x02, "with_texture_cache": 0x12, "tiled": 0x04, "none": 0x00}.items():
        picture = device.texture("R32F", SIZE, SIZE)
        storing = Storing(device)
        storing.bind_image("FRAGMENT", 0, picture)
        for fragment in (hundred, fifty_more, fifty_more):
            storing.draw_with(fragment)
            storing.cover()
            if bits:
                storing.commands.barrier(bits)
        storing.submit()
        picture.read_texels(name)


@scene_case(
    "perf_order/layers",
    t_test="t_perf_order",
    says="Passes to six layers of one level are six passes: each has its own colour, and the last reads the first.",
    ledger=("slice-merge",),
)
def layers(device: Device) -> None:
    """Layer n is n fifths of white; the sixth is read from the first after a barrier."""
    draws = Sampling(device)
    array = device.texture("RGBA8", SIZE, SIZE, 6, target="2D_ARRAY")
    for layer, shader in enumerate(FIFTHS):
        draws.draw_to(array, TextureView().set_layers(layer, 1))
        draws.draw(shader)
    draws.commands.barrier("ORDER_FRAGMENTS | INVALIDATE_TEXTURE")
    draws.draw_to(array, TextureView().set_layers(5, 1))
    draws.bind(0, array, view=TextureView().set_layers(0, 1).set_target("2D"))
    draws.draw(copied)
    draws.submit()
    array.read_texels("layers")


@fragment_shader
def first_fifth():  # type: ignore[no-untyped-def]
    """One fifth."""
    return vec4(0.2)


@fragment_shader
def second_fifth():  # type: ignore[no-untyped-def]
    """Two fifths."""
    return vec4(0.4)


@fragment_shader
def third_fifth():  # type: ignore[no-untyped-def]
    """Three fifths."""
    return vec4(0.6)


@fragment_shader
def fourth_fifth():  # type: ignore[no-untyped-def]
    """Four fifths."""
    return vec4(0.8)


@fragment_shader
def fifth_fifth():  # type: ignore[no-untyped-def]
    """All of it."""
    return vec4(1.0)


FIFTHS = (first_fifth, second_fifth, third_fifth, fourth_fifth, fifth_fifth)


@fragment_shader
def copied(one: sampler2D = binding(0)):  # type: ignore[no-untyped-def]
    """Copy the texel at the own place."""
    return texel_fetch(one, ivec2(gl.frag_coord.xy), 0)


@compute_shader(local_size=(8, 8, 1))
def depth_to_words(out: Out, deep: sampler2D = binding(0)):  # type: ignore[no-untyped-def]
    """Store the bits of each depth."""
    at = ivec2(gl.local_invocation_id.xy)
    out.words[8 * at.y + at.x] = float_bits_to_uint(texel_fetch(deep, at, 0).x)


@scene_case(
    "perf_order/depth_reader",
    t_test="t_perf_order",
    says="A dispatch between two draws of a pass samples the depth of the first, 0.5, not 1 nor the second's 0.25.",
    ledger=("cs-hoist", "s4-sw-barrier"),
)
def depth_reader(device: Device) -> None:
    """Depth was 1 when the submission began."""
    draws = Sampling(device)
    commands = draws.commands
    depth, out = device.texture("DEPTH32F", SIZE, SIZE), device.buffer(np.zeros(SIZE * SIZE, np.uint32))
    depth.write_texels(np.ones(SIZE * SIZE, np.float32))
    commands.bind_texture("COMPUTE", 0, draws.handle(depth))
    commands.bind_storage_buffer("COMPUTE", 0, out)
    commands.bind_program(device.program(compute=depth_to_words), "COMPUTE")
    commands.set_render_targets([], depth_stencil=depth)
    commands.set_viewport(0, 0, SIZE, SIZE)
    commands.set_scissor(0, 0, SIZE, SIZE)
    commands.bind_depth_stencil_state(depth_state("ALWAYS"))
    commands.bind_program(device.program(covering, half_deep))
    commands.draw_arrays("TRIANGLES", 0, 3)
    commands.barrier(EVERYTHING)
    commands.dispatch_compute(1)
    commands.barrier(EVERYTHING)
    commands.bind_program(device.program(None, quarter_deep), "FRAGMENT")
    commands.draw_arrays("TRIANGLES", 0, 3)
    draws.submit()
    out.read("seen")
    depth.read_texels("depth")


@vertex_shader
def displaced(height: sampler2D = binding(0)):  # type: ignore[no-untyped-def]
    """Cover the left half, shifted by the texel of a height map."""
    corner = gl.vertex_id % 6
    right = corner == 1 or corner == 4 or corner == 5
    top = corner == 2 or corner == 3 or corner == 5
    x = (0.0 if right else -1.0) + texel_fetch(height, ivec2(0, 0), 0).x
    return vec4(x, 1.0 if top else -1.0, 0.0, 1.0)


@scene_case(
    "barriers/vertex_reader",
    t_test="t_perf_order",
    says="A vertex shader samples what the pass before rendered once a barrier stands between; else it may be older.",
    ledger=("s4-sw-barrier",),
)
def vertex_reader(device: Device) -> None:
    """The first pass turns the height from 0 to 1, which moves the second pass's rectangle to the right half."""
    for name, bits in {"ordered": EVERYTHING, "fragments_only": "ORDER_FRAGMENTS | INVALIDATE_TEXTURE"}.items():
        draws = Sampling(device)
        height = draws.target("R32F", 1)
        draws.draw(fifth_fifth)
        target = draws.target("RGBA8", SIZE, SIZE)
        draws.commands.barrier(bits)
        draws.bind(0, height, stage="VERTEX")
        draws.commands.bind_program(device.program(displaced, red))
        draws.commands.draw_arrays("TRIANGLES", 0, 6)
        draws.submit()
        target.read_texels(name)
