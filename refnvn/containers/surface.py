"""What does a file of texels hold, whatever kind of file it is?

:class:`Surfaces` is the value that every reader gives and every writer takes: a shape, and for each layer and each
level the rows of blocks, packed with no padding::

    parts[layer][level] = slice 0 | slice 1 | ...      (more than one slice: 3D only)
    slice               = row 0 | row 1 | ...          (rows of blocks, top row first)
    row                 = block 0 | block 1 | ...

It does not say what the bits of a block mean, nor where a texel lives in guest memory; ``formats`` and ``layout``
do. Read next: ``dds.py``, ``ktx2.py``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from refnvn.errors import FieldRangeError, SizeError

MAX_SIZE_PX = 16384
MAX_DEPTH = 2048
MAX_LAYERS = 2048
MAX_LEVELS = 15
MAX_BLOCK_B = 16
MAX_BLOCK_PX = 12
DEFAULT_LIMIT_B = 1 << 32

CUBE_FACES = 6

_FORMAT_NAME = re.compile(r"[A-Za-z0-9_]+")


class Kind(StrEnum):
    """How many directions a texture has; whether it is an array is said apart."""

    ONE_D = "1D"
    TWO_D = "2D"
    THREE_D = "3D"
    CUBE = "CUBE"


def _within(field: str, number: int, least: int, most: int) -> None:
    """Raise SizeError unless ``number`` is an integer from ``least`` to ``most``."""
    if type(number) is not int or not least <= number <= most:
        allowed = f"{least}" if least == most else f"{least} to {most}"
        raise SizeError(f"{field} is {number!r}; allowed here: {allowed}")


@dataclass(frozen=True, slots=True)
class BlockSize:
    """How large one block of a format is; a format that is not compressed has blocks of one texel.

    Attributes
    ----------
    bytes_per_block : int
        1 to 16.
    block_width_px, block_height_px : int
        1 to 12.
    """

    bytes_per_block: int
    block_width_px: int = 1
    block_height_px: int = 1

    def __post_init__(self) -> None:
        _within("bytes_per_block", self.bytes_per_block, 1, MAX_BLOCK_B)
        _within("block_width_px", self.block_width_px, 1, MAX_BLOCK_PX)
        _within("block_height_px", self.block_height_px, 1, MAX_BLOCK_PX)


@dataclass(frozen=True, kw_only=True)
class Shape:
    """What a file says about its texture before the first texel.

    Attributes
    ----------
    format : str
        NVN's name without ``NVN_FORMAT_``.
    block : BlockSize
        The size of that format's blocks.
    kind : Kind
        1D, 2D, 3D or CUBE.
    is_array : bool
        Whether the texture is an array; a 3D texture never is.
    width_px, height_px, depth : int
        Size of level 0. Height is 1 for 1D; depth is the number of slices of a 3D texture, else 1.
    layers : int
        Array layers; for cubes six for each, so cube ``i`` is layers ``6 * i`` to ``6 * i + 5``.
    levels : int
        Levels that are there, 1 or more.

    Raises
    ------
    SizeError
        A number is outside what its kind allows.
    FieldRangeError
        The format's name or the kind is none.

    Examples
    --------
    >>> shape = Shape(format="RGBA_DXT1", block=BlockSize(8, 4, 4), width_px=10, height_px=6, levels=4)
    >>> [shape.level_size_px(level) for level in range(4)]
    [(10, 6, 1), (5, 3, 1), (2, 1, 1), (1, 1, 1)]
    >>> [shape.part_size_B(level) for level in range(4)]
    [48, 16, 8, 8]
    """

    format: str
    block: BlockSize
    kind: Kind = Kind.TWO_D
    is_array: bool = False
    width_px: int
    height_px: int = 1
    depth: int = 1
    layers: int = 1
    levels: int = 1

    def __post_init__(self) -> None:
        if not isinstance(self.format, str) or not _FORMAT_NAME.fullmatch(self.format):
            raise FieldRangeError(f"format is {self.format!r}; allowed: NVN's name of a format")
        if self.kind not in tuple(Kind):
            raise FieldRangeError(f"kind is {self.kind!r}; allowed: {', '.join(Kind)}")
        object.__setattr__(self, "kind", Kind(self.kind))
        self._check_size()
        self._check_layers()
        largest = max(self.width_px, self.height_px, self.depth)
        _within("levels", self.levels, 1, min(MAX_LEVELS, largest.bit_length()))

    def _check_size(self) -> None:
        _within("width_px", self.width_px, 1, MAX_SIZE_PX)
        _within("height_px", self.height_px, 1, 1 if self.kind is Kind.ONE_D else MAX_SIZE_PX)
        _within("depth", self.depth, 1, MAX_DEPTH if self.kind is Kind.THREE_D else 1)
        if self.kind is Kind.CUBE and self.width_px != self.height_px:
            raise SizeError(f"height_px is {self.height_px}; allowed for a cube: its width, {self.width_px}")
        if self.kind is Kind.ONE_D and (self.block.block_width_px, self.block.block_height_px) != (1, 1):
            raise FieldRangeError(f"format is {self.format}, a compressed one; allowed for 1D: blocks of one texel")

    def _check_layers(self) -> None:
        if self.kind is Kind.THREE_D and self.is_array:
            raise FieldRangeError("is_array is true; allowed for 3D: false")
        if self.kind is not Kind.CUBE:
            _within("layers", self.layers, 1, MAX_LAYERS if self.is_array else 1)
            return
        _within("layers", self.layers, CUBE_FACES, MAX_LAYERS if self.is_array else CUBE_FACES)
        if self.layers % CUBE_FACES:
            raise SizeError(f"layers is {self.layers}; allowed for cubes: a multiple of {CUBE_FACES}")

    def level_size_px(self, level: int) -> tuple[int, int, int]:
        """Return width, height and depth of a level: each halves, rounded down, and stays at least 1."""
        return tuple(max(1, size >> level) for size in (self.width_px, self.height_px, self.depth))  # type: ignore[return-value]

    def part_size_B(self, level: int) -> int:
        """Return the bytes that one layer of a level takes, all its slices together."""
        width_px, height_px, depth = self.level_size_px(level)
        width_el = -(-width_px // self.block.block_width_px)
        height_el = -(-height_px // self.block.block_height_px)
        return width_el * height_el * depth * self.block.bytes_per_block

    @property
    def total_B(self) -> int:
        """The bytes of all levels of all layers."""
        return self.layers * sum(self.part_size_B(level) for level in range(self.levels))

    def require_at_most(self, limit_B: int) -> None:
        """Raise SizeError where all parts together take more than ``limit_B`` bytes."""
        if self.total_B > limit_B:
            raise SizeError(f"the texels take {self.total_B} bytes; allowed: at most {limit_B}")


@dataclass(frozen=True, kw_only=True)
class Surfaces(Shape):
    """A shape with its texels.

    Attributes
    ----------
    parts : tuple of tuples of bytes
        ``parts[layer][level]``, each as long as :meth:`Shape.part_size_B` says.

    Raises
    ------
    SizeError
        A layer, a level or a byte is missing or too much.
    """

    parts: tuple[tuple[bytes, ...], ...]

    def __post_init__(self) -> None:
        super().__post_init__()
        if len(self.parts) != self.layers:
            raise SizeError(f"parts holds {len(self.parts)} layers; allowed: {self.layers}")
        sizes_B = [self.part_size_B(level) for level in range(self.levels)]
        for layer, levels in enumerate(self.parts):
            if len(levels) != self.levels:
                raise SizeError(f"parts[{layer}] holds {len(levels)} levels; allowed: {self.levels}")
            for level, (part, size_B) in enumerate(zip(levels, sizes_B, strict=True)):
                if len(part) != size_B:
                    raise SizeError(f"parts[{layer}][{level}] holds {len(part)} bytes; allowed: {size_B}")

    @property
    def shape(self) -> Shape:
        """The same without the texels."""
        return Shape(**_shape_fields(self))

    @classmethod
    def of(cls, shape: Shape, parts: tuple[tuple[bytes, ...], ...]) -> Surfaces:
        """Return a shape with these texels."""
        return cls(**_shape_fields(shape), parts=parts)


def _shape_fields(shape: Shape) -> dict[str, Any]:
    return {name: getattr(shape, name) for name in Shape.__dataclass_fields__}
