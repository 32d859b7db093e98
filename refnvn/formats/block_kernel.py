"""How does one scalar rule decode many blocks, interpreted or compiled, to the same bits?

Block rules are plain Python on whole numbers: they take the words of a block and write texels. A *driver* is the loop
that calls one over all blocks of an image. For a few blocks the driver simply runs; for many it is compiled together
with every rule it calls, so that no rule is ever written twice. Tables are tuples, which become int64 arrays there;
nothing may need more than the 63 bits that both have.

It holds no rule itself. Read next: ``bc1.py``.
"""

from __future__ import annotations

import functools
import inspect
import math
from collections.abc import Callable, Iterator
from types import FunctionType
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from refnvn.formats.floatbits import UInt8
from refnvn.rules.registry import note

Ints: TypeAlias = Any
"""Whole numbers by index: an int64 array where compiled, a list of int where interpreted."""

INTERPRETED_TEXELS = 1 << 18
"""Up to this many texels are decoded, at 0.1 to 2 microseconds each, before a compiler would have been loaded."""

_PACKAGE = "refnvn."


def _plain(function: Callable[..., Any]) -> FunctionType:
    """Return a function without the registry's wrapper."""
    found = inspect.unwrap(function)
    assert isinstance(found, FunctionType)
    return found


def _callees(function: FunctionType) -> Iterator[tuple[str, Callable[..., Any]]]:
    """Yield the functions of this package that a function calls, by the names it calls them."""
    for name in function.__code__.co_names:
        value = function.__globals__.get(name)
        if isinstance(value, FunctionType) and value.__module__.startswith(_PACKAGE):
            yield name, value


def _tables(function: FunctionType) -> Iterator[tuple[str, NDArray[np.int64]]]:
    """Yield the tables that a function reads, as arrays, by their names."""
    for name in function.__code__.co_names:
        value = function.__globals__.get(name)
        if isinstance(value, tuple):
            yield name, np.array(value, dtype=np.int64)


@functools.cache
def rules_of(function: Callable[..., Any]) -> frozenset[str]:
    """Return the ids of the rules that a driver calls, directly or not."""
    found = set()
    if function is not _plain(function):
        found.add(str(inspect.getclosurevars(function).nonlocals["rule_id"]))
    for _, callee in _callees(_plain(function)):
        found |= rules_of(callee)
    return frozenset(found)


@functools.cache
def compiled_with_callees(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function compiled, with compiled ones in place of all functions of this package that it calls."""
    from refnvn.kernel import compiled

    plain = _plain(function)
    names = dict(plain.__globals__)
    names.update((name, compiled_with_callees(callee)) for name, callee in _callees(plain))
    names.update((name, table) for name, table in _tables(plain))
    copy = FunctionType(plain.__code__, names, plain.__name__, plain.__defaults__)
    copy.__qualname__ = plain.__qualname__
    copy.__module__ = plain.__module__
    return compiled(copy)


_loaded: set[Callable[..., None]] = set()


def words_of(data: UInt8) -> NDArray[np.int64]:
    """Return the little-endian 32-bit words of blocks, one after another, and a zero to read ahead into."""
    words = np.ascontiguousarray(data).reshape(-1).view("<u4")
    wide = np.zeros(words.size + 1, dtype=np.int64)
    wide[:-1] = words
    return wide


def room(count: int) -> NDArray[np.int64]:
    """Return room for a block rule to work in, which ``drive`` passes on."""
    return np.zeros(count, dtype=np.int64)


def drive(driver: Callable[..., None], data: UInt8, columns: int, out: NDArray[Any], *settings: Any) -> None:
    """Decode rows of blocks into ``out`` by a driver, and count its rules as used.

    Parameters
    ----------
    driver : callable
        ``driver(words, columns, out, *settings)``, which only reads whole numbers by index and writes texels.
    data : uint8
        Blocks, row by row.
    columns : int
        Blocks in a row.
    out : array, shape (rows of blocks, height of a block, columns, width of a block, ...)
        Texels; so shaped, that it is an image of whole blocks when its first and its next two axes are joined.
    settings : int, bool, or int64 array
        What the rules are told besides, and room to work in.
    """
    note(rules_of(driver))
    words = words_of(data)
    if out.size == 0:
        return
    if math.prod(out.shape[:4]) <= INTERPRETED_TEXELS and driver not in _loaded:
        driver(words.tolist(), columns, out, *(s.tolist() if isinstance(s, np.ndarray) else s for s in settings))
        return
    _loaded.add(driver)
    compiled_with_callees(driver)(words, columns, out, *settings)
