"""The registry of rules, made from the code: one function, one id, one statement with its evidence.

A rule is a function with :func:`rule` on it. The registry is the list of those functions; no second list is kept.
Which rules a piece of work used is collected with :func:`collect`, so that a golden can name them.

What it does not do: it does not hold the *choices* a rule may take; those are fields of
:class:`refnvn.rules.fields.Rules`. Read next: ``fields.py``.
"""

from __future__ import annotations

import functools
import importlib
import pkgutil
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import ParamSpec, TypeVar

from refnvn.rules.evidence import Evidence

P = ParamSpec("P")
R = TypeVar("R")

_ID = re.compile(r"[A-Z0-9]+(-[A-Z0-9]+)+-\d+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One rule of NVN as the registry knows it.

    Attributes
    ----------
    id : str
        ``AREA-TOPIC-n``; never reused.
    says : str
        The rule in one sentence.
    evidence : Evidence
        Rank of the strongest evidence that decides it.
    sources : tuple of str
        Keys of ``sources.toml``.
    ledger : tuple of str
        Rows of the ledger that the rule serves.
    exactness : str
        ``bit-exact``, ``correctly rounded`` or a stated bound.
    refuted_by : str
        The observation that would prove it wrong; needed where the evidence is inferred or open.
    fields : tuple of str
        The fields of ``Rules`` that the rule reads.
    code : str
        ``module.function`` where it is written.
    """

    id: str
    says: str
    evidence: Evidence
    sources: tuple[str, ...]
    ledger: tuple[str, ...]
    exactness: str
    refuted_by: str
    fields: tuple[str, ...]
    code: str


_RULES: dict[str, Rule] = {}
_used: ContextVar[set[str] | None] = ContextVar("used", default=None)


def rule(
    rule_id: str,
    says: str,
    *,
    evidence: Evidence,
    sources: tuple[str, ...],
    ledger: tuple[str, ...] = (),
    exactness: str = "bit-exact",
    refuted_by: str = "",
    fields: tuple[str, ...] = (),
) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Register the function below as the one place where a rule is written.

    Raises
    ------
    ValueError
        On a malformed or repeated id, no source, or an inferred or open rule that nothing could refute.
    """
    if not _ID.fullmatch(rule_id):
        raise ValueError(f"rule id {rule_id!r} is not of the form AREA-TOPIC-n")
    if not sources:
        raise ValueError(f"rule {rule_id} names no source")
    if evidence >= Evidence.INFERRED and not refuted_by:
        raise ValueError(f"rule {rule_id} is {evidence.title} but says nothing that would refute it")

    def register(function: Callable[P, R]) -> Callable[P, R]:
        code = f"{function.__module__}.{function.__qualname__}"
        if rule_id in _RULES and _RULES[rule_id].code != code:
            raise ValueError(f"rule id {rule_id} is taken by {_RULES[rule_id].code}")
        _RULES[rule_id] = Rule(
            id=rule_id, says=says, evidence=evidence, sources=sources, ledger=ledger, exactness=exactness,
            refuted_by=refuted_by, fields=fields, code=code,
        )  # fmt: skip

        @functools.wraps(function)
        def call(*args: P.args, **kwargs: P.kwargs) -> R:
            used = _used.get()
            if used is not None:
                used.add(rule_id)
            return function(*args, **kwargs)

        return call

    return register


@contextmanager
def collect() -> Iterator[set[str]]:
    """Collect the ids of the rules that run inside the block.

    Blocks nest: what an inner block collects counts for the outer one too.
    """
    outer = _used.get()
    used: set[str] = set()
    token = _used.set(used)
    try:
        yield used
    finally:
        _used.reset(token)
        if outer is not None:
            outer |= used


@contextmanager
def uncounted() -> Iterator[None]:
    """Count no rule that runs inside the block: it only prepares what may not be reached."""
    token = _used.set(None)
    try:
        yield
    finally:
        _used.reset(token)


def note(rule_ids: Iterable[str]) -> None:
    """Count rules as used that ran earlier, for an answer that was kept."""
    used = _used.get()
    if used is not None:
        used.update(rule_ids)


def load_all() -> dict[str, Rule]:
    """Import every room that holds rules and return all rules by id, sorted.

    Modules named ``*_kernel``, which compile, and the command line hold none and are not imported.
    """
    import refnvn

    for room in ("formats", "layout", "memory", "nvn", "raster", "replay", "shader", "texture"):
        for found in pkgutil.iter_modules([f"{refnvn.__path__[0]}/{room}"]):
            if not found.name.endswith("_kernel"):
                importlib.import_module(f"refnvn.{room}.{found.name}")
    return dict(sorted(_RULES.items()))


def rules_named(rule_ids: Iterable[str]) -> list[Rule]:
    """Return rules that have been imported, sorted by id; rules that ran always have."""
    return [_RULES[one] for one in sorted(set(rule_ids))]


def weakest(rule_ids: set[str]) -> Evidence | None:
    """Return the weakest evidence among rules that have run; None for no rules."""
    return max((_RULES[i].evidence for i in rule_ids), default=None)
