"""Draws whose numbers stand in memory."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from refnvn.commands import commands as c
from refnvn.commands import recording as r
from refnvn.enumerations import DrawPrimitive, IndexType
from refnvn.errors import SizeError
from refnvn.replay.errors import ReplayError
from refnvn.replay.indirect_work import MOST_DRAWS, IndirectWork
from tests.replay.scenes import BUFFER, BUFFER_B, ref, run, targets, texture
from tests.replay.shaders import PROGRAMS, WHOLE, set_up, vertices

RECORD, RECORD_B = BUFFER + 4096, BUFFER_B + 4096
INDICES, INDICES_B = BUFFER + 8192, BUFFER_B + 8192
IMAGE = texture("R8", 8, 8)
TRIANGLES = DrawPrimitive.TRIANGLES


def counted(commands: list[Any], record: list[int], indices: bytes = b"\x00\x01\x02\x03") -> dict[str, int]:
    """Return the counters of a replay that draws the whole triangle by a record."""
    event, blobs = vertices(np.concatenate([WHOLE * 0, WHOLE]))
    blobs |= {"record": np.array(record, np.int64).astype("<u4").tobytes(), "indices": indices}
    writes = [
        r.WriteMemory(pool=0, offset_B=RECORD_B, blob="record"),
        r.WriteMemory(pool=0, offset_B=INDICES_B, blob="indices"),
    ]
    everything = [targets(ref()), *set_up(8, 8, size_B=96), *commands]
    return run([IMAGE], [event, *writes, everything], blobs, programs=PROGRAMS).counters


def arrays(address: int = RECORD) -> c.DrawArraysIndirect:
    """Return a draw in order by a record."""
    return c.DrawArraysIndirect(primitive=TRIANGLES, address=address)


def elements(kind: IndexType = IndexType.BYTE, address: int = RECORD) -> c.DrawElementsIndirect:
    """Return a draw by index by a record."""
    return c.DrawElementsIndirect(primitive=TRIANGLES, index_type=kind, index_address=INDICES, address=address)


@pytest.mark.rule("DRAW-INDIRECT-1")
@pytest.mark.parametrize(
    ("record", "samples"),
    [([3, 1, 3, 0], 64), ([3, 2, 3, 5], 128), ([0, 1, 3, 0], 0), ([3, 0, 3, 0], 0), ([3, 1, 0, 0], 0)],
    ids=["one", "two-instances", "no-vertices", "no-instances", "first-three-vertices"],
)
def test_an_arrays_record_is_four_words(record: list[int], samples: int) -> None:
    """Vertices 3 to 5 make the whole triangle, 0 to 2 none."""
    assert counted([arrays()], record).get("samples_passed", 0) == samples


@pytest.mark.rule("DRAW-INDIRECT-1")
@pytest.mark.parametrize(
    ("kind", "indices", "record"),
    [
        pytest.param(IndexType.BYTE, bytes([9, 3, 4, 5]), [3, 1, 1, 0, 0], id="first-index"),
        pytest.param(IndexType.BYTE, bytes([0, 1, 2]), [3, 1, 0, 3, 0], id="base-vertex"),
        pytest.param(IndexType.SHORT, bytes([9, 9, 7, 0, 8, 0, 9, 0]), [3, 1, 1, -4, 7], id="negative-base-vertex"),
    ],
)
def test_an_elements_record_is_five_words(kind: IndexType, indices: bytes, record: list[int]) -> None:
    """Indices, instances, first index, base vertex with a sign, base instance."""
    assert counted([elements(kind)], record, indices)["samples_passed"] == 64


@pytest.mark.rule("DRAW-INDIRECT-1")
def test_a_record_is_read_when_the_draw_executes() -> None:
    """A fill of the vertex count before the draw decides; one after it does not."""

    def fill(value: int) -> c.ClearBuffer:
        return c.ClearBuffer(address=RECORD, size_B=4, value=value)

    assert counted([fill(3), arrays(), fill(0)], [0, 1, 3, 0])["samples_passed"] == 64
    assert "samples_passed" not in counted([fill(0), arrays(), fill(3)], [3, 1, 3, 0])


def multi(most: int, *, stride_B: int = 16, by_index: bool = False) -> Any:
    """Return a multi-draw whose count stands before its records."""
    fields = {
        "primitive": TRIANGLES,
        "address": RECORD + 4,
        "count_address": RECORD,
        "most": most,
        "stride_B": stride_B,
    }
    if by_index:
        return c.MultiDrawElementsIndirectCount(index_type=IndexType.BYTE, index_address=INDICES, **fields)
    return c.MultiDrawArraysIndirectCount(**fields)


@pytest.mark.rule("DRAW-INDIRECT-2")
@pytest.mark.parametrize(("count", "most", "draws"), [(2, 3, 2), (9, 3, 3), (0, 3, 0), (2, 0, 0)])
def test_a_multi_draw_does_the_lesser_of_count_and_limit(count: int, most: int, draws: int) -> None:
    """Each record draws 64 samples."""
    found = counted([multi(most)], [count, *[3, 1, 3, 0] * 4])
    assert found.get("samples_passed", 0) == 64 * draws


@pytest.mark.rule("DRAW-INDIRECT-2")
def test_records_lie_at_the_stride() -> None:
    """24 bytes from elements record to elements record, the last word of each ignored."""
    record = [2, 3, 1, 0, 3, 0, 77, 3, 1, 0, 3, 0, 88]
    assert counted([multi(2, stride_B=24, by_index=True)], record)["samples_passed"] == 128


def test_a_record_beyond_all_vertices_is_refused() -> None:
    """A count that no draw may have is one error with its place."""
    with pytest.raises(ReplayError, match=r"\[6\] DrawArraysIndirect.address: 4294967295 vertices"):
        counted([arrays()], [-1, 1, 0, 0])


@pytest.mark.parametrize(
    ("record", "count"),
    [([3, (1 << 32) - 1, 0, 0], "4294967295 instances"), ([1 << 21, 1 << 6, 0, 0], "134217728 vertices")],
    ids=["instances", "vertices"],
)
def test_a_hostile_record_ends_with_one_error(record: list[int], count: str) -> None:
    """What memory asks for is bounded, all records of a replay together."""
    with pytest.raises(ReplayError, match=f"address: {count} are asked for by records in memory so far, allowed are"):
        counted([arrays()], record)


def test_records_are_counted_together() -> None:
    """Two draws of 2^19 + 1 instances are one too many; a record of no vertices may have any number of them."""
    counted([arrays()] * 2, [0, 1 << 31, 0, 0])
    with pytest.raises(ReplayError, match=r"\[\d+\] \w+.address: 1048578 instances"):
        counted([arrays()] * 2, [1, (1 << 19) + 1, 0, 0])


def test_records_of_nothing_are_counted_too() -> None:
    """A multi-draw may go over millions of them."""
    work = IndirectWork(draws=MOST_DRAWS - 1)
    work.add(0, 0)
    with pytest.raises(SizeError, match="1048577 draws are asked for by records in memory so far, allowed are 10"):
        work.add(0, 0)
