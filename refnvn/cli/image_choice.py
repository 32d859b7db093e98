"""Which images of a texture are meant: the options of level, layer, face and slice, and what they choose."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import click

from refnvn.containers.surface import CUBE_FACES
from refnvn.errors import ArgumentError, SizeError
from refnvn.layout.address import layer_offset_B, level_of
from refnvn.layout.description import TextureTarget
from refnvn.layout.levels import LevelLayout
from refnvn.layout.texture import TextureLayout

FACES = ("+X", "-X", "+Y", "-Y", "+Z", "-Z")
CUBES = (TextureTarget.TARGET_CUBEMAP, TextureTarget.TARGET_CUBEMAP_ARRAY)

_OPTIONS = (
    click.option("--level", "one_level", type=int, help="Only this mip level."),
    click.option("--layer", "one_layer", type=int, help="Only this layer; of cubes this layer-face."),
    click.option("--face", type=click.Choice(FACES, case_sensitive=False), help="Only this face of a cube."),
    click.option("--cube", type=int, help="Which cube of an array --face is of.  [default: 0]"),
    click.option("--slice", "one_slice", type=int, help="Only this slice of a 3D texture."),
)


def image_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that choose images; :func:`choice_from` reads them."""
    for option in reversed(_OPTIONS):
        function = option(function)
    return function


@dataclass(frozen=True, slots=True)
class ImageChoice:
    """One level, layer or slice, or all where it is None; what is there has been checked.

    Attributes
    ----------
    level, layer, slice_ : int or None
        A slice is looked for in every chosen level; small levels have fewer.
    """

    level: int | None = None
    layer: int | None = None
    slice_: int | None = None

    def one_image(self) -> ImageChoice:
        """Return the same with level 0 and layer 0 where nothing was said: for forms that hold one image."""
        return ImageChoice(self.level or 0, self.layer or 0, self.slice_)

    def levels(self, layout: TextureLayout) -> list[LevelLayout]:
        """Return the chosen levels, those without the chosen slice left out."""
        levels = list(layout.levels) if self.level is None else [level_of(layout, self.level)]
        return [one for one in levels if self.slice_ is None or self.slice_ < one.slices]

    def layers(self, layout: TextureLayout) -> list[int]:
        """Return the chosen layers."""
        return list(range(layout.layers)) if self.layer is None else [self.layer]

    def slices(self, level: LevelLayout) -> range:
        """Return the chosen slices of a level."""
        return range(level.slices) if self.slice_ is None else range(self.slice_, self.slice_ + 1)


def choice_from(options: dict[str, Any], layout: TextureLayout) -> ImageChoice:
    """Return what the options choose of a texture.

    Raises
    ------
    SizeError
        A level, layer, cube or slice that is not there.
    ArgumentError
        A face of what is no cube, or a face and a layer.
    """
    layer = _layer(options, layout)
    if layer is not None:
        layer_offset_B(layout, layer)  # refuses a layer that is not there
    choice = ImageChoice(options["one_level"], layer, options["one_slice"])
    if choice.slice_ is not None:
        level = level_of(layout, choice.level or 0)
        if not 0 <= choice.slice_ < level.slices:
            raise SizeError(f"slice {choice.slice_} is not in 0..{level.slices - 1} of level {level.level}")
    choice.levels(layout)
    return choice


def _layer(options: dict[str, Any], layout: TextureLayout) -> int | None:
    layer, face, cube = options["one_layer"], options["face"], options["cube"]
    if face is None:
        if cube is not None:
            raise ArgumentError("--cube says which cube --face is of; give a face, or count layer-faces with --layer")
        return None if layer is None else int(layer)
    if layout.description.target not in CUBES:
        raise ArgumentError(f"--face {face}: {layout.description.target.name} has no faces; use --layer")
    if layer is not None:
        raise ArgumentError("--layer counts layer-faces of cubes; give that or --face")
    cubes = layout.layers // CUBE_FACES
    if not 0 <= (cube or 0) < cubes:
        raise SizeError(f"cube {cube} is not in 0..{cubes - 1}")
    return (cube or 0) * CUBE_FACES + FACES.index(face.upper())


def image_words(layout: TextureLayout, level: LevelLayout, layer: int, slice_: int) -> str:
    """Return what stands above one image on a sheet.

    Examples
    --------
    >>> from refnvn.layout.description import Element, TextureDescription
    >>> from refnvn.layout.texture import texture_layout
    >>> target = TextureTarget.TARGET_CUBEMAP
    >>> cube = TextureDescription(element=Element(4), target=target, width=8, height=8)
    >>> image_words(texture_layout(cube), texture_layout(cube).levels[0], 3, 0)
    'L0 8x8 face -Y'
    """
    words = f"L{level.level} {level.width_px}x{level.height_px}"
    if layout.description.target in CUBES:
        cube = f"cube {layer // CUBE_FACES} " if layout.layers > CUBE_FACES else ""
        return f"{words} {cube}face {FACES[layer % CUBE_FACES]}"
    words += f" layer {layer}" if layout.layers > 1 else ""
    return words + (f" slice {slice_}" if layout.levels[0].slices > 1 else "")
