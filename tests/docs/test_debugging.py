"""docs/debugging.md: its commands run, in order, and print the lines that stand below them."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from tests.cli.harness import refnvn

PAGE = (Path(__file__).parents[2] / "docs" / "debugging.md").read_text(encoding="utf-8")
STORIES = PAGE.split("\n## ")[1:]


def sessions(story: str) -> list[tuple[str, list[str]]]:
    """Return each command of a story with the lines below it."""
    found: list[tuple[str, list[str]]] = []
    for block in re.findall(r"^```\n(.*?)^```$", story, flags=re.MULTILINE | re.DOTALL):
        for line in block.splitlines():
            if line.startswith("$ "):
                found.append((line[2:], []))
            else:
                found[-1][1].append(line)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("story", STORIES, ids=[story.splitlines()[0] for story in STORIES])
def test_a_story_goes_as_it_is_told(story: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every line of the page is a line of what its command prints, in that order."""
    monkeypatch.chdir(tmp_path)
    for command, lines in sessions(story):
        outcome = refnvn(*shlex.split(command)[1:])
        assert outcome.err == "", command
        printed = iter(outcome.out.splitlines())
        assert [line for line in lines if line not in printed] == [], command
