"""The state objects that commands bind, with NVN's setters.

Setters return the state, so that one is one line::

    DepthStencilState().set_depth_test_enable(True).set_depth_write_enable(True).set_depth_func("LEQUAL")

A state is copied when it is bound: setters called afterwards change nothing that was recorded. Before any setter, and
after ``set_defaults``, a state has the defaults of :mod:`refnvn.commands.state`.

Read next: ``command_buffer.py``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic, Self, SupportsFloat, TypeVar

import msgspec

from refnvn.commands import state as records
from refnvn.commands.resources import Record
from refnvn.enumerations import (
    AlphaFunc,
    BlendAdvancedMode,
    BlendAdvancedOverlap,
    BlendEquation,
    BlendFunc,
    CoverageModulationMode,
    DepthFunc,
    Face,
    FrontFace,
    LogicOp,
    PolygonMode,
    PolygonOffsetEnable,
    StencilFunc,
    StencilOp,
)
from refnvn.errors import SizeError
from refnvn.formats.table import Use
from refnvn.nvn.arguments import boolean, flag_bits, float32, member, named_format, series, whole

R = TypeVar("R", bound=Record)

TARGETS = 8
STREAMS = 16
LOCATIONS = 16
INT32 = (-(1 << 31), (1 << 31) - 1)
SAMPLE_COUNTS = (0, 1, 2, 4, 8, 16)


class _State(Generic[R]):
    """A record that setters replace."""

    _default: R

    def __init__(self) -> None:
        self.record = self._default

    def set_defaults(self) -> Self:
        """Set everything to its default."""
        self.record = self._default
        return self

    def _set(self, **fields: object) -> Self:
        self.record = msgspec.structs.replace(self.record, **fields)
        return self

    def _call(self, setter: str) -> str:
        return f"{type(self).__name__}.{setter}"


def _faces(call: str, faces: Face | str | int) -> tuple[str, ...]:
    """Return ``front`` and ``back``, as the bits of a face say."""
    found = member(call, "faces", faces, Face)
    return tuple(name for name, bit in (("front", Face.FRONT), ("back", Face.BACK)) if found & bit)


class DepthStencilState(_State[records.DepthStencilState]):
    """``NVNdepthStencilState``: references and masks of the stencil test are set by commands.

    Examples
    --------
    >>> state = DepthStencilState().set_stencil_func("BACK", "EQUAL")
    >>> state.record.front_func.name, state.record.back_func.name
    ('ALWAYS', 'EQUAL')
    """

    _default = records.DepthStencilState()

    def set_depth_test_enable(self, enable: bool) -> Self:
        """Turn the depth test on or off."""
        return self._set(depth_test=boolean(self._call("set_depth_test_enable"), "enable", enable))

    def set_depth_write_enable(self, enable: bool) -> Self:
        """Turn depth writes on or off."""
        return self._set(depth_write=boolean(self._call("set_depth_write_enable"), "enable", enable))

    def set_depth_func(self, func: DepthFunc | str | int) -> Self:
        """Set when a fragment passes the depth test."""
        return self._set(depth_func=member(self._call("set_depth_func"), "func", func, DepthFunc))

    def set_stencil_test_enable(self, enable: bool) -> Self:
        """Turn the stencil test on or off."""
        return self._set(stencil_test=boolean(self._call("set_stencil_test_enable"), "enable", enable))

    def set_stencil_func(self, faces: Face | str | int, func: StencilFunc | str | int) -> Self:
        """Set when a fragment of these faces passes the stencil test."""
        call = self._call("set_stencil_func")
        found = member(call, "func", func, StencilFunc)
        return self._set(**{f"{face}_func": found for face in _faces(call, faces)})

    def set_stencil_op(
        self,
        faces: Face | str | int,
        fail: StencilOp | str | int,
        depth_fail: StencilOp | str | int,
        depth_pass: StencilOp | str | int,
    ) -> Self:
        """Set what happens to the stencil value of these faces."""
        call = self._call("set_stencil_op")
        operations = {
            "fail": member(call, "fail", fail, StencilOp),
            "depth_fail": member(call, "depth_fail", depth_fail, StencilOp),
            "depth_pass": member(call, "depth_pass", depth_pass, StencilOp),
        }
        return self._set(**{f"{f}_{name}": op for f in _faces(call, faces) for name, op in operations.items()})


class ChannelMaskState(_State[records.ChannelMaskState]):
    """``NVNchannelMaskState``: which of R, G, B, A are written, for each of eight targets."""

    _default = records.ChannelMaskState()

    def set_channel_mask(self, index: int, r: bool, g: bool, b: bool, a: bool) -> Self:
        """Set the mask of one target."""
        call = self._call("set_channel_mask")
        target = whole(call, "index", index, 0, TARGETS - 1)
        mask = sum(boolean(call, n, v) << bit for bit, (n, v) in enumerate(zip("rgba", (r, g, b, a), strict=True)))
        masks = (*self.record.masks[:target], mask, *self.record.masks[target + 1 :])
        return self._set(masks=masks)


class PolygonState(_State[records.PolygonState]):
    """``NVNpolygonState``."""

    _default = records.PolygonState()

    def set_cull_face(self, face: Face | str | int) -> Self:
        """Set which faces are not drawn."""
        return self._set(cull_face=member(self._call("set_cull_face"), "face", face, Face))

    def set_front_face(self, face: FrontFace | str | int) -> Self:
        """Set which winding is the front."""
        return self._set(front_face=member(self._call("set_front_face"), "face", face, FrontFace))

    def set_polygon_mode(self, polygon_mode: PolygonMode | str | int) -> Self:
        """Set what is drawn of a polygon: points, lines, or all of it."""
        call = self._call("set_polygon_mode")
        return self._set(polygon_mode=member(call, "polygon_mode", polygon_mode, PolygonMode))

    def set_polygon_offset_enables(self, enables: PolygonOffsetEnable | str | int) -> Self:
        """Set for which polygon modes the offset counts."""
        found = flag_bits(self._call("set_polygon_offset_enables"), "enables", enables, PolygonOffsetEnable)
        return self._set(polygon_offset_enables=int(found))


class ColorState(_State[records.ColorState]):
    """``NVNcolorState``: blending on or off, the logic operation, the alpha test."""

    _default = records.ColorState()

    def set_blend_enable(self, index: int, enable: bool) -> Self:
        """Turn blending on or off for one target."""
        call = self._call("set_blend_enable")
        bit = 1 << whole(call, "index", index, 0, TARGETS - 1)
        enabled = boolean(call, "enable", enable)
        return self._set(
            blend_enables=self.record.blend_enables | bit if enabled else self.record.blend_enables & ~bit
        )

    def set_logic_op(self, logic_op: LogicOp | str | int) -> Self:
        """Set the logic operation; COPY is none."""
        return self._set(logic_op=member(self._call("set_logic_op"), "logic_op", logic_op, LogicOp))

    def set_alpha_test(self, alpha_func: AlphaFunc | str | int) -> Self:
        """Set when a fragment passes the alpha test."""
        return self._set(alpha_test=member(self._call("set_alpha_test"), "alpha_func", alpha_func, AlphaFunc))


class BlendState(_State[records.BlendState]):
    """``NVNblendState`` of one target."""

    _default = records.BlendState()

    def set_blend_target(self, target: int) -> Self:
        """Set which target it is for."""
        return self._set(target=whole(self._call("set_blend_target"), "target", target, 0, TARGETS - 1))

    def set_blend_func(
        self,
        src_func: BlendFunc | str | int,
        dst_func: BlendFunc | str | int,
        src_func_alpha: BlendFunc | str | int,
        dst_func_alpha: BlendFunc | str | int,
    ) -> Self:
        """Set the factors of colour and of alpha."""
        call = self._call("set_blend_func")
        return self._set(
            source_color=member(call, "src_func", src_func, BlendFunc),
            destination_color=member(call, "dst_func", dst_func, BlendFunc),
            source_alpha=member(call, "src_func_alpha", src_func_alpha, BlendFunc),
            destination_alpha=member(call, "dst_func_alpha", dst_func_alpha, BlendFunc),
        )

    def set_blend_equation(self, mode_rgb: BlendEquation | str | int, mode_alpha: BlendEquation | str | int) -> Self:
        """Set how source and destination meet."""
        call = self._call("set_blend_equation")
        return self._set(
            color_equation=member(call, "mode_rgb", mode_rgb, BlendEquation),
            alpha_equation=member(call, "mode_alpha", mode_alpha, BlendEquation),
        )

    def set_advanced_mode(self, mode: BlendAdvancedMode | str | int) -> Self:
        """Set an advanced mode; NONE uses functions and equations."""
        found = member(self._call("set_advanced_mode"), "mode", mode, BlendAdvancedMode)
        return self._set(advanced_mode=found)

    def set_advanced_overlap(self, overlap: BlendAdvancedOverlap | str | int) -> Self:
        """Set how coverage of source and destination is taken to overlap."""
        found = member(self._call("set_advanced_overlap"), "overlap", overlap, BlendAdvancedOverlap)
        return self._set(advanced_overlap=found)

    def set_advanced_premultiplied_src(self, enable: bool) -> Self:
        """Say whether the source is premultiplied."""
        found = boolean(self._call("set_advanced_premultiplied_src"), "enable", enable)
        return self._set(advanced_premultiplied=found)

    def set_advanced_normalized_dst(self, enable: bool) -> Self:
        """Say whether the destination is clamped to 0..1."""
        found = boolean(self._call("set_advanced_normalized_dst"), "enable", enable)
        return self._set(advanced_normalized_destination=found)


class MultisampleState(_State[records.MultisampleState]):
    """``NVNmultisampleState``."""

    _default = records.MultisampleState()

    def set_multisample_enable(self, enable: bool) -> Self:
        """Turn multisampling on or off."""
        return self._set(multisample=boolean(self._call("set_multisample_enable"), "enable", enable))

    def set_samples(self, samples: int) -> Self:
        """Set the samples of a pixel."""
        return self._set(samples=_sample_count(self._call("set_samples"), samples))

    def set_raster_samples(self, samples: int) -> Self:
        """Set the samples of the rasteriser."""
        return self._set(raster_samples=_sample_count(self._call("set_raster_samples"), samples))

    def set_alpha_to_coverage_enable(self, enable: bool) -> Self:
        """Turn alpha to coverage on or off."""
        found = boolean(self._call("set_alpha_to_coverage_enable"), "enable", enable)
        return self._set(alpha_to_coverage=found)

    def set_alpha_to_coverage_dither(self, enable: bool) -> Self:
        """Turn the dithering of alpha to coverage on or off."""
        found = boolean(self._call("set_alpha_to_coverage_dither"), "enable", enable)
        return self._set(alpha_to_coverage_dither=found)

    def set_coverage_to_color_enable(self, enable: bool) -> Self:
        """Turn coverage to colour on, for output 0 if none is set, or off."""
        on = boolean(self._call("set_coverage_to_color_enable"), "enable", enable)
        return self._set(coverage_to_color=max(0, self.record.coverage_to_color) if on else -1)

    def set_coverage_to_color_output(self, output: int) -> Self:
        """Set which output coverage goes to."""
        found = whole(self._call("set_coverage_to_color_output"), "output", output, 0, TARGETS - 1)
        return self._set(coverage_to_color=found)

    def set_coverage_modulation_mode(self, mode: CoverageModulationMode | str | int) -> Self:
        """Set which channels coverage is multiplied into."""
        found = member(self._call("set_coverage_modulation_mode"), "mode", mode, CoverageModulationMode)
        return self._set(coverage_modulation=found)

    def set_sample_locations_enable(self, enable: bool) -> Self:
        """Use positions of one's own for the samples, or the usual ones."""
        found = boolean(self._call("set_sample_locations_enable"), "enable", enable)
        return self._set(sample_locations_enable=found)

    def set_sample_locations_grid_enable(self, enable: bool) -> Self:
        """Let the positions differ from pixel to pixel of a grid, or not."""
        found = boolean(self._call("set_sample_locations_grid_enable"), "enable", enable)
        return self._set(sample_locations_grid_enable=found)

    def set_sample_locations(self, first: int, count: int, locations: Sequence[Sequence[SupportsFloat]]) -> Self:
        """Set ``count`` positions, x and y as parts of a pixel, from number ``first`` on; the others stay."""
        call = self._call("set_sample_locations")
        start = whole(call, "first", first, 0, LOCATIONS - 1)
        number = whole(call, "count", count, 0, LOCATIONS - start)
        pairs = [series(call, "locations", one, "x and y") for one in series(call, "locations", locations, "pairs")]
        if len(pairs) != number or any(len(one) != 2 for one in pairs):
            raise SizeError(f"{call}: locations must be {number} pairs of x and y")
        found = list(self.record.sample_locations or ((0.5, 0.5),) * LOCATIONS)
        found[start : start + number] = [(float32(call, "x", x), float32(call, "y", y)) for x, y in pairs]
        return self._set(sample_locations=tuple(found))


