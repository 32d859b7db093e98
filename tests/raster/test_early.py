"""Early fragment tests: what comes before the shader, what it can no longer change, and what it still takes away."""

from __future__ import annotations

from typing import Any

import msgspec
import numpy as np
import pytest

from refnvn.enumerations import AlphaFunc, DepthFunc
from refnvn.formats.table import format_named
from refnvn.raster.target import ColorTarget, DepthStencilTarget
from refnvn.shader.ir import Shader
from tests.raster.scenes import ONE, WHOLE, constant, draw, shader, view

SIZE = 4
HALF = 0x3F000000
NEAR = 0xFFFF
"""What is stored before: the far end of a 16-bit depth."""
DRAWN = 0x7FFF
"""The code of depth 0.5, which clip z 0 becomes: halves go down."""


def killing() -> Shader:
    """Return a shader that discards every fragment."""
    return shader(
        outputs=[{"location": 0, "components": 1}], registers=["word"],
        statements=[{"do": "discard"}, {"do": "store_output", "location": 0, "of": 0}],
    )  # fmt: skip


def deepening() -> Shader:
    """Return a shader that writes 1, and depth 1."""
    return shader(
        outputs=[{"location": 0, "components": 1}], registers=["word"],
        statements=[
            {"do": "constant", "to": 0, "bits": ONE},
            {"do": "store_depth", "of": 0},
            {"do": "store_output", "location": 0, "of": 0},
        ],
    )  # fmt: skip


def masking() -> Shader:
    """Return a shader that writes 1, and keeps sample 1 alone."""
    return shader(
        outputs=[{"location": 0, "components": 1}, {"location": -1, "components": 1, "type": "uint"}],
        registers=["word"],
        statements=[
            {"do": "constant", "to": 0, "bits": 2},
            {"do": "store_output", "location": -1, "of": 0},
            {"do": "constant", "to": 0, "bits": ONE},
            {"do": "store_output", "location": 0, "of": 0},
        ],
    )  # fmt: skip


def drawn(fragment: Shader, early: bool, samples: int, **fields: Any) -> tuple[int, int, int]:
    """Draw over everything; return the counter, samples whose colour changed, samples whose depth became 0.5."""
    color_fmt, depth_fmt = format_named("R8"), format_named("DEPTH16")
    first, *others = np.zeros((samples, SIZE, SIZE, 1), np.uint8)
    depth_first, *depth_others = np.full((samples, SIZE, SIZE, 2), 0xFF, np.uint8)
    color = ColorTarget(color_fmt, first, tuple(others))
    depth = DepthStencilTarget(depth_fmt, depth_first, tuple(depth_others))
    state = view(color, depth_test=True, depth_write=True, depth_func=DepthFunc.LESS, **fields)
    told = msgspec.structs.replace(fragment, early_fragment_tests=early)
    passed = draw(state, [color], depth, WHOLE, told)
    stored = np.stack([depth.codes, *depth.others]).view("<u2")
    assert np.isin(stored, (NEAR, DRAWN)).all()
    return passed, int(np.count_nonzero(np.stack([first, *others]))), int(np.count_nonzero(stored == DRAWN))


@pytest.mark.rule("RASTER-EARLY-1", "RASTER-ORDER-1", "RASTER-ORDER-2")
@pytest.mark.parametrize("samples", [1, 4])
def test_a_discard_is_too_late_for_early_tests(samples: int) -> None:
    """Nothing is coloured either way; with early tests everything counts and leaves its depth behind."""
    every = SIZE * SIZE * samples
    assert drawn(killing(), False, samples) == (0, 0, 0)
    assert drawn(killing(), True, samples) == (every, 0, every)


@pytest.mark.rule("RASTER-EARLY-1")
@pytest.mark.parametrize("samples", [1, 4])
def test_early_tests_ignore_a_written_depth(samples: int) -> None:
    """Depth 1 is not less than what is stored; the plane's 0.5 is, and that is what early tests take."""
    every = SIZE * SIZE * samples
    assert drawn(deepening(), False, samples) == (0, 0, 0)
    assert drawn(deepening(), True, samples) == (every, every, every)


@pytest.mark.rule("RASTER-EARLY-1")
@pytest.mark.parametrize("samples", [1, 4])
def test_the_alpha_test_comes_after_early_tests(samples: int) -> None:
    """An output of alpha 0.5 under the test GREATER than one."""
    every, fields = SIZE * SIZE * samples, {"alpha_test": AlphaFunc.GREATER, "alpha_reference": 1.0}
    fragment = constant(ONE, ONE, ONE, HALF)
    assert drawn(fragment, False, samples, **fields) == (0, 0, 0)
    assert drawn(fragment, True, samples, **fields) == (every, 0, every)


@pytest.mark.rule("RASTER-EARLY-1", "RASTER-ORDER-2")
def test_samples_that_the_shader_masks_away_still_count_early() -> None:
    """One of four samples is coloured; early tests have counted all four."""
    pixels = SIZE * SIZE
    assert drawn(masking(), False, 4) == (pixels, pixels, pixels)
    assert drawn(masking(), True, 4) == (4 * pixels, pixels, 4 * pixels)
