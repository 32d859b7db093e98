"""Goldens of ``t_view_swizzle``, ``t_tex_fit_root``, ``t_view_levels`` and ``t_srgb_alias``: what views show.

Read next: ``depth_views.py``.
"""

from __future__ import annotations

import numpy as np

from goldens.sampling import Sampling
from refnvn.golden.scene import scene_case
from refnvn.nvn.device import Device
from refnvn.nvn.memory_pool import MappingRequest
from refnvn.nvn.sampler import SamplerBuilder
from refnvn.nvn.states import BlendState, ColorState
from refnvn.nvn.texture import Texture, TextureView
from refnvn.nvn.texture_builder import TextureBuilder
from refnvn.shader.python import (
    binding,
    fragment_shader,
    gl,
    ivec2,
    sampler1DArray,
    sampler2D,
    sampler2DArray,
    samplerCube,
    samplerCubeArray,
    texel_fetch,
    texture,
    varying,
    vec3,
    vec4,
)


@fragment_shader
def sampled(at: vec4 = varying(0), one: sampler2D = binding(0)):  # type: ignore[no-untyped-def]
    """Sample at the coordinates."""
    return texture(one, at.xy)


@fragment_shader
def directions(one: samplerCube = binding(0)):  # type: ignore[no-untyped-def]
    """Sample the six faces, one a pixel."""
    face = int(gl.frag_coord.x)
    sign = 1.0 if face % 2 == 0 else -1.0
    along = vec3(sign, 0.0, 0.0)
    if face >= 4:
        along = vec3(0.0, 0.0, sign)
    elif face >= 2:
        along = vec3(0.0, sign, 0.0)
    return texture(one, along)


@fragment_shader
def directions_of_cube(at: vec4 = varying(0), one: samplerCubeArray = binding(0)):  # type: ignore[no-untyped-def]
    """Sample the six faces of the cube that the third coordinate names."""
    face = int(gl.frag_coord.x)
    sign = 1.0 if face % 2 == 0 else -1.0
    along = vec3(sign, 0.0, 0.0)
    if face >= 4:
        along = vec3(0.0, 0.0, sign)
    elif face >= 2:
        along = vec3(0.0, sign, 0.0)
    return texture(one, vec4(along, at.z))


@fragment_shader
def layered(at: vec4 = varying(0), one: sampler2DArray = binding(0)):  # type: ignore[no-untyped-def]
    """Sample a layer a row, from the third coordinate on."""
    return texture(one, vec3(at.x, 0.5, at.z + gl.frag_coord.y - 0.5))


@fragment_shader
def layer_of_lines(at: vec4 = varying(0), one: sampler1DArray = binding(0)):  # type: ignore[no-untyped-def]
    """Fetch texel 0 of the layer that the third coordinate names."""
    return texel_fetch(one, ivec2(0, int(at.z)), 0)


def numbered_cubes(device: Device, layers: int, levels: int = 1, size_px: int = 4, target: str = "2D_ARRAY"):  # type: ignore[no-untyped-def]
    """Return an array whose texels hold 16 * layer, 64 * level, 255, 255."""
    found = device.texture("RGBA8", size_px, size_px, layers, target=target, levels=levels)
    for level in range(levels):
        side_px = max(1, size_px >> level)
        texels = np.empty((layers, side_px, side_px, 4), np.uint8)
        texels[...] = (0, 64 * level, 255, 255)
        texels[..., 0] = 16 * np.arange(layers)[:, None, None]
        found.write_texels(texels, level=level)
    return found


@scene_case(
    "view_swizzle/glyph_atlas",
    t_test="t_view_swizzle",
    says="An R8 atlas mapped (1, 1, 1, R), by its builder or by a view, blends as white of the glyph's coverage.",
    ledger=("tex-swizzle",),
)
def glyph_atlas(device: Device) -> None:
    """Texels 0, 85, 170, 255 over black; without the map a glyph is an opaque red box."""
    mapped = TextureBuilder().set_format("R8").set_size_2d(4, 1).set_swizzle("ONE", "ONE", "ONE", "R")
    plain = device.texture("R8", 4, 1)
    draws = Sampling(device)
    blend = BlendState().set_blend_func("SRC_ALPHA", "ONE_MINUS_SRC_ALPHA", "ONE", "ZERO")
    draws.commands.bind_color_state(ColorState().set_blend_enable(0, True))
    draws.commands.bind_blend_state(blend)
    view = TextureView().set_swizzle("ONE", "ONE", "ONE", "R")
    for name, atlas, through in (("builder", device.place(mapped), None), ("view", plain, view)):
        atlas.write_texels(np.array([0, 85, 170, 255], np.uint8))
        draws.bind(0, atlas, view=through)
        target = draws.target("RGBA8", 4, 1)
        draws.draw(sampled)
        draws.submit()
        target.read_texels(name)


