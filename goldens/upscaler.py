"""Goldens of encoded colours that a shader decodes itself, with ``t_upscaler_mfx``."""

from __future__ import annotations

import numpy as np

from goldens.sampling import Sampling
from refnvn.golden.scene import scene_case
from refnvn.nvn.device import Device
from refnvn.shader.python import binding, fragment_shader, sampler2D, texture, varying, vec4

STEPS = 16


@fragment_shader
def decoding(at: vec4 = varying(0), picture: sampler2D = binding(0)):  # type: ignore[no-untyped-def]
    """Take an encoded colour and decode it at the end, with the constants that upscalers have."""
    red = texture(picture, at.xy).x
    linear = red / 12.92 if red <= 0.04045 else pow((red + 0.055) / 1.055, 2.4)
    return vec4(linear, red, 0.0, 1.0)


@scene_case(
    "upscaler/decoded_once",
    t_test="t_upscaler_mfx",
    says="A ramp of encoded codes is decoded once, by the shader: code 136 becomes 0.246.",
    ledger=("upscaler-colour",),
)
def decoded_once(device: Device) -> None:
    """Passed through as linear it is too bright by half, decoded twice too dark."""
    scene = Sampling(device)
    ramp = device.texture("RGBA8", STEPS, 1)
    ramp.write_texels(np.arange(STEPS, dtype=np.uint32) * 0x11 | 0xFF000000)
    target = scene.target("RGBA16F", STEPS)
    scene.bind(0, ramp)
    scene.draw(decoding)
    scene.submit()
    target.read_texels("linear")
