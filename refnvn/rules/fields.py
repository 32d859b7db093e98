"""The switchboard: every place where a rule could be otherwise, as one frozen value.

``Rules()`` is NVN as far as anybody knows. Worlds (``worlds.py``), slack (``slack.py``) and faults each say what
else a field may hold and why; no rule that reads a field knows which of them is asking.

A field's enumeration lists its settings, the default first. ``Rules.lower`` gives the same as ``int32`` for
kernels, indexed by the position of the field (:func:`index`).
"""

from __future__ import annotations

import dataclasses
from enum import IntEnum
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Scope(IntEnum):
    """Whether one result may mix the settings of a field."""

    RUN = 0
    """One setting for the whole result: a port rounds one way everywhere."""
    TEXEL = 1
    """Each texel may have taken another setting."""


# ---------------------------------------------------------------------------------------------- layout


class AutoBlockHeight(IntEnum):
    """How the automatic block height comes from the block rows of level 0."""

    TRUNCATE = 0
    """floor(rows * 3 / 16): NVN."""
    ROUND_UP = 1
    """ceil(rows * 3 / 16): a known fault, torn textures at 6-10, 17-21, 38-42, 81-85 rows."""
    ROWS_OVER_8 = 2
    """floor(rows / 8): a known fault."""


class AutoBlockDepth(IntEnum):
    """The deepest automatic block of a 3D texture."""

    SIXTEEN = 0
    """Sixteen GOBs: what a game file of depth 33 has."""
    THIRTY_TWO = 1
    """Thirty-two GOBs: what one host reported; contradicted by that file."""


class MultisampleHeight(IntEnum):
    """Which rows the automatic block height counts for a multisample texture."""

    SAMPLE_ROWS = 0
    """The rows of the storage: pixel rows times the samples down a pixel."""
    PIXEL_ROWS = 1
    """The rows of pixels."""


class ExplicitBlock(IntEnum):
    """Whether level 0 shrinks a block height or depth that was given from outside."""

    SHRINK = 0
    """Level 0 shrinks like every other level."""
    KEEP_LEVEL_0 = 1
    """Level 0 keeps what was given; later levels shrink."""


class SingleLayerStride(IntEnum):
    """Whether the size of a texture of one layer is rounded up to a level-0 block."""

    SUM = 0
    """The plain sum of the levels."""
    ALIGNED = 1
    """Rounded up as between the layers of an array."""


class StorageAlignment(IntEnum):
    """The alignment of storage, to which its size is rounded, of a texture that is not sparse."""

    GOB = 0
    """512 bytes: one GOB."""
    PAGE = 1
    """4096 bytes or a level-0 block, whichever is more."""
    BIG_PAGE = 2
    """65536 bytes for depth, stencil and compressible colour, 512 for the rest."""


class SparseSmall(IntEnum):
    """The block height of a sparse texture whose level 0 is smaller than one tile."""

    AUTOMATIC = 0
    """The automatic block height: NVN."""
    TILE = 1
    """The tile's block height: a known fault."""


class SparseHeight(IntEnum):
    """The block height of a sparse texture of at least one tile."""

    TILE = 0
    """The block height of its 64 KiB tile: NVN."""
    AUTOMATIC = 1
    """The automatic block height: a known fault."""


class CubeArrayDepth(IntEnum):
    """What the depth of a cube-map array counts."""

    FACES = 0
    """Layer-faces: NVN."""
    CUBES = 1
    """Cubes: a known fault, storage six times as large."""


class SparsePadding(IntEnum):
    """Which levels of a sparse texture are padded in width to whole tiles."""

    AT_LEAST_A_TILE = 0
    """Levels at least one tile wide, high and deep."""
    MORE_THAN_A_TILE = 1
    """Levels more than one tile wide and high, and at least one deep."""
    NEVER = 2
    """None: a known fault, magenta patches."""


class SparseTileTest(IntEnum):
    """In which unit a sparse level is held against its tile."""

    GOBS = 0
    """Whole GOBs, a partly filled one counting as one."""
    TEXELS = 1
    """Texels, or compressed blocks."""


class ZeroLayers(IntEnum):
    """The storage of an array, or of a 3D texture, of no layers, which NVN accepts."""

    ONE = 0
    """That of one layer."""
    NONE = 1
    """None."""


# --------------------------------------------------------------------------------------------- formats


