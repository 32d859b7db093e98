"""How does a shader reach the textures and samplers that handles name?

Whatever runs a shader gives a :class:`Textures`: what is bound to the slots of the stage, as handles, and what ids
mean. A slot and a handle out of a register then go the same way. Tests and other users without a replay make one
with :func:`textures_of`.

Read next: ``execute_textures.py``.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field

from refnvn.texture.handles import RESERVED_IDS, SlotKind, combined_handle
from refnvn.texture.sampled import SampledTexture
from refnvn.texture.sampler import Sampler


@dataclass(frozen=True, kw_only=True)
class Textures:
    """What handles name.

    Attributes
    ----------
    bound : callable
        The low 32 bits of the handle in a slot of a kind; 0 where nothing was bound.
    texture : callable
        What a texture id shows now, None where nothing is registered; called by several threads.
    sampler : callable
        The sampler of an id, None where nothing is registered.
    kept : dict
        Textures as instructions of other dimensions see them, with the rules that made them.
    """

    bound: Callable[[SlotKind, int], int]
    texture: Callable[[int], SampledTexture | None]
    sampler: Callable[[int], Sampler | None]
    kept: dict[Hashable, tuple[object, SampledTexture]] = field(default_factory=dict)


NO_TEXTURES = Textures(bound=lambda _kind, _slot: 0, texture=lambda _id: None, sampler=lambda _id: None)
"""Nothing bound and nothing registered."""


def textures_of(combined: Mapping[int, tuple[SampledTexture, Sampler]]) -> Textures:
    """Return textures and samplers in slots of combined textures, by slot.

    Slot n has the ids 256 + n.
    """
    textures = {RESERVED_IDS + slot: pair[0] for slot, pair in combined.items()}
    samplers = {RESERVED_IDS + slot: pair[1] for slot, pair in combined.items()}

    def bound(kind: SlotKind, slot: int) -> int:
        taken = kind is SlotKind.COMBINED and slot in combined
        return combined_handle(RESERVED_IDS + slot, RESERVED_IDS + slot) if taken else 0

    return Textures(bound=bound, texture=textures.get, sampler=samplers.get)
