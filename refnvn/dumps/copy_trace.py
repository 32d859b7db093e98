"""What does a trace of texture copies hold: how a texture of halves went from copy to copy?

A line of text, 240 frame numbers, then 240 times the texels of an RGBA16F texture, as it was after each copy into it.
Nothing says whether the numbers are text or words, nor in which byte order words are. So: the texels are the end of
the file, whose size follows from width and height; what is left between the line and them is 240 words of 4 or 8
bytes, of the order in which they fall least, or 240 numbers as text. Entries that were never written have zeros.

What it does not do: it knows no other format; a file of another size is refused with what would fit.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from refnvn.errors import SizeError, printable

ENTRIES = 240
TEXEL_B = 8
MOST_LINE_B = 4096
LARGEST = 65504.0
"""The largest finite half."""


@dataclass(frozen=True, slots=True, eq=False)
class CopyTrace:
    """A trace.

    Attributes
    ----------
    line : str
        The first line.
    frames : int64, shape (240,)
        As they were read.
    numbers : str
        How the frame numbers were read.
    texels : float16, shape (240, height, width, 4)
    """

    line: str
    frames: NDArray[np.int64]
    numbers: str
    texels: NDArray[np.float16]


def first_line(content: bytes) -> str | None:
    """Return the line that such a trace begins with; None where a file does not begin with a line of text."""
    head, newline, _ = content[:MOST_LINE_B].partition(b"\n")
    try:
        line = head.decode("utf-8").rstrip("\r")
    except UnicodeDecodeError:
        return None
    return line if newline and line.isprintable() and line else None


def size_in(line: str) -> tuple[int, int] | None:
    """Return width and height where a line has them as WxH.

    >>> size_in("t2t trace 512x1 rgba16f")
    (512, 1)
    """
    match = re.search(r"(?<![0-9A-Za-z])([1-9]\d{0,4})x([1-9]\d{0,4})(?![0-9A-Za-z])", line)
    return None if match is None else (int(match[1]), int(match[2]))


def texels_that_fit(content: bytes) -> int | None:
    """Return how many texels an entry has if the frame numbers are words of 4 bytes; None for no whole number."""
    rest_B = len(content) - content.index(b"\n") - 1 - 4 * ENTRIES
    count, left_B = divmod(rest_B, TEXEL_B * ENTRIES)
    return count if left_B == 0 and count > 0 else None


def read_copy_trace(content: bytes, width_px: int, height_px: int) -> CopyTrace:
    """Read a trace of copies into a texture of this size.

    Raises
    ------
    SizeError
        For a file without a first line, or of another size.
    """
    line = first_line(content)
    if line is None:
        raise SizeError(f"begins with {printable(repr(content[:16]))}; a trace of copies begins with a line of text")
    texels_B = ENTRIES * width_px * height_px * TEXEL_B
    start_B = content.index(b"\n") + 1
    numbers = content[start_B : max(start_B, len(content) - texels_B)]
    frames, how = _frames(numbers) if len(content) >= start_B + texels_B else (None, "")
    if frames is None:
        count = texels_that_fit(content)
        fits = "" if count is None else f"; textures of {count} texels would fit"
        raise SizeError(
            f"{len(content)} bytes; a trace of {width_px}x{height_px} has {texels_B} of texels behind its line and "
            f"{ENTRIES} frame numbers{fits}"
        )
    values = np.frombuffer(content[len(content) - texels_B :], "<f2")
    return CopyTrace(line, frames, how, values.reshape(ENTRIES, height_px, width_px, 4))


def _frames(numbers: bytes) -> tuple[NDArray[np.int64] | None, str]:
    """Return the frame numbers and how they were read; None where they are none."""
    for size_B in (4, 8):
        if len(numbers) == ENTRIES * size_B:
            orders = [np.frombuffer(numbers, f"{order}u{size_B}") for order in "<>"]
            little, big = (one.astype(np.int64) for one in orders)
            if _falls(big) < _falls(little):
                return big, f"words of {size_B} bytes, big-endian"
            return little, f"words of {size_B} bytes, little-endian"
    try:
        words = numbers.decode("ascii").split()
    except UnicodeDecodeError:
        return None, ""
    if len(words) != ENTRIES or not all(one.isdecimal() and len(one) < 19 for one in words):
        return None, ""
    return np.array([int(one) for one in words], np.int64), "text"


def _falls(frames: NDArray[np.int64]) -> tuple[int, int]:
    """Return how often numbers fall that are not 0 behind them, and how large they are: less is likelier."""
    held = frames[frames != 0]
    return int((np.diff(held) < 0).sum()), int(np.abs(held).max(initial=0))


@dataclass(frozen=True, slots=True)
class CopyEntry:
    """One entry: which frame, the finite values that it has least and most, and how many components are none."""

    entry: int
    frame: int
    least: float
    most: float
    not_finite: int

    @property
    def is_out(self) -> bool:
        """Whether it has run to the end of the numbers, or beyond."""
        return self.not_finite > 0 or max(-self.least, self.most) >= LARGEST


def entries_of(trace: CopyTrace) -> list[CopyEntry]:
    """Return what each entry holds, in order."""
    found = []
    for number, texels in enumerate(trace.texels):
        finite = np.isfinite(texels)
        held = texels[finite].astype(np.float64)
        least, most = (float(held.min()), float(held.max())) if held.size else (0.0, 0.0)
        found.append(CopyEntry(number, int(trace.frames[number]), least, most, int((~finite).sum())))
    return found
