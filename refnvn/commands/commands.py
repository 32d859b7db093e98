"""Every command of a command buffer, typed, with NVN's names and the order of its arguments.

A buffer address is a 64-bit GPU address: the pool's base address (``recording.pool_base_B``) plus an offset.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from refnvn.commands.resources import Bytes64, Index, Name, Record, Region, TextureRef
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
from refnvn.enumerations import (
    ConditionalRenderMode,
    CounterType,
    DrawPrimitive,
    EventSignalLocation,
    EventSignalMode,
    EventWaitMode,
    Face,
    IndexType,
    ShaderStage,
    SyncCondition,
    ViewportSwizzle,
    WindowOriginMode,
)
from refnvn.texture.handles import COMBINED_SLOTS, SEPARATE_SLOTS

Slot8 = Annotated[int, Meta(ge=0, le=7)]
Slot16 = Annotated[int, Meta(ge=0, le=15)]
Float32 = float
Mask4 = Annotated[int, Meta(ge=0, le=15)]
CopyBits = Annotated[int, Meta(ge=0, le=31)]
Int32 = Annotated[int, Meta(ge=-(1 << 31), lt=1 << 31)]
UInt32 = Annotated[int, Meta(ge=0, lt=1 << 32)]
Count = Annotated[int, Meta(ge=0, lt=1 << 31)]
Handle = UInt32
PoolSize = Annotated[int, Meta(ge=1, le=1 << 20)]
SyncIndex = Annotated[int, Meta(ge=0, lt=1 << 16)]
DrawCount = Annotated[int, Meta(ge=0, lt=1 << 16)]

MOST_PATCH_SIZE = 32
FEEDBACK_BUFFERS = 4
FEEDBACK_CONTROL_B = 32
"""A control buffer of transform feedback."""
GroupCount = Annotated[int, Meta(ge=0, lt=1 << 16)]


class Command(Record, frozen=True, kw_only=True, tag_field="command", tag=True):
    """Base of all commands; the JSON field ``command`` holds the class name."""


class SetRenderTargets(Command, frozen=True, kw_only=True):
    """Up to eight colour targets, any of them None, and a depth-stencil target."""

    colors: tuple[TextureRef | None, ...] = ()
    depth_stencil: TextureRef | None = None


class ClearColor(Command, frozen=True, kw_only=True):
    """Clear one colour target: float32 bits of R, G, B, A, so that NaN survives JSON."""

    index: Slot8
    color_bits: tuple[UInt32, UInt32, UInt32, UInt32]
    mask: Mask4 = 15


class ClearColori(Command, frozen=True, kw_only=True):
    """Clear one signed integer colour target."""

    index: Slot8
    color: tuple[Int32, Int32, Int32, Int32]
    mask: Mask4 = 15


class ClearColorui(Command, frozen=True, kw_only=True):
    """Clear one unsigned integer colour target."""

    index: Slot8
    color: tuple[UInt32, UInt32, UInt32, UInt32]
    mask: Mask4 = 15


class ClearDepthStencil(Command, frozen=True, kw_only=True):
    """Clear depth (float32 bits) if ``depth_mask``, and the stencil bits of ``stencil_mask``."""

    depth_bits: UInt32
    depth_mask: bool
    stencil: Annotated[int, Meta(ge=0, le=255)]
    stencil_mask: Annotated[int, Meta(ge=0, le=255)]


class DiscardColor(Command, frozen=True, kw_only=True):
    """Give up what a colour target holds: what is not written anew is undefined."""

    index: Slot8


class DiscardDepthStencil(Command, frozen=True, kw_only=True):
    """Give up what the depth-stencil target holds."""


class ClearTexture(Command, frozen=True, kw_only=True):
    """Clear a region of one level with float32 bits; scissor and targets do not matter."""

    texture: TextureRef
    region: Region
    color_bits: tuple[UInt32, UInt32, UInt32, UInt32]
    mask: Mask4 = 15


class ClearTexturei(Command, frozen=True, kw_only=True):
    """Clear a region of a signed integer texture."""

    texture: TextureRef
    region: Region
    color: tuple[Int32, Int32, Int32, Int32]
    mask: Mask4 = 15


class ClearTextureui(Command, frozen=True, kw_only=True):
    """Clear a region of an unsigned integer texture."""

    texture: TextureRef
    region: Region
    color: tuple[UInt32, UInt32, UInt32, UInt32]
    mask: Mask4 = 15


class ClearBuffer(Command, frozen=True, kw_only=True):
    """Fill a range with a 32-bit value."""

    address: Bytes64
    size_B: Bytes64
    value: UInt32


class CopyBufferToBuffer(Command, frozen=True, kw_only=True):
    """Copy bytes."""

    source: Bytes64
    destination: Bytes64
    size_B: Bytes64
    flags: CopyBits = 0


class CopyBufferToTexture(Command, frozen=True, kw_only=True):
    """Copy rows of a buffer to a region; strides of 0 mean tightly packed."""

    source: Bytes64
    texture: TextureRef
    region: Region
    row_stride_B: Count = 0
    image_stride_B: Count = 0
    flags: CopyBits = 0


class CopyTextureToBuffer(Command, frozen=True, kw_only=True):
    """Copy a region to rows of a buffer; strides of 0 mean tightly packed."""

    texture: TextureRef
    region: Region
    destination: Bytes64
    row_stride_B: Count = 0
    image_stride_B: Count = 0
    flags: CopyBits = 0


class CopyTextureToTexture(Command, frozen=True, kw_only=True):
    """Copy a region of a texture to a region of another: converted, scaled, mirrored (``CopyFlags``) if need be."""

    source: TextureRef
    source_region: Region
    destination: TextureRef
    destination_region: Region
    flags: CopyBits = 0


class UpdateUniformBuffer(Command, frozen=True, kw_only=True):
    """Write bytes that the command carries (a blob) into a range of memory, in the order of the commands."""

    address: Bytes64
    size_B: Bytes64
    offset_B: Bytes64
    blob: Name


class SetViewport(Command, frozen=True, kw_only=True):
    """One viewport: x, y, width, height in pixels.

    ``window_origin`` is the device's when the command was recorded, which decides the viewport's direction; None
    means that of the recording. Winding follows the queue's origin, whatever stands here.
    """

    x: float
    y: float
    width: float
    height: float
    window_origin: WindowOriginMode | None = None


class SetViewports(Command, frozen=True, kw_only=True):
    """Viewports from number ``first`` on: x, y, width, height of each. Draws use number 0."""

    first: Slot16
    viewports: tuple[tuple[float, float, float, float], ...]
    window_origin: WindowOriginMode | None = None


class SetViewportSwizzles(Command, frozen=True, kw_only=True):
    """For viewports from number ``first`` on, what x, y, z and w are taken from."""

    first: Slot16
    swizzles: tuple[tuple[ViewportSwizzle, ViewportSwizzle, ViewportSwizzle, ViewportSwizzle], ...]


class SetScissors(Command, frozen=True, kw_only=True):
    """Scissors from number ``first`` on: x, y, width, height of each. Draws use number 0."""

    first: Slot16
    scissors: tuple[tuple[Int32, Int32, Count, Count], ...]


class SetDepthRanges(Command, frozen=True, kw_only=True):
    """Depth ranges from number ``first`` on: near and far of each. Draws use number 0."""

    first: Slot16
    ranges: tuple[tuple[float, float], ...]


class SetScissor(Command, frozen=True, kw_only=True):
    """One scissor rectangle in pixels."""

    x: Int32
    y: Int32
    width: Int32
    height: Int32


class SetDepthRange(Command, frozen=True, kw_only=True):
    """Depth of the near and the far plane."""

    near: float
    far: float


class SetDepthClamp(Command, frozen=True, kw_only=True):
    """Clamp depth instead of clipping."""

    enable: bool


class SetDepthBounds(Command, frozen=True, kw_only=True):
    """Let fragments pass only where the stored depth is between two values, or everywhere."""

    enable: bool
    near: float
    far: float


class SetConservativeRasterEnable(Command, frozen=True, kw_only=True):
    """Let triangles cover every pixel that they touch."""

    enable: bool


class SetConservativeRasterDilate(Command, frozen=True, kw_only=True):
    """By how much of a pixel conservative triangles reach further."""

    dilate: float


class SetSubpixelPrecisionBias(Command, frozen=True, kw_only=True):
    """How many bits finer conservative triangles are snapped in x and y."""

    x_bits: Annotated[int, Meta(ge=0, le=8)]
    y_bits: Annotated[int, Meta(ge=0, le=8)]


class SetPolygonOffsetClamp(Command, frozen=True, kw_only=True):
    """Polygon offset: of the slope, of units, and the limit of both (0 is none)."""

    factor: float
    units: float
    clamp: float


class SetPointSize(Command, frozen=True, kw_only=True):
    """Size of points in pixels, where the vertex shader writes none."""

    size: float


class SetLineWidth(Command, frozen=True, kw_only=True):
    """Width of lines in pixels."""

    width: float


class SetBlendColor(Command, frozen=True, kw_only=True):
    """The constant of blends: float32 bits of R, G, B, A, so that NaN survives JSON."""

    color_bits: tuple[UInt32, UInt32, UInt32, UInt32]


class SetAlphaRef(Command, frozen=True, kw_only=True):
    """Reference of the alpha test, float32 bits."""

    reference_bits: UInt32


class SetPrimitiveRestart(Command, frozen=True, kw_only=True):
    """Let an index end a primitive, or not."""

    enable: bool
    index: UInt32


class SetStencilRef(Command, frozen=True, kw_only=True):
    """Reference of the stencil test."""

    faces: Face
    reference: Annotated[int, Meta(ge=0, le=255)]


class SetStencilValueMask(Command, frozen=True, kw_only=True):
    """Mask of reference and stencil value in the test."""

    faces: Face
    mask: Annotated[int, Meta(ge=0, le=255)]


class SetStencilMask(Command, frozen=True, kw_only=True):
    """Mask of the stencil bits that are written."""

    faces: Face
    mask: Annotated[int, Meta(ge=0, le=255)]


class Downsample(Command, frozen=True, kw_only=True):
    """Resolve a multisample texture into one of a single sample."""

    source: TextureRef
    destination: TextureRef


class BindCoverageModulationTable(Command, frozen=True, kw_only=True):
    """What 1 to 16 sixteenths of covered samples are multiplied as: 16 float32 as bits."""

    values_bits: Annotated[tuple[UInt32, ...], Meta(min_length=16, max_length=16)]


class SetSampleMask(Command, frozen=True, kw_only=True):
    """The samples that may be written, sample 0 in bit 0."""

    mask: UInt32


class BindDepthStencilState(Command, frozen=True, kw_only=True):
    """Copy in a depth-stencil state."""

    state: DepthStencilState


class BindChannelMaskState(Command, frozen=True, kw_only=True):
    """Copy in the channel masks."""

    state: ChannelMaskState


class BindPolygonState(Command, frozen=True, kw_only=True):
    """Copy in a polygon state."""

    state: PolygonState


class BindColorState(Command, frozen=True, kw_only=True):
    """Copy in a colour state."""

    state: ColorState


class BindBlendState(Command, frozen=True, kw_only=True):
    """Copy in the blend state of one target."""

    state: BlendState


class BindMultisampleState(Command, frozen=True, kw_only=True):
    """Copy in a multisample state."""

    state: MultisampleState


class BindProgram(Command, frozen=True, kw_only=True):
    """Bind a program, or null, to the stages of ``stages`` (``ShaderStageBits``)."""

    program: Index | None
    stages: Annotated[int, Meta(ge=0, lt=64)]


class BindVertexAttribState(Command, frozen=True, kw_only=True):
    """All attributes, by location."""

    attribs: tuple[VertexAttribState, ...]


class BindVertexStreamState(Command, frozen=True, kw_only=True):
    """All streams, by index."""

    streams: tuple[VertexStreamState, ...]


class BindVertexBuffer(Command, frozen=True, kw_only=True):
    """A range of memory for one stream."""

    index: Annotated[int, Meta(ge=0, le=15)]
    address: Bytes64
    size_B: Bytes64


class BindUniformBuffer(Command, frozen=True, kw_only=True):
    """A range of memory for one uniform slot of a stage."""

    stage: ShaderStage
    index: Annotated[int, Meta(ge=0, le=13)]
    address: Bytes64
    size_B: Bytes64


class SetTexturePool(Command, frozen=True, kw_only=True):
    """Take the descriptors of textures and images from an address on."""

    address: Bytes64
    descriptors: PoolSize


class SetSamplerPool(Command, frozen=True, kw_only=True):
    """Take the descriptors of samplers from an address on."""

    address: Bytes64
    descriptors: PoolSize


class BindTexture(Command, frozen=True, kw_only=True):
    """A combined handle for one of 41 slots of a stage."""

    stage: ShaderStage
    index: Annotated[int, Meta(ge=0, lt=COMBINED_SLOTS)]
    handle: Handle


class BindSeparateTexture(Command, frozen=True, kw_only=True):
    """A texture's handle for one of 128 slots of a stage."""

    stage: ShaderStage
    index: Annotated[int, Meta(ge=0, lt=SEPARATE_SLOTS)]
    handle: Handle


