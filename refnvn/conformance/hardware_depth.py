"""How is the measured depth family scored?

``clear`` and ``cleardepth_double`` hold depths of clears and the codes they became, ``fragdepth`` those that a shader
wrote; both are scored here, by the conversion alone. What takes a draw (depth ranges, slanted triangles, comparisons)
is scored by ``hardware_raster.py``.

Read next: ``hardware_formats.py``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from refnvn.conformance.hardware_formats import OUT, nvn_format, texel_bytes, words
from refnvn.conformance.hardware_raster import score_drawn_depth
from refnvn.conformance.schema import Schema
from refnvn.conformance.score import ArrayScore, compare
from refnvn.conformance.signature import has_arrays
from refnvn.conformance.vector_file import VectorFile
from refnvn.errors import InputFileError
from refnvn.formats.depth_stencil import depth_code
from refnvn.formats.packing import unpack_codes
from refnvn.rules.fields import Rules
from refnvn.rules.registry import collect

_SERVED = re.compile(r"out_(fragdepth|fragdepth_clamp|clear|cleardepth_double)_(DEPTH\w+)")


def _score(file: VectorFile, name: str, what: str, format_name: str, rules: Rules) -> ArrayScore:
    fmt = nvn_format(file, format_name)
    source = "clear" if what.startswith("clear") else "fragdepth"
    bits = words(file, f"in_{source}_{format_name}")
    measured = unpack_codes(fmt, texel_bytes(file, name, fmt))
    place = [c.name for c in fmt.components].index("D")
    if bits.shape != measured.shape[:2]:
        raise InputFileError(f"{file.path}: {name} and its input have other numbers of texels")
    with collect() as used:
        stored = depth_code(fmt, bits.view("float32"), rules, clear=source == "clear")
    return compare(name, stored, measured[..., place], used)


def score_depth(file: VectorFile, rules: Rules) -> Iterator[ArrayScore]:
    """Score ``depth``."""
    for name in file.headers:
        served = _SERVED.fullmatch(name)
        if served:
            yield _score(file, name, served[1], served[2], rules)
        elif name.startswith(OUT):
            yield score_drawn_depth(file, name, rules)


SCHEMAS: tuple[Schema, ...] = (Schema(name="depth", recognises=has_arrays("out_fragdepth_*"), score=score_depth),)
