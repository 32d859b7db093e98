"""May workgroups, or primitives, of a shader run together, and still leave what one after another would?"""

from __future__ import annotations

from collections.abc import Iterator

from refnvn.shader.ir import AnyStatement, If, Loop, Shader
from refnvn.shader.ir_memory import (
    MEMORY_CHANGES,
    AtomicImage,
    AtomicMemory,
    Barrier,
    LoadImage,
    LoadMemory,
    StoreImage,
    StoreMemory,
)

_REACHES = (LoadMemory, StoreMemory, AtomicMemory, LoadImage, StoreImage, AtomicImage)


def is_independent(shader: Shader) -> bool:
    """Say whether lanes may run together however they are grouped.

    That is so where nothing is changed, or one statement, not in a loop, is all that reaches memory: it does in many
    lanes what they would do one after another. With two statements a later lane's first could meet an earlier
    lane's second.
    """
    reached = list(_reached(shader.statements, in_loop=False))
    if shader.shared_B or any(isinstance(one, Barrier) for one, _ in reached):
        return False
    if not any(isinstance(one, MEMORY_CHANGES) for one, _ in reached):
        return True
    return len(reached) == 1 and not reached[0][1]


def _reached(statements: tuple[AnyStatement, ...], *, in_loop: bool) -> Iterator[tuple[AnyStatement, bool]]:
    """Yield what reaches memory, and barriers, and whether a loop repeats it."""
    for one in statements:
        if isinstance(one, (*_REACHES, Barrier)):
            yield one, in_loop
        elif isinstance(one, If):
            yield from _reached(one.then, in_loop=in_loop)
            yield from _reached(one.otherwise, in_loop=in_loop)
        elif isinstance(one, Loop):
            yield from _reached(one.body, in_loop=True)
