"""``refnvn diagnose --texture``: the verdict, the table, the sheet, JSON, and what it refuses."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from refnvn.containers.png import write_png
from tests.cli.harness import complaint, files_in, noise, refnvn
from tests.compare.spoiled import described, painted, rows_of, tiled

SAID = ("--format", "RGBA8", "--size", "200x120")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with a sound dump, one of another block height, and the picture in both."""
    rows = rows_of("RGBA8", painted(1))
    (tmp_path / "sound.bin").write_bytes(tiled(described("RGBA8"), rows).tobytes())
    (tmp_path / "four.bin").write_bytes(tiled(described("RGBA8"), rows, 4).tobytes())
    (tmp_path / "swapped.bin").write_bytes(tiled(described("RGBA8"), rows[..., [2, 1, 0, 3]]).tobytes())
    write_png(tmp_path / "expected.png", rows)
    return tmp_path


def test_a_sound_dump_is_told_so(folder: Path) -> None:
    """Exit 0, and the reminder that numbers prove nothing."""
    outcome = refnvn("diagnose", "--texture", folder / "sound.bin", *SAID)
    assert (outcome.code, outcome.err) == (0, "")
    assert "sound.bin: 106496 bytes; nothing explains it better than what was said" in outcome.out
    assert "look at the pictures" in outcome.out


def test_a_wrong_block_height_is_named_with_the_option_to_give(folder: Path) -> None:
    """Exit 1; detiling with that option then gives the picture."""
    outcome = refnvn("diagnose", "--texture", folder / "four.bin", *SAID)
    assert outcome.code == 1
    assert "block height: block height 4" in outcome.out
    assert "--block-height 4" in outcome.out
    again = refnvn("detile", folder / "four.bin", *SAID, "--block-height", "4", "-o", folder / "again.png")
    assert again.code == 0
    with Image.open(folder / "again.png") as one, Image.open(folder / "expected.png") as two:
        assert (np.array(one) == np.array(two)).all()


def test_the_sheet_shows_the_readings_in_order(folder: Path) -> None:
    """The first picture on it is the right one."""
    sheet = folder / "sheet.png"
    asked = ("diagnose", "--texture", folder / "four.bin", *SAID, "-o", sheet)
    assert f"{sheet}: the readings, in this order" in refnvn(*asked).out
    with Image.open(sheet) as shown, Image.open(folder / "expected.png") as wanted:
        assert (np.array(shown)[16 : 16 + 120, :200] == np.array(wanted)).all()


def test_a_picture_tells_what_the_bytes_cannot(folder: Path) -> None:
    """Red and blue exchanged: nothing stands out without a picture; with one it is named."""
    asked = ("diagnose", "--texture", folder / "swapped.bin", *SAID)
    assert refnvn(*asked).code == 0
    answer = refnvn(*asked, "--like", folder / "expected.png", "--json")
    assert answer.code == 1
    first = answer.json["readings"][0]
    assert (first["kind"], first["words"], first["explains"]) == ("channel order", "R and B exchanged", 1.0)
    assert answer.json["stands_out"] is True


def test_json_has_the_table_and_the_empty_blocks(folder: Path) -> None:
    """One object, the same order."""
    answer = refnvn("diagnose", "--texture", folder / "four.bin", *SAID, "--json").json
    assert answer["readings"][0]["options"] == "--block-height 4"
    assert answer["readings"][0]["thrown_away"] == 0
    assert [one["level"] for one in answer["empty_blocks"]] == [0]
    assert answer["verdict"] == "block height: block height 4"


def test_a_dump_of_zeros_is_told_so(tmp_path: Path) -> None:
    """Never written, not mapped, or read too early: there is nothing to rank."""
    (tmp_path / "zeros.bin").write_bytes(bytes(106496))
    outcome = refnvn("diagnose", "--texture", tmp_path / "zeros.bin", *SAID)
    assert (outcome.code, outcome.err) == (1, "")
    assert "all 106496 bytes are zero: never written, not mapped, or read before" in outcome.out
    assert refnvn("diagnose", "--texture", tmp_path / "zeros.bin", *SAID, "--json").json["empty"] is True


def test_noise_is_not_accused(tmp_path: Path) -> None:
    """Nothing stands out of noise."""
    (tmp_path / "noise.bin").write_bytes(noise(106496).tobytes())
    assert refnvn("diagnose", "--texture", tmp_path / "noise.bin", *SAID).code == 0


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        pytest.param((), "nothing to diagnose: give SCENE-or-TRACE and ACTUAL", id="nothing"),
        pytest.param(("--texture", "sound.bin", *SAID, "more"), "more is too much", id="both"),
        pytest.param(("--texture", "no.bin", *SAID), "No such file", id="missing"),
        pytest.param(("--texture", "sound.bin"), "--format and --size must be given", id="not-said"),
        pytest.param(("--texture", "sound.bin", *SAID, "--layer", "1"), "layer 1 is not in 0..0", id="layer"),
        pytest.param(("--texture", "sound.bin", *SAID, "-o", "o.dds"), "names a DDS", id="no-picture"),
        pytest.param(("--texture", "sound.bin", *SAID, "-o", "o"), "the sheet of readings is a PNG", id="no-ending"),
        pytest.param(("--texture", "sound.bin", *SAID, "-o", "sound.bin"), "is an input too", id="input"),
        pytest.param(("--texture", "sound.bin", *SAID, "--like", "sound.bin"), "allowed", id="no-png"),
        pytest.param(
            ("--texture", "sound.bin", "--format", "RGBA8", "--size", "4000x4000"), "hold no level 0 of 4000x4000",
            id="short",
        ),
        pytest.param(
            ("--texture", "sound.bin", "--format", "RGBA8", "--size", "100x120", "--like", "expected.png"),
            "allowed: (120, 100, 4)", id="another-size",
        ),
    ],
)  # fmt: skip
def test_what_cannot_be_diagnosed_is_refused(
    folder: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], words: str
) -> None:
    """One line, and nothing is written."""
    monkeypatch.chdir(folder)
    before = files_in(folder)
    assert words in complaint("diagnose", *arguments)
    assert files_in(folder) == before
