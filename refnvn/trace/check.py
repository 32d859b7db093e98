"""Does a recording hold together: does every index, name, address, view and region refer to something that is there?

A recording that passes can be replayed without an index out of range; what a draw does is not followed here. The
checks of one command are in ``check_commands.py``, those of programs in the shader room.

Read next: ``files.py``.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping
from contextvars import Context
from typing import Any

from refnvn.commands import recording as r
from refnvn.commands import sync as s
from refnvn.commands.event import Event
from refnvn.commands.presents import PresentTexture, presented_region
from refnvn.commands.recording import Recording
from refnvn.commands.resources import MemoryPool, Program, Texture
from refnvn.commands.result_rules import (
    check_result_elements,
    check_result_name,
    check_result_region,
    code_width_bits,
)
from refnvn.commands.subject import description_of, stored_format
from refnvn.enumerations import MemoryPoolFlags
from refnvn.errors import ArgumentError, SizeError, UnsupportedFormat
from refnvn.formats.table import Use
from refnvn.layout.description import TextureDescription, TextureTarget
from refnvn.layout.gob import GOB_SIZE_B
from refnvn.layout.texture import texture_layout
from refnvn.memory.memory import MAX_MEMORY_B
from refnvn.trace import check_textures
from refnvn.trace.check_commands import WORD_B, check_command, check_presented, check_word, drawn_vertices
from refnvn.trace.check_mesh import check_mesh
from refnvn.trace.place import at
from refnvn.trace.resources import (
    Resources,
    check_blob,
    check_index,
    check_pool_range,
    check_texture_ref,
    check_texture_region,
    resources_of,
)

PAGE_B = 4096
PROGRAM_STAGES = ("vertex", "tess_control", "tess_evaluation", "geometry", "fragment", "compute")
SPARSE_TILE_B = 65536
LINEAR_ALIGNMENT_B = 32
MOST_BLOBS_B = 1 << 30
MOST_READ_B = 1 << 30
"""Of all readbacks together."""
MOST_POOLS_B = 1 << 33
"""Of all pools that have storage of their own."""
MOST_POOLS = 4096
MOST_RESOURCES = 1 << 16
MOST_SUBMITTED_COMMANDS = 1 << 24
"""Of all submissions together: a replay then ends, however often a command buffer is submitted."""
MOST_SUBMITTED_VERTICES = 1 << 26
"""Of all draws of all submissions together, instances counted, as far as the commands say."""
MOST_NESTING = 128
"""Objects and arrays inside one another in a program."""

STORABLE = (Use.TEXTURE, Use.RENDER_TARGET, Use.IMAGE, Use.BUFFER_TEXTURE)


def check(recording: Recording) -> None:
    """Raise unless everything that a recording refers to is there.

    Raises
    ------
    refnvn.trace.place.Misplaced
        With the place, what is wrong there and what is allowed.
    """
    resources = resources_of(recording)
    _check_counts(recording)
    _check_blobs(recording)
    for index, pool in enumerate(recording.pools):
        with at("pools", index):
            check_pool(resources, pool)
    for index, texture in enumerate(recording.textures):
        with at("textures", index):
            check_texture(resources, texture)
    for index, program in enumerate(recording.programs):
        with at("programs", index):
            check_program(program)
    for index, commands in enumerate(recording.command_buffers):
        for position, command in enumerate(commands):
            with at("command_buffers", index, position):
                check_command(resources, command)
    _check_timeline(resources, recording)


def _check_counts(recording: Recording) -> None:
    limits = {"pools": MOST_POOLS, "textures": MOST_RESOURCES, "programs": MOST_RESOURCES, "queues": MOST_RESOURCES}
    for name, limit in limits.items():
        with at(name):
            if len(getattr(recording, name)) > limit:
                raise SizeError(f"{len(getattr(recording, name))} of them, allowed are {limit}")
    with at("pools"):
        size_B = sum(p.size_B for p in recording.pools if not p.flags & MemoryPoolFlags.VIRTUAL)
        if size_B > MOST_POOLS_B:
            raise SizeError(f"{size_B} bytes together, allowed are {MOST_POOLS_B}")
        size_B = sum(p.size_B for p in recording.pools)
        if size_B > MAX_MEMORY_B:
            raise SizeError(f"{size_B} bytes together with VIRTUAL ones, allowed are {MAX_MEMORY_B}")


def _check_blobs(recording: Recording) -> None:
    with at("blobs"):
        check_distinct_files("blob", recording.blobs)
        if sum(recording.blobs.values()) > MOST_BLOBS_B:
            raise SizeError(f"{sum(recording.blobs.values())} bytes together, allowed are {MOST_BLOBS_B}")


def check_distinct_files(what: str, names: Iterable[str]) -> None:
    """Raise where two names would be one file on a disk that takes no notice of case.

    Raises
    ------
    ArgumentError
        Naming both.
    """
    seen: dict[str, str] = {}
    for name in names:
        other = seen.setdefault(name.lower(), name)
        if other is not name:
            raise ArgumentError(f"two {what}s are named {other!r} and {name!r}, allowed are names of their own")


def check_pool(resources: Resources, pool: MemoryPool) -> None:
    """Raise for a pool that cannot be.

    Raises
    ------
    ArgumentError
        For its size, its flags or its first bytes.
    """
    with at("size_B"):
        if pool.size_B % PAGE_B:
            raise SizeError(f"{pool.size_B}, allowed are multiples of {PAGE_B}")
    if pool.initial is not None:
        with at("initial"):
            if pool.flags & MemoryPoolFlags.VIRTUAL:
                raise ArgumentError("a VIRTUAL pool has no bytes of its own")
            size_B = check_blob(resources, pool.initial)
            if size_B > pool.size_B:
                raise SizeError(f"blob {pool.initial!r} has {size_B} bytes, the pool {pool.size_B}")


@functools.lru_cache(maxsize=1024)
def texture_size_B(description: TextureDescription) -> int:
    """Return the bytes of a texture by NVN's rules, and count no rule as used."""
    return Context().run(lambda: texture_layout(description).size_B)


