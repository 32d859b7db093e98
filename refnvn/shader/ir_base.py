"""Which words does the intermediate representation use everywhere: registers, stages, kinds, statements' base?

Split from ``ir.py`` so that statements of one subject can have a file of their own. Read next: ``ir.py``.
"""

from __future__ import annotations

import re
from enum import StrEnum
from typing import Annotated

import msgspec
from msgspec import Meta

Register = Annotated[int, Meta(ge=0, lt=1024)]
Place = Annotated[int, Meta(ge=0, le=3)]
UInt32 = Annotated[int, Meta(ge=0, lt=1 << 32)]
Identifier = Annotated[str, Meta(pattern=r"^([A-Za-z][A-Za-z0-9_]{0,62})?$")]


class Record(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """Base of everything that a shader's JSON holds."""


class Stage(StrEnum):
    """Which stage runs the shader."""

    VERTEX = "vertex"
    TESS_CONTROL = "tess_control"
    TESS_EVALUATION = "tess_evaluation"
    GEOMETRY = "geometry"
    FRAGMENT = "fragment"
    COMPUTE = "compute"


class Kind(StrEnum):
    """What a register holds."""

    WORD = "word"
    BOOL = "bool"


class ComponentType(StrEnum):
    """How the components of an input or output are seen outside."""

    FLOAT = "float"
    INT = "int"
    UINT = "uint"


class Interpolation(StrEnum):
    """How a fragment input comes from its vertices."""

    SMOOTH = "smooth"
    NOPERSPECTIVE = "noperspective"
    FLAT = "flat"


class Sampling(StrEnum):
    """Where in a pixel a fragment input is evaluated."""

    CENTER = "center"
    CENTROID = "centroid"
    SAMPLE = "sample"


class Builtin(StrEnum):
    """A value that the pipeline gives; ``front_facing`` is a boolean, the others are words."""

    VERTEX_ID = "vertex_id"
    INSTANCE_ID = "instance_id"
    FRAG_COORD_X = "frag_coord_x"
    FRAG_COORD_Y = "frag_coord_y"
    FRAG_COORD_Z = "frag_coord_z"
    FRAG_COORD_W = "frag_coord_w"
    FRONT_FACING = "front_facing"
    PRIMITIVE_ID = "primitive_id"
    POINT_COORD_X = "point_coord_x"
    POINT_COORD_Y = "point_coord_y"
    SAMPLE_ID = "sample_id"
    SAMPLE_MASK_IN = "sample_mask_in"
    SAMPLE_POSITION_X = "sample_position_x"
    SAMPLE_POSITION_Y = "sample_position_y"
    LAYER = "layer"
    VIEWPORT_INDEX = "viewport_index"
    INVOCATION_ID = "invocation_id"
    PATCH_VERTICES = "patch_vertices"
    TESS_COORD_X = "tess_coord_x"
    TESS_COORD_Y = "tess_coord_y"
    TESS_COORD_Z = "tess_coord_z"
    WORK_GROUP_ID_X = "work_group_id_x"
    WORK_GROUP_ID_Y = "work_group_id_y"
    WORK_GROUP_ID_Z = "work_group_id_z"
    LOCAL_ID_X = "local_id_x"
    LOCAL_ID_Y = "local_id_y"
    LOCAL_ID_Z = "local_id_z"
    LOCAL_INDEX = "local_index"
    GLOBAL_ID_X = "global_id_x"
    GLOBAL_ID_Y = "global_id_y"
    GLOBAL_ID_Z = "global_id_z"
    WORK_GROUPS_X = "work_groups_x"
    WORK_GROUPS_Y = "work_groups_y"
    WORK_GROUPS_Z = "work_groups_z"

    @property
    def kind(self) -> Kind:
        """What a register that takes it must hold."""
        return Kind.BOOL if self is Builtin.FRONT_FACING else Kind.WORD

    @property
    def stages(self) -> frozenset[Stage]:
        """The stages that have it."""
        if self.startswith(_OF_COMPUTE):
            return frozenset({Stage.COMPUTE})
        return _STAGES.get(self, _FRAGMENT_ONLY)


_OF_COMPUTE = ("work_group", "local_", "global_")
_FRAGMENT_ONLY = frozenset({Stage.FRAGMENT})
_STAGES = {
    Builtin.VERTEX_ID: frozenset({Stage.VERTEX}),
    Builtin.INSTANCE_ID: frozenset({Stage.VERTEX}),
    Builtin.PRIMITIVE_ID: frozenset({Stage.TESS_CONTROL, Stage.TESS_EVALUATION, Stage.GEOMETRY, Stage.FRAGMENT}),
    Builtin.INVOCATION_ID: frozenset({Stage.TESS_CONTROL, Stage.GEOMETRY}),
    Builtin.PATCH_VERTICES: frozenset({Stage.TESS_CONTROL, Stage.TESS_EVALUATION}),
    Builtin.TESS_COORD_X: frozenset({Stage.TESS_EVALUATION}),
    Builtin.TESS_COORD_Y: frozenset({Stage.TESS_EVALUATION}),
    Builtin.TESS_COORD_Z: frozenset({Stage.TESS_EVALUATION}),
}


class Axis(StrEnum):
    """The direction of a derivative in window coordinates."""

    X = "x"
    Y = "y"


def _tag(class_name: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", class_name).lower()


class Statement(Record, frozen=True, kw_only=True, tag_field="do", tag=_tag):
    """Base of all statements; the JSON field ``do`` holds which."""
