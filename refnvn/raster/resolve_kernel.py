"""The inner loop of large resolves, compiled: bytes of all samples added up, sums looked up.

No rule is written here. Importing this module imports numba. Read next: ``resolve.py``, which chooses.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from refnvn.formats.floatbits import UInt8
from refnvn.kernel import compiled


def _look_up(out: Any, samples: Any, table: Any) -> None:
    for row in range(out.shape[0]):
        line = out[row]
        for i in range(np.int32(line.size)):
            j = np.uint32(i)
            found = np.uint32(0)
            for byte in range(4):
                shift = np.uint32(8 * byte)
                total = np.uint32(0)
                for sample in range(len(samples)):
                    total += (samples[sample][row, j] >> shift) & np.uint32(255)
                found |= np.uint32(table[total]) << shift
            line[j] = found


look_up_kernel: Any = compiled(_look_up)


def look_up(samples: Sequence[UInt8], table: UInt8) -> UInt8:
    """Return the table's entry for the sum of each byte; samples of four bytes a texel."""
    out = np.empty(samples[0].shape, dtype=np.uint8)
    words = tuple(one.view("<u4")[..., 0] for one in samples)
    look_up_kernel(out.view("<u4")[..., 0], words, table)
    return out
