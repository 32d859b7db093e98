"""How does a compiled kernel run a shader?

The kernel's text (``numba_source.py``) lies as a module in the user's own cache folder, under a name that is the hash
of what is in it; it is compared with what it should be before it is used, so that a changed file is never run. numba
keeps the compiled code beside it.
"""

from __future__ import annotations

import functools
import hashlib
import importlib.abc
import importlib.util
import os
import stat
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from refnvn.errors import ArgumentError
from refnvn.files import write_file
from refnvn.kernel import cache_folder, compiled
from refnvn.shader.execute import LaneInputs, LaneOutputs, plan_of
from refnvn.shader.ir import Shader
from refnvn.shader.numba_source import kernel_text
from refnvn.shader.uniforms import uniform_words
from refnvn.shader.validate import validate

Kernel = Callable[..., None]


@functools.cache
def _folder() -> Path:
    return cache_folder() / "shaders"


def _own_folder() -> Path:
    """Return the folder for kernels, which only the user may write to.

    Raises
    ------
    ArgumentError
        Where somebody else owns it or may write to it.
    """
    folder = _folder()
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    state = folder.stat()
    if state.st_uid != os.getuid() or state.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        raise ArgumentError(
            f"{folder}: others may write to the folder of compiled shaders; make it yours with mode 700"
        )
    return folder


def _path(text: str) -> Path:
    return _folder() / f"shader_{hashlib.sha256(text.encode()).hexdigest()}.py"


def is_compiled(shader: Shader) -> bool:
    """Whether a kernel of this shader has been made before, so that it starts at once."""
    return _path(kernel_text(shader)).is_file()


class _TextLoader(importlib.abc.InspectLoader):
    """Runs a text that is in memory, under the name of the file that holds the same."""

    def __init__(self, text: str, path: str) -> None:
        self.text = text
        self.path = path

    def get_source(self, fullname: str) -> str:
        return self.text

    def get_code(self, fullname: str) -> Any:
        return self.source_to_code(self.text, self.path)


def load(text: str, path: str, compile_function: Callable[[Kernel], Kernel]) -> Kernel:
    """Return the function ``shade`` of a kernel's text.

    Parameters
    ----------
    text : str
        From :func:`refnvn.shader.numba_source.kernel_text`.
    path : str
        The file that holds it.
    compile_function : callable
        What the text calls ``compiled``.
    """
    loader = _TextLoader(text, path)
    spec = importlib.util.spec_from_loader(f"refnvn_{Path(path).stem}", loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    vars(module)["compiled"] = compile_function
    sys.modules[spec.name] = module  # where numba looks when it loads what it kept
    loader.exec_module(module)
    shade: Kernel = vars(module)["shade"]
    return shade


def kernel_of(shader: Shader) -> Kernel:
    """Return the kernel of a shader, compiled when it is first called, or as it is where compiling is off.

    Raises
    ------
    InputFileError
        For what is no shader.
    ArgumentError
        Where others may write to the cache folder.
    """
    text = kernel_text(validate(shader))
    folder = _own_folder()
    path = folder / _path(text).name
    if not path.is_file() or path.read_text(encoding="utf-8") != text:
        write_file(path, text)
    return load(text, str(path), compiled)


def _words(array: NDArray[Any]) -> NDArray[np.uint32]:
    """Return an array as kernels are compiled for it: contiguous, writable."""
    return np.require(array, dtype=np.uint32, requirements=["C", "W"])


def execute(kernel: Kernel, shader: Shader, lanes: LaneInputs, mode: int) -> LaneOutputs:
    """Run a kernel of a validated shader; see :func:`refnvn.shader.execute.run`."""
    count, plan = lanes.count, plan_of(shader)
    builtins = np.zeros((len(plan.builtins), count), dtype=np.uint32)
    for row, builtin in enumerate(plan.builtins):
        builtins[row] = lanes.builtins[builtin]
    outputs = np.zeros((plan.output_components, count), dtype=np.uint32)
    discarded = np.zeros(count, dtype=np.bool_)
    depth = np.zeros(count, dtype=np.uint32)
    uniforms = uniform_words(shader, lanes.uniforms)
    with np.errstate(all="ignore"):
        kernel(count, mode, _words(lanes.values), builtins, uniforms, outputs, discarded, depth)
    return LaneOutputs(
        values=outputs,
        discarded=discarded if plan.can_discard else None,
        depth=depth if plan.writes_depth else None,
    )
