"""Where in a recording did a replay fail? Errors that name the command buffer, the command and the field.

A rule deep inside raises a plain error; :func:`field` and :func:`failed` put the place in front, so that the
sentence begins with ``command_buffers[0][3].texture.view:``. Read next: ``run.py``.
"""

from __future__ import annotations

from types import TracebackType

from refnvn.commands.place import PlacedError, joined
from refnvn.errors import ArgumentError, RefnvnError


class ReplayError(PlacedError):
    """A command or an event that cannot be executed."""


class NotReplayed(ArgumentError):
    """State or a command that NVN has and that this reference does not execute yet."""


class field:  # noqa: N801 - read as a word: `with field("region"):`
    """Put the name of a field in front of any error of refnvn that the block raises.

    Examples
    --------
    >>> with field("region"):
    ...     raise ArgumentError("too wide")
    Traceback (most recent call last):
    refnvn.replay.errors.ReplayError: region: too wide
    """

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def __enter__(self) -> None:
        """Do nothing."""

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Raise an error of refnvn again with the field's name."""
        if isinstance(error, RefnvnError):
            raise failed(self.name, error) from error


def failed(place: str, error: RefnvnError) -> ReplayError:
    """Return an error with a place in front of the one that it has.

    >>> str(failed("command_buffers[0][2]", ReplayError("region", "too wide")))
    'command_buffers[0][2].region: too wide'
    """
    if isinstance(error, ReplayError):
        return ReplayError(joined(place, error.place), error.fault)
    return ReplayError(place, str(error))
