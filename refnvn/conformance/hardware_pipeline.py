"""How is the measured family ``pipeline`` scored: small pipelines in which everything is combined at random?

A case is one pipeline; it is equal where every texel of every target and every counter is. Cases are grouped by what
their results depend on beside rules that are closed: ``closed`` for nothing, ``filtered`` for a linear filter,
``interpolated`` for planes. ``pipeline.json.gz`` tells the cases and
``pipeline.npz`` beside it, of the same name, holds their results, so the two are scored as one.

Read next: ``pipeline_draw.py``, ``pipeline_contents.py``.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from refnvn.conformance.fields import Fields
from refnvn.conformance.pipeline_contents import LARGEST_PX, SAMPLES, color_target, depth_target, measured_bytes
from refnvn.conformance.pipeline_draw import Targets, run_command
from refnvn.conformance.schema import Schema
from refnvn.conformance.score import ArrayScore, information
from refnvn.conformance.vector_file import VectorFile
from refnvn.errors import InputFileError
from refnvn.formats.packing import unpack_codes
from refnvn.raster.state import TARGETS_MAX
from refnvn.rules.fields import Rules
from refnvn.rules.registry import collect

RESULTS = "out"
_COMMANDS_MOST, _CASES_MOST = 64, 1 << 14
_PRECISION = ("filter", "varying", "w", "z_clip", "z_slope")
_OUTPUTS = ("depth", "stencil", *(f"color{k}" for k in range(TARGETS_MAX)))

Texels = NDArray[np.bool_]


def left_out(case: Fields) -> bool:
    """Say whether a case draws what NVN does not have: plain points on several samples, which are round."""
    draws = [one for one in case.objects("commands") if one.get("op") == "draw"]
    return bool(case.integer("samples")) and any(map(_draws_plain_points, draws))


def _draws_plain_points(draw: Fields) -> bool:
    points = draw.get("primitive") == "POINTS" or ("polygon_mode" in draw and draw.get("polygon_mode") == "POINT")
    return points and draw.flag("multisample", True) and not draw.flag("point_sprite", False)


def group_of(case: Fields) -> str:
    """Return the group that a case is scored with: what its results depend on beside closed rules."""
    told = case.items("precision")
    if any(one not in _PRECISION for one in told):
        raise InputFileError(f"{case.name}: precision is {told}; allowed are {', '.join(_PRECISION)}")
    return "closed" if not told else "filtered" if told == ["filter"] else "interpolated"


def targets_of(case: Fields, rules: Rules) -> Targets:
    """Return the targets of a case with their first contents."""
    samples = case.integer("samples") or 1
    rows, columns = (case.integer(side, high=LARGEST_PX) for side in ("height", "width"))
    if samples not in SAMPLES:
        raise InputFileError(f"{case.name}: samples is {samples}; allowed are {SAMPLES}")
    shape = (samples, rows, columns)
    colors = tuple(color_target(one, shape) for one in case.objects("targets")[:TARGETS_MAX])
    told = case.get("depth")
    depth = None if told is None else depth_target(Fields(told, f"{case.name}: depth"), shape, rules)
    return Targets(colors, depth, shape)


def run_case(case: Fields, rules: Rules) -> tuple[Targets, list[int | None]]:
    """Execute the commands of a case and return its targets and what each command counted."""
    targets = targets_of(case, rules)
    commands = case.objects("commands")
    if len(commands) > _COMMANDS_MOST:
        raise InputFileError(f"{case.name}: has {len(commands)} commands; allowed are up to {_COMMANDS_MOST}")
    passed: list[int | None] = []
    for command in commands:
        if _goes_ahead(command, passed):
            passed.append(run_command(case, command, targets, rules))
        else:
            passed.append(0 if command.get("op") == "draw" else None)
    return targets, passed


def _goes_ahead(command: Fields, passed: list[int | None]) -> bool:
    """Say whether the condition of a command lets it execute."""
    if "conditional" not in command:
        return True
    told = command.inner("conditional")
    wanted = told.word("draw_if", ("samples_passed", "none_passed")) == "samples_passed"
    return bool(passed[told.integer("query", high=len(passed) - 1)]) == wanted


def _differs(case: Fields, targets: Targets, output: Fields, blob: NDArray[np.uint8]) -> Texels:
    """Return which texels of one output are not as measured, shape (samples, rows, columns)."""
    name = output.word("name", _OUTPUTS)
    measured = measured_bytes(case, blob, output)
    if name.startswith("color"):
        target = targets.colors[int(name[5:])]
        found = np.stack((target.codes, *target.others))
        if measured.shape != found.shape:
            raise InputFileError(f"{output.name}: {name} has texels of {measured.shape[-1]} bytes")
        wrong: Texels = np.any(measured != found, axis=-1)
        return wrong
    if targets.depth is None:
        raise InputFileError(f"{output.name}: {name} was measured without a depth target")
    fmt = targets.depth.fmt
    place = [one.name for one in fmt.components].index(name[0].upper())
    codes = unpack_codes(fmt, np.stack((targets.depth.codes, *targets.depth.others)))[..., place]
    told = np.zeros((*measured.shape[:-1], 4), np.uint8)
    told[..., : measured.shape[-1]] = measured
    other: Texels = codes != told.view("<u4")[..., 0]
    return other


def differences(case: Fields, blob: NDArray[np.uint8], rules: Rules) -> int:
    """Return how many texels and counters of a case are not as measured."""
    targets, passed = run_case(case, rules)
    wrong = sum(int(np.count_nonzero(_differs(case, targets, one, blob))) for one in case.objects("outputs"))
    counted = case.row("samples_passed", len(passed))
    return wrong + sum(1 for one, other in zip(passed, counted, strict=True) if one != other)


def _score(file: VectorFile, rules: Rules) -> Iterator[ArrayScore]:
    cases = Fields(file.json, file.path.name).objects("cases")
    if len(cases) > _CASES_MOST:
        raise InputFileError(f"{file.path}: has {len(cases)} cases; allowed are up to {_CASES_MOST}")
    blob = VectorFile(file.path.with_name(f"{file.family}.npz")).array(RESULTS)
    groups: dict[str, list[Fields]] = {}
    for case in cases:
        groups.setdefault("round points" if left_out(case) else group_of(case), []).append(case)
    apart = groups.pop("round points", [])
    for name, members in sorted(groups.items()):
        with collect() as used:
            wrong = [differences(case, blob, rules) for case in members]
        equal = wrong.count(0)
        yield ArrayScore(
            array=name, cases=len(wrong), equal=equal, wrong=len(wrong) - equal,
            largest_error=float(max(wrong)), unit="texels", rules=tuple(sorted(used)),
        )  # fmt: skip
    if apart:
        yield information("round points", f"{len(apart)} pipelines draw plain points on samples, which NVN has not")


def _score_results(file: VectorFile, rules: Rules) -> Iterator[ArrayScore]:
    del file, rules
    yield information(RESULTS, "the results of the cases in the JSON of the same name, scored with it")


SCHEMAS: tuple[Schema, ...] = (
    Schema(
        name="pipeline",
        recognises=lambda file: not file.is_npz and file.json_has("schema", "shaders", "cases"),
        score=_score,
    ),
    Schema(
        name="pipeline results",
        recognises=lambda file: list(file.headers) == [RESULTS],
        score=_score_results,
    ),
)
