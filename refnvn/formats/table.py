"""Which formats are there, how are their bits laid out, and what may each be used for?

The table is ``formats.csv``, one row for each of the 157 values of ``NVNformat``. A component is written
``NAME:first_bit:bits``, bit 0 being the lowest bit of the first byte; ``X`` is a component nothing reads.

It does not convert anything: ``codec.py`` does.
"""

from __future__ import annotations

import csv
import difflib
import functools
import re
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from refnvn.errors import FieldRangeError, UnsupportedFormat, printable

MOST_NAME = 100
"""Characters of a name that are looked at; no format has as many."""
PREFIX = "NVN_FORMAT_"


class NumericClass(StrEnum):
    """What the code of a component means."""

    NONE = "none"
    UNORM = "unorm"
    SNORM = "snorm"
    UINT = "uint"
    SINT = "sint"
    FLOAT = "float"
    UFLOAT = "ufloat"
    SHARED_EXPONENT = "shared-exp"
    UINT_TO_FLOAT = "uint-to-float"
    SINT_TO_FLOAT = "sint-to-float"
    DEPTH_UNORM = "depth-unorm"
    DEPTH_FLOAT = "depth-float"
    STENCIL_UINT = "stencil-uint"
    DEPTH_UNORM_STENCIL = "depth-unorm+stencil-uint"
    DEPTH_FLOAT_STENCIL = "depth-float+stencil-uint"
    COMPRESSED_UNORM = "compressed-unorm"
    COMPRESSED_SNORM = "compressed-snorm"
    COMPRESSED_SFLOAT = "compressed-sfloat"
    COMPRESSED_UFLOAT = "compressed-ufloat"


class Use(StrEnum):
    """What a format may be used for."""

    TEXTURE = "texture"
    RENDER_TARGET = "render_target"
    BLENDABLE = "blendable"
    VERTEX = "vertex"
    IMAGE = "image"
    BUFFER_TEXTURE = "buffer_texture"


@dataclass(frozen=True, slots=True)
class Component:
    """One component of a texel: ``name`` R, G, B, A, D, S, E (shared exponent) or X, and where its bits are."""

    name: str
    first_bit: int
    bits: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """One NVN format.

    Attributes
    ----------
    name : str
        NVN's name without ``NVN_FORMAT_``.
    value : int
        The value of the enumeration.
    bytes_per_block : int
        Bytes of one texel, or of one block of a compressed format.
    block_width_px, block_height_px : int
        1 x 1, or the size of a compressed block.
    components : tuple of Component
        Lowest bits first; empty for compressed formats.
    numeric_class : NumericClass
        What the codes mean.
    srgb : bool
        Whether R, G and B are sRGB-encoded.
    uses : dict of Use to str
        ``yes``, ``no``, ``likely``, ``unknown`` or ``n/a``, as the evidence has it.
    fill : tuple of str
        The texture header's sources for R, G, B and A: a hardware component (named R, G, B, A from the lowest
        bits up, so ``B G R A`` for the BGR formats), ``0``, ``1f`` or ``1i``; empty where there is no texture use.
    notes : str
        Where sources disagree, and other remarks.
    hw_texture_code, hw_target_code, hw_vertex_code : str
        The codes of the hardware's registers, empty where there is none.
    """

    name: str
    value: int
    bytes_per_block: int
    block_width_px: int
    block_height_px: int
    components: tuple[Component, ...]
    numeric_class: NumericClass
    srgb: bool
    uses: dict[Use, str]
    fill: tuple[str, ...]
    notes: str
    hw_texture_code: str
    hw_target_code: str
    hw_vertex_code: str

    def __str__(self) -> str:
        return self.name

    def __hash__(self) -> int:
        return self.value

    @property
    def nvn_name(self) -> str:
        """The name as NVN's headers write it."""
        return PREFIX + self.name

    @property
    def is_compressed(self) -> bool:
        """Whether a block holds more than one texel."""
        return self.numeric_class.value.startswith("compressed")

    @property
    def is_depth_stencil(self) -> bool:
        """Whether the format holds depth, stencil or both."""
        return any(c.name in "DS" for c in self.components)

    @property
    def is_integer(self) -> bool:
        """Whether its values are integers: colour integers or plain stencil."""
        return self.numeric_class in (NumericClass.UINT, NumericClass.SINT, NumericClass.STENCIL_UINT)

    def has(self, use: Use) -> bool:
        """Whether the format has a use, as far as anybody knows."""
        return self.uses[use] in ("yes", "likely")

    def require(self, use: Use) -> None:
        """Raise unless the format has a use.

        Raises
        ------
        UnsupportedFormat
            Naming the uses that the format has.
        """
        if not self.has(use):
            allowed = ", ".join(u for u in Use if self.has(u)) or "none"
            raise UnsupportedFormat(f"{self.nvn_name} cannot be used as {use}; its uses: {allowed}")

    def component(self, name: str) -> Component | None:
        """Return the component of that name, or None."""
        return next((c for c in self.components if c.name == name), None)


