"""Which readbacks of a trace are the files that a host renderer dumped, as far as their names say?

| file | is taken for |
|---|---|
| colour target | a layer of a level of a texture that is a colour target, behind the last command |
| source of a copy into a 3D texture | the bytes that ``CopyBufferToTexture`` reads, before it |
| vertex stream, index buffer | the bytes that draws of that pass read, before the first of them |
| storage of an ASTC texture | the bytes of the texture in its pool, behind the last command |

Names have a host's serials, passes and addresses, and a trace has none of these: serials are matched by
``host_serials.py``, passes counted by ``host_passes.py``, addresses not used. What is assumed is listed, and so is
every file that is left out, with the reason. A list of readbacks (``bisect.py``) assumes nothing.

What it does not do: it reads no file. Read next: ``host_texels.py``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from refnvn.commands import commands as c
from refnvn.commands.recording import Recording
from refnvn.commands.resources import Texture, View
from refnvn.commands.subject import layers_of, subject_of
from refnvn.compare.bisect import DumpEntry
from refnvn.compare.host_passes import MemoryRange, memory_range, passes
from refnvn.compare.host_serials import textures_by_serial
from refnvn.compare.host_sizes import source_sizes, storage_sizes
from refnvn.compare.host_texels import sizes_of_rows
from refnvn.dumps.names import DumpKind, DumpName, TargetReading, name_of_dump, target_readings
from refnvn.errors import ArgumentError, printable
from refnvn.layout.description import TextureTarget
from refnvn.trace.steps import steps

_OF_SERIALS = (DumpKind.TARGET, DumpKind.TARGET_RAW, DumpKind.COPY_3D, DumpKind.ZERO_BLOCKS)
_OF_PASSES = (DumpKind.VERTEX_STREAM, DumpKind.INDEX_BUFFER)
_TELL = "--texture SERIAL=INDEX says which"
_LIST = "a list of readbacks can say what it is"


@dataclass(frozen=True, slots=True)
class DumpedFile:
    """A file of a folder: its name, its size, and width and height where it is a picture."""

    file: str
    size_B: int
    extent_px: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class HostDumps:
    """What files are taken for.

    Attributes
    ----------
    entries : tuple of DumpEntry
        In the order of the commands that last wrote, or first read, what they hold.
    assumed : tuple of str
        What no name says and was assumed, as sentences.
    left_out : tuple of str
        ``FILE: why`` for every other file.
    """

    entries: tuple[DumpEntry, ...]
    assumed: tuple[str, ...]
    left_out: tuple[str, ...]


class _LeftOutError(Exception):
    """Why a file is no readback."""


@dataclass(frozen=True, slots=True)
class _Fit:
    """What a serial must be for a file to fit: one of some textures."""

    reading: TargetReading
    textures: frozenset[int]


@dataclass(frozen=True, slots=True)
class _Match:
    """A readback, the command by which readbacks of one moment are ordered, and what was assumed."""

    order: int
    entry: DumpEntry
    assumed: tuple[str, ...]


def host_dumps(
    recording: Recording,
    files: Iterable[DumpedFile],
    said: Mapping[int, int] | None = None,
    after: int | None = None,
    *,
    any_size: bool = False,
) -> HostDumps:
    """Match the files of a folder with readbacks of a recording.

    Parameters
    ----------
    recording : Recording
        Taken for the frame that was dumped.
    files : iterable of DumpedFile
    said : mapping of serial to texture, or None
        Which serials are which textures, as far as the user knows.
    after : int or None
        The command behind which colour targets and storage were dumped; None is the last.
    any_size : bool
        Whether raw colour targets may have other sizes than plain rows, since more is known of them.

    Raises
    ------
    ArgumentError
        For a texture in ``said`` that the recording does not have.
    """
    said = said or {}
    for serial, texture in said.items():
        if not 0 <= texture < len(recording.textures):
            raise ArgumentError(f"serial {serial} is texture {texture}; the trace has {len(recording.textures)}")
    scene = _Scene(recording, said, after, any_size=any_size)
    ordered = sorted(files, key=lambda one: one.file)
    raw = {_bare(one.file) for one in ordered if name_of_dump(one.file).kind is DumpKind.TARGET_RAW}
    left_out: list[str] = []
    fits: dict[DumpedFile, _Fit] = {}
    matches: list[_Match] = []
    for one in ordered:
        named = name_of_dump(one.file)
        try:
            if named.kind is DumpKind.TARGET and _bare(one.file) in raw:
                raise _LeftOutError("the raw file beside it holds its codes")
            if named.kind in _OF_SERIALS:
                fits[one] = scene.fit(one, named)
            elif named.kind in _OF_PASSES:
                matches.append(scene.of_pass(one, named))
            else:
                raise _LeftOutError(_nothing(named))
        except _LeftOutError as why:
            left_out.append(f"{printable(one.file)}: {why}")
    serials = textures_by_serial(_allowed(fits.values()), said)
    for one, fit in fits.items():
        try:
            matches.append(scene.of_texture(one, name_of_dump(one.file), fit.reading, serials[fit.reading.serial]))
        except _LeftOutError as why:
            left_out.append(f"{printable(one.file)}: {why}")
    matches.sort(key=lambda one: one.order)
    assumed = dict.fromkeys(words for one in matches for words in one.assumed)
    return HostDumps(tuple(one.entry for one in matches), tuple(assumed), tuple(sorted(left_out)))


def _bare(file: str) -> str:
    return file.removesuffix(".raw").removesuffix(".png")


def _nothing(named: DumpName) -> str:
    if named.kind is DumpKind.PAGE_MAP:
        return "says which pages are mapped, and holds none of their bytes"
    return f"its name says nothing; {_LIST}"


def _allowed(fits: Iterable[_Fit]) -> dict[int, frozenset[int]]:
    """Return for each serial what all its files fit."""
    allowed: dict[int, frozenset[int]] = {}
    for one in fits:
        allowed[one.reading.serial] = allowed.get(one.reading.serial, one.textures) & one.textures
    return allowed


class _Scene:
    """A recording, and what of it is asked for each file."""

    def __init__(self, recording: Recording, said: Mapping[int, int], after: int | None, *, any_size: bool) -> None:
        self.recording = recording
        self.said = said
        self.any_size = any_size
        self.passes = passes(recording)
        self.copies = [(one.number, one.command) for one in steps(recording)
                       if isinstance(one.command, c.CopyBufferToTexture)]  # fmt: skip
        last = max((one.number for one in steps(recording)), default=0)
        self.after = last if after is None else after
        self.written = {ref.texture: one.last for one in self.passes for ref in one.colors}

    def fit(self, dumped: DumpedFile, named: DumpName) -> _Fit:
        """Return what the serial of a file must be."""
        if named.number is None:
            assert named.serial is not None
            textures = self._copied(dumped) if named.kind is DumpKind.COPY_3D else self._stored(dumped)
            self._check(dumped, textures)
            return _Fit(TargetReading(named.serial, 0, 0), textures)
        fits = [_Fit(one, self._targets(one, dumped)) for one in self._readings(named.number)]
        fits = [one for one in fits if one.textures]
        told = [one for one in fits if self.said.get(one.reading.serial) in one.textures]
        fits = told or fits
        if not fits:
            size = f"{dumped.size_B} bytes" if dumped.extent_px is None else "{}x{}".format(*dumped.extent_px)
            raise _LeftOutError(f"no colour target of the trace has such a layer and level, of {size}")
        if len(fits) > 1:
            words = [f"serial {r.serial}, layer {r.layer}, level {r.level}" for r in (one.reading for one in fits)]
            raise _LeftOutError(f"its number may mean {' or '.join(words[:4])}; {_TELL}")
        return fits[0]

    def _check(self, dumped: DumpedFile, textures: frozenset[int]) -> None:
        if not textures:
            raise _LeftOutError(f"no texture of the trace has, or is given, {dumped.size_B} bytes in this way")

    def _readings(self, number: int) -> list[TargetReading]:
        textures = [self.recording.textures[one] for one in {*self.written, *self.said.values()}]
        layers = max((layers_of(one, 0) for one in textures), default=1)
        return target_readings(number, layers=layers, levels=max((one.levels for one in textures), default=1))

    def _targets(self, reading: TargetReading, dumped: DumpedFile) -> frozenset[int]:
        """Return the colour targets that a file may be of, and the texture that the user says."""
        told = {self.said[reading.serial]} if reading.serial in self.said else set()
        textures = {*self.written, *told}
        return frozenset(one for one in textures if self._has(self.recording.textures[one], reading, dumped))

    def _has(self, texture: Texture, reading: TargetReading, dumped: DumpedFile) -> bool:
        if reading.level >= texture.levels or reading.layer >= layers_of(texture, reading.level):
            return False
        subject = subject_of(texture, View(base_level=reading.level, levels=1))
        if dumped.extent_px is not None:
            return dumped.extent_px == (subject.width_px, subject.height_px) and subject.samples == 1
        return self.any_size or dumped.size_B in sizes_of_rows(subject)

    def _is_source(self, copy: c.CopyBufferToTexture, dumped: DumpedFile) -> bool:
        return dumped.size_B in source_sizes(self.recording.textures[copy.texture.texture], copy)

    def _copied(self, dumped: DumpedFile) -> frozenset[int]:
        return frozenset(
            one.texture.texture
            for _, one in self.copies
            if self.recording.textures[one.texture.texture].target is TextureTarget.TARGET_3D
            and self._is_source(one, dumped)
        )

    def _stored(self, dumped: DumpedFile) -> frozenset[int]:
        return frozenset(
            number
            for number, one in enumerate(self.recording.textures)
            if "ASTC" in one.format and dumped.size_B in storage_sizes(one)
        )

    def of_texture(
        self, dumped: DumpedFile, named: DumpName, reading: TargetReading, textures: Sequence[int]
    ) -> _Match:
        """Return the readback of a texture, or of what was copied into it."""
        serial = reading.serial
        if not textures:
            raise _LeftOutError(f"serial {serial} is no texture where serials rise as textures do; {_TELL}")
        if len(textures) > 1:
            listed = ", ".join(map(str, textures))
            raise _LeftOutError(f"serial {serial} may be any of the textures {listed}; {_TELL}")
        number = textures[0]
        texture = self.recording.textures[number]
        label = f" {texture.label!r}" if texture.label else ""
        what = f"serial {serial} is texture {number}{label}, {texture.format} {texture.width}x{texture.height}"
        assumed = [] if serial in self.said else [f"{what}: serials rise as the textures of the trace do"]
        if named.kind is DumpKind.COPY_3D:
            return self._copy(dumped, number, assumed)
        assumed.append(f"colour targets and storage were dumped after command {self.after}")
        if named.kind is DumpKind.ZERO_BLOCKS:
            entry = _memory(dumped, self.after, MemoryRange(texture.pool, texture.offset_B, dumped.size_B))
            return _Match(self.after, entry, tuple(assumed))
        assumed.append("pictures are of colour targets, not screenshots, and their first row is the first in memory")
        several = layers_of(texture, reading.level) > 1
        entry = DumpEntry(
            file=dumped.file, after=self.after, texture=number, level=reading.level,
            layer=reading.layer if several else None,
        )  # fmt: skip
        return _Match(self.written.get(number, self.after), entry, tuple(assumed))

    def _copy(self, dumped: DumpedFile, texture: int, assumed: Sequence[str]) -> _Match:
        found = [(number, one) for number, one in self.copies
                 if one.texture.texture == texture and self._is_source(one, dumped)]  # fmt: skip
        if len({one.source for _, one in found}) > 1:
            numbers = " and ".join(str(number) for number, _ in found)
            raise _LeftOutError(f"commands {numbers} copy as many bytes into texture {texture}; {_LIST}")
        number, copy = found[0]
        return _Match(number, _memory(dumped, number - 1, memory_range(copy.source, dumped.size_B)), tuple(assumed))

    def of_pass(self, dumped: DumpedFile, named: DumpName) -> _Match:
        """Return the readback of memory that the draws of a pass read."""
        place = named.pass_ or 0
        if place >= len(self.passes):
            raise _LeftOutError(f"pass {place}; the trace has {len(self.passes)}, from 0")
        ranges: dict[MemoryRange, int] = {}
        for draw in self.passes[place].draws:
            is_indices = named.kind is DumpKind.INDEX_BUFFER
            if is_indices and str(draw.index_type) != named.index_type:
                continue
            found = draw.indices if is_indices else draw.streams.get(named.stream or 0)
            if found is not None:
                ranges.setdefault(found, draw.number)
        fitting = [one for one in ranges if one.size_B == dumped.size_B]
        if len(fitting) != 1:
            sizes = ", ".join(str(one.size_B) for one in ranges) or "none"
            raise _LeftOutError(
                f"{dumped.size_B} bytes; the ranges of this kind that draws of pass {place} read have {sizes}"
            )
        number = ranges[fitting[0]]
        words = "passes count from 0, one for each SetRenderTargets that is drawn to or cleared in"
        return _Match(number, _memory(dumped, number - 1, fitting[0]), (words,))


def _memory(dumped: DumpedFile, after: int, found: MemoryRange) -> DumpEntry:
    return DumpEntry(file=dumped.file, after=after, pool=found.pool, offset_B=found.offset_B, size_B=found.size_B)
