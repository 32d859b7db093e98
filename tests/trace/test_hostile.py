"""A trace that nobody vouches for gives one clear error, and never more memory than it may claim."""

from __future__ import annotations

import copy
import json
import os
import struct
import zipfile
import zlib
from pathlib import Path
from typing import Any

import pytest

from refnvn.errors import InputFileError
from refnvn.trace import sources
from refnvn.trace.files import decode_recording, read_trace
from tests.trace.traces_by_hand import members_of, whole_trace, write_folder, zip_bytes

PROGRAM = b'{"refnvn_trace":1,"programs":[{"vertex":{"a":'


def read_zip(tmp_path: Path, content: bytes) -> None:
    """Read a zip of these bytes."""
    path = tmp_path / "t.zip"
    path.write_bytes(content)
    read_trace(path)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"", "is not a JSON text"),
        (b"{", "is not a JSON text"),
        (b"[]", "Expected `object`, got `array`"),
        (b'{"refnvn_trace": 1, "name": "\xff"}', "is not a JSON text .*UTF-8"),
        (b'{"refnvn_trace": 1} {}', "is not a JSON text"),
        (b"{}", "has no refnvn_trace, it is not a trace"),
        (b'{"refnvn_trace": 2, "new": 1}', "refnvn_trace is 2, allowed is 1"),
        (b'{"refnvn_trace": true}', "refnvn_trace is True, allowed is 1"),
        (b'{"refnvn_trace": "1"}', "refnvn_trace is 1, allowed is 1"),
        (b'{"refnvn_trace": 1, "more": 1}', "unknown field `more`"),
        (b'{"refnvn_trace": 1, "name": 5}', r"Expected `str`, got `int` - at `\$.name`"),
        (b'{"refnvn_trace": 1, "pools": [{"size_B": 1e999}]}', r"at `\$.pools\[0\].size_B`"),
        (b'{"refnvn_trace": 1, "pools": [{"size_B": -1}]}', r"at `\$.pools\[0\].size_B`"),
        (b'{"refnvn_trace": 1, "command_buffers": [[{"command": "Explode"}]]}', "'Explode' - at .*command"),
        (b'{"refnvn_trace": 1, "command_buffers": [[{}]]}', "missing required field `command`"),
        (b'{"refnvn_trace": 1, "timeline": [{"event": "Sleep"}]}', "'Sleep' - at .*event"),
        (b'{"refnvn_trace": 1, "blobs": {"../x": 1}}', "regex"),
        (b'{"refnvn_trace": 1, "blobs": {"x\\n": 1}}', "regex"),
        (b'{"refnvn_trace": 1, "name": "\\ud800"}', "is not a JSON text"),
        (PROGRAM + b"[" * 5000 + b"]" * 5000 + b"}}]}", "nested too deep"),
        (PROGRAM + b"[" * 200 + b"]" * 200 + b"}}]}", "nested deeper than 128"),
    ],
    ids=[
        "empty", "cut", "array", "not-utf8", "two-values", "no-version", "other-version", "boolean-version",
        "text-version", "unknown-field", "wrong-type", "infinite", "negative", "unknown-command", "no-command",
        "unknown-event", "blob-name-leaves", "blob-name-newline", "lone-surrogate", "nested-bomb", "nested-program",
    ],
)  # fmt: skip
def test_json_that_is_no_recording_is_refused(text: bytes, message: str) -> None:
    """The error names the file and the place in it."""
    with pytest.raises(InputFileError, match=f"(?s)^here: .*{message}"):
        decode_recording(text, "here")


def change(trace: dict[str, Any], path: tuple[Any, ...], value: object) -> dict[str, Any]:
    """Return a copy of a trace with one value at a path replaced."""
    changed = copy.deepcopy(trace)
    inner: Any = changed
    for part in path[:-1]:
        inner = inner[part]
    inner[path[-1]] = value
    return changed


