"""What do texels become when a copy's formats differ? Other colours, other planes, or the same codes.

One texel at a time, wherever it came from. Read next: ``texture_copies.py``.
"""

from __future__ import annotations

import numpy as np

from refnvn.errors import ArgumentError
from refnvn.formats.codec import decode, encode
from refnvn.formats.depth_stencil import depth_code, depth_value
from refnvn.formats.packing import pack_codes, unpack_codes
from refnvn.formats.table import Format
from refnvn.memory.pool import Bytes
from refnvn.rules.evidence import Evidence
from refnvn.rules.fields import CopyConversion, LackingStencil, Rules
from refnvn.rules.registry import rule
from refnvn.rules.unknown import unknown

OTHER_BLOCKS = unknown(
    "COPY-TEXTURE-7",
    "Does a copy go between compressed blocks and blocks or texels of another size? OpenGL's refuses.",
    settled_by="a copy of {source} to {destination} on a console, blocks of {read_B} and {written_B} bytes",
    instead="compressed formats move as they are, in blocks of one size",
    module=__name__,
)
OTHER_TEXELS = unknown(
    "COPY-TEXTURE-8",
    "What does a copy between depth and a colour format of another texel size do?",
    settled_by="a copy of {source} to {destination} on a console, texels of {read_B} and {written_B} bytes",
    instead="depth moves into colours of its size",
    module=__name__,
)


@rule(
    "COPY-TEXTURE-1",
    "A copy between textures of one format and one size moves the stored codes of all layers, slices and samples "
    "as they are, depth and stencil together; between compressed and other formats of one block size it moves "
    "blocks.",
    evidence=Evidence.SWITCH,
    sources=("seed-titles", "deko3d"),
    ledger=("copy-scaled", "depth-plane-copy", "ds-copy-stencil"),
)
def moves_codes(source: Format, destination: Format) -> bool:
    """Whether stored codes need no conversion.

    >>> from refnvn.formats.table import format_named
    >>> moves_codes(format_named("RGBA_DXT1"), format_named("RG32UI"))
    True
    """
    if source is destination:
        return True
    compressed = source.is_compressed or destination.is_compressed
    return compressed and source.bytes_per_block == destination.bytes_per_block


def converted_texels(source: Format, destination: Format, codes: Bytes, old: Bytes, rules: Rules) -> Bytes:
    """Return texels of another format.

    Parameters
    ----------
    source, destination : Format
        Of the two sides.
    codes : uint8, shape (..., bytes of a texel)
        What is copied.
    old : uint8, shape (..., bytes of a texel)
        What the destination holds: planes that the source lacks may stay.
    rules : Rules
        What conversions need.

    Raises
    ------
    ArgumentError
        Between integers and other numbers.
    UnknownBehaviour
        Where neither side's numbers mean anything to the other.
    """
    if source is destination:
        return codes
    if source.is_compressed or destination.is_compressed:
        return blocks_as_they_are(source, destination, codes)
    if source.is_depth_stencil and destination.is_depth_stencil:
        return _other_planes(source, destination, codes, old, rules)
    if source.is_depth_stencil or destination.is_depth_stencil:
        return plane_as_colour(source, destination, codes)
    return converted(source, destination, codes, rules)


def _sizes(source: Format, destination: Format) -> dict[str, object]:
    """Return what errors say of two formats."""
    return {
        "source": source.nvn_name,
        "destination": destination.nvn_name,
        "read_B": source.bytes_per_block,
        "written_B": destination.bytes_per_block,
    }


def blocks_as_they_are(source: Format, destination: Format, codes: Bytes) -> Bytes:
    """Return blocks as texels of their size, or the other way round.

    Raises
    ------
    UnknownBehaviour
        For another size: that would take a decoder or an encoder.
    """
    if not moves_codes(source, destination):
        raise OTHER_BLOCKS.error(**_sizes(source, destination))
    return codes


