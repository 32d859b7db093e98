"""What does a texture show through a view: which levels and images, as which format, and how are they read?

A texture lies in memory once; a view says how to look at it. What the view sets replaces what the texture says: first
level and layer, how many, target, format, channel mapping, depth or stencil. Formats of one size look at the same
bits, so a float texture seen as integers gives its bits, and integers written through a view come back as floats.

Cube maps are six layers in the order of their faces; a cube view counts cubes. Read next: ``sampled.py``,
``declared.py``.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from refnvn.enumerations import TextureDepthStencilMode
from refnvn.errors import SizeError, UnsupportedFormat
from refnvn.formats.blocks import decode_image_codes
from refnvn.formats.depth_stencil import decode_stencil
from refnvn.formats.table import Format, format_named
from refnvn.layout.description import CUBE_FACES, MULTISAMPLE, TextureTarget
from refnvn.layout.multisample import sample_cell, sample_grid
from refnvn.layout.texture import TextureLayout
from refnvn.memory.memory import Memory
from refnvn.memory.surface import CodesOf, current_codes
from refnvn.rules.evidence import Evidence
from refnvn.rules.fields import NVN, Rules
from refnvn.rules.registry import rule
from refnvn.texture.sampled import ARRAYS, CUBES, IDENTITY, SampledTexture, Swizzle

_SOURCES = ("seed-titles", "deko3d", "open-gpu-doc")


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredTexture:
    """A texture in memory.

    Attributes
    ----------
    pool, offset_B : int
        Where its storage starts.
    layout : TextureLayout
    fmt : Format
    swizzle : 4 x TextureSwizzle
    depth_stencil_mode : TextureDepthStencilMode
        What its builder said; a view may say otherwise.
    """

    pool: int
    offset_B: int
    layout: TextureLayout
    fmt: Format
    swizzle: Swizzle = IDENTITY
    depth_stencil_mode: TextureDepthStencilMode = TextureDepthStencilMode.DEPTH


@dataclass(frozen=True, slots=True, kw_only=True)
class ViewFields:
    """What a view sets; None leaves what the texture says.

    ``base_layer`` counts layers; ``layers`` counts cubes for a cube target, where multiples of six are faces.
    """

    base_level: int | None = None
    levels: int | None = None
    base_layer: int | None = None
    layers: int | None = None
    fmt: Format | None = None
    target: TextureTarget | None = None
    swizzle: Swizzle | None = None
    depth_stencil_mode: TextureDepthStencilMode | None = None


WHOLE = ViewFields()


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """What is shown: all of it known. Layers are those of storage, slices for a 3D texture."""

    base_level: int
    levels: int
    base_layer: int
    layers: int
    fmt: Format
    target: TextureTarget
    swizzle: Swizzle
    depth_stencil_mode: TextureDepthStencilMode


@rule(
    "TEX-VIEW-1",
    "A view of a view shows the same storage: first levels and layers add up, and what it does not set stays as the "
    "first one had it, the channel mapping too.",
    evidence=Evidence.INFERRED,
    sources=_SOURCES,
    ledger=("tex-fit-root",),
    refuted_by="a cube made of a view of levels 1.. and layers 6.. whose first face is not level 1 of layer 6",
)
def nested(outer: ViewFields, inner: ViewFields) -> ViewFields:
    """Return the one view that looks through ``outer`` and then ``inner``.

    Examples
    --------
    >>> both = nested(ViewFields(base_level=1, base_layer=6), ViewFields(base_layer=2, layers=1))
    >>> both.base_level, both.base_layer, both.layers
    (1, 8, 1)
    """
    merged = {
        name: getattr(outer, name) if getattr(inner, name) is None else getattr(inner, name)
        for name in ("levels", "layers", "fmt", "target", "swizzle", "depth_stencil_mode")
    }
    return ViewFields(
        base_level=(outer.base_level or 0) + (inner.base_level or 0),
        base_layer=(outer.base_layer or 0) + (inner.base_layer or 0),
        **merged,
    )


@rule(
    "TEX-VIEW-2",
    "A view's levels and layers are counted from its first ones; a cube view counts cubes of six layers in the order "
    "+x, -x, +y, -y, +z, -z, and a count that is a multiple of six counts faces.",
    evidence=Evidence.SWITCH,
    sources=_SOURCES,
    ledger=("cube-view-cubes", "cube-as-array"),
)
def shown(stored: StoredTexture, view: ViewFields = WHOLE) -> Shown:
    """Return what a texture shows through a view.

    Raises
    ------
    SizeError
        For levels or layers that there are not.
    UnsupportedFormat
        For a format of another size.
    """
    description = stored.layout.description
    fmt = view.fmt or stored.fmt
    if fmt.bytes_per_block != stored.fmt.bytes_per_block:
        raise UnsupportedFormat(
            f"view format {fmt.name} has {fmt.bytes_per_block} bytes per texel or block, allowed are the "
            f"{stored.fmt.bytes_per_block} of {stored.fmt.name}"
        )
    target = description.target if view.target is None else view.target
    base_level, available = view.base_level or 0, len(stored.layout.levels)
    levels = available - base_level if view.levels is None else view.levels
    if base_level < 0 or levels < 1 or base_level + levels > available:
        raise SizeError(f"view levels {base_level} + {levels}, allowed are 0 to {available} of the texture")
    images = stored.layout.levels[base_level].slices if description.is_3d else stored.layout.layers
    base_layer = view.base_layer or 0
    layers = images - base_layer if view.layers is None else _storage_layers(target, view.layers)
    if base_layer < 0 or layers < 1 or base_layer + layers > images:
        raise SizeError(f"view layers {base_layer} + {layers}, allowed are 0 to {images} of the texture")
    return Shown(
        base_level=base_level,
        levels=levels,
        base_layer=base_layer,
        layers=layers,
        fmt=fmt,
        target=target,
        swizzle=view.swizzle or stored.swizzle,
        depth_stencil_mode=(
            stored.depth_stencil_mode if view.depth_stencil_mode is None else view.depth_stencil_mode
        ),
    )


def _storage_layers(target: TextureTarget, layers: int) -> int:
    return layers * CUBE_FACES if target in CUBES and layers % CUBE_FACES else layers


def _image_count(target: TextureTarget, layers: int) -> int:
    """Return how many images a target takes of those that a view spans."""
    if target in ARRAYS or target in (TextureTarget.TARGET_3D, TextureTarget.TARGET_2D_MULTISAMPLE_ARRAY):
        return layers - layers % CUBE_FACES if target in CUBES else layers
    return CUBE_FACES if target is TextureTarget.TARGET_CUBEMAP else 1


def _stored_codes(
    memory: Memory, stored: StoredTexture, seen: Shown, level: int, codes_of: CodesOf
) -> NDArray[np.uint8]:
    """Return the codes of a level's images, shape (images, rows, columns, bytes)."""

    def codes_at(layer: int) -> NDArray[np.uint8]:
        return codes_of(memory.surface(stored.pool, stored.offset_B, stored.layout, level, layer))

    count = _image_count(seen.target, seen.layers)
    if count == 0 or count > seen.layers:
        raise SizeError(f"a view of target {seen.target.name} needs {CUBE_FACES} layers, not {seen.layers}")
    if stored.layout.description.is_3d:
        codes = codes_at(0)
        is_whole = seen.target is TextureTarget.TARGET_3D and seen.base_layer == 0
        return codes.copy() if is_whole else codes[seen.base_layer :][:count].copy()
    layers = range(seen.base_layer, seen.base_layer + count)
    return np.stack([codes_at(layer)[0] for layer in layers])


