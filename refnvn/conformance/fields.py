"""How are the fields of a JSON vector read without trusting it? Each with its name, its value and what is allowed.

Read next: ``layout_vectors.py``.
"""

from __future__ import annotations

import reprlib
from collections.abc import Collection
from typing import Any

import numpy as np

from refnvn.errors import InputFileError

MOST = 1 << 53
"""Integers beyond this are not read: JSON itself does not keep them."""
_LARGEST = 2.0**128
_NOT_FINITE = ("nan", "inf", "-inf")


def number(name: str, value: Any, low: int = 0, high: int = MOST) -> int:
    """Return a value that must be an integer in a range.

    Raises
    ------
    InputFileError
        Naming the field, its value and the range.

    Examples
    --------
    >>> number("width", 7)
    7
    """
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise InputFileError(f"{name} is {reprlib.repr(value)}; allowed is an integer from {low} to {high}")
    return value


def real(name: str, value: Any) -> float:
    """Return a value that must be a float32: a number, or the words ``nan``, ``inf``, ``-inf`` that JSON lacks.

    Raises
    ------
    InputFileError
        Naming the field and its value.

    Examples
    --------
    >>> real("depth", 0.1), real("depth", "-inf")
    (0.10000000149011612, -inf)
    """
    plain = isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) < _LARGEST
    if plain or value in _NOT_FINITE:
        return float(np.float32(float(value)))
    raise InputFileError(f"{name} is {reprlib.repr(value)}; allowed is a number, or one of {', '.join(_NOT_FINITE)}")


class Fields:
    """One JSON object, read field by field.

    Parameters
    ----------
    value : any JSON value
        Must be an object.
    name : str
        What it is called where it stands.

    Raises
    ------
    InputFileError
        For anything but an object; the methods raise it for a field that is missing or holds something else.
    """

    def __init__(self, value: Any, name: str) -> None:
        if not isinstance(value, dict):
            raise InputFileError(f"{name} is {reprlib.repr(value)}; allowed is an object")
        self.name = name
        self.value: dict[str, Any] = value

    def __contains__(self, field: str) -> bool:
        return field in self.value

    def get(self, field: str) -> Any:
        """Return a field as it is."""
        if field not in self.value:
            raise InputFileError(f"{self.name} has no field {field!r}")
        return self.value[field]

    def integer(self, field: str, default: int | None = None, *, high: int = MOST) -> int:
        """Return an integer from 0 up; with a default the field may be missing."""
        if default is not None and field not in self.value:
            return default
        return number(f"{self.name}: {field}", self.get(field), high=high)

    def flag(self, field: str, default: bool | None = None) -> bool:
        """Return true or false; with a default the field may be missing."""
        if default is not None and field not in self.value:
            return default
        found = self.get(field)
        if not isinstance(found, bool):
            raise InputFileError(f"{self.name}: {field} is {reprlib.repr(found)}; allowed are true and false")
        return found

    def word(self, field: str, allowed: Collection[str], default: str | None = None) -> str:
        """Return one of some words; with a default the field may be missing."""
        if default is not None and field not in self.value:
            return default
        found = self.get(field)
        if not isinstance(found, str) or found not in allowed:
            raise InputFileError(f"{self.name}: {field} is {reprlib.repr(found)}; allowed are {', '.join(allowed)}")
        return found

    def numbers(self, field: str) -> list[int]:
        """Return a list of integers from 0 up."""
        return [number(f"{self.name}: {field}[{i}]", one) for i, one in enumerate(self.items(field))]

    def row(self, field: str, width: int) -> list[Any]:
        """Return a list of so many values."""
        return Fields({field: [self.get(field)]}, self.name).rows(field, width)[0]

    def reals(self, field: str, width: int | None = None) -> list[float]:
        """Return a list of float32 values, of so many where ``width`` says so."""
        found = self.items(field) if width is None else self.row(field, width)
        return [real(f"{self.name}: {field}[{i}]", one) for i, one in enumerate(found)]

    def real(self, field: str, default: float | None = None) -> float:
        """Return a float32 value; with a default the field may be missing."""
        if default is not None and field not in self.value:
            return default
        return real(f"{self.name}: {field}", self.get(field))

    def float_bits(self, field: str) -> int:
        """Return the bits of a float32 value."""
        return int(np.float32(self.real(field)).view(np.uint32))

    def items(self, field: str) -> list[Any]:
        """Return a list."""
        found = self.get(field)
        if not isinstance(found, list):
            raise InputFileError(f"{self.name}: {field} is {reprlib.repr(found)}; allowed is a list")
        return found

    def rows(self, field: str, width: int) -> list[list[Any]]:
        """Return a list of lists, each of so many values."""
        found = self.items(field)
        for place, one in enumerate(found):
            if not isinstance(one, list) or len(one) != width:
                raise InputFileError(
                    f"{self.name}: {field}[{place}] is {reprlib.repr(one)}; allowed are {width} values"
                )
        return found

    def real_rows(self, field: str, width: int) -> list[list[float]]:
        """Return a list of lists of so many float32 values."""
        return [[real(f"{self.name}: {field}", one) for one in row] for row in self.rows(field, width)]

    def number_rows(self, field: str, width: int, high: int) -> list[list[int]]:
        """Return a list of lists of so many integers."""
        return [[number(f"{self.name}: {field}", one, 0, high) for one in row] for row in self.rows(field, width)]

    def objects(self, field: str) -> list[Fields]:
        """Return a list of objects."""
        return [Fields(one, f"{self.name}: {field}[{i}]") for i, one in enumerate(self.items(field))]

    def inner(self, field: str) -> Fields:
        """Return an object."""
        return Fields(self.get(field), f"{self.name}: {field}")

    def sha256(self, field: str) -> bytes:
        """Return a hash of 64 hexadecimal digits."""
        found = self.get(field)
        if isinstance(found, str) and len(found) == 64:
            try:
                return bytes.fromhex(found)
            except ValueError:
                pass
        raise InputFileError(f"{self.name}: {field} is {reprlib.repr(found)}; allowed are 64 hexadecimal digits")
