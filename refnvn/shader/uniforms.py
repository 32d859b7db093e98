"""What does a shader read from its uniform blocks?

Blocks are read by 32-bit words. All blocks of a shader are laid one after another in one array, so that a kernel
gets one argument.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from refnvn.formats.floatbits import Int64
from refnvn.rules.evidence import Evidence
from refnvn.rules.registry import rule
from refnvn.shader.bits import ZERO, Word, select
from refnvn.shader.ir import LoadUniform, Shader, walk

WORD_B = 4


def first_words(shader: Shader) -> dict[int, int]:
    """Return by binding the word at which each block starts in :func:`uniform_words`."""
    starts: dict[int, int] = {}
    start = 0
    for block in shader.uniforms:
        starts[block.binding] = start
        start += block.size_B // WORD_B
    return starts


def uniform_words(shader: Shader, uniforms: Callable[[int], NDArray[np.uint8]]) -> NDArray[np.uint32]:
    """Return the words of all blocks, each of its declared size; at least one word, so that there is an array."""
    if not shader.uniforms:
        return np.zeros(1, dtype=np.uint32)
    total_B = sum(block.size_B for block in shader.uniforms)
    content = np.zeros(max(total_B, WORD_B), dtype=np.uint8)
    start_B = 0
    for block in shader.uniforms:
        bound = np.asarray(uniforms(block.binding), dtype=np.uint8).reshape(-1)[: block.size_B]
        content[start_B : start_B + bound.size] = bound
        start_B += block.size_B
    return content.view(np.dtype("<u4")).astype(np.uint32)


def loaded_offsets(shader: Shader, binding: int, size_B: int) -> Int64:
    """Return where in a block the words lie that a shader may load: all of them, where it works out offsets."""
    loads = [one for one in walk(shader.statements) if isinstance(one, LoadUniform) and one.binding == binding]
    if any(one.plus_B is not None for one in loads):
        return np.arange(0, size_B, WORD_B)
    return np.array(sorted({one.offset_B for one in loads if one.offset_B + WORD_B <= size_B}), np.int64)


@rule(
    "SHADER-UNIFORM-1",
    "A read beyond the end of a uniform block, or where nothing is bound, gives 0; the low two bits of an offset are "
    "ignored.",
    evidence=Evidence.INFERRED,
    sources=("nvn-device-info",),
    refuted_by="a shader on the console that reads beyond its uniform buffer and gets another word",
)
def uniform_word(words: NDArray[np.uint32], start: int, count: int, offset_B: Word) -> Word:
    """Return the words of a block at byte offsets.

    Parameters
    ----------
    words : uint32, shape (n,)
        All blocks.
    start, count : int
        The words of this block.
    offset_B : uint32
        Byte offset in the block.
    """
    place = np.uint32(offset_B >> np.uint32(2))
    inside = place < np.uint32(count)
    return select(inside, words[np.uint32(select(inside, place, ZERO) + np.uint32(start))], ZERO)
