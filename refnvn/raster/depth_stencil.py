"""Which fragments pass the stencil and the depth test, and what do they leave behind?

The planes of the part of the target that fragments reach are taken apart into codes, tested fragment by fragment in
the order of the draw, and put back: the bits that no test may write are never touched. Depth is compared as the codes
that are stored, after the fragment's depth has become a code itself. What stencil operations make of each of the 256
stored values is a table, made once a draw.

Conversions of depth: ``refnvn/formats/depth_stencil.py``. Read next: ``fragment.py``.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from refnvn.enumerations import DepthFunc, StencilFunc, StencilOp
from refnvn.formats.depth_stencil import depth_code
from refnvn.formats.floatbits import Float32, UInt8, UInt32
from refnvn.formats.packing import pack_codes, unpack_codes
from refnvn.raster.depth_bounds import Bounds, lies_within
from refnvn.raster.either import chosen
from refnvn.raster.interpolate import Lanes
from refnvn.raster.spans import Spans
from refnvn.raster.state import RasterState, StencilFace
from refnvn.raster.target import DepthStencilTarget, Rectangle, clipped, plane_bits, write_bits
from refnvn.raster.window import depth_ends
from refnvn.rules.evidence import Evidence
from refnvn.rules.fields import Rules
from refnvn.rules.registry import note, rule

_COLUMNS = 32
"""Columns that are taken apart together."""
_LESS, _EQUAL, _GREATER, _UNORDERED = 1, 2, 4, 8


def ordering(left: Any, right: Any) -> Any:
    """Return 1, 2, 4 or 8 where left is less, equal, greater or unordered; works on arrays and in compiled code."""
    found = 1 * (left < right) + 2 * (left == right) + 4 * (left > right)
    return found + 8 * (found == 0)


@rule(
    "RASTER-TEST-1",
    "A test passes where the fragment's value stands to the stored one as the function's name says, the fragment's "
    "value on the left; with a NaN only ALWAYS and NOTEQUAL pass.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("hardware-vectors",),
)
def passing(func: DepthFunc | StencilFunc) -> int:
    """Return which orderings pass, as the sum of their numbers in :func:`ordering`.

    >>> passing(DepthFunc.LEQUAL) == _LESS + _EQUAL
    True
    """
    found = int(func) - 1  # NEVER is 1; the names' values count less, equal, greater as bits
    return found + _UNORDERED if func in (DepthFunc.ALWAYS, DepthFunc.NOTEQUAL) else found


@rule(
    "RASTER-STENCIL-1",
    "The stencil test compares reference & mask with stored & mask.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("hardware-vectors",),
)
def stencil_passes(face: StencilFace) -> NDArray[np.bool_]:
    """Return for each of 256 stored values whether the test passes."""
    stored = np.arange(256) & face.value_mask
    found: NDArray[np.bool_] = (ordering(face.reference & face.value_mask, stored) & passing(face.func)) != 0
    return found


@rule(
    "RASTER-STENCIL-2",
    "INCR and DECR stop at 255 and 0, INCR_WRAP and DECR_WRAP go round, INVERT turns all bits, REPLACE takes the "
    "whole reference; then only the bits of the write mask change.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("hardware-vectors",),
)
def stencil_after(op: StencilOp, face: StencilFace) -> UInt8:
    """Return for each of 256 stored values what the operation leaves."""
    stored = np.arange(256)
    made = {
        StencilOp.KEEP: stored,
        StencilOp.ZERO: stored * 0,
        StencilOp.REPLACE: stored * 0 + face.reference,
        StencilOp.INCR: np.minimum(stored + 1, 255),
        StencilOp.DECR: np.maximum(stored - 1, 0),
        StencilOp.INVERT: 255 - stored,
        StencilOp.INCR_WRAP: (stored + 1) & 255,
        StencilOp.DECR_WRAP: (stored - 1) & 255,
    }[op]
    return ((stored & ~face.write_mask) | (made & face.write_mask)).astype(np.uint8)


@dataclass(frozen=True, slots=True)
class Tests:
    """The tests of a draw as tables.

    Attributes
    ----------
    stencil : bool
        Whether the stencil test is on; off, its tables pass and keep.
    passes : bool, shape (2, 256)
        For the back (0) and the front (1), by stored value.
    after : uint8, shape (2, 3, 256)
        What is stored after the stencil test failed, the depth test failed, both passed.
    depth : int
        Which orderings of depth pass (see :func:`ordering`); 15 where the test is off.
    depth_write : bool
    bounds : tuple of int or None
        Least and greatest stored depth, as codes, over which fragments pass.
    """

    stencil: bool
    passes: NDArray[np.bool_]
    after: UInt8
    depth: int
    depth_write: bool
    bounds: Bounds | None = None


_ALL_PASS = np.ones((2, 256), dtype=np.bool_)
_ALL_KEPT = np.broadcast_to(np.arange(256, dtype=np.uint8), (2, 3, 256))


def tests_of(state: RasterState, *, has_depth: bool, has_stencil: bool) -> Tests:
    """Return the tests of a state over a target that has these planes; a test without its plane passes."""
    faces = (state.back, state.front)
    stencil, depth = state.stencil_test and has_stencil, state.depth_test and has_depth
    return Tests(
        stencil=stencil,
        passes=np.stack([stencil_passes(f) for f in faces]) if stencil else _ALL_PASS,
        after=np.stack([[stencil_after(op, f) for op in (f.fail, f.depth_fail, f.depth_pass)] for f in faces])
        if stencil
        else _ALL_KEPT,
        depth=passing(state.depth_func) if depth else 15,
        depth_write=depth and state.depth_write,
    )


@rule(
    "RASTER-DEPTH-3",
    "A fragment's depth, written by the shader or not, is clamped to 0..1, or with depth clamp to the depths of the "
    "near and the far plane, and becomes a code of the target before it is compared.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("hardware-vectors", "hardware-pipeline-rules"),
    ledger=("depth-clamp", "d16-clear"),
)
def clamped_depth(depth: Float32, state: RasterState) -> Float32:
    """Return depths inside the depth range where depth clamp is on.

    The clamp to 0..1 is part of the conversion (``depth_code``), which also says what becomes of NaN, minus zero and
    denormals. A NaN clamped to a range that begins above 0 is its lower end.
    """
    if not state.depth_clamp:
        return depth
    clamped: Float32 = within_range(depth, *depth_limits(state))
    return clamped


def depth_limits(state: RasterState) -> tuple[np.float32, np.float32]:
    """Return the lesser and the greater depth of the near and the far plane."""
    ends = depth_ends(state)
    return min(ends), max(ends)


def within_range(depth: Any, low: Any, high: Any) -> Any:
    """Return depths clamped to a depth range; works on arrays and in compiled code."""
    below_top = chosen(depth > high, high, depth)
    return chosen((low <= 0) | (below_top >= low), below_top, low)


class StoredPlanes:
    """The codes of the part of a depth-stencil target that a draw can reach, taken apart where fragments reach it.

    Rows that different threads reach never meet.

    Attributes
    ----------
    depth : uint32, shape (rows, columns)
        Codes, once :meth:`reach` was told of them; zeros where the format has no depth.
    stencil : uint8, shape (rows, columns)
        Likewise.
    is_float : bool
        Whether depth codes are float32 bits.
    """

    def __init__(self, target: DepthStencilTarget, window: Rectangle) -> None:
        self.target = target
        self.left, self.top = window[0], window[1]
        self._part = target.codes[clipped(window, target.codes.shape[1], target.codes.shape[0])]
        rows, columns = self._part.shape[:2]
        self.depth: UInt32 = np.zeros((rows, columns), dtype=np.uint32)
        self.stencil: UInt8 = np.zeros((rows, columns), dtype=np.uint8)
        self._taken = np.zeros((rows, -(-columns // _COLUMNS)), dtype=np.bool_)
        component = target.fmt.component("D")
        self.is_float = component is not None and component.bits == 32
        note(("FMT-BITS-1",))

    def reach(self, spans: Spans) -> None:
        """Take apart what spans cover, and what lies between them."""
        if not len(spans.row):
            return
        first, end = int(spans.left.min()) - self.left, int(spans.right.max()) - self.left
        rows = slice(int(spans.row.min()) - self.top, int(spans.row.max()) + 1 - self.top)
        self._take_apart(rows, slice(first // _COLUMNS, -(-end // _COLUMNS)))

    def _planes(self) -> list[tuple[int, NDArray[Any]]]:
        """Return the planes that the format has, by the places of their components."""
        planes: dict[str, NDArray[Any]] = {"D": self.depth, "S": self.stencil}
        return [(k, planes[one.name]) for k, one in enumerate(self.target.fmt.components) if one.name in planes]

    def _take_apart(self, rows: slice, blocks: slice) -> None:
        """Take apart some rows of some blocks of columns; what was, and may have changed since, stays."""
        taken = self._taken[rows, blocks]
        if taken.all():
            return
        here = rows, slice(blocks.start * _COLUMNS, blocks.stop * _COLUMNS)
        part = np.ascontiguousarray(self._part[here])
        codes = unpack_codes(self.target.fmt, part)
        fresh = ~np.repeat(taken, _COLUMNS, axis=1)[:, : part.shape[1]]
        for place, plane in self._planes():
            np.copyto(plane[here], codes[..., place], where=fresh, casting="unsafe")
        taken[...] = True

    def put_back(self, tests: Tests) -> None:
        """Store the codes in the planes that the tests could write."""
        bits = plane_bits(self.target.fmt, tests.depth_write, 255 if tests.stencil else 0)
        in_rows, in_blocks = (np.flatnonzero(self._taken.any(axis=axis)) for axis in (1, 0))
        if not bits.any() or not in_rows.size:
            return
        rows, blocks = (slice(int(one[0]), int(one[-1]) + 1) for one in (in_rows, in_blocks))
        self._take_apart(rows, blocks)
        here = rows, slice(blocks.start * _COLUMNS, blocks.stop * _COLUMNS)
        part = self._part[here]
        codes = np.zeros((*part.shape[:2], len(self.target.fmt.components)), dtype=np.uint32)
        for place, plane in self._planes():
            codes[..., place] = plane[here]
        write_bits(part, pack_codes(self.target.fmt, codes), bits)


def fragment_codes(planes: StoredPlanes, depth: Float32, state: RasterState, rules: Rules) -> UInt32:
    """Return the depth codes of fragments; zeros for a format without depth."""
    if planes.target.fmt.component("D") is None:
        return np.zeros(len(depth), dtype=np.uint32)
    return depth_code(planes.target.fmt, clamped_depth(depth, state), rules)


def _comparable(codes: UInt32, is_float: bool) -> NDArray[Any]:
    return codes.view(np.float32) if is_float else codes


@rule(
    "RASTER-TEST-2",
    "Stencil is tested before depth; stencil is updated for every fragment by what the two tests said, depth only "
    "where both passed and the depth test is on.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("hardware-vectors", "hardware-pipeline-rules"),
    ledger=("ds-pair",),
)
def run_tests(
    planes: StoredPlanes,
    tests: Tests,
    lanes: Lanes,
    codes: UInt32,
    front: NDArray[np.bool_],
    alive: NDArray[np.bool_] | None,
) -> NDArray[np.bool_]:
    """Test fragments in order and update the planes.

    Parameters
    ----------
    planes : StoredPlanes
    tests : Tests
    lanes : Lanes
    codes : uint32, shape (lanes,)
        Depth codes.
    front : bool, shape (triangles,)
        Facing by primitive.
    alive : bool, shape (lanes,), or None
        Which fragments are still there; None for all.

    Returns
    -------
    bool, shape (lanes,)
        Which fragments passed.
    """
    passed = np.zeros(len(codes), dtype=np.bool_)
    for begin, end in _runs(lanes.primitive):
        here = np.arange(begin, end) if alive is None else begin + np.nonzero(alive[begin:end])[0]
        here = _within_bounds(planes, tests, lanes, here)
        face = int(front[lanes.primitive[begin]])
        at = (lanes.row[here] - planes.top, lanes.column[here] - planes.left)
        stored = planes.stencil[at]
        order = ordering(_comparable(codes[here], planes.is_float), _comparable(planes.depth[at], planes.is_float))
        stencil_passed = tests.passes[face, stored]
        depth_passed = (order & tests.depth) != 0
        outcome = np.where(stencil_passed, np.where(depth_passed, 2, 1), 0)
        passed[here] = both = outcome == 2
        planes.stencil[at] = tests.after[face, outcome, stored]
        if tests.depth_write:
            planes.depth[at] = np.where(both, codes[here], planes.depth[at])
    return passed


def _within_bounds(planes: StoredPlanes, tests: Tests, lanes: Lanes, here: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return the fragments among ``here`` that pass the depth bounds test."""
    if tests.bounds is None:
        return here
    stored = planes.depth[lanes.row[here] - planes.top, lanes.column[here] - planes.left]
    low, high = (_comparable(np.array(code, dtype=np.uint32), planes.is_float) for code in tests.bounds)
    kept: NDArray[np.intp] = here[lies_within(_comparable(stored, planes.is_float), low, high)]
    return kept


def _runs(primitive: NDArray[np.int64]) -> list[tuple[int, int]]:
    """Return begin and end of each run of one triangle, which covers no pixel twice."""
    breaks = np.nonzero(np.diff(primitive))[0] + 1
    bounds = [0, *breaks.tolist(), len(primitive)] if len(primitive) else []
    return list(itertools.pairwise(bounds))
