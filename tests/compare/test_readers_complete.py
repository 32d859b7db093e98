"""Nobody who reads is missing: what a history tells no reader of may hold anything, and no result changes.

And who follows a place changes nothing; a sample is followed where its bytes lie.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings

from refnvn.commands.recording import Recording, Submit, WriteMemory, pool_base_B
from refnvn.commands.resources import View
from refnvn.commands.subject import subject_of
from refnvn.compare.history import histories_of
from refnvn.compare.moments import BytesPlace, SamplePlace
from refnvn.compare.watchers import Watcher, Watchers, bytes_of, stored_at
from refnvn.golden.case import case_named
from refnvn.golden.scene import trace_of
from refnvn.replay.context import Context
from refnvn.replay.run import Results, replay
from refnvn.testing import traces
from refnvn.trace.files import Trace

SCENES = (
    "alpha/ramp", "barriers/fragment_images", "barriers/vertex_reader", "bindless/handle_updated_inline",
    "blend/src1_written", "border/mirrored", "clear_ds/sampled_between", "compute/between_draws", "compute/indirect",
    "copy_order/overlapping_writes", "copy_order/staging_written_again", "copy_order/texture_chain",
    "draw_texture/regions", "feedback/formats", "feedback/image_load", "geometry_hazards/draw_counts",
    "geometry_hazards/elements_record", "image_alias/virtual_pages", "image_usage/atomics", "layers/volume",
    "logic/rgb10a2", "mesh_indirect/tasks", "ms_slot/depth_samples", "perf_order/depth_reader", "perf_order/events",
    "present_crop/lower_half", "primitives/instanced_arrays", "program_binding/uniform_slots", "pull/divisors",
    "readback/strides_and_regions", "sbw/cleared_once", "texture_copy/slices_and_samples",
    "transform_feedback/strip_paused", "view_levels/first_mapped",
)  # fmt: skip
"""Among them every kind of reader, texture and memory."""
PLACES = 12
SIZE_B = 4


def places_of(trace: Trace) -> Iterator[BytesPlace]:
    """Yield words where something is: what the processor writes, and the starts of textures."""
    numbers = random.Random(7)
    recording = trace.recording
    spots = []
    for event in recording.timeline:
        if isinstance(event, WriteMemory):
            last = len(trace.blobs[event.blob])
            spots += [(event.pool, event.offset_B + numbers.randrange(last)) for _ in range(3)]
    for texture in recording.textures:
        spots += [(texture.pool, texture.offset_B + numbers.randrange(4096)) for _ in range(3)]
    for pool, offset_B in numbers.sample(spots, min(PLACES, len(spots))):
        start_B = offset_B // SIZE_B * SIZE_B
        if start_B + SIZE_B <= recording.pools[pool].size_B:
            yield BytesPlace(pool=pool, offset_B=start_B, size_B=SIZE_B)


def spoiled(trace: Trace, place: BytesPlace) -> Results:
    """Replay with other bytes at a place before the first submission."""
    recording = trace.recording
    first = next(k for k, event in enumerate(recording.timeline) if isinstance(event, Submit))
    write = WriteMemory(pool=place.pool, offset_B=place.offset_B, blob="spoiled")
    changed: Recording = msgspec.structs.replace(
        recording,
        timeline=(*recording.timeline[:first], write, *recording.timeline[first:]),
        blobs={**recording.blobs, "spoiled": SIZE_B},
    )
    return replay(changed, {**trace.blobs, "spoiled": bytes([0x5A, 0xC3, 0x99, 0x7E])})


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in SCENES if name != "view_levels/first_mapped"])
def test_what_nobody_reads_changes_no_result(name: str) -> None:
    """Of places without a reader every other content gives the same results; there are some with readers, too."""
    trace = trace_of(case_named(name))
    plain = replay(trace.recording, trace.blobs)
    places = list(places_of(trace))
    for place, history in zip(places, histories_of(trace, places), strict=True):
        if not any(moment.reads for moment in history.moments):
            results = spoiled(trace, place)
            assert [key for key in plain if not np.array_equal(plain[key], results[key])] == [], place


@pytest.mark.slow
@pytest.mark.parametrize("name", SCENES)
def test_who_follows_places_changes_no_result(name: str) -> None:
    """Results with watchers are those without."""
    trace = trace_of(case_named(name))
    plain = replay(trace.recording, trace.blobs)
    places = list(places_of(trace))
    watched = replay(
        trace.recording,
        trace.blobs,
        observer=Watchers([Watcher(trace, place) for place in places], lambda: None),
    )
    assert {key: value.tobytes() for key, value in watched.items()} == {
        key: value.tobytes() for key, value in plain.items()
    }


@pytest.mark.slow
@settings(max_examples=25, deadline=None)
@given(traces(most_commands=20))
def test_no_reader_of_a_random_scene_is_missing(trace: Trace) -> None:
    """Watched or not the results are the same; what nobody reads may hold anything."""
    plain = replay(trace.recording, trace.blobs)
    watchers = Watchers([Watcher(trace, place) for place in list(places_of(trace))[:6]], lambda: None)
    watched = replay(trace.recording, trace.blobs, observer=watchers)
    assert [key for key in plain if not np.array_equal(plain[key], watched[key])] == []
    for one in watchers.watchers:
        if one.commands and not any(moment.reads for moment in one.moments):
            assert isinstance(one.place, BytesPlace)
            results = spoiled(trace, one.place)
            assert [key for key in plain if not np.array_equal(plain[key], results[key])] == [], one.place


class Looking:
    """Compares, at the end of a replay, samples of textures with the bytes where they are followed."""

    def __init__(self) -> None:
        self.looked_at = 0

    def __getattr__(self, name: str) -> Any:
        return lambda *_arguments: None

    def finished(self, context: Context) -> None:
        """Look at some samples of every texture."""
        numbers = random.Random(3)
        for texture, recorded in enumerate(context.recording.textures):
            for _ in range(4):
                level = numbers.randrange(recorded.levels)
                subject = subject_of(recorded, View(base_level=level, levels=1))
                x, y, layer = (numbers.randrange(size) for size in subject.extent)
                sample = numbers.randrange(subject.samples)
                place = SamplePlace(texture=texture, x=x, y=y, layer=layer, level=level, sample=sample)
                held = bytes_of(context, place)
                address = pool_base_B(held.pool) + held.offset_B
                assert context.memory.read(address, held.size_B).tobytes() == stored_at(context, place), place
                self.looked_at += 1


@pytest.mark.slow
@pytest.mark.parametrize("name", SCENES)
def test_a_sample_is_followed_where_its_bytes_lie(name: str) -> None:
    """Of textures of every kind: compressed, with samples, layers, slices and levels, sparse."""
    trace = trace_of(case_named(name))
    looking = Looking()
    replay(trace.recording, trace.blobs, observer=looking)
    assert looking.looked_at >= 4 * min(1, len(trace.recording.textures))
