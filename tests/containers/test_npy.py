"""npy files hold plain numbers of exactly the stated size, or are refused."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from numpy.typing import NDArray

from refnvn.containers.npy import npy_bytes, read_npy, write_npy
from refnvn.errors import InputFileError, ShapeError

DTYPES = st.sampled_from("?bBhHiIqQefd").map(np.dtype)
ARRAYS = hnp.arrays(DTYPES, hnp.array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=4))


def saved(values: NDArray[Any], **options: bool) -> bytes:
    file = io.BytesIO()
    np.save(file, values, **options)
    return file.getvalue()


def with_header(header: bytes, payload: bytes = b"", version: bytes = b"\x01\x00") -> bytes:
    return b"\x93NUMPY" + version + len(header).to_bytes(2, "little") + header + payload


def test_file_has_these_bytes() -> None:
    """Magic, version 1.0, a header padded to 64 bytes, and the array, little endian in C order."""
    header = b"{'descr': '<i2', 'fortran_order': False, 'shape': (1, 2), }"
    expected = b"\x93NUMPY\x01\x00" + b"\x76\x00" + header + b" " * (117 - len(header)) + b"\n" + b"\x01\x00\xfe\xff"
    assert npy_bytes(np.array([[1, -2]], np.int16)) == expected
    assert npy_bytes(np.array([[1, -2]], ">i2")) == expected


@settings(max_examples=150, deadline=None)
@given(ARRAYS)
def test_numpy_reads_what_we_wrote_and_we_read_both(values: NDArray[Any]) -> None:
    """Our files load in numpy, and we read ours and those of numpy, with every bit."""
    for read in (np.load(io.BytesIO(npy_bytes(values))), read_npy(npy_bytes(values)), read_npy(saved(values))):
        assert (read.dtype, read.shape) == (values.dtype, values.shape)
        assert read.tobytes() == values.tobytes()


def test_order_of_the_file_does_not_show() -> None:
    """Big-endian and Fortran-order files read as native arrays in C order."""
    values = np.arange(6, dtype=np.int32).reshape(2, 3)
    for data in (saved(np.asfortranarray(values)), saved(values.astype(">i4"))):
        read = read_npy(data)
        np.testing.assert_array_equal(values, read)
        assert read.dtype == np.int32
        assert read.flags.c_contiguous
        assert read.flags.writeable


HUGE_SIDES = b"2147483648, " * 4
DEEP = b"{'descr': " + b"(" * 4000 + b")" * 4000 + b"}\n"


@pytest.mark.parametrize(
    ("data", "says"),
    [
        pytest.param(b"", "npy header cannot be read", id="empty"),
        pytest.param(b"\x93NUMPY\x03\x00", r"npy version is \(3, 0\); allowed: 1.0 or 2.0", id="version"),
        pytest.param(with_header(b"import os\n"), "npy header cannot be read", id="code"),
        pytest.param(with_header(DEEP), "npy header cannot be read", id="deep nesting"),
        pytest.param(with_header(b"x" * 60000), "npy header cannot be read", id="long header"),
        pytest.param(with_header(b"{'descr': '<i2', 'fortran_order': False, 'shape': (-1, -2)}\n", bytes(4)),
                     r"shape is \(-1, -2\); allowed", id="negative sides"),
        pytest.param(with_header(b"{'descr': '<i2', 'fortran_order': False, 'shape': (1 << 40,)}\n"),
                     "npy header cannot be read", id="an expression"),
        pytest.param(with_header(b"{'descr': '<i2', 'fortran_order': False, 'shape': (1099511627776,)}\n"),
                     r"shape is \(1099511627776,\); allowed", id="absurd side"),
        pytest.param(with_header(b"{'descr': '<i8', 'fortran_order': False, 'shape': (0, %s)}\n" % HUGE_SIDES),
                     "shape is .*allowed", id="absurd sides of nothing"),
        pytest.param(with_header(b"{'descr': '<i8', 'fortran_order': False, 'shape': (2147483648, 2147483648)}\n"),
                     "size of its array is 0 bytes; allowed: exactly 36893488147419103232", id="absurd area"),
        pytest.param(with_header(b"{'descr': '<i2', 'fortran_order': False, 'shape': (1L,)}\n", bytes(2)),
                     "npy header cannot be read", id="Python 2"),
        pytest.param(saved(np.zeros(2, np.complex64)), "dtype is complex64; allowed: bool", id="complex"),
        pytest.param(saved(np.array([{}], object), allow_pickle=True), "dtype is object; allowed: bool", id="pickle"),
        pytest.param(saved(np.zeros(2, "i4,f4")), "dtype is .*; allowed: bool", id="structured"),
        pytest.param(saved(np.zeros(2, "U3")), "dtype is <U3; allowed: bool", id="text"),
        pytest.param(saved(np.zeros(2, np.int16))[:-1], "size of its array is 3 bytes; allowed: exactly 4",
                     id="short"),
        pytest.param(saved(np.zeros(2, np.int16)) + b"a", "size of its array is 5 bytes", id="long"),
        pytest.param(saved(np.zeros(2, np.bool_))[:-1] + b"\x02", "a bool is 2; allowed: 0 or 1", id="a bool of 2"),
    ],
)  # fmt: skip
def test_file_that_lies_is_one_error(data: bytes, says: str, tmp_path: Path) -> None:
    """What is no plain array of exactly the stated size is refused, and nothing is unpickled."""
    (tmp_path / "a.npy").write_bytes(data)
    with pytest.raises(InputFileError, match=rf"^{tmp_path / 'a.npy'}: {says}"):
        read_npy(tmp_path / "a.npy")


def test_limit_is_kept() -> None:
    """A larger array than the caller allows is refused."""
    with pytest.raises(InputFileError, match="allowed: at most 3"):
        read_npy(saved(np.zeros(2, np.int16)), limit_B=3)
    with pytest.raises(InputFileError, match="bytes: 1048578 bytes, more than the 1048577 bytes allowed"):
        read_npy(bytes((1 << 20) + 2), limit_B=1)


@pytest.mark.parametrize("dtype", ["c8", "O", "U2", "M8[s]", "i4,f4"])
def test_array_that_is_no_plain_number_is_refused(dtype: str) -> None:
    """Only bool, integers and floats are written."""
    with pytest.raises(ShapeError, match="allowed in npy: bool"):
        npy_bytes(np.zeros(2, dtype))


def test_written_file_reads_back(tmp_path: Path) -> None:
    """What is written to a path is what is read from it, and from numpy."""
    values = np.arange(12, dtype=np.float64).reshape(3, 4).T
    write_npy(tmp_path / "a.npy", values)
    np.testing.assert_array_equal(values, read_npy(tmp_path / "a.npy"))
    np.testing.assert_array_equal(values, np.load(tmp_path / "a.npy"))
