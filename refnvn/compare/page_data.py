"""What does the report page know: the bytes of both sides, what became of each element, and why it may differ?

Plain objects that become the page's JSON. Bytes travel deflated, in base64; an alternative as what it changes. A
mask byte is the :class:`refnvn.compare.weigh.Status` that the golden's reasons permit.

What it does not do: it draws nothing; the page's own scripts (``page/``) do. Read next: ``page.py``.
"""

from __future__ import annotations

import base64
import zlib
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from refnvn.compare.judge import Weighed, weighed_raw
from refnvn.compare.places import View
from refnvn.compare.weigh import Status
from refnvn.errors import SizeError, UnsupportedFormat
from refnvn.formats.preview import preview
from refnvn.formats.table import Format, format_named
from refnvn.golden.model import Golden, Reason, bits
from refnvn.golden.result import Image, Result

MOST_PAGE_B = 512 << 20
"""Bytes of results in one page; a browser takes no more."""
_FAST = 1
_MEANINGS = (
    (Reason.PADDING, Status.PADDING),
    (Reason.IMPRECISE, Status.IMPRECISE),
    (Reason.UNDEFINED, Status.UNDEFINED),
    (Reason.ANY, Status.ANY),
)
Histories = Mapping[str, Mapping[str, str]]
"""By result, and by ``level/layer/x/y/sample`` or ``word/number``: the history of a place as text."""


def comparison_object(
    name: str,
    says: str,
    weighed: Weighed,
    *,
    image: Image | None = None,
    histories: Histories | None = None,
    diagnosis: Sequence[str] = (),
) -> dict[str, Any]:
    """Return one comparison as the page reads it.

    Parameters
    ----------
    name, says : str
        Of the golden or the files, and what it shows.
    weighed : Weighed
        From :func:`refnvn.compare.judge.weighed` or ``weighed_raw``.
    image : Image or None
        What the bytes of two plain files are, where that is known.
    histories : mapping or None
        Histories of texels and words, shown when one is looked at.
    diagnosis : sequence of str
        Lines that stand above everything.

    Raises
    ------
    SizeError
        For more than 512 MiB of results.
    """
    size_B = sum(view.expected.nbytes for view in weighed.views)
    if size_B > MOST_PAGE_B:
        raise SizeError(f"{name}: {size_B} bytes of results; a report page holds {MOST_PAGE_B}")
    verdict = weighed.verdict
    word = "wrong" if verdict.exit_code else "permitted" if verdict.permitted else "same"
    counts = f"{verdict.wrong} wrong, {verdict.permitted} permitted"
    found = histories or {}
    return {
        "name": name,
        "says": says,
        "verdict": word,
        "counts": counts,
        "words": verdict.text(),
        "diagnosis": "\n".join(diagnosis),
        "results": [_result_object(view, image, found.get(view.name, {})) for view in weighed.views],
    }


def accepted_comparison(golden: Golden, accepted: Mapping[str, NDArray[Any]], words: Sequence[str]) -> dict[str, Any]:
    """Return a golden as it is built now (actual) beside what was accepted (expected).

    Parameters
    ----------
    golden : Golden
        Built now.
    accepted : mapping of file name to ndarray
        From :func:`refnvn.golden.accepted.accepted_arrays`.
    words : sequence of str
        What a check says of it.

    Results that were not accepted, or have another dtype or shape now, are in the words alone.
    """
    views, found = [], []
    for result in golden.results:
        before, now = accepted.get(f"{result.base.name}.npy"), result.base.array
        if before is not None and before.dtype == now.dtype and before.shape == now.shape:
            weighed = weighed_raw(before, now, name=result.base.name)
            views.append((weighed.views[0], result.base.image))
            found.append(weighed.verdict)
    wrong = sum(verdict.wrong for verdict in found)
    return {
        "name": golden.name,
        "says": golden.says,
        "verdict": "wrong" if words else "same",
        "counts": f"{wrong} elements differ from what was accepted",
        "words": "\n".join(words),
        "diagnosis": "",
        "results": [_result_object(view, image, {}) for view, image in views],
    }


def _packed(array: NDArray[Any]) -> str:
    return base64.b64encode(zlib.compress(np.ascontiguousarray(array).tobytes(), _FAST)).decode("ascii")


