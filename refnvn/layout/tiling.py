"""Moving texels between storage and plain rows: tile and untile.

Plain rows ("linear") are an array of bytes of shape ``(slices, rows, bytes of a row)``. Any region of any level,
layer and slice moves alone; nothing outside it changes, padding least of all. The caller may give the array to
write into, of any row and slice stride.

Read next: ``copy_tables.py``.
"""

from __future__ import annotations

import functools
import sys
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from refnvn.errors import ShapeError, SizeError
from refnvn.kernel import jit_is_on
from refnvn.layout.copy_tables import CopyTables, Region, copy_tables, whole
from refnvn.layout.gob import RUN_B
from refnvn.layout.levels import LevelLayout
from refnvn.layout.texture import TextureLayout

Bytes = NDArray[np.uint8]

COMPILE_FROM_B = 4 << 20
"""Copies at least this large are worth importing the compiler for."""
KERNEL_FROM_B = 16 << 10
"""Copies at least this large are faster compiled, once the compiler is there."""


def untile(
    layout: TextureLayout,
    storage: Bytes,
    *,
    level: int = 0,
    layer: int = 0,
    region: Region | None = None,
    out: Bytes | None = None,
) -> Bytes:
    """Copy a region of a level out of storage into plain rows.

    Parameters
    ----------
    layout : TextureLayout
        Of the whole texture.
    storage : uint8, shape (n,)
        The texture's bytes, from its first.
    level, layer : int
        Which image.
    region : Region or None
        None is all of the level.
    out : uint8, shape (slices, rows, bytes of a row), or None
        Written to if given; bytes of a row must be next to each other.

    Returns
    -------
    uint8, shape (slices, rows, bytes of a row)
        ``out``, or a new array. Bit-exact.

    Raises
    ------
    SizeError
        Storage too short; no such level, layer or region.
    ShapeError
        ``out`` or ``storage`` of another shape or dtype.
    """
    tables, shape = _prepare(layout, storage, level, layer, region)
    if out is None:
        out = np.empty(shape, np.uint8)
    _check_rows(out, shape, "out")
    if not out.flags.writeable:
        raise ShapeError("out is read-only")
    _copy(storage, out, tables, to_storage=False)
    return out


def tile(
    layout: TextureLayout,
    linear: Bytes,
    storage: Bytes,
    *,
    level: int = 0,
    layer: int = 0,
    region: Region | None = None,
) -> None:
    """Copy plain rows into a region of a level in storage.

    Parameters
    ----------
    layout : TextureLayout
        Of the whole texture.
    linear : uint8, shape (slices, rows, bytes of a row)
        What to write.
    storage : uint8, shape (n,)
        The texture's bytes, from its first; only the region's texels change.
    level, layer, region
        As in :func:`untile`.

    Raises
    ------
    SizeError, ShapeError
        As in :func:`untile`.
    """
    tables, shape = _prepare(layout, storage, level, layer, region)
    _check_rows(linear, shape, "linear")
    if not storage.flags.writeable:
        raise ShapeError("storage is read-only")
    _copy(storage, linear, tables, to_storage=True)


def image_size_B(layout: TextureLayout, level: LevelLayout) -> int:
    """Return the bytes of one level in plain rows, all its slices."""
    return level.width_el * layout.description.element.bytes_per_block * level.height_el * level.slices


def linear_size_B(layout: TextureLayout) -> int:
    """Return the bytes of the whole texture in plain rows: every level of every layer."""
    return layout.layers * sum(image_size_B(layout, level) for level in layout.levels)


def untile_texture(layout: TextureLayout, storage: Bytes) -> Bytes:
    """Copy a whole texture out of storage: layer by layer, level by level, slice by slice, tightly packed.

    Returns
    -------
    uint8, shape (linear_size_B,)
    """
    linear = np.empty(linear_size_B(layout), np.uint8)
    for image in _images(layout, linear):
        untile(layout, storage, level=image.level, layer=image.layer, out=image.rows)
    return linear


def tile_texture(layout: TextureLayout, linear: Bytes) -> Bytes:
    """Lay a whole tightly packed texture out in new storage; padding is zero.

    Parameters
    ----------
    layout : TextureLayout
        Of the texture.
    linear : uint8, shape (linear_size_B,)
        In the order of :func:`untile_texture`.

    Returns
    -------
    uint8, shape (layout.size_B,)

    Raises
    ------
    SizeError
        For another number of bytes.
    """
    if linear.size != linear_size_B(layout):
        raise SizeError(f"linear data has {linear.size} bytes; the texture has {linear_size_B(layout)}")
    storage = np.zeros(layout.size_B, np.uint8)
    for image in _images(layout, linear):
        tile(layout, image.rows, storage, level=image.level, layer=image.layer)
    return storage


@dataclass(frozen=True, slots=True)
class _Image:
    layer: int
    level: int
    rows: Bytes


def _images(layout: TextureLayout, linear: Bytes) -> list[_Image]:
    """Return every image of a tightly packed texture as a view of its rows."""
    images = []
    start_B = 0
    for layer in range(layout.layers):
        for level in layout.levels:
            size_B = image_size_B(layout, level)
            rows = linear[start_B : start_B + size_B].reshape(level.slices, level.height_el, -1)
            images.append(_Image(layer, level.level, rows))
            start_B += size_B
    return images


