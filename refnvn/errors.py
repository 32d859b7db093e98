"""Every error that refnvn raises on purpose.

Each carries one sentence that says what was wrong, where, and what was allowed. The command line prints that
sentence and exits with 2; a traceback on the command line is always a bug of refnvn.
"""

from __future__ import annotations

MOST_SHOWN = 120
"""Characters of someone's text that an error repeats."""


def printable(text: str, most: int = MOST_SHOWN) -> str:
    """Return text for one line of an error: nothing that moves a cursor, and cut in the middle where it is long.

    Examples
    --------
    >>> print(printable("two" + chr(10) + "lines"))
    two\\nlines
    >>> printable("a" * 100 + "z", most=10)
    'aaa...aaaz'
    """
    if len(text) > most:
        ahead = (most - 3) // 2
        text = text[:ahead] + "..." + text[len(text) - (most - 3 - ahead) :]
    return "".join(one if one.isprintable() else ascii(one)[1:-1] for one in text)


class RefnvnError(Exception):
    """Base of all errors that tell the user something about their input."""


class ArgumentError(RefnvnError):
    """An argument is not what the call allows."""


class ShapeError(ArgumentError):
    """An array has another shape or dtype than the call needs."""


class SizeError(ArgumentError):
    """A width, height, depth, count or byte size is outside what is allowed."""


class FieldRangeError(ArgumentError):
    """A field holds a value outside its range."""


class UnsupportedFormat(ArgumentError):
    """A format does not have the use that was asked of it."""


class InputFileError(RefnvnError):
    """A file does not hold what it says, or is of no kind refnvn knows."""


class UnknownBehaviour(RefnvnError):
    """Nothing decides what NVN does here, and no choice has been recorded.

    Parameters
    ----------
    rule_id : str
        The rule that would have to be known.
    experiment : str
        The observation that would settle it.
    """

    def __init__(self, rule_id: str, experiment: str) -> None:
        super().__init__(f"{rule_id}: nothing decides this yet; it would be settled by {experiment}")
        self.rule_id = rule_id
        self.experiment = experiment
