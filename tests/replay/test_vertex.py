"""What a vertex shader's inputs hold: bytes by stride and offset, converted by format, zero past the end."""

import numpy as np
import pytest

from refnvn.commands.state import VertexStreamState
from refnvn.formats.table import format_named
from refnvn.replay.vertex import attribute_words, element_bytes, elements_of
from refnvn.rules.fields import NVN, AttributeNorm, VertexStraddle, watch
from tests.replay.scenes import ref, run, targets, texels, texture
from tests.replay.shaders import PROGRAMS, WHOLE, WORDS, draw, set_up, vertices

ONE = 0x3F800000


def word_bytes(*words: int, size_B: int = 4) -> bytes:
    """Return little-endian words."""
    return b"".join(word.to_bytes(size_B, "little") for word in words)


@pytest.mark.rule("VERTEX-FETCH-1")
@pytest.mark.parametrize(
    ("fmt", "data", "expected"),
    [
        pytest.param("R32F", word_bytes(0x7F800001), [0x7F800001, 0, 0, ONE], id="nan-kept"),
        pytest.param("RG32F", word_bytes(1, 2), [1, 2, 0, ONE], id="float-pad"),
        pytest.param("RGB32F", word_bytes(1, 2, 3), [1, 2, 3, ONE], id="three-floats"),
        pytest.param("RGBA32UI", word_bytes(1, 2, 3, 4), [1, 2, 3, 4], id="uint"),
        pytest.param("R32I", word_bytes(0x80000000), [0x80000000, 0, 0, 1], id="int-pad"),
        pytest.param("RGBA8UI", bytes([2, 0, 255, 9]), [2, 0, 255, 9], id="bone-index"),
        pytest.param(
            "RGBA16I", word_bytes(0xFFFD, 1, 0x8000, 5, size_B=2), [0xFFFFFFFD, 1, 0xFFFF8000, 5], id="signed"
        ),
        pytest.param("RG16F", word_bytes(0x3800, 0x3400, size_B=2), [0x3F000000, 0x3E800000, 0, ONE], id="half"),
        pytest.param("RGB10A2SN", word_bytes(0x1FF), [ONE, 0, 0, 0], id="snorm-most"),
        pytest.param("RGB10A2SN", word_bytes(0x201), [0xBF800000, 0, 0, 0], id="snorm-least"),
        pytest.param("RG8_UI2F", bytes([200, 3]), [0x43480000, 0x40400000, 0, ONE], id="integers-as-floats"),
        pytest.param("RG16SN", word_bytes(0xA015, 0x241C, size_B=2), None, id="measured-snorm"),
    ],
)
def test_the_format_decides_the_words(fmt: str, data: bytes, expected: list[int] | None) -> None:
    """Words of the ledger: (0, 0, 0, 1) of the format's class fills up, signs are the format's own."""
    found = attribute_words(format_named(fmt), np.frombuffer(data, np.uint8)[None], NVN)
    if expected is None:
        expected = [int(np.float32(value / 32767).view(np.uint32)) for value in (0xA015 - 0x10000, 0x241C)]
        expected += [0, ONE]
    assert found[:, 0].tolist() == expected


@pytest.mark.rule("VERTEX-FETCH-1")
def test_quotients_are_not_products() -> None:
    """3 / 255 is 0x3C40C0C1; 3 times the rounded 1 / 255 is one step more: only the fault has it."""
    data = np.array([[3]], np.uint8)
    divided = attribute_words(format_named("R8"), data, NVN)[0, 0]
    multiplied = attribute_words(format_named("R8"), data, NVN.with_(attribute_norm=AttributeNorm.MULTIPLIED))[0, 0]
    assert (int(divided), int(multiplied)) == (0x3C40C0C1, 0x3C40C0C2)


