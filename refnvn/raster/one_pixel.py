"""What happens to the fragments of one pixel, one after another, and with which operands?

The same steps as ``fragment.py`` and ``multisample.py`` take for many, in the same functions, on copies of the
targets: nothing here decides anything. What is noted on the way is for people. Shaders that store to memory are not
for it: they would store twice.

Read next: ``fragment.py``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from refnvn.enumerations import BlendEquation, BlendFunc, LogicOp
from refnvn.errors import ArgumentError
from refnvn.formats.floatbits import from_bits
from refnvn.formats.packing import unpack_codes
from refnvn.raster import depth_stencil
from refnvn.raster.assembled import Assembled
from refnvn.raster.batch import Batch, depths_of, values_of
from refnvn.raster.depth_bounds import lies_within
from refnvn.raster.draw import covered, reachable, set_up, stage_of
from refnvn.raster.fragment import left_by_shader, passing_early, shade
from refnvn.raster.interpolate import Inputs
from refnvn.raster.merge import SECOND_SOURCE, Merge, has_second_source, merge_of
from refnvn.raster.multisample import sampled_stage, shade_samples
from refnvn.raster.run_shader import run_shader
from refnvn.raster.setup import Primitives
from refnvn.raster.shapes import Vertices
from refnvn.raster.spans import Spans
from refnvn.raster.stage import Stage, Uniforms
from refnvn.raster.state import RasterState
from refnvn.raster.target import ColorTarget, DepthStencilTarget, samples_of
from refnvn.raster.window import intersection
from refnvn.rules.fields import Rules
from refnvn.shader.execute import LaneOutputs
from refnvn.shader.ir import Shader, first_rows
from refnvn.shader.ir_base import ComponentType
from refnvn.shader.lane_memory import NO_MEMORY, LaneMemory
from refnvn.shader.textures import NO_TEXTURES, Textures

_ALWAYS = 15
Values = tuple[float | int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Test:
    """One test: its name, its operands in words, and whether the fragment passed."""

    name: str
    words: str
    passed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class FragmentSeen:
    """One fragment of the pixel.

    Attributes
    ----------
    column, row, sample : int
        Where: in memory, and which sample is looked at.
    primitive : int
        Its number in the draw.
    front : bool
    inputs, outputs : dict of str to tuple of numbers
        Of the shader by name or location.
    tests : tuple of Test
        In the order in which they were asked, up to the first that failed.
    passed : int
        How many samples passed.
    reads : tuple of (str, str)
        Targets whose stored codes were read, and by what: (``depth``, ``depth test``).
    merges : dict of str to str
        By colour target how the output meets what is stored: factors, equations, logic operation, channels.
    before, after : dict of str to tuple of int
        Codes by target (``color 0``, ``depth``, ``stencil``; with several samples of the one that is looked at).
    """

    column: int
    row: int
    sample: int
    primitive: int
    front: bool
    inputs: dict[str, Values]
    outputs: dict[str, Values]
    tests: tuple[Test, ...]
    passed: int
    reads: tuple[tuple[str, str], ...]
    merges: dict[str, str]
    before: dict[str, Values]
    after: dict[str, Values]


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawing:
    """Everything that a draw gets, as :func:`refnvn.raster.draw.draw_primitives` does."""

    state: RasterState
    colors: Sequence[ColorTarget | None]
    depth: DepthStencilTarget | None
    vertices: Vertices
    primitives: Assembled
    fragment: Shader | None
    uniforms: Uniforms
    rules: Rules
    textures: Textures = field(default=NO_TEXTURES)
    memory: LaneMemory = field(default=NO_MEMORY)


def fragments_at(drawing: Drawing, column: int, row: int, sample: int = 0) -> Iterator[FragmentSeen]:
    """Yield the fragments of a draw at one pixel, in order; the targets stay as they are.

    Parameters
    ----------
    drawing : Drawing
    column, row : int
        In memory.
    sample : int
        Which sample's codes are told, where there are several.

    Raises
    ------
    ArgumentError
        For a shader that stores to memory.
    """
    if drawing.fragment is not None and drawing.fragment.changes_memory:
        raise ArgumentError("the shader stores to memory: its fragments cannot be run a second time")
    drawing = replace(
        drawing,
        colors=[None if one is None else _copy(one) for one in drawing.colors],
        depth=None if drawing.depth is None else _copy(drawing.depth),
    )
    window = intersection(reachable(drawing.state, drawing.colors, drawing.depth), (column, row, 1, 1))
    if window[2] == 0 or window[3] == 0:
        return
    stage = stage_of(
        drawing.state, drawing.colors, drawing.depth, drawing.fragment, drawing.uniforms, drawing.rules, window,
        drawing.textures, drawing.memory,
    )  # fmt: skip
    samples = samples_of((*drawing.colors, drawing.depth))
    if samples > 1:
        stage = sampled_stage(stage, drawing.colors, drawing.depth, samples, window)
    with np.errstate(all="ignore"):
        for chunk, inputs in set_up(stage, drawing.vertices, drawing.primitives, window):
            for spans in covered(stage, chunk, window):
                for number in range(len(spans.row)):
                    yield _fragment(stage, chunk, inputs, spans.part(number, number + 1), sample)


def _copy(target: Any) -> Any:
    others = tuple(one.copy() for one in getattr(target, "others", ()))
    more = {"others": others} if others else {}
    return replace(target, codes=target.codes.copy(), **more)


def _fragment(stage: Stage, primitives: Primitives, inputs: Inputs, spans: Spans, sample: int) -> FragmentSeen:
    batch = Batch(spans, False)
    number, place = int(spans.primitive[0]), (int(spans.left[0]), int(spans.row[0]))
    alone = stage.samples[sample] if stage.samples else stage
    shader = None if stage.fragment is None else stage.fragment.shader
    before = _codes(alone, place)
    told, values = ([], None) if stage.samples else _tests(stage, primitives, inputs, batch)
    given = {} if shader is None else _named(shader.inputs, values_of(inputs, batch))
    take = shade_samples if stage.samples else shade
    passed = take(stage, primitives, inputs, batch)
    return FragmentSeen(
        column=place[0],
        row=place[1],
        sample=sample,
        primitive=int(primitives.ids[number]),
        front=bool(primitives.front[number]),
        inputs=given,
        outputs={} if shader is None or values is None else _named(shader.outputs, values),
        tests=tuple(told),
        passed=passed,
        reads=_reads(stage, told, passed),
        merges=_merges(stage),
        before=before,
        after=_codes(alone, place),
    )


def _tests(
    stage: Stage, primitives: Primitives, inputs: Inputs, batch: Batch
) -> tuple[list[Test], NDArray[np.uint32] | None]:
    """Return the tests of one fragment with their operands, and what its shader gave; nothing is stored."""
    planes = stage.planes
    kept = None if planes is None else (planes.depth.copy(), planes.stencil.copy())
    told: list[Test] = []
    alive: NDArray[np.bool_] | None = None
    if stage.tests_early:
        told += _planes_told(stage, primitives, inputs, batch, None)
        alive = passing_early(stage, primitives, inputs, batch)
    outputs = None if alive is not None and not alive.any() else run_shader(stage, primitives, inputs, batch)
    if outputs is not None:
        left = left_by_shader(stage, outputs, None)
        told += _shader_told(stage, outputs, left)
        if not stage.tests_early and (left is None or left.any()):
            told += _planes_told(stage, primitives, inputs, batch, outputs.depth)
    if planes is not None and kept is not None:
        planes.depth[...], planes.stencil[...] = kept
    return told, None if outputs is None else outputs.values


def _shader_told(stage: Stage, outputs: LaneOutputs, left: NDArray[np.bool_] | None) -> Iterator[Test]:
    if outputs.discarded is not None:
        yield Test(name="discard", words="the shader ends the fragment or not", passed=not outputs.discarded[0])
    if stage.tests_alpha and (outputs.discarded is None or not outputs.discarded[0]):
        func, reference = stage.state.alpha_test.name, stage.state.alpha_reference
        words = f"alpha of colour 0 {func} {reference:g}"
        yield Test(name="alpha test", words=words, passed=left is None or bool(left[0]))


def _planes_told(
    stage: Stage, primitives: Primitives, inputs: Inputs, batch: Batch, written: NDArray[np.uint32] | None
) -> Iterator[Test]:
    """Yield the stencil, depth and bounds tests of one fragment."""
    planes, tests, state = stage.planes, stage.tests, stage.state
    if planes is None:
        return
    planes.reach(batch.spans)
    at = int(batch.lanes.row[0]) - planes.top, int(batch.lanes.column[0]) - planes.left
    stored, stencil = planes.depth[at], int(planes.stencil[at])
    face = int(primitives.front[batch.lanes.primitive[0]])
    if tests.bounds is not None:
        low, high = tests.bounds
        words = f"stored depth code {int(stored)} within {low} to {high}"
        yield Test(name="depth bounds", words=words, passed=bool(lies_within(int(stored), low, high)))
    if tests.stencil:
        side = state.front if face else state.back
        words = (
            f"{side.reference} & {side.value_mask} {side.func.name} stored {stencil} & {side.value_mask}"
            f" ({'front' if face else 'back'})"
        )
        yield Test(name="stencil test", words=words, passed=bool(tests.passes[face, stencil]))
    if tests.depth != _ALWAYS:
        depth = depths_of(inputs, batch) if written is None else from_bits(written)
        code = depth_stencil.fragment_codes(planes, depth, state, stage.rules)
        left, right = (one.view(np.float32) if planes.is_float else one for one in (code, np.array([stored])))
        passed = bool((depth_stencil.ordering(left, right) & tests.depth)[0])
        words = f"depth {float(depth[0])!r}, code {int(code[0])}, {state.depth_func.name} stored code {int(stored)}"
        yield Test(name="depth test", words=words, passed=passed)


def _merges(stage: Stage) -> dict[str, str]:
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
        found[f"color {slot}"] = f"{_merge_words(merge_of(stage.state, slot, target))}; writes {channels}"
    return found


_READ_BY_TESTS = {"depth bounds": "depth", "depth test": "depth", "stencil test": "stencil"}
_READ_NOTHING = (LogicOp.CLEAR, LogicOp.COPY, LogicOp.COPY_INVERTED, LogicOp.SET)
_OF_DESTINATION = (
    BlendFunc.DST_ALPHA, BlendFunc.ONE_MINUS_DST_ALPHA, BlendFunc.DST_COLOR, BlendFunc.ONE_MINUS_DST_COLOR,
    BlendFunc.SRC_ALPHA_SATURATE,
)  # fmt: skip


def _reads(stage: Stage, told: Sequence[Test], passed: int) -> tuple[tuple[str, str], ...]:
    """Return the targets whose stored codes a fragment reads, and by what."""
    found = [(_READ_BY_TESTS[test.name], test.name) for test in told if test.name in _READ_BY_TESTS]
    written = stage.fragment.outputs if passed and stage.fragment is not None else {}
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


def _codes(stage: Stage, place: tuple[int, int]) -> dict[str, Values]:
    """Return the codes of every bound target at a pixel."""
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


def _named(interface: Sequence[Any], values: NDArray[np.uint32]) -> dict[str, Values]:
    """Return the values of an interface by name, or by location where it has none."""
    rows = first_rows(tuple(interface))
    found: dict[str, Values] = {}
    for one in interface:
        words = values[rows[one.location] : rows[one.location] + one.components, 0]
        name = one.name or f"location {one.location}"
        found[name] = tuple(_number(one.type, word) for word in words)
    return found


def _number(kind: ComponentType, word: np.uint32) -> float | int:
    if kind is ComponentType.FLOAT:
        return float(np.array(word, np.uint32).view(np.float32))
    return int(np.array(word, np.uint32).view(np.int32)) if kind is ComponentType.INT else int(word)
