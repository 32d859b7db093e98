"""How does a region of a texture come into another texture: as codes, converted, scaled, mirrored?

Equal sizes and formats move stored codes, samples, depth and stencil as they are. Everything else is worked out layer
by layer: which slice, and which texel, each of the destination takes (``copy_places.py``) or mixes
(``copy_filter.py``), then what it becomes in the other format (``copy_conversion.py``).

Read next: ``copies.py``.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from refnvn.commands import commands as c
from refnvn.enumerations import CopyFlags
from refnvn.errors import SizeError
from refnvn.formats.codec import encode
from refnvn.formats.table import Format
from refnvn.layout.multisample import sample_grid
from refnvn.memory.pool import Bytes
from refnvn.replay.context import Context
from refnvn.replay.copies import area_codes, pixels_of_texels, store_codes, tell_area, texels_of_pixels
from refnvn.replay.copy_conversion import converted_texels, moves_codes
from refnvn.replay.copy_filter import linear_texels, linear_values
from refnvn.replay.copy_places import nearest_texels, slice_texels
from refnvn.replay.errors import field
from refnvn.replay.readings import Reader
from refnvn.replay.views import Area, Target, area_of
from refnvn.rules.evidence import Evidence
from refnvn.rules.fields import CopyFilter, CopySamples, Rules
from refnvn.rules.registry import rule
from refnvn.rules.unknown import unknown

FILTERED_SAMPLES = unknown(
    "COPY-SAMPLES-2",
    "What does a filtered copy between multisample textures of other sizes mix? OpenGL's blit refuses.",
    settled_by="a filtered copy of {samples} samples on a console, read back sample by sample",
    instead="without a filter they are copied",
    module=__name__,
)
FILTERED_TO = unknown(
    "COPY-LINEAR-5",
    "What does a filtered copy of colours to integers, depth or blocks store?",
    settled_by="a filtered copy of {source} to {destination} on a console",
    instead="without the flag LINEAR_FILTER texels are taken whole",
    module=__name__,
)

TURNED = CopyFlags.MIRROR_X | CopyFlags.MIRROR_Y


class Side(NamedTuple):
    """One side of a copy: a texture, and which part of it."""

    target: Target
    area: Area

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in blocks."""
        _, _, width, height = self.area.rectangle
        return -(-width // self.target.fmt.block_width_px), -(-height // self.target.fmt.block_height_px)

    @property
    def samples(self) -> int:
        """Samples of a pixel."""
        return self.target.subject.samples


def copy_texture_to_texture(context: Context, command: c.CopyTextureToTexture) -> None:
    """Copy a region; where both lie in one texture the source is read first."""
    with field("source"):
        target = context.textures.target(command.source)
        source = Side(target, area_of(target, command.source_region))
    with field("destination"):
        target = context.textures.target(command.destination)
        destination = Side(target, area_of(target, command.destination_region))
    with field("destination_region"):
        if source.samples != destination.samples:
            raise SizeError(
                f"{source.samples} samples are copied to {destination.samples}; as many are allowed, "
                "Downsample joins them"
            )
    tell_area(context, Reader.COPY, source.target, source.area, command.source.texture)
    copy_sides(context.rules, source, destination, CopyFlags(command.flags))


def copy_sides(rules: Rules, source: Side, destination: Side, flags: CopyFlags) -> None:
    """Copy one side to another of as many samples, whatever their sizes and formats."""
    codes = area_codes(source.target, source.area)
    if source.area.layers != destination.area.layers:
        codes = codes[slice_texels(source.area.layers, destination.area.layers, rules)]
    if flags & CopyFlags.MIRROR_Z:
        codes = codes[::-1]
    moves = moves_codes(source.target.fmt, destination.target.fmt)
    placed = source.size != destination.size or bool(flags & TURNED)
    if placed and source.samples > 1:
        codes = _placed_samples(rules, source, destination, codes, flags)
    elif placed or not moves:
        codes = _placed(rules, source, destination, codes, flags)
    store_codes(destination.target, destination.area, codes)


def _converted(rules: Rules, source: Side, destination: Side, codes: Bytes) -> Bytes:
    """Return codes in the destination's format, sample by sample."""
    old = area_codes(destination.target, destination.area)
    layers, rows, columns, _ = codes.shape
    by_sample = (layers, rows, columns * source.samples, -1)
    fmts = source.target.fmt, destination.target.fmt
    found = converted_texels(*fmts, codes.reshape(by_sample), old.reshape(by_sample), rules)
    return found.reshape(layers, rows, columns, -1)


def _placed(rules: Rules, source: Side, destination: Side, codes: Bytes, flags: CopyFlags) -> Bytes:
    """Return the destination's codes, of texels or of pixels that keep their place."""
    read, written = source.target.fmt, destination.target.fmt
    unasked = not flags & CopyFlags.LINEAR_FILTER and holds_mixtures(read) and not holds_mixtures(written)
    if source.size != destination.size and not unasked and is_filtered(read, flags, rules):
        return _mixed(rules, source, destination, codes, flags)
    return _converted(rules, source, destination, _taken(rules, codes, destination.size, flags))


def _taken(rules: Rules, codes: Bytes, size: tuple[int, int], flags: CopyFlags) -> Bytes:
    """Return the texels that a copy without a filter takes, ``size`` across and down."""
    columns = nearest_texels(codes.shape[2], size[0], bool(flags & CopyFlags.MIRROR_X), rules)
    rows = nearest_texels(codes.shape[1], size[1], bool(flags & CopyFlags.MIRROR_Y), rules)
    return np.ascontiguousarray(codes[:, rows[:, None], columns])


@rule(
    "COPY-SAMPLES-1",
    "A copy between multisample textures that scales or mirrors takes whole pixels, each sample keeping its number.",
    evidence=Evidence.OPEN,
    sources=("deko3d",),
    refuted_by="a mirrored copy of a multisample texture on a console, read back sample by sample",
    fields=("copy_samples",),
)
def _placed_samples(rules: Rules, source: Side, destination: Side, codes: Bytes, flags: CopyFlags) -> Bytes:
    if flags & CopyFlags.LINEAR_FILTER and source.size != destination.size:
        raise FILTERED_SAMPLES.error(samples=source.samples)
    if rules.copy_samples is CopySamples.PIXELS:
        return _converted(rules, source, destination, _taken(rules, codes, destination.size, flags))
    across, down = sample_grid(source.samples)
    size = destination.size[0] * across, destination.size[1] * down
    taken = _taken(rules, texels_of_pixels(codes, source.samples), size, flags)
    return _converted(rules, source, destination, pixels_of_texels(taken, source.samples))


def holds_mixtures(fmt: Format) -> bool:
    """Say whether a format can hold a mixture of texels: no integers, planes and blocks."""
    return not (fmt.is_integer or fmt.is_depth_stencil or fmt.is_compressed)


def _mixed(rules: Rules, source: Side, destination: Side, codes: Bytes, flags: CopyFlags) -> Bytes:
    """Return the destination's codes of a copy with a linear filter."""
    read, written = source.target.fmt, destination.target.fmt
    if not holds_mixtures(written):
        raise FILTERED_TO.error(source=read.nvn_name, destination=written.nvn_name)
    columns = linear_texels(source.size[0], destination.size[0], bool(flags & CopyFlags.MIRROR_X), rules)
    rows = linear_texels(source.size[1], destination.size[1], bool(flags & CopyFlags.MIRROR_Y), rules)
    return encode(written, linear_values(read, codes, rows, columns, rules), rules)


@rule(
    "COPY-LINEAR-3",
    "Scaled copies are filtered where the flag LINEAR_FILTER asks for it, but for integers, depth, stencil and "
    "compressed blocks.",
    evidence=Evidence.INFERRED,
    sources=("deko3d", "nvn-header"),
    ledger=("copy-scaled", "ds-copy-stencil"),
    refuted_by="a scaled copy of a console that mixes colours without the flag",
    fields=("copy_filter",),
)
def is_filtered(fmt: Format, flags: CopyFlags, rules: Rules) -> bool:
    """Return whether a scaled copy of a format mixes texels."""
    if not holds_mixtures(fmt):
        return False
    return bool(flags & CopyFlags.LINEAR_FILTER) or rules.copy_filter is CopyFilter.ALWAYS
