"""Multisample textures as targets: which samples draws and clears leave, in memory."""

from typing import Any

import numpy as np
import pytest

from goldens.drawing import set_up_drawing
from refnvn.commands import commands as c
from refnvn.commands import recording as r
from refnvn.commands.state import MultisampleState
from refnvn.enumerations import CoverageModulationMode, DepthFunc
from refnvn.errors import RefnvnError
from refnvn.layout.description import TextureTarget
from refnvn.nvn import states
from refnvn.nvn.device import Device
from refnvn.replay.run import replay
from refnvn.testing import results_of
from tests.replay.scenes import (
    BLUE,
    clear,
    clear_depth,
    recording,
    ref,
    run,
    targets,
    texels,
    texture,
    whole,
)
from tests.replay.shaders import PROGRAMS, WHOLE, at_depth, depth_test, draw, set_up, vertices

COUNTERS = ("FRAGMENT_SHADER_INVOCATIONS", "SAMPLES_PASSED")
MULTISAMPLE = TextureTarget.TARGET_2D_MULTISAMPLE
WHITE_BYTES = 255


def sampled(name: str = "RGBA8", samples: int = 4, **fields: Any) -> Any:
    """Return an 8 x 8 texture of several samples."""
    return texture(name, 8, 8, samples=samples, target=MULTISAMPLE, **fields)


def played(textures: list[Any], data: np.ndarray | bytes, commands: list[Any]) -> Any:
    """Replay commands with vertices in the buffer."""
    event, blobs = vertices(data)
    return run(textures, [event, commands], blobs, programs=PROGRAMS)


def by_sample(results: Any, one: Any, samples: int, index: int = 0) -> np.ndarray:
    """Return the bytes of a texture, shape (samples, rows, columns, bytes)."""
    pixels = texels(results, one, index)
    return np.moveaxis(pixels.reshape(8, 8, samples, -1), 2, 0)


@pytest.mark.rule("REPLAY-SAMPLES-1", "RASTER-MASK-1")
@pytest.mark.parametrize("samples", [2, 4, 8, 16])
def test_the_sample_mask_picks_what_is_drawn(samples: int) -> None:
    """A cleared texture, sample 1 drawn white alone: read back by the processor it is sample 1."""
    image = sampled(samples=samples)
    commands = [targets(ref()), clear(BLUE), *set_up(8, 8), c.SetSampleMask(mask=0b10), draw()]
    results = played([image], WHOLE, commands)
    found = by_sample(results, image, samples)
    assert (found[1] == WHITE_BYTES).all()
    assert (np.delete(found, 1, axis=0) == (0, 0, 255, 255)).all()
    assert results.counters["samples_passed"] == 64


@pytest.mark.rule("LAYOUT-SAMPLES-2")
def test_samples_lie_in_their_cells() -> None:
    """Of 8 samples number 2 lies in the last texel of the lower row of its pixel's 4 x 2."""
    image = sampled("R8", 8)
    commands = [targets(ref()), *set_up(8, 8), c.SetSampleMask(mask=0b100), draw()]
    event, blobs = vertices(WHOLE)
    results = run([image], [event, commands], blobs, programs=PROGRAMS)
    block = results.pool_bytes(0)[: 64 * 8].reshape(8, 64)  # one GOB, in which rows of 16 bytes stay together
    assert int((block == WHITE_BYTES).sum()) == 8 * 4
    assert (by_sample(results, image, 8)[2] == WHITE_BYTES).all()


@pytest.mark.rule("RASTER-ALPHACOVERAGE-1", "REPLAY-SAMPLES-1")
def test_alpha_to_coverage_and_multisample_off() -> None:
    """White has alpha 1 and leaves all samples; with multisampling off the mask does nothing."""
    image = sampled()
    state = MultisampleState(alpha_to_coverage=True, alpha_to_coverage_dither=False)
    commands = [targets(ref()), *set_up(8, 8), c.BindMultisampleState(state=state), draw()]
    assert (by_sample(played([image], WHOLE, commands), image, 4) == WHITE_BYTES).all()
    off = [c.BindMultisampleState(state=MultisampleState(multisample=False)), c.SetSampleMask(mask=0)]
    assert (by_sample(played([image], WHOLE, [*commands[:-2], *off, draw()]), image, 4) == WHITE_BYTES).all()


