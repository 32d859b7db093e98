"""By which arrays is a family of measured vectors known?

A file's name is what people change first, so a schema looks at the names of its arrays; the name only decides between
families whose arrays have the same names (``schemas.py``).
"""

from __future__ import annotations

from collections.abc import Callable

from refnvn.conformance.vector_file import VectorFile

META = "meta"
"""What says how the vectors were measured; every family has it."""


def has_arrays(*needed: str) -> Callable[[VectorFile], bool]:
    """Return whether a file holds ``meta`` and all of some arrays; ``out_*`` is any that begins with ``out_``.

    Examples
    --------
    >>> from pathlib import Path
    >>> has_arrays("out_*")(VectorFile(Path("some.json")))
    False
    """

    def recognises(file: VectorFile) -> bool:
        return META in file.headers and all(_holds(file, name) for name in needed)

    return recognises


def _holds(file: VectorFile, name: str) -> bool:
    if name.endswith("*"):
        return any(one.startswith(name[:-1]) for one in file.headers)
    return name in file.headers
