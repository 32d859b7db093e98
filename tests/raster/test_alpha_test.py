"""The alpha test."""

import numpy as np
import pytest

from refnvn.enumerations import AlphaFunc
from refnvn.formats.table import format_named
from refnvn.raster.alpha_test import alpha_test, compared, decides
from refnvn.rules.fields import NVN, AlphaPrecision

RAMP = (np.arange(16) / 15).astype(np.float32)


def count(func: str, fmt: str, reference: float) -> int:
    """Return how many of k / 15 pass."""
    return int(alpha_test(AlphaFunc[func], format_named(fmt), RAMP, reference).sum())


@pytest.mark.rule("RASTER-ALPHATEST-1")
def test_integer_targets_and_no_target_let_all_pass() -> None:
    """An integer target 0 switches the test off, so do no target 0 and ALWAYS."""
    assert not decides(AlphaFunc.NEVER, None)
    assert not decides(AlphaFunc.ALWAYS, format_named("RGBA8"))
    assert alpha_test(AlphaFunc.NEVER, format_named("RGBA8UI"), RAMP, 0.5).all()
    assert not alpha_test(AlphaFunc.NEVER, format_named("RGBA8"), RAMP, 0.5).any()


@pytest.mark.rule("RASTER-ALPHATEST-2")
def test_the_reference_becomes_a_code_too() -> None:
    """0.5 is 127 in 8 bits: alpha 127 / 255 equals it there, and no half or float does."""
    alpha = np.array([127 / 255, 0.5, 128 / 255], np.float32)
    passed = {
        n: alpha_test(AlphaFunc.EQUAL, format_named(n), alpha, 0.5).tolist() for n in ("RGBA8", "RGB565", "R16F")
    }
    assert passed == {"RGBA8": [True, True, False], "RGB565": [True, True, False], "R16F": [False, True, False]}
    assert compared(format_named("RGBA8"), np.float32([-1, 2, np.nan])).tolist() == [0, 1, 0]
    assert compared(format_named("RGBA8SN"), np.float32([-2, 2])).tolist() == [-1, 1]
    exact = NVN.with_(alpha_precision=AlphaPrecision.FLOAT32)
    assert alpha_test(AlphaFunc.EQUAL, format_named("RGBA8"), alpha, 0.5, exact).tolist() == [False, True, False]


@pytest.mark.rule("RASTER-ALPHATEST-3")
def test_nan_passes_notequal_alone() -> None:
    """On a float target; a normalised target takes NaN as 0."""
    funcs = [f.name for f in AlphaFunc if alpha_test(f, format_named("RGBA16F"), RAMP, float("nan")).any()]
    assert funcs == ["NOTEQUAL", "ALWAYS"]
    assert count("LEQUAL", "RGBA8", float("nan")) == 1


def test_functions_count_as_they_compare() -> None:
    """Of 16 alphas k / 15 against 1: 15 less, one equal, none greater."""
    assert [count(f, "RGBA8", 1.0) for f in ("LESS", "EQUAL", "GREATER", "GEQUAL", "NOTEQUAL")] == [15, 1, 0, 1, 15]
