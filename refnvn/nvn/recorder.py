"""What has been recorded so far: resources by index, command buffers, the order of events, the bytes of blobs.

Everything an NVN call names is copied in when the call is made. Equal copies share one index: two texture objects of
one description are one texture, as they are for the GPU.

It checks references; arguments are checked where they are given. Read next: ``device.py``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec

from refnvn.commands import recording as r
from refnvn.commands.commands import AnyCommand
from refnvn.commands.presents import PresentTexture
from refnvn.commands.resources import MemoryPool, Program, Texture
from refnvn.commands.result_rules import check_result_name
from refnvn.enumerations import DepthMode, WindowOriginMode
from refnvn.errors import ArgumentError, RefnvnError, SizeError
from refnvn.nvn.arguments import naming, shown, text
from refnvn.rules.evidence import Evidence
from refnvn.rules.registry import rule
from refnvn.trace.check import check_event, check_texture
from refnvn.trace.check_commands import check_command
from refnvn.trace.files import Trace
from refnvn.trace.place import Misplaced
from refnvn.trace.resources import Resources

if TYPE_CHECKING:
    from refnvn.nvn.device import Device
    from refnvn.nvn.memory_pool import MemoryPool as LivePool

MOST_SYNCS = 1 << 16


class Recorder:
    """The recording in the making."""

    def __init__(self) -> None:
        self.pools: list[LivePool] = []
        self.textures: list[Texture] = []
        self.programs: list[Program] = []
        self.queues: list[r.Queue] = []
        self.command_buffers: list[tuple[AnyCommand, ...]] = []
        self.timeline: list[r.AnyEvent] = []
        self.blobs: dict[str, bytes] = {}
        self.resources = Resources(
            pools=self.pools, textures=self.textures, programs=self.programs, blobs=_Sizes(self.blobs)
        )
        self._texture_indices: dict[Texture, int] = {}
        self._program_indices: dict[bytes, int] = {}
        self._blob_names: dict[bytes, str] = {}
        self._result_names: set[str] = set()
        self._syncs = 0

    def new_sync(self) -> int:
        """Return the number of a new sync.

        Raises
        ------
        SizeError
            For more than 65536.
        """
        if self._syncs >= MOST_SYNCS:
            raise SizeError(f"Sync: there are {MOST_SYNCS} syncs, no more are allowed")
        self._syncs += 1
        return self._syncs - 1

    @property
    def presents(self) -> int:
        """How many pictures were presented."""
        return sum(isinstance(event, PresentTexture) for event in self.timeline)

    def texture_index(self, texture: Texture) -> int:
        """Return the index of a copy of a texture."""
        if texture not in self._texture_indices:
            check_texture(self.resources, texture)
            self._texture_indices[texture] = len(self.textures)
            self.textures.append(texture)
        return self._texture_indices[texture]

    def program_index(self, program: Program) -> int:
        """Return the index of a copy of a program."""
        index = self._program_indices.setdefault(msgspec.json.encode(program), len(self.programs))
        if index == len(self.programs):
            self.programs.append(program)
        return index

    def blob(self, content: bytes) -> str:
        """Return the name under which some bytes are kept."""
        name = self._blob_names.setdefault(content, f"bytes_{len(self.blobs)}")
        self.blobs[name] = content
        return name

    def result_name(self, call: str, name: str) -> str:
        """Return the name of a new result.

        Raises
        ------
        ArgumentError
            For a name that no replay would take, or one that another result has.
        """
        given = text(call, "name", name)
        with naming(call, "name"):
            check_result_name(given)
        if given in self._result_names:
            raise ArgumentError(f"{call}: name is {given!r}, which another result has")
        return given

    def check(self, call: str, command: AnyCommand, argument_names: dict[str, str]) -> None:
        """Raise for a command that cannot be executed, naming NVN's argument."""
        try:
            check_command(self.resources, command)
        except Misplaced as error:
            field, separator, rest = error.place.partition(".")
            name = argument_names.get(field, field)
            raise Misplaced(f"{call}: {name}{separator}{rest}", error.fault) from None

    def add_event(self, call: str, event: r.AnyEvent) -> None:
        """Put an event that is no submission at the end of the timeline.

        Raises
        ------
        ArgumentError
            Where it refers to what is not there.
        """
        try:
            check_event(self.resources, event)
        except Misplaced as error:
            raise Misplaced(f"{call}: {error.place}", error.fault) from None
        except RefnvnError as error:
            raise Misplaced(call, str(error)) from None
        if isinstance(event, r.Readback):
            self._result_names.add(event.name)
        self.timeline.append(event)

    def trace(self, name: str, window_origin: WindowOriginMode, depth_mode: DepthMode) -> Trace:
        """Return everything recorded so far."""
        recording = r.Recording(
            refnvn_trace=r.VERSION,
            name=name,
            window_origin=window_origin,
            depth_mode=depth_mode,
            queues=tuple(self.queues),
            pools=tuple(_recorded_pool(pool, self) for pool in self.pools),
            textures=tuple(self.textures),
            programs=tuple(self.programs),
            command_buffers=tuple(self.command_buffers),
            timeline=tuple(self.timeline),
            blobs={key: len(self.blobs[key]) for key in sorted(self.blobs)},
        )
        return Trace(recording, dict(self.blobs))


def device_for(call: str, device: Device) -> Device:
    """Return the device that an object is made from.

    Raises
    ------
    ArgumentError
        For anything that records nothing.
    """
    if not isinstance(getattr(device, "recorder", None), Recorder):
        raise ArgumentError(f"{call}: device is {shown(device)}, allowed is a Device")
    return device


class _Sizes(dict[str, int]):
    """The sizes of blobs, as a mapping that follows the blobs."""

    def __init__(self, blobs: dict[str, bytes]) -> None:
        super().__init__()
        self._blobs = blobs

    def __contains__(self, name: object) -> bool:
        return name in self._blobs

    def __getitem__(self, name: str) -> int:
        return len(self._blobs[name])


def _recorded_pool(pool: LivePool, recorder: Recorder) -> MemoryPool:
    initial = None if not pool.initial else recorder.blob(pool.initial)
    return MemoryPool(size_B=pool.size_B, flags=int(pool.flags), initial=initial, label=pool.label)


@rule(
    "NVN-RECORD-1",
    "A recorded command carries its own copy of the texture's description; the object may change or go afterwards.",
    evidence=Evidence.INFERRED,
    sources=("seed-titles",),
    ledger=("record-snapshot",),
    refuted_by="a console that clears the new texture when the object is initialised again before the submission",
)
def copied_texture(recorder: Recorder, texture: Texture) -> int:
    """Return the index of the copy that a command carries."""
    return recorder.texture_index(texture)


@rule(
    "NVN-QUEUE-1",
    "A queue keeps, for winding and facing, the window origin that its device had when it was initialised.",
    evidence=Evidence.INFERRED,
    sources=("seed-titles",),
    ledger=("queue-origin",),
    refuted_by="facing that changes when nvnDeviceSetWindowOriginMode is called after nvnQueueInitialize",
)
def captured_queue(window_origin: WindowOriginMode) -> r.Queue:
    """Return the queue as it is recorded.

    >>> captured_queue(WindowOriginMode.UPPER_LEFT).window_origin.name
    'UPPER_LEFT'
    """
    return r.Queue(window_origin=window_origin)


def submission(command_buffers: Sequence[int], queue: int) -> r.Submit:
    """Return the event of a submission."""
    return r.Submit(command_buffers=tuple(command_buffers), queue=queue)
