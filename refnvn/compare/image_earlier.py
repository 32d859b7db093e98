"""What did an image hold earlier in the recording: is what is there a stale one?

It is read behind each of the passes before the readback, the last :data:`MOST_PASSES` of them, and before the first
command. The recording is replayed for it by NVN's rules.

Read next: ``image_suspicions.py``.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

import numpy as np

from refnvn.commands.recording import ReadTexels, Recording, Submit
from refnvn.compare.host_passes import passes
from refnvn.compare.image_colours import Changed
from refnvn.compare.image_parts import Part
from refnvn.errors import RefnvnError
from refnvn.replay.run import replay
from refnvn.trace.files import Trace
from refnvn.trace.steps import cut_after

MOST_PASSES = 6


def earlier_images(trace: Trace, parts: Collection[Part]) -> Mapping[str, list[Changed]]:
    """Return what wrong images held earlier, by the name of the part.

    Parameters
    ----------
    trace : Trace
        Of the scene.
    parts : collection of Part
        Those that are results of one level are looked at, since they are texels that were read.
    """
    recording = trace.recording
    wrong = {part.name: part for part in parts if part.wrong.any()}
    events = [(at, one) for at, one in enumerate(recording.timeline)
              if isinstance(one, ReadTexels) and one.name in wrong]  # fmt: skip
    found: dict[str, list[Changed]] = {name: [] for name in wrong}
    last = max((_commands_before(recording, at) for at, _ in events), default=0)
    moments = [0, *(one.last for one in passes(recording) if one.last < last)]
    for number in reversed(moments[-MOST_PASSES:]):
        asked = [one for at, one in events if number < _commands_before(recording, at)]
        try:
            cut = cut_after(trace, number, asked)
            left = replay(cut.recording, cut.blobs)
        except RefnvnError:
            continue  # a cut inside what belongs together, or a texture that nothing names any more
        when = f"after command {number}" if number else "before the first command"
        for one in asked:
            texels = np.frombuffer(left[one.name].tobytes(), np.uint8)
            part = wrong[one.name]
            if texels.size == part.expected.size:
                words = f"holds what it did {when}: a stale image, or later draws are lost"
                found[one.name].append(Changed(words, texels.reshape(part.expected.shape)))
    return found


def _commands_before(recording: Recording, at: int) -> int:
    """Return how many commands are executed before an event of the timeline."""
    submitted = (one for one in recording.timeline[:at] if isinstance(one, Submit))
    return sum(len(recording.command_buffers[buffer]) for one in submitted for buffer in one.command_buffers)
