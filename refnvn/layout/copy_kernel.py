"""The inner loop of a large copy: 16 bytes at a time, rows in bands so that a GOB is used up before the next.

Importing this module imports numba. It holds no rule; the tables it is given do. Indices are unsigned, which
spares a branch for negative ones.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from refnvn.kernel import compiled, sixteen_byte_copier

BAND_ROWS = 8
GROUP_RUNS = 4

_copy_16 = sixteen_byte_copier()


def _copy_runs(
    target: Any, target_rows: Any, target_runs: Any, source: Any, source_rows: Any, source_runs: Any
) -> None:
    """Copy run by run of row by row, each offset being a row's plus a run's."""
    row_count = np.uint64(source_rows.size)
    run_count = np.uint64(source_runs.size)
    grouped = run_count // np.uint64(GROUP_RUNS) * np.uint64(GROUP_RUNS)
    for band in range(np.uint64(0), row_count, np.uint64(BAND_ROWS)):
        rows_end: Any = min(band + np.uint64(BAND_ROWS), row_count)
        for run in range(np.uint64(0), grouped, np.uint64(GROUP_RUNS)):
            from_0, to_0 = source_runs[run], target_runs[run]
            from_1, to_1 = source_runs[run + np.uint64(1)], target_runs[run + np.uint64(1)]
            from_2, to_2 = source_runs[run + np.uint64(2)], target_runs[run + np.uint64(2)]
            from_3, to_3 = source_runs[run + np.uint64(3)], target_runs[run + np.uint64(3)]
            for row in range(band, rows_end):
                from_row, to_row = source_rows[row], target_rows[row]
                _copy_16(target, to_row + to_0, source, from_row + from_0)
                _copy_16(target, to_row + to_1, source, from_row + from_1)
                _copy_16(target, to_row + to_2, source, from_row + from_2)
                _copy_16(target, to_row + to_3, source, from_row + from_3)
        for run in range(grouped, run_count):
            for row in range(band, rows_end):
                _copy_16(target, target_rows[row] + target_runs[run], source, source_rows[row] + source_runs[run])


copy_runs: Any = compiled(_copy_runs)
