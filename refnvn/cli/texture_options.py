"""The options that describe a texture, as ``nvnTextureBuilder`` would, shared by several commands."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import click

from refnvn.errors import ArgumentError, SizeError
from refnvn.formats.element import element_of
from refnvn.formats.table import Format, Use, format_named
from refnvn.layout.description import NO_FLAGS, PackagedLayout, TextureDescription, TextureFlags, TextureTarget

TARGETS = {
    "1d": TextureTarget.TARGET_1D,
    "2d": TextureTarget.TARGET_2D,
    "3d": TextureTarget.TARGET_3D,
    "1d-array": TextureTarget.TARGET_1D_ARRAY,
    "2d-array": TextureTarget.TARGET_2D_ARRAY,
    "cubemap": TextureTarget.TARGET_CUBEMAP,
    "cubemap-array": TextureTarget.TARGET_CUBEMAP_ARRAY,
    "rectangle": TextureTarget.TARGET_RECTANGLE,
    "2d-multisample": TextureTarget.TARGET_2D_MULTISAMPLE,
    "2d-multisample-array": TextureTarget.TARGET_2D_MULTISAMPLE_ARRAY,
    "buffer": TextureTarget.TARGET_BUFFER,
}

_OPTIONS = (
    click.option("--format", "format_name", metavar="FORMAT", help="NVN's name, for example RGBA_DXT1 or RGBA8."),
    click.option("--size", metavar="WxH[xD]", help="Pixels; D is the slices of a 3D texture."),
    click.option("--layers", type=int, help="Layers of an array; faces of a cubemap-array."),
    click.option("--levels", metavar="N|full", help="Mip levels; full goes down to 1x1.  [default: 1]"),
    click.option("--target", type=click.Choice(list(TARGETS)), help="Default: by --size and --layers."),
    click.option("--samples", type=int, default=1, help="Samples of a multisample target."),
    click.option("--sparse", is_flag=True, help="The SPARSE flag: 64 KiB tiles."),
    click.option("--linear", is_flag=True, help="The LINEAR flag: rows at a stride."),
    click.option("--linear-render-target", is_flag=True, help="The LINEAR_RENDER_TARGET flag."),
    click.option("--compressible", is_flag=True, help="The COMPRESSIBLE flag."),
    click.option("--video-decode", is_flag=True, help="The VIDEO_DECODE flag."),
    click.option("--stride", type=int, default=0, help="Bytes from row to row of a linear texture."),
    click.option("--block-height", type=int, help="GOBs, of a packaged layout; default automatic."),
    click.option("--block-depth", type=int, help="GOBs, of a packaged layout."),
)

NAMES = (
    "format_name", "size", "layers", "levels", "target", "samples", "sparse", "linear", "linear_render_target",
    "compressible", "video_decode", "stride", "block_height", "block_depth",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Texture:
    """A format and a texture described with it."""

    format: Format
    description: TextureDescription


def texture_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add all options that describe a texture."""
    for option in reversed(_OPTIONS):
        function = option(function)
    return function


def texture_from(options: dict[str, Any]) -> Texture:
    """Return the texture that the options describe.

    Raises
    ------
    RefnvnError
        For what is missing, malformed or cannot be stored.
    """
    if options["format_name"] is None or options["size"] is None:
        missing = " and ".join(
            f"--{n}" for n, key in (("format", "format_name"), ("size", "size")) if not options[key]
        )
        raise ArgumentError(f"{missing} must be given: no file says it here")
    fmt = format_named(options["format_name"])
    if not (fmt.has(Use.TEXTURE) or fmt.has(Use.RENDER_TARGET) or fmt.has(Use.BUFFER_TEXTURE)):
        fmt.require(Use.TEXTURE)
    width, height, depth = parse_size(options["size"])
    target = _target(options, depth)
    if depth is not None and target is not TextureTarget.TARGET_3D:
        raise ArgumentError(f"size {options['size']} has a depth, which only a 3d target has; use --layers")
    height, depth = _layers(options, target, height, depth or 1)
    description = TextureDescription(
        element=element_of(fmt),
        target=target,
        width=width,
        height=height,
        depth=depth,
        levels=_levels(options["levels"], width, height, depth, target),
        samples=options["samples"],
        flags=_flags(options),
        stride_B=options["stride"],
        packaged=_packaged(options),
    )
    return Texture(fmt, description)


def parse_size(text: str) -> tuple[int, int, int | None]:
    """Return width, height and depth of ``WxH``, ``WxHxD`` or ``W``.

    >>> parse_size("320x200")
    (320, 200, None)
    """
    if not re.fullmatch(r"[0-9]{1,9}(x[0-9]{1,9}){0,2}", text):
        raise SizeError(f"size {text!r} is not WIDTHxHEIGHT or WIDTHxHEIGHTxDEPTH in pixels")
    numbers = [int(n) for n in text.split("x")]
    return numbers[0], numbers[1] if len(numbers) > 1 else 1, numbers[2] if len(numbers) > 2 else None


def _target(options: dict[str, Any], depth: int | None) -> TextureTarget:
    if options["target"]:
        return TARGETS[options["target"]]
    if depth is not None:
        return TextureTarget.TARGET_3D
    if options["samples"] > 1:
        several = options["layers"] is not None
        return TextureTarget.TARGET_2D_MULTISAMPLE_ARRAY if several else TextureTarget.TARGET_2D_MULTISAMPLE
    return TextureTarget.TARGET_2D if options["layers"] is None else TextureTarget.TARGET_2D_ARRAY


def _layers(options: dict[str, Any], target: TextureTarget, height: int, depth: int) -> tuple[int, int]:
    """Return height and depth with the layers where NVN counts them."""
    layers = options["layers"]
    if layers is None:
        if target is TextureTarget.TARGET_CUBEMAP_ARRAY:
            raise ArgumentError("a cubemap-array needs --layers, which counts faces: 6, 12, 18, ...")
        return height, depth
    if target is TextureTarget.TARGET_1D_ARRAY:
        if height != 1:
            raise ArgumentError(
                f"size {options['size']} has a height, which counts a 1d-array's layers; so does --layers"
            )
        return layers, depth
    if target in (
        TextureTarget.TARGET_2D_ARRAY,
        TextureTarget.TARGET_2D_MULTISAMPLE_ARRAY,
        TextureTarget.TARGET_CUBEMAP_ARRAY,
    ):
        return height, layers
    if target is TextureTarget.TARGET_CUBEMAP and layers == 6:
        return height, depth
    raise ArgumentError(f"--layers {layers} needs an array target, not {options['target'] or '3d'}")


def _levels(text: str | None, width: int, height: int, depth: int, target: TextureTarget) -> int:
    if text is None:
        return 1
    if text == "full":
        slices = depth if target is TextureTarget.TARGET_3D else 1
        rows = 1 if target is TextureTarget.TARGET_1D_ARRAY else height
        return max(1, max(width, rows, slices).bit_length())
    if not re.fullmatch(r"[0-9]{1,4}", text):
        raise SizeError(f"levels {text!r} is neither a number nor 'full'")
    return int(text)


def _flags(options: dict[str, Any]) -> TextureFlags:
    flags = NO_FLAGS
    for name in ("sparse", "linear", "linear_render_target", "compressible", "video_decode"):
        if options[name]:
            flags |= TextureFlags[name.upper()]
    return flags


def _packaged(options: dict[str, Any]) -> PackagedLayout | None:
    height, depth = options["block_height"], options["block_depth"]
    if height is None and depth is None:
        return None
    return PackagedLayout(1 if height is None else height, 1 if depth is None else depth)
