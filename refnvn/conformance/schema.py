"""What is a schema of vector files? One that recognises a file and scores its arrays.

Read next: ``schemas.py`` (all of them in order), ``hardware_formats.py`` (five of them).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from refnvn.conformance.score import ArrayScore
from refnvn.conformance.vector_file import VectorFile
from refnvn.rules.fields import Rules


@dataclass(frozen=True, slots=True, kw_only=True)
class Schema:
    """A kind of vector file.

    Attributes
    ----------
    name : str
        For reports.
    recognises : callable
        Whether a file is of this kind, by what it holds and not by its name. Looks at headers or keys only.
    score : callable
        The scores of its arrays. Raises ``InputFileError`` where they do not fit the schema.
    """

    name: str
    recognises: Callable[[VectorFile], bool]
    score: Callable[[VectorFile, Rules], Iterable[ArrayScore]]
