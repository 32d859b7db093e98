"""Pictures for people: one level, a sheet of all levels and layers, a contact sheet of candidate block heights."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from refnvn.formats.picture_sheet import Picture, grid
from refnvn.formats.preview import preview
from refnvn.formats.table import Format
from refnvn.layout.gob import GOB_HEIGHT_ROWS, GOB_WIDTH_B
from refnvn.layout.levels import LevelLayout
from refnvn.layout.tiling import Bytes

LABEL_PX = 16
LETTER_PX = 6
SMALL_PX = 32
OPAQUE = 255
LOOKS_EMPTY_PERCENT = 90


def level_picture(
    fmt: Format, level: LevelLayout, rows: Bytes, slice_: int = 0, *, white: int | None = None
) -> Picture:
    """Return one slice of a level as RGBA8, shape (height, width, 4); ``white`` as in ``preview``."""
    return preview(fmt, np.ascontiguousarray(rows[slice_]), level.width_px, level.height_px, white=white)


def without_alpha(picture: Picture) -> Picture:
    """Return the colours of a picture, opaque."""
    shown = picture.copy()
    shown[..., 3] = OPAQUE
    return shown


def clear_remark(pictures: Sequence[Picture]) -> str:
    """Return what to say where pictures look empty because nearly all of their alpha is 0, else nothing.

    >>> clear_remark([np.array([[[9, 9, 9, 0]]], np.uint8)])
    'alpha is 0 in 100 % of it, which looks empty: --opaque shows the colours'
    """
    clear = sum(int(np.count_nonzero(picture[..., 3] == 0)) for picture in pictures)
    percent = 100 * clear / sum(picture[..., 3].size for picture in pictures)
    if percent <= LOOKS_EMPTY_PERCENT:
        return ""
    return f"alpha is 0 in {percent:.0f} % of it, which looks empty: --opaque shows the colours"


def contact_sheet(pictures: Sequence[tuple[str, Picture]], columns: int = 3) -> Picture:
    """Return pictures in a grid, each under its label."""
    return grid([labelled(label, picture) for label, picture in pictures], columns)


def seam_ratio(picture: Picture, fmt: Format) -> float:
    """Return how much stronger the steps at GOB edges are than elsewhere: about 1 where the layout is right.

    A wrong block height moves whole GOBs, so it leaves seams at their edges. Padding makes no seams: a height that
    reads padding scores well, so the lowest ratio is a hint for the eye and no proof.
    """
    grey = picture[..., :3].astype(np.int64).sum(axis=2)
    down = _edge_ratio(np.abs(np.diff(grey, axis=0)).mean(axis=1), GOB_HEIGHT_ROWS * fmt.block_height_px)
    across = _edge_ratio(
        np.abs(np.diff(grey, axis=1)).mean(axis=0), GOB_WIDTH_B // fmt.bytes_per_block * fmt.block_width_px
    )
    return (down + across) / 2


def _edge_ratio(steps: NDArray[np.float64], every: int) -> float:
    at_edge = np.arange(1, steps.size + 1) % every == 0
    if not at_edge.any() or at_edge.all():
        return 1.0
    return float((steps[at_edge].mean() + 1) / (steps[~at_edge].mean() + 1))


def labelled(label: str, picture: Picture) -> Picture:
    """Return a picture under its label, on a transparent ground."""
    from PIL import Image, ImageDraw

    size = max(picture.shape[1], LETTER_PX * len(label) + 4), picture.shape[0] + LABEL_PX
    canvas: Any = Image.new("RGBA", size)
    canvas.paste("white", (0, 0, size[0], LABEL_PX))
    ImageDraw.Draw(canvas).text((2, 2), label, fill="black")
    canvas.paste(Image.fromarray(picture), (0, LABEL_PX))
    return np.array(canvas, dtype=np.uint8)


def enlarged(label: str, picture: Picture) -> tuple[str, Picture]:
    """Return a small picture with each texel as a square, and a label that says how large.

    >>> label, picture = enlarged("L8 1x1", np.zeros((1, 1, 4), np.uint8))
    >>> label, picture.shape
    ('L8 1x1 (x32)', (32, 32, 4))
    """
    times = max(1, SMALL_PX // max(picture.shape[:2]))
    shown = picture.repeat(times, axis=0).repeat(times, axis=1)
    return f"{label} (x{times})" if times > 1 else label, shown
