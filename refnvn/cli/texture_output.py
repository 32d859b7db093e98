"""Writing a texture, or one image of it, in the form that a file's ending names."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from refnvn.cli.texture_input import Loaded
from refnvn.containers.dds import write_dds
from refnvn.containers.ktx2 import write_ktx2
from refnvn.containers.npy import write_npy
from refnvn.containers.pfm import write_pfm
from refnvn.containers.png import write_png
from refnvn.containers.surface import BlockSize, Kind, Shape, Surfaces
from refnvn.errors import ArgumentError
from refnvn.files import write_file
from refnvn.formats.blocks import decode_image
from refnvn.formats.codec import decode
from refnvn.formats.table import Format
from refnvn.layout.address import level_of
from refnvn.layout.description import TextureTarget
from refnvn.layout.levels import LevelLayout
from refnvn.layout.tiling import Bytes, image_size_B, untile

_KINDS = {
    TextureTarget.TARGET_1D: Kind.ONE_D,
    TextureTarget.TARGET_1D_ARRAY: Kind.ONE_D,
    TextureTarget.TARGET_2D: Kind.TWO_D,
    TextureTarget.TARGET_RECTANGLE: Kind.TWO_D,
    TextureTarget.TARGET_2D_ARRAY: Kind.TWO_D,
    TextureTarget.TARGET_3D: Kind.THREE_D,
    TextureTarget.TARGET_CUBEMAP: Kind.CUBE,
    TextureTarget.TARGET_CUBEMAP_ARRAY: Kind.CUBE,
}
_ARRAYS = (TextureTarget.TARGET_1D_ARRAY, TextureTarget.TARGET_2D_ARRAY, TextureTarget.TARGET_CUBEMAP_ARRAY)
OUTPUTS = ".png, .dds, .ktx2, .pfm, .npy, .bin"


class Images:
    """The images of a texture in plain rows, however they are held."""

    def __init__(self, loaded: Loaded, *, tiled: bool) -> None:
        self._loaded = loaded
        self._tiled = tiled

    def rows(self, level: int, layer: int) -> Bytes:
        """Return ``(slices, rows, bytes)`` of one level of one layer."""
        layout = self._loaded.layout
        of_level = level_of(layout, level)
        if self._tiled:
            return untile(layout, self._loaded.data, level=level, layer=layer)
        if not 0 <= layer < layout.layers:
            untile(layout, self._loaded.data, level=level, layer=layer)
        per_layer_B = sum(image_size_B(layout, one) for one in layout.levels)
        start_B = layer * per_layer_B + sum(image_size_B(layout, one) for one in layout.levels[:level])
        part = self._loaded.data[start_B : start_B + image_size_B(layout, of_level)]
        return part.reshape(of_level.slices, of_level.height_el, -1)


def save_levels(
    path: Path, loaded: Loaded, images: Images, level: int | None, layer: int | None, *, opaque: bool = False
) -> str:
    """Write a texture, or one image of it, in the form that the path's ending names.

    Returns
    -------
    str
        A remark for whoever looks at a picture; mostly nothing.

    Raises
    ------
    ArgumentError
        For an ending that names no form, or ``opaque`` for anything but a picture.
    """
    writers: dict[str, Callable[[], None]] = {
        ".dds": lambda: write_dds(path, _surfaces(loaded, images, level, layer)),
        ".ktx2": lambda: write_ktx2(path, _surfaces(loaded, images, level, layer)),
        ".npy": lambda: write_npy(path, _elements(loaded, images, level or 0, layer or 0)),
        ".pfm": lambda: write_pfm(path, _values(loaded, images, level or 0, layer or 0)[..., :3]),
        ".bin": lambda: write_file(path, _packed(loaded, images, level, layer)),
    }
    ending = path.suffix.lower()
    if ending == ".png":
        return _save_png(path, loaded, images, level, layer, opaque)
    if ending not in writers:
        raise ArgumentError(f"{path}: the ending {path.suffix!r} names no form of output; allowed: {OUTPUTS}")
    if opaque:
        raise ArgumentError(f"{path}: --opaque is for pictures, which end in .png; other forms hold what is stored")
    writers[ending]()
    return ""


def _chosen(loaded: Loaded, level: int | None, layer: int | None) -> tuple[list[LevelLayout], list[int]]:
    layout = loaded.layout
    levels = list(layout.levels) if level is None else [level_of(layout, level)]
    return levels, list(range(layout.layers)) if layer is None else [layer]


def _packed(loaded: Loaded, images: Images, level: int | None, layer: int | None) -> bytes:
    levels, layers = _chosen(loaded, level, layer)
    return b"".join(images.rows(one.level, number).tobytes() for number in layers for one in levels)


def _surfaces(loaded: Loaded, images: Images, level: int | None, layer: int | None) -> Surfaces:
    description = loaded.layout.description
    if description.target not in _KINDS:
        raise ArgumentError(f"{description.target.name} has no place in a DDS or KTX2; use .bin, .npy or .png")
    levels, layers = _chosen(loaded, level, layer)
    whole = layer is None
    kind = _KINDS[description.target]
    shape = Shape(
        format=loaded.texture.format.name,
        block=_block(loaded.texture.format),
        kind=Kind.TWO_D if kind is Kind.CUBE and not whole else kind,
        is_array=description.target in _ARRAYS and whole,
        width_px=levels[0].width_px,
        height_px=levels[0].height_px,
        depth=levels[0].slices,
        layers=len(layers),
        levels=len(levels),
    )
    parts = tuple(tuple(images.rows(one.level, number).tobytes() for one in levels) for number in layers)
    return Surfaces.of(shape, parts)


def _block(fmt: Format) -> BlockSize:
    return BlockSize(fmt.bytes_per_block, fmt.block_width_px, fmt.block_height_px)


def _elements(loaded: Loaded, images: Images, level: int, layer: int) -> Bytes:
    rows = images.rows(level, layer)
    return rows.reshape(*rows.shape[:2], -1, loaded.texture.format.bytes_per_block)


def level_values(loaded: Loaded, images: Images, level: int, layer: int) -> Any:
    """Return what the texels of one level of one layer read as, shape (slices, height, width, 4)."""
    fmt, of_level = loaded.texture.format, level_of(loaded.layout, level)
    if not fmt.is_compressed:
        return decode(fmt, _elements(loaded, images, level, layer))
    size = of_level.width_px, of_level.height_px
    return np.stack([decode_image(fmt, rows, *size) for rows in images.rows(level, layer)])


def _values(loaded: Loaded, images: Images, level: int, layer: int) -> Any:
    values = level_values(loaded, images, level, layer)
    if values.shape[0] > 1:
        raise ArgumentError("a PFM holds one slice; this level has more: use .npy, .dds or .ktx2")
    return np.ascontiguousarray(values[0].astype(np.float32))


def _save_png(path: Path, loaded: Loaded, images: Images, level: int | None, layer: int | None, opaque: bool) -> str:
    """Write all chosen images on one sheet; return what to say of it."""
    from refnvn.cli.picture import clear_remark, level_picture, without_alpha
    from refnvn.formats.picture_sheet import sheet
    from refnvn.formats.preview import white_of

    levels, layers = _chosen(loaded, level, layer)
    fmt = loaded.texture.format
    stored = {(one.level, number): images.rows(one.level, number) for number in layers for one in levels}
    white = white_of(fmt, np.concatenate([rows.reshape(-1) for rows in stored.values()]))
    rows = [
        [level_picture(fmt, one, stored[one.level, number], z, white=white) for one in levels if z < one.slices]
        for number in layers
        for z in range(levels[0].slices)
    ]
    remark = "" if opaque else clear_remark([picture for row in rows for picture in row])
    write_png(path, sheet([[without_alpha(picture) for picture in row] for row in rows] if opaque else rows))
    return remark
