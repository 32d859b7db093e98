"""What do a shader's outputs become in the colour targets?

The target's format decides how the bits of an output are read: as floats that become codes by the rules of
``refnvn/formats``, or as integers that saturate. A target whose location the shader does not write keeps everything,
as do masked channels.

It does not blend. Read next: ``fragment.py``.
"""

from __future__ import annotations

import numpy as np

from refnvn.formats.codec import encode
from refnvn.formats.floatbits import UInt8, UInt32, from_bits
from refnvn.formats.table import Format, NumericClass
from refnvn.raster.interpolate import Lanes
from refnvn.raster.target import ColorTarget, channel_bits
from refnvn.rules.evidence import Evidence
from refnvn.rules.fields import MissingComponents, Rules
from refnvn.rules.registry import note, rule
from refnvn.shader.ir import Shader

_ONE_BITS = 0x3F800000


@rule(
    "RASTER-OUTPUT-1",
    "Only targets whose location the fragment shader writes are stored to.",
    evidence=Evidence.NVN_DOCUMENTATION,
    sources=("seed-titles",),
    ledger=("unwritten-outputs",),
)
def written_rows(shader: Shader | None) -> dict[int, tuple[int, ...]]:
    """Return by location the rows of ``LaneOutputs.values`` that hold its components."""
    rows: dict[int, tuple[int, ...]] = {}
    first = 0
    for one in shader.outputs if shader is not None else ():
        rows[one.location] = tuple(range(first, first + one.components))
        first += one.components
    return rows


@rule(
    "RASTER-OUTPUT-2",
    "Components that an output lacks are stored as 0, 0, 0 and 1.",
    evidence=Evidence.OPEN,
    sources=("nvn-formats",),
    fields=("missing_components",),
    refuted_by="an RGBA8 target drawn by a console with a shader whose output has two components",
)
def with_missing(values: UInt32, fmt: Format, rules: Rules) -> UInt32:
    """Return one to three rows of component bits as four."""
    found = np.zeros((4, values.shape[1]), dtype=np.uint32)
    if rules.missing_components is MissingComponents.DEFAULTS:
        found[3] = 1 if fmt.is_integer else _ONE_BITS
    found[: len(values)] = values
    return found


def four_components(values: UInt32, rows: tuple[int, ...], fmt: Format, rules: Rules) -> UInt32:
    """Return the bits of R, G, B, A, shape (4, lanes), of an output that is in some rows of ``values``.

    Components that the target does not have either are filled up with zeros and never stored.
    """
    written = values[list(rows)]
    stored = max(("RGBA".find(one.name) + 1 for one in fmt.components), default=4)
    if len(written) < stored:
        return with_missing(written, fmt, rules)
    return np.concatenate((written, np.zeros((4 - len(written), written.shape[1]), np.uint32)))


@rule(
    "RASTER-OUTPUT-3",
    "An output's bits are read as the target's format says, floats or integers, and become codes by the rules that "
    "clears obey too; integers saturate.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("hardware-vectors",),
    ledger=("d16-clear",),
)
def stored_codes(fmt: Format, bits: UInt32, rules: Rules) -> UInt8:
    """Return the bytes of texels, shape (lanes, bytes per texel), from the bits of R, G, B, A, shape (4, lanes)."""
    turned = np.ascontiguousarray(bits.T)
    if fmt.numeric_class is NumericClass.SINT:
        return encode(fmt, turned.view(np.int32), rules)
    return encode(fmt, turned if fmt.is_integer else from_bits(turned), rules)


def note_unorm8() -> None:
    """Count the rules as used that a compiled store of 8-bit channels rests on."""
    note(("RASTER-OUTPUT-3", "FMT-NORM-1"))


def store(target: ColorTarget, mask: int, codes: UInt8, lanes: Lanes) -> None:
    """Store codes of fragments in order; where two meet in a pixel the later stays.

    Parameters
    ----------
    target : ColorTarget
    mask : int
        Channels that are written.
    codes : uint8, shape (lanes, bytes per texel)
    lanes : Lanes
    """
    bits = channel_bits(target.fmt, mask)
    at = (lanes.row, lanes.column)
    if (bits == 255).all():
        target.codes[at] = codes
    else:
        target.codes[at] = (target.codes[at] & ~bits) | (codes & bits)
