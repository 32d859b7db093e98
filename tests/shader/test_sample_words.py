"""What shaders written in Python say about samples: their number, place and mask, and where inputs are evaluated."""

from typing import Any

import numpy as np
import pytest

from refnvn.formats.table import format_named
from refnvn.raster.samples import usual_positions
from refnvn.raster.target import ColorTarget
from refnvn.shader.glsl import glsl
from refnvn.shader.ir import SAMPLE_MASK, Shader
from refnvn.shader.ir_base import Interpolation, Sampling
from refnvn.shader.python import centroid, flat, fragment_shader, gl, noperspective, sample, uint, varying, vec2, vec4
from refnvn.shader.subset import ShaderSourceError
from tests.raster.scenes import WHOLE, draw, view

SIZE = 2


def drawn(fragment: Shader, name: str, samples: int = 4) -> np.ndarray:
    """Draw over everything and return the bytes of each sample of the first pixel."""
    fmt = format_named(name)
    first, *others = np.zeros((samples, SIZE, SIZE, fmt.bytes_per_block), np.uint8)
    target = ColorTarget(fmt, first, tuple(others))
    draw(view(target), [target], None, WHOLE, fragment)
    return np.stack([target.codes, *target.others])[:, 0, 0]


@fragment_shader
def placed() -> Any:
    """Show where the sample is."""
    return gl.sample_position


@fragment_shader
def numbered() -> Any:
    """Show the sample's number plus 1, and which samples are seen covered."""
    return vec2(float(gl.sample_id + 1), float(gl.sample_mask_in)) / 255.0


@fragment_shader
def covered() -> Any:
    """Show all samples that are covered."""
    return vec4(float(gl.sample_mask_in)) / 255.0


@fragment_shader
def keeping() -> Any:
    """Keep the samples 0 and 3."""
    gl.sample_mask = 9
    return vec4(1.0)


@pytest.mark.rule("RASTER-SAMPLING-1", "RASTER-SAMPLES-1")
@pytest.mark.parametrize("samples", [2, 4, 8])
def test_a_shader_reads_where_its_sample_is(samples: int) -> None:
    """In pixels, as the positions in 1/16 pixel say."""
    found = drawn(placed, "RG32F", samples).view(np.float32) * 16
    assert found.tolist() == [list(one) for one in usual_positions(samples)]


@pytest.mark.rule("RASTER-SAMPLING-1")
def test_a_shader_that_runs_for_each_sample_sees_that_one_covered() -> None:
    """Numbers 0 to 3, and masks of one bit; one that runs once sees all four."""
    assert drawn(numbered, "RG8").tolist() == [[1, 1], [2, 2], [3, 4], [4, 8]]
    assert drawn(covered, "R8")[:, 0].tolist() == [15] * 4


@pytest.mark.rule("RASTER-MASK-1")
def test_a_shader_writes_which_samples_are_kept() -> None:
    """Bits 0 and 3."""
    assert drawn(keeping, "R8")[:, 0].tolist() == [255, 0, 0, 255]
    assert keeping.outputs[0].location == SAMPLE_MASK
    assert "gl_SampleMask[0] = int(" in glsl(keeping)


def test_inputs_say_where_in_the_pixel_they_are_evaluated() -> None:
    """After the interpolation, or instead of it."""

    @fragment_shader
    def placed_inputs(
        a: vec4 = varying(0, centroid),
        b: vec4 = varying(1, noperspective, sample),
        c: vec4 = varying(2),
    ) -> Any:
        return a + b + c

    said = [(one.interpolation, one.sampling) for one in placed_inputs.inputs]
    assert said == [
        (Interpolation.SMOOTH, Sampling.CENTROID),
        (Interpolation.NOPERSPECTIVE, Sampling.SAMPLE),
        (Interpolation.SMOOTH, Sampling.CENTER),
    ]
    assert "noperspective sample in vec4 in_1;" in glsl(placed_inputs)


def test_two_places_in_a_pixel_are_refused() -> None:
    """And an interpolation that comes after one."""
    with pytest.raises(ShaderSourceError, match="sample is no interpolation"):

        @fragment_shader
        def two(a: vec4 = varying(0, centroid, sample)) -> Any:
            return a

    with pytest.raises(ShaderSourceError, match="flat is no interpolation"):

        @fragment_shader
        def turned(a: vec4 = varying(0, centroid, flat)) -> Any:
            return a


def test_a_mask_is_a_word() -> None:
    """Floats are refused."""
    with pytest.raises(ShaderSourceError, match=r"gl\.sample_mask takes a uint, not float"):

        @fragment_shader
        def wrong() -> Any:
            gl.sample_mask = 1.5
            return vec4(1.0)

    @fragment_shader
    def right() -> Any:
        gl.sample_mask = gl.sample_mask_in & uint(5)
        return vec4(1.0)

    assert drawn(right, "R8")[:, 0].tolist() == [255, 0, 255, 0]
