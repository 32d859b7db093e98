"""How do bytes move between buffers and textures?

As they are. A region of a texture is packed rows of stored codes, image after image; the same rows lie in a buffer
at strides. No format is looked at but for its size.

Read next: ``texels.py``.
"""

from __future__ import annotations

import numpy as np

from refnvn.commands import commands as c
from refnvn.commands.subject import packed_rows, strided_span_B
from refnvn.enumerations import CopyFlags
from refnvn.errors import SizeError
from refnvn.layout.multisample import sample_cell, sample_grid
from refnvn.memory.pool import Accessor, Bytes
from refnvn.raster.target import Rectangle
from refnvn.replay.context import Context
from refnvn.replay.errors import field
from refnvn.replay.readings import Reader, TexelsRead
from refnvn.replay.views import Area, Part, Target, area_of
from refnvn.rules.evidence import Evidence
from refnvn.rules.fields import BufferMirror, Rules
from refnvn.rules.registry import rule


@rule(
    "COPY-CODES-1",
    "Copies between buffers and textures, WriteTexels and ReadTexels move stored codes as they are: the byte and bit "
    "order of packed formats is that of memory.",
    evidence=Evidence.SWITCH,
    sources=("seed-titles",),
    ledger=("rgb565-order", "rgba4-order"),
)
def area_codes(target: Target, area: Area, *, by: Accessor = Accessor.GPU) -> Bytes:
    """Return the codes of an area.

    Returns
    -------
    uint8, shape (layers, rows, columns, bytes of a texel or block)
        A copy. The samples of a pixel are neighbours, in their order.
    """
    x, y, width, height = _blocks(target, area.rectangle)
    parts = target.parts(area.first, area.layers, by=by)
    return np.concatenate([_pixels(target, part)[:, y : y + height, x : x + width] for part in parts])


def store_codes(target: Target, area: Area, codes: Bytes, *, by: Accessor = Accessor.GPU) -> None:
    """Write codes of an area; ``codes`` in the order of :func:`area_codes`, in any shape."""
    x, y, width, height = _blocks(target, area.rectangle)
    images = codes.reshape(area.layers, height, width, -1)
    done = 0
    for part in target.parts(area.first, area.layers, by=by):
        pixels = _pixels(target, part)
        pixels[:, y : y + height, x : x + width] = images[done : done + part.slices]
        if target.subject.samples > 1:
            slices = slice(part.first_slice, part.first_slice + part.slices)
            part.surface.codes[slices] = texels_of_pixels(pixels, target.subject.samples)
        done += part.slices
        part.surface.written()


def _blocks(target: Target, rectangle: Rectangle) -> Rectangle:
    """Return a rectangle of pixels in blocks."""
    width_px, height_px = target.fmt.block_width_px, target.fmt.block_height_px
    x, y, width, height = rectangle
    return x // width_px, y // height_px, -(-width // width_px), -(-height // height_px)


def _pixels(target: Target, part: Part) -> Bytes:
    """Return slices as pixels, shape (slices, rows, columns, bytes of a pixel with its samples).

    A view of the codes, but a copy where there are samples.
    """
    codes = part.surface.codes[part.first_slice : part.first_slice + part.slices]
    return codes if target.subject.samples == 1 else pixels_of_texels(codes, target.subject.samples)


def pixels_of_texels(texels: Bytes, samples: int) -> Bytes:
    """Return pixels, whose samples are neighbours, of the texels that the samples are stored as."""
    across, down = sample_grid(samples)
    cells = [sample_cell(samples, sample) for sample in range(samples)]
    return np.concatenate([texels[:, y::down, x::across] for x, y in cells], axis=3)