class BindSeparateSampler(Command, frozen=True, kw_only=True):
    """A sampler's handle for one of 128 slots of a stage."""

    stage: ShaderStage
    index: Annotated[int, Meta(ge=0, lt=SEPARATE_SLOTS)]
    handle: Handle


class BindStorageBuffer(Command, frozen=True, kw_only=True):
    """A range of memory for one storage slot of a stage; of size 0 it is used from its address on."""

    stage: ShaderStage
    index: Slot16
    address: Bytes64
    size_B: Bytes64


class BindImage(Command, frozen=True, kw_only=True):
    """An image's handle for one of 8 slots of a stage; 0 is none."""

    stage: ShaderStage
    index: Slot8
    handle: Handle


class DispatchCompute(Command, frozen=True, kw_only=True):
    """Run the compute shader for so many workgroups."""

    groups_x: GroupCount
    groups_y: GroupCount
    groups_z: GroupCount


class DispatchComputeIndirect(Command, frozen=True, kw_only=True):
    """Run the compute shader by a record in memory: workgroups along x, y and z."""

    address: Bytes64


class DrawMeshTasks(Command, frozen=True, kw_only=True):
    """Draw what workgroups of a mesh program give, from number ``first`` on."""

    first: UInt32
    count: UInt32


class DrawMeshTasksIndirect(Command, frozen=True, kw_only=True):
    """Draw by a record in memory: how many workgroups, and the first."""

    address: Bytes64


