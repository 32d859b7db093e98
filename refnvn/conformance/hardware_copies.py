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
from refnvn.conformance.score import ArrayScore, compare, information
from refnvn.conformance.signature import has_arrays
from refnvn.conformance.vector_file import VectorFile
from refnvn.errors import InputFileError
from refnvn.formats.codec import encode
from refnvn.formats.table import Format, format_named
from refnvn.replay.copy_conversion import converted
from refnvn.replay.copy_filter import linear_texels, linear_values
from refnvn.replay.copy_places import nearest_texels
from refnvn.rules.fields import CopyConversion, CopyPlace, Rules
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
    images = np.broadcast_to(measured[0, -1, -1], measured.shape).copy()  # the first copy leaves that texel alone
    with collect() as used:
        for k in regions:
            x0, y0, x1, y1, dx0, dy0, dx1, dy1 = rectangles[k]
            (columns, across), (rows, down) = (
                axis_of((x0, x1), (dx0, dx1), rules),
                axis_of((y0, y1), (dy0, dy1), rules),
            )
            images[k][np.ix_(rows, columns)] = source[np.ix_(down, across)]
    return compare(name, images[regions], measured[regions], used)


def _score_filtered(file: VectorFile, name: str, format_name: str, rules: Rules) -> ArrayScore:
    rectangles = array_of(file, "in_rects", (None, 8), "i").tolist()
    fmt = nvn_format(file, format_name)
    source = texel_bytes(file, f"in_blit_{format_name}", fmt)
    measured = _images(file, name, fmt)
    found, expected = [], []
    with collect() as used:
        for rectangle, image in zip(rectangles, measured, strict=False):
            if not is_region(rectangle):
                continue
            place = CopyPlace.CUT if _is_whole(rectangle) else CopyPlace.ROUNDED
            columns, rows = (_filtered_axis(rectangle[k::2], rules.with_(copy_place=place)) for k in (0, 1))
            region = source[None, rows.source, columns.source]
            values = linear_values(fmt, region, rows.texels, columns.texels, rules)
            found.append(encode(fmt, values, rules).ravel())
            expected.append(image[rows.destination, columns.destination].ravel())
    return compare(name, np.concatenate(found), np.concatenate(expected), used)


class _FilteredAxis(NamedTuple):
    source: slice
    destination: slice
    texels: tuple[Places, Places, Places]


def _is_whole(rectangle: list[int]) -> bool:
    """Whether all of the source is copied: such copies hold places otherwise than those of parts."""
    return sorted(rectangle[:4]) == [0, 0, _SOURCE_PX, _SOURCE_PX]


def _filtered_axis(ends: list[int], rules: Rules) -> _FilteredAxis:
    """Return one axis of a copy of two rectangles: where they lie, and what is mixed."""
    (first, last), (start, end) = sorted(ends[:2]), sorted(ends[2:])
    mirrored = (ends[0] > ends[1]) != (ends[2] > ends[3])
    texels = linear_texels(last - first, end - start, mirrored, rules)
    return _FilteredAxis(slice(first, last), slice(start, end), texels)


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
    return compare(name, by_rule, measured, used)


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
