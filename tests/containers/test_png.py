"""PNG keeps every code, with Pillow as the referee of what we write and the source of what we read."""

from __future__ import annotations

import io
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from numpy.typing import NDArray
from PIL import Image

from refnvn.containers.png import png_bytes, read_png, read_png_text, write_png
from refnvn.containers.png_chunks import IHDR, SIGNATURE, chunk_bytes, chunks_of
from refnvn.errors import FieldRangeError, InputFileError, ShapeError

SIDES = st.integers(1, 7)
SHAPES = st.tuples(SIDES, SIDES) | st.tuples(SIDES, SIDES, st.integers(2, 4))


def png_of(header: tuple[int, ...], pixels: bytes, *more: bytes) -> bytes:
    """Spell a PNG chunk by chunk; the pixels are still to be deflated."""
    chunks = (chunk_bytes(b"IHDR", IHDR.pack(*header)), *more, chunk_bytes(b"IDAT", zlib.compress(pixels)))
    return SIGNATURE + b"".join(chunks) + chunk_bytes(b"IEND", b"")


def by_pillow(image: Image.Image, **options: Any) -> bytes:
    file = io.BytesIO()
    image.save(file, format="PNG", **options)
    return file.getvalue()


def test_file_has_these_chunks() -> None:
    """A grey 2x2 picture is a header, one row above the other by the filter 'up', and an end."""
    data = png_bytes(np.array([[1, 2], [4, 1]], np.uint8))
    (_, header), (_, pixels), end = chunks_of(data, "a.png")
    assert header == bytes.fromhex("00000002 00000002 08 00 00 00 00")
    assert zlib.decompress(pixels) == bytes([2, 1, 2, 2, 3, 255])
    assert end == (b"IEND", b"")


@settings(max_examples=80, deadline=None)
@given(hnp.arrays(np.uint8, SHAPES))
def test_eight_bits_survive_and_pillow_agrees(codes: NDArray[np.uint8]) -> None:
    """Grey, grey with alpha, RGB and RGBA of 8 bits come back, from Pillow too."""
    data = png_bytes(codes)
    np.testing.assert_array_equal(codes, read_png(data))
    with Image.open(io.BytesIO(data)) as image:
        np.testing.assert_array_equal(codes, np.array(image))


@settings(max_examples=80, deadline=None)
@given(hnp.arrays(np.uint16, SHAPES))
def test_sixteen_bits_survive(codes: NDArray[np.uint16]) -> None:
    """Grey, grey with alpha, RGB and RGBA of 16 bits come back."""
    read = read_png(png_bytes(codes))
    np.testing.assert_array_equal(codes, read)
    assert read.dtype == np.uint16


def test_pillow_sees_our_sixteen_bits() -> None:
    """Pillow reads our 16-bit grey whole, and the high bytes of our 16-bit RGBA."""
    codes = np.arange(0, 65536, 2731, dtype=np.uint16).reshape(2, 3, 4)
    with Image.open(io.BytesIO(png_bytes(codes[..., 0]))) as image:
        np.testing.assert_array_equal(codes[..., 0], np.array(image).astype(np.uint16))
    with Image.open(io.BytesIO(png_bytes(codes))) as image:
        np.testing.assert_array_equal(codes >> 8, np.array(image).astype(np.uint16))


@pytest.mark.parametrize("channels", [1, 3, 4], ids=["grey", "RGB", "RGBA"])
def test_every_filter_is_undone(channels: int) -> None:
    """A 16-bit file with all five filters gives the bytes that Pillow finds in an 8-bit file of the same rows."""
    source = np.random.default_rng(channels)
    width_px, height_px = 6, 10
    filtered = source.integers(0, 256, (height_px, 1 + 2 * channels * width_px), dtype=np.uint8)
    filtered[:, 0] = np.arange(height_px) % 5
    colour_type = {1: 0, 3: 2, 4: 6}[channels]
    codes = read_png(png_of((width_px, height_px, 16, colour_type, 0, 0, 0), filtered.tobytes()))
    if channels == 1:
        # Grey of 16 bits and grey with alpha of 8 have rows of the same bytes, two to a pixel.
        twin = png_of((width_px, height_px, 8, 4, 0, 0, 0), filtered.tobytes())
        with Image.open(io.BytesIO(twin)) as image:
            expected = np.array(image).astype(np.uint16)
        np.testing.assert_array_equal(expected[..., 0] << 8 | expected[..., 1], codes)
    else:
        with Image.open(
            io.BytesIO(png_of((width_px, height_px, 16, colour_type, 0, 0, 0), filtered.tobytes()))
        ) as image:
            np.testing.assert_array_equal(np.array(image).astype(np.uint16), codes >> 8)


