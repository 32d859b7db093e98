"""What can be said of wrong texels without any change of the image that makes them?

One value everywhere, NaN, some components alone, codes that are off by one, wrong texels that fill whole squares of
16 or 32: tiles of a GPU.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from refnvn.compare.image_colours import Flags
from refnvn.compare.image_parts import Part
from refnvn.formats.codec import decode
from refnvn.formats.packing import unpack_codes
from refnvn.formats.table import NumericClass

TILES_PX = (32, 16)


def remarks(parts: Iterable[Part]) -> list[str]:
    """Return remarks on each wrong image, as sentences."""
    found = []
    for part in parts:
        if part.wrong.any():
            said = (*_one_value(part), *_components(part), *_samples(part), *_squares(part.wrong), *_nan(part))
            found += [f"{part.name}: {words}" for words in said]
    return found


def _one_value(part: Part) -> Iterator[str]:
    values, counts = np.unique(part.actual[part.wrong], axis=0, return_counts=True)
    if len(values) == 1 and counts[0] > 1:
        code = " ".join(f"{byte:02x}" for byte in values[0])
        meaning = ", which is what memory holds that nobody wrote" if not values[0].any() else ""
        yield f"all {counts[0]} wrong texels hold {code}{meaning}"


def _components(part: Part) -> Iterator[str]:
    """Yield that some components alone are wrong, and that none is off by more than one code."""
    fmt = part.fmt
    if fmt.is_compressed or not fmt.components:
        return
    wrong = (part.apart(part.expected) != part.apart(part.actual)).any(axis=-1)
    wrong &= np.repeat(part.wrong, part.samples, axis=-1)
    expected, found = (
        unpack_codes(fmt, part.apart(one)[wrong]).astype(np.int64) for one in (part.expected, part.actual)
    )
    differs = expected != found
    named = [(place, one.name) for place, one in enumerate(fmt.components) if differs[:, place].any()]
    if len(named) < len(fmt.components) and len(differs) > 1:
        held = [f"{name} holds {found[0, at]}" for at, name in named if len(np.unique(found[:, at])) == 1]
        everywhere = f": {', '.join(held)} in all of them" if held else ""
        names = "".join(name for _, name in named)
        which = f"component {names} differs" if len(named) == 1 else f"components {names} differ"
        yield f"of the {len(differs)} wrong texels only {which}{everywhere}"
    numbers = fmt.numeric_class is not NumericClass.FLOAT
    if numbers and differs.any() and np.abs(expected - found).max() == 1:
        yield "no component is off by more than one code: rounded otherwise"


def _samples(part: Part) -> Iterator[str]:
    """Yield that only some samples of pixels are wrong."""
    if part.samples > 1:
        differs = (part.expected != part.actual).reshape(*part.expected.shape[:3], part.samples, -1).any(axis=-1)
        bad = np.flatnonzero(differs[part.wrong].any(axis=0)).tolist()
        if 0 < len(bad) < part.samples:
            yield f"of {part.samples} samples only {', '.join(map(str, bad))} are ever wrong"


def _squares(wrong: Flags) -> Iterator[str]:
    for side in TILES_PX:
        slices, rows, columns = wrong.shape
        if rows < 2 * side and columns < 2 * side:
            continue
        high, wide = -(-rows // side), -(-columns // side)
        padded = np.zeros((slices, high * side, wide * side), np.bool_)
        padded[:, :rows, :columns] = wrong
        real = np.zeros_like(padded)
        real[:, :rows, :columns] = True
        by_tile = (slices, high, side, wide, side)
        bad, size = (one.reshape(by_tile).sum(axis=(2, 4)) for one in (padded, real))
        touched, full = int(np.count_nonzero(bad)), int(np.count_nonzero(bad == size))
        if touched and touched == full and full < bad.size:
            squares = f"{full} whole squares of {side} x {side}"
            yield f"wrong texels fill {squares}, as tiles of a GPU do"
            return


def _nan(part: Part) -> Iterator[str]:
    if part.fmt.numeric_class is not NumericClass.FLOAT:
        return
    there, wanted = (np.isnan(decode(part.fmt, part.apart(one))).any(axis=-1) for one in (part.actual, part.expected))
    count = int(np.count_nonzero(there & ~wanted))
    if count:
        yield f"{count} texels hold NaN where none should be: an uninitialised input, 0 / 0 or infinity - infinity"
