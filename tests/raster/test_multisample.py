"""Several samples in a pixel: what they cover, what takes them away, and how each is tested and stored."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from refnvn.enumerations import DepthFunc
from refnvn.errors import ArgumentError, FieldRangeError, ShapeError
from refnvn.formats.table import format_named
from refnvn.raster import draw as draw_module
from refnvn.raster.alpha_to_coverage import covered_by_number
from refnvn.raster.interpolate import Lanes
from refnvn.raster.sample_spans import centroid_offsets
from refnvn.raster.samples import Multisample, positions_by_pixel, programmed_locations, usual_positions
from refnvn.raster.target import ColorTarget, DepthStencilTarget, sample_views
from tests.raster.scenes import ONE, WHOLE, clip, constant, draw, passthrough, shader, view
from tests.raster.test_coverage import mesh

SIZE = 8
SAMPLES = (2, 4, 8)


def sampled(
    name: str = "R8", samples: int = 4, size: int = SIZE, kind: type[Any] = ColorTarget, fill: int = 0
) -> Any:
    """Return a square target of several samples, its samples apart."""
    fmt = format_named(name)
    first, *others = (np.full((size, size, fmt.bytes_per_block), fill, np.uint8) for _ in range(samples))
    return kind(fmt, first, tuple(others))


def texels(target: Any) -> np.ndarray:
    """Return the bytes of all samples, shape (samples, rows, columns, bytes)."""
    return np.stack([target.codes, *target.others])


def stored_mask(target: Any) -> np.ndarray:
    """Return which samples of each pixel are not zero, sample 0 in bit 0."""
    written = texels(target).any(axis=3)
    return (written << np.arange(len(written))[:, None, None]).sum(axis=0)


def left_half(size: int, edge: float) -> np.ndarray:
    """Return a triangle whose right edge stands at column ``edge`` in all rows."""
    return clip(np.array([[edge, -100.0], [edge, 100.0], [-200.0, 0.0]]), size, size)


@pytest.mark.rule("RASTER-SAMPLES-1", "RASTER-COVERAGE-3")
def test_an_upright_edge_covers_the_samples_left_of_it() -> None:
    """Of 4 samples at x = 6, 14, 2 and 10 sixteenths an edge at 7.5 sixteenths leaves samples 0 and 2."""
    target = sampled()
    passed = draw(view(target), [target], None, left_half(SIZE, 3 + 7.5 / 16), constant(ONE))
    assert stored_mask(target)[0].tolist() == [15, 15, 15, 0b0101, 0, 0, 0, 0]
    assert passed == SIZE * (3 * 4 + 2)


@pytest.mark.rule("RASTER-COVERAGE-3")
@settings(max_examples=12, deadline=None)
@given(seed=st.integers(0, 1 << 30), cells=st.integers(1, 4), samples=st.sampled_from(SAMPLES))
def test_a_mesh_covers_each_sample_once(seed: int, cells: int, samples: int) -> None:
    """Triangles that share edges leave no gap and count no sample twice."""
    target = sampled("R8", samples, 32)
    passed = draw(view(target), [target], None, mesh(seed, cells, 16.0), constant(ONE))
    assert passed == 32 * 32 * samples
    assert (texels(target) == 255).all()


@pytest.mark.rule("RASTER-SAMPLES-3", "RASTER-SAMPLES-4")
def test_a_grid_of_positions_repeats_every_other_pixel() -> None:
    """With 4 samples the positions 0 to 3 are those of even columns in even rows, 4 to 7 those right of them."""
    x = [0.0] * 4 + [0.9375] * 4 + [0.5] * 8
    locations = programmed_locations(np.array([x, [0.0] * 16], np.float32).T)
    state = Multisample(locations=locations, location_grid=True)
    assert positions_by_pixel(state, 4)[:, :, 0, 0].tolist() == [[0, 15], [8, 8]]
    target = sampled()
    draw(view(target, multisample=state), [target], None, left_half(SIZE, 3.25), constant(ONE))
    assert stored_mask(target)[:2].tolist() == [[15, 15, 15, 0, 0, 0, 0, 0], [15, 15, 15, 0, 0, 0, 0, 0]]
    with pytest.raises(FieldRangeError, match="16 are needed"):
        positions_by_pixel(Multisample(locations=locations[:15], location_grid=True), 4)


@pytest.mark.rule("RASTER-SAMPLES-5")
def test_without_multisampling_the_centre_decides_for_all_samples() -> None:
    """An edge that leaves the centre out stores nothing of the pixel; mask and alpha do nothing."""
    state = Multisample(enabled=False, mask=0, alpha_to_coverage=True, alpha_to_one=True)
    target = sampled("RGBA8")
    passed = draw(view(target, multisample=state), [target], None, left_half(SIZE, 3.5), constant(ONE, 0, 0, 0))
    assert stored_mask(target)[0].tolist() == [15, 15, 15, 0, 0, 0, 0, 0]
    assert (texels(target)[..., 3] == 0).all()
    assert passed == SIZE * 3 * 4


@pytest.mark.rule("RASTER-MASK-1", "RASTER-ORDER-2")
def test_masks_meet() -> None:
    """A sample must be covered, in the state's mask and in the shader's."""
    masking = shader(
        outputs=[{"location": 0, "components": 1}, {"location": -1, "components": 1, "type": "uint"}],
        registers=["word"],
        statements=[
            {"do": "constant", "to": 0, "bits": 0b0111},
            {"do": "store_output", "location": -1, "of": 0},
            {"do": "constant", "to": 0, "bits": ONE},
            {"do": "store_output", "location": 0, "of": 0},
        ],
    )
    target = sampled()
    state = view(target, multisample=Multisample(mask=0b1101))
    assert draw(state, [target], None, WHOLE, masking) == SIZE * SIZE * 2
    assert (stored_mask(target) == 0b0101).all()


@pytest.mark.rule("RASTER-ALPHAONE-1", "RASTER-ALPHACOVERAGE-3", "RASTER-ORDER-2")
def test_alpha_to_coverage_sees_the_alpha_before_alpha_to_one() -> None:
    """Half of the samples are left, and what is stored in them has alpha 255."""
    half = 0x3F000000
    state = Multisample(alpha_to_coverage=True, dither=False, alpha_to_one=True)
    target = sampled("RGBA8")
    assert draw(view(target, multisample=state), [target], None, WHOLE, constant(ONE, 0, 0, half)) == SIZE * SIZE * 2
    assert (stored_mask(target) == 0b1001).all()
    assert texels(target)[3, 0, 0].tolist() == [255, 0, 0, 255]


@pytest.mark.rule("RASTER-ALPHACOVERAGE-3")
@pytest.mark.parametrize(
    ("name", "alpha", "left"),
    [
        pytest.param("RGBA8UI", 0, 0, id="zero"),
        pytest.param("RGBA8UI", 1, 15, id="one"),
        pytest.param("RGBA8I", 0xFFFFFFFF, 0, id="negative"),
        pytest.param("RGBA8I", 7, 15, id="more"),
    ],
)
def test_an_integer_is_the_alpha_of_an_integer_target(name: str, alpha: int, left: int) -> None:
    """0 and below leave no sample, 1 and above all."""
    target = sampled(name)
    state = view(target, multisample=Multisample(alpha_to_coverage=True))
    assert draw(state, [target], None, WHOLE, constant(9, 9, 9, alpha)) == SIZE * SIZE * left.bit_count()
    assert (stored_mask(target) == left).all()


@pytest.mark.rule("RASTER-ALPHACOVERAGE-1", "RASTER-ALPHACOVERAGE-2")
@pytest.mark.parametrize("samples", [*SAMPLES, 16])
def test_dither_leaves_as_many_samples_of_four_pixels_as_alpha_says(samples: int) -> None:
    """All codes: round(4 n a / 255) samples of 2 x 2 pixels; without dither round(n a / 255) of each pixel."""
    codes = np.arange(256)
    places = [Lanes(codes * 0, codes * 0 + x, codes * 0 + y) for y in (6, 7) for x in (4, 5)]
    dithered = sum(covered_by_number(codes / 255, samples, one, dither=True).sum(axis=0) for one in places)
    assert dithered.tolist() == [(8 * samples * a + 255) // 510 for a in range(256)]
    plain = covered_by_number(codes / 255, samples, places[0], dither=False).sum(axis=0)
    assert plain.tolist() == [(2 * samples * a + 255) // 510 for a in range(256)]


@pytest.mark.rule("RASTER-CENTROID-1")
def test_centroids_stand_at_the_first_covered_sample() -> None:
    """All covered and none: the centre; else the covered sample of the lowest number."""
    offsets = np.array(usual_positions(4)).T[:, :, np.newaxis] + np.zeros((1, 1, 4), np.int64)
    covered = np.array([[1, 0, 0, 0], [1, 1, 0, 0], [1, 0, 1, 0], [1, 1, 1, 0]], np.bool_)
    assert centroid_offsets(covered, offsets).T.tolist() == [[8, 8], [14, 6], [2, 10], [8, 8]]


@pytest.mark.rule("RASTER-SAMPLING-1", "RASTER-PLANE-7")
@pytest.mark.parametrize("derives", [False, True], ids=["alone", "in-quads"])
def test_a_sample_input_differs_from_sample_to_sample(derives: bool) -> None:
    """An input that is x in pixels reads as the sample's own x; one at the centre and the coordinate do not move."""
    statements: list[dict[str, Any]] = [
        {"do": "load_input", "to": 0, "location": 0},
        {"do": "store_output", "location": 0, "component": 0, "of": 0},
        {"do": "load_input", "to": 0, "location": 1},
        {"do": "store_output", "location": 0, "component": 1, "of": 0},
        {"do": "load_builtin", "to": 0, "builtin": "frag_coord_x"},
        {"do": "store_output", "location": 0, "component": 2, "of": 0},
        {"do": "load_builtin", "to": 0, "builtin": "sample_id"},
        {"do": "store_output", "location": 0, "component": 3, "of": 0},
        *([{"do": "derive", "to": 1, "of": 0, "axis": "x"}] if derives else []),
    ]
    inputs = [{"location": 0, "components": 1, "sampling": "sample"}, {"location": 1, "components": 1}]
    reading = shader(inputs=inputs, outputs=[{"location": 0}], registers=["word"] * 2, statements=statements)
    target = sampled("RGBA32F")
    x = (WHOLE[:, :1] + 1) * SIZE / 2
    draw(view(target), [target], None, WHOLE, reading, np.repeat(x, 2, axis=1).astype(np.float32))
    found = texels(target).view(np.uint32)
    for sample, (across, _) in enumerate(usual_positions(4)):
        columns = found[sample, 3, :, :3].copy().view(np.float32)
        assert columns[:, 0].tolist() == [column + across / 16 for column in range(SIZE)]
        assert columns[:, 1].tolist() == columns[:, 2].tolist() == [column + 0.5 for column in range(SIZE)]
        assert (found[sample, ..., 3] == sample).all()


