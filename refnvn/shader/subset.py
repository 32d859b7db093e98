"""How does a Python function become a shader?

Its source is read as a syntax tree and taken apart; nothing of it is run. Names that are not its own are looked up
where the function stands: words of the language, plain numbers, uniform blocks, and other functions, which are put in
where they are called. What the language is: ``docs/shader-subset.md``.

Read next: ``subset_entry.py`` (signature and results), ``subset_body.py`` (statements).
"""

from __future__ import annotations

import ast
import builtins
import inspect
import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from refnvn.errors import ArgumentError


class ShaderSourceError(ArgumentError):
    """Something in a shader's source is not in the subset; names file, line and the line's text."""


@dataclass(frozen=True)
class Source:
    """The syntax tree of a function, and where it stands.

    Attributes
    ----------
    function : ast.FunctionDef
        The tree.
    file : str
        The file's name, as errors give it.
    first_line : int
        The line of the file at which ``lines`` starts.
    lines : tuple of str
        The source.
    names : dict
        What names mean there that are not the function's own.
    """

    function: ast.FunctionDef
    file: str
    first_line: int
    lines: tuple[str, ...]
    names: dict[str, Any]

    def error(self, node: ast.AST, what: str) -> ShaderSourceError:
        """Return the error of a place in the source."""
        line = getattr(node, "lineno", 1)
        text = self.lines[line - 1].strip() if line <= len(self.lines) else ""
        return ShaderSourceError(f"{self.file}:{self.first_line + line - 1}: {what}: {text!r}")


def _names_of(function: Callable[..., Any]) -> dict[str, Any]:
    """Return what the names in a function mean that are not its own."""
    closure = function.__closure__ or ()
    cells: dict[str, Any] = {}
    for name, cell in zip(function.__code__.co_freevars, closure, strict=True):
        try:
            cells[name] = cell.cell_contents
        except ValueError:  # not assigned yet
            continue
    return {**vars(builtins), **function.__globals__, **cells, **_annotated(function)}


def _annotated(function: Callable[..., Any]) -> dict[str, Any]:
    """Return the classes that annotations name: a block in the function around has no cell."""
    found = (one for one in function.__annotations__.values() if inspect.isclass(one))
    return {one.__name__: one for one in found if one.__module__ == function.__module__}


def source_of(function: Callable[..., Any]) -> Source:
    """Return the source of a function.

    Raises
    ------
    ShaderSourceError
        Where Python does not have it, or it is not a plain function.
    """
    if not inspect.isfunction(function):
        raise ShaderSourceError(f"{function!r} is no plain function; a shader is written as one with `def`")
    try:
        lines, first_line = inspect.getsourcelines(function)
        tree = ast.parse(textwrap.dedent("".join(lines)))
    except (OSError, SyntaxError) as error:
        raise ShaderSourceError(f"the source of {function.__name__} cannot be read: {error}") from None
    definition = tree.body[0]
    file = Path(function.__code__.co_filename).name
    if not isinstance(definition, ast.FunctionDef):
        instead = "with `async def`" if isinstance(definition, ast.AsyncFunctionDef) else "as a lambda"
        raise ShaderSourceError(f"{file}:{first_line}: a shader is written as a function with `def`, not {instead}")
    return Source(definition, file, first_line, tuple(lines), _names_of(function))