class DrawTexture(Command, frozen=True, kw_only=True):
    """Draw a region of a handle's texture to a region of all colour targets: x, y, width, height of each."""

    handle: Handle
    destination: tuple[float, float, float, float]
    source: tuple[float, float, float, float]


class DrawArrays(Command, frozen=True, kw_only=True):
    """Draw vertices in order."""

    primitive: DrawPrimitive
    first: Count
    count: Count


class DrawElements(Command, frozen=True, kw_only=True):
    """Draw vertices by index."""

    primitive: DrawPrimitive
    index_type: IndexType
    count: Count
    address: Bytes64
    base_vertex: Int32 = 0


class DrawArraysInstanced(Command, frozen=True, kw_only=True):
    """Draw vertices in order, several times."""

    primitive: DrawPrimitive
    first: Count
    count: Count
    base_instance: Count = 0
    instance_count: Count


class DrawElementsInstanced(Command, frozen=True, kw_only=True):
    """Draw vertices by index, several times."""

    primitive: DrawPrimitive
    index_type: IndexType
    count: Count
    address: Bytes64
    base_vertex: Int32 = 0
    base_instance: Count = 0
    instance_count: Count


class DrawArraysIndirect(Command, frozen=True, kw_only=True):
    """Draw by a record in memory: vertices, instances, first vertex, base instance."""

    primitive: DrawPrimitive
    address: Bytes64


