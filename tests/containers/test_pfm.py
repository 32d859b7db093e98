"""PFM keeps every bit of float32 and turns the rows around."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from numpy.typing import NDArray

from refnvn.containers.pfm import pfm_bytes, read_pfm, write_pfm
from refnvn.errors import InputFileError, ShapeError

SHAPES = st.tuples(st.integers(1, 6), st.integers(1, 6)) | st.tuples(st.integers(1, 6), st.integers(1, 6), st.just(3))


def test_rows_of_the_file_go_from_the_bottom_up() -> None:
    """The first row of the file is the last of the picture; floats are little endian."""
    values = np.array([[1.0, 2.0], [-2.0, 0.0]], np.float32)
    expected = b"Pf\n2 2\n-1.0\n" + bytes.fromhex("000000c0 00000000 0000803f 00000040")
    assert pfm_bytes(values) == expected
    np.testing.assert_array_equal(values, read_pfm(expected))


def test_big_endian_file_reads() -> None:
    """A positive scale says that the most significant byte is first."""
    read = read_pfm(b"PF\n1 1\n1.0\n" + bytes.fromhex("3f800000 40000000 c0000000"))
    assert read.tolist() == [[[1.0, 2.0, -2.0]]]
    assert read.dtype == np.float32


@settings(max_examples=60, deadline=None)
@given(hnp.arrays(np.uint32, SHAPES))
def test_every_bit_survives(codes: NDArray[np.uint32]) -> None:
    """All float32, signalling NaNs too, come back with their bits."""
    np.testing.assert_array_equal(codes, read_pfm(pfm_bytes(codes.view(np.float32))).view(np.uint32))


@pytest.mark.parametrize(
    ("data", "says"),
    [
        pytest.param(b"", "header is b''", id="empty"),
        pytest.param(b"P6\n1 1\n255\n", "header is b'P6", id="another kind"),
        pytest.param(b"Pf\n-1 1\n-1.0\n", "header is", id="negative width"),
        pytest.param(b"Pf\n0 1\n-1.0\n", "width_px is 0; allowed: 1 to 16384", id="no width"),
        pytest.param(b"Pf\n1 999999999\n-1.0\n", "height_px is 999999999; allowed", id="absurd height"),
        pytest.param(b"Pf\n1 1\n-2.5\nabcd", "scale is -2.5; allowed: 1.0 or -1.0", id="scaled"),
        pytest.param(b"Pf\n1 1\n-1.0\nabc", "size of its pixels is 3 bytes; allowed: exactly 4", id="short"),
        pytest.param(b"Pf\n1 1\n-1.0\nabcde", "size of its pixels is 5 bytes; allowed: exactly 4", id="long"),
    ],
)
def test_file_that_lies_is_one_error(data: bytes, says: str) -> None:
    """A header that is none, and pixels that do not fit it, are refused."""
    with pytest.raises(InputFileError, match=says):
        read_pfm(data)


@pytest.mark.parametrize(
    "values",
    [
        pytest.param(np.zeros((2, 2)), id="float64"),
        pytest.param(np.zeros((2, 2, 4), np.float32), id="four channels"),
        pytest.param(np.zeros((0, 2), np.float32), id="no rows"),
        pytest.param(np.zeros(2, np.float32), id="one dimension"),
    ],
)
def test_array_that_is_no_picture_is_refused(values: NDArray[np.float32]) -> None:
    """Only float32 pictures of one or three channels are written."""
    with pytest.raises(ShapeError, match="allowed in PFM"):
        pfm_bytes(values)


def test_written_file_reads_back(tmp_path: Path) -> None:
    """What is written to a path is what is read from it."""
    write_pfm(tmp_path / "a.pfm", np.full((2, 3, 3), 0.5, np.float32))
    np.testing.assert_array_equal(np.full((2, 3, 3), 0.5, np.float32), read_pfm(tmp_path / "a.pfm"))
