"""How fast are tile and untile, against memcpy of the same bytes and against py-tegra-swizzle?

Usage::

    python benchmarks/layout.py [--repetitions 21] [--only NAME] [--json FILE]

All arrays are given; nothing of refnvn's is allocated inside the clock. py-tegra-swizzle takes and returns
``bytes``, so its time holds one allocation; without it, its columns are empty. The bytes of both are compared.
Read next: ``README.md`` for what the columns mean.
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

from refnvn.formats.element import element_of
from refnvn.formats.table import format_named
from refnvn.layout.description import TextureDescription, TextureTarget
from refnvn.layout.texture import TextureLayout, texture_layout
from refnvn.layout.tiling import image_size_B, tile, untile

MIB = 1 << 20


@dataclass(frozen=True, slots=True)
class Case:
    """A texture to move, one level of one layer."""

    name: str
    format_name: str
    width: int
    height: int
    depth: int = 1

    def layout(self) -> TextureLayout:
        """Return where its texels lie."""
        return texture_layout(
            TextureDescription(
                element=element_of(format_named(self.format_name)),
                target=TextureTarget.TARGET_3D if self.depth > 1 else TextureTarget.TARGET_2D,
                width=self.width,
                height=self.height,
                depth=self.depth,
            )
        )


CASES = (
    Case("RGBA8 4096x4096", "RGBA8", 4096, 4096),
    Case("RGBA_DXT1 4096x4096", "RGBA_DXT1", 4096, 4096),
    Case("RGBA8 512x512x64", "RGBA8", 512, 512, 64),
    Case("RGBA16F 1000x700", "RGBA16F", 1000, 700),
    Case("RGBA_ASTC_6x6 1024x1024", "RGBA_ASTC_6x6", 1024, 1024),
)


def peer_functions() -> tuple[Callable[..., bytes], Callable[..., bytes]] | None:
    """Return py-tegra-swizzle's untile and tile, or None where it is not installed."""
    try:
        import py_tegra_swizzle as peer
    except ImportError:
        return None
    return peer.deswizzle_block_linear, peer.swizzle_block_linear


def run(case: Case, repetitions: int) -> dict[str, Any]:
    """Measure one case and return its figures, times in seconds."""
    layout = case.layout()
    level = layout.levels[0]
    size_B = image_size_B(layout, level)
    rows = np.random.default_rng(1).integers(0, 256, size_B, dtype=np.uint8)
    rows = rows.reshape(level.slices, level.height_el, -1)
    storage = np.zeros(layout.storage_size_B, np.uint8)
    out = np.empty_like(rows)
    works: dict[str, Callable[[], object]] = {
        "memcpy": lambda: np.copyto(out, rows),
        "tile": lambda: tile(layout, rows, storage),
        "untile": lambda: untile(layout, storage, out=out),
    }
    tile(layout, rows, storage)
    peer = peer_functions()
    if peer is not None:
        works |= _peer_works(peer, layout, rows.tobytes(), storage.tobytes())
    found = measure.medians(works, repetitions)
    assert np.array_equal(untile(layout, storage), rows), f"{case.name}: tile and untile are not inverse"
    figures: dict[str, Any] = {"name": case.name, "size_B": size_B, "seconds": found}
    for name in ("tile", "untile"):
        figures[f"{name}_of_memcpy"] = found["memcpy"] / found[name]
        figures[f"{name}_of_peer"] = found[f"peer {name}"] / found[name] if peer else None
    return figures


def _peer_works(
    peer: tuple[Callable[..., bytes], Callable[..., bytes]], layout: TextureLayout, linear: bytes, tiled: bytes
) -> dict[str, Callable[[], object]]:
    """Return the peer's tile and untile of the same bytes, after checking that they give what ours give."""
    peer_untile, peer_tile = peer
    level = layout.levels[0]
    size = level.width_el, level.height_el, level.slices
    how = layout.block_height_gob, layout.description.element.bytes_per_block
    assert peer_untile(*size, tiled, *how) == linear, "py-tegra-swizzle untiles to other bytes"
    assert peer_tile(*size, linear, *how) == tiled[: level.size_B], "py-tegra-swizzle tiles to other bytes"
    return {
        "peer tile": lambda: peer_tile(*size, linear, *how),
        "peer untile": lambda: peer_untile(*size, tiled, *how),
    }


def print_table(results: list[dict[str, Any]]) -> None:
    """Print one line per case and direction."""
    print(f"{'texture':<26}{'MiB':>7}  {'':<7}{'GiB/s':>7}{'of memcpy':>11}{'of py-tegra-swizzle':>21}")
    for one in results:
        for name in ("tile", "untile"):
            speed = one["size_B"] / one["seconds"][name] / (1 << 30)
            peer = one[f"{name}_of_peer"]
            print(
                f"{one['name']:<26}{one['size_B'] / MIB:>7.1f}  {name:<7}{speed:>7.2f}"
                f"{one[f'{name}_of_memcpy']:>11.2f}{'not installed' if peer is None else f'{peer:.2f}':>21}"
            )


def main() -> None:
    """Measure the cases that were asked for."""
    parser = argparse.ArgumentParser(description="Tile and untile against memcpy and py-tegra-swizzle.")
    parser.add_argument("--repetitions", type=int, default=21, help="samples per median (default 21)")
    parser.add_argument("--only", default="", help="only cases whose name holds this text")
    parser.add_argument("--json", type=Path, help="also write all figures to this file")
    options = parser.parse_args()
    results = [run(case, options.repetitions) for case in CASES if options.only in case.name]
    print_table(results)
    if options.json:
        content = {"repetitions": options.repetitions, "versions": measure.versions(), "results": results}
        options.json.write_text(json.dumps(content, indent=2) + "\n")


if __name__ == "__main__":
    main()
