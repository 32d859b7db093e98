"""Progress of long work: a bar on a terminal, nothing in a pipe."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def progress(total: int, verb: str) -> Iterator[Callable[[], None]]:
    """Give a function to call after each of ``total`` steps."""
    if total < 2 or not sys.stderr.isatty():
        yield lambda: None
        return
    from tqdm import tqdm

    with tqdm(total=total, desc=verb, file=sys.stderr, leave=False) as bar:
        yield lambda: (bar.update(1), None)[1]
