"""NVN's enumerations, with NVN's names and values.

A name is NVN's without the prefix that all names of its enumeration share: ``NVN_DEPTH_FUNC_LEQUAL`` is
``DepthFunc.LEQUAL``; bits lose their ``_BIT``. Where a name would start with a digit or hide a Python word it keeps
more of itself. Texture targets and flags are in ``layout/description.py``, formats in ``formats/formats.csv``.
"""

from __future__ import annotations

from enum import IntEnum, IntFlag


class TextureSwizzle(IntEnum):
    """``NVNtextureSwizzle``."""

    ZERO = 0
    ONE = 1
    R = 2
    G = 3
    B = 4
    A = 5


class TextureDepthStencilMode(IntEnum):
    """``NVNtextureDepthStencilMode``."""

    DEPTH = 0
    STENCIL = 1


class MinFilter(IntEnum):
    """``NVNminFilter``."""

    NEAREST = 0
    LINEAR = 1
    NEAREST_MIPMAP_NEAREST = 2
    LINEAR_MIPMAP_NEAREST = 3
    NEAREST_MIPMAP_LINEAR = 4
    LINEAR_MIPMAP_LINEAR = 5


class MagFilter(IntEnum):
    """``NVNmagFilter``."""

    NEAREST = 0
    LINEAR = 1


class WrapMode(IntEnum):
    """``NVNwrapMode``."""

    CLAMP = 0
    REPEAT = 1
    MIRROR_CLAMP = 2
    MIRROR_CLAMP_TO_EDGE = 3
    MIRROR_CLAMP_TO_BORDER = 4
    CLAMP_TO_BORDER = 5
    MIRRORED_REPEAT = 6
    CLAMP_TO_EDGE = 7


class SamplerReduction(IntEnum):
    """``NVNsamplerReduction``."""

    AVERAGE = 0
    MIN = 1
    MAX = 2


class CompareMode(IntEnum):
    """``NVNcompareMode``."""

    NONE = 0
    COMPARE_R_TO_TEXTURE = 1


class CompareFunc(IntEnum):
    """``NVNcompareFunc``."""

    NEVER = 1
    LESS = 2
    EQUAL = 3
    LEQUAL = 4
    GREATER = 5
    NOTEQUAL = 6
    GEQUAL = 7
    ALWAYS = 8


class DepthFunc(IntEnum):
    """``NVNdepthFunc``."""

    NEVER = 1
    LESS = 2
    EQUAL = 3
    LEQUAL = 4
    GREATER = 5
    NOTEQUAL = 6
    GEQUAL = 7
    ALWAYS = 8


class StencilFunc(IntEnum):
    """``NVNstencilFunc``."""

    NEVER = 1
    LESS = 2
    EQUAL = 3
    LEQUAL = 4
    GREATER = 5
    NOTEQUAL = 6
    GEQUAL = 7
    ALWAYS = 8


class StencilOp(IntEnum):
    """``NVNstencilOp``."""

    KEEP = 1
    ZERO = 2
    REPLACE = 3
    INCR = 4
    DECR = 5
    INVERT = 6
    INCR_WRAP = 7
    DECR_WRAP = 8


class AlphaFunc(IntEnum):
    """``NVNalphaFunc``."""

    NEVER = 1
    LESS = 2
    EQUAL = 3
    LEQUAL = 4
    GREATER = 5
    NOTEQUAL = 6
    GEQUAL = 7
    ALWAYS = 8


class LogicOp(IntEnum):
    """``NVNlogicOp``."""

    CLEAR = 0
    AND = 1
    AND_REVERSE = 2
    COPY = 3
    AND_INVERTED = 4
    NOOP = 5
    XOR = 6
    OR = 7
    NOR = 8
    EQUIV = 9
    INVERT = 10
    OR_REVERSE = 11
    COPY_INVERTED = 12
    OR_INVERTED = 13
    NAND = 14
    SET = 15


class BlendFunc(IntEnum):
    """``NVNblendFunc``."""

    ZERO = 1
    ONE = 2
    SRC_COLOR = 3
    ONE_MINUS_SRC_COLOR = 4
    SRC_ALPHA = 5
    ONE_MINUS_SRC_ALPHA = 6
    DST_ALPHA = 7
    ONE_MINUS_DST_ALPHA = 8
    DST_COLOR = 9
    ONE_MINUS_DST_COLOR = 10
    SRC_ALPHA_SATURATE = 11
    SRC1_COLOR = 16
    ONE_MINUS_SRC1_COLOR = 17
    SRC1_ALPHA = 18
    ONE_MINUS_SRC1_ALPHA = 19
    CONSTANT_COLOR = 97
    ONE_MINUS_CONSTANT_COLOR = 98
    CONSTANT_ALPHA = 99
    ONE_MINUS_CONSTANT_ALPHA = 100


