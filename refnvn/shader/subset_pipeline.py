"""What does a shader of the subset give the pipeline by name: ``gl.point_size = ...``, ``gl.layer = ...``?

Read next: ``special_outputs.py``.
"""

from __future__ import annotations

from refnvn.shader.builder import Builder
from refnvn.shader.ir import SAMPLE_MASK, Input, Output, StoreDepth, StoreOutput
from refnvn.shader.ir_base import ComponentType, Stage
from refnvn.shader.special_outputs import CLIP_DISTANCES, MOST_CLIP_DISTANCES, SPECIAL_OUTPUTS
from refnvn.shader.subset_stages import store_patch_output
from refnvn.shader.subset_values import FLOAT, UINT, Anything, Misuse, Type, Value, typed
from refnvn.shader.validate_stages import PATCH_LEVELS

_BY_NAME = {special.name: location for location, special in reversed(SPECIAL_OUTPUTS.items())}
_RETURNED = ("position",)
WRITTEN = ("frag_depth", "sample_mask", *(name for name in reversed(_BY_NAME) if name not in _RETURNED))
"""What ``gl`` lets a shader assign to, in some stage."""


def give(builder: Builder, attribute: str, value: Anything, element: int | None = None) -> None:
    """Emit an assignment to ``gl.attribute``, or to an element of it.

    Raises
    ------
    Misuse
        For what cannot be assigned, not in this stage, or not of this type.
    """
    if attribute not in WRITTEN:
        names = ", ".join(f"gl.{one}" for one in WRITTEN[:-1])
        raise Misuse(f"gl.{attribute} cannot be assigned; {names} and gl.{WRITTEN[-1]} can")
    if attribute == "frag_depth":
        _give_depth(builder, value)
        return
    if attribute == "sample_mask":
        _give_mask(builder, value)
        return
    location = _BY_NAME[attribute]
    special = SPECIAL_OUTPUTS[location]
    if builder.stage not in special.stages:
        raise Misuse(f"a {builder.stage} shader has no gl.{attribute} to write")
    if attribute == "clip_distance":
        location, first = _clip_distance(element)
        wanted = Type(special.type.value)
    else:
        if element is not None:
            raise Misuse(f"gl.{attribute} has no elements")
        first, wanted = 0, Type(special.type.value, special.components[-1])
    found = typed(builder, value, wanted.kind)
    if found.type != wanted:
        raise Misuse(f"gl.{attribute} takes {wanted}, not {found.type}")
    if location in PATCH_LEVELS:
        store_patch_output(builder, location, found, special.name)
        return
    known = builder.outputs.get(location)
    components = max(first + wanted.size, 0 if known is None else known.components)
    builder.outputs[location] = Output(
        location=location, components=components, type=special.type, name=special.name
    )  # fmt: skip
    for component, register in enumerate(found.registers):
        builder.emit(StoreOutput(location=location, component=first + component, of=register))


def read_clip_distance(builder: Builder, element: int) -> Value:
    """Return a clip distance that a fragment shader reads."""
    location, component = _clip_distance(element)
    known = {one.location: one for one in builder.inputs}
    components = max(component + 1, known[location].components if location in known else 0)
    others = [one for one in builder.inputs if one.location != location]
    builder.inputs[:] = [*others, Input(location=location, components=components, name="clip_distance")]
    return Value(Type(FLOAT), (builder.load_input(location, component),))


def _clip_distance(element: int | None) -> tuple[int, int]:
    """Return location and component of a clip distance."""
    if element is None or not 0 <= element < MOST_CLIP_DISTANCES:
        raise Misuse(f"write gl.clip_distance[0] to gl.clip_distance[{MOST_CLIP_DISTANCES - 1}]")
    return CLIP_DISTANCES - element // 4, element % 4


def _give_mask(builder: Builder, value: Anything) -> None:
    if builder.stage is not Stage.FRAGMENT:
        raise Misuse(f"a {builder.stage} shader has no gl.sample_mask")
    mask = typed(builder, value, UINT)
    if mask.type != Type(UINT):
        raise Misuse(f"gl.sample_mask takes a uint, not {mask.type}")
    builder.outputs[SAMPLE_MASK] = Output(location=SAMPLE_MASK, components=1, type=ComponentType.UINT)
    builder.emit(StoreOutput(location=SAMPLE_MASK, of=mask.registers[0]))


def _give_depth(builder: Builder, value: Anything) -> None:
    if builder.stage is not Stage.FRAGMENT:
        raise Misuse(f"a {builder.stage} shader has no gl.frag_depth")
    depth = typed(builder, value, FLOAT)
    if depth.type != Type(FLOAT):
        raise Misuse(f"gl.frag_depth takes a float, not {depth.type}")
    builder.emit(StoreDepth(of=depth.registers[0]))
