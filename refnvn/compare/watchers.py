"""Who follows places through a replay, and notes what each command and each event between commands did to them?

Before and after each command the place is read; what leaves another code wrote it. Who reads is told by the replay.
Of a draw to the place's bytes the fragments of its pixels are told.

Read next: ``history.py``, ``refnvn/replay/readings.py``.
"""

from __future__ import annotations

import contextvars
import itertools
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from typing import ParamSpec, TypeVar

import numpy as np

from refnvn.commands.commands import AnyCommand
from refnvn.commands.recording import AnyEvent, MapVirtual
from refnvn.commands.resources import Region, TextureRef, View
from refnvn.compare.drawn_places import DrawnPlace, drawn_places, goes_to
from refnvn.compare.moments import BytesPlace, Moment, Read, SamplePlace
from refnvn.layout.address import Texel, texel_offset_B
from refnvn.layout.multisample import sample_cell
from refnvn.memory.pool import Accessor
from refnvn.raster.fragment_seen import FragmentSeen
from refnvn.raster.one_pixel import Drawing, fragments_at
from refnvn.raster.pixel_watch import PixelWatch, Place
from refnvn.replay.context import Context
from refnvn.replay.copies import area_codes
from refnvn.replay.readings import Followed, Reading
from refnvn.replay.views import Area, Target, area_of
from refnvn.rules import registry
from refnvn.rules.fields import MemoryOrder
from refnvn.trace.files import Trace
from refnvn.trace.steps import Happening, steps

P = ParamSpec("P")
T = TypeVar("T")
MOST_FRAGMENTS = 256
"""Of one command that are told; more are counted."""


class Watchers:
    """Tells several watchers what happens, and which rules a command used."""

    def __init__(self, watchers: Sequence[Watcher], advance: Callable[[], object]) -> None:
        self.watchers = watchers
        self.advance = advance
        self._collecting = ExitStack()
        self._used: set[str] = set()
        self._looks = False

    def begins(self, context: Context, command: AnyCommand) -> None:
        """Let all look before a command."""
        del command
        for one in self.watchers:
            one.begins(context)
        self._used = self._collecting.enter_context(registry.collect())

    def draws(self, context: Context, drawing: Drawing) -> PixelWatch | None:
        """Let all look at what is drawn; what they read for that is not told.

        What stores to memory is not drawn a second time, but watched while it is drawn.
        """
        follows = _apart(self._follows, context, drawing)
        if not follows:
            return None
        if drawing.fragment is not None and drawing.fragment.changes_memory:
            return _watch(follows, drawing)
        self._looks = True
        for seen in _apart(fragments_at, drawing, list(follows)):
            _note(follows, seen)
        self._looks = False
        return None

    def _follows(self, context: Context, drawing: Drawing) -> _Follows:
        found: dict[Place, list[tuple[Watcher, DrawnPlace]]] = {}
        for one in self.watchers:
            for place in one.draws_to(context, drawing):
                found.setdefault((place.column, place.row, place.sample), []).append((one, place))
        return found

    def skips(self, context: Context, command: AnyCommand) -> None:
        """Let all whose place it could have written know that a draw or a clear does not happen."""
        mode = context.state.rendering.mode
        why = "rendering is disabled" if mode is None else f"the condition {mode.name} does not hold"
        for one in self.watchers:
            if _apart(one.could_be_written, context, command):
                one.remark(f"does not happen: {why}")

    def reads(self, context: Context, reading: Reading) -> None:
        """Let all look at what is read."""
        if not self._looks:
            for one in self.watchers:
                one.read(context, reading)

    def ends(self, context: Context, command: AnyCommand) -> None:
        """Let all look after a command."""
        del command
        self._collecting.close()
        for one in self.watchers:
            one.ends(context, self._used)
        self.advance()

    def happened(self, context: Context, position: int, event: AnyEvent) -> None:
        """Let all look after an event."""
        for one in self.watchers:
            one.happened(context, Happening(position, event))

    def finished(self, context: Context) -> None:
        """Let all look at the end."""
        for one in self.watchers:
            one.finished(context)


_Follows = Mapping[Place, "Sequence[tuple[Watcher, DrawnPlace]]"]
"""Who follows the samples that a draw goes to."""


