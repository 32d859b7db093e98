"""Which kinds of vector files are there, and which one is a given file?

The first schema that recognises a file scores it: formats, layout, then the families that are known by name but
that no rule serves yet. A file that none recognises is an error, never skipped.
"""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Iterable
from pathlib import Path

from refnvn.conformance import (
    hardware_alu,
    hardware_blocks,
    hardware_depth,
    hardware_formats,
    hardware_interp,
    hardware_raster,
    layout_vectors,
)
from refnvn.conformance.schema import Schema
from refnvn.conformance.score import ArrayScore, not_run
from refnvn.conformance.vector_file import VectorFile
from refnvn.errors import InputFileError
from refnvn.rules.fields import Rules


@functools.cache
def waiting_families() -> dict[str, dict[str, str]]:
    """Return what each known family that is not served waits for, by kind of file (``npz``, ``json``) and name."""
    text = Path(__file__).with_name("known_families.toml").read_text(encoding="utf-8")
    found: dict[str, dict[str, str]] = tomllib.loads(text)
    return found


def _waits_for(file: VectorFile) -> str | None:
    return waiting_families()["npz" if file.is_npz else "json"].get(file.family)


def _recognises_waiting(file: VectorFile) -> bool:
    if _waits_for(file) is None:
        return False
    if file.is_npz:
        return any(name in file.headers for name in ("meta", "out"))
    return file.json_has("format", "schema")


def _score_waiting(file: VectorFile, rules: Rules) -> Iterable[ArrayScore]:
    del rules
    reason = f"waits for {_waits_for(file)}"
    names = file.headers if file.is_npz else file.json
    return [not_run(name, reason) for name in names if name.startswith("out") or not file.is_npz]


WAITING = Schema(name="known family", recognises=_recognises_waiting, score=_score_waiting)

SCHEMAS: tuple[Schema, ...] = (
    *hardware_alu.SCHEMAS,
    *hardware_formats.SCHEMAS,
    *hardware_blocks.SCHEMAS,
    *hardware_depth.SCHEMAS,
    *hardware_raster.SCHEMAS,
    *hardware_interp.SCHEMAS,
    *layout_vectors.SCHEMAS,
    WAITING,
)


def schema_of(file: VectorFile) -> Schema:
    """Return the schema of a file.

    Raises
    ------
    InputFileError
        Where no schema recognises it, or it is damaged.
    """
    for schema in SCHEMAS:
        if schema.recognises(file):
            return schema
    raise InputFileError(
        f"{file.path}: no schema recognises it; known are the families "
        f"{', '.join(s.name for s in SCHEMAS if s is not WAITING)} and those of known_families.toml"
    )
