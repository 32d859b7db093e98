"""What is the text of the arithmetic that a kernel needs?

Copied from the modules where the rules stand, so that there is one meaning: without decorators, annotations and
docstrings, tables written out. ``select`` is not copied: in a kernel it chooses between scalars.
"""

from __future__ import annotations

import ast
import functools
import inspect
from collections.abc import Iterable
from types import ModuleType

import numpy as np

from refnvn.shader import bits
from refnvn.shader.operations import ARITHMETIC_MODULES


def _bare(function: ast.FunctionDef) -> str:
    """Return a function's text without decorators, annotations and docstring."""
    function.decorator_list, function.returns = [], None
    for argument in function.args.args:
        argument.annotation = None
    if isinstance(function.body[0], ast.Expr) and isinstance(function.body[0].value, ast.Constant):
        function.body = function.body[1:]
    return ast.unparse(function)


@functools.cache
def _definitions() -> dict[str, tuple[str, frozenset[str]]]:
    """Return text and used names of every constant and function that arithmetic is written with, in order."""
    found: dict[str, tuple[str, frozenset[str]]] = {}
    modules: tuple[ModuleType, ...] = (bits, *ARITHMETIC_MODULES)
    for module in modules:
        for node in ast.parse(inspect.getsource(module)).body:
            used = frozenset(name.id for name in ast.walk(node) if isinstance(name, ast.Name))
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                name = node.targets[0].id
                found[name] = _constant(name, vars(module)[name], node, used)
            elif isinstance(node, ast.FunctionDef) and node.name != "select":
                found[node.name] = (f"@compiled\n{_bare(node)}", used)
    return found


def _constant(name: str, value: object, node: ast.Assign, used: frozenset[str]) -> tuple[str, frozenset[str]]:
    """Return the text of a constant; a table is written out."""
    if isinstance(value, np.ndarray):
        return f"{name} = np.array({value.tolist()}, np.{value.dtype})", frozenset()
    return ast.unparse(node), used


def arithmetic_text(functions: Iterable[str]) -> str:
    """Return the text of functions of the arithmetic modules and of all that they use."""
    definitions = _definitions()
    needed: set[str] = set()
    waiting = list(functions)
    while waiting:
        name = waiting.pop()
        if name in definitions and name not in needed:
            needed.add(name)
            waiting.extend(definitions[name][1])
    return "\n\n".join(text for name, (text, _) in definitions.items() if name in needed)
