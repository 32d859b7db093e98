"""How does a golden become one C header that a renderer's own tests can include?

The header needs nothing else: values, mask, field index and alternatives as static arrays, and for each result a
function that judges bytes as ``refnvn.compare.judge`` does. The part that all goldens share is ``compare.h`` beside
this file; it has a guard of its own, so several goldens can be included together.

What it does not do: it prints no more than a few million values. Read next: ``compare.h``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from refnvn.errors import SizeError
from refnvn.golden.model import Choice, Golden, GoldenResult, Outcome, Reason, bits, touched

MOST_VALUES = 1 << 22
"""Values that one header may hold, all arrays together."""

_PER_LINE = {1: 32, 2: 16, 4: 8, 8: 4}


def c_header(golden: Golden) -> str:
    """Return a golden as the text of a C header, for C99, C++11 and Objective-C.

    Parameters
    ----------
    golden : Golden
        From a build or a bundle.

    Returns
    -------
    str
        Includes only the C library. Every name begins with ``refnvn_`` and the golden's name.

    Raises
    ------
    SizeError
        For more than :data:`MOST_VALUES` values.
    """
    arrays = [a for r in golden.results for a in (r.base.array, *(o.array for o in r.outcomes))]
    values = sum(array.size for array in arrays)
    if values > MOST_VALUES:
        raise SizeError(f"golden {golden.name}: {values} values, a C header holds at most {MOST_VALUES}; export npz")
    prefix = c_prefix(golden.name)
    guard = f"{prefix}_H".upper()
    shared = Path(__file__).with_name("compare.h").read_text(encoding="utf-8")
    lines = [*_comment(_about(golden)), f"#ifndef {guard}", f"#define {guard}", "", shared]
    lines += _choices(prefix, golden.choices)
    for result in golden.results:
        lines += _result(prefix, golden, result)
    return "\n".join([*lines, f"#endif /* {guard} */", ""])


def c_prefix(name: str) -> str:
    """Return the beginning of every C name of a golden.

    >>> c_prefix("tex_layout/sizes")
    'refnvn_tex_layout_sizes'
    """
    return f"refnvn_{name.replace('/', '_')}"


def _about(golden: Golden) -> list[str]:
    lines = [f"Golden {golden.name}, made by refnvn {golden.refnvn_version}.", golden.says]
    lines += [f"Serves {golden.t_test}." + (f" Ledger: {', '.join(golden.ledger)}." if golden.ledger else "")]
    lines += [f"Weakest evidence: {golden.weakest.title}."] if golden.weakest is not None else []
    lines += [f"{use.id} ({use.evidence.title}): {use.says}" for use in golden.rules]
    for choice in golden.choices:
        lines.append(f"{choice.field}: {choice.default} is NVN's; {_scope(choice)}.")
        lines += [f"  {s.name} ({_reason(s.reason)}): {s.because}." for s in choice.settings]
    return lines


def _scope(choice: Choice) -> str:
    return "one setting for the whole golden" if choice.scope == "run" else "each element may differ"


def _reason(reason: Reason) -> str:
    return "undefined" if reason is Reason.UNDEFINED else "imprecise"


def _comment(lines: Iterable[str]) -> list[str]:
    return ["/* " + "\n * ".join(_plain(line) for line in lines), " */"]


def _plain(text: str) -> str:
    """Return text that cannot end a comment or a string, nor begin a trigraph."""
    text = "".join(c if c.isprintable() else " " for c in text).encode("ascii", "backslashreplace").decode()
    return text.replace("\\", "/").replace('"', "'").replace("*/", "* /").replace("/*", "/ *").replace("??", "? ?")


def _choices(prefix: str, choices: Sequence[Choice]) -> list[str]:
    """Return the table of the golden's choices."""
    if not choices:
        return []
    lines: list[str] = []
    rows = []
    for choice in choices:
        names = ", ".join(f'"{_plain(choice.setting_name(n))}"' for n in range(len(choice.settings) + 1))
        table = f"{prefix}_choice_{choice.field}_settings"
        lines.append(f"static const char *const {table}[] = {{{names}}};")
        undefined = sum(1 << n for n, s in enumerate(choice.settings, start=1) if s.reason is Reason.UNDEFINED)
        each = int(choice.scope == "texel")
        rows.append(
            f'    {{"{_plain(choice.field)}", {each}, {len(choice.settings) + 1}u, {table}, {undefined:#x}u}},'
        )
    return [*lines, f"static const refnvn_choice {prefix}_choice_table[] = {{", *rows, "};", ""]


def _result(prefix: str, golden: Golden, result: GoldenResult) -> list[str]:
    """Return the arrays of one result and the function that judges it."""
    name = f"{prefix}_{result.base.name}"
    array = result.base.array
    lines = [*_comment(_about_result(result))]
    lines += _array(f"{name}_values", array, result.base.row_labels)
    mask = _marks_array(f"{name}_mask", result.mask, lines)
    field_index = _marks_array(f"{name}_field_index", result.field_index, lines)
    changed = [_alternative(name, golden, result, outcome, lines) for outcome in result.alternatives]
    alternatives = _table(name, "alternative", changed, lines)
    resized = [_variant(name, golden, result, outcome, lines) for outcome in result.variants]
    variants = _table(name, "variant", resized, lines)
    choices = f"{len(golden.choices)}u, {f'{prefix}_choice_table' if golden.choices else 'NULL'}"
    lines += [
        f"static const refnvn_result {name}_result = {{",
        f'    "{_plain(golden.name)}", "{result.base.name}",',
        f"    '{array.dtype.kind}', {array.dtype.itemsize}u, {array.size}u,",
        f"    {name}_values, {mask}, {field_index}, {choices}, {alternatives}, {variants},",
        "};",
    ]
    lines += [
        f"static inline refnvn_report {name}_compare(const void *actual, size_t actual_size_B,",
        "    refnvn_choices *choices) {",
        f"    return refnvn_compare_(&{name}_result, actual, actual_size_B, choices);",
        "}",
        "",
    ]
    return lines


