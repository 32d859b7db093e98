"""How many bytes has what a host dumps of a texture: its storage, or what was copied into it?

Read next: ``host_dumps.py``.
"""

from __future__ import annotations

from refnvn.commands import commands as c
from refnvn.commands.resources import Texture
from refnvn.commands.subject import description_of, packed_rows, strided_span_B, subject_of
from refnvn.layout.texture import texture_layout

SPARSE_PART_B = 2 << 20
"""Of a sparse texture a dump has this much from its start."""


def source_sizes(texture: Texture, copy: c.CopyBufferToTexture) -> set[int]:
    """Return how many bytes a copy reads: to the last texel, or to the end of the last row and image."""
    rows = packed_rows(subject_of(texture, copy.texture.view), copy.region)
    row_B = copy.row_stride_B or rows.row_B
    whole_B = (copy.image_stride_B or row_B * rows.rows) * rows.images
    return {strided_span_B(rows, copy.row_stride_B, copy.image_stride_B), whole_B}


def storage_sizes(texture: Texture) -> set[int]:
    """Return how many bytes a texture has, as laid out or as its storage is asked for; of a sparse one a part."""
    layout = texture_layout(description_of(texture))
    sizes = {layout.size_B, layout.storage_size_B}
    return sizes | ({SPARSE_PART_B} if layout.description.is_sparse and layout.size_B > SPARSE_PART_B else set())
