"""A trace is what was written, in a folder and in a zip, byte for byte."""

import json
import zipfile
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings

from refnvn.commands.recording import Recording
from refnvn.errors import ArgumentError, InputFileError
from refnvn.testing import traces
from refnvn.trace.files import Trace, decode_recording, read_trace, trace_files, trace_json, write_trace
from tests.trace.traces_by_hand import members_of, whole_trace, write_folder, zip_bytes


def by_hand() -> Trace:
    """Return the trace of every kind of resource and event."""
    trace, blobs = whole_trace()
    return Trace(msgspec.convert(trace, Recording), blobs)


def test_a_folder_written_by_hand_is_read(tmp_path: Path) -> None:
    """The fields of trace.json are those of the recording, and blobs come by name."""
    trace = read_trace(write_folder(tmp_path / "t", *whole_trace()))
    assert trace == by_hand()
    assert trace.recording.pools[0].initial == "start"
    assert trace.blobs["start"] == b"abc"
    assert [type(event).__name__ for event in trace.recording.timeline][4:7] == ["Submit", "ReadTexels", "ReadMemory"]


@pytest.mark.parametrize("compression", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED], ids=["stored", "deflated"])
def test_a_zip_made_elsewhere_is_read(tmp_path: Path, compression: int) -> None:
    """Stored and deflated members are read, in any order."""
    path = tmp_path / "t.zip"
    path.write_bytes(zip_bytes(members_of(*whole_trace())[::-1], compression))
    assert read_trace(path) == by_hand()


@pytest.mark.parametrize("name", ["t", "t.zip"], ids=["folder", "zip"])
def test_what_is_written_is_read(tmp_path: Path, name: str) -> None:
    """Writing and reading gives an equal trace."""
    write_trace(tmp_path / name, by_hand())
    assert read_trace(tmp_path / name) == by_hand()


def test_equal_traces_give_equal_bytes(tmp_path: Path) -> None:
    """A zip holds no time and no order of its own; a trace read and written again is the same file."""
    trace = by_hand()
    shuffled = Trace(
        msgspec.structs.replace(trace.recording, blobs=dict(sorted(trace.recording.blobs.items(), reverse=True))),
        dict(sorted(trace.blobs.items(), reverse=True)),
    )
    write_trace(tmp_path / "a.zip", trace)
    write_trace(tmp_path / "b.zip", shuffled)
    write_trace(tmp_path / "c.zip", read_trace(tmp_path / "a.zip"))
    assert len({(tmp_path / f"{name}.zip").read_bytes() for name in "abc"}) == 1


def test_a_trace_replaces_a_trace_as_a_whole(tmp_path: Path) -> None:
    """Writing over a trace leaves nothing of the old one."""
    write_folder(tmp_path / "t", {"refnvn_trace": 1, "blobs": {"old": 1}}, {"old": b"x"})
    write_trace(tmp_path / "t", by_hand())
    assert sorted(p.name for p in (tmp_path / "t" / "blobs").iterdir()) == ["start.bin", "words.bin"]


def test_another_folder_is_not_replaced(tmp_path: Path) -> None:
    """A folder that is no trace stays as it is."""
    (tmp_path / "photos").mkdir()
    (tmp_path / "photos" / "cat.png").write_bytes(b"cat")
    with pytest.raises(InputFileError, match="photos: is in the way; allowed are"):
        write_trace(tmp_path / "photos", by_hand())
    assert (tmp_path / "photos" / "cat.png").read_bytes() == b"cat"


@pytest.mark.parametrize(
    "blobs",
    [{"start": b"abc"}, {"start": b"abcd", "words": bytes(16)}, {"start": b"abc", "words": bytes(16), "more": b""}],
    ids=["missing", "longer", "unlisted"],
)
@pytest.mark.parametrize("name", ["t", "t.zip"], ids=["folder", "zip"])
def test_a_trace_that_could_not_be_read_is_not_written(tmp_path: Path, blobs: dict[str, bytes], name: str) -> None:
    """Blobs and recording must agree; nothing is written where they do not."""
    with pytest.raises(ArgumentError, match="its bytes and the recording's blobs differ"):
        write_trace(tmp_path / name, Trace(by_hand().recording, blobs))
    assert list(tmp_path.iterdir()) == []


def test_json_says_the_same_as_the_recording() -> None:
    """The text is plain JSON with the default left out, and gives the recording back."""
    recording = by_hand().recording
    text = trace_json(recording)
    assert json.loads(text)["command_buffers"][0][2]["y"] == 0.5
    assert "levels" not in json.loads(text)["textures"][0]
    assert decode_recording(text, "here") == recording


@settings(max_examples=60, deadline=None)
@given(traces())
def test_every_recording_comes_back(trace: Trace) -> None:
    """Whatever is recorded is written and read without any difference."""
    files = trace_files(trace)
    recording = decode_recording(files["trace.json"], "here")
    assert recording == trace.recording
    assert trace_json(recording) == files["trace.json"]
    assert {f"blobs/{name}.bin": content for name, content in trace.blobs.items()} == {
        name: content for name, content in files.items() if name != "trace.json"
    }
