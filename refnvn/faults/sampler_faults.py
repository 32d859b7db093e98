"""Faults of samplers: borders, reductions, biases and clamps that a path drops. Read next: ``texture_faults.py``."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import numpy as np

from refnvn.commands import recording as r
from refnvn.commands.sampler import Sampler
from refnvn.enumerations import SamplerReduction
from refnvn.faults.fault import Fault, register
from refnvn.faults.rewrite import with_recording
from refnvn.trace.files import Trace

_ONE = 0x3F800000
_METAL_BORDERS = ((0, 0, 0, 0), (0, 0, 0, _ONE), (_ONE, _ONE, _ONE, _ONE))


def _otherwise(change: Callable[[Sampler], Sampler]) -> Callable[[Trace], Trace]:
    """Return the rewriting that registers samplers as ``change`` says."""

    def event_of(event: r.AnyEvent) -> r.AnyEvent:
        if not isinstance(event, r.RegisterSampler):
            return event
        return msgspec.structs.replace(event, sampler=change(event.sampler))

    def rewrite(trace: Trace) -> Trace:
        timeline = tuple(event_of(event) for event in trace.recording.timeline)
        return with_recording(trace, msgspec.structs.replace(trace.recording, timeline=timeline))

    return rewrite


def _nearest_border(sampler: Sampler) -> Sampler:
    """Take the nearest of the three border colours that Metal has; the darker of two that are as near."""
    wanted = np.array(sampler.border, np.uint32).view(np.float32).astype(np.float64)
    known = np.array(_METAL_BORDERS, np.uint32).view(np.float32).astype(np.float64)
    distances = np.abs(known - wanted).sum(axis=1)
    return msgspec.structs.replace(sampler, border=_METAL_BORDERS[int(np.argmin(distances))])


def _averaged(sampler: Sampler) -> Sampler:
    return msgspec.structs.replace(sampler, reduction=SamplerReduction.AVERAGE)


def _unbiased(sampler: Sampler) -> Sampler:
    return msgspec.structs.replace(sampler, lod_bias=0.0)


def _from_level_0(sampler: Sampler) -> Sampler:
    return msgspec.structs.replace(sampler, lod_clamp=(0.0, sampler.lod_clamp[1]))


register(
    Fault(
        id="sampler-border",
        symptom="outside of a texture lies black or white instead of the border: all grass is bent",
        rewrite=_otherwise(_nearest_border),
    ),
    Fault(
        id="sampler-reduction",
        symptom="a depth pyramid holds means instead of extremes, objects are culled or leak",
        rewrite=_otherwise(_averaged),
    ),
    Fault(
        id="sampler-lod-bias",
        symptom="textures are one level sharper or blurrier",
        rewrite=_otherwise(_unbiased),
    ),
    Fault(
        id="sparse-first-mapped",
        symptom="unmapped pages of a sparse texture are sampled: magenta where ASTC blocks are zero",
        rewrite=_otherwise(_from_level_0),
    ),
)
