"""The bridge from a format to the layout room: how many bytes a block has and how many pixels it covers."""

from __future__ import annotations

from refnvn.errors import UnsupportedFormat
from refnvn.formats.table import Format
from refnvn.layout.description import Element


def element_of(fmt: Format) -> Element:
    """Return a format as storage sees it.

    Raises
    ------
    UnsupportedFormat
        For NONE, which has no storage.

    Examples
    --------
    >>> from refnvn.formats.table import format_named
    >>> element_of(format_named("RGBA_DXT1"))
    Element(bytes_per_block=8, block_width_px=4, block_height_px=4, is_depth_stencil=False)
    """
    if fmt.bytes_per_block == 0:
        raise UnsupportedFormat(f"{fmt.nvn_name} has no storage")
    return Element(fmt.bytes_per_block, fmt.block_width_px, fmt.block_height_px, fmt.is_depth_stencil)
