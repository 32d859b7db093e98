"""Samplers and pools of descriptors: what setters take, what is copied when, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest

from refnvn.commands import recording as r
from refnvn.enumerations import CompareFunc, CompareMode, MagFilter, MinFilter, SamplerReduction, WrapMode
from refnvn.errors import ArgumentError, FieldRangeError, RefnvnError, SizeError
from refnvn.nvn.descriptor_pools import SamplerPool, TexturePool
from refnvn.nvn.device import Device
from refnvn.nvn.sampler import Sampler, SamplerBuilder
from refnvn.nvn.texture import TextureView
from refnvn.trace.check import check


def test_every_field_is_set_and_got() -> None:
    """Builder and sampler answer alike."""
    builder = (
        SamplerBuilder()
        .set_min_mag_filter("LINEAR_MIPMAP_LINEAR", "LINEAR")
        .set_wrap_mode("CLAMP", WrapMode.CLAMP_TO_BORDER, 6)
        .set_lod_clamp(0.5, 3)
        .set_lod_bias(-1.5)
        .set_compare("COMPARE_R_TO_TEXTURE", "GEQUAL")
        .set_border_color((0.5, 0.25, 0, 1))
        .set_max_anisotropy(8)
        .set_reduction_filter("MAX")
    )
    for one in (builder, Sampler(builder)):
        assert one.get_min_mag_filter() == (MinFilter.LINEAR_MIPMAP_LINEAR, MagFilter.LINEAR)
        assert one.get_wrap_mode() == (WrapMode.CLAMP, WrapMode.CLAMP_TO_BORDER, WrapMode.MIRRORED_REPEAT)
        assert one.get_lod_clamp() == (0.5, 3.0)
        assert one.get_lod_bias() == -1.5
        assert one.get_compare() == (CompareMode.COMPARE_R_TO_TEXTURE, CompareFunc.GEQUAL)
        assert one.get_border_color() == (0.5, 0.25, 0.0, 1.0)
        assert one.get_border_colorui() == (0x3F000000, 0x3E800000, 0, 0x3F800000)
        assert one.get_max_anisotropy() == 8.0
        assert one.get_reduction_filter() is SamplerReduction.MAX


def test_integer_borders_keep_their_bits() -> None:
    """Signed and unsigned."""
    assert SamplerBuilder().set_border_colori((-1, 2, 3, -4)).get_border_colorui() == (0xFFFFFFFF, 2, 3, 0xFFFFFFFC)
    assert SamplerBuilder().set_border_colorui((0xFFFFFFFF, 0, 0, 1)).get_border_colori() == (-1, 0, 0, 1)


def test_samplers_compare_by_what_they_say() -> None:
    """Labels do not count; later setters of the builder change nothing."""
    builder = SamplerBuilder().set_label("one")
    one = Sampler(builder)
    assert one.compare(Sampler(SamplerBuilder().set_label("other")))
    builder.set_lod_bias(1)
    assert one.get_lod_bias() == 0.0
    assert not one.compare(Sampler(builder))


def test_handles_are_made_of_ids() -> None:
    """20 bits of texture and 12 of sampler; separate ones are either alone."""
    device = Device()
    assert device.get_texture_handle(0x123, 5) == 0x00500123
    assert device.get_texel_fetch_handle(0x123) == 0x123
    assert device.get_separate_texture_handle(0xFFFFF) == 0xFFFFF
    assert device.get_separate_sampler_handle(0xFFF) == 0xFFF00000
    with pytest.raises(SizeError, match="textureID is 1048576"):
        device.get_texture_handle(1 << 20, 0)
    with pytest.raises(SizeError, match="samplerID is 4096"):
        device.get_separate_sampler_handle(1 << 12)


def test_registering_is_an_event_with_a_copy() -> None:
    """Ids without a number count up from 256; what is registered is what it was then."""
    device = Device()
    one = device.texture("R8", 4)
    textures, samplers = device.texture_pool(300), device.sampler_pool(300)
    builder = SamplerBuilder().set_lod_bias(1)
    assert textures.register_texture(None, one, TextureView().set_format("R8UI")) == 256
    assert textures.register_image(270, one) == 270
    assert textures.register_texture(None, one) == 271
    assert samplers.register_sampler_builder(None, builder) == 256
    builder.set_lod_bias(2)
    trace = device.trace()
    check(trace.recording)
    kinds = [type(event) for event in trace.recording.timeline]
    assert kinds == [r.RegisterTexture, r.RegisterImage, r.RegisterTexture, r.RegisterSampler]
    last = trace.recording.timeline[-1]
    assert isinstance(last, r.RegisterSampler)
    assert (last.id, last.sampler.lod_bias, last.address) == (256, 1.0, samplers.address)


def test_binding_several_is_binding_each() -> None:
    """Handles from a slot on."""
    device = Device()
    commands = device.command_buffer()
    commands.bind_textures("FRAGMENT", 39, [7, 8])
    commands.bind_separate_textures("VERTEX", 0, [1])
    commands.bind_separate_samplers("COMPUTE", 126, [np.uint32(1), np.uint32(2)])
    device.queue().submit(commands)
    (recorded,) = device.trace().recording.command_buffers
    slots = [(type(one).__name__, one.index, one.handle) for one in recorded]  # type: ignore[union-attr]
    assert slots == [
        ("BindTexture", 39, 7), ("BindTexture", 40, 8), ("BindSeparateTexture", 0, 1),
        ("BindSeparateSampler", 126, 1), ("BindSeparateSampler", 127, 2),
    ]  # fmt: skip


def refused() -> dict[str, tuple[object, str]]:
    """Return calls that cannot be, and what their errors say."""
    device, other = Device(), Device()
    pool = device.memory_pool(4096)
    textures, commands, one = device.texture_pool(300), device.command_buffer(), device.texture("R8", 4, 4)
    flat = device.texture("RGBA8", 4, 4, 5, target="2D_ARRAY")
    cube = TextureView().set_target("CUBEMAP").set_layers(0, 5)
    return {
        "filter": (lambda: SamplerBuilder().set_min_mag_filter("CUBIC", "LINEAR"), "min is 'CUBIC'"),
        "anisotropy": (lambda: SamplerBuilder().set_max_anisotropy(17), "allowed are 1 to 16"),
        "bias": (lambda: SamplerBuilder().set_lod_bias(float("nan")), "finite float32"),
        "border": (lambda: SamplerBuilder().set_border_color((1, 2)), "allowed are four"),
        "room": (lambda: TexturePool(pool, 0, 129), "numDescriptors is 129"),
        "samplers": (lambda: SamplerPool(pool, 0, 4097), "numDescriptors"),
        "place": (lambda: TexturePool(pool, 16, 4).register_texture(0, one), "multiples of 32"),
        "id": (lambda: textures.register_texture(300, one), "id is 300"),
        "no cube": (lambda: textures.register_texture(None, flat, cube), "layers"),
        "other device": (lambda: textures.register_texture(None, other.texture("R8", 4)), "another device"),
        "other pool": (lambda: commands.set_texture_pool(other.texture_pool()), "another device"),
        "slot": (lambda: commands.bind_textures("FRAGMENT", 40, [1, 2]), "allowed are 0 to 39"),
        "handle": (lambda: commands.bind_texture("FRAGMENT", 0, 1 << 32), "handle"),
        "sampler": (lambda: device.sampler_pool().register_sampler(None, SamplerBuilder()), "allowed is Sampler"),  # type: ignore[arg-type]
    }


@pytest.mark.parametrize("name", refused())
def test_what_cannot_be_is_refused(name: str) -> None:
    """Each with call, argument and what is allowed; nothing is recorded."""
    call, message = refused()[name]
    assert callable(call)
    with pytest.raises((ArgumentError, FieldRangeError, SizeError, RefnvnError), match=message):
        call()
