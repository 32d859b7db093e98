"""Reading a texture's bytes from whatever file holds them: block-linear, or in plain rows.

Read next: ``texture_output.py``.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from refnvn.cli.file_kind import file_kind
from refnvn.cli.texture_options import Texture, texture_from
from refnvn.containers.dds import read_dds
from refnvn.containers.dds_header import read_dds_header
from refnvn.containers.ktx2 import read_ktx2
from refnvn.containers.npy import read_npy
from refnvn.containers.surface import Kind, Shape
from refnvn.errors import InputFileError
from refnvn.files import read_file
from refnvn.formats.table import format_named
from refnvn.layout.search import layouts_of_size, nearest_sizes
from refnvn.layout.texture import TextureLayout, texture_layout
from refnvn.layout.tiling import Bytes, linear_size_B


@dataclass(frozen=True, slots=True)
class Loaded:
    """A texture, its layout, and bytes in that layout or in plain rows."""

    texture: Texture
    layout: TextureLayout
    data: Bytes


def load_bytes(path: Path, options: dict[str, Any], start_B: int) -> tuple[Texture, Bytes]:
    """Read bytes that may be block-linear: a raw file, or what lies behind the header of a DDS.

    Raises
    ------
    InputFileError
        The file is of another kind, empty, or ends before ``start_B``.
    """
    content = read_file(path)
    kind = file_kind(path, content)
    if kind == "dds":
        header, payload_B = read_dds_header(content, str(path), typeless=_format_said(options))
        options = _with_shape(options, header.shape)
        content = content[payload_B:]
    elif kind != "raw":
        raise InputFileError(f"{path}: a {kind.upper()} file; expected raw block-linear bytes or a DDS")
    texture = texture_from(options)
    if not content:
        size_B = texture_layout(texture.description).size_B
        raise InputFileError(f"{path}: holds no texels; {texture.format.nvn_name} of this size has {size_B} bytes")
    if not 0 <= start_B < len(content):
        raise InputFileError(f"{path}: --start {start_B} is not in the file's 0..{len(content) - 1}")
    return texture, np.frombuffer(content, np.uint8)[start_B:]


def load_tiled(path: Path, options: dict[str, Any], start_B: int, allow_rest: bool) -> Loaded:
    """Read block-linear bytes: a raw file, or a DDS header with block-linear bytes behind it.

    Raises
    ------
    InputFileError
        The file is shorter or longer than the layout; the message says what would fit.
    """
    texture, data = load_bytes(path, options, start_B)
    layout = texture_layout(texture.description)
    fits = data.size in (layout.size_B, layout.storage_size_B) or (allow_rest and data.size > layout.size_B)
    if not fits:
        raise InputFileError(misfit(path, texture, layout, data.size))
    return Loaded(texture, layout, data[: layout.size_B])


def load_linear(path: Path, options: dict[str, Any]) -> Loaded:
    """Read plain rows of a whole texture: DDS, KTX2, a uint8 npy, or a raw file.

    Raises
    ------
    InputFileError
        The file holds another number of bytes than the texture.
    """
    content = read_file(path)
    kind = file_kind(path, content)
    if kind in ("dds", "ktx2"):
        surfaces = read_dds(path, typeless=_format_said(options)) if kind == "dds" else read_ktx2(path)
        texture = texture_from(_with_shape(options, surfaces.shape))
        data = np.frombuffer(b"".join(part for layer in surfaces.parts for part in layer), np.uint8)
    elif kind in ("npy", "raw"):
        texture = texture_from(options)
        data = _npy_bytes(path) if kind == "npy" else np.frombuffer(content, np.uint8)
    else:
        raise InputFileError(f"{path}: a {kind.upper()} file holds no stored texels; expected DDS, KTX2, npy or raw")
    layout = texture_layout(texture.description)
    if data.size != linear_size_B(layout):
        raise InputFileError(
            f"{path}: {data.size} bytes; {texture.format.nvn_name} of this size in plain rows has "
            f"{linear_size_B(layout)}"
        )
    return Loaded(texture, layout, data)


def _format_said(options: dict[str, Any]) -> str | None:
    """Return the format that the user names; None for none."""
    name = options["format_name"]
    return None if name is None else format_named(name).name


def _with_shape(options: dict[str, Any], shape: Shape) -> dict[str, Any]:
    """Fill in what a container says where the user did not."""
    targets = {Kind.ONE_D: "1d", Kind.TWO_D: "2d", Kind.THREE_D: "3d", Kind.CUBE: "cubemap"}
    depth = f"x{shape.depth}" if shape.kind is Kind.THREE_D else ""
    said = {
        "format_name": shape.format,
        "size": f"{shape.width_px}x{shape.height_px}{depth}",
        "target": targets[shape.kind] + ("-array" if shape.is_array else ""),
        "layers": shape.layers if shape.is_array else None,
        "levels": str(shape.levels),
    }
    return {key: said[key] if key in said and options[key] is None else value for key, value in options.items()}


def misfit(path: Path, texture: Texture, layout: TextureLayout, size_B: int) -> str:
    """Return what is wrong with a file of ``size_B`` bytes, and what would fit."""
    levels = f"{len(layout.levels)} level" + ("s" if len(layout.levels) > 1 else "")
    d = texture.description
    what = f"{texture.format.nvn_name} {d.width}x{d.height}, {levels}"
    said = f"{path}: {size_B} bytes; {what}, lays out in {layout.size_B}"
    if size_B == linear_size_B(layout):
        return f"{said}; it has the size of plain rows: refnvn decode reads those, and refnvn tile lays them out"
    fitting = layouts_of_size(d, size_B)
    if fitting:
        return f"{said}; what would fit: " + "; ".join(one.words for one in fitting[:3])
    near = "; ".join(f"{size} bytes ({words})" for size, words in nearest_sizes(d, size_B))
    extra = " or --allow-rest to ignore what follows" if size_B > layout.size_B else ""
    return f"{said}; no layout of it has {size_B} bytes, the nearest have {near}. Check --size and --format{extra}"


def _npy_bytes(path: Path) -> Bytes:
    values = read_npy(path)
    if values.dtype != np.uint8:
        raise InputFileError(f"{path}: an npy of {values.dtype}; stored texels are uint8")
    return np.ascontiguousarray(values).reshape(-1)
