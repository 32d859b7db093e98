"""What a texture is to be: ``NVNtextureBuilder``, every setter, and what storage it asks for.

Setters return the builder, so that a description is one line::

    TextureBuilder().set_format("RGBA8").set_size_2d(64, 64).set_levels(7).set_storage(pool, 0)

The layers of a 1D array are its height; those of other arrays are its depth; a cube-map array counts faces. What NVN
tolerates is tolerated: more levels than the size holds, arrays of no layers, more than 2048 layers.

Read next: ``texture.py``.
"""

from __future__ import annotations

import msgspec

from refnvn.commands.resources import Packaged, Swizzle, Texture
from refnvn.commands.subject import description_of
from refnvn.enumerations import TextureDepthStencilMode, TextureSwizzle
from refnvn.errors import ArgumentError
from refnvn.layout.description import TextureDescription, TextureFlags, TextureTarget
from refnvn.layout.sparse import SparseTile
from refnvn.layout.texture import texture_layout
from refnvn.layout.texture_block import sparse_tile
from refnvn.nvn.arguments import flag_bits, instance, member, named_format, text, whole
from refnvn.nvn.memory_pool import MOST_POOL_B, MemoryPool
from refnvn.rules.fields import NVN, Rules

MOST = 1 << 28


def swizzle_of(call: str, r: object, g: object, b: object, a: object) -> Swizzle:
    """Return a channel mapping."""
    red, green, blue, alpha = (
        member(call, name, value, TextureSwizzle)  # type: ignore[arg-type]
        for name, value in zip("rgba", (r, g, b, a), strict=True)
    )
    return red, green, blue, alpha


