"""What does a replay's readback become: an image of codes, or bytes?

Texels become an image result whose array holds stored codes: one axis of components where all have one width, whole
texels as one number where they have not (565, 10:10:10:2), bytes for depth beside stencil and for blocks. Memory
becomes bytes. Read next: ``scene.py``.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from refnvn.commands import recording as r
from refnvn.commands.presents import PresentTexture, presented_region
from refnvn.commands.recording import Recording
from refnvn.commands.resources import Region
from refnvn.commands.result_rules import code_width_bits
from refnvn.commands.subject import Subject, subject_of
from refnvn.formats.table import Format
from refnvn.golden.result import Image, Result, guest_bytes, image
from refnvn.layout.description import TextureTarget

ONE_ROW = (TextureTarget.TARGET_1D, TextureTarget.TARGET_1D_ARRAY)


def readback_result(recording: Recording, event: r.Readback, content: NDArray[np.uint8]) -> Result:
    """Return what a readback read as a result of a golden.

    Parameters
    ----------
    recording : Recording
        Whose textures the event names.
    event : ReadTexels, ReadMemory or PresentTexture
        What was read; its name is the result's.
    content : uint8
        Packed rows, or bytes.

    Raises
    ------
    ArgumentError
        For a name that no golden's result may have.
    """
    if isinstance(event, r.ReadMemory):
        return guest_bytes(event.name, content)
    texture = recording.textures[event.texture.texture]
    subject = subject_of(texture, event.texture.view)
    region = presented_region(subject, event) if isinstance(event, PresentTexture) else event.region
    what = _image(subject, texture.target, region)
    fmt = subject.fmt
    rows, columns = -(-what.height_px // fmt.block_height_px), -(-what.width_px // fmt.block_width_px)
    codes = code_array(fmt, content.reshape(-1))
    shape = (what.layers * what.depth_px, rows, columns, what.samples)
    axes = ("slice" if what.dimensions == "3d" else "layer", "row", "column", "sample")
    kept = [(size, axis) for size, axis in zip(shape, axes, strict=True) if size > 1 or axis in ("row", "column")]
    names = [axis for _, axis in kept] + (["component"] if codes.ndim == 2 else [])
    return image(event.name, codes.reshape([size for size, _ in kept] + list(codes.shape[1:])), what, axes=names)


def _image(subject: Subject, stored: TextureTarget, region: Region) -> Image:
    """Return what image a region of a level is: one level, its layers or slices as many as the region has."""
    layers, height, depth = region.depth, region.height, 1
    if subject.target is TextureTarget.TARGET_1D_ARRAY:
        layers, height = region.height, 1
    is_3d = stored is TextureTarget.TARGET_3D
    if is_3d:
        layers, depth = 1, region.depth
    return Image(
        format=subject.fmt.name,
        width_px=region.width,
        height_px=height,
        depth_px=depth,
        layers=layers,
        samples=subject.samples,
        dimensions="3d" if is_3d else "1d" if subject.target in ONE_ROW else "2d",
    )


def code_array(fmt: Format, content: NDArray[np.uint8]) -> NDArray[np.uint8 | np.uint16 | np.uint32]:
    """Return stored texels as unsigned numbers: (texels, components), or (texels,) for packed formats.

    Components are in the order of their bytes. Depth beside stencil, and blocks, are bytes.

    >>> from refnvn.formats.table import format_named
    >>> code_array(format_named("RG16"), np.array([1, 0, 2, 1], np.uint8)).tolist()
    [[1, 258]]
    """
    texels = content.reshape(-1, fmt.bytes_per_block)
    width = code_width_bits(fmt)
    codes: NDArray[np.uint8 | np.uint16 | np.uint32]
    codes = np.ascontiguousarray(texels).view(np.dtype(f"<u{width // 8}"))
    return codes if codes.shape[1] > 1 else codes[:, 0]
