"""What a command says of a file: lines for people, and an object for scripts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

SHOWN = 12
"""Lines, readings, words and vertices that people are shown; JSON has all but of bytes."""


@dataclass(frozen=True, slots=True)
class Answer:
    """Lines for people, and an object for scripts."""

    lines: list[str]
    object: dict[str, Any]
