"""The only module that imports numba: how a function is compiled, and nothing else.

Compiled and interpreted results must agree to the bit, so: no fastmath, NumPy's error model, explicit widths in
the kernels, and a cache folder that is keyed by everything a compiled result depends on. numba finds a stale
cached kernel by the file it is in, not by what that file calls; the key below covers every source of the package.
"""

from __future__ import annotations

import functools
import hashlib
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from refnvn.version import VERSION

F = TypeVar("F", bound=Callable[..., Any])


def cache_folder() -> Path:
    """Return the folder for compiled kernels: the user's cache, by versions, processor and all sources."""
    import llvmlite
    import numba
    import numpy as np

    package = Path(__file__).parent
    digest = hashlib.sha256()
    for source in sorted(package.rglob("*.py")):
        digest.update(source.relative_to(package).as_posix().encode())
        digest.update(source.read_bytes())
    versions = (VERSION, sys.version, numba.__version__, llvmlite.__version__, np.__version__)
    digest.update(repr(versions).encode())
    root = os.environ.get("REFNVN_CACHE") or Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser()
    return Path(root) / "refnvn" / "kernels" / digest.hexdigest()[:16]


@functools.cache
def _numba() -> Any:
    """Import numba with its cache in our folder; the processor's name is part of numba's own file key."""
    import numba

    if not os.environ.get("NUMBA_CACHE_DIR"):
        numba.config.CACHE_DIR = str(cache_folder())
    return numba


@functools.cache
def _no_alias() -> Any:
    """Return a compiler that is told that array arguments never overlap; callers must make sure of it."""
    _numba()
    from numba.core.compiler import CompilerBase, DefaultPassBuilder

    class NoAliasCompiler(CompilerBase):  # type: ignore[misc]
        def define_pipelines(self) -> list[Any]:
            self.state.flags.noalias = True
            return [DefaultPassBuilder.define_nopython_pipeline(self.state)]

    return NoAliasCompiler


def compiled(function: F, *, arrays_apart: bool = False) -> F:
    """Return ``function`` compiled, or as it is where numba's JIT is switched off (``NUMBA_DISABLE_JIT=1``).

    Parameters
    ----------
    function : callable
        Explicit widths only; no float contraction is ever allowed.
    arrays_apart : bool
        The caller promises that no two array arguments overlap. Many times faster for copies.
    """
    options: dict[str, Any] = {"nogil": True, "error_model": "numpy", "cache": True}
    if arrays_apart:
        options["pipeline_class"] = _no_alias()
    return _numba().njit(**options)(function)  # type: ignore[no-any-return]
