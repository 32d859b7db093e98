"""Files of vectors that lie."""

import gzip
import io
import json
import zipfile
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from refnvn.conformance import vector_file
from refnvn.conformance.run import score_file
from refnvn.conformance.vector_file import VectorFile
from refnvn.errors import InputFileError

META = np.array("{}")


def npy(array: np.ndarray) -> bytes:
    """Return an array as the bytes of a .npy file."""
    stream = io.BytesIO()
    np.lib.format.write_array(stream, array, allow_pickle=True)
    return stream.getvalue()


def zipped(path: Path, members: list[tuple[str, bytes]]) -> VectorFile:
    """Write a zip with these members and open it as vectors."""
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in members:
            archive.writestr(name, content)
    return VectorFile(path)


def claiming(shape: str) -> bytes:
    """Return a .npy file whose header claims a shape that the file does not hold."""
    header = f"{{'descr': '<u4', 'fortran_order': False, 'shape': {shape}, }}".ljust(117) + "\n"
    return b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header.encode() + bytes(4)


def test_sound_files_give_headers_and_arrays(tmp_path: Path) -> None:
    """Headers are known before contents are read."""
    np.savez_compressed(tmp_path / "a.npz", meta=META, out_X=np.arange(6, dtype=np.uint8).reshape(2, 3))
    file = VectorFile(tmp_path / "a.npz")
    assert file.headers["out_X"].shape == (2, 3)
    assert file.array("out_X").tolist() == [[0, 1, 2], [3, 4, 5]]
    with pytest.raises(InputFileError, match="has no array 'out_Y'"):
        file.array("out_Y")


def test_pickled_objects_are_refused(tmp_path: Path) -> None:
    """An object array would run code when it is read."""
    file = zipped(tmp_path / "store.npz", [("meta.npy", npy(META)), ("out_R8.npy", npy(np.array([{}], object)))])
    with pytest.raises(InputFileError, match=r"'out_R8\.npy' holds Python objects"):
        _ = file.headers


@pytest.mark.parametrize(
    "shape",
    [
        pytest.param("(1000000000000, 1000000000000)", id="huge"),
        pytest.param("(2,)", id="one-too-many"),
        pytest.param("(-1, -1)", id="negative"),
        pytest.param("(0,)", id="empty-but-bytes-follow"),
    ],
)
def test_claimed_shapes_must_fit_the_bytes(shape: str, tmp_path: Path) -> None:
    """A header that claims another size is refused before anything is allocated."""
    file = zipped(tmp_path / "store.npz", [("out_R8.npy", claiming(shape))])
    with pytest.raises(InputFileError, match="claims"):
        _ = file.headers


def test_too_much_is_refused_before_it_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The sum of the members' sizes has a limit."""
    np.savez_compressed(tmp_path / "a.npz", meta=META, zeros=np.zeros(1000, dtype=np.uint8))
    monkeypatch.setattr(vector_file, "LIMIT_B", 500)
    with pytest.raises(InputFileError, match="more than the 500 allowed"):
        _ = VectorFile(tmp_path / "a.npz").headers


def test_truncated_archives_are_refused(tmp_path: Path) -> None:
    """Half a zip has no directory."""
    np.savez(tmp_path / "whole.npz", meta=META, out_R8=np.zeros(1000, dtype=np.uint8))
    whole = (tmp_path / "whole.npz").read_bytes()
    (tmp_path / "store.npz").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(InputFileError, match="not a sound npz file"):
        score_file(tmp_path / "store.npz")


@pytest.mark.parametrize(
    ("members", "message"),
    [
        pytest.param([("readme.txt", b"hello")], "not an array", id="other-member"),
        pytest.param([("a.npy", b"hello")], "not a sound npz", id="no-magic"),
        pytest.param([("a.npy", b"\x93NUMPY\x07\x00")], "array format", id="unknown-version"),
        pytest.param([("a.npy", b"\x93NUMPY\x01\x00\xff\xff{")], "not a sound npz", id="short-header"),
        pytest.param([("a.npy", claiming("(((((("))], "not a sound npz", id="broken-header"),
    ],
)
def test_members_that_are_no_arrays_are_refused(
    members: list[tuple[str, bytes]], message: str, tmp_path: Path
) -> None:
    """Every member of an npz file must be a plain array."""
    with pytest.raises(InputFileError, match=message):
        _ = zipped(tmp_path / "store.npz", members).headers


def test_arrays_held_twice_are_refused(tmp_path: Path) -> None:
    """Two members of one name could show one content to the check and another to the reader."""
    with pytest.warns(UserWarning, match="Duplicate name"):
        file = zipped(tmp_path / "store.npz", [("a.npy", npy(META)), ("a.npy", npy(META))])
    with pytest.raises(InputFileError, match="holds array 'a' twice"):
        _ = file.headers


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(b"", id="empty"),
        pytest.param(b"{", id="open"),
        pytest.param(b"[" * 100_000, id="deep"),
        pytest.param(b"\xff\xfe", id="not-text"),
        pytest.param(b'{"a": ' + b"9" * 10_000 + b"}", id="endless-number"),
    ],
)
def test_broken_json_is_refused(content: bytes, tmp_path: Path) -> None:
    """Whatever is wrong, it is one sentence."""
    (tmp_path / "a.json").write_bytes(content)
    with pytest.raises(InputFileError, match="is not sound JSON"):
        _ = VectorFile(tmp_path / "a.json").json
    (tmp_path / "a.json.gz").write_bytes(content)
    with pytest.raises(InputFileError, match="is not sound JSON"):
        _ = VectorFile(tmp_path / "a.json.gz").json


def test_json_that_unpacks_to_too_much_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A small gzip file may hold gigabytes."""
    (tmp_path / "a.json.gz").write_bytes(gzip.compress(json.dumps([0] * 10_000).encode()))
    monkeypatch.setattr(vector_file, "JSON_LIMIT_B", 1000)
    with pytest.raises(InputFileError, match="unpacks to more than the 1000"):
        _ = VectorFile(tmp_path / "a.json.gz").json


def test_names_of_other_kinds_are_refused(tmp_path: Path) -> None:
    """Only the three suffixes are vectors; a missing file is said to be missing."""
    with pytest.raises(InputFileError, match=r"not a vector file; those end in \.npz, \.json"):
        VectorFile(tmp_path / "a.txt")
    with pytest.raises(InputFileError, match="is not a file"):
        _ = VectorFile(tmp_path / "a.npz").headers


def small_store() -> bytes:
    """Return a sound little file of the family store."""
    stream = io.BytesIO()
    values = np.zeros((2, 3), dtype=np.uint32)
    np.savez_compressed(stream, meta=META, in_R8=values, out_R8=values.astype(np.uint8))
    return stream.getvalue()


@given(place=st.integers(0, 1 << 16), flip=st.integers(1, 255))
@settings(max_examples=200)
def test_any_damaged_byte_gives_a_result_or_one_error(
    place: int, flip: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """A file with one byte changed is scored or refused with InputFileError, nothing else."""
    path = tmp_path_factory.getbasetemp() / "store.npz"
    raw = bytearray(small_store())
    raw[place % len(raw)] ^= flip
    path.write_bytes(raw)
    with suppress(InputFileError):
        score_file(path)
