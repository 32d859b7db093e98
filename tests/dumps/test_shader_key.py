"""The key of a shader, by SHA-256 of Python's own library, and where code begins in a file of both."""

from __future__ import annotations

import hashlib

import pytest

from refnvn.dumps.shader_key import key_in, shader_key, split_by_key
from refnvn.errors import SizeError

CONTROL = bytes(range(256)) * 12
CODE = b"\x01\x02" * 300


def test_the_key_is_of_the_first_0x880_bytes_and_the_code() -> None:
    """What follows in the control section does not count; another code is another key."""
    expected = hashlib.sha256(CONTROL[:0x880] + CODE).hexdigest()[:16]
    assert shader_key(CONTROL, CODE) == shader_key(CONTROL[:0x880], CODE) == expected
    assert shader_key(CONTROL, CODE + b"\0") != expected


@pytest.mark.parametrize("control_B", [0x880, 0xA00, 0xC00])
def test_one_file_of_both_is_split_where_its_key_says(control_B: int) -> None:
    """Whatever the length of the control section."""
    found = split_by_key(CONTROL[:control_B] + CODE, shader_key(CONTROL, CODE).upper())
    assert found is not None
    assert found.code_at_B == control_B


def test_a_file_of_another_shader_has_no_split() -> None:
    """None, not a guess."""
    assert split_by_key(CONTROL + CODE, "0" * 16) is None


@pytest.mark.parametrize("size", [0, 0x87F])
def test_a_short_control_section_is_refused(size: int) -> None:
    """There is nothing to hash."""
    with pytest.raises(SizeError, match="allowed: 2176 or more"):
        shader_key(bytes(size), CODE)
    with pytest.raises(SizeError, match="allowed: 2176 to"):
        split_by_key(bytes(size), "0" * 16)


def test_only_sixteen_digits_are_a_key() -> None:
    """Longer numbers are something else."""
    assert key_in("0123456789abcdef.bin") == "0123456789abcdef"
    assert key_in("0123456789abcdef0.bin") is None
    assert key_in("shader.bin") is None
