"""The measured families of vertex input."""

from pathlib import Path

import pytest

from refnvn.conformance.hardware_vertex import nvn_vertex_format
from refnvn.conformance.report import Report
from refnvn.conformance.run import run
from refnvn.conformance.score import Status
from refnvn.formats.table import format_named
from refnvn.rules.fields import NVN, AttributeNorm, VertexStraddle

FOLDER = Path(__file__).parents[1] / "data" / "hardware_vertex"


@pytest.fixture(scope="module")
def report() -> Report:
    """Score both files once."""
    return run([FOLDER])


def names(report: Report, status: Status) -> set[str]:
    """Return the arrays of a status, by the first word behind ``out_``."""
    return {a.array.split("_")[1] for f in report.files for a in f.arrays if a.status is status}


@pytest.mark.rule(
    "VERTEX-FETCH-1",
    "VERTEX-BOUNDS-1",
    "VERTEX-BOUNDS-2",
    "VERTEX-DIVISOR-1",
    "PRIMITIVE-INDEX-1",
    "FEEDBACK-ORDER-1",
)
def test_every_word_is_matched(report: Report) -> None:
    """44 types, four divisors, a base vertex, 16 orders of captures, 18 streams that end early: bit for bit."""
    assert [f.total("cases") for f in report.files] == [65_780, 4_620]
    assert [f.total("equal") for f in report.files] == [65_780, 4_620]


def test_what_is_not_scored_is_told(report: Report) -> None:
    """Storage buffers wait; types without a format of NVN are information."""
    assert names(report, Status.NOT_RUN) == {"ssbo"}
    assert names(report, Status.INFORMATION) == {"INT", "UNSIGNED", "FIXED"}


def test_every_type_has_the_right_format() -> None:
    """Names are put together from type, count and conversion; each is a format of NVN for vertices."""
    told = {one: nvn_vertex_format(one) for one in ("BYTE_2", "SHORT_4_int", "UNSIGNED_SHORT_3_norm", "INT_4_norm")}
    assert list(told.values()) == ["RG8_I2F", "RGBA16I", "RGB16", None]
    assert all(format_named(name).hw_vertex_code for name in told.values() if name)


def test_wrong_rules_are_seen() -> None:
    """Reading a straddling element by byte, or a division by multiplication, is not what was measured."""
    by_byte = run([FOLDER / "vfetch_robust.npz"], NVN.with_(vertex_straddle=VertexStraddle.BYTES))
    assert 0 < by_byte.files[0].total("wrong") < 50
    fast = run([FOLDER / "vfetch.npz"], NVN.with_(attribute_norm=AttributeNorm.MULTIPLIED))
    assert {a.array for a in fast.files[0].arrays if a.wrong} >= {"out_BYTE_4_norm", "out_UNSIGNED_SHORT_4_norm"}
