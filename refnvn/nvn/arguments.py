"""Is an argument of an NVN call what the call takes? Errors name call, argument, value and what is allowed.

Enumerations are given as members, or by name: ``"LEQUAL"`` is ``DepthFunc.LEQUAL``. Flags are given as members, as
a number, or as names joined by ``|``.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from enum import IntEnum, IntFlag
from typing import Any, SupportsFloat, SupportsIndex, TypeVar

import numpy as np

from refnvn.errors import ArgumentError, FieldRangeError, SizeError

E = TypeVar("E", bound=IntEnum)
F = TypeVar("F", bound=IntFlag)

Bits4 = tuple[int, int, int, int]

_CANONICAL_NAN = 0x7FC00000


def member(call: str, argument: str, value: E | str | int, enumeration: type[E]) -> E:
    """Return a member of an enumeration, from itself, its name or its value.

    Raises
    ------
    FieldRangeError
        With the names that are allowed.

    Examples
    --------
    >>> from refnvn.enumerations import DepthFunc
    >>> member("set_depth_func", "func", "LEQUAL", DepthFunc)
    <DepthFunc.LEQUAL: 4>
    """
    try:
        if isinstance(value, str):
            return enumeration[value]
        return enumeration(value)
    except (KeyError, ValueError):
        allowed = ", ".join(enumeration.__members__)
        raise FieldRangeError(f"{call}: {argument} is {value!r}, allowed are {allowed}") from None


def flag_bits(call: str, argument: str, value: F | str | int, enumeration: type[F]) -> F:
    """Return flags, from themselves, a number, or names joined by ``|``.

    Raises
    ------
    FieldRangeError
        With the names that are allowed.

    Examples
    --------
    >>> from refnvn.enumerations import MemoryPoolFlags
    >>> int(flag_bits("set_flags", "flags", "CPU_CACHED | GPU_CACHED", MemoryPoolFlags))
    36
    """
    every = sum({int(one) for one in enumeration})
    try:
        if isinstance(value, str):
            names = [name.strip() for name in value.split("|")]
            found = sum({int(enumeration[name]) for name in names if name})
        else:
            found = whole(call, argument, value, 0, every)
        if found & ~every:
            raise ValueError
        return enumeration(found)
    except (KeyError, ValueError):
        allowed = " | ".join(enumeration.__members__)
        raise FieldRangeError(f"{call}: {argument} is {value!r}, allowed are {allowed}") from None


def whole(call: str, argument: str, value: SupportsIndex, least: int, most: int) -> int:
    """Return an integer in a range.

    Raises
    ------
    SizeError
        With the range.
    ArgumentError
        For anything but an integer.
    """
    try:
        number = value.__index__()
    except (AttributeError, TypeError):
        raise ArgumentError(f"{call}: {argument} is {value!r}, allowed are whole numbers") from None
    if not least <= number <= most:
        raise SizeError(f"{call}: {argument} is {number}, allowed are {least} to {most}")
    return number


def boolean(call: str, argument: str, value: object) -> bool:
    """Return an ``NVNboolean``.

    Raises
    ------
    ArgumentError
        For anything but True, False, 1 and 0.
    """
    if isinstance(value, bool | np.bool_) or (isinstance(value, int) and value in (0, 1)):
        return bool(value)
    raise ArgumentError(f"{call}: {argument} is {value!r}, allowed are True and False")


def float_bits(value: SupportsFloat) -> int:
    """Return the bits of a number rounded to float32, to nearest even; a NaN of float32 keeps its bits.

    >>> hex(float_bits(0.1)), hex(float_bits(1e60))
    ('0x3dcccccd', '0x7f800000')
    """
    if isinstance(value, np.float32):
        return int(value.view(np.uint32))
    number = float(value)
    if number != number:
        return _CANONICAL_NAN
    try:
        packed = struct.pack("<f", number)
    except OverflowError:
        packed = struct.pack("<f", float("inf") if number > 0 else float("-inf"))
    return int.from_bytes(packed, "little")


def float32(call: str, argument: str, value: SupportsFloat) -> float:
    """Return a number rounded to float32.

    Raises
    ------
    FieldRangeError
        Where that is not finite.
    """
    try:
        rounded: float = struct.unpack("<f", struct.pack("<I", float_bits(value)))[0]
    except (TypeError, ValueError):
        raise ArgumentError(f"{call}: {argument} is {value!r}, allowed are numbers") from None
    if rounded - rounded != 0.0:
        raise FieldRangeError(f"{call}: {argument} is {value!r}, allowed are finite float32")
    return rounded


def color_bits(call: str, color: Sequence[SupportsFloat] | np.ndarray[Any, Any]) -> Bits4:
    """Return the float32 bits of R, G, B and A.

    Raises
    ------
    ArgumentError
        For anything but four numbers.
    """
    try:
        r, g, b, a = (float_bits(value) for value in color)
    except (TypeError, ValueError):
        raise ArgumentError(f"{call}: color is {color!r}, allowed are four numbers") from None
    return r, g, b, a


def color_integers(call: str, color: Sequence[SupportsIndex], least: int, most: int) -> Bits4:
    """Return four integers in a range.

    Raises
    ------
    ArgumentError
        For anything else.
    """
    values = list(color)
    if len(values) != 4:
        raise ArgumentError(f"{call}: color is {color!r}, allowed are four whole numbers")
    r, g, b, a = (whole(call, f"color[{i}]", value, least, most) for i, value in enumerate(values))
    return r, g, b, a


def content(call: str, argument: str, data: object) -> bytes:
    """Return the bytes of bytes or of an array, little-endian, in C order.

    Raises
    ------
    ArgumentError
        For anything else, and for no bytes.
    """
    if isinstance(data, np.ndarray):
        raw = np.ascontiguousarray(data, dtype=data.dtype.newbyteorder("<")).tobytes()
        if data.dtype.hasobject:
            raise ArgumentError(f"{call}: {argument} is an array of objects, allowed are numbers")
    elif isinstance(data, bytes | bytearray | memoryview):
        raw = bytes(data)
    else:
        raise ArgumentError(f"{call}: {argument} is {type(data).__name__}, allowed are bytes and arrays")
    if not raw:
        raise ArgumentError(f"{call}: {argument} is empty, allowed is at least one byte")
    return raw
