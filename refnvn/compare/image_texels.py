"""What are the texels of a result that is compared, and which of them are wrong?

Linear images of one level and one sample only: the others have no rows and columns that a picture could be turned by.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from refnvn.compare.places import View
from refnvn.compare.weigh import Status
from refnvn.formats.table import format_named
from refnvn.golden.result import Image

Texels = NDArray[np.uint8]
"""Shape (slices, rows, columns, bytes of a texel or block)."""
Flags = NDArray[np.bool_]


def image_of(view: View) -> Image | None:
    """Return what the image of a result is; None where it is none that has rows and columns."""
    image = None if view.golden is None else view.golden.base.image
    fits = image is not None and image.layout == "linear" and image.levels == image.samples == 1
    return image if fits and image is not None and image.size_B == view.expected.nbytes else None


def texels_of(view: View, array: NDArray[Any]) -> Texels | None:
    """Return one side of a result as texels or blocks; None where it is no such image."""
    image = image_of(view)
    if image is None:
        return None
    fmt = format_named(image.format)
    rows = -(-image.height_px // fmt.block_height_px)
    columns = -(-image.width_px // fmt.block_width_px)
    raw = np.frombuffer(array.tobytes(), np.uint8)
    return raw.reshape(image.layers * image.depth_px, rows, columns, fmt.bytes_per_block)


def wrong_texels(view: View, texels: Texels) -> Flags:
    """Return which texels hold a wrong element, shape (slices, rows, columns)."""
    wrong = np.repeat(view.weighing.status == Status.WRONG, view.expected.dtype.itemsize)
    return np.asarray(wrong.reshape(texels.shape).any(axis=-1))
