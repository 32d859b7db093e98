"""Which places of a report page come with their history: the first wrong ones of each result that a trace reads.

Texels, samples and words of memory. Read next: ``history.py``, ``page_data.py``.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from refnvn.commands.recording import ReadMemory, ReadTexels
from refnvn.commands.subject import subject_of
from refnvn.compare.history import histories_of
from refnvn.compare.history_words import history_lines
from refnvn.compare.judge import Weighed
from refnvn.compare.moments import BytesPlace, SamplePlace
from refnvn.compare.places import View
from refnvn.compare.weigh import Status
from refnvn.formats.table import format_named
from refnvn.trace.files import Trace

MOST_HISTORIES = 24
"""Of one page: each follows its place through the whole replay."""
WORD_B = 4
"""So many bytes of memory are followed together."""
Place = SamplePlace | BytesPlace


def page_histories(trace: Trace, judged: Weighed) -> dict[str, dict[str, str]]:
    """Return the histories of wrong places as text, by result and by key.

    A texel's key is ``level/layer/x/y/sample`` in its picture, that of a word of memory ``word/number``.

    Parameters
    ----------
    trace : Trace
        Of the scene.
    judged : Weighed
        A readback of it that was compared.
    """
    reads = {one.name: one for one in trace.recording.timeline if isinstance(one, ReadTexels | ReadMemory)}
    keys: list[tuple[str, str]] = []
    places: list[Place] = []
    for view in judged.views:
        read = reads.get(view.name)
        if read is None or not view.weighing.wrong:
            continue
        wrong = _words(read, view) if isinstance(read, ReadMemory) else _texels(trace, read, view)
        for key, place in wrong:
            if len(places) == MOST_HISTORIES:
                break
            keys.append((view.name, key))
            places.append(place)
    found: dict[str, dict[str, str]] = {}
    for (name, key), history in zip(keys, histories_of(trace, places) if places else [], strict=True):
        found.setdefault(name, {})[key] = "\n".join(history_lines(history))
    return found


def _wrong_bytes(view: View) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Return which bytes of a result belong to a wrong element."""
    return np.repeat(view.weighing.status.reshape(-1) == Status.WRONG, view.expected.dtype.itemsize)


def _words(read: ReadMemory, view: View) -> Iterator[tuple[str, BytesPlace]]:
    """Yield the wrong words of memory that was read."""
    words = np.flatnonzero(_wrong_bytes(view)) // WORD_B
    for number in dict.fromkeys(words.tolist()):
        first_B = number * WORD_B
        size_B = min(WORD_B, read.size_B - first_B)
        if size_B > 0:
            yield f"word/{number}", BytesPlace(pool=read.pool, offset_B=read.offset_B + first_B, size_B=size_B)


def _texels(trace: Trace, read: ReadTexels, view: View) -> Iterator[tuple[str, SamplePlace]]:
    """Yield the wrong samples of texels that were read, where rows and columns are known."""
    image = None if view.golden is None else view.golden.base.image
    if image is None or image.layout != "linear" or image.levels != 1 or image.size_B != view.expected.nbytes:
        return
    fmt = format_named(image.format)
    columns, rows = -(-image.width_px // fmt.block_width_px), -(-image.height_px // fmt.block_height_px)
    shape = (image.layers * image.depth_px, rows, columns, image.samples, fmt.bytes_per_block)
    for layer, row, column, sample in np.argwhere(_wrong_bytes(view).reshape(shape).any(axis=-1)).tolist():
        x, y = column * fmt.block_width_px, row * fmt.block_height_px
        yield f"0/{layer}/{x}/{y}/{sample}", _place(trace, read, layer, x, y, sample)


def _place(trace: Trace, read: ReadTexels, layer: int, x: int, y: int, sample: int) -> SamplePlace:
    """Return which texel of the texture a texel of a readback is."""
    subject = subject_of(trace.recording.textures[read.texture.texture], read.texture.view)
    region = read.region
    return SamplePlace(
        texture=read.texture.texture, x=region.x + x, y=region.y + y, level=subject.level,
        layer=subject.base_layer + region.z + layer, sample=sample,
    )  # fmt: skip
