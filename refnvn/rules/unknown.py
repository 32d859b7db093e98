"""What is not known and has no choice either: a question with an id, and the observation that would settle it.

A rule that is missing stands as an :class:`Unknown` in the module that needs it, and is raised there. The list is
made from the code, as that of the rules is (``registry.py``); ``refnvn rules --unknown`` shows it.
"""

from __future__ import annotations

from dataclasses import dataclass
from string import Formatter
from typing import Any

from refnvn.errors import UnknownBehaviour


@dataclass(frozen=True, slots=True)
class Unknown:
    """A question that nothing decides.

    Attributes
    ----------
    id : str
        ``AREA-TOPIC-n``: its own, or that of the rule that leaves it out.
    asks : str
        The question in one sentence.
    settled_by : str
        The observation that would settle it; ``{name}`` stands for what an error fills in.
    instead : str
        What somebody can do to stay with what is known; may be empty.
    code : str
        The module that raises it.
    """

    id: str
    asks: str
    settled_by: str
    instead: str
    code: str

    @property
    def observation(self) -> str:
        """What would settle it, with the names of what an error fills in."""
        names = {name: name.upper() for _, name, _, _ in Formatter().parse(self.settled_by) if name}
        return self.settled_by.format(**names)

    def error(self, **found: Any) -> UnknownBehaviour:
        """Return the error of a case, what was found filled in."""
        instead = f"; {self.instead}" if self.instead else ""
        return UnknownBehaviour(self.id, self.settled_by.format(**found) + instead)


_UNKNOWN: dict[tuple[str, str], Unknown] = {}


def unknown(unknown_id: str, asks: str, *, settled_by: str, module: str, instead: str = "") -> Unknown:
    """Register a question.

    Parameters
    ----------
    unknown_id, asks, settled_by, instead
        See :class:`Unknown`.
    module : str
        ``__name__`` of where it stands.

    Examples
    --------
    >>> one = Unknown("TEST-ONE-1", "What is one?", "a count of {number}", "ask for two", "here")
    >>> str(one.error(number=3))
    'TEST-ONE-1: nothing decides this yet; it would be settled by a count of 3; ask for two'
    >>> one.observation
    'a count of NUMBER'
    """
    found = Unknown(unknown_id, asks, settled_by, instead, module)
    if _UNKNOWN.setdefault((unknown_id, asks), found) != found:
        raise ValueError(f"{unknown_id} is asked twice with one sentence")
    return found


def all_unknown() -> list[Unknown]:
    """Return every question, sorted by id; like rules they are known once their modules are imported."""
    from refnvn.rules.registry import load_all

    load_all()
    return [_UNKNOWN[key] for key in sorted(_UNKNOWN)]
