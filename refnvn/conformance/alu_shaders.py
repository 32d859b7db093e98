"""Which shader stands for each measured expression of the families ``alu`` and ``sfu``?

Each is written in the Python subset; ``a`` and ``b`` are the operands. Where the compiler that was measured does
something of its own with an expression, the shader says what that is: it takes out a product with 1 and a sum with 0,
and makes a clamp to 0 .. 1 the saturate modifier.
"""

from __future__ import annotations

from refnvn.shader.ir import Shader
from refnvn.shader.python import (
    ceil,
    cos,
    distance,
    dot,
    exp,
    exp2,
    float_bits_to_uint,
    floor,
    fma,
    fract,
    fragment_shader,
    inverse_sqrt,
    is_nan,
    length,
    log,
    log2,
    mix,
    mod,
    normalize,
    pack_half_2x16,
    pack_snorm_2x16,
    pack_snorm_4x8,
    pack_unorm_2x16,
    pack_unorm_4x8,
    round_even,
    saturate,
    sign,
    sin,
    smoothstep,
    sqrt,
    step,
    tan,
    trunc,
    uint,
    unpack_half_2x16,
    varying,
    vec4,
)


@fragment_shader
def inverse_sqrt_x(a: vec4 = varying(0)) -> object:
    """Shader of ``inversesqrt(A.x)``."""
    return inverse_sqrt(a.x)


@fragment_shader
def sqrt_x(a: vec4 = varying(0)) -> object:
    """Shader of ``sqrt(A.x)``."""
    return sqrt(a.x)


@fragment_shader
def reciprocal_x(a: vec4 = varying(0)) -> object:
    """Shader of ``1.0/A.x``."""
    return 1.0 / a.x


@fragment_shader
def exp2_x(a: vec4 = varying(0)) -> object:
    """Shader of ``exp2(A.x)``."""
    return exp2(a.x)


@fragment_shader
def log2_x(a: vec4 = varying(0)) -> object:
    """Shader of ``log2(A.x)``."""
    return log2(a.x)


@fragment_shader
def sin_x(a: vec4 = varying(0)) -> object:
    """Shader of ``sin(A.x)``."""
    return sin(a.x)


@fragment_shader
def cos_x(a: vec4 = varying(0)) -> object:
    """Shader of ``cos(A.x)``."""
    return cos(a.x)


@fragment_shader
def exp_x(a: vec4 = varying(0)) -> object:
    """Shader of ``exp(A.x)``."""
    return exp(a.x)


@fragment_shader
def log_x(a: vec4 = varying(0)) -> object:
    """Shader of ``log(A.x)``."""
    return log(a.x)


@fragment_shader
def floor_x(a: vec4 = varying(0)) -> object:
    """Shader of ``floor(A.x)``."""
    return floor(a.x)


@fragment_shader
def ceil_x(a: vec4 = varying(0)) -> object:
    """Shader of ``ceil(A.x)``."""
    return ceil(a.x)


@fragment_shader
def trunc_x(a: vec4 = varying(0)) -> object:
    """Shader of ``trunc(A.x)``."""
    return trunc(a.x)


@fragment_shader
def round_x(a: vec4 = varying(0)) -> object:
    """Shader of ``round(A.x)``."""
    return round_even(a.x)


@fragment_shader
def round_even_x(a: vec4 = varying(0)) -> object:
    """Shader of ``roundEven(A.x)``."""
    return round_even(a.x)


@fragment_shader
def fract_x(a: vec4 = varying(0)) -> object:
    """Shader of ``fract(A.x)``."""
    return fract(a.x)


@fragment_shader
def abs_x(a: vec4 = varying(0)) -> object:
    """Shader of ``abs(A.x)``."""
    return abs(a.x)


@fragment_shader
def sign_x(a: vec4 = varying(0)) -> object:
    """Shader of ``sign(A.x)``."""
    return sign(a.x)


@fragment_shader
def tan_x(a: vec4 = varying(0)) -> object:
    """Shader of ``tan(A.x)``."""
    return tan(a.x)


@fragment_shader
def saturate_x(a: vec4 = varying(0)) -> object:
    """Shader of ``clamp(A.x,0.,1.)``."""
    return saturate(a.x)


@fragment_shader
def product_with_1(a: vec4 = varying(0)) -> object:
    """Shader of ``A.x*1.0``."""
    return a.x


@fragment_shader
def sum_with_0(a: vec4 = varying(0)) -> object:
    """Shader of ``A.x+0.0``."""
    return a.x


