"""What can NVN not store? Every check of a texture description, each with what would have been allowed.

NVN's own tolerances (more levels than the size holds, arrays of no layers or of more than 2048) pass.
"""

from __future__ import annotations

from refnvn.errors import ArgumentError, FieldRangeError, SizeError
from refnvn.layout.block_linear import align
from refnvn.layout.block_size import BLOCK_LIMIT_GOB
from refnvn.layout.description import (
    CUBE_FACES,
    DEPTH_IS_LAYERS,
    MULTISAMPLE,
    ONE_ROW,
    TextureDescription,
    TextureTarget,
    linear_stride_alignment_B,
)
from refnvn.layout.multisample import sample_grid

MAX_SIZE_PX = 16384
MAX_3D_SIZE_PX = 2048
MAX_BUFFER_ELEMENTS = 134217728
MAX_LEVELS = 15
MAX_LAYERS = 16384
"""The texture header's 14-bit field; NVN's own device limit of 2048 is not enforced by NVN."""


def check(description: TextureDescription) -> None:
    """Raise for what cannot be stored.

    Raises
    ------
    SizeError, FieldRangeError, ArgumentError
        Naming the field, its value and what was allowed.
    """
    _check_sizes(description)
    _check_element(description)
    _check_samples(description)
    if description.is_linear:
        _check_linear(description)
    elif description.stride_B:
        raise ArgumentError(f"stride {description.stride_B} is only for a LINEAR texture")
    if description.packaged is not None:
        _check_packaged(description)
    if description.is_sparse and description.samples > 1:
        raise ArgumentError(f"a sparse texture has one sample, not {description.samples}")


def _in_range(name: str, value: int, low: int, high: int) -> None:
    if not low <= value <= high:
        raise SizeError(f"{name} {value} is not in {low}..{high}")


def _check_sizes(d: TextureDescription) -> None:
    if d.target is TextureTarget.TARGET_BUFFER:
        _in_range("width (elements of a buffer texture)", d.width, 1, MAX_BUFFER_ELEMENTS)
    limit_px = MAX_3D_SIZE_PX if d.is_3d else MAX_SIZE_PX
    if d.target is not TextureTarget.TARGET_BUFFER:
        _in_range("width", d.width, 1, limit_px)
    least_height = 0 if d.target is TextureTarget.TARGET_1D_ARRAY else 1
    _in_range("height", d.height, least_height, 1 if d.target in ONE_ROW and least_height else limit_px)
    if d.is_3d:
        _in_range("depth", d.depth, 0, MAX_3D_SIZE_PX)
    elif d.target in DEPTH_IS_LAYERS:
        _in_range("depth (layers)", d.depth, 0, MAX_LAYERS)
    elif not (d.target is TextureTarget.TARGET_CUBEMAP and d.depth == CUBE_FACES):
        _in_range(f"depth of {d.target.name}", d.depth, 1, 1)
    if d.target is TextureTarget.TARGET_CUBEMAP_ARRAY and d.depth % CUBE_FACES:
        raise SizeError(f"depth {d.depth} of a cube-map array counts faces and must be a multiple of {CUBE_FACES}")
    if d.target in (TextureTarget.TARGET_CUBEMAP, TextureTarget.TARGET_CUBEMAP_ARRAY) and d.width != d.height:
        raise SizeError(f"a cube map's faces are square, not {d.width}x{d.height}")
    _in_range("levels", d.levels, 1, MAX_LEVELS)


def _check_element(d: TextureDescription) -> None:
    allowed = (1, 2, 4, 8, 12, 16) if d.is_linear else (1, 2, 4, 8, 16)
    if d.element.bytes_per_block not in allowed:
        kind = "linear" if d.is_linear else "block-linear"
        raise SizeError(
            f"a {kind} texture cannot have {d.element.bytes_per_block} bytes per texel or block; allowed: "
            + ", ".join(map(str, allowed))
        )


def _check_samples(d: TextureDescription) -> None:
    if d.samples != 1:
        sample_grid(d.samples)
    if d.samples > 1 and d.target not in MULTISAMPLE:
        raise ArgumentError(f"samples {d.samples} need a multisample target, not {d.target.name}")
    if d.target in MULTISAMPLE and d.levels != 1:
        raise ArgumentError(f"a multisample texture has one level, not {d.levels}")


def _check_linear(d: TextureDescription) -> None:
    flat = (TextureTarget.TARGET_2D, TextureTarget.TARGET_RECTANGLE, TextureTarget.TARGET_BUFFER)
    if d.target not in flat or d.levels != 1 or d.is_sparse or d.packaged is not None:
        raise ArgumentError("a linear texture is 2D or a buffer, of one level, not sparse, with no packaged layout")
    width_B = d.extent_el(0)[0] * d.element.bytes_per_block
    alignment_B = linear_stride_alignment_B(d)
    if d.stride_B and (d.stride_B < width_B or d.stride_B % alignment_B):
        raise SizeError(f"stride {d.stride_B} must be a multiple of {alignment_B} and hold a row of {width_B} bytes")
    if d.stride_B > align(MAX_SIZE_PX * 16, alignment_B):
        raise SizeError(f"stride {d.stride_B} is more than {MAX_SIZE_PX} texels of 16 bytes")


def _check_packaged(d: TextureDescription) -> None:
    packaged = d.packaged
    assert packaged is not None
    for name, value in (("block height", packaged.block_height_gob), ("block depth", packaged.block_depth_gob)):
        if not 1 <= value <= BLOCK_LIMIT_GOB or value & (value - 1):
            raise FieldRangeError(f"{name} {value} is not one of 1, 2, 4, 8, 16, 32 GOBs")
    if packaged.block_depth_gob > 1 and not d.is_3d:
        raise FieldRangeError(f"block depth {packaged.block_depth_gob} needs a 3D texture")
