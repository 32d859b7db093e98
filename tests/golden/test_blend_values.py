"""The goldens of blending, logic operations and the alpha test hold what the ledger says they must."""

from __future__ import annotations

from typing import Any

import numpy as np

from goldens.alpha import REFERENCES
from refnvn.enumerations import AlphaFunc, LogicOp
from refnvn.golden.build import build
from refnvn.golden.case import case_named


def result(golden: str, name: str = "target") -> Any:
    """Return the values of one result of a golden."""
    return build(case_named(golden)).result(name).base.array


def survivors(golden: str, func: str, reference: float) -> list[int]:
    """Return the k of the ramp k / 15 that a test let pass."""
    same = [k for k, one in enumerate(REFERENCES) if one == reference or (one != one and reference != reference)]
    row = (int(AlphaFunc[func]) - int(min(AlphaFunc))) * len(REFERENCES) + same[0]
    red = result(golden)[row, :, 0]
    return np.nonzero(red)[0].tolist()


def test_alpha_ramp_survives_as_the_ledger_says() -> None:
    """Ledger alpha-test: reference 0.3125 GREATER lets k >= 5 pass (5 / 15 is 0.3333)."""
    assert survivors("alpha/ramp", "GREATER", 0.3125) == list(range(5, 16))
    assert survivors("alpha/ramp", "LESS", 0.3125) == list(range(5))
    assert survivors("alpha/ramp", "EQUAL", 1.0) == [15]
    assert survivors("alpha/ramp", "ALWAYS", 0.0) == list(range(16))
    assert survivors("alpha/ramp", "NEVER", 0.0) == []


def test_nan_references_differ_by_target() -> None:
    """On bytes NaN is 0; on floats only NOTEQUAL and ALWAYS pass."""
    nan = float("nan")
    bytes_ = {f.name: len(survivors("alpha/ramp", f.name, nan)) for f in AlphaFunc}
    floats = {f.name: len(survivors("alpha/ramp_float", f.name, nan)) for f in AlphaFunc}
    assert bytes_ == {
        "NEVER": 0, "LESS": 0, "EQUAL": 1, "LEQUAL": 1, "GREATER": 15, "NOTEQUAL": 15, "GEQUAL": 16, "ALWAYS": 16,
    }  # fmt: skip
    assert floats == {name: 16 * (name in ("NOTEQUAL", "ALWAYS")) for name in bytes_}


def test_integer_targets_and_depth_planes() -> None:
    """An integer colour 0 is written everywhere; depth and stencil change where alpha passes: k >= 8."""
    assert (result("alpha/integer_target")[..., :3] == 255).all()
    planes = result("alpha/depth", "planes")
    assert (planes[:, :8] == [0, 255, 255, 255]).all()
    assert (planes[:, 8:, 0] == 1).all()
    assert (planes[:, 8:, 3] < 0x41).all()


def test_logic_operations_give_the_ledgers_numbers() -> None:
    """Ledger logic-op: (F0, 0F, AA, 00) OR (.., 80) has alpha 80; 5 << 8 OR 3 is 0x0503; masked channels stay."""
    rgba8 = result("logic/rgba8")
    assert rgba8[0, LogicOp.OR].tolist() == [0xFC, 0x3F, 0xAF, 0x80]
    assert rgba8[3, LogicOp.OR].tolist() == [0xFC, 0x0F, 0xAF, 0x00]
    assert result("logic/rg32ui")[0, LogicOp.OR].tolist() == [0x0503, 0xFCFC_F3F3]
    assert np.array_equal(rgba8, result("logic/rgba8ui"))
    assert (result("logic/rgba8")[:, LogicOp.NOOP] == [0xF0, 0x0F, 0xAA, 0x00]).all()
    half, added = 0x3800, 0x3A00
    columns = result("logic/no_blending")[0, :, 0].tolist()
    assert columns == [added if op is LogicOp.COPY else half for op in LogicOp]


def test_second_sources_give_the_ledgers_numbers() -> None:
    """Ledger src1-written: 140 and an unchanged 7; src1-unwritten: 100 by the zero rule, and 50 the other way."""
    assert (result("blend/src1_written", "first") == 140).all()
    assert (result("blend/src1_written", "second") == 7).all()
    unwritten = result("blend/src1_unwritten")
    assert (unwritten[:2] == 100).all()
    assert (unwritten[2:] == 50).all()


def test_unwritten_targets_are_untouched() -> None:
    """Ledger unwritten-outputs: targets 1 and 2 keep 20 and 30, target 0 adds."""
    assert (result("blend/unwritten_outputs", "target_0") == [11, 12, 13, 14]).all()
    assert (result("blend/unwritten_outputs", "target_1") == 20).all()
    assert (result("blend/unwritten_outputs", "target_2") == 30).all()


def test_advanced_modes_are_no_sums() -> None:
    """SRC_OVER of 0.2 at 0.6 over 0.8: 51 + 204 * 0.4 is 133, not the 255 of ONE, ONE."""
    assert result("blend/advanced_modes")[0, 0, 0] == 133
    assert result("blend/advanced_sources")[:, 0, 0].tolist() == [255, 153]
