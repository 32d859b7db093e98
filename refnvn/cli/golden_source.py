"""A golden by name, by the folder of a bundle, or of a trace."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from refnvn.golden.model import Golden


def is_trace(path: Path) -> bool:
    """Whether a path names a trace: a zip, or a folder with a ``trace.json``."""
    from refnvn.trace.sources import TRACE_JSON

    return path.suffix.lower() == ".zip" or (path / TRACE_JSON).is_file()


def golden_from(name: str) -> Golden:
    """Return the golden of a bundle's folder, of a trace, or of a case of the catalogue; the last two are built now.

    Raises
    ------
    RefnvnError
        For a folder that is no bundle, a trace that cannot be read or replayed, or a name that is no case.
    """
    from refnvn.cli.scene_source import scene_from
    from refnvn.golden.build import build
    from refnvn.golden.bundle import read_bundle
    from refnvn.golden.case import case_named

    path = Path(name)
    if is_trace(path):
        return scene_from(name).golden()
    return read_bundle(path) if path.is_dir() else build(case_named(name))
