"""How is the outcome of a conformance run told, to people and to programs?

A line per file; per array on request, and always for arrays that are wrong. The JSON object holds all of it.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from refnvn.conformance.score import ArrayScore, FileScore, Status

_COUNTS = ("cases", "equal", "within", "wrong")
_TITLES = ("file", "cases", "equal", "within", "wrong", "largest error", "status")


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """The scores of all files of a run, in order."""

    files: tuple[FileScore, ...]

    def total(self, field: str) -> int:
        """Return the sum of a count (``cases``, ``equal``, ``within``, ``wrong``) over all files."""
        return sum(file.total(field) for file in self.files)

    def arrays(self, status: Status) -> int:
        """Return how many arrays have a status."""
        return sum(score.status is status for file in self.files for score in file.arrays)

    def exit_code(self, strict: bool = False) -> int:
        """Return 1 if anything is wrong beyond what is known, or if ``strict`` and anything was not run; else 0."""
        if self.arrays(Status.WRONG):
            return 1
        return 1 if strict and self.arrays(Status.NOT_RUN) else 0

    def text(self, details: bool = False) -> str:
        """Return a table: a line per file, its arrays under it if ``details`` or if they are wrong."""
        rows: list[tuple[str, ...]] = [_TITLES]
        for file in self.files:
            rows.append(_file_row(file))
            rows += [_array_row(a) for a in file.arrays if details or a.status in (Status.WRONG, Status.KNOWN)]
        rows.append(self._total_row())
        return "\n".join(_aligned(rows)) + "\n"

    def _total_row(self) -> tuple[str, ...]:
        counts = tuple(str(self.total(field)) for field in _COUNTS)
        statuses = ", ".join(f"{self.arrays(s)} {s}" for s in Status if self.arrays(s)) or "nothing"
        return (f"{len(self.files)} files", *counts, "", f"arrays: {statuses}")

    def as_dict(self) -> dict[str, Any]:
        """Return everything as plain lists, texts and numbers, ready for JSON."""
        return {
            "files": [_file_dict(file) for file in self.files],
            **{field: self.total(field) for field in _COUNTS},
            "arrays": {status.value: self.arrays(status) for status in Status},
        }


def _file_dict(file: FileScore) -> dict[str, Any]:
    return {
        "file": file.file,
        "path": file.path,
        "schema": file.schema,
        "status": file.status.value,
        **{field: file.total(field) for field in _COUNTS},
        "arrays": [
            {**asdict(score), "rules": list(score.rules), "status": score.status.value} for score in file.arrays
        ],
    }


def _file_row(file: FileScore) -> tuple[str, ...]:
    skipped = sum(a.status is Status.NOT_RUN for a in file.arrays)
    note = f" ({skipped} of {len(file.arrays)} arrays not run)" if 0 < skipped < len(file.arrays) else ""
    if file.status in (Status.NOT_RUN, Status.INFORMATION) and file.arrays:
        note = f": {file.arrays[0].reason}"
    counts = tuple(str(file.total(field)) for field in _COUNTS)
    return (file.file, *counts, f"{file.largest_error:g}", file.status.value + note)


def _array_row(score: ArrayScore) -> tuple[str, ...]:
    counts = tuple(str(getattr(score, field)) for field in _COUNTS)
    error = f"{score.largest_error:g} {score.unit}" if score.largest_error else "0"
    note = f": {score.reason}" if score.reason else ""
    return ("  " + score.array, *counts, error, score.status.value + note)


def _aligned(rows: list[tuple[str, ...]]) -> list[str]:
    widths = [max(len(row[i]) for row in rows) for i in range(len(_TITLES) - 1)]
    lines = []
    for row in rows:
        cells = [row[0].ljust(widths[0]), *(cell.rjust(w) for cell, w in zip(row[1:-1], widths[1:], strict=True))]
        lines.append("  ".join([*cells, row[-1]]).rstrip())
    return lines
