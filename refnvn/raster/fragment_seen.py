"""What is known of a fragment that somebody looked at: what it was given, what it was asked, what became of it?

Read next: ``pixel_watch.py``.
"""

from __future__ import annotations

from dataclasses import dataclass

Values = tuple[float | int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Test:
    """One test: its name, its operands in words, and whether the fragment passed."""

    name: str
    words: str
    passed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleSeen:
    """One sample of a fragment.

    Attributes
    ----------
    number : int
    color_sample : int or None
        The one that it belongs to, where colour targets have fewer samples than are rasterised.
    lost_to : str
        What took it away before it was stored: ``coverage``, ``sample mask``, a test; empty for nothing.
    tests : tuple of Test
        In the order in which they were asked, up to the first that failed.
    inputs, outputs : dict of str to tuple of numbers
        Of the shader, where it ran for this sample alone.
    reads : tuple of (str, str)
        Targets whose stored codes were read, and by what: (``depth``, ``depth test``).
    before, after : dict of str to tuple of int
        Codes by target: ``color 0``, ``depth``, ``stencil``.
    """

    number: int
    color_sample: int | None
    lost_to: str
    tests: tuple[Test, ...]
    inputs: dict[str, Values]
    outputs: dict[str, Values]
    reads: tuple[tuple[str, str], ...]
    before: dict[str, Values]
    after: dict[str, Values]


@dataclass(frozen=True, slots=True, kw_only=True)
class FragmentSeen:
    """One fragment of a pixel.

    Attributes
    ----------
    column, row, sample : int
        Where: in memory, and which sample is looked at.
    primitive : int
        Its number in the draw.
    front : bool
    inputs, outputs : dict of str to tuple of numbers
        Of the shader by name or location; of that sample, where it runs for each alone.
    passed : int
        How many samples passed.
    merges : dict of str to str
        By colour target how the output meets what is stored: factors, equations, logic operation, channels.
    seen : SampleSeen
        The sample that is looked at.
    samples : tuple of SampleSeen
        All of them, where there are several.
    """

    column: int
    row: int
    sample: int
    primitive: int
    front: bool
    inputs: dict[str, Values]
    outputs: dict[str, Values]
    passed: int
    merges: dict[str, str]
    seen: SampleSeen
    samples: tuple[SampleSeen, ...] = ()

    @property
    def tests(self) -> tuple[Test, ...]:
        """Those of the sample that is looked at."""
        return self.seen.tests

    @property
    def reads(self) -> tuple[tuple[str, str], ...]:
        """What that sample's tests and merges read."""
        return self.seen.reads

    @property
    def before(self) -> dict[str, Values]:
        """Its codes before."""
        return self.seen.before

    @property
    def after(self) -> dict[str, Values]:
        """Its codes afterwards."""
        return self.seen.after
