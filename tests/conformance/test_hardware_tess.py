"""The measured family of tessellated patches."""

from pathlib import Path

import pytest

from refnvn.conformance.run import run

FOLDER = Path(__file__).parents[1] / "data" / "hardware_tess"


@pytest.mark.rule("TESSELLATOR-EDGE-1", "TESSELLATOR-LEVEL-1", "TESSELLATOR-TRIANGLE-1", "TESSELLATOR-QUAD-1")
@pytest.mark.rule("TESSELLATOR-STITCH-1", "TESSELLATOR-STITCH-2", "TESSELLATOR-ISOLINES-1")
@pytest.mark.rule("TESSELLATOR-ORDER-1", "TESSELLATOR-ORDER-2", "TESSELLATOR-ORDER-3")
def test_every_coordinate_of_every_primitive_is_matched() -> None:
    """216 patches, in order, bit for bit."""
    (file,) = run([FOLDER]).files
    assert len(file.arrays) == 216
    assert file.total("cases") == file.total("equal") == 76_035
