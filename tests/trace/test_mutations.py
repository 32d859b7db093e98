"""Whatever is done to a trace, reading it gives a trace or an error of refnvn, never anything else."""

from __future__ import annotations

import copy
import json
import random
import zipfile
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from refnvn.errors import RefnvnError
from refnvn.replay.run import replay
from refnvn.trace.files import decode_recording, read_trace
from tests.trace.traces_by_hand import members_of, whole_trace, zip_bytes

EDITS = 3000
FLIPS = 1500
ODD_VALUES = (
    None, True, False, 0, 1, -1, 7, 255, 4096, 65536, 1 << 31, 1 << 34, 1 << 48, 1 << 63, 1 << 64, 10**30, -(1 << 63),
    0.5, 1e300, -0.0, "", "RGBA8", "NONE", "start", "..", "x" * 200, [], {}, [[]], [None], [0, 0, 0, 0],
    {"texture": 0},
    {"command": "Barrier", "bits": 1}, {"event": "Submit", "command_buffers": [0]}, {"width": 1, "height": 1},
)  # fmt: skip


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return the path of every value inside a JSON value."""
    inner = (
        list(value.items()) if isinstance(value, dict) else list(enumerate(value)) if isinstance(value, list) else []
    )
    return [path] * bool(path) + [one for key, item in inner for one in places(item, (*path, key))]


def edited(value: Any, chance: random.Random) -> Any:
    """Return a copy with one to three random edits: replaced, removed, doubled, moved, renamed, negated."""
    changed = copy.deepcopy(value)
    for _ in range(chance.randint(1, 3)):
        *above, last = chance.choice(places(changed))
        holder: Any = changed
        for part in above:
            holder = holder[part]
        edit = chance.randrange(5)
        if edit == 0:
            holder[last] = copy.deepcopy(chance.choice(ODD_VALUES))
        elif edit == 1:
            del holder[last]
        elif edit == 2 and isinstance(holder, list):
            holder.insert(chance.randint(0, len(holder)), copy.deepcopy(holder[last]))
        elif edit == 3 and isinstance(holder, dict):
            holder[chance.choice(["index", "texture", "pool", "mask", "unknown", str(last) + "x"])] = holder.pop(last)
        elif isinstance(holder[last], int):
            holder[last] = chance.choice([holder[last] + 1, -holder[last], holder[last] << 8])
    return changed or {"refnvn_trace": 1}


def refusal(text: bytes) -> str | None:
    """Return how a text is refused, or None where it is read."""
    try:
        decode_recording(text, "here")
    except RefnvnError as error:
        return str(error)
    return None


def test_edited_json_never_breaks_the_reader() -> None:
    """3000 edits of values, names and order: each is read, or refused in one line."""
    trace, _ = whole_trace()
    chance = random.Random(20)
    refusals = [refusal(json.dumps(edited(trace, chance)).encode()) for _ in range(EDITS)]
    refused = [one for one in refusals if one is not None]
    assert EDITS // 20 < len(refused) < EDITS - EDITS // 20
    assert all(one.startswith("here: ") and "\n" not in one for one in refused)


def test_edited_traces_that_are_read_can_be_replayed() -> None:
    """What passes the checks gives results, or an error of refnvn that says what cannot be executed."""
    trace, blobs = whole_trace()
    chance = random.Random(23)
    replayed = 0
    for _ in range(EDITS // 2):
        text = json.dumps(edited(trace, chance)).encode()
        with suppress(RefnvnError):
            recording = decode_recording(text, "here")
            sizes_B = recording.blobs.items()
            replay(recording, {name: blobs.get(name, b"").ljust(size_B, b"x")[:size_B] for name, size_B in sizes_B})
            replayed += 1
    assert replayed > EDITS // 20


def test_damaged_json_never_breaks_the_reader() -> None:
    """Random bytes inside the text: each is read, or refused."""
    text = json.dumps(whole_trace()[0]).encode()
    chance = random.Random(21)
    for _ in range(EDITS):
        damaged = bytearray(text)
        for _ in range(chance.randint(1, 4)):
            damaged[chance.randrange(len(damaged))] = chance.randrange(256)
        assert (refusal(bytes(damaged)) or "here: ").startswith("here: ")


@pytest.mark.parametrize("compression", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED], ids=["stored", "deflated"])
def test_a_damaged_zip_never_breaks_the_reader(tmp_path: Path, compression: int) -> None:
    """Flipped, cut and doubled bytes of a zip: each is read, or refused."""
    content = zip_bytes(members_of(*whole_trace()), compression)
    end = content.index(b"PK\x01\x02")
    chance = random.Random(22)
    path = tmp_path / "t.zip"
    for turn in range(FLIPS):
        damaged = bytearray(content)
        for _ in range(chance.randint(1, 3)):
            # Half of the damage goes to the directory, which is small and decides most.
            start = end if turn % 2 else 0
            damaged[chance.randrange(start, len(damaged))] = chance.randrange(256)
        if turn % 10 == 0:
            del damaged[chance.randrange(len(damaged)) :]
        path.write_bytes(damaged)
        with suppress(RefnvnError):
            read_trace(path)
