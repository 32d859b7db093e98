"""Textures in draws: pools, handles, slots, views, and what is read when."""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from goldens.sampling import Sampling
from refnvn.nvn.device import Device
from refnvn.nvn.sampler import Sampler, SamplerBuilder
from refnvn.nvn.scene import record
from refnvn.nvn.texture import Texture, TextureView
from refnvn.nvn.texture_builder import TextureBuilder
from refnvn.replay.errors import ReplayError
from refnvn.replay.run import Results, replay
from refnvn.rules.fields import NVN, MismatchedTexture, Rules, UnboundTexture
from refnvn.shader.python import (
    Uniform,
    attribute,
    binding,
    fragment_shader,
    gl,
    isamplerBuffer,
    ivec2,
    sampler,
    sampler1D,
    sampler2D,
    sampler2DMS,
    sampler2DShadow,
    samplerCube,
    texel_fetch,
    texture,
    texture2D,
    texture_size,
    uint,
    uint_bits_to_float,
    usampler2D,
    varying,
    vec2,
    vec3,
    vec4,
    vertex_shader,
)
from refnvn.texture.sampled import SampledTexture
from refnvn.texture.view import sampled_texture
from refnvn.trace.check import check


@fragment_shader
def sampled(at: vec4 = varying(0), one: sampler2D = binding(0)):  # type: ignore[no-untyped-def]
    return texture(one, at.xy)


@fragment_shader
def directed(at: vec4 = varying(0), one: samplerCube = binding(0)):  # type: ignore[no-untyped-def]
    return texture(one, vec3(at.xy, at.z))


@fragment_shader
def fetched_words(at: vec4 = varying(0), one: sampler2D = binding(0)):  # type: ignore[no-untyped-def]
    return texel_fetch(one, ivec2(int(gl.frag_coord.x), 0), 0)


class Handles(Uniform, binding=4):
    """Two handles in uniform memory."""

    first: uint
    second: uint


@fragment_shader
def by_handle(handles: Handles, at: vec4 = varying(0)):  # type: ignore[no-untyped-def]
    return texture(sampler2D(handles.first), at.xy)


@fragment_shader
def by_either_handle(handles: Handles, at: vec4 = varying(0)):  # type: ignore[no-untyped-def]
    chosen = handles.first if at.x < 0.5 else handles.second
    return texture(sampler2D(chosen), at.xy)


@fragment_shader
def both_tables(  # type: ignore[no-untyped-def]
    at: vec4 = varying(0), one: sampler2D = binding(0), two: texture2D = binding(0), alone: sampler = binding(1)
):
    return texture(one, at.xy) + texture(sampler2D(two, alone), at.xy)


def run(scene: Callable[[Device], None], rules: Rules = NVN) -> Results:
    """Record a scene, check and replay it."""
    trace = record(scene)
    check(trace.recording)
    return replay(trace.recording, trace.blobs, rules)


def plain(device: Device, color: tuple[int, int, int, int], size_px: int = 1):  # type: ignore[no-untyped-def]
    """Return an RGBA8 texture of one colour."""
    found = device.texture("RGBA8", size_px, size_px)
    found.write_texels(np.tile(np.array(color, np.uint8), size_px * size_px))
    return found


RED, GREEN, BLUE = (255, 0, 0, 255), (0, 255, 0, 255), (0, 0, 255, 255)


def pixels(results: Results, name: str = "target") -> list[tuple[int, ...]]:
    """Return the RGBA8 pixels of a result."""
    return [tuple(map(int, pixel)) for pixel in results[name].reshape(-1, 4)]


def words(results: Results, name: str = "target") -> NDArray[np.uint32]:
    """Return the 32-bit words of a result."""
    return results[name].reshape(-1).view(np.uint32)


def test_a_bound_texture_is_sampled() -> None:
    """Texels come at their places, the row of t 0 first."""

    def scene(device: Device) -> None:
        one = device.texture("RGBA8", 2, 2)
        one.write_texels(np.arange(16, dtype=np.uint8))
        draws = Sampling(device)
        target = draws.target("RGBA8", 2, 2)
        draws.bind(0, one)
        draws.draw(sampled)
        draws.submit()
        target.read_texels("target")

    assert run(scene)["target"].reshape(-1).tolist() == list(range(16))