@pytest.mark.rule("RASTER-DEPTH-2", "RASTER-ORDER-2")
@pytest.mark.parametrize("compiled", [False, True], ids=["numpy", "compiled"])
def test_depth_is_taken_and_tested_at_each_sample(monkeypatch: pytest.MonkeyPatch, compiled: bool) -> None:
    """A plane that rises along x stores at each sample the depth there, and passes only where it is less."""
    monkeypatch.setattr(draw_module, "wants_kernels", lambda _pixels: compiled)
    zeta, target = sampled("DEPTH32F", kind=DepthStencilTarget), sampled()
    rising = WHOLE.copy()
    rising[:, 2] = rising[:, 0]  # window depth is x / 8
    state = view(zeta, depth_test=True, depth_write=True, depth_func=DepthFunc.ALWAYS, depth_clamp=True)
    draw(state, [None], zeta, rising, None)
    depths = texels(zeta).view(np.float32)[..., 0]
    for sample, (across, _) in enumerate(usual_positions(4)):
        assert depths[sample, 2].tolist() == [(column + across / 16) / SIZE for column in range(SIZE)]
    flat = WHOLE.copy()
    flat[:, 2] = 2 * (2 + 7.5 / 16) / SIZE - 1
    less = view(zeta, depth_test=True, depth_func=DepthFunc.GREATER)
    passed = draw(less, [target], zeta, flat, constant(ONE))
    assert stored_mask(target)[5].tolist() == [15, 15, 0b0101, 0, 0, 0, 0, 0]
    assert passed == SIZE * (4 + 4 + 2)


