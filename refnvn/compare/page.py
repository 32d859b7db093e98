"""How does a comparison become a page that opens from a file, without a network?

One HTML file: the sources in ``page/`` with the data in them. Data is JSON in which ``<``, ``>`` and ``&`` are
escaped, and the page puts text where only text can be, so that no name of a trace or a file becomes markup.

Read next: ``page_data.py``, ``page/page.js``.
"""

from __future__ import annotations

import html
import json
from collections.abc import Sequence
from importlib import resources
from typing import Any

SCRIPTS = ("codes.js", "draw.js", "panels.js", "page.js")
"""In an order in which each uses only what stands before."""


def report_page(title: str, comparisons: Sequence[dict[str, Any]]) -> str:
    """Return the report page.

    Parameters
    ----------
    title : str
        Any text.
    comparisons : sequence of dict
        From :func:`refnvn.compare.page_data.comparison_object`, at least one.

    Returns
    -------
    str
        HTML of one self-contained file.
    """
    data = json.dumps({"title": title, "comparisons": list(comparisons)}, separators=(",", ":"), ensure_ascii=True)
    parts = (  # the last in the page first, so that nobody's text is taken for a place
        ("SCRIPT", "\n".join(_source(name).replace('"use strict";\n', "") for name in SCRIPTS)),
        ("DATA", escaped_json(data)),
        ("STYLE", _source("page.css")),
        ("TITLE", html.escape(title)),
    )
    page = _source("page.html")
    for name, content in parts:
        ahead, behind = page.split(f"@{name}@", 1)
        page = ahead + content + behind
    return page


def escaped_json(text: str) -> str:
    """Return JSON that can stand inside of a script element, whatever its strings hold.

    >>> escaped_json('"</script>"')
    '"\\\\u003c/script\\\\u003e"'
    """
    return text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")


def _source(name: str) -> str:
    return (resources.files("refnvn.compare") / "page" / name).read_text(encoding="utf-8")
