"""Raw rows of a texture, padded or not, as plain rows of the whole texture.

What a host wrote has rows at a pitch that no file says. A texture of several levels or layers is taken without
padding only: nothing says how a host pads those.
"""

from __future__ import annotations

import numpy as np

from refnvn.errors import SizeError
from refnvn.layout.texture import TextureLayout
from refnvn.layout.tiling import Bytes, linear_size_B


def plain_rows(layout: TextureLayout, data: Bytes, stride_B: int = 0) -> Bytes:
    """Return the rows of a whole texture without padding.

    Parameters
    ----------
    layout : TextureLayout
        Of the texture: levels, layers and sizes are read, not places.
    data : uint8, shape (n,)
        Rows, slice by slice; the padding of the very last row may be missing.
    stride_B : int
        Bytes from row to row; 0 takes rows without padding.

    Returns
    -------
    uint8, shape (linear_size_B(layout),)

    Raises
    ------
    SizeError
        Another number of bytes, a stride below a row, or padded rows of several levels or layers.
    """
    level = layout.levels[0]
    row_B = level.width_el * layout.description.element.bytes_per_block
    if stride_B in (0, row_B):
        if data.size != linear_size_B(layout):
            raise SizeError(f"{data.size} bytes; allowed for plain rows of this texture: {linear_size_B(layout)}")
        return data
    if stride_B < row_B:
        raise SizeError(f"rows {stride_B} bytes apart; allowed: {row_B} or more")
    if len(layout.levels) > 1 or layout.layers > 1:
        raise SizeError(
            f"{len(layout.levels)} levels of {layout.layers} layers; allowed with padded rows: one of one"
        )
    rows = level.height_el * level.slices
    if data.size not in (rows * stride_B, (rows - 1) * stride_B + row_B):
        raise SizeError(f"{data.size} bytes; allowed for {rows} rows {stride_B} bytes apart: {rows * stride_B}")
    padded = np.zeros(rows * stride_B, np.uint8)
    padded[: data.size] = data
    return np.ascontiguousarray(padded.reshape(rows, stride_B)[:, :row_B]).reshape(-1)