@pytest.mark.rule("RASTER-ORDER-2")
def test_every_sample_has_its_own_depth() -> None:
    """Depth cleared to 0.5, drawn to 0.25 in two samples: GREATER at 0.375 passes in those alone."""
    image, depth = sampled(), sampled("DEPTH32F", offset_B=1 << 14)
    first = [
        targets(ref(0), depth_stencil=ref(1)),
        clear_depth(0.5),
        *set_up(8, 8, size_B=96),
        depth_test(DepthFunc.ALWAYS, write=True),
        c.SetSampleMask(mask=0b0110),
        draw(),
        clear((0, 0, 0, 0)),
        c.SetSampleMask(mask=0b1111),
        depth_test(DepthFunc.GREATER),
        draw(3, first=3),
    ]
    data = np.concatenate([at_depth(-0.5)[:3], at_depth(-0.25)[:3]])
    results = played([image, depth], data, first)
    assert (by_sample(results, image, 4) == WHITE_BYTES).all(axis=(1, 2, 3)).tolist() == [False, True, True, False]


@pytest.mark.rule("RASTER-SAMPLES-3", "REPLAY-SAMPLES-1")
def test_programmed_positions_decide() -> None:
    """All samples at the left edge of the pixel: an upright edge at a quarter covers all four or none."""
    image = sampled()
    state = MultisampleState(sample_locations_enable=True, sample_locations=((0.0, 0.5),) * 16)
    commands = [targets(ref()), *set_up(8, 8), c.BindMultisampleState(state=state), draw()]
    edge = np.array([[-1 + 3.25 / 4, -9, 0, 1], [-1 + 3.25 / 4, 9, 0, 1], [-30, 0, 0, 1]], np.float32)
    found = by_sample(played([image], edge, commands), image, 4)
    assert (found[:, 4, :, 0] == WHITE_BYTES).tolist() == [[True] * 4 + [False] * 4] * 4


@pytest.mark.rule("REPLAY-RESOLVE-1", "RESOLVE-MEAN-1")
def test_a_downsample_mixes_the_samples() -> None:
    """Of four samples two are drawn white over transparent black: 127, stored like 0.5, where the ledger says 128."""
    image, small = sampled(), texture("RGBA8", 8, 8, offset_B=1 << 14)
    commands = [
        targets(ref()),
        clear((0, 0, 0, 0)),
        *set_up(8, 8),
        c.SetScissor(x=0, y=0, width=8, height=4),
        c.SetSampleMask(mask=0b1100),
        draw(),
        c.Downsample(source=ref(0), destination=ref(1)),
    ]
    found = texels(played([image, small], WHOLE, commands), small, 1)[0]
    assert (found[:4] == 127).all()
    assert not found[4:].any()


@pytest.mark.rule("RESOLVE-COPY-1", "RESOLVE-COPY-2")
@pytest.mark.parametrize(
    ("name", "samples", "copied"), [("R32UI", 4, 3), ("R32UI", 8, 6), ("DEPTH32F", 4, 0), ("DEPTH32F", 2, 1)]
)
def test_integers_and_depth_are_copied_from_one_sample(name: str, samples: int, copied: int) -> None:
    """Samples that all differ: the resolve holds one of them."""
    image, small = sampled(name, samples), texture(name, 8, 8, offset_B=1 << 14)
    values = (np.arange(64 * samples, dtype="<u4") + 0x3F000000).tobytes()
    write = r.WriteTexels(texture=ref(), region=whole(image), blob="values")
    resolve = [c.Downsample(source=ref(0), destination=ref(1))]
    results = run([image, small], [write, resolve], {"values": values})
    numbers = texels(results, small, 1).view("<u4")[0, ..., 0] - 0x3F000000
    assert numbers.ravel().tolist() == [pixel * samples + copied for pixel in range(64)]


@pytest.mark.parametrize(
    ("source", "destination", "complaint"),
    [
        pytest.param(0, 0, "destination: 4 samples; a destination has 1", id="samples"),
        pytest.param(0, 2, r"destination: width, height and layers \(4, 8, 1\)", id="size"),
        pytest.param(0, 3, "cannot be resolved to NVN_FORMAT_RGBA8UI", id="format"),
    ],
)
def test_a_downsample_that_cannot_be_is_named(source: int, destination: int, complaint: str) -> None:
    """One error that says what does not fit."""
    textures = [
        sampled(),
        texture("RGBA8", 8, 8, offset_B=1 << 14),
        texture("RGBA8", 4, 8, offset_B=1 << 15),
        texture("RGBA8UI", 8, 8, offset_B=1 << 16),
    ]
    command = c.Downsample(source=ref(source), destination=ref(destination))
    with pytest.raises(RefnvnError, match=complaint):
        replay(recording(textures, [[command]]), {})


