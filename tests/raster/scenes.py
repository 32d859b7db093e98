"""Small shaders, targets and draws that the tests of this room share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from refnvn.formats.packing import unpack_codes
from refnvn.formats.table import format_named
from refnvn.raster.draw import draw_triangles
from refnvn.raster.state import RasterState
from refnvn.raster.target import ColorTarget, DepthStencilTarget
from refnvn.shader.ir import Shader, from_object

ONE = 0x3F800000
WHOLE = np.array([[-1, -1, 0, 1], [3, -1, 0, 1], [-1, 3, 0, 1]], np.float32)
"""One triangle over the whole viewport."""


def shader(**fields: Any) -> Shader:
    """Return a fragment shader from its JSON fields."""
    return from_object({"refnvn_shader": 1, "stage": "fragment", **fields})


def constant(*bits: int, location: int = 0) -> Shader:
    """Return a shader that writes up to four constant words."""
    statements: list[dict[str, Any]] = []
    for component, word in enumerate(bits):
        statements.append({"do": "constant", "to": 0, "bits": word})
        statements.append({"do": "store_output", "location": location, "component": component, "of": 0})
    outputs = [{"location": location, "components": len(bits)}]
    return shader(outputs=outputs, registers=["word"], statements=statements)


def passthrough(components: int = 4, interpolation: str = "smooth", kind: str = "float") -> Shader:
    """Return a shader whose output 0 is its input 0."""
    statements: list[dict[str, Any]] = []
    for k in range(components):
        statements.append({"do": "load_input", "to": 0, "location": 0, "component": k})
        statements.append({"do": "store_output", "location": 0, "component": k, "of": 0})
    inputs = [{"location": 0, "components": components, "interpolation": interpolation, "type": kind}]
    outputs = [{"location": 0, "components": components, "type": kind}]
    return shader(inputs=inputs, outputs=outputs, registers=["word"], statements=statements)


def builtins(*names: str, kinds: Sequence[str] = ("word",)) -> Shader:
    """Return a shader that writes builtins as words."""
    statements: list[dict[str, Any]] = []
    for k, name in enumerate(names):
        statements.append({"do": "load_builtin", "to": 0, "builtin": name})
        statements.append({"do": "store_output", "location": 0, "component": k, "of": 0})
    outputs = [{"location": 0, "components": len(names), "type": "uint"}]
    return shader(outputs=outputs, registers=list(kinds), statements=statements)


def color(name: str = "RGBA8", width: int = 8, height: int = 8, fill: int = 0) -> ColorTarget:
    """Return a colour target whose bytes are all ``fill``."""
    fmt = format_named(name)
    return ColorTarget(fmt, np.full((height, width, fmt.bytes_per_block), fill, np.uint8))


def zeta(name: str = "DEPTH24_STENCIL8", width: int = 8, height: int = 8, fill: int = 0) -> DepthStencilTarget:
    """Return a depth-stencil target whose bytes are all ``fill``."""
    fmt = format_named(name)
    return DepthStencilTarget(fmt, np.full((height, width, fmt.bytes_per_block), fill, np.uint8))


def codes(target: ColorTarget | DepthStencilTarget) -> np.ndarray:
    """Return the codes of a target, shape (rows, columns, components)."""
    return unpack_codes(target.fmt, target.codes)


def view(target: ColorTarget | DepthStencilTarget, **fields: Any) -> RasterState:
    """Return a state whose viewport is the whole target."""
    rows, columns = target.codes.shape[:2]
    return RasterState(**{"viewport": (0.0, 0.0, float(columns), float(rows)), **fields})


def clip(pixels: np.ndarray, width: int, height: int, z: float = 0.0) -> np.ndarray:
    """Return clip positions, shape (n, 4), that the viewport transform turns into these pixels."""
    found = np.zeros((len(pixels), 4), np.float32)
    found[:, 0] = pixels[:, 0] * 2 / width - 1
    found[:, 1] = pixels[:, 1] * 2 / height - 1
    found[:, 2], found[:, 3] = z, 1
    return found


def draw(
    state: RasterState,
    colors: Sequence[ColorTarget | None],
    depth: DepthStencilTarget | None,
    positions: np.ndarray,
    fragment: Shader | None,
    varyings: np.ndarray | None = None,
    **options: Any,
) -> int:
    """Draw consecutive triples of vertices; ``varyings`` is (vertices, components) of float32 or uint32."""
    count = fragment.input_components if fragment is not None else 0
    given = np.zeros((len(positions), count), np.uint32) if varyings is None else varyings.view(np.uint32)
    indices = np.arange(len(positions)).reshape(-1, 3)
    words = np.ascontiguousarray(given.T)
    return draw_triangles(state, colors, depth, positions.astype(np.float32), words, indices, fragment, **options)
