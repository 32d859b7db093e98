"""Which stored images does a command mean when it names a texture and a view?

The format, level and layers come from :func:`refnvn.commands.subject.subject_of`; here they meet the layout of the
texture that owns the storage. A view never has a layout of its own: it looks at its parent's texels, so an integer
view of a compressed texture has one texel a block, and slices of a 3D texture are layers.

Read next: ``clears.py``, ``copies.py``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from refnvn.commands.recording import Recording
from refnvn.commands.resources import Region, Texture, TextureRef
from refnvn.commands.subject import Subject, check_region, description_of, subject_of
from refnvn.errors import ArgumentError
from refnvn.formats.table import Format
from refnvn.layout.description import TextureTarget
from refnvn.layout.gob import GOB_SIZE_B
from refnvn.layout.multisample import sample_cell, sample_grid
from refnvn.layout.texture import TextureLayout, texture_layout
from refnvn.memory.memory import Memory
from refnvn.memory.pool import Accessor
from refnvn.memory.surface import Surface
from refnvn.raster.target import Rectangle
from refnvn.replay.errors import field
from refnvn.rules.evidence import Evidence
from refnvn.rules.fields import Rules
from refnvn.rules.registry import rule

Box = tuple[range, range, range]
"""Slices, rows and columns of storage."""


class Area(NamedTuple):
    """What a region means: layers of a view, or slices, from ``first``, and a rectangle of pixels in each."""

    first: int
    layers: int
    rectangle: Rectangle


class Part(NamedTuple):
    """One surface and which of its slices a command touches."""

    surface: Surface
    first_slice: int
    slices: int


class Target:
    """A texture seen through a view, in memory.

    Attributes
    ----------
    subject : Subject
        Format, level, layers and size.
    fmt : Format
        Of the view.
    layout : TextureLayout
        Of the texture.
    grid : tuple of int
        Texels of storage that a pixel takes, across and down: more than one with samples.
    """

    __slots__ = ("_kept", "fmt", "grid", "is_3d", "layout", "memory", "offset_B", "pool", "subject")

    def __init__(self, memory: Memory, texture: Texture, subject: Subject, layout: TextureLayout) -> None:
        self.memory = memory
        self.subject = subject
        self.fmt: Format = subject.fmt
        self.layout = layout
        self.pool = texture.pool
        self.offset_B = texture.offset_B
        self.grid = sample_grid(subject.samples)
        self.is_3d = texture.target is TextureTarget.TARGET_3D
        self._kept: dict[int, Surface] = {}

    def parts(self, first: int = 0, count: int | None = None, *, by: Accessor = Accessor.GPU) -> Iterator[Part]:
        """Yield the surfaces of some layers of the view, in order, each as it is reached.

        Parameters
        ----------
        first, count : int
            Layers of the view; slices of a 3D texture. None is all from ``first``.
        by : Accessor
            Who touches them.
        """
        subject = self.subject
        count = subject.layers - first if count is None else count
        base = subject.base_layer + first
        if self.is_3d:
            yield Part(self._surface(0, by), base, count)
            return
        for layer in range(base, base + count):
            yield Part(self._surface(layer, by), 0, 1)

    def of_texels(self, rectangle: Rectangle) -> Rectangle:
        """Return a rectangle of pixels as one of texels of storage."""
        across, down = self.grid
        x, y, width, height = rectangle
        return x * across, y * down, width * across, height * down

    def boxes(self, area: Area, *, by: Accessor = Accessor.GPU) -> Iterator[tuple[Surface, Box]]:
        """Yield the surfaces of an area, and slices, rows and columns of storage of each."""
        x, y, width, height = self.of_texels(area.rectangle)
        across, down = self.fmt.block_width_px, self.fmt.block_height_px
        columns, rows = range(x // across, -(-(x + width) // across)), range(y // down, -(-(y + height) // down))
        for part in self.parts(area.first, area.layers, by=by):
            yield part.surface, (range(part.first_slice, part.first_slice + part.slices), rows, columns)

    def storage_of(
        self, rows: NDArray[np.intp], columns: NDArray[np.intp], sample: int
    ) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Return rows and columns of storage in which a sample of pixels lies."""
        across, down = self.grid
        x, y = sample_cell(self.subject.samples, sample)
        return rows * down + y, columns * across + x

    def _surface(self, layer: int, by: Accessor) -> Surface:
        """Return a surface, asking memory only if the last one is no longer current, or somebody else asks."""
        kept = self._kept.get(layer)
        if kept is not None and kept.is_current and by is Accessor.GPU:
            return kept
        surface = self.memory.surface(self.pool, self.offset_B, self.layout, self.subject.level, layer, by=by)
        if by is Accessor.GPU:
            self._kept[layer] = surface
        return surface


