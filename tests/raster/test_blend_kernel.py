"""Compiled blending against the rules: the same bits on random states, and every rounding on all its inputs."""

import os
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

from refnvn.enumerations import BlendAdvancedMode, BlendEquation, BlendFunc
from refnvn.formats.norm import encode_snorm, encode_unorm, sign_extended
from refnvn.formats.small_float import decode_half
from refnvn.formats.table import format_named
from refnvn.raster import draw as draw_module
from refnvn.raster.blend import BlendTargetState, arithmetic_of, as_plain
from refnvn.raster.blend_factors import Operands
from refnvn.raster.blend_float_plan import GIVEN, counts_in_floats, float_plan
from refnvn.raster.blend_float_sources_kernel import float_sources_kernel, half_bits_kernel
from refnvn.raster.blend_kept import left_alone
from refnvn.raster.blend_kernel import living_kernel
from refnvn.raster.blend_lines_kernel import (
    _nearest_whole,
    signed_source_line_kernel,
    unsigned_source_line_kernel,
)
from refnvn.raster.blend_norm import rounded_quotient
from refnvn.raster.blend_plan import counts_in_codes, norm_plan
from refnvn.raster.samples import Multisample
from refnvn.raster.target import ColorTarget, sample_views
from refnvn.rules.fields import NVN, BlendPrecision, MissingSource1, Rules, StoreFloat, StoreNorm
from refnvn.rules.registry import collect
from tests.raster.scenes import color, draw, passthrough, shader, view
from tests.raster.test_lane_kernel import SIZE, discarding, scene

NORMALISED = (
    "R8", "RG8", "RGBA8", "BGRA8", "RGBA8SN", "RG16", "RGBA16", "R16SN", "RGB565", "RGB5A1", "RGBA4", "RGB10A2",
    "RGBX16",
)  # fmt: skip
FLOATS = ("RGBA8_SRGB", "BGRA8_SRGB", "RGBA16F", "RG16F", "R16F", "R11G11B10F", "RGBA32F", "RG32F", "R32F")
FUNCS = list(BlendFunc)
WHOLE_SCENE = scene
EQUATIONS = list(BlendEquation)


def random_blend(rng: np.random.Generator) -> BlendTargetState:
    """Return a state of random factors and equations."""
    factors = [FUNCS[k] for k in rng.integers(0, len(FUNCS), 4)]
    color_equation, alpha_equation = (EQUATIONS[k] for k in rng.integers(0, len(EQUATIONS), 2))
    return BlendTargetState(
        source_color=factors[0], destination_color=factors[1], source_alpha=factors[2], destination_alpha=factors[3],
        color_equation=color_equation, alpha_equation=alpha_equation,
    )  # fmt: skip


def two_sources() -> Any:
    """Return a shader that writes its input to output 0 and, turned round, to output 1."""
    steps: list[dict[str, Any]] = []
    for k in range(4):
        steps.append({"do": "load_input", "to": k, "location": 0, "component": k})
        steps.append({"do": "store_output", "location": 0, "component": k, "of": k})
    steps += [{"do": "store_output", "location": 1, "component": k, "of": 3 - k} for k in range(4)]
    outputs = [{"location": 0}, {"location": 1}]
    return shader(inputs=[{"location": 0}], outputs=outputs, registers=["word"] * 4, statements=steps)


def both(
    monkeypatch: pytest.MonkeyPatch, name: str, seed: int, fragment: Any, rules: Rules = NVN, **options: Any
) -> list[tuple[Any, ...]]:
    """Draw one scene in NumPy and in compiled loops; return what each left and the rules that each counted."""
    found = []
    for compiled in (False, True):
        monkeypatch.setattr(draw_module, "wants_kernels", lambda _pixels, answer=compiled: answer)
        rng = np.random.default_rng(seed)
        targets = [color(name, SIZE, SIZE), color("RGBA8", SIZE, SIZE, fill=0x5A)]
        targets[0].codes[...] = rng.integers(0, 256, targets[0].codes.shape)
        state = view(
            targets[0], blends=(options.get("blend") or random_blend(rng), random_blend(rng), *(None,) * 6),
            channel_masks=(options.get("mask", 15),) * 8, blend_color=tuple(rng.uniform(-0.2, 1.2, 4).tolist()),
        )  # fmt: skip
        positions, words = scene(seed)
        with collect() as used:
            passed = draw(state, targets, None, positions, fragment, words, rules=rules)
        found.append((passed, used, *(target.codes.tobytes() for target in targets)))
    return found


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("name", [*NORMALISED, *FLOATS])
def test_random_states_agree(monkeypatch: pytest.MonkeyPatch, name: str, seed: int) -> None:
    """Any factors, equations, constants and stored codes, infinities and NaN too, in every class of format."""
    numpy, compiled = both(monkeypatch, name, seed, passthrough())
    assert numpy == compiled


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", ["RGBA8", "RGBA8SN", "RGB10A2", "RGBA8_SRGB", "RGBA16F", "RGBA32F"])
@pytest.mark.parametrize("mask", [15, 6, 8])
def test_two_sources_masks_and_targets_agree(
    monkeypatch: pytest.MonkeyPatch, name: str, mask: int, seed: int
) -> None:
    """Two targets, or a second source that is written, with masked channels."""
    numpy, compiled = both(monkeypatch, name, seed, two_sources(), mask=mask)
    assert numpy == compiled


