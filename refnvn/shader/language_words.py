"""What is a word of the shader language? It means something inside a shader only, where it is read and never called.

Read next: ``language.py``, ``language_textures.py``.
"""

from __future__ import annotations

from typing import Any

from refnvn.errors import ArgumentError


class Word:
    """A word of the shader language: a function, a type, or a place of the interface.

    Attributes
    ----------
    name : str
        As the language writes it.
    """

    def __init__(self, name: str) -> None:
        self.name = name

    def __call__(self, *_arguments: Any, **_named: Any) -> Any:
        """Raise, except for a place of the interface, which stands as the default of a parameter."""
        raise ArgumentError(f"{self.name} is a word of the shader language; it means something inside a shader only")

    def __repr__(self) -> str:
        return f"<shader language: {self.name}>"


class Place(Word):
    """``attribute(location)`` or ``varying(location, interpolation)``: the default of a shader's parameter."""

    def __call__(self, *_arguments: Any, **_named: Any) -> Any:
        """Return the word itself: what the place is is read from the source."""
        return self


def slot_of(block: type, base: str, binding: object) -> int:
    """Return the slot that the class of a block names.

    Raises
    ------
    ArgumentError
        Where it names none.
    """
    if not isinstance(binding, int) or isinstance(binding, bool):
        found = "no binding" if binding is None else f"the binding {binding!r}"
        raise ArgumentError(f"{block.__name__} has {found}; write class {block.__name__}({base}, binding=0)")
    return binding
