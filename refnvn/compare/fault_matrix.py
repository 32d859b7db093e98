"""Which golden tells which fault from the rule, and which faults look alike there?

For each scene of the catalogue every modelled fault that it can reach is replayed and judged by the golden, slack on.
A fault that is wrong there is *seen*; faults that leave the same bytes there are *alike*.

Read next: ``candidates.py``.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from refnvn.compare.candidates import left_by, reaches
from refnvn.compare.judge import judge
from refnvn.faults.fault import all_faults
from refnvn.golden.build import build
from refnvn.golden.case import GoldenCase, catalogue
from refnvn.golden.scene import SceneFunction, trace_of
from refnvn.rules.fields import NVN


@dataclass(frozen=True, slots=True)
class MatrixRow:
    """One golden.

    Attributes
    ----------
    golden : str
        Its name.
    seen : dict of str to str
        Each fault that is wrong there, with a digest of what it leaves.
    unseen : tuple of str
        Faults that reach the scene and are not wrong there.
    """

    golden: str
    seen: Mapping[str, str] = field(default_factory=dict)
    unseen: tuple[str, ...] = ()

    @property
    def alike(self) -> tuple[tuple[str, ...], ...]:
        """Groups of faults that leave the same bytes here."""
        groups: dict[str, list[str]] = {}
        for fault, digest in self.seen.items():
            groups.setdefault(digest, []).append(fault)
        return tuple(tuple(sorted(group)) for group in groups.values() if len(group) > 1)


def scene_cases() -> list[GoldenCase]:
    """Return the scenes of the catalogue, by name."""
    return [case for case in catalogue() if isinstance(case.function, SceneFunction)]


def matrix_row(case: GoldenCase) -> MatrixRow:
    """Return which faults a scene's golden sees.

    Parameters
    ----------
    case : GoldenCase
        A scene.
    """
    trace, golden = trace_of(case), build(case)
    seen: dict[str, str] = {}
    unseen = []
    for fault in all_faults().values():
        if not reaches(fault, trace, golden.reached):
            continue
        left = left_by(fault, trace, NVN)
        if left.error or not judge(golden, left.results, most_places=0).wrong:
            unseen.append(fault.id)
            continue
        ordered = sorted(left.results.items())
        digest = hashlib.sha256(b"".join(name.encode() + b"\0" + content for name, content in ordered))
        seen[fault.id] = digest.hexdigest()
    return MatrixRow(case.name, seen, tuple(unseen))


def never_seen(rows: Iterable[MatrixRow]) -> list[str]:
    """Return the modelled faults that no golden sees."""
    seen = {fault for row in rows for fault in row.seen}
    return [fault for fault in all_faults() if fault not in seen]


def always_alike(rows: Iterable[MatrixRow]) -> list[tuple[str, ...]]:
    """Return groups of faults that every golden which sees one of them sees as the same.

    Such faults cannot be told apart by the catalogue.
    """
    where: dict[str, dict[str, str]] = {}
    for row in rows:
        for fault, digest in row.seen.items():
            where.setdefault(fault, {})[row.golden] = digest
    groups: dict[tuple[tuple[str, str], ...], list[str]] = {}
    for fault, digests in where.items():
        groups.setdefault(tuple(sorted(digests.items())), []).append(fault)
    return sorted(tuple(sorted(group)) for group in groups.values() if len(group) > 1)