COMMAND = ("command_buffers", 0)
VIEWED = (*COMMAND, 0, "colors", 0)
WRONG_REFERENCES = [
    (("pools", 0, "size_B"), 65537, r"pools\[0\].size_B: 65537, allowed are multiples", "pool-size"),
    (
        ("pools", 0, "size_B"),
        4096,
        r"textures\[1\].pool: .* bytes at offset 4096",
        "texture-outside",
    ),
    (("pools", 0, "initial"), "none", r"pools\[0\].initial: no blob 'none'", "initial-missing"),
    (("pools", 1, "initial"), "start", r"pools\[1\].initial: a VIRTUAL pool has no bytes", "initial-virtual"),
    (("pools", 0, "flags"), 10, r"textures\[0\].pool: pool 0 is GPU_NO_ACCESS", "gpu-no-access"),
    (("textures", 0, "pool"), 7, r"textures\[0\].pool: no pool 7; allowed are 0 to 1", "texture-pool"),
    (
        ("textures", 0, "offset_B"),
        100,
        r"textures\[0\].offset_B: 100, allowed are",
        "texture-offset",
    ),
    (("textures", 0, "format"), "RGBA9", r"textures\[0\].format: format 'RGBA9' is not an NVN format", "format"),
    (("textures", 0, "format"), "rgba8", r"format 'rgba8' is written 'RGBA8'", "format-spelling"),
    (("textures", 0, "format"), "NONE", r"textures\[0\].format: .*NONE is the format of no texture", "format-none"),
    (("textures", 0, "width"), 1 << 40, r"textures\[0\]: width 1099511627776 is not in", "texture-width"),
    (("textures", 0, "levels"), 16, r"textures\[0\]: levels 16 is not in 1..15", "texture-levels"),
    (("textures", 0, "stride_B"), 64, r"textures\[0\]: stride 64 is only for a LINEAR", "texture-stride"),
    (("programs", 0, "vertex"), {}, r"programs\[0\].vertex: .*refnvn_shader", "shader"),
    (("programs", 0, "vertex", "stage"), "fragment", r"programs\[0\].vertex", "shader-stage"),
    (VIEWED, {"texture": 9}, r"\[0\]\[0\].colors\[0\].texture: no texture 9", "target"),
    (VIEWED, {"texture": 1}, r"colors\[0\]: .*STENCIL8 is no colour format", "target-depth"),
    ((*COMMAND, 0, "depth_stencil"), {"texture": 0}, r"depth_stencil: .*RGBA8 is no depth", "depth-color"),
    ((*COMMAND, 0, "colors"), [None] * 9, r"colors: 9 targets, allowed are 8", "targets"),
    (VIEWED, {"texture": 0, "view": {"base_level": 1}}, r"view: view levels 1", "view-level"),
    (VIEWED, {"texture": 0, "view": {"layers": 2}}, r"view: view layers 0 \+ 2", "view-layers"),
    (
        (*COMMAND, 0, "colors", 0),
        {"texture": 0, "view": {"format": "R8"}},
        r"view: view format R8 has 1",
        "view-format",
    ),
    ((*COMMAND, 1, "index"), 8, r"at `\$.command_buffers\[0\]\[1\].index`", "slot"),
    ((*COMMAND, 1, "color_bits"), [1, 2, 3], r"length 4", "color"),
    ((*COMMAND, 2, "y"), 0.1, r"\[0\]\[2\].y: 0.1 is not a finite float32", "viewport"),
    ((*COMMAND, 3, "region", "width"), 5, r"\[0\]\[3\].region: region x 0 \+ 5, allowed are 0 to 4", "region"),
    ((*COMMAND, 3, "region", "z"), -1, r"\[0\]\[3\].region: region z -1", "region-negative"),
    ((*COMMAND, 4, "program"), 1, r"\[0\]\[4\].program: no program 1; allowed are 0 to 0", "program"),
    ((*COMMAND, 5, "address"), 0, r"\[0\]\[5\].address: address 0x0 is in no pool", "address"),
    ((*COMMAND, 5, "size_B"), 70000, r"\[0\]\[5\].address: 70000 bytes at offset 0, pool 0 has", "address-end"),
    ((*COMMAND, 6, "address"), (1 << 34) + 1, r"\[0\]\[6\].address: .* multiples of 2", "index-alignment"),
    ((*COMMAND, 6, "count"), 1 << 30, r"\[0\]\[6\].address: 2147483648 bytes", "index-count"),
    ((*COMMAND, 7, "row_stride_B"), 4, r"\[0\]\[7\].row_stride_B: row stride 4, allowed are 0 or", "row-stride"),
    ((*COMMAND, 7, "destination"), (1 << 34) + 65530, r"\[0\]\[7\].destination: 16 bytes", "copy-outside"),
    (("timeline", 0, "blob"), "none", r"timeline\[0\].blob: no blob 'none'", "write-blob"),
    (("timeline", 0, "offset_B"), 65530, r"timeline\[0\]: 16 bytes at offset 65530", "write-outside"),
    (("timeline", 2, "pool"), 0, r"timeline\[2\].*", "map-not-virtual"),
    (("timeline", 2, "offset_B"), 100, r"timeline\[2\]", "map-alignment"),
    (("timeline", 2, "size_B"), 0, r"timeline\[2\].size_B: 0, allowed are multiples of 4096", "map-nothing"),
    ((*COMMAND, 3, "texture"), {"texture": 1}, r"\[0\]\[3\].texture: .*STENCIL8 has no colour", "clear-depth"),
    (("timeline", 2, "physical_pool"), 1, r"timeline\[2\].physical_pool: pool 1 is VIRTUAL", "map-virtual"),
    (("timeline", 3, "blob"), "start", r"timeline\[3\].blob: blob 'start' has 3 bytes", "texels-blob"),
    (("timeline", 4, "queue"), 2, r"timeline\[4\].queue: no queue 2", "queue"),
    (("timeline", 4, "command_buffers"), [2], r"command_buffers\[0\]: no command buffer 2", "command-buffer"),
    (("timeline", 6, "name"), "target", r"timeline\[6\].name: two results are named", "result-twice"),
    (("timeline", 5, "name"), "Target", r"timeline\[5\].name: result name 'Target': allowed are", "result-capital"),
    (("timeline", 6, "name"), "a.b", r"timeline\[6\].name: result name 'a.b': allowed are", "result-dot"),
    (("timeline", 6, "name"), "com1", r"timeline\[6\].name: result name 'com1': allowed are", "result-device"),
    (("timeline", 6, "name"), "a" * 65, r"timeline\[6\].name: result name 'aaa", "result-long"),
    (("timeline", 6, "size_B"), 0, r"timeline\[6\]: 0 bytes are read", "read-nothing"),
    (("blobs", "START"), 3, r"blobs: two blobs are named 'start' and 'START'", "blob-case"),
    (("blobs", "start"), 1 << 40, r"blobs: .* bytes together, allowed are", "blob-size"),
]


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [one[:3] for one in WRONG_REFERENCES],
    ids=[one[3] for one in WRONG_REFERENCES],
)
def test_a_reference_to_what_is_not_there_is_refused(
    tmp_path: Path, path: tuple[Any, ...], value: object, message: str
) -> None:
    """The error names file, place, value and what is allowed."""
    trace, blobs = whole_trace()
    folder = write_folder(tmp_path / "t", change(trace, path, value), blobs)
    with pytest.raises(InputFileError, match=f"t/trace.json: .*{message}"):
        read_trace(folder)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("words", b"short", "blobs/words.bin: 5 bytes, trace.json says 16"),
        ("words", bytes(17), "blobs/words.bin: 17 bytes, trace.json says 16"),
        ("words", None, "blobs/words.bin: is missing"),
        ("stray", b"x", "blobs/stray.bin: is no blob that trace.json lists"),
    ],
    ids=["shorter", "longer", "missing", "unlisted"],
)
@pytest.mark.parametrize("form", ["folder", "zip"])
def test_blobs_are_those_that_are_listed(
    tmp_path: Path, name: str, content: bytes | None, message: str, form: str
) -> None:
    """Every blob is there, of its size, and no other file."""
    trace, blobs = whole_trace()
    given = {key: value for key, value in {**blobs, name: content}.items() if value is not None}
    path = tmp_path / form
    if form == "zip":
        path.write_bytes(zip_bytes(members_of(trace, given)))
    else:
        write_folder(path, trace, given)
    with pytest.raises(InputFileError, match=message):
        read_trace(path)


