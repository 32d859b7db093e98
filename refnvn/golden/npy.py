"""What are the bytes of one array as an ``.npy`` file, always the same ones?

A golden says dtype and shape of each array beside its file, so a reader need not believe the file's own header: it
must be the header that those two have, and nothing may be missing or left over.

What it does not do: it reads no other npy file. Read next: ``bundle.py``.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from refnvn.errors import InputFileError

_MAGIC = b"\x93NUMPY\x01\x00"


def header(dtype: np.dtype[Any], shape: Sequence[int]) -> bytes:
    """Return the header of an array in C order, version 1.0, padded to 64 bytes."""
    sizes = ", ".join(str(int(size)) for size in shape) + ("," if len(shape) == 1 else "")
    text = f"{{'descr': '{dtype.str}', 'fortran_order': False, 'shape': ({sizes}), }}"
    length_B = -(-(len(_MAGIC) + 2 + len(text) + 1) // 64) * 64 - len(_MAGIC) - 2
    return _MAGIC + length_B.to_bytes(2, "little") + text.ljust(length_B - 1).encode("ascii") + b"\n"


def npy_size_B(dtype: np.dtype[Any], shape: Sequence[int]) -> int:
    """Return the size of the file of such an array.

    >>> npy_size_B(np.dtype("<u2"), (3,))
    134
    """
    return len(header(dtype, shape)) + math.prod(shape) * dtype.itemsize


def npy_bytes(array: NDArray[Any]) -> bytes:
    """Return an array as the content of an ``.npy`` file, little-endian and in C order."""
    dtype = array.dtype.newbyteorder("<")
    return header(dtype, array.shape) + np.ascontiguousarray(array, dtype=dtype).tobytes()


def npy_array(content: bytes, dtype: np.dtype[Any], shape: Sequence[int], where: str) -> NDArray[Any]:
    """Return the array that ``content`` holds, which nobody can write to.

    Raises
    ------
    InputFileError
        Unless the content is exactly what :func:`npy_bytes` writes for this dtype and shape.
    """
    expected = header(dtype, shape)
    if not content.startswith(expected) or len(content) != npy_size_B(dtype, shape):
        raise InputFileError(f"{where}: is not a whole npy file of {dtype.name} {tuple(shape)}")
    return np.frombuffer(content, dtype=dtype, offset=len(expected)).reshape(tuple(shape))
