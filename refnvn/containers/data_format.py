"""How does KTX2 describe the bits of a format apart from its Vulkan number?

With a basic data format descriptor of the Khronos Data Format specification 1.3: 24 bytes about the block and 16
for each sample (a run of bits that is one component, or one part of a compressed block)::

    word 0  vendor 0, type 0                 word 4  bytes of a block
    word 1  version 2, size of this block    word 5  0
    word 2  model, primaries, transfer, 0    then for each sample: where and what, position, lower, upper
    word 3  width - 1, height - 1, 0, 0

Everything follows from Vulkan's name of the format. ``lower`` and ``upper`` are the codes that mean the least and
the most of the format's range (0 and 1, -1 and 1, or for integers one step); for floats they are float32.

It does not read samples: :func:`check_descriptor` compares what a reader relies on. Read next: ``ktx2_header.py``.
"""

from __future__ import annotations

import re
import struct
from dataclasses import dataclass

from refnvn.containers.equivalents import Equivalent
from refnvn.containers.source import require

BLOCK_B = 24
SAMPLE_B = 16
VERSION = 2
TRANSFER_LINEAR = 1
TRANSFER_SRGB = 2
PRIMARIES_BT709 = 1

MODEL_RGBSDA = 1
COMPRESSED_MODELS = {"BC1": 128, "BC2": 129, "BC3": 130, "BC4": 131, "BC5": 132, "BC6H": 133, "BC7": 134, "ASTC": 162}

CHANNELS = {"R": 0, "G": 1, "B": 2, "S": 13, "D": 14, "A": 15}
CHANNEL_ALPHA = 15
CHANNEL_BC1_COLOUR_WITH_ALPHA = 1

IS_LINEAR = 0x10
IS_EXPONENT = 0x20
IS_SIGNED = 0x40
IS_FLOAT = 0x80

FLOAT_ONE = 0x3F800000
FLOAT_MINUS_ONE = 0xBF800000
SHARED_MANTISSA_ONE = 8448
"""The mantissa bound that the specification's example of the shared exponent states."""
SHARED_EXPONENT_BIAS = 15
SHARED_EXPONENT_MAX = 31

_WORDS = struct.Struct("<2H4B4B8B")
"""Version to planes of the block, after the word of vendor and type."""


@dataclass(frozen=True, slots=True)
class Sample:
    """One run of bits: where it begins, how long it is, what it is, and its codes for least and most."""

    first_bit: int
    bits: int
    channel: int
    qualifiers: int
    lower: int
    upper: int

    def to_bytes(self) -> bytes:
        """Return the four words of the sample, its position in the block being 0."""
        what = self.channel | self.qualifiers
        return struct.pack("<HBB4xII", self.first_bit, self.bits - 1, what, self.lower, self.upper)


def _range(numeric: str, bits: int) -> tuple[int, int, int]:
    """Return the qualifiers, lower and upper of a component."""
    match numeric:
        case "UNORM" | "SRGB":
            return 0, 0, (1 << min(bits, 32)) - 1
        case "SNORM":
            most = (1 << (min(bits, 32) - 1)) - 1
            # Compressed components have no code of their own, so all of int32 stands for their range.
            least = -most if bits < 32 else -most - 1
            return IS_SIGNED, least & 0xFFFFFFFF, most
        case "UINT":
            return 0, 0, 1
        case "SINT":
            return IS_SIGNED, 0xFFFFFFFF, 1
        case "UFLOAT":
            return IS_FLOAT, 0, FLOAT_ONE
    assert numeric == "SFLOAT"
    return IS_FLOAT | IS_SIGNED, FLOAT_MINUS_ONE, FLOAT_ONE


def _sample(first_bit: int, bits: int, channel: int, numeric: str) -> Sample:
    qualifiers, lower, upper = _range(numeric, bits)
    if numeric == "SRGB" and channel == CHANNEL_ALPHA:
        qualifiers |= IS_LINEAR
    return Sample(first_bit, bits, channel, qualifiers, lower, upper)


def _plain_samples(name: str) -> list[Sample]:
    """Return the samples of a format of components; a PACK name starts at the highest bit."""
    components = []
    for group, numeric in re.findall(r"((?:[RGBADS]\d+)+)_([A-Z]+)", name):
        components += [(channel, int(bits), numeric) for channel, bits in re.findall(r"(\D)(\d+)", group)]
    if "_PACK" in name:
        components.reverse()
    samples: list[Sample] = []
    first_bit = 0
    for channel, bits, numeric in components:
        samples.append(_sample(first_bit, bits, CHANNELS[channel], numeric))
        first_bit += bits
    return samples


