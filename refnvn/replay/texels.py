"""What does the processor do between submissions? It writes and reads texels and memory, and maps pages.

``WriteTexels`` and ``ReadTexels`` move packed rows of stored codes, as copies do. A write is seen by every command
after it and by none before.

Read next: ``run.py``.
"""

from __future__ import annotations

import numpy as np

from refnvn.commands import recording as r
from refnvn.commands.subject import packed_rows
from refnvn.errors import SizeError
from refnvn.memory.pool import Accessor
from refnvn.replay.context import MOST_RESULTS_B, Context
from refnvn.replay.copies import area_codes, store_codes, tell_area
from refnvn.replay.errors import field
from refnvn.replay.readings import Reader
from refnvn.replay.views import area_of


def write_memory(context: Context, event: r.WriteMemory) -> None:
    """Write a blob into a pool."""
    data = np.frombuffer(context.blob(event.blob), np.uint8)
    with field("offset_B"):
        context.cpu_cache.write(event.pool, event.offset_B, data)


def read_memory(context: Context, event: r.ReadMemory) -> None:
    """Keep bytes of a pool under a name."""
    with field("offset_B"):
        data = context.cpu_cache.read(event.pool, event.offset_B, event.size_B)
    context.reads.tell(Reader.PROCESSOR, "", r.pool_base_B(event.pool) + event.offset_B, event.size_B)
    with field("name"):
        context.keep(event.name, data)


def flush_mapped_range(context: Context, event: r.FlushMappedRange) -> None:
    """Let what the processor wrote to a cached pool reach memory."""
    with field("offset_B"):
        context.memory.pool(event.pool).check_range(event.offset_B, event.size_B)
    context.cpu_cache.flush(event.pool, event.offset_B, event.size_B)


def map_virtual(context: Context, event: r.MapVirtual) -> None:
    """Map pages of a virtual pool, or unmap them."""
    context.memory.map_virtual(event.pool, event.offset_B, event.size_B, event.physical_pool, event.physical_offset_B)


def write_texels(context: Context, event: r.WriteTexels) -> None:
    """Write a blob of packed rows to a region."""
    with field("texture"):
        target = context.textures.target(event.texture)
    area = area_of(target, event.region)
    rows = packed_rows(target.subject, event.region)
    data = np.frombuffer(context.blob(event.blob), np.uint8)
    with field("blob"):
        if data.size != rows.size_B:
            raise SizeError(f"blob {event.blob!r} has {data.size} bytes; the region takes {rows.size_B}")
    store_codes(target, area, data, by=Accessor.CPU)


def read_texels(context: Context, event: r.ReadTexels) -> None:
    """Keep packed rows of a region under a name."""
    with field("texture"):
        target = context.textures.target(event.texture)
    area = area_of(target, event.region)
    rows = packed_rows(target.subject, event.region)
    with field("region"):
        if rows.size_B > MOST_RESULTS_B:
            raise SizeError(f"{rows.size_B} bytes are read; {MOST_RESULTS_B} are allowed")
    with field("name"):
        context.keep(event.name, area_codes(target, area, by=Accessor.CPU).reshape(-1))
    tell_area(context, Reader.PROCESSOR, target, area, event.texture.texture, by=Accessor.CPU)
