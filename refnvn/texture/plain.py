"""Are many lanes sampled at once, in a compiled loop? Where texture and sampler are plain, and there are many.

Both ways give the same bits; the choice changes nothing but the time. Read next: ``sample_kernel.py``.
"""

from __future__ import annotations

import sys

import numpy as np
from numpy.typing import ArrayLike, NDArray

from refnvn.enumerations import SamplerReduction, WrapMode
from refnvn.formats.floatbits import Float32, Int64
from refnvn.formats.table import Format, NumericClass
from refnvn.kernel import jit_is_on
from refnvn.layout.description import TextureTarget
from refnvn.rules.fields import FilterWeights, Rules
from refnvn.rules.registry import collect, note
from refnvn.texture.footprint import Lanes
from refnvn.texture.gradients import Gradients
from refnvn.texture.plan import plan_of
from refnvn.texture.sampled import SampledTexture
from refnvn.texture.sampler import Sampler
from refnvn.texture.weights import level_weights

PAYS_TO_LOAD = 1 << 19
"""So many lanes at once are worth loading the compiled loop."""
PAYS_TO_CALL = 1 << 10
_COMPILER = "numba"
_WRAPS = (WrapMode.REPEAT, WrapMode.MIRRORED_REPEAT, WrapMode.CLAMP_TO_EDGE)
_BYTES = 4


def wants_kernel(lanes: int) -> bool:
    """Say whether so many lanes should go through the compiled loop."""
    return jit_is_on() and lanes >= (PAYS_TO_CALL if _COMPILER in sys.modules else PAYS_TO_LOAD)


def is_plain(texture: SampledTexture, sampler: Sampler) -> bool:
    """Say whether the compiled loop knows a texture and a sampler."""
    if texture.target is not TextureTarget.TARGET_2D or texture.samples > 1 or not _has_four_bytes(texture.fmt):
        return False
    plain = sampler.reduction is SamplerReduction.AVERAGE and sampler.max_anisotropy < 2
    return plain and sampler.wrap[0] in _WRAPS and sampler.wrap[1] in _WRAPS


def is_known(texture: SampledTexture, sampler: Sampler, rules: Rules) -> bool:
    """Say whether the compiled loop knows them by these rules, and nobody wants to be told of texels."""
    return is_plain(texture, sampler) and rules.filter_weights is not FilterWeights.EXACT and texture.listener is None


def _has_four_bytes(fmt: Format) -> bool:
    plain = fmt.numeric_class is NumericClass.UNORM and not fmt.srgb and not fmt.is_compressed
    return plain and len(fmt.components) == _BYTES and all(c.bits == 8 and c.name in "RGBA" for c in fmt.components)


def sampled_at_once(
    texture: SampledTexture,
    sampler: Sampler,
    coordinates: NDArray[np.float32],
    lod: ArrayLike | None,
    bias: ArrayLike,
    gradients: Gradients | None,
    offset: tuple[int, int, int],
    rules: Rules,
) -> Float32 | None:
    """Return samples of many lanes, shape (4, lanes); None where they must go the other way.

    Parameters are as for a sample.
    """
    if not wants_kernel(coordinates.shape[1]) or not is_known(texture, sampler, rules):
        return None
    if np.ndim(bias) or (lod is not None and np.ndim(lod)):
        return None
    from refnvn.texture import footprint_kernel, sample_kernel

    count = coordinates.shape[1]
    of_lane, shared = np.zeros(count, np.int32), None
    if lod is None and gradients is not None:
        found = footprint_kernel.shared_gradients(gradients)
        if found is None:
            return None
        of_lane, shared = found
    parts = _parts(texture, sampler, lod, bias, shared, rules)
    footprints = sample_kernel.Footprints(of_lane, *parts)
    return sample_kernel.sample_plain(texture, sampler, coordinates[:2], footprints, offset)


_Parts = tuple[Int64, Int64, Int64, NDArray[np.bool_]]


def _parts(
    texture: SampledTexture,
    sampler: Sampler,
    lod: ArrayLike | None,
    bias: ArrayLike,
    shared: Gradients | None,
    rules: Rules,
) -> _Parts:
    """Return the levels of footprints, their weights and whether they are linear; the last answer is kept."""
    derivatives = b"" if shared is None else shared.dx.tobytes() + shared.dy.tobytes()
    level = None if lod is None else float(lod)  # type: ignore[arg-type]
    key = (sampler, level, float(bias), derivatives, rules.lod_length)  # type: ignore[arg-type]
    kept: tuple[object, _Parts, set[str]] | None = texture.kept.get("parts")
    if kept is None or kept[0] != key:
        with collect() as used:
            parts = parts_of(texture, sampler, lod, bias, shared, rules)
        kept = (key, parts, used)
        texture.kept["parts"] = kept
    note(kept[2])
    return kept[1]


def parts_of(
    texture: SampledTexture,
    sampler: Sampler,
    lod: ArrayLike | None,
    bias: ArrayLike,
    shared: Gradients | None,
    rules: Rules,
) -> _Parts:
    """Return nearer and further levels of footprints, their weights, shape (2, n), and whether they are linear."""
    count = 1 if shared is None else shared.dx.shape[1]
    lanes = Lanes(np.zeros((2, count), np.float32), np.zeros(count, np.bool_))
    plan = plan_of(texture, sampler, lanes, lod, bias, shared, rules)
    weights = level_weights(plan.mip.fraction_256)
    return plan.mip.nearer, plan.mip.further, weights, plan.lanes.linear
