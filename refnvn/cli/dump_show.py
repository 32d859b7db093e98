"""What ``refnvn dump`` answers, kind by kind: lines for people, and the same for JSON."""

from __future__ import annotations

import dataclasses
import math
from pathlib import Path
from typing import Any

import click
import numpy as np

from refnvn.cli.dump_answer import SHOWN, Answer
from refnvn.cli.dump_logs import copies_answer, log_answer
from refnvn.cli.dump_texture import texture_answer
from refnvn.cli.output import print_json
from refnvn.dumps.names import DumpKind, DumpName, name_of_dump, target_readings
from refnvn.dumps.pages import zero_blocks
from refnvn.dumps.shader_key import KEYED_CONTROL_B, key_in, shader_key, split_by_key
from refnvn.errors import ArgumentError, InputFileError, SizeError
from refnvn.files import read_file
from refnvn.formats.codec import decode
from refnvn.formats.table import format_named


def tell(answer: Answer, *, as_json: bool) -> None:
    """Print an answer."""
    if as_json:
        print_json(answer.object)
        return
    for line in answer.lines:
        click.echo(line)


def answer_of(file: Path, output: Path | None, options: dict[str, Any]) -> Answer:
    """Return what a file says.

    Raises
    ------
    RefnvnError
        For what cannot be read, or does not fit what was said of it.
    """
    named, content = name_of_dump(file), read_file(file)
    of_name = {key: value for key, value in dataclasses.asdict(named).items() if value is not None}
    head = ", ".join(f"{key.rstrip('_')} {_shown(key, value)}" for key, value in of_name.items() if key != "kind")
    try:
        answer = _by_content(file, named, content, output, options)
    except SizeError as error:
        text = str(error)
        raise (error if text.startswith(str(file)) else SizeError(f"{file}: {text}")) from None
    lines = [f"{file}: {len(content)} bytes; {named.kind}{': ' if head else ''}{head}", *answer.lines]
    return Answer(lines, {"file": str(file), "bytes": len(content), "name": of_name, **answer.object})


def _shown(key: str, value: object) -> str:
    return f"{value:#x} (read as hexadecimal)" if key == "address" else str(value)


def _by_content(file: Path, named: DumpName, content: bytes, output: Path | None, options: dict[str, Any]) -> Answer:
    if options["control"] is not None:
        return _key_of(file, read_file(options["control"]), content)
    if named.kind is DumpKind.INDEX_BUFFER:
        return _indices(named, content)
    if named.kind is DumpKind.VERTEX_STREAM:
        return _vertices(content, options)
    if named.kind is DumpKind.PAGE_MAP:
        return _page_map(content)
    if options["layout"] == "copies":
        return copies_answer(file, content, output, options) or Answer([], {})
    first = Answer([], {})
    if named.number is not None:
        first = _target(named.number, options)
    if named.kind is DumpKind.ZERO_BLOCKS:
        first = _zero_blocks(file, named, content, options)
    if options["format_name"] is not None or output is not None:
        lines, found = texture_answer(file, named, content, output, options)
        return Answer([*first.lines, *lines], {**first.object, "texture": found})
    if first.lines:
        return first
    return (
        log_answer(content)
        or _shader_by_name(file, content)
        or copies_answer(file, content, output, options)
        or _words(content)
    )


def _target(number: int, options: dict[str, Any]) -> Answer:
    found = target_readings(number, layers=options["layers"] or 2048, levels=options["levels"] or 15)
    said = [f"serial {one.serial}, layer {one.layer}, level {one.level}" for one in found]
    lines = [
        f"  {number} = serial * 100 + layer * 10 + level: {len(found)} readings; --layers and --levels leave fewer"
    ]
    lines += [f"    {one}" for one in said[:SHOWN]] + (["    ..."] if len(said) > SHOWN else [])
    lines.append(f"  or, if it is a screenshot, presented frame {number}: the name does not tell")
    return Answer(lines, {"readings": [dataclasses.asdict(one) for one in found]})


def _indices(named: DumpName, content: bytes) -> Answer:
    size_B = named.index_B
    if size_B is None:
        return _words(content, f"  the index type is spelled {named.index_type!r}, which is none of 0, 1, 2")
    if len(content) % size_B:
        raise InputFileError(f"{len(content)} bytes of indices; allowed: a multiple of {size_B}")
    values = np.frombuffer(content, f"<u{size_B}")
    restart = int((values == np.iinfo(values.dtype).max).sum())
    facts = {"indices": len(values), "index_B": size_B, "all_ones": restart}
    if len(values):
        facts |= {"least": int(values.min()), "most": int(values.max())}
    lines = ["  " + ", ".join(f"{key} {value}" for key, value in facts.items()),
             "  the type is read as NVN's value of it; all ones may be restarts"]  # fmt: skip
    return Answer(lines, {"facts": facts, "first": values[:SHOWN].tolist()})


