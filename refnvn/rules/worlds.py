"""Worlds: what NVN itself may do otherwise.

Here stands each open question that has more than one sensible answer. A result that differs between worlds is
*undefined*: a golden lists what it may be, and a diff fails nothing that a world allows.
"""

from __future__ import annotations

from refnvn.rules.alternatives import Alternative
from refnvn.rules.fields import (
    AstcDecode,
    BufferMirror,
    ConditionReach,
    ConditionTime,
    CopyConversion,
    CopyFilter,
    CopyPlace,
    CopySamples,
    CopySlices,
    CopyTie,
    CopyWeights,
    DiscardedContent,
    DrawTextureState,
    ExplicitBlock,
    LackingStencil,
    MemoryOrder,
    MismatchedTexture,
    MissingComponents,
    MissingSource1,
    MultisampleHeight,
    OpenCounters,
    QueueOrder,
    RacingWrite,
    ReportValueSize,
    Scope,
    SharedContent,
    SingleLayerStride,
    SparsePadding,
    SparseTileTest,
    SpriteRows,
    StorageAlignment,
    StorageBound,
    StorePadding,
    TimestampPace,
    TimestampStart,
    UnboundTexture,
    UnboundUniform,
    UnflushedWrite,
    UnorderedReads,
    VertexStraddle,
    ZeroLayers,
)

NO_BARRIER = (
    "rendering and stores are seen for sure by what a barrier puts after them, and not seen by what it puts before"
)