class DrawElementsIndirect(Command, frozen=True, kw_only=True):
    """Draw by a record in memory: indices, instances, first index, base vertex, base instance."""

    primitive: DrawPrimitive
    index_type: IndexType
    index_address: Bytes64
    address: Bytes64


class MultiDrawArraysIndirectCount(Command, frozen=True, kw_only=True):
    """Draw by as many records as a word in memory says, at most ``most``."""

    primitive: DrawPrimitive
    address: Bytes64
    count_address: Bytes64
    most: DrawCount
    stride_B: Count


class MultiDrawElementsIndirectCount(Command, frozen=True, kw_only=True):
    """Draw by index, by as many records as a word in memory says, at most ``most``."""

    primitive: DrawPrimitive
    index_type: IndexType
    index_address: Bytes64
    address: Bytes64
    count_address: Bytes64
    most: DrawCount
    stride_B: Count


class ReportCounter(Command, frozen=True, kw_only=True):
    """Write a counter (64 bits) and the time (64 bits) to memory, in the order of the commands."""

    counter: CounterType
    address: Bytes64


class ResetCounter(Command, frozen=True, kw_only=True):
    """Set a counter to 0."""

    counter: CounterType


class ReportValue(Command, frozen=True, kw_only=True):
    """Write a value to memory, in the order of the commands."""

    value: UInt32
    address: Bytes64


