"""How high and how deep is a block, of a texture and of each of its levels?

A texture without a packaged layout takes the automatic height from the block rows of level 0. Every level then
shrinks its blocks as far as its own rows and slices allow; the texture unit does the same.

Sparse textures take their tile's shape instead: ``sparse.py``.
"""

from __future__ import annotations

from refnvn.layout.block_linear import ceil_div
from refnvn.layout.gob import GOB_HEIGHT_ROWS
from refnvn.rules.evidence import Evidence
from refnvn.rules.fields import NVN, AutoBlockDepth, AutoBlockHeight, Rules
from refnvn.rules.registry import rule

AUTOMATIC_LIMIT_GOB = 16
BLOCK_LIMIT_GOB = 32
VIDEO_DECODE_HEIGHT_GOB = 2


def _largest_power_of_two(at_most: int, limit: int) -> int:
    """Return the largest power of two that is at most ``at_most`` and ``limit``, or 1."""
    return min(1 << (max(at_most, 1).bit_length() - 1), limit)


@rule(
    "LAYOUT-AUTO-1",
    "The automatic block height is the largest of 1, 2, 4, 8, 16 not above floor(rows * 3 / 16), rows in blocks.",
    evidence=Evidence.SWITCH,
    sources=("layout-facts", "seed-titles", "layout-vectors"),
    ledger=("auto-block-height",),
    fields=("auto_block_height",),
)
def automatic_block_height_gob(rows: int, rules: Rules = NVN) -> int:
    """Return the block height of a texture that brings no layout of its own.

    The division truncates. Rounding it up gives another height at 6-10, 17-21, 38-42 and 81-85 rows, which
    tears textures; so does counting pixels in place of compressed blocks.

    Parameters
    ----------
    rows : int
        Rows of texels, or of compressed blocks, of level 0; 1 or more.
    rules : Rules
        ``auto_block_height``.

    Returns
    -------
    int
        GOBs: 1, 2, 4, 8 or 16.

    Examples
    --------
    160 pixel rows of BC3 are 40 rows of blocks:

    >>> automatic_block_height_gob(40)
    4
    """
    match rules.auto_block_height:
        case AutoBlockHeight.TRUNCATE:
            gobs = rows * 3 // 16
        case AutoBlockHeight.ROUND_UP:
            gobs = ceil_div(rows * 3, 16)
        case AutoBlockHeight.ROWS_OVER_8:
            gobs = rows // 8
    return _largest_power_of_two(gobs, AUTOMATIC_LIMIT_GOB)


@rule(
    "LAYOUT-AUTO-2",
    "A 3D texture's automatic block is one GOB high and the largest power of two <= floor(depth * 3 / 2) deep.",
    evidence=Evidence.INFERRED,
    sources=("layout-facts", "layout-vectors", "deko3d", "nil", "tegra-swizzle-samples"),
    refuted_by="a 3D texture of a title, 2 to 10 slices deep, that reads right at another block depth",
)
def automatic_block_depth_gob(depth: int, rules: Rules = NVN) -> int:
    """Return the block depth of a 3D texture that brings no layout of its own.

    Parameters
    ----------
    depth : int
        Slices of level 0; 1 or more.
    rules : Rules
        ``auto_block_depth``.

    Returns
    -------
    int
        GOBs: 1, 2, 4, 8 or 16.

    Examples
    --------
    >>> automatic_block_depth_gob(2), automatic_block_depth_gob(33)
    (2, 16)
    """
    return _largest_power_of_two(depth * 3 // 2, automatic_depth_limit_gob(rules))


@rule(
    "LAYOUT-AUTO-4",
    "An automatic block is at most 16 GOBs deep.",
    evidence=Evidence.SWITCH,
    sources=("layout-facts",),
    fields=("auto_block_depth",),
)
def automatic_depth_limit_gob(rules: Rules = NVN) -> int:
    """Return the deepest automatic block.

    One host reported 32 GOBs; a game file of 33x33x33 texels has the size that 16 gives and 32 does not.

    >>> automatic_depth_limit_gob()
    16
    """
    return BLOCK_LIMIT_GOB if rules.auto_block_depth is AutoBlockDepth.THIRTY_TWO else AUTOMATIC_LIMIT_GOB


@rule(
    "LAYOUT-AUTO-3",
    "A texture with the VIDEO_DECODE flag has blocks two GOBs high.",
    evidence=Evidence.INFERRED,
    sources=("deko3d",),
    refuted_by="a video decode texture of a title whose planes read right at another height",
)
def video_decode_block_height_gob() -> int:
    """Return the block height of a video decode texture.

    >>> video_decode_block_height_gob()
    2
    """
    return VIDEO_DECODE_HEIGHT_GOB


@rule(
    "LAYOUT-LEVEL-1",
    "At each level the block height halves while half of it still holds all rows.",
    evidence=Evidence.SWITCH,
    sources=("console-swizzler-pair", "layout-facts", "layout-vectors", "envytools", "nil"),
    ledger=("auto-block-height",),
)
def shrunk_block_height_gob(block_height_gob: int, rows: int) -> int:
    """Return the block height that a level of ``rows`` block rows really uses.

    >>> shrunk_block_height_gob(16, 46), shrunk_block_height_gob(16, 1)
    (8, 1)
    """
    while block_height_gob > 1 and rows <= GOB_HEIGHT_ROWS * (block_height_gob // 2):
        block_height_gob //= 2
    return block_height_gob


@rule(
    "LAYOUT-LEVEL-2",
    "At each level the block depth halves while half of it still holds all slices.",
    evidence=Evidence.INFERRED,
    sources=("layout-vectors", "envytools", "nil", "deko3d"),
    refuted_by="a level of a title's 3D texture with few slices that reads right at a deeper block",
)
def shrunk_block_depth_gob(block_depth_gob: int, slices: int) -> int:
    """Return the block depth that a level of ``slices`` slices really uses.

    A level may take several steps at once: 16 becomes 2 at two slices.

    >>> shrunk_block_depth_gob(16, 2)
    2
    """
    while block_depth_gob > 1 and slices <= block_depth_gob // 2:
        block_depth_gob //= 2
    return block_depth_gob
