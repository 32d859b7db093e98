"""Which DXGI and Vulkan formats have exactly the bits of an NVN format?

The table is ``equivalents.csv``. A row is there only where every stored bit means the same in both, so that a file
needs no conversion. The traps:

- DXGI names components from the lowest bit up, as NVN does; Vulkan's ``PACK16`` and ``PACK32`` names start at the
  highest bit. NVN BGR565 is DXGI B5G6R5 and Vulkan R5G6B5_PACK16.
- NVN's 24-bit depth is in bits 8 to 31. DXGI's and Vulkan's X8 formats have it in bits 0 to 23, and Vulkan leaves
  the order of D24_UNORM_S8_UINT to the driver: no row.
- X components: only DXGI's B8G8R8X8 says, as NVN's BGRX8 does, that nothing reads them. NVN's RGBX formats have no
  row, because a reader would take X for alpha.
- KTX2 forbids Vulkan's SCALED formats, so NVN's vertex formats that turn integers into floats have no row.
- RGB_DXT1 and RGBA_DXT1 share DXGI's BC1. A DDS that says BC1 is read as RGBA_DXT1.

The ASTC numbers of DXGI were never published by Microsoft but are what other tools write.
It does not convert. Read next: ``dds.py``, ``ktx2.py``.
"""

from __future__ import annotations

import csv
import functools
from dataclasses import dataclass
from pathlib import Path

from refnvn.containers.surface import BlockSize, Shape
from refnvn.errors import FieldRangeError, UnsupportedFormat

DXGI_WRITTEN_ONLY = frozenset({"RGB_DXT1", "RGB_DXT1_SRGB"})
"""NVN formats whose DXGI format is read back as another NVN format of the same bits."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Equivalent:
    """An NVN format and the formats of other interfaces that have exactly its bits.

    Attributes
    ----------
    nvn : str
        NVN's name without ``NVN_FORMAT_``.
    block : BlockSize
        The size of its blocks.
    dxgi_code, vulkan_code : int or None
        The value of the enumeration; None where there is no such format.
    dxgi_name, vulkan_name : str
        The name without ``DXGI_FORMAT_`` or ``VK_FORMAT_``; empty where there is no such format.
    """

    nvn: str
    block: BlockSize
    dxgi_code: int | None
    dxgi_name: str
    vulkan_code: int | None
    vulkan_name: str

    @property
    def containers(self) -> tuple[str, ...]:
        """The containers that can hold the format under its own name."""
        held = (("DDS", self.dxgi_code), ("KTX2", self.vulkan_code))
        return tuple(name for name, code in held if code is not None)


def _number(text: str) -> int | None:
    return int(text) if text else None


@functools.cache
def equivalents() -> dict[str, Equivalent]:
    """Return the table by NVN's name, in the order of NVN's values."""
    with Path(__file__).with_name("equivalents.csv").open(newline="", encoding="utf-8") as file:
        return {
            row["nvn"]: Equivalent(
                nvn=row["nvn"],
                block=BlockSize(int(row["bytes_per_block"]), int(row["block_width_px"]), int(row["block_height_px"])),
                dxgi_code=_number(row["dxgi_code"]),
                dxgi_name=row["dxgi_name"],
                vulkan_code=_number(row["vulkan_code"]),
                vulkan_name=row["vulkan_name"],
            )
            for row in csv.DictReader(file)
        }


@functools.cache
def by_dxgi_code() -> dict[int, Equivalent]:
    """Return the rows by DXGI's value."""
    rows = equivalents().values()
    return {row.dxgi_code: row for row in rows if row.dxgi_code is not None and row.nvn not in DXGI_WRITTEN_ONLY}


@functools.cache
def by_vulkan_code() -> dict[int, Equivalent]:
    """Return the rows by Vulkan's value."""
    return {row.vulkan_code: row for row in equivalents().values() if row.vulkan_code is not None}


def equivalent_for(shape: Shape, container: str) -> Equivalent:
    """Return the row of a shape's format for writing it into DDS or KTX2.

    Raises
    ------
    UnsupportedFormat
        The container has no format of the same bits; the message names those that can hold them.
    FieldRangeError
        The shape's block is not the format's.

    Examples
    --------
    >>> equivalent_for(Shape(format="BGR565", block=BlockSize(2), width_px=1), "KTX2").vulkan_name
    'R5G6B5_UNORM_PACK16'
    """
    row = equivalents().get(shape.format)
    held_by = row.containers if row else ()
    if row is None or container not in held_by:
        holders = " and ".join((*held_by, "npy (the stored codes)"))
        raise UnsupportedFormat(f"{container} has no format with the bits of {shape.format}; can hold it: {holders}")
    if shape.block != row.block:
        raise FieldRangeError(f"block is {shape.block}; allowed for {shape.format}: {row.block}")
    return row
