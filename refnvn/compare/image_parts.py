"""Which images does a comparison hold: results of one level, levels and layers of others, textures in memory?

Each image is a part of its own, with rows and columns that a picture could be turned by. Samples are neighbours: a
pixel of several is one texel as long as all of them. Of bytes of memory the recording says which textures lie there.

What it does not do: textures of several samples in memory are left out. Read next: ``image_suspicions.py``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from refnvn.commands.recording import ReadMemory, Recording
from refnvn.commands.subject import description_of
from refnvn.compare.image_colours import Flags, Texels
from refnvn.compare.places import View
from refnvn.compare.weigh import Status
from refnvn.errors import RefnvnError
from refnvn.formats.element import element_of
from refnvn.formats.table import Format, format_named
from refnvn.golden.result import Image
from refnvn.layout.description import TextureDescription, TextureTarget
from refnvn.layout.texture import TextureLayout, texture_layout
from refnvn.layout.tiling import Bytes, untile

MOST_PARTS = 64
"""Of one result."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Part:
    """One image, as it should be and as it is.

    Attributes
    ----------
    name : str
        The result, and which part of it where it is not all.
    fmt : Format
    width_px, height_px : int
    is_3d : bool
    samples : int
    expected, actual : uint8, shape (slices, rows, columns, bytes of a texel or block of all samples)
    wrong : bool, shape (slices, rows, columns)
        Which texels hold a wrong element.
    """

    name: str
    fmt: Format
    width_px: int
    height_px: int
    is_3d: bool = False
    samples: int = 1
    expected: Texels
    actual: Texels
    wrong: Flags

    def apart(self, texels: Texels) -> Texels:
        """Return texels with each sample as one of them, beside the others of its pixel."""
        return texels.reshape(*texels.shape[:2], -1, self.fmt.bytes_per_block)


def parts_of(views: Mapping[str, View], recording: Recording | None = None) -> list[Part]:
    """Return the images of a comparison, those too that are right.

    Parameters
    ----------
    views : mapping of str to View
        By the names of results.
    recording : Recording or None
        Says which textures lie in memory that was read; without it memory has none.
    """
    return [part for name, view in views.items() for part in list(_parts(name, view, recording))[:MOST_PARTS]]


def _parts(name: str, view: View, recording: Recording | None) -> Iterator[Part]:
    if view.golden is None:
        return
    base = view.golden.base
    sides = _Sides(view)
    if base.image is not None and base.image.layout == "linear":
        if base.image.size_B == view.expected.nbytes:
            yield from _linear(name, base.image, sides)
    elif base.image is not None:
        yield from _stored(name, base.image, sides)
    elif base.kind == "bytes" and recording is not None:
        yield from _in_memory(name, recording, sides)


class _Sides:
    """The bytes of both sides of a result, and which of them are wrong."""

    def __init__(self, view: View) -> None:
        self.expected = np.frombuffer(view.expected.tobytes(), np.uint8)
        self.actual = np.frombuffer(view.actual.tobytes(), np.uint8)
        wrong = view.weighing.status == Status.WRONG
        self.wrong = np.repeat(wrong, view.expected.dtype.itemsize).astype(np.uint8)

    @property
    def all(self) -> tuple[Bytes, Bytes, Bytes]:
        return self.expected, self.actual, self.wrong


def _linear(name: str, image: Image, sides: _Sides) -> Iterator[Part]:
    """Yield the levels of plain rows: all levels of layer 0, then of layer 1."""
    fmt = format_named(image.format)
    layer_B = image.size_B // image.layers
    start_B = 0
    for level in range(image.levels):
        size_B = image.level_size_B(level)
        width, height, depth = (max(1, one >> level) for one in (image.width_px, image.height_px, image.depth_px))
        rows, columns = -(-height // fmt.block_height_px), -(-width // fmt.block_width_px)
        shape = (image.layers * depth, rows, columns, fmt.bytes_per_block * image.samples)
        expected, actual, wrong = (
            np.ascontiguousarray(one.reshape(image.layers, layer_B)[:, start_B : start_B + size_B]).reshape(shape)
            for one in sides.all
        )
        start_B += size_B
        yield Part(
            name=name if image.levels == 1 else f"{name}, level {level}", fmt=fmt, width_px=width, height_px=height,
            is_3d=image.dimensions == "3d", samples=image.samples, expected=expected, actual=actual,
            wrong=np.asarray(wrong.any(axis=-1)),
        )  # fmt: skip


def _stored(name: str, image: Image, sides: _Sides) -> Iterator[Part]:
    """Yield the levels of an image of block-linear bytes."""
    fmt = format_named(image.format)
    is_3d = image.dimensions == "3d"
    description = TextureDescription(
        element=element_of(fmt), width=image.width_px, height=image.height_px, levels=image.levels,
        depth=image.depth_px if is_3d else image.layers,
        target=TextureTarget.TARGET_3D if is_3d else TextureTarget.TARGET_2D_ARRAY,
    )  # fmt: skip
    if image.samples == 1:
        yield from _levels(name, fmt, texture_layout(description), sides, 0)


def _in_memory(name: str, recording: Recording, sides: _Sides) -> Iterator[Part]:
    """Yield the levels of textures that lie in memory that was read."""
    event = next((one for one in recording.timeline if isinstance(one, ReadMemory) and one.name == name), None)
    for number, texture in enumerate(recording.textures if event is not None else ()):
        assert event is not None
        start_B = texture.offset_B - event.offset_B
        if texture.pool != event.pool or not 0 <= start_B < event.size_B or texture.samples > 1:
            continue
        try:
            layout = texture_layout(description_of(texture))
        except RefnvnError:
            continue
        yield from _levels(f"{name}, texture {number}", format_named(texture.format), layout, sides, start_B)


def _levels(name: str, fmt: Format, layout: TextureLayout, sides: _Sides, start_B: int) -> Iterator[Part]:
    if start_B + layout.size_B > sides.expected.size or layout.description.target is TextureTarget.TARGET_BUFFER:
        return
    for level in layout.levels:
        images = []
        for side in sides.all:
            data = side[start_B : start_B + layout.size_B]
            slices = [untile(layout, data, level=level.level, layer=layer) for layer in range(layout.layers)]
            images.append(np.concatenate(slices).reshape(-1, level.height_el, level.width_el, fmt.bytes_per_block))
        expected, actual, wrong = images
        yield Part(
            name=name if len(layout.levels) == 1 else f"{name}, level {level.level}", fmt=fmt,
            width_px=level.width_px, height_px=level.height_px, is_3d=layout.description.is_3d,
            expected=expected, actual=actual, wrong=np.asarray(wrong.any(axis=-1)),
        )  # fmt: skip
