"""How far apart are the pixels of a quad in a texture, and so which level of detail does it take?

From what the coordinates change by, given by the shader or taken from the quad, to the level of detail of every kind
of texture, and the footprint's axes where the sampler is anisotropic.

Read next: ``lod.py``, ``anisotropy.py``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from refnvn.formats.floatbits import Int64
from refnvn.layout.description import TextureTarget
from refnvn.rules.evidence import Evidence
from refnvn.rules.fields import NVN, FilterWeights, Rules
from refnvn.rules.registry import rule
from refnvn.texture.lod import derivatives_in_texels, lod_of_gradients
from refnvn.texture.lod_cube import lod_of_cube_gradients
from refnvn.texture.lod_volume import lod_of_volume_gradients
from refnvn.texture.sampled import LINES, SampledTexture
from refnvn.texture.sampler import Sampler
from refnvn.texture.stretched import Stretch, stretch_of


@dataclass(frozen=True, slots=True)
class Gradients:
    """What the coordinates change by to the right and down, shape (coordinates, lanes), the layer not included."""

    dx: NDArray[np.float32]
    dy: NDArray[np.float32]


@rule(
    "TEX-LOD-7",
    "Without explicit derivatives the level of detail is that of the differences within the quad: along the lane's "
    "own row and its own column.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("texture-vectors", "texture-rules"),
    exactness="bit-exact but for one quad of 2,048, which is off by 1/256",
)
def quad_gradients(coordinates: NDArray[np.float32]) -> Gradients:
    """Return the derivatives of lanes that come as 2x2 quads in the order (0, 0), (1, 0), (0, 1), (1, 1).

    Parameters
    ----------
    coordinates : float32, shape (coordinates, lanes)
        A multiple of four lanes.

    Examples
    --------
    >>> gradients = quad_gradients(np.array([[0.0, 1.0, 4.0, 6.0]], np.float32))
    >>> gradients.dx.tolist(), gradients.dy.tolist()
    ([[1.0, 1.0, 2.0, 2.0]], [[4.0, 5.0, 4.0, 5.0]])
    """
    quads = coordinates.reshape(coordinates.shape[0], -1, 4)
    near_left, near_right, far_left, far_right = (quads[..., lane] for lane in range(4))
    dx, dy = np.empty_like(quads), np.empty_like(quads)
    with np.errstate(invalid="ignore", over="ignore"):
        near, far, left, right = quad_differences(near_left, near_right, far_left, far_right)
    dx[..., 0], dx[..., 1], dx[..., 2], dx[..., 3] = near, near, far, far
    dy[..., 0], dy[..., 1], dy[..., 2], dy[..., 3] = left, right, left, right
    return Gradients(dx.reshape(coordinates.shape), dy.reshape(coordinates.shape))


def quad_differences(near_left: Any, near_right: Any, far_left: Any, far_right: Any) -> tuple[Any, Any, Any, Any]:
    """Return what four values change by in both rows and in both columns, of arrays or scalars."""
    return near_right - near_left, far_right - far_left, far_left - near_left, far_right - near_right


def lod_256_of(
    texture: SampledTexture, coordinates: NDArray[np.float32], gradients: Gradients, rules: Rules = NVN
) -> Int64:
    """Return the level of detail of derivatives in 1/256, before biases and clamps.

    Parameters
    ----------
    texture : SampledTexture
    coordinates : float32, shape (coordinates, lanes)
        Only cubes look at them.
    gradients : Gradients
    rules : Rules
        Reads ``lod_length``.

    Returns
    -------
    int64, shape (lanes,)
    """
    width, height, images = (int(size) for size in texture.sizes_px[:, 0])
    if texture.is_cube:
        return lod_of_cube_gradients(coordinates[:3], gradients.dx[:3], gradients.dy[:3], width, rules)
    if texture.is_3d:
        return lod_of_volume_gradients(gradients.dx, gradients.dy, (width, height, images), rules)
    dx, dy = _plane(texture, gradients)
    return lod_of_gradients(dx, dy, *_sides_px(texture), rules)


def _sides_px(texture: SampledTexture) -> tuple[int, int]:
    """Return what derivatives are multiplied by: the sides, or 1 where coordinates count texels."""
    if texture.target is TextureTarget.TARGET_RECTANGLE:
        return 1, 1
    return int(texture.sizes_px[0, 0]), int(texture.sizes_px[1, 0])


def _plane(texture: SampledTexture, gradients: Gradients) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return the derivatives of two coordinates; a line's second one is 0."""
    dx, dy = gradients.dx, gradients.dy
    if texture.target in LINES:
        nothing = np.zeros_like(dx[:1])
        return np.concatenate([dx[:1], nothing]), np.concatenate([dy[:1], nothing])
    return dx[:2], dy[:2]


def derived_lod(
    texture: SampledTexture,
    sampler: Sampler,
    coordinates: NDArray[np.float32],
    gradients: Gradients,
    rules: Rules = NVN,
) -> tuple[Int64, Stretch | None]:
    """Return the level of detail of derivatives, and the axes of the footprints where they are anisotropic."""
    stretch = _stretch(texture, sampler, gradients, rules)
    if stretch is not None:
        return stretch.lod_256, stretch
    return lod_256_of(texture, coordinates, gradients, rules), None


def _stretch(texture: SampledTexture, sampler: Sampler, gradients: Gradients, rules: Rules) -> Stretch | None:
    """Return the axes of anisotropic footprints; None where the sampler or the texture has none."""
    flat = not texture.is_cube and not texture.is_3d and texture.target not in LINES
    if sampler.max_anisotropy < 2 or not flat or texture.fmt.is_integer:
        return None
    if rules.filter_weights is FilterWeights.EXACT:
        return None
    d = derivatives_in_texels(*_plane(texture, gradients), *_sides_px(texture))
    return stretch_of(d, sampler.max_anisotropy)