@pytest.mark.parametrize("threads", [1, 3])
def test_compiled_loops_and_threads_change_nothing(monkeypatch: pytest.MonkeyPatch, threads: int) -> None:
    """A mesh with colours and depth leaves the same bytes, by NumPy and by compiled loops, on any threads."""
    rng = np.random.default_rng(5)
    positions = mesh(7, 4, 256.0)
    positions[:, 2] = rng.uniform(-0.9, 0.9, len(positions))
    words = rng.uniform(0, 1, (len(positions), 4)).astype(np.float32)
    inputs = [{"location": 0, "sampling": "centroid"}]
    statements: list[dict[str, Any]] = []
    for k in range(4):
        statements.append({"do": "load_input", "to": 0, "location": 0, "component": k})
        statements.append({"do": "store_output", "location": 0, "component": k, "of": 0})
    copying = shader(inputs=inputs, outputs=[{"location": 0}], registers=["word"], statements=statements)
    found = []
    for compiled in (False, True):
        monkeypatch.setattr(draw_module, "wants_kernels", lambda _pixels, answer=compiled: answer)
        target = sampled("RGBA8", 8, 32)
        zeta = sampled("DEPTH24_STENCIL8", 8, 32, DepthStencilTarget, fill=0xA0)
        state = view(target, depth_test=True, depth_write=True, multisample=Multisample(mask=0b1011_0111))
        passed = draw(state, [target], zeta, positions, copying, words, threads=threads)
        found.append((passed, texels(target).tobytes(), texels(zeta).tobytes()))
    assert found[0] == found[1]
    assert 0 < found[0][0] < 32 * 32 * 6


