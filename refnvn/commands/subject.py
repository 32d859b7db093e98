"""What does a texture, seen through a view, hold: which level, which layers, how many pixels of which format?

A command, a readback or a write names a texture and perhaps a view. From the two follow the level and the layers it
touches, the format whose codes it moves, and the size in pixels that a region must stay inside of.

It holds no bytes and reads no field of the rules: sizes follow from what the builder was told. Read next:
``check.py``.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass

from refnvn.commands.resources import Region, Texture, View
from refnvn.errors import ArgumentError, FieldRangeError, SizeError, UnsupportedFormat
from refnvn.formats.element import element_of
from refnvn.formats.table import Format, format_named, formats
from refnvn.layout.description import (
    CUBE_FACES,
    DEPTH_IS_LAYERS,
    PackagedLayout,
    TextureDescription,
    TextureTarget,
)

CUBES = (TextureTarget.TARGET_CUBEMAP, TextureTarget.TARGET_CUBEMAP_ARRAY)


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """What a command addresses.

    Attributes
    ----------
    fmt : Format
        Of the view, else of the texture.
    target : TextureTarget
        Of the view, else of the texture.
    level : int
        The view's first level.
    base_layer, layers : int
        Layers of storage; slices of the level for a 3D texture.
    width_px, height_px : int
        Of the level, in pixels of ``fmt``; samples are not counted.
    samples : int
        Of the texture.
    """

    fmt: Format
    target: TextureTarget
    level: int
    base_layer: int
    layers: int
    width_px: int
    height_px: int
    samples: int

    @property
    def extent(self) -> tuple[int, int, int]:
        """What a region must stay inside of: the layers of a 1D array are rows, all others are depth."""
        if self.target is TextureTarget.TARGET_1D_ARRAY:
            return self.width_px, self.layers, 1
        return self.width_px, self.height_px, self.layers


def stored_format(name: str) -> Format:
    """Return a format by its exact name, as recordings write it.

    Raises
    ------
    FieldRangeError
        For another name, or another spelling.
    """
    exact = formats().get(name)
    if exact is None:
        raise FieldRangeError(f"format {name!r} is written {format_named(name).name!r}")
    return exact


def description_of(texture: Texture) -> TextureDescription:
    """Return a recorded texture as the layout room knows it.

    Raises
    ------
    ArgumentError
        For a format or sizes that cannot be stored.
    """
    packaged = texture.packaged
    return TextureDescription(
        element=element_of(stored_format(texture.format)),
        target=texture.target,
        width=texture.width,
        height=texture.height,
        depth=texture.depth,
        levels=texture.levels,
        samples=texture.samples,
        flags=texture.texture_flags,
        stride_B=texture.stride_B,
        packaged=None if packaged is None else PackagedLayout(packaged.block_height, packaged.block_depth),
    )


def layers_of(texture: Texture, level: int) -> int:
    """Return how many layers a texture has; for a 3D texture the slices of a level.

    An array of no layers counts as one, whatever storage it is given.
    """
    if texture.target is TextureTarget.TARGET_3D:
        return max(1, texture.depth >> level)
    if texture.target is TextureTarget.TARGET_CUBEMAP:
        return CUBE_FACES
    if texture.target is TextureTarget.TARGET_1D_ARRAY:
        return max(1, texture.height)
    return max(1, texture.depth) if texture.target in DEPTH_IS_LAYERS else 1


@functools.lru_cache(maxsize=4096)
def subject_of(texture: Texture, view: View | None = None) -> Subject:
    """Return what a texture shows through a view.

    Raises
    ------
    ArgumentError
        For levels, layers or a format that the texture does not have.

    Examples
    --------
    A BC3 texture of 8x8 pixels through an integer view is 2x2 blocks:

    >>> texture = Texture(pool=0, format="RGBA_DXT5", width=8, height=8)
    >>> subject_of(texture, View(format="RGBA32UI")).extent
    (2, 2, 1)
    """
    view = view or View()
    level = _level(texture, view)
    base_layer, layers = _layers(texture, view, level)
    stored, fmt = stored_format(texture.format), stored_format(view.format or texture.format)
    if fmt.bytes_per_block != stored.bytes_per_block:
        raise UnsupportedFormat(
            f"view format {fmt.name} has {fmt.bytes_per_block} bytes per texel or block, allowed are the "
            f"{stored.bytes_per_block} of {stored.name}"
        )
    height = 1 if texture.target in (TextureTarget.TARGET_1D, TextureTarget.TARGET_1D_ARRAY) else texture.height
    width_px, height_px = (max(1, size >> level) for size in (texture.width, height))
    if (fmt.block_width_px, fmt.block_height_px) != (stored.block_width_px, stored.block_height_px):
        width_px = -(-width_px // stored.block_width_px) * fmt.block_width_px
        height_px = -(-height_px // stored.block_height_px) * fmt.block_height_px
    return Subject(
        fmt=fmt,
        target=texture.target if view.target is None else view.target,
        level=level,
        base_layer=base_layer,
        layers=layers,
        width_px=width_px,
        height_px=height_px,
        samples=texture.samples,
    )


def _level(texture: Texture, view: View) -> int:
    """Return the view's first level: 0 where it sets none."""
    level = view.base_level or 0
    levels = texture.levels - level if view.levels is None else view.levels
    if level < 0 or levels < 1 or level + levels > texture.levels:
        raise SizeError(f"view levels {level} + {levels}, allowed are 0 to {texture.levels} of the texture")
    return level


