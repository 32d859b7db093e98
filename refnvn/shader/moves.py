"""Which shaders do nothing but move words, and how are those run without a step for each statement?

A shader that stores inputs, constants, builtins and words of uniform blocks at fixed places has outputs that each
come from one place, whatever the lane. For a few lanes finding those places takes longer than moving the words.

Read next: ``execute.py``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from refnvn.shader.ir import Constant, LoadBuiltin, LoadInput, LoadUniform, Operate, Shader, StoreOutput, first_rows
from refnvn.shader.ir_base import Builtin, Kind
from refnvn.shader.uniforms import WORD_B, first_words, uniform_words

Words = NDArray[np.uint32]
Rows = slice | list[int]
Source = tuple[str, Any]


@dataclass(frozen=True, slots=True)
class Moves:
    """Where the outputs of a shader come from, row by row.

    Attributes
    ----------
    sources : tuple of (str, int or Builtin)
        Of each output row what it is, an input, constant, uniform or builtin, and which.
    inputs : tuple of two
        Output rows, and the input rows that they are; these may be all there is.
    constants : tuple of two
        Output rows, and a column of what they are.
    uniforms : tuple of two
        Output rows, and the words of the uniform blocks that they are.
    builtins : tuple of (int, Builtin)
        Output rows, and the builtins that they are.
    """

    sources: tuple[Source, ...]
    inputs: tuple[Rows, Rows]
    constants: tuple[Rows, Words]
    uniforms: tuple[Rows, list[int]]
    builtins: tuple[tuple[int, Builtin], ...]


_NOTHING: Source = ("constant", 0)


def moves_of(shader: Shader) -> Moves | None:
    """Return where the outputs of a shader come from; None where it does more than move words."""
    plain = all(kind is Kind.WORD for kind in shader.registers) and not shader.is_staged
    sources = _sources(shader) if plain else None
    if sources is None:
        return None
    rows = {kind: [row for row, one in enumerate(sources) if one[0] == kind] for kind in _KINDS}
    of = {kind: [sources[row][1] for row in found] for kind, found in rows.items()}
    return Moves(
        sources=tuple(sources),
        inputs=(rows_together(rows["input"]), rows_together(of["input"])),
        constants=(rows_together(rows["constant"]), np.array(of["constant"], np.uint32)[:, np.newaxis]),
        uniforms=(rows_together(rows["uniform"]), of["uniform"]),
        builtins=tuple(zip(rows["builtin"], of["builtin"], strict=True)),
    )


_KINDS = ("input", "constant", "uniform", "builtin")


def _sources(shader: Shader) -> list[Source] | None:
    input_rows, output_rows = first_rows(shader.inputs), first_rows(shader.outputs)
    held: dict[int, Source] = {}
    found = [_NOTHING] * shader.output_components
    for one in shader.statements:
        match one:
            case StoreOutput():
                found[output_rows[one.location] + one.component] = held.get(one.of, _NOTHING)
            case LoadInput():
                held[one.to] = "input", input_rows[one.location] + one.component
            case Constant():
                held[one.to] = "constant", one.bits
            case LoadBuiltin():
                held[one.to] = "builtin", one.builtin
            case Operate(name="word.move"):
                held[one.to] = held.get(one.of[0], _NOTHING)
            case LoadUniform(plus_B=None):
                held[one.to] = _uniform(shader, one)
            case _:
                return None
    return found


def _uniform(shader: Shader, load: LoadUniform) -> Source:
    """Return the word of a uniform block at a fixed place; past its end there is 0."""
    words = {block.binding: block.size_B // WORD_B for block in shader.uniforms}[load.binding]
    place = load.offset_B // WORD_B
    return ("uniform", first_words(shader)[load.binding] + place) if place < words else _NOTHING


def rows_together(numbers: Sequence[int]) -> Rows:
    """Return rows as a slice, where they follow each other.

    >>> rows_together([3, 4]), rows_together([4, 3])
    (slice(3, 5, None), [4, 3])
    """
    rows, first = list(numbers), numbers[0] if numbers else 0
    together = slice(first, first + len(rows))
    return together if rows == list(range(together.start, together.stop)) else rows


def moved(
    moves: Moves,
    shader: Shader,
    count: int,
    values: Words,
    builtins: Mapping[str, NDArray[Any]],
    uniforms: Callable[[int], NDArray[np.uint8]],
) -> Words:
    """Return the outputs of a shader for so many lanes, of whose inputs a few may be the same array."""
    to, rows = moves.inputs
    if isinstance(to, slice) and to.stop - to.start == len(moves.sources):
        return values[rows]
    out = np.empty((len(moves.sources), count), dtype=np.uint32)
    out[to] = values[rows]
    to, constants = moves.constants
    out[to] = constants
    to, words = moves.uniforms
    if words:
        out[to] = uniform_words(shader, uniforms)[words][:, np.newaxis]
    for row, builtin in moves.builtins:
        out[row] = builtins[builtin]
    return out
