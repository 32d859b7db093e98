"""Shaders that reach memory: atomics in order, shared memory, barriers, helper lanes, and what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from refnvn.errors import ArgumentError, InputFileError
from refnvn.rules.fields import NVN, MemoryOrder, Rules, SharedContent
from refnvn.shader.atomics import change_in_order
from refnvn.shader.execute import LaneInputs, run
from refnvn.shader.independent import is_independent
from refnvn.shader.ir import Shader, from_object
from refnvn.shader.ir_base import Builtin
from refnvn.shader.ir_memory import AtomicOperation

Words = NDArray[np.uint32]
MINUS_ONE = 0xFFFFFFFF
WORDS = 8


class Buffer:
    """A storage buffer of a few words, for every binding."""

    def __init__(self) -> None:
        self.words = np.zeros(WORDS, np.uint32)

    def load(self, _binding: int, offsets_B: Words) -> Words:
        """Return words."""
        return self.words[offsets_B // 4]

    def store(self, _binding: int, offsets_B: Words, words: Words) -> None:
        """Store words, one after another."""
        for place, word in zip((offsets_B // 4).tolist(), words.tolist(), strict=True):
            self.words[place] = word

    def change(
        self, _binding: int, operation: AtomicOperation, offsets_B: Words, words: Words, compares: Words | None
    ) -> Words:
        """Change words."""
        return change_in_order(self.words, (offsets_B // 4).astype(np.intp), operation, words, compares)

    def size_B(self, _binding: int) -> int:
        """Return the size."""
        return WORDS * 4


def compute(statements: list[dict[str, Any]], registers: int = 4, **more: Any) -> Shader:
    """Return a compute shader of four invocations whose register 0 holds the index, and 1 four times that."""
    first = [
        {"do": "load_builtin", "to": 0, "builtin": "local_index"},
        {"do": "constant", "to": 1, "bits": 4},
        {"do": "operate", "name": "word.mul", "to": 1, "of": [0, 1]},
    ]
    shader = {
        "refnvn_shader": 1, "stage": "compute", "local_size": [4, 1, 1], "storage": [{"binding": 0}],
        "registers": ["word"] * registers, "statements": first + statements, **more,
    }  # fmt: skip
    return from_object(shader)


def ran(shader: Shader, rules: Rules = NVN, live: NDArray[np.bool_] | None = None, lanes: int = 4) -> list[int]:
    """Return the words that a shader leaves in its storage buffer."""
    buffer = Buffer()
    inputs = LaneInputs(
        count=lanes,
        values=np.zeros((0, lanes), np.uint32),
        builtins={Builtin.LOCAL_INDEX: np.arange(lanes, dtype=np.uint32)},
        memory=buffer,  # type: ignore[arg-type]
        live=live,
    )
    run(shader, inputs, rules=rules)
    found: list[int] = buffer.words.tolist()
    return found


@pytest.mark.rule("SHADER-ATOMIC-1")
@pytest.mark.parametrize(
    ("operation", "before", "operand", "after"),
    [
        ("add", MINUS_ONE, 2, 1),
        ("min_int", 5, MINUS_ONE, MINUS_ONE),
        ("max_int", MINUS_ONE, 3, 3),
        ("min_uint", 5, MINUS_ONE, 5),
        ("max_uint", 5, MINUS_ONE, MINUS_ONE),
        ("and", 0b1100, 0b1010, 0b1000),
        ("or", 0x44332211, 0x00008800, 0x4433AA11),
        ("xor", 0x44332211, 0x000000FF, 0x443322EE),
        ("exchange", 7, 9, 9),
    ],
)
def test_an_atomic_access_changes_a_word_and_gives_what_it_was(
    operation: str, before: int, operand: int, after: int
) -> None:
    """Sums wrap, and signs are those of the operation."""
    words = np.array([3, before], np.uint32)
    operands = np.array([operand], np.uint32)
    found = change_in_order(words, np.array([1]), AtomicOperation(operation), operands, None)
    assert (found.tolist(), words.tolist()) == ([before], [3, after])


@pytest.mark.rule("SHADER-ATOMIC-1")
def test_compare_and_exchange_waits_for_its_word() -> None:
    """The first access finds what it waits for; the second no longer does, the third finds what the first left."""
    words = np.array([5], np.uint32)
    places, operands = np.zeros(3, np.intp), np.array([6, 7, 8], np.uint32)
    compares = np.array([5, 5, 6], np.uint32)
    found = change_in_order(words, places, AtomicOperation.COMPARE_EXCHANGE, operands, compares)
    assert (found.tolist(), words.tolist()) == ([5, 6, 6], [8])


@given(
    st.sampled_from([AtomicOperation.ADD, AtomicOperation.XOR, AtomicOperation.EXCHANGE, AtomicOperation.MAX_INT]),
    st.lists(st.tuples(st.integers(0, 3), st.integers(0, MINUS_ONE)), max_size=40),
)
def test_accesses_come_one_after_another(operation: AtomicOperation, accesses: list[tuple[int, int]]) -> None:
    """Many at once leave and give what each alone, in order, would."""
    places = np.array([place for place, _ in accesses], np.intp)
    operands = np.array([operand for _, operand in accesses], np.uint32)
    together, alone = np.arange(4, dtype=np.uint32), np.arange(4, dtype=np.uint32)
    found = change_in_order(together, places, operation, operands, None)
    single = [
        int(change_in_order(alone, places[k : k + 1], operation, operands[k : k + 1], None)[0])
        for k in range(len(accesses))
    ]
    assert found.tolist() == single
    assert together.tolist() == alone.tolist()


@pytest.mark.rule("SHADER-ORDER-1")
def test_lanes_come_in_order_or_in_reverse() -> None:
    """What is stored last to one place stays; the first atomic access finds the least."""
    last = compute([{"do": "store_memory", "binding": 0, "of": 0}])
    ticket = compute([
        {"do": "atomic_memory", "to": 2, "operation": "add", "binding": 0, "offset_B": 16, "of": 1},
        {"do": "store_memory", "binding": 0, "plus_B": 1, "of": 2},
    ])  # fmt: skip
    turned = NVN.with_(memory_order=MemoryOrder.REVERSED)
    assert (ran(last)[0], ran(last, turned)[0]) == (3, 0)
    assert ran(ticket)[:5] == [0, 0, 4, 12, 24]
    assert ran(ticket, turned)[:5] == [24, 20, 12, 0, 24]


@pytest.mark.rule("SHADER-SHARED-1", "SHADER-BARRIER-1")
def test_invocations_share_memory_up_to_a_barrier() -> None:
    """Each stores its index; after the barrier each reads the last one's; beyond the end there is nothing."""
    shader = compute(
        [
            {"do": "store_memory", "plus_B": 1, "of": 0},
            {"do": "barrier"},
            {"do": "load_memory", "to": 2, "offset_B": 12},
            {"do": "store_memory", "binding": 0, "plus_B": 1, "of": 2},
            {"do": "load_memory", "to": 2, "offset_B": 8, "plus_B": 1},
            {"do": "store_memory", "binding": 0, "plus_B": 1, "offset_B": 16, "of": 2},
        ],
        shared_B=16,
    )
    assert ran(shader) == [3, 3, 3, 3, 2, 3, 0, 0]


