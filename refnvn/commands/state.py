"""The state objects that commands bind, with NVN's names and the defaults of their ``SetDefaults``.

NVN's own defaults are in no public source; these are deko3d's, an open driver for the same hardware, and likely
alike. A state is copied when it is bound.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

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
    StencilFunc,
    StencilOp,
)

Byte = Annotated[int, Meta(ge=0, le=255)]
Mask4 = Annotated[int, Meta(ge=0, le=15)]
Samples = Annotated[int, Meta(ge=0, le=16)]


class DepthStencilState(Record, frozen=True, kw_only=True):
    """``NVNdepthStencilState``: tests and writes; references and masks are set by commands."""

    depth_test: bool = False
    depth_write: bool = False
    depth_func: DepthFunc = DepthFunc.LESS
    stencil_test: bool = False
    front_func: StencilFunc = StencilFunc.ALWAYS
    front_fail: StencilOp = StencilOp.KEEP
    front_depth_fail: StencilOp = StencilOp.KEEP
    front_depth_pass: StencilOp = StencilOp.REPLACE
    back_func: StencilFunc = StencilFunc.ALWAYS
    back_fail: StencilOp = StencilOp.KEEP
    back_depth_fail: StencilOp = StencilOp.KEEP
    back_depth_pass: StencilOp = StencilOp.REPLACE


class ChannelMaskState(Record, frozen=True, kw_only=True):
    """``NVNchannelMaskState``: for each of eight targets which of R, G, B, A (bits 0 to 3) may be written."""

    masks: tuple[Mask4, Mask4, Mask4, Mask4, Mask4, Mask4, Mask4, Mask4] = (15, 15, 15, 15, 15, 15, 15, 15)


class PolygonState(Record, frozen=True, kw_only=True):
    """``NVNpolygonState``."""

    cull_face: Face = Face.NONE
    front_face: FrontFace = FrontFace.CCW
    polygon_mode: PolygonMode = PolygonMode.FILL
    polygon_offset_enables: Annotated[int, Meta(ge=0, le=7)] = 0


class ColorState(Record, frozen=True, kw_only=True):
    """``NVNcolorState``: blending on or off for each target (bits 0 to 7), the logic operation, the alpha test."""

    blend_enables: Byte = 0
    logic_op: LogicOp = LogicOp.COPY
    alpha_test: AlphaFunc = AlphaFunc.ALWAYS


class BlendState(Record, frozen=True, kw_only=True):
    """``NVNblendState`` of one target."""

    target: Annotated[int, Meta(ge=0, le=7)] = 0
    source_color: BlendFunc = BlendFunc.ONE
    destination_color: BlendFunc = BlendFunc.ZERO
    source_alpha: BlendFunc = BlendFunc.ONE
    destination_alpha: BlendFunc = BlendFunc.ZERO
    color_equation: BlendEquation = BlendEquation.ADD
    alpha_equation: BlendEquation = BlendEquation.ADD
    advanced_mode: BlendAdvancedMode = BlendAdvancedMode.NONE
    advanced_overlap: BlendAdvancedOverlap = BlendAdvancedOverlap.UNCORRELATED
    advanced_premultiplied: bool = True
    advanced_normalized_destination: bool = True


class MultisampleState(Record, frozen=True, kw_only=True):
    """``NVNmultisampleState``; sample locations are x and y as parts of a pixel."""

    multisample: bool = True
    samples: Samples = 0
    raster_samples: Samples = 0
    alpha_to_coverage: bool = False
    alpha_to_coverage_dither: bool = True
    coverage_to_color: Annotated[int, Meta(ge=-1, le=7)] = -1
    coverage_modulation: CoverageModulationMode = CoverageModulationMode.NONE
    sample_locations_enable: bool = False
    sample_locations_grid_enable: bool = False
    sample_locations: Annotated[tuple[tuple[float, float], ...], Meta(max_length=16)] = ()


class VertexAttribState(Record, frozen=True, kw_only=True):
    """``NVNvertexAttribState``: where one attribute lies in a stream."""

    format: str
    offset_B: Annotated[int, Meta(ge=0, lt=1 << 14)] = 0
    stream: Annotated[int, Meta(ge=0, le=15)] = 0


class VertexStreamState(Record, frozen=True, kw_only=True):
    """``NVNvertexStreamState``: bytes from element to element; a divisor of 0 steps by vertex."""

    stride_B: Annotated[int, Meta(ge=0, lt=1 << 16)] = 0
    divisor: Annotated[int, Meta(ge=0, lt=1 << 31)] = 0
