"""What does NVN keep from call to call?

Everything here belongs to a queue. A command changes its own part and leaves the rest; a part keeps its value until
a command sets it again: over draws, over changes of the render targets, from one command buffer to the next and
from one submission to the next. Nothing else resets it. In particular ``SetRenderTargets`` sets neither viewport
nor scissor, and a program, a state object or a buffer stays bound when it is not named again.

What a queue starts with is in :func:`initial_state`. Read next: ``run.py``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from refnvn.commands.state import (
    BlendState,
    ChannelMaskState,
    ColorState,
    DepthStencilState,
    MultisampleState,
    PolygonState,
    VertexAttribState,
    VertexStreamState,
)
from refnvn.enumerations import ConditionalRenderMode, CounterType, ShaderStage, ViewportSwizzle, WindowOriginMode
from refnvn.raster.state import PLAIN_SWIZZLE, Conservative
from refnvn.raster.target import Rectangle
from refnvn.replay.stage_state import StageState
from refnvn.replay.views import Target
from refnvn.rules.evidence import Evidence
from refnvn.rules.registry import rule

K = TypeVar("K")
V = TypeVar("V")
COLOR_TARGETS = 8
ALL_BITS = 255


@dataclass(frozen=True, slots=True)
class StencilSide:
    """What commands set of the stencil test of one face."""

    reference: int = 0
    value_mask: int = ALL_BITS
    write_mask: int = ALL_BITS


@dataclass(frozen=True, slots=True)
class BoundRange:
    """A range of memory that is bound to a slot; of no bytes where nothing is."""

    address: int = 0
    size_B: int = 0


NOTHING_BOUND = BoundRange()


@dataclass(frozen=True, slots=True)
class BoundPool:
    """Where the descriptors of a pool lie; none where no pool is set."""

    address: int = 0
    descriptors: int = 0


NO_POOL = BoundPool()


@dataclass(frozen=True, slots=True)
class Condition:
    """Whether draws and clears happen.

    Attributes
    ----------
    holds : bool
        What was found when the condition was set.
    mode, address
        What to compare anew at each command, where the rules say so; None for what does not depend on memory.
    """

    holds: bool = True
    mode: ConditionalRenderMode | None = None
    address: int = 0


ALWAYS = Condition()


@dataclass(frozen=True, slots=True)
class Viewport:
    """What commands set of one viewport but the first."""

    viewport: tuple[float, float, float, float] | None = None
    origin: WindowOriginMode | None = None
    swizzle: tuple[ViewportSwizzle, ...] = PLAIN_SWIZZLE
    depth_range: tuple[float, float] = (0.0, 1.0)
    scissor: Rectangle | None = None


DRAW_COUNTERS = frozenset(
    one
    for one in CounterType
    if CounterType.INPUT_VERTICES <= one <= CounterType.TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN
)
"""The counters of vertices, primitives and invocations."""


@dataclass(slots=True)
class State:
    """The state of one queue.

    What a field holds is never changed in place, counters and stages apart: a command puts another object there. So
    what follows from a field holds as long as the object is the same (``kept.py``).

    Attributes
    ----------
    window_origin : WindowOriginMode
        What the queue took from its device.
    colors, depth_stencil
        The targets that are set.
    viewport, depth_range, scissor
        Pixels and depths; None until a command sets it: then nothing is cut off, and nothing can be drawn without
        a viewport.
    viewport_origin : WindowOriginMode or None
        What the viewport's command carried, which decides its direction.
    swizzle : tuple of ViewportSwizzle
        Of the viewport.
    further : dict of int to Viewport
        What is set of viewports 1 to 15, which shaders may choose.
    conservative, precision
        Whether conservative rasterisation is on, and its dilation and bias.
    depth_bounds, polygon_offset
        Bounds, None where the test is off; factor, units and clamp.
    point_size, line_width : float
        In pixels.
    restart_index : int or None
        The index that ends a primitive; None where none does.
    front, back : StencilSide
        References and masks.
    modulation_table : tuple of int or None
        What shares of covered samples are multiplied as, in sixteenths; None where no table was bound.
    program : dict of ShaderStage to int
        Index of the program that each stage takes its shader from.
    streams, vertex_buffers, uniform_buffers, storage_buffers, images
        By index, and by stage and index.
    texture_pool, sampler_pool : BoundPool
        Where ids are looked up.
    handles : dict of (ShaderStage, int) to int
        By stage and offset in the bank of handles.
    rendering : Condition
        Whether draws and clears happen.
    counters : dict of CounterType to int
        What was counted since the last reset.
    open_counters : set of CounterType
        Those of which nothing decides what was counted.
    stages : StageState
        Of the stages between vertex shader and rasteriser.
    """

    window_origin: WindowOriginMode
    colors: tuple[Target | None, ...] = (None,) * COLOR_TARGETS
    depth_stencil: Target | None = None
    viewport: tuple[float, float, float, float] | None = None
    depth_range: tuple[float, float] = (0.0, 1.0)
    scissor: Rectangle | None = None
    viewport_origin: WindowOriginMode | None = None
    swizzle: tuple[ViewportSwizzle, ...] = PLAIN_SWIZZLE
    further: Mapping[int, Viewport] = field(default_factory=dict)
    depth_clamp: bool = False
    conservative: bool = False
    precision: Conservative = field(default_factory=Conservative)
    depth_bounds: tuple[float, float] | None = None
    polygon_offset: tuple[float, float, float] = (0.0, 0.0, 0.0)
    point_size: float = 1.0
    line_width: float = 1.0
    restart_index: int | None = None
    front: StencilSide = field(default_factory=StencilSide)
    back: StencilSide = field(default_factory=StencilSide)
    depth_stencil_state: DepthStencilState = field(default_factory=DepthStencilState)
    channel_masks: ChannelMaskState = field(default_factory=ChannelMaskState)
    polygon: PolygonState = field(default_factory=PolygonState)
    color: ColorState = field(default_factory=ColorState)
    blends: Mapping[int, BlendState] = field(default_factory=dict)
    blend_color: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)
    alpha_reference: float = 0.0
    multisample: MultisampleState = field(default_factory=MultisampleState)
    sample_mask: int = (1 << 32) - 1
    modulation_table: tuple[int, ...] | None = None
    programs: Mapping[ShaderStage, int] = field(default_factory=dict)
    attribs: tuple[VertexAttribState, ...] = ()
    streams: tuple[VertexStreamState, ...] = ()
    vertex_buffers: Mapping[int, BoundRange] = field(default_factory=dict)
    uniform_buffers: Mapping[tuple[ShaderStage, int], BoundRange] = field(default_factory=dict)
    storage_buffers: Mapping[tuple[ShaderStage, int], BoundRange] = field(default_factory=dict)
    images: Mapping[tuple[ShaderStage, int], int] = field(default_factory=dict)
    texture_pool: BoundPool = NO_POOL
    sampler_pool: BoundPool = NO_POOL
    handles: Mapping[tuple[ShaderStage, int], int] = field(default_factory=dict)
    rendering: Condition = ALWAYS
    counters: dict[CounterType, int] = field(default_factory=dict)
    open_counters: set[CounterType] = field(default_factory=set)
    stages: StageState = field(default_factory=StageState)

    def count(self, counter: CounterType, number: int, *, is_open: bool = False) -> None:
        """Let a counter grow; ``is_open`` where it may grow by another number."""
        self.counters[counter] = self.counters.get(counter, 0) + number
        if is_open:
            self.open_counters.add(counter)


def without(bound: Mapping[K, V], key: K) -> Mapping[K, V]:
    """Return what is bound to all slots but one."""
    return {slot: value for slot, value in bound.items() if slot != key} if key in bound else bound


@rule(
    "REPLAY-STATE-1",
    "Bound state belongs to the queue and stays until it is set again, over command buffers and submissions; a "
    "new queue has no targets, programs or buffers, no scissor, depth range 0 to 1, and the state objects' defaults.",
    evidence=Evidence.INFERRED,
    sources=("deko3d", "open-gpu-doc"),
    ledger=("composite-program",),
    refuted_by="a console that draws otherwise in a second command buffer that sets nothing",
)
def initial_state(window_origin: WindowOriginMode) -> State:
    """Return what a queue starts with.

    >>> initial_state(WindowOriginMode.LOWER_LEFT).depth_range
    (0.0, 1.0)
    """
    return State(window_origin)