@pytest.mark.rule("SHADER-SHARED-1")
def test_what_shared_memory_holds_at_first_is_a_choice() -> None:
    """Zeros, or anything."""
    shader = compute(
        [{"do": "load_memory", "to": 2}, {"do": "store_memory", "binding": 0, "plus_B": 1, "of": 2}], shared_B=4
    )
    assert ran(shader)[:4] == [0, 0, 0, 0]
    assert ran(shader, NVN.with_(shared_content=SharedContent.ONES))[:4] == [MINUS_ONE] * 4


@pytest.mark.rule("SHADER-BARRIER-1")
def test_a_barrier_that_some_miss_is_an_error() -> None:
    """Nothing says what a chip would do."""
    shader = from_object({
        "refnvn_shader": 1, "stage": "compute", "local_size": [4, 1, 1], "registers": ["word", "bool", "word"],
        "statements": [
            {"do": "load_builtin", "to": 0, "builtin": "local_index"},
            {"do": "constant", "to": 2, "bits": 1},
            {"do": "operate", "name": "uint.less", "to": 1, "of": [0, 2]},
            {"do": "if", "condition": 1, "then": [{"do": "barrier"}]},
        ],
    })  # fmt: skip
    with pytest.raises(ArgumentError, match="a barrier that 1 of 4 invocations"):
        ran(shader)


@pytest.mark.rule("SHADER-HELPER-1")
def test_helper_lanes_store_nothing() -> None:
    """Lanes that are not live load, and leave no trace."""
    shader = compute([
        {"do": "atomic_memory", "to": 2, "operation": "add", "binding": 0, "offset_B": 28, "of": 1},
        {"do": "store_memory", "binding": 0, "plus_B": 1, "of": 0},
    ])  # fmt: skip
    live = np.array([False, True, False, True])
    assert ran(shader, live=live) == [0, 1, 0, 3, 0, 0, 0, 16]