@fragment_shader
def sum_x(a: vec4 = varying(0), b: vec4 = varying(1)) -> object:
    """Shader of ``A.x+B.x``."""
    return a.x + b.x


@fragment_shader
def product_x(a: vec4 = varying(0), b: vec4 = varying(1)) -> object:
    """Shader of ``A.x*B.x``."""
    return a.x * b.x


@fragment_shader
def quotient_x(a: vec4 = varying(0), b: vec4 = varying(1)) -> object:
    """Shader of ``A.x/B.x``."""
    return a.x / b.x


@fragment_shader
def pow_x(a: vec4 = varying(0), b: vec4 = varying(1)) -> object:
    """Shader of ``pow(A.x,B.x)``."""
    return pow(a.x, b.x)


@fragment_shader
def min_x(a: vec4 = varying(0), b: vec4 = varying(1)) -> object:
    """Shader of ``min(A.x,B.x)``."""
    return min(a.x, b.x)


@fragment_shader
def max_x(a: vec4 = varying(0), b: vec4 = varying(1)) -> object:
    """Shader of ``max(A.x,B.x)``."""
    return max(a.x, b.x)


@fragment_shader
def mod_x(a: vec4 = varying(0), b: vec4 = varying(1)) -> object:
    """Shader of ``mod(A.x,B.x)``."""
    return mod(a.x, b.x)


@fragment_shader
def step_x(a: vec4 = varying(0), b: vec4 = varying(1)) -> object:
    """Shader of ``step(A.x,B.x)``."""
    return step(a.x, b.x)


@fragment_shader
def difference_x(a: vec4 = varying(0), b: vec4 = varying(1)) -> object:
    """Shader of ``A.x-B.x``."""
    return a.x - b.x


@fragment_shader
def dot_xyz(a: vec4 = varying(0), b: vec4 = varying(1)) -> object:
    """Shader of ``dot(A.xyz,B.xyz)``."""
    return dot(a.xyz, b.xyz)


@fragment_shader
def length_xyz(a: vec4 = varying(0)) -> object:
    """Shader of ``length(A.xyz)``."""
    return length(a.xyz)


@fragment_shader
def mix_x(a: vec4 = varying(0), b: vec4 = varying(1)) -> object:
    """Shader of ``mix(A.x,B.x,A.y)``."""
    return mix(a.x, b.x, a.y)


@fragment_shader
def fma_x(a: vec4 = varying(0), b: vec4 = varying(1)) -> object:
    """Shader of ``fma(A.x,B.x,A.y)``."""
    return fma(a.x, b.x, a.y)


@fragment_shader
def smoothstep_x(a: vec4 = varying(0), b: vec4 = varying(1)) -> object:
    """Shader of ``smoothstep(A.x,B.x,A.y)``."""
    return smoothstep(a.x, b.x, a.y)


@fragment_shader
def normalize_xyz(a: vec4 = varying(0)) -> object:
    """Shader of ``normalize(A.xyz).x``."""
    return normalize(a.xyz).x


@fragment_shader
def distance_xy(a: vec4 = varying(0), b: vec4 = varying(1)) -> object:
    """Shader of ``distance(A.xy,B.xy)``."""
    return distance(a.xy, b.xy)


@fragment_shader
def uint_x(a: vec4 = varying(0)) -> object:
    """Shader of ``uint(A.x)``."""
    return uint(a.x)


@fragment_shader
def int_x(a: vec4 = varying(0)) -> object:
    """Shader of ``uint(int(A.x))``."""
    return uint(int(a.x))


@fragment_shader
def pack_half(a: vec4 = varying(0)) -> object:
    """Shader of ``packHalf2x16(A.xy)``."""
    return pack_half_2x16(a.xy)


@fragment_shader
def pack_unorm_8(a: vec4 = varying(0)) -> object:
    """Shader of ``packUnorm4x8(A)``."""
    return pack_unorm_4x8(a)


@fragment_shader
def pack_snorm_8(a: vec4 = varying(0)) -> object:
    """Shader of ``packSnorm4x8(A)``."""
    return pack_snorm_4x8(a)


@fragment_shader
def pack_unorm_16(a: vec4 = varying(0)) -> object:
    """Shader of ``packUnorm2x16(A.xy)``."""
    return pack_unorm_2x16(a.xy)


@fragment_shader
def pack_snorm_16(a: vec4 = varying(0)) -> object:
    """Shader of ``packSnorm2x16(A.xy)``."""
    return pack_snorm_2x16(a.xy)


