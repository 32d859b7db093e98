"""Which kinds of vector files are there, and which one is a given file?

A schema recognises a file by the names of its arrays or keys; the file's own name decides only where that leaves a
choice. Families that no rule serves yet, or that hold nothing to score, are known by name. A file that none
recognises is an error, never skipped.
"""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Iterable
from pathlib import Path

from refnvn.conformance import (
    hardware_alu,
    hardware_barrier,
    hardware_blend,
    hardware_blocks,
    hardware_clamp,
    hardware_copies,
    hardware_counters,
    hardware_cut,
    hardware_depth,
    hardware_drawtexture,
    hardware_formats,
    hardware_interp,
    hardware_lines,
    hardware_memory,
    hardware_mixed,
    hardware_multisample,
    hardware_pipeline,
    hardware_planes,
    hardware_primitives,
    hardware_raster,
    hardware_resolve,
    hardware_sampled_lines,
    hardware_samples,
    hardware_stages,
    hardware_tess,
    hardware_tess_numbers,
    hardware_texture,
    hardware_texture_aniso,
    hardware_texture_kinds,
    hardware_texture_lod,
    hardware_texture_probe,
    hardware_touched,
    hardware_vertex,
    hardware_window,
    layout_vectors,
)
from refnvn.conformance.schema import Schema
from refnvn.conformance.score import ArrayScore, information, not_run
from refnvn.conformance.signature import META
from refnvn.conformance.vector_file import VectorFile
from refnvn.errors import InputFileError
from refnvn.rules.fields import Rules


@functools.cache
def waiting_families() -> dict[str, dict[str, str]]:
    """Return what each known family that is not served waits for, by kind of file (``npz``, ``json``) and name.

    Under ``information`` stand families that hold nothing to score, with what they hold.
    """
    text = Path(__file__).with_name("known_families.toml").read_text(encoding="utf-8")
    found: dict[str, dict[str, str]] = tomllib.loads(text)
    return found


def _kind(file: VectorFile) -> str:
    return "npz" if file.is_npz else "json"


def _recognises_waiting(file: VectorFile) -> bool:
    if file.family not in waiting_families()[_kind(file)]:
        return False
    if file.is_npz:
        return any(name in file.headers for name in (META, "out"))
    return file.json_has("format", "schema")


def _score_waiting(file: VectorFile, rules: Rules) -> Iterable[ArrayScore]:
    del rules
    reason = f"waits for {waiting_families()[_kind(file)][file.family]}"
    names = file.headers if file.is_npz else file.json
    return [not_run(name, reason) for name in names if name.startswith("out") or not file.is_npz]


def _recognises_information(file: VectorFile) -> bool:
    return file.family in waiting_families()["information"] and list(file.headers) == [META]


def _score_information(file: VectorFile, rules: Rules) -> Iterable[ArrayScore]:
    del rules
    return [information(META, waiting_families()["information"][file.family])]


INFORMATION = Schema(name="information", recognises=_recognises_information, score=_score_information)
WAITING = Schema(name="known family", recognises=_recognises_waiting, score=_score_waiting)

SCHEMAS: tuple[Schema, ...] = (
    *hardware_alu.SCHEMAS,
    *hardware_formats.SCHEMAS,
    *hardware_blocks.SCHEMAS,
    *hardware_clamp.SCHEMAS,
    *hardware_blend.SCHEMAS,
    *hardware_barrier.SCHEMAS,
    *hardware_depth.SCHEMAS,
    *hardware_raster.SCHEMAS,
    *hardware_primitives.SCHEMAS,
    *hardware_lines.SCHEMAS,
    *hardware_cut.SCHEMAS,
    *hardware_interp.SCHEMAS,
    *hardware_copies.SCHEMAS,
    *hardware_counters.SCHEMAS,
    *hardware_drawtexture.SCHEMAS,
    *hardware_memory.SCHEMAS,
    *hardware_mixed.SCHEMAS,
    *hardware_multisample.SCHEMAS,
    *hardware_resolve.SCHEMAS,
    *hardware_sampled_lines.SCHEMAS,
    *hardware_samples.SCHEMAS,
    *hardware_touched.SCHEMAS,
    *hardware_vertex.SCHEMAS,
    *hardware_window.SCHEMAS,
    *hardware_stages.SCHEMAS,
    *hardware_tess_numbers.SCHEMAS,
    *hardware_tess.SCHEMAS,
    *hardware_pipeline.SCHEMAS,
    *hardware_planes.SCHEMAS,
    *hardware_texture.SCHEMAS,
    *hardware_texture_lod.SCHEMAS,
    *hardware_texture_kinds.SCHEMAS,
    *hardware_texture_aniso.SCHEMAS,
    *hardware_texture_probe.SCHEMAS,
    *layout_vectors.SCHEMAS,
    WAITING,
    INFORMATION,
)


def schema_of(file: VectorFile) -> Schema:
    """Return the schema of a file: by its arrays, among several by its name, and by its name alone if by no arrays.

    A file that has a family's name and not quite its arrays is scored as that family, whose errors then say what is
    wrong with it.

    Raises
    ------
    InputFileError
        Where no schema recognises it, several do, or it is damaged.
    """
    found = [schema for schema in SCHEMAS if schema.recognises(file)]
    if not found and META in file.headers and any(name.startswith("out_") for name in file.headers):
        found = [schema for schema in SCHEMAS if schema.name == file.family]
    served = [schema for schema in found if schema not in (WAITING, INFORMATION)] or found
    by_name = [schema for schema in served if schema.name == file.family] or served
    if len({schema.score for schema in by_name}) > 1:
        names = ", ".join(schema.name for schema in by_name)
        raise InputFileError(
            f"{file.path}: its arrays are those of several families; name the file after one: {names}"
        )
    if by_name:
        return by_name[0]
    raise InputFileError(
        f"{file.path}: no schema recognises it; known are the families "
        f"{', '.join(s.name for s in SCHEMAS if s not in (WAITING, INFORMATION))} and those of known_families.toml"
    )
