"""Traces as plain JSON, spelled out, so that tests do not lean on what records them."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path
from typing import Any

POOL_ADDRESS = 1 << 34
"""The first pool's address."""


def shader(stage: str) -> dict[str, Any]:
    """Return a shader that writes zeros."""
    location = -1 if stage == "vertex" else 0
    return {"refnvn_shader": 1, "stage": stage, "outputs": [{"location": location}]}


def whole_trace() -> tuple[dict[str, Any], dict[str, bytes]]:
    """Return the JSON of a trace that uses every kind of resource and event, and its blobs."""
    ref = {"texture": 0}
    region = {"width": 2, "height": 2}
    indices, rows = POOL_ADDRESS + 64, POOL_ADDRESS + 8192
    trace = {
        "refnvn_trace": 1,
        "name": "by hand",
        "window_origin": 1,
        "queues": [{"window_origin": 1}, {}],
        "pools": [{"size_B": 65536, "initial": "start"}, {"size_B": 131072, "flags": 545}],
        "textures": [
            {"pool": 0, "format": "RGBA8", "width": 4, "height": 4},
            {"pool": 0, "offset_B": 4096, "format": "DEPTH24_STENCIL8", "target": 4, "width": 4, "height": 4,
             "depth": 3},
        ],
        "programs": [{"vertex": shader("vertex"), "fragment": shader("fragment")}],
        "command_buffers": [
            [
                {"command": "SetRenderTargets", "colors": [ref, None], "depth_stencil": {"texture": 1}},
                {"command": "ClearColor", "index": 0, "color_bits": [1, 2, 3, 4294967295], "mask": 7},
                {"command": "SetViewport", "x": 0, "y": 0.5, "width": 4, "height": 4, "window_origin": 0},
                {"command": "ClearTexture", "texture": ref, "region": region, "color_bits": [0, 0, 0, 0]},
                {"command": "BindProgram", "program": 0, "stages": 31},
                {"command": "BindVertexBuffer", "index": 0, "address": POOL_ADDRESS, "size_B": 48},
                {"command": "DrawElements", "primitive": 4, "index_type": 1, "count": 3, "address": indices},
                {"command": "CopyTextureToBuffer", "texture": ref, "region": region, "destination": rows},
            ],
            [],
        ],
        "timeline": [
            {"event": "WriteMemory", "pool": 0, "offset_B": 16, "blob": "words"},
            {"event": "FlushMappedRange", "pool": 0, "offset_B": 16, "size_B": 16},
            {"event": "MapVirtual", "pool": 1, "offset_B": 65536, "size_B": 65536, "physical_pool": 0},
            {"event": "WriteTexels", "texture": ref, "region": region, "blob": "words"},
            {"event": "Submit", "command_buffers": [0, 1, 0], "queue": 1},
            {"event": "ReadTexels", "name": "target", "texture": ref, "region": region},
            {"event": "ReadMemory", "name": "memory", "pool": 0, "offset_B": 8192, "size_B": 16},
            {"event": "PresentTexture", "name": "screen", "texture": ref, "layer_crop": [0, 0, 4, 2], "queue": 1},
            {"event": "QueueFenceSync", "sync": 3, "queue": 1},
            {"event": "QueueWaitSync", "sync": 3},
            {"event": "SyncWait", "sync": 3},
            {"event": "EventSignal", "address": POOL_ADDRESS + 128, "mode": 1, "value": 4294967295},
            {"event": "InvalidateMappedRange", "pool": 0, "offset_B": 0, "size_B": 64},
            {"event": "QueueFlush"},
            {"event": "QueueFinish", "queue": 1},
        ],
        "blobs": {"start": 3, "words": 16},
    }  # fmt: skip
    return trace, {"start": b"abc", "words": bytes(range(16))}


def write_folder(path: Path, trace: Any, blobs: dict[str, bytes]) -> Path:
    """Write a folder as it is, without any check."""
    (path / "blobs").mkdir(parents=True)
    text = trace if isinstance(trace, bytes) else json.dumps(trace).encode()
    (path / "trace.json").write_bytes(text)
    for name, content in blobs.items():
        (path / "blobs" / f"{name}.bin").write_bytes(content)
    return path


def zip_bytes(members: list[tuple[str, bytes]], compression: int = zipfile.ZIP_STORED) -> bytes:
    """Return a zip with these members, whatever they are called."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", compression) as archive:
        for name, content in members:
            archive.writestr(zipfile.ZipInfo(name), content, compress_type=compression)
    return buffer.getvalue()


def members_of(trace: Any, blobs: dict[str, bytes]) -> list[tuple[str, bytes]]:
    """Return the members of a trace's zip."""
    return [("trace.json", json.dumps(trace).encode()), *((f"blobs/{n}.bin", b) for n, b in blobs.items())]