@scene_case(
    "view_swizzle/packed_16_bit",
    t_test="t_view_swizzle",
    says="16-bit formats sample in NVN's channel order, and a map names those channels.",
    ledger=("rgba4-order", "rgb565-order", "tex-swizzle"),
)
def packed_16_bit(device: Device) -> None:
    """RGBA4, RGB565, BGR565 and RGB5A1 as they are, and RGBA4 mapped (B, G, R, A)."""
    draws = Sampling(device)
    mapped = TextureView().set_swizzle("B", "G", "R", "A")
    for name, fmt, view in (
        ("rgba4", "RGBA4", None),
        ("rgba4_mapped", "RGBA4", mapped),
        ("rgb565", "RGB565", None),
        ("bgr565", "BGR565", None),
        ("rgb5a1", "RGB5A1", None),
    ):
        one = device.texture(fmt, 4, 1)
        one.write_texels(np.array([0x8421, 0x0F00, 0x001F, 0x801F], np.uint16))
        draws.bind(0, one, view=view)
        target = draws.target("RGBA8", 4, 1)
        draws.draw(sampled)
        draws.submit()
        target.read_texels(name)


@scene_case(
    "tex_fit_root/levels_and_layers",
    t_test="t_tex_fit_root",
    says="A cube made of levels 1 and up, layers 6 and up, of an array shows those: face n is layer 6 + n, level 1.",
    ledger=("tex-fit-root",),
)
def levels_and_layers(device: Device) -> None:
    """16 x 16, 3 levels, 12 layers, a colour each; with and without a channel mapping."""
    array = numbered_cubes(device, 12, levels=3, size_px=16)
    draws = Sampling(device)
    view = TextureView().set_levels(1, 2).set_layers(6, 1).set_target("CUBEMAP")
    draws.bind(0, array, view=view)
    target = draws.target("RGBA8", 6, 1)
    draws.draw(directions)
    draws.submit()
    target.read_texels("cube")
    draws.bind(0, array, view=view.set_swizzle("G", "B", "R", "ZERO"))
    target = draws.target("RGBA8", 6, 1)
    draws.draw(directions)
    draws.submit()
    target.read_texels("mapped")


@scene_case(
    "tex_fit_root/cubes",
    t_test="t_tex_fit_root",
    says="Cubes are six layers in the order of their faces: views count cubes, a cube slot takes an array's first.",
    ledger=("cube-view-cubes", "cube-as-array"),
)
def cubes(device: Device) -> None:
    """Six layers as one cube, and an array of two cubes."""
    draws = Sampling(device)
    one_cube = TextureView().set_target("CUBEMAP").set_layers(0, 1)
    for name, one, view in (
        ("array_as_cube", numbered_cubes(device, 6), one_cube),
        ("array_in_cube_slot", numbered_cubes(device, 12, target="CUBEMAP_ARRAY"), None),
    ):
        draws.bind(0, one, view=view)
        target = draws.target("RGBA8", 6, 1)
        draws.draw(directions)
        draws.submit()
        target.read_texels(name)


@scene_case(
    "tex_fit_root/cube_arrays",
    t_test="t_tex_fit_root",
    says="A cube in a cube-array slot is cube 0, and cube 1 of twelve layers begins with layer 6.",
    ledger=("cube-as-array", "cube-array-faces"),
)
def cube_arrays(device: Device) -> None:
    """Six colours of one cube, and those of the second of two."""
    draws = Sampling(device)
    for name, one, number in (
        ("cube_in_array_slot", numbered_cubes(device, 6, target="CUBEMAP"), 0.0),
        ("second_cube", numbered_cubes(device, 12, target="CUBEMAP_ARRAY"), 1.0),
    ):
        draws.bind(0, one)
        target = draws.target("RGBA8", 6, 1)
        draws.draw(directions_of_cube, rest=(number, 1.0))
        draws.submit()
        target.read_texels(name)


@scene_case(
    "tex_fit_root/other_dimensions",
    t_test="t_tex_fit_root",
    says="The instruction decides: 2D samples take the first layer or face, and a 1D texture is one row.",
    ledger=("sample-dim-mismatch", "tex-1d-row"),
)
def other_dimensions(device: Device) -> None:
    """A gradient in a one-layer array, the first of two layers, a cube's first face, and a lookup table of 64."""
    draws = Sampling(device)
    gradient = device.texture("R11G11B10F", 8, 8, 1, target="2D_ARRAY")
    halves = 0x380 + 8 * np.arange(8, dtype=np.uint32)
    steps = halves | halves << 11
    gradient.write_texels(np.tile(steps, 8))
    lines = device.texture("R32F", 64, target="1D")
    lines.write_texels((np.arange(64) / 63).astype(np.float32))
    for name, one, fmt, width_px in (
        ("one_layer", gradient, "RGBA16F", 8),
        ("two_layers", numbered_cubes(device, 2), "RGBA8", 4),
        ("cube", numbered_cubes(device, 6, target="CUBEMAP"), "RGBA8", 4),
        ("line", lines, "R32F", 64),
    ):
        draws.bind(0, one)
        target = draws.target(fmt, width_px, 1)
        draws.draw(sampled, (0.0, 0.0, 1.0, 0.0))
        draws.submit()
        target.read_texels(name)


