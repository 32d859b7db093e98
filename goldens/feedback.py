"""Goldens of ``t_feedback``: draws that read what they, or draws just before them, render.

Rendering is sure to be seen by texture reads only after a barrier. Until then a texel may show anything that it held
since the last one, and the goldens list those values. All colours are exact in their formats. Depth and mip chains:
``feedback_depth.py``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from goldens.sampling import Sampling
from goldens.storing import covering
from refnvn.golden.scene import scene_case
from refnvn.nvn.device import Device
from refnvn.nvn.texture import Texture, TextureView
from refnvn.shader.ir import Shader
from refnvn.shader.python import (
    binding,
    fragment_shader,
    gl,
    image,
    image2D,
    image_load,
    ivec2,
    sampler,
    sampler2D,
    texel_fetch,
    texture,
    texture2D,
    varying,
    vec4,
)

SEEN = "ORDER_FRAGMENTS | INVALIDATE_TEXTURE"
"""The barrier (0x12) that titles set before they read what they render."""
RED = (1.0, 0.0, 0.0, 1.0)
SIZE_PX = 16
INSIDE = (1 / 64, 1 / 64, 65 / 64, 65 / 64)
"""Coordinates that lie inside of texels, also where a pixel is two texels wide."""
Bind = Callable[[Sampling, Texture], None]


def reworked(held: Any) -> Any:
    """Return green, with the red that was held in blue and the green in alpha."""
    return vec4(0.0, 1.0, held.x, held.y)


@fragment_shader
def combined(own: sampler2D = binding(0)):  # type: ignore[no-untyped-def]
    """Rework the own pixel of slot 0."""
    return reworked(texel_fetch(own, ivec2(int(gl.frag_coord.x), int(gl.frag_coord.y)), 0))


@fragment_shader
def separate_first(own: texture2D = binding(0), by: sampler = binding(0)):  # type: ignore[no-untyped-def]
    """Rework the own pixel of the first separate slot, which hosts count as 128."""
    return reworked(texel_fetch(sampler2D(own, by), ivec2(int(gl.frag_coord.x), int(gl.frag_coord.y)), 0))


@fragment_shader
def separate_last(own: texture2D = binding(127), by: sampler = binding(127)):  # type: ignore[no-untyped-def]
    """Rework the own pixel of the last separate slot, which hosts count as 255."""
    return reworked(texel_fetch(sampler2D(own, by), ivec2(int(gl.frag_coord.x), int(gl.frag_coord.y)), 0))


@fragment_shader
def neighbours(own: sampler2D = binding(0)):  # type: ignore[no-untyped-def]
    """Rework the sum of two pixels, of which the second lies one to the right."""
    here = ivec2(int(gl.frag_coord.x), int(gl.frag_coord.y))
    return reworked((texel_fetch(own, here, 0) + texel_fetch(own, here + ivec2(1, 0), 0)) * 0.5)


@fragment_shader
def violet():  # type: ignore[no-untyped-def]
    """Write violet."""
    return vec4(0.4, 0.0, 0.8, 1.0)


@fragment_shader
def orange():  # type: ignore[no-untyped-def]
    """Write orange."""
    return vec4(0.8, 0.6, 0.0, 1.0)


@fragment_shader
def darker(own: sampler2D = binding(0)):  # type: ignore[no-untyped-def]
    """Take a fifth from the red of the own pixel."""
    held = texel_fetch(own, ivec2(int(gl.frag_coord.x), int(gl.frag_coord.y)), 0)
    return vec4(held.x - 0.2, 0.0, 0.0, 1.0)


def in_combined(draws: Sampling, own: Texture) -> None:
    """Bind the target to combined slot 0."""
    draws.bind(0, own)


def in_separate(slot: int) -> Bind:
    """Return what binds the target to a separate slot, and a sampler of its own."""

    def bind(draws: Sampling, own: Texture) -> None:
        handle = draws.handle(own)
        draws.commands.bind_separate_texture("FRAGMENT", slot, handle & 0xFFFFF)
        draws.commands.bind_separate_sampler("FRAGMENT", slot, handle & ~0xFFFFF)

    return bind


SLOTS: dict[str, tuple[Shader, Bind]] = {
    "slot_0": (combined, in_combined),
    "slot_128": (separate_first, in_separate(0)),
    "slot_255": (separate_last, in_separate(127)),
}


def red_target(draws: Sampling, fmt: str = "RGBA8", size_px: int = SIZE_PX) -> Texture:
    """Return a target that is set, red, and seen so by everything after."""
    target = draws.target(fmt, size_px, size_px)
    draws.commands.clear_color(0, RED)
    draws.commands.barrier(SEEN)
    return target


@scene_case(
    "feedback/own_target",
    t_test="t_feedback",
    says="A draw that samples its own target reads what was there before; after a barrier the next reads its output.",
    ledger=("feedback-snapshot", "s4-sw-fbsnap"),
)
def own_target(device: Device) -> None:
    """Slots 0, 128 and 255 of a host: combined ones, the first separate one, the last."""
    draws = Sampling(device)
    for name, (shader, bind) in SLOTS.items():
        for draws_in_all, what in enumerate(("one", "two", "three"), start=1):
            target = red_target(draws)
            bind(draws, target)
            for number in range(draws_in_all):
                if number:
                    draws.commands.barrier(SEEN)
                draws.draw(shader)
            draws.submit()
            target.read_texels(f"{name}_{what}")


@scene_case(
    "feedback/formats",
    t_test="t_feedback",
    says="Targets of 10, 11 and 16 bits that a draw samples while it renders to them hold no foreign block.",
    ledger=("feedback-snapshot", "s4-sw-fbsnap"),
)
def formats(device: Device) -> None:
    """RGB10A2, R11G11B10F and RGBA16F, 32 pixels wide, with a barrier before each draw."""
    draws = Sampling(device)
    for fmt in ("RGB10A2", "R11G11B10F", "RGBA16F"):
        target = red_target(draws, fmt, 32)
        draws.bind(0, target)
        draws.draw(combined)
        draws.submit()
        target.read_texels(fmt.lower())


@scene_case(
    "feedback/no_barrier",
    t_test="t_feedback",
    says="Without a barrier a draw reads any value since the last one: before one draw two, before two draws three.",
    ledger=("feedback-snapshot", "feedback-tile"),
)
def no_barrier(device: Device) -> None:
    """Where reads build on such reads, and of what reads two pixels, nothing is claimed."""
    draws = Sampling(device)
    for name, shaders in {
        "two_values": (violet, combined),
        "three_values": (violet, orange, combined),
        "reads_of_reads": (darker, darker, darker),
        "two_pixels": (violet, neighbours),
    }.items():
        target = red_target(draws)
        draws.bind(0, target)
        draws.commands.set_scissor(0, 0, SIZE_PX // 2, SIZE_PX)
        for shader in shaders:
            draws.draw(shader)
        draws.submit()
        target.read_texels(name)


@scene_case(
    "feedback/order_without_invalidate",
    t_test="t_feedback",
    says="An order alone lets samples see older texels; one that INVALIDATE_TEXTURE goes with, or follows, does not.",
    ledger=("feedback-snapshot",),
)
def order_without_invalidate(device: Device) -> None:
    """Three ways to set barriers between two draws."""
    draws = Sampling(device)
    for name, barriers in {
        "order": ("ORDER_FRAGMENTS",),
        "invalidate": ("INVALIDATE_TEXTURE",),
        "order_then_invalidate": ("ORDER_FRAGMENTS", "INVALIDATE_TEXTURE"),
        "tiled": ("ORDER_FRAGMENTS_TILED | INVALIDATE_TEXTURE",),
    }.items():
        target = red_target(draws)
        draws.bind(0, target)
        draws.draw(combined)
        for barrier in barriers:
            draws.commands.barrier(barrier)
        draws.draw(combined)
        draws.submit()
        target.read_texels(name)


@scene_case(
    "feedback/partial_views",
    t_test="t_feedback",
    says="Rendering to one layer and level leaves reads of other layers and levels of the texture as they are.",
    ledger=("feedback-snapshot", "slice-merge"),
)
def partial_views(device: Device) -> None:
    """Layer 1 is rendered twice, without a barrier, from layer 0 and from level 1 of its own layer."""
    draws = Sampling(device)
    for name, (level, layer) in {"other_layer": (0, 0), "other_level": (1, 1)}.items():
        array = device.texture("RGBA8", SIZE_PX, SIZE_PX, target="TARGET_2D_ARRAY", depth=2, levels=2)
        read = TextureView().set_levels(level, 1).set_layers(layer, 1).set_target("TARGET_2D")
        rendered = TextureView().set_levels(0, 1).set_layers(1, 1)
        draws.draw_to(array, read)
        draws.commands.clear_color(0, RED)
        draws.commands.barrier(SEEN)
        draws.draw_to(array, rendered)
        draws.bind(0, array, view=read)
        draws.draw(combined)
        draws.draw(combined)
        draws.submit()
        array.read_texels(name, view=rendered)


@fragment_shader
def own_and_copy(own: sampler2D = binding(0)):  # type: ignore[no-untyped-def]
    """Rework the own pixel, and write what it held to a second target."""
    held = texel_fetch(own, ivec2(int(gl.frag_coord.x), int(gl.frag_coord.y)), 0)
    return reworked(held), held


@fragment_shader
def placed_and_copy(at: vec4 = varying(0), own: sampler2D = binding(0)):  # type: ignore[no-untyped-def]
    """Rework the texel at a projected place, and write what it held to a second target."""
    held = texture(own, at.xy)
    return reworked(held), held


@fragment_shader
def loaded(own: image2D = image(0, "RGBA8")):  # type: ignore[no-untyped-def]
    """Take a fifth from the red of the own pixel, which is loaded as from an image."""
    return vec4(image_load(own, ivec2(gl.frag_coord.xy)).x - 0.2, 0.0, 0.0, 1.0)


@scene_case(
    "feedback/image_load",
    t_test="t_feedback",
    says="A draw that loads its own target as an image sees what was there before, after a barrier its output.",
    ledger=("feedback-snapshot",),
)
def image_load_of_target(device: Device) -> None:
    """Each triangle of a draw covers all: the second sees nothing of the first. Then with barriers, and without."""
    draws = Sampling(device)
    for name, barriers in {"one": (), "two": (SEEN,), "no_barrier": ("INVALIDATE_TEXTURE",)}.items():
        target = red_target(draws)
        number = draws.textures.register_image(None, target)
        draws.commands.bind_image("FRAGMENT", 0, device.get_image_handle(number))
        draws.commands.bind_program(device.program(covering, loaded))
        draws.commands.draw_arrays("TRIANGLES", 0, 6)
        for barrier in barriers:
            draws.commands.barrier(barrier)
            draws.commands.draw_arrays("TRIANGLES", 0, 6)
        draws.submit()
        target.read_texels(name)


@scene_case(
    "feedback/tile",
    t_test="t_feedback",
    says="After a barrier a draw reads at its own pixel what earlier draws left; RG8 reads 0 and 1 beside.",
    ledger=("feedback-tile",),
)
def tile(device: Device) -> None:
    """The left half was drawn over; a viewport of a quarter projects the whole target, not the own pixel."""
    draws = Sampling(device)
    for name, (shader, viewport_px) in {
        "own_pixel": (own_and_copy, SIZE_PX),
        "projected": (placed_and_copy, SIZE_PX),
        "small_viewport": (placed_and_copy, SIZE_PX // 2),
    }.items():
        target, copied = red_target(draws, "RG8"), device.texture("RGBA8", SIZE_PX, SIZE_PX)
        draws.bind(0, target)
        draws.commands.set_scissor(0, 0, SIZE_PX // 2, SIZE_PX)
        draws.draw(combined)
        draws.commands.barrier(SEEN)
        draws.commands.set_render_targets([target, copied])
        draws.commands.set_scissor(0, 0, SIZE_PX, SIZE_PX)
        draws.commands.set_viewport(0, 0, viewport_px, viewport_px)
        draws.draw(shader, INSIDE)
        draws.submit()
        target.read_texels(f"{name}_target")
        copied.read_texels(f"{name}_held")
