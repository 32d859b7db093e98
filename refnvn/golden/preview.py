"""What does an image look like to a person? A PNG beside the numbers, never compared with anything.

Shown is level 0 of the first layer and slice, its first row on top. What it does not do: it previews linear images of
one sample only, and what :mod:`refnvn.formats.preview` cannot show has no preview. Read next: ``bundle.py``.
"""

from __future__ import annotations

from refnvn.errors import SizeError, UnsupportedFormat
from refnvn.formats.table import format_named
from refnvn.golden.result import Result


def preview_png(result: Result) -> bytes | None:
    """Return the PNG of an image result, or None where there is nothing to show."""
    image = result.image
    if image is None or image.layout != "linear" or image.samples != 1:
        return None
    from refnvn.containers.png import png_bytes
    from refnvn.formats.preview import linear_size_B, preview

    fmt = format_named(image.format)
    content = result.array.tobytes()[: linear_size_B(fmt, image.width_px, image.height_px)]
    try:
        return png_bytes(preview(fmt, content, image.width_px, image.height_px))
    except (SizeError, UnsupportedFormat):
        return None
