"""Which outputs of the stages before the rasteriser mean something by themselves? Those of negative locations.

Read next: ``validate.py``.
"""

from __future__ import annotations

from dataclasses import dataclass

from refnvn.shader.ir import POINT_SIZE, POSITION, Input, Output
from refnvn.shader.ir_base import ComponentType, Interpolation, Sampling, Stage

LAYER = -3
"""Which layer of the targets a primitive goes to."""
VIEWPORT_INDEX = -4
"""Which viewport a primitive goes through."""
CLIP_DISTANCES = -5
"""Clip distances 0 to 3; -6 holds 4 to 7."""
MORE_CLIP_DISTANCES = -6
PRIMITIVE_ID = -7
"""The number that the fragment shader sees of a primitive that a geometry shader makes."""
TESS_LEVEL_OUTER = -8
TESS_LEVEL_INNER = -9
MOST_CLIP_DISTANCES = 8

_TO_RASTER = frozenset({Stage.VERTEX, Stage.TESS_EVALUATION, Stage.GEOMETRY})
_WITH_POSITION = _TO_RASTER | {Stage.TESS_CONTROL}


@dataclass(frozen=True, slots=True)
class Special:
    """An output that means something.

    Attributes
    ----------
    name : str
        As ``gl`` of the Python subset calls it; several words where it has another form.
    components : tuple of int
        How many it may have.
    type : ComponentType
    stages : set of Stage
        Which stages write it.
    glsl : str
        What GLSL calls it.
    """

    name: str
    components: tuple[int, ...]
    type: ComponentType
    stages: frozenset[Stage]
    glsl: str


SPECIAL_OUTPUTS: dict[int, Special] = {
    POSITION: Special("position", (4,), ComponentType.FLOAT, _WITH_POSITION, "gl_Position"),
    POINT_SIZE: Special("point_size", (1,), ComponentType.FLOAT, _WITH_POSITION, "gl_PointSize"),
    LAYER: Special("layer", (1,), ComponentType.INT, _TO_RASTER, "gl_Layer"),
    VIEWPORT_INDEX: Special("viewport_index", (1,), ComponentType.INT, _TO_RASTER, "gl_ViewportIndex"),
    CLIP_DISTANCES: Special("clip_distance", (1, 2, 3, 4), ComponentType.FLOAT, _TO_RASTER, "gl_ClipDistance"),
    MORE_CLIP_DISTANCES: Special("clip_distance", (1, 2, 3, 4), ComponentType.FLOAT, _TO_RASTER, "gl_ClipDistance"),
    PRIMITIVE_ID: Special("primitive_id", (1,), ComponentType.INT, frozenset({Stage.GEOMETRY}), "gl_PrimitiveID"),
    TESS_LEVEL_OUTER: Special(
        "tess_level_outer", (4,), ComponentType.FLOAT, frozenset({Stage.TESS_CONTROL}), "gl_TessLevelOuter"
    ),
    TESS_LEVEL_INNER: Special(
        "tess_level_inner", (2,), ComponentType.FLOAT, frozenset({Stage.TESS_CONTROL}), "gl_TessLevelInner"
    ),
}
"""By location."""


def misfit(stage: Stage, output: Output) -> str | None:
    """Return what is wrong with an output of a negative location; None where nothing is.

    Examples
    --------
    >>> misfit(Stage.VERTEX, Output(location=-1, components=3))
    'a position has 4 float components'
    >>> misfit(Stage.VERTEX, Output(location=-3, components=1, type=ComponentType.INT))
    """
    special = SPECIAL_OUTPUTS.get(output.location)
    if special is None or stage not in special.stages:
        return allowed_outputs(stage)
    if output.components not in special.components or output.type is not special.type:
        counts = f"{special.components[0]}{f' to {special.components[-1]}' if len(special.components) > 1 else ''}"
        plural = "" if special.components == (1,) else "s"
        return f"a {special.name.replace('_', ' ')} has {counts} {special.type.value} component{plural}"
    return None


def input_misfit(stage: Stage, one: Input) -> str | None:
    """Return what is wrong with an input of a negative location; None where nothing is.

    Examples
    --------
    >>> input_misfit(Stage.FRAGMENT, Input(location=-5, components=2))
    >>> input_misfit(Stage.VERTEX, Input(location=-5, components=2))
    'inputs of a vertex shader are 0 to 31'
    """
    if stage is not Stage.FRAGMENT or one.location not in (CLIP_DISTANCES, MORE_CLIP_DISTANCES):
        more = f", {CLIP_DISTANCES} and {MORE_CLIP_DISTANCES} for clip distances" if stage is Stage.FRAGMENT else ""
        return f"inputs of a {stage} shader are 0 to 31{more}"
    how = (one.type, one.interpolation, one.sampling)
    if how != (ComponentType.FLOAT, Interpolation.SMOOTH, Sampling.CENTER):
        return "clip distances are smooth float components, taken at the centre"
    return None


def allowed_outputs(stage: Stage) -> str:
    """Say which outputs a stage may have.

    Examples
    --------
    >>> allowed_outputs(Stage.VERTEX)[:70]
    'outputs of a vertex shader are 0 to 31, -1 for position, -2 for point '
    """
    found = [
        f"{location} for {special.name.replace('_', ' ')}"
        for location, special in SPECIAL_OUTPUTS.items()
        if stage in special.stages
    ]
    return f"outputs of a {stage} shader are 0 to 31, {', '.join(found)}"