@pytest.mark.rule("TEX-SLOT-3", "TEX-HANDLE-2")
def test_combined_and_separate_slots_of_one_number_are_two() -> None:
    """Combined slot 0 is blue, separate slot 0 red: a shader that adds both gives both."""

    def scene(device: Device) -> None:
        draws = Sampling(device)
        target = draws.target("RGBA8", 1)
        draws.bind(0, plain(device, BLUE))
        number = draws.textures.register_texture(None, plain(device, RED))
        alone = draws.samplers.register_sampler(None, Sampler(SamplerBuilder()))
        draws.commands.bind_separate_texture("FRAGMENT", 0, device.get_separate_texture_handle(number))
        draws.commands.bind_separate_sampler("FRAGMENT", 1, device.get_separate_sampler_handle(alone))
        draws.draw(both_tables)
        draws.submit()
        target.read_texels("target")

    assert pixels(run(scene)) == [(255, 0, 255, 255)]


def test_a_separate_texture_takes_the_sampler_of_its_slot() -> None:
    """Repeating and clamping samplers give other texels at u = 1.25."""

    @fragment_shader
    def beyond(two: texture2D = binding(3), alone: sampler = binding(127)):  # type: ignore[no-untyped-def]
        return texture(sampler2D(two, alone), vec2(1.25, 0.5))

    def scene(device: Device) -> None:
        two = device.texture("RGBA8", 2, 1)
        two.write_texels(np.array([*RED, *GREEN], np.uint8))
        draws = Sampling(device)
        number = draws.textures.register_texture(None, two)
        draws.commands.bind_separate_texture("FRAGMENT", 3, device.get_separate_texture_handle(number))
        for mode in ("REPEAT", "CLAMP_TO_EDGE"):
            target = draws.target("RGBA8", 1)
            made = Sampler(SamplerBuilder().set_wrap_mode(mode, mode, mode))
            alone = draws.samplers.register_sampler(None, made)
            draws.commands.bind_separate_sampler("FRAGMENT", 127, device.get_separate_sampler_handle(alone))
            draws.draw(beyond)
            draws.submit()
            target.read_texels(mode.lower())

    results = run(scene)
    assert pixels(results, "repeat") == [RED]
    assert pixels(results, "clamp_to_edge") == [GREEN]


@pytest.mark.rule("REPLAY-SAMPLED-1", "TEX-HANDLE-1")
def test_a_handle_in_uniform_memory_is_read_when_the_draw_runs() -> None:
    """An inline update between two draws changes which texture the second reads: red, then green."""

    def scene(device: Device) -> None:
        draws = Sampling(device)
        target = draws.target("RGBA8", 2, 1)
        red, green = (draws.handle(plain(device, color)) for color in (RED, GREEN))
        block = device.buffer(256)
        commands = draws.commands
        commands.bind_uniform_buffer("FRAGMENT", 4, block)
        commands.update_uniform_buffer(block, 256, 0, struct.pack("<I", red))
        commands.set_scissor(0, 0, 1, 1)
        draws.draw(by_handle)
        commands.update_uniform_buffer(block, 256, 0, struct.pack("<I", green))
        commands.set_scissor(1, 0, 1, 1)
        draws.draw(by_handle)
        draws.submit()
        target.read_texels("target")

    assert pixels(run(scene)) == [RED, GREEN]


def test_lanes_may_hold_different_handles() -> None:
    """Each fragment samples by its own handle."""

    def scene(device: Device) -> None:
        draws = Sampling(device)
        target = draws.target("RGBA8", 4, 1)
        handles = [draws.handle(plain(device, color)) for color in (RED, GREEN)]
        draws.commands.bind_uniform_buffer("FRAGMENT", 4, device.buffer(np.array(handles + [0] * 62, np.uint32)))
        draws.draw(by_either_handle)
        draws.submit()
        target.read_texels("target")

    assert pixels(run(scene)) == [RED, RED, GREEN, GREEN]


@pytest.mark.rule("TEX-POOL-1")
def test_a_registered_texture_outlives_its_object_until_it_is_registered_again() -> None:
    """The descriptor keeps its copy; another registration of the id counts from the next submission on."""

    def scene(device: Device) -> None:
        draws = Sampling(device)
        red, green = plain(device, RED), plain(device, GREEN)
        number = draws.textures.register_texture(300, red)
        handle = device.get_texture_handle(number, draws.samplers.register_sampler(None, Sampler(SamplerBuilder())))
        draws.commands.bind_texture("FRAGMENT", 0, handle)
        red.record = green.record  # as if the object had been made anew
        for name in ("first", "second"):
            target = draws.target("RGBA8", 1)
            draws.draw(sampled)
            draws.submit()
            target.read_texels(name)
            draws.textures.register_texture(300, green)

    results = run(scene)
    assert pixels(results, "first") == [RED]
    assert pixels(results, "second") == [GREEN]


