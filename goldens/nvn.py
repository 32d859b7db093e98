"""Goldens of ``t_nvn``, the half that layout decides: what storage a texture asks for."""

from __future__ import annotations

from goldens.textures import SIZE_COLUMNS, size_row, texture
from refnvn.golden.case import Result, golden_case, table
from refnvn.layout.description import TextureTarget
from refnvn.layout.texture import texture_layout
from refnvn.rules.fields import Rules

STORAGE_COLUMNS = ("storage_size_B", "storage_alignment_B")


@golden_case(
    "nvn/cube_array_storage",
    t_test="t_nvn",
    says="A cube-map array of 12 faces, and of 510, lies as a 2D array of as many layers.",
    ledger=("cube-array-faces",),
)
def cube_array_storage(rules: Rules) -> list[Result]:
    """Taking the depth for a count of cubes makes storage six times as large."""
    rows, labels = [], []
    for faces in (12, 510):
        for target in (TextureTarget.TARGET_CUBEMAP_ARRAY, TextureTarget.TARGET_2D_ARRAY):
            rows.append(size_row(texture("RGBA8", 8, 8, target=target, depth=faces), rules))
            labels.append(f"{target.name.removeprefix('TARGET_')} {faces}")
    return [table("textures", SIZE_COLUMNS, rows, row_labels=labels)]


@golden_case(
    "nvn/storage_size",
    t_test="t_nvn",
    says="GetStorageSize and GetStorageAlignment of common textures, with what is open about them.",
    ledger=("cube-array-faces",),
)
def storage_size(rules: Rules) -> list[Result]:
    """The alignment is open: files carry 512, other drivers ask for a page or a block."""
    described = {
        "RGBA8 256x256": texture("RGBA8", 256, 256),
        "RGBA8 256x256, 9 levels": texture("RGBA8", 256, 256, levels=9),
        "DEPTH24_STENCIL8 1280x720": texture("DEPTH24_STENCIL8", 1280, 720),
        "RGBA_DXT1 64x64, 7 levels": texture("RGBA_DXT1", 64, 64, levels=7),
        "R8 33x33x33": texture("R8", 33, 33, target=TextureTarget.TARGET_3D, depth=33),
        "RGBA8 128x128 cube, 8 levels": texture("RGBA8", 128, 128, target=TextureTarget.TARGET_CUBEMAP, levels=8),
    }
    layouts = [texture_layout(one, rules) for one in described.values()]
    rows = [(one.storage_size_B, one.storage_alignment_B) for one in layouts]
    return [table("storage", STORAGE_COLUMNS, rows, row_labels=list(described))]


@golden_case(
    "nvn/tolerated_textures",
    t_test="t_view_levels",
    says="Textures that NVN accepts beyond its own limits: extra levels, no layers, 4096 layers, 8 and 16 samples.",
    ledger=("tex-illegal-fields",),
)
def tolerated_textures(rules: Rules) -> list[Result]:
    """Extra levels are one texel each; what storage an array of no layers asks for is open."""
    samples = TextureTarget.TARGET_2D_MULTISAMPLE
    described = {
        "RGBA8 1x1, 9 levels": texture("RGBA8", 1, 1, levels=9),
        "RGBA8 16x16 array of no layers": texture("RGBA8", 16, 16, target=TextureTarget.TARGET_2D_ARRAY, depth=0),
        "RGBA8 16, 1D array of 4096": texture("RGBA8", 16, 4096, target=TextureTarget.TARGET_1D_ARRAY),
        "RGBA8 24x20, 8 samples": texture("RGBA8", 24, 20, target=samples, samples=8),
        "RGBA8 24x20, 16 samples": texture("RGBA8", 24, 20, target=samples, samples=16),
    }
    rows = [size_row(one, rules) for one in described.values()]
    return [table("textures", SIZE_COLUMNS, rows, row_labels=list(described))]