def _shared_exponent_samples() -> list[Sample]:
    """Return the samples of RGB9E5: each of R, G and B is a mantissa and the common exponent."""
    samples = []
    for channel in range(3):
        samples.append(Sample(9 * channel, 9, channel, 0, 0, SHARED_MANTISSA_ONE))
        samples.append(Sample(27, 5, channel, IS_EXPONENT, SHARED_EXPONENT_BIAS, SHARED_EXPONENT_MAX))
    return samples


def _compressed_samples(model: str, name: str, numeric: str) -> list[Sample]:
    """Return the samples of a compressed format: whole blocks, or a half for each part."""
    match model:
        case "BC1":
            return [_sample(0, 64, CHANNEL_BC1_COLOUR_WITH_ALPHA if "RGBA" in name else 0, numeric)]
        case "BC2" | "BC3":
            return [_sample(0, 64, CHANNEL_ALPHA, numeric), _sample(64, 64, 0, numeric)]
        case "BC4":
            return [_sample(0, 64, 0, numeric)]
        case "BC5":
            return [_sample(0, 64, 0, numeric), _sample(64, 64, 1, numeric)]
    return [_sample(0, 128, 0, numeric)]


def samples_of(row: Equivalent) -> tuple[int, list[Sample]]:
    """Return the colour model and the samples of a format.

    Examples
    --------
    >>> from refnvn.containers.equivalents import equivalents
    >>> model, samples = samples_of(equivalents()["BGR565"])
    >>> model, [(s.first_bit, s.bits, s.channel) for s in samples]
    (1, [(0, 5, 2), (5, 6, 1), (11, 5, 0)])
    """
    name = row.vulkan_name
    if name.startswith("E5B9G9R9"):
        return MODEL_RGBSDA, _shared_exponent_samples()
    if not name.endswith("_BLOCK"):
        return MODEL_RGBSDA, _plain_samples(name)
    model, *_, numeric, _ = name.split("_")
    return COMPRESSED_MODELS[model], _compressed_samples(model, name, numeric)


def _transfer(row: Equivalent) -> int:
    return TRANSFER_SRGB if "_SRGB" in row.vulkan_name else TRANSFER_LINEAR


def descriptor_bytes(row: Equivalent) -> bytes:
    """Return the data format descriptor of a format as KTX2 stores it, its total size first."""
    model, samples = samples_of(row)
    size_B = BLOCK_B + SAMPLE_B * len(samples)
    block = row.block
    words = _WORDS.pack(
        VERSION, size_B, model, PRIMARIES_BT709, _transfer(row), 0,
        block.block_width_px - 1, block.block_height_px - 1, 0, 0,
        block.bytes_per_block, 0, 0, 0, 0, 0, 0, 0,
    )  # fmt: skip
    return struct.pack("<II", 4 + size_B, 0) + words + b"".join(sample.to_bytes() for sample in samples)


def check_descriptor(descriptor: bytes, row: Equivalent, name: str) -> None:
    """Raise InputFileError unless a file's descriptor is whole and has the block and transfer of the format.

    Writers differ in the samples of one format, so these are counted but not compared.
    """
    size_B = len(descriptor)
    least_B = 4 + BLOCK_B
    require(name, "DFD length", size_B, allowed=f"{least_B} or more", fine=size_B >= least_B)
    total_B, vendor_and_type = struct.unpack_from("<II", descriptor)
    require(name, "DFD total size", total_B, allowed=f"its length {size_B}", fine=total_B == size_B)
    require(name, "DFD vendor and type", vendor_and_type, allowed="0", fine=vendor_and_type == 0)
    _, block_B, _, _, transfer, _, *rest = _WORDS.unpack_from(descriptor, 8)
    fits = BLOCK_B <= block_B <= size_B - 4 and (block_B - BLOCK_B) % SAMPLE_B == 0
    require(name, "DFD block size", block_B, allowed=f"24 and 16 for each sample, at most {size_B - 4}", fine=fits)
    block = row.block
    dimensions = [block.block_width_px - 1, block.block_height_px - 1, 0, 0]
    require(name, "DFD block dimensions", rest[:4], allowed=str(dimensions), fine=rest[:4] == dimensions)
    require(name, "DFD bytes of a block", rest[4], allowed=str(block.bytes_per_block),
            fine=rest[4] == block.bytes_per_block)  # fmt: skip
    if _transfer(row) == TRANSFER_SRGB:
        require(name, "DFD transfer", transfer, allowed="2 for an sRGB format", fine=transfer == TRANSFER_SRGB)
