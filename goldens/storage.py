"""Golden of storage: which bytes of a pool hold which texels, in a scene, so that a wrong block height shows.

Read next: ``tex_layout.py``.
"""

from __future__ import annotations

import numpy as np

from refnvn.golden.scene import scene_case
from refnvn.nvn.device import Device

SIZES: dict[str, tuple[str, int, int, str | int]] = {
    "rows_40": ("RGBA8", 32, 40, 0),
    "rows_43": ("RGBA8", 32, 43, 0),
    "sparse": ("RGBA16F", 128, 128, "SPARSE"),
    "sparse_small": ("RGBA16F", 64, 128, "SPARSE"),
}
"""Format, width, height and flags: 40 rows are in blocks of 4 GOBs, 43 in blocks of 8, a sparse tile of 8."""
TEXEL_B = {"RGBA8": 4, "RGBA16F": 8}


@scene_case(
    "storage/block_heights",
    t_test="t_tex_layout",
    says="Numbered texels lie in storage as the block height says: an automatic one, that of a tile, a small one.",
    ledger=("auto-block-height", "sparse-tile-height", "sparse-small-auto"),
)
def block_heights(device: Device) -> None:
    """Rounded up, 40 rows are in blocks of 8; divided by 8, 43 rows are in blocks of 4."""
    for name, (fmt, width, height, flags) in SIZES.items():
        texture = device.texture(fmt, width, height, flags=flags)
        words = width * height * TEXEL_B[fmt] // 4
        texture.write_texels(np.arange(words, dtype="<u4") % 0x3FFF)
        texture.read_storage(name)
