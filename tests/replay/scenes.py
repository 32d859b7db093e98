"""Small recordings, spelled out: one pool, a few textures, commands, and what is read at the end."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from refnvn.commands import commands as c
from refnvn.commands import recording as r
from refnvn.commands.recording import Recording, pool_base_B
from refnvn.commands.resources import MemoryPool, Region, Texture, TextureRef, View
from refnvn.commands.subject import subject_of, whole_region
from refnvn.replay.run import Results, replay
from refnvn.rules.fields import NVN, Rules

POOL_B = 1 << 20
POOLS = (MemoryPool(size_B=POOL_B),)
BUFFER_B = POOL_B - (1 << 16)
"""Where buffers lie in the pool: after all textures."""
BUFFER = pool_base_B(0) + BUFFER_B


def bits(value: float) -> int:
    """Return the bits of a float32."""
    return int(struct.unpack("<I", struct.pack("<f", value))[0])


def color(*values: float) -> tuple[int, int, int, int]:
    """Return the bits of four floats."""
    red, green, blue, alpha = (bits(v) for v in values)
    return red, green, blue, alpha


RED = color(1, 0, 0, 1)
BLUE = color(0, 0, 1, 1)


def texture(fmt: str, width: int, height: int = 1, **fields: Any) -> Texture:
    """Return a texture in pool 0."""
    return Texture(**({"pool": 0, "format": fmt, "width": width, "height": height} | fields))


def ref(index: int = 0, **view: Any) -> TextureRef:
    """Return a reference, through a view if anything is said of one."""
    return TextureRef(texture=index, view=View(**view) if view else None)


def whole(one: Texture, view: View | None = None) -> Region:
    """Return the region of all that is seen."""
    return whole_region(subject_of(one, view))


def recording(
    textures: Sequence[Texture],
    events: Sequence[Any],
    blobs: dict[str, bytes] | None = None,
    **fields: Any,
) -> Recording:
    """Return a recording; a list of commands among the events is a submission of a command buffer of its own."""
    buffers, timeline = [], []
    for event in events:
        if isinstance(event, list):
            timeline.append(r.Submit(command_buffers=(len(buffers),)))
            buffers.append(tuple(event))
        else:
            timeline.append(event)
    named = {name: len(data) for name, data in (blobs or {}).items()}
    stated = {"pools": POOLS, "command_buffers": tuple(buffers), "timeline": tuple(timeline), "blobs": named} | fields
    return Recording(refnvn_trace=1, textures=tuple(textures), **stated)


def run(
    textures: Sequence[Texture],
    events: Sequence[Any],
    blobs: dict[str, bytes] | None = None,
    rules: Rules = NVN,
    threads: int = 1,
    **fields: Any,
) -> Results:
    """Replay a recording and read every texture whole at the end, under its index."""
    ends = [
        r.ReadTexels(name=f"texture{index}", texture=ref(index), region=whole(one))
        for index, one in enumerate(textures)
    ]
    return replay(recording(textures, [*events, *ends], blobs, **fields), blobs or {}, rules, threads=threads)


def texels(results: Results, one: Texture, index: int = 0) -> NDArray[np.uint8]:
    """Return what a texture held at the end, shape (images, rows, columns, bytes)."""
    region = whole(one)
    fmt = subject_of(one).fmt
    columns = -(-region.width // fmt.block_width_px)
    rows = -(-region.height // fmt.block_height_px)
    return results[f"texture{index}"].reshape(region.depth, rows, columns, -1)


def clear(value: tuple[int, int, int, int], index: int = 0, **fields: Any) -> c.ClearColor:
    """Return a colour clear."""
    return c.ClearColor(index=index, color_bits=value, **fields)


def clear_depth(
    depth: float, stencil: int = 0, stencil_mask: int = 0, *, depth_mask: bool = True
) -> c.ClearDepthStencil:
    """Return a depth-stencil clear."""
    return c.ClearDepthStencil(
        depth_bits=bits(depth), depth_mask=depth_mask, stencil=stencil, stencil_mask=stencil_mask
    )


def targets(*colors: TextureRef | None, depth_stencil: TextureRef | None = None) -> c.SetRenderTargets:
    """Return the command that sets targets."""
    return c.SetRenderTargets(colors=colors, depth_stencil=depth_stencil)


def clear_texture(
    value: tuple[int, int, int, int], region: Region, to: TextureRef | None = None, mask: int = 15
) -> c.ClearTexture:
    """Return a clear of a region."""
    return c.ClearTexture(texture=to or ref(), region=region, color_bits=value, mask=mask)


def write(one: Texture, codes: bytes, index: int = 0) -> tuple[r.WriteTexels, dict[str, bytes]]:
    """Return the event that fills a texture with one code, and its blob."""
    subject = whole(one)
    count = subject.width * subject.height * subject.depth
    event = r.WriteTexels(texture=ref(index), region=subject, blob=f"fill{index}")
    return event, {f"fill{index}": codes * count}
