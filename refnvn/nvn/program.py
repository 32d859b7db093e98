"""Programs: the shader of each stage, as intermediate representation.

NVN takes shaders that were compiled elsewhere; here each comes from :mod:`refnvn.shader`. A program is copied when it
is bound. Read next: ``command_buffer.py``.
"""

from __future__ import annotations

from typing import Any

import msgspec

from refnvn.commands.resources import Program as ProgramRecord
from refnvn.errors import ArgumentError
from refnvn.nvn.arguments import naming, text
from refnvn.trace.check import check_program


class Program:
    """``NVNprogram``.

    Parameters
    ----------
    vertex, fragment, compute, geometry, tess_control, tess_evaluation : shader or dict, or None
        Shaders of :mod:`refnvn.shader`, or their JSON.
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
        label: str = "",
    ) -> None:
        shaders = {
            "vertex": vertex, "fragment": fragment, "compute": compute, "geometry": geometry,
            "tess_control": tess_control, "tess_evaluation": tess_evaluation,
        }  # fmt: skip
        if all(shader is None for shader in shaders.values()):
            raise ArgumentError(f"Program: no shader, allowed are {', '.join(shaders)}")
        text("Program", "label", label)
        stored = {stage: shader_json(stage, shader) for stage, shader in shaders.items()}
        self.record = ProgramRecord(label=label, **stored)
        with naming("Program"):
            check_program(self.record)


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
