"""The measured family of tessellated patches."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from refnvn.conformance.run import run
from refnvn.replay.tessellator import tessellated
from refnvn.shader.ir_stages import Domain, Spacing, TessEvaluation

FOLDER = Path(__file__).parents[1] / "data" / "hardware_tess"
ORDER = Path(__file__).parents[1] / "data" / "hardware_tess_order"
COINCIDE = (27, 28, 42, 44, 72, 73, 74, 86, 87, 88, 89)


@pytest.mark.rule("TESSELLATOR-EDGE-1", "TESSELLATOR-LEVEL-1", "TESSELLATOR-TRIANGLE-1", "TESSELLATOR-QUAD-1")
@pytest.mark.rule("TESSELLATOR-STITCH-1", "TESSELLATOR-STITCH-2", "TESSELLATOR-ISOLINES-1")
@pytest.mark.rule("TESSELLATOR-ORDER-1", "TESSELLATOR-ORDER-2", "TESSELLATOR-ORDER-3")
def test_every_coordinate_of_every_primitive_is_matched() -> None:
    """216 patches, in order, bit for bit."""
    (file,) = run([FOLDER]).files
    assert len(file.arrays) == 216
    assert file.total("cases") == file.total("equal") == 76_035


@pytest.mark.rule("TESSELLATOR-EDGE-1", "TESSELLATOR-ORDER-1", "TESSELLATOR-ORDER-2", "TESSELLATOR-ORDER-3")
def test_clockwise_and_larger_patches_are_matched_in_order() -> None:
    """90 patches in order, bit for bit, but 11 whose points coincide or nearly do: these have the same vertices."""
    (file,) = run([ORDER]).files
    assert len(file.arrays) == 90
    differ = [one.array for one in file.arrays if one.equal != one.cases]
    assert differ == [f"out_{number:03d}" for number in COINCIDE]
    assert file.total("cases") == 371_790


@pytest.mark.parametrize("number", COINCIDE)
def test_patches_whose_points_coincide_have_the_measured_triangles(number: int) -> None:
    """The same triangles, each as a cycle, in another order."""
    with np.load(ORDER / "tess_order.npz") as file:
        measured = file[f"out_{number:03d}"]
        _, domain, spacing, levels, _, _ = json.loads(str(file["meta"]))["configs"][number]
    found = tessellated(TessEvaluation(domain=Domain(domain), spacing=Spacing(spacing)), tuple(levels))
    by_rule = found.coordinates.view(np.uint32)[found.primitives]
    assert cycles(by_rule) == cycles(measured.reshape(-1, 3, 3))


def cycles(triangles: np.ndarray[Any, Any]) -> list[Any]:
    """Return triangles sorted, each from its least corner on."""
    turned = [[tuple(map(tuple, np.roll(one, turn, axis=0).tolist())) for turn in range(3)] for one in triangles]
    return sorted(min(one) for one in turned)
