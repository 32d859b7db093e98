"""Logic operations on codes."""

import numpy as np
import pytest

from refnvn.enumerations import LogicOp
from refnvn.formats.table import format_named
from refnvn.raster.logic_op import acts_on, combined, logic_op

SOURCE, STORED = 0b1100, 0b1010
TABLE = {
    "CLEAR": 0b0000, "AND": 0b1000, "AND_REVERSE": 0b0100, "COPY": 0b1100, "AND_INVERTED": 0b0010, "NOOP": 0b1010,
    "XOR": 0b0110, "OR": 0b1110, "NOR": 0b0001, "EQUIV": 0b1001, "INVERT": 0b0101, "OR_REVERSE": 0b1101,
    "COPY_INVERTED": 0b0011, "OR_INVERTED": 0b1011, "NAND": 0b0111, "SET": 0b1111,
}  # fmt: skip


@pytest.mark.rule("RASTER-LOGIC-1")
@pytest.mark.parametrize("name", TABLE)
def test_an_operation_has_its_truth_table(name: str) -> None:
    """1100 and 1010 give the four bits that OpenGL's table has for the operation."""
    found = combined(LogicOp[name], np.uint32(SOURCE), np.uint32(STORED))
    assert int(found) & 0b1111 == TABLE[name]


@pytest.mark.rule("RASTER-LOGIC-2")
def test_float_and_srgb_targets_take_the_source() -> None:
    """There XOR stores the source; on all other classes it combines."""
    for name in ("RGBA16F", "R11G11B10F", "RGBA8_SRGB", "R32F"):
        fmt = format_named(name)
        source = np.full((1, len(fmt.components)), 5, np.uint32)
        assert not acts_on(fmt)
        assert np.array_equal(logic_op(LogicOp.XOR, fmt, source, source), source)
    assert all(acts_on(format_named(n)) for n in ("RGBA8", "RGBA16SN", "RG32UI", "R8I", "RGB565", "RGB10A2"))


@pytest.mark.rule("RASTER-LOGIC-3")
def test_codes_are_combined_in_their_own_width() -> None:
    """INVERT of 10:10:10:2 fills ten and two bits, not more; signed codes are bits like others."""
    zeros = np.zeros((1, 4), np.uint32)
    assert logic_op(LogicOp.INVERT, format_named("RGB10A2"), zeros, zeros).tolist() == [[1023, 1023, 1023, 3]]
    stored = np.array([[0x80, 0x7F, 1, 0xFF]], np.uint32)
    assert logic_op(LogicOp.XOR, format_named("RGBA8SN"), stored * 0 + 0xFF, stored).tolist() == [
        [0x7F, 0x80, 0xFE, 0x00]
    ]
