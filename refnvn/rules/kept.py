"""What was found out for one draw, and still holds at the next: kept as long as it rests on the very same things.

The state of a queue is never changed in place (``state.py``): where a field holds the same object as before, nothing
that follows from it is different. What is compared is which objects they are, not what they hold, so that numbers
that are equal and differ in their bits, as the two zeros, are never taken for each other.

Who looks on wants to hear of every rule where it is asked: then nothing is kept. Read next:
``refnvn/replay/draw_state.py``, which asks most.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, NamedTuple, ParamSpec, TypeVar

from refnvn.rules.registry import collect, note

P = ParamSpec("P")
T = TypeVar("T")
MOST_ANSWERS = 256
"""To each question."""
MOST_THINGS = 4096


class _Answer(NamedTuple):
    """An answer, what it rests on, which thereby stays what it is, and the rules that gave it."""

    given: Any
    rests_on: tuple[object, ...]
    rules: frozenset[str]


class Kept:
    """The answers to some questions; a rule that gave one counts each time that it is given again.

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
    >>> [kept.of(size, (one,), one) for one in (three, (4,), three)], len(asked)
    ([3, 1, 3], 2)
    """

    def __init__(self) -> None:
        self.keeps = True
        self._answers: dict[Callable[..., Any], dict[Hashable, _Answer]] = {}
        self._same: dict[Hashable, Any] = {}

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
        return self._given(question, tuple(map(id, rests_on)), rests_on, args, kwargs)  # type: ignore[no-any-return]

    def by_value(self, question: Callable[P, T], rests_on: Hashable, *args: P.args, **kwargs: P.kwargs) -> T:
        """Return the answer to a question that rests on a value; equal ones must mean the same, as floats do not."""
        return self._given(question, rests_on, (), args, kwargs)  # type: ignore[no-any-return]

    def _given(
        self, question: Callable[..., Any], key: Hashable, rests_on: tuple[object, ...], args: Any, kwargs: Any
    ) -> Any:
        if not self.keeps:
            return question(*args, **kwargs)
        answers = self._answers.get(question)
        if answers is None:
            answers = self._answers[question] = {}
        held = answers.get(key)
        if held is not None:
            note(held.rules)
            return held.given
        with collect() as used:
            given = question(*args, **kwargs)
        if len(answers) >= MOST_ANSWERS:
            answers.clear()
        answers[key] = _Answer(given, rests_on, frozenset(used))
        return given

    def same(self, thing: T, value: Hashable) -> T:
        """Return the first thing that had a value; equal values must mean the same, as floats do not."""
        if not self.keeps:
            return thing
        if len(self._same) >= MOST_THINGS:
            self._same.clear()
        found: T = self._same.setdefault(value, thing)
        return found

    def forget(self, question: Callable[..., Any]) -> None:
        """Keep no answer to a question any longer."""
        self._answers.pop(question, None)
