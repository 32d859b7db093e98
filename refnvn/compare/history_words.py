"""How is a history told: as lines for people, and as plain JSON objects?

Read next: ``history.py``.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from refnvn.compare.history import History
from refnvn.compare.moments import Moment, Read
from refnvn.errors import ArgumentError
from refnvn.formats.codec import decode
from refnvn.formats.packing import unpack_codes
from refnvn.formats.table import Format
from refnvn.raster.fragment_seen import FragmentSeen, SampleSeen, Test, Values
from refnvn.raster.pixel_watch import COVERAGE
from refnvn.replay.readings import Reader

MOST_NUMBERS = 8
"""Of vertices, indices or primitives that are named."""
BY_LANES = (Reader.STORAGE, Reader.ATOMIC, Reader.IMAGE, Reader.TEXTURE)
"""Readers of which each lane counts."""


def history_lines(history: History, *, with_rules: bool = False) -> list[str]:
    """Return a history for people."""
    if not history.commands:
        return [f"no command runs: {code_words(history.fmt, history.last)}"]
    lines = [f"before the first command: {code_words(history.fmt, history.first)}"]
    for moment in history.moments:
        lines += _moment_lines(history, moment, with_rules=with_rules)
    lines.append(f"at the end: {code_words(history.fmt, history.last)}")
    return lines


def _moment_lines(history: History, moment: Moment, *, with_rules: bool) -> list[str]:
    stored = f"stores {code_words(history.fmt, moment.after)}" if moment.changed else "leaves it as it is"
    reads = [f"read by {read_words(one)}" for one in moment.reads]
    if moment.only_read:
        stored, *reads = reads
    lines = [f"{moment.step.words}: {stored}", *(f"  {line}" for line in reads)]
    for one in moment.fragments:
        lines += [f"  {line}" for line in _fragment_lines(one, placed=history.fmt is None)]
    if moment.left_out:
        lines.append(f"  and {moment.left_out} more fragments")
    if moment.remark:
        lines.append(f"  {moment.remark}")
    if with_rules and moment.rules:
        lines.append(f"  by {' '.join(moment.rules)}")
    return lines


def read_words(read: Read) -> str:
    """Return who read a place, for people.

    >>> read_words(Read(reader="index fetch", what="indices", element="index", times=2, numbers={4, 7}))
    'index fetch: indices (index 4, 7)'
    """
    words = f"{read.reader}: {read.what}" if read.what else read.reader
    if read.numbers:
        first = sorted(read.numbers)[:MOST_NUMBERS]
        more = len(read.numbers) - len(first)
        numbers = ", ".join(map(str, first)) + (f" and {more} more" if more else "")
        return f"{words} ({read.element} {numbers})"
    return f"{words} ({read.times} times)" if read.times > 1 and read.reader in BY_LANES else words


def _fragment_lines(one: FragmentSeen, *, placed: bool) -> list[str]:
    """Return a fragment for people, and where it is if that does not go without saying."""
    side = "front" if one.front else "back"
    sample = f", sample {one.sample}" if one.samples else ""
    where = f" at {one.column}, {one.row}{sample}" if placed else ""
    passed = f"{one.passed} passed" if one.passed else "does not pass"
    lines = [f"primitive {one.primitive} ({side}){where}: {passed}"]
    lines += [f"  input {name} = {_numbers(values)}" for name, values in one.inputs.items()]
    lines += [f"  output {name} = {_numbers(values)}" for name, values in one.outputs.items()]
    lines += [f"  {_sample_words(sample)}" for sample in one.samples]
    lines += [f"  {_test_words(test)}" for test in (() if one.samples else one.tests)]
    for target, after in one.after.items():
        before = one.before[target]
        told = f"{_numbers(before)} -> {_numbers(after)}" if before != after else f"{_numbers(after)}, as before"
        merge = f" ({one.merges[target]})" if target in one.merges else ""
        lines.append(f"  {target}: codes {told}{merge}")
    return lines


def _test_words(test: Test) -> str:
    return f"{test.name}: {test.words}: {'passes' if test.passed else 'fails'}"


def _sample_words(one: SampleSeen) -> str:
    """Return what became of a sample, for people."""
    name = f"sample {one.number}"
    if one.color_sample is not None:
        name = f"raster {name}, of color sample {one.color_sample}"
    if one.lost_to == COVERAGE:
        return f"{name}: not covered"
    told = [f"output {name} = {_numbers(values)}" for name, values in one.outputs.items()]
    told += [_test_words(test) for test in one.tests]
    by_test = one.lost_to in {test.name for test in one.tests}
    told += [] if by_test else [f"lost to {one.lost_to}" if one.lost_to else "stored"]
    return f"{name}: {'; '.join(told)}"


def _numbers(values: tuple[float | int, ...]) -> str:
    return ", ".join(f"{value:.9g}" if isinstance(value, float) else str(value) for value in values)


def history_object(history: History) -> dict[str, Any]:
    """Return a history as plain JSON objects."""
    return {
        "format": None if history.fmt is None else history.fmt.name,
        "first": history.first.hex(),
        "last": history.last.hex(),
        "commands": [
            {
                "number": moment.step.number,
                "command": moment.step.words,
                "event": {"position": moment.step.position, "name": moment.step.event_name},
                "before": moment.before.hex(),
                "after": moment.after.hex(),
                "changed": moment.changed,
                "words": code_words(history.fmt, moment.after),
                "reads": [_read_object(one) for one in moment.reads],
                "fragments": [_fragment_object(one) for one in moment.fragments],
                "fragments_left_out": moment.left_out,
                "remark": moment.remark,
                "rules": list(moment.rules),
            }
            for moment in history.moments
        ],
    }


def _read_object(one: Read) -> dict[str, Any]:
    return {
        "reader": one.reader,
        "what": one.what,
        "element": one.element or None,
        "times": one.times,
        "numbers": sorted(one.numbers),
    }


def _fragment_object(one: FragmentSeen) -> dict[str, Any]:
    return {
        "column": one.column,
        "row": one.row,
        "sample": one.sample,
        "primitive": one.primitive,
        "front": one.front,
        "samples_passed": one.passed,
        "inputs": _json_values(one.inputs),
        "outputs": _json_values(one.outputs),
        "tests": _json_tests(one.tests),
        "lost_to": one.seen.lost_to or None,
        "reads": [{"target": target, "by": by} for target, by in one.reads],
        "samples": [_sample_object(sample) for sample in one.samples],
        "merges": dict(one.merges),
        "codes_before": {name: list(values) for name, values in one.before.items()},
        "codes_after": {name: list(values) for name, values in one.after.items()},
    }


def _sample_object(one: SampleSeen) -> dict[str, Any]:
    return {
        "sample": one.number,
        "color_sample": one.color_sample,
        "covered": one.lost_to != COVERAGE,
        "lost_to": one.lost_to or None,
        "outputs": _json_values(one.outputs),
        "tests": _json_tests(one.tests),
        "codes_before": {name: list(values) for name, values in one.before.items()},
        "codes_after": {name: list(values) for name, values in one.after.items()},
    }


def _json_tests(tests: tuple[Test, ...]) -> list[dict[str, Any]]:
    return [{"test": test.name, "operands": test.words, "passed": test.passed} for test in tests]


def _json_values(named: dict[str, Values]) -> dict[str, Any]:
    return {name: [_json_number(value) for value in values] for name, values in named.items()}


def _json_number(value: float | int) -> float | int | str:
    """Return a number as JSON has it: NaN and infinities as text."""
    finite = isinstance(value, int) or value - value == 0
    return value if finite else str(value)


def code_words(fmt: Format | None, stored: bytes) -> str:
    """Return stored bytes as codes and values for people.

    >>> from refnvn.formats.table import format_named
    >>> code_words(format_named("RGBA8"), bytes([255, 0, 51, 255]))
    'ff 00 33 ff (R 255 = 1, G 0 = 0, B 51 = 0.200000003, A 255 = 1)'
    """
    plain = " ".join(f"{byte:02x}" for byte in stored)
    if fmt is None or fmt.is_compressed or not fmt.components:
        return plain
    raw: NDArray[np.uint8] = np.frombuffer(stored, np.uint8).reshape(1, -1)
    codes = unpack_codes(fmt, raw).reshape(-1)
    values = _values(fmt, raw)
    parts = []
    for component, code in zip(fmt.components, codes, strict=True):
        if component.name != "X":
            value = values.get(component.name)
            parts.append(f"{component.name} {code}" + ("" if value is None else f" = {value:.9g}"))
    return f"{plain} ({', '.join(parts)})"


def _values(fmt: Format, raw: NDArray[np.uint8]) -> dict[str, float]:
    """Return the value of each component that a fetch shows; none for formats that nothing decodes."""
    try:
        decoded = np.asarray(decode(fmt, raw)).reshape(-1)
    except ArgumentError:
        return {}
    if fmt.is_depth_stencil:
        return {"D": float(decoded[0])} if fmt.component("D") is not None else {}
    return {name: float(value) for name, value in zip("RGBA", decoded, strict=False)}
