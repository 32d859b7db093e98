"""Shaders that read textures in every way there is, for the GLSL that is made of them."""

from __future__ import annotations

from refnvn.shader.python import (
    Uniform,
    attribute,
    binding,
    fragment_shader,
    isampler2DMS,
    ivec2,
    ivec3,
    sampler,
    sampler1DArray,
    sampler1DShadow,
    sampler2D,
    sampler2DArrayShadow,
    sampler2DMSArray,
    sampler2DRect,
    sampler2DShadow,
    sampler3D,
    samplerCube,
    samplerCubeArrayShadow,
    samplerCubeShadow,
    texel_fetch,
    texel_fetch_offset,
    texture,
    texture2D,
    texture_gather,
    texture_gather_offset,
    texture_gather_offsets,
    texture_grad_offset,
    texture_levels,
    texture_lod,
    texture_lod_offset,
    texture_offset,
    texture_query_lod,
    texture_size,
    uint,
    usampler2DArray,
    usamplerBuffer,
    utextureBuffer,
    uvec2,
    uvec4,
    varying,
    vec2,
    vec3,
    vec4,
    vertex_shader,
)


class Handles(Uniform, binding=1):
    """Handles in uniform memory."""

    handle: uint
    h2: uvec2


@fragment_shader
def everything(  # type: ignore[no-untyped-def]
    uv: vec2 = varying(0),
    one: sampler2D = binding(2),
    dark: sampler2DShadow = binding(3),
    d1: sampler1DShadow = binding(10),
    arr: sampler2DArrayShadow = binding(11),
    ca: samplerCubeArrayShadow = binding(12),
    cs: samplerCubeShadow = binding(13),
    c: samplerCube = binding(4),
    a: usampler2DArray = binding(5),
    v: sampler3D = binding(6),
    ms: isampler2DMS = binding(7),
    b: usamplerBuffer = binding(8),
    r: sampler2DRect = binding(9),
    line: sampler1DArray = binding(14),
    msa: sampler2DMSArray = binding(15),
):
    """Return a sum of reads."""
    x = (
        texture(one, uv)
        + texture_offset(one, uv, ivec2(1, -2), 0.5)
        + texture_lod_offset(one, uv, 1.0, ivec2(1, 1))
        + texture_grad_offset(one, uv, uv, uv, ivec2(0, 1))
    )
    y = (
        texture(dark, uv, 0.5)
        + texture(d1, uv.x, 0.5)
        + texture(arr, vec3(uv, 1.0), 0.5)
        + texture(ca, vec4(uv, 1.0, 0.0), 0.5)
        + texture(cs, vec3(uv, 1.0), 0.5)
        + texture_lod(dark, uv, 0.5, 1.0)
        + texture_lod(d1, uv.x, 0.25, 0.0)
    )
    z = (
        texture(c, vec3(uv, 1.0))
        + texture(v, vec3(uv, 0.5))
        + texture(r, uv)
        + texture(line, uv)
        + texel_fetch(line, ivec2(1, 2), 0)
    )
    w = (
        uvec4(texture(a, vec3(uv, 1.0)))
        + texel_fetch(b, 3)
        + uvec4(texel_fetch(ms, ivec2(1, 2), 3))
        + texel_fetch_offset(a, ivec3(1, 2, 3), 0, ivec2(1, 1))
    )
    g = (
        texture_gather(one, uv)
        + texture_gather_offset(one, uv, ivec2(3, 4), 2)
        + texture_gather_offsets(one, uv, ivec2(0, 0), ivec2(1, 0), ivec2(0, 2), ivec2(-1, -1), 1)
        + texture_gather(dark, uv, 0.5)
        + texture_gather_offset(dark, uv, 0.5, ivec2(1, 1))
    )
    s = (
        vec2(texture_size(one, 0))
        + texture_query_lod(one, uv)
        + vec2(float(texture_levels(one)), float(texture_size(b)))
        + vec2(texture_size(ms))
        + vec2(texture_size(r))
        + vec2(texture_size(a).xy)
        + vec2(texture_size(c, 1))
        + vec2(texture_size(v, 0).xy)
        + texel_fetch(msa, ivec3(1, 1, 0), 1).xy
    )
    return x + vec4(y) + z + vec4(w) + g + vec4(s, s)


@vertex_shader
def in_vertices(  # type: ignore[no-untyped-def]
    p: vec4 = attribute(0), one: sampler2D = binding(2), r: sampler2DRect = binding(3), o: sampler3D = binding(4)
):
    """Return a sum of reads."""
    return p + texture(one, p.xy) + texture(r, p.xy) + texture_offset(o, p.xyz, ivec3(1, 0, -1))


@fragment_shader
def separate(  # type: ignore[no-untyped-def]
    uv: vec2 = varying(0), t: texture2D = binding(3), s: sampler = binding(5), b: utextureBuffer = binding(4)
):
    """Return a sum of reads."""
    return (
        texture(sampler2D(t, s), uv)
        + vec4(texture(sampler2DShadow(t, s), uv, 0.5))
        + texel_fetch(t, ivec2(1, 2), 0)
        + vec4(texel_fetch(b, 1))
        + vec4(vec2(texture_size(t, 0)), 0.0, 0.0)
    )


@fragment_shader
def handles(m: Handles, uv: vec2 = varying(0)):  # type: ignore[no-untyped-def]
    """Return a sum of reads."""
    return texture(sampler2D(m.handle), uv) + texture(sampler2D(m.h2, m.handle), uv)
