"""``refnvn dump`` of raw bytes of a texture: what the user says of them, since no file does, and what comes out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from refnvn.cli.image_choice import ImageChoice
from refnvn.cli.output import check_output
from refnvn.cli.texture_images import StoredImages
from refnvn.cli.texture_input import Loaded, misfit
from refnvn.cli.texture_options import NAMES, Texture, texture_from
from refnvn.cli.texture_output import save_stored
from refnvn.dumps.names import DumpKind, DumpName
from refnvn.dumps.raw_rows import plain_rows
from refnvn.errors import ArgumentError, InputFileError, SizeError
from refnvn.layout.texture import texture_layout
from refnvn.layout.tiling import Bytes

SPARSE_PART_B = 2 << 20
"""Of a sparse texture a dump has this much from its start."""
_LAYOUTS = {DumpKind.ZERO_BLOCKS: "guest", DumpKind.COPY_3D: "rows"}
"""Where the kind of a dump says how its bytes lie."""


def texture_answer(
    file: Path, named: DumpName, content: bytes, output: Path | None, options: dict[str, Any]
) -> tuple[list[str], dict[str, Any]]:
    """Read raw bytes as the texture that the options describe; write it where an output is given.

    Returns
    -------
    lines : list of str
    found : dict
        For JSON.

    Raises
    ------
    ArgumentError
        Something that no file says is not given.
    InputFileError
        The file has another number of bytes.
    """
    layout = options["layout"] or _LAYOUTS.get(named.kind)
    missing = [f"--{name}" for name in ("format", "width", "height") if options[_KEYS[name]] is None]
    missing += ["--layout"] if layout is None else []
    if missing or layout is None:
        raise ArgumentError(f"{file}: no file says {', '.join(missing)} of these bytes; give them")
    if options["stride" if layout == "guest" else "sparse"]:
        raise ArgumentError("--stride is for plain rows and --sparse for block-linear bytes")
    texture, remarks = _texture(options, content, layout)
    data = np.frombuffer(content, np.uint8)
    loaded = _guest(file, named, texture, data, remarks) if layout == "guest" else _rows(file, texture, data, options)
    if output is not None:
        check_output(output, file)
        remark = save_stored(output, StoredImages(loaded, tiled=layout == "guest"), ImageChoice())
        remarks += [f"{output}: {texture.format.nvn_name}", *filter(None, [remark])]
    how = "block-linear" if layout == "guest" else "plain rows"
    lines = [f"  {texture.format.nvn_name} {options['width']}x{options['height']}, {how}: it fits"]
    found = {"format": texture.format.nvn_name, "layout": layout, "output": str(output) if output else None}
    return lines + [f"  {one}" for one in remarks], {**found, "remarks": remarks}


_KEYS = {"format": "format_name", "width": "width", "height": "height"}


def _texture(options: dict[str, Any], content: bytes, layout: str) -> tuple[Texture, list[str]]:
    """Return the texture that was described; a depth plane alone where only that was dumped."""
    depth = f"x{options['depth']}" if options["depth"] else ""
    said: dict[str, Any] = dict.fromkeys(NAMES) | {"samples": 1, "stride": 0}
    said |= dict.fromkeys(("sparse", "linear", "linear_render_target", "compressible", "video_decode"), False)
    said |= {"format_name": options["format_name"], "size": f"{options['width']}x{options['height']}{depth}"}
    said |= {"sparse": options["sparse"]}
    said |= {"layers": options["layers"], "levels": str(options["levels"] or 1)}
    texture = texture_from(said)
    plane_B = options["width"] * options["height"] * 4
    if texture.format.name == "DEPTH32F_STENCIL8" and layout == "rows" and len(content) == plane_B:
        return texture_from({**said, "format_name": "DEPTH32F"}), ["only the depth plane is there: read as DEPTH32F"]
    return texture, []


def _guest(file: Path, named: DumpName, texture: Texture, data: Bytes, remarks: list[str]) -> Loaded:
    layout = texture_layout(texture.description)
    if named.kind is DumpKind.ZERO_BLOCKS and data.size == SPARSE_PART_B < layout.size_B:
        remarks.append(f"the first 2 MiB of {layout.size_B} bytes; what follows is shown as zero")
        data = np.concatenate([data, np.zeros(layout.size_B - data.size, np.uint8)])
    if data.size not in (layout.size_B, layout.storage_size_B):
        raise InputFileError(misfit(file, texture, layout, data.size))
    return Loaded(texture, layout, data[: layout.size_B])


def _rows(file: Path, texture: Texture, data: Bytes, options: dict[str, Any]) -> Loaded:
    layout = texture_layout(texture.description)
    try:
        return Loaded(texture, layout, plain_rows(layout, data, options["stride"]))
    except SizeError as error:
        raise InputFileError(f"{file}: {error}") from error