class StoreNorm(IntEnum):
    """How a value becomes an n-bit unorm or snorm code, D16 included."""

    NVIDIA = 0
    """Truncated to n + 4 (snorm: n + 3) fraction bits, times the largest code, rounded half down."""
    NEAREST_EVEN = 1
    """The product rounded to nearest, ties to even."""


class StoreFloat(IntEnum):
    """How a float32 becomes a half, an 11-bit or a 10-bit float."""

    TOWARD_ZERO = 0
    """Truncated; a finite value never becomes infinite."""
    NEAREST_EVEN = 1
    """Rounded to nearest, ties to even."""


class StoreSrgb(IntEnum):
    """How a linear value becomes an sRGB code."""

    NVIDIA = 0
    """By the measured thresholds."""
    NEAREST = 1
    """By the exact curve, rounded to nearest."""


class StoreDepth24(IntEnum):
    """How a depth becomes a 24-bit code."""

    NVIDIA = 0
    """As measured: two roundings, one below and one above one half."""
    NEAREST = 1
    """The product with 2^24 - 1 rounded to nearest."""


class StorePacked(IntEnum):
    """How a value becomes a 4, 5 or 6-bit code of a packed format, or a 1-bit alpha."""

    THROUGH_8_BITS = 0
    """Through unorm8, whose low bits are dropped."""
    NEAREST_EVEN = 1
    """Straight to the code, rounded to nearest."""


class DecodeSrgb(IntEnum):
    """What an sRGB code reads as."""

    NVIDIA = 0
    """The curve with an 8-bit mantissa."""
    EXACT = 1
    """The curve, rounded to float32."""


class DecodePacked(IntEnum):
    """What a 5 or 6-bit code of 565 and 5551 reads as."""

    REPLICATE = 0
    """Bits replicated to 8, over 255."""
    DIVIDE = 1
    """The code over the largest code."""


class AstcDecode(IntEnum):
    """What a texel of a linear ASTC format decodes to."""

    HALF = 0
    """A half float, cut."""
    UNORM8 = 1
    """An 8-bit code."""


class AstcProfile(IntEnum):
    """Which colour endpoint modes of ASTC are known."""

    LDR = 0
    """Those of low dynamic range; the others show the error colour."""
    HDR = 1
    """All."""


class StorePadding(IntEnum):
    """What the unread bits of a target with a code of its own for them (RGBX8, BGR5, ...) hold after a store."""

    ZERO = 0
    """Zero."""
    ALPHA = 1
    """What alpha would have become."""
    ONES = 2
    """All ones, or one in a float or integer format."""


class ImageLoad(IntEnum):
    """What an image load makes of a texel."""

    SHADER = 0
    """Arithmetic that the compiler puts into the shader: a product with the rounded reciprocal, small floats
    without special values."""
    AS_FETCH = 1
    """What a texel fetch gives."""


class StoreAlpha2(IntEnum):
    """How a value becomes the 2-bit alpha of 10:10:10:2."""

    THROUGH_10_BITS = 0
    """Through unorm10, whose top four bits are divided by five and rounded."""
    NEAREST_EVEN = 1
    """Straight to the code, rounded to nearest."""


# --------------------------------------------------------------------------------------------- shaders


class ShaderDenormals(IntEnum):
    """What shader arithmetic makes of denormals."""

    FLUSH = 0
    """Zero of the same sign, operands and results: NVIDIA."""
    KEEP = 1
    """Numbers like others."""


class ShaderDivision(IntEnum):
    """How a shader divides and takes roots."""

    BY_RECIPROCAL = 0
    """By the interpolation unit's reciprocal and roots: NVIDIA."""
    ROUNDED = 1
    """Quotients, reciprocals and roots are rounded once."""


# ---------------------------------------------------------------------------------------------- blending


class BlendPrecision(IntEnum):
    """What numbers a target's blender counts in."""

    NVIDIA = 0
    """Codes of the target, halves for small floats and sRGB, float32 for 32-bit floats."""
    FLOAT32 = 1
    """Float32 for every format, the source not made a code first."""


class MissingSource1(IntEnum):
    """What a second source reads as that the shader does not write."""

    ZERO = 0
    """0 in all channels."""
    OPAQUE = 1
    """0, 0, 0 and 1."""
    SOURCE = 2
    """The first source."""


