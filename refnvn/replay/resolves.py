"""What does a downsample leave? The pixels of a multisample texture in one of a single sample, or a scaled picture.

The source's view says which level and layers are read, the destination's where they go. What a texel becomes of
several samples is the rule of ``raster/resolve.py``; a source of one sample is copied as ``texture_copies.py`` does.

Read next: ``copies.py``.
"""

from __future__ import annotations

from refnvn.commands import commands as c
from refnvn.commands.subject import whole_region
from refnvn.enumerations import CopyFlags
from refnvn.errors import ArgumentError
from refnvn.raster.resolve import resolved
from refnvn.raster.target import sample_views
from refnvn.replay.context import Context
from refnvn.replay.copies import tell_area
from refnvn.replay.errors import field
from refnvn.replay.readings import Reader
from refnvn.replay.texture_copies import Side, copy_sides
from refnvn.replay.views import Target, area_of
from refnvn.rules.evidence import Evidence
from refnvn.rules.registry import rule


@rule(
    "REPLAY-RESOLVE-1",
    "Downsample resolves every layer of a multisample source into the same layer of the destination, pixel by pixel; "
    "scissor, bound targets and multisample state do not matter.",
    evidence=Evidence.INFERRED,
    sources=("deko3d", "hardware-vectors"),
    ledger=("downsample-ss",),
    refuted_by="a console that resolves only one layer, or only inside the scissor",
)
def resolve(context: Context, source: Target, destination: Target) -> None:
    """Resolve one target into another."""
    samples = source.subject.samples
    parts = zip(source.parts(), destination.parts(), strict=True)
    for read, written in parts:
        views = sample_views(read.surface.codes[read.first_slice], samples)
        codes = resolved(source.fmt, views, destination.fmt, context.rules)
        written.surface.codes[written.first_slice] = codes
        written.surface.written()


@rule(
    "REPLAY-RESOLVE-2",
    "Downsample of a texture of one sample is a copy to the destination's size with a linear filter, and converts.",
    evidence=Evidence.INFERRED,
    sources=("seed-titles",),
    ledger=("downsample-ss",),
    refuted_by="a console whose Downsample of 320x176 to 80x48 holds anything but the two texels about each middle",
)
def scaled(context: Context, source: Target, destination: Target) -> None:
    """Copy all of one target to another."""
    read, written = (Side(one, area_of(one, whole_region(one.subject))) for one in (source, destination))
    copy_sides(context.rules, read, written, CopyFlags.LINEAR_FILTER)


def downsample(context: Context, command: c.Downsample) -> None:
    """Resolve a multisample texture, or scale one of a single sample.

    Raises
    ------
    ArgumentError
        For a multisample source of another size, or a destination with samples.
    """
    with field("source"):
        source = context.textures.target(command.source)
    tell_area(context, Reader.COPY, source, area_of(source, whole_region(source.subject)), command.source.texture)
    with field("destination"):
        destination = context.textures.target(command.destination)
        if destination.subject.samples > 1:
            raise ArgumentError(f"{destination.subject.samples} samples; a destination has 1")
        if source.subject.samples == 1:
            return scaled(context, source, destination)
        sizes = [(one.width_px, one.height_px, one.layers) for one in (source.subject, destination.subject)]
        if sizes[0] != sizes[1]:
            raise ArgumentError(f"width, height and layers {sizes[1]}; those of the source are {sizes[0]}")
    return resolve(context, source, destination)
