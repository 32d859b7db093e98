"""Which images of a layout does a dump hold, whole or in part?

The work is bounded by the dump, however many levels and layers are said.
"""

from __future__ import annotations

import numpy as np

from refnvn.errors import SizeError
from refnvn.layout.texture import TextureLayout
from refnvn.layout.tiling import Bytes, untile


def there(layout: TextureLayout, data: Bytes) -> dict[tuple[int, int], Bytes]:
    """Return the plain rows of every image that begins in a dump, by layer and level.

    Parameters
    ----------
    layout : TextureLayout
    data : uint8, shape (n,)
        From the first byte of the texture; what the last image lacks is zero.
    """
    largest_B = max(level.size_B for level in layout.levels)
    size_B = min(layout.size_B, data.size + largest_B)
    whole = data
    if data.size < size_B:
        whole = np.zeros(size_B, np.uint8)
        whole[: data.size] = data
    found = {}
    for layer in range(min(layout.layers, data.size // max(1, layout.layer_stride_B) + 1)):
        for level in layout.levels:
            if layer * layout.layer_stride_B + level.offset_B < data.size:
                try:
                    found[layer, level.level] = untile(layout, whole, level=level.level, layer=layer)
                except SizeError:
                    continue  # a level in the mip tail of a sparse texture, which ends later
    return found
