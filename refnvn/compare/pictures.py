"""Which stored texels does a PNG show?

A picture's channels are red, green, blue and alpha; a format's components may stand in another order, so each channel
goes where the component of its name is. Codes are taken as they are.

What it does not do: it converts no values. Floats, packed components and depth are refused.
Read next: ``judge.py``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from refnvn.errors import ArgumentError, ShapeError
from refnvn.formats.table import Format, NumericClass, format_named
from refnvn.golden.result import Image, Result
from refnvn.layout.tiling import Bytes

CODES = (NumericClass.UNORM, NumericClass.SNORM, NumericClass.UINT, NumericClass.SINT)
Lacking = Callable[[str], object]
"""Told which components a picture does not have, as a sentence; it may raise."""


def refuse(words: str) -> None:
    """Raise for components that a picture does not have."""
    raise ArgumentError(f"{words}; npy and raw bytes have all of them")


def picture_texels(
    pixels: NDArray[Any],
    expected: Result,
    lacking: Lacking = refuse,
    *,
    has_alpha: bool = True,
    classes: tuple[NumericClass, ...] = CODES,
) -> Bytes | NDArray[Any]:
    """Return a picture as the stored texels of a readback.

    Parameters
    ----------
    pixels : uint8 or uint16, shape (rows, columns) or (rows, columns, 1 to 4)
        Grey, grey and alpha, RGB or RGBA.
    expected : Result
        What NVN has there; of a result that is no image the pixels are taken as they are.
    lacking : callable
        Told of components that the picture does not have; where it does not raise, they are as expected.
    has_alpha : bool
        Whether the picture's alpha is the image's.
    classes : tuple of NumericClass
        Of formats whose codes such a picture has.

    Returns
    -------
    uint8, shape (n,)
        The bytes of the image.

    Raises
    ------
    ArgumentError
        For a format whose codes the picture does not have.
    ShapeError
        For a picture of another size.
    """
    image = expected.image
    if image is None:
        return pixels
    fmt = format_named(image.format)
    if image.layout != "linear":
        raise ArgumentError(f"the readback is {fmt.name} block-linear, which no picture is; give raw bytes")
    _check_codes(fmt, pixels, classes)
    _check_size(image, pixels)
    channels = _channels(pixels.reshape(*pixels.shape[:2], -1))
    if not has_alpha:
        channels.pop("A", None)
    codes = np.frombuffer(expected.array.tobytes(), pixels.dtype.newbyteorder("<"))
    codes = codes.reshape(*pixels.shape[:2], -1).copy()
    absent = [one.name for one in fmt.components if one.name not in (*channels, "X")]
    if absent:
        does = "have" if has_alpha else "keep"
        lacking(f"a picture of {fmt.name} does not {does} component {' and '.join(absent)}")
    for one in fmt.components:
        if one.name in channels:
            codes[..., one.first_bit // one.bits] = channels[one.name]
    return codes.view(np.uint8).reshape(-1)


def _check_codes(fmt: Format, pixels: NDArray[Any], classes: tuple[NumericClass, ...]) -> None:
    bits = 8 * pixels.itemsize
    if fmt.numeric_class in classes and all(one.bits == bits for one in fmt.components):
        return
    if fmt.numeric_class in CODES and {one.bits for one in fmt.components} == {8 * pixels.itemsize}:
        why = "hosts map the tones of integers"
    else:
        why = f"a PNG of {bits} bits does not hold its codes"
    raise ArgumentError(f"the readback is {fmt.name}: {why}; give npy (an array of its codes) or raw bytes")


def _check_size(image: Image, pixels: NDArray[Any]) -> None:
    width, height = pixels.shape[1], pixels.shape[0]
    slices = image.layers * image.depth_px
    if (width, height) == (image.width_px, image.height_px) and slices == image.samples == image.levels == 1:
        return
    more = "".join(
        f", {count} {what}"
        for count, what in ((slices, "layers"), (image.levels, "levels"), (image.samples, "samples"))
        if count > 1
    )
    size = f"{image.width_px}x{image.height_px}{more}"
    raise ShapeError(f"a picture of {width}x{height} is given, {image.format} {size} expected")


def _channels(pixels: NDArray[Any]) -> dict[str, NDArray[Any]]:
    """Return the channels of a picture by the names of components; a grey one is red, green and blue."""
    count = pixels.shape[2]
    is_grey = count <= len(("grey", "alpha"))
    found = {name: pixels[..., 0 if is_grey else place] for place, name in enumerate("RGB")}
    return found | ({"A": pixels[..., -1]} if count in (2, 4) else {})
