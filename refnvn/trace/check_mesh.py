"""May a mesh program stand where it stands? Its shaders, its outputs, its primitives. Read next: ``check.py``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from refnvn.commands.mesh import CORNERS
from refnvn.commands.resources import MeshStages
from refnvn.errors import ArgumentError, FieldRangeError
from refnvn.trace.place import at

if TYPE_CHECKING:
    from refnvn.shader.ir import Shader


def outputs_shader(stages: MeshStages) -> Shader:
    """Return a vertex shader that only declares the outputs of a mesh shader.

    Raises
    ------
    ArgumentError
        For outputs that no vertex shader may have.
    """
    from refnvn.shader.ir import from_object

    return from_object({"refnvn_shader": 1, "stage": "vertex", "outputs": list(stages.outputs)}, "the outputs")


def check_mesh(stages: MeshStages) -> None:
    """Raise for a mesh program that cannot be.

    Raises
    ------
    Misplaced
        At the field that is wrong.
    """
    with at("primitive"):
        if stages.primitive not in CORNERS:
            names = ", ".join(one.name for one in CORNERS)
            raise FieldRangeError(f"{stages.primitive.name}, allowed are {names}")
    with at("outputs"):
        outputs_shader(stages)
    for name in ("task", "mesh"):
        shader = getattr(stages, name)
        if shader is not None:
            with at(name):
                check_form(shader)


def check_form(shader: dict[str, Any]) -> None:
    """Raise unless a shader has the form of a compute shader."""
    from refnvn.shader.ir import from_object

    found = from_object(shader, "the shader")
    if found.stage.value != "compute":
        raise ArgumentError(f"a {found.stage.value} shader, allowed is the form of a compute shader")