def test_palette_and_small_grey_become_eight_bits() -> None:
    """A palette becomes its colours, a palette with alpha RGBA, and grey of one bit 0 and 255."""
    palette = Image.fromarray(np.array([[0, 1]], np.uint8)).convert("P")
    palette.putpalette([10, 20, 30, 40, 50, 60])
    assert read_png(by_pillow(palette)).tolist() == [[[10, 20, 30], [40, 50, 60]]]
    assert read_png(by_pillow(palette, transparency=0)).tolist() == [[[10, 20, 30, 0], [40, 50, 60, 255]]]
    one_bit = Image.fromarray(np.array([[0, 255]], np.uint8)).convert("1")
    assert read_png(by_pillow(one_bit)).tolist() == [[0, 255]]
    two_bits = png_of((4, 1, 2, 0, 0, 0, 0), bytes([0, 0b00_01_10_11]))
    assert read_png(two_bits).tolist() == [[0, 85, 170, 255]]


def test_transparent_colour_becomes_alpha() -> None:
    """A colour that the file names as transparent has alpha 0."""
    image = Image.fromarray(np.array([[[1, 2, 3], [4, 5, 6]]], np.uint8))
    assert read_png(by_pillow(image, transparency=(1, 2, 3))).tolist() == [[[1, 2, 3, 0], [4, 5, 6, 255]]]


def test_interlaced_eight_bits_read() -> None:
    """Adam7 of 8 bits: a 3x2 picture is in passes 1 (x 0), 4 (x 2), 6 (x 1) and 7 (the second row)."""
    passes = b"\x00\x07" + b"\x00\x09" + b"\x00\x08" + b"\x00\x01\x02\x03"
    assert read_png(png_of((3, 2, 8, 0, 0, 0, 1), passes)).tolist() == [[7, 8, 9], [1, 2, 3]]
    with pytest.raises(InputFileError, match="size of its rows is 9 bytes; allowed: exactly 10"):
        read_png(png_of((3, 2, 8, 0, 0, 0, 1), passes[:-1]))


@pytest.mark.parametrize(
    ("data", "says"),
    [
        pytest.param(b"", "signature is b''", id="empty"),
        pytest.param(SIGNATURE, "last chunk is b'none'; allowed: IEND", id="no chunk"),
        pytest.param(png_bytes(np.zeros((1, 1), np.uint8))[:-12], "last chunk is b'IDAT'", id="no end"),
        pytest.param(png_bytes(np.zeros((1, 1), np.uint8)) + b"a", "trailing bytes is 1; allowed: none", id="more"),
        pytest.param(SIGNATURE + chunk_bytes(b"IEND", b""), "first chunk is b'IEND' of 0 bytes", id="no header"),
        pytest.param(png_of((0, 1, 8, 0, 0, 0, 0), b""), "width_px is 0; allowed: 1 to 16384", id="no width"),
        pytest.param(png_of((1, 1 << 31, 8, 0, 0, 0, 0), b""), "height_px is 2147483648; allowed",
                     id="absurd height"),
        pytest.param(png_of((16384, 16384, 8, 0, 0, 0, 0), b""), "pixels is 268435456; allowed: at most 67108864",
                     id="a bomb by its header"),
        pytest.param(png_of((1, 1, 4, 6, 0, 0, 0), b""), r"colour type and depth is \(6, 4\)", id="depth"),
        pytest.param(png_of((1, 1, 8, 5, 0, 0, 0), b""), r"colour type and depth is \(5, 8\)", id="colour type"),
        pytest.param(png_of((1, 1, 8, 0, 0, 1, 0), b""), "compression, filter, interlace is", id="filter method"),
        pytest.param(png_of((2, 2, 8, 0, 0, 0, 0), b"\0\0\0"), "size of its rows is 3 bytes; allowed: exactly 6",
                     id="a row missing"),
        pytest.param(png_of((1, 1, 8, 3, 0, 0, 0), b"\0\0"), "largest palette index is 0; allowed: less than 0",
                     id="no palette"),
        pytest.param(png_of((1, 1, 8, 3, 0, 0, 0), b"\0\1", chunk_bytes(b"PLTE", b"abc")),
                     "largest palette index is 1; allowed: less than 1", id="a colour missing"),
        pytest.param(png_of((1, 1, 8, 0, 0, 0, 0), b"\5\0"), "pixels cannot be decoded", id="8-bit filter"),
        pytest.param(png_of((1, 2, 16, 0, 0, 0, 0), bytes(3)), "size of its rows is 3 bytes; allowed: exactly 6",
                     id="16-bit row missing"),
        pytest.param(png_of((1, 1, 16, 2, 0, 0, 0), bytes(1 << 20)),
                     "size of its rows is 8 bytes or more; allowed: exactly 7", id="a bomb by its pixels"),
        pytest.param(png_of((1, 1, 16, 0, 0, 0, 0), b"\5\0\0"), "filter of row 0 is 5; allowed: 0 to 4", id="filter"),
        pytest.param(png_of((1, 1, 16, 2, 0, 0, 1), bytes(7)), "16-bit PNG is interlaced; allowed", id="interlaced"),
        pytest.param(png_of((1, 1, 16, 0, 0, 0, 0), bytes(3), chunk_bytes(b"tRNS", b"\0\0")),
                     "PNG is of 16 bits, with tRNS; allowed", id="16-bit transparent colour"),
        pytest.param(png_of((1, 1, 1, 0, 0, 0, 0), bytes(2), chunk_bytes(b"tRNS", b"\0\0")),
                     "PNG is of 1 bits, with tRNS; allowed", id="1-bit transparent grey"),
        pytest.param(SIGNATURE + chunk_bytes(b"IHDR", IHDR.pack(1, 1, 16, 0, 0, 0, 0)) + chunk_bytes(b"IDAT", b"no")
                     + chunk_bytes(b"IEND", b""), "pixel data cannot be inflated", id="no zlib"),
    ],
)  # fmt: skip
def test_file_that_lies_is_one_error(data: bytes, says: str, tmp_path: Path) -> None:
    """A PNG that is damaged, cut short or too large is refused before or while it is decoded."""
    (tmp_path / "a.png").write_bytes(data)
    with pytest.raises(InputFileError, match=rf"^{tmp_path / 'a.png'}: ({says})"):
        read_png(tmp_path / "a.png")


