"""The commands that choose render targets and clear them. Read next: ``copy_commands.py``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import SupportsFloat, SupportsIndex

from refnvn.commands import commands as c
from refnvn.commands.resources import TextureRef
from refnvn.enumerations import ClearColorMask
from refnvn.errors import ArgumentError
from refnvn.nvn.arguments import boolean, color_bits, color_integers, flag_bits, number_bits, series, whole
from refnvn.nvn.recording_base import Recorded
from refnvn.nvn.texture import Texture, TextureView, ref_of

RGBA = ClearColorMask.RGBA
Mask = ClearColorMask | str | int
INT32 = (-(1 << 31), (1 << 31) - 1)
UINT32 = (0, (1 << 32) - 1)


def mask_of(call: str, mask: Mask) -> int:
    """Return a channel mask.

    >>> mask_of("clear_color", "R | A")
    9
    """
    return int(flag_bits(call, "mask", mask, ClearColorMask))


class TargetCommands(Recorded):
    """``nvnCommandBufferSetRenderTargets`` and the clears of targets."""

    def set_render_targets(
        self,
        colors: Sequence[Texture | None] = (),
        color_views: Sequence[TextureView | None] | None = None,
        depth_stencil: Texture | None = None,
        depth_stencil_view: TextureView | None = None,
    ) -> None:
        """Set up to eight colour targets, any of them None, and a depth-stencil target.

        Parameters
        ----------
        colors : sequence of Texture or None
            By slot.
        color_views : sequence of TextureView or None
            One for each colour, or None for no views at all.
        depth_stencil, depth_stencil_view
            The same for depth and stencil.
        """
        call = "set_render_targets"
        textures = series(call, "colors", colors, "Texture")
        views = series(call, "color_views", () if color_views is None else color_views, "TextureView")
        views = views or (None,) * len(textures)
        if len(views) != len(textures):
            raise ArgumentError(
                f"{call}: color_views has {len(views)} views, allowed are the {len(textures)} of colors"
            )
        if depth_stencil is None and depth_stencil_view is not None:
            raise ArgumentError(f"{call}: depth_stencil_view is given without depth_stencil")
        found = []
        for slot, (texture, view) in enumerate(zip(textures, views, strict=True)):
            found.append(self._target(call, f"colors[{slot}]", texture, view, f"color_views[{slot}]"))
        depth = self._target(call, "depth_stencil", depth_stencil, depth_stencil_view, "depth_stencil_view")
        self._record(call, c.SetRenderTargets(colors=tuple(found), depth_stencil=depth))

    def _target(
        self, call: str, argument: str, texture: Texture | None, view: TextureView | None, view_argument: str
    ) -> TextureRef | None:
        """Return the texture that a command carries, or None for none."""
        if texture is None:
            return None
        return ref_of(call, argument, texture, view, self.device, view_argument)

    def clear_color(self, index: int, color: Sequence[SupportsFloat], mask: Mask = RGBA) -> None:
        """Clear a colour target with numbers, rounded to float32.

        Parameters
        ----------
        index : int
            Slot of the target, 0 to 7.
        color : four numbers
            R, G, B, A; float32 NaNs keep their bits.
        mask : ClearColorMask, names or number
            Which channels.
        """
        call = "clear_color"
        slot = whole(call, "index", index, 0, 7)
        self._record(
            call, c.ClearColor(index=slot, color_bits=color_bits(call, color), mask=mask_of(call, mask)),
            color_bits="color",
        )  # fmt: skip

    def clear_colori(self, index: int, color: Sequence[SupportsIndex], mask: Mask = RGBA) -> None:
        """Clear a colour target with signed integers, all 32 bits of each."""
        call = "clear_colori"
        slot = whole(call, "index", index, 0, 7)
        values = color_integers(call, color, *INT32)
        self._record(call, c.ClearColori(index=slot, color=values, mask=mask_of(call, mask)))

    def clear_colorui(self, index: int, color: Sequence[SupportsIndex], mask: Mask = RGBA) -> None:
        """Clear a colour target with unsigned integers, all 32 bits of each."""
        call = "clear_colorui"
        slot = whole(call, "index", index, 0, 7)
        values = color_integers(call, color, *UINT32)
        self._record(call, c.ClearColorui(index=slot, color=values, mask=mask_of(call, mask)))

    def discard_color(self, index: int) -> None:
        """Give up what a colour target holds: what is not written anew is undefined."""
        call = "discard_color"
        self._record(call, c.DiscardColor(index=whole(call, "i", index, 0, 7)), index="i")

    def discard_depth_stencil(self) -> None:
        """Give up what the depth-stencil target holds."""
        self._record("discard_depth_stencil", c.DiscardDepthStencil())

    def clear_depth_stencil(
        self, depth_value: SupportsFloat, depth_mask: bool, stencil_value: int = 0, stencil_mask: int = 0
    ) -> None:
        """Clear the depth, if ``depth_mask``, and the bits of the stencil in ``stencil_mask``.

        As in NVN, the lowest eight bits of the stencil numbers count: -1 is all bits.
        """
        call = "clear_depth_stencil"
        command = c.ClearDepthStencil(
            depth_bits=number_bits(call, "depth_value", depth_value),
            depth_mask=boolean(call, "depth_mask", depth_mask),
            stencil=whole(call, "stencil_value", stencil_value, *INT32) & 255,
            stencil_mask=whole(call, "stencil_mask", stencil_mask, *INT32) & 255,
        )
        self._record(call, command)
