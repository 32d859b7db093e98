"""Who notes what happens to the fragments of some pixels, step by step, with operands?

It looks on while the fragments go their way and asks the rules again for the words; it runs no shader and stores
nothing. Read next: ``onlooker.py``, ``fragment_seen.py``, ``one_pixel.py``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

import numpy as np

from refnvn.formats.floatbits import Float32, UInt32
from refnvn.raster.batch import Batch, values_of
from refnvn.raster.fragment_seen import FragmentSeen, SampleSeen, Test, Values
from refnvn.raster.fragment_words import (
    alpha_told,
    codes_told,
    discard_told,
    merges_told,
    reads_told,
    tests_told,
    values_told,
)
from refnvn.raster.inputs import Inputs
from refnvn.raster.mixed_samples import color_sample_of
from refnvn.raster.onlooker import Alive
from refnvn.raster.setup import Primitives
from refnvn.raster.stage import Stage
from refnvn.shader.execute import LaneOutputs

Place = tuple[int, int, int]
"""Column and row in memory, and a sample."""


@dataclass(slots=True)
class _Sample:
    """What is noted of one sample on the way."""

    before: dict[str, Values]
    after: dict[str, Values] = field(default_factory=dict)
    tests: list[Test] = field(default_factory=list)
    inputs: dict[str, Values] = field(default_factory=dict)
    outputs: dict[str, Values] = field(default_factory=dict)
    lost_to: str = ""
    passed: bool = False

    def add(self, test: Test) -> None:
        """Note a test; what fails is lost to it."""
        self.tests.append(test)
        if not test.passed and not self.lost_to:
            self.lost_to = test.name


@dataclass(slots=True)
class _Fragment:
    """What is noted of one fragment on the way: which lane it is, where, and its samples."""

    lane: int
    place: tuple[int, int]
    primitive: int
    front: bool
    inputs: dict[str, Values]
    samples: list[_Sample]
    outputs: dict[str, Values] = field(default_factory=dict)


class PixelWatch:
    """Notes fragments, and tells of each once it is done: an onlooker.

    Parameters
    ----------
    places : iterable of Place
        The pixels, and which of their samples are looked at.
    notify : callable
        Is told of each fragment for each of its samples that is looked at.
    """

    def __init__(self, places: Iterable[Place], notify: Callable[[FragmentSeen], object]) -> None:
        self._samples: dict[tuple[int, int], list[int]] = {}
        for column, row, sample in places:
            self._samples.setdefault((column, row), []).append(sample)
        self._notify = notify
        self._fragments: list[_Fragment] = []
        self._batch: Batch | None = None
        self._inputs: Inputs | None = None
        self._colors: list[Stage] = []

    def begins(self, stage: Stage, primitives: Primitives, inputs: Inputs, batch: Batch) -> None:
        """Note the fragments of a batch that are followed, and the codes where they are."""
        self._batch, self._inputs = batch, inputs
        self._fragments = []
        lanes, shader = batch.lanes, None if stage.fragment is None else stage.fragment.shader
        found = [(place, lane) for place in self._samples for lane in _lanes_at(batch, place)]
        if not found:
            return
        values = values_of(inputs, batch)
        alone, self._colors = stage.samples or (stage,), _color_stages(stage)
        for one in alone:
            if one.planes is not None:
                one.planes.reach(batch.spans)
        for place, lane in found:
            number = int(lanes.primitive[lane])
            self._fragments.append(
                _Fragment(
                    lane=lane,
                    place=place,
                    primitive=int(primitives.ids[number]),
                    front=bool(primitives.front[number]),
                    inputs={} if shader is None else values_told(shader.inputs, values[:, lane]),
                    samples=[_Sample(self._codes(one, number, place)) for number, one in enumerate(alone)],
                )
            )

    def covers(self, step: str, covered: Alive, sample: int | None = None) -> None:
        """Note which samples a step takes away."""
        for one, number, noted in self._noted(sample):
            if not covered[number, one.lane] and not noted.lost_to:
                noted.lost_to = step

    def tests(self, stage: Stage, front: Alive, depth: Float32, codes: UInt32, alive: Alive | None) -> None:
        """Note the tests of what is alive."""
        del front  # noted already
        for one, _, noted in self._noted(stage.sample):
            if alive is None or alive[one.lane]:
                for test in tests_told(stage, one.place, depth[one.lane], codes[one.lane], one.front):
                    noted.add(test)

    def ran(self, stage: Stage, outputs: LaneOutputs, live: Alive | None) -> None:
        """Note what the shader gave; for one sample alone, if the stage is one of several."""
        assert stage.fragment is not None
        assert self._batch is not None
        assert self._inputs is not None
        shader = stage.fragment.shader
        for one in self._fragments:
            if live is not None and not live[one.lane]:
                continue
            told = values_told(shader.outputs, outputs.values[:, one.lane])
            if stage.sample is not None:
                noted = one.samples[stage.sample]
                noted.outputs = told
                noted.inputs = values_told(shader.inputs, values_of(self._inputs, self._batch)[:, one.lane])
            else:
                one.outputs = told
            if outputs.discarded is not None:
                for noted in one.samples if stage.sample is None else (one.samples[stage.sample],):
                    if not noted.lost_to:
                        noted.add(discard_told(not outputs.discarded[one.lane]))

    def alpha(self, stage: Stage, passed: Alive) -> None:
        """Note the alpha test of what is left by then."""
        for one, _, noted in self._noted(stage.sample):
            if not noted.lost_to:
                noted.add(alpha_told(stage, bool(passed[one.lane])))

    def ends(self, stage: Stage, passed: Alive | None) -> None:
        """Note whether a sample counts as passed, and its codes now."""
        for one, number, noted in self._noted(stage.sample):
            noted.passed = passed is None or bool(passed[one.lane])
            noted.after = self._codes(stage, number, one.place)

    def done(self, stage: Stage) -> None:
        """Tell of the fragments of a batch; where no sample is covered there is none."""
        fragments, self._fragments = self._fragments, []
        for one in fragments:
            if all(noted.lost_to == COVERAGE for noted in one.samples):
                continue
            samples = [self._sample_seen(stage, one, number) for number in range(len(one.samples))]
            for number in self._samples[one.place]:
                self._notify(_fragment_seen(stage, one, number, samples))

    def _noted(self, sample: int | None) -> Iterator[tuple[_Fragment, int, _Sample]]:
        """Yield the samples of all fragments, or one sample of each."""
        for one in self._fragments:
            for number in range(len(one.samples)) if sample is None else (sample,):
                yield one, number, one.samples[number]

    def _codes(self, stage: Stage, number: int, place: tuple[int, int]) -> dict[str, Values]:
        """Return the codes of a sample; colours of the colour sample that it belongs to, where those are fewer."""
        color = codes_told(self._colors[number], place) if self._colors else {}
        return color | codes_told(stage, place)

    def _sample_seen(self, stage: Stage, one: _Fragment, number: int) -> SampleSeen:
        """Return a sample; it meets stored colours where it, or one that shares its colour sample, is left."""
        noted = one.samples[number]
        mine = [
            other
            for k, other in enumerate(one.samples)
            if k == number or (self._colors and self._colors[k] is self._colors[number])
        ]
        return SampleSeen(
            number=number,
            color_sample=_color_sample(stage, number),
            lost_to=noted.lost_to,
            tests=tuple(noted.tests),
            inputs=noted.inputs,
            outputs=noted.outputs,
            reads=reads_told(stage, noted.tests, stores=not all(other.lost_to for other in mine)),
            before=noted.before,
            after=noted.after,
        )


COVERAGE = "coverage"
"""The step that takes away what a primitive does not cover."""


def _lanes_at(batch: Batch, place: tuple[int, int]) -> list[int]:
    here = (batch.lanes.column == place[0]) & (batch.lanes.row == place[1])
    return [int(lane) for lane in np.flatnonzero(here)]


def _color_sample(stage: Stage, number: int) -> int | None:
    """Return the colour sample that a raster sample belongs to; none where they are the same."""
    return int(color_sample_of(len(stage.samples), len(stage.color_samples))[number]) if stage.color_samples else None


def _color_stages(stage: Stage) -> list[Stage]:
    """Return the stage of the colour sample that each raster sample belongs to; nothing where they are the same."""
    if not stage.color_samples:
        return []
    belongs = color_sample_of(len(stage.samples), len(stage.color_samples))
    return [stage.color_samples[number] for number in belongs.tolist()]


def _fragment_seen(stage: Stage, one: _Fragment, number: int, samples: list[SampleSeen]) -> FragmentSeen:
    seen = samples[number]
    return FragmentSeen(
        column=one.place[0],
        row=one.place[1],
        sample=number,
        primitive=one.primitive,
        front=one.front,
        inputs=seen.inputs or one.inputs,
        outputs=seen.outputs or one.outputs,
        passed=sum(noted.passed for noted in one.samples),
        merges=merges_told(stage),
        seen=seen,
        samples=tuple(samples) if len(samples) > 1 else (),
    )
