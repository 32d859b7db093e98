"""A store without a declared format converts by the texture's, as far as that is a format of images."""

from __future__ import annotations

import pytest

from refnvn.nvn import Device, TextureView
from refnvn.replay.errors import ReplayError
from refnvn.shader.python import compute_shader, image, image2D, image_store, ivec2, vec4
from refnvn.testing import results_of


@compute_shader
def open_format(picture: image2D = image(0)):  # type: ignore[no-untyped-def]
    """Store without a declared format."""
    image_store(picture, ivec2(0, 0), vec4(1.0, 0.0, 0.0, 1.0))


@compute_shader
def declared(picture: image2D = image(0, "RGBA8")):  # type: ignore[no-untyped-def]
    """Store as RGBA8."""
    image_store(picture, ivec2(0, 0), vec4(1.0, 0.0, 0.0, 1.0))


def stored(shader: object, format_name: str, view: TextureView | None = None) -> list[int]:
    """Return what is stored to a texture of one texel."""
    device = Device()
    texture, pool = device.texture(format_name, 1, 1, flags="IMAGE"), device.texture_pool()
    commands = device.command_buffer()
    commands.set_texture_pool(pool)
    commands.bind_program(device.program(compute=shader), "COMPUTE")
    commands.bind_image("COMPUTE", 0, device.get_image_handle(pool.register_image(None, texture, view)))
    commands.dispatch_compute(1)
    device.queue().submit(commands)
    texture.read_texels("texel")
    return results_of(device)["texel"].reshape(-1).tolist()


@pytest.mark.parametrize("format_name", ["RGB565", "RGBA8_SRGB", "RGBX8"])
def test_a_format_of_no_images_decides_no_store(format_name: str) -> None:
    """No source says what a console stores there: not a code that the format's own draws or reads would have."""
    complaint = f"DispatchCompute: REPLAY-IMAGE-10: .* an image of NVN_FORMAT_{format_name} and declares no format"
    with pytest.raises(ReplayError, match=complaint):
        stored(open_format, format_name)


def test_a_declared_format_or_a_view_decides_it() -> None:
    """Bits are kept where texels have one size; BGRA8 is a format of images that no shader declares."""
    red = [255, 0, 0, 255]
    assert stored(declared, "RGBA8_SRGB") == red
    assert stored(open_format, "RGBA8_SRGB", TextureView().set_format("RGBA8")) == red
    assert stored(open_format, "BGRA8") == [0, 0, 255, 255]
