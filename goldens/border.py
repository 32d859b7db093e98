"""Goldens of ``t_border``, and of what else a sampler decides: border colours, reduction, bias, a pinned level.

Read next: ``texture_views.py``.
"""

from __future__ import annotations

import numpy as np

from goldens.sampling import Sampling
from refnvn.golden.scene import scene_case
from refnvn.nvn.device import Device
from refnvn.nvn.sampler import SamplerBuilder
from refnvn.nvn.texture import Texture
from refnvn.shader.python import (
    binding,
    fragment_shader,
    sampler2D,
    texture,
    texture_gather,
    usampler2D,
    uvec4,
    varying,
    vec4,
)

BORDER = "CLAMP_TO_BORDER"


@fragment_shader
def filtered(at: vec4 = varying(0), one: sampler2D = binding(0)):  # type: ignore[no-untyped-def]
    """Sample at the coordinates."""
    return texture(one, at.xy)


@fragment_shader
def gathered(at: vec4 = varying(0), one: sampler2D = binding(0)):  # type: ignore[no-untyped-def]
    """Gather red."""
    return texture_gather(one, at.xy, 0)


@fragment_shader
def whole_numbers(at: vec4 = varying(0), one: usampler2D = binding(0)):  # type: ignore[no-untyped-def]
    """Sample integers."""
    return uvec4(texture(one, at.xy))


def _ones(device: Device, fmt: str, one: np.uint8 | np.uint16, components: int) -> Texture:
    found = device.texture(fmt, 4, 4)
    found.write_texels(np.full((4, 4, components), one))
    return found


@scene_case(
    "border/half_grey",
    t_test="t_border",
    says="A border of 0.5 in all channels is mixed like a texel: 0.5 outside, 0.75 on the edge, in gathers as it is.",
    ledger=("sampler-border",),
)
def half_grey(device: Device) -> None:
    """16 samples from u = -0.5 to 1.5 over a 4 x 4 texture of ones; the lone colours of Metal give 0 outside."""
    draws = Sampling(device)
    made = SamplerBuilder().set_min_mag_filter("LINEAR", "LINEAR").set_wrap_mode(BORDER, BORDER, BORDER)
    made.set_border_color((0.5, 0.5, 0.5, 0.5))
    draws.bind(0, _ones(device, "RG16F", np.uint16(0x3C00), 2), made)
    for name, fragment in (("filtered", filtered), ("gathered", gathered)):
        target = draws.target("RGBA16F", 16, 1)
        draws.draw(fragment, (-0.5, 0.5, 1.5, 0.5))
        draws.submit()
        target.read_texels(name)


@scene_case(
    "border/mirrored",
    t_test="t_border",
    says="A border colour of four values under CLAMP, MIRROR_CLAMP and MIRROR_CLAMP_TO_BORDER, from u = -1.5 to 2.5.",
    ledger=("sampler-border",),
)
def mirrored(device: Device) -> None:
    """CLAMP mixes half of the border in, the mirrors reach it beyond twice the size."""
    draws = Sampling(device)
    for mode in ("CLAMP", "MIRROR_CLAMP", "MIRROR_CLAMP_TO_BORDER"):
        made = SamplerBuilder().set_min_mag_filter("LINEAR", "LINEAR").set_wrap_mode(mode, mode, mode)
        draws.bind(0, _ones(device, "RGBA8", np.uint8(255), 4), made.set_border_color((0.25, 0.5, 0.75, 0.125)))
        target = draws.target("RGBA16F", 32, 1)
        draws.draw(filtered, (-1.5, 0.5, 2.5, 0.5))
        draws.submit()
        target.read_texels(mode.lower())


@scene_case(
    "border/integers",
    t_test="t_border",
    says="An integer texture has an integer border.",
    ledger=("sampler-border",),
)
def integers(device: Device) -> None:
    """The border of (7, 8, 9, 10) outside of 4 x 4 texels of 200."""
    texels = device.texture("RGBA8UI", 4, 4)
    texels.write_texels(np.full((4, 4, 4), 200, np.uint8))
    draws = Sampling(device)
    made = SamplerBuilder().set_wrap_mode(BORDER, BORDER, BORDER).set_border_colorui((7, 8, 9, 10))
    draws.bind(0, texels, made)
    target = draws.target("RGBA16UI", 8, 1)
    draws.draw(whole_numbers, (-0.5, 0.5, 1.5, 0.5))
    draws.submit()
    target.read_texels("target")


@scene_case(
    "border/reduction",
    t_test="t_border",
    says="Reductions give the least or the largest texel of the footprint, component by component, not the mean.",
    ledger=("sampler-reduction",),
)
def reduction(device: Device) -> None:
    """0.1, 0.9, 0.5 and 0.3, sampled at the centre and from edge to edge."""
    texels = device.texture("R32F", 2, 2)
    texels.write_texels(np.array([0.1, 0.9, 0.5, 0.3], np.float32))
    draws = Sampling(device)
    for which in ("MIN", "MAX"):
        made = SamplerBuilder().set_min_mag_filter("LINEAR", "LINEAR").set_reduction_filter(which)
        draws.bind(0, texels, made.set_wrap_mode("CLAMP_TO_EDGE", "CLAMP_TO_EDGE", "CLAMP_TO_EDGE"))
        for size_px in (1, 8):
            target = draws.target("R32F", size_px, 1)
            draws.draw(filtered, (0.0, 0.5, 1.0, 0.5))
            draws.submit()
            target.read_texels(f"{which.lower()}_{size_px}")


@scene_case(
    "border/lod_bias",
    t_test="t_border",
    says="A sampler's bias moves the level of detail before the clamp: one level for each unit, fractions mix.",
    ledger=("sampler-lod-bias",),
)
def lod_bias(device: Device) -> None:
    """64 x 64 texels with a colour a level, drawn 1:1 into 8 x 8 pixels with biases of 0, 1, 1.5 and 20."""
    levels = device.texture("RGBA8", 64, 64, levels=4)
    for level in range(4):
        texels = np.full((64 >> level, 64 >> level, 4), 60 * (level + 1), np.uint8)
        levels.write_texels(texels, level=level)
    draws = Sampling(device)
    for number, bias in enumerate((0.0, 1.0, 1.5, 20.0)):
        made = SamplerBuilder().set_min_mag_filter("LINEAR_MIPMAP_LINEAR", "LINEAR").set_lod_bias(bias)
        draws.bind(0, levels, made)
        target = draws.target("RGBA8", 8, 8)
        draws.draw(filtered, (0.0, 0.0, 8 / 64, 8 / 64))
        draws.submit()
        target.read_texels(f"bias_{number}")
