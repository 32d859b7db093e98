"""How much may draws ask for whose numbers stand in memory, or in shaders? A replay must end, whatever they say.

What commands say themselves is checked before a replay begins (``refnvn/trace/check.py``). Read next:
``indirect.py``.
"""

from __future__ import annotations

from dataclasses import dataclass

from refnvn.errors import SizeError

MOST_DRAWS = 1 << 20
MOST_INSTANCES = 1 << 20
MOST_VERTICES = 1 << 26
"""Instances counted: as many as all draws may have whose commands say it."""
MOST_MESH_GROUPS = 1 << 22
"""Of task and mesh shaders, in all draws."""


@dataclass(slots=True)
class IndirectWork:
    """What indirect draws and mesh draws of a replay have asked for so far."""

    draws: int = 0
    instances: int = 0
    vertices: int = 0
    mesh_groups: int = 0

    def add_mesh_group(self) -> None:
        """Count a workgroup of a task or mesh shader.

        Raises
        ------
        SizeError
            Where all together are more than is allowed.
        """
        self.mesh_groups += 1
        if self.mesh_groups > MOST_MESH_GROUPS:
            raise SizeError(
                f"{self.mesh_groups} workgroups of task and mesh shaders so far, allowed are {MOST_MESH_GROUPS}"
            )

    def add(self, vertices: int, instances: int) -> None:
        """Count one record.

        Raises
        ------
        SizeError
            Where all together ask for more than is allowed.

        Examples
        --------
        >>> IndirectWork().add(3, 1 << 31)
        Traceback (most recent call last):
        refnvn.errors.SizeError: 2147483648 instances are asked for by records in memory so far, allowed are 1048576
        """
        self.draws += 1
        self.instances += instances if vertices else 0
        self.vertices += vertices * instances
        for what, count, limit in (
            ("draws", self.draws, MOST_DRAWS),
            ("instances", self.instances, MOST_INSTANCES),
            ("vertices", self.vertices, MOST_VERTICES),
        ):
            if count > limit:
                raise SizeError(f"{count} {what} are asked for by records in memory so far, allowed are {limit}")