def storage_alignment_B(texture: Texture, description: TextureDescription) -> int:
    """Return what the offset of a texture must be a multiple of for the hardware to address it.

    What ``GetStorageAlignment`` asks for may be more.
    """
    if description.is_sparse:
        return SPARSE_TILE_B
    if texture.target is TextureTarget.TARGET_BUFFER:
        return description.element.bytes_per_block & -description.element.bytes_per_block
    return LINEAR_ALIGNMENT_B if description.is_linear else GOB_SIZE_B


def check_texture(resources: Resources, texture: Texture) -> None:
    """Raise for a texture that cannot be stored where it is.

    Raises
    ------
    ArgumentError
        For its format, sizes, offset or pool.
    """
    with at("format"):
        fmt = stored_format(texture.format)
        if not any(fmt.has(use) for use in STORABLE):
            raise UnsupportedFormat(f"{fmt.nvn_name} is the format of no texture")
    description = description_of(texture)
    with at("offset_B"):
        alignment_B = storage_alignment_B(texture, description)
        if texture.offset_B % alignment_B:
            raise ArgumentError(f"{texture.offset_B}, allowed are multiples of {alignment_B}")
    with at("pool"):
        check_pool_range(resources, texture.pool, texture.offset_B, texture_size_B(description))
        if resources.pools[texture.pool].flags & MemoryPoolFlags.GPU_NO_ACCESS:
            raise ArgumentError(f"pool {texture.pool} is GPU_NO_ACCESS")