@scene_case(
    "view_levels/tolerated",
    t_test="t_view_levels",
    says="Levels beyond the size are one texel each and are sampled; layer 4095 of a 1D array is read.",
    ledger=("tex-illegal-fields",),
)
def tolerated(device: Device) -> None:
    """Level 5 of a 1 x 1 texture with 9 levels, through a view, and the last of 4096 layers."""
    deep = device.texture("RGBA8", 1, 1, levels=9)
    deep.write_texels(np.array([255, 0, 0, 255], np.uint8), level=5)
    tall = device.texture("RGBA8", 4, 4096, target="1D_ARRAY")
    tall.write_texels(np.full(16, 77, np.uint8), region=(0, 4095, 4, 1))
    draws = Sampling(device)
    for name, one, view, fragment in (
        ("level_5", deep, TextureView().set_levels(5, 1), sampled),
        ("layer_4095", tall, None, layer_of_lines),
    ):
        draws.bind(0, one, view=view)
        target = draws.target("RGBA8", 1, 1)
        draws.draw(fragment, rest=(4095.0, 1.0))
        draws.submit()
        target.read_texels(name)


@scene_case(
    "view_levels/one_level_each",
    t_test="t_view_levels",
    says="A view of one level and of some layers samples those alone, by nearest level from the view's first one.",
    ledger=("tex-fit-root",),
)
def one_level_each(device: Device) -> None:
    """Each of three levels by itself, layers 1 and 2 of four."""
    array = numbered_cubes(device, 4, levels=3)
    draws = Sampling(device)
    for level in range(3):
        draws.bind(0, array, view=TextureView().set_levels(level, 1).set_layers(1, 2))
        target = draws.target("RGBA8", 2, 2)
        draws.draw(layered)
        draws.submit()
        target.read_texels(f"level_{level}")


@scene_case(
    "srgb_alias/sampled",
    t_test="t_srgb_alias",
    says="What is drawn through the linear texture is sampled, decoded, through its sRGB twin, and as float bits.",
    ledger=("srgb-alias", "transient-share"),
)
def srgb_sampled(device: Device) -> None:
    """Bytes of 188 are 0.503 in linear light; the R32F texture over them has the same bits."""
    plain = device.texture("RGBA8", 4, 4)
    twin, floats = (device.texture(fmt, 4, 4, over=plain) for fmt in ("RGBA8_SRGB", "R32F"))
    source = device.texture("RGBA8", 1, 1)
    source.write_texels(np.array([188, 0, 255, 188], np.uint8))
    draws = Sampling(device)
    draws.bind(0, source)
    draws.draw_to(plain)
    draws.draw(sampled)
    draws.settle()
    draws.submit()
    for name, one, fmt in (("twin", twin, "RGBA16F"), ("bits", floats, "R32F")):
        draws.bind(0, one)
        target = draws.target(fmt, 4, 1)
        draws.draw(sampled)
        draws.submit()
        target.read_texels(name)


@scene_case(
    "image_alias/sampled_blocks",
    t_test="t_image_alias",
    says="Blocks that are cleared through an integer view of a compressed texture are sampled as they decode.",
    ledger=("bc-as-rt",),
)
def sampled_blocks(device: Device) -> None:
    """32 x 32 texels of BC4 through RGBA16UI: red 255 in level 0, 0 in level 1."""
    blocks = device.texture("RGTC1_UNORM", 32, 32, levels=2)
    draws = Sampling(device)
    draws.draw_to(blocks, TextureView().set_format("RGBA16UI").set_levels(0, 1))
    draws.commands.clear_colorui(0, (0x00FF, 0, 0, 0))
    draws.settle()
    draws.bind(0, blocks)
    target = draws.target("RGBA8", 4, 4)
    draws.draw(sampled)
    draws.submit()
    target.read_texels("target")


@scene_case(
    "view_levels/first_mapped",
    t_test="t_view_levels",
    says="A sparse texture whose level 0 is unmapped is sampled from its first mapped level on by a level clamp.",
    ledger=("sparse-first-mapped",),
)
def first_mapped(device: Device) -> None:
    """256 x 256 ASTC 4x4, the tail mapped and green: unmapped blocks would be magenta."""
    virtual = device.memory_pool(1 << 18, "CPU_NO_ACCESS | GPU_CACHED | VIRTUAL")
    physical = device.memory_pool(1 << 16)
    builder = TextureBuilder().set_format("RGBA_ASTC_4x4").set_size_2d(256, 256).set_levels(3).set_flags("SPARSE")
    one = Texture(device, builder.set_storage(virtual, 0))
    virtual.map_virtual([MappingRequest(physical, 0, 1 << 16, 1 << 16)])
    green = np.array([0xFDFC, 0xFFFF, 0xFFFF, 0xFFFF, 0, 0xFFFF, 0, 0xFFFF], np.uint16)
    physical.write(0, np.tile(green, (1 << 16) // 16))
    draws = Sampling(device)
    made = SamplerBuilder().set_min_mag_filter("NEAREST_MIPMAP_NEAREST", "NEAREST").set_lod_clamp(1, 2)
    draws.bind(0, one, made)
    target = draws.target("RGBA8", 4, 4)
    draws.draw(sampled, (0.0, 0.0, 4 / 256, 4 / 256))
    draws.submit()
    target.read_texels("target")
