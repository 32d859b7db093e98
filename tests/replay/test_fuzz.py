"""Whatever a recording of well-typed commands says, a replay ends with results or with one error of refnvn."""

import math
from contextlib import suppress
from dataclasses import fields
from enum import IntEnum
from typing import Any, get_type_hints

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import inspect

from refnvn.commands.commands import AnyCommand
from refnvn.commands.recording import AnyEvent, Readback, Recording, Submit, pool_base_B
from refnvn.commands.resources import MemoryPool
from refnvn.enumerations import MemoryPoolFlags as Flags
from refnvn.errors import RefnvnError
from refnvn.golden.case import catalogue
from refnvn.golden.scene import SceneFunction, trace_of
from refnvn.layout.description import TextureTarget
from refnvn.replay.run import replay
from refnvn.rules.fields import NVN, Rules
from refnvn.trace.files import Trace, decode_recording, trace_json
from tests.replay.scenes import recording, ref, targets, texture
from tests.replay.shaders import PROGRAMS, set_up

TEXTURES = (
    texture("RGBA8", 16, 16, levels=3),
    texture("DEPTH24_STENCIL8", 16, 16, offset_B=1 << 13),
    texture("RGBA_DXT5", 20, 20, depth=3, target=TextureTarget.TARGET_2D_ARRAY),
    texture("R32UI", 8, 8, depth=4, target=TextureTarget.TARGET_3D, offset_B=512),
    texture("RGBA8", 9, 5, samples=4, target=TextureTarget.TARGET_2D_MULTISAMPLE),
    texture("R8", 16, 16, pool=1),
)
POOLS = (
    MemoryPool(size_B=1 << 20),
    MemoryPool(size_B=1 << 16, flags=int(Flags.CPU_UNCACHED | Flags.GPU_CACHED | Flags.VIRTUAL)),
)
ADDRESSES = [0, pool_base_B(0), pool_base_B(0) + 4, pool_base_B(0) + (1 << 16) - 8, pool_base_B(1), pool_base_B(7)]
SMALL = [0, 0, 0, 1, 2, 3, 4, 5, 8, 15, 16, 64]
LARGE = [255, 4096, 65536, (1 << 31) - 1, 1 << 40]
FLOATS = [0.0, 1.0, -1.0, 16.0, 8.5, 1e30]
HANDLES = [0, 256, 256 | 256 << 20, 257 | 256 << 20, 1 << 20, 0x12345678, (1 << 32) - 1]
FEW = ("count", "instance_count", "most", "groups_x", "groups_y", "groups_z")
"""So that no case takes long; tests/replay/test_bounded_work.py asks for too much."""
NAMED = {"format": ["RGBA8", "R32F", "RGBA16UI", "RGBA32UI", "RGB32F", "R8", "NONE", "no"], "blob": ["data", "none"]}


def values(kind: Any, name: str = "") -> st.SearchStrategy[Any]:
    """Return values of a type of msgspec, mostly small ones, that its limits allow."""
    match kind:
        case inspect.IntType():
            low = -(1 << 31) if kind.ge is None else kind.ge
            high = (1 << 48) if kind.lt is None and kind.le is None else (kind.lt or kind.le + 1) - 1
            small = SMALL if name in FEW else SMALL * 4 + LARGE + [-1]
            of_name = {"address": ADDRESSES, "source": ADDRESSES, "destination": ADDRESSES, "handle": HANDLES}
            wanted = of_name.get(name, small)
            return st.sampled_from([v for v in wanted if low <= v <= high] or [low])
        case inspect.FloatType():
            low = -math.inf if kind.ge is None else kind.ge
            high = math.inf if kind.le is None else kind.le
            return st.sampled_from([v for v in FLOATS if low <= v <= high] or [low])
        case inspect.BoolType():
            return st.booleans()
        case inspect.NoneType():
            return st.none()
        case inspect.StrType():
            return st.sampled_from(NAMED.get(name, ["data", "x", "y"]))
        case inspect.EnumType():
            return st.sampled_from(list(kind.cls))
        case inspect.UnionType():
            return st.one_of(values(one, name) for one in kind.types)
        case inspect.TupleType():
            return st.tuples(*(values(one, name) for one in kind.item_types))
        case inspect.VarTupleType():
            least = kind.min_length or 0
            most = min(kind.max_length or 3, max(least, 3))
            return st.lists(values(kind.item_type, name), min_size=least, max_size=most).map(tuple)
        case inspect.StructType():
            fields = {f.name: values(f.type, f.encode_name) for f in kind.fields if f.required}
            more = {f.name: values(f.type, f.encode_name) for f in kind.fields if not f.required}
            return st.fixed_dictionaries(fields, optional=more).map(lambda given: kind.cls(**given))
    raise AssertionError(kind)


