"""What does a downsample leave? The pixels of a multisample texture in one of a single sample.

The source's view says which level and layers are read, the destination's where they go. What a texel becomes is the
rule of ``raster/resolve.py``. A source of one sample would be scaled: that is not replayed.

Read next: ``copies.py``.
"""

from __future__ import annotations

from refnvn.commands import commands as c
from refnvn.errors import ArgumentError
from refnvn.raster.resolve import resolved
from refnvn.raster.target import sample_views
from refnvn.replay.context import Context
from refnvn.replay.errors import NotReplayed, field
from refnvn.replay.views import Target
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


def downsample(context: Context, command: c.Downsample) -> None:
    """Resolve a multisample texture.

    Raises
    ------
    NotReplayed
        For a source of one sample.
    ArgumentError
        For textures that do not have one size, or a destination with samples.
    """
    with field("source"):
        source = context.textures.target(command.source)
        if source.subject.samples == 1:
            raise NotReplayed("a downsample of a texture of one sample is not replayed yet")
    with field("destination"):
        destination = context.textures.target(command.destination)
        if destination.subject.samples > 1:
            raise ArgumentError(f"{destination.subject.samples} samples; a destination has 1")
        sizes = [(one.width_px, one.height_px, one.layers) for one in (source.subject, destination.subject)]
        if sizes[0] != sizes[1]:
            raise ArgumentError(f"width, height and layers {sizes[1]}; those of the source are {sizes[0]}")
    resolve(context, source, destination)
