"""What can be said of wrong texels without any change of the image that makes them?

One value everywhere, NaN, some components alone, codes that are off by one, wrong texels that fill whole squares of
16 or 32: tiles of a GPU.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from refnvn.compare.image_texels import Flags, Texels, image_of, texels_of, wrong_texels
from refnvn.compare.places import View
from refnvn.formats.codec import decode
from refnvn.formats.packing import unpack_codes
from refnvn.formats.table import NumericClass, format_named

TILES_PX = (32, 16)


def remarks(views: Mapping[str, View]) -> list[str]:
    """Return remarks on each wrong image, as sentences."""
    found = []
    for name, view in views.items():
        texels, actual = texels_of(view, view.expected), texels_of(view, view.actual)
        if texels is None or actual is None or not view.weighing.wrong:
            continue
        wrong = wrong_texels(view, texels)
        said = (
            *_one_value(wrong, actual),
            *_components(view, wrong, texels, actual),
            *_squares(wrong),
            *_nan(view),
        )
        found += [f"{name}: {words}" for words in said]
    return found


def _one_value(wrong: Flags, actual: Texels) -> Iterator[str]:
    values, counts = np.unique(actual[wrong], axis=0, return_counts=True)
    if len(values) == 1 and counts[0] > 1:
        code = " ".join(f"{byte:02x}" for byte in values[0])
        meaning = ", which is what memory holds that nobody wrote" if not values[0].any() else ""
        yield f"all {counts[0]} wrong texels hold {code}{meaning}"


def _components(view: View, wrong: Flags, texels: Texels, actual: Texels) -> Iterator[str]:
    """Yield that some components alone are wrong, and that none is off by more than one code."""
    image = image_of(view)
    fmt = None if image is None else format_named(image.format)
    if fmt is None or fmt.is_compressed or not fmt.components:
        return
    expected, found = (unpack_codes(fmt, one[wrong]).astype(np.int64) for one in (texels, actual))
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


def _nan(view: View) -> Iterator[str]:
    image = image_of(view)
    if image is None:
        return
    fmt = format_named(image.format)
    if fmt.numeric_class is not NumericClass.FLOAT:
        return
    values = decode(fmt, np.frombuffer(view.actual.tobytes(), np.uint8).reshape(-1, fmt.bytes_per_block))
    expected = decode(fmt, np.frombuffer(view.expected.tobytes(), np.uint8).reshape(-1, fmt.bytes_per_block))
    count = int(np.count_nonzero(np.isnan(values).any(axis=-1) & ~np.isnan(expected).any(axis=-1)))
    if count:
        yield f"{count} texels hold NaN where none should be: an uninitialised input, 0 / 0 or infinity - infinity"