@pytest.mark.rule("REPLAY-MODULATION-1", "REPLAY-SAMPLES-1", "RASTER-MIXED-2")
@pytest.mark.parametrize(("table", "left"), [(None, 127), ((0.25,) * 8 + (1.0,) * 8, 64)])
def test_coverage_modulates_what_fewer_colour_samples_store(table: tuple[float, ...] | None, left: int) -> None:
    """Two of four raster samples are in the mask: half of white, or what the bound table makes of a half."""
    image = texture("RGBA8", 8, 8)
    state = MultisampleState(raster_samples=4, coverage_modulation=CoverageModulationMode.RGBA)
    commands = [targets(ref()), *set_up(8, 8), c.BindMultisampleState(state=state), c.SetSampleMask(mask=0b0101)]
    if table is not None:
        words = np.array(table, np.float32).view(np.uint32).tolist()
        commands.append(c.BindCoverageModulationTable(values_bits=tuple(words)))
    results = played([image], WHOLE, [*commands, draw()])
    assert (texels(results, image) == left).all()
    assert results.counters["samples_passed"] == 128


@pytest.mark.rule("LAYOUT-SAMPLES-4", "RESOLVE-MEAN-2", "RASTER-SAMPLES-2")
def test_sixteen_samples_are_drawn_resolved_and_read_back() -> None:
    """Eight samples, those in the left half of each pixel, are drawn white over black: 127, stored like 0.5."""
    image, small = sampled(samples=16), texture("RGBA8", 8, 8, offset_B=1 << 15)
    left = sum(1 << k for k in (1, 2, 4, 8, 10, 11, 12, 15))
    commands = [
        targets(ref()), clear((0, 0, 0, 0)), *set_up(8, 8), c.SetSampleMask(mask=left), draw(),
        c.Downsample(source=ref(0), destination=ref(1)),
    ]  # fmt: skip
    results = played([image, small], WHOLE, commands)
    white = by_sample(results, image, 16)[:, 3, 3, 0] == WHITE_BYTES
    assert white.tolist() == [bool(left >> k & 1) for k in range(16)]
    assert (texels(results, small, 1) == 127).all()


@pytest.mark.rule("QUERY-INVOCATIONS-4", "RASTER-MIXED-2")
@pytest.mark.parametrize(
    ("colors", "raster", "mask", "ran"),
    [(1, 0, 0xFFFF, 0), (4, 0, 0xFFFF, 0), (1, 16, 0xFFFF, 8), (4, 16, 0xFFFF, 8), (16, 0, 0xFFFF, 8), (4, 16, 1, 0)],
)
def test_fragments_are_counted_where_a_raster_sample_is(colors: int, raster: int, mask: int, ran: int) -> None:
    """A strip of eight pixels, 3/32 pixel wide, holds two of sixteen samples, none of four and no centre."""

    def scene(device: Device) -> None:
        kind = "2D_MULTISAMPLE" if colors > 1 else "2D"
        target, counts = device.texture("RGBA8", 8, 8, target=kind, samples=colors), device.buffer(32)
        commands = device.command_buffer()
        commands.set_render_targets([target])
        set_up_drawing(device, commands, 8, 8)
        commands.bind_multisample_state(states.MultisampleState().set_samples(colors).set_raster_samples(raster))
        commands.set_sample_mask(mask)
        for counter in COUNTERS:
            commands.reset_counter(counter)
        commands.set_scissor(4, 0, 1, 8)
        edge = 3 / 32 / 4
        corners = [(edge, -9, 0, 1, 1, 1, 1, 1), (edge, 9, 0, 1, 1, 1, 1, 1), (-9, 0, 0, 1, 1, 1, 1, 1)]
        commands.bind_vertex_buffer(0, device.buffer(np.float32(corners)))
        commands.draw_arrays("TRIANGLES", 0, 3)
        for number, counter in enumerate(COUNTERS):
            commands.report_counter(counter, counts.get_address(16 * number))
        device.queue().submit(commands)
        counts.read("counts")

    fragments, samples = results_of(scene)["counts"].view("<u8")[::2].tolist()
    assert (fragments, samples) == (ran, 2 * ran)