def _prepare(
    layout: TextureLayout, storage: Bytes, level: int, layer: int, region: Region | None
) -> tuple[CopyTables, tuple[int, int, int]]:
    if storage.ndim != 1 or storage.dtype != np.uint8 or (storage.size > 1 and storage.strides[0] != 1):
        raise ShapeError(f"storage must be uint8 of shape (n,), not {storage.dtype} of shape {storage.shape}")
    tables = copy_tables(layout, level, layer, region)
    needed_B = int(np.max(tables.rows)) + int(np.max(tables.runs)) + RUN_B
    if layout.levels[level].blocks is None:
        needed_B = int(np.max(tables.rows)) + int(tables.runs[0]) + tables.skip_B + tables.width_B
    if storage.size < needed_B:
        raise SizeError(f"storage has {storage.size} bytes; level {level}, layer {layer} reaches to byte {needed_B}")
    region = region or whole(layout.levels[level])
    return tables, (region.slices, region.height_el, tables.width_B)


def _check_rows(rows: Bytes, shape: tuple[int, int, int], name: str) -> None:
    if rows.shape != shape or rows.dtype != np.uint8:
        raise ShapeError(f"{name} must be uint8 of shape {shape}, not {rows.dtype} of shape {rows.shape}")
    if rows.strides[2] != 1 or min(rows.strides) < 0:
        raise ShapeError(f"{name}: the bytes of a row must be next to each other, its strides are {rows.strides}")


def _copy(storage: Bytes, rows: Bytes, tables: CopyTables, *, to_storage: bool) -> None:
    """Move the partly used first and last runs one way, the whole runs between them another."""
    head_B = min((RUN_B - tables.skip_B) % RUN_B, tables.width_B)
    whole_runs = (tables.width_B - head_B) // RUN_B
    tail_B = tables.width_B - head_B - whole_runs * RUN_B
    first_whole = 1 if tables.skip_B else 0
    if head_B:
        offsets = tables.rows + tables.runs[0] + np.uint64(tables.skip_B)
        _copy_bytes(storage, rows[:, :, :head_B], offsets, to_storage)
    if whole_runs:
        runs = tables.runs[first_whole : first_whole + whole_runs]
        middle = rows[:, :, head_B : head_B + whole_runs * RUN_B]
        _copy_runs(storage, middle, tables.rows, runs, to_storage)
    if tail_B:
        offsets = tables.rows + tables.runs[first_whole + whole_runs]
        _copy_bytes(storage, rows[:, :, -tail_B:], offsets, to_storage)


def _copy_bytes(storage: Bytes, rows: Bytes, offsets: NDArray[np.uint64], to_storage: bool) -> None:
    """Copy a few bytes of every row."""
    index = offsets.reshape(rows.shape[:2])[:, :, None] + np.arange(rows.shape[2], dtype=np.uint64)
    if to_storage:
        storage[index] = rows
    else:
        rows[...] = storage[index]


def _copy_runs(
    storage: Bytes, rows: Bytes, row_offsets: NDArray[np.uint64], runs: NDArray[np.uint64], to_storage: bool
) -> None:
    """Copy whole runs, compiled if that pays and the arrays lie apart."""
    if _use_kernel(rows.size) and not np.may_share_memory(storage, rows):
        from refnvn.layout.copy_kernel import copy_runs

        starts, steps = _linear_tables(rows.shape[:2], rows.strides[:2], runs.size)
        linear = _flat(rows, starts), starts, steps
        tiled = storage, row_offsets, runs
        copy_runs(*tiled, *linear) if to_storage else copy_runs(*linear, *tiled)
        return
    for one, offsets in zip(rows, row_offsets.reshape(rows.shape[:2]), strict=True):
        index = (offsets[:, None] + runs[None, :]) // np.uint64(RUN_B)
        if to_storage:
            _as_runs(storage)[index] = np.ascontiguousarray(one).view(f"V{RUN_B}")
        else:
            one[...] = _as_runs(storage)[index].view(np.uint8)


def _use_kernel(size_B: int) -> bool:
    """Say whether a copy is large enough for the compiled loop, less so once that is loaded."""
    loaded = "refnvn.layout.copy_kernel" in sys.modules
    return jit_is_on() and size_B >= (KERNEL_FROM_B if loaded else COMPILE_FROM_B)


def _as_runs(storage: Bytes) -> NDArray[np.void]:
    """Return storage in runs of 16 bytes; whole runs never lie in the odd bytes at its end."""
    return storage[: storage.size // RUN_B * RUN_B].view(f"V{RUN_B}")


@functools.lru_cache(maxsize=64)
def _linear_tables(
    shape: tuple[int, ...], strides: tuple[int, ...], run_count: int
) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """Return where each row starts in the memory under strided rows, and each run in a row."""
    slices, rows = (
        np.arange(size, dtype=np.uint64) * np.uint64(stride) for size, stride in zip(shape, strides, strict=True)
    )
    return (slices[:, None] + rows[None, :]).reshape(-1), np.arange(run_count, dtype=np.uint64) * np.uint64(RUN_B)


def _flat(rows: Bytes, starts: NDArray[np.uint64]) -> Bytes:
    """Return the memory under strided rows as one array."""
    if rows.flags.c_contiguous:
        return rows.reshape(-1)
    return np.lib.stride_tricks.as_strided(rows, (int(starts[-1]) + rows.shape[2],), (1,))
