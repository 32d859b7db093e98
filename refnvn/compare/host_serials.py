"""Which texture of a trace has which serial of a host?

A host numbers its textures as they are made, and nothing says the number of any of them. So serials are taken to rise
as the trace's textures do, and each may only be a texture that what was dumped of it fits. Where that leaves one
texture it is taken; where it leaves several, or none, that is said.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping


def textures_by_serial(allowed: Mapping[int, Iterable[int]], said: Mapping[int, int]) -> dict[int, tuple[int, ...]]:
    """Return for each serial the textures that it may be.

    Parameters
    ----------
    allowed : mapping of serial to indices of textures
        What fits by format and size.
    said : mapping of serial to texture
        What the user says; it need not rise.

    Returns
    -------
    dict of serial to tuple of int
        One where it is clear, none where the order of serials fits no order of textures.

    Examples
    --------
    >>> textures_by_serial({4: [0, 1], 9: [0, 1], 12: [3, 5]}, {})
    {4: (0,), 9: (1,), 12: (3, 5)}
    """
    taken = set(said.values())
    left = {serial: sorted(set(fits) - taken) for serial, fits in sorted(allowed.items()) if serial not in said}
    first = _earliest(left)
    last = {serial: -texture for serial, texture in _earliest(_turned(left)).items()}
    found = {
        serial: tuple(one for one in fits if serial in first and first[serial] <= one <= last[serial])
        for serial, fits in left.items()
    }
    return found | {serial: (said[serial],) for serial in allowed if serial in said}


def _turned(left: Mapping[int, list[int]]) -> dict[int, list[int]]:
    return {serial: [-one for one in reversed(fits)] for serial, fits in reversed(list(left.items()))}


def _earliest(left: Mapping[int, list[int]]) -> dict[int, int]:
    """Return the first texture that each serial can be in a rising order; nothing where there is no such order."""
    found: dict[int, int] = {}
    before: int | None = None
    for serial, fits in left.items():
        before = next((one for one in fits if before is None or one > before), None)
        if before is None:
            return {}
        found[serial] = before
    return found
