"""How is the measured family ``copies`` scored: copies that scale, mirror, clip and convert?

``in_rects`` are OpenGL's rectangles: source x0, y0, x1, y1, then the destination's, either turned round to mirror.
Those that reach outside an image are left out, NVN has no such regions. The driver draws copies; NVN's engine may
differ where rules say so. ``cleartex`` and ``upload_float`` are conversions that the driver does itself, and not
scored.

Read next: ``schemas.py``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from refnvn.conformance.hardware_draws import array_of
from refnvn.conformance.hardware_formats import nvn_format, texel_bytes
from refnvn.conformance.schema import Schema
from refnvn.conformance.score import ArrayScore, compare, information, permitting
from refnvn.conformance.signature import has_arrays
from refnvn.conformance.vector_file import VectorFile
from refnvn.errors import InputFileError
from refnvn.formats.codec import encode
from refnvn.formats.table import Format, format_named
from refnvn.replay.copy_conversion import converted
from refnvn.replay.copy_filter import linear_texels, linear_values
from refnvn.replay.copy_places import nearest_texels
from refnvn.rules.fields import CopyConversion, CopyPlace, CopyTie, Rules
from refnvn.rules.registry import collect

Bytes = NDArray[np.uint8]
Places = NDArray[np.int64]
_SOURCE_PX, _DESTINATION_PX = 16, 32
_BLIT = re.compile(r"out_blit_(?P<format>\w+?)(?P<filter>_NEAREST|_LINEAR|)")
_CONVERTED = re.compile(r"out_(?P<how>conv|copytex)_(?P<source>\w+?)_to_(?P<destination>\w+?)(?P<srgb>_srgb)?")


def axis_of(source: tuple[int, int], destination: tuple[int, int], rules: Rules) -> tuple[Places, Places]:
    """Return which texels are written along one axis, and which they take, for ranges of either direction.

    Examples
    --------
    >>> from refnvn.rules.fields import NVN
    >>> [places.tolist() for places in axis_of((0, 2), (9, 5), NVN)]
    [[5, 6, 7, 8], [1, 1, 0, 0]]
    """
    (first, last), (start, end) = sorted(source), sorted(destination)
    mirrored = (source[0] > source[1]) != (destination[0] > destination[1])
    return np.arange(start, end), first + nearest_texels(last - first, end - start, mirrored, rules)


def is_region(rectangles: list[int]) -> bool:
    """Whether both rectangles of a copy lie inside their images and are not empty."""
    source, destination = rectangles[:4], rectangles[4:]
    inside = min(rectangles) >= 0 and max(source) <= _SOURCE_PX and max(destination) <= _DESTINATION_PX
    return inside and all(side[k] != side[k + 2] for side in (source, destination) for k in (0, 1))


def _images(file: VectorFile, name: str, fmt: Format) -> Bytes:
    array = file.array(name)
    if array.dtype.kind != "u" or array.shape[1:3] != (_DESTINATION_PX, _DESTINATION_PX):
        raise InputFileError(f"{file.path}: array {name!r} is {array.dtype} of shape {array.shape}")
    little = np.ascontiguousarray(array.astype(array.dtype.newbyteorder("<")))
    return little.view(np.uint8).reshape(len(array), _DESTINATION_PX, _DESTINATION_PX, fmt.bytes_per_block)


def _score_blit(file: VectorFile, name: str, format_name: str, rules: Rules) -> ArrayScore:
    rectangles = array_of(file, "in_rects", (None, 8), "i").tolist()
    fmt = nvn_format(file, format_name)
    source = texel_bytes(file, f"in_blit_{format_name}", fmt)
    measured = _images(file, name, fmt)
    regions = [k for k in range(len(measured)) if is_region(rectangles[k])]
    untouched = np.broadcast_to(measured[0, -1, -1], measured.shape)  # the first copy leaves that texel alone

    def images(ties: tuple[Rules, Rules]) -> Bytes:
        found = untouched.copy()
        for k in regions:
            (columns, across), (rows, down) = (
                axis_of(tuple(rectangles[k][axis:4:2]), tuple(rectangles[k][4 + axis :: 2]), ties[axis])
                for axis in (0, 1)
            )
            found[k][np.ix_(rows, columns)] = source[np.ix_(down, across)]
        return found[regions]

    second = rules.with_(copy_tie=CopyTie.SECOND)
    with collect() as used:
        by_rule = images((rules, rules))
    others = [images(ties) for ties in ((second, second), (rules, second), (second, rules))]
    return _judged(name, by_rule, others, measured[regions], used)


def _judged(name: str, by_rule: Bytes, others: list[Bytes], measured: Bytes, used: set[str]) -> ArrayScore:
    """Score by the rules; what a world gives in their place is permitted."""
    permitted = np.any([one == measured for one in others], axis=0)
    return permitting(compare(name, by_rule, measured, used), permitted, by_rule == measured)


def _score_filtered(file: VectorFile, name: str, format_name: str, rules: Rules) -> ArrayScore:
    rectangles = array_of(file, "in_rects", (None, 8), "i").tolist()
    fmt = nvn_format(file, format_name)
    source = texel_bytes(file, f"in_blit_{format_name}", fmt)
    measured = _images(file, name, fmt)
    copies = [pair for pair in zip(rectangles, measured, strict=False) if is_region(pair[0])]
    expected = [_destination(rectangle, image) for rectangle, image in copies]

    def values(places: tuple[CopyPlace, CopyPlace] | None) -> Bytes:
        held = [places or _places_held(one) for one, _ in copies]
        made = [_filtered(fmt, source, one, of, rules) for (one, _), of in zip(copies, held, strict=True)]
        return np.concatenate(made)

    with collect() as used:
        by_rule = values(None)
    others = [values((across, down)) for across in CopyPlace for down in CopyPlace]
    return _judged(name, by_rule, others, np.concatenate(expected), used)


def _destination(rectangle: list[int], image: Bytes) -> Bytes:
    columns, rows = (slice(*sorted(rectangle[4 + axis :: 2])) for axis in (0, 1))
    return image[rows, columns].ravel()


def _places_held(rectangle: list[int]) -> tuple[CopyPlace, CopyPlace]:
    """Return how most copies hold places: those of all of the source otherwise than those of parts."""
    is_whole = sorted(rectangle[:4]) == [0, 0, _SOURCE_PX, _SOURCE_PX]
    return (CopyPlace.CUT if is_whole else CopyPlace.ROUNDED,) * 2


def _filtered(
    fmt: Format, source: Bytes, rectangle: list[int], places: tuple[CopyPlace, CopyPlace], rules: Rules
) -> Bytes:
    """Return the bytes of a filtered copy; each axis holds its places in its own way."""
    columns, rows = (_filtered_axis(rectangle[k::2], rules.with_(copy_place=places[k])) for k in (0, 1))
    values = linear_values(fmt, source[None, rows.source, columns.source], rows.texels, columns.texels, rules)
    return encode(fmt, values, rules).ravel()


class _FilteredAxis(NamedTuple):
    source: slice
    texels: tuple[Places, Places, Places]


def _filtered_axis(ends: list[int], rules: Rules) -> _FilteredAxis:
    """Return one axis of a copy of two rectangles: where they lie, and what is mixed."""
    (first, last), (start, end) = sorted(ends[:2]), sorted(ends[2:])
    mirrored = (ends[0] > ends[1]) != (ends[2] > ends[3])
    texels = linear_texels(last - first, end - start, mirrored, rules)
    return _FilteredAxis(slice(first, last), texels)


def _score_converted(file: VectorFile, name: str, found: re.Match[str], rules: Rules) -> ArrayScore:
    """Score a copy of equal size; without ``_srgb`` OpenGL leaves sRGB codes alone, as if they were plain."""
    names = (found["source"], found["destination"])
    source, destination = (nvn_format(file, one) for one in names)
    texels = texel_bytes(file, f"in_conv_{names[0]}_to_{names[1]}", source)
    measured = texel_bytes(file, name, destination)
    if not found["srgb"]:
        source, destination = (format_named(one.name.removesuffix("_SRGB")) for one in (source, destination))
    with collect() as used:
        by_rule = converted(source, destination, texels, rules.with_(copy_conversion=CopyConversion.FORMATS))
    moved = converted(source, destination, texels, rules.with_(copy_conversion=CopyConversion.SIZES))
    return _judged(name, by_rule, [moved], measured, used)


def score_copies(file: VectorFile, rules: Rules) -> Iterator[ArrayScore]:
    """Score ``copies``."""
    for name in (one for one in file.headers if one.startswith("out_")):
        if blit := _BLIT.fullmatch(name):
            score = _score_filtered if blit["filter"] == "_LINEAR" else _score_blit
            yield score(file, name, blit["format"], rules)
        elif found := _CONVERTED.fullmatch(name):
            yield _score_converted(file, name, found, rules)
        else:
            yield information(name, "what the driver makes of floats itself; NVN uploads stored codes")


SCHEMAS: tuple[Schema, ...] = (
    Schema(name="copies", recognises=has_arrays("in_rects", "out_blit_*", "out_conv_*"), score=score_copies),
)
