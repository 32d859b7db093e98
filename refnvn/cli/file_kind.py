"""What kind of file is this, by its first bytes and by its name?

The first bytes decide. A name that promises a form which they do not begin is an error: taken for raw texels, a cut
or garbled picture would fail later with another complaint, or not at all.
"""

from __future__ import annotations

from pathlib import Path

from refnvn.cli.output import FORMS
from refnvn.containers.sniff import FileKind, kind_of
from refnvn.errors import InputFileError

_SNIFFED = (".png", ".dds", ".ktx2", ".npy", ".pfm")


def file_kind(path: Path, content: bytes) -> FileKind:
    """Return the kind of a file, ``raw`` where neither its bytes nor its name say more.

    Raises
    ------
    InputFileError
        The name ends in a form that the bytes do not begin.
    """
    kind, ending = kind_of(content), path.suffix.lower()
    if kind == "raw" and ending in _SNIFFED:
        begins = f"begins with {content[:8].hex(' ')}" if content else "is empty"
        raise InputFileError(
            f"{path}: ends in {ending} but {begins}, which is not {FORMS[ending]}; raw bytes need another name"
        )
    return kind
