"""Who looks on while fragments go through their order? Somebody who notes what happens to some, and changes nothing.

Where nobody does, this costs one comparison a step. Read next: ``pixel_watch.py``, which notes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

from refnvn.formats.floatbits import Float32, UInt32
from refnvn.raster.batch import Batch
from refnvn.raster.inputs import Inputs
from refnvn.raster.setup import Primitives
from refnvn.shader.execute import LaneOutputs

if TYPE_CHECKING:
    from refnvn.raster.stage import Stage

Alive = NDArray[np.bool_]


class Onlooker(Protocol):
    """Is told of each batch, which then holds one primitive; stages of one sample of several say which it is."""

    def begins(self, stage: Stage, primitives: Primitives, inputs: Inputs, batch: Batch) -> None:
        """Look at a batch before anything happens to it."""

    def covers(self, step: str, covered: Alive, sample: int | None = None) -> None:
        """Look at which samples a step has left, shape (samples, lanes): all of them, or one alone."""

    def tests(self, stage: Stage, front: Alive, depth: Float32, codes: UInt32, alive: Alive | None) -> None:
        """Look at depths and their codes before the tests of fragments that are alive; None for all."""

    def ran(self, stage: Stage, outputs: LaneOutputs, live: Alive | None) -> None:
        """Look at what the shader gave, for those that it was run for."""

    def alpha(self, stage: Stage, passed: Alive) -> None:
        """Look at which fragments the alpha test lets pass."""

    def ends(self, stage: Stage, passed: Alive | None) -> None:
        """Look at what is stored, once the fragments that count as passed are."""

    def done(self, stage: Stage) -> None:
        """Take note that all samples of a batch are stored."""