class BlendEquation(IntEnum):
    """``NVNblendEquation``."""

    ADD = 1
    SUB = 2
    REVERSE_SUB = 3
    MIN = 4
    MAX = 5


class BlendAdvancedMode(IntEnum):
    """``NVNblendAdvancedMode``."""

    NONE = 0
    ZERO = 5
    SRC = 6
    DST = 7
    SRC_OVER = 8
    DST_OVER = 9
    SRC_IN = 10
    DST_IN = 11
    SRC_OUT = 12
    DST_OUT = 13
    SRC_ATOP = 14
    DST_ATOP = 15
    XOR = 16
    PLUS = 17
    PLUS_CLAMPED = 18
    PLUS_CLAMPED_ALPHA = 19
    PLUS_DARKER = 20
    MULTIPLY = 21
    SCREEN = 22
    OVERLAY = 23
    DARKEN = 24
    LIGHTEN = 25
    COLORDODGE = 26
    COLORBURN = 27
    HARDLIGHT = 28
    SOFTLIGHT = 29
    DIFFERENCE = 30
    MINUS = 31
    MINUS_CLAMPED = 32
    EXCLUSION = 33
    CONTRAST = 34
    INVERT = 35
    INVERT_RGB = 36
    INVERT_OVG = 37
    LINEARDODGE = 38
    LINEARBURN = 39
    VIVIDLIGHT = 40
    LINEARLIGHT = 41
    PINLIGHT = 42
    HARDMIX = 43
    RED = 44
    GREEN = 45
    BLUE = 46
    HSL_HUE = 47
    HSL_SATURATION = 48
    HSL_COLOR = 49
    HSL_LUMINOSITY = 50


class BlendAdvancedOverlap(IntEnum):
    """``NVNblendAdvancedOverlap``."""

    UNCORRELATED = 0
    DISJOINT = 1
    CONJOINT = 2


class Face(IntEnum):
    """``NVNface``."""

    NONE = 0
    FRONT = 1
    BACK = 2
    FRONT_AND_BACK = 3


class FrontFace(IntEnum):
    """``NVNfrontFace``."""

    CW = 0
    CCW = 1


class PolygonMode(IntEnum):
    """``NVNpolygonMode``."""

    POINT = 0
    LINE = 1
    FILL = 2


class PolygonOffsetEnable(IntFlag):
    """``NVNpolygonOffsetEnable``."""

    NONE = 0
    POINT = 1
    LINE = 2
    FILL = 4


class DrawPrimitive(IntEnum):
    """``NVNdrawPrimitive``."""

    POINTS = 0
    LINES = 1
    LINE_LOOP = 2
    LINE_STRIP = 3
    TRIANGLES = 4
    TRIANGLE_STRIP = 5
    TRIANGLE_FAN = 6
    QUADS = 7
    QUAD_STRIP = 8
    POLYGON = 9
    LINES_ADJACENCY = 10
    LINE_STRIP_ADJACENCY = 11
    TRIANGLES_ADJACENCY = 12
    TRIANGLE_STRIP_ADJACENCY = 13
    PATCHES = 14


class IndexType(IntEnum):
    """``NVNindexType``."""

    BYTE = 0
    SHORT = 1
    INT = 2


class ShaderStage(IntEnum):
    """``NVNshaderStage``."""

    VERTEX = 0
    FRAGMENT = 1
    GEOMETRY = 2
    TESS_CONTROL = 3
    TESS_EVALUATION = 4
    COMPUTE = 5


class ShaderStageBits(IntFlag):
    """``NVNshaderStageBits``."""

    VERTEX = 1
    FRAGMENT = 2
    GEOMETRY = 4
    TESS_CONTROL = 8
    TESS_EVALUATION = 16
    COMPUTE = 32
    ALL_GRAPHICS = 31


class ClearColorMask(IntFlag):
    """``NVNclearColorMask``."""

    R = 1
    G = 2
    B = 4
    A = 8
    RGBA = 15


class CopyFlags(IntFlag):
    """``NVNcopyFlags``."""

    NONE = 0
    LINEAR_FILTER = 1
    ENGINE_2D = 2
    MIRROR_X = 4
    MIRROR_Y = 8
    MIRROR_Z = 16


