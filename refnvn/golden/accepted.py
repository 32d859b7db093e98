"""Is a golden what it was when somebody last looked at it and said yes?

Accepted results lie beside the catalogue: ``accepted/<area>/<topic>.json`` with hashes, rules and choices, and an
``.npz`` with the arrays, so that a difference can be shown and not only noticed. Accepting takes a reason, which goes
to ``accepted/CHANGES.md``.

What it does not do: it does not judge other people's results; ``refnvn.compare`` does. Read next: ``export.py``.
"""

from __future__ import annotations

import hashlib
import importlib
import math
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from refnvn.commands.result_rules import MOST_ELEMENTS
from refnvn.containers.npy import npy_bytes
from refnvn.errors import ArgumentError, InputFileError
from refnvn.files import read_file, write_file
from refnvn.golden.archive import npz_bytes, read_npz
from refnvn.golden.build import build
from refnvn.golden.bundle import golden_arrays
from refnvn.golden.case import GoldenCase, check_case_name
from refnvn.golden.model import Golden, bits
from refnvn.golden.result import DTYPES

VERSION = 1
MOST_PLACES = 4
_MOST_JSON_B = 1 << 26
_HEADING = "# Accepted results: what changed, and why\n\n"


class ArrayEntry(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """One array: dtype, shape, and SHA-256 of its npy file."""

    dtype: str
    shape: tuple[int, ...]
    sha256: str


class Accepted(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """What ``accepted/<area>/<topic>.json`` says."""

    refnvn_accepted: int
    name: str
    refnvn_version: str
    rules: dict[str, str]
    choices: dict[str, tuple[str, ...]]
    arrays: dict[str, ArrayEntry]


@dataclass(frozen=True, slots=True)
class Check:
    """What a check found.

    Attributes
    ----------
    name : str
        The golden.
    differences : tuple of str
        One line each; none where the golden is what was accepted.
    """

    name: str
    differences: tuple[str, ...]

    @property
    def same(self) -> bool:
        """Whether the golden is what was accepted."""
        return not self.differences

    def text(self) -> str:
        """Return the check for people."""
        return "\n".join(
            [f"{self.name}: {'as accepted' if self.same else 'DIFFERS'}", *map("  {}".format, self.differences)]
        )


def accepted_folder() -> Path:
    """Return the folder of the catalogue's accepted results."""
    return Path(importlib.import_module("goldens").__path__[0]) / "accepted"


def check(case: GoldenCase, folder: Path | None = None) -> Check:
    """Build a case and compare it with its accepted result; see :func:`check_golden`."""
    return check_golden(build(case), folder)


def accept(case: GoldenCase, reason: str, folder: Path | None = None) -> bool:
    """Build a case and accept it; see :func:`accept_golden`."""
    return accept_golden(build(case), reason, folder)


def check_golden(golden: Golden, folder: Path | None = None) -> Check:
    """Compare a golden with its accepted result.

    Parameters
    ----------
    golden : Golden
        Built now.
    folder : Path or None
        Where accepted results lie; the catalogue's by default.

    Returns
    -------
    Check
        Which arrays differ, in how many elements and where first; rules and choices that came or went.

    Raises
    ------
    InputFileError
        For an accepted result that cannot be read.
    """
    json_path, npz_path = _paths(golden.name, folder)
    if not json_path.exists():
        return Check(golden.name, ("nothing has been accepted yet",))
    accepted = _read(json_path)
    now = golden_arrays(golden)
    differences = [*_rule_differences(accepted, golden), *_choice_differences(accepted, golden)]
    if accepted.arrays != _entries(now):
        differences += _array_differences(_read_arrays(npz_path, accepted), now)
    return Check(golden.name, tuple(differences))


def accepted_arrays(name: str, folder: Path | None = None) -> dict[str, NDArray[Any]]:
    """Return the arrays of an accepted result by file name; none where nothing has been accepted.

    Raises
    ------
    InputFileError
        For an accepted result that cannot be read.
    """
    json_path, npz_path = _paths(name, folder)
    return _read_arrays(npz_path, _read(json_path)) if json_path.exists() else {}


def accept_golden(golden: Golden, reason: str, folder: Path | None = None) -> bool:
    """Make a golden the accepted result, and note why.

    Parameters
    ----------
    golden : Golden
        Built now.
    reason : str
        One line: why it changed, or why it is right.
    folder : Path or None
        Where accepted results lie; the catalogue's by default.

    Returns
    -------
    bool
        False where it was accepted already and nothing was written.

    Raises
    ------
    ArgumentError
        For no reason, or one of several lines.
    """
    reason = reason.strip()
    if not reason or not reason.isprintable():
        raise ArgumentError(f"golden {golden.name}: reason is {reason!r}, allowed is one line of text")
    folder = folder or accepted_folder()
    json_path, npz_path = _paths(golden.name, folder)
    with suppress(InputFileError):
        if npz_path.exists() and check_golden(golden, folder).same:
            return False
    arrays = golden_arrays(golden)
    entry = Accepted(
        refnvn_accepted=VERSION,
        name=golden.name,
        refnvn_version=golden.refnvn_version,
        rules=_rules(golden),
        choices=_choices(golden),
        arrays=_entries(arrays),
    )
    write_file(npz_path, npz_bytes(arrays), parents=True)
    write_file(json_path, msgspec.json.format(msgspec.json.encode(entry), indent=1) + b"\n", parents=True)
    _note(folder / "CHANGES.md", golden, reason)
    return True


def _note(path: Path, golden: Golden, reason: str) -> None:
    before = read_file(path, _MOST_JSON_B).decode("utf-8") if path.exists() else _HEADING
    write_file(path, f"{before}- `{golden.name}`, refnvn {golden.refnvn_version}: {reason}\n")


def _paths(name: str, folder: Path | None) -> tuple[Path, Path]:
    check_case_name(name)
    stem = (folder or accepted_folder()) / name
    return stem.with_name(f"{stem.name}.json"), stem.with_name(f"{stem.name}.npz")


def _rules(golden: Golden) -> dict[str, str]:
    return {use.id: use.evidence.name.lower() for use in golden.rules}


def _choices(golden: Golden) -> dict[str, tuple[str, ...]]:
    return {
        c.field: (c.scope, c.default, *(f"{s.name}: {(s.reason.name or '').lower()}" for s in c.settings))
        for c in golden.choices
    }


def _entries(arrays: Mapping[str, NDArray[Any]]) -> dict[str, ArrayEntry]:
    return {
        name: ArrayEntry(
            dtype=array.dtype.name, shape=array.shape, sha256=hashlib.sha256(npy_bytes(array)).hexdigest()
        )
        for name, array in sorted(arrays.items())
    }


def _read(path: Path) -> Accepted:
    content = read_file(path, _MOST_JSON_B)
    try:
        accepted = msgspec.json.decode(content, type=Accepted)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise InputFileError(f"{path}: is not an accepted result: {error}") from error
    if accepted.refnvn_accepted != VERSION:
        raise InputFileError(f"{path}: accepted result of version {accepted.refnvn_accepted}, allowed is {VERSION}")
    for name, entry in accepted.arrays.items():
        sizes_fit = all(1 <= size <= MOST_ELEMENTS for size in entry.shape[:8])
        if entry.dtype not in DTYPES or not sizes_fit or math.prod(entry.shape[:8]) > MOST_ELEMENTS:
            raise InputFileError(f"{path}: array {name!r} is {entry.dtype!r} {entry.shape[:8]}, which none is")
    return accepted


def _read_arrays(path: Path, accepted: Accepted) -> dict[str, NDArray[Any]]:
    entries = accepted.arrays.items()
    sizes_B = {name: math.prod(entry.shape) * np.dtype(entry.dtype).itemsize for name, entry in entries}
    arrays = read_npz(path, sizes_B)
    if _entries(arrays) != accepted.arrays:
        raise InputFileError(f"{path}: its arrays are not those whose SHA-256 were accepted")
    return arrays


def _rule_differences(accepted: Accepted, golden: Golden) -> Iterator[str]:
    now = _rules(golden)
    for rule_id in sorted(accepted.rules.keys() | now.keys()):
        before, after = accepted.rules.get(rule_id), now.get(rule_id)
        if before is None:
            yield f"rule {rule_id} is used now, and was not"
        elif after is None:
            yield f"rule {rule_id} was used, and is not now"
        elif before != after:
            yield f"rule {rule_id} rests on {after}, accepted was {before}"


def _choice_differences(accepted: Accepted, golden: Golden) -> Iterator[str]:
    now = _choices(golden)
    for name in sorted(accepted.choices.keys() | now.keys()):
        before, after = accepted.choices.get(name), now.get(name)
        if before != after:
            yield f"choice {name} is {_words(after)}, accepted was {_words(before)}"


def _words(choice: tuple[str, ...] | None) -> str:
    return "not reached" if choice is None else " | ".join(choice)


def _array_differences(before: dict[str, NDArray[Any]], now: dict[str, NDArray[Any]]) -> Iterator[str]:
    for name in sorted(before.keys() | now.keys()):
        what = name.removesuffix(".npy")
        if name not in before:
            yield f"{what} is new"
        elif name not in now:
            yield f"{what} is gone"
        elif before[name].dtype != now[name].dtype or before[name].shape != now[name].shape:
            one, other = (f"{a.dtype.name} {a.shape}" for a in (now[name], before[name]))
            yield f"{what} is {one}, accepted was {other}"
        else:
            yield from _element_differences(what, before[name], now[name])


def _element_differences(what: str, before: NDArray[Any], now: NDArray[Any]) -> Iterator[str]:
    places = np.argwhere(bits(before) != bits(now))
    if places.size:
        first = (tuple(place) for place in places[:MOST_PLACES].tolist())
        told = "; ".join(f"{list(p)} accepted {before[p].item()}, now {now[p].item()}" for p in first)
        more = "; ..." if len(places) > MOST_PLACES else ""
        yield f"{what}: {len(places)} of {now.size} elements differ: {told}{more}"
