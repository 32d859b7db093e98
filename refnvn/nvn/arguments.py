"""Is an argument of an NVN call what the call takes? Errors name call, argument, value and what is allowed.

Enumerations are given as members, or by name: ``"LEQUAL"`` is ``DepthFunc.LEQUAL``. Flags are given as members, as
a number, or as names joined by ``|``.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from enum import IntEnum, IntFlag
from typing import Any, Protocol, SupportsFloat, SupportsIndex, TypeGuard, TypeVar

import numpy as np

from refnvn.errors import ArgumentError, FieldRangeError, RefnvnError, SizeError, UnsupportedFormat
from refnvn.formats.table import Format, Use, format_named

E = TypeVar("E", bound=IntEnum)
F = TypeVar("F", bound=IntFlag)

Bits4 = tuple[int, int, int, int]

_CANONICAL_NAN = 0x7FC00000
_MOST_SHOWN = 100
_OF_ONE_SENTENCE = (ArgumentError, FieldRangeError, SizeError, UnsupportedFormat)

T = TypeVar("T")


def shown(value: object) -> str:
    """Return a value as errors show it: shortened, and never an error of its own.

    >>> shown("a" * 200)[-5:], shown(10**5000)
    ('aa...', 'int')
    """
    try:
        text = repr(value)
    except Exception:  # noqa: BLE001 - a foreign object may fail in any way
        return type(value).__name__
    return text if len(text) <= _MOST_SHOWN else f"{text[:_MOST_SHOWN]}..."


def instance(call: str, argument: str, value: object, kind: type[T]) -> T:
    """Return an object of a class.

    Raises
    ------
    ArgumentError
        For one of another class, naming both.

    Examples
    --------
    >>> instance("bind_color_state", "color", 5, dict)
    Traceback (most recent call last):
    refnvn.errors.ArgumentError: bind_color_state: color is int, allowed is dict
    """
    if not isinstance(value, kind):
        what = "None" if value is None else type(value).__name__
        raise ArgumentError(f"{call}: {argument} is {what}, allowed is {kind.__name__}")
    return value


def _is_series(values: object) -> TypeGuard[Sequence[Any]]:
    if isinstance(values, np.ndarray):
        return values.ndim > 0
    return isinstance(values, Sequence) and not isinstance(values, str | bytes | bytearray | memoryview)


def series(call: str, argument: str, values: object, of: str) -> tuple[Any, ...]:
    """Return the elements of a list, tuple, array or other sequence.

    Raises
    ------
    ArgumentError
        For anything else, naming what the list should be of.
    """
    if not _is_series(values):
        what = "None" if values is None else type(values).__name__
        raise ArgumentError(f"{call}: {argument} is {what}, allowed is a list of {of}")
    return tuple(values)


def instances(call: str, argument: str, values: object, kind: type[T]) -> tuple[T, ...]:
    """Return the elements of a list, all of one class.

    Raises
    ------
    ArgumentError
        Naming the element that is of another.
    """
    elements = series(call, argument, values, kind.__name__)
    return tuple(instance(call, f"{argument}[{place}]", value, kind) for place, value in enumerate(elements))


class HasDevice(Protocol):
    """What was made from a device."""

    @property
    def device(self) -> object:
        """The device."""


Owned = TypeVar("Owned", bound=HasDevice)


def owned(call: str, argument: str, value: object, kind: type[Owned], device: object) -> Owned:
    """Return an object of a class and of a device: another device's means something else here.

    Raises
    ------
    ArgumentError
        For another class or another device.
    """
    found = instance(call, argument, value, kind)
    if found.device is not device:
        raise ArgumentError(f"{call}: {argument} is of another device, allowed are this device's")
    return found


@contextmanager
def naming(call: str, argument: str = "") -> Iterator[None]:
    """Put a call, and an argument, in front of what a check below says.

    >>> with naming("texture", "width"):
    ...     raise SizeError("too wide")
    Traceback (most recent call last):
    refnvn.errors.SizeError: texture: width: too wide
    """
    try:
        yield
    except RefnvnError as error:
        kind = type(error) if type(error) in _OF_ONE_SENTENCE else ArgumentError
        raise kind(f"{call}: {argument}{': ' * bool(argument)}{error}") from None


def text(call: str, argument: str, value: object) -> str:
    """Return a string.

    Raises
    ------
    ArgumentError
        For anything else.
    """
    if not isinstance(value, str):
        raise ArgumentError(f"{call}: {argument} is {shown(value)}, allowed is text")
    return value


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
        if isinstance(value, bool | IntEnum) and not isinstance(value, enumeration):
            raise ValueError
        return enumeration(value.__index__())
    except (AttributeError, KeyError, TypeError, ValueError):
        allowed = ", ".join(enumeration.__members__)
        raise FieldRangeError(f"{call}: {argument} is {shown(value)}, allowed are {allowed}") from None


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
        raise FieldRangeError(f"{call}: {argument} is {shown(value)}, allowed are {allowed}") from None


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
        if isinstance(value, bool):
            raise TypeError
        number = value.__index__()
    except (AttributeError, TypeError):
        raise ArgumentError(f"{call}: {argument} is {shown(value)}, allowed are whole numbers") from None
    if not least <= number <= most:
        raise SizeError(f"{call}: {argument} is {shown(number)}, allowed are {least} to {most}")
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
    raise ArgumentError(f"{call}: {argument} is {shown(value)}, allowed are True and False")


def float_bits(value: SupportsFloat) -> int:
    """Return the bits of a number rounded to float32, to nearest even; a NaN of float32 keeps its bits.

    >>> hex(float_bits(0.1)), hex(float_bits(1e60))
    ('0x3dcccccd', '0x7f800000')

    Raises
    ------
    TypeError, OverflowError
        For what is no number, or an integer that float64 does not hold; :func:`number_bits` names it.
    """
    if isinstance(value, np.float32):
        return int(value.view(np.uint32))
    if isinstance(value, str | bytes | bytearray) or (isinstance(value, np.ndarray) and value.ndim):
        raise TypeError("no number")
    number = float(value)
    if number != number:
        return _CANONICAL_NAN
    try:
        packed = struct.pack("<f", number)
    except OverflowError:
        packed = struct.pack("<f", float("inf") if number > 0 else float("-inf"))
    return int.from_bytes(packed, "little")


def number_bits(call: str, argument: str, value: SupportsFloat) -> int:
    """Return the bits of a number rounded to float32, as :func:`float_bits` does.

    Raises
    ------
    ArgumentError
        For what is no number.
    FieldRangeError
        For an integer that not even float64 holds.
    """
    try:
        return float_bits(value)
    except (TypeError, ValueError):
        raise ArgumentError(f"{call}: {argument} is {shown(value)}, allowed are numbers") from None
    except OverflowError:
        raise FieldRangeError(f"{call}: {argument} is {shown(value)}, allowed are numbers below 2^1024") from None


def float32(call: str, argument: str, value: SupportsFloat) -> float:
    """Return a number rounded to float32.

    Raises
    ------
    FieldRangeError
        Where that is not finite.
    """
    rounded: float = struct.unpack("<f", struct.pack("<I", number_bits(call, argument, value)))[0]
    if rounded - rounded != 0.0:
        raise FieldRangeError(f"{call}: {argument} is {shown(value)}, allowed are finite float32")
    return rounded


def color_bits(call: str, color: Sequence[SupportsFloat] | np.ndarray[Any, Any]) -> Bits4:
    """Return the float32 bits of R, G, B and A.

    Raises
    ------
    ArgumentError
        For anything but four numbers.
    """
    elements = _four(call, color, "numbers")
    r, g, b, a = (number_bits(call, f"color[{place}]", value) for place, value in enumerate(elements))
    return r, g, b, a


def color_integers(call: str, color: Sequence[SupportsIndex], least: int, most: int) -> Bits4:
    """Return four integers in a range.

    Raises
    ------
    ArgumentError
        For anything else.
    """
    elements = _four(call, color, "whole numbers")
    r, g, b, a = (whole(call, f"color[{place}]", value, least, most) for place, value in enumerate(elements))
    return r, g, b, a


def _four(call: str, color: object, of: str) -> tuple[Any, ...]:
    """Return the four elements of a colour."""
    if _is_series(color) and len(color) == 4:
        return tuple(color)
    raise ArgumentError(f"{call}: color is {shown(color)}, allowed are four {of}")


def named_format(call: str, argument: str, name: object, use: Use | None = None) -> Format:
    """Return a format by NVN's name.

    Raises
    ------
    ArgumentError
        For no such format, or one without a use.
    """
    given = text(call, argument, name)
    with naming(call, argument):
        found = format_named(given)
        if use is not None:
            found.require(use)
    return found


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
