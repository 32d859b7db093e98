"""What if fragments of later primitives ran their shader first?

Tests, and what is stored to targets, keep the order of primitives. What shaders store to memory has none: under one
setting of ``memory_order`` the shader runs for the last primitive first, so that a golden marks what depends on it.

Not for several samples: there primitives keep their order. Read next: ``fragment.py``.
"""

from __future__ import annotations

from refnvn.raster.batch import Batch
from refnvn.raster.fragment import passing_early, take_outputs
from refnvn.raster.inputs import Inputs
from refnvn.raster.run_shader import run_shader
from refnvn.raster.setup import Primitives
from refnvn.raster.spans import Spans, by_primitive
from refnvn.raster.stage import Stage
from refnvn.rules.fields import MemoryOrder


def shades_backwards(stage: Stage) -> bool:
    """Say whether the shaders of a draw run for the last primitive first."""
    changes = stage.fragment is not None and stage.fragment.changes_memory and not stage.samples
    return changes and stage.rules.memory_order is MemoryOrder.REVERSED


def shade_backwards(stage: Stage, primitives: Primitives, inputs: Inputs, spans: Spans) -> int:
    """Take all spans to the targets as :func:`refnvn.raster.fragment.shade` does, shaders in reverse."""
    batches = [Batch(part, False) for part in by_primitive(spans)]
    alive = [passing_early(stage, primitives, inputs, one) for one in batches]
    outputs = [
        run_shader(stage, primitives, inputs, one, live)
        for one, live in zip(reversed(batches), reversed(alive), strict=True)
    ]
    taken = zip(batches, reversed(outputs), alive, strict=True)
    return sum(take_outputs(stage, primitives, inputs, one, found, live) for one, found, live in taken)
