"""How is a golden written as a folder, and read back without believing the folder?

The folder holds ``golden.json`` and one ``.npy`` file per array; ``docs/golden-bundle.md`` lists both field by field.
It appears whole or not at all. What is read is checked against its hashes, then the golden is described anew, and
whatever the description and ``golden.json`` do not agree on is refused.

What it does not do: it reads no other version than its own. Read next: ``accepted.py``.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from refnvn.commands.result_rules import MOST_ELEMENTS, check_result_name
from refnvn.containers.npy import npy_bytes, read_npy
from refnvn.errors import InputFileError, RefnvnError
from refnvn.files import check_replaceable, new_folder, read_file, write_file
from refnvn.golden.case import check_case_name
from refnvn.golden.manifest import (
    VERSION,
    FileEntry,
    Manifest,
    OutcomeEntry,
    ResultEntry,
    describe,
    needs_padding_file,
    outcome_file,
    padding_file,
)
from refnvn.golden.model import (
    MOST_CHOICES,
    MOST_SETTINGS,
    Choice,
    Golden,
    GoldenResult,
    Outcome,
    Reason,
    RuleUse,
    Setting,
    marks,
)
from refnvn.golden.preview import preview_png
from refnvn.golden.result import DTYPES, MOST_AXES, Image, Result
from refnvn.rules.evidence import Evidence

MANIFEST = "golden.json"
DIGEST = "sha256_of_this"
MOST_JSON_B = 1 << 26
MOST_HEADER_B = 1 << 12

_WORD = re.compile(r"[a-z][a-z0-9_]{0,63}")
_U16 = np.dtype(np.uint16)
_U8 = np.dtype(np.uint8)


def write_bundle(golden: Golden, path: Path | str) -> None:
    """Write a golden as a folder, in one step.

    Parameters
    ----------
    golden : Golden
        What to write; equal goldens give equal bytes.
    path : Path or str
        Made where it is missing, with the folders on the way. A folder that stands there must be empty, or a bundle
        and nothing besides: it is replaced as a whole.

    Raises
    ------
    InputFileError
        Where something else stands at ``path``.
    """
    check_bundle_replaceable(path)
    contents = bundle_files(golden)
    with new_folder(path, parents=True) as folder:
        for name, content in contents.items():
            write_file(folder / name, content)


class _Listed(msgspec.Struct):
    refnvn_golden: int
    files: dict[str, Any]


def check_bundle_replaceable(path: Path | str) -> None:
    """Raise unless a bundle may be written at ``path``, which loses nothing but another bundle.

    Raises
    ------
    InputFileError
        For anything else that stands there, or lies in the bundle without being listed.
    """

    def listed(content: bytes) -> list[str]:
        try:
            return list(msgspec.json.decode(content, type=_Listed).files)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise InputFileError(f"{path}: is in the way: its {MANIFEST} is not that of a golden bundle") from error

    check_replaceable(path, MANIFEST, listed)


def bundle_files(golden: Golden) -> dict[str, bytes]:
    """Return the files of a bundle by name, ``golden.json`` last."""
    contents = {name: npy_bytes(array) for name, array in golden_arrays(golden).items()}
    for result in golden.results:
        if png := preview_png(result.base):
            contents[f"{result.base.name}.png"] = png
    manifest = describe(golden, {name: _entry(content) for name, content in contents.items()})
    text = msgspec.json.format(msgspec.json.encode(manifest), indent=1) + b"\n"
    return {**dict(sorted(contents.items())), MANIFEST: text}


def golden_arrays(golden: Golden) -> dict[str, NDArray[Any]]:
    """Return every array of a golden by the name of its file in a bundle."""
    arrays: dict[str, NDArray[Any]] = {}
    for result in golden.results:
        name = result.base.name
        arrays[f"{name}.npy"] = result.base.array
        arrays[f"{name}.mask.npy"] = result.mask
        arrays[f"{name}.field.npy"] = result.field_index
        for outcome in result.outcomes:
            choice = golden.choices[outcome.choice]
            arrays[outcome_file(name, choice, outcome.setting)] = outcome.array
            if needs_padding_file(result, outcome):
                arrays[padding_file(name, choice, outcome.setting)] = outcome.padding.astype(np.uint8)
    return arrays


def _entry(content: bytes) -> FileEntry:
    return FileEntry(size_B=len(content), sha256=hashlib.sha256(content).hexdigest())


def read_bundle(path: Path | str) -> Golden:
    """Read a bundle and check all that can be checked.

    Parameters
    ----------
    path : Path or str
        The folder.

    Raises
    ------
    InputFileError
        For another version, unknown fields, a missing, changed or truncated file, a name that is not allowed, or a
        ``golden.json`` that does not fit the arrays.
    """
    folder = Path(path)
    manifest = _read_manifest(folder / MANIFEST)
    try:
        golden = _Reader(folder, manifest).golden()
        described = describe(golden, manifest.files)
        if described != manifest:
            raise InputFileError(f"{_first_difference(described, manifest)} does not fit")
    except InputFileError as error:
        raise InputFileError(_once(f"{folder / MANIFEST}: ", str(error), str(folder))) from error
    except RefnvnError as error:
        raise InputFileError(f"{folder / MANIFEST}: {error}") from error
    return golden


def _once(prefix: str, text: str, folder: str) -> str:
    return text if text.startswith(folder) else prefix + text


class _Version(msgspec.Struct):
    refnvn_golden: int


def _read_manifest(path: Path) -> Manifest:
    content = read_file(path, MOST_JSON_B)
    try:
        version = msgspec.json.decode(content, type=_Version).refnvn_golden
        if version != VERSION:
            raise InputFileError(f"{path}: golden bundle of version {version}, allowed is {VERSION}")
        return msgspec.json.decode(content, type=Manifest)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise InputFileError(f"{path}: is not a golden bundle: {error}") from error


def _first_difference(one: Manifest, other: Manifest) -> str:
    """Return the name of the first field of ``golden.json`` that differs."""
    for field in Manifest.__struct_fields__:
        if field not in ("results", DIGEST) and getattr(one, field) != getattr(other, field):
            return field
    for mine, theirs in zip(one.results, other.results, strict=False):
        for field in ResultEntry.__struct_fields__:
            if getattr(mine, field) != getattr(theirs, field):
                return f"{field} of result {mine.name}"
    return DIGEST if one.results == other.results else "results"


class _Reader:
    """One reading of one bundle: takes names from the manifest only after it has looked at them."""

    def __init__(self, folder: Path, manifest: Manifest) -> None:
        self.folder = folder
        self.manifest = manifest
        self.expected: set[str] = set()

    def golden(self) -> Golden:
        """Return the golden, all of its files read and hashed."""
        manifest = self.manifest
        check_case_name(manifest.name)
        choices = self.choices()
        numbers = {
            (c.field, s.name): (i, j) for i, c in enumerate(choices) for j, s in enumerate(c.settings, start=1)
        }
        results = tuple(self.result(entry, choices, numbers) for entry in manifest.results)
        if not results or len({r.base.name for r in results}) != len(results):
            raise InputFileError("results: none, or two of the same name")
        if self.expected != set(manifest.files):
            raise InputFileError(f"files: {min(self.expected ^ set(manifest.files))!r} is missing or unused")
        return Golden(
            name=manifest.name, t_test=manifest.t_test, says=manifest.says, ledger=manifest.ledger,
            refnvn_version=manifest.refnvn_version, reached=manifest.fields_reached, choices=choices,
            rules=self.rules(), results=results,
        )  # fmt: skip

    def choices(self) -> tuple[Choice, ...]:
        """Return the choices, their names fit for file names."""
        entries = self.manifest.choices
        if len(entries) > MOST_CHOICES or any(not 1 <= len(e.settings) <= MOST_SETTINGS for e in entries):
            raise InputFileError(f"choices: allowed are {MOST_CHOICES} of 1 to {MOST_SETTINGS} settings")
        for entry in entries:
            names = [entry.default, *(s.setting for s in entry.settings)]
            if len(set(names)) != len(names) or not all(_WORD.fullmatch(word) for word in (entry.field, *names)):
                raise InputFileError(f"choices: {entry.field!r} or its settings are no names of fields")
        if len({entry.field for entry in entries}) != len(entries):
            raise InputFileError("choices: a field stands twice")
        return tuple(
            Choice(e.field, e.scope, e.default, tuple(
                Setting(s.setting, Reason[s.reason.upper()], s.because) for s in e.settings
            ))
            for e in entries
        )  # fmt: skip

    def rules(self) -> tuple[RuleUse, ...]:
        """Return the rules with their evidence."""
        ranks = {rank.name.lower(): rank for rank in Evidence}
        unknown = [entry.evidence for entry in self.manifest.rules if entry.evidence not in ranks]
        if unknown:
            raise InputFileError(f"rules: evidence {unknown[0]!r}, allowed are {', '.join(ranks)}")
        return tuple(
            RuleUse(id=e.id, says=e.says, evidence=ranks[e.evidence], exactness=e.exactness)
            for e in self.manifest.rules
        )

    def result(
        self, entry: ResultEntry, choices: tuple[Choice, ...], numbers: Mapping[tuple[str, str], tuple[int, int]]
    ) -> GoldenResult:
        """Return one result, its marks checked against its outcomes."""
        check_result_name(entry.name)
        if entry.dtype not in DTYPES:
            raise InputFileError(f"result {entry.name}: dtype {entry.dtype!r}, allowed are {', '.join(DTYPES)}")
        dtype = np.dtype(entry.dtype).newbyteorder("<")
        array = self.array(f"{entry.name}.npy", dtype, entry.shape)
        mask = self.array(f"{entry.name}.mask.npy", _U16, entry.shape)
        field_index = self.array(f"{entry.name}.field.npy", _U8, entry.shape)
        padding = (mask & np.uint16(Reason.PADDING)) != 0
        if entry.preview_file is not None:
            self.content(f"{entry.name}.png", MOST_JSON_B)
        base = Result(
            name=entry.name, array=array, kind=entry.kind, axes=entry.axes, columns=entry.columns,
            row_labels=entry.row_labels, any_mask=padding if padding.any() else None, exactness=entry.exactness,
            image=None if entry.image is None else Image(**msgspec.structs.asdict(entry.image)),
        )  # fmt: skip
        outcomes = [self.outcome(entry, o, dtype, padding, numbers) for o in (*entry.alternatives, *entry.variants)]
        outcomes.sort(key=lambda outcome: (outcome.choice, outcome.setting))
        expected = marks(array, padding, outcomes, choices)
        if not np.array_equal(expected[0], mask) or not np.array_equal(expected[1], field_index):
            raise InputFileError(
                f"result {entry.name}: its mask or field index does not follow from its alternatives"
            )
        return GoldenResult(base, tuple(outcomes), mask, field_index)

    def outcome(
        self,
        result: ResultEntry,
        entry: OutcomeEntry,
        dtype: np.dtype[Any],
        padding: NDArray[np.bool_],
        numbers: Mapping[tuple[str, str], tuple[int, int]],
    ) -> Outcome:
        """Return one result under one other setting."""
        if (entry.field, entry.setting) not in numbers:
            raise InputFileError(
                f"result {result.name}: {entry.field!r} = {entry.setting!r} is not among the choices"
            )
        stem = f"{result.name}.{entry.field}.{entry.setting}"
        array = self.array(f"{stem}.npy", dtype, entry.shape)
        if entry.padding_file is not None:
            stored = self.array(f"{stem}.padding.npy", _U8, entry.shape)
            padding = stored != 0
        elif entry.shape != result.shape:
            padding = np.zeros(entry.shape, dtype=np.bool_)
        return Outcome(*numbers[(entry.field, entry.setting)], array, padding, entry.row_labels)

    def array(self, name: str, dtype: np.dtype[Any], shape: tuple[int, ...]) -> NDArray[Any]:
        """Return the array of one file; sizes are looked at before anything is read."""
        elements = 1
        for size in shape:
            elements *= size if 1 <= size <= MOST_ELEMENTS else MOST_ELEMENTS + 1
        if not 1 <= len(shape) <= MOST_AXES or elements > MOST_ELEMENTS:
            raise InputFileError(f"{name}: shape {list(shape)[:8]}, allowed are 1 to {MOST_AXES} axes, 2^28 elements")
        size_B = elements * dtype.itemsize
        array = read_npy(self.content(name, size_B + MOST_HEADER_B), limit_B=size_B)
        if array.dtype != dtype or array.shape != shape:
            raise InputFileError(f"{name}: holds {array.dtype.name} {array.shape}, not {dtype.name} {shape}")
        array = array.astype(dtype, copy=False)
        array.setflags(write=False)
        return array

    def content(self, name: str, limit_B: int) -> bytes:
        """Return the bytes of one file after comparing them with the manifest's hash."""
        self.expected.add(name)
        if name not in self.manifest.files:
            raise InputFileError(f"files: {name!r} is missing")
        content = read_file(self.folder / name, limit_B)
        if _entry(content) != self.manifest.files[name]:
            raise InputFileError(f"{self.folder / name}: its size or SHA-256 is not what {MANIFEST} says")
        return content
