"""What is a golden case, and which cases are there?

A case is a function of the rules that returns results: tables of numbers, guest bytes, or images. It is run by
``build.py``, once by the rules of NVN and once for each choice that those rules leave open and that it reached::

    @golden_case("tex_layout/auto_block_height", t_test="t_tex_layout", says="Heights come from rows * 3 / 16.")
    def auto_block_height(rules: Rules) -> list[Result]:
        return [table("heights", ("rows", "height_gob"), [(r, height(r, rules)) for r in range(1, 90)])]

A case must be a function of ``rules`` alone: no clock, no randomness without a fixed seed, and no cache that would
hide which fields of the rules were read.

What it does not do: it runs nothing and writes nothing. Read next: ``build.py``.
"""

from __future__ import annotations

import difflib
import importlib
import pkgutil
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from refnvn.errors import ArgumentError
from refnvn.golden.author_errors import told_by_line
from refnvn.golden.result import Image, Result, guest_bytes, image, table
from refnvn.rules.alternatives import Alternative
from refnvn.rules.fields import FIELDS, Rules

__all__ = [
    "GoldenCase", "Image", "Result", "case_named", "catalogue", "golden_case", "guest_bytes", "image", "table",
]  # fmt: skip

_CASE_NAME = re.compile(r"[a-z0-9_]{1,64}/[a-z0-9_]{1,64}")
_TEST_NAME = re.compile(r"t_[a-z0-9_]+")

CaseFunction = Callable[[Rules], Sequence[Result]]


def check_case_name(name: str) -> None:
    """Raise unless ``name`` is ``area/topic``, both of lower-case letters, digits and ``_``."""
    if not _CASE_NAME.fullmatch(name):
        raise ArgumentError(f"golden name {name!r}: allowed is area/topic, each up to 64 of a-z, 0-9 and _")


@dataclass(frozen=True, slots=True, kw_only=True)
class GoldenCase:
    """One case of the catalogue.

    Attributes
    ----------
    name : str
        ``area/topic_variant``.
    t_test : str
        The renderer's test that it serves, ``t_...``.
    says : str
        What it shows, in one sentence.
    ledger : tuple of str
        Rows of the ledger that it serves.
    function : callable
        From the rules to the results.
    fixed : tuple of str
        Stricter than others: fields of the rules that are not tried otherwise, though worlds or slack offer more.
    also : tuple of Alternative
        Wider than others: more slack, for this case alone.
    """

    name: str
    t_test: str
    says: str
    function: CaseFunction
    ledger: tuple[str, ...] = ()
    fixed: tuple[str, ...] = ()
    also: tuple[Alternative, ...] = ()

    def __post_init__(self) -> None:
        check_case_name(self.name)
        if not _TEST_NAME.fullmatch(self.t_test):
            raise ArgumentError(f"golden {self.name}: t_test is {self.t_test!r}, allowed is t_ and a-z, 0-9, _")
        if not self.says.strip() or "\n" in self.says:
            raise ArgumentError(f"golden {self.name}: says is {self.says!r}, allowed is one sentence on one line")
        unknown = [field for field in (*self.fixed, *(one.field for one in self.also)) if field not in FIELDS]
        if unknown:
            raise ArgumentError(f"golden {self.name}: {unknown[0]!r} is no field of the rules")

    def run(self, rules: Rules) -> tuple[Result, ...]:
        """Return the results by ``rules``.

        Raises
        ------
        ArgumentError
            For no results, or two of the same name, or an error of Python on a line of the case.
        """
        with told_by_line(f"golden {self.name}"):
            results = tuple(self.function(rules))
        names = [result.name for result in results]
        if not names:
            raise ArgumentError(f"golden {self.name}: returned no result")
        if len(set(names)) != len(names):
            raise ArgumentError(f"golden {self.name}: two results share a name of {sorted(names)}")
        return results


_CASES: dict[str, GoldenCase] = {}


def golden_case(
    name: str,
    *,
    t_test: str,
    says: str,
    ledger: Sequence[str] = (),
    fixed: Sequence[str] = (),
    also: Sequence[Alternative] = (),
) -> Callable[[CaseFunction], CaseFunction]:
    """Register the function below as a case of the catalogue.

    Parameters
    ----------
    name, t_test, says, ledger, fixed, also
        As of :class:`GoldenCase`.

    Raises
    ------
    ArgumentError
        For a malformed name, or one that another function has.
    """

    def register(function: CaseFunction) -> CaseFunction:
        case = GoldenCase(
            name=name,
            t_test=t_test,
            says=says,
            ledger=tuple(ledger),
            function=function,
            fixed=tuple(fixed),
            also=tuple(also),
        )
        if name in _CASES and _origin(_CASES[name].function) != _origin(function):
            raise ArgumentError(f"golden {name}: two cases have this name, {_origin(_CASES[name].function)} is one")
        _CASES[name] = case
        return function

    return register


def _origin(function: CaseFunction) -> str:
    return f"{function.__module__}.{getattr(function, '__qualname__', '?')}"


def catalogue(package: str = "goldens") -> tuple[GoldenCase, ...]:
    """Import every module of a package and return the cases that they register, by name.

    Parameters
    ----------
    package : str
        An importable package.

    Raises
    ------
    ArgumentError
        Where two cases have the same name.
    """
    root = importlib.import_module(package)
    for found in pkgutil.walk_packages(root.__path__, f"{package}."):
        importlib.import_module(found.name)
    inside = (c for c in _CASES.values() if f"{c.function.__module__}.".startswith(f"{package}."))
    return tuple(sorted(inside, key=lambda case: case.name))


def case_named(name: str, package: str = "goldens") -> GoldenCase:
    """Return a case of the catalogue by its name.

    Raises
    ------
    ArgumentError
        For no such case, with the names that come close.
    """
    cases = {case.name: case for case in catalogue(package)}
    if name not in cases:
        close = difflib.get_close_matches(name, cases, n=3, cutoff=0.4)
        allowed = f"close are {', '.join(close)}" if close else "`refnvn golden list` shows all"
        raise ArgumentError(f"golden {name!r}: no such golden; {allowed}")
    return cases[name]
