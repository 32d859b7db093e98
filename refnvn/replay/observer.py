"""Who looks on while a recording is replayed? Somebody who wants to know what each command did, and changes nothing.

Read next: ``run.py``, ``refnvn/compare/history.py``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from refnvn.commands.commands import AnyCommand
from refnvn.commands.recording import AnyEvent
from refnvn.raster.one_pixel import Drawing
from refnvn.raster.onlooker import Onlooker
from refnvn.replay.readings import Reading

if TYPE_CHECKING:
    from refnvn.replay.context import Context


class Observer(Protocol):
    """Is told of every command that runs, of every group of primitives before it is drawn, and of other events."""

    def begins(self, context: Context, command: AnyCommand) -> None:
        """Look before a command runs."""

    def draws(self, context: Context, drawing: Drawing) -> Onlooker | None:
        """Look at primitives, and the targets that they go to, before they are drawn; return who looks at that."""

    def skips(self, context: Context, command: AnyCommand) -> None:
        """Look at a draw or a clear that does not happen, because rendering is disabled."""

    def reads(self, context: Context, reading: Reading) -> None:
        """Look at what a command, or an event, reads."""

    def ends(self, context: Context, command: AnyCommand) -> None:
        """Look after a command has run."""

    def happened(self, context: Context, position: int, event: AnyEvent) -> None:
        """Look after an event that is no submission; it stands at ``position`` of the timeline."""

    def finished(self, context: Context) -> None:
        """Look after the last event, also where there was none."""