class AlphaPrecision(IntEnum):
    """What the alpha test compares."""

    TARGET = 0
    """Alpha and reference as target 0 would hold them: NVIDIA."""
    FLOAT32 = 1
    """Alpha and reference as they are: a port tests in its shader."""


# ------------------------------------------------------------------------------------------------ raster


class PlanePlace(IntEnum):
    """Where the plane of a slanted input or of slanted depth lies."""

    CHIP = 0
    """Where the chip's arithmetic, as far as it is known, puts it."""
    BELOW = 1
    """The known bound lower."""
    ABOVE = 2
    """The known bound higher."""


class MissingComponents(IntEnum):
    """What is stored for components that the target has and the shader's output lacks."""

    DEFAULTS = 0
    """0, 0, 0 and 1."""
    ZERO = 1
    """0."""


class UnboundTexture(IntEnum):
    """What a texture instruction reads where no texture is bound or registered."""

    ZERO = 0
    """Zero in all four channels."""
    ONES = 1
    """One in all four channels."""


class MismatchedTexture(IntEnum):
    """What a cube or 3D instruction reads of a texture that is neither."""

    ZERO = 0
    """Zero in all four channels."""
    TEXELS = 1
    """The texels of its first image, which stands for all that are asked for."""
    ONES = 2
    """One in all four channels."""


class UnboundUniform(IntEnum):
    """What a uniform slot reads that nothing is bound to."""

    ZERO = 0
    """Zero."""
    ONES = 1
    """All bits set."""


# ---------------------------------------------------------------------------------------------- vertex input


class VertexStraddle(IntEnum):
    """What an attribute reads that begins inside the bytes bound to its stream and ends outside."""

    ELEMENT = 0
    """Zero bytes as a whole."""
    BYTES = 1
    """The bytes that are inside, and zeros."""


class AttributeNorm(IntEnum):
    """How an attribute's unorm or snorm code becomes a number."""

    DIVIDED = 0
    """Divided, correctly rounded: NVN."""
    MULTIPLIED = 1
    """Multiplied by the rounded reciprocal: a known fault, last bits differ."""


# ------------------------------------------------------------------------------------- queries and conditions


class TimestampStart(IntEnum):
    """Where the GPU's clock stands; together with the pace, so that no time is a number to compare."""

    HERE = 0
    """At one place."""
    ELSEWHERE = 1
    """At another."""


class TimestampPace(IntEnum):
    """How long commands take."""

    ONE = 0
    """One long."""
    OTHER = 1
    """Another."""


class ConditionTime(IntEnum):
    """When a condition is compared."""

    SET = 0
    """When it is set."""
    COMMAND = 1
    """At each draw and clear."""


class ConditionReach(IntEnum):
    """Which clears a condition keeps from happening."""

    TEXTURES = 0
    """Clears of targets and of textures."""
    TARGETS = 1
    """Clears of targets only."""


class ReportValueSize(IntEnum):
    """What ReportValue writes."""

    WORD = 0
    """Four bytes."""
    REPORT = 1
    """A report: the value in 64 bits, and the time."""


# -------------------------------------------------------------------------------------------------- order


class RacingWrite(IntEnum):
    """When a write of the processor lands that nothing ordered after the GPU's work."""

    AFTER = 0
    """After everything that was submitted before."""
    BEFORE_LAST = 1
    """Before the last submission that nobody waited for."""
    BEFORE_ALL = 2
    """Before all submissions that nobody waited for."""


class QueueOrder(IntEnum):
    """In which order two queues are done that no sync orders."""

    SUBMITTED = 0
    """As they were submitted."""
    OTHER_FIRST = 1
    """The later submission first."""


class UnflushedWrite(IntEnum):
    """What the GPU sees of a write to a pool that the processor caches, until it is flushed."""

    SEEN = 0
    """The write: the cache was written back in time."""
    HELD = 1
    """What was there before."""


# ------------------------------------------------------------------------------------------------- copies


class CopyTie(IntEnum):
    """Which texel a scaled copy takes between two, where the step is no binary fraction."""

    FIRST = 0
    """The first."""
    SECOND = 1
    """The second."""


class CopyConversion(IntEnum):
    """What keeps a copy between colour formats from moving bits."""

    FORMATS = 0
    """Another format: it converts."""
    SIZES = 1
    """Another size of a texel; formats of one size keep their bits."""


