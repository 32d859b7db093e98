"""docs/trace-format.md describes every field of the format."""

from pathlib import Path

import msgspec
import pytest

from refnvn.commands import recording as r
from refnvn.commands import resources, state
from refnvn.commands.commands import Command
from refnvn.commands.event import Event

TEXT = (Path(__file__).parents[2] / "docs" / "trace-format.md").read_text(encoding="utf-8")
STATES = [one for one in state.Record.__subclasses__() if one.__module__ == state.__name__]
ROWS: list[type[msgspec.Struct]] = [*Command.__subclasses__(), *Event.__subclasses__(), *STATES]
SECTIONS = [
    r.Recording, r.Queue, resources.MemoryPool, resources.Packaged, resources.Texture, resources.View,
    resources.TextureRef, resources.Region, resources.Program, resources.MeshStages,
]  # fmt: skip


@pytest.mark.parametrize("kind", ROWS, ids=lambda kind: kind.__name__)
def test_a_row_has_all_fields(kind: type[msgspec.Struct]) -> None:
    """The row of a command, state or event names each of its fields."""
    (row,) = [line for line in TEXT.splitlines() if line.startswith(f"| `{kind.__name__}` |")]
    for field in kind.__struct_fields__:
        assert f"`{field}`" in row, field


@pytest.mark.parametrize("kind", SECTIONS, ids=lambda kind: kind.__name__)
def test_a_resource_has_all_fields(kind: type[msgspec.Struct]) -> None:
    """Each field stands in the text."""
    for field in kind.__struct_fields__:
        assert f"`{field}`" in TEXT, field
