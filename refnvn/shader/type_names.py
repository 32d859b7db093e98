"""How do GLSL and the subset of Python call dimensions of textures and types of components?

One table for samplers, textures and images, both for those who read names and for those who print them.
"""

from __future__ import annotations

from refnvn.shader.ir_base import ComponentType
from refnvn.shader.ir_textures import TextureDimension

DIMENSION_NAMES = {
    TextureDimension.D1: "1D",
    TextureDimension.D2: "2D",
    TextureDimension.D3: "3D",
    TextureDimension.CUBE: "Cube",
    TextureDimension.D1_ARRAY: "1DArray",
    TextureDimension.D2_ARRAY: "2DArray",
    TextureDimension.CUBE_ARRAY: "CubeArray",
    TextureDimension.RECTANGLE: "2DRect",
    TextureDimension.MULTISAMPLE: "2DMS",
    TextureDimension.MULTISAMPLE_ARRAY: "2DMSArray",
    TextureDimension.BUFFER: "Buffer",
}
"""What stands behind ``sampler``, ``texture`` or ``image`` in the name of a type."""
DIMENSIONS = {name: dimension for dimension, name in DIMENSION_NAMES.items()}
TYPE_PREFIXES = {ComponentType.FLOAT: "", ComponentType.INT: "i", ComponentType.UINT: "u"}
"""What stands before the name of a type."""
PREFIX_TYPES = {prefix: type_ for type_, prefix in TYPE_PREFIXES.items()}
AS_WORD = {ComponentType.FLOAT: "floatBitsToUint({})", ComponentType.INT: "uint({})", ComponentType.UINT: "{}"}
"""How a value of GLSL becomes the 32-bit word that a register holds."""
