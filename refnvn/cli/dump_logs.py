"""``refnvn dump`` of logs of passes and traces of texture copies: lines for people, and the same for JSON."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

from refnvn.cli.dump_answer import SHOWN, Answer
from refnvn.cli.output import check_output
from refnvn.containers.npy import write_npy
from refnvn.dumps.copy_trace import (
    ENTRIES,
    CopyTrace,
    entries_of,
    first_line,
    read_copy_trace,
    size_in,
    texels_that_fit,
)
from refnvn.dumps.pass_log import PassLog, read_pass_log
from refnvn.dumps.pass_remarks import remarks
from refnvn.errors import ArgumentError, InputFileError, SizeError


def log_answer(content: bytes) -> Answer | None:
    """Return what a log says; None where a file is no text of lines."""
    if b"\0" in content or b"\n" not in content:
        return None
    try:
        log = read_pass_log(content.decode("utf-8"))
    except UnicodeDecodeError:
        return None
    lines = [f"  {len(log.lines)} lines, {len(log.ambiguous)} of several meanings, {len(log.unknown)} not known"]
    lines += [f"    {letter or '-'}  {count:6}  {words}" for letter, words, count in log.counts()]
    said = list(remarks(log))
    lines += [f"  {one}" for one in said[:SHOWN]]
    lines += [f"  line {one.number} is not known: {' '.join(one.words)[:80]}" for one in log.unknown[:SHOWN]]
    counts = {"ambiguous": len(log.ambiguous), "unknown": len(log.unknown)}
    return Answer(lines, {"lines": _records(log), "remarks": said, **counts})


def _records(log: PassLog) -> list[dict[str, Any]]:
    return [
        {
            "line": one.number,
            "letter": one.letter,
            "tags": list(one.tags),
            "kinds": [kind.value for kind in one.kinds],
            "values": one.values,
            "words": list(one.words),
            "fields": [list(field) for field in one.fields],
        }
        for one in log.lines
    ]


def copies_answer(file: Path, content: bytes, output: Path | None, options: dict[str, Any]) -> Answer | None:
    """Return what a trace of texture copies says; None for a file that nobody says is one, and that is none.

    Raises
    ------
    ArgumentError
        Its size is neither given nor in its line.
    InputFileError
        It does not fit that size.
    """
    told = options["layout"] == "copies"
    line = first_line(content)
    count = None if line is None else texels_that_fit(content)
    if not told and (count is None or (line is not None and b"\0" in line.encode())):
        return None
    size = options["width"], options["height"]
    if None in size:
        size = size_in(line or "") or size
    if None in size:
        said = "" if count is None else f", of which {count} texels would fit"
        raise ArgumentError(
            f"{file}: a trace of texture copies whose line has no size: give --width and --height{said}"
        )
    try:
        trace = read_copy_trace(content, *size)
    except SizeError as error:
        raise InputFileError(f"{file}: {error}") from error
    if output is not None:
        check_output(output, file, form=".npy")
        write_npy(output, trace.texels)
    return _copies(trace, output)


def _copies(trace: CopyTrace, output: Path | None) -> Answer:
    found = entries_of(trace)
    _, height, width, _ = trace.texels.shape
    frames = trace.frames[trace.frames != 0]
    span = f"frames {frames.min()} to {frames.max()}" if frames.size else "no frame"
    lines = [
        f"  {trace.line[:80]}",
        f"  {ENTRIES} copies into RGBA16F {width}x{height}, {span}; frame numbers read as {trace.numbers}",
    ]
    out = next((one for one in found if one.is_out), None)
    if out is not None:
        lines.append(
            f"  from entry {out.entry}, frame {out.frame}, on values run out: {out.least:.6g} to {out.most:.6g}, "
            f"{out.not_finite} components not finite"
        )
    step = max(1, ENTRIES // SHOWN)
    lines += [
        f"    entry {one.entry:3}  frame {one.frame}  {one.least:.6g} to {one.most:.6g}" for one in found[::step]
    ]
    lines += [f"{output}: float16, {trace.texels.shape}"] if output is not None else []
    entries = [{**dataclasses.asdict(one), "is_out": one.is_out} for one in found]
    facts = {"line": trace.line, "width": width, "height": height, "numbers": trace.numbers, "entries": entries}
    return Answer(lines, {"copies": facts, "output": str(output) if output else None})