WORLDS: tuple[Alternative, ...] = (
    Alternative(
        "multisample_height",
        MultisampleHeight.PIXEL_ROWS,
        "deko3d counts rows of samples, NIL rows of pixels, no Switch data decides",
    ),
    Alternative(
        "explicit_block",
        ExplicitBlock.KEEP_LEVEL_0,
        "deko3d, NIL and envytools shrink level 0 too, yuzu keeps it in a texture of one level",
    ),
    Alternative(
        "single_layer_stride",
        SingleLayerStride.ALIGNED,
        "deko3d keeps the sum of the levels, NIL rounds a single layer too",
    ),
    Alternative(
        "storage_alignment",
        StorageAlignment.PAGE,
        "files carry 512, NIL asks for 4096 or a block; GetStorageAlignment is in no public source",
    ),
    Alternative(
        "storage_alignment",
        StorageAlignment.BIG_PAGE,
        "deko3d gives depth, stencil and compressible colour whole 64 KiB pages",
    ),
    Alternative(
        "sparse_tile_test",
        SparseTileTest.TEXELS,
        "the seeds count GOBs, the Vulkan rule texels; they part where the last GOB is partly filled",
    ),
    Alternative(
        "zero_layers",
        ZeroLayers.NONE,
        "NVN accepts an array of no layers; what storage it asks for is not known",
    ),
    Alternative(
        "sparse_padding",
        SparsePadding.MORE_THAN_A_TILE,
        "games decide nothing for a level exactly one tile high; Ryujinx and yuzu leave it unpadded",
    ),
    Alternative(
        "store_padding",
        StorePadding.ALPHA,
        "the X codes of colour targets are named in NVIDIA's headers, what they write is not",
    ),
    Alternative(
        "store_padding",
        StorePadding.ONES,
        "the X codes of colour targets are named in NVIDIA's headers, what they write is not",
    ),
    Alternative(
        "astc_decode",
        AstcDecode.UNORM8,
        "the specification's default is half floats, which a chip may narrow; no console result decides",
    ),
    Alternative(
        "sprite_rows",
        SpriteRows.RISING,
        "no source says which register value NVN gives the sprite origin under either window origin",
    ),
    Alternative(
        "sprite_rows",
        SpriteRows.FALLING,
        "no source says which register value NVN gives the sprite origin under either window origin",
    ),
    Alternative(
        "missing_source1",
        MissingSource1.OPAQUE,
        "no console value is known; outputs that lack components are completed with 0, 0, 0 and 1",
    ),
    Alternative(
        "missing_source1",
        MissingSource1.SOURCE,
        "no console value is known; the second source may stay what the first one is",
    ),
    Alternative(
        "missing_components",
        MissingComponents.ZERO,
        "nothing says what a target's component holds that the shader's output lacks",
    ),
    Alternative(
        "unbound_uniform",
        UnboundUniform.ONES,
        "the seeds call it unspecified; a host reads zero",
    ),
    Alternative(
        "unbound_texture",
        UnboundTexture.ONES,
        "the seeds give a host's zero; what the driver's reserved descriptors hold is not known",
    ),
    Alternative(
        "mismatched_texture",
        MismatchedTexture.TEXELS,
        "the seeds leave open what a console reads; the instruction may find the texels that are there",
    ),
    Alternative(
        "mismatched_texture",
        MismatchedTexture.ONES,
        "the seeds leave open what a console reads; a host reads zero",
    ),
    Alternative(
        "vertex_straddle",
        VertexStraddle.BYTES,
        "a Hopper drops the whole element, a host fills up by byte, no console was asked",
    ),
    Alternative("timestamp_start", TimestampStart.ELSEWHERE, "a time is another one in every run"),
    Alternative("timestamp_pace", TimestampPace.OTHER, "a command takes another time in every run"),
    Alternative(
        "condition_time",
        ConditionTime.COMMAND,
        "titles set a condition anew before each clear, which does not tell when it is compared",
    ),
    Alternative(
        "condition_reach",
        ConditionReach.TARGETS,
        "no title is known to clear a texture under a condition",
    ),
    Alternative(
        "report_value_size",
        ReportValueSize.REPORT,
        "an open driver writes one word; the name is that of calls that write 16 bytes",
    ),
    Alternative(
        "racing_write",
        RacingWrite.BEFORE_LAST,
        "nothing orders the write: a title was seen to draw by old vertices first and by new ones then",
    ),
    Alternative(
        "racing_write",
        RacingWrite.BEFORE_ALL,
        "nothing orders the write: a GPU that is late may see it everywhere",
    ),
    Alternative(
        "queue_order",
        QueueOrder.OTHER_FIRST,
        "queues run beside one another; only a sync makes one wait",
    ),
    Alternative(
        "unflushed_write",
        UnflushedWrite.HELD,
        "what the processor caches reaches memory when the cache gives it up, or when it is flushed",
    ),
    Alternative(
        "copy_tie",
        CopyTie.SECOND,
        "measured copies were drawn, and mirrored ones took either texel; the engine of a console holds other steps",
    ),
    Alternative(
        "copy_conversion",
        CopyConversion.SIZES,
        "a copy engine moves bits of one size, NVN's choice of engine is stated nowhere",
    ),
    Alternative(
        "copy_filter",
        CopyFilter.ALWAYS,
        "the filter of scaled copies that titles make without the flag is not stated",
    ),
    Alternative(
        "copy_weights",
        CopyWeights.EXACT,
        "measured copies were drawn with the texture filter, the engine of a console mixes in its own way",
    ),
    Alternative(
        "copy_place",
        CopyPlace.ROUNDED,
        "copies of whole images were measured one way, copies of parts the other; a console was not asked",
    ),
    Alternative(
        "copy_slices",
        CopySlices.START,
        "no source says how a copy between other numbers of slices steps; the engine itself has two axes",
    ),
    Alternative(
        "copy_samples",
        CopySamples.TEXELS,
        "the 2D engine knows no samples; whether NVN lets it turn them is not told",
    ),
    Alternative(
        "draw_texture_state",
        DrawTextureState.BLENDED,
        "a host applies no blending; OpenGL's call, which it resembles, applies all of the fragment stage",
    ),
    Alternative(
        "buffer_mirror",
        BufferMirror.IGNORED,
        "the flags are those of every copy, and no title is known to turn a copy from a buffer",
    ),
    Alternative(
        "lacking_stencil",
        LackingStencil.ZERO,
        "titles copy both ways between DEPTH32F and DEPTH32F_STENCIL8, what becomes of the stencil is not told",
    ),
    Alternative(
        "memory_order",
        MemoryOrder.REVERSED,
        "invocations run as the scheduler likes, so stores to one place and atomic accesses come in any order",
    ),
    Alternative(
        "storage_bound",
        StorageBound.POOL,
        "compiled shaders of games reach storage buffers by address and nothing shows that they compare sizes",
    ),
    Alternative(
        "shared_content",
        SharedContent.ONES,
        "shared memory holds what the workgroup before left there",
    ),
    Alternative(
        "discarded_content",
        DiscardedContent.TURNED,
        "what was discarded need not be there any more",
        Scope.TEXEL,
        probes=(DiscardedContent.TURNED, DiscardedContent.ZEROS, DiscardedContent.ONES),
    ),
    Alternative(
        "open_counters",
        OpenCounters.TURNED,
        "hardware counts shared vertices, primitives that are cut and fragments that fail early as it likes",
        Scope.TEXEL,
        probes=(OpenCounters.TURNED,),
    ),
    *(
        Alternative("unordered_reads", setting, NO_BARRIER, Scope.TEXEL)
        for setting in (
            UnorderedReads.ONE_BACK,
            UnorderedReads.TWO_BACK,
            UnorderedReads.OLDEST,
            UnorderedReads.LATER,
        )
    ),
    Alternative(
        "unordered_reads",
        UnorderedReads.MIXED,
        f"{NO_BARRIER}, and several places meet here",
        Scope.TEXEL,
        probes=tuple(setting for setting in UnorderedReads if setting >= UnorderedReads.MIXED),
    ),
)