@pytest.mark.rule("VERTEX-BOUNDS-1")
@pytest.mark.parametrize("cut_B", [0, 2, 5])
def test_an_element_that_is_not_all_inside_is_zero(cut_B: int) -> None:
    """20 vertices of 16 bytes and up to 5 more: vertex 20 is zero as a whole, as the hardware reads it."""
    stream = np.full(20 * 16 + cut_B, 7, np.uint8)
    found = element_bytes(stream, np.arange(-1, 25) * 16, 16)
    assert (found[1:21] == 7).all()
    assert not found[21:].any()
    assert not found[0].any()


@pytest.mark.rule("VERTEX-BOUNDS-2")
def test_a_straddling_element_is_zero_or_what_is_inside() -> None:
    """Measured: a vec4 of which three words are inside reads zeros; a host would keep the three."""
    stream = np.full(28, 7, np.uint8)
    starts_B = np.array([0, 16])
    assert element_bytes(stream, starts_B, 16, NVN)[1].tolist() == [0] * 16
    by_byte = NVN.with_(vertex_straddle=VertexStraddle.BYTES)
    assert element_bytes(stream, starts_B, 16, by_byte)[1].tolist() == [7] * 12 + [0] * 4


def test_only_a_straddling_element_asks_what_is_open() -> None:
    """Streams that end between elements leave nothing open."""
    watched = watch()
    element_bytes(np.zeros(32, np.uint8), np.arange(4) * 16, 16, watched)
    assert watched.read == set()


@pytest.mark.rule("VERTEX-DIVISOR-1")
def test_a_divisor_steps_by_instance() -> None:
    """Instances 0 to 4 at divisor 2 and base 3 take elements 3, 3, 4, 4, 5; divisor 0 takes the vertex."""
    every_other = VertexStreamState(stride_B=4, divisor=2)
    assert [elements_of(every_other, np.array([9]), n, 3).tolist()[0] for n in range(5)] == [3, 3, 4, 4, 5]
    assert elements_of(VertexStreamState(stride_B=4), np.array([9, 3]), 4).tolist() == [9, 3]


@pytest.mark.rule("VERTEX-BOUNDS-1")
@pytest.mark.parametrize("offset_B", [0, 1, 2, 3])
def test_a_stream_starts_at_any_byte(offset_B: int) -> None:
    """Vertices of 16 bytes, two RGBA8 and RG32F, at pool offsets 0 to 3: 64 pixels of the vertex's colour."""
    image = texture("RGBA32UI", 8, 8)
    corners = WHOLE[:, :2].tobytes()
    data = b"".join(bytes([1, 2, 3, 4, 9, 9, 9, 9]) + corners[n * 8 : n * 8 + 8] for n in range(3))
    event, blobs = vertices(data, offset_B)
    commands = [
        targets(ref()),
        *set_up(8, 8, program=WORDS, attribs=(("RG32F", 8), ("RGBA8UI", 0)), offset_B=offset_B),
        draw(),
    ]
    found = texels(run([image], [event, commands], blobs, programs=PROGRAMS), image).view("<u4")
    assert (found == [1, 2, 3, 4]).all()


@pytest.mark.rule("VERTEX-BOUNDS-1")
def test_surplus_vertices_collapse() -> None:
    """24 bytes of RG32F are bound, a second triangle follows in the pool: six vertices draw 64 samples, not 128."""
    image = texture("RGBA8", 8, 8)
    event, blobs = vertices(np.concatenate([WHOLE[:, :2]] * 2).astype("<f4"))
    commands = [targets(ref()), *set_up(8, 8, attribs=(("RG32F", 0),), stride_B=8, size_B=24), draw(6)]
    results = run([image], [event, commands], blobs, programs=PROGRAMS)
    assert results.counters["samples_passed"] == 64
    assert results.counters["triangles"] == 2


def test_a_stride_of_zero_repeats_one_element() -> None:
    """Every vertex reads the same element: the triangle has no area."""
    image = texture("RGBA8", 8, 8)
    event, blobs = vertices(WHOLE)
    commands = [targets(ref()), *set_up(8, 8, stride_B=0), draw()]
    assert run([image], [event, commands], blobs, programs=PROGRAMS).counters["samples_passed"] == 0
