"""The words of the shader language about textures: types of textures and samplers, and what reads them.

``sampler2D`` is a texture with its sampler, ``texture2D`` one without, ``sampler`` a sampler alone; ``i`` and ``u``
in front say that components are integers. What each function does is in ``docs/shader-subset.md``.

Read next: ``subset_textures.py``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from refnvn.shader.language_words import Place, Word

__all__ = [
    "binding",
    "isampler1D",
    "isampler1DArray",
    "isampler2D",
    "isampler2DArray",
    "isampler2DMS",
    "isampler2DMSArray",
    "isampler2DRect",
    "isampler3D",
    "isamplerBuffer",
    "isamplerCube",
    "isamplerCubeArray",
    "itexture1D",
    "itexture1DArray",
    "itexture2D",
    "itexture2DArray",
    "itexture2DMS",
    "itexture2DMSArray",
    "itexture2DRect",
    "itexture3D",
    "itextureBuffer",
    "itextureCube",
    "itextureCubeArray",
    "sampler",
    "sampler1D",
    "sampler1DArray",
    "sampler1DArrayShadow",
    "sampler1DShadow",
    "sampler2D",
    "sampler2DArray",
    "sampler2DArrayShadow",
    "sampler2DMS",
    "sampler2DMSArray",
    "sampler2DRect",
    "sampler2DRectShadow",
    "sampler2DShadow",
    "sampler3D",
    "samplerBuffer",
    "samplerCube",
    "samplerCubeArray",
    "samplerCubeArrayShadow",
    "samplerCubeShadow",
    "texel_fetch",
    "texel_fetch_offset",
    "texture",
    "texture1D",
    "texture1DArray",
    "texture2D",
    "texture2DArray",
    "texture2DMS",
    "texture2DMSArray",
    "texture2DRect",
    "texture3D",
    "textureBuffer",
    "textureCube",
    "textureCubeArray",
    "texture_gather",
    "texture_gather_offset",
    "texture_gather_offsets",
    "texture_grad",
    "texture_grad_offset",
    "texture_levels",
    "texture_lod",
    "texture_lod_offset",
    "texture_offset",
    "texture_query_lod",
    "texture_size",
    "usampler1D",
    "usampler1DArray",
    "usampler2D",
    "usampler2DArray",
    "usampler2DMS",
    "usampler2DMSArray",
    "usampler2DRect",
    "usampler3D",
    "usamplerBuffer",
    "usamplerCube",
    "usamplerCubeArray",
    "utexture1D",
    "utexture1DArray",
    "utexture2D",
    "utexture2DArray",
    "utexture2DMS",
    "utexture2DMSArray",
    "utexture2DRect",
    "utexture3D",
    "utextureBuffer",
    "utextureCube",
    "utextureCubeArray",
]

if TYPE_CHECKING:  # type checkers see types of which anything may be asked
    sampler1D: TypeAlias = Any
    sampler2D: TypeAlias = Any
    sampler3D: TypeAlias = Any
    samplerCube: TypeAlias = Any
    sampler1DArray: TypeAlias = Any
    sampler2DArray: TypeAlias = Any
    samplerCubeArray: TypeAlias = Any
    sampler2DRect: TypeAlias = Any
    sampler2DMS: TypeAlias = Any
    sampler2DMSArray: TypeAlias = Any
    samplerBuffer: TypeAlias = Any
    isampler1D: TypeAlias = Any
    isampler2D: TypeAlias = Any
    isampler3D: TypeAlias = Any
    isamplerCube: TypeAlias = Any
    isampler1DArray: TypeAlias = Any
    isampler2DArray: TypeAlias = Any
    isamplerCubeArray: TypeAlias = Any
    isampler2DRect: TypeAlias = Any
    isampler2DMS: TypeAlias = Any
    isampler2DMSArray: TypeAlias = Any
    isamplerBuffer: TypeAlias = Any
    usampler1D: TypeAlias = Any
    usampler2D: TypeAlias = Any
    usampler3D: TypeAlias = Any
    usamplerCube: TypeAlias = Any
    usampler1DArray: TypeAlias = Any
    usampler2DArray: TypeAlias = Any
    usamplerCubeArray: TypeAlias = Any
    usampler2DRect: TypeAlias = Any
    usampler2DMS: TypeAlias = Any
    usampler2DMSArray: TypeAlias = Any
    usamplerBuffer: TypeAlias = Any
    texture1D: TypeAlias = Any
    texture2D: TypeAlias = Any
    texture3D: TypeAlias = Any
    textureCube: TypeAlias = Any
    texture1DArray: TypeAlias = Any
    texture2DArray: TypeAlias = Any
    textureCubeArray: TypeAlias = Any
    texture2DRect: TypeAlias = Any
    texture2DMS: TypeAlias = Any
    texture2DMSArray: TypeAlias = Any
    textureBuffer: TypeAlias = Any
    itexture1D: TypeAlias = Any
    itexture2D: TypeAlias = Any
    itexture3D: TypeAlias = Any
    itextureCube: TypeAlias = Any
    itexture1DArray: TypeAlias = Any
    itexture2DArray: TypeAlias = Any
    itextureCubeArray: TypeAlias = Any
    itexture2DRect: TypeAlias = Any
    itexture2DMS: TypeAlias = Any
    itexture2DMSArray: TypeAlias = Any
    itextureBuffer: TypeAlias = Any
    utexture1D: TypeAlias = Any
    utexture2D: TypeAlias = Any
    utexture3D: TypeAlias = Any
    utextureCube: TypeAlias = Any
    utexture1DArray: TypeAlias = Any
    utexture2DArray: TypeAlias = Any
    utextureCubeArray: TypeAlias = Any
    utexture2DRect: TypeAlias = Any
    utexture2DMS: TypeAlias = Any
    utexture2DMSArray: TypeAlias = Any
    utextureBuffer: TypeAlias = Any
    sampler1DShadow: TypeAlias = Any
    sampler2DShadow: TypeAlias = Any
    samplerCubeShadow: TypeAlias = Any
    sampler1DArrayShadow: TypeAlias = Any
    sampler2DArrayShadow: TypeAlias = Any
    samplerCubeArrayShadow: TypeAlias = Any
    sampler2DRectShadow: TypeAlias = Any
    sampler: TypeAlias = Any
else:
    sampler1D = Word("sampler1D")
    sampler2D = Word("sampler2D")
    sampler3D = Word("sampler3D")
    samplerCube = Word("samplerCube")
    sampler1DArray = Word("sampler1DArray")
    sampler2DArray = Word("sampler2DArray")
    samplerCubeArray = Word("samplerCubeArray")
    sampler2DRect = Word("sampler2DRect")
    sampler2DMS = Word("sampler2DMS")
    sampler2DMSArray = Word("sampler2DMSArray")
    samplerBuffer = Word("samplerBuffer")
    isampler1D = Word("isampler1D")
    isampler2D = Word("isampler2D")
    isampler3D = Word("isampler3D")
    isamplerCube = Word("isamplerCube")
    isampler1DArray = Word("isampler1DArray")
    isampler2DArray = Word("isampler2DArray")
    isamplerCubeArray = Word("isamplerCubeArray")
    isampler2DRect = Word("isampler2DRect")
    isampler2DMS = Word("isampler2DMS")
    isampler2DMSArray = Word("isampler2DMSArray")
    isamplerBuffer = Word("isamplerBuffer")
    usampler1D = Word("usampler1D")
    usampler2D = Word("usampler2D")
    usampler3D = Word("usampler3D")
    usamplerCube = Word("usamplerCube")
    usampler1DArray = Word("usampler1DArray")
    usampler2DArray = Word("usampler2DArray")
    usamplerCubeArray = Word("usamplerCubeArray")
    usampler2DRect = Word("usampler2DRect")
    usampler2DMS = Word("usampler2DMS")
    usampler2DMSArray = Word("usampler2DMSArray")
    usamplerBuffer = Word("usamplerBuffer")
    texture1D = Word("texture1D")
    texture2D = Word("texture2D")
    texture3D = Word("texture3D")
    textureCube = Word("textureCube")
    texture1DArray = Word("texture1DArray")
    texture2DArray = Word("texture2DArray")
    textureCubeArray = Word("textureCubeArray")
    texture2DRect = Word("texture2DRect")
    texture2DMS = Word("texture2DMS")
    texture2DMSArray = Word("texture2DMSArray")
    textureBuffer = Word("textureBuffer")
    itexture1D = Word("itexture1D")
    itexture2D = Word("itexture2D")
    itexture3D = Word("itexture3D")
    itextureCube = Word("itextureCube")
    itexture1DArray = Word("itexture1DArray")
    itexture2DArray = Word("itexture2DArray")
    itextureCubeArray = Word("itextureCubeArray")
    itexture2DRect = Word("itexture2DRect")
    itexture2DMS = Word("itexture2DMS")
    itexture2DMSArray = Word("itexture2DMSArray")
    itextureBuffer = Word("itextureBuffer")
    utexture1D = Word("utexture1D")
    utexture2D = Word("utexture2D")
    utexture3D = Word("utexture3D")
    utextureCube = Word("utextureCube")
    utexture1DArray = Word("utexture1DArray")
    utexture2DArray = Word("utexture2DArray")
    utextureCubeArray = Word("utextureCubeArray")
    utexture2DRect = Word("utexture2DRect")
    utexture2DMS = Word("utexture2DMS")
    utexture2DMSArray = Word("utexture2DMSArray")
    utextureBuffer = Word("utextureBuffer")
    sampler1DShadow = Word("sampler1DShadow")
    sampler2DShadow = Word("sampler2DShadow")
    samplerCubeShadow = Word("samplerCubeShadow")
    sampler1DArrayShadow = Word("sampler1DArrayShadow")
    sampler2DArrayShadow = Word("sampler2DArrayShadow")
    samplerCubeArrayShadow = Word("samplerCubeArrayShadow")
    sampler2DRectShadow = Word("sampler2DRectShadow")
    sampler = Word("sampler")

binding: Any = Place("binding")
texture: Any = Word("texture")
texture_offset: Any = Word("texture_offset")
texture_lod: Any = Word("texture_lod")
texture_lod_offset: Any = Word("texture_lod_offset")
texture_grad: Any = Word("texture_grad")
texture_grad_offset: Any = Word("texture_grad_offset")
texel_fetch: Any = Word("texel_fetch")
texel_fetch_offset: Any = Word("texel_fetch_offset")
texture_gather: Any = Word("texture_gather")
texture_gather_offset: Any = Word("texture_gather_offset")
texture_gather_offsets: Any = Word("texture_gather_offsets")
texture_size: Any = Word("texture_size")
texture_levels: Any = Word("texture_levels")
texture_query_lod: Any = Word("texture_query_lod")
