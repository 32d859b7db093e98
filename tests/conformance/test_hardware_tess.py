"""The measured family of tessellated patches."""

from pathlib import Path

import numpy as np
import pytest

from refnvn.conformance.run import run
from refnvn.errors import InputFileError

FOLDER = Path(__file__).parents[1] / "data" / "hardware_tess"


@pytest.mark.rule("TESSELLATOR-EDGE-1", "TESSELLATOR-LEVEL-1", "TESSELLATOR-TRIANGLE-1", "TESSELLATOR-QUAD-1")
@pytest.mark.rule("TESSELLATOR-STITCH-1", "TESSELLATOR-STITCH-2", "TESSELLATOR-ISOLINES-1")
@pytest.mark.rule("TESSELLATOR-ORDER-1", "TESSELLATOR-ORDER-2", "TESSELLATOR-ORDER-3")
def test_every_coordinate_of_every_primitive_is_matched() -> None:
    """216 patches, in order, bit for bit."""
    (file,) = run([FOLDER]).files
    assert len(file.arrays) == 216
    assert file.total("cases") == file.total("equal") == 76_035


@pytest.mark.rule("TESSELLATOR-EDGE-1", "TESSELLATOR-ORDER-1", "TESSELLATOR-ORDER-2", "TESSELLATOR-ORDER-3")
@pytest.mark.rule("TESSELLATOR-ORDER-4")
def test_clockwise_and_larger_patches_are_matched_in_order() -> None:
    """90 clockwise, larger and nearly coinciding patches, and numbers of 1,215 more, bit for bit."""
    numbers, order = run([FOLDER.with_name("hardware_tess_order")]).files
    assert len(order.arrays) == 90
    assert order.total("cases") == order.total("equal") == 371_790
    assert len(numbers.arrays) == 12
    assert numbers.total("cases") == numbers.total("equal") == 635_289


def test_levels_outside_the_range_of_the_tessellator_are_refused(tmp_path: Path) -> None:
    """A file may hold anything; a level of 65 would be clamped, and its counts mean another patch."""
    with np.load(FOLDER.with_name("hardware_tess_order") / "tess_numbers.npz") as kept:
        arrays = dict(kept)
    arrays["in_quads_equal"][3, 2] = 65
    np.savez(tmp_path / "one.npz", **arrays)
    with pytest.raises(InputFileError, match="'in_quads_equal' holds levels outside"):
        run([tmp_path])
