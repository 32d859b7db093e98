"""Somebody's readbacks: a file for one result, or a folder that holds one for each."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from refnvn.errors import ArgumentError, InputFileError

if TYPE_CHECKING:
    from refnvn.golden.model import Golden, GoldenResult
    from refnvn.golden.result import Image

SUFFIXES = (".bin", ".raw", ".npy", ".png", ".dds", ".ktx2", ".pfm")


def readback_files(golden: Golden, actual: Path, asked: tuple[str, ...]) -> tuple[dict[str, Path], tuple[str, ...]]:
    """Return which file is which result, and the results that should be there.

    Raises
    ------
    ArgumentError, InputFileError
        Where that is not clear, or there is no such file.
    """
    names = tuple(one.base.name for one in golden.results)
    for name in asked:
        golden.result(name)
    wanted = asked or names
    if actual.is_dir():
        # a bundle has a preview beside its values: a picture comes last
        inside = sorted(actual.iterdir(), key=lambda path: (path.suffix != ".png", path.name))
        files = {path.stem: path for path in inside if path.suffix in SUFFIXES}
        found = {name: files[name] for name in names if name in files and name in wanted}
        if not found:
            raise InputFileError(f"{actual}: holds no {', '.join(SUFFIXES)} named as a result: {', '.join(wanted)}")
        return found, wanted
    if len(wanted) > 1:
        raise ArgumentError(f"{actual}: a file is one result; give one --result of {', '.join(names)}")
    return {wanted[0]: actual}, wanted


def result_values(golden: Golden, files: Mapping[str, Path], layout: str, options: dict[str, Any]) -> dict[str, Any]:
    """Return the contents of the files of some results; a picture's channels as components of those names.

    Raises
    ------
    InputFileError
        For what cannot be read, and a picture of what no picture holds.
    """
    return {name: _result_value(golden.result(name), path, layout, options) for name, path in files.items()}


def _result_value(result: GoldenResult, path: Path, layout: str, options: dict[str, Any]) -> Any:
    import numpy as np

    from refnvn.cli.file_kind import file_kind
    from refnvn.compare.pictures import picture_texels
    from refnvn.files import read_file

    if layout == "guest" and result.base.image is not None:
        options = _with_image(options, result.base.image)
    values = file_values(path, layout, options)
    if not isinstance(values, np.ndarray) or file_kind(path, read_file(path)) != "png":
        return values
    if values.shape in {one.array.shape for one in result.variants}:
        return values
    try:
        return picture_texels(values, result.base)
    except ArgumentError as error:
        raise InputFileError(f"{path}: result {result.base.name}: {error}") from error


def _with_image(options: dict[str, Any], image: Image) -> dict[str, Any]:
    """Fill in what a result says of its texture where the user did not."""
    depth = f"x{image.depth_px}" if image.dimensions == "3d" else ""
    said = {
        "format_name": image.format,
        "size": f"{image.width_px}x{image.height_px}{depth}",
        "layers": image.layers if image.layers > 1 else None,
        "levels": str(image.levels),
    }
    return {key: said[key] if key in said and value is None else value for key, value in options.items()}


def file_values(path: Path, layout: str, options: dict[str, Any]) -> Any:
    """Return the contents of a file as an array, or as raw bytes where it says no more.

    Parameters
    ----------
    path : Path
    layout : {'linear', 'guest'}
        How raw bytes lie; guest ones are untiled.
    options : dict
        Of ``texture_options``.
    """
    from refnvn.cli.file_kind import file_kind
    from refnvn.containers.dds import read_dds
    from refnvn.containers.ktx2 import read_ktx2
    from refnvn.containers.npy import read_npy
    from refnvn.containers.pfm import read_pfm
    from refnvn.containers.png import read_png
    from refnvn.files import read_file

    content = read_file(path)
    kind = file_kind(path, content)
    if kind in ("dds", "ktx2"):
        surfaces = read_dds(path) if kind == "dds" else read_ktx2(path)
        return b"".join(part for layer in surfaces.parts for part in layer)
    if kind == "npy":
        return read_npy(path)
    if kind == "png":
        return read_png(path)
    if kind == "pfm":
        return read_pfm(path)
    return _untiled(path, options) if layout == "guest" else content


def _untiled(path: Path, options: dict[str, Any]) -> bytes:
    from refnvn.cli.texture_input import load_tiled
    from refnvn.layout.tiling import untile_texture

    loaded = load_tiled(path, options, 0, allow_rest=False)
    return untile_texture(loaded.layout, loaded.data).tobytes()
