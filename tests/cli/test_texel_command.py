"""``refnvn texel``: byte to texel, texel to byte."""

import pytest

from tests.cli.harness import RGBA8_64, complaint, refnvn


@pytest.mark.parametrize(
    ("described", "at", "offset_B"),
    [
        pytest.param(RGBA8_64, "0,0", 0, id="first"),
        pytest.param(RGBA8_64, "4,0", 32, id="second-16-bytes"),
        pytest.param(RGBA8_64, "0,1", 16, id="second-row"),
        pytest.param(RGBA8_64, "8,0", 256, id="right-half-of-a-gob"),
        pytest.param(RGBA8_64, "0,8", 512, id="next-gob-down"),
        pytest.param(RGBA8_64, "16,0", 8 * 512, id="next-block-right"),
        pytest.param(RGBA8_64, "63,63", 16380, id="last"),
        pytest.param(("--format", "RGBA_DXT1", "--size", "256x256"), "33,5", 4096 + 16, id="a-block-of-pixels"),
        pytest.param((*RGBA8_64, "--linear"), "3,2", 2 * 256 + 12, id="linear"),
    ],
)
def test_texel_and_byte_find_one_another(described: tuple[str, ...], at: str, offset_B: int) -> None:
    """The byte of a texel is where the GOB order says, and the texel of that byte is the same."""
    answer = refnvn("texel", *described, "--at", at, "--json").json
    assert answer["offset_B"] == offset_B
    back = refnvn("texel", *described, "--offset", offset_B, "--json").json
    assert not back["padding"]
    assert {key: back[key] for key in ("level", "layer", "x_el", "y_el", "z", "byte")} == {
        key: answer[key] for key in ("level", "layer", "x_el", "y_el", "z", "byte")
    }


def test_both_ways_in_words() -> None:
    """People read hex and decimal, and what lies there."""
    known = "evidence: Switch measurement or shipped game data (LAYOUT-AUTO-1)\n"
    assert refnvn("texel", *RGBA8_64, "--at", "8,0").out == f"0x100 (256)\n{known}"
    assert refnvn("texel", *RGBA8_64, "--offset", "0x101").out == (
        f"level 0, layer 0: texel x 8 y 0 z 0, byte 1 of it\n{known}"
    )
    block = refnvn("texel", "--format", "RGBA_DXT1", "--size", "256x256", "--offset", "0x1014").out
    assert block.startswith("level 0, layer 0: block x 8 y 1 z 0, byte 4 of it; its first pixel is x 32 y 4\n")


def test_padding_says_where_it_is() -> None:
    """60 texels are 240 bytes: bytes 240 to 255 of a row are padding."""
    narrow = ("texel", "--format", "RGBA8", "--size", "60x8")
    outcome = refnvn(*narrow, "--offset", 3 * 512 + 256 + 32)
    first = outcome.out.splitlines()[0]
    assert (outcome.code, first) == (0, "padding right of the level, up to a whole block (level 0, layer 0)")
    assert refnvn(*narrow, "--offset", 3 * 512 + 256 + 32, "--json").json["padding"] is True


def test_levels_layers_and_samples_are_reached() -> None:
    """A place in a later level or layer starts where that does; a sample has a cell of its own."""
    array = ("texel", "--format", "RGBA8", "--size", "64x64", "--levels", "2", "--layers", "2")
    assert refnvn(*array, "--at", "0,0", "--level", "1", "--json").json["offset_B"] == 16384
    assert refnvn(*array, "--at", "0,0", "--layer", "1", "--json").json["offset_B"] == 16384 + 4096
    samples = ("texel", "--format", "RGBA8", "--size", "16x16", "--samples", "4", "--at", "1,1", "--json")
    places = [refnvn(*samples, "--sample", one).json for one in range(4)]
    assert sorted((one["x_el"], one["y_el"]) for one in places) == [(2, 2), (2, 3), (3, 2), (3, 3)]