class TextureBuilder:
    """``NVNtextureBuilder``.

    Examples
    --------
    >>> builder = TextureBuilder().set_format("RGBA_DXT5").set_size_2d(160, 160)
    >>> builder.get_storage_size()
    40960
    """

    def __init__(self) -> None:
        self.set_defaults()

    def set_defaults(self) -> TextureBuilder:
        """Describe a 2D texture of one level and one sample, of no format and no size."""
        self._record = Texture(pool=0, format="NONE", width=1)
        self._pool: MemoryPool | None = None
        return self

    def copy(self) -> TextureBuilder:
        """Return a builder of the same description, whose setters leave this one alone."""
        other = TextureBuilder()
        other._record, other._pool = self._record, self._pool
        return other

    def _set(self, **fields: object) -> TextureBuilder:
        self._record = msgspec.structs.replace(self._record, **fields)
        return self

    def set_flags(self, flags: TextureFlags | str | int) -> TextureBuilder:
        """Set ``NVNtextureFlags``: ``"IMAGE | COMPRESSIBLE"``."""
        return self._set(flags=int(flag_bits("TextureBuilder.set_flags", "flags", flags, TextureFlags)))

    def set_target(self, target: TextureTarget | str | int) -> TextureBuilder:
        """Set the target: ``"2D_ARRAY"`` and ``"TARGET_2D_ARRAY"`` are the same."""
        return self._set(target=texture_target("TextureBuilder.set_target", target))

    def set_width(self, width: int) -> TextureBuilder:
        """Set the width in pixels, or the elements of a buffer texture."""
        return self._set(width=whole("TextureBuilder.set_width", "width", width, 1, MOST))

    def set_height(self, height: int) -> TextureBuilder:
        """Set the height in pixels, or the layers of a 1D array."""
        return self._set(height=whole("TextureBuilder.set_height", "height", height, 0, MOST))

    def set_depth(self, depth: int) -> TextureBuilder:
        """Set the slices of a 3D texture, or the layers of an array, faces for cube maps."""
        return self._set(depth=whole("TextureBuilder.set_depth", "depth", depth, 0, MOST))

    def set_size_1d(self, size: int) -> TextureBuilder:
        """Set the width; height and depth become 1."""
        return self.set_width(size).set_height(1).set_depth(1)

    def set_size_2d(self, width: int, height: int) -> TextureBuilder:
        """Set width and height; the depth becomes 1."""
        return self.set_width(width).set_height(height).set_depth(1)

    def set_size_3d(self, width: int, height: int, depth: int) -> TextureBuilder:
        """Set width, height and depth."""
        return self.set_width(width).set_height(height).set_depth(depth)

    def set_levels(self, num_levels: int) -> TextureBuilder:
        """Set the number of levels; more than the size holds are 1x1."""
        return self._set(levels=whole("TextureBuilder.set_levels", "num_levels", num_levels, 1, 15))

    def set_format(self, format_name: str) -> TextureBuilder:
        """Set the format by NVN's name, with or without ``NVN_FORMAT_``."""
        return self._set(format=named_format("TextureBuilder.set_format", "format_name", format_name).name)

    def set_samples(self, samples: int) -> TextureBuilder:
        """Set the samples of a pixel: 0 and 1 are one."""
        return self._set(samples=max(1, whole("TextureBuilder.set_samples", "samples", samples, 0, 16)))

    def set_swizzle(self, r: object, g: object, b: object, a: object) -> TextureBuilder:
        """Set the channel mapping: ``set_swizzle("ONE", "ONE", "ONE", "R")``."""
        return self._set(swizzle=swizzle_of("TextureBuilder.set_swizzle", r, g, b, a))

    def set_depth_stencil_mode(self, mode: TextureDepthStencilMode | str | int) -> TextureBuilder:
        """Set what a combined format reads as: DEPTH or STENCIL."""
        found = member("TextureBuilder.set_depth_stencil_mode", "mode", mode, TextureDepthStencilMode)
        return self._set(depth_stencil_mode=found)

    def set_storage(self, pool: MemoryPool, offset: int) -> TextureBuilder:
        """Set where the texture lies."""
        self._pool = instance("TextureBuilder.set_storage", "pool", pool, MemoryPool)
        offset_B = whole("TextureBuilder.set_storage", "offset", offset, 0, MOST_POOL_B)
        return self._set(pool=pool.index, offset_B=offset_B)

    def set_packaged_texture_layout(self, block_height: int, block_depth: int = 1) -> TextureBuilder:
        """Set the block height and depth, in GOBs, that a packaged texture brings along; 0 takes them back.

        NVN's call takes eight bytes whose lowest three bits are the logarithm of the block height.
        """
        call = "TextureBuilder.set_packaged_texture_layout"
        height = whole(call, "block_height", block_height, 0, 32)
        depth = whole(call, "block_depth", block_depth, 1, 32)
        return self._set(packaged=Packaged(block_height=height, block_depth=depth) if height else None)

    def set_stride(self, stride: int) -> TextureBuilder:
        """Set the bytes from row to row of a LINEAR texture; 0 takes the smallest."""
        return self._set(stride_B=whole("TextureBuilder.set_stride", "stride", stride, 0, MOST))

    def set_label(self, label: str) -> TextureBuilder:
        """Set a name for people."""
        return self._set(label=text("TextureBuilder.set_label", "label", label))

    def get_storage_size(self, rules: Rules = NVN) -> int:
        """Return the bytes of storage that NVN asks for."""
        return texture_layout(self.description(), rules).storage_size_B

    def get_storage_alignment(self, rules: Rules = NVN) -> int:
        """Return the alignment of storage that NVN asks for."""
        return texture_layout(self.description(), rules).storage_alignment_B

    def get_sparse_tile_layout(self) -> SparseTile:
        """Return the 64 KiB tile of a sparse texture.

        Raises
        ------
        ArgumentError
            For a texture without the flag SPARSE.
        """
        description = self.description()
        if not description.is_sparse:
            raise ArgumentError("TextureBuilder.get_sparse_tile_layout: flags lack SPARSE")
        return sparse_tile(description)

    def get_memory_pool(self) -> MemoryPool | None:
        """Return the pool, or None before :meth:`set_storage`."""
        return self._pool

    def description(self) -> TextureDescription:
        """Return the description as the layout room knows it.

        Raises
        ------
        ArgumentError
            For what cannot be stored.
        """
        return description_of(self._record)

    @property
    def record(self) -> Texture:
        """The description as it is recorded."""
        return self._record


def texture_target(call: str, target: TextureTarget | str | int) -> TextureTarget:
    """Return a target; the prefix TARGET_ may be left out.

    >>> texture_target("set_target", "CUBEMAP")
    <TextureTarget.TARGET_CUBEMAP: 8>
    """
    if isinstance(target, str) and not target.startswith("TARGET_"):
        target = f"TARGET_{target}"
    return member(call, "target", target, TextureTarget)