def _sample_after_sample(codes: NDArray[np.uint8], samples: int) -> NDArray[np.uint8]:
    """Return images of sample grids with the samples of a pixel as neighbours in a row, in their order."""
    across, down = sample_grid(samples)
    images, rows, columns, bytes_each = codes.shape
    pixels = codes.reshape(images, rows // down, down, columns // across, across, bytes_each)
    cells = [sample_cell(samples, sample) for sample in range(samples)]
    ordered = np.stack([pixels[:, :, y, :, x] for x, y in cells], axis=3)
    return np.ascontiguousarray(ordered).reshape(images, rows // down, -1, bytes_each)


def _decoded_codes(
    stored: StoredTexture, fmt: Format, codes: NDArray[np.uint8], level: int, rules: Rules
) -> NDArray[Any]:
    """Return the codes of a compressed format's texels, shape (images, rows, columns, channels)."""
    rows, columns = codes.shape[1:3]
    width_px, height_px = columns * fmt.block_width_px, rows * fmt.block_height_px
    same_blocks = (fmt.block_width_px, fmt.block_height_px) == (stored.fmt.block_width_px, stored.fmt.block_height_px)
    if same_blocks:
        of_level = stored.layout.levels[level]
        width_px, height_px = of_level.width_px, of_level.height_px
    return np.stack([decode_image_codes(fmt, image.reshape(-1), width_px, height_px, rules) for image in codes])


@rule(
    "TEX-VIEW-3",
    "In stencil mode a combined format reads its stencil byte as an unsigned integer in red, else its depth.",
    evidence=Evidence.INFERRED,
    sources=_SOURCES,
    ledger=("stencil-view", "stencil-builder-mode"),
    refuted_by="a shader on a console that reads a stencil view's value as a float of 0..1, or in another channel",
)
def plane_of(fmt: Format, codes: NDArray[Any], mode: TextureDepthStencilMode) -> tuple[Format, NDArray[Any]]:
    """Return the format and codes that a mode reads; nothing changes but for stencil mode of a format with stencil.

    Examples
    --------
    >>> fmt, codes = plane_of(format_named("DEPTH24_STENCIL8"), np.array([64, 1, 2, 3], np.uint8),
    ...                       TextureDepthStencilMode.STENCIL)
    >>> fmt.name, codes.tolist()
    ('STENCIL8', [64])
    """
    if mode is TextureDepthStencilMode.DEPTH or fmt.component("S") is None:
        return fmt, codes
    return format_named("STENCIL8"), decode_stencil(fmt, codes)[..., np.newaxis]


@rule(
    "TEX-VIEW-4",
    "A view of another format of the same bytes per texel or block reads the same bits by its own format.",
    evidence=Evidence.SWITCH,
    sources=("seed-titles",),
    ledger=("tex-int-as-float", "depth-as-red", "srgb-alias", "bc-as-rt"),
)
def sampled_texture(
    memory: Memory,
    stored: StoredTexture,
    view: ViewFields = WHOLE,
    rules: Rules = NVN,
    codes_of: CodesOf = current_codes,
) -> SampledTexture:
    """Return the content of a texture as a view shows it: a copy of what memory holds now.

    Parameters
    ----------
    memory : Memory
    stored : StoredTexture
    view : ViewFields
    rules : Rules
        Reads what the decoding of blocks reads.
    codes_of : callable
        From a surface to what its reader sees of it.

    Returns
    -------
    SampledTexture

    Raises
    ------
    SizeError, UnsupportedFormat, ArgumentError
        For a view that the texture does not have, or storage outside its pool.
    """
    seen = shown(stored, view)
    samples = stored.layout.description.samples
    levels: list[NDArray[Any]] = []
    fmt = seen.fmt
    for level in range(seen.base_level, seen.base_level + seen.levels):
        codes: NDArray[Any] = _stored_codes(memory, stored, seen, level, codes_of)
        if samples > 1:
            codes = _sample_after_sample(codes, samples)
        if seen.fmt.is_compressed:
            codes = _decoded_codes(stored, seen.fmt, codes, level, rules)
        else:
            fmt, codes = plane_of(seen.fmt, codes, seen.depth_stencil_mode)
        levels.append(codes)
    target = seen.target
    texture = SampledTexture(fmt, target, tuple(levels), seen.swizzle)
    return replace(texture, samples=samples) if target in MULTISAMPLE else texture
