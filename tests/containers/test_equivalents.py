"""The table of equivalent formats, checked against the names that DXGI and Vulkan give and NVN's table of bits."""

from __future__ import annotations

import re

import pytest
from PIL.DdsImagePlugin import DXGI_FORMAT

from refnvn.containers.data_format import samples_of
from refnvn.containers.equivalents import by_dxgi_code, by_vulkan_code, equivalent_for, equivalents
from refnvn.containers.ktx2_header import type_size_B
from refnvn.containers.surface import BlockSize, Shape
from refnvn.errors import FieldRangeError, UnsupportedFormat
from refnvn.formats.table import Format, formats

Bits = list[tuple[str, int, int]]

NUMERIC = {
    "unorm": ("UNORM", "UNORM"),
    "snorm": ("SNORM", "SNORM"),
    "uint": ("UINT", "UINT"),
    "sint": ("SINT", "SINT"),
    "float": ("FLOAT", "SFLOAT"),
    "ufloat": ("FLOAT", "UFLOAT"),
    "shared-exp": ("SHAREDEXP", "UFLOAT"),
    "depth-unorm": ("UNORM", "UNORM"),
    "depth-float": ("FLOAT", "SFLOAT"),
    "stencil-uint": ("UINT", "UINT"),
    "depth-float+stencil-uint": ("UINT", "UINT"),
}

# The formats without any equivalent, each for the reason that stands before it.
WITHOUT = {
    "not a format": {"NONE"},
    "depth in the upper 24 bits": {"DEPTH24", "DEPTH24_STENCIL8"},
    "X above RGB": {
        "RGBX8", "RGBX8SN", "RGBX8UI", "RGBX8I", "RGBX8_SRGB", "RGBX16F", "RGBX16", "RGBX16SN", "RGBX16UI",
        "RGBX16I", "RGBX32F", "RGBX32UI", "RGBX32I", "RGB5", "BGR5",
    },
    "integers read as floats": {name for name in formats() if name.endswith(("_UI2F", "_I2F"))},
}  # fmt: skip


def bits_in_name(name: str) -> Bits:
    """Return the components that a DXGI or Vulkan name states, lowest bits first."""
    components = [
        (letter, int(bits))
        for group in re.findall(r"(?:^|_)((?:[RGBADSEX]\d+)+)(?=_)", name)
        for letter, bits in re.findall(r"(\D)(\d+)", group)
    ]
    if "_PACK" in name:
        components.reverse()
    found, first_bit = [], 0
    for letter, bits in components:
        found.append((letter, first_bit, bits))
        first_bit += bits
    return found


def plain_formats() -> list[str]:
    return [name for name in equivalents() if not formats()[name].is_compressed]


def bits_of(entry: Format) -> Bits:
    return [(c.name, c.first_bit, c.bits) for c in entry.components]


def test_bits_in_name_follows_both_conventions() -> None:
    """DXGI names from the lowest bit up; Vulkan's PACK names from the highest bit down."""
    low_blue = [("B", 0, 5), ("G", 5, 6), ("R", 11, 5)]
    assert bits_in_name("B5G6R5_UNORM") == low_blue
    assert bits_in_name("R5G6B5_UNORM_PACK16") == low_blue
    assert bits_in_name("D32_FLOAT_S8X24_UINT") == [("D", 0, 32), ("S", 32, 8), ("X", 40, 24)]


@pytest.mark.parametrize("name", plain_formats())
def test_names_of_other_interfaces_state_nvns_bits(name: str) -> None:
    """Component by component, the other interface's name puts the same bits where NVN has them."""
    entry, row = formats()[name], equivalents()[name]
    expected = bits_of(entry)
    if row.dxgi_name:
        assert bits_in_name(row.dxgi_name) == expected
    if row.vulkan_name:
        # Vulkan's D32_SFLOAT_S8_UINT does not name the 24 bits that nothing reads.
        assert bits_in_name(row.vulkan_name) == [c for c in expected if c[0] != "X"]
    dxgi_numeric, vulkan_numeric = NUMERIC[entry.numeric_class]
    if row.dxgi_name:
        assert row.dxgi_name.endswith(f"_{dxgi_numeric}{'_SRGB' if entry.srgb else ''}")
    if row.vulkan_name:
        last = re.sub(r"_PACK\d+$", "", row.vulkan_name).rpartition("_")[2]
        assert last == ("SRGB" if entry.srgb else vulkan_numeric)


@pytest.mark.parametrize("name", equivalents())
def test_block_is_that_of_the_format_table(name: str) -> None:
    """The block of a row is the block that NVN's format table has."""
    entry = formats()[name]
    assert equivalents()[name].block == BlockSize(entry.bytes_per_block, entry.block_width_px, entry.block_height_px)


