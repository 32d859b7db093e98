"""How are arrays written as npy, and read from a file that nobody vouches for?

Only plain numbers: bool, integers of 8 to 64 bits, floats of 16 to 64 bits. Nothing is ever unpickled, and the size
of the file must be exactly what its header says before anything is allocated. Written headers are made here, so
that the bytes do not depend on the version of numpy.

It does not read npz. Read next: ``sniff.py``.
"""

from __future__ import annotations

import io
import math
import tokenize
import warnings
from pathlib import Path
from typing import Any

import numpy as np
from numpy.lib import format as npy_format
from numpy.typing import NDArray

from refnvn.containers.source import Source, load, require
from refnvn.containers.surface import DEFAULT_LIMIT_B
from refnvn.errors import InputFileError, ShapeError
from refnvn.files import write_file

MAX_DIMENSIONS = 32
MAX_SIDE = 1 << 31
HEADER_ALIGNMENT_B = 64
# What numpy's header reader raises on damaged headers; it evaluates and, failing that, tokenizes Python.
_HEADER_ERRORS = (
    ValueError, TypeError, SyntaxError, OverflowError, RecursionError, MemoryError, tokenize.TokenError, Warning,
)  # fmt: skip
_ALLOWED = "bool, integers of 8 to 64 bits, floats of 16 to 64 bits"


def _is_plain(dtype: np.dtype[Any]) -> bool:
    return dtype.kind in "biuf" and dtype.itemsize <= 8


def npy_bytes(values: NDArray[Any]) -> bytes:
    """Return an array as an npy file of version 1.0, little endian, in C order.

    Raises
    ------
    ShapeError
        A dtype that is not a plain number, or more than 32 dimensions.

    Examples
    --------
    >>> npy_bytes(np.array([1, 2], np.uint16))[10:64]
    b"{'descr': '<u2', 'fortran_order': False, 'shape': (2,)"
    """
    if not _is_plain(values.dtype) or values.ndim > MAX_DIMENSIONS:
        allowed = f"{_ALLOWED}, at most {MAX_DIMENSIONS} dimensions"
        raise ShapeError(f"values are {values.dtype} of shape {values.shape}; allowed in npy: {allowed}")
    dtype = values.dtype.newbyteorder("<")
    header = f"{{'descr': {dtype.str!r}, 'fortran_order': False, 'shape': {values.shape!r}, }}".encode()
    start_B = len(npy_format.MAGIC_PREFIX) + 4
    header += b" " * (-(start_B + len(header) + 1) % HEADER_ALIGNMENT_B) + b"\n"
    start = npy_format.MAGIC_PREFIX + b"\x01\x00" + len(header).to_bytes(2, "little")
    return start + header + values.astype(dtype, order="C", copy=False).tobytes()


def write_npy(path: Path | str, values: NDArray[Any]) -> None:
    """Write an array as an npy file in one step; see :func:`npy_bytes`."""
    write_file(path, npy_bytes(values))


def read_npy(source: Source, *, limit_B: int = DEFAULT_LIMIT_B) -> NDArray[Any]:
    """Read an npy file of plain numbers.

    Parameters
    ----------
    source : Path, str or bytes
        A file, or its bytes.
    limit_B : int
        More array bytes are refused before anything is allocated.

    Returns
    -------
    array, of the shape in the file
        C order, native byte order, writable.

    Raises
    ------
    InputFileError
        No npy, another dtype, or missing or trailing bytes.
    """
    data, name = load(source, limit_B)
    shape, is_fortran, dtype, offset_B = _header(data, name)
    expected_B, actual_B = math.prod(shape) * dtype.itemsize, len(data) - offset_B
    require(name, "size of its array", f"{actual_B} bytes", allowed=f"exactly {expected_B}, for {dtype} of {shape}",
            fine=actual_B == expected_B)  # fmt: skip
    require(name, "size of its array", f"{actual_B} bytes", allowed=f"at most {limit_B}", fine=actual_B <= limit_B)
    if dtype.kind == "b":
        largest = max(data[offset_B:], default=0)
        require(name, "a bool", largest, allowed="0 or 1", fine=largest <= 1)
    try:
        stored = np.frombuffer(data, dtype, offset=offset_B) if actual_B else np.empty(0, dtype)
        values = stored.reshape(shape, order="F" if is_fortran else "C")
    except ValueError as error:
        raise InputFileError(f"{name}: shape is {shape}; allowed: what numpy can hold ({error})") from error
    return np.array(values, dtype.newbyteorder("="), order="C")


def _header(data: bytes, name: str) -> tuple[tuple[int, ...], bool, np.dtype[Any], int]:
    """Return shape, Fortran order, dtype and where the array begins."""
    readers = {(1, 0): npy_format.read_array_header_1_0, (2, 0): npy_format.read_array_header_2_0}
    file = io.BytesIO(data)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            version = npy_format.read_magic(file)
            require(name, "npy version", version, allowed="1.0 or 2.0", fine=version in readers)
            shape, is_fortran, dtype = readers[version](file)
    except _HEADER_ERRORS as error:
        raise InputFileError(
            f"{name}: npy header cannot be read ({error}); allowed: one that numpy writes"
        ) from error
    require(name, "dtype", dtype, allowed=_ALLOWED, fine=_is_plain(dtype))
    sides_fit = len(shape) <= MAX_DIMENSIONS and all(0 <= side <= MAX_SIDE for side in shape)
    require(name, "shape", shape, allowed=f"at most {MAX_DIMENSIONS} sides of 0 to {MAX_SIDE}", fine=sides_fit)
    return shape, bool(is_fortran), dtype, file.tell()
