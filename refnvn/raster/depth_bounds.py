"""Over which stored depths do fragments pass? The depth bounds test, which looks at the target, not at the fragment.

Read next: ``depth_stencil.py``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from refnvn.formats.depth_stencil import depth_code
from refnvn.formats.table import Format
from refnvn.rules.evidence import Evidence
from refnvn.rules.fields import Rules
from refnvn.rules.registry import rule

Bounds = tuple[int, int]
"""The codes of the least and the greatest depth."""


@rule(
    "RASTER-BOUNDS-1",
    "Depth bounds become codes of the target by the rule of stores, so a depth equal to a bound passes.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("hardware-vectors", "hardware-pipeline-rules"),
)
def bounds_codes(bounds: tuple[float, float], fmt: Format, rules: Rules) -> Bounds:
    """Return the codes that bounds are compared as.

    Examples
    --------
    >>> from refnvn.formats.table import format_named
    >>> from refnvn.rules.fields import NVN
    >>> bounds_codes((0.0, 1.0), format_named("DEPTH16"), NVN)
    (0, 65535)
    """
    low, high = depth_code(fmt, np.array(bounds, dtype=np.float32), rules).tolist()
    return low, high


@rule(
    "RASTER-BOUNDS-2",
    "A fragment passes where the stored depth lies from the lower to the upper bound, both included. The test comes "
    "after the alpha test and before stencil and depth: what fails leaves nothing behind, not even in stencil.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("hardware-vectors", "hardware-pipeline-rules"),
)
def lies_within(stored: Any, low: Any, high: Any) -> Any:
    """Say whether stored depths pass; works on arrays and in compiled code."""
    return (stored >= low) & (stored <= high)
