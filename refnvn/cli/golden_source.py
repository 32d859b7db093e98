"""A golden by name or by folder."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from refnvn.golden.model import Golden


def golden_from(name: str) -> Golden:
    """Return the golden of a bundle's folder, or of a case of the catalogue, built now.

    Raises
    ------
    RefnvnError
        For a folder that is no bundle, or a name that is no case.
    """
    from refnvn.golden.build import build
    from refnvn.golden.bundle import read_bundle
    from refnvn.golden.case import case_named

    if Path(name).is_dir():
        return read_bundle(Path(name))
    return build(case_named(name))
