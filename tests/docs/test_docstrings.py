"""Docstrings send readers to files that are there."""

from __future__ import annotations

import ast
import re
from pathlib import Path

PACKAGE = Path(__file__).parents[2] / "refnvn"
SOURCES = sorted(PACKAGE.rglob("*.py"))
KEEPS = (ast.Module, ast.ClassDef, ast.FunctionDef)


def named(source: Path) -> set[str]:
    """Return the Python files that the docstrings of a source name, without their folders."""
    nodes = [node for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))) if isinstance(node, KEEPS)]
    found = re.findall(r"``([\w/]+\.py)``", " ".join(ast.get_docstring(node) or "" for node in nodes))
    return {name.rpartition("/")[2] for name in found}


def test_files_that_docstrings_name_are_there() -> None:
    """What a docstring tells to read next was not renamed or taken away."""
    there = {source.name for source in SOURCES}
    assert len(there) > 300
    assert {source.name: lost for source in SOURCES if (lost := named(source) - there)} == {}