def _vertices(content: bytes, options: dict[str, Any]) -> Answer:
    stride_B = options["stride"]
    if not stride_B or options["format_name"] is None:
        return _words(
            content, "  stride and format are on lines of the log: give --stride and --format of an attribute"
        )
    fmt = format_named(options["format_name"])
    if fmt.is_compressed or stride_B < fmt.bytes_per_block or stride_B < 0:
        raise ArgumentError(f"--stride {stride_B} with {fmt.nvn_name}; allowed: an attribute that fits in the stride")
    count = (len(content) - fmt.bytes_per_block) // stride_B + 1 if len(content) >= fmt.bytes_per_block else 0
    rows = np.frombuffer(content, np.uint8)
    picked = [rows[at * stride_B :][: fmt.bytes_per_block] for at in range(min(count, SHOWN))]
    values = [_finite(one) for one in decode(fmt, np.array(picked, np.uint8)).tolist()] if picked else []
    lines = [f"  {count} vertices {stride_B} bytes apart; {fmt.nvn_name} at their start:"]
    return Answer(lines + [f"    {one}" for one in values], {"vertices": count, "first": values})


def _finite(values: list[float]) -> list[float | str]:
    """Return numbers, with words for what JSON has no number for."""
    return [value if math.isfinite(value) else str(value) for value in values]


def _page_map(content: bytes) -> Answer:
    counts = np.bincount(np.frombuffer(content, np.uint8), minlength=256)
    found = {int(code): int(counts[code]) for code in np.flatnonzero(counts)}
    said = ", ".join(f"{count} of {code}" for code, count in found.items())
    lines = [f"  pages by byte: {said}", "  nothing says which byte means mapped: dump zb_N.bin, which looks at both"]
    return Answer(lines, {"pages": {str(code): count for code, count in found.items()}})


def _zero_blocks(file: Path, named: DumpName, content: bytes, options: dict[str, Any]) -> Answer:
    beside = file.with_name(f"zbm_{named.serial}.bin")
    path = options["page_map"] or (beside if beside.exists() else None)
    page_map = None if path is None else np.frombuffer(read_file(path), np.uint8)
    found = zero_blocks(np.frombuffer(content, np.uint8), page_map)
    lines = [f"  {found.empty} of {found.blocks} blocks are all zero, padding included (ASTC's error colour)"]
    lines += [
        f"  map byte {one.map_byte}: {one.pages} pages of 4 KiB, {one.empty} of them all zero" for one in found.pages
    ]
    if found.pages:
        said = " and ".join(map(str, found.mapped_bytes)) or "none"
        lines.append(f"  bytes of pages that hold something, so that are mapped: {said}")
    return Answer(lines, {"zero_blocks": dataclasses.asdict(found), "page_map": str(path) if path else None})


def _key_of(file: Path, control: bytes, code: bytes) -> Answer:
    key, wanted = shader_key(control, code), key_in(file.name)
    agrees = "" if wanted is None else ", as its name says" if wanted == key else f"; its name says {wanted}"
    return Answer([f"  key {key}{agrees}"], {"key": key, "named": wanted, "agrees": wanted in (None, key)})


def _shader_by_name(file: Path, content: bytes) -> Answer | None:
    wanted = key_in(file.name)
    if wanted is None or len(content) < KEYED_CONTROL_B:
        return None
    found = split_by_key(content, wanted)
    if found is None:
        said = f"  its name has the key {wanted}, which no split into control and code gives"
        return Answer([said], {"named": wanted, "agrees": False})
    said = f"  key {wanted}, as its name says: control section of {found.code_at_B:#x} bytes, then code"
    return Answer([said], {"key": wanted, "named": wanted, "agrees": True, "code_at_B": found.code_at_B})


def _words(content: bytes, remark: str = "  nothing says what it holds; as words of 32 bits:") -> Answer:
    words = np.frombuffer(content[: len(content) // 4 * 4], "<u4")[: 4 * SHOWN]
    floats = words.view("<f4")
    lines = [
        f"    {4 * at:#06x}  " + "  ".join(f"{word:08x}" for word in words[at : at + 4].tolist())
        + "   " + "  ".join(f"{value:.6g}" for value in floats[at : at + 4].tolist())
        for at in range(0, len(words), 4)
    ]  # fmt: skip
    return Answer([remark, *lines], {"first_words": [f"{word:08x}" for word in words.tolist()]})