def check_program(program: Program) -> None:
    """Raise for a shader that is no valid intermediate representation.

    Raises
    ------
    ArgumentError
        Naming stage and place.
    """
    for stage in PROGRAM_STAGES:
        shader = getattr(program, stage)
        if shader is not None:
            with at(stage):
                check_nesting(shader)
                _check_shader(stage, shader)
    if program.mesh is not None:
        with at("mesh"):
            for value in (program.mesh.mesh, program.mesh.task, list(program.mesh.outputs)):
                check_nesting(value or {})
            check_mesh(program.mesh)


def _check_shader(stage: str, shader: dict[str, Any]) -> None:
    from refnvn.shader.ir import from_object

    found = from_object(shader, "the shader")
    if found.stage.value != stage:
        raise ArgumentError(f"a {found.stage.value} shader, allowed is a {stage} shader")


def check_nesting(value: object) -> None:
    """Raise for JSON that is nested deeper than a program needs.

    Raises
    ------
    SizeError
        With the limit.
    """
    level: list[Any] = [value]
    for _ in range(MOST_NESTING):
        inner: list[Any] = []
        for one in level:
            if isinstance(one, Mapping):
                inner += [v for v in one.values() if isinstance(v, dict | list)]
            elif isinstance(one, list):
                inner += [v for v in one if isinstance(v, dict | list)]
        if not inner:
            return
        level = inner
    raise SizeError(f"nested deeper than {MOST_NESTING}")


def _check_timeline(resources: Resources, recording: Recording) -> None:
    names: set[str] = set()
    read_B = 0
    work = _Work(recording)
    for position, event in enumerate(recording.timeline):
        with at("timeline", position):
            if isinstance(event, r.Submit):
                _check_submit(recording, event)
                work.submit(event)
                continue
            _check_queue(recording, event)
            size_B = check_event(resources, event)
            if isinstance(event, r.Readback):
                with at("name"):
                    if event.name in names:
                        raise ArgumentError(f"two results are named {event.name!r}, allowed are names of their own")
                names.add(event.name)
                read_B += size_B
                if read_B > MOST_READ_B:
                    raise SizeError(f"all readbacks so far have {read_B} bytes, allowed are {MOST_READ_B}")


class _Work:
    """How much all submissions so far ask for; a command buffer counts as often as it is submitted."""

    def __init__(self, recording: Recording) -> None:
        self.of_buffers = [
            (len(commands), sum(drawn_vertices(command) for command in commands))
            for commands in recording.command_buffers
        ]
        self.commands = 0
        self.vertices = 0

    def submit(self, event: r.Submit) -> None:
        """Count a submission.

        Raises
        ------
        SizeError
            Where it is more than is allowed.
        """
        self.commands += sum(self.of_buffers[buffer][0] for buffer in event.command_buffers)
        self.vertices += sum(self.of_buffers[buffer][1] for buffer in event.command_buffers)
        for what, count, limit in (
            ("commands", self.commands, MOST_SUBMITTED_COMMANDS),
            ("vertices", self.vertices, MOST_SUBMITTED_VERTICES),
        ):
            if count > limit:
                raise SizeError(f"{count} {what} are submitted so far, allowed are {limit}")


def _check_queue(recording: Recording, event: r.AnyEvent) -> None:
    queue = getattr(event, "queue", None)
    if queue is not None:
        with at("queue"):
            check_index("queue", queue, len(recording.queues))


def _check_submit(recording: Recording, event: r.Submit) -> None:
    _check_queue(recording, event)
    for position, buffer in enumerate(event.command_buffers):
        with at("command_buffers", position):
            check_index("command buffer", buffer, len(recording.command_buffers))


def check_event(resources: Resources, event: Event) -> int:
    """Raise for an event that is no submission and cannot happen; return the bytes that it moves.

    Raises
    ------
    Misplaced
        At the field that is wrong.
    """
    check = _EVENTS[type(event)]
    return check(resources, event)


