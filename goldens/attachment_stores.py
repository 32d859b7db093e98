"""Goldens of ``t_image_attachment_store`` and ``t_unwritten_store``: stores beside what targets get."""

from __future__ import annotations

from goldens.image_usage import to_all_layers
from goldens.storing import SIZE, Out, Storing, ordered
from refnvn.golden.scene import scene_case
from refnvn.nvn.device import Device
from refnvn.nvn.states import ChannelMaskState, DepthStencilState
from refnvn.nvn.texture import TextureView
from refnvn.shader.python import atomic_add, fragment_shader, gl, image, image2D, image_store, ivec2, uint, vec4

LAYERS = 4


@scene_case(
    "image_attachment_store/own_layer",
    t_test="t_image_attachment_store",
    says="A shader stores 200 to four layers of an array; layer 1 is the target too, and masked: all four are 200.",
    ledger=("image-store-own-att",),
)
def own_layer(device: Device) -> None:
    """Where the loaded tile is stored at the end of the pass, layer 1 goes back to 10."""
    picture = device.texture("RGBA8", SIZE, SIZE, LAYERS, target="2D_ARRAY")
    picture.write_texels(bytes([10]) * (SIZE * SIZE * LAYERS * 4))
    storing = Storing(device)
    storing.bind_image("FRAGMENT", 0, picture)
    storing.draw_with(to_all_layers)
    storing.commands.set_render_targets([picture], color_views=[TextureView().set_layers(1, 1)])
    storing.commands.bind_channel_mask_state(ChannelMaskState().set_channel_mask(0, False, False, False, False))
    storing.cover()
    storing.submit()
    picture.read_texels("layers")


@fragment_shader
def left_half(picture: image2D = image(0, "RGBA8")):  # type: ignore[no-untyped-def]
    """Store 200 in the left half."""
    if gl.frag_coord.x < 4.0:
        image_store(picture, ivec2(gl.frag_coord.xy), vec4(200.0 / 255.0))


@scene_case(
    "image_attachment_store/after_a_clear",
    t_test="t_image_attachment_store",
    says="A clear fills the target; a shader without outputs then stores 200 to its left half through an image slot.",
    ledger=("image-store-own-att", "unwritten-outputs"),
)
def after_a_clear(device: Device) -> None:
    """Where a stand-alone clear lands after the draw, the left half is cleared too."""
    picture = device.texture("RGBA8", SIZE, SIZE)
    storing = Storing(device)
    storing.bind_image("FRAGMENT", 0, picture)
    storing.draw_with(left_half, picture)
    storing.commands.clear_color(0, (1, 0, 0, 1))
    ordered(storing.commands)
    storing.cover()
    storing.submit()
    picture.read_texels("picture")


@fragment_shader
def counted(out: Out):  # type: ignore[no-untyped-def]
    """Count fragments, whatever the tests say afterwards."""
    atomic_add(out.words[0], uint(1))
    return vec4(1.0)


@fragment_shader(early_fragment_tests=True)
def counted_early(out: Out):  # type: ignore[no-untyped-def]
    """Count the fragments that passed."""
    atomic_add(out.words[1], uint(1))
    return vec4(1.0)


@fragment_shader
def plain():  # type: ignore[no-untyped-def]
    """White."""
    return vec4(1.0)


def _depth(write: bool, func: str) -> DepthStencilState:
    return DepthStencilState().set_depth_test_enable(True).set_depth_write_enable(write).set_depth_func(func)


@scene_case(
    "unwritten_store/depth_stencil",
    t_test="t_unwritten_store",
    says="A draw writes depth 0.5, the next only stencil 3 of its left half, the third only reads: both planes stay.",
    ledger=("unwritten-store",),
)
def depth_stencil(device: Device) -> None:
    """Where a store is left out although stencil was written, the plane goes back to the pass before."""
    target, zeta = device.texture("RGBA8", SIZE, SIZE), device.texture("DEPTH24_STENCIL8", SIZE, SIZE)
    storing = Storing(device)
    commands = storing.commands
    storing.draw_with(plain)
    commands.set_render_targets([target], depth_stencil=zeta)
    commands.clear_color(0, (0, 0, 0, 0))
    commands.clear_depth_stencil(1.0, True, 0, 255)
    commands.bind_depth_stencil_state(_depth(True, "LESS"))
    storing.cover()
    stencil = _depth(False, "LEQUAL").set_stencil_test_enable(True)
    commands.set_render_targets([None], depth_stencil=zeta)
    commands.bind_depth_stencil_state(stencil.set_stencil_op("FRONT_AND_BACK", "KEEP", "KEEP", "REPLACE"))
    commands.set_stencil_ref("FRONT_AND_BACK", 3)
    commands.set_scissor(0, 0, 4, SIZE)
    storing.cover()
    commands.set_scissor(0, 0, SIZE, SIZE)
    commands.set_render_targets([target], depth_stencil=zeta)
    commands.clear_color(0, (0, 0, 0, 0))
    readonly = _depth(False, "EQUAL").set_stencil_test_enable(True).set_stencil_func("FRONT_AND_BACK", "EQUAL")
    commands.bind_depth_stencil_state(readonly)
    storing.cover()
    storing.submit()
    target.read_texels("target")
    zeta.read_texels("zeta")


@scene_case(
    "unwritten_store/failing_fragments",
    t_test="t_unwritten_store",
    says="Fragments that fail the depth test have stored what their shader stored, unless it asks for early tests.",
    ledger=("unwritten-store", "no-rt-pass"),
)
def failing_fragments(device: Device) -> None:
    """The first word counts 64 fragments behind a nearer depth; the second those 32 that pass early."""
    zeta, out = device.texture("DEPTH32F", SIZE, SIZE), device.buffer(8)
    storing = Storing(device)
    commands = storing.commands
    commands.bind_storage_buffer("FRAGMENT", 0, out)
    storing.draw_with(counted)
    commands.set_render_targets([], depth_stencil=zeta)
    commands.clear_depth_stencil(0.25, True)
    commands.set_scissor(0, 0, 4, SIZE)
    commands.clear_depth_stencil(1.0, True)
    commands.set_scissor(0, 0, SIZE, SIZE)
    commands.bind_depth_stencil_state(_depth(False, "LESS"))
    storing.cover()
    commands.bind_program(device.program(None, counted_early), "FRAGMENT")
    storing.cover()
    storing.submit()
    out.read("counts")
    zeta.read_texels("zeta")