def test_views_of_storage_are_written_in_place() -> None:
    """Sample 0 of 8 is the third texel of its pixel's first row of four."""
    storage = np.zeros((4, 8, 1), np.uint8)
    first, *others = sample_views(storage, 8)
    target = ColorTarget(format_named("R8"), first, tuple(others))
    state = view(target, multisample=Multisample(mask=1))
    draw(state, [target], None, WHOLE, constant(ONE))
    assert storage[..., 0].tolist() == [[0, 0, 255, 0, 0, 0, 255, 0], [0] * 8] * 2


def test_targets_must_agree() -> None:
    """One number of samples for all targets of a draw, one shape for all samples of a target."""
    with pytest.raises(ArgumentError, match=r"\[2, 4\] samples"):
        draw(view(sampled()), [sampled(samples=2), sampled()], None, WHOLE, constant(ONE))
    fmt = format_named("R8")
    with pytest.raises(ShapeError, match="one shape"):
        ColorTarget(fmt, np.zeros((2, 2, 1), np.uint8), (np.zeros((2, 3, 1), np.uint8),))
    with pytest.raises(FieldRangeError, match="3 is not one of"):
        usual_positions(3)


@pytest.mark.rule("RASTER-ORDER-2")
@pytest.mark.parametrize("channels", [15, 5], ids=["all-channels", "red-and-blue"])
def test_filling_at_once_changes_nothing(monkeypatch: pytest.MonkeyPatch, channels: int) -> None:
    """Where nothing stands between inputs and texels a single loop leaves what all the steps leave."""
    words = np.random.default_rng(9).uniform(-0.1, 1.1, (96, 4)).astype(np.float32)
    positions = mesh(11, 4, 256.0)[:96]
    found = []
    for compiled in (False, True):
        monkeypatch.setattr(draw_module, "wants_kernels", lambda _pixels, answer=compiled: answer)
        target = sampled("RGBA8", 4, 32, fill=0x5A)
        state = view(target, multisample=Multisample(mask=0b1101), channel_masks=(channels,) * 8)
        passed = draw(state, [target], None, positions, passthrough(), words)
        found.append((passed, texels(target).tobytes()))
    assert found[0] == found[1]
    assert found[0][0] > 0
