"""What do commands set of the stages between vertex shader and rasteriser? Part of the state of a queue.

Read next: ``feedback.py``, ``stages.py``.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from refnvn.commands.commands import FEEDBACK_BUFFERS


@dataclass(slots=True)
class Capturing:
    """Transform feedback since it began.

    Attributes
    ----------
    counts_B : list of int
        Bytes captured in each buffer.
    vertices : int
        Vertices captured.
    paused : bool
    """

    counts_B: list[int] = field(default_factory=lambda: [0] * FEEDBACK_BUFFERS)
    vertices: int = 0
    paused: bool = False


@dataclass(slots=True)
class StageState:
    """State of the stages before the rasteriser.

    Attributes
    ----------
    rasterizer_discard : bool
        Whether nothing is rasterised.
    patch_size : int
        Vertices of a patch.
    outer_levels, inner_levels : tuple of float
        Tessellation levels where no tessellation control shader writes them.
    feedback_buffers : dict of int to (address, size in bytes)
        Bound for transform feedback.
    capturing : Capturing or None
        None where transform feedback has not begun.
    """

    rasterizer_discard: bool = False
    patch_size: int = 3
    outer_levels: tuple[float, float, float, float] = (1.0, 1.0, 1.0, 1.0)
    inner_levels: tuple[float, float] = (1.0, 1.0)
    feedback_buffers: dict[int, tuple[int, int]] = field(default_factory=dict)
    capturing: Capturing | None = None
