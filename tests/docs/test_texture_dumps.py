"""docs/texture-dumps.md: its dumps are made as it says, and its commands print the lines that stand below them."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.harness import refnvn

PAGE = (Path(__file__).parents[2] / "docs" / "texture-dumps.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```$", PAGE, flags=re.MULTILINE | re.DOTALL)


def sessions() -> list[tuple[str, list[str]]]:
    """Return each command of the page with the lines below it."""
    found: list[tuple[str, list[str]]] = []
    for line in "".join(text for language, text in BLOCKS if not language).splitlines():
        if line.startswith("$ "):
            found.append((line[2:], []))
        else:
            found[-1][1].append(line)
    return found


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the dumps that the page's Python makes."""
    made = tmp_path_factory.mktemp("dumps")
    (script,) = [text for language, text in BLOCKS if language == "python"]
    (made / "dumps.py").write_text(script, encoding="utf-8")
    done = subprocess.run([sys.executable, "dumps.py"], cwd=made, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    return made


@pytest.mark.parametrize(("command", "lines"), sessions(), ids=[command for command, _ in sessions()])
def test_a_command_prints_what_the_page_shows(
    folder: Path, monkeypatch: pytest.MonkeyPatch, command: str, lines: list[str]
) -> None:
    """Every line of the page, but for the width of a table's columns, is a line of the answer."""
    monkeypatch.chdir(folder)
    outcome = refnvn(*shlex.split(command)[1:])
    assert outcome.err == ""
    printed = [" ".join(line.split()) for line in outcome.out.splitlines()]
    assert printed
    assert [line for line in lines if " ".join(line.split()) not in printed] == []
