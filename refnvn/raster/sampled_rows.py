"""Does a fragment shader do nothing but sample one texture at an input, and store what it reads?

Read next: ``textured.py``.
"""

from __future__ import annotations

from typing import NamedTuple

from refnvn.shader.ir import LoadInput, Shader, StoreOutput, first_rows
from refnvn.shader.ir_textures import SampleTexture, TextureDimension


class SampledRows(NamedTuple):
    """What such a shader samples and where it goes.

    Attributes
    ----------
    statement : SampleTexture
    coordinates : tuple of int
        The two input rows that it samples at.
    channels : tuple of int
        The channel of the sample, 0 to 3, that each output row is.
    """

    statement: SampleTexture
    coordinates: tuple[int, int]
    channels: tuple[int, ...]


def sampled_rows(shader: Shader) -> SampledRows | None:
    """Return what a shader samples, where it does nothing else; None for any other."""
    input_rows, output_rows = first_rows(shader.inputs), first_rows(shader.outputs)
    held: dict[int, int] = {}
    stored: dict[int, int] = {}
    sample: SampleTexture | None = None
    for one in shader.statements:
        if isinstance(one, LoadInput) and sample is None:
            held[one.to] = input_rows[one.location] + one.component
        elif isinstance(one, SampleTexture) and sample is None and _is_simple(one, shader, held):
            sample = one
        elif isinstance(one, StoreOutput) and sample is not None and one.of in sample.to:
            stored[output_rows[one.location] + one.component] = sample.to.index(one.of)
        else:
            return None
    if sample is None or len(stored) != shader.output_components:
        return None
    at = (held[sample.coordinates[0]], held[sample.coordinates[1]])
    return SampledRows(sample, at, tuple(stored[row] for row in range(len(stored))))


def _is_simple(one: SampleTexture, shader: Shader, held: dict[int, int]) -> bool:
    """Say whether a statement takes two inputs, the quad's level of detail, and its texture from slots."""
    others = (one.handle, one.sampler_handle, one.lod, one.bias, one.reference)
    plain = all(other is None for other in others) and not one.dx
    is_2d = shader.textures[one.texture].dimension is TextureDimension.D2
    return plain and is_2d and len(one.coordinates) == 2 and all(k in held for k in one.coordinates)
