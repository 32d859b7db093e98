"""How is a mistake in somebody's scene told: by the line of the scene, not by a traceback through refnvn?

What went wrong in refnvn itself keeps its traceback. Read next: ``case.py``.
"""

from __future__ import annotations

import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType

import refnvn
from refnvn.errors import ArgumentError, RefnvnError

_PACKAGE = Path(refnvn.__file__).parent
_LIBRARIES = ("site-packages", "dist-packages", f"{Path(traceback.__file__).parent}")


@contextmanager
def told_by_line(what: str) -> Iterator[None]:
    """Turn an error of Python that an author's line raised into one sentence about that line.

    Parameters
    ----------
    what : str
        What the author wrote, as the sentence begins.

    Raises
    ------
    ArgumentError
        With file, line, and Python's own words.
    """
    try:
        yield
    except RefnvnError:
        raise
    except Exception as error:
        place = _authors_line(error.__traceback__)
        if place is None:
            raise
        raise ArgumentError(f"{what}: {place}: {type(error).__name__}: {error}") from error


def _authors_line(trace: TracebackType | None) -> str | None:
    """Return ``file:line`` of the innermost line that is no library's; None where that is refnvn's own."""
    for frame in reversed(traceback.extract_tb(trace)):
        if Path(frame.filename).is_relative_to(_PACKAGE):
            return None
        if not any(one in frame.filename for one in _LIBRARIES):
            return f"{Path(frame.filename).name}:{frame.lineno}"
    return None