class FenceSync(Command, frozen=True, kw_only=True):
    """Signal a sync when the commands before are done."""

    sync: SyncIndex
    condition: SyncCondition = SyncCondition.ALL_GPU_COMMANDS_COMPLETE
    flags: Annotated[int, Meta(ge=0, le=1)] = 0


class WaitSync(Command, frozen=True, kw_only=True):
    """Wait for a sync."""

    sync: SyncIndex


class SignalEvent(Command, frozen=True, kw_only=True):
    """Write or add to the word of an event."""

    address: Bytes64
    mode: EventSignalMode
    location: EventSignalLocation
    flags: Annotated[int, Meta(ge=0, le=1)] = 0
    value: UInt32


class WaitEvent(Command, frozen=True, kw_only=True):
    """Wait until the word of an event has a value."""

    address: Bytes64
    mode: EventWaitMode
    value: UInt32


class SetRenderEnable(Command, frozen=True, kw_only=True):
    """Let draws and clears happen, or not."""

    enable: bool


class SetRenderEnableConditional(Command, frozen=True, kw_only=True):
    """Let draws and clears happen if the 64-bit words at an address and 16 bytes behind it are equal, or are not."""

    mode: ConditionalRenderMode
    address: Bytes64


class SetRasterizerDiscard(Command, frozen=True, kw_only=True):
    """Rasterise nothing, or rasterise again; shaders before the rasteriser run either way."""

    discard: bool


class SetPatchSize(Command, frozen=True, kw_only=True):
    """How many vertices a patch has."""

    size: Annotated[int, Meta(ge=1, le=MOST_PATCH_SIZE)]


class SetOuterTessellationLevels(Command, frozen=True, kw_only=True):
    """Four outer levels, float32 bits, for programs without a tessellation control shader."""

    level_bits: tuple[UInt32, UInt32, UInt32, UInt32]


class SetInnerTessellationLevels(Command, frozen=True, kw_only=True):
    """Two inner levels, float32 bits, for programs without a tessellation control shader."""

    level_bits: tuple[UInt32, UInt32]


