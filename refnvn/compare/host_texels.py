"""Which texels does a raw dump of one level hold: rows, padded rows, or block-linear bytes of the whole texture?

A readback that is compared is packed rows in the texture's own format. What a dump says besides is used: another
order of components, a larger width (only the upper left corner is the level), block-linear bytes of the whole
texture. Stencil, where only the depth beside it was dumped, is taken from what is expected, and said.

What it does not do: it converts no values. Read next: ``pictures.py``, ``bisect.py``.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator

import numpy as np

from refnvn.commands.recording import Recording
from refnvn.commands.resources import Texture, View
from refnvn.commands.subject import Subject, description_of, subject_of
from refnvn.compare.bisect import DumpEntry
from refnvn.compare.fitting import ROW_ALIGNMENT_B, what_fits
from refnvn.errors import ArgumentError, SizeError
from refnvn.formats.element import element_of
from refnvn.formats.packing import pack_codes, unpack_codes
from refnvn.formats.table import Format, format_named
from refnvn.golden.result import Result
from refnvn.layout.texture import texture_layout
from refnvn.layout.tiling import Bytes, untile

DEPTH_B = 4
Told = Callable[[str], object]
"""Takes what is assumed of a file, as a sentence."""


def sizes_of_rows(subject: Subject) -> set[int]:
    """Return how many bytes one layer has as rows: without padding, at pitches that hosts use, depth alone."""
    fmt = subject.fmt
    columns, rows = -(-subject.width_px // fmt.block_width_px), -(-subject.extent[1] // fmt.block_height_px)
    return {rows * pitch_B for _, pitch_B in _pitches(fmt, columns * subject.samples)}


def _pitches(fmt: Format, columns: int) -> Iterator[tuple[int, int]]:
    """Yield bytes of texels in a row, and bytes from row to row: of whole texels, then of depth beside stencil."""
    for texel_B in (fmt.bytes_per_block, *((DEPTH_B,) if fmt.name == "DEPTH32F_STENCIL8" else ())):
        row_B = columns * texel_B
        for pitch_B in dict.fromkeys((row_B, *(-(-row_B // to) * to for to in ROW_ALIGNMENT_B))):
            yield row_B, pitch_B


def raw_texels(recording: Recording, entry: DumpEntry, raw: Bytes, expected: Result, told: Told) -> Bytes:
    """Return raw bytes of a dump as the texels of a readback.

    Parameters
    ----------
    recording : Recording
    entry : DumpEntry
        Of a texture; its format, width, height and layout say what differs from the texture.
    raw : uint8, shape (n,)
    expected : Result
        What NVN has there.
    told : callable
        Told what is assumed.

    Returns
    -------
    uint8, shape (n,)
        As many bytes as ``expected`` has.

    Raises
    ------
    SizeError
        For another number of bytes, with what would fit.
    ArgumentError
        For a format whose components are others.
    """
    assert entry.texture is not None
    texture = recording.textures[entry.texture]
    subject = subject_of(texture, View(base_level=entry.level, levels=1))
    fmt = format_named(entry.format) if entry.format else subject.fmt
    if entry.layout == "guest":
        rows = _from_guest(texture, subject, entry, fmt, raw)
    else:
        rows = _from_rows(subject, entry, fmt, raw, expected, told)
    return rows if rows.size == expected.array.nbytes else _all_components(subject.fmt, rows, expected, told)


def _from_guest(texture: Texture, subject: Subject, entry: DumpEntry, fmt: Format, raw: Bytes) -> Bytes:
    """Return the rows of a level of block-linear bytes of the whole texture."""
    own = description_of(texture)
    width, height = entry.width or own.width, entry.height or own.height
    layout = texture_layout(dataclasses.replace(own, element=element_of(fmt), width=width, height=height))
    if raw.size not in (layout.size_B, layout.storage_size_B):
        raise SizeError(
            f"{raw.size} bytes; the whole texture has {layout.size_B} as block-linear bytes "
            f"({fmt.name} {width}x{height})"
        )
    depth = subject.extent[2]
    if layout.description.is_3d:
        images = untile(layout, raw, level=entry.level)
        images = images if entry.layer is None else images[entry.layer : entry.layer + 1]
    else:
        wanted = range(depth) if entry.layer is None else (entry.layer,)
        images = np.concatenate([untile(layout, raw, level=entry.level, layer=one) for one in wanted])
    texels = images.reshape(len(images), images.shape[1], -1, fmt.bytes_per_block * subject.samples)
    return _corner(texels, subject, fmt)


def _from_rows(subject: Subject, entry: DumpEntry, fmt: Format, raw: Bytes, expected: Result, told: Told) -> Bytes:
    width, height = entry.width or subject.width_px, entry.height or subject.extent[1]
    slices = subject.extent[2] if entry.layer is None else 1
    columns, rows = -(-width // fmt.block_width_px), -(-height // fmt.block_height_px)
    for row_B, pitch_B in _pitches(fmt, columns * subject.samples):
        if raw.size == slices * rows * pitch_B:
            if pitch_B != row_B:
                told(f"{entry.file}: rows lie {pitch_B} bytes apart, of which {row_B} are texels")
            texels = raw.reshape(slices, rows, pitch_B)[..., :row_B].reshape(slices, rows, columns, -1)
            return _corner(texels, subject, fmt)
    image = expected.image
    assert image is not None
    said = dataclasses.replace(image, format=fmt.name, width_px=width, height_px=height)
    raise SizeError(f"{raw.size} bytes given, {said.size_B} expected{what_fits(said, raw.size)}")


def _corner(texels: Bytes, subject: Subject, fmt: Format) -> Bytes:
    """Return the part of larger rows that is the level, in the order of components of the level's format."""
    width, height = subject.width_px, subject.extent[1]
    columns, rows = -(-width // fmt.block_width_px), -(-height // fmt.block_height_px)
    if texels.shape[1] < rows or texels.shape[2] < columns:
        raise SizeError(f"{texels.shape[2]}x{texels.shape[1]} texels or blocks; the level has {columns}x{rows}")
    return _ordered(np.ascontiguousarray(texels[:, :rows, :columns]), subject.fmt, fmt).reshape(-1)


def _ordered(texels: Bytes, wanted: Format, fmt: Format) -> Bytes:
    if fmt.name == wanted.name:
        return texels
    if fmt.is_compressed or wanted.is_compressed:
        if fmt.bytes_per_block == wanted.bytes_per_block and fmt.block_width_px == wanted.block_width_px:
            return texels
        raise ArgumentError(f"format {fmt.name}; {wanted.name} has other blocks")
    names = {one.name: (place, one.bits) for place, one in enumerate(fmt.components)}
    there = {one.name: one.bits for one in wanted.components}
    if {name: bits for name, (_, bits) in names.items()} != there or fmt.numeric_class is not wanted.numeric_class:
        raise ArgumentError(
            f"format {fmt.name}; allowed is one with the components of {wanted.name} in any order, since values are "
            "not converted"
        )
    codes = unpack_codes(fmt, texels.reshape(-1, fmt.bytes_per_block))
    return pack_codes(wanted, codes[:, [names[one.name][0] for one in wanted.components]])


def _all_components(fmt: Format, plane: Bytes, expected: Result, told: Told) -> Bytes:
    """Return depth beside the stencil that is expected."""
    told("of depth and stencil only the depth plane is there; stencil is taken as right")
    texels = np.frombuffer(expected.array.tobytes(), np.uint8).reshape(-1, fmt.bytes_per_block).copy()
    texels[:, :DEPTH_B] = plane.reshape(-1, DEPTH_B)
    return texels.reshape(-1)