@pytest.mark.rule("TEX-UNBOUND-1")
@pytest.mark.parametrize(("setting", "value"), [(UnboundTexture.ZERO, 0), (UnboundTexture.ONES, 255)])
def test_where_nothing_is_registered_zero_is_read(setting: UnboundTexture, value: int) -> None:
    """In all four channels; another world reads ones."""

    def scene(device: Device) -> None:
        draws = Sampling(device)
        target = draws.target("RGBA8", 1)
        draws.commands.bind_texture("FRAGMENT", 0, device.get_texture_handle(400, 400))
        draws.draw(sampled)
        draws.submit()
        target.read_texels("target")

    assert pixels(run(scene, NVN.with_(unbound_texture=setting))) == [(value,) * 4]


def test_each_draw_reads_what_memory_holds() -> None:
    """A depth target sampled as red after one write and after another."""

    def scene(device: Device) -> None:
        depth = device.texture("DEPTH32F", 4, 4)
        draws = Sampling(device)
        draws.bind(0, depth, view=TextureView().set_format("R32F"))
        for name, value in (("early", 0.25), ("late", 0.75)):
            draws.commands.set_render_targets([], None, depth)
            draws.commands.set_scissor(0, 0, 4, 4)
            draws.commands.clear_depth_stencil(value, True, 0, 0)
            target = draws.target("RGBA8", 1)
            draws.draw(sampled)
            draws.submit()
            target.read_texels(name)

    results = run(scene)
    assert pixels(results, "early") == [(64, 0, 0, 255)]
    assert pixels(results, "late") == [(191, 0, 0, 255)]


def test_bits_of_integers_pass_a_float_slot() -> None:
    """Denormals, NaN payloads and signs survive a fetch through a float declaration."""
    expected = [3, 0x7F800001, 0xFFFFFFFF, 0x80000000]

    @fragment_shader
    def bits(one: usampler2D = binding(1), other: sampler2D = binding(0)):  # type: ignore[no-untyped-def]
        return texel_fetch(other, ivec2(int(gl.frag_coord.x), 0), 0)

    def scene(device: Device) -> None:
        one = device.texture("R32UI", 4, 1)
        one.write_texels(np.array(expected, np.uint32))
        draws = Sampling(device)
        target = draws.target("R32UI", 4, 1)
        draws.bind(0, one)
        draws.draw(bits)
        draws.submit()
        target.read_texels("target")

    assert words(run(scene)).tolist() == expected


@pytest.mark.parametrize("declared", ["buffer", "line"])
def test_a_buffer_texture_is_read_by_either_fetch_at_any_offset(declared: str) -> None:
    """Element k lies at offset + 4 k, above 16383 too; the size query counts all elements."""

    @fragment_shader
    def of_buffer(one: isamplerBuffer = binding(0)):  # type: ignore[no-untyped-def]
        at = int(gl.frag_coord.x) * 13333
        return vec4(uint_bits_to_float(uint(texel_fetch(one, at).x)), float(texture_size(one)), 0.0, 0.0)

    @fragment_shader
    def of_line(one: sampler1D = binding(0)):  # type: ignore[no-untyped-def]
        at = int(gl.frag_coord.x) * 13333
        return vec4(texel_fetch(one, at, 0).x, float(texture_size(one, 0)), 0.0, 0.0)

    def scene(device: Device) -> None:
        pool = device.memory_pool(1 << 18)
        pool.write(0x168, np.arange(40000, dtype=np.uint32))
        builder = TextureBuilder().set_target("BUFFER").set_format("R32UI").set_size_1d(40000)
        one = Texture(device, builder.set_storage(pool, 0x168))
        draws = Sampling(device)
        target = draws.target("RG32F", 3, 1)
        draws.bind(0, one)
        draws.draw(of_buffer if declared == "buffer" else of_line)
        draws.submit()
        target.read_texels("target")

    found = words(run(scene)).reshape(3, 2)
    assert found[:, 0].tolist() == [0, 13333, 26666]
    assert found[:, 1].view(np.float32).tolist() == [40000.0] * 3


