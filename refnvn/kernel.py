"""The only module that imports numba: how a function is compiled, and nothing else.

Compiled and interpreted results must agree to the bit, so: no fastmath, NumPy's error model, explicit widths in
the kernels, and a cache folder that is keyed by everything a compiled result depends on. numba finds a stale
cached kernel by the file it is in, not by what that file calls; the key below covers every source of the package.
"""

from __future__ import annotations

import functools
import hashlib
import inspect
import os
import sys
from collections.abc import Callable
from pathlib import Path
from types import FunctionType
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


def _compiled(function: F, **options: Any) -> F:
    return _numba().njit(nogil=True, error_model="numpy", cache=True, **options)(function)  # type: ignore[no-any-return]


def compiled(function: F) -> F:
    """Return ``function`` compiled, or as it is where numba's JIT is switched off (``NUMBA_DISABLE_JIT=1``).

    Parameters
    ----------
    function : callable
        Explicit widths only; no float contraction is ever allowed.
    """
    return _compiled(function)


def borrowing(function: F) -> F:
    """Return ``function`` compiled like :func:`compiled`, as a loop that makes no array but slices those it gets.

    Its caller keeps them alive, so that nobody counts who owns them. Elsewhere numba counts the owners of most
    slices, in steps that wait for other threads: a quarter of a loop's time where lines are short.
    """
    return _compiled(function, _nrt=False)


def compiled_apart(function: F) -> F:
    """Return ``function`` compiled for arrays that never overlap, so that its loops take several steps at once.

    Whoever calls it must see to that: where arrays do overlap the result is undefined.
    """
    _numba()
    from numba.core.compiler import Compiler

    class Apart(Compiler):  # type: ignore[misc]
        def define_pipelines(self) -> Any:
            self.state.flags.noalias = True
            return super().define_pipelines()

    return _compiled(function, _nrt=False, pipeline_class=Apart)


def rule_compiled(function: Any, **callees: Any) -> Any:
    """Return a rule's function compiled, the functions that it calls being replaced by their compiled ones.

    It becomes a part of the loop that calls it, so that the loop can do many numbers at once.
    """
    plain = inspect.unwrap(function)
    twin = FunctionType(plain.__code__, {**plain.__globals__, **callees}, plain.__name__)
    twin.__module__, twin.__qualname__, twin.__doc__ = __name__, plain.__qualname__, None
    return _compiled(twin, forceinline=True)


def inlined(function: F) -> F:
    """Return ``function`` compiled as a part of whatever compiled function calls it."""
    return _compiled(function, forceinline=True)


def jit_is_on() -> bool:
    """Say whether kernels are compiled in this process."""
    return os.environ.get("NUMBA_DISABLE_JIT", "0") == "0"


@functools.cache
def sixteen_byte_copier() -> Callable[..., None]:
    """Return ``copy(target, target_B, source, source_B)``: move 16 bytes between uint8 arrays, in compiled code only.

    One unaligned load and one store. A loop over bytes leaves it to the optimiser to find that, which it does only
    when told that arrays never overlap; this needs no such promise. Offsets are not checked.
    """
    _numba()
    from llvmlite import ir
    from numba.core import types
    from numba.extending import intrinsic

    sixteen_bytes = ir.VectorType(ir.IntType(8), 16)

    def copy_16_bytes(_context: Any, target: Any, target_B: Any, source: Any, source_B: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            def pointer(array: int, offset: int) -> Any:
                data = context.make_array(signature.args[array])(context, builder, args[array]).data
                return builder.bitcast(builder.gep(data, [args[offset]]), sixteen_bytes.as_pointer())

            loaded = builder.load(pointer(2, 3), align=1)
            builder.store(loaded, pointer(0, 1), align=1)
            return context.get_dummy_value()

        return types.void(target, target_B, source, source_B), generate

    return intrinsic(copy_16_bytes)  # type: ignore[no-any-return]


@functools.cache
def prefetcher() -> Callable[..., None]:
    """Return ``prefetch(texels, row, column)``: ask for the cache line of an element that will soon be written.

    It changes nothing but time. Places are not checked; those outside an array do no harm.
    """
    if not jit_is_on():
        return lambda _texels, _row, _column: None
    _numba()
    from llvmlite import ir
    from numba.core import types
    from numba.extending import intrinsic

    number = ir.IntType(32)
    for_writing, keep_close, data_cache = (ir.Constant(number, one) for one in (1, 3, 1))

    def prefetch(_context: Any, texels: Any, row: Any, column: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            array = context.make_array(signature.args[0])(context, builder, args[0])
            strides = [builder.extract_value(array.strides, axis) for axis in (0, 1)]
            offset = builder.add(builder.mul(args[1], strides[0]), builder.mul(args[2], strides[1]))
            bytes_of = builder.bitcast(array.data, ir.IntType(8).as_pointer())
            kind = ir.FunctionType(ir.VoidType(), [bytes_of.type, number, number, number])
            fetch = builder.module.globals.get("llvm.prefetch.p0") or ir.Function(
                builder.module, kind, "llvm.prefetch.p0"
            )
            builder.call(fetch, [builder.gep(bytes_of, [offset]), for_writing, keep_close, data_cache])
            return context.get_dummy_value()

        return types.void(texels, row, column), generate

    return intrinsic(prefetch)  # type: ignore[no-any-return]
