"""The words of the shader language that geometry and tessellation shaders have.

Like the others they mean something inside a shader only. What each does: ``docs/shader-subset.md``,
``subset_stages.py``.
"""

from __future__ import annotations

from typing import Any

from refnvn.shader.language_words import Place, Word

__all__ = ["emit_vertex", "end_primitive", "load_patch", "load_vertex", "patch", "store_patch", "store_vertex"]

patch: Any = Place("patch")
emit_vertex: Any = Word("emit_vertex")
end_primitive: Any = Word("end_primitive")
store_patch: Any = Word("store_patch")
store_vertex: Any = Word("store_vertex")
load_patch: Any = Word("load_patch")
load_vertex: Any = Word("load_vertex")
