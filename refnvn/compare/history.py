"""What is the life of one sample, or of some bytes: every command that changed, could have changed or read them?

A replay is watched. Before and after each command the sample's code is read; a command that leaves another code wrote
it, and so did an event between commands, such as a write of the processor. Who reads is told where it reads. A draw
to these bytes tells each fragment with its tests and operands, also where it stored nothing.

What it does not do: descriptors have no bytes here, so nobody reads those.
Read next: ``history_words.py``, ``refnvn/raster/one_pixel.py``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from refnvn.commands.resources import View
from refnvn.commands.subject import subject_of
from refnvn.compare.moments import BytesPlace, Moment, SamplePlace
from refnvn.compare.watchers import Watcher, Watchers
from refnvn.errors import FieldRangeError
from refnvn.formats.table import Format
from refnvn.replay.run import replay
from refnvn.rules.fields import NVN, Rules
from refnvn.trace.files import Trace
from refnvn.trace.steps import cut_after


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """The life of a place.

    Attributes
    ----------
    fmt : Format or None
        Of the texture; None for bytes.
    first, last : bytes
        What is stored before the first command, and at the end.
    commands : int
        How many ran.
    moments : tuple of Moment
        Commands that changed or read it, draws that had fragments there, and what changed or read it between.
    """

    fmt: Format | None
    first: bytes
    last: bytes
    commands: int
    moments: tuple[Moment, ...]


def history_of(
    trace: Trace,
    place: SamplePlace | BytesPlace,
    *,
    rules: Rules = NVN,
    until: int | None = None,
    advance: Callable[[], object] = lambda: None,
) -> History:
    """Return the life of a sample or of bytes; see :func:`histories_of`."""
    return histories_of(trace, [place], rules=rules, until=until, advance=advance)[0]


def histories_of(
    trace: Trace,
    places: Sequence[SamplePlace | BytesPlace],
    *,
    rules: Rules = NVN,
    until: int | None = None,
    advance: Callable[[], object] = lambda: None,
) -> list[History]:
    """Return the lives of samples and of bytes, all by one replay.

    Parameters
    ----------
    trace : Trace
    places : sequence of SamplePlace or BytesPlace
    rules : Rules
        By which it is replayed.
    until : int or None
        The number of the last command, see :mod:`refnvn.trace.steps`; None for all.
    advance : callable
        Called after each command.

    Raises
    ------
    ArgumentError, FieldRangeError
        For a place or a command that the trace does not have.
    """
    for place in places:
        _check(trace, place)
    if until is not None:
        trace = cut_after(trace, until, [])
    watchers = Watchers([Watcher(trace, place) for place in places], advance)
    replay(trace.recording, trace.blobs, rules, observer=watchers)
    return [
        History(
            fmt=_format(trace, one.place),
            first=one.first,
            last=one.now,
            commands=one.commands,
            moments=tuple(one.moments),
        )
        for one in watchers.watchers
    ]


def _format(trace: Trace, place: SamplePlace | BytesPlace) -> Format | None:
    return None if isinstance(place, BytesPlace) else subject_of(trace.recording.textures[place.texture]).fmt


def _check(trace: Trace, place: SamplePlace | BytesPlace) -> None:
    recording = trace.recording
    if isinstance(place, BytesPlace):
        if not 0 <= place.pool < len(recording.pools):
            raise FieldRangeError(f"pool {place.pool}; there are {len(recording.pools)}")
        size_B = recording.pools[place.pool].size_B
        if place.offset_B < 0 or place.size_B < 1 or place.offset_B + place.size_B > size_B:
            raise FieldRangeError(f"bytes {place.offset_B} to {place.offset_B + place.size_B}; the pool has {size_B}")
        return
    if not 0 <= place.texture < len(recording.textures):
        raise FieldRangeError(f"texture {place.texture}; there are {len(recording.textures)}")
    subject = subject_of(recording.textures[place.texture], View(base_level=place.level, levels=1))
    width, height, depth = subject.extent
    for name, value, size in (
        ("x", place.x, width), ("y", place.y, height), ("layer", place.layer, depth),
        ("sample", place.sample, subject.samples),
    ):  # fmt: skip
        if not 0 <= value < size:
            raise FieldRangeError(f"{name} {value}; allowed are 0 to {size - 1}")