def test_a_number_with_leading_zeros_is_decimal() -> None:
    """Byte 010 is byte 10."""
    assert refnvn("texel", *RGBA8_64, "--offset", "010").out == refnvn("texel", *RGBA8_64, "--offset", "10").out


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        pytest.param((), "give one of --offset BYTE and --at X,Y", id="nothing"),
        pytest.param(("--at", "0,0", "--offset", "0"), "give one of", id="both"),
        pytest.param(("--offset", "-1"), "offset '-1' is not a byte number", id="negative-offset"),
        pytest.param(("--offset", "1.5"), "offset '1.5' is not a byte number", id="fraction"),
        pytest.param(("--offset", "0x"), "offset '0x' is not a byte number", id="bare-prefix"),
        pytest.param(("--offset", "9" * 40), "is not a byte number", id="huge-offset"),
        pytest.param(("--offset", "16384"), "offset 16384 is not in 0..16383", id="behind-the-end"),
        pytest.param(("--at", "1"), "position '1' is not X,Y or X,Y,Z", id="one-number"),
        pytest.param(("--at", "-1,0"), "position '-1,0' is not", id="negative-position"),
        pytest.param(("--at", "64,0"), "x 64 is not in the 0..63 pixels of level 0", id="right-of-it"),
        pytest.param(("--at", "0,64"), "y 64 is not in the 0..63 pixels of level 0", id="below-it"),
        pytest.param(("--at", "0,0,1"), "z 1 is not in 0..0", id="behind-it"),
        pytest.param(("--at", "0,0", "--level", "1"), "level 1 is not in 0..0", id="no-level"),
        pytest.param(("--at", "0,0", "--level", "-1"), "level -1 is not in 0..0", id="negative-level"),
        pytest.param(("--at", "0,0", "--layer", "1"), "layer 1 is not in 0..0", id="no-layer"),
        pytest.param(("--at", "0,0", "--sample", "1"), "the texture has one sample", id="no-sample"),
    ],
)
def test_odd_questions_are_refused_in_one_line(asked: tuple[str, ...], words: str) -> None:
    """The line says what was wrong and what is allowed."""
    assert words in complaint("texel", *RGBA8_64, *asked)


@pytest.mark.parametrize(
    ("described", "asked", "words"),
    [
        pytest.param("--format RGBA_DXT1 --size 18x18", "--at 18,0", "x 18 is not in the 0..17 pixels", id="block"),
        pytest.param("--format R8 --size 9x9 --samples 4", "--at 9,0", "x 9 is not in the 0..8 pixels", id="samples"),
        pytest.param("--format R8 --size 9x9 --samples 4", "--at 0,0 --sample 4", "sample 4 is not in 0..3", id="5"),
    ],
)
def test_positions_are_pixels(described: str, asked: str, words: str) -> None:
    """A pixel outside the texture is refused though its block or storage reaches further."""
    assert words in complaint("texel", *described.split(), *asked.split())


@pytest.mark.parametrize("samples", [2, 4, 8, 16])
def test_pixels_and_samples_are_found_both_ways(samples: int) -> None:
    """The byte of each sample of a pixel answers with that pixel and that sample."""
    texture = ("texel", "--format", "RGBA8", "--size", "20x12", "--samples", samples)
    offsets = set()
    for sample in range(samples):
        there = refnvn(*texture, "--at", "13,7", "--sample", sample, "--json").json
        back = refnvn(*texture, "--offset", there["offset_B"], "--json").json
        assert [(one["x_px"], one["y_px"], one["sample"]) for one in (there, back)] == [(13, 7, sample)] * 2
        offsets.add(there["offset_B"])
    assert len(offsets) == samples
    said = refnvn(*texture, "--offset", there["offset_B"]).out
    assert said.startswith(f"level 0, layer 0: pixel x 13 y 7 sample {samples - 1}; texel of storage x ")


def test_the_order_of_sixteen_samples_is_said_to_be_open() -> None:
    """Sample 15 is the nearest to a pixel's corner; that its texel comes first rests on an open rule."""
    texture = ("texel", "--format", "RGBA8", "--size", "20x12", "--samples", 16, "--offset", 0)
    answer = refnvn(*texture, "--json").json
    assert (answer["x_px"], answer["y_px"], answer["sample"]) == (0, 0, 15)
    assert answer["weakest_evidence"] == "OPEN"


@pytest.mark.parametrize(
    ("described", "asked", "rank", "code"),
    [
        pytest.param("--format RGBA8 --size 64x64", "--offset 0", "SWITCH", 0, id="console-data"),
        pytest.param("--format RGBA8 --size 60x8", "--offset 1824", "SWITCH", 0, id="padding"),
        pytest.param("--format RGBA8 --size 8x8 --samples 4", "--at 0,0", "OPEN", 3, id="samples"),
        pytest.param("--format DEPTH32F --size 64x64", "--at 0,0", "OPEN", 3, id="depth"),
        pytest.param("--format RGBA8 --size 64x64x8", "--offset 0", "INFERRED", 3, id="3d"),
    ],
)
def test_the_weakest_evidence_is_told(described: str, asked: str, rank: str, code: int) -> None:
    """Only the rules that place the texel count; with ``--strict-evidence`` an inferred or open one exits with 3."""
    question = ("texel", *described.split(), *asked.split())
    assert refnvn(*question, "--json").json["weakest_evidence"] == rank
    assert (refnvn(*question).code, refnvn(*question, "--strict-evidence").code) == (0, code)
