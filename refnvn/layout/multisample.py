"""How does a multisample texture lie in storage?

As a plain texture of more texels: each pixel becomes a grid of samples. Which cell of the grid holds which sample
is not the order of the samples.
"""

from __future__ import annotations

from refnvn.errors import FieldRangeError
from refnvn.rules.evidence import Evidence
from refnvn.rules.registry import rule

_GRID = {1: (1, 1), 2: (2, 1), 4: (2, 2), 8: (4, 2), 16: (4, 4)}
_CELLS = {
    1: ((0, 0),),
    2: ((1, 0), (0, 0)),
    4: ((0, 0), (1, 0), (0, 1), (1, 1)),
    8: ((2, 0), (1, 1), (3, 1), (1, 0), (0, 1), (0, 0), (2, 1), (3, 0)),
}
_CELLS_OF_16 = (
    (2, 2), (1, 0), (0, 3), (3, 1), (1, 1), (3, 2), (2, 3), (2, 1),
    (1, 3), (2, 0), (0, 1), (1, 2), (0, 2), (3, 0), (3, 3), (0, 0),
)  # fmt: skip


@rule(
    "LAYOUT-SAMPLES-1",
    "2, 4, 8 and 16 samples make a pixel 2x1, 2x2, 4x2 and 4x4 texels of storage.",
    evidence=Evidence.INFERRED,
    sources=("deko3d", "nil", "envytools", "ryujinx", "open-gpu-doc"),
    ledger=("tex-illegal-fields",),
    refuted_by="a multisample texture read back by the processor with its samples laid out otherwise",
)
def sample_grid(samples: int) -> tuple[int, int]:
    """Return ``(across, down)``: the texels of storage that one pixel takes.

    Raises
    ------
    FieldRangeError
        For a count other than 1, 2, 4, 8, 16.

    Examples
    --------
    >>> sample_grid(8)
    (4, 2)
    """
    if samples not in _GRID:
        raise FieldRangeError(f"samples {samples} is not one of 1, 2, 4, 8, 16")
    return _GRID[samples]


@rule(
    "LAYOUT-SAMPLES-2",
    "The cell of sample s is a fixed permutation: 2x 1 0; 4x in order; 8x as the D3D mode of the hardware has it.",
    evidence=Evidence.INFERRED,
    sources=("nil", "envytools"),
    refuted_by="a multisample texture read back by the processor whose samples lie in other cells",
)
def sample_cell(samples: int, sample: int) -> tuple[int, int]:
    """Return ``(x, y)`` of a sample's texel inside the pixel's grid.

    Raises
    ------
    FieldRangeError
        For a sample that is not there.

    Examples
    --------
    >>> sample_cell(8, 0)
    (2, 0)
    """
    sample_grid(samples)
    if not 0 <= sample < samples:
        raise FieldRangeError(f"sample {sample} is not in 0..{samples - 1}")
    return _CELLS[samples][sample] if samples in _CELLS else cells_of_16()[sample]


@rule(
    "LAYOUT-SAMPLES-4",
    "Of 16 samples two lie in the place of each one of 8: those that the chip makes one of where it rasterises 16 "
    "and stores 8. Which of the two is above is not known, here the one whose y is smaller.",
    evidence=Evidence.OPEN,
    sources=("deko3d", "nil", "sample-vectors"),
    refuted_by="a dump of a 16-sample texture with its samples numbered",
)
def cells_of_16() -> tuple[tuple[int, int], ...]:
    """Return ``(x, y)`` of each of 16 samples."""
    return _CELLS_OF_16
