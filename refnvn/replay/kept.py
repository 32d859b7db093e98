"""What was found out for one draw, and still holds at the next: kept as long as it rests on the very same things.

The state of a queue is never changed in place (``state.py``): where a field holds the same object as before, nothing
that follows from it is different. What is compared is which objects they are, not what they hold, so that numbers
that are equal and differ in their bits, as the two zeros, are never taken for each other.

Who looks on wants to hear of every rule where it is asked: then nothing is kept. Read next: ``draw_state.py``.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import is_
from typing import Any, ParamSpec, TypeVar

from refnvn.rules.registry import collect, note

P = ParamSpec("P")
T = TypeVar("T")


class Kept:
    """The last answer to each of some questions; a rule that gave one counts each time that it is given again.

    Attributes
    ----------
    keeps : bool
        Whether anything is kept.

    Examples
    --------
    >>> kept, asked = Kept(), []
    >>> def size(of):
    ...     asked.append(of)
    ...     return len(of)
    >>> three = (1, 2, 3)
    >>> [kept.of(size, (one,), one) for one in (three, three, (4,))], len(asked)
    ([3, 3, 1], 2)
    """

    def __init__(self) -> None:
        self.keeps = True
        self._answers: dict[Callable[..., Any], tuple[tuple[object, ...], frozenset[str], Any]] = {}

    def of(self, question: Callable[P, T], rests_on: tuple[object, ...], *args: P.args, **kwargs: P.kwargs) -> T:
        """Return the answer to a question.

        Parameters
        ----------
        question : callable
            Gives the answer, or raises, which is not kept.
        rests_on : tuple
            The things that it rests on, besides what is the same through the whole replay.
        args, kwargs
            What the question is called with.
        """
        if not self.keeps:
            return question(*args, **kwargs)
        held = self._answers.get(question)
        if held is not None and all(map(is_, held[0], rests_on)):
            note(held[1])
            answer: T = held[2]
            return answer
        with collect() as used:
            answer = question(*args, **kwargs)
        self._answers[question] = rests_on, frozenset(used), answer
        return answer

    def forget(self, question: Callable[..., Any]) -> None:
        """Keep the answer to a question no longer."""
        self._answers.pop(question, None)
