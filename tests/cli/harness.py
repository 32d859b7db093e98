"""Running commands in this process, and made-up files for them to read."""

from __future__ import annotations

import contextlib
import io
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from refnvn.cli.main import main

RGBA8_64 = ("--format", "RGBA8", "--size", "64x64")
"""A texture of 64 x 64 texels: one row of four blocks of 8 GOBs, no padding."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a command left: exit code, standard output, standard error."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> dict[str, Any]:
        """The one JSON object on standard output, and nothing beside it."""
        value = json.loads(self.out)
        assert isinstance(value, dict)
        assert self.err == ""
        return value


def refnvn(*arguments: object) -> Outcome:
    """Run ``refnvn`` with arguments in this process."""
    out, err = io.StringIO(), io.StringIO()
    code: Any = None
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            main([str(one) for one in arguments])
        except SystemExit as stop:
            code = stop.code
    assert isinstance(code, int)
    return Outcome(code, out.getvalue(), err.getvalue())


def complaint(*arguments: object) -> str:
    """Run a command that must refuse its input: exit 2, one line on standard error, nothing on standard output."""
    outcome = refnvn(*arguments)
    assert (outcome.code, outcome.out) == (2, ""), outcome
    assert outcome.err.endswith("\n")
    assert outcome.err.count("\n") == 1, outcome.err
    assert outcome.err.startswith("refnvn"), outcome.err
    assert "Traceback" not in outcome.err
    return outcome.err.strip()


def files_in(folder: Path) -> set[str]:
    """Return the names of all files under a folder, temporary ones included."""
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def noise(size_B: int, seed: int = 0) -> NDArray[np.uint8]:
    """Return bytes that differ enough for any misplaced one to show."""
    return np.random.default_rng(seed).integers(0, 256, size_B, dtype=np.uint8)


def tiled_by_hand(rows: NDArray[np.uint8], block_height_gob: int) -> bytes:
    """Lay rows of bytes out block-linear, byte by byte, from the memory layout in the Tegra X1 manual.

    Width must be a multiple of 64 bytes; height is padded with zeros to whole blocks.
    """
    height, width_B = rows.shape
    blocks_down = -(-height // (8 * block_height_gob))
    storage = bytearray(blocks_down * block_height_gob * width_B * 8)
    for y in range(height):
        for x in range(width_B):
            block = y // (8 * block_height_gob) * (width_B // 64) + x // 64
            gob = block * block_height_gob + y // 8 % block_height_gob
            inside = x % 64 // 32 * 256 + y % 8 // 2 * 64 + x % 32 // 16 * 32 + y % 2 * 16 + x % 16
            storage[gob * 512 + inside] = rows[y, x]
    return bytes(storage)