class BindTransformFeedbackBuffer(Command, frozen=True, kw_only=True):
    """Capture vertices to memory; ``size_B`` 0 binds nothing."""

    index: Annotated[int, Meta(ge=0, lt=FEEDBACK_BUFFERS)]
    address: Bytes64
    size_B: Bytes64


class BeginTransformFeedback(Command, frozen=True, kw_only=True):
    """Start to capture; ``address`` is that of a control buffer of 32 bytes, here and below."""

    address: Bytes64


class EndTransformFeedback(Command, frozen=True, kw_only=True):
    """Capture no more, and save how much was."""

    address: Bytes64


class PauseTransformFeedback(Command, frozen=True, kw_only=True):
    """Save how much was captured, and capture nothing for now."""

    address: Bytes64


class ResumeTransformFeedback(Command, frozen=True, kw_only=True):
    """Go on capturing behind what was saved."""

    address: Bytes64


class DrawTransformFeedback(Command, frozen=True, kw_only=True):
    """Draw as many vertices as a control buffer says were captured."""

    primitive: DrawPrimitive
    address: Bytes64


class Barrier(Command, frozen=True, kw_only=True):
    """Order what comes after what came before (``BarrierBits``)."""

    bits: Annotated[int, Meta(ge=0, lt=1 << 9)]


AnyCommand = (
    SetRenderTargets
    | ClearColor
    | ClearColori
    | ClearColorui
    | ClearDepthStencil
    | DiscardColor
    | DiscardDepthStencil
    | ClearTexture
    | ClearTexturei
    | ClearTextureui
    | ClearBuffer
    | CopyBufferToBuffer
    | CopyBufferToTexture
    | CopyTextureToBuffer
    | CopyTextureToTexture
    | UpdateUniformBuffer
    | SetViewport
    | SetViewports
    | SetViewportSwizzles
    | SetScissor
    | SetScissors
    | SetDepthRange
    | SetDepthRanges
    | SetDepthClamp
    | SetDepthBounds
    | SetConservativeRasterEnable
    | SetConservativeRasterDilate
    | SetSubpixelPrecisionBias
    | SetPolygonOffsetClamp
    | SetPointSize
    | SetLineWidth
    | SetBlendColor
    | SetAlphaRef
    | SetPrimitiveRestart
    | SetStencilRef
    | SetStencilValueMask
    | SetStencilMask
    | BindCoverageModulationTable
    | SetSampleMask
    | Downsample
    | BindDepthStencilState
    | BindChannelMaskState
    | BindPolygonState
    | BindColorState
    | BindBlendState
    | BindMultisampleState
    | BindProgram
    | BindVertexAttribState
    | BindVertexStreamState
    | BindVertexBuffer
    | BindUniformBuffer
    | BindStorageBuffer
    | BindImage
    | DispatchCompute
    | DispatchComputeIndirect
    | SetTexturePool
    | SetSamplerPool
    | BindTexture
    | BindSeparateTexture
    | BindSeparateSampler
    | DrawTexture
    | DrawMeshTasks
    | DrawMeshTasksIndirect
    | DrawArrays
    | DrawElements
    | DrawArraysInstanced
    | DrawElementsInstanced
    | DrawArraysIndirect
    | DrawElementsIndirect
    | MultiDrawArraysIndirectCount
    | MultiDrawElementsIndirectCount
    | ReportCounter
    | ResetCounter
    | ReportValue
    | FenceSync
    | WaitSync
    | SignalEvent
    | WaitEvent
    | SetRenderEnable
    | SetRenderEnableConditional
    | SetRasterizerDiscard
    | SetPatchSize
    | SetOuterTessellationLevels
    | SetInnerTessellationLevels
    | BindTransformFeedbackBuffer
    | BeginTransformFeedback
    | EndTransformFeedback
    | PauseTransformFeedback
    | ResumeTransformFeedback
    | DrawTransformFeedback
    | Barrier
)
