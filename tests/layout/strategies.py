"""Hypothesis strategies: textures of every kind, small enough to lay out whole."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from refnvn.layout.description import (
    NO_FLAGS,
    Element,
    PackagedLayout,
    TextureDescription,
    TextureFlags,
    TextureTarget,
)

BLOCKS = [(1, 1), (4, 4), (5, 4), (6, 6), (8, 5), (12, 12)]


@st.composite
def elements(draw: Any) -> Element:
    """Draw a texel or a compressed block."""
    width_px, height_px = draw(st.sampled_from(BLOCKS))
    sizes = [8, 16] if width_px > 1 else [1, 2, 4, 8, 16]
    return Element(draw(st.sampled_from(sizes)), width_px, height_px)


@st.composite
def textures(draw: Any) -> TextureDescription:
    """Draw a block-linear, sparse or linear texture."""
    kind = draw(
        st.sampled_from(["2d", "array", "cube", "3d", "sparse_2d", "sparse_3d", "1d_array", "samples", "linear"])
    )
    element = draw(elements())
    width, height = draw(st.integers(1, 200)), draw(st.integers(1, 200))
    fields: dict[str, Any] = {"element": element, "width": width, "height": height}
    levels = draw(st.integers(1, 9))
    packaged = draw(st.none() | st.sampled_from([PackagedLayout(h) for h in (1, 2, 4, 8, 16, 32)]))
    match kind:
        case "2d":
            fields |= {"levels": levels, "packaged": packaged}
        case "array":
            fields |= {"target": TextureTarget.TARGET_2D_ARRAY, "depth": draw(st.integers(1, 4)), "levels": levels}
        case "cube":
            fields |= {"target": TextureTarget.TARGET_CUBEMAP, "height": width, "levels": levels}
        case "3d" | "sparse_3d":
            sparse = TextureFlags.SPARSE if kind == "sparse_3d" else NO_FLAGS
            size = draw(st.integers(1, 60)), draw(st.integers(1, 60)), draw(st.integers(1, 40))
            fields |= {"target": TextureTarget.TARGET_3D, "levels": levels, "flags": sparse}
            fields |= dict(zip(("width", "height", "depth"), size, strict=True))
        case "sparse_2d":
            fields |= {"flags": TextureFlags.SPARSE, "levels": levels}
        case "1d_array":
            fields |= {"target": TextureTarget.TARGET_1D_ARRAY, "height": draw(st.integers(1, 5)), "levels": levels}
        case "samples":
            samples = draw(st.sampled_from([2, 4, 8, 16]))
            fields |= {"target": TextureTarget.TARGET_2D_MULTISAMPLE, "samples": samples, "element": Element(4)}
        case "linear":
            fields |= {"flags": TextureFlags.LINEAR}
    return TextureDescription(**fields)
