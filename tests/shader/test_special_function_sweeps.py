"""Special functions against the chip's results for every operand of whole ranges.

``tests/data/special_functions/README.md`` says what was measured and how the files are coded. A normal run takes a
fixed stride, both ends of every interval of the unit and the operands that a shader was measured with too;
``REFNVN_WHOLE_SWEEPS=1`` takes every value.
"""

from __future__ import annotations

import lzma
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.shader.words import apply_all

DATA = Path(__file__).parents[1] / "data"
FOLDER = DATA / "special_functions"
WHOLE = os.environ.get("REFNVN_WHOLE_SWEEPS", "0") == "1"
CHUNK = 1 << 18
STRIDE = 4099
"""A prime, so that all low bits of the operands occur."""
TURN = np.array([0x3E22F983], dtype=np.uint32).view(np.float32)[0]
"""1 / (2 pi) as the chip has it: an interval of the sine is the 256th part of a turn."""


@dataclass(frozen=True, slots=True)
class Sweep:
    """One file: a function, the bits of its first operand, how many operands follow one another."""

    function: str
    first: int
    count: int

    @property
    def path(self) -> Path:
        """Return where its results lie."""
        return FOLDER / f"{self.function}_{self.first:08x}.xz"


SWEEPS = {
    Sweep("rcp", 0x3F800000, 1 << 23): "SHADER-RCP-1",
    Sweep("inverse_sqrt", 0x3F800000, 1 << 24): "SHADER-RSQ-1",
    Sweep("sqrt", 0x3F800000, 1 << 24): "SHADER-SQRT-1",
    Sweep("exp2", 0x3F000000, 1 << 24): "SHADER-EXP2-1",
    Sweep("exp2", 0x40000000, 1 << 22): "SHADER-EXP2-1",
    Sweep("exp2", 0xBF000000, 1 << 23): "SHADER-EXP2-1",
    Sweep("log2", 0x3F000000, 1 << 24): "SHADER-LOG2-1",
    Sweep("sin", 0x3E800000, 6 << 23): "SHADER-SIN-1",
    Sweep("sin", 0xBF800000, 1 << 22): "SHADER-SIN-1",
    Sweep("cos", 0x3E800000, 6 << 23): "SHADER-SIN-1",
}
"""The files, and which rule each pins."""


def decoded(one: Sweep) -> Iterator[tuple[int, NDArray[np.uint32]]]:
    """Yield the place of the first operand of each chunk, and the chunk's results."""
    with lzma.open(one.path) as file:
        count, result, large = (int(word) for word in np.frombuffer(file.read(12), dtype="<u4"))
        assert count == one.count
        assert large < count
        places = np.frombuffer(file.read(4 * large), dtype="<u4")
        values = np.frombuffer(file.read(4 * large), dtype="<i4").view(np.uint32)
        slope = 0
        for start in range(0, count, CHUNK):
            second = np.frombuffer(file.read(min(CHUNK, count - start)), dtype=np.int8).astype(np.uint32)
            inside = slice(*np.searchsorted(places, (start, start + second.size)))
            second[places[inside] - np.uint32(start)] = values[inside]
            second[:1] += np.uint32(slope)
            slopes = np.cumsum(second, dtype=np.uint32)
            slope = int(slopes[-1])
            slopes[:1] += np.uint32(result)
            results = np.cumsum(slopes, dtype=np.uint32)
            result = int(results[-1])
            yield start, results
        assert file.read(1) == b""


def ends_of_intervals(one: Sweep) -> NDArray[np.int64]:
    """Return the operands, as places in the sweep, around each end of an interval that the unit interpolates in."""
    if one.function not in ("sin", "cos"):
        starts = np.arange(0, one.count + 1, 1 << 16)
    else:
        turns = np.arange(1, 1 << 10) / 256 / np.float64(TURN)
        starts = turns.astype(np.float32).view(np.uint32).astype(np.int64) - (one.first & 0x7FFFFFFF)
    return np.concatenate([starts - 1, starts, starts + 1, np.array([0, one.count - 1])])


def measured_again(one: Sweep) -> tuple[NDArray[np.int64], NDArray[np.uint32]]:
    """Return the operands of a sweep, as places in it, that a shader was run with too, and what that gave."""
    name = {"inverse_sqrt": "rsq"}.get(one.function, one.function)
    with np.load(DATA / "hardware" / "sfu.npz") as file:
        places, results = file["in_x"].astype(np.int64) - one.first, file[f"out_{name}"]
    inside = (places >= 0) & (places < one.count)
    return places[inside], results[inside]


def sample(one: Sweep) -> NDArray[np.int64]:
    """Return the places in a sweep that a normal run looks at."""
    chosen = np.unique(
        np.concatenate([np.arange(0, one.count, STRIDE), ends_of_intervals(one), measured_again(one)[0]])
    )
    return chosen[(chosen >= 0) & (chosen < one.count)]


def results_at(one: Sweep, places: NDArray[np.int64]) -> NDArray[np.uint32]:
    """Return the results at ascending places of a sweep."""
    parts = []
    for start, results in decoded(one):
        low, high = np.searchsorted(places, (start, start + results.size))
        parts.append(results[places[low:high] - start])
    return np.concatenate(parts)


def count_of_wrong(one: Sweep, places: NDArray[np.int64], expected: NDArray[np.uint32]) -> int:
    """Return how many results at places differ from what was measured."""
    return int(
        np.count_nonzero(apply_all(f"float.{one.function}", (one.first + places).astype(np.uint32)) != expected)
    )


@pytest.mark.rule("SHADER-UNIT-1")
@pytest.mark.parametrize(
    "one", [pytest.param(one, id=one.path.stem, marks=pytest.mark.rule(rule)) for one, rule in SWEEPS.items()]
)
def test_results_are_the_measured_ones(one: Sweep) -> None:
    """Not one result differs from the chip's, of all values in a run of whole sweeps, else of the sampled ones."""
    if WHOLE:
        wrong = sum(count_of_wrong(one, start + np.arange(part.size), part) for start, part in decoded(one))
    else:
        places = sample(one)
        expected = results_at(one, places)
        again, by_shader = measured_again(one)
        assert (expected[np.searchsorted(places, again)] == by_shader).all(), "the two measurements differ"
        wrong = count_of_wrong(one, places, expected)
    assert wrong == 0


def test_no_file_is_left_out() -> None:
    """Each file of the folder is one of the sweeps, and together they hold 192 937 984 values."""
    assert {one.path for one in SWEEPS} == set(FOLDER.glob("*.xz"))
    assert sum(one.count for one in SWEEPS) == 192_937_984


def fingerprint(one: Sweep) -> int:
    """Return the sum over places i of the result's bits times (2 i + 1), modulo 2^64, as ``sweep.cu`` forms it."""
    total = 0
    for start, results in decoded(one):
        odd = 2 * np.arange(start, start + results.size, dtype=np.uint64) + np.uint64(1)
        total += int((results * odd).sum(dtype=np.uint64))
    return total & 0xFFFF_FFFF_FFFF_FFFF


def test_files_hold_what_the_probe_gives() -> None:
    """The fingerprints that the probe printed on the chip, in a run of its own, are the files'."""
    lines = (FOLDER / "fingerprints.txt").read_text().splitlines()[1:]
    printed = {name: (int(count), int(bits, 16)) for name, count, bits in map(str.split, lines)}
    assert {one.path.stem: (one.count, fingerprint(one)) for one in SWEEPS} == printed
