"""Pictures for people: one level, a sheet of all levels and layers, a contact sheet of candidate block heights."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from refnvn.errors import SizeError
from refnvn.formats.preview import preview
from refnvn.formats.table import Format
from refnvn.layout.gob import GOB_HEIGHT_ROWS, GOB_WIDTH_B
from refnvn.layout.levels import LevelLayout
from refnvn.layout.tiling import Bytes

Picture = NDArray[np.uint8]
GAP_PX = 4
LABEL_PX = 16
LARGEST_SHEET_PX = 1 << 28


def level_picture(fmt: Format, level: LevelLayout, rows: Bytes, slice_: int = 0) -> Picture:
    """Return one slice of a level as RGBA8, shape (height, width, 4)."""
    return preview(fmt, np.ascontiguousarray(rows[slice_]), level.width_px, level.height_px)


def sheet(rows: Sequence[Sequence[Picture]]) -> Picture:
    """Return pictures side by side, rows of them below one another, on a transparent ground.

    Raises
    ------
    SizeError
        For a sheet of more than 2^28 pixels.
    """
    if len(rows) == 1 and len(rows[0]) == 1:
        return rows[0][0]
    width = max(sum(p.shape[1] + GAP_PX for p in row) - GAP_PX for row in rows)
    height = sum(max(p.shape[0] for p in row) + GAP_PX for row in rows) - GAP_PX
    if width * height > LARGEST_SHEET_PX:
        raise SizeError(f"a picture of {width}x{height} pixels is too large; choose one with --level and --layer")
    canvas = np.zeros((height, width, 4), np.uint8)
    y = 0
    for row in rows:
        x = 0
        for picture in row:
            canvas[y : y + picture.shape[0], x : x + picture.shape[1]] = picture
            x += picture.shape[1] + GAP_PX
        y += max(p.shape[0] for p in row) + GAP_PX
    return canvas


def contact_sheet(labelled: Sequence[tuple[str, Picture]], columns: int = 3) -> Picture:
    """Return pictures in a grid, each under its label."""
    cells = [_labelled(label, picture) for label, picture in labelled]
    return sheet([cells[i : i + columns] for i in range(0, len(cells), columns)])


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


def _labelled(label: str, picture: Picture) -> Picture:
    from PIL import Image, ImageDraw

    canvas: Any = Image.new("RGBA", (max(picture.shape[1], 8 * len(label)), picture.shape[0] + LABEL_PX), "white")
    ImageDraw.Draw(canvas).text((2, 2), label, fill="black")
    canvas.paste(Image.fromarray(picture), (0, LABEL_PX))
    return np.array(canvas, dtype=np.uint8)