def _result_object(view: View, image: Image | None, histories: Mapping[str, str]) -> dict[str, Any]:
    base = None if view.golden is None else view.golden.base
    image = image if base is None else base.image
    fits = image is not None and image.layout == "linear" and image.size_B == view.expected.nbytes
    shown = image if fits else None
    return {
        "name": view.name,
        "kind": _kind(base, shown),
        "dtype": view.expected.dtype.name,
        "itemsize": view.expected.dtype.itemsize,
        "shape": list(view.expected.shape),
        "axes": _axes(base, view),
        "columns": list(base.columns) if base is not None else [],
        "row_labels": _row_labels(base, view),
        "wrong": view.weighing.wrong,
        "image": None if shown is None else image_object(shown),
        "data": {
            "expected": _packed(view.expected),
            "actual": _packed(view.actual),
            "status": _packed(view.weighing.status),
            "mask": _packed(_mask_status(view)),
        },
        "pictures": {} if shown is None else _pictures(shown, view),
        "choices": _choices(view),
        "alternatives": _alternatives(view),
        "histories": dict(histories),
    }


def _kind(base: Result | None, image: Image | None) -> str:
    if image is not None:
        return "image"
    return "table" if base is not None and base.kind == "table" else "bytes"


def _axes(base: Result | None, view: View) -> list[str]:
    if base is not None and len(base.axes) == view.expected.ndim:
        return list(base.axes)
    return [f"axis {number}" for number in range(view.expected.ndim)]


def _row_labels(base: Result | None, view: View) -> list[str]:
    variant = view.weighing.variant
    if variant is not None:
        return list(variant.row_labels)
    return list(base.row_labels) if base is not None else []


def image_object(image: Image) -> dict[str, Any]:
    """Return what the page has to know about an image to find its texels and read their codes."""
    fmt = format_named(image.format)
    return {
        "format": image.format,
        "width_px": image.width_px,
        "height_px": image.height_px,
        "depth_px": image.depth_px,
        "layers": image.layers,
        "levels": image.levels,
        "samples": image.samples,
        "layout": image.layout,
        "row_order": image.row_order,
        "block_width_px": fmt.block_width_px,
        "block_height_px": fmt.block_height_px,
        "bytes_per_block": fmt.bytes_per_block,
        "numeric_class": str(fmt.numeric_class),
        "components": [] if fmt.is_compressed else _components(fmt),
    }


def _components(fmt: Format) -> list[dict[str, Any]]:
    return [{"name": c.name, "first_bit": c.first_bit, "bits": c.bits} for c in fmt.components]


def _pictures(image: Image, view: View) -> dict[str, str]:
    """Return level 0 of every layer and slice as RGBA8, of formats whose blocks the page cannot read."""
    fmt = format_named(image.format)
    if not fmt.is_compressed or image.samples != 1:
        return {}
    try:
        return {
            name: _packed(np.stack([_picture(fmt, image, raw) for raw in _slices(image, array)]))
            for name, array in (("expected", view.expected), ("actual", view.actual))
        }
    except (SizeError, UnsupportedFormat):
        return {}


def _picture(fmt: Format, image: Image, raw: NDArray[np.uint8]) -> NDArray[np.uint8]:
    return preview(fmt, raw, image.width_px, image.height_px)


def _slices(image: Image, array: NDArray[Any]) -> NDArray[np.uint8]:
    by_layer = np.frombuffer(array.tobytes(), np.uint8).reshape(image.layers, -1)
    return by_layer[:, : image.level_size_B(0)].reshape(image.layers * image.depth_px, -1)


def _mask_status(view: View) -> NDArray[np.uint8]:
    """Return for each element the status that the golden would permit it to differ with; SAME where it may not."""
    status = np.full(view.expected.size, Status.SAME, np.uint8)
    if view.golden is None or view.weighing.variant is not None:
        return status
    mask = view.golden.mask.reshape(-1)
    for reason, meaning in _MEANINGS:
        status[(mask & np.uint16(reason)) != 0] = meaning
    return status


def _choices(view: View) -> list[dict[str, str]]:
    return [
        {
            "field": choice.field,
            "setting": setting.name,
            "reason": str(setting.reason.name).lower(),
            "because": setting.because,
        }
        for choice in view.choices
        for setting in choice.settings
    ]


def _alternatives(view: View) -> list[dict[str, str]]:
    if view.golden is None or view.weighing.variant is not None:
        return []
    found = []
    for outcome in view.golden.alternatives:
        choice = view.choices[outcome.choice]
        changed = bits(outcome.array) ^ bits(view.expected)
        found.append(
            {
                "field": choice.field,
                "setting": choice.setting_name(outcome.setting),
                "reason": str(choice.settings[outcome.setting - 1].reason.name).lower(),
                "exclusive_or": _packed(changed),
            }
        )
    return found
