"""At which byte does a texel lie, and which texel lies at a byte?

Both ways for every layout: block-linear, sparse, linear, arrays and cube maps, 3D slices, samples. A byte that no
texel reaches is padding and says so.
"""

from __future__ import annotations

from dataclasses import dataclass

from refnvn.errors import SizeError
from refnvn.layout.levels import LevelLayout
from refnvn.layout.texture import TextureLayout


@dataclass(frozen=True, slots=True)
class Texel:
    """A place in a texture: texel or compressed block ``x``, ``y``, slice ``z`` of a level of a layer."""

    level: int
    layer: int
    x_el: int
    y_el: int
    z: int
    byte: int = 0
    """Byte inside the texel or block."""


@dataclass(frozen=True, slots=True)
class Padding:
    """A byte of storage that no texel reaches, and why."""

    level: int | None
    layer: int | None
    reason: str


def level_of(layout: TextureLayout, level: int) -> LevelLayout:
    """Return a level, or say which there are.

    Raises
    ------
    SizeError
        For a level that is not there.
    """
    if not 0 <= level < len(layout.levels):
        raise SizeError(f"level {level} is not in 0..{len(layout.levels) - 1}")
    return layout.levels[level]


def layer_offset_B(layout: TextureLayout, layer: int) -> int:
    """Return where a layer starts.

    Raises
    ------
    SizeError
        For a layer that is not there.
    """
    if not 0 <= layer < layout.layers:
        raise SizeError(f"layer {layer} is not in 0..{layout.layers - 1}")
    return layer * layout.layer_stride_B


def texel_offset_B(layout: TextureLayout, texel: Texel) -> int:
    """Return the byte of storage at which a texel starts, plus its ``byte``.

    Raises
    ------
    SizeError
        For a level, layer or texel that is not there.

    Examples
    --------
    >>> from refnvn.layout.description import Element, TextureDescription
    >>> from refnvn.layout.texture import texture_layout
    >>> layout = texture_layout(TextureDescription(element=Element(4), width=256, height=256))
    >>> texel_offset_B(layout, Texel(level=0, layer=0, x_el=16, y_el=0, z=0))
    8192
    """
    level = level_of(layout, texel.level)
    for name, value, size in (
        ("x", texel.x_el, level.width_el),
        ("y", texel.y_el, level.height_el),
        ("z", texel.z, level.slices),
    ):
        if not 0 <= value < size:
            raise SizeError(f"{name} {value} is not in 0..{size - 1} of level {texel.level}")
    bytes_per_block = layout.description.element.bytes_per_block
    if not 0 <= texel.byte < bytes_per_block:
        raise SizeError(f"byte {texel.byte} is not in 0..{bytes_per_block - 1} of a texel or block")
    x_B = texel.x_el * bytes_per_block + texel.byte
    start_B = layer_offset_B(layout, texel.layer) + level.offset_B
    if level.blocks is None:
        return start_B + texel.y_el * level.pitch_B + x_B
    return start_B + level.blocks.offset_B(x_B, texel.y_el, texel.z)


def texel_at(layout: TextureLayout, offset_B: int) -> Texel | Padding:
    """Return what lies at a byte of storage: the inverse of :func:`texel_offset_B`.

    Raises
    ------
    SizeError
        For a byte outside the storage.

    Examples
    --------
    >>> from refnvn.layout.description import Element, TextureDescription
    >>> from refnvn.layout.texture import texture_layout
    >>> layout = texture_layout(TextureDescription(element=Element(4), width=250, height=256))
    >>> texel_at(layout, 8192)
    Texel(level=0, layer=0, x_el=16, y_el=0, z=0, byte=0)
    """
    if not 0 <= offset_B < layout.storage_size_B:
        raise SizeError(f"offset {offset_B} is not in 0..{layout.storage_size_B - 1}")
    if offset_B >= layout.size_B:
        return Padding(None, None, "behind the last layer, up to the storage alignment")
    layer, in_layer_B = divmod(offset_B, layout.layer_stride_B)
    level = next((one for one in layout.levels if one.offset_B <= in_layer_B < one.offset_B + one.size_B), None)
    if level is None:
        return Padding(None, layer, "behind the last level, up to the layer stride")
    in_level_B = in_layer_B - level.offset_B
    if level.blocks is None:
        y, x_B = divmod(in_level_B, level.pitch_B)
        z = 0
    else:
        x_B, y, z = level.blocks.position(in_level_B)
    x_el, byte = divmod(x_B, layout.description.element.bytes_per_block)
    for axis, value, size in (
        ("right of", x_el, level.width_el),
        ("below", y, level.height_el),
        ("behind", z, level.slices),
    ):
        if value >= size:
            return Padding(level.level, layer, f"{axis} the level, up to a whole block")
    return Texel(level.level, layer, x_el, y, z, byte)