class BarrierBits(IntFlag):
    """``NVNbarrierBits``."""

    ORDER_PRIMITIVES = 1
    ORDER_FRAGMENTS = 2
    ORDER_FRAGMENTS_TILED = 4
    ORDER_INDIRECT_DATA = 8
    INVALIDATE_TEXTURE = 16
    INVALIDATE_SHADER = 32
    INVALIDATE_TEXTURE_DESCRIPTOR = 64
    INVALIDATE_ZCULL = 128
    INVALIDATE_L2_CACHE = 256


class CounterType(IntEnum):
    """``NVNcounterType``."""

    TIMESTAMP = 0
    SAMPLES_PASSED = 1
    INPUT_VERTICES = 2
    INPUT_PRIMITIVES = 3
    VERTEX_SHADER_INVOCATIONS = 4
    TESS_CONTROL_SHADER_INVOCATIONS = 5
    TESS_EVALUATION_SHADER_INVOCATIONS = 6
    GEOMETRY_SHADER_INVOCATIONS = 7
    FRAGMENT_SHADER_INVOCATIONS = 8
    TESS_EVALUATION_SHADER_PRIMITIVES = 9
    GEOMETRY_SHADER_PRIMITIVES = 10
    CLIPPER_INPUT_PRIMITIVES = 11
    CLIPPER_OUTPUT_PRIMITIVES = 12
    PRIMITIVES_GENERATED = 13
    TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN = 14
    ZCULL_STATS = 15
    TIMESTAMP_TOP = 16


class SyncCondition(IntEnum):
    """``NVNsyncCondition``."""

    ALL_GPU_COMMANDS_COMPLETE = 0
    GRAPHICS_WORLD_SPACE_COMPLETE = 1


class SyncFlags(IntFlag):
    """``NVNsyncFlagBits``."""

    FLUSH_FOR_CPU = 1


class EventWaitMode(IntEnum):
    """``NVNeventWaitMode``."""

    EQUAL = 0
    GEQUAL_WRAP = 1


class EventSignalMode(IntEnum):
    """``NVNeventSignalMode``."""

    WRITE = 0
    ADD = 1


class EventSignalLocation(IntEnum):
    """``NVNeventSignalLocation``."""

    TOP = 0
    VERTEX_PIPE = 1
    BOTTOM = 2


class EventSignalFlags(IntFlag):
    """``NVNeventSignalFlags``."""

    NO_WAIT_MEMORY = 1


class ConditionalRenderMode(IntEnum):
    """``NVNconditionalRenderMode``."""

    RENDER_IF_EQUAL = 0
    RENDER_IF_NOT_EQUAL = 1


class WindowOriginMode(IntEnum):
    """``NVNwindowOriginMode``."""

    LOWER_LEFT = 0
    UPPER_LEFT = 1


class DepthMode(IntEnum):
    """``NVNdepthMode``."""

    NEAR_IS_MINUS_W = 0
    NEAR_IS_ZERO = 1


class ViewportSwizzle(IntEnum):
    """``NVNviewportSwizzle``."""

    POSITIVE_X = 0
    NEGATIVE_X = 1
    POSITIVE_Y = 2
    NEGATIVE_Y = 3
    POSITIVE_Z = 4
    NEGATIVE_Z = 5
    POSITIVE_W = 6
    NEGATIVE_W = 7


class CoverageModulationMode(IntEnum):
    """``NVNcoverageModulationMode``."""

    NONE = 0
    RGB = 1
    ALPHA = 2
    RGBA = 3


class MemoryPoolFlags(IntFlag):
    """``NVNmemoryPoolFlags``."""

    CPU_NO_ACCESS = 1
    CPU_UNCACHED = 2
    CPU_CACHED = 4
    GPU_NO_ACCESS = 8
    GPU_UNCACHED = 16
    GPU_CACHED = 32
    SHADER_CODE = 64
    COMPRESSIBLE = 128
    PHYSICAL = 256
    VIRTUAL = 512


class SampleShadingMode(IntEnum):
    """``NVNsampleShadingMode``."""

    DEFAULT_FRAGMENT = 0
    FORCE_SAMPLE_SHADING_ON = 1
    FORCE_SAMPLE_SHADING_OFF = 2


class FormatClass(IntEnum):
    """``NVNformatClass``."""

    UNORM8 = 0
    UNORM10 = 1
    UNORM16 = 2
    FP11 = 3
    FP16 = 4
    SRGB8 = 5


class RawStorageClass(IntEnum):
    """``NVNrawStorageClass``."""

    NONE = 0
    LINEAR = 1
    COLOR_AND_ZF32 = 2
    S8_AND_Z16 = 3
    Z24_AND_Z24S8 = 4
    ZF32S8 = 5
