"""The commands of the stages between vertex shader and rasteriser: transform feedback, patches, rasterizer discard.

Read next: ``command_buffer.py``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import SupportsFloat

from refnvn.commands import commands as c
from refnvn.commands.commands import FEEDBACK_BUFFERS, FEEDBACK_CONTROL_B, MOST_PATCH_SIZE
from refnvn.enumerations import DrawPrimitive
from refnvn.errors import SizeError
from refnvn.nvn.arguments import boolean, member, number_bits, series, whole
from refnvn.nvn.recording_base import Address, Recorded, size_of

Range = tuple[Address, int | None]


class StageCommands(Recorded):
    """``nvnCommandBufferSetRasterizerDiscard``, patches, and transform feedback."""

    def set_rasterizer_discard(self, discard: bool) -> None:
        """Rasterise nothing, or rasterise again; shaders before the rasteriser run either way."""
        call = "set_rasterizer_discard"
        self._record(call, c.SetRasterizerDiscard(discard=boolean(call, "discard", discard)))

    def set_patch_size(self, size: int) -> None:
        """Set how many vertices a patch has."""
        call = "set_patch_size"
        self._record(call, c.SetPatchSize(size=whole(call, "size", size, 1, MOST_PATCH_SIZE)))

    def set_outer_tessellation_levels(self, levels: Sequence[SupportsFloat]) -> None:
        """Set four outer levels for programs without a tessellation control shader."""
        call = "set_outer_tessellation_levels"
        first, second, third, fourth = _bits(call, levels, 4)
        self._record(call, c.SetOuterTessellationLevels(level_bits=(first, second, third, fourth)))

    def set_inner_tessellation_levels(self, levels: Sequence[SupportsFloat]) -> None:
        """Set two inner levels for programs without a tessellation control shader."""
        call = "set_inner_tessellation_levels"
        first, second = _bits(call, levels, 2)
        self._record(call, c.SetInnerTessellationLevels(level_bits=(first, second)))

    def bind_transform_feedback_buffer(self, index: int, buffer: Address, size: int | None = None) -> None:
        """Bind memory that vertices are captured to; the size None is that of a Buffer, 0 binds nothing."""
        self._bind_feedback("bind_transform_feedback_buffer", index, buffer, size)

    def bind_transform_feedback_buffers(self, first: int, buffers: Sequence[Range]) -> None:
        """Bind several ranges from a number on: each a buffer and a size, or a size of None."""
        call = "bind_transform_feedback_buffers"
        for number, (buffer, size) in enumerate(series(call, "buffers", buffers, "ranges")):
            self._bind_feedback(call, first + number, buffer, size)

    def _bind_feedback(self, call: str, index: int, buffer: Address, size: int | None) -> None:
        size_B = size_of(call, buffer, size)
        command = c.BindTransformFeedbackBuffer(
            index=whole(call, "index", index, 0, FEEDBACK_BUFFERS - 1),
            address=self._address(call, "buffer", buffer, size_B, "bound"),
            size_B=size_B,
        )
        self._record(call, command, address="buffer", size_B="size")

    def begin_transform_feedback(self, buffer: Address) -> None:
        """Start to capture vertices; the buffer is a control buffer of 32 bytes, here and below."""
        call = "begin_transform_feedback"
        self._record(call, c.BeginTransformFeedback(address=self._control(call, buffer)), address="buffer")

    def end_transform_feedback(self, buffer: Address) -> None:
        """Capture no more, and save how much was."""
        call = "end_transform_feedback"
        self._record(call, c.EndTransformFeedback(address=self._control(call, buffer)), address="buffer")

    def pause_transform_feedback(self, buffer: Address) -> None:
        """Save how much was captured, and capture nothing for now."""
        call = "pause_transform_feedback"
        self._record(call, c.PauseTransformFeedback(address=self._control(call, buffer)), address="buffer")

    def resume_transform_feedback(self, buffer: Address) -> None:
        """Go on capturing behind what was saved."""
        call = "resume_transform_feedback"
        self._record(call, c.ResumeTransformFeedback(address=self._control(call, buffer)), address="buffer")

    def draw_transform_feedback(self, mode: DrawPrimitive | str | int, buffer: Address) -> None:
        """Draw as many vertices as a control buffer says were captured."""
        call = "draw_transform_feedback"
        primitive = member(call, "mode", mode, DrawPrimitive)
        command = c.DrawTransformFeedback(primitive=primitive, address=self._control(call, buffer))
        self._record(call, command, address="buffer")

    def _control(self, call: str, buffer: Address) -> int:
        return self._address(call, "buffer", buffer, FEEDBACK_CONTROL_B)


def _bits(call: str, levels: Sequence[SupportsFloat], count: int) -> list[int]:
    """Return the bits of so many levels."""
    given = series(call, "levels", levels, "numbers")
    if len(given) != count:
        raise SizeError(f"{call}: levels has {len(given)} numbers, allowed are {count}")
    return [number_bits(call, "levels", one) for one in given]