def _write_memory(resources: Resources, event: r.WriteMemory) -> int:
    with at("blob"):
        size_B = check_blob(resources, event.blob)
    check_pool_range(resources, event.pool, event.offset_B, size_B)
    return size_B


def _memory_range(resources: Resources, event: r.ReadMemory | r.FlushMappedRange | s.InvalidateMappedRange) -> int:
    check_pool_range(resources, event.pool, event.offset_B, event.size_B)
    if isinstance(event, r.ReadMemory) and not event.size_B:
        raise SizeError("0 bytes are read, allowed is 1 and more")
    if isinstance(event, r.ReadMemory):
        with at("name"):
            check_result_name(event.name)
        with at("size_B"):
            check_result_elements(event.size_B)
    return event.size_B


def _write_texels(resources: Resources, event: r.WriteTexels) -> int:
    size_B = check_texture_region(resources, event.texture, event.region).size_B
    with at("blob"):
        check_blob(resources, event.blob, size_B)
    return size_B


def _read_texels(resources: Resources, event: r.ReadTexels) -> int:
    with at("name"):
        check_result_name(event.name)
    size_B = check_texture_region(resources, event.texture, event.region).size_B
    with at("region"):
        check_result_region(event.region)
        check_result_elements(size_B * 8 // code_width_bits(check_texture_ref(resources, event.texture).fmt))
    return size_B


def _present_texture(resources: Resources, event: PresentTexture) -> int:
    with at("name"):
        check_result_name(event.name)
    subject = check_texture_ref(resources, event.texture)
    with at("texture"):
        check_presented(subject)
        region = presented_region(subject, event)
        check_result_region(region)
    return check_texture_region(resources, event.texture, region).size_B


def _event_signal(resources: Resources, event: s.EventSignal) -> int:
    check_word(resources, event.address)
    return WORD_B


def _needs_nothing(_resources: Resources, _event: Event) -> int:
    """Pass: the queue is checked with the whole recording, and a sync is a number."""
    return 0


def _map_virtual(resources: Resources, event: r.MapVirtual) -> int:
    check_pool_range(resources, event.pool, event.offset_B, event.size_B)
    with at("pool"):
        if not resources.pools[event.pool].flags & MemoryPoolFlags.VIRTUAL:
            raise ArgumentError(f"pool {event.pool} is not VIRTUAL")
    for field in ("offset_B", "size_B", "physical_offset_B"):
        with at(field):
            if getattr(event, field) % PAGE_B:
                raise ArgumentError(f"{getattr(event, field)}, allowed are multiples of {PAGE_B}")
    with at("size_B"):
        if not event.size_B:
            raise SizeError(f"0, allowed are multiples of {PAGE_B}, at least one")
    if event.physical_pool is not None:
        with at("physical_pool"):
            check_pool_range(resources, event.physical_pool, event.physical_offset_B, event.size_B)
            if resources.pools[event.physical_pool].flags & MemoryPoolFlags.VIRTUAL:
                raise ArgumentError(f"pool {event.physical_pool} is VIRTUAL, allowed are pools with storage")
    return event.size_B


_EVENTS: dict[type[Any], Callable[[Resources, Any], int]] = {
    r.WriteMemory: _write_memory,
    r.FlushMappedRange: _memory_range,
    r.ReadMemory: _memory_range,
    r.WriteTexels: _write_texels,
    r.ReadTexels: _read_texels,
    PresentTexture: _present_texture,
    r.MapVirtual: _map_virtual,
    s.InvalidateMappedRange: _memory_range,
    s.EventSignal: _event_signal,
    s.QueueFlush: _needs_nothing,
    s.QueueFinish: _needs_nothing,
    s.QueueFenceSync: _needs_nothing,
    s.QueueWaitSync: _needs_nothing,
    s.SyncWait: _needs_nothing,
    r.RegisterTexture: check_textures.register_texture,
    r.RegisterImage: check_textures.register_texture,
    r.RegisterSampler: check_textures.register_sampler,
}
