"""Slack: what a faithful port on another GPU cannot be asked to match.

A result inside the slack is *imprecise*, which is no failure unless ``--exact`` asks for NVIDIA's own bits.
``METAL`` is the profile of Metal's documented conversions, as one whole.
"""

from __future__ import annotations

from refnvn.rules.alternatives import Alternative
from refnvn.rules.fields import (
    NVN,
    AlphaPrecision,
    BlendPrecision,
    DecodePacked,
    DecodeSrgb,
    FilterWeights,
    ImageLoad,
    LodLength,
    PlanePlace,
    Rules,
    Scope,
    ShaderDenormals,
    ShaderDivision,
    StoreAlpha2,
    StoreDepth24,
    StoreFloat,
    StoreNorm,
    StorePacked,
    StoreSrgb,
)

SLACK: tuple[Alternative, ...] = (
    Alternative("store_norm", StoreNorm.NEAREST_EVEN, "Metal rounds to nearest even: 0.5 is 128, not 127"),
    Alternative("store_float", StoreFloat.NEAREST_EVEN, "Metal rounds small floats to nearest even"),
    Alternative("store_srgb", StoreSrgb.NEAREST, "Metal's sRGB encode follows the exact curve"),
    Alternative("store_depth24", StoreDepth24.NEAREST, "a port rounds a 24-bit depth to nearest"),
    Alternative("store_packed", StorePacked.NEAREST_EVEN, "Metal converts straight to 4, 5 and 6 bits"),
    Alternative("store_alpha2", StoreAlpha2.NEAREST_EVEN, "Metal converts straight to 2 bits"),
    Alternative("image_load", ImageLoad.AS_FETCH, "Metal's typed image reads convert as its texture reads do"),
    Alternative("decode_srgb", DecodeSrgb.EXACT, "Metal's sRGB decode follows the exact curve"),
    Alternative("decode_packed", DecodePacked.DIVIDE, "Metal divides by the largest code"),
    Alternative("shader_denormals", ShaderDenormals.KEEP, "Metal leaves open whether denormals are flushed"),
    Alternative(
        "blend_precision", BlendPrecision.FLOAT32, "Metal leaves the precision of blending open; a port has no codes"
    ),
    Alternative("alpha_precision", AlphaPrecision.FLOAT32, "Metal has no alpha test: a port compares in its shader"),
    Alternative("plane_place", PlanePlace.BELOW, "another GPU interpolates otherwise", Scope.TEXEL),
    Alternative("plane_place", PlanePlace.ABOVE, "another GPU interpolates otherwise", Scope.TEXEL),
    Alternative("shader_division", ShaderDivision.ROUNDED, "Metal's precise division is correctly rounded"),
    Alternative(
        "filter_weights", FilterWeights.EXACT, "Metal leaves the precision of filters open; a port has no codes"
    ),
    Alternative("lod_length", LodLength.EUCLIDEAN, "Metal leaves the approximation of a footprint's length open"),
)

METAL: Rules = NVN.with_(**{a.field: a.setting for a in SLACK if a.scope is Scope.RUN})
"""Every conversion as Metal's specification states it; where planes lie it does not state."""