def test_a_blob_that_nothing_uses_is_allowed(tmp_path: Path) -> None:
    """What is listed is read, used or not."""
    trace, blobs = whole_trace()
    trace["blobs"]["spare"] = 2
    assert read_trace(write_folder(tmp_path / "t", trace, {**blobs, "spare": b"ok"})).blobs["spare"] == b"ok"


@pytest.mark.parametrize(
    "name",
    [
        "/etc/passwd",
        "../trace.json",
        "blobs/../../x.bin",
        "blobs/sub/x.bin",
        "c:\\x",
        "README",
        "blobs/x",
        "t/trace.json",
    ],
)
def test_other_names_in_a_zip_are_refused(tmp_path: Path, name: str) -> None:
    """Absolute, climbing, nested and unknown names stop before anything is unpacked."""
    with pytest.raises(InputFileError, match=r"allowed are trace.json and blobs/NAME.bin"):
        read_zip(tmp_path, zip_bytes([*members_of(*whole_trace()), (name, b"x")]))


def test_a_member_twice_is_refused(tmp_path: Path) -> None:
    """Two members of one name would leave it open which counts."""
    members = members_of(*whole_trace())
    with pytest.warns(UserWarning, match="Duplicate name"):
        content = zip_bytes([*members, members[0]])
    with pytest.raises(InputFileError, match=r"holds trace.json twice"):
        read_zip(tmp_path, content)