@pytest.mark.parametrize("name", ["RGBA8", "R16", "RGBA16SN", "RGBA16F"])
def test_discarded_fragments_agree(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Fragments that the shader drops are not blended."""
    numpy, compiled = both(monkeypatch, name, 5, discarding())
    assert numpy == compiled


@pytest.mark.parametrize(
    "rules",
    [
        Rules(store_norm=StoreNorm.NEAREST_EVEN),
        Rules(missing_source1=MissingSource1.OPAQUE),
        Rules(missing_source1=MissingSource1.SOURCE),
        Rules(blend_precision=BlendPrecision.FLOAT32),
    ],
)
@pytest.mark.parametrize("seed", range(3))
def test_other_settings_agree(monkeypatch: pytest.MonkeyPatch, rules: Rules, seed: int) -> None:
    """Settings that a rule reads act in compiled loops too."""
    dual = BlendTargetState(source_color=BlendFunc.SRC1_ALPHA, destination_color=BlendFunc.ONE_MINUS_SRC1_COLOR)
    numpy, compiled = both(monkeypatch, "RGBA8", seed, passthrough(), rules, blend=dual)
    assert numpy == compiled


def test_an_advanced_mode_that_is_factors_agrees(monkeypatch: pytest.MonkeyPatch) -> None:
    """SRC_OVER comes to factors and goes through the loops; MULTIPLY is a program and does not."""
    for mode in (BlendAdvancedMode.SRC_OVER, BlendAdvancedMode.MULTIPLY):
        numpy, compiled = both(monkeypatch, "RGBA8", 2, passthrough(), blend=BlendTargetState(advanced_mode=mode))
        assert numpy == compiled


@pytest.mark.parametrize("seed", range(4))
def test_samples_agree(monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    """Four samples, each blended where it is covered."""
    found = []
    for compiled in (False, True):
        monkeypatch.setattr(draw_module, "wants_kernels", lambda _pixels, answer=compiled: answer)
        rng = np.random.default_rng(seed)
        storage = rng.integers(0, 256, (2 * SIZE, 2 * SIZE, 4), dtype=np.uint8)
        first, *others = sample_views(storage, 4)
        target = ColorTarget(format_named("RGBA8"), first, tuple(others))
        state = view(target, blends=(random_blend(rng), *(None,) * 7), multisample=Multisample(mask=0xFFFD))
        positions, words = scene(seed)
        with collect() as used:
            passed = draw(state, [target], None, positions, passthrough(), words)
        found.append((passed, used, storage.tobytes()))
    assert found[0] == found[1]


@pytest.mark.parametrize(("bits", "signed"), [(8, False), (8, True), (10, False)])
def test_the_nearest_code_in_float32_is_exact(bits: int, signed: bool) -> None:
    """For every whole number that two products can come to, rounding in float32 is rounding in integers."""
    one = (1 << bits - signed) - 1
    least = -one if signed else 0
    totals = np.arange(least * one, one * one + 1)
    half, reciprocal = np.float32(0.5), np.float32(1 / one)
    found = np.floor(totals.astype(np.float32) * reciprocal + half)
    wanted = (2 * totals + one) // (2 * one)
    assert np.array_equal(found.astype(np.int64), wanted)
    assert np.array_equal(rounded_quotient(totals, one, least), wanted)
    assert float(_nearest_whole(np.float32(one * one), reciprocal, half)) == one


@pytest.mark.parametrize("one", [32767, 65535])
def test_the_nearest_code_of_sixteen_bits_is_exact(one: int) -> None:
    """On both sides of every tie, rounding in float64 is rounding in integers."""
    middles = np.arange(one, dtype=np.int64) * one + one // 2
    totals = np.concatenate([middles + k for k in (-1, 0, 1, 2)])
    assert np.array_equal(rounded_quotient(totals, one, 0), (2 * totals + one) // (2 * one))


@pytest.mark.parametrize(("name", "bits"), [("RGBA8", 8), ("RGB10A2", 10), ("RGBA16", 16), ("RGBA8SN", 8)])
def test_compiled_sources_are_the_rule(name: str, bits: int) -> None:
    """On both sides of thresholds, and on special values, a source's compiled code is the rule's."""
    fmt = format_named(name)
    plan = norm_plan(BlendTargetState(), fmt, np.zeros(4, np.float32), NVN, 15)
    rng = np.random.default_rng(1)
    codes = rng.integers(0, 1 << bits, 4000)
    values = np.concatenate([(codes + rng.uniform(-0.6, 0.6, 4000)) / ((1 << bits) - 1), rng.normal(0, 1, 1000)])
    special = np.array([0x7F800000, 0xFF800000, 0x7FC00000, 0xFFC01234, 1, 0x80000000], np.uint32).view(np.float32)
    values = np.concatenate([values.astype(np.float32), -values[:2000].astype(np.float32), special])
    found = np.empty(len(values), plan.dtype)
    convert = signed_source_line_kernel if plan.signed else unsigned_source_line_kernel
    convert(found, values, (plan.dtype.type(1), *plan.convert))
    wanted = sign_extended(encode_snorm(values, bits), bits) if plan.signed else encode_unorm(values, bits)
    assert np.array_equal(found.astype(np.int64), wanted.astype(np.int64))


@pytest.mark.parametrize("rules", [NVN, Rules(store_float=StoreFloat.NEAREST_EVEN)], ids=["cut", "nearest"])
@pytest.mark.parametrize("name", ["RGBA16F", "R11G11B10F", "RGBA8_SRGB", "RGBA32F"])
def test_compiled_sources_of_floats_are_the_rule(name: str, rules: Rules) -> None:
    """On both sides of every half, in between and on special values, a compiled source is the rule's number."""
    fmt = format_named(name)
    plan = float_plan(BlendTargetState(), fmt, np.zeros(4, np.float32), rules, 15)
    with np.errstate(invalid="ignore"):
        halves = decode_half(np.arange(1 << 16, dtype=np.uint32)).view(np.uint32)
    special = np.array([0x7F800001, 0xFFC01234, 0x7F7FFFFF, 0x00000001, 0x80000000, 0x477FF000], np.uint32)
    steps = np.array([-1, 0, 1, 0x800, 0xFFF, 0x1000, 0x1001], np.int64).astype(np.uint32)
    words = np.concatenate([(halves[:, np.newaxis] + steps).reshape(-1), special])
    values = np.ascontiguousarray(np.broadcast_to(words.view(np.float32), (4, len(words))))
    found = np.empty((4, len(words)))
    how = (plan.source, plan.to_nearest, plan.sources)
    float_sources_kernel(found, values, 0, len(words), how, plan.precision)
    with np.errstate(all="ignore"):
        wanted = arithmetic_of(fmt, rules).source(np.ascontiguousarray(values.T))
    assert plan.source != GIVEN
    assert np.array_equal(found, wanted.T, equal_nan=True)
    assert np.array_equal(np.signbit(found[found == 0]), np.signbit(wanted.T[found == 0]))


def test_a_zero_takes_the_sign_of_nan(monkeypatch: pytest.MonkeyPatch) -> None:
    """Flat NaN of both signs times a factor of zero, added and subtracted: the loops leave the zeros of the rule."""
    zero = BlendFunc.SRC1_ALPHA  # not written, which is 0
    for equation in (BlendEquation.ADD, BlendEquation.SUB, BlendEquation.REVERSE_SUB):
        for word in (0x7FFFFFFF, 0xFFC01234):
            monkeypatch.setattr(sys.modules[__name__], "scene", lambda seed, word=word: nan_scene(seed, word))
            state = BlendTargetState(
                source_color=zero, destination_color=zero, source_alpha=zero, destination_alpha=zero,
                color_equation=equation, alpha_equation=equation,
            )  # fmt: skip
            for name in ("RGBA16F", "RGBA32F"):
                numpy, compiled = both(monkeypatch, name, 2, passthrough(interpolation="flat"), blend=state)
                assert numpy == compiled


def nan_scene(seed: int, word: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the scene of a seed with inputs that are all one word."""
    positions, words = WHOLE_SCENE(seed)
    return positions, np.full_like(words, word)


@pytest.mark.rule("RASTER-BLEND-14")
@pytest.mark.parametrize("name", ["RGBA8SN", "RGB10A2", "RGBA16F", "R16F", "RGBA8_SRGB", "RG32F"])
def test_what_is_left_alone_is_the_rule(name: str) -> None:
    """For random states, masks and sources of zeros, ones, infinities, NaN and others, the loop asks as the rule."""
    fmt, rng = format_named(name), np.random.default_rng(3)
    makes: Any = float_plan if counts_in_floats(BlendTargetState(), fmt, NVN) else norm_plan
    arithmetic = arithmetic_of(fmt, NVN)
    for _ in range(200):
        state, mask, constant = random_blend(rng), int(rng.integers(1, 16)), rng.choice(5, 4).astype(np.float32) / 2
        values = rng.choice(np.array([0, -0.0, 1, 1, 0.5, -1, np.inf, np.nan], np.float32), (64, 4))
        values[rng.random(64) < 0.5, :3] = rng.integers(0, 2)
        with np.errstate(invalid="ignore"):
            source = arithmetic.source(values)
        constants = np.broadcast_to(arithmetic.constant(constant.reshape(1, 4)), source.shape)
        operands = Operands(source=source, source1=source, destination=source, constant=constants)
        plain, plan = as_plain(state), makes(state, fmt, constant, NVN, mask)
        assert plain is not None
        living = np.empty(64, np.uint8)
        lines = np.ascontiguousarray(source.T).astype(np.float64)
        living_kernel(living, lines, (*plan.left[:3], float(plan.left.one)), np.zeros(0, np.uint8), True)
        wanted = left_alone(plain.color, plain.alpha, fmt, mask, operands, arithmetic)
        assert np.array_equal(living == 0, wanted)


def test_every_half_has_its_code() -> None:
    """The code of each of 65536 halves is found again; every NaN is one."""
    codes = np.arange(1 << 16, dtype=np.uint32)
    with np.errstate(invalid="ignore"):  # some of them are NaN
        values = decode_half(codes).astype(np.float64)
    found = [half_bits_kernel(value) for value in values]
    assert np.array_equal(found, np.where(np.isnan(values), 0x7FFF, codes))


def test_formats_that_the_loops_leave_to_numpy() -> None:
    """The unread bits of X formats are no channel; integers do not blend."""
    left = []
    for name in (
        "RGBX8",
        "RGBX8SN",
        "RGBX16F",
        "RGBX8_SRGB",
        "RGBA8",
        "RGBA16F",
        "R11G11B10F",
        "RGBA8_SRGB",
        "RGBA8UI",
    ):
        fmt = format_named(name)
        if not (counts_in_codes(BlendTargetState(), fmt, NVN) or counts_in_floats(BlendTargetState(), fmt, NVN)):
            left.append(name)
    assert left == ["RGBX8", "RGBX8SN", "RGBX16F", "RGBX8_SRGB", "RGBA8UI"]


def test_without_the_compiler_the_loops_leave_the_same() -> None:
    """With ``NUMBA_DISABLE_JIT=1`` the loops run as Python and blend as the rules do."""
    code = (
        "import numpy as np, refnvn.raster.draw as module\n"
        "from refnvn.raster.blend import BlendTargetState\n"
        "from tests.raster.scenes import *\n"
        "from tests.raster.test_blend_kernel import random_blend\n"
        "for name in ('RGBA8', 'RGB565', 'RGBA16SN', 'RGBA16F', 'RGBA8_SRGB'):\n"
        "    found = []\n"
        "    for answer in (False, True):\n"
        "        module.wants_kernels = lambda pixels: answer\n"
        "        rng = np.random.default_rng(4)\n"
        "        target = color(name, 9, 9, fill=0x3C)\n"
        "        positions = np.ones((12, 4), np.float32); positions[:, :2] = rng.uniform(-2, 2, (12, 2))\n"
        "        state = view(target, blends=(random_blend(rng), *(None,) * 7))\n"
        "        words = rng.uniform(0, 1, (12, 4)).astype(np.float32)\n"
        "        draw(state, [target], None, positions, passthrough(), words)\n"
        "        found.append(target.codes.tobytes())\n"
        "    assert found[0] == found[1], name\n"
        "    assert set(found[0]) != {0x3C}\n"
    )
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    subprocess.run([sys.executable, "-c", code], env=environment, check=True)
