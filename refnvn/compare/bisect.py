"""After which command do somebody's readbacks first part from what NVN leaves?

Somebody dumped textures or memory on the way, after any commands. Each dump is judged like a golden's result, of the
trace cut after that command: worlds and slack count. The first that is wrong, in the order of the commands, ends the
search; the fault lies behind the last dump of the same bytes that was right before it.

What it does not do: it names no fault; ``diagnose.py`` does, on the trace that is cut.
Read next: ``host_dumps.py``, where no list says what files are; ``refnvn/trace/steps.py``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from refnvn.commands.recording import ReadMemory, ReadTexels, Recording
from refnvn.commands.resources import Bytes64, Index, Record, Region, TextureRef, View
from refnvn.commands.result_rules import MOST_SIDE_PX
from refnvn.commands.subject import subject_of
from refnvn.compare.judge import Actual, Weighed, weighed
from refnvn.errors import ArgumentError, InputFileError
from refnvn.golden.build import build
from refnvn.golden.case import GoldenCase
from refnvn.golden.result import Result
from refnvn.golden.scene import replayed
from refnvn.trace.files import Trace
from refnvn.trace.steps import Step, cut_after, steps

RESULT = "readback"
MANIFEST = "readbacks.json"
MOST_MANIFEST_B = 16 << 20


class DumpEntry(Record, frozen=True, kw_only=True):
    """One dump: its file, the number of the command after which it was taken, and what it holds.

    Either ``texture`` (an index, with a level, or a layer of it where not all are there) or ``pool`` with a range of
    bytes. Of a texture's raw bytes ``format``, ``width``, ``height`` and ``layout`` say what is otherwise than of the
    texture: another order of components, larger rows, block-linear bytes of all of it.
    """

    file: Annotated[str, Meta(min_length=1, max_length=255)]
    after: Annotated[int, Meta(ge=0)]
    texture: Index | None = None
    level: Annotated[int, Meta(ge=0, lt=16)] = 0
    layer: Annotated[int, Meta(ge=0, lt=65536)] | None = None
    pool: Index | None = None
    offset_B: Bytes64 = 0
    size_B: Annotated[int, Meta(ge=1, le=1 << 30)] | None = None
    format: str | None = None
    width: Annotated[int, Meta(ge=1, le=MOST_SIDE_PX)] | None = None
    height: Annotated[int, Meta(ge=1, le=MOST_SIDE_PX)] | None = None
    layout: Literal["rows", "guest"] | None = None


class Manifest(Record, frozen=True, kw_only=True):
    """``readbacks.json``: which file of a folder is which dump."""

    refnvn_readbacks: Annotated[int, Meta(ge=1, le=1)]
    readbacks: Annotated[tuple[DumpEntry, ...], Meta(min_length=1, max_length=65536)]


@dataclass(frozen=True, slots=True)
class Judged:
    """One dump that was compared, with the trace that ends where it was taken."""

    entry: DumpEntry
    trace: Trace
    found: Weighed


@dataclass(frozen=True, slots=True)
class Parting:
    """Where the dumps part from NVN.

    Attributes
    ----------
    wrong : Judged or None
        The first wrong dump; None where all are the same or permitted.
    right_before : int
        The last command after which a dump of the same bytes was right; 0 for none.
    suspects : tuple of Step
        The commands between.
    compared : int
        How many dumps were compared.
    """

    wrong: Judged | None
    right_before: int
    suspects: tuple[Step, ...]
    compared: int


def read_manifest(content: bytes, where: str) -> Manifest:
    """Return a manifest.

    Raises
    ------
    InputFileError
        For what is none, naming the field.
    """
    try:
        manifest = msgspec.json.decode(content, type=Manifest)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise InputFileError(f"{where}: is no list of readbacks: {error}") from error
    for number, one in enumerate(manifest.readbacks):
        place = f"{where}: readbacks[{number}]"
        if (one.texture is None) == (one.pool is None):
            raise InputFileError(f"{place}: allowed is a texture, or a pool with size_B; not both, not neither")
        if one.pool is not None and one.size_B is None:
            raise InputFileError(f"{place}: a pool needs size_B")
        if one.pool is not None and (one.format or one.width or one.height or one.layout):
            raise InputFileError(f"{place}: format, width, height and layout are of a texture, not of a pool")
        if "/" in one.file or "\\" in one.file or one.file.startswith("."):
            raise InputFileError(f"{place}: file {one.file!r}; allowed is a name in the same folder")
    return manifest


def readback_of(recording: Recording, entry: DumpEntry) -> ReadTexels | ReadMemory:
    """Return the event that reads what a dump holds.

    Raises
    ------
    ArgumentError
        For a texture, level, layer or pool that the recording does not have.
    """
    if entry.pool is not None:
        if entry.pool >= len(recording.pools):
            raise ArgumentError(f"{entry.file}: pool {entry.pool}; there are {len(recording.pools)}")
        assert entry.size_B is not None
        return ReadMemory(name=RESULT, pool=entry.pool, offset_B=entry.offset_B, size_B=entry.size_B)
    assert entry.texture is not None
    if entry.texture >= len(recording.textures):
        raise ArgumentError(f"{entry.file}: texture {entry.texture}; there are {len(recording.textures)}")
    view = View(base_level=entry.level, levels=1)
    width, height, depth = subject_of(recording.textures[entry.texture], view).extent
    first, count = (0, depth) if entry.layer is None else (entry.layer, 1)
    if first >= depth:
        raise ArgumentError(f"{entry.file}: layer {first}; the texture has {depth}")
    region = Region(z=first, width=width, height=height, depth=count)
    return ReadTexels(name=RESULT, texture=TextureRef(texture=entry.texture, view=view), region=region)


Reader = Callable[[DumpEntry, Result], Actual]
"""Reads a dump, given what NVN has there."""


def judge_dump(trace: Trace, entry: DumpEntry, read: Reader) -> Judged:
    """Compare a dump with what NVN, and what NVN leaves open, has there.

    Raises
    ------
    ArgumentError
        For a dump of another size, or of what is not there.
    """
    cut = cut_after(trace, entry.after, [readback_of(trace.recording, entry)])
    case = GoldenCase(
        name="trace/dump", t_test="t_trace", says="A dump.", function=lambda rules: replayed(cut, rules)
    )
    golden = build(case)
    actual = read(entry, golden.result(RESULT).base)
    try:
        return Judged(entry, cut, weighed(golden, {RESULT: actual}))
    except ArgumentError as error:
        raise ArgumentError(str(error).replace(f"result {RESULT}", entry.file)) from error


def first_parting(
    trace: Trace,
    entries: Sequence[DumpEntry],
    read: Reader,
    advance: Callable[[], object] = lambda: None,
) -> Parting:
    """Find the first dump that is wrong.

    Parameters
    ----------
    trace : Trace
    entries : sequence of DumpEntry
        Any subset of what could have been dumped, in any order.
    read : callable
        Reads a dump, given what NVN has there.
    advance : callable
        Called after each comparison.
    """
    right: dict[tuple[object, ...], int] = {}
    for compared, entry in enumerate(sorted(entries, key=lambda one: one.after), start=1):
        judged = judge_dump(trace, entry, read)
        advance()
        if judged.found.verdict.wrong:
            before = right.get(_subject(entry), 0)
            suspects = tuple(_between(trace.recording, before, entry.after))
            return Parting(judged, before, suspects, compared)
        right[_subject(entry)] = entry.after
    return Parting(None, 0, (), len(entries))


def _subject(entry: DumpEntry) -> tuple[object, ...]:
    return entry.texture, entry.level, entry.layer, entry.pool, entry.offset_B, entry.size_B


def _between(recording: Recording, before: int, after: int) -> Iterator[Step]:
    """Yield the commands in which the fault lies."""
    return (step for step in steps(recording) if before < step.number <= after)