def _apart(function: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
    """Call a function apart: what rules it uses the command that is watched does not."""
    return contextvars.Context().run(function, *arguments, **named)


def _note(follows: _Follows, seen: FragmentSeen) -> None:
    for one, place in follows[seen.column, seen.row, seen.sample]:
        one.note_fragment(place, seen)


def _watch(follows: _Follows, drawing: Drawing) -> PixelWatch | None:
    """Return who tells watchers of the fragments that they follow, while these are drawn."""
    if drawing.rules.memory_order is not MemoryOrder.REVERSED:
        return PixelWatch(follows, partial(_note, follows))
    for one, _ in itertools.chain.from_iterable(follows.values()):
        one.remark("its shader stores to memory and runs for the last primitive first: fragments are not told")
    return None


class Watcher:
    """Follows one place through a replay."""

    def __init__(self, trace: Trace, place: SamplePlace | BytesPlace) -> None:
        self.place = place
        self.steps = steps(trace.recording)
        self.moments: list[Moment] = []
        self.first = self.now = b""
        self.moment: Moment | None = None
        self.commands = 0
        self._bytes: BytesPlace | None = None
        self._followed: Followed | None = None
        self._reads: dict[tuple[str, str], Read] = {}

    def begins(self, context: Context) -> None:
        """Note what is stored before a command."""
        self._follow(context)
        self.now = self._stored(context)
        if not self.commands:
            self.first = self.now
        self.commands += 1
        self.moment = Moment(step=next(self.steps), before=self.now, after=self.now)
        self._reads.clear()

    def draws_to(self, context: Context, drawing: Drawing) -> list[DrawnPlace]:
        """Return the samples of targets whose bytes are followed."""
        return drawn_places(context, drawing, self._follow(context))

    def could_be_written(self, context: Context, command: AnyCommand) -> bool:
        """Say whether a draw or a clear goes to images that hold the place."""
        return goes_to(context, command, self._follow(context))

    def note_fragment(self, place: DrawnPlace, one: FragmentSeen) -> None:
        """Note a fragment at one of those samples."""
        moment = self.moment
        assert moment is not None
        for target, reader in one.reads:
            if target in place.targets:
                self._note_read(reader, target, "primitive", 1, {one.primitive})
        if len(moment.fragments) < MOST_FRAGMENTS:
            moment.fragments.append(one)
        else:
            moment.left_out += 1

    def remark(self, words: str) -> None:
        """Note why something is not told."""
        assert self.moment is not None
        self.moment.remark = words

    def read(self, context: Context, reading: Reading) -> None:
        """Note who reads the place."""
        hits = reading.hits(self._follow(context))
        if hits.any():
            numbers = set() if reading.numbers is None else set(reading.numbers[hits].tolist())
            times = int(np.count_nonzero(hits))
            self._note_read(reading.reader, reading.what, reading.element, times, numbers)

    def _note_read(self, reader: str, what: str, element: str, times: int, numbers: set[int]) -> None:
        found = self._reads.setdefault((reader, what), Read(reader=reader, what=what, element=element))
        found.times += times
        found.numbers |= numbers

    def ends(self, context: Context, used: Collection[str]) -> None:
        """Note what is stored after a command, and by which rules."""
        assert self.moment is not None
        self.now = self.moment.after = self._stored(context)
        self._keep(self.moment, used)
        self.moment = None

    def happened(self, context: Context, what: Happening) -> None:
        """Note what an event between commands left, where that is something else, and who read the place."""
        if isinstance(what.event, MapVirtual):
            self._followed = None
        if self.commands:
            before, self.now = self.now, self._stored(context)
            self._keep(Moment(step=what, before=before, after=self.now))
        self._reads.clear()

    def _keep(self, moment: Moment, used: Collection[str] = ()) -> None:
        moment.reads, self._reads = list(self._reads.values()), {}
        if moment.tells:
            moment.rules = tuple(sorted(used))
            self.moments.append(moment)

    def finished(self, context: Context) -> None:
        """Note what is stored where no command ran."""
        if not self.commands:
            self.first = self.now = self._stored(context)

    def _stored(self, context: Context) -> bytes:
        place = self.place
        if isinstance(place, BytesPlace):
            by = Accessor.GPU if context.memory.pool(place.pool).allows(Accessor.GPU) else Accessor.CPU
            return context.memory.read_pool(place.pool, place.offset_B, place.size_B, by=by).tobytes()
        return stored_at(context, place)

    def _follow(self, context: Context) -> Followed:
        """Return the bytes of the place; where pages are mapped they move."""
        if self._followed is None:
            place = self.place if isinstance(self.place, BytesPlace) else bytes_of(context, self.place)
            self._followed = Followed(context.memory.pool(place.pool).segments(place.offset_B, place.size_B))
        return self._followed


def stored_at(context: Context, place: SamplePlace) -> bytes:
    """Return the stored bytes of a sample, or of the block that holds a pixel."""
    target = _target(context, place)
    texel = np.ascontiguousarray(area_codes(target, _area(target, place))).reshape(-1)
    size_B = target.fmt.bytes_per_block
    return texel[place.sample * size_B : (place.sample + 1) * size_B].tobytes()


def _target(context: Context, place: SamplePlace) -> Target:
    view = View(base_level=place.level, levels=1)
    return context.textures.target(TextureRef(texture=place.texture, view=view))


def _area(target: Target, place: SamplePlace) -> Area:
    """Return a pixel, or the block that holds it."""
    fmt = target.fmt
    x, y = place.x - place.x % fmt.block_width_px, place.y - place.y % fmt.block_height_px
    columns, rows, _ = target.subject.extent
    width, height = min(fmt.block_width_px, columns - x), min(fmt.block_height_px, rows - y)
    return area_of(target, Region(x=x, y=y, z=place.layer, width=width, height=height))


def bytes_of(context: Context, place: SamplePlace) -> BytesPlace:
    """Return where a sample, or the block that holds a pixel, lies in memory."""
    target = _target(context, place)
    fmt, layout, samples = target.fmt, target.layout, target.subject.samples
    area = _area(target, place)
    x, y, _, _ = target.of_texels(area.rectangle)
    column, row = sample_cell(samples, place.sample)
    texel = Texel(
        level=place.level,
        layer=0 if target.is_3d else area.first,
        x_el=x // fmt.block_width_px + column,
        y_el=y // fmt.block_height_px + row,
        z=area.first if target.is_3d else 0,
    )
    offset_B = target.offset_B + texel_offset_B(layout, texel)
    return BytesPlace(pool=target.pool, offset_B=offset_B, size_B=fmt.bytes_per_block)
