"""What is asked of the attributes of a vertex shader at every draw, found out once while formats and streams stay?

The rule of ``vertex.py`` says what an attribute's bytes become. Of formats of whole 32-bit words it is asked once:
they go to registers as they are. Of formats of bytes it is asked for each of the 256 that there are, and kept as a
table. All others are asked each time.

Read next: ``vertex.py``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from refnvn.commands.state import VertexAttribState, VertexStreamState
from refnvn.commands.subject import stored_format
from refnvn.errors import RefnvnError
from refnvn.formats.codec import CHANNELS
from refnvn.formats.table import Format, NumericClass, Use
from refnvn.replay.errors import field
from refnvn.rules.fields import Rules
from refnvn.rules.registry import collect, note
from refnvn.rules.unknown import unknown
from refnvn.shader.ir import Input

UNSET_ATTRIBUTE = unknown(
    "VERTEX-UNBOUND-1",
    "What does a vertex shader read of an attribute that is not set?",
    settled_by="a draw on a console whose vertex shader has an input at location {location} of which no attribute "
    "is set",
    instead="call bind_vertex_attrib_state before this draw",
    module=__name__,
)

Words = NDArray[np.uint32]
Bytes = NDArray[np.uint8]
WordsOf = Callable[[Format, Bytes, Rules], Words]
_WHOLE_WORDS = (NumericClass.FLOAT, NumericClass.UINT, NumericClass.SINT)
_WORD_BITS, _BYTE_BITS = 32, 8


class Attribute(NamedTuple):
    """One attribute: where its elements lie, and what their bytes become.

    Attributes
    ----------
    location : int
    components : int
        As many as the shader declares.
    stream : VertexStreamState
    buffer : int
        The slot that the stream is bound to.
    offset_B, size_B : int
        Of an element in its stride.
    words : ElementWords
    place : field
        Names the attribute in errors.
    """

    location: int
    components: int
    stream: VertexStreamState
    buffer: int
    offset_B: int
    size_B: int
    words: ElementWords
    place: field


class ElementWords:
    """What the bytes of the elements of one format become.

    Parameters
    ----------
    fmt, rules, words_of
        The format, and the rule that is asked.
    """

    def __init__(self, fmt: Format, rules: Rules, words_of: WordsOf) -> None:
        self._fmt = fmt
        self._rules = rules
        self._words_of = words_of
        with collect() as used:
            nothing = words_of(fmt, np.zeros((1, fmt.bytes_per_block), np.uint8), rules)
            self._tables = _tables(fmt, rules, words_of)
        self._used = frozenset(used)
        self._missing = nothing[len(fmt.components) :]
        self._are_words = _are_words(fmt)

    def into(self, out: Words, data: Bytes) -> None:
        """Put the first words of elements, uint8 of shape (n, bytes of one), into rows, shape (1 to 4, n)."""
        if self._are_words:
            held = data.view("<u4").T
            out[: len(held)] = held[: len(out)]
            if len(out) > len(held):
                out[len(held) :] = self._missing[: len(out) - len(held)]
        elif self._tables:
            for row, (byte, table) in zip(out, self._tables, strict=False):
                row[...] = table[data[:, byte]]
        else:
            out[...] = self._words_of(self._fmt, data, self._rules)[: len(out)]
            return
        note(self._used)


def _are_words(fmt: Format) -> bool:
    """Say whether components are whole words in the order of registers, which no conversion touches."""
    in_order = [one.name for one in fmt.components] == list(CHANNELS[: len(fmt.components)])
    return in_order and fmt.numeric_class in _WHOLE_WORDS and all(one.bits == _WORD_BITS for one in fmt.components)


def _tables(fmt: Format, rules: Rules, words_of: WordsOf) -> Sequence[tuple[int, Words]]:
    """Return for each of four rows the byte of an element that decides it, and its word for each of 256."""
    if not all(one.bits == _BYTE_BITS and one.name in CHANNELS for one in fmt.components) or not fmt.components:
        return ()
    alike = np.repeat(np.arange(256, dtype=np.uint8)[:, np.newaxis], fmt.bytes_per_block, axis=1)
    byte_of = {one.name: one.first_bit // _BYTE_BITS for one in fmt.components}
    words = words_of(fmt, alike, rules)
    return [(byte_of.get(name, 0), row) for name, row in zip(CHANNELS, words, strict=True)]


def attributes_of(
    inputs: tuple[Input, ...],
    attribs: tuple[VertexAttribState, ...],
    streams: tuple[VertexStreamState, ...],
    rules: Rules,
    words_of: WordsOf,
) -> tuple[Attribute | None, ...]:
    """Return the attributes of a vertex shader's inputs; None for one that :func:`attribute_of` refuses."""
    found: list[Attribute | None] = []
    for one in inputs:
        try:
            found.append(attribute_of(one, attribs, streams, rules, words_of))
        except RefnvnError:  # said when it is read
            found.append(None)
    return tuple(found)


def attribute_of(
    one: Input,
    attribs: tuple[VertexAttribState, ...],
    streams: tuple[VertexStreamState, ...],
    rules: Rules,
    words_of: WordsOf,
) -> Attribute:
    """Return one attribute.

    Raises
    ------
    UnknownBehaviour, FieldRangeError, UnsupportedFormat
        Where none is set, or its format is none for vertices.
    """
    location = one.location
    if location >= len(attribs):
        raise UNSET_ATTRIBUTE.error(location=location)
    attrib = attribs[location]
    fmt = stored_format(attrib.format)
    fmt.require(Use.VERTEX)
    stream = streams[attrib.stream] if attrib.stream < len(streams) else VertexStreamState()
    return Attribute(
        location, one.components, stream, attrib.stream, attrib.offset_B, fmt.bytes_per_block,
        ElementWords(fmt, rules, words_of), field(f"attribs[{location}]"),
    )  # fmt: skip