def area_of(target: Target, region: Region) -> Area:
    """Return what a region means, checked; a 1D array counts its layers in y.

    Raises
    ------
    ReplayError
        For a region outside the view.
    """
    with field("region"):
        check_region(target.subject, region)
    if target.subject.target is TextureTarget.TARGET_1D_ARRAY:
        return Area(region.y, region.height, (region.x, 0, region.width, 1))
    return Area(region.z, region.depth, (region.x, region.y, region.width, region.height))


class Textures:
    """The textures of a recording, laid out once each.

    Parameters
    ----------
    recording : Recording
        Whose textures are referred to.
    memory : Memory
        Where they lie.
    rules : Rules
        Of the layouts.
    """

    def __init__(self, recording: Recording, memory: Memory, rules: Rules) -> None:
        self._textures = recording.textures
        self._memory = memory
        self._rules = rules
        self._layouts: dict[int, TextureLayout] = {}
        self._targets: dict[TextureRef, Target] = {}

    def target(self, ref: TextureRef) -> Target:
        """Return what a reference means.

        Raises
        ------
        ReplayError
            Naming the field: no such texture, a view that does not fit it, storage outside its pool.
        """
        found = self._targets.get(ref)
        if found is None:
            found = recorded_target(self, ref)
            self._targets[ref] = found
        return found

    def texture(self, index: int) -> tuple[Texture, TextureLayout]:
        """Return a texture and its layout.

        Raises
        ------
        ReplayError
            As in :meth:`target`.
        """
        with field("texture"):
            if not 0 <= index < len(self._textures):
                raise ArgumentError(f"no texture {index}; there are {len(self._textures)}")
            texture = self._textures[index]
            if index not in self._layouts:
                self._layouts[index] = self._laid_out(texture)
            return texture, self._layouts[index]

    def seen(self, texture: Texture, layout: TextureLayout, subject: Subject) -> Target:
        """Return a target in this recording's memory."""
        return Target(self._memory, texture, subject, layout)

    def _laid_out(self, texture: Texture) -> TextureLayout:
        layout = texture_layout(description_of(texture), self._rules)
        self._memory.pool(texture.pool).check_range(texture.offset_B, layout.size_B)
        if layout.levels[0].blocks is not None and texture.offset_B % GOB_SIZE_B:
            raise ArgumentError(f"storage at offset {texture.offset_B}; multiples of {GOB_SIZE_B} are allowed")
        return layout


@rule(
    "REPLAY-TEXTURE-1",
    "A command means the texture as it was described when the command was recorded, seen through the view that it "
    "names: a view changes format, level and layers, never the layout.",
    evidence=Evidence.SWITCH,
    sources=("seed-titles",),
    ledger=("record-snapshot", "bc-as-rt", "rt-view-srgb", "tex-fit-root", "depth-as-colour-rt"),
)
def recorded_target(textures: Textures, ref: TextureRef) -> Target:
    """Return what a reference means, in memory."""
    texture, layout = textures.texture(ref.texture)
    with field("view"):
        subject = subject_of(texture, ref.view)
    return textures.seen(texture, layout, subject)
