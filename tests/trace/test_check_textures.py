"""Descriptors, pools of them and handles of a recording: what is refused, with its place."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from refnvn.commands import commands as c
from refnvn.commands import recording as r
from refnvn.commands.recording import Recording, pool_base_B
from refnvn.commands.resources import MemoryPool, Texture, TextureRef, View
from refnvn.commands.sampler import Sampler
from refnvn.enumerations import ShaderStage
from refnvn.layout.description import TextureTarget
from refnvn.trace.check import check
from refnvn.trace.place import Misplaced

POOL = pool_base_B(0)
TEXTURES = (
    Texture(pool=0, format="RGBA8", width=4, height=4),
    Texture(pool=0, format="RGBA8", width=4, height=4, depth=5, target=TextureTarget.TARGET_2D_ARRAY),
)


def recording(*events: Any, commands: tuple[Any, ...] = ()) -> Recording:
    """Return a recording of one pool of 64 KiB and two textures."""
    return Recording(
        refnvn_trace=1,
        pools=(MemoryPool(size_B=1 << 16),),
        textures=TEXTURES,
        command_buffers=(commands,),
        timeline=(*events, r.Submit(command_buffers=(0,))),
    )


def registered(address: int = POOL, number: int = 256, texture: TextureRef | None = None) -> r.RegisterTexture:
    """Return a registration."""
    return r.RegisterTexture(address=address, id=number, texture=texture or TextureRef(texture=0))


FIVE_FACES = TextureRef(texture=1, view=View(target=TextureTarget.TARGET_CUBEMAP))
WRONG = {
    "address": (registered(POOL + 16), "timeline\\[0\\].address: .*multiples of 32"),
    "room": (registered(number=2048), "timeline\\[0\\].address: 65568 bytes at offset 0"),
    "no pool": (registered(1 << 40), "is in no pool"),
    "no texture": (registered(texture=TextureRef(texture=2)), "no texture 2"),
    "five faces": (registered(texture=FIVE_FACES), "5 layers, a TARGET_CUBEMAP has at least 6"),
    "sampler id": (r.RegisterSampler(address=POOL, id=4096, sampler=Sampler()), "id: 4096"),
    "bias": (r.RegisterSampler(address=POOL, id=0, sampler=Sampler(lod_bias=0.1)), "sampler.lod_bias: .*float32"),
    "clamp": (r.RegisterSampler(address=POOL, id=0, sampler=Sampler(lod_clamp=(0.0, 1e39))), "sampler.lod_clamp"),
}


@pytest.mark.parametrize(("event", "message"), WRONG.values(), ids=WRONG)
def test_what_cannot_be_registered_is_refused(event: Any, message: str) -> None:
    """Each at its place."""
    with pytest.raises(Misplaced, match=message):
        check(recording(event))


COMMANDS = {
    "unaligned": (c.SetTexturePool(address=POOL + 8, descriptors=1), "multiples of 32"),
    "too many": (c.SetTexturePool(address=POOL, descriptors=2049), "65568 bytes at offset 0"),
    "samplers": (c.SetSamplerPool(address=POOL, descriptors=4097), "descriptors: 4097, allowed are up to 4096"),
}


@pytest.mark.parametrize(("command", "message"), COMMANDS.values(), ids=COMMANDS)
def test_pools_lie_in_memory(command: Any, message: str) -> None:
    """With all their descriptors."""
    with pytest.raises(Misplaced, match=message):
        check(recording(commands=(command,)))


def test_registrations_and_bindings_survive_json() -> None:
    """What is written is read again, and passes."""
    commands = (
        c.SetTexturePool(address=POOL, descriptors=512),
        c.SetSamplerPool(address=POOL + 0x4000, descriptors=512),
        c.BindTexture(stage=ShaderStage.FRAGMENT, index=40, handle=0xFFFFFFFF),
        c.BindSeparateTexture(stage=ShaderStage.VERTEX, index=127, handle=1),
        c.BindSeparateSampler(stage=ShaderStage.COMPUTE, index=0, handle=1 << 20),
    )
    image = r.RegisterImage(address=POOL, id=3, texture=TextureRef(texture=0))
    sampler = r.RegisterSampler(address=POOL + 0x4000, id=256, sampler=Sampler(border=(1, 2, 3, 0xFFFFFFFF)))
    whole = recording(registered(), image, sampler, commands=commands)
    check(whole)
    assert read_again(whole) == whole


def read_again(whole: Recording) -> Recording:
    """Return what the JSON of a recording says."""
    return msgspec.json.decode(msgspec.json.encode(whole), type=Recording)


@pytest.mark.parametrize(("kind", "index"), [(c.BindTexture, 41), (c.BindSeparateTexture, 128)])
def test_slots_end(kind: Any, index: int) -> None:
    """A slot that there is not is refused by the type."""
    text = {"command": kind.__name__, "stage": 1, "index": index, "handle": 0}
    with pytest.raises(msgspec.ValidationError, match="index"):
        msgspec.convert(text, kind)
