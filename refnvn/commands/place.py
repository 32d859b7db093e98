"""How are places in a recording written, and what does an error at one carry?

``trace/place.py`` and ``replay/errors.py`` give such errors. Read next: those.
"""

from __future__ import annotations

from refnvn.errors import ArgumentError


class PlacedError(ArgumentError):
    """Something wrong at a place of a recording.

    Attributes
    ----------
    place : str
        ``command_buffers[0][3].texture``, or a part of it on the way out; empty for the whole.
    fault : str
        What is wrong there, with the value and what is allowed.
    """

    def __init__(self, place: str, fault: str) -> None:
        super().__init__(f"{place}: {fault}" if place else fault)
        self.place = place
        self.fault = fault


def joined(*parts: str | int) -> str:
    """Return parts of a place, outermost first, as one: indices in brackets, names after dots.

    >>> joined("textures", 2, "", "format")
    'textures[2].format'
    >>> joined("command_buffers[0][2]", "[1].width")
    'command_buffers[0][2][1].width'
    """
    place = ""
    for part in parts:
        if isinstance(part, int):
            place += f"[{part}]"
        elif part:
            place += part if not place or part.startswith("[") else f".{part}"
    return place