def texels_of_pixels(pixels: Bytes, samples: int) -> Bytes:
    """Return the texels that the samples of pixels are stored as."""
    across, down = sample_grid(samples)
    layers, rows, columns, pixel_B = pixels.shape
    texels = np.empty((layers, rows * down, columns * across, pixel_B // samples), np.uint8)
    for sample, values in enumerate(np.split(pixels, samples, axis=3)):
        x, y = sample_cell(samples, sample)
        texels[:, y::down, x::across] = values
    return texels


@rule(
    "COPY-STRIDE-1",
    "Rows of a buffer lie apart by the row stride and images by the image stride; 0 means tightly packed.",
    evidence=Evidence.INFERRED,
    sources=("nn-gfx",),
    refuted_by="a copy of a console that leaves room between rows at stride 0",
)
def strided(buffer: Bytes, shape: tuple[int, int, int], row_stride_B: int, image_stride_B: int) -> Bytes:
    """Return the rows that lie in a buffer at strides.

    Parameters
    ----------
    buffer : uint8, shape (n,)
        From the first row's first byte to the last row's last.
    shape : tuple of int
        Images, rows, bytes of a row.
    row_stride_B, image_stride_B : int
        0 for tightly packed.

    Returns
    -------
    uint8, of that shape
        A view.

    Examples
    --------
    >>> strided(np.arange(7, dtype=np.uint8), (1, 2, 3), 4, 0).tolist()
    [[[0, 1, 2], [4, 5, 6]]]
    """
    row_stride_B = row_stride_B or shape[2]
    image_stride_B = image_stride_B or row_stride_B * shape[1]
    return np.lib.stride_tricks.as_strided(buffer, shape, (image_stride_B, row_stride_B, 1))


@rule(
    "COPY-BUFFER-1",
    "The mirror flags turn the region of a copy between a buffer and a texture, as between textures; the other flags "
    "change nothing.",
    evidence=Evidence.OPEN,
    sources=("nvn-header",),
    refuted_by="a copy from a buffer with MIRROR_Y on a console",
    fields=("buffer_mirror",),
)
def turned(codes: Bytes, target: Target, area: Area, flags: int, rules: Rules) -> Bytes:
    """Return the codes of an area in the order that the flags of a copy ask for."""
    flips = (CopyFlags.MIRROR_Z, CopyFlags.MIRROR_Y, CopyFlags.MIRROR_X)
    axes = tuple(axis for axis, flag in enumerate(flips) if flags & flag)
    if not axes or rules.buffer_mirror is BufferMirror.IGNORED:
        return codes
    _, _, width, height = _blocks(target, area.rectangle)
    found: Bytes = np.flip(codes.reshape(area.layers, height, width, -1), axes)
    return found


def tell_area(
    context: Context, reader: Reader, target: Target, area: Area, texture: int, *, by: Accessor = Accessor.GPU
) -> None:
    """Tell who watches that an area of a texture of the recording is read."""
    if context.reads.listener is not None:
        for surface, box in target.boxes(area, by=by):
            what = f"source texture {texture}" if reader is Reader.COPY else ""
            context.reads.listener(TexelsRead(reader=reader, what=what, surface=surface, texels=box))


def tell_rows(context: Context, address: int, shape: tuple[int, int, int], strides_B: tuple[int, int]) -> None:
    """Tell who watches that rows of a buffer are read; strides of rows and images as in :func:`strided`."""
    if context.reads.listener is not None:
        images, rows, row_B = shape
        stride_B = strides_B[0] or row_B
        image_B = strides_B[1] or stride_B * rows
        starts = address + np.arange(images)[:, np.newaxis] * image_B + np.arange(rows) * stride_B
        context.reads.tell(Reader.COPY, "source buffer", starts.reshape(-1), row_B)


def copy_buffer_to_buffer(context: Context, command: c.CopyBufferToBuffer) -> None:
    """Copy bytes; where the ranges overlap the source is read first."""
    with field("source"):
        data = context.memory.read(command.source, command.size_B)
    context.reads.tell(Reader.COPY, "source buffer", command.source, command.size_B)
    with field("destination"):
        context.memory.write(command.destination, data)


def copy_buffer_to_texture(context: Context, command: c.CopyBufferToTexture) -> None:
    """Copy rows of a buffer to a region."""
    target, area, shape, size_B = _rows_of(context, command)
    with field("source"):
        buffer = context.memory.read(command.source, size_B)
    tell_rows(context, command.source, shape, (command.row_stride_B, command.image_stride_B))
    rows = strided(buffer, shape, command.row_stride_B, command.image_stride_B)
    store_codes(target, area, turned(np.ascontiguousarray(rows), target, area, command.flags, context.rules))


def copy_texture_to_buffer(context: Context, command: c.CopyTextureToBuffer) -> None:
    """Copy a region to rows of a buffer; bytes between the rows stay."""
    target, area, shape, size_B = _rows_of(context, command)
    codes = turned(area_codes(target, area), target, area, command.flags, context.rules).reshape(shape)
    tell_area(context, Reader.COPY, target, area, command.texture.texture)
    with field("destination"):
        buffer = context.memory.read(command.destination, size_B)
        strided(buffer, shape, command.row_stride_B, command.image_stride_B)[...] = codes
        context.memory.write(command.destination, buffer)


@rule(
    "COPY-INLINE-1",
    "UpdateUniformBuffer carries its bytes from when it is recorded and writes them in the order of the commands: a "
    "draw sees the latest update before it, and around a part that is updated what memory holds.",
    evidence=Evidence.SWITCH,
    sources=("seed-titles",),
    ledger=("inline-update", "inline-update-pass", "ub-partial", "s4-sw-ubdefer", "s4-sw-ubpartial"),
)
def update_uniform_buffer(context: Context, command: c.UpdateUniformBuffer) -> None:
    """Write bytes that the command carries."""
    data = np.frombuffer(context.blob(command.blob), np.uint8)
    with field("offset_B"):
        if command.offset_B + data.size > command.size_B:
            raise SizeError(f"{command.offset_B} + {data.size} bytes, the buffer has {command.size_B}")
    if data.size:
        with field("address"):
            context.memory.write(command.address + command.offset_B, data)


def _rows_of(
    context: Context, command: c.CopyBufferToTexture | c.CopyTextureToBuffer
) -> tuple[Target, Area, tuple[int, int, int], int]:
    """Return texture and area of a copy, the shape of its rows, and how many bytes of the buffer they span."""
    with field("texture"):
        target = context.textures.target(command.texture)
    area = area_of(target, command.region)
    rows = packed_rows(target.subject, command.region)
    with field("row_stride_B"):
        size_B = strided_span_B(rows, command.row_stride_B, command.image_stride_B)
    return target, area, (rows.images, rows.rows, rows.row_B), size_B
