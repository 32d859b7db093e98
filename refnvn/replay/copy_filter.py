"""What does a copy with a linear filter make of the four texels around a place?

The texture filter's own sums: weights of 1/256, results as the format's class has them. A place beyond the middle of
the region's outermost texels stays there: what surrounds the region is never mixed in. All measured copies, which the
driver made, are matched to the bit.

Read next: ``texture_copies.py``.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from refnvn.formats.codec import decode, missing_components
from refnvn.formats.table import Format
from refnvn.memory.pool import Bytes
from refnvn.replay.copy_places import is_binary_fraction
from refnvn.rules.evidence import Evidence
from refnvn.rules.fields import CopyPlace, CopyWeights, Rules
from refnvn.rules.registry import rule
from refnvn.texture.combine import filtered
from refnvn.texture.texels import Texels, filter_texels
from refnvn.texture.weights import quad_takes_part, quad_weights

Places = NDArray[np.int64]
WHOLE = 256


@rule(
    "COPY-LINEAR-1",
    "With a linear filter the middle of the destination's texel is a place in the source, and the two texels around "
    "it count, within the region.",
    evidence=Evidence.DRIVER_MADE,
    sources=("copy-vectors",),
    ledger=("copy-scaled",),
)
def linear_texels(source: int, destination: int, mirrored: bool, rules: Rules) -> tuple[Places, Places, Places]:
    """Return the first and second texel and the second's share in 1/256, by destination texel, along one axis.

    Parameters
    ----------
    source, destination : int
        Texels of the two regions, at least 1.
    mirrored : bool
        Whether the direction turns.
    rules : Rules
        Reads ``copy_place`` where the step is no binary fraction.

    Examples
    --------
    >>> from refnvn.rules.fields import NVN
    >>> [places.tolist() for places in linear_texels(2, 4, False, NVN)]
    [[0, 0, 0, 1], [0, 1, 1, 1], [192, 64, 192, 64]]
    """
    twice = (2 * np.arange(destination, dtype=np.int64) + 1) * source
    if mirrored:
        twice = 2 * source * destination - twice
    if is_binary_fraction(source, destination):
        place_256 = (twice * WHOLE + destination) // (2 * destination)
    else:
        place_256 = places_256(twice, destination, rules)
    place_256 -= WHOLE // 2
    first, last = place_256 >> 8, source - 1
    return np.clip(first, 0, last), np.clip(first + 1, 0, last), place_256 & (WHOLE - 1)


@rule(
    "COPY-LINEAR-4",
    "A place is held in 1/256 of a texel, the rest cut off, and a little too small where the step from texel to "
    "texel is no binary fraction.",
    evidence=Evidence.DRIVER_MADE,
    sources=("copy-vectors", "deko3d"),
    ledger=("copy-scaled",),
    fields=("copy_place",),
)
def places_256(twice: Places, destination: int, rules: Rules) -> Places:
    """Return places in 1/256 of a texel, of ``twice / (2 * destination)`` texels, at a step that cannot be held.

    >>> from refnvn.rules.fields import NVN
    >>> places_256(np.array([16, 48]), 7, NVN).tolist()
    [292, 877]
    """
    exact = twice * WHOLE
    if rules.copy_place is CopyPlace.ROUNDED:
        return (exact + destination) // (2 * destination)
    return (exact - 1) // (2 * destination)


@rule(
    "COPY-LINEAR-2",
    "A copy with a linear filter mixes texels as a bilinear texture lookup does, sRGB decoded, and stores the mean "
    "as a draw does.",
    evidence=Evidence.DRIVER_MADE,
    sources=("copy-vectors",),
    ledger=("copy-scaled",),
    fields=("copy_weights",),
)
def linear_values(
    fmt: Format,
    codes: Bytes,
    rows: tuple[Places, Places, Places],
    columns: tuple[Places, Places, Places],
    rules: Rules,
) -> NDArray[np.float32]:
    """Return the values of filtered texels.

    Parameters
    ----------
    fmt : Format
        A colour format whose values are not integers.
    codes : uint8, shape (layers, rows, columns, bytes)
        The source's region.
    rows, columns
        From :func:`linear_texels`.
    rules : Rules
        Reads ``copy_weights``.

    Returns
    -------
    float32, shape (layers, rows, columns, 4)
    """
    across, down = np.broadcast_arrays(columns[2], rows[2][:, None])
    quads = [np.ascontiguousarray(codes[:, y[:, None], x]) for y in rows[:2] for x in columns[:2]]
    if rules.copy_weights is CopyWeights.EXACT:
        return _plain_mean(fmt, quads, across, down, rules)
    shape = (len(codes), *across.shape)
    lanes = int(np.prod(shape))
    fractions = [np.broadcast_to(part, shape).reshape(lanes) for part in (across, down)]
    weights = quad_weights(np.full(lanes, WHOLE), *fractions)[None]
    takes_part = quad_takes_part(*fractions)[None]
    values = missing_components(fmt, (lanes,))
    for group in filter_texels(fmt, np.stack([quad.reshape(lanes, -1) for quad in quads]), rules):
        texels = Texels(
            group.kind, group.channels, group.numbers[None], None if group.places is None else group.places[None]
        )
        values[:, list(group.channels)] = filtered(texels, weights, takes_part, srgb=fmt.srgb)
    found: NDArray[np.float32] = values.reshape(*shape, 4)
    return found


def _plain_mean(fmt: Format, quads: list[Bytes], across: Places, down: Places, rules: Rules) -> NDArray[np.float32]:
    """Return the mean of fetched values by the same fractions, rounded once."""
    x, y = across[..., None] / WHOLE, down[..., None] / WHOLE
    values = [decode(fmt, quad, rules).astype(np.float64) for quad in quads]
    shares = [(1 - x) * (1 - y), x * (1 - y), (1 - x) * y, x * y]
    with np.errstate(invalid="ignore"):
        mean: NDArray[np.float64] = sum((v * s for v, s in zip(values, shares, strict=True)), np.zeros(()))
        return mean.astype(np.float32)
