"""``refnvn bisect``: readbacks on the way are compared, and the first command behind which they part is named."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from refnvn.nvn.device import Device
from refnvn.nvn.scene import record
from refnvn.trace.files import write_trace
from tests.cli.harness import complaint, refnvn


def three_clears(device: Device) -> None:
    """Clear two textures, then the first one again: commands 2, 4 and 6."""
    one, two = device.texture("R8", 2, 1), device.texture("R8", 2, 1)
    commands = device.command_buffer()
    for target, code in ((one, 10), (two, 20), (one, 30)):
        commands.set_render_targets([target])
        commands.clear_color(0, (code / 255, 0, 0, 0))
    device.queue().submit(commands)
    one.read_texels("end")


@pytest.fixture
def trace(tmp_path: Path) -> Path:
    """Write the trace of three clears."""
    path = tmp_path / "clears.zip"
    write_trace(path, record(three_clears, "clears"))
    return path


def dumps(folder: Path, *entries: tuple[int, int, int], **more: Any) -> Path:
    """Write dumps of (after, texture, code) and their list."""
    folder.mkdir()
    listed = []
    for after, texture, code in entries:
        name = f"{after}_{texture}.bin"
        (folder / name).write_bytes(bytes([code, code]))
        listed.append({"file": name, "after": after, "texture": texture, **more})
    (folder / "readbacks.json").write_text(json.dumps({"refnvn_readbacks": 1, "readbacks": listed}))
    return folder


def test_readbacks_that_are_right_are_told_so(trace, tmp_path):
    """10, 20 and 30 after their clears, and what was there before them: exit 0."""
    folder = dumps(tmp_path / "d", (1, 0, 0), (2, 0, 10), (4, 1, 20), (5, 0, 10), (6, 0, 30))
    found = refnvn("bisect", trace, folder)
    assert (found.code, found.out) == (0, "all 5 readbacks are the same or permitted\n")


def test_the_first_wrong_readback_is_found(trace, tmp_path):
    """Texture 0 keeps its 10: right after command 4, wrong after 6, so the fault lies in commands 5 and 6."""
    folder = dumps(tmp_path / "d", (2, 0, 10), (6, 0, 10), (4, 1, 20), (4, 0, 10))
    answer = refnvn("bisect", trace, folder, "--json").json
    assert (answer["file"], answer["after"], answer["right_before"]) == ("6_0.bin", 6, 4)
    assert [one["number"] for one in answer["suspects"]] == [5, 6]
    cut = tmp_path / "cut.zip"
    page = tmp_path / "page.html"
    found = refnvn("bisect", trace, folder, "-o", cut, "--html", page)
    assert found.code == 1
    assert "6 (timeline[0] command_buffers[0][5]) ClearColor" in found.out
    assert page.is_file()
    again = refnvn("diagnose", cut, folder / "6_0.bin")
    assert again.code == 1


def test_memory_is_compared_too(trace, tmp_path):
    """Bytes of a pool that nothing wrote are zero."""
    folder = tmp_path / "d"
    folder.mkdir()
    np.save(folder / "heap.npy", np.zeros(16, np.uint8))
    entry = {"file": "heap.npy", "after": 6, "pool": 0, "offset_B": 4080, "size_B": 16}
    (folder / "readbacks.json").write_text(json.dumps({"refnvn_readbacks": 1, "readbacks": [entry]}))
    assert refnvn("bisect", trace, folder).code == 0


def test_commands_are_listed(trace):
    """Six commands with their numbers."""
    assert len(refnvn("bisect", trace, "--list").out.splitlines()) == 6
    assert refnvn("bisect", trace, "--list", "--json").json["commands"][5]["number"] == 6


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", "is no list of readbacks"),
        ('{"refnvn_readbacks": 2, "readbacks": []}', "is no list of readbacks"),
        ('{"refnvn_readbacks": 1, "readbacks": [{"file": "a.bin", "after": 1}]}', "allowed is a texture, or a pool"),
        ('{"refnvn_readbacks": 1, "readbacks": [{"file": "a.bin", "after": 1, "pool": 0}]}', "needs size_B"),
        (
            '{"refnvn_readbacks": 1, "readbacks": [{"file": "a", "after": 1, "pool": 0, "size_B": 3, "width": 1}]}',
            "are of a texture, not of a pool",
        ),
        ('{"refnvn_readbacks": 1, "readbacks": [{"file": "../a", "after": 1, "texture": 0}]}', "same folder"),
        ('{"refnvn_readbacks": 1, "readbacks": [{"file": "no.bin", "after": 1, "texture": 0}]}', "which is not in"),
        ('{"refnvn_readbacks": 1, "readbacks": [{"file": "a.bin", "after": 9, "texture": 0}]}', "allowed are 0"),
        ('{"refnvn_readbacks": 1, "readbacks": [{"file": "a.bin", "after": 1, "texture": 7}]}', "there are 2"),
        (
            '{"refnvn_readbacks": 1, "readbacks": [{"file": "a.bin", "after": 1, "texture": 0}]}',
            "a.bin: 3 bytes given",
        ),
    ],
)
def test_a_list_that_cannot_be_meant_is_one_line(trace, tmp_path, text, words):
    """A broken list, a missing file, a command or texture that is not there: exit 2 and what was allowed."""
    folder = tmp_path / "d"
    folder.mkdir()
    (folder / "a.bin").write_bytes(b"123")
    (folder / "readbacks.json").write_text(text)
    assert words in complaint("bisect", trace, folder)