def test_one_statement_does_not_care_how_lanes_are_grouped() -> None:
    """Two do, as one in a loop does, and barriers."""
    store = {"do": "store_memory", "binding": 0, "plus_B": 1, "of": 0}
    load = {"do": "load_memory", "to": 2, "binding": 0}
    assert is_independent(compute([store]))
    assert is_independent(compute([load, load]))
    assert not is_independent(compute([load, store]))
    assert not is_independent(compute([{"do": "loop", "times": 2, "body": [store]}]))
    assert not is_independent(compute([{"do": "barrier"}, store]))


IMAGE = {"binding": 0, "format": "R32UI", "type": "uint"}


@pytest.mark.parametrize(
    ("statement", "interface", "complaint"),
    [
        ({"do": "store_memory", "of": 0}, {}, "offset 0 of shared memory, which has 0 bytes"),
        ({"do": "store_memory", "binding": 3, "of": 0}, {}, "no storage buffer has binding 3"),
        ({"do": "memory_size", "binding": 3, "to": 0}, {}, "no storage buffer has binding 3"),
        ({"do": "load_image", "binding": 0, "to": [0, 0, 0, 0], "at": [0, 0]}, {}, "no image has binding 0"),
        (
            {"do": "load_image", "binding": 0, "to": [0, 0, 0, 0], "at": [0]},
            {"images": [IMAGE]},
            "a 2d image takes 2 coordinates, not 1",
        ),
        (
            {"do": "load_image", "binding": 0, "to": [0, 0, 0, 0], "at": [0, 0], "sample": 0},
            {"images": [IMAGE]},
            "images with several samples take a sample",
        ),
        (
            {"do": "load_image", "binding": 0, "to": [0, 0, 0, 0], "at": [0, 0]},
            {"images": [{"binding": 0}]},
            "declares no format",
        ),
        (
            {"do": "atomic_image", "binding": 0, "to": 0, "operation": "add", "at": [0, 0], "of": 0},
            {"images": [{"binding": 0, "format": "RGBA8"}]},
            "one of the formats R32UI, R32I, R32F, not RGBA8",
        ),
        (
            {"do": "atomic_image", "binding": 0, "to": 0, "operation": "add", "at": [0, 0], "of": 0},
            {"images": [{"binding": 0, "format": "R32F"}]},
            "only be exchanged",
        ),
        (
            {"do": "atomic_memory", "binding": 0, "to": 0, "operation": "compare_exchange", "of": 0},
            {},
            "compare_exchange takes a word to compare with",
        ),
        ({"do": "barrier"}, {"images": [IMAGE, IMAGE]}, "0 stands twice"),
        ({"do": "barrier"}, {"images": [{"binding": 0, "format": "R32UI"}]}, "R32UI are uint, not float"),
        ({"do": "barrier"}, {"images": [{"binding": 0, "format": "RGBA_DXT1"}]}, "no format of images"),
        ({"do": "barrier"}, {"local_size": [1024, 2, 1]}, "1536 together"),
        ({"do": "barrier"}, {"outputs": [{"location": 0}]}, "neither inputs nor outputs"),
        ({"do": "barrier"}, {"early_fragment_tests": True}, "has no tests"),
    ],
)
def test_what_is_no_shader_is_refused(statement: dict[str, Any], interface: dict[str, Any], complaint: str) -> None:
    """One sentence names the place and what is allowed."""
    with pytest.raises(InputFileError, match=complaint):
        compute([statement], **interface)


def test_other_stages_have_no_workgroup() -> None:
    """Neither barriers nor shared memory."""
    shader = {"refnvn_shader": 1, "stage": "fragment", "registers": ["word"], "statements": [{"do": "barrier"}]}
    with pytest.raises(InputFileError, match="a fragment shader has no barrier"):
        from_object(shader)
    with pytest.raises(InputFileError, match="no workgroup and no shared memory"):
        from_object({**shader, "statements": [], "shared_B": 4})


def test_memory_that_nobody_gave_is_an_error() -> None:
    """A run without memory says so."""
    shader = compute([{"do": "store_memory", "binding": 0, "of": 0}])
    inputs = LaneInputs(
        count=1,
        values=np.zeros((0, 1), np.uint32),
        builtins={Builtin.LOCAL_INDEX: np.zeros(1, np.uint32)},
    )
    with pytest.raises(ArgumentError, match="the lanes give no memory"):
        run(shader, inputs)
