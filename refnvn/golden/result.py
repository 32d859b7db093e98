"""What does a golden case return: a table of numbers, guest bytes or an image?

A result is one array and the words that say what its elements are. The array is the truth that a golden keeps; no
conversion happens here.

What it does not do: it does not say what else an element may be; ``model.py`` does. Read next: ``case.py``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from refnvn.commands.result_rules import MOST_ELEMENTS, MOST_SIDE_PX, check_result_name
from refnvn.errors import ArgumentError, ShapeError, SizeError
from refnvn.formats.table import format_named

DTYPES: tuple[str, ...] = (
    "uint8", "uint16", "uint32", "uint64", "int8", "int16", "int32", "int64", "float16", "float32", "float64",
)  # fmt: skip
"""The element types a result may have; they are stored little-endian."""

MOST_AXES = 6

Kind = Literal["table", "bytes", "image"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Image:
    """What the elements of an image result are: the storage of a texture, never converted.

    The array's bytes, in C order and little-endian, are the image's bytes: for ``linear`` all levels of layer 0,
    then of layer 1, rows without padding; for ``guest`` the bytes as they lie in a memory pool.

    Attributes
    ----------
    format : str
        NVN's name without ``NVN_FORMAT_``.
    width_px, height_px, depth_px : int
        Size of level 0.
    layers, levels, samples : int
        How many there are; the samples of a texel are neighbours. A cube has six layers for each of its kind.
    dimensions : {'1d', '2d', '3d', 'cube'}
        What kind of texture it is.
    layout : {'linear', 'guest'}
        Rows one after another, or as in a memory pool.
    row_order : {'top_down', 'memory'}
        Whether the first row is the top one, or merely the first one in memory.
    """

    format: str
    width_px: int
    height_px: int
    depth_px: int = 1
    layers: int = 1
    levels: int = 1
    samples: int = 1
    dimensions: Literal["1d", "2d", "3d", "cube"] = "2d"
    layout: Literal["linear", "guest"] = "linear"
    row_order: Literal["top_down", "memory"] = "memory"

    def __post_init__(self) -> None:
        for name in ("width_px", "height_px", "depth_px", "layers", "levels", "samples"):
            if not 1 <= getattr(self, name) <= MOST_SIDE_PX:
                raise SizeError(f"image: {name} is {getattr(self, name)}, allowed are 1 to 65536")
        if self.levels > max(self.width_px, self.height_px, self.depth_px).bit_length():
            raise SizeError(f"image: {self.levels} levels, more than the size allows")
        if self.dimensions not in ("1d", "2d", "3d", "cube") or (self.depth_px > 1) > (self.dimensions == "3d"):
            raise ArgumentError(
                f"image: dimensions are {self.dimensions!r}, allowed are 1d, 2d, cube; 3d with a depth"
            )
        if self.layout not in ("linear", "guest"):
            raise ArgumentError(f"image: layout is {self.layout!r}, allowed are linear and guest")
        if self.row_order not in ("top_down", "memory"):
            raise ArgumentError(f"image: row order is {self.row_order!r}, allowed are top_down and memory")
        object.__setattr__(self, "format", format_named(self.format).name)

    def level_size_B(self, level: int) -> int:
        """Bytes of one layer of a level of the linear image."""
        fmt = format_named(self.format)
        width_px, height_px, depth_px = (max(s >> level, 1) for s in (self.width_px, self.height_px, self.depth_px))
        blocks = -(-width_px // fmt.block_width_px) * -(-height_px // fmt.block_height_px) * depth_px
        return blocks * fmt.bytes_per_block * self.samples

    @property
    def size_B(self) -> int:
        """Bytes of the linear image."""
        return self.layers * sum(self.level_size_B(level) for level in range(self.levels))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Result:
    """One array that a golden case returns. It is copied, made contiguous and little-endian, and locked.

    Attributes
    ----------
    name : str
        Lower-case letters, digits and ``_``, a letter first; it names files and C functions.
    array : ndarray
        Any shape of 1 to 6 axes, one of :data:`DTYPES`. Floats are compared by their bits.
    kind : {'table', 'bytes', 'image'}
        Rows and columns of numbers; raw guest memory; the storage of a texture.
    axes : tuple of str
        What each axis means.
    columns, row_labels : tuple of str
        Of a table: a name for each column, and none or one for each row.
    image : Image or None
        Of an image: what its bytes are.
    any_mask : ndarray of bool or None
        True for elements that no texel reaches (padding): any value is right there.
    exactness : str
        ``bit-exact``, ``correctly rounded`` or a stated bound.

    Raises
    ------
    ArgumentError
        With the field and what it may hold.
    """

    name: str
    array: NDArray[Any]
    kind: Kind
    axes: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    row_labels: tuple[str, ...] = ()
    image: Image | None = None
    any_mask: NDArray[np.bool_] | None = None
    exactness: str = "bit-exact"

    def __post_init__(self) -> None:
        check_result_name(self.name)
        array = locked(self.array, f"result {self.name}")
        object.__setattr__(self, "array", array)
        for name in ("axes", "columns", "row_labels"):
            object.__setattr__(self, name, tuple(str(text) for text in getattr(self, name)))
        if not self.axes:
            object.__setattr__(self, "axes", _default_axes(self.kind, array.ndim))
        if self.any_mask is not None:
            mask = np.array(self.any_mask, dtype=np.bool_, order="C")
            mask.setflags(write=False)
            object.__setattr__(self, "any_mask", mask)
        _check_result(self)


def locked(array: NDArray[Any], what: str) -> NDArray[Any]:
    """Return a contiguous, little-endian copy of ``array`` that nobody can write to.

    Raises
    ------
    ShapeError
        For no elements, too many, more than 6 axes, or a dtype that is not one of :data:`DTYPES`.
    """
    array = np.asarray(array)
    if array.dtype.name not in DTYPES:
        raise ShapeError(f"{what}: dtype {array.dtype.name}, allowed are {', '.join(DTYPES)}")
    if not 1 <= array.ndim <= MOST_AXES or not 1 <= array.size <= MOST_ELEMENTS:
        raise ShapeError(f"{what}: shape {array.shape}, allowed are 1 to {MOST_AXES} axes, 1 to 2^28 elements")
    copy = np.array(array, dtype=array.dtype.newbyteorder("<"), order="C")
    copy.setflags(write=False)
    return copy


def _default_axes(kind: str, axes: int) -> tuple[str, ...]:
    known = {("table", 2): ("row", "column"), ("bytes", 1): ("byte",), ("image", 3): ("row", "column", "component")}
    return known.get((kind, axes), tuple(f"axis {i}" for i in range(axes)))


def _check_result(result: Result) -> None:
    where, array = f"result {result.name}", result.array
    if result.kind not in ("table", "bytes", "image"):
        raise ArgumentError(f"{where}: kind {result.kind!r}, allowed are table, bytes and image")
    if len(result.axes) != array.ndim:
        raise ShapeError(f"{where}: {len(result.axes)} axes are named, the array has {array.ndim}")
    if result.any_mask is not None and result.any_mask.shape != array.shape:
        raise ShapeError(f"{where}: any_mask has shape {result.any_mask.shape}, the array has {array.shape}")
    if (result.image is not None) != (result.kind == "image"):
        raise ArgumentError(f"{where}: an image result, and no other, says what image it is")
    if result.kind == "bytes" and (array.dtype != np.uint8 or array.ndim != 1):
        raise ShapeError(f"{where}: bytes are uint8 on one axis, not {array.dtype.name} {array.shape}")
    if result.image is not None and result.image.layout == "linear" and array.nbytes != result.image.size_B:
        raise SizeError(f"{where}: {array.nbytes} bytes, a linear {result.image.format} has {result.image.size_B}")
    _check_labels(result)


def _check_labels(result: Result) -> None:
    where, shape = f"result {result.name}", result.array.shape
    if result.kind != "table":
        if result.columns or result.row_labels:
            raise ArgumentError(f"{where}: only tables have columns and row labels")
        return
    if len(shape) != 2 or len(result.columns) != shape[1]:
        raise ShapeError(f"{where}: a table of {len(result.columns)} columns cannot have shape {shape}")
    if result.row_labels and len(result.row_labels) != shape[0]:
        raise ShapeError(f"{where}: {len(result.row_labels)} row labels for {shape[0]} rows")


def table(
    name: str,
    columns: Sequence[str],
    rows: ArrayLike,
    *,
    row_labels: Sequence[str] = (),
    dtype: str = "int64",
    exactness: str = "bit-exact",
) -> Result:
    """Return a table result: rows of numbers under named columns.

    Parameters
    ----------
    name : str
        Name of the result.
    columns : sequence of str
        A name, with its unit, for each column.
    rows : array_like, shape (rows, columns)
        Exact in ``dtype``, or it is refused.
    row_labels : sequence of str
        What each row is about; none is fine.
    dtype : str
        Of the stored array.
    exactness : str
        How exact the numbers are.

    Examples
    --------
    >>> table("heights", ("rows", "height_gob"), [(6, 1), (11, 2)]).array.shape
    (2, 2)
    """
    given = np.asarray(rows)
    array = given.astype(dtype)
    if given.dtype.kind in "iu" and array.dtype.kind in "iu" and not np.array_equal(given, array):
        raise ShapeError(f"result {name}: a number does not fit {dtype}")
    return Result(
        name=name, array=array, kind="table", columns=tuple(columns), row_labels=tuple(row_labels),
        exactness=exactness,
    )  # fmt: skip


def guest_bytes(
    name: str,
    content: bytes | NDArray[np.uint8],
    *,
    any_mask: NDArray[np.bool_] | None = None,
    exactness: str = "bit-exact",
) -> Result:
    """Return a result of raw guest memory.

    Parameters
    ----------
    name : str
        Name of the result.
    content : bytes or uint8 ndarray
        Flattened.
    any_mask : bool ndarray, one per byte, or None
        True for padding.
    exactness : str
        How exact the bytes are.

    Examples
    --------
    >>> guest_bytes("pool", bytes(512)).array.shape
    (512,)
    """
    raw = content if isinstance(content, np.ndarray) else np.frombuffer(content, dtype=np.uint8)
    mask = None if any_mask is None else np.asarray(any_mask).reshape(-1)
    return Result(name=name, array=raw.reshape(-1), kind="bytes", any_mask=mask, exactness=exactness)


def image(
    name: str,
    array: NDArray[Any],
    what: Image,
    *,
    axes: Sequence[str] = (),
    any_mask: NDArray[np.bool_] | None = None,
    exactness: str = "bit-exact",
) -> Result:
    """Return an image result: the stored bytes or codes of a texture.

    Parameters
    ----------
    name : str
        Name of the result.
    array : ndarray
        Stored codes, for example shape (height, width, components). Its bytes are the image's bytes.
    what : Image
        Format, size and layout.
    axes : sequence of str
        What each axis means.
    any_mask : bool ndarray or None
        True for padding.
    exactness : str
        How exact the codes are.
    """
    return Result(
        name=name, array=array, kind="image", axes=tuple(axes), image=what, any_mask=any_mask, exactness=exactness
    )
