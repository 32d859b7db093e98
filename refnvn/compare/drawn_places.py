"""Which pixels of the targets of a draw are the bytes that somebody follows?

By the bytes alone: through which texture object, view, format or layer they are drawn to does not matter. Where
colour targets have fewer samples than the rasteriser, a colour sample is looked at in the first that belongs to it.

Read next: ``watchers.py``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from refnvn.commands import commands as c
from refnvn.commands.commands import AnyCommand
from refnvn.layout.multisample import sample_cell
from refnvn.memory.pool import share_bytes
from refnvn.memory.surface import placement
from refnvn.raster.mixed_samples import color_sample_of, raster_samples_of
from refnvn.raster.one_pixel import Drawing
from refnvn.replay.context import Context
from refnvn.replay.draw_targets import layer_of
from refnvn.replay.readings import Followed
from refnvn.replay.views import Target


@dataclass(frozen=True, slots=True)
class DrawnPlace:
    """A sample of a pixel, by column and row of memory, and the targets in which it is followed by name."""

    column: int
    row: int
    sample: int
    targets: frozenset[str]


def drawn_places(context: Context, drawing: Drawing, followed: Followed) -> list[DrawnPlace]:
    """Return the samples of targets that hold some of the bytes that are followed, by row and column."""
    found: dict[tuple[int, int, int], set[str]] = {}
    samples = raster_samples_of(drawing.state.multisample, drawing.colors, drawing.depth)
    bound = [(target, (f"color {slot}",)) for slot, target in enumerate(context.state.colors)]
    depth = None if drawing.depth is None else context.state.depth_stencil
    for target, names in (*bound, (depth, ("depth", "stencil"))):
        if target is not None:
            belongs = color_sample_of(samples, target.subject.samples).tolist()
            for row, column, sample in _places(target, drawing.state.layer, followed):
                found.setdefault((row, column, belongs.index(sample)), set()).update(names)
    return [
        DrawnPlace(column, row, sample, frozenset(names)) for (row, column, sample), names in sorted(found.items())
    ]


def goes_to(context: Context, command: AnyCommand, followed: Followed) -> bool:
    """Say whether a draw or a clear, whatever it covers, goes to an image that holds bytes that are followed."""
    state = context.state
    targets: Sequence[Target | None] = (*state.colors, state.depth_stencil)
    match command:
        case c.ClearTexture() | c.ClearTexturei() | c.ClearTextureui():
            targets = [context.textures.target(command.texture)]
        case c.ClearColor() | c.ClearColori() | c.ClearColorui():
            targets = state.colors[command.index : command.index + 1]
        case c.ClearDepthStencil():
            targets = [state.depth_stencil]
    return any(target is not None and _holds(context, target, followed) for target in targets)


def _holds(context: Context, target: Target, followed: Followed) -> bool:
    """Say whether an image of a target holds bytes that are followed; none is taken from memory for that."""
    subject, pool = target.subject, context.memory.pool(target.pool)
    layers = [0] if target.is_3d else range(subject.base_layer, subject.base_layer + subject.layers)
    places = (placement(target.pool, target.offset_B, target.layout, subject.level, layer) for layer in layers)
    return any(share_bytes(pool.segments(one.start_B, one.size_B), followed.segments) for one in places)


def _places(target: Target, layer: int, followed: Followed) -> Iterator[tuple[int, int, int]]:
    """Yield row, column and sample of a target's texels that are followed."""
    subject = target.subject
    part = next(target.parts(layer_of(layer, subject.layers), 1))
    marked = followed.texels_of(part.surface)
    if marked is None:
        return
    across, down = target.grid
    cells = [sample_cell(subject.samples, sample) for sample in range(subject.samples)]
    for row, column in np.argwhere(marked[part.first_slice]).tolist():
        yield row // down, column // across, cells.index((column % across, row % down))