class CopyFilter(IntEnum):
    """Which scaled copies of colour are filtered."""

    FLAG = 0
    """Those with the flag LINEAR_FILTER."""
    ALWAYS = 1
    """All."""


class CopyWeights(IntEnum):
    """How a filtered copy adds up."""

    FILTER = 0
    """As the texture filter does."""
    EXACT = 1
    """The plain mean of fetched values, rounded once to float32."""


class CopyPlace(IntEnum):
    """How a filtered copy holds a place in the source, where the step is no binary fraction."""

    CUT = 0
    """Cut to 1/256 of a texel, exact ones a step less: as copies of whole images were measured."""
    ROUNDED = 1
    """Rounded to 1/256, halves up: as copies of parts were measured."""


class LackingStencil(IntEnum):
    """What a copy from a format without stencil leaves in the destination's."""

    KEPT = 0
    """What was there."""
    ZERO = 1
    """Zero."""


class CopySlices(IntEnum):
    """Which slice a copy between other numbers of slices takes."""

    MIDDLE = 0
    """The one under the middle of the destination's."""
    START = 1
    """The one under its start."""


class CopySamples(IntEnum):
    """What a scaled or mirrored copy between multisample textures moves."""

    PIXELS = 0
    """Whole pixels: a sample keeps its number."""
    TEXELS = 1
    """The texels that the samples are stored as, as if there were no samples."""


class BufferMirror(IntEnum):
    """What the mirror flags do to a copy between a buffer and a texture."""

    TURNED = 0
    """They turn the texture's region, as between textures."""
    IGNORED = 1
    """Nothing."""


class DrawTextureState(IntEnum):
    """What of the fragment stage takes part in DrawTexture."""

    BARE = 0
    """Scissor and channel masks alone."""
    BLENDED = 1
    """Blending and logic operations too, as they are set."""


# ------------------------------------------------------------------------------------------------ textures


class FilterWeights(IntEnum):
    """How finely the linear filter weighs and adds texels."""

    NVIDIA = 0
    """Weights of 1/256, sums in the filter's own numbers."""
    EXACT = 1
    """The plain mean of fetched values, rounded once to float32."""


class LodLength(IntEnum):
    """How long a derivative is taken to be."""

    NVIDIA = 0
    """The larger component and a part of the smaller, in ten bits; diagonals count too."""
    EUCLIDEAN = 1
    """The root of the sum of squares; the longer derivative counts."""


# ------------------------------------------------------------------------------------------------ sprites


class SpriteRows(IntEnum):
    """How the coordinate t of a point sprite runs over the rows of memory."""

    SEEN = 0
    """Downwards as a window shows it: what that means for memory depends on the window origin."""
    RISING = 1
    """It is 0 at the first row."""
    FALLING = 2
    """It is 1 at the first row."""


class MemoryOrder(IntEnum):
    """In which order lanes come whose memory accesses nothing orders."""

    LANES = 0
    """Ascending: as vertices, pixels and invocations are numbered."""
    REVERSED = 1
    """Descending."""


class StorageBound(IntEnum):
    """What a shader reaches past the bytes that are bound to a storage buffer."""

    ROBUST = 0
    """Nothing: loads give 0, stores are dropped."""
    POOL = 1
    """The memory that follows, up to the end of the pool."""


class SharedContent(IntEnum):
    """What the shared memory of a workgroup holds before anything is stored there."""

    ZERO = 0
    """0."""
    ONES = 1
    """All ones."""


# --------------------------------------------------------------------------------------------------- order


class UnorderedReads(IntEnum):
    """What a read sees that no barrier orders after a write to the same place."""

    FRESH = 0
    """What all commands before it left."""
    ONE_BACK = 1
    """The value before that."""
    TWO_BACK = 2
    """The value before that one."""
    OLDEST = 3
    """What the place held at the barrier that orders them."""
    LATER = 4
    """What the last store leaves there that comes later and that no barrier holds back."""
    MIXED = 5
    """Each place one of them, by bit 0 of a word of its own; so do the following settings by other bits."""
    MIXED_1 = 6
    """Bit 1."""
    MIXED_2 = 7
    """Bit 2."""
    MIXED_3 = 8
    """Bit 3."""
    MIXED_4 = 9
    """Bit 4."""
    MIXED_5 = 10
    """Bit 5."""
    MIXED_6 = 11
    """Bit 6."""
    MIXED_7 = 12
    """Bit 7."""
    MIXED_8 = 13
    """Bit 8."""
    MIXED_9 = 14
    """Bit 9."""
    MIXED_10 = 15
    """Bit 10."""
    MIXED_11 = 16
    """Bit 11."""
    MIXED_12 = 17
    """Bit 12."""
    MIXED_13 = 18
    """Bit 13."""
    MIXED_14 = 19
    """Bit 14."""
    MIXED_15 = 20
    """Bit 15."""


