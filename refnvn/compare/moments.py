"""Which places of a recording can be followed, and what is a moment of their lives?

Read next: ``watchers.py``.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from refnvn.raster.one_pixel import FragmentSeen
from refnvn.trace.steps import Happening, Step


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
    """What one command, or one event between commands, did to the place.

    Attributes
    ----------
    step : Step or Happening
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

    step: Step | Happening
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
