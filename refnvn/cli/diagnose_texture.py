"""``refnvn diagnose --texture``: the readings of a dump, the likeliest first, and a sheet to look at."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
import numpy as np

from refnvn.cli.output import answering, check_output, print_json, print_table
from refnvn.cli.picture import contact_sheet, enlarged, without_alpha
from refnvn.cli.texture_input import load_bytes
from refnvn.compare.dump import Dump, ReadingKind
from refnvn.compare.texture_suspicions import EmptyBlocks, Suspicion, empty_levels, stands_out, suspicions
from refnvn.containers.png import read_png, write_png
from refnvn.errors import ArgumentError, InputFileError
from refnvn.formats.picture_sheet import Picture
from refnvn.formats.preview import preview
from refnvn.layout.address import layer_offset_B
from refnvn.layout.texture import texture_layout

LISTED = 12
LEAST_LISTED = 0.01
LOST_TOLD = 0.2
"""So much thrown away is told."""


def diagnose_texture(
    file: Path, options: dict[str, Any], *, layer: int, start_B: int, like: Path | None, output: Path | None,
    as_json: bool,
) -> None:  # fmt: skip
    """Print what a dump of a texture seems to be, write the sheet if asked for, and exit.

    Exit code 1 where something else explains the dump clearly better than what was said, or it is empty; else 0.

    Raises
    ------
    InputFileError, ArgumentError, SizeError
        A file that cannot be read, or does not hold the first level by any reading.
    """
    if output is not None:
        check_output(output, file, like, form=".png")
        if output.suffix.lower() != ".png":
            raise ArgumentError(f"{output}: the sheet of readings is a PNG")
    texture, data = load_bytes(file, options, start_B)
    layer_offset_B(texture_layout(texture.description), layer)  # refuses a layer that is not there
    dump = Dump(fmt=texture.format, description=texture.description, data=data, layer=layer)
    empty = empty_levels(dump)
    if not data.any():
        _tell_nothing(file, dump, as_json=as_json)
    found = suspicions(dump, None if like is None else _expected(like))
    shown = [one for place, one in enumerate(found[:LISTED]) if place == 0 or one.explained >= LEAST_LISTED]
    if output is not None:
        write_png(output, contact_sheet([_labelled(place, one) for place, one in enumerate(shown, 1)]))
    with answering(1 if stands_out(found) else 0):
        if as_json:
            print_json({"file": str(file), **_as_json(found, shown, empty), "like": str(like) if like else None})
            return
        click.echo(f"{file}: {data.size} bytes; {_verdict(found)}")
        header = ("", "reading", "explains", "looks", "thrown away", "missing", "to read it so")
        print_table(header, [_row(place, one) for place, one in enumerate(shown, 1)], indent="  ")
        for line in _remarks(found, empty, like, output):
            click.echo(f"  {line}")


def _tell_nothing(file: Path, dump: Dump, *, as_json: bool) -> None:
    """Say that a dump is all zero, and exit."""
    words = f"all {dump.data.size} bytes are zero: never written, not mapped, or read before it was written"
    with answering(1):
        if as_json:
            print_json({"file": str(file), "empty": True, "readings": []})
        else:
            click.echo(f"{file}: {words}")


def _expected(path: Path) -> Picture:
    """Read a PNG of 8 bits as R, G, B, A."""
    values = read_png(path)
    if values.dtype != np.uint8:
        raise InputFileError(f"{path}: a PNG of 16 bits; allowed beside a dump: 8 bits")
    grey = values.reshape(*values.shape[:2], -1)
    channels = grey.shape[2]
    colours = np.repeat(grey[..., :1], 3, axis=2) if channels < 3 else grey[..., :3]
    alpha = grey[..., -1:] if channels in (2, 4) else np.full_like(grey[..., :1], 255)
    return np.ascontiguousarray(np.concatenate([colours, alpha], axis=2))


def _labelled(place: int, one: Suspicion) -> tuple[str, Picture]:
    reading = one.reading
    shown = preview(reading.fmt, np.ascontiguousarray(reading.rows), *reading.shown_px)
    return enlarged(f"{place}. {reading.words}: {one.explained:.2f}", without_alpha(shown))


def _verdict(found: list[Suspicion]) -> str:
    best = found[0]
    if best.reading.kind is ReadingKind.AS_SAID:
        return "nothing explains it better than what was said"
    if stands_out(found):
        return f"{best.reading.kind}: {best.words}"
    return f"nothing stands out; a little ahead is {best.words}"


def _row(place: int, one: Suspicion) -> tuple[object, ...]:
    reading = one.reading
    looks = "-" if one.looks is None else f"{one.looks:.2f}"
    away = f"{100 * reading.lost:.0f} %", f"{100 * reading.missing:.0f} %"
    return place, one.words, f"{one.explained:.2f}", looks, *away, reading.options


def _remarks(found: list[Suspicion], empty: list[EmptyBlocks], like: Path | None, output: Path | None) -> list[str]:
    unit = "blocks" if found[0].reading.fmt.is_compressed else "texels"
    lines = [
        f"level {one.level}, layer {one.layer}: {one.empty} of {one.blocks} {unit} are all zero, read as said"
        for one in empty
        if one.empty
    ]
    if found[0].reading.lost >= LOST_TOLD:
        away = f"{100 * found[0].reading.lost:.0f} %"
        lines.append(f"{away} of what it holds is thrown away at best: is it larger, or of more levels or layers?")
    if like is None:
        lines.append("Red and blue exchanged, or rows upside down, look as smooth: --like PNG tells those apart.")
    lines.append("The numbers rank by smoothness and by what is thrown away and prove nothing: look at the pictures.")
    return [*lines, f"{output}: the readings, in this order"] if output is not None else lines


def _as_json(found: list[Suspicion], shown: list[Suspicion], empty: list[EmptyBlocks]) -> dict[str, Any]:
    return {
        "empty": False,
        "verdict": _verdict(found),
        "stands_out": stands_out(found),
        "readings": [_reading_json(one) for one in shown],
        "empty_blocks": [
            {"level": one.level, "layer": one.layer, "empty": one.empty, "blocks": one.blocks} for one in empty
        ],
    }


def _reading_json(one: Suspicion) -> dict[str, Any]:
    return {
        "kind": one.reading.kind.value,
        "words": one.reading.words,
        "same_as": list(one.same),
        "explains": round(one.explained, 4),
        "looks": None if one.looks is None else round(one.looks, 4),
        "thrown_away": round(one.reading.lost, 4),
        "missing": round(one.reading.missing, 4),
        "options": one.reading.options,
        "format": one.reading.fmt.nvn_name,
    }