class OwnTargetReads(IntEnum):
    """What a draw samples of a colour target that it renders to."""

    BEFORE = 0
    """What was there before the draw."""
    BLOCKS = 1
    """The same, with all bits set in every other block of 16x16 texels: a known fault, magenta blocks."""


class DiscardedContent(IntEnum):
    """What a target holds whose content was given up."""

    KEPT = 0
    """What it held."""
    TURNED = 1
    """All bits turned over: this and the following stand for anything."""
    ZEROS = 2
    """No bit set."""
    ONES = 3
    """All bits set."""


class OpenCounters(IntEnum):
    """What a report holds of a counter that hardware may count in more than one way."""

    PLAIN = 0
    """Every vertex once for each instance, no part of what is cut, every fragment that may run."""
    TURNED = 1
    """All bits turned over: stands for anything."""


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """One setting of everything that could be otherwise. The defaults are NVN."""

    auto_block_height: AutoBlockHeight = AutoBlockHeight.TRUNCATE
    auto_block_depth: AutoBlockDepth = AutoBlockDepth.SIXTEEN
    multisample_height: MultisampleHeight = MultisampleHeight.SAMPLE_ROWS
    explicit_block: ExplicitBlock = ExplicitBlock.SHRINK
    single_layer_stride: SingleLayerStride = SingleLayerStride.SUM
    storage_alignment: StorageAlignment = StorageAlignment.GOB
    cube_array_depth: CubeArrayDepth = CubeArrayDepth.FACES
    sparse_small: SparseSmall = SparseSmall.AUTOMATIC
    sparse_height: SparseHeight = SparseHeight.TILE
    sparse_padding: SparsePadding = SparsePadding.AT_LEAST_A_TILE
    sparse_tile_test: SparseTileTest = SparseTileTest.GOBS
    zero_layers: ZeroLayers = ZeroLayers.ONE
    store_norm: StoreNorm = StoreNorm.NVIDIA
    store_float: StoreFloat = StoreFloat.TOWARD_ZERO
    store_srgb: StoreSrgb = StoreSrgb.NVIDIA
    store_depth24: StoreDepth24 = StoreDepth24.NVIDIA
    store_packed: StorePacked = StorePacked.THROUGH_8_BITS
    store_alpha2: StoreAlpha2 = StoreAlpha2.THROUGH_10_BITS
    store_padding: StorePadding = StorePadding.ZERO
    image_load: ImageLoad = ImageLoad.SHADER
    decode_srgb: DecodeSrgb = DecodeSrgb.NVIDIA
    decode_packed: DecodePacked = DecodePacked.REPLICATE
    astc_decode: AstcDecode = AstcDecode.HALF
    astc_profile: AstcProfile = AstcProfile.LDR
    shader_denormals: ShaderDenormals = ShaderDenormals.FLUSH
    shader_division: ShaderDivision = ShaderDivision.BY_RECIPROCAL
    blend_precision: BlendPrecision = BlendPrecision.NVIDIA
    missing_source1: MissingSource1 = MissingSource1.ZERO
    alpha_precision: AlphaPrecision = AlphaPrecision.TARGET
    sprite_rows: SpriteRows = SpriteRows.SEEN

    plane_place: PlanePlace = PlanePlace.CHIP
    missing_components: MissingComponents = MissingComponents.DEFAULTS
    unbound_uniform: UnboundUniform = UnboundUniform.ZERO
    unbound_texture: UnboundTexture = UnboundTexture.ZERO
    mismatched_texture: MismatchedTexture = MismatchedTexture.ZERO
    vertex_straddle: VertexStraddle = VertexStraddle.ELEMENT
    attribute_norm: AttributeNorm = AttributeNorm.DIVIDED
    timestamp_start: TimestampStart = TimestampStart.HERE
    timestamp_pace: TimestampPace = TimestampPace.ONE
    condition_time: ConditionTime = ConditionTime.SET
    condition_reach: ConditionReach = ConditionReach.TEXTURES
    report_value_size: ReportValueSize = ReportValueSize.WORD
    racing_write: RacingWrite = RacingWrite.AFTER
    queue_order: QueueOrder = QueueOrder.SUBMITTED
    unflushed_write: UnflushedWrite = UnflushedWrite.SEEN
    copy_tie: CopyTie = CopyTie.FIRST
    copy_conversion: CopyConversion = CopyConversion.FORMATS
    copy_filter: CopyFilter = CopyFilter.FLAG
    copy_weights: CopyWeights = CopyWeights.FILTER
    copy_place: CopyPlace = CopyPlace.CUT
    lacking_stencil: LackingStencil = LackingStencil.KEPT
    copy_slices: CopySlices = CopySlices.MIDDLE
    copy_samples: CopySamples = CopySamples.PIXELS
    buffer_mirror: BufferMirror = BufferMirror.TURNED
    draw_texture_state: DrawTextureState = DrawTextureState.BARE
    filter_weights: FilterWeights = FilterWeights.NVIDIA
    lod_length: LodLength = LodLength.NVIDIA
    memory_order: MemoryOrder = MemoryOrder.LANES
    storage_bound: StorageBound = StorageBound.ROBUST
    shared_content: SharedContent = SharedContent.ZERO
    unordered_reads: UnorderedReads = UnorderedReads.FRESH
    own_target_reads: OwnTargetReads = OwnTargetReads.BEFORE
    discarded_content: DiscardedContent = DiscardedContent.KEPT
    open_counters: OpenCounters = OpenCounters.PLAIN

    def peek(self, field: str) -> IntEnum:
        """Return a setting without noting that it was read: only for what prepares a choice not reached yet."""
        setting: IntEnum = object.__getattribute__(self, field)
        return setting

    def unwatched(self) -> Rules:
        """Return these rules so that no read is noted, for the same purpose as :meth:`peek`."""
        return self

    def with_(self, **settings: IntEnum) -> Rules:
        """Return these rules with some fields set otherwise.

        Raises
        ------
        TypeError
            For a field that does not exist.
        """
        return dataclasses.replace(self, **settings)  # type: ignore[arg-type]

    def lower(self) -> NDArray[np.int32]:
        """Return the settings as int32, one per field in the order of :func:`index`, for kernels."""
        import numpy as np

        return np.array([getattr(self, name) for name in FIELDS], dtype=np.int32)


