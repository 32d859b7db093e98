"""What do all fragments of a draw share?

Read next: ``fragment.py``, the order in which they go through it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from refnvn.formats.floatbits import Int64
from refnvn.raster import depth_stencil
from refnvn.raster.alpha_test import decides
from refnvn.raster.fragment_shader import FragmentShader
from refnvn.raster.merge import Merge, merge_of
from refnvn.raster.onlooker import Onlooker
from refnvn.raster.state import RasterState
from refnvn.raster.target import ColorTarget
from refnvn.rules.fields import Rules
from refnvn.shader.lane_memory import NO_MEMORY, LaneMemory
from refnvn.shader.textures import NO_TEXTURES, Textures

Uniforms = Callable[[int], NDArray[np.uint8]]


@dataclass(frozen=True, slots=True)
class Stage:
    """What all fragments of a draw share.

    Attributes
    ----------
    state : RasterState
    fragment : FragmentShader or None
        Without one only depth and stencil are written.
    uniforms : callable
        The bytes bound to each uniform slot.
    colors : tuple of ColorTarget or None
    planes : depth_stencil.StoredPlanes or None
        None where no test is on.
    tests : depth_stencil.Tests
    rules : Rules
    samples : tuple of Stage
        Where targets have several samples: the same for each of them alone.
    color_samples : tuple of Stage
        Where the rasteriser has more samples than colour targets: that of each colour sample.
    positions : int64, shape (rows, columns, samples, 2), or None
        Where they are, see :func:`refnvn.raster.samples.positions_by_pixel`.
    textures : Textures
        What the handles of textures and samplers name.
    memory : LaneMemory
        The storage buffers and images of the shader.
    sample : int or None
        Which sample it is the stage of alone, where the rasteriser has several.
    onlooker : Onlooker or None
        Is told what happens to fragments; batches are then of one primitive each.
    merges : dict
        How targets merge, by location, once it was asked for: the same for all fragments and samples.
    """

    state: RasterState
    fragment: FragmentShader | None
    uniforms: Uniforms
    colors: tuple[ColorTarget | None, ...]
    planes: depth_stencil.StoredPlanes | None
    tests: depth_stencil.Tests
    rules: Rules
    samples: tuple[Stage, ...] = ()
    color_samples: tuple[Stage, ...] = ()
    positions: Int64 | None = None
    textures: Textures = NO_TEXTURES
    memory: LaneMemory = NO_MEMORY
    sample: int | None = None
    onlooker: Onlooker | None = None
    merges: dict[int, Merge | None] = field(default_factory=dict, compare=False)

    def merge(self, location: int, target: ColorTarget) -> Merge | None:
        """Return how a target merges; None where outputs are just stored."""
        if location not in self.merges:
            self.merges[location] = merge_of(self.state, location, target)
        return self.merges[location]

    @property
    def tests_early(self) -> bool:
        """Whether the tests may, or must, run before the shader."""
        return self.fragment is None or self.fragment.early or not (self.fragment.late or self.tests_alpha)

    @property
    def tests_alpha(self) -> bool:
        """Whether the alpha test decides anything."""
        first = self.colors[0] if self.colors else None
        return self.fragment is not None and decides(self.state.alpha_test, None if first is None else first.fmt)
