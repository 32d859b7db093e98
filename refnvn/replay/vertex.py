"""Which 32-bit words does a vertex shader's input get from the bound streams?

The format of the attribute decides alone, whatever type the shader declares: floats and normalised formats give
float32 bits, integers give integers widened by their own sign, and what a format lacks is 0, 0, 0, 1 of its class.

It assembles no primitives: ``assemble.py`` does. Read next: ``draw.py``.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from refnvn.commands.state import VertexStreamState
from refnvn.formats.codec import decode
from refnvn.formats.table import Format, NumericClass
from refnvn.replay.attributes import Attribute, attribute_of, attributes_of
from refnvn.replay.errors import field
from refnvn.replay.readings import Reader
from refnvn.replay.state import NOTHING_BOUND, BoundRange, State
from refnvn.replay.unordered import SeenMemory
from refnvn.rules.evidence import Evidence
from refnvn.rules.fields import NVN, AttributeNorm, Rules, VertexStraddle
from refnvn.rules.kept import Kept
from refnvn.rules.registry import note, rule
from refnvn.shader.ir import Input

Words = NDArray[np.uint32]
Elements = NDArray[np.int64]
_NORM = (NumericClass.UNORM, NumericClass.SNORM)


@rule(
    "VERTEX-BOUNDS-1",
    "An attribute of which no byte is among the bytes bound to its stream is read as if its bytes were zero, never "
    "from the memory that follows; components that the format lacks keep their defaults. A stream may start at any "
    "byte, and of no bytes it reads zeros.",
    evidence=Evidence.SWITCH,
    sources=("seed-titles", "vertex-vectors"),
    ledger=("vb-bound-size", "vb-unaligned"),
)
def element_bytes(
    stream: NDArray[np.uint8], starts_B: Elements, size_B: int, rules: Rules = NVN
) -> NDArray[np.uint8]:
    """Return the bytes of elements, zero where they are not inside a stream.

    Parameters
    ----------
    stream : uint8, shape (n,)
        What is bound.
    starts_B : int64, shape (m,)
        Where each element starts.
    size_B : int
        Of an element.
    rules : Rules
        Reads ``vertex_straddle`` if an element lies across the end.

    Returns
    -------
    uint8, shape (m, size_B)

    Examples
    --------
    >>> element_bytes(np.array([1, 2, 3], np.uint8), np.array([0, 2, 4]), 2).tolist()
    [[1, 2], [0, 0], [0, 0]]
    """
    inside = (starts_B >= 0) & (starts_B + size_B <= stream.size)
    found = np.zeros((starts_B.size, size_B), np.uint8)
    found[inside] = stream[starts_B[inside, None] + np.arange(size_B)]
    for number in np.flatnonzero((starts_B >= 0) & (starts_B < stream.size) & ~inside):
        found[number] = straddling_bytes(stream[starts_B[number] :], size_B, rules)
    return found


@rule(
    "VERTEX-BOUNDS-2",
    "An attribute of which the last bytes lie past the bytes bound to its stream is read as if all were zero.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("vertex-vectors",),
    ledger=("vb-bound-size",),
    fields=("vertex_straddle",),
)
def straddling_bytes(rest: NDArray[np.uint8], size_B: int, rules: Rules) -> NDArray[np.uint8]:
    """Return the bytes of an element of which a stream holds only the first.

    Parameters
    ----------
    rest : uint8, fewer than ``size_B``
        What the stream holds from the element's start.
    size_B : int
        Of an element.
    rules : Rules
        Reads ``vertex_straddle``.

    Examples
    --------
    >>> straddling_bytes(np.array([7], np.uint8), 2, NVN).tolist()
    [0, 0]
    """
    found = np.zeros(size_B, np.uint8)
    if rules.vertex_straddle is VertexStraddle.BYTES:
        found[: rest.size] = rest
    return found


@rule(
    "VERTEX-FETCH-1",
    "An attribute is read at stream + element * stride + offset; its format decides the words of all four "
    "components, whatever the shader declares, and what the format lacks is 0, 0, 0, 1 of its class.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("vertex-vectors", "seed-titles"),
    ledger=(
        "vin-pull",
        "int-vertex-inputs",
        "float-pad",
        "vin-shadow",
        "vconv-format-sign",
        "s4-sw-vconv",
        "vertex-formats",
        "attribs-32",
    ),
    fields=("attribute_norm",),
)
def attribute_words(fmt: Format, data: NDArray[np.uint8], rules: Rules) -> Words:
    """Return what elements of a format are in registers.

    Parameters
    ----------
    fmt : Format
        Of the attribute.
    data : uint8, shape (n, bytes of an element)
    rules : Rules
        Reads what the conversion needs.

    Returns
    -------
    uint32, shape (4, n)

    Examples
    --------
    >>> from refnvn.formats.table import format_named
    >>> attribute_words(format_named("R8I"), np.array([[0xFF]], np.uint8), NVN).ravel().tolist()
    [4294967295, 0, 0, 1]
    """
    values = decode(fmt, data, rules)
    if fmt.numeric_class in _NORM and rules.attribute_norm is AttributeNorm.MULTIPLIED:
        _divide_by_multiplying(fmt, values)
    return np.ascontiguousarray(np.ascontiguousarray(values).view(np.uint32).T)


def _divide_by_multiplying(fmt: Format, values: NDArray[np.float32]) -> None:
    """Make exact quotients the products that a fast division gives."""
    for component in fmt.components:
        bits = component.bits - (fmt.numeric_class is NumericClass.SNORM)
        largest = np.float32((1 << bits) - 1)
        one = values[:, "RGBA".index(component.name)]
        one[...] = np.rint(one * largest) * (np.float32(1) / largest)


@rule(
    "VERTEX-DIVISOR-1",
    "A stream with divisor 0 steps by vertex; with divisor d its element is the base instance plus the number of the "
    "instance, counted from 0, divided by d.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("vertex-vectors", "seed-titles"),
    ledger=("vin-pull",),
)
def elements_of(
    stream: VertexStreamState, vertices: Elements, instance: int | Elements, base_instance: int = 0
) -> Elements:
    """Return which element of a stream each vertex takes.

    Parameters
    ----------
    stream : VertexStreamState
        Its divisor.
    vertices : int64, shape (n,)
        Vertex numbers.
    instance : int, or int64 of shape (n,)
        Which instance, from 0.
    base_instance : int
        What the draw adds.

    Returns
    -------
    int64, shape (n,)

    Examples
    --------
    >>> elements_of(VertexStreamState(stride_B=4, divisor=2), np.array([7, 8]), 3, 10).tolist()
    [11, 11]
    """
    if stream.divisor == 0:
        return vertices
    return np.full_like(vertices, base_instance + instance // stream.divisor)


FEW = 8
"""So many numbers are looked at one by one."""


class VertexFetch:
    """The attributes of one draw.

    Parameters
    ----------
    seen, state, rules
        Where the streams are, what is bound, and the rules of conversions.
    kept : Kept
        What the last draw found out about its attributes.
    """

    def __init__(self, seen: SeenMemory, state: State, rules: Rules, kept: Kept) -> None:
        self._seen = seen
        self._state = state
        self._rules = rules
        self._kept = kept

    def inputs(
        self, inputs: tuple[Input, ...], vertices: Elements, instance: int | Elements = 0, base_instance: int = 0
    ) -> Words:
        """Return the words of a vertex shader's inputs.

        Parameters
        ----------
        inputs : tuple of Input
            Of the shader.
        vertices : int64, shape (n,)
            Vertex numbers, base vertex included.
        instance : int, or int64 of shape (n,)
            Which instance, from 0, of all vertices or of each.
        base_instance : int
            What the draw adds to choose elements.

        Returns
        -------
        uint32, shape (components of all inputs, n)

        Raises
        ------
        ReplayError
            For an attribute that is not there, or whose format is not for vertices.
        """
        attribs, streams = self._state.attribs, self._state.streams
        found = self._kept.of(
            attributes_of, (inputs, attribs, streams), inputs, attribs, streams, self._rules, attribute_words
        )
        words = np.empty((sum(one.components for one in inputs), vertices.size), np.uint32)
        first, span = 0, _span_of(vertices)
        for one, attribute in zip(inputs, found, strict=True):
            if attribute is None:
                with field(f"attribs[{one.location}]"):
                    attribute = attribute_of(one, attribs, streams, self._rules, attribute_words)
            rows = words[first : first + one.components]
            first += one.components
            with attribute.place:
                elements = elements_of(attribute.stream, vertices, instance, base_instance)
                across = span if elements is vertices else _span_of(elements)
                if self._seen.listener is not None:
                    self._tell(attribute, elements, np.full_like(vertices, instance), vertices)
                attribute.words.into(rows, self._elements(attribute, elements, across))
        return words

    def _tell(self, attribute: Attribute, elements: Elements, instances: Elements, vertices: Elements) -> None:
        """Tell of the elements that lie inside what is bound."""
        bound = self._state.vertex_buffers.get(attribute.buffer, NOTHING_BOUND)
        starts_B, size_B = elements * attribute.stream.stride_B + attribute.offset_B, attribute.size_B
        inside = (starts_B >= 0) & (starts_B + size_B <= bound.size_B)
        by_instance = bool(attribute.stream.divisor)
        self._seen.tell(
            Reader.VERTEX,
            f"attribute {attribute.location} of stream {attribute.buffer}",
            bound.address + starts_B[inside],
            size_B,
            "instance" if by_instance else "vertex",
            (instances if by_instance else vertices)[inside],
        )

    def _elements(self, attribute: Attribute, elements: Elements, span: _Span) -> NDArray[np.uint8]:
        """Return the bytes of elements, shape (n, bytes of one)."""
        bound = self._state.vertex_buffers.get(attribute.buffer, NOTHING_BOUND)
        stride_B, size_B = attribute.stream.stride_B, attribute.size_B
        first_B, last_B = (one * stride_B + attribute.offset_B for one in (span.least, span.greatest))
        stream = self._used(bound, max(0, last_B) + size_B)
        if first_B < 0 or last_B + size_B > stream.size:
            return element_bytes(stream, elements * stride_B + attribute.offset_B, size_B, self._rules)
        note(("VERTEX-BOUNDS-1",))
        places = np.ndarray((span.greatest - span.least + 1, size_B), np.uint8, stream, first_B, (stride_B, 1))
        return places if span.is_run else places[elements - span.least]

    def _used(self, bound: BoundRange, end_B: int) -> NDArray[np.uint8]:
        """Return the bound bytes up to the last that is used."""
        used_B = min(bound.size_B, end_B)
        return self._seen.read(bound.address, used_B) if used_B else np.zeros(0, np.uint8)


class _Span(NamedTuple):
    """The least and the greatest of some numbers, and whether they are all from one to the other, in order."""

    least: int
    greatest: int
    is_run: bool


def _span_of(elements: Elements) -> _Span:
    if elements.size > FEW:
        least, greatest = int(elements.min()), int(elements.max())
        return _Span(least, greatest, greatest - least + 1 == elements.size and bool((np.diff(elements) == 1).all()))
    few = elements.tolist() or [0]
    least, greatest = min(few), max(few)
    return _Span(least, greatest, few == list(range(least, greatest + 1)))
