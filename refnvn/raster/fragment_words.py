"""How are the tests of a fragment, and how it meets what is stored, told with their operands?

Nothing here decides anything: the functions that do are asked again for one fragment.

Read next: ``pixel_watch.py``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from refnvn.enumerations import BlendEquation, BlendFunc, CoverageModulationMode, LogicOp
from refnvn.formats.packing import unpack_codes
from refnvn.raster import depth_stencil
from refnvn.raster.depth_bounds import lies_within
from refnvn.raster.fragment_seen import Test, Values
from refnvn.raster.merge import SECOND_SOURCE, Merge, has_second_source, merge_of
from refnvn.raster.stage import Stage
from refnvn.shader.ir import first_rows
from refnvn.shader.ir_base import ComponentType

_ALWAYS = 15
_READ_BY_TESTS = {"depth bounds": "depth", "depth test": "depth", "stencil test": "stencil"}
_READ_NOTHING = (LogicOp.CLEAR, LogicOp.COPY, LogicOp.COPY_INVERTED, LogicOp.SET)
_OF_DESTINATION = (
    BlendFunc.DST_ALPHA, BlendFunc.ONE_MINUS_DST_ALPHA, BlendFunc.DST_COLOR, BlendFunc.ONE_MINUS_DST_COLOR,
    BlendFunc.SRC_ALPHA_SATURATE,
)  # fmt: skip


def tests_told(stage: Stage, place: tuple[int, int], depth: np.float32, code: np.uint32, front: bool) -> list[Test]:
    """Return bounds, stencil and depth tests of a fragment, up to the first that fails.

    Parameters
    ----------
    stage : Stage
        Of one sample.
    place : tuple of int
        Column and row in memory.
    depth, code
        Of the fragment.
    front : bool
        Which side is seen.
    """
    told: list[Test] = []
    for test in _asked(stage, place, depth, code, front):
        told.append(test)
        if not test.passed:
            break
    return told


def _asked(stage: Stage, place: tuple[int, int], depth: np.float32, code: np.uint32, front: bool) -> Iterator[Test]:
    planes, tests, state = stage.planes, stage.tests, stage.state
    if planes is None:
        return
    at = place[1] - planes.top, place[0] - planes.left
    stored, stencil = planes.depth[at], int(planes.stencil[at])
    if tests.bounds is not None:
        low, high = tests.bounds
        words = f"stored depth code {int(stored)} within {low} to {high}"
        yield Test(name="depth bounds", words=words, passed=bool(lies_within(int(stored), low, high)))
    if tests.stencil:
        side = state.front if front else state.back
        words = (
            f"{side.reference} & {side.value_mask} {side.func.name} stored {stencil} & {side.value_mask}"
            f" ({'front' if front else 'back'})"
        )
        yield Test(name="stencil test", words=words, passed=bool(tests.passes[int(front), stencil]))
    if tests.depth != _ALWAYS:
        codes = np.array([code, stored], np.uint32)
        left, right = codes.view(np.float32) if planes.is_float else codes
        passed = bool(depth_stencil.ordering(np.atleast_1d(left), np.atleast_1d(right))[0] & tests.depth)
        words = f"depth {float(depth)!r}, code {int(code)}, {state.depth_func.name} stored code {int(stored)}"
        yield Test(name="depth test", words=words, passed=passed)


def alpha_told(stage: Stage, passed: bool) -> Test:
    """Return the alpha test of a fragment."""
    words = f"alpha of colour 0 {stage.state.alpha_test.name} {stage.state.alpha_reference:g}"
    return Test(name="alpha test", words=words, passed=passed)


def discard_told(passed: bool) -> Test:
    """Return what a shader that may end fragments did with one."""
    return Test(name="discard", words="the shader ends the fragment or not", passed=passed)


def reads_told(stage: Stage, tests: Sequence[Test], *, stores: bool) -> tuple[tuple[str, str], ...]:
    """Return the targets whose stored codes a fragment reads, and by what."""
    found = [(_READ_BY_TESTS[test.name], test.name) for test in tests if test.name in _READ_BY_TESTS]
    written = stage.fragment.outputs if stores and stage.fragment is not None else {}
    for slot, target in enumerate(stage.colors):
        if target is None or slot not in written or not stage.state.channel_masks[slot]:
            continue
        if slot == SECOND_SOURCE and has_second_source(stage.state):
            continue
        merge = merge_of(stage.state, slot, target)
        if merge is not None and _meets_stored(merge):
            found.append((f"color {slot}", "logic operation" if merge.blend is None else "blending"))
    return tuple(found)


def _meets_stored(merge: Merge) -> bool:
    """Say whether what is stored plays a part in a merge."""
    how = merge.blend
    if how is None:
        return merge.logic_op not in _READ_NOTHING
    if how.is_advanced or {how.color_equation, how.alpha_equation} & {BlendEquation.MIN, BlendEquation.MAX}:
        return True
    factors = (how.source_color, how.source_alpha)
    kept = (how.destination_color, how.destination_alpha)
    return any(one in _OF_DESTINATION for one in factors) or any(one is not BlendFunc.ZERO for one in kept)


def merges_told(stage: Stage) -> dict[str, str]:
    """Return how outputs meet what is stored, in words."""
    found: dict[str, str] = {}
    for slot, target in enumerate(stage.colors):
        if target is None:
            continue
        if slot == SECOND_SOURCE and has_second_source(stage.state):
            found[f"color {slot}"] = "stores nothing: output 1 is the second source of target 0"
            continue
        if stage.fragment is None or slot not in stage.fragment.outputs:
            found[f"color {slot}"] = "stores nothing: the shader does not write it"
            continue
        mask = stage.state.channel_masks[slot]
        channels = "".join(name for bit, name in enumerate("RGBA") if mask >> bit & 1) or "nothing"
        merge = f"{_merge_words(merge_of(stage.state, slot, target))}; writes {channels}"
        found[f"color {slot}"] = merge + _modulation_words(stage)
    return found


def _modulation_words(stage: Stage) -> str:
    """Return by what outputs are multiplied where colour samples are fewer than raster samples."""
    mode = stage.state.multisample.coverage_modulation
    if not stage.color_samples or mode is CoverageModulationMode.NONE:
        return ""
    return f"; {mode.name} times the share of its raster samples"


def _merge_words(merge: Merge | None) -> str:
    if merge is None:
        return "stores"
    if merge.blend is None:
        return f"logic operation {merge.logic_op.name}"
    how = merge.blend
    if how.is_advanced:
        multiplied = "premultiplied" if how.advanced_premultiplied else "not premultiplied"
        return f"blends {how.advanced_mode.name}, {how.advanced_overlap.name}, {multiplied}"
    color = f"{how.color_equation.name}({how.source_color.name}, {how.destination_color.name})"
    alpha = f"{how.alpha_equation.name}({how.source_alpha.name}, {how.destination_alpha.name})"
    constant = ", ".join(f"{value:.9g}" for value in merge.constant.tolist())
    return f"blends {color}, alpha {alpha}, constant {constant}"


def codes_told(stage: Stage, place: tuple[int, int]) -> dict[str, Values]:
    """Return the codes of every bound target at column and row; depth and stencil where they are tested."""
    column, row = place
    found: dict[str, Values] = {}
    for slot, target in enumerate(stage.colors):
        if target is not None:
            codes = unpack_codes(target.fmt, np.ascontiguousarray(target.codes[row : row + 1, column : column + 1]))
            found[f"color {slot}"] = tuple(int(code) for code in codes.reshape(-1))
    if stage.planes is not None:
        at = row - stage.planes.top, column - stage.planes.left
        names = [one.name for one in stage.planes.target.fmt.components]
        found |= {"depth": (int(stage.planes.depth[at]),)} if "D" in names else {}
        found |= {"stencil": (int(stage.planes.stencil[at]),)} if "S" in names else {}
    return found


def values_told(interface: Sequence[Any], words: NDArray[np.uint32]) -> dict[str, Values]:
    """Return the values of an interface by name, or by location where it has none; ``words`` has a row for each."""
    rows = first_rows(tuple(interface))
    found: dict[str, Values] = {}
    for one in interface:
        name = one.name or f"location {one.location}"
        first = rows[one.location]
        found[name] = tuple(_number(one.type, word) for word in words[first : first + one.components])
    return found


def _number(kind: ComponentType, word: np.uint32) -> float | int:
    if kind is ComponentType.FLOAT:
        return float(np.array(word, np.uint32).view(np.float32))
    return int(np.array(word, np.uint32).view(np.int32)) if kind is ComponentType.INT else int(word)
