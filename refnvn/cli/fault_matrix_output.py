"""``refnvn rules --fault --matrix``: which golden sees which fault, as text, JSON and a picture."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
import numpy as np

from refnvn.cli.jobs import run_jobs
from refnvn.cli.output import check_output, print_json
from refnvn.compare.fault_matrix import MatrixRow, always_alike, matrix_row, never_seen, scene_cases
from refnvn.containers.png import write_png
from refnvn.errors import ArgumentError
from refnvn.faults.fault import all_faults
from refnvn.golden.case import case_named

CELL_PX, LETTER_PX, MARGIN_PX = 12, 6, 4
GROUND, GRID, SEEN, ALIKE, REACHED = (255, 255, 255), (225, 228, 232), (29, 95, 191), (208, 120, 44), (200, 214, 236)


def tell_matrix(names: Sequence[str], jobs: int, picture: Path | None, *, as_json: bool) -> None:
    """Run the matrix of all scenes, or of goldens whose names begin as said, and print it.

    Raises
    ------
    ArgumentError
        For no scene of that name.
    """
    if picture is not None:
        check_output(picture, form=".png")
    cases = [one.name for one in scene_cases() if not names or any(one.name.startswith(name) for name in names)]
    if not cases:
        raise ArgumentError(f"no scene's name begins with {', '.join(names)}; refnvn golden list shows them")
    rows = sorted(run_jobs(_row, [(name,) for name in cases], jobs, "running faults"), key=lambda row: row.golden)
    if picture is not None:
        write_png(picture, _picture(rows))
    if as_json:
        print_json(_as_json(rows, whole=not names))
        return
    click.echo("\n".join(_lines(rows, whole=not names)))
    if picture is not None:
        click.echo(f"{picture}: goldens down, faults across; blue: seen, orange: seen like another, pale: not seen")


def _row(name: str) -> MatrixRow:
    return matrix_row(case_named(name))


def _lines(rows: Sequence[MatrixRow], *, whole: bool) -> list[str]:
    lines = []
    for row in rows:
        lines.append(f"{row.golden}: {', '.join(sorted(row.seen)) or 'sees no fault'}")
        lines += [f"  alike: {' = '.join(group)}" for group in row.alike]
    alike = always_alike(rows)
    lines += [f"never told apart: {' = '.join(group)}" for group in alike]
    if whole:
        unseen = never_seen(rows)
        lines.append(f"{len(all_faults())} faults, {len(rows)} scenes; seen by none: {', '.join(unseen) or 'none'}")
    return lines


def _as_json(rows: Sequence[MatrixRow], *, whole: bool) -> dict[str, Any]:
    return {
        "goldens": [
            {
                "golden": row.golden,
                "seen": sorted(row.seen),
                "reached_not_seen": list(row.unseen),
                "alike": [list(group) for group in row.alike],
            }
            for row in rows
        ],
        "never_told_apart": [list(group) for group in always_alike(rows)],
        "seen_by_none": never_seen(rows) if whole else None,
    }


def _picture(rows: Sequence[MatrixRow]) -> np.ndarray[Any, np.dtype[np.uint8]]:
    """Return the matrix as RGB: a row for each golden, a column for each fault, both with their names."""
    from PIL import Image, ImageDraw

    faults = sorted({fault for row in rows for fault in (*row.seen, *row.unseen)})
    left = LETTER_PX * max(len(row.golden) for row in rows) + 2 * MARGIN_PX
    top = LETTER_PX * max((len(fault) for fault in faults), default=0) + 2 * MARGIN_PX
    canvas = Image.new("RGB", (left + CELL_PX * len(faults) + 1, top + CELL_PX * len(rows) + 1), GROUND)
    draw = ImageDraw.Draw(canvas)
    for column, fault in enumerate(faults):
        label = Image.new("RGB", (top, CELL_PX), GROUND)
        ImageDraw.Draw(label).text((MARGIN_PX, 0), fault, fill=(0, 0, 0))
        canvas.paste(label.rotate(90, expand=True), (left + column * CELL_PX, 0))
    for line, row in enumerate(rows):
        y = top + line * CELL_PX
        draw.text((MARGIN_PX, y), row.golden, fill=(0, 0, 0))
        alike = {fault for group in row.alike for fault in group}
        for column, fault in enumerate(faults):
            x = left + column * CELL_PX
            known = {
                **dict.fromkeys(row.unseen, REACHED),
                **dict.fromkeys(row.seen, SEEN),
                **dict.fromkeys(alike, ALIKE),
            }
            draw.rectangle((x, y, x + CELL_PX, y + CELL_PX), fill=known.get(fault, GROUND), outline=GRID)
    return np.array(canvas, dtype=np.uint8)
