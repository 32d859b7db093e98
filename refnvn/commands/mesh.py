"""What is a mesh program? Task and mesh shaders, and how what their workgroups write becomes primitives.

NVN2 has them; no public source says how its shaders name their outputs, so they are described as memory of a
workgroup. A shader has the form of a compute shader, and sees that memory as a storage buffer:

- binding 15 of a mesh shader, in words: how many primitives; then for each of ``primitives`` the vertices it is made
  of; then for each of ``vertices`` the components of all ``outputs``, one output after another;
- binding 15 of a task shader: how many workgroups of the mesh shader it asks for, then the payload;
- binding 14 of a mesh shader: that payload.

It is all zeros when a workgroup begins. Other bindings, uniform buffers and textures are those of the vertex stage.

Read next: ``resources.py``, ``refnvn/replay/mesh.py``.
"""

from __future__ import annotations

from refnvn.enumerations import DrawPrimitive

GROUP_BINDING, PAYLOAD_BINDING = 15, 14
CORNERS = {DrawPrimitive.POINTS: 1, DrawPrimitive.LINES: 2, DrawPrimitive.TRIANGLES: 3}
"""Vertices of a primitive."""
