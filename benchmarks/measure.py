"""Timing several things in one run so that their ratios mean something.

Every repetition runs each thing in turn, so that a slow second of the machine falls on all of them. Before its
clock starts each runs uncounted for a while, so that all find the caches as they leave them and none as its
neighbour did: a cache shared by cores takes several passes to fill. A thing that is over quickly is run several
times per sample. What counts is the median.
"""

from __future__ import annotations

import platform
import statistics
import time
from collections.abc import Callable, Mapping

SHORTEST_SAMPLE_S = 0.002
WARM_UP_S = 0.010


def seconds(work: Callable[[], object], times: int = 1) -> float:
    """Return how long one run of ``work`` takes, as the mean of ``times`` runs."""
    start = time.perf_counter()
    for _ in range(times):
        work()
    return (time.perf_counter() - start) / times


def warm_up(work: Callable[[], object]) -> None:
    """Run ``work`` at least once, and again until a hundredth of a second has passed."""
    end = time.perf_counter() + WARM_UP_S
    work()
    while time.perf_counter() < end:
        work()


def medians(works: Mapping[str, Callable[[], object]], repetitions: int) -> dict[str, float]:
    """Return the median seconds of each of ``works``, measured in turn.

    Each is run once first, uncounted: that compiles and touches what needs it.
    """
    for work in works.values():
        work()
    times = {name: max(1, round(SHORTEST_SAMPLE_S / seconds(work))) for name, work in works.items()}
    samples: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(repetitions):
        for name, work in works.items():
            warm_up(work)
            samples[name].append(seconds(work, times[name]))
    return {name: statistics.median(found) for name, found in samples.items()}


def least_processor_seconds(work: Callable[[], object], repetitions: int) -> float:
    """Return the least processor time of some runs, which says most where other work keeps the machine busy."""
    found = []
    for _ in range(repetitions):
        start = time.process_time()
        work()
        found.append(time.process_time() - start)
    return min(found)


def versions() -> dict[str, str]:
    """Return what a figure depends on besides the code: processor family and versions."""
    import llvmlite
    import numba
    import numpy as np

    return {
        "machine": platform.machine(),
        "system": platform.system(),
        "python": platform.python_version(),
        "numpy": np.__version__,
        "numba": numba.__version__,
        "llvmlite": llvmlite.__version__,
    }
