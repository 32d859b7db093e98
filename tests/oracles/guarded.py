"""texture2ddecoder behind a guard: it reads past the end of input that is too short, so none ever reaches it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from refnvn.errors import SizeError

BLOCK_B = {"bc1": 8, "bc3": 16, "bc4": 8, "bc5": 16, "bc6": 16, "bc7": 16, "astc": 16}


def guarded_decode(
    name: str, data: bytes, width_px: int, height_px: int, block_px: tuple[int, int] = (4, 4)
) -> NDArray[np.uint8]:
    """Return texture2ddecoder's picture.

    Parameters
    ----------
    name : str
        What follows ``decode_``, a key of :data:`BLOCK_B`.
    data : bytes
        Rows of blocks.
    width_px, height_px : int
    block_px : (int, int)
        Width and height of a block; other than 4 x 4 for ASTC alone.

    Returns
    -------
    uint8, shape (height_px, width_px, 4)
        R, G, B, A.

    Raises
    ------
    SizeError
        The data are not as long as the size needs.
    """
    import texture2ddecoder

    needed_B = -(-width_px // block_px[0]) * -(-height_px // block_px[1]) * BLOCK_B[name]
    if len(data) != needed_B:
        raise SizeError(f"{name} of {width_px} x {height_px} has {len(data)} bytes; allowed: {needed_B}")
    decode: Any = getattr(texture2ddecoder, f"decode_{name}")
    raw = decode(data, width_px, height_px, *(block_px if name == "astc" else ()))
    return np.frombuffer(raw, np.uint8).reshape(height_px, width_px, 4)[..., [2, 1, 0, 3]]
