"""What does an image look like to a person? A PNG beside the numbers, never compared with anything.

Shown is level 0, its first row on top: of all layers and slices, the first 256 of them, on one sheet in their order.
What it does not do: it previews linear images of one sample only, and what :mod:`refnvn.formats.preview` cannot show
has no preview. Read next: ``bundle.py``.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from refnvn.errors import SizeError, UnsupportedFormat
from refnvn.formats.table import format_named
from refnvn.golden.result import Image, Result

MOST_PICTURES = 256


def preview_png(result: Result) -> bytes | None:
    """Return the PNG of an image result, or None where there is nothing to show."""
    image = result.image
    if image is None or image.layout != "linear" or image.samples != 1:
        return None
    from refnvn.containers.png import png_bytes
    from refnvn.formats.picture_sheet import grid
    from refnvn.formats.preview import preview, white_of

    fmt = format_named(image.format)
    slices = _slices(image, np.frombuffer(result.array.tobytes(), np.uint8))[:MOST_PICTURES]
    try:
        white = white_of(fmt, slices)
        return png_bytes(grid([preview(fmt, one, image.width_px, image.height_px, white=white) for one in slices]))
    except (SizeError, UnsupportedFormat):
        return None


def _slices(image: Image, content: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return the bytes of level 0, slice by slice, layer after layer."""
    by_layer = content[: image.size_B].reshape(image.layers, -1)
    return by_layer[:, : image.level_size_B(0)].reshape(image.layers * image.depth_px, -1)
