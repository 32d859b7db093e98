"""``refnvn formats``: the table, and formats in full."""

import pytest

from refnvn.formats.table import formats
from tests.cli.harness import complaint, refnvn


def test_the_table_has_all_157_formats() -> None:
    """One line a format, in the order of NVN's values, and a count."""
    lines = refnvn("formats").out.splitlines()
    assert lines[0].split() == ["value", "name", "bytes", "block", "bits", "class", "uses"]
    assert [line.split()[1] for line in lines[1:-1]] == list(formats())
    assert lines[-1] == "157 formats"


def test_a_line_says_bits_class_and_uses() -> None:
    """RGBA8 is 0x25, four 8-bit unorm fields from the lowest byte up, good for everything."""
    lines = {line.split()[1]: line.split() for line in refnvn("formats").out.splitlines()[1:-1]}
    assert " ".join(lines["RGBA8"]) == "0x25 RGBA8 4 - R8 G8 B8 A8 unorm texture target blend vertex image buffer"
    assert lines["RGBA_DXT1"] == ["0x42", "RGBA_DXT1", "8", "4x4", "-", "compressed-unorm", "texture"]


def test_uses_and_classes_choose() -> None:
    """Several uses must all be there; a class is exact."""
    chosen = refnvn("formats", "--use", "image", "--use", "blendable", "--class", "snorm", "--json").json["formats"]
    assert [one["name"] for one in chosen] == ["R8SN", "R16SN", "RG8SN", "RG16SN", "RGBA8SN", "RGBA16SN"]
    assert refnvn("formats", "--use", "vertex", "--class", "depth-unorm").out.splitlines()[-1] == "0 formats"


def test_a_format_in_full() -> None:
    """R11G11B10F: fields from the top bit down, hardware codes, and the formats of the same bits elsewhere."""
    said = refnvn("formats", "r11g11b10f").out
    assert "NVN_FORMAT_R11G11B10F (0x3f): 4 bytes per texel" in said
    drawing = [line.strip() for line in said.splitlines()[1:4]]
    assert drawing[0].split() == ["31..22", "21..11", "10..0"]
    assert drawing[1] == "+--------+--------+-------+"
    assert [cell.strip() for cell in drawing[2].strip("|").split("|")] == ["B", "G", "R"]
    assert "same bits: DXGI R11G11B10_FLOAT, Vulkan B10G11R11_UFLOAT_PACK32" in said
    assert "(R, G, B, A) = (R, G, B, 1f)" in said


def test_a_format_without_twins_says_so() -> None:
    """No DXGI or Vulkan format has the bits of RGBX8; a compressed format has no fields to draw."""
    assert "same bits: no DXGI or Vulkan format" in refnvn("formats", "RGBX8").out
    assert "NVN_FORMAT_STENCIL8 (0x31): 1 byte per texel" in refnvn("formats", "STENCIL8").out
    assert "+--" not in refnvn("formats", "RGBA_DXT1").out
    assert "8 bytes per block of 4x4 pixels" in refnvn("formats", "RGBA_DXT1").out


def test_names_come_once_each_in_the_order_asked() -> None:
    """Names may be short, long, in any case, or values."""
    said = refnvn("formats", "RGB565", "NVN_FORMAT_RGBA8", "0x25", "rgb565", "--json").json["formats"]
    assert [one["name"] for one in said] == ["RGB565", "RGBA8"]
    assert said[0]["components"][0] == {"name": "R", "first_bit": 0, "bits": 5}
    assert (said[0]["dxgi"], said[0]["vulkan"]) == (None, "B5G6R5_UNORM_PACK16")
    assert said[1]["value"] == 0x25


def test_json_has_every_format() -> None:
    """The object holds all formats with all their uses."""
    listed = refnvn("formats", "--json").json["formats"]
    assert len(listed) == 157
    assert all(len(one["uses"]) == 6 for one in listed)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        pytest.param(("RGBA7",), "'RGBA7' is not an NVN format; close to it: RGBA8", id="misspelt"),
        pytest.param(("R8G8B8A8_UNORM",), "is not an NVN format", id="foreign"),
        pytest.param(("DXT5",), "NVN calls it: RGBA_DXT5", id="short-name"),
        pytest.param(("--use", "scanout"), "'scanout' is not one of 'texture'", id="no-such-use"),
        pytest.param(("--class", "fixed"), "'fixed' is not one of 'none', 'unorm'", id="no-such-class"),
    ],
)
def test_unknown_formats_are_refused_in_one_line(arguments: tuple[str, ...], words: str) -> None:
    """The line names what comes close or what is allowed."""
    assert words in complaint("formats", *arguments)
