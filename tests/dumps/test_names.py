"""Names of dumped files, and the number of a colour target with everything that it may mean."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refnvn.dumps.names import DumpKind, name_of_dump, target_readings
from refnvn.errors import FieldRangeError


@pytest.mark.parametrize(
    ("name", "kind", "said"),
    [
        ("F12_c3d_345.bin", DumpKind.COPY_3D, {"frame": 12, "serial": 345}),
        (
            "F9_p31_vb2_1a2B3c.bin",
            DumpKind.VERTEX_STREAM,
            {"frame": 9, "pass_": 31, "stream": 2, "address": 0x1A2B3C},
        ),
        ("F9_p31_ib1_80.bin", DumpKind.INDEX_BUFFER, {"frame": 9, "pass_": 31, "index_type": "1", "address": 0x80}),
        ("zb_17.bin", DumpKind.ZERO_BLOCKS, {"serial": 17}),
        ("zbm_17.bin", DumpKind.PAGE_MAP, {"serial": 17}),
        ("target_623.png", DumpKind.TARGET, {"number": 623}),
        ("target_623.png.raw", DumpKind.TARGET_RAW, {"number": 623}),
        ("623.raw", DumpKind.TARGET_RAW, {"number": 623}),
        ("picture.png", DumpKind.UNKNOWN, {}),
        ("F9_p31_vb2_xyz.bin", DumpKind.UNKNOWN, {}),
        ("zb_.bin", DumpKind.UNKNOWN, {}),
        ("", DumpKind.UNKNOWN, {}),
    ],
)
def test_a_name_says_what_the_switches_spell(name: str, kind: DumpKind, said: dict[str, object]) -> None:
    """Frame, pass, stream, serial and address; nothing where there is nothing."""
    found = name_of_dump(f"some/folder/{name}")
    fields = ("frame", "pass_", "stream", "serial", "address", "number", "index_type")
    assert found.kind is kind
    assert {field: getattr(found, field) for field in fields if getattr(found, field) is not None} == said


@pytest.mark.parametrize(("spelled", "index_B"), [("0", 1), ("1", 2), ("2", 4), ("u16", None), ("3", None)])
def test_an_index_type_is_read_as_nvns_value_of_it(spelled: str, index_B: int | None) -> None:
    """Bytes, shorts and words are 0, 1 and 2; any other spelling is kept and not guessed at."""
    assert name_of_dump(f"F1_p1_ib{spelled}_0.bin").index_B == index_B


def test_the_number_that_two_textures_share() -> None:
    """Serial 5, layer 12, level 3 and serial 6, layer 2, level 3 both give 623."""
    found = [(one.serial, one.layer, one.level) for one in target_readings(623)]
    assert found[0] == (6, 2, 3)
    assert (5, 12, 3) in found
    assert (6, 1, 13) in found


@given(st.integers(0, 300), st.integers(0, 2047), st.integers(0, 14))
def test_what_gave_a_number_is_among_its_readings(serial: int, layer: int, level: int) -> None:
    """And every reading gives the number back, once."""
    number = serial * 100 + layer * 10 + level
    found = [(one.serial, one.layer, one.level) for one in target_readings(number)]
    assert (serial, layer, level) in found
    assert {100 * s + 10 * a + v for s, a, v in found} == {number}
    assert len(set(found)) == len(found)


@given(st.integers(0, 3000))
def test_the_plain_reading_comes_first(number: int) -> None:
    """Layer and level of one digit each: what the number was made for."""
    first = target_readings(number)[0]
    assert first.is_plain
    assert (first.serial, first.layer, first.level) == (number // 100, number // 10 % 10, number % 10)


def test_what_is_known_of_the_texture_leaves_fewer() -> None:
    """One layer, at most three levels."""
    assert [(one.serial, one.layer, one.level) for one in target_readings(1502, layers=1, levels=3)] == [(15, 0, 2)]
    assert target_readings(1509, layers=1, levels=3) == []


@pytest.mark.parametrize("number", [-1, 10**9 + 1])
def test_a_number_that_no_texture_has_is_refused(number: int) -> None:
    """It would have too many readings."""
    with pytest.raises(FieldRangeError, match="allowed: 0 to"):
        target_readings(number)
