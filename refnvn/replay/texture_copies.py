"""How does a region of a texture come into another texture: as codes, converted, scaled, mirrored?

Equal sizes and formats move stored codes, samples, depth and stencil as they are. Everything else is worked out layer
by layer: which texel each destination texel takes (``copy_places.py``) or mixes (``copy_filter.py``), then what it
becomes in the other format.

Copies of compressed formats neither scale nor turn. Read next: ``copies.py``.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from refnvn.commands import commands as c
from refnvn.enumerations import CopyFlags
from refnvn.errors import ArgumentError, SizeError
from refnvn.formats.codec import decode, encode
from refnvn.formats.depth_stencil import depth_code, depth_value
from refnvn.formats.packing import pack_codes, unpack_codes
from refnvn.formats.table import Format
from refnvn.memory.pool import Bytes
from refnvn.replay.context import Context
from refnvn.replay.copies import area_codes, store_codes
from refnvn.replay.copy_filter import linear_texels, linear_values
from refnvn.replay.copy_places import nearest_texels
from refnvn.replay.errors import NotReplayed, field
from refnvn.replay.views import Area, Target, area_of
from refnvn.rules.evidence import Evidence
from refnvn.rules.fields import CopyConversion, CopyFilter, LackingStencil, Rules
from refnvn.rules.registry import rule

MIRRORS = CopyFlags.MIRROR_X | CopyFlags.MIRROR_Y | CopyFlags.MIRROR_Z


class Side(NamedTuple):
    """One side of a copy: a texture, and which part of it."""

    target: Target
    area: Area

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in blocks."""
        _, _, width, height = self.area.rectangle
        return -(-width // self.target.fmt.block_width_px), -(-height // self.target.fmt.block_height_px)


def copy_texture_to_texture(context: Context, command: c.CopyTextureToTexture) -> None:
    """Copy a region; where both lie in one texture the source is read first."""
    with field("source"):
        target = context.textures.target(command.source)
        source = Side(target, area_of(target, command.source_region))
    with field("destination"):
        target = context.textures.target(command.destination)
        destination = Side(target, area_of(target, command.destination_region))
    with field("destination_region"):
        _check_layers(source, destination)
    flags = CopyFlags(command.flags)
    codes = area_codes(source.target, source.area)
    if flags & CopyFlags.MIRROR_Z:
        codes = codes[::-1]
    if (
        not moves_codes(source.target.fmt, destination.target.fmt)
        or source.size != destination.size
        or flags & MIRRORS
    ):
        codes = _worked_out(context.rules, source, destination, codes, flags)
    store_codes(destination.target, destination.area, codes)


def _check_layers(source: Side, destination: Side) -> None:
    if source.area.layers != destination.area.layers:
        raise NotReplayed(
            f"{source.area.layers} layers or slices are copied to {destination.area.layers}; as many are replayed"
        )
    samples = (source.target.subject.samples, destination.target.subject.samples)
    if samples[0] != samples[1]:
        raise SizeError(
            f"{samples[0]} samples are copied to {samples[1]}; as many are allowed, Downsample joins them"
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


def _worked_out(rules: Rules, source: Side, destination: Side, codes: Bytes, flags: CopyFlags) -> Bytes:
    """Return the destination's codes, shape (layers, rows, columns, bytes), of codes that need work."""
    read, written = source.target.fmt, destination.target.fmt
    if source.target.subject.samples > 1:
        raise NotReplayed("copies of several samples that scale, mirror or convert are not replayed yet")
    if read.is_compressed or written.is_compressed:
        raise NotReplayed("copies of compressed formats that scale, mirror or convert are not replayed")
    if source.size != destination.size and is_filtered(read, flags, rules):
        return _mixed(rules, source, destination, codes, flags)
    columns = nearest_texels(source.size[0], destination.size[0], bool(flags & CopyFlags.MIRROR_X), rules)
    rows = nearest_texels(source.size[1], destination.size[1], bool(flags & CopyFlags.MIRROR_Y), rules)
    taken = np.ascontiguousarray(codes[:, rows[:, None], columns])
    if read is written:
        return taken
    if read.is_depth_stencil or written.is_depth_stencil:
        return _other_planes(rules, read, written, taken, destination)
    return converted(read, written, taken, rules)


def _mixed(rules: Rules, source: Side, destination: Side, codes: Bytes, flags: CopyFlags) -> Bytes:
    """Return the destination's codes of a copy with a linear filter."""
    read, written = source.target.fmt, destination.target.fmt
    if written.is_integer or written.is_depth_stencil:
        raise NotReplayed(f"filtered copies of {read.nvn_name} to {written.nvn_name} are not replayed")
    columns = linear_texels(source.size[0], destination.size[0], bool(flags & CopyFlags.MIRROR_X), rules)
    rows = linear_texels(source.size[1], destination.size[1], bool(flags & CopyFlags.MIRROR_Y), rules)
    return encode(written, linear_values(read, codes, rows, columns, rules), rules)


@rule(
    "COPY-LINEAR-3",
    "Scaled copies are filtered where the flag LINEAR_FILTER asks for it, but for integers, depth and stencil.",
    evidence=Evidence.INFERRED,
    sources=("deko3d", "nvn-header"),
    ledger=("copy-scaled", "ds-copy-stencil"),
    refuted_by="a scaled copy of a console that mixes colours without the flag",
    fields=("copy_filter",),
)
def is_filtered(fmt: Format, flags: CopyFlags, rules: Rules) -> bool:
    """Return whether a scaled copy of a format mixes texels."""
    if fmt.is_integer or fmt.is_depth_stencil:
        return False
    return bool(flags & CopyFlags.LINEAR_FILTER) or rules.copy_filter is CopyFilter.ALWAYS


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


def _other_planes(rules: Rules, read: Format, written: Format, codes: Bytes, destination: Side) -> Bytes:
    """Return texels of another depth or stencil format."""
    if not (read.is_depth_stencil and written.is_depth_stencil):
        raise NotReplayed(f"copies of {read.nvn_name} to {written.nvn_name} are not replayed: one has no colour")
    planes = plane_codes(read, codes, written, rules)
    old = area_codes(destination.target, destination.area)
    stored = unpack_codes(written, old)
    for place, component in enumerate(written.components):
        if component.name in planes:
            stored[..., place] = planes[component.name]
        elif component.name == "S":
            stored[..., place] = lacking_stencil(stored[..., place], rules)
    return pack_codes(written, stored)


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