FIELDS: tuple[str, ...] = tuple(f.name for f in dataclasses.fields(Rules))

NVN = Rules()
"""The rules of NVN: every field at its default."""


def index(field: str) -> int:
    """Return the position of a field in :meth:`Rules.lower`.

    >>> index("auto_block_height")
    0
    """
    return FIELDS.index(field)


def settings_of(field: str) -> type[IntEnum]:
    """Return the enumeration of a field.

    >>> settings_of("store_norm").__name__
    'StoreNorm'
    """
    return type(getattr(NVN, field))


class WatchedRules(Rules):
    """Rules that note which of their fields were read: the choice points that a computation reached."""

    read: set[str]

    def __init__(self, rules: Rules, read: set[str]) -> None:
        object.__setattr__(self, "read", read)
        for name in FIELDS:
            object.__setattr__(self, name, object.__getattribute__(rules, name))

    def __getattribute__(self, name: str) -> Any:
        if name in FIELDS:
            object.__getattribute__(self, "read").add(name)
        return object.__getattribute__(self, name)

    def unwatched(self) -> Rules:
        """Return the rules that are watched."""
        return Rules(**{name: object.__getattribute__(self, name) for name in FIELDS})

    def with_(self, **settings: IntEnum) -> WatchedRules:
        """Return these rules with some fields set otherwise; reads are noted in the same place."""
        values = {name: object.__getattribute__(self, name) for name in FIELDS}
        return WatchedRules(Rules(**{**values, **settings}), self.read)


def watch(rules: Rules = NVN) -> WatchedRules:
    """Return a copy of ``rules`` whose ``read`` fills with the names of the fields that are read.

    >>> watched = watch()
    >>> watched.store_norm is StoreNorm.NVIDIA, watched.read
    (True, {'store_norm'})
    """
    return WatchedRules(rules, set())