@fragment_shader
def less_x(a: vec4 = varying(0), b: vec4 = varying(1)) -> object:
    """Shader of ``uint(A.x<B.x)``."""
    return uint(a.x < b.x)


@fragment_shader
def equal_x(a: vec4 = varying(0), b: vec4 = varying(1)) -> object:
    """Shader of ``uint(A.x==B.x)``."""
    return uint(a.x == b.x)


@fragment_shader
def is_nan_x(a: vec4 = varying(0)) -> object:
    """Shader of ``uint(isnan(A.x))``."""
    return uint(is_nan(a.x))


@fragment_shader
def bits_x(a: vec4 = varying(0)) -> object:
    """Shader of ``floatBitsToUint(A.x)``."""
    return float_bits_to_uint(a.x)


@fragment_shader
def inverse_sqrt_2x(a: vec4 = varying(0)) -> object:
    """Shader of ``inversesqrt(A.x*2.0)``."""
    return inverse_sqrt(a.x * 2.0)


@fragment_shader
def exp2_less_1(a: vec4 = varying(0)) -> object:
    """Shader of ``exp2(A.x-1.0)``."""
    return exp2(a.x - 1.0)


@fragment_shader
def sin_of_turn(a: vec4 = varying(0)) -> object:
    """Shader of ``sin((A.x-1.0)*6.2831853)``."""
    return sin((a.x - 1.0) * 6.2831853)


@fragment_shader
def cos_of_turn(a: vec4 = varying(0)) -> object:
    """Shader of ``cos((A.x-1.0)*6.2831853)``."""
    return cos((a.x - 1.0) * 6.2831853)


@fragment_shader
def unpack_half(a: vec4 = varying(0)) -> object:
    """Shader of the halves that are unpacked: the low one of a word."""
    return unpack_half_2x16(float_bits_to_uint(a.x)).x


SHADERS: dict[str, Shader] = {
    "inversesqrt(A.x)": inverse_sqrt_x,
    "sqrt(A.x)": sqrt_x,
    "1.0/A.x": reciprocal_x,
    "exp2(A.x)": exp2_x,
    "log2(A.x)": log2_x,
    "sin(A.x)": sin_x,
    "cos(A.x)": cos_x,
    "exp(A.x)": exp_x,
    "log(A.x)": log_x,
    "floor(A.x)": floor_x,
    "ceil(A.x)": ceil_x,
    "trunc(A.x)": trunc_x,
    "round(A.x)": round_x,
    "roundEven(A.x)": round_even_x,
    "fract(A.x)": fract_x,
    "abs(A.x)": abs_x,
    "sign(A.x)": sign_x,
    "tan(A.x)": tan_x,
    "clamp(A.x,0.,1.)": saturate_x,
    "A.x*1.0": product_with_1,
    "A.x+0.0": sum_with_0,
    "A.x+B.x": sum_x,
    "A.x*B.x": product_x,
    "A.x/B.x": quotient_x,
    "pow(A.x,B.x)": pow_x,
    "min(A.x,B.x)": min_x,
    "max(A.x,B.x)": max_x,
    "mod(A.x,B.x)": mod_x,
    "step(A.x,B.x)": step_x,
    "A.x-B.x": difference_x,
    "dot(A.xyz,B.xyz)": dot_xyz,
    "length(A.xyz)": length_xyz,
    "mix(A.x,B.x,A.y)": mix_x,
    "fma(A.x,B.x,A.y)": fma_x,
    "smoothstep(A.x,B.x,A.y)": smoothstep_x,
    "normalize(A.xyz).x": normalize_xyz,
    "distance(A.xy,B.xy)": distance_xy,
    "uint(A.x)": uint_x,
    "uint(int(A.x))": int_x,
    "packHalf2x16(A.xy)": pack_half,
    "packUnorm4x8(A)": pack_unorm_8,
    "packSnorm4x8(A)": pack_snorm_8,
    "packUnorm2x16(A.xy)": pack_unorm_16,
    "packSnorm2x16(A.xy)": pack_snorm_16,
    "uint(A.x<B.x)": less_x,
    "uint(A.x==B.x)": equal_x,
    "uint(isnan(A.x))": is_nan_x,
    "floatBitsToUint(A.x)": bits_x,
    "inversesqrt(A.x*2.0)": inverse_sqrt_2x,
    "exp2(A.x-1.0)": exp2_less_1,
    "sin((A.x-1.0)*6.2831853)": sin_of_turn,
    "cos((A.x-1.0)*6.2831853)": cos_of_turn,
}
"""The shader of each expression, as the vectors write it in GLSL."""
