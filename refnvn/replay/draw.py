"""Draws."""

from __future__ import annotations

from refnvn.commands import commands as c
from refnvn.replay.context import Context
from refnvn.replay.errors import NotReplayed


def draw_arrays(context: Context, command: c.DrawArrays) -> None:
    """Draw vertices in order."""
    raise NotReplayed("DrawArrays is not replayed yet")


def draw_elements(context: Context, command: c.DrawElements) -> None:
    """Draw vertices by index."""
    raise NotReplayed("DrawElements is not replayed yet")
