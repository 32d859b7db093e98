"""Writing a texture, or some images of it, in the form that a file's ending names."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np

from refnvn.cli.image_choice import ImageChoice, image_words
from refnvn.cli.texture_images import DecodedImages, Images, chosen_rows, elements, level_values
from refnvn.containers.dds import write_dds
from refnvn.containers.ktx2 import write_ktx2
from refnvn.containers.npy import write_npy
from refnvn.containers.pfm import write_pfm
from refnvn.containers.png import write_png
from refnvn.containers.surface import BlockSize, Kind, Shape, Surfaces
from refnvn.errors import ArgumentError
from refnvn.files import write_file
from refnvn.formats.picture_sheet import Picture, grid, sheet
from refnvn.formats.table import Format
from refnvn.layout.description import TextureTarget

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
_Writers = dict[str, Callable[[Path, Images, ImageChoice], None]]


def save_stored(
    path: Path, images: Images, choice: ImageChoice, *, opaque: bool = False, labels: bool = False
) -> str:
    """Write stored bits in the form that the path's ending names: pictures, containers, bytes; of a PFM values.

    Returns
    -------
    str
        A remark for whoever looks at a picture; mostly nothing.

    Raises
    ------
    ArgumentError
        For an ending that names no form, what the form cannot hold, or a picture's options for anything else.
    """
    if path.suffix.lower() == ".png":
        return save_picture(path, images, choice, opaque=opaque, labels=labels)
    _save(path, images, choice, STORED, opaque=opaque, labels=labels)
    return ""


def save_values(
    path: Path, images: Images, choice: ImageChoice, *, opaque: bool = False, labels: bool = False
) -> str:
    """Write what texels read as in the form that the path's ending names; a PNG is a preview.

    Returns and raises what :func:`save_stored` does.
    """
    if path.suffix.lower() == ".png":
        return save_picture(path, images, choice, opaque=opaque, labels=labels)
    _save(path, images, choice, VALUES, opaque=opaque, labels=labels)
    return ""


def save_picture(
    path: Path, images: Images, choice: ImageChoice, *, opaque: bool = False, labels: bool = False
) -> str:
    """Write all chosen images on one sheet, each under its label if asked for; return what to say of it."""
    from refnvn.cli.picture import clear_remark, without_alpha

    rows = _pictures(images, choice)
    remark = "" if opaque else clear_remark([picture for row in rows for _, picture in row])
    if opaque:
        rows = [[(words, without_alpha(picture)) for words, picture in row] for row in rows]
    write_png(path, _labelled_sheet(rows) if labels else sheet([[picture for _, picture in row] for row in rows]))
    return remark


def _pictures(images: Images, choice: ImageChoice) -> list[list[tuple[str, Picture]]]:
    """Return a row of levels with their labels for each chosen layer and slice."""
    from refnvn.cli.picture import level_picture
    from refnvn.formats.preview import white_of

    levels, layers, fmt = choice.levels(images.layout), choice.layers(images.layout), images.format
    stored = {(one.level, number): images.rows(one.level, number) for number in layers for one in levels}
    white = white_of(fmt, np.concatenate([rows.reshape(-1) for rows in stored.values()]))
    return [
        [
            (
                image_words(images.layout, one, number, z),
                level_picture(fmt, one, stored[one.level, number], z, white=white),
            )
            for one in levels
            if z < one.slices
        ]
        for number in layers
        for z in choice.slices(levels[0])
    ]


def _labelled_sheet(rows: list[list[tuple[str, Picture]]]) -> Picture:
    """Return a sheet with labels: a row for each chain of levels, or a grid where no chain has more than one."""
    from refnvn.cli.picture import enlarged, labelled

    shown = [[labelled(*enlarged(*one)) for one in row] for row in rows]
    return grid([row[0] for row in shown]) if all(len(row) == 1 for row in shown) else sheet(shown)


def _save(path: Path, images: Images, choice: ImageChoice, writers: _Writers, *, opaque: bool, labels: bool) -> None:
    ending = path.suffix.lower()
    if ending not in writers:
        allowed = ", ".join((".png", *writers))
        raise ArgumentError(f"{path}: the ending {path.suffix!r} names no form of output; allowed: {allowed}")
    for given, option in ((opaque, "--opaque"), (labels, "--sheet")):
        if given:
            raise ArgumentError(f"{path}: {option} is for pictures, which end in .png; other forms hold all bits")
    writers[ending](path, images, choice)


def _save_bytes(path: Path, images: Images, choice: ImageChoice) -> None:
    levels = choice.levels(images.layout)
    parts = [chosen_rows(images, choice, one, number) for number in choice.layers(images.layout) for one in levels]
    write_file(path, b"".join(part.tobytes() for part in parts))


def _save_elements(path: Path, images: Images, choice: ImageChoice) -> None:
    one = choice.one_image()
    slices = one.slices(one.levels(images.layout)[0])
    write_npy(path, elements(images, one.level or 0, one.layer or 0)[slices.start : slices.stop])


def _save_value_array(path: Path, images: Images, choice: ImageChoice) -> None:
    one = choice.one_image()
    slices = one.slices(one.levels(images.layout)[0])
    write_npy(path, level_values(images, one.level or 0, one.layer or 0)[slices.start : slices.stop])


def _save_pfm(path: Path, images: Images, choice: ImageChoice) -> None:
    one = choice.one_image()
    slices = one.slices(one.levels(images.layout)[0])
    if len(slices) > 1:
        raise ArgumentError("a PFM holds one slice; this level has more: use --slice, or .npy, .dds or .ktx2")
    values = level_values(images, one.level or 0, one.layer or 0)[slices.start]
    write_pfm(path, np.ascontiguousarray(values.astype(np.float32)[..., :3]))


def surfaces_of(images: Images, choice: ImageChoice) -> Surfaces:
    """Return the chosen images as what a DDS or KTX2 holds.

    One layer of an array or a cube is a texture of its own, and so is one slice of a 3D texture.

    Raises
    ------
    ArgumentError
        For a target that has no place in either.
    """
    target = images.layout.description.target
    if target not in _KINDS:
        raise ArgumentError(f"{target.name} has no place in a DDS or KTX2; use .bin, .npy or .png")
    levels, layers = choice.levels(images.layout), choice.layers(images.layout)
    shape = Shape(
        format=images.format.name,
        block=_block(images.format),
        kind=_kind(target, choice),
        is_array=target in _ARRAYS and choice.layer is None,
        width_px=levels[0].width_px,
        height_px=levels[0].height_px,
        depth=len(choice.slices(levels[0])),
        layers=len(layers),
        levels=len(levels),
    )
    parts = (tuple(chosen_rows(images, choice, one, number).tobytes() for one in levels) for number in layers)
    return Surfaces.of(shape, tuple(parts))


def _kind(target: TextureTarget, choice: ImageChoice) -> Kind:
    kind = _KINDS[target]
    alone = (kind is Kind.CUBE and choice.layer is not None) or (kind is Kind.THREE_D and choice.slice_ is not None)
    return Kind.TWO_D if alone else kind


def _block(fmt: Format) -> BlockSize:
    return BlockSize(fmt.bytes_per_block, fmt.block_width_px, fmt.block_height_px)


STORED: _Writers = {
    ".dds": lambda path, images, choice: write_dds(path, surfaces_of(images, choice)),
    ".ktx2": lambda path, images, choice: write_ktx2(path, surfaces_of(images, choice)),
    ".npy": _save_elements,
    ".pfm": _save_pfm,
    ".bin": _save_bytes,
}
VALUES: _Writers = {
    ".dds": lambda path, images, choice: write_dds(path, surfaces_of(DecodedImages(images), choice)),
    ".ktx2": lambda path, images, choice: write_ktx2(path, surfaces_of(DecodedImages(images), choice)),
    ".npy": _save_value_array,
    ".pfm": _save_pfm,
}
