"""Standard output, standard error and Ctrl-C: what a command owes to the shell that started it.

A reader that goes away (``| head -1``) ends a command quietly: with the exit code of its answer where that is known
already (:func:`refnvn.cli.output.answering`), else with 0. An output that cannot be written to is one line. An
interrupt that Python can only drop, because it came while something was being cleaned up, comes again.
"""

from __future__ import annotations

import _thread
import os
import signal
import sys
import threading
import traceback
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, TextIO

import click

STANDARD_OUTPUT = "standard output"
_AGAIN_S = 0.02


class ClosedPipe(Exception):
    """Nobody reads standard output any more. Not an OSError: click would take that for itself."""


def complain(line: str, code: int = 2) -> int:
    """Print one line on standard error, if anybody reads it, and return an exit code."""
    try:
        click.echo(line, err=True)
    except OSError:
        _discard(sys.stderr)
    return code


def printed_out(code: int) -> int:
    """Write out what was printed and return the exit code: ``code``, or 2 where that cannot be written.

    Without this Python would do it while it ends, with a traceback and 120.
    """
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except BrokenPipeError:
        _discard(sys.stdout)
    except OSError as error:
        _discard(sys.stdout)
        return complain(f"refnvn: {STANDARD_OUTPUT}: {error.strerror}")
    return code


def _discard(stream: TextIO) -> None:
    """Let everything that a stream still holds go nowhere."""
    with suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)


@contextmanager
def output_watched() -> Iterator[None]:
    """Turn a broken pipe into :class:`ClosedPipe`, before click exits with 1 for it; name an output that is full."""
    try:
        yield
    except BrokenPipeError as error:
        raise ClosedPipe from error
    except OSError as error:
        if error.filename is None and _was_printing(error):
            _discard(sys.stdout)
            raise OSError(error.errno, error.strerror, STANDARD_OUTPUT) from error
        raise


def _was_printing(error: OSError) -> bool:
    """Whether an error comes from printing an answer: the system does not say which file it was about."""
    return any(frame.f_code is click.echo.__code__ for frame, _ in traceback.walk_tb(error.__traceback__))


@contextmanager
def interrupts_kept() -> Iterator[None]:
    """Ask again for a Ctrl-C that Python had to drop, and say nothing of it.

    An exception in a destructor or a callback of one is printed and ignored. For an interrupt that would be a
    traceback, and a command that goes on.
    """
    before = sys.unraisablehook

    def hook(dropped: Any) -> None:
        if issubclass(dropped.exc_type, KeyboardInterrupt):
            again = threading.Timer(_AGAIN_S, _thread.interrupt_main)
            again.daemon = True
            again.start()
        else:
            before(dropped)

    sys.unraisablehook = hook
    try:
        yield
    finally:
        sys.unraisablehook = before


@contextmanager
def interrupts_held() -> Iterator[None]:
    """Put Ctrl-C off until the block ends; processes that are started inside never get one."""
    if sys.platform == "win32":
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def end_at_interrupt() -> None:
    """Let a Ctrl-C from here on end the process at once and quietly: all is written, Python is tidying up."""
    with suppress(ValueError):  # not the main thread
        signal.signal(signal.SIGINT, lambda number, _frame: os._exit(128 + number))