def test_vertex_shaders_sample_level_0() -> None:
    """Without derivatives the level of detail is 0."""

    @vertex_shader
    def moved(position: vec4 = attribute(0), at: vec4 = attribute(1), heights: sampler2D = binding(5)):  # type: ignore[no-untyped-def]
        return position, texture(heights, vec2(0.5, 0.5))

    @fragment_shader
    def passed(color: vec4 = varying(0)):  # type: ignore[no-untyped-def]
        return color

    def scene(device: Device) -> None:
        heights = device.texture("RGBA8", 2, 2, levels=2)
        heights.write_texels(np.tile(np.array(GREEN, np.uint8), 4))
        heights.write_texels(np.array(RED, np.uint8), level=1)
        draws = Sampling(device)
        target = draws.target("RGBA8", 1)
        mipmapped = SamplerBuilder().set_min_mag_filter("NEAREST_MIPMAP_NEAREST", "NEAREST")
        draws.bind(5, heights, mipmapped, stage="VERTEX")
        draws.draw(passed)
        draws.commands.bind_program(device.program(moved, passed))
        draws.commands.draw_arrays("TRIANGLES", 0, 6)
        draws.submit()
        target.read_texels("target")

    assert pixels(run(scene)) == [GREEN]


@pytest.mark.parametrize(("bias", "expected"), [(0.0, RED), (1.0, GREEN), (2.0, BLUE)])
def test_the_quad_decides_the_level(bias: float, expected: tuple[int, ...]) -> None:
    """A texture drawn 1:1 takes level 0, and one more for each unit of bias."""

    def scene(device: Device) -> None:
        one = device.texture("RGBA8", 16, 16, levels=3)
        for level, color in enumerate((RED, GREEN, BLUE)):
            one.write_texels(np.tile(np.array(color, np.uint8), (16 >> level) ** 2), level=level)
        draws = Sampling(device)
        target = draws.target("RGBA8", 16, 16)
        made = SamplerBuilder().set_min_mag_filter("NEAREST_MIPMAP_NEAREST", "NEAREST").set_lod_bias(bias)
        draws.bind(0, one, made)
        draws.draw(sampled)
        draws.submit()
        target.read_texels("target")

    assert set(pixels(run(scene))) == {expected}


def test_samples_of_a_multisample_texture_are_fetched() -> None:
    """Each sample has the cleared depth."""

    @fragment_shader
    def fetched(one: sampler2DMS = binding(0)):  # type: ignore[no-untyped-def]
        return texel_fetch(one, ivec2(0, 0), int(gl.frag_coord.x))

    def scene(device: Device) -> None:
        depth = device.texture("DEPTH32F", 8, 8, target="2D_MULTISAMPLE", samples=4)
        draws = Sampling(device)
        draws.commands.set_render_targets([], None, depth)
        draws.commands.set_scissor(0, 0, 8, 8)
        draws.commands.clear_depth_stencil(0.25, True, 0, 0)
        target = draws.target("R32F", 5, 1)
        draws.bind(0, depth)
        draws.draw(fetched)
        draws.submit()
        target.read_texels("target")

    assert words(run(scene)).view(np.float32).tolist() == [0.25, 0.25, 0.25, 0.25, 0.0]


@pytest.mark.rule("TEX-SLOT-2")
@pytest.mark.parametrize(
    ("setting", "expected"),
    [
        (MismatchedTexture.ZERO, (0, 0, 0, 0)),
        (MismatchedTexture.TEXELS, BLUE),
        (MismatchedTexture.ONES, (255, 255, 255, 255)),
    ],
)
def test_a_flat_texture_in_a_cube_slot_is_open(setting: MismatchedTexture, expected: tuple[int, ...]) -> None:
    """Zero is recorded; other worlds read its texels, or ones."""

    def scene(device: Device) -> None:
        draws = Sampling(device)
        target = draws.target("RGBA8", 1)
        draws.bind(0, plain(device, BLUE, 4))
        draws.draw(directed)
        draws.submit()
        target.read_texels("target")

    assert pixels(run(scene, NVN.with_(mismatched_texture=setting))) == [expected]


