"""Whatever a recording of well-typed commands says, a replay ends with results or with one error of refnvn."""

import math
from contextlib import suppress
from typing import Any

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import inspect

from refnvn.commands.commands import AnyCommand
from refnvn.commands.recording import AnyEvent, Recording, Submit, pool_base_B
from refnvn.commands.resources import MemoryPool
from refnvn.enumerations import MemoryPoolFlags as Flags
from refnvn.errors import RefnvnError
from refnvn.layout.description import TextureTarget
from refnvn.replay.run import replay
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
NAMED = {"format": ["RGBA8", "R32F", "RGBA16UI", "RGBA32UI", "RGB32F", "R8", "NONE", "no"], "blob": ["data", "none"]}


def values(kind: Any, name: str = "") -> st.SearchStrategy[Any]:
    """Return values of a type of msgspec, mostly small ones, that its limits allow."""
    match kind:
        case inspect.IntType():
            low = -(1 << 31) if kind.ge is None else kind.ge
            high = (1 << 48) if kind.lt is None and kind.le is None else (kind.lt or kind.le + 1) - 1
            wanted = ADDRESSES * 3 if name in ("address", "source", "destination") else SMALL * 4 + LARGE + [-1]
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
            return st.lists(values(kind.item_type, name), max_size=3).map(tuple)
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
