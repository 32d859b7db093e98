"""ASTC blocks that are legal by construction, one class after another.

The header is put together from the format's laws; every other bit may be anything, since any bits of a sequence
decode to numbers of its range.
"""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import assume
from hypothesis import strategies as st

from refnvn.formats.astc_block_mode import BLOCK_MODES
from refnvn.formats.astc_sequence import LEVELS, sequence_bits

SIZES = (
    (4, 4), (5, 4), (5, 5), (6, 5), (6, 6), (8, 5), (8, 6), (8, 8),
    (10, 5), (10, 6), (10, 8), (10, 10), (12, 10), (12, 12),
)  # fmt: skip
LDR_MODES = (0, 1, 4, 5, 6, 8, 9, 10, 12, 13)
HDR_MODES = (2, 3, 7, 11, 14, 15)
ALL_ONES = (1 << 52) - 1
LEAST_LEVELS = LEVELS.index(6)


@dataclass(frozen=True)
class Block:
    """A block and the size it is of."""

    width: int
    height: int
    data: bytes

    def __repr__(self) -> str:
        return f"Block({self.width}, {self.height}, bytes.fromhex({self.data.hex()!r}))"


def colour_numbers(modes: list[int]) -> int:
    """Return how many colour numbers the modes of all partitions take."""
    return sum(2 * (mode // 4) + 2 for mode in modes)


def put(block: int, place: int, count: int, field: int) -> int:
    """Return a block with a field replaced."""
    mask = ((1 << count) - 1) << place
    return block & ~mask | field << place


def void_extent(colour: tuple[int, ...], *, hdr: bool = False, extent: int = ALL_ONES) -> bytes:
    """Return a block of one colour of four 16-bit channels."""
    block = 0b11 << 10 | hdr << 9 | 0b111111100 | extent << 12
    for channel, code in enumerate(colour):
        block |= code << 64 + 16 * channel
    return block.to_bytes(16, "little")


def room_for_colours(weight_bits: int, partitions: int, planes: int, shared: bool) -> int:
    """Return the bits that are left between header and weights."""
    more = 0 if shared or partitions == 1 else 3 * partitions - 4
    return 128 - weight_bits - more - 2 * (planes - 1) - (17 if partitions == 1 else 29)


def with_header(noise: int, mode: int, modes: list[int], shared: bool) -> bytes:
    """Return a block whose header says all this, its other bits being ``noise``."""
    partitions = len(modes)
    below = 128 - BLOCK_MODES[mode][4]
    block = put(put(noise, 0, 11, mode), 11, 2, partitions - 1)
    if partitions == 1:
        block = put(block, 13, 4, modes[0])
    elif shared:
        block = put(put(block, 23, 2, 0), 25, 4, modes[0])
    else:
        base = min(mode // 4 for mode in modes)
        each = sum((own // 4 - base) << p for p, own in enumerate(modes))
        each |= sum((own % 4) << partitions + 2 * p for p, own in enumerate(modes))
        more = 3 * partitions - 4
        block = put(put(block, 23, 2, base + 1), 25, 4, each & 15)
        block = put(block, below - more, more, each >> 4)
    return block.to_bytes(16, "little")


@st.composite
def void_extents(draw: st.DrawFn, *, hdr: bool = False) -> Block:
    """Blocks of one colour, with and without an extent."""
    width, height = draw(st.sampled_from(SIZES))
    colour = draw(st.tuples(*[st.integers(0, 0xFFFF)] * 4))
    low, high = st.integers(0, 0x0FFF), st.integers(0x1000, 0x1FFE)
    left, right, top, bottom = draw(st.tuples(low, high, low, high))
    bounded = left | right << 13 | top << 26 | bottom << 39
    return Block(width, height, void_extent(colour, hdr=hdr, extent=draw(st.sampled_from((ALL_ONES, bounded)))))


@st.composite
def weighted_blocks(
    draw: st.DrawFn,
    *,
    modes_from: tuple[int, ...] = LDR_MODES,
    partitions: tuple[int, ...] = (1, 2, 3, 4),
    planes: tuple[int, ...] = (1, 2),
    levels: int | None = None,
    shared: bool | None = None,
) -> Block:
    """Blocks with weights: of some colour endpoint modes, partitions, planes, and perhaps one range of weights."""
    width, height = draw(st.sampled_from(SIZES))
    fewest = min(colour_numbers([mode]) for mode in modes_from)
    count = draw(st.sampled_from([p for p in partitions if p * fewest <= 18]))
    plane_count = draw(st.sampled_from([p for p in planes if not (p == 2 and count == 4)] or [1]))
    is_shared = draw(st.booleans()) if shared is None else shared
    most = min(18 // count, room_for_colours(24, count, plane_count, is_shared) * 5 // 13 // count)
    fitting = [mode for mode in modes_from if colour_numbers([mode]) <= most]
    assume(fitting)
    first = draw(st.sampled_from(fitting))
    if is_shared or count == 1:
        modes = [first] * count
    else:
        near = [mode for mode in fitting if mode // 4 in (first // 4, first // 4 + 1) and first // 4 < 3]
        modes = [first, *(draw(st.sampled_from(near or [first])) for _ in range(count - 1))]
        if first // 4 == 3:  # a base class of 3 would need a class field of 4: shared modes serve it
            is_shared, modes = True, [first] * count
    needed = sequence_bits(colour_numbers(modes), LEAST_LEVELS)
    legal = [
        number
        for number, (grid_width, grid_height, grid_planes, range_number, weight_bits) in enumerate(BLOCK_MODES)
        if 0 < grid_width <= width
        and grid_height <= height
        and grid_planes == plane_count
        and levels in (None, LEVELS[range_number])
        and room_for_colours(weight_bits, count, plane_count, is_shared) >= needed
    ]
    assume(legal)
    mode = draw(st.sampled_from(legal))
    noise = draw(st.integers(0, (1 << 128) - 1))
    return Block(width, height, with_header(noise, mode, modes, is_shared))


RANDOM = st.builds(lambda size, data: Block(*size, data), st.sampled_from(SIZES), st.binary(min_size=16, max_size=16))
"""Random bits: the last class."""

LDR_CLASSES = {
    "void-extent": void_extents(),
    "weights-in-bits": st.sampled_from((2, 4, 8, 16, 32)).flatmap(lambda n: weighted_blocks(levels=n)),
    "weights-in-trits": st.sampled_from((3, 6, 12, 24)).flatmap(lambda n: weighted_blocks(levels=n)),
    "weights-in-quints": st.sampled_from((5, 10, 20)).flatmap(lambda n: weighted_blocks(levels=n)),
    "one-partition": weighted_blocks(partitions=(1,)),
    "shared-modes": weighted_blocks(partitions=(2, 3, 4), shared=True),
    "own-modes": weighted_blocks(partitions=(2, 3, 4), shared=False),
    "two-planes": weighted_blocks(planes=(2,)),
    "luminance": weighted_blocks(modes_from=(0, 1, 4, 5)),
    "scaled": weighted_blocks(modes_from=(6, 10)),
    "direct": weighted_blocks(modes_from=(8, 12)),
    "offset": weighted_blocks(modes_from=(9, 13)),
}
"""Legal blocks of low dynamic range, by class."""

HDR_CLASSES = {
    "hdr-luminance": weighted_blocks(modes_from=(2, 3)),
    "hdr-scaled": weighted_blocks(modes_from=(7,)),
    "hdr-direct": weighted_blocks(modes_from=(11,)),
    "hdr-alpha": weighted_blocks(modes_from=(14, 15)),
    "mixed": weighted_blocks(modes_from=(*LDR_MODES, *HDR_MODES)),
}
"""Legal blocks with modes of high dynamic range, by class."""