@pytest.mark.rule("TEX-SHADOW-5")
def test_only_a_reference_makes_a_sampler_compare() -> None:
    """One comparing sampler: 1 where the reference is below, else depth as it is."""

    @fragment_shader
    def either(dark: sampler2DShadow = binding(0), depth: sampler2D = binding(1)):  # type: ignore[no-untyped-def]
        at = vec2(0.5, 0.5)
        return vec4(texture(dark, at, 0.5), texture(dark, at, 0.125), texture(depth, at).x, 0.0)

    def scene(device: Device) -> None:
        depth = device.texture("DEPTH32F", 2, 2)
        draws = Sampling(device)
        draws.commands.set_render_targets([], None, depth)
        draws.commands.set_scissor(0, 0, 2, 2)
        draws.commands.clear_depth_stencil(0.25, True, 0, 0)
        target = draws.target("RGBA32F", 1)
        made = SamplerBuilder().set_compare("COMPARE_R_TO_TEXTURE", "LESS")
        draws.bind(0, depth, made)
        draws.bind(1, depth, made)
        draws.draw(either)
        draws.submit()
        target.read_texels("target")

    assert words(run(scene)).view(np.float32).tolist() == [0.0, 1.0, 0.25, 0.0]


def test_a_target_that_is_sampled_by_handle_is_read_before_the_draw() -> None:
    """The draw reads what its target held when it began, wherever its fragments lie."""

    def scene(device: Device) -> None:
        draws = Sampling(device)
        target = plain(device, RED, 4)
        handle = draws.handle(target)
        draws.commands.bind_uniform_buffer("FRAGMENT", 4, device.buffer(np.array([handle] * 64, np.uint32)))
        draws.draw_to(target)
        draws.draw(by_handle)
        draws.submit()
        target.read_texels("target")

    assert set(pixels(run(scene))) == {RED}


def test_errors_name_the_place() -> None:
    """A draw whose shader asks a view for levels that it has not is refused where it stands."""

    def scene(device: Device) -> None:
        one = device.texture("RGBA8", 4, 4)
        draws = Sampling(device)
        draws.textures.register_texture(None, one, TextureView().set_levels(1, 1))

    with pytest.raises(Exception, match="levels 1 \\+ 1"):
        run(scene)


def test_a_huge_pool_costs_nothing() -> None:
    """Of a million ids only those that are registered are looked at."""

    def scene(device: Device) -> None:
        draws = Sampling(device, 1 << 12)
        draws.commands.set_texture_pool(device.texture_pool(1 << 20))
        target = draws.target("RGBA8", 4, 4)
        for _ in range(50):
            draws.draw(by_handle)
        draws.submit()
        target.read_texels("target")

    assert not run(scene)["target"].any()


def test_more_texels_than_allowed_are_refused() -> None:
    """A virtual pool gives an array of 4 GiB for nothing; nobody copies it."""

    def scene(device: Device) -> None:
        virtual = device.memory_pool(1 << 32, "CPU_NO_ACCESS | GPU_CACHED | VIRTUAL")
        builder = TextureBuilder().set_target("2D_ARRAY").set_format("R8").set_size_3d(16384, 16384, 15)
        draws = Sampling(device)
        target = draws.target("RGBA8", 1)
        draws.bind(0, Texture(device, builder.set_storage(virtual, 0)))
        draws.draw(sampled)
        draws.submit()
        target.read_texels("target")

    with pytest.raises(ReplayError, match="texels of a texture for shaders; 268435456 are allowed"):
        run(scene)


def test_content_is_copied_again_only_where_it_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three draws with one texture, and a write between the second and the third: two copies."""
    copies: list[object] = []

    def counted(*given: Any) -> SampledTexture:
        copies.append(given)
        return sampled_texture(*given)

    monkeypatch.setattr("refnvn.replay.sampled_content.sampled_texture", counted)

    def scene(device: Device) -> None:
        one = plain(device, RED)
        draws = Sampling(device)
        draws.bind(0, one)
        for name, write in (("first", False), ("second", False), ("third", True)):
            if write:
                one.write_texels(np.array(GREEN, np.uint8))
            target = draws.target("RGBA8", 1)
            draws.draw(sampled)
            draws.submit()
            target.read_texels(name)

    results = run(scene)
    assert [pixels(results, name) for name in ("first", "second", "third")] == [[RED], [RED], [GREEN]]
    assert len(copies) == 2