class VertexAttribState(_State[records.VertexAttribState]):
    """``NVNvertexAttribState``: where one attribute lies in a stream."""

    _default = records.VertexAttribState(format="NONE")

    def set_format(self, format_name: str, relative_offset: int) -> Self:
        """Set the format and the offset in the element of the stream."""
        call = self._call("set_format")
        fmt = named_format(call, "format_name", format_name, Use.VERTEX)
        offset_B = whole(call, "relative_offset", relative_offset, 0, (1 << 14) - 1)
        return self._set(format=fmt.name, offset_B=offset_B)

    def set_stream_index(self, stream_index: int) -> Self:
        """Set the stream."""
        found = whole(self._call("set_stream_index"), "stream_index", stream_index, 0, STREAMS - 1)
        return self._set(stream=found)


class VertexStreamState(_State[records.VertexStreamState]):
    """``NVNvertexStreamState``."""

    _default = records.VertexStreamState()

    def set_stride(self, stride: int) -> Self:
        """Set the bytes from element to element."""
        return self._set(stride_B=whole(self._call("set_stride"), "stride", stride, 0, (1 << 16) - 1))

    def set_divisor(self, divisor: int) -> Self:
        """Set after how many instances the stream steps; 0 steps by vertex."""
        return self._set(divisor=whole(self._call("set_divisor"), "divisor", divisor, 0, (1 << 31) - 1))


def _sample_count(call: str, samples: int) -> int:
    found = whole(call, "samples", samples, *INT32)
    if found not in SAMPLE_COUNTS:
        raise SizeError(f"{call}: samples is {found}, allowed are {', '.join(map(str, SAMPLE_COUNTS))}")
    return found
