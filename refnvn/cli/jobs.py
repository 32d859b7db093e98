"""Long work in several processes: results as they come, progress, and an end that leaves nothing running."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from typing import TypeVar

import click

from refnvn.cli.progress import progress
from refnvn.cli.streams import interrupts_held
from refnvn.errors import RefnvnError

T = TypeVar("T")


class ProcessEnded(RefnvnError):
    """A process of several did not live to give its result."""


jobs_option = click.option("--jobs", type=click.IntRange(1, 64), default=1, show_default=True, help="Processes.")


def run_jobs(function: Callable[..., T], work: Sequence[tuple[object, ...]], jobs: int, verb: str) -> Iterator[T]:
    """Run a function on each tuple of arguments, in this process or in several."""
    with progress(len(work), verb) as advance:
        if jobs == 1 or len(work) <= 1:
            for arguments in work:
                yield function(*arguments)
                advance()
            return
        with ProcessPoolExecutor(max_workers=min(jobs, len(work))) as pool:
            with interrupts_held():  # workers take this over: only this process is interrupted, and lets them finish
                futures = [pool.submit(function, *arguments) for arguments in work]
            try:
                for future in as_completed(futures):
                    yield future.result()
                    advance()
            except BrokenProcessPool as error:
                raise ProcessEnded(f"--jobs {jobs}: a process was ended from outside, perhaps for memory") from error
            except BaseException:
                pool.shutdown(cancel_futures=True)
                raise
