"""Who follows places through a replay, and notes what each command and each event between commands did to them?

Before and after each command the place is read; what leaves another code wrote it. Of a draw to the sample's texture
the fragments of the pixel are told.

Read next: ``history.py``.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from contextlib import ExitStack

import numpy as np

from refnvn.commands.commands import AnyCommand
from refnvn.commands.recording import AnyEvent, pool_base_B
from refnvn.commands.resources import Region, TextureRef, View
from refnvn.compare.moments import BytesPlace, Moment, SamplePlace
from refnvn.layout.description import TextureTarget
from refnvn.raster.one_pixel import Drawing, fragments_at
from refnvn.replay.context import Context
from refnvn.replay.copies import area_codes
from refnvn.replay.draw_targets import layer_of
from refnvn.replay.views import Target, area_of
from refnvn.rules import registry
from refnvn.trace.files import Trace
from refnvn.trace.steps import Happening, steps

MOST_FRAGMENTS = 256
"""Of one command that are told; more are counted."""


class Watchers:
    """Tells several watchers what happens, and which rules a command used."""

    def __init__(self, watchers: Sequence[Watcher], advance: Callable[[], object]) -> None:
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

    def happened(self, context: Context, position: int, event: AnyEvent) -> None:
        """Let all look after an event."""
        for one in self.watchers:
            one.happened(context, Happening(position, type(event).__name__))

    def finished(self, context: Context) -> None:
        """Let all look at the end."""
        for one in self.watchers:
            one.finished(context)


class Watcher:
    """Follows one place through a replay."""

    def __init__(self, trace: Trace, place: SamplePlace | BytesPlace) -> None:
        self.place = place
        self.steps = steps(trace.recording)
        self.moments: list[Moment] = []
        self.first = self.now = b""
        self.moment: Moment | None = None
        self.commands = 0

    def begins(self, context: Context) -> None:
        """Note what is stored before a command."""
        self.now = self._stored(context)
        if not self.commands:
            self.first = self.now
        self.commands += 1
        self.moment = Moment(step=next(self.steps), before=self.now, after=self.now)

    def draws(self, context: Context, drawing: Drawing) -> None:
        """Note the fragments of the pixel, where the draw goes to the sample's texture."""
        place, moment = self.place, self.moment
        if moment is None or isinstance(place, BytesPlace) or not _is_drawn_to(context, place, drawing):
            return
        if drawing.fragment is not None and drawing.fragment.changes_memory:
            moment.remark = "its shader stores to memory, so its fragments are not run a second time"
            return
        _, row = _layer_and_row(context, place)
        for one in fragments_at(drawing, place.x, row, place.sample):
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

    def happened(self, context: Context, what: Happening) -> None:
        """Note what an event between commands left, where that is something else."""
        if not self.commands:
            return
        before, self.now = self.now, self._stored(context)
        if self.now != before:
            self.moments.append(Moment(step=what, before=before, after=self.now))

    def finished(self, context: Context) -> None:
        """Note what is stored where no command ran."""
        if not self.commands:
            self.first = self.now = self._stored(context)

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
    columns, rows, _ = target.subject.extent
    width, height = min(fmt.block_width_px, columns - x), min(fmt.block_height_px, rows - y)
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
    wanted, _ = _layer_and_row(context, place)
    for bound in (*context.state.colors, context.state.depth_stencil):
        if bound is None or (bound.pool, bound.offset_B) != (texture.pool, texture.offset_B):
            continue
        subject = bound.subject
        layer = subject.base_layer + layer_of(drawing.state.layer, subject.layers)
        if subject.level == place.level and layer == wanted:
            return True
    return False


def _layer_and_row(context: Context, place: SamplePlace) -> tuple[int, int]:
    """Return the layer that a draw goes to and the row in it: rows of a 1D array are its layers."""
    texture = context.recording.textures[place.texture]
    return (place.y, 0) if texture.target is TextureTarget.TARGET_1D_ARRAY else (place.layer, place.y)