@rule(
    "COPY-TEXTURE-6",
    "Between a depth format and a colour format of one texel size a copy moves the stored codes.",
    evidence=Evidence.INFERRED,
    sources=("deko3d", "yuzu"),
    refuted_by="a copy between DEPTH16 and R16, or DEPTH32F and R32F, that changes a bit on a console",
)
def plane_as_colour(source: Format, destination: Format, codes: Bytes) -> Bytes:
    """Return the codes of a plane as those of a colour, or the other way round.

    Raises
    ------
    UnknownBehaviour
        For texels of another size.
    """
    if source.bytes_per_block != destination.bytes_per_block:
        raise OTHER_TEXELS.error(**_sizes(source, destination))
    return codes


@rule(
    "COPY-TEXTURE-2",
    "A copy between colour formats reads as a texture does, sRGB as linear, and stores as a draw does; integers stay "
    "integers and are limited to the range.",
    evidence=Evidence.DRIVER_MADE,
    sources=("copy-vectors", "seed-titles"),
    ledger=("copy-scaled", "rt-usage-upgrade"),
)
def converted(source: Format, destination: Format, codes: Bytes, rules: Rules) -> Bytes:
    """Return texels of another colour format.

    Raises
    ------
    ArgumentError
        Between integers and other numbers.
    """
    if source.is_integer != destination.is_integer:
        raise ArgumentError(
            f"{source.nvn_name} is copied to {destination.nvn_name}; integers and other numbers do not convert"
        )
    if source.bytes_per_block == destination.bytes_per_block and bits_move(source, destination, rules):
        return codes
    return encode(destination, decode(source, codes, rules), rules)


@rule(
    "COPY-TEXTURE-3",
    "Between colour formats of one size a copy converts too, as between others.",
    evidence=Evidence.OPEN,
    sources=("seed-titles", "deko3d", "copy-vectors"),
    ledger=("copy-scaled",),
    refuted_by="the bytes of an RGBA8 texture after a copy to an RGBA8_SRGB one on a console",
    fields=("copy_conversion",),
)
def bits_move(source: Format, destination: Format, rules: Rules) -> bool:
    """Whether a copy between formats of one size leaves the bits alone, for all that is known."""
    del source, destination
    return rules.copy_conversion is CopyConversion.SIZES


def _other_planes(source: Format, destination: Format, codes: Bytes, old: Bytes, rules: Rules) -> Bytes:
    """Return texels of another depth or stencil format."""
    planes = plane_codes(source, codes, destination, rules)
    stored = unpack_codes(destination, old)
    for place, component in enumerate(destination.components):
        if component.name in planes:
            stored[..., place] = planes[component.name]
        elif component.name == "S":
            stored[..., place] = lacking_stencil(stored[..., place], rules)
    return pack_codes(destination, stored)


@rule(
    "COPY-TEXTURE-4",
    "A copy between depth formats carries the depth, bit for bit where both have 32-bit floats, and the stencil "
    "where both have one.",
    evidence=Evidence.INFERRED,
    sources=("seed-titles",),
    ledger=("depth-plane-copy", "ds-copy-stencil"),
    refuted_by="a console whose DEPTH32F_STENCIL8 to DEPTH32F copy changes a depth",
)
def plane_codes(source: Format, codes: Bytes, destination: Format, rules: Rules) -> dict[str, np.ndarray]:
    """Return the codes of the planes that both formats have, as the destination stores them."""
    found = {}
    stored = unpack_codes(source, codes)
    for place, component in enumerate(source.components):
        other = destination.component(component.name)
        if other is None or component.name not in "DS":
            continue
        plane = stored[..., place]
        if component.name == "D" and component.bits != other.bits:
            plane = depth_code(destination, depth_value(plane, component.bits), rules)
        found[component.name] = plane
    return found


@rule(
    "COPY-TEXTURE-5",
    "A copy from a depth format without stencil leaves the destination's stencil as it was.",
    evidence=Evidence.OPEN,
    sources=("seed-titles",),
    ledger=("depth-plane-copy",),
    refuted_by="the stencil of a DEPTH32F_STENCIL8 texture after a copy from DEPTH32F on a console",
    fields=("lacking_stencil",),
)
def lacking_stencil(old: np.ndarray, rules: Rules) -> np.ndarray:
    """Return the stencil codes that a copy without stencil leaves."""
    return np.zeros_like(old) if rules.lacking_stencil is LackingStencil.ZERO else old
