"""What would a readback of another size fit? In words, for the error that refuses it.

Read next: ``judge.py``.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

from refnvn.errors import RefnvnError
from refnvn.formats.element import element_of
from refnvn.formats.table import Format, format_named, formats
from refnvn.golden.result import Image
from refnvn.layout.description import TextureDescription, TextureTarget
from refnvn.layout.texture import texture_layout

ROW_ALIGNMENT_B = (64, 256)
"""Of rows in buffers of a host."""
MOST_FORMATS = 3
MOST_WORDS = 3


def what_fits(image: Image, size_B: int) -> str:
    """Return what has so many bytes that is nearly this image, as the end of a sentence.

    Where nothing does, that it is cut off, or nothing.

    Examples
    --------
    >>> what_fits(Image(format="R8", width_px=48, height_px=8), 512)
    '; would fit: as block-linear bytes R8 48x8; rows 64 bytes apart'
    """
    if image.layout == "guest":
        return "; would fit: plain rows, where block-linear bytes are expected" if size_B == image.size_B else ""
    found = list(dict.fromkeys(_words(image, size_B)))[:MOST_WORDS]
    if found:
        return f"; would fit: {'; '.join(found)}"
    cut = f"; it is cut off: {size_B * 100 // image.size_B} % of it are there" if size_B else "; it is empty"
    return cut if size_B < image.size_B else ""


def _words(image: Image, size_B: int) -> Iterator[str]:
    fmt = format_named(image.format)
    if not size_B or size_B == image.size_B:
        return
    yield from _formats(image, fmt, size_B)
    if size_B == _block_linear_B(image, fmt):
        yield f"as block-linear bytes {fmt.name} {image.width_px}x{image.height_px}"
    yield from _parts(image, size_B)
    yield from _rows(image, fmt, size_B)


def _formats(image: Image, fmt: Format, size_B: int) -> Iterator[str]:
    """Yield another size of texels or blocks with the same picture size."""
    if fmt.is_compressed:
        fitting = [one.name for one in formats().values() if one.is_compressed and one.bytes_per_block
                   and dataclasses.replace(image, format=one.name).size_B == size_B]  # fmt: skip
        if fitting:
            yield f"blocks as of {_listed(fitting)}"
        return
    texel_B, rest = divmod(size_B * fmt.bytes_per_block, image.size_B)
    if rest:
        return
    fitting = [one.name for one in formats().values() if not one.is_compressed and one.bytes_per_block == texel_B]
    if fitting:
        relatives = [one for one in fitting if _letters(one) == _letters(fmt.name)]
        yield f"texels of {texel_B} bytes ({_listed(relatives or fitting)})"


def _letters(name: str) -> str:
    """Return the components in a format's name: ``RGBA``."""
    return name[: next((at for at, one in enumerate(name) if not one.isalpha()), len(name))]


def _listed(names: list[str]) -> str:
    more = ", ..." if len(names) > MOST_FORMATS else ""
    return ", ".join(names[:MOST_FORMATS]) + more


def _block_linear_B(image: Image, fmt: Format) -> int | None:
    if image.samples > 1 or image.dimensions == "cube":
        return None
    is_3d = image.dimensions == "3d"
    target = TextureTarget.TARGET_3D if is_3d else TextureTarget.TARGET_2D_ARRAY
    depth = image.depth_px if is_3d else image.layers
    try:
        description = TextureDescription(
            element=element_of(fmt), width=image.width_px, height=image.height_px, depth=depth, target=target,
            levels=image.levels,
        )  # fmt: skip
        return texture_layout(description).size_B
    except RefnvnError:
        return None


def _parts(image: Image, size_B: int) -> Iterator[str]:
    """Yield one sample, one layer or slice, one level, or another level of the same."""
    if image.samples > 1 and size_B * image.samples == image.size_B:
        yield "one sample of each texel"
    slices = image.layers * image.depth_px
    if slices > 1 and image.size_B % slices == 0 and size_B % (image.size_B // slices) == 0:
        count = size_B // (image.size_B // slices)
        yield f"{count} of {slices} layers" if count < slices else f"{count} layers, of which it has {slices}"
    for level in range(image.levels, max(image.width_px, image.height_px).bit_length()):
        if size_B == image.layers * image.level_size_B(level):
            yield f"level {level} of {image.width_px}x{image.height_px}"
    for level in range(image.levels if image.levels > 1 else 0):
        if size_B == image.layers * image.level_size_B(level):
            yield f"level {level} alone"


def _rows(image: Image, fmt: Format, size_B: int) -> Iterator[str]:
    """Yield rows with padding, and fewer or more rows of the same width."""
    if image.levels > 1:
        return
    row_B = -(-image.width_px // fmt.block_width_px) * fmt.bytes_per_block * image.samples
    rows = image.size_B // row_B
    for to in ROW_ALIGNMENT_B:
        pitch_B = -(-row_B // to) * to
        if pitch_B != row_B and size_B == pitch_B * rows:
            yield f"rows {pitch_B} bytes apart"
    if size_B % row_B == 0 and size_B > row_B:
        yield f"{size_B // row_B} rows of this width, where there are {rows}"
