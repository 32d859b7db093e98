"""What do shaders find and leave in images?

An image slot holds a texture seen through a view. The shader's declared format decides what texels mean, the
channel mapping plays no part, and coordinates outside find nothing. Texels are those of the surfaces that targets
and copies use too, so an image that is also a target of its draw is one memory with it.

Read next: ``storage.py``, ``dispatch.py``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from refnvn.enumerations import ShaderStage
from refnvn.errors import UnsupportedFormat
from refnvn.formats.image_load import decode_image_load
from refnvn.formats.table import Format, Use
from refnvn.layout.description import TextureTarget
from refnvn.memory.pool import Bytes
from refnvn.memory.surface import CodesOf, current_codes
from refnvn.raster.output import stored_codes
from refnvn.raster.target import sample_views
from refnvn.replay.readings import Reader, TexelsRead
from refnvn.replay.unordered import SeenMemory
from refnvn.replay.views import Part, Target
from refnvn.rules.evidence import Evidence
from refnvn.rules.fields import Rules, UnboundTexture
from refnvn.rules.registry import rule
from refnvn.rules.unknown import unknown
from refnvn.shader.atomics import change_in_order
from refnvn.shader.image_formats import component_type, image_format
from refnvn.shader.ir_base import ComponentType
from refnvn.shader.ir_memory import AtomicOperation, ImageSlot
from refnvn.shader.ir_textures import TextureDimension

OTHER_SIZE = unknown(
    "REPLAY-IMAGE-2",
    "What is an image of texels of another size than the shader's format has?",
    settled_by="a console whose shader takes an image of {bound} for {format}, whose texels have another size",
    module=__name__,
)
NO_FORMAT = unknown(
    "REPLAY-IMAGE-10",
    "How is a store without a format converted to a format that is none of images?",
    settled_by="a console whose shader stores to an image of {bound} and declares no format",
    instead="a view of a format of images, or a format that the shader declares, decides it",
    module=__name__,
)
OTHER_TYPE = unknown(
    "REPLAY-IMAGE-3",
    "How are components of one type stored without a format to an image of another?",
    settled_by="a console whose shader stores {type} components to an image of {format} and declares no format",
    module=__name__,
)
OTHER_DIMENSION = unknown(
    "REPLAY-IMAGE-6",
    "Which texels does an image instruction of one dimension reach in a texture of another?",
    settled_by="a console whose shader takes a {target} texture for a {dimension} image",
    module=__name__,
)
UNBOUND_SIZE = unknown(
    "REPLAY-IMAGE-7",
    "How large is an image slot with nothing bound?",
    settled_by="a console whose {stage} shader asks for the size of image slot {slot} with nothing bound there",
    instead="call bind_image before this draw or dispatch",
    module=__name__,
)

Words = NDArray[np.uint32]
Places = NDArray[np.intp]
Bound = Callable[[int], "Target | None"]

_TARGETS = {
    TextureDimension.D1: (TextureTarget.TARGET_1D,),
    TextureDimension.D2: (TextureTarget.TARGET_2D, TextureTarget.TARGET_RECTANGLE),
    TextureDimension.D3: (TextureTarget.TARGET_3D,),
    TextureDimension.CUBE: (TextureTarget.TARGET_CUBEMAP,),
    TextureDimension.RECTANGLE: (TextureTarget.TARGET_RECTANGLE, TextureTarget.TARGET_2D),
    TextureDimension.BUFFER: (TextureTarget.TARGET_BUFFER,),
    TextureDimension.D1_ARRAY: (TextureTarget.TARGET_1D_ARRAY,),
    TextureDimension.D2_ARRAY: (
        TextureTarget.TARGET_2D_ARRAY,
        TextureTarget.TARGET_CUBEMAP,
        TextureTarget.TARGET_CUBEMAP_ARRAY,
    ),
    TextureDimension.CUBE_ARRAY: (TextureTarget.TARGET_CUBEMAP_ARRAY,),
    TextureDimension.MULTISAMPLE: (TextureTarget.TARGET_2D_MULTISAMPLE,),
    TextureDimension.MULTISAMPLE_ARRAY: (TextureTarget.TARGET_2D_MULTISAMPLE_ARRAY,),
}
_LAYER_IS_ROW = (TextureDimension.D1_ARRAY,)


class _Texels(NamedTuple):
    """Where the texels of some accesses lie, in one sample of a surface: codes by row and column, and where."""

    part: Part
    accesses: Places
    codes: Bytes
    rows: Places
    columns: Places
    sample: int


@rule(
    "REPLAY-IMAGE-1",
    "The format that a shader declares decides how texels of an image are read and written, whatever the format of "
    "the texture or view that is bound, if their texels have the same size: bits are kept. The channel mapping plays "
    "no part.",
    evidence=Evidence.SWITCH,
    sources=("seed-titles",),
    ledger=("image-int-view", "atomic-rgba8", "tex-swizzle"),
)
def seen_format(slot: ImageSlot, bound: Format) -> Format:
    """Return the format that accesses convert by.

    Raises
    ------
    UnknownBehaviour
        For texels of another size, or a shader that leaves the format open where that of the image is no format of
        images, or has components of another type.
    """
    fmt = image_format(slot.format) if slot.format else bound
    assert fmt is not None
    if fmt.bytes_per_block != bound.bytes_per_block or bound.is_compressed:
        raise OTHER_SIZE.error(bound=bound.nvn_name, format=fmt.nvn_name)
    if not slot.format and not bound.has(Use.IMAGE):
        raise NO_FORMAT.error(bound=bound.nvn_name)
    if component_type(fmt) is not slot.type:
        raise OTHER_TYPE.error(type=slot.type, format=fmt.nvn_name)
    return fmt


@rule(
    "REPLAY-IMAGE-4",
    "A load at coordinates outside of an image finds a texel of zero bits, of which components that the format lacks "
    "are 0, 0 and 1 as ever; a store there is dropped, and an atomic access finds 0 and changes nothing.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("memory-vectors", "gl-memory-model"),
)
def inside_image(at: Words, size: tuple[int, ...], samples: Words | None, count: int) -> NDArray[np.bool_]:
    """Return which accesses are inside.

    Parameters
    ----------
    at : uint32, shape (coordinates, n)
        A negative number is a large one.
    size : tuple of int
        Along each coordinate.
    samples : uint32, shape (n,), or None
    count : int
        Samples of a texel.
    """
    inside: NDArray[np.bool_] = np.logical_and.reduce(at < np.array(size, np.uint32)[:, np.newaxis], axis=0)
    return inside if samples is None else np.logical_and(inside, samples < count)


@rule(
    "REPLAY-IMAGE-5",
    "An image is the first level of the view that is bound; a cube has its faces, and an array of cubes all their "
    "faces one after the other, as layers.",
    evidence=Evidence.SPECIFICATION,
    sources=("gl-memory-model", "deko3d"),
)
def image_extent(slot: ImageSlot, target: Target) -> tuple[int, int, int]:
    """Return width, height and layers or slices of what is bound, in texels.

    Raises
    ------
    UnknownBehaviour
        Where the shader takes it for something else.
    """
    subject = target.subject
    if subject.target not in _TARGETS[slot.dimension]:
        kind = subject.target.name.removeprefix("TARGET_")
        raise OTHER_DIMENSION.error(target=kind, dimension=slot.dimension)
    return subject.width_px, subject.height_px, subject.layers


@rule(
    "REPLAY-IMAGE-9",
    "What a shader stores to an image is in memory at once, also where the image is a target of the same draw, and "
    "stays there unless the draw itself writes that pixel.",
    evidence=Evidence.SWITCH,
    sources=("seed-titles",),
    ledger=("image-store-own-att", "unwritten-store"),
)
def keep_codes(texels: _Texels, codes: Bytes) -> None:
    """Store the codes of texels, one after another, on the surface that targets and copies use too."""
    texels.codes[texels.rows, texels.columns] = codes
    texels.part.surface.written()


def _loaded(fmt: Format, codes: Bytes, rules: Rules) -> Words:
    """Return what texels load as, shape (4, n)."""
    return decode_image_load(fmt, codes, rules).view(np.uint32).T


@rule(
    "REPLAY-IMAGE-11",
    "An image slot with nothing bound loads what a texture slot without a texture does, zero in all four channels, "
    "and keeps nothing that is stored: both are words of one bank that name no texture.",
    evidence=Evidence.OPEN,
    sources=("seed-titles",),
    ledger=("ms-slot",),
    fields=("unbound_texture",),
    refuted_by="a console that loads anything but zero from an image slot that nothing is bound to",
)
def unbound_word(type_: ComponentType, rules: Rules) -> int:
    """Return the bits of each channel.

    >>> unbound_word(ComponentType.FLOAT, Rules(unbound_texture=UnboundTexture.ONES)) == 0x3F800000
    True
    """
    if rules.unbound_texture is UnboundTexture.ZERO:
        return 0
    return 0x3F800000 if type_ is ComponentType.FLOAT else 1


class ImageAccess:
    """The images of one stage, while a draw or dispatch runs.

    Parameters
    ----------
    bound : callable
        Returns what is bound to an image slot; None where nothing is.
    stage : ShaderStage
        For errors.
    rules : Rules
        Reads what conversions need.
    seen : SeenMemory
        What loads see.
    """

    def __init__(self, bound: Bound, stage: ShaderStage, rules: Rules, seen: SeenMemory) -> None:
        self._seen = seen
        self._image_of = bound
        self._stage = stage
        self._rules = rules

    def load_texels(self, slot: ImageSlot, at: Words, samples: Words | None) -> Words:
        """Return texels; see :class:`refnvn.shader.lane_memory.LaneMemory`."""
        target = self._target(slot)
        if target is None:
            return np.full((4, at.shape[1]), unbound_word(slot.type, self._rules), np.uint32)
        fmt = seen_format(slot, target.fmt)
        found = np.repeat(
            _loaded(fmt, np.zeros((1, fmt.bytes_per_block), np.uint8), self._rules), at.shape[1], axis=1
        )
        for texels in self._texels(slot, target, at, samples, self._seen.codes_of):
            codes = np.ascontiguousarray(texels.codes[texels.rows, texels.columns])
            found[:, texels.accesses] = _loaded(fmt, codes, self._rules)
            self._tell_texels(Reader.IMAGE, slot, target, texels)
        return found

    def store_texels(self, slot: ImageSlot, at: Words, samples: Words | None, values: Words) -> None:
        """Store texels."""
        target = self._target(slot)
        if target is None:
            return
        fmt = seen_format(slot, target.fmt)
        for texels in self._texels(slot, target, at, samples):
            self._seen.stored()
            keep_codes(texels, stored_codes(fmt, values[:, texels.accesses], self._rules))

    def change_texels(
        self,
        slot: ImageSlot,
        operation: AtomicOperation,
        at: Words,
        samples: Words | None,
        words: Words,
        compares: Words | None,
    ) -> Words:
        """Change texels of 32 bits, one after another, and return what each was."""
        target = self._target(slot)
        if target is None:
            return np.full(at.shape[1], unbound_word(slot.type, self._rules), np.uint32)
        seen_format(slot, target.fmt)
        found = np.zeros(at.shape[1], np.uint32)
        for texels in self._texels(slot, target, at, samples):
            mine = texels.accesses
            pixels, places = np.unique(np.stack((texels.rows, texels.columns)), axis=1, return_inverse=True)
            rows, columns = pixels
            content = np.ascontiguousarray(texels.codes[rows, columns]).view("<u4").reshape(-1)
            compared = None if compares is None else compares[mine]
            found[mine] = change_in_order(content, places.reshape(-1), operation, words[mine], compared)
            texels.codes[rows, columns] = content.view(np.uint8).reshape(-1, target.fmt.bytes_per_block)
            self._seen.stored()
            texels.part.surface.written()
            self._tell_texels(Reader.ATOMIC, slot, target, texels)
        return found

    def _tell_texels(self, reader: Reader, slot: ImageSlot, target: Target, texels: _Texels) -> None:
        if self._seen.listener is None:
            return
        rows, columns = target.storage_of(texels.rows, texels.columns, texels.sample)
        what = f"image {slot.binding} of the {self._stage.name.lower()} shader"
        slices = np.full_like(rows, texels.part.first_slice)
        self._seen.listener(
            TexelsRead(reader=reader, what=what, surface=texels.part.surface, texels=(slices, rows, columns))
        )

    def image_size(self, slot: ImageSlot) -> tuple[int, int, int]:
        """Return width, height and layers or slices."""
        target = self._target(slot)
        if target is None:
            raise UNBOUND_SIZE.error(stage=self._stage.name.lower(), slot=slot.binding)
        width, height, layers = image_extent(slot, target)
        return (width, layers, 1) if slot.dimension in _LAYER_IS_ROW else (width, height, layers)

    def _target(self, slot: ImageSlot) -> Target | None:
        target = self._image_of(slot.binding)
        if target is not None and target.fmt.is_depth_stencil:
            raise UnsupportedFormat(f"{target.fmt.nvn_name} is no format of images; a view of a colour format is one")
        return target

    def _texels(
        self,
        slot: ImageSlot,
        target: Target,
        at: Words,
        samples: Words | None,
        codes_of: CodesOf = current_codes,
    ) -> Iterator[_Texels]:
        """Yield the texels of accesses that are inside, surface by surface and sample by sample."""
        width, height, layers = image_extent(slot, target)
        by_row = slot.dimension in _LAYER_IS_ROW
        size = (width, layers) if by_row else (width, height, layers)[: len(at)]
        inside = np.flatnonzero(inside_image(at, size, samples, target.subject.samples))
        columns, *others = (row[inside].astype(np.intp) for row in at)
        nowhere = np.zeros(inside.size, np.intp)
        rows = others[0] if others and not by_row else nowhere
        of_layer = others[-1] if by_row or len(others) > 1 else nowhere
        of_sample = nowhere if samples is None else samples[inside].astype(np.intp)
        for layer in np.unique(of_layer).tolist():
            part = next(target.parts(layer, 1))
            views = sample_views(codes_of(part.surface)[part.first_slice], target.subject.samples)
            for sample in np.unique(of_sample[of_layer == layer]).tolist():
                mine = np.flatnonzero((of_layer == layer) & (of_sample == sample))
                yield _Texels(part, inside[mine], views[sample], rows[mine], columns[mine], sample)