def _about_result(result: GoldenResult) -> list[str]:
    base = result.base
    sizes = " x ".join(map(str, base.array.shape))
    lines = [
        f"{base.name}: {base.kind}, {base.array.dtype.name}, {sizes} ({', '.join(base.axes)}); {base.exactness}."
    ]
    if base.columns:
        lines.append(f"Columns: {' | '.join(base.columns)}.")
    if base.image is not None:
        i = base.image
        lines.append(
            f"{i.format} {i.dimensions}, {i.width_px} x {i.height_px} x {i.depth_px} px, {i.layers} layers, "
            f"{i.levels} levels, {i.samples} samples, {i.layout}, rows {i.row_order}."
        )
    if base.array.dtype.kind == "f":
        lines.append("Floats are stored as their bits.")
    return lines


def _table(name: str, what: str, rows: Sequence[str], lines: list[str]) -> str:
    """Emit a table of structures; return its length and name."""
    if not rows:
        return "0u, NULL"
    lines += [f"static const refnvn_{what} {name}_{what}s[] = {{", *rows, "};"]
    return f"{len(rows)}u, {name}_{what}s"


def _alternative(name: str, golden: Golden, result: GoldenResult, outcome: Outcome, lines: list[str]) -> str:
    """Emit the elements that another setting changes; return the row of the table."""
    choice = golden.choices[outcome.choice]
    stem = f"{name}_{choice.field}_{choice.setting_name(outcome.setting)}"
    where = touched(result.base.array, result.padding, outcome.array, outcome.padding).reshape(-1)
    places = np.flatnonzero(where)
    padding = outcome.padding.reshape(-1)[places]
    lines += _array(f"{stem}_indices", places.astype(np.uint32), decimal=True)
    lines += _array(f"{stem}_values", outcome.array.reshape(-1)[places])
    unreached = _marks_array(f"{stem}_padding", padding.astype(np.uint8), lines)
    return (
        f"    {{{outcome.choice}u, {outcome.setting}u, {places.size}u, {stem}_indices, {stem}_values, {unreached}}},"
    )


def _variant(name: str, golden: Golden, result: GoldenResult, outcome: Outcome, lines: list[str]) -> str:
    """Emit a result of another size; return the row of the table."""
    choice = golden.choices[outcome.choice]
    stem = f"{name}_{choice.field}_{choice.setting_name(outcome.setting)}"
    lines += _array(f"{stem}_values", outcome.array, outcome.row_labels)
    unreached = _marks_array(f"{stem}_padding", outcome.padding.astype(np.uint8), lines)
    which = f"{outcome.choice}u, {outcome.setting}u, {result.settings_like(outcome):#x}u"
    return f"    {{{which}, {outcome.array.size}u, {stem}_values, {unreached}}},"


def _marks_array(name: str, array: NDArray[Any], lines: list[str]) -> str:
    """Emit an array of marks unless it is all zero; return its name, or NULL."""
    if not array.any():
        return "NULL"
    lines += _array(name, array, decimal=True)
    return name


def _array(name: str, array: NDArray[Any], labels: Sequence[str] = (), *, decimal: bool = False) -> list[str]:
    """Return the definition of an array; a table has a line for each row."""
    kind = array.dtype.kind
    values = bits(array) if kind == "f" else array
    c_type = f"{'int' if kind == 'i' else 'uint'}{array.dtype.itemsize * 8}_t"
    per_line = _PER_LINE[array.dtype.itemsize]
    is_table = array.ndim == 2 and array.shape[1] <= 64
    rows = values if is_table else _chunks(values.reshape(-1), per_line)
    texts = (", ".join(_literals(row, kind, decimal)) for row in rows)
    notes = labels if is_table and labels else ()
    lines = [f"static const {c_type} {name}[{array.size}] = {{"]
    for number, text in enumerate(texts):
        lines.append(f"    {text}," + (f" /* {_plain(notes[number])} */" if notes else ""))
    return [*lines, "};"]


def _chunks(values: NDArray[Any], per_line: int) -> Iterator[NDArray[Any]]:
    return (values[start : start + per_line] for start in range(0, values.size, per_line))


def _literals(row: NDArray[Any], kind: str, decimal: bool) -> list[str]:
    """Return the values as C writes them: signed and wide ones through the macros of stdint.h."""
    numbers = row.tolist()
    size_B = row.dtype.itemsize
    if decimal:
        return [str(n) for n in numbers]
    if kind == "f" or (kind == "u" and size_B == 1):
        form = "UINT64_C(0x{:016x})" if size_B == 8 else f"0x{{:0{2 * size_B}x}}{'u' if size_B == 4 else ''}"
        return [form.format(n) for n in numbers]
    if kind == "u":
        return [f"UINT64_C({n})" if size_B == 8 else f"{n}u" for n in numbers]
    least = -(1 << (8 * size_B - 1))
    macro = "INT64_C({})" if size_B == 8 else "{}"
    return [f"{macro.format(n + 1)} - 1" if n == least else macro.format(n) for n in numbers]
