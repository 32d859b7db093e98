"""Where do the fields of a storage buffer, or of shared memory, lie? As std430 places them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from refnvn.shader.subset_values import (
    FLOAT,
    MatrixType,
    MemoryField,
    MemoryLayout,
    Misuse,
    Type,
    field_type_of,
)

if TYPE_CHECKING:
    from refnvn.shader.language_memory import Shared, Storage

MOST_ELEMENTS = 1 << 20
MOST_STORAGE_BINDING = 15
_WORD_B = 4


def _std430(field_type: Type | MatrixType) -> tuple[int, int, int]:
    """Return alignment, size and distance of columns in bytes of one element."""
    if isinstance(field_type, MatrixType):
        column_B, _, _ = _std430(Type(FLOAT, field_type.size))
        return column_B, column_B * field_type.size, column_B
    alignment_B = {1: 4, 2: 8, 3: 16, 4: 16}[field_type.size]
    return alignment_B, _WORD_B * field_type.size, 0


def memory_layout_of(block: type[Storage] | type[Shared], names: dict[str, Any]) -> MemoryLayout:
    """Return where the fields of a block lie.

    Parameters
    ----------
    block : class
        Of a storage buffer, or of shared memory.
    names : dict
        The names that its annotations may use.

    Raises
    ------
    Misuse
        For a field of no type, an array without a length that is not the last of a storage buffer, or a binding
        outside 0 to 15.
    """
    binding = getattr(block, "binding", None)
    if binding is not None and not 0 <= binding <= MOST_STORAGE_BINDING:
        raise Misuse(f"storage buffer {block.__name__} has binding {binding}; bindings are 0 to 15")
    fields: dict[str, MemoryField] = {}
    end_B = 0
    annotations = block.__annotations__
    for number, (name, annotation) in enumerate(annotations.items()):
        found, length = field_type_of(annotation, names)
        last_of_storage = binding is not None and number == len(annotations) - 1
        if length == 0 and not last_of_storage:
            raise Misuse(f"{block.__name__}.{name}: only the last field of a storage buffer may be an open array")
        if length is not None and length > MOST_ELEMENTS:
            raise Misuse(f"{block.__name__}.{name} has {length} elements; {MOST_ELEMENTS} are allowed")
        alignment_B, size_B, column_B = _std430(found)
        stride_B = -(-size_B // alignment_B) * alignment_B
        start_B = -(-end_B // alignment_B) * alignment_B
        fields[name] = MemoryField(start_B, found, length, stride_B, column_B)
        end_B = start_B + (size_B if length is None else stride_B * length)
    if not fields:
        raise Misuse(f"{block.__name__} has no fields")
    return MemoryLayout(end_B, fields)
