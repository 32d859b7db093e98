"""The API that people write scenes with, in NVN's own words: calls are recorded, nothing is rendered here.

A scene takes a :class:`Device`; ``device.py`` shows one. Read next: ``device.py``, ``command_buffer.py``.
"""

from refnvn.nvn.command_buffer import CommandBuffer, CommandHandle
from refnvn.nvn.descriptor_pools import SamplerPool, TexturePool
from refnvn.nvn.device import Device
from refnvn.nvn.memory_pool import Buffer, MappingRequest, MemoryPool, MemoryPoolBuilder
from refnvn.nvn.program import Program, mesh_stages
from refnvn.nvn.queue import Queue
from refnvn.nvn.sampler import Sampler, SamplerBuilder
from refnvn.nvn.scene import Scene, record
from refnvn.nvn.states import (
    BlendState,
    ChannelMaskState,
    ColorState,
    DepthStencilState,
    MultisampleState,
    PolygonState,
    VertexAttribState,
    VertexStreamState,
)
from refnvn.nvn.sync import Event, EventBuilder, Sync
from refnvn.nvn.texture import Texture, TextureView
from refnvn.nvn.texture_builder import TextureBuilder
from refnvn.nvn.window import NativeWindow, Window, WindowBuilder

__all__ = [
    "BlendState", "Buffer", "ChannelMaskState", "ColorState", "CommandBuffer", "CommandHandle", "DepthStencilState",
    "Device", "Event", "EventBuilder", "MappingRequest", "MemoryPool", "MemoryPoolBuilder", "MultisampleState",
    "NativeWindow", "PolygonState", "Program", "Queue", "Sampler", "SamplerBuilder", "SamplerPool", "Scene", "Sync",
    "Texture", "TextureBuilder", "TexturePool", "TextureView", "VertexAttribState", "VertexStreamState", "Window",
    "WindowBuilder", "mesh_stages", "record",
]  # fmt: skip