def _components(text: str) -> tuple[Component, ...]:
    parts = (item.split(":") for item in text.split())
    return tuple(Component(name, int(first), int(bits)) for name, first, bits in parts)


def _format(row: dict[str, str]) -> Format:
    numeric_class = NumericClass(row["numeric_class"])
    compressed = numeric_class.value.startswith("compressed")
    return Format(
        name=row["name"],
        value=int(row["value"], 16),
        bytes_per_block=int(row["bytes_per_block"]),
        block_width_px=int(row["block_width_px"]),
        block_height_px=int(row["block_height_px"]),
        components=() if compressed else _components(row["components"]),
        numeric_class=numeric_class,
        srgb=row["srgb"] == "yes",
        uses={use: row[use.value] for use in Use},
        fill=tuple(row["fill"].split()),
        notes=row["notes"],
        hw_texture_code=row["hw_texture_code"],
        hw_target_code=row["hw_target_code"],
        hw_vertex_code=row["hw_vertex_code"],
    )


@functools.cache
def formats() -> dict[str, Format]:
    """Return all 157 formats by name, in the order of their values."""
    with Path(__file__).with_name("formats.csv").open(newline="", encoding="utf-8") as file:
        return {row["name"]: _format(row) for row in csv.DictReader(file)}


def _goes_by(entry: Format, name: str) -> bool:
    """Whether people outside NVN call a format by this name: ``BC7``, ``DXT5``, ``R8_UNORM``, ``ASTC_4X4``."""
    srgb = name.endswith("_SRGB")
    block_name = entry.notes.split(";")[0].upper()
    short = block_name.split()[0] if block_name else ""
    block_names = {block_name, short, short.rstrip("UH")}  # BC4 is BC4U; BC6 and BC6H are one
    if re.fullmatch(r"BC\d\w?", short) and name.removesuffix("_SRGB") in block_names:
        return entry.srgb or not srgb
    plain = entry.name.upper()
    if entry.is_compressed:
        return plain.split("_", 1)[1].removesuffix("_SRGB") == name.removesuffix("_SRGB") and entry.srgb == srgb
    return plain == name.replace("_UNORM", "").replace("_SNORM", "SN").replace("_UINT", "UI").replace("_SINT", "I")


def format_named(name: str) -> Format:
    """Return a format by NVN's name, with or without ``NVN_FORMAT_``, in any case, or by its value in hex.

    Raises
    ------
    FieldRangeError
        For no such format, with the names that come close.

    Examples
    --------
    >>> format_named("nvn_format_rgba8").bytes_per_block
    4
    >>> format_named("0x25").name
    'RGBA8'
    """
    table = formats()
    shown = printable(name, 60)
    wanted = name[:MOST_NAME].removeprefix(PREFIX).removeprefix(PREFIX.lower())
    by_upper = {key.upper(): key for key in table}
    if wanted.upper() in by_upper:
        return table[by_upper[wanted.upper()]]
    for entry in table.values():
        if wanted.lower() in (f"0x{entry.value:02x}", f"0x{entry.value:x}"):
            return entry
    same = [entry.name for entry in table.values() if _goes_by(entry, wanted.upper())]
    close = same or [by_upper[c] for c in difflib.get_close_matches(wanted.upper(), by_upper, n=5, cutoff=0.4)]
    hint = f"; {'NVN calls it' if same else 'close to it'}: {', '.join(close)}" if close else ""
    raise FieldRangeError(f"format '{shown}' is not an NVN format{hint}; `refnvn formats` lists all")