def test_a_bomb_is_refused_by_what_it_claims(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All members together may claim 1 GiB; nothing is unpacked to find out."""
    assert sources.MOST_TOTAL_B == 1 << 30
    monkeypatch.setattr(sources, "MOST_TOTAL_B", 1 << 20)
    trace, blobs = whole_trace()
    bomb = {**blobs, **{f"bomb{i}": bytes(1 << 18) for i in range(5)}}
    with pytest.raises(InputFileError, match="bytes unpacked, allowed are 1048576"):
        read_zip(tmp_path, zip_bytes(members_of(trace, bomb), zipfile.ZIP_DEFLATED))


def test_a_claim_beyond_deflate_is_refused(tmp_path: Path) -> None:
    """A member cannot hold more than 1032 times its compressed bytes, whatever its header says."""
    content = bytearray(zip_bytes(members_of(*whole_trace()), zipfile.ZIP_DEFLATED))
    central = content.index(b"PK\x01\x02")
    content[central + 24 : central + 28] = struct.pack("<I", 200 << 20)
    with pytest.raises(InputFileError, match=r"trace.json claims 209715200 bytes from \d+"):
        read_zip(tmp_path, bytes(content))


def test_a_member_that_lies_about_its_size_is_refused(tmp_path: Path) -> None:
    """A header that claims less than the member unpacks to gives no more than it claims."""
    trace, blobs = whole_trace()
    content = bytearray(zip_bytes(members_of(trace, blobs), zipfile.ZIP_DEFLATED))
    central = content.rindex(b"PK\x01\x02")
    assert content[central + 46 :].startswith(b"blobs/words.bin")
    content[central + 24 : central + 28] = struct.pack("<I", 8)
    with pytest.raises(InputFileError, match=r"words.bin: 8 bytes, trace.json says 16"):
        read_zip(tmp_path, bytes(content))
    trace["blobs"]["words"] = 8
    with pytest.raises(InputFileError):
        read_zip(tmp_path, bytes(content))


def test_an_encrypted_member_is_refused(tmp_path: Path) -> None:
    """No password is ever asked for."""
    content = bytearray(zip_bytes(members_of(*whole_trace())))
    content[content.index(b"PK\x01\x02") + 8] |= 1
    with pytest.raises(InputFileError, match=r"trace.json is encrypted or packed otherwise"):
        read_zip(tmp_path, bytes(content))


@pytest.mark.parametrize("cut", [0, 1, 10, 100, -1, -10], ids=lambda cut: f"cut-{cut}")
def test_a_torn_zip_is_refused(tmp_path: Path, cut: int) -> None:
    """A zip without its end is no zip."""
    content = zip_bytes(members_of(*whole_trace()))
    with pytest.raises(InputFileError, match=r"t.zip: is neither a folder nor a zip"):
        read_zip(tmp_path, content[:cut])


def test_a_damaged_member_is_refused(tmp_path: Path) -> None:
    """The checksum of each member is checked."""
    content = bytearray(zip_bytes(members_of(*whole_trace())))
    content[content.index(bytes(range(16)))] ^= 1
    with pytest.raises(InputFileError, match=r"blobs/words.bin: cannot be unpacked"):
        read_zip(tmp_path, bytes(content))
    assert zlib.crc32(b"") == 0


@pytest.mark.parametrize("what", ["trace.json", "blobs/words.bin", "blobs"], ids=["json", "blob", "blobs"])
def test_a_link_that_leaves_the_folder_is_refused(tmp_path: Path, what: str) -> None:
    """Nothing outside of the folder is read; a link inside it is fine."""
    folder = write_folder(tmp_path / "t", *whole_trace())
    outside = tmp_path / "outside"
    (folder / what).rename(outside)
    (folder / what).symlink_to(outside)
    with pytest.raises(InputFileError, match="leads out of the folder"):
        read_trace(folder)
    (folder / what).unlink()
    outside.rename(folder / ".inside")
    (folder / what).symlink_to(folder / ".inside")
    assert read_trace(folder).blobs["start"] == b"abc"


def test_other_files_in_a_folder_are_refused(tmp_path: Path) -> None:
    """What the format does not know is refused; names that start with a dot are passed over."""
    folder = write_folder(tmp_path / "t", *whole_trace())
    (folder / ".DS_Store").write_bytes(b"x")
    (folder / "blobs" / ".DS_Store").write_bytes(b"x")
    read_trace(folder)
    (folder / "notes.txt").write_bytes(b"x")
    with pytest.raises(InputFileError, match=r"holds 'notes.txt', allowed are"):
        read_trace(folder)


def test_a_blob_that_is_no_file_is_refused(tmp_path: Path) -> None:
    """A pipe or a folder under a blob's name does not stop the reader."""
    folder = write_folder(tmp_path / "t", *whole_trace())
    (folder / "blobs" / "words.bin").unlink()
    os.mkfifo(folder / "blobs" / "words.bin")
    with pytest.raises(InputFileError, match=r"blobs/words.bin is not a file"):
        read_trace(folder)


@pytest.mark.parametrize("name", ["missing", "missing.zip"])
def test_a_missing_trace_says_so(tmp_path: Path, name: str) -> None:
    """The error says what a trace is."""
    with pytest.raises(InputFileError, match="is missing; a trace is a folder or a zip"):
        read_trace(tmp_path / name)


def test_large_json_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """trace.json may have 256 MiB."""
    assert sources.MOST_JSON_B == 256 << 20
    monkeypatch.setattr("refnvn.trace.files.MOST_JSON_B", 100)
    with pytest.raises(InputFileError, match=r"trace.json: \d+ bytes, allowed are 100"):
        read_trace(write_folder(tmp_path / "t", *whole_trace()))


@pytest.mark.parametrize(
    ("path", "name"),
    [
        (("two\nlines",), "two\\nlines"),
        (("\x1b[31m",), "\\x1b[31m"),
        (("a" * 100_000,), "a...a"),
        (("textures", 0, "format"), "format 'aaa"),
        (("textures", 0, "target"), "Expected"),
    ],
    ids=["newline", "escape", "long-field", "long-format", "long-wrong-type"],
)
def test_what_an_error_repeats_is_one_short_line(path: tuple[Any, ...], name: str) -> None:
    """Someone's text neither moves the cursor nor fills the screen."""
    changed = change(whole_trace()[0], path, "a" * 100_000)
    with pytest.raises(InputFileError) as caught:
        decode_recording(json.dumps(changed).encode(), "here")
    assert name in str(caught.value)
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 600


def test_a_member_with_a_long_name_is_told_in_one_line(tmp_path: Path) -> None:
    """A zip's names are someone's text too."""
    with pytest.raises(InputFileError, match="holds 'aaa") as caught:
        read_zip(tmp_path, zip_bytes([("a" * 60_000 + "\n", b"")]))
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 400


def test_the_folder_of_blobs_has_no_bytes(tmp_path: Path) -> None:
    """A zip may say that there is a folder, which holds nothing itself."""
    members = members_of(*whole_trace())
    read_zip(tmp_path, zip_bytes([("blobs/", b""), *members]))
    with pytest.raises(InputFileError, match="holds 'blobs/', allowed"):
        read_zip(tmp_path, zip_bytes([("blobs/", b"data"), *members]))


def refused(trace: dict[str, Any], message: str) -> None:
    """Expect one error of a changed trace."""
    with pytest.raises(InputFileError, match=message):
        decode_recording(json.dumps(trace).encode(), "here")


def test_work_is_bounded() -> None:
    """2^24 submitted commands and 2^26 vertices are allowed, one more is not."""
    trace: dict[str, Any] = {"refnvn_trace": 1}
    trace["command_buffers"] = [[{"command": "SetDepthClamp", "enable": True}] * 4096]
    trace["timeline"] = [{"event": "Submit", "command_buffers": [0] * 4096}]
    decode_recording(json.dumps(trace).encode(), "here")
    trace["timeline"].append({"event": "Submit", "command_buffers": [0]})
    refused(trace, r"timeline\[1\]: 16781312 commands are submitted so far, allowed are 16777216")
    draw = {"command": "DrawArraysInstanced", "primitive": 4, "first": 0, "count": 1 << 13, "instance_count": 1 << 13}
    trace["command_buffers"] = [[draw], [{"command": "DrawArrays", "primitive": 4, "first": 0, "count": 1}]]
    trace["timeline"] = [{"event": "Submit", "command_buffers": [0]}]
    decode_recording(json.dumps(trace).encode(), "here")
    trace["timeline"].append({"event": "Submit", "command_buffers": [1]})
    refused(trace, r"timeline\[1\]: 67108865 vertices are submitted so far, allowed are 67108864")


def test_check_refuses_what_results_and_memory_refuse() -> None:
    """A trace that passes does not fail later for its sizes."""
    read = {"event": "ReadMemory", "name": "all", "pool": 0, "offset_B": 0, "size_B": 1 << 28}
    trace: dict[str, Any] = {"refnvn_trace": 1, "pools": [{"size_B": 1 << 29}], "timeline": [read]}
    decode_recording(json.dumps(trace).encode(), "here")
    read["size_B"] = (1 << 28) + 4
    refused(trace, r"timeline\[0\].size_B: a result of 268435460 elements, allowed are 268435456")
    virtual = {"size_B": 1 << 32, "flags": 545}
    trace = {"refnvn_trace": 1, "pools": [virtual] * 4}
    decode_recording(json.dumps(trace).encode(), "here")
    refused({"refnvn_trace": 1, "pools": [virtual] * 5}, "pools: .* with VIRTUAL ones, allowed are 17179869184")


def test_texels_of_a_result_are_counted_by_what_they_become() -> None:
    """1 GiB of 32-bit components is 2^28 elements; bytes of the same size are more than a result may have."""
    region = {"width": 16384, "height": 16384}
    texture = {"pool": 0, "format": "R32F", "width": 16384, "height": 16384, "flags": 8}
    event = {"event": "ReadTexels", "name": "all", "texture": {"texture": 0}, "region": region}
    trace: dict[str, Any] = {
        "refnvn_trace": 1,
        "pools": [{"size_B": 1 << 31}],
        "textures": [texture],
        "timeline": [event],
    }
    decode_recording(json.dumps(trace).encode(), "here")
    texture["format"] = "RGBA8"
    refused(trace, r"timeline\[0\].region: a result of 1073741824 elements")


@pytest.mark.parametrize(
    ("command", "state", "message"),
    [
        ("BindChannelMaskState", {"masks": [16] + [15] * 7}, r"<= 15 - at .*masks"),
        ("BindMultisampleState", {"samples": 3}, r"state.samples: 3, allowed are 0, 1, 2, 4, 8 and 16"),
        ("BindMultisampleState", {"samples": -1}, r">= 0 - at .*samples"),
        ("BindMultisampleState", {"samples": 1 << 62}, r"<= 16 - at .*samples"),
        ("BindMultisampleState", {"raster_samples": -7}, r">= 0 - at .*raster_samples"),
        ("BindMultisampleState", {"raster_samples": 5}, r"state.raster_samples: 5, allowed"),
        ("BindMultisampleState", {"coverage_to_color": 8}, r"<= 7 - at .*coverage_to_color"),
        ("BindPolygonState", {"polygon_offset_enables": 8}, r"<= 7 - at .*polygon_offset_enables"),
    ],
)
def test_fields_of_states_have_ranges(command: str, state: dict[str, Any], message: str) -> None:
    """What NVN's own calls refuse is refused in a trace."""
    refused({"refnvn_trace": 1, "command_buffers": [[{"command": command, "state": state}]]}, message)


def test_divisors_and_copy_flags_have_ranges() -> None:
    """A divisor is below 2^31, copy flags are five bits."""
    streams = {"command": "BindVertexStreamState", "streams": [{"divisor": 1 << 90}]}
    refused({"refnvn_trace": 1, "command_buffers": [[streams]]}, "divisor")
    copy_bytes = {"command": "CopyBufferToBuffer", "source": 1, "destination": 1, "size_B": 0, "flags": -1}
    refused({"refnvn_trace": 1, "command_buffers": [[copy_bytes]]}, ">= 0 - at .*flags")
