"""Programs: the shader of each stage, as intermediate representation.

NVN takes shaders that were compiled elsewhere; here each comes from :mod:`refnvn.shader`. A program is copied when it
is bound. Read next: ``command_buffer.py``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from refnvn.commands.resources import MeshStages
from refnvn.commands.resources import Program as ProgramRecord
from refnvn.enumerations import DrawPrimitive
from refnvn.errors import ArgumentError
from refnvn.nvn.arguments import instance, member, naming, text, whole
from refnvn.trace.check import check_program


class Program:
    """``NVNprogram``.

    Parameters
    ----------
    vertex, fragment, compute, geometry, tess_control, tess_evaluation : shader or dict, or None
        Shaders of :mod:`refnvn.shader`, or their JSON.
    mesh : MeshStages or None
        Task and mesh shaders, from :func:`mesh_stages`.
    label : str
        For people.

    Raises
    ------
    ArgumentError
        For no shader, or one that is not valid.
    """

    def __init__(
        self,
        vertex: object = None,
        fragment: object = None,
        compute: object = None,
        *,
        geometry: object = None,
        tess_control: object = None,
        tess_evaluation: object = None,
        mesh: MeshStages | None = None,
        label: str = "",
    ) -> None:
        shaders = {
            "vertex": vertex, "fragment": fragment, "compute": compute, "geometry": geometry,
            "tess_control": tess_control, "tess_evaluation": tess_evaluation,
        }  # fmt: skip
        if mesh is not None:
            instance("Program", "mesh", mesh, MeshStages)
        elif all(shader is None for shader in shaders.values()):
            raise ArgumentError(f"Program: no shader, allowed are {', '.join(shaders)}")
        text("Program", "label", label)
        stored = {stage: shader_json(stage, shader) for stage, shader in shaders.items()}
        self.record = ProgramRecord(label=label, mesh=mesh, **stored)
        with naming("Program"):
            check_program(self.record)


def mesh_stages(
    mesh: object,
    task: object = None,
    *,
    vertices: int,
    primitives: int,
    outputs: Sequence[tuple[int, int]] = ((-1, 4),),
    primitive: DrawPrimitive | str | int = "TRIANGLES",
    payload_words: int = 0,
) -> MeshStages:
    """Return the task and mesh shader of a program; see ``refnvn/commands/mesh.py`` for what they write.

    Parameters
    ----------
    mesh, task : shader or dict, or None
        In the form of compute shaders.
    vertices, primitives : int
        The most that a workgroup gives.
    outputs : pairs of int
        Location and components of each output of a vertex; location -1 is the position.
    primitive : DrawPrimitive
        POINTS, LINES or TRIANGLES.
    payload_words : int
        What a task hands on.
    """
    call = "mesh_stages"
    found = shader_json("mesh", mesh)
    if found is None:
        raise ArgumentError(f"{call}: mesh is None, allowed is a shader of refnvn.shader")
    return MeshStages(
        mesh=found,
        task=shader_json("task", task),
        primitive=member(call, "primitive", primitive, DrawPrimitive),
        vertices=whole(call, "vertices", vertices, 1, 256),
        primitives=whole(call, "primitives", primitives, 1, 512),
        outputs=tuple({"location": location, "components": components} for location, components in outputs),
        payload_words=whole(call, "payload_words", payload_words, 0, 4096),
    )


def shader_json(stage: str, shader: object) -> dict[str, Any] | None:
    """Return a shader as the JSON that a recording holds.

    Raises
    ------
    ArgumentError
        For anything but a shader or its JSON.
    """
    if shader is None:
        return None
    built = msgspec.json.decode(msgspec.json.encode(shader)) if isinstance(shader, msgspec.Struct | dict) else None
    if not isinstance(built, dict):
        raise ArgumentError(f"Program: {stage} is {type(shader).__name__}, allowed are shaders of refnvn.shader")
    return built
