"""How fast do blocks decode, against texture2ddecoder?

Usage::

    python benchmarks/decode.py [--repetitions 21] [--only NAME] [--json FILE]

One picture of 1024 x 1024 texels per format, of random blocks; for ASTC of random legal ones of low dynamic range,
since texture2ddecoder may crash on others. Both sides allocate their result. Ours is codes (8 bits, BC4 and BC5 16
bits, BC6H and linear ASTC half floats), and then values, four float32 per texel; theirs is always 8 bits. One thread
each; compiling is not counted. Read next: ``README.md`` for what the columns mean.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import measure
import numpy as np

from refnvn.errors import SizeError
from refnvn.formats.block_coding import is_astc
from refnvn.formats.blocks import decode_block_codes, decode_image, decode_image_codes
from refnvn.formats.preview import linear_size_B
from refnvn.formats.table import Format, format_named

SIDE_PX = 1024
HALF_ONE = 0x3C00


@dataclass(frozen=True, slots=True)
class Case:
    """A format and what texture2ddecoder calls it, if it has it."""

    format_name: str
    peer_name: str
    goal: float


CASES = (
    Case("RGBA_DXT1", "bc1", 1.0),
    Case("RGBA_DXT5", "bc3", 1.0),
    Case("RGTC1_UNORM", "bc4", 1.0),
    Case("RGTC2_UNORM", "bc5", 1.0),
    Case("BPTC_UFLOAT", "bc6", 1.0),
    Case("BPTC_UNORM", "bc7", 1.0),
    *(
        Case(f"RGBA_ASTC_{size}{kind}", "astc", 0.5)
        for size in ("4x4", "6x6", "8x8", "12x12")
        for kind in ("", "_SRGB")
    ),
)


def legal_blocks(fmt: Format, count: int) -> np.ndarray:
    """Return random ASTC blocks that have no texel of the error colour, repeated until there are enough."""
    blocks = np.random.default_rng(1).integers(0, 256, (60_000, fmt.bytes_per_block), dtype=np.uint8)
    linear = format_named(fmt.name.removesuffix("_SRGB"))
    codes = decode_block_codes(linear, blocks).reshape(len(blocks), -1, 4)
    legal = blocks[~(codes == [HALF_ONE, 0, HALF_ONE, HALF_ONE]).all(axis=-1).any(axis=1)]
    return np.resize(legal, (count, fmt.bytes_per_block))


def blocks_of(fmt: Format) -> np.ndarray:
    """Return the blocks of a picture."""
    count = -(-SIDE_PX // fmt.block_width_px) * -(-SIDE_PX // fmt.block_height_px)
    if is_astc(fmt):
        return legal_blocks(fmt, count)
    return np.random.default_rng(1).integers(0, 256, (count, fmt.bytes_per_block), dtype=np.uint8)


def peer_of(case: Case, fmt: Format, data: bytes) -> Callable[[], object] | None:
    """Return texture2ddecoder's decoding of the same picture, or None where it is not installed.

    It reads past the end of data that are too short, so their size is checked here.
    """
    if len(data) != linear_size_B(fmt, SIDE_PX, SIDE_PX):
        raise SizeError(f"{len(data)} bytes of {fmt.name}; allowed: {linear_size_B(fmt, SIDE_PX, SIDE_PX)}")
    try:
        import texture2ddecoder
    except ImportError:
        return None
    decode = getattr(texture2ddecoder, f"decode_{case.peer_name}")
    size = (fmt.block_width_px, fmt.block_height_px) if is_astc(fmt) else ()
    return lambda: decode(data, SIDE_PX, SIDE_PX, *size)


def run(case: Case, repetitions: int) -> dict[str, Any]:
    """Measure one case and return its figures, times in seconds."""
    fmt = format_named(case.format_name)
    blocks = blocks_of(fmt)
    works: dict[str, Callable[[], object]] = {
        "codes": lambda: decode_image_codes(fmt, blocks, SIDE_PX, SIDE_PX),
        "values": lambda: decode_image(fmt, blocks, SIDE_PX, SIDE_PX),
    }
    peer = peer_of(case, fmt, blocks.tobytes())
    if peer is not None:
        works["peer"] = peer
    found = measure.medians(works, repetitions)
    figures: dict[str, Any] = {"name": case.format_name, "goal": case.goal, "seconds": found}
    for name in ("codes", "values"):
        figures[f"{name}_of_peer"] = found["peer"] / found[name] if peer else None
    return figures


def print_table(results: list[dict[str, Any]]) -> None:
    """Print one line per case."""
    print(
        f"{'format':<22}{'codes':>9}{'values':>9}{'peer':>9}  Mtexel/s {'codes':>8}{'values':>8}  of texture2ddecoder"
    )
    for one in results:
        speeds = [SIDE_PX**2 / one["seconds"][name] / 1e6 if name in one["seconds"] else 0.0 for name in
                  ("codes", "values", "peer")]  # fmt: skip
        ratios = [one["codes_of_peer"], one["values_of_peer"]]
        said = "".join(f"{ratio:8.2f}" if ratio else f"{'-':>8}" for ratio in ratios)
        missed = "" if not ratios[0] or ratios[0] >= one["goal"] else f"  below {one['goal']}"
        print(f"{one['name']:<22}" + "".join(f"{speed:9.1f}" for speed in speeds) + " " * 11 + said + missed)


def main() -> None:
    """Measure what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repetitions", type=int, default=21)
    parser.add_argument("--only", default="", help="run cases whose name contains this")
    parser.add_argument("--json", type=Path, help="write all figures there")
    options = parser.parse_args()
    results = [run(case, options.repetitions) for case in CASES if options.only in case.format_name]
    print_table(results)
    if options.json:
        options.json.write_text(json.dumps({"versions": measure.versions(), "results": results}, indent=2))


if __name__ == "__main__":
    main()
