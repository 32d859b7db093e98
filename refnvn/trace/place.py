"""Where in a recording is something wrong? Errors that carry a place, outermost part first.

A check deep inside raises a plain error; each :func:`at` on the way out puts its part in front, so that the sentence
begins with ``command_buffers[0][3].texture.view:``. Read next: ``check.py``.
"""

from __future__ import annotations

from types import TracebackType

from refnvn.commands.place import PlacedError, joined
from refnvn.errors import RefnvnError


class Misplaced(PlacedError):
    """Something wrong in a recording, found by a check before anything runs."""


class at:  # noqa: N801 - read as a word: `with at("textures", 2):`
    """Put a part of a place in front of any error of refnvn that the block raises.

    Parameters
    ----------
    *parts : str or int
        Names, and indices in brackets.

    Examples
    --------
    >>> from refnvn.errors import ArgumentError
    >>> with at("textures", 2):
    ...     raise ArgumentError("no pool 7")
    Traceback (most recent call last):
    refnvn.trace.place.Misplaced: textures[2]: no pool 7
    """

    def __init__(self, *parts: str | int) -> None:
        self.parts = parts

    def __enter__(self) -> None:
        """Do nothing."""

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Raise an error of refnvn again at this place."""
        if isinstance(error, Misplaced):
            raise Misplaced(joined(*self.parts, error.place), error.fault) from error.__cause__
        if isinstance(error, RefnvnError):
            raise Misplaced(joined(*self.parts), str(error)) from error