COMPRESSED = {
    "DXT1": "BC1", "DXT3": "BC2", "DXT5": "BC3", "RGTC1": "BC4", "RGTC2": "BC5",
    "BPTC_SFLOAT": "BC6H", "BPTC_UFLOAT": "BC6H", "BPTC_UNORM": "BC7",
}  # fmt: skip
COMPRESSED_NUMERIC = {
    "compressed-unorm": ("UNORM", "UNORM"),
    "compressed-snorm": ("SNORM", "SNORM"),
    "compressed-sfloat": ("SF16", "SFLOAT"),
    "compressed-ufloat": ("UF16", "UFLOAT"),
}


@pytest.mark.parametrize("name", [name for name in equivalents() if formats()[name].is_compressed])
def test_names_of_compressed_formats_correspond(name: str) -> None:
    """DXTn, RGTC and BPTC are the BC numbers that the Khronos specifications give them; ASTC keeps its block."""
    entry, row = formats()[name], equivalents()[name]
    dxgi_numeric, vulkan_numeric = COMPRESSED_NUMERIC[entry.numeric_class]
    family = next((bc for word, bc in COMPRESSED.items() if word in name), None)
    if family is None:
        family = f"ASTC_{entry.block_width_px}x{entry.block_height_px}"
    channels = {"RGB_DXT1": "_RGB", "RGBA_DXT1": "_RGBA"}.get(name.removesuffix("_SRGB"), "")
    assert row.dxgi_name == f"{family.upper()}_{dxgi_numeric}{'_SRGB' if entry.srgb else ''}"
    assert row.vulkan_name == f"{family}{channels}_{'SRGB' if entry.srgb else vulkan_numeric}_BLOCK"


def test_every_format_without_a_row_has_a_reason() -> None:
    """All 157 formats are in the table or in the list of those that have no equal."""
    without = set().union(*WITHOUT.values())
    assert set(formats()) - set(equivalents()) == without
    assert len(equivalents()) == 113


def test_dxgi_numbers_are_those_of_another_implementation() -> None:
    """Pillow lists DXGI's published numbers; ASTC's unpublished ones go up in fours from 134, sRGB one above."""
    for row in equivalents().values():
        if row.dxgi_code is not None and not row.dxgi_name.startswith("ASTC"):
            assert row.dxgi_code == DXGI_FORMAT[row.dxgi_name]
    sides = [(4, 4), (5, 4), (5, 5), (6, 5), (6, 6), (8, 5), (8, 6), (8, 8)]
    sides += [(10, 5), (10, 6), (10, 8), (10, 10), (12, 10), (12, 12)]
    for place, (width_px, height_px) in enumerate(sides):
        size = f"{width_px}x{height_px}"
        assert equivalents()[f"RGBA_ASTC_{size}"].dxgi_code == 134 + 4 * place
        assert equivalents()[f"RGBA_ASTC_{size}_SRGB"].dxgi_code == 135 + 4 * place


# Numbers of VkFormat as the Vulkan specification lists them.
VULKAN_NUMBERS = {
    "B5G6R5_UNORM_PACK16": 5, "R5G6B5_UNORM_PACK16": 4, "R5G5B5A1_UNORM_PACK16": 6, "A1R5G5B5_UNORM_PACK16": 8,
    "R8_UNORM": 9, "R8_SINT": 14, "R8G8_UNORM": 16, "R8G8B8_UNORM": 23, "R8G8B8A8_UNORM": 37, "R8G8B8A8_SRGB": 43,
    "B8G8R8A8_UNORM": 44, "B8G8R8A8_SRGB": 50, "A2B10G10R10_UNORM_PACK32": 64, "A2B10G10R10_UINT_PACK32": 68,
    "R16_UNORM": 70, "R16_SFLOAT": 76, "R16G16_SFLOAT": 83, "R16G16B16A16_SFLOAT": 97, "R32_UINT": 98,
    "R32_SFLOAT": 100, "R32G32_SFLOAT": 103, "R32G32B32_SFLOAT": 106, "R32G32B32A32_SFLOAT": 109,
    "B10G11R11_UFLOAT_PACK32": 122, "E5B9G9R9_UFLOAT_PACK32": 123, "D16_UNORM": 124, "D32_SFLOAT": 126,
    "S8_UINT": 127, "D32_SFLOAT_S8_UINT": 130, "BC1_RGB_UNORM_BLOCK": 131, "BC1_RGBA_UNORM_BLOCK": 133,
    "BC2_UNORM_BLOCK": 135, "BC3_SRGB_BLOCK": 138, "BC4_UNORM_BLOCK": 139, "BC4_SNORM_BLOCK": 140,
    "BC5_UNORM_BLOCK": 141, "BC6H_UFLOAT_BLOCK": 143, "BC6H_SFLOAT_BLOCK": 144, "BC7_UNORM_BLOCK": 145,
    "ASTC_4x4_UNORM_BLOCK": 157, "ASTC_12x12_SRGB_BLOCK": 184, "A4B4G4R4_UNORM_PACK16": 1000340001,
    "A1B5G5R5_UNORM_PACK16": 1000470000,
}  # fmt: skip


