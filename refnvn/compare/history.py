"""What is the life of one sample, or of some bytes: every command that changed or could have changed them?

A replay is watched. Before and after each command the sample's code is read; a command that leaves another code wrote
it. A draw to the sample's texture tells each fragment of the pixel with its tests and operands, also where it stored
nothing. Bytes of a pool are followed likewise.

What it does not do: it does not say who read.
Read next: ``history_words.py``, ``refnvn/raster/one_pixel.py``.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field

import numpy as np

from refnvn.commands.commands import AnyCommand
from refnvn.commands.recording import pool_base_B
from refnvn.commands.resources import Region, TextureRef, View
from refnvn.commands.subject import subject_of
from refnvn.errors import FieldRangeError
from refnvn.formats.table import Format
from refnvn.raster.one_pixel import Drawing, FragmentSeen, fragments_at
from refnvn.replay.context import Context
from refnvn.replay.copies import area_codes
from refnvn.replay.draw_targets import layer_of
from refnvn.replay.run import replay
from refnvn.replay.views import Target, area_of
from refnvn.rules import registry
from refnvn.rules.fields import NVN, Rules
from refnvn.trace.files import Trace
from refnvn.trace.steps import Step, cut_after, steps

MOST_FRAGMENTS = 256
"""Of one command that are told; more are counted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SamplePlace:
    """One sample of a texture of the recording."""

    texture: int
    x: int
    y: int
    level: int = 0
    layer: int = 0
    sample: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class BytesPlace:
    """Some bytes of a pool of the recording."""

    pool: int
    offset_B: int
    size_B: int


@dataclass(slots=True, kw_only=True)
class Moment:
    """What one command did to the place.

    Attributes
    ----------
    step : Step
    before, after : bytes
        What is stored.
    fragments : list of FragmentSeen
        Of a draw: the fragments at the pixel, in order.
    left_out : int
        Fragments that are not told.
    remark : str
        Why no fragment is told, where it could be expected.
    rules : tuple of str
        Ids of the rules that the command used.
    """

    step: Step
    before: bytes
    after: bytes
    fragments: list[FragmentSeen] = field(default_factory=list)
    left_out: int = 0
    remark: str = ""
    rules: tuple[str, ...] = ()

    @property
    def changed(self) -> bool:
        """Whether another code is stored after the command."""
        return self.before != self.after


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """The life of a place.

    Attributes
    ----------
    fmt : Format or None
        Of the texture; None for bytes.
    first, last : bytes
        What is stored before the first command and after the last.
    moments : tuple of Moment
        Commands that changed it, and draws that had fragments there.
    """

    fmt: Format | None
    first: bytes
    last: bytes
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
    watchers = _Watchers([_Watcher(trace, place) for place in places], advance)
    replay(trace.recording, trace.blobs, rules, observer=watchers)
    return [
        History(fmt=_format(trace, one.place), first=one.first, last=one.now, moments=tuple(one.moments))
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


class _Watchers:
    """Tells several watchers what happens, and which rules a command used."""

    def __init__(self, watchers: Sequence[_Watcher], advance: Callable[[], object]) -> None:
        self.watchers = watchers
        self.advance = advance
        self._collecting = ExitStack()
        self._used: set[str] = set()

    def begins(self, context: Context, command: AnyCommand) -> None:
        """Let all look before a command."""
        del command
        for one in self.watchers:
            one.begins(context)
        self._used = self._collecting.enter_context(registry.collect())

    def draws(self, context: Context, drawing: Drawing) -> None:
        """Let all look at what is drawn."""
        for one in self.watchers:
            one.draws(context, drawing)

    def ends(self, context: Context, command: AnyCommand) -> None:
        """Let all look after a command."""
        del command
        self._collecting.close()
        for one in self.watchers:
            one.ends(context, self._used)
        self.advance()


class _Watcher:
    """Follows one place through a replay."""

    def __init__(self, trace: Trace, place: SamplePlace | BytesPlace) -> None:
        self.place = place
        self.steps = steps(trace.recording)
        self.moments: list[Moment] = []
        self.first = self.now = b""
        self.moment: Moment | None = None
        self._started = False

    def begins(self, context: Context) -> None:
        """Note what is stored before a command."""
        self.now = self._stored(context)
        if not self._started:
            self.first, self._started = self.now, True
        self.moment = Moment(step=next(self.steps), before=self.now, after=self.now)

    def draws(self, context: Context, drawing: Drawing) -> None:
        """Note the fragments of the pixel, where the draw goes to the sample's texture."""
        place, moment = self.place, self.moment
        if moment is None or isinstance(place, BytesPlace) or not _is_drawn_to(context, place, drawing):
            return
        if drawing.fragment is not None and drawing.fragment.changes_memory:
            moment.remark = "its shader stores to memory, so its fragments are not run a second time"
            return
        for one in fragments_at(drawing, place.x, place.y, place.sample):
            if len(moment.fragments) < MOST_FRAGMENTS:
                moment.fragments.append(one)
            else:
                moment.left_out += 1

    def ends(self, context: Context, used: Collection[str]) -> None:
        """Note what is stored after a command, and by which rules."""
        assert self.moment is not None
        self.now = self._stored(context)
        self.moment.after = self.now
        if self.moment.changed or self.moment.fragments or self.moment.remark:
            self.moment.rules = tuple(sorted(used))
            self.moments.append(self.moment)
        self.moment = None

    def _stored(self, context: Context) -> bytes:
        place = self.place
        if isinstance(place, BytesPlace):
            return context.memory.read(pool_base_B(place.pool) + place.offset_B, place.size_B).tobytes()
        return _texel(context, place)


def _texel(context: Context, place: SamplePlace) -> bytes:
    """Return the stored bytes of a sample, or of the block that holds a pixel."""
    target = _target(context, place)
    fmt = target.fmt
    x, y = place.x - place.x % fmt.block_width_px, place.y - place.y % fmt.block_height_px
    subject = target.subject
    width = min(fmt.block_width_px, subject.width_px - x)
    height = min(fmt.block_height_px, subject.height_px - y)
    region = Region(x=x, y=y, z=place.layer, width=width, height=height)
    codes = area_codes(target, area_of(target, region))
    texel = np.ascontiguousarray(codes).reshape(-1)
    size_B = fmt.bytes_per_block
    return texel[place.sample * size_B : (place.sample + 1) * size_B].tobytes()


def _target(context: Context, place: SamplePlace) -> Target:
    view = View(base_level=place.level, levels=1)
    return context.textures.target(TextureRef(texture=place.texture, view=view))


def _is_drawn_to(context: Context, place: SamplePlace, drawing: Drawing) -> bool:
    """Whether one of the targets that are bound is the level and layer of the place."""
    texture = context.recording.textures[place.texture]
    for bound in (*context.state.colors, context.state.depth_stencil):
        if bound is None or (bound.pool, bound.offset_B) != (texture.pool, texture.offset_B):
            continue
        subject = bound.subject
        layer = subject.base_layer + layer_of(drawing.state.layer, subject.layers)
        if subject.level == place.level and layer == place.layer:
            return True
    return False
