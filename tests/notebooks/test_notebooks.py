"""Every notebook runs from top to bottom and says what its stored outputs say."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

NOTEBOOKS = sorted((Path(__file__).parents[2] / "notebooks").glob("*.ipynb"))
LARGEST_B = 400_000

each_notebook = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)


def printed(notebook: Any) -> dict[str, str]:
    """Return what each code cell printed, by the cell's id."""
    return {
        cell.id: "".join(out.text for out in cell.outputs if out.output_type == "stream")
        for cell in notebook.cells
        if cell.cell_type == "code"
    }


def kinds_of_output(notebook: Any) -> set[str]:
    """Return the kinds of output that the cells of a notebook have."""
    return {out.output_type for cell in notebook.cells for out in cell.get("outputs", ())}


def test_there_are_notebooks() -> None:
    """A test that runs every notebook has some to run."""
    assert NOTEBOOKS


@each_notebook
@pytest.mark.filterwarnings("default")  # Jupyter's own deprecations are not ours to mend
def test_notebook_runs_and_prints_what_is_stored(path: Path) -> None:
    """A notebook runs without an error, and its stored words are what its code says now."""
    stored = nbformat.read(path, as_version=4)
    fresh = nbformat.read(path, as_version=4)
    NotebookClient(fresh, kernel_name="python3", timeout=120, resources={"metadata": {"path": path.parent}}).execute()
    assert "error" not in kinds_of_output(fresh)
    assert printed(fresh) == printed(stored)


@each_notebook
def test_notebook_is_stored_with_small_outputs_and_stable_ids(path: Path) -> None:
    """A reader sees pictures on opening; a change of one cell is a change of few lines."""
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    assert (notebook.nbformat, notebook.nbformat_minor) >= (4, 5)
    assert len({cell.id for cell in notebook.cells}) == len(notebook.cells)
    counts = [cell.execution_count for cell in notebook.cells if cell.cell_type == "code"]
    assert counts == list(range(1, len(counts) + 1))
    assert kinds_of_output(notebook) == {"stream", "display_data"}
    assert path.stat().st_size <= LARGEST_B
