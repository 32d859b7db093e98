"""What does the syntax tree of a shader say about the ways through it, before anything is compiled?"""

from __future__ import annotations

import ast

SPOKEN: dict[type[ast.AST], str] = {
    ast.While: "a while loop (write for i in range(constant) and break)",
    ast.With: "with",
    ast.Try: "try",
    ast.Raise: "raise",
    ast.FunctionDef: "a function inside a shader (write it outside and call it)",
    ast.ClassDef: "a class inside a shader",
    ast.Import: "import",
    ast.ImportFrom: "import",
    ast.Global: "global",
    ast.Nonlocal: "nonlocal",
    ast.Delete: "del",
    ast.Assert: "assert",
    ast.Expr: "a statement without effect",
    ast.Lambda: "lambda",
    ast.ListComp: "a list comprehension",
    ast.List: "a list",
    ast.Tuple: "a tuple here",
    ast.Dict: "a dict here",
    ast.JoinedStr: "text",
    ast.Constant: "text",
    ast.NamedExpr: ":=",
    ast.Assign: "several targets (write one assignment each)",
    ast.AnnAssign: "an annotation without a value",
    ast.Await: "await",
    ast.Yield: "yield",
}
"""What to call, and say of, what is not in the subset."""


def has_other_parameters(function: ast.FunctionDef) -> bool:
    """Whether a function has parameters that are not simply given by place."""
    arguments = function.args
    return bool(arguments.posonlyargs or arguments.kwonlyargs or arguments.vararg or arguments.kwarg)


def assigned_names(function: ast.FunctionDef) -> set[str]:
    """Return the names that a function assigns to, in part or as a whole."""
    found: set[str] = set()
    for node in ast.walk(function):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store) and isinstance(node.value, ast.Name):
            found.add(node.value.id)
    return found


def early_return(node: ast.If, rest: list[ast.stmt]) -> tuple[list[ast.stmt], list[ast.stmt]] | None:
    """Return both branches of an ``if`` with what follows it, where some way through it returns early; else None.

    What follows an ``if`` that returns only in part is put into both branches.
    """
    if returns(node.body) and _has_return(node.body):
        return node.body, [*node.orelse, *rest]
    if returns(node.orelse) and _has_return(node.orelse):
        return [*node.body, *rest], node.orelse
    return ([*node.body, *rest], [*node.orelse, *rest]) if _has_return([node]) else None


def _has_return(block: list[ast.stmt]) -> bool:
    return any(isinstance(node, ast.Return) for statement in block for node in ast.walk(statement))


def returns(block: list[ast.stmt]) -> bool:
    """Whether statements return or discard, whichever way they go."""
    for number, statement in enumerate(block):
        rest = block[number + 1 :]
        if isinstance(statement, ast.Return) or _is_discard(statement):
            return True
        if isinstance(statement, ast.If) and any(map(_may_end, (statement.body, statement.orelse))):
            return returns([*statement.body, *rest]) and returns([*statement.orelse, *rest])
    return False


def _may_end(block: list[ast.stmt]) -> bool:
    """Whether some way through statements returns or discards."""
    return any(
        isinstance(node, ast.Return) or (isinstance(node, ast.stmt) and _is_discard(node))
        for statement in block
        for node in ast.walk(statement)
    )


def leaves(block: list[ast.stmt]) -> bool:
    """Whether nothing after statements is reached: they return, discard, or leave the turn of a loop."""
    if not block:
        return False
    end = block[-1]
    if isinstance(end, ast.If):
        return leaves(end.body) and leaves(end.orelse)
    return _is_discard(end) or isinstance(end, ast.Return | ast.Break | ast.Continue)


def _is_discard(node: ast.stmt) -> bool:
    if not isinstance(node, ast.Expr) or not isinstance(node.value, ast.Call):
        return False
    return ast.unparse(node.value.func).rpartition(".")[2] == "discard"