def test_vulkan_numbers_are_the_specifications() -> None:
    """The numbers of VkFormat are those of the Vulkan specification, and no number is used twice."""
    table = {row.vulkan_name: row.vulkan_code for row in equivalents().values() if row.vulkan_name}
    assert {name: table[name] for name in VULKAN_NUMBERS} == VULKAN_NUMBERS
    assert len(set(table.values())) == len(table) == len(by_vulkan_code())


def test_bc1_reads_as_the_format_with_alpha() -> None:
    """DXGI has one BC1 for NVN's two; reading takes RGBA_DXT1."""
    assert by_dxgi_code()[71].nvn == "RGBA_DXT1"
    assert by_dxgi_code()[72].nvn == "RGBA_DXT1_SRGB"
    assert equivalents()["RGB_DXT1"].dxgi_code == 71


@pytest.mark.parametrize("name", [name for name in plain_formats() if equivalents()[name].vulkan_name])
def test_descriptor_samples_are_nvns_components(name: str) -> None:
    """The samples of a KTX2 descriptor name the bits and channels of the NVN format."""
    channels = {0: "R", 1: "G", 2: "B", 13: "S", 14: "D", 15: "A"}
    model, samples = samples_of(equivalents()[name])
    found = [(channels[s.channel], s.first_bit, s.bits) for s in samples]
    if name == "RGB9E5F":
        mantissas_and_exponents = []
        for place, letter in enumerate("RGB"):
            mantissas_and_exponents += [(letter, 9 * place, 9), (letter, 27, 5)]
        assert found == mantissas_and_exponents
    else:
        assert found == [c for c in bits_of(formats()[name]) if c[0] != "X"]
    assert model == 1


@pytest.mark.parametrize(
    ("name", "ranges"),
    [
        pytest.param("RGBA8_SRGB", [(0, 0, 255)] * 3 + [(0x10, 0, 255)], id="sRGB with linear alpha"),
        pytest.param("R8SN", [(0x40, 0xFFFFFF81, 127)], id="snorm from -127"),
        pytest.param("R16I", [(0x40, 0xFFFFFFFF, 1)], id="sint"),
        pytest.param("R32UI", [(0, 0, 1)], id="uint"),
        pytest.param("R16F", [(0xC0, 0xBF800000, 0x3F800000)], id="signed float"),
        pytest.param("R11G11B10F", [(0x80, 0, 0x3F800000)] * 3, id="unsigned float"),
        pytest.param("DEPTH16", [(0, 0, 65535)], id="depth"),
        pytest.param("RGB9E5F", [(0, 0, 8448), (0x20, 15, 31)] * 3, id="shared exponent"),
        pytest.param("RGBA_DXT5_SRGB", [(0x10, 0, 0xFFFFFFFF), (0, 0, 0xFFFFFFFF)], id="alpha block first"),
        pytest.param("RGTC2_SNORM", [(0x40, 0x80000000, 0x7FFFFFFF)] * 2, id="signed blocks"),
    ],
)
def test_descriptor_samples_state_sort_and_range(name: str, ranges: list[tuple[int, int, int]]) -> None:
    """Qualifiers and bounds of the samples follow the Khronos Data Format specification."""
    _, samples = samples_of(equivalents()[name])
    assert [(s.qualifiers, s.lower, s.upper) for s in samples] == ranges


@pytest.mark.parametrize("name", [name for name in equivalents() if equivalents()[name].vulkan_name])
def test_type_size_is_one_for_blocks_else_the_word(name: str) -> None:
    """KTX2's type size is 1 for compressed formats, else the bytes of a component or of a packed word."""
    entry = formats()[name]
    same_bits = {c.bits for c in entry.components if c.name != "X"}
    if entry.is_compressed:
        expected_B = 1
    elif len(same_bits) == 1 and same_bits <= {8, 16, 32}:
        expected_B = same_bits.pop() // 8
    else:
        expected_B = min(4, entry.bytes_per_block)
    assert type_size_B(equivalents()[name]) == expected_B


def test_refusal_names_the_containers_that_can_hold_it() -> None:
    """A format that a container lacks is refused with the names of those that have it."""
    with pytest.raises(UnsupportedFormat, match=r"DDS .* RGBA4; can hold it: KTX2 and npy"):
        equivalent_for(Shape(format="RGBA4", block=BlockSize(2), width_px=1), "DDS")
    with pytest.raises(UnsupportedFormat, match=r"KTX2 .* BGRX8; can hold it: DDS and npy"):
        equivalent_for(Shape(format="BGRX8", block=BlockSize(4), width_px=1), "KTX2")
    with pytest.raises(UnsupportedFormat, match=r"DEPTH24_STENCIL8; can hold it: npy"):
        equivalent_for(Shape(format="DEPTH24_STENCIL8", block=BlockSize(4), width_px=1), "DDS")
    with pytest.raises(FieldRangeError, match="allowed for RGBA8"):
        equivalent_for(Shape(format="RGBA8", block=BlockSize(8), width_px=1), "DDS")
