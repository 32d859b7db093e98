"""What does somebody say of a texture before its layout is known? The fields of NVN's ``TextureBuilder``.

Sizes are as NVN takes them: the layers of a 1D array are its height, those of a 2D or cube-map array its depth, and
a cube-map array counts faces. What NVN tolerates (more levels than the size holds, arrays of no layers, more than
2048 layers) is allowed here too; what it cannot store is one clear error.

Formats come in as an :class:`Element`: this room knows bytes, not codes. Read next: ``texture.py``.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum, IntFlag

from refnvn.layout.block_linear import align, ceil_div
from refnvn.layout.multisample import sample_grid
from refnvn.rules.evidence import Evidence
from refnvn.rules.fields import NVN, CubeArrayDepth, Rules, ZeroLayers
from refnvn.rules.registry import rule

CUBE_FACES = 6
TEXTURE_STRIDE_ALIGNMENT_B = 32
RENDER_TARGET_STRIDE_ALIGNMENT_B = 128


class TextureTarget(IntEnum):
    """``NVNtextureTarget``."""

    TARGET_1D = 0
    TARGET_2D = 1
    TARGET_3D = 2
    TARGET_1D_ARRAY = 3
    TARGET_2D_ARRAY = 4
    TARGET_2D_MULTISAMPLE = 5
    TARGET_2D_MULTISAMPLE_ARRAY = 6
    TARGET_RECTANGLE = 7
    TARGET_CUBEMAP = 8
    TARGET_CUBEMAP_ARRAY = 9
    TARGET_BUFFER = 10


class TextureFlags(IntFlag):
    """``NVNtextureFlags``."""

    DISPLAY = 1
    VIDEO_DECODE = 2
    IMAGE = 4
    COMPRESSIBLE = 8
    LINEAR = 16
    SPARSE = 32
    LINEAR_RENDER_TARGET = 64
    ADAPTIVE_ZCULL = 128
    DEPTH16_PREFER_FAST_CLEAR = 256
    MINIMAL_LAYOUT = 512
    ZCULL_SUPPORT_STENCIL = 1024


NO_FLAGS = TextureFlags(0)

ONE_ROW = (TextureTarget.TARGET_1D, TextureTarget.TARGET_1D_ARRAY, TextureTarget.TARGET_BUFFER)
MULTISAMPLE = (TextureTarget.TARGET_2D_MULTISAMPLE, TextureTarget.TARGET_2D_MULTISAMPLE_ARRAY)
DEPTH_IS_LAYERS = (
    TextureTarget.TARGET_2D_ARRAY,
    TextureTarget.TARGET_2D_MULTISAMPLE_ARRAY,
    TextureTarget.TARGET_CUBEMAP_ARRAY,
)


@dataclass(frozen=True, slots=True)
class Element:
    """One texel, or one compressed block: its bytes and how many pixels it covers."""

    bytes_per_block: int
    block_width_px: int = 1
    block_height_px: int = 1
    is_depth_stencil: bool = False


@dataclass(frozen=True, slots=True)
class PackagedLayout:
    """The block height and depth that a texture brings along (``NVNpackagedTextureLayout``)."""

    block_height_gob: int
    block_depth_gob: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class TextureDescription:
    """A texture as its builder describes it.

    Attributes
    ----------
    element : Element
        The format, as storage sees it.
    target : TextureTarget
        1D, 2D, 3D, arrays, cube maps, multisample, rectangle, buffer.
    width, height, depth : int
        Pixels, or layers where the target says so: height of a 1D array, depth of the other arrays.
    levels : int
        Mip levels, 1..15; more than the size holds is allowed.
    samples : int
        Samples of a multisample target, else 1.
    flags : TextureFlags
        Only LINEAR, LINEAR_RENDER_TARGET, SPARSE, COMPRESSIBLE and VIDEO_DECODE bear on the layout.
    stride_B : int
        Bytes from row to row of a linear texture; 0 takes the smallest that is allowed.
    packaged : PackagedLayout or None
        Explicit block height and depth.

    Raises
    ------
    SizeError, FieldRangeError, ArgumentError
        On construction, for what NVN cannot store.
    """

    element: Element
    target: TextureTarget = TextureTarget.TARGET_2D
    width: int
    height: int = 1
    depth: int = 1
    levels: int = 1
    samples: int = 1
    flags: TextureFlags = NO_FLAGS
    stride_B: int = 0
    packaged: PackagedLayout | None = None

    def __post_init__(self) -> None:
        from refnvn.layout.limits import check

        check(self)

    @property
    def is_linear(self) -> bool:
        """Whether rows follow one another at a stride: linear textures and buffers."""
        linear = TextureFlags.LINEAR | TextureFlags.LINEAR_RENDER_TARGET
        return bool(self.flags & linear) or self.target is TextureTarget.TARGET_BUFFER

    @property
    def is_sparse(self) -> bool:
        """Whether storage is mapped in 64 KiB tiles."""
        return TextureFlags.SPARSE in self.flags

    @property
    def is_3d(self) -> bool:
        """Whether depth counts slices."""
        return self.target is TextureTarget.TARGET_3D

    @property
    def has_layers(self) -> bool:
        """Whether the target is an array or a cube map."""
        return self.target is TextureTarget.TARGET_1D_ARRAY or self.target in (
            *DEPTH_IS_LAYERS,
            TextureTarget.TARGET_CUBEMAP,
        )

    def rows_px(self) -> int:
        """Return the height of an image in pixels: 1 for one-row targets."""
        return 1 if self.target in ONE_ROW else self.height

    def extent_px(self, level: int) -> tuple[int, int, int]:
        """Return ``(width, height, slices)`` of a level in pixels, or in texels of storage if multisampled.

        Levels beyond the smallest are 1x1x1, as NVN has them.
        """
        across, down = sample_grid(self.samples) if self.samples > 1 else (1, 1)
        slices = max(1, self.depth) if self.is_3d else 1
        return (
            max(1, (self.width * across) >> level),
            max(1, (self.rows_px() * down) >> level),
            max(1, slices >> level),
        )

    def extent_el(self, level: int) -> tuple[int, int, int]:
        """Return ``(columns, rows, slices)`` of a level in texels, or in blocks if compressed."""
        width_px, height_px, slices = self.extent_px(level)
        element = self.element
        return ceil_div(width_px, element.block_width_px), ceil_div(height_px, element.block_height_px), slices


@rule(
    "LAYOUT-LAYERS-1",
    "A 1D array counts layers in its height, other arrays in depth, cube-map arrays in faces; a cube map has six.",
    evidence=Evidence.SWITCH,
    sources=("seed-titles", "layout-facts"),
    ledger=("cube-array-faces", "tex-1d-row"),
    fields=("cube_array_depth",),
)
def layer_count(description: TextureDescription, rules: Rules = NVN) -> int:
    """Return how many layers lie in storage.

    Examples
    --------
    510 faces make 85 cubes and 510 layers:

    >>> layer_count(TextureDescription(element=Element(4), target=TextureTarget.TARGET_CUBEMAP_ARRAY,
    ...                                width=8, height=8, depth=510))
    510
    """
    target = description.target
    if target is TextureTarget.TARGET_CUBEMAP:
        return CUBE_FACES
    if target is TextureTarget.TARGET_1D_ARRAY:
        return description.height or layers_of_an_empty_array(rules)
    if target is TextureTarget.TARGET_CUBEMAP_ARRAY and rules.cube_array_depth is CubeArrayDepth.CUBES:
        return description.depth * CUBE_FACES
    if target in DEPTH_IS_LAYERS:
        return description.depth or layers_of_an_empty_array(rules)
    if description.is_3d and description.depth == 0:
        return layers_of_an_empty_array(rules)
    return 1


@rule(
    "LAYOUT-LAYERS-2",
    "An array or a 3D texture of no layers is accepted; its storage is taken to be that of one.",
    evidence=Evidence.OPEN,
    sources=("seed-titles",),
    ledger=("tex-illegal-fields",),
    fields=("zero_layers",),
    refuted_by="nvnTextureBuilderGetStorageSize of an array of no layers, read on a console",
)
def layers_of_an_empty_array(rules: Rules = NVN) -> int:
    """Return the layers in storage of an array of no layers.

    >>> layers_of_an_empty_array()
    1
    """
    return 1 if rules.zero_layers is ZeroLayers.ONE else 0


@rule(
    "LAYOUT-PITCH-1",
    "A linear texture is rows at a stride that is a multiple of 32 bytes, 128 for a render target.",
    evidence=Evidence.NVN_DOCUMENTATION,
    sources=("nvn-device-info", "deko3d", "open-gpu-doc"),
)
def linear_stride_B(description: TextureDescription) -> int:
    """Return the stride of a linear texture: the given one, or the smallest that is allowed.

    A buffer texture is one row with no padding.
    """
    width_B = description.extent_el(0)[0] * description.element.bytes_per_block
    if description.target is TextureTarget.TARGET_BUFFER:
        return width_B
    return description.stride_B or align(width_B, linear_stride_alignment_B(description))


def linear_stride_alignment_B(description: TextureDescription) -> int:
    """Return what the stride of a linear texture must be a multiple of."""
    is_target = TextureFlags.LINEAR_RENDER_TARGET in description.flags
    return RENDER_TARGET_STRIDE_ALIGNMENT_B if is_target else TEXTURE_STRIDE_ALIGNMENT_B
