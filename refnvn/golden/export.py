"""How does a golden leave the house: as a C header, a folder, an npz, or an image that other tools open?

What it does not do: DDS and KTX2 hold a linear image and no mask; a guest image is to be detiled first.
Read next: ``export_c.py``.
"""

from __future__ import annotations

from pathlib import Path

from refnvn.containers.surface import BlockSize, Kind, Surfaces
from refnvn.errors import ArgumentError
from refnvn.files import write_file
from refnvn.formats.table import format_named
from refnvn.golden.archive import npz_bytes
from refnvn.golden.bundle import MANIFEST, bundle_files, golden_arrays, write_bundle
from refnvn.golden.export_c import c_header
from refnvn.golden.model import Golden
from refnvn.golden.result import Result

ALWAYS = ("c-header", "dir", "npz")
OF_IMAGES = ("dds", "ktx2")
EXPORTS = ALWAYS + OF_IMAGES

_KINDS = {"1d": Kind.ONE_D, "2d": Kind.TWO_D, "3d": Kind.THREE_D, "cube": Kind.CUBE}


def export(golden: Golden, to: str, path: Path | str, *, result: str | None = None, parents: bool = False) -> None:
    """Write a golden in one of the forms of :data:`EXPORTS`, in one step.

    Parameters
    ----------
    golden : Golden
        From a build or a bundle.
    to : {'c-header', 'dir', 'npz', 'dds', 'ktx2'}
        ``dir`` is the bundle itself; ``npz`` holds its arrays and ``golden.json``; ``dds`` and ``ktx2`` one image.
    path : Path or str
        The file, or for ``dir`` the folder.
    result : str or None
        Which image, where there are several.
    parents : bool
        Make the folders on the way to a file where they are missing; ``dir`` always does.

    Raises
    ------
    ArgumentError
        For a form that there is not, or that this golden does not have.
    UnsupportedFormat
        Where DDS or KTX2 has no format of the same bits.
    """
    if to not in exports_of(golden):
        raise ArgumentError(f"golden {golden.name}: no export {to!r}; it has {', '.join(exports_of(golden))}")
    if to == "dir":
        write_bundle(golden, path)
    else:
        write_file(Path(path), _content(golden, to, result), parents=parents)


def exports_of(golden: Golden) -> tuple[str, ...]:
    """Return the forms that a golden can be exported to."""
    return EXPORTS if _images(golden) else ALWAYS


def _content(golden: Golden, to: str, result: str | None) -> bytes:
    if to == "c-header":
        return c_header(golden).encode("utf-8")
    if to == "npz":
        return npz_bytes(golden_arrays(golden), {MANIFEST: bundle_files(golden)[MANIFEST]})
    from refnvn.containers.dds import dds_bytes
    from refnvn.containers.ktx2 import ktx2_bytes

    surfaces = surfaces_of(_image(golden, to, result))
    return dds_bytes(surfaces) if to == "dds" else ktx2_bytes(surfaces)


def _is_exportable(result: Result) -> bool:
    return result.image is not None and result.image.layout == "linear" and result.image.samples == 1


def _images(golden: Golden) -> list[str]:
    return [r.base.name for r in golden.results if _is_exportable(r.base)]


def _image(golden: Golden, to: str, name: str | None) -> Result:
    """Return the image to export."""
    images = _images(golden)
    if name is None and len(images) == 1:
        name = images[0]
    if name is None:
        raise ArgumentError(f"golden {golden.name}: {to} holds one image, say which of {', '.join(images)}")
    result = golden.result(name).base
    if not _is_exportable(result):
        raise ArgumentError(
            f"golden {golden.name}: {name} is no linear image of one sample, {to} holds {', '.join(images)}"
        )
    return result


def surfaces_of(result: Result) -> Surfaces:
    """Return a linear image as the value that the writers of image files take.

    Raises
    ------
    SizeError
        For an image larger than those files hold.
    """
    image = result.image
    assert image is not None
    fmt = format_named(image.format)
    content, start_B = result.array.tobytes(), 0
    parts: list[tuple[bytes, ...]] = []
    for _ in range(image.layers):
        levels = []
        for size_B in (image.level_size_B(level) for level in range(image.levels)):
            levels.append(content[start_B : start_B + size_B])
            start_B += size_B
        parts.append(tuple(levels))
    kind = _KINDS[image.dimensions]
    return Surfaces(
        format=image.format,
        block=BlockSize(fmt.bytes_per_block, fmt.block_width_px, fmt.block_height_px),
        kind=kind,
        is_array=image.layers > (6 if kind is Kind.CUBE else 1),
        width_px=image.width_px,
        height_px=image.height_px,
        depth=image.depth_px,
        layers=image.layers,
        levels=image.levels,
        parts=tuple(parts),
    )