def test_limit_is_kept() -> None:
    """A larger picture than the caller allows is refused."""
    with pytest.raises(InputFileError, match="pixels is 6; allowed: at most 5"):
        read_png(png_bytes(np.zeros((2, 3), np.uint8)), limit_px=5)


def test_text_is_kept_and_pillow_reads_it() -> None:
    """Text goes in UTF-8, in the order of its keywords, and does not touch the pixels."""
    text = {"Source": "scene × 2", "Author": "test"}
    data = png_bytes(np.zeros((1, 1), np.uint8), text)
    assert read_png_text(data) == text
    assert read_png(data).tolist() == [[0]]
    with Image.open(io.BytesIO(data)) as image:
        assert dict(image.text) == text
    latin = png_of((1, 1, 8, 0, 0, 0, 0), b"\0\0", chunk_bytes(b"tEXt", b"Title\0\xe9"))
    assert read_png_text(latin) == {"Title": "é"}


@pytest.mark.parametrize("keyword", ["", " a", "x" * 80, "é", "a\n"], ids=repr)
def test_keyword_png_cannot_hold_is_refused(keyword: str) -> None:
    """A keyword is 1 to 79 printable characters."""
    with pytest.raises(FieldRangeError, match="allowed: keywords"):
        png_bytes(np.zeros((1, 1), np.uint8), {keyword: "text"})


@pytest.mark.parametrize(
    "values",
    [
        pytest.param(np.zeros((2, 2), np.float32), id="float"),
        pytest.param(np.zeros((2, 2, 5), np.uint8), id="five channels"),
        pytest.param(np.zeros((2, 0), np.uint8), id="no columns"),
        pytest.param(np.zeros(2, np.uint8), id="one dimension"),
    ],
)
def test_array_that_is_no_picture_is_refused(values: NDArray[Any]) -> None:
    """Only uint8 and uint16 pictures of one to four channels are written."""
    with pytest.raises(ShapeError, match="allowed in PNG"):
        png_bytes(values)


def test_written_file_reads_back(tmp_path: Path) -> None:
    """What is written to a path is what is read from it, whatever order the array had in memory."""
    values = np.arange(24, dtype=np.uint16).reshape(2, 3, 4).transpose(1, 0, 2)
    write_png(tmp_path / "a.png", values, {"Title": "a"})
    np.testing.assert_array_equal(values, read_png(tmp_path / "a.png"))
    assert read_png_text(tmp_path / "a.png") == {"Title": "a"}
