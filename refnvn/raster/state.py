"""Which settings decide how triangles become stored pixels?

Plain frozen values with NVN's enumerations; whoever replays commands fills them in. Rectangles are in pixels of
memory: column 0 is the first texel of a row, row 0 the first row, under either window origin.

Read next: ``fragment.py``.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from refnvn.enumerations import (
    AlphaFunc,
    DepthFunc,
    DepthMode,
    Face,
    FrontFace,
    LogicOp,
    PolygonMode,
    StencilFunc,
    StencilOp,
    ViewportSwizzle,
    WindowOriginMode,
)
from refnvn.raster.blend import BlendTargetState
from refnvn.raster.samples import Multisample

ALL_CHANNELS = 15
TARGETS_MAX = 8
PLAIN_SWIZZLE = (
    ViewportSwizzle.POSITIVE_X,
    ViewportSwizzle.POSITIVE_Y,
    ViewportSwizzle.POSITIVE_Z,
    ViewportSwizzle.POSITIVE_W,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class StencilFace:
    """The stencil test of one side of a triangle.

    Attributes
    ----------
    func : StencilFunc
        How ``reference & value_mask`` compares with ``stored & value_mask``.
    reference, value_mask, write_mask : int
        0 to 255.
    fail, depth_fail, depth_pass : StencilOp
        What happens to the stored value when the stencil test fails, when only the depth test fails, when both pass.
    """

    func: StencilFunc = StencilFunc.ALWAYS
    reference: int = 0
    value_mask: int = 255
    write_mask: int = 255
    fail: StencilOp = StencilOp.KEEP
    depth_fail: StencilOp = StencilOp.KEEP
    depth_pass: StencilOp = StencilOp.KEEP


@dataclass(frozen=True, slots=True, kw_only=True)
class Conservative:
    """The state of conservative rasterisation that is on.

    Attributes
    ----------
    dilate : float
        By how much of a pixel squares are wider on each side, 0 to 0.75.
    bias : tuple of int
        How many bits finer x and y are snapped, 0 to 8.
    """

    dilate: float = 0.0
    bias: tuple[int, int] = (0, 0)


@dataclass(frozen=True, kw_only=True)
class RasterState:
    """Everything that a draw reads besides vertices, targets and shaders.

    Attributes
    ----------
    viewport : tuple of float
        x, y, width, height in pixels.
    depth_range : tuple of float
        Window depth of the near and of the far plane.
    scissor : tuple of int or None
        x, y, width, height in pixels; None lets everything pass.
    window_origin : WindowOriginMode
        LOWER_LEFT: clip y -1 is the viewport's first row in memory; UPPER_LEFT: it is the last.
    queue_origin : WindowOriginMode or None
        The origin that the queue took when it was initialised, which decides facing; None: ``window_origin``.
    depth_mode : DepthMode
        Whether clip z runs from -w or from 0 to w.
    depth_clamp : bool
        Clamp depth instead of clipping at the near and far plane.
    cull_face, front_face : Face, FrontFace
        Which sides are dropped, and which winding is the front.
    depth_test, depth_write, depth_func : bool, bool, DepthFunc
        Depth is written only while the test is on.
    stencil_test, front, back : bool, StencilFace, StencilFace
        The stencil test and its settings by side.
    channel_masks : tuple of int
        For each of eight targets the channels R, G, B, A (bits 0 to 3) that are written.
    provoking_vertex : int
        Which of a triangle's three vertices gives flat inputs, where nothing else says it: 0 to 2.
    viewport_swizzle : tuple of ViewportSwizzle
        What x, y, z and w are taken from before anything else happens.
    polygon_mode : PolygonMode
        Whether triangles are filled, or their edges or corners drawn.
    polygon_offset : tuple of float or None
        Factor, units and clamp, where an offset is on for the polygon mode.
    line_width, point_size : float
        In pixels, before they are rounded.
    point_sprite : bool
        Whether points are sprites, as NVN draws them.
    sprite_origin : WindowOriginMode
        UPPER_LEFT: the coordinate t of a sprite is 1 at its first memory row; LOWER_LEFT: 0.
    depth_bounds : tuple of float or None
        Least and greatest stored depth over which fragments pass; None lets all pass.
    multisample : Multisample
        What a target with several samples needs.
    blends : tuple of BlendTargetState or None
        How each of eight targets blends; None stores.
    blend_color : tuple of float
        The constant of blends.
    logic_op : LogicOp
        COPY for none.
    alpha_test, alpha_reference : AlphaFunc, float
        ALWAYS for none.
    conservative : Conservative or None
        Where triangles cover all pixels that they touch.
    layer, viewport_index : int
        What fragments read of the layer and the viewport that were chosen for all that is drawn.
    """

    viewport: tuple[float, float, float, float]
    depth_range: tuple[float, float] = (0.0, 1.0)
    scissor: tuple[int, int, int, int] | None = None
    window_origin: WindowOriginMode = WindowOriginMode.LOWER_LEFT
    queue_origin: WindowOriginMode | None = None
    depth_mode: DepthMode = DepthMode.NEAR_IS_MINUS_W
    depth_clamp: bool = False
    cull_face: Face = Face.NONE
    front_face: FrontFace = FrontFace.CCW
    depth_test: bool = False
    depth_write: bool = False
    depth_func: DepthFunc = DepthFunc.LESS
    stencil_test: bool = False
    front: StencilFace = field(default_factory=StencilFace)
    back: StencilFace = field(default_factory=StencilFace)
    channel_masks: tuple[int, ...] = (ALL_CHANNELS,) * TARGETS_MAX
    provoking_vertex: int = 2
    viewport_swizzle: tuple[ViewportSwizzle, ...] = PLAIN_SWIZZLE
    polygon_mode: PolygonMode = PolygonMode.FILL
    polygon_offset: tuple[float, float, float] | None = None
    line_width: float = 1.0
    point_size: float = 1.0
    point_sprite: bool = True
    sprite_origin: WindowOriginMode = WindowOriginMode.UPPER_LEFT
    depth_bounds: tuple[float, float] | None = None
    multisample: Multisample = field(default_factory=Multisample)
    blends: tuple[BlendTargetState | None, ...] = (None,) * TARGETS_MAX
    blend_color: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)
    logic_op: LogicOp = LogicOp.COPY
    alpha_test: AlphaFunc = AlphaFunc.ALWAYS
    alpha_reference: float = 0.0
    conservative: Conservative | None = None
    layer: int = 0
    viewport_index: int = 0

    @property
    def facing_origin(self) -> WindowOriginMode:
        """The origin that decides which winding is seen."""
        return self.window_origin if self.queue_origin is None else self.queue_origin

    def through(self, **viewport: Any) -> RasterState:
        """Return the same settings with other fields of the viewport; many times as quick as ``replace``."""
        other = object.__new__(RasterState)
        other.__dict__.update(self.__dict__, **viewport)
        return other
