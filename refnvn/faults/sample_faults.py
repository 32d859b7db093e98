"""Faults of textures with several samples. Read next: ``rewrite.py``."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from refnvn.commands import commands as c
from refnvn.enumerations import CoverageModulationMode
from refnvn.faults.fault import Fault, register
from refnvn.faults.rewrite import DRAWS, Pass, rewrite_commands

Commands = Iterable[c.AnyCommand]
TARGET_CLEARS = (c.ClearColor, c.ClearColori, c.ClearColorui, c.ClearDepthStencil)
MOST_SAMPLES = 4


def _samples(state: Pass) -> int:
    """Return the samples of the targets that are set."""
    return max((state.subject(one).samples for one in state.references()), default=1)


def _first_sample(command: c.AnyCommand, state: Pass) -> Commands:
    """Draw to multisample targets as if they had one sample."""
    if isinstance(command, DRAWS) and _samples(state) > 1:
        return c.SetSampleMask(mask=1), command
    return (command,)


def _refused(command: c.AnyCommand, state: Pass) -> Commands:
    """Leave out what reaches targets of more samples than a Metal device has."""
    reaches = isinstance(command, (*DRAWS, *TARGET_CLEARS)) and _samples(state) > MOST_SAMPLES
    return () if reaches else (command,)


def _stored_samples(command: c.AnyCommand, _: Pass) -> Commands:
    """Rasterise as many samples as targets have: Metal knows one number."""
    if isinstance(command, c.BindMultisampleState):
        return (c.BindMultisampleState(state=msgspec.structs.replace(command.state, raster_samples=0)),)
    return (command,)


def _unmodulated(command: c.AnyCommand, _: Pass) -> Commands:
    """Store outputs whole, however few raster samples are left."""
    if isinstance(command, c.BindMultisampleState):
        whole = msgspec.structs.replace(command.state, coverage_modulation=CoverageModulationMode.NONE)
        return (c.BindMultisampleState(state=whole),)
    return (command,)


register(
    Fault(
        id="ms-slot/one-sample",
        symptom="only sample 0 of a multisample target is drawn, a depth resolve reads junk",
        rewrite=lambda trace: rewrite_commands(trace, _first_sample),
    ),
    Fault(
        id="ms-slot/stored-samples",
        symptom="edges have fewer steps, sample masks pick others: no more samples are rasterised than stored",
        rewrite=lambda trace: rewrite_commands(trace, _stored_samples),
    ),
    Fault(
        id="ms-slot/unmodulated",
        symptom="edges of outlines and vector shapes are too wide: what a sample's coverage should dim is whole",
        rewrite=lambda trace: rewrite_commands(trace, _unmodulated),
    ),
    Fault(
        id="tex-illegal-fields/samples",
        symptom="textures of 8 samples read 0 and draws into them vanish",
        rewrite=lambda trace: rewrite_commands(trace, _refused),
    ),
)