COMMANDS = values(inspect.type_info(AnyCommand))
EVENTS = values(inspect.type_info(AnyEvent)).filter(lambda event: not isinstance(event, Submit))


READY = [targets(ref(), depth_stencil=ref(1)), *set_up(16, 16)]
"""So that a draw among the commands that follow has all it needs."""


@given(st.sampled_from([[], [READY]]), st.lists(st.lists(COMMANDS, max_size=6) | EVENTS, max_size=6))
@settings(max_examples=300, deadline=None)
def test_a_replay_ends_with_results_or_one_error(start: list[Any], events: list[Any]) -> None:
    """No other exception and no warning, for recordings as a trace would hold them."""
    blobs = {"data": bytes(range(64))}
    made = recording(TEXTURES, [*start, *events], blobs, pools=POOLS, programs=PROGRAMS)
    one = msgspec.json.decode(msgspec.json.encode(made), type=Recording)
    with suppress(RefnvnError):
        replay(one, blobs)


SCENES = [trace_of(case) for case in catalogue() if isinstance(case.function, SceneFunction)]
"""Every stage and resource is in one of them."""
SETTINGS = {
    name: list(kind)
    for name, kind in get_type_hints(Rules).items()
    if name in {one.name for one in fields(Rules)} and isinstance(kind, type) and issubclass(kind, IntEnum)
}
RULES = st.dictionaries(st.sampled_from(sorted(SETTINGS)), st.integers(0, 9), max_size=4).map(
    lambda chosen: NVN.with_(**{name: SETTINGS[name][k % len(SETTINGS[name])] for name, k in chosen.items()})
)


@st.composite
def changed_scenes(draw: st.DrawFn) -> Trace:
    """Return a scene of the catalogue with commands and events put in, and fields of its commands changed."""
    trace = draw(st.sampled_from(SCENES))
    buffers = [list(commands) for commands in trace.recording.command_buffers]
    timeline = list(trace.recording.timeline)
    for _ in range(draw(st.integers(1, 5))):
        change = draw(st.sampled_from(["change", "change", "command", "event"]))
        commands = draw(st.sampled_from([one for one in buffers if one] or [[]]))
        if change == "event" or not commands:
            timeline.insert(draw(st.integers(0, len(timeline))), draw(EVENTS))
            continue
        place = draw(st.integers(0, len(commands) - 1))
        kind: Any = inspect.type_info(type(commands[place]))
        kinds = {one.name: one for one in kind.fields}
        if change == "command" or not kinds:
            commands.insert(place, draw(COMMANDS))
            continue
        field = kinds[draw(st.sampled_from(sorted(kinds)))]
        value = draw(values(field.type, field.encode_name))
        commands[place] = msgspec.structs.replace(commands[place], **{field.name: value})
    made = msgspec.structs.replace(
        trace.recording, command_buffers=tuple(tuple(one) for one in buffers), timeline=tuple(timeline)
    )
    return Trace(made, trace.blobs)


def outcome(trace: Trace, rules: Rules) -> set[str] | str:
    """Return the names of the results of a trace that was written and read, or its error."""
    try:
        return set(replay(decode_recording(trace_json(trace.recording), "here"), trace.blobs, rules))
    except RefnvnError as error:
        return str(error)


@pytest.mark.slow
@given(changed_scenes(), RULES)
@settings(max_examples=150, deadline=None)
def test_a_changed_scene_ends_with_its_readbacks_or_one_error(trace: Trace, rules: Rules) -> None:
    """By NVN's rules or others: every readback is there, or the error is one line."""
    found = outcome(trace, rules)
    wanted = {event.name for event in trace.recording.timeline if isinstance(event, Readback)}
    assert found == wanted if isinstance(found, set) else "\n" not in found