def _layers(texture: Texture, view: View, level: int) -> tuple[int, int]:
    """Return the view's first layer and how many layers of storage it spans: all where it sets none."""
    available = layers_of(texture, level)
    base = view.base_layer or 0
    layers = available - base if view.layers is None else _storage_layers(view, view.layers)
    if base < 0 or layers < 1 or base + layers > available:
        raise SizeError(f"view layers {base} + {layers}, allowed are 0 to {available} of the texture")
    return base, layers


def _storage_layers(view: View, layers: int) -> int:
    """Return the layers of storage that a view's count means: a cube view counts cubes, multiples of 6 are faces."""
    if view.target in CUBES and layers % CUBE_FACES:
        return layers * CUBE_FACES
    return layers


def whole_region(subject: Subject) -> Region:
    """Return the region that covers all that a subject shows.

    >>> whole_region(subject_of(Texture(pool=0, format="RGBA8", width=4, height=2)))
    Region(x=0, y=0, z=0, width=4, height=2, depth=1)
    """
    width, height, depth = subject.extent
    return Region(width=width, height=height, depth=depth)


def check_region(subject: Subject, region: Region) -> None:
    """Raise unless a region lies inside what a subject shows, on whole blocks.

    Raises
    ------
    SizeError, ArgumentError
        Naming the axis, its range and what is allowed.
    """
    starts, sizes = (region.x, region.y, region.z), (region.width, region.height, region.depth)
    for axis, start, size, extent in zip("xyz", starts, sizes, subject.extent, strict=True):
        if start < 0 or size < 1 or start + size > extent:
            raise SizeError(f"region {axis} {start} + {size}, allowed are 0 to {extent}")
    blocks = (subject.fmt.block_width_px, subject.fmt.block_height_px)
    for axis, start, size, extent, block in zip("xy", starts, sizes, subject.extent, blocks, strict=False):
        if start % block or (size % block and start + size != extent):
            raise ArgumentError(f"region {axis} {start} + {size}, allowed are whole blocks of {block} or the edge")


@dataclass(frozen=True, slots=True)
class PackedRows:
    """A region as packed rows: bytes of a row, rows of an image, images."""

    row_B: int
    rows: int
    images: int

    @property
    def size_B(self) -> int:
        """Bytes of all rows, with no padding."""
        return self.row_B * self.rows * self.images


def packed_rows(subject: Subject, region: Region) -> PackedRows:
    """Return how a region lies in memory outside a texture: each layer or slice is an image, each block row a row.

    The layers of a 1D array are rows of one image. The samples of a pixel are neighbours.

    >>> texture = Texture(pool=0, format="RGBA_DXT1", width=9, height=9)
    >>> packed_rows(subject_of(texture), Region(width=9, height=9)).size_B
    72
    """
    fmt = subject.fmt
    columns = -(-region.width // fmt.block_width_px)
    rows = -(-region.height // fmt.block_height_px)
    return PackedRows(columns * fmt.bytes_per_block * subject.samples, rows, region.depth)


def strided_span_B(rows: PackedRows, row_stride_B: int, image_stride_B: int) -> int:
    """Return the bytes from the first to the last of rows at strides in a buffer; 0 means tightly packed.

    Raises
    ------
    SizeError
        For a stride that rows or images would not fit in.
    """
    row_stride_B = row_stride_B or rows.row_B
    if row_stride_B < rows.row_B:
        raise SizeError(f"row stride {row_stride_B}, allowed are 0 or at least the {rows.row_B} bytes of a row")
    image_B = row_stride_B * (rows.rows - 1) + rows.row_B
    image_stride_B = image_stride_B or row_stride_B * rows.rows
    if rows.images > 1 and image_stride_B < image_B:
        raise SizeError(f"image stride {image_stride_B}, allowed are 0 or at least the {image_B} bytes of an image")
    return image_stride_B * (rows.images - 1) + image_B
