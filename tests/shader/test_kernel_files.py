"""Where kernels lie, and that nothing but what was made is ever run."""

import os
import stat
from pathlib import Path

import numpy as np
import pytest

from refnvn.errors import ArgumentError
from refnvn.shader import execute_numba
from refnvn.shader.execute import LaneInputs
from refnvn.shader.ir import Shader, from_object
from refnvn.shader.numba_source import kernel_text


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return an empty cache folder, used while the test runs, with compiling off."""
    place = tmp_path / "kernels" / "shaders"
    monkeypatch.setattr(execute_numba, "_folder", lambda: place)
    monkeypatch.setattr(execute_numba, "compiled", lambda function: function)
    return place


def constant_shader(bits: int, name: str = "") -> Shader:
    """Return a fragment shader of one constant."""
    return from_object(
        {
            "refnvn_shader": 1,
            "stage": "fragment",
            "name": name,
            "outputs": [{"location": 0, "components": 1, "name": name}],
            "registers": ["word"],
            "statements": [
                {"do": "constant", "to": 0, "bits": bits},
                {"do": "store_output", "location": 0, "of": 0},
            ],
        }
    )


def result(shader: Shader) -> int:
    """Run the kernel of a shader of one constant."""
    lanes = LaneInputs(count=1, values=np.zeros((0, 1), np.uint32))
    return int(execute_numba.execute(execute_numba.kernel_of(shader), shader, lanes, 0).values[0, 0])


def test_a_kernel_lies_in_a_folder_of_ones_own(folder: Path) -> None:
    """The folder has mode 700, the file's name is the hash of its text, one shader one file."""
    assert not execute_numba.is_compiled(constant_shader(7))
    assert result(constant_shader(7)) == 7
    assert result(constant_shader(8)) == 8
    assert execute_numba.is_compiled(constant_shader(7))
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    names = {path.name for path in folder.iterdir()}
    assert len(names) == 2
    assert all(name.startswith("shader_") and len(name) == len("shader_.py") + 64 for name in names)


def test_a_changed_file_is_never_run(folder: Path) -> None:
    """What somebody else wrote into the file is replaced, not run."""
    result(constant_shader(7))
    (path,) = folder.iterdir()
    text = path.read_text()
    path.write_text(text.replace("np.uint32(7)", "np.uint32(666)"))
    assert result(constant_shader(7)) == 7
    assert path.read_text() == text


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="there are no such permissions here")
def test_a_folder_that_others_may_write_to_is_refused(folder: Path) -> None:
    """Mode 777 gives an error that says what to do."""
    folder.mkdir(parents=True)
    folder.chmod(0o777)
    with pytest.raises(ArgumentError, match="others may write"):
        execute_numba.kernel_of(constant_shader(7))


def test_names_do_not_reach_the_text() -> None:
    """Two shaders that differ in their names have one kernel."""
    named = kernel_text(constant_shader(7, "import_os"))
    assert named == kernel_text(constant_shader(7))
    assert "import_os" not in named
