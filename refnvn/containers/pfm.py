"""How are float32 pictures written as PFM, and read?

A PFM is three lines of text and float32: ``PF`` (RGB) or ``Pf`` (grey), width and height, and a scale whose sign
says the byte order (negative: little endian). The file's rows go from the bottom up; arrays here go from the top
down, as everywhere in refnvn. Bits are kept, those of NaN too.

It does not scale: a scale that is not 1 or -1 is refused. Read next: ``png.py``.
"""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from refnvn.containers.source import Source, load, require
from refnvn.containers.surface import DEFAULT_LIMIT_B, MAX_SIZE_PX
from refnvn.errors import InputFileError, ShapeError
from refnvn.files import write_file

_HEADER = re.compile(rb"P([Ff])\s{1,8}(\d{1,9})\s{1,8}(\d{1,9})\s{1,8}([-+]?[0-9.]{1,16})\s")


def pfm_bytes(values: NDArray[np.float32]) -> bytes:
    r"""Return a picture as a PFM file.

    Parameters
    ----------
    values : float32, shape (height, width) or (height, width, 3)
        Rows from the top down.

    Raises
    ------
    ShapeError
        Another dtype or shape, or a side outside 1 to 16384.

    Examples
    --------
    >>> pfm_bytes(np.zeros((1, 1), np.float32))[:12]
    b'Pf\n1 1\n-1.0\n'
    """
    is_colour = values.ndim == 3 and values.shape[2] == 3
    sides_fit = all(1 <= side <= MAX_SIZE_PX for side in values.shape[:2])
    if values.dtype != np.float32 or not (is_colour or values.ndim == 2) or not sides_fit:
        raise ShapeError(
            f"values are {values.dtype} of shape {values.shape}; allowed in PFM: float32 of shape (height, width) or "
            f"(height, width, 3), sides 1 to {MAX_SIZE_PX}"
        )
    height_px, width_px = values.shape[:2]
    header = f"{'PF' if is_colour else 'Pf'}\n{width_px} {height_px}\n-1.0\n"
    return header.encode() + np.ascontiguousarray(values[::-1], dtype="<f4").tobytes()


def write_pfm(path: Path | str, values: NDArray[np.float32]) -> None:
    """Write a picture as a PFM file in one step; see :func:`pfm_bytes`."""
    write_file(path, pfm_bytes(values))


def read_pfm(source: Source, *, limit_B: int = DEFAULT_LIMIT_B) -> NDArray[np.float32]:
    """Read a PFM file of either byte order.

    Returns
    -------
    float32, shape (height, width) or (height, width, 3)
        Rows from the top down.

    Raises
    ------
    InputFileError
        No PFM header, a side outside 1 to 16384, a scale other than 1 and -1, or missing or trailing bytes.
    """
    data, name = load(source, limit_B)
    header = _HEADER.match(data)
    if header is None:
        raise InputFileError(f"{name}: header is {data[:32]!r}; allowed: PF or Pf, width, height and scale")
    sort, width_text, height_text, scale = header.groups()
    width_px, height_px = int(width_text), int(height_text)
    for field, side_px in (("width_px", width_px), ("height_px", height_px)):
        require(name, field, side_px, allowed=f"1 to {MAX_SIZE_PX}", fine=1 <= side_px <= MAX_SIZE_PX)
    is_unit = re.fullmatch(rb"[-+]?0*1(\.0*)?", scale) is not None
    require(name, "scale", scale.decode(), allowed="1.0 or -1.0", fine=is_unit)
    shape = (height_px, width_px, 3) if sort == b"F" else (height_px, width_px)
    expected_B, actual_B = 4 * int(np.prod(shape, dtype=np.int64)), len(data) - header.end()
    require(
        name, "size of its pixels", f"{actual_B} bytes", allowed=f"exactly {expected_B}", fine=actual_B == expected_B
    )
    stored = np.frombuffer(data, "<u4" if scale.startswith(b"-") else ">u4", offset=header.end())
    # As integers, so that no conversion touches the bits of a NaN.
    codes = stored.astype(np.uint32).reshape(shape)[::-1]
    return np.ascontiguousarray(codes).view(np.float32)
