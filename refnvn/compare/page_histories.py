"""Which texels of a report page come with their history: the first wrong ones of each result that a trace reads.

Read next: ``history.py``, ``page_data.py``.
"""

from __future__ import annotations

import numpy as np

from refnvn.commands.recording import ReadTexels
from refnvn.commands.subject import subject_of
from refnvn.compare.history import histories_of
from refnvn.compare.history_words import history_lines
from refnvn.compare.image_texels import image_of, texels_of, wrong_texels
from refnvn.compare.judge import Weighed
from refnvn.compare.moments import SamplePlace
from refnvn.compare.places import View
from refnvn.formats.table import format_named
from refnvn.trace.files import Trace

MOST_HISTORIES = 24
"""Of one page: each follows its texel through the whole replay."""


def page_histories(trace: Trace, judged: Weighed) -> dict[str, dict[str, str]]:
    """Return by result, and by ``level/layer/x/y`` of its picture, the histories of wrong texels as text.

    Parameters
    ----------
    trace : Trace
        Of the scene.
    judged : Weighed
        A readback of it that was compared.
    """
    reads = {one.name: one for one in trace.recording.timeline if isinstance(one, ReadTexels)}
    keys: list[tuple[str, str]] = []
    places: list[SamplePlace] = []
    for view in judged.views:
        read = reads.get(view.name)
        if read is None:
            continue
        for layer, y, x in _first_wrong(view, MOST_HISTORIES - len(places)):
            keys.append((view.name, f"0/{layer}/{x}/{y}"))
            places.append(_place(trace, read, layer, x, y))
    found: dict[str, dict[str, str]] = {}
    for (name, key), history in zip(keys, histories_of(trace, places) if places else [], strict=True):
        found.setdefault(name, {})[key] = "\n".join(history_lines(history))
    return found


def _first_wrong(view: View, most: int) -> list[tuple[int, int, int]]:
    texels, image = texels_of(view, view.expected), image_of(view)
    if texels is None or image is None or not view.weighing.wrong:
        return []
    fmt = format_named(image.format)
    found = np.argwhere(wrong_texels(view, texels))[: max(most, 0)]
    return [(int(a), int(b) * fmt.block_height_px, int(c) * fmt.block_width_px) for a, b, c in found]


def _place(trace: Trace, read: ReadTexels, layer: int, x: int, y: int) -> SamplePlace:
    """Return which texel of the texture a texel of a readback is."""
    subject = subject_of(trace.recording.textures[read.texture.texture], read.texture.view)
    region = read.region
    return SamplePlace(
        texture=read.texture.texture, x=region.x + x, y=region.y + y, level=subject.level,
        layer=subject.base_layer + region.z + layer,
    )  # fmt: skip
