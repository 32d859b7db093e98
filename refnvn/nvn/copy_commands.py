"""The commands that clear and copy textures and buffers outside of a pass. Read next: ``state_commands.py``.

The strides of copies between buffers and textures are state of the command buffer, as in NVN; each copy is recorded
with those in force.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import SupportsFloat, SupportsIndex

from refnvn.commands import commands as c
from refnvn.commands.resources import Region, TextureRef
from refnvn.commands.subject import packed_rows, strided_span_B
from refnvn.enumerations import CopyFlags
from refnvn.nvn.arguments import Bits4, color_bits, color_integers, content, flag_bits, naming, whole
from refnvn.nvn.memory_pool import Data
from refnvn.nvn.recording_base import Address, Recorded, size_of
from refnvn.nvn.target_commands import INT32, RGBA, UINT32, Mask, mask_of
from refnvn.nvn.texture import RegionLike, Texture, TextureView, ref_of, region_of

Flags = CopyFlags | str | int
TextureClear = c.ClearTexture | c.ClearTexturei | c.ClearTextureui
MOST_STRIDE_B = (1 << 31) - 1


class CopyCommands(Recorded):
    """``nvnCommandBufferClearTexture`` and its kin, ``ClearBuffer`` and the copies."""

    _copy_row_stride_B = 0
    _copy_image_stride_B = 0

    def clear_texture(
        self,
        dst_texture: Texture,
        dst_view: TextureView | None,
        dst_region: RegionLike | None,
        color: Sequence[SupportsFloat],
        mask: Mask = RGBA,
    ) -> None:
        """Clear a region of a level with numbers, rounded to float32; None is the whole level."""
        call = "clear_texture"
        part = self._part(call, "dst", dst_texture, dst_view, dst_region)
        self._clear_texture(call, part, mask, c.ClearTexture, color_bits=color_bits(call, color))

    def clear_texturei(
        self,
        dst_texture: Texture,
        dst_view: TextureView | None,
        dst_region: RegionLike | None,
        color: Sequence[SupportsIndex],
        mask: Mask = RGBA,
    ) -> None:
        """Clear a region of a level with signed integers."""
        call = "clear_texturei"
        part = self._part(call, "dst", dst_texture, dst_view, dst_region)
        self._clear_texture(call, part, mask, c.ClearTexturei, color=color_integers(call, color, *INT32))

    def clear_textureui(
        self,
        dst_texture: Texture,
        dst_view: TextureView | None,
        dst_region: RegionLike | None,
        color: Sequence[SupportsIndex],
        mask: Mask = RGBA,
    ) -> None:
        """Clear a region of a level with unsigned integers."""
        call = "clear_textureui"
        part = self._part(call, "dst", dst_texture, dst_view, dst_region)
        self._clear_texture(call, part, mask, c.ClearTextureui, color=color_integers(call, color, *UINT32))

    def _clear_texture(
        self, call: str, part: tuple[TextureRef, Region], mask: Mask, kind: type[TextureClear], **color: Bits4
    ) -> None:
        """Record a clear of a region, of the kind that takes that colour."""
        texture, region = part
        command = kind(texture=texture, region=region, mask=mask_of(call, mask), **color)
        self._record(call, command, texture="dst_texture", region="dst_region")

    def clear_buffer(self, buffer: Address, size: int | None, value: int) -> None:
        """Fill a range of memory with a 32-bit word; the size None is that of a Buffer."""
        call = "clear_buffer"
        size_B = size_of(call, buffer, size)
        command = c.ClearBuffer(
            address=self._address(call, "buffer", buffer, size_B, "written"),
            size_B=size_B,
            value=whole(call, "value", value, *UINT32),
        )
        self._record(call, command, address="buffer", size_B="size")

    def copy_buffer_to_buffer(self, src: Address, dst: Address, size: int | None = None, flags: Flags = 0) -> None:
        """Copy bytes; the size None is that of ``src``."""
        call = "copy_buffer_to_buffer"
        size_B = size_of(call, src, size)
        command = c.CopyBufferToBuffer(
            source=self._address(call, "src", src, size_B),
            destination=self._address(call, "dst", dst, size_B, "written"),
            size_B=size_B,
            flags=_copy_flags(call, flags),
        )
        self._record(call, command, source="src", destination="dst", size_B="size")

    def set_copy_row_stride(self, stride: int) -> None:
        """Set the bytes from row to row in buffers of the copies that follow; 0 is tightly packed."""
        self._copy_row_stride_B = whole("set_copy_row_stride", "stride", stride, 0, MOST_STRIDE_B)

    def set_copy_image_stride(self, stride: int) -> None:
        """Set the bytes from layer or slice to the next in buffers of the copies that follow; 0 is tightly packed."""
        self._copy_image_stride_B = whole("set_copy_image_stride", "stride", stride, 0, MOST_STRIDE_B)

    def get_copy_row_stride(self) -> int:
        """Return the row stride of the copies that follow."""
        return self._copy_row_stride_B

    def get_copy_image_stride(self) -> int:
        """Return the image stride of the copies that follow."""
        return self._copy_image_stride_B

    def copy_buffer_to_texture(
        self,
        buffer: Address,
        dst_texture: Texture,
        dst_view: TextureView | None = None,
        dst_region: RegionLike | None = None,
        flags: Flags = 0,
    ) -> None:
        """Copy rows of a buffer to a region of a level; None is the whole level."""
        call = "copy_buffer_to_texture"
        texture, region = self._part(call, "dst", dst_texture, dst_view, dst_region)
        size_B = self._rows_B(call, dst_texture, dst_view, region)
        command = c.CopyBufferToTexture(
            source=self._address(call, "buffer", buffer, size_B),
            texture=texture,
            region=region,
            row_stride_B=self._copy_row_stride_B,
            image_stride_B=self._copy_image_stride_B,
            flags=_copy_flags(call, flags),
        )
        self._record(call, command, source="buffer", texture="dst_texture", region="dst_region")

    def copy_texture_to_buffer(
        self,
        src_texture: Texture,
        src_view: TextureView | None,
        src_region: RegionLike | None,
        buffer: Address,
        flags: Flags = 0,
    ) -> None:
        """Copy a region of a level to rows of a buffer; None is the whole level."""
        call = "copy_texture_to_buffer"
        texture, region = self._part(call, "src", src_texture, src_view, src_region)
        size_B = self._rows_B(call, src_texture, src_view, region)
        command = c.CopyTextureToBuffer(
            texture=texture,
            region=region,
            destination=self._address(call, "buffer", buffer, size_B, "written"),
            row_stride_B=self._copy_row_stride_B,
            image_stride_B=self._copy_image_stride_B,
            flags=_copy_flags(call, flags),
        )
        self._record(call, command, destination="buffer", texture="src_texture", region="src_region")

    def copy_texture_to_texture(
        self,
        src_texture: Texture,
        src_view: TextureView | None,
        src_region: RegionLike | None,
        dst_texture: Texture,
        dst_view: TextureView | None = None,
        dst_region: RegionLike | None = None,
        flags: Flags = 0,
    ) -> None:
        """Copy a region of a level to another, scaled and converted if they differ; None is the whole level."""
        call = "copy_texture_to_texture"
        source, source_region = self._part(call, "src", src_texture, src_view, src_region)
        destination, destination_region = self._part(call, "dst", dst_texture, dst_view, dst_region)
        command = c.CopyTextureToTexture(
            source=source,
            source_region=source_region,
            destination=destination,
            destination_region=destination_region,
            flags=_copy_flags(call, flags),
        )
        self._record(
            call,
            command,
            source="src_texture",
            source_region="src_region",
            destination="dst_texture",
            destination_region="dst_region",
        )

    def update_uniform_buffer(self, buffer: Address, buffer_size: int | None, offset: int, data: Data) -> None:
        """Write bytes, taken now, into a buffer in the order of the commands; the size None is that of a Buffer."""
        call = "update_uniform_buffer"
        size_B = size_of(call, buffer, buffer_size, "buffer_size")
        command = c.UpdateUniformBuffer(
            address=self._address(call, "buffer", buffer, size_B, "named"),
            size_B=size_B,
            offset_B=whole(call, "offset", offset, 0, MOST_STRIDE_B),
            blob=self.device.recorder.blob(content(call, "data", data)),
        )
        self._record(call, command, address="buffer", size_B="buffer_size", offset_B="offset", blob="data")

    def downsample(self, src: Texture, dst: Texture) -> None:
        """Resolve a multisample texture into one of a single sample, or scale one of a single sample."""
        self._downsample("downsample", src, None, dst, None)

    def downsample_texture_view(
        self, src: Texture, src_view: TextureView | None, dst: Texture, dst_view: TextureView | None
    ) -> None:
        """Do the same from what a view shows to what another shows."""
        self._downsample("downsample_texture_view", src, src_view, dst, dst_view)

    def tiled_downsample(self, src: Texture, dst: Texture) -> None:
        """Do as :meth:`downsample`: that it goes tile by tile changes no bytes."""
        self._downsample("tiled_downsample", src, None, dst, None)

    def tiled_downsample_texture_view(
        self, src: Texture, src_view: TextureView | None, dst: Texture, dst_view: TextureView | None
    ) -> None:
        """Do as :meth:`downsample_texture_view`, tile by tile."""
        self._downsample("tiled_downsample_texture_view", src, src_view, dst, dst_view)

    def _downsample(
        self, call: str, src: Texture, src_view: TextureView | None, dst: Texture, dst_view: TextureView | None
    ) -> None:
        command = c.Downsample(
            source=ref_of(call, "src", src, src_view, self.device, "src_view"),
            destination=ref_of(call, "dst", dst, dst_view, self.device, "dst_view"),
        )
        self._record(call, command, source="src", destination="dst")

    def _part(
        self, call: str, side: str, texture: Texture, view: TextureView | None, region: RegionLike | None
    ) -> tuple[TextureRef, Region]:
        """Return the texture and the region that a command carries of one side, ``src`` or ``dst``."""
        ref = ref_of(call, f"{side}_texture", texture, view, self.device, f"{side}_view")
        return ref, region_of(call, texture, view, region, f"{side}_")

    def _rows_B(self, call: str, texture: Texture, view: TextureView | None, region: Region) -> int:
        """Return the bytes of a buffer that a copy of a region reaches, with the strides in force."""
        with naming(call):
            rows = packed_rows(texture.subject(view), region)
            return strided_span_B(rows, self._copy_row_stride_B, self._copy_image_stride_B)


def _copy_flags(call: str, given: Flags) -> int:
    return int(flag_bits(call, "flags", given, CopyFlags))
