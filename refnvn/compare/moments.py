"""Which places of a recording can be followed, and what is a moment of their lives?

Read next: ``watchers.py``.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from refnvn.raster.fragment_seen import FragmentSeen
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
class Read:
    """Somebody who read the place.

    Attributes
    ----------
    reader : str
        Who: ``vertex fetch``.
    what : str
        Through what: ``attribute 0 of stream 0``.
    element : str
        What is counted: ``vertex``; empty where nothing is.
    times : int
        How many elements, or texels, that were read hold some of the place.
    numbers : set of int
        Which elements they are, where they are counted.
    """

    reader: str
    what: str
    element: str = ""
    times: int = 0
    numbers: set[int] = field(default_factory=set)


@dataclass(slots=True, kw_only=True)
class Moment:
    """What one command, or one event between commands, did to the place.

    Attributes
    ----------
    step : Step or Happening
    before, after : bytes
        What is stored.
    reads : list of Read
        Who read it.
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
    reads: list[Read] = field(default_factory=list)
    fragments: list[FragmentSeen] = field(default_factory=list)
    left_out: int = 0
    remark: str = ""
    rules: tuple[str, ...] = ()

    @property
    def changed(self) -> bool:
        """Whether another code is stored after the command."""
        return self.before != self.after

    @property
    def only_read(self) -> bool:
        """Whether the place was read, and nothing else."""
        return bool(self.reads) and not (self.changed or self.fragments or self.remark)

    @property
    def tells(self) -> bool:
        """Whether there is anything to tell."""
        return bool(self.changed or self.reads or self.fragments or self.remark)
