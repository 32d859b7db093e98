"""What do the targets of a random pipeline hold before its first command, and what was measured afterwards?

Contents are a hash of the texel's place, so that a file says them in three numbers. Targets are the rasteriser's own.

Read next: ``pipeline_state.py``.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from refnvn.conformance.fields import Fields
from refnvn.errors import InputFileError
from refnvn.formats.packing import pack_codes
from refnvn.formats.table import Format, format_named
from refnvn.raster.clear import clear_depth_stencil
from refnvn.raster.target import ColorTarget, DepthStencilTarget
from refnvn.rules.fields import Rules

Words = NDArray[np.uint32]

COLOR_FORMATS = {
    "RGBA8": "RGBA8", "SRGB8_ALPHA8": "RGBA8_SRGB", "RGB10_A2": "RGB10A2", "RGB565": "RGB565", "RGB5_A1": "RGB5A1",
    "RGBA16F": "RGBA16F", "R11F_G11F_B10F": "R11G11B10F", "RGBA16": "RGBA16", "RGBA8_SNORM": "RGBA8SN",
    "R32F": "R32F", "RGBA8UI": "RGBA8UI", "RG32UI": "RG32UI", "R8": "R8", "RG8": "RG8", "RG16F": "RG16F",
    "R16": "R16", "R16F": "R16F", "RG16_SNORM": "RG16SN", "R32UI": "R32UI", "RGBA8I": "RGBA8I", "RG16I": "RG16I",
    "RGB10_A2UI": "RGB10A2UI", "RGBA32F": "RGBA32F",
}  # fmt: skip
DEPTH_FORMATS = ("DEPTH16", "DEPTH24_STENCIL8", "DEPTH32F", "DEPTH32F_STENCIL8")
LARGEST_PX = 64
SAMPLES = (1, 2, 4, 8)
_KINDS = ("pixel", "block4", "uniform", "clear")
_ALL_BITS = 0xFFFFFFFF
_WORDS_OF_A_TEXEL = 4


def hashed(seed: int, places: Words) -> Words:
    """Return the word of each place, modulo 2^32 throughout, as the generator of the cases mixes them.

    >>> hex(hashed(1, np.array([0], np.uint32))[0])
    '0x2957f112'
    """
    with np.errstate(over="ignore"):
        found = places * np.uint32(0x9E3779B1) + np.uint32((seed * 0x85EBCA77 + 0x1234567) & _ALL_BITS)
        found ^= found >> np.uint32(16)
        found *= np.uint32(0x7FEB352D)
        found ^= found >> np.uint32(15)
        found *= np.uint32(0x846CA68B)
        found ^= found >> np.uint32(16)
    return found


def initial_words(init: Fields, shape: tuple[int, int, int], count: int) -> Words:
    """Return the first words of every texel, shape (samples, rows, columns, count)."""
    sample, row, column = (axis.astype(np.uint32) for axis in np.indices(shape))
    kind = init.word("kind", _KINDS)
    if kind == "block4":
        row, column = row & ~np.uint32(3), column & ~np.uint32(3)
    texel: Words = (sample * np.uint32(shape[1]) + row) * np.uint32(shape[2]) + column
    if kind == "uniform":
        texel = np.zeros_like(texel)
    texels = texel[..., np.newaxis] * np.uint32(_WORDS_OF_A_TEXEL)
    places: Words = (texels + np.arange(count, dtype=np.uint32)).astype(np.uint32)
    kept = np.uint32(init.integer("and", _ALL_BITS, high=_ALL_BITS))
    return hashed(init.integer("seed", high=_ALL_BITS), places) & kept


def color_format(told: Fields) -> Format:
    """Return the format of a colour target or of a texture."""
    return format_named(COLOR_FORMATS[told.word("format", COLOR_FORMATS)])


def initial_color(told: Fields, shape: tuple[int, int, int]) -> NDArray[np.uint8]:
    """Return the texels that a colour target or a texture starts with, shape (samples, rows, columns, bytes)."""
    fmt = color_format(told)
    words = initial_words(told.inner("init"), shape, -(-fmt.bytes_per_block // 4)).astype("<u4")
    return np.ascontiguousarray(np.ascontiguousarray(words).view(np.uint8)[..., : fmt.bytes_per_block])


def color_target(told: Fields, shape: tuple[int, int, int]) -> ColorTarget:
    """Return a colour target with its first contents."""
    first, *others = initial_color(told, shape)
    return ColorTarget(color_format(told), first, tuple(others))


def _initial_depth(fmt: Format, init: Fields, shape: tuple[int, int, int]) -> NDArray[np.uint8]:
    """Return depth texels: 16 or 24 bits of word 0, or 24 of them as a fraction in float32; then stencil."""
    words = initial_words(init, shape, 2)
    depth, stencil = words[..., 0] >> np.uint32(8), words[..., 0] & np.uint32(0xFF)
    if fmt.name == "DEPTH16":
        depth = words[..., 0] & np.uint32(0xFFFF)
    elif fmt.name.startswith("DEPTH32F"):
        depth = (depth.astype(np.float32) * np.float32(2.0**-24)).view(np.uint32)
        stencil = words[..., 1] & np.uint32(0xFF)
    codes = {"D": depth, "S": stencil}
    nothing = np.zeros_like(depth)
    return pack_codes(fmt, np.stack([codes.get(c.name, nothing) for c in fmt.components], -1).astype(np.int64))


def depth_target(told: Fields, shape: tuple[int, int, int], rules: Rules) -> DepthStencilTarget:
    """Return a depth-stencil target with its first contents; one of several samples was cleared."""
    fmt = format_named(told.word("format", DEPTH_FORMATS))
    init = told.inner("init")
    if init.word("kind", _KINDS) != "clear":
        first, *others = _initial_depth(fmt, init, shape)
        return DepthStencilTarget(fmt, first, tuple(others))
    samples, rows, columns = shape
    first, *others = np.zeros((samples, rows, columns, fmt.bytes_per_block), np.uint8)
    target = DepthStencilTarget(fmt, first, tuple(others))
    stencil, bits = init.integer("stencil", high=255), init.float_bits("depth")
    for sample in range(samples):
        clear_depth_stencil(target.of_sample(sample), bits, True, stencil, 255, rules=rules)
    return target


def measured_bytes(case: Fields, blob: NDArray[np.uint8], output: Fields) -> NDArray[np.uint8]:
    """Return what was measured of one target, shape (samples, rows, columns, bytes).

    Raises
    ------
    InputFileError
        Where it does not lie in the results.
    """
    size_B = {"<u1": 1, "<u4": 4, "<u2": 2}[output.word("dtype", ("<u1", "<u2", "<u4"))]
    shape = output.numbers("shape")
    wanted = [case.integer("height", high=LARGEST_PX), case.integer("width", high=LARGEST_PX)]
    if case.integer("samples"):
        wanted = [case.integer("samples"), *wanted]
    texel = shape[len(wanted) :]
    if shape[: len(wanted)] != wanted or len(texel) > 1 or any(not 1 <= n <= 16 for n in texel):
        raise InputFileError(f"{output.name}: shape is {shape}; allowed is {wanted} and the bytes of a texel")
    begin = output.integer("offset", high=len(blob))
    count_B = int(np.prod(shape)) * size_B
    if begin + count_B > len(blob):
        raise InputFileError(f"{output.name}: ends at byte {begin + count_B} of the {len(blob)} results")
    samples = wanted[0] if len(wanted) == 3 else 1
    return blob[begin : begin + count_B].reshape(samples, *wanted[-2:], -1)
