"""README.md: its scene runs as it stands there, its commands and its links are there."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from refnvn.cli.main import COMMANDS

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = (ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").glob("*.md")))


def blocks(language: str = "") -> list[str]:
    """Return the fenced blocks of README.md in a language."""
    found = re.findall(r"^```(\w*)\n(.*?)^```$", README, flags=re.MULTILINE | re.DOTALL)
    return [text for name, text in found if name == language]


def runs(folder: Path, *arguments: str) -> str:
    """Return what a Python process in a folder prints."""
    done = subprocess.run([sys.executable, *arguments], cwd=folder, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_scene_runs_and_leaves_what_is_said(tmp_path: Path) -> None:
    """The Python of README.md is one file; it and its trace run, print and leave what stands below it."""
    (scene,) = blocks("python")
    (tmp_path / "triangle.py").write_text(scene, encoding="utf-8")
    session = next(block for block in blocks() if block.startswith("$ python triangle.py\n"))
    first, second, *printed = session.splitlines()
    assert runs(tmp_path, *first.split()[2:]) == ""
    assert second.startswith("$ refnvn run ")
    assert runs(tmp_path, "-m", *second.split()[1:]).splitlines() == printed
    texels = np.load(tmp_path / "results" / "target.npy").reshape(-1, 4)
    count, *code = map(int, re.findall(r"(\d+) texels are \((\d+), (\d+), (\d+), (\d+)\)", README)[0])
    assert np.count_nonzero((texels == code).all(axis=1)) == count
    assert np.count_nonzero((texels == (0, 0, 0, 255)).all(axis=1)) == len(texels) - count


def test_every_command_is_in_the_table() -> None:
    """The table of commands names those that there are, and no others."""
    table = README.split("## The commands", 1)[1].split("\n## ", 1)[0]
    rows = [line.split("|")[1] for line in table.splitlines() if line.startswith("| `")]
    assert sorted(re.findall(r"`(\w+)`", " ".join(rows))) == sorted(COMMANDS)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_links_of_documents_lead_somewhere(page: Path) -> None:
    """A link to a file of the repository finds it."""
    text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    links = [link.split("#")[0] for link in re.findall(r"\]\(([^)\s]+)\)", text) if "://" not in link]
    assert [link for link in links if link and not (page.parent / link).exists()] == []
