"""What NVN cannot store is one clear error; what it tolerates is none."""

from __future__ import annotations

from typing import Any

import pytest

from refnvn.errors import ArgumentError, FieldRangeError, RefnvnError, SizeError
from refnvn.layout.description import (
    Element,
    PackagedLayout,
    TextureDescription,
    TextureFlags,
    TextureTarget,
)

RGBA8 = Element(4)


@pytest.mark.parametrize(
    ("fields", "error", "match"),
    [
        ({"width": 0}, SizeError, r"width 0 is not in 1\.\.16384"),
        ({"width": -4}, SizeError, r"width -4 is not in 1\.\.16384"),
        ({"width": 16385}, SizeError, r"width 16385"),
        ({"height": 0}, SizeError, r"height 0"),
        ({"levels": 0}, SizeError, r"levels 0 is not in 1\.\.15"),
        ({"levels": 16}, SizeError, r"levels 16 is not in 1\.\.15"),
        ({"depth": 2}, SizeError, r"depth of TARGET_2D 2 is not in 1\.\.1"),
        ({"target": TextureTarget.TARGET_3D, "depth": 2049}, SizeError, r"depth 2049 is not in 0\.\.2048"),
        ({"target": TextureTarget.TARGET_3D, "width": 2049}, SizeError, r"width 2049 is not in 1\.\.2048"),
        ({"target": TextureTarget.TARGET_CUBEMAP_ARRAY, "depth": 7}, SizeError, "multiple of 6"),
        ({"target": TextureTarget.TARGET_CUBEMAP, "height": 8}, SizeError, "square"),
        ({"target": TextureTarget.TARGET_1D, "height": 2}, SizeError, r"height 2 is not in 1\.\.1"),
        ({"target": TextureTarget.TARGET_BUFFER, "width": 134217729}, SizeError, "134217728"),
        ({"samples": 4}, ArgumentError, "multisample target"),
        ({"samples": 3}, FieldRangeError, "samples 3 is not one of 1, 2, 4, 8, 16"),
        ({"target": TextureTarget.TARGET_2D_MULTISAMPLE, "samples": 4, "levels": 2}, ArgumentError, "one level"),
        ({"element": Element(12)}, SizeError, "cannot have 12 bytes"),
        ({"element": Element(3)}, SizeError, "allowed: 1, 2, 4, 8, 16"),
        ({"packaged": PackagedLayout(3)}, FieldRangeError, "block height 3 is not one of 1, 2, 4, 8, 16, 32"),
        ({"packaged": PackagedLayout(64)}, FieldRangeError, "block height 64"),
        ({"packaged": PackagedLayout(1, 2)}, FieldRangeError, "needs a 3D texture"),
        ({"stride_B": 64}, ArgumentError, "only for a LINEAR texture"),
        ({"flags": TextureFlags.LINEAR, "stride_B": 60}, SizeError, "multiple of 32"),
        ({"flags": TextureFlags.LINEAR, "stride_B": 32}, SizeError, "hold a row of 64 bytes"),
        ({"flags": TextureFlags.LINEAR, "levels": 2}, ArgumentError, "of one level"),
        ({"flags": TextureFlags.LINEAR, "stride_B": 1 << 40}, SizeError, "stride"),
        (
            {"flags": TextureFlags.SPARSE, "target": TextureTarget.TARGET_2D_MULTISAMPLE, "samples": 2},
            ArgumentError,
            "sparse texture has one sample",
        ),
    ],
    ids=str,
)
def test_what_cannot_be_stored_is_refused(fields: dict[str, Any], error: type[RefnvnError], match: str) -> None:
    """The error names the field, its value and what was allowed."""
    with pytest.raises(error, match=match):
        TextureDescription(**{"element": RGBA8, "width": 16, "height": 16, **fields})


@pytest.mark.parametrize(
    "fields",
    [
        {"width": 1, "height": 1, "levels": 9},
        {"target": TextureTarget.TARGET_2D_ARRAY, "depth": 0},
        {"target": TextureTarget.TARGET_3D, "depth": 0},
        {"target": TextureTarget.TARGET_1D_ARRAY, "height": 4096},
        {"target": TextureTarget.TARGET_2D_ARRAY, "depth": 3000},
        {"target": TextureTarget.TARGET_2D_MULTISAMPLE, "samples": 16},
        {"target": TextureTarget.TARGET_CUBEMAP, "depth": 6},
    ],
    ids=["levels", "no_layers", "no_slices", "4096_layers_1d", "3000_layers", "16_samples", "cube_of_depth_6"],
)
@pytest.mark.rule("LAYOUT-LAYERS-2")
def test_what_nvn_tolerates_is_accepted(fields: dict[str, Any]) -> None:
    """Ledger row tex-illegal-fields: these are rules, not errors."""
    TextureDescription(**{"element": RGBA8, "width": 16, "height": 16, **fields})
