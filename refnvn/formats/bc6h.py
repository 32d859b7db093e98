"""What half floats does a BC6H block hold?

The lowest two or five bits are the mode. After it come the end points, cut up (``bc6h_layouts.py``), the partition of
a block of two regions, and sixteen indices of three or four bits. End points other than the first are mostly deltas.

The specification leaves nothing open but the sign of zero: NVIDIA makes a negative zero positive.

Codes are the bits of half floats: red, green, blue. Read next: ``astc.py``.
"""

from __future__ import annotations

from refnvn.formats.bc1 import BLOCK_PX
from refnvn.formats.bc6h_layouts import DELTA_BITS, END_BITS, FIELDS, MODES, REGIONS, RESERVED, RUN_COUNTS, RUNS
from refnvn.formats.bc7 import WEIGHTS
from refnvn.formats.bc_partitions import ANCHORS, SUBSET_MAPS
from refnvn.formats.block_bits import BLOCK_BITS, bits, sign_extended, weighted
from refnvn.formats.block_kernel import Ints
from refnvn.rules.evidence import Evidence
from refnvn.rules.registry import rule

CHANNELS = 3
LARGEST = 0xFFFF
LARGEST_SIGNED = 0x7FFF
NEGATIVE = 0x8000


def read_fields(words: Ints, place: int, mode: int, fields: Ints) -> int:
    """Read the end points of a mode, each four times three channels, as they are stored; return the place after."""
    for field in range(FIELDS):
        fields[field] = 0
    for run in range(RUN_COUNTS[mode]):
        field, lowest, count = RUNS[mode][run][0], RUNS[mode][run][1], RUNS[mode][run][2]
        fields[field] |= bits(words, place, count) << lowest
        place += count
    return place


@rule(
    "FMT-BC6H-2",
    "A delta of BC6H is signed; it is added to the first end point, the sum wrapping in the end point's bits; end "
    "points of the signed format are then two's complement.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("bptc", "hardware-blocks"),
)
def resolve_ends(mode: int, signed: bool, fields: Ints) -> None:
    """Turn stored fields into end points."""
    width = END_BITS[mode]
    for field in range(FIELDS):
        channel = field % CHANNELS
        delta_width = DELTA_BITS[mode][channel]
        if field >= CHANNELS and delta_width != 0:
            moved = fields[channel] + sign_extended(fields[field], delta_width)
            fields[field] = moved & ((1 << width) - 1)
    if signed:
        for field in range(FIELDS):
            fields[field] = sign_extended(fields[field], width)


@rule(
    "FMT-BC6H-3",
    "An end point of BC6H widens to 16 bits by halves rounded up, 0 staying 0 and the largest code becoming the "
    "largest; the signed format widens the magnitude to 15 bits.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("bptc", "hardware-blocks"),
)
def widened_end(code: int, width: int, signed: bool) -> int:
    """Return an end point of ``width`` bits as 16 bits, or as a sign and 15 bits.

    >>> widened_end(1, 10, False), widened_end(-511, 10, True)
    (96, -32767)
    """
    if not signed:
        if width >= 15 or code == 0:
            return code
        return LARGEST if code == (1 << width) - 1 else ((code << 16) + 0x8000) >> width
    if width >= 16 or code == 0:
        return code
    magnitude = abs(code)
    largest = (1 << (width - 1)) - 1
    widened = LARGEST_SIGNED if magnitude >= largest else ((magnitude << 15) + 0x4000) >> (width - 1)
    return -widened if code < 0 else widened


@rule(
    "FMT-BC6H-4",
    "A mixed BC6H colour becomes a half float's bits by 31/64 of it, in the signed format by 31/32 of its magnitude "
    "with its sign; a negative zero comes out as positive.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("hardware-blocks", "bptc"),
)
def half_bits(mixed: int, signed: bool) -> int:
    """Return the bits of the half float that a mixed colour means.

    >>> hex(half_bits(0xFFFF, False)), hex(half_bits(-32767, True)), half_bits(-1, True)
    ('0x7bff', '0xfbff', 0)
    """
    if not signed:
        return mixed * 31 >> 6
    magnitude = abs(mixed) * 31 >> 5
    return magnitude | NEGATIVE if mixed < 0 and magnitude != 0 else magnitude


@rule(
    "FMT-BC6H-1",
    "A BC6H block decodes exactly as its specification says: mode, cut-up end points, partition, indices and weights "
    "of 64.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("bptc", "hardware-blocks"),
)
def bc6h_block(words: Ints, place: int, signed: bool, fields: Ints, texels: Ints) -> None:
    """Decode one block of a mode that is not reserved to 16 texels of three half floats.

    Parameters
    ----------
    words : whole numbers
        32-bit words.
    place : int
        The block's first bit.
    signed : bool
        Whether the format is the signed one.
    fields : whole numbers, 12
        Room to work in.
    texels : whole numbers, 48
        Filled.
    """
    mode = MODES[bits(words, place, 5)]
    place = read_fields(words, place + (2 if mode < 2 else 5), mode, fields)
    resolve_ends(mode, signed, fields)
    for field in range(FIELDS):
        fields[field] = widened_end(fields[field], END_BITS[mode], signed)

    regions = REGIONS[mode]
    partition, width = 0, 4
    if regions == 2:
        partition, width = bits(words, place, 5), 3
        place += 5
    region_map, anchors = SUBSET_MAPS[regions - 1][partition], ANCHORS[regions - 1][partition]
    for texel in range(16):
        index_bits = width - (anchors >> texel & 1)
        weight = WEIGHTS[width][bits(words, place, index_bits)]
        place += index_bits
        first = 2 * CHANNELS * (region_map >> 2 * texel & 3)
        for channel in range(CHANNELS):
            mixed = weighted(fields[first + channel], fields[first + CHANNELS + channel], weight)
            texels[CHANNELS * texel + channel] = half_bits(mixed, signed)


@rule(
    "FMT-BC6H-5",
    "A BC6H block of one of the four reserved modes decodes to zero.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("bptc", "hardware-blocks"),
)
def bc6h_reserved(texels: Ints) -> None:
    """Fill 16 texels of three half floats with zero."""
    for place in range(16 * CHANNELS):
        texels[place] = 0


def bc6h_driver(words: Ints, columns: int, out: Ints, fields: Ints, texels: Ints, signed: bool) -> None:
    """Decode BC6H blocks, four words each, to half floats, channel last."""
    for row in range(len(out)):
        for column in range(columns):
            place = BLOCK_BITS * (row * columns + column)
            if MODES[bits(words, place, 5)] == RESERVED:
                bc6h_reserved(texels)
            else:
                bc6h_block(words, place, signed, fields, texels)
            for y in range(BLOCK_PX):
                for x in range(BLOCK_PX):
                    for channel in range(CHANNELS):
                        out[row, y, column, x, channel] = texels[CHANNELS * (BLOCK_PX * y + x) + channel]
