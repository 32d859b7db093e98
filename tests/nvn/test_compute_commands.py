"""Storage buffers, images and dispatches: what is recorded, and what is refused when it is called."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from refnvn.commands import commands as c
from refnvn.commands.recording import pool_base_B
from refnvn.commands.resources import MemoryPool
from refnvn.enumerations import ShaderStage
from refnvn.errors import ArgumentError, RefnvnError
from refnvn.nvn.device import Device
from refnvn.trace.check_commands import check_command
from refnvn.trace.resources import Resources

Call = Callable[[Any, Any], object]
BASE = pool_base_B(0)


def test_commands_carry_what_was_named() -> None:
    """A buffer of the device gives address and size; a handle is a number."""
    device = Device()
    buffer = device.buffer(64)
    commands = device.command_buffer()
    commands.bind_storage_buffer("COMPUTE", 3, buffer)
    commands.bind_storage_buffer("VERTEX", 15, buffer.get_address() + 16, 0)
    commands.bind_image("FRAGMENT", 7, 300)
    commands.dispatch_compute(4, 2)
    commands.dispatch_compute_indirect(buffer)
    commands.end_recording()
    assert device.recorder.command_buffers[0] == (
        c.BindStorageBuffer(stage=ShaderStage.COMPUTE, index=3, address=buffer.get_address(), size_B=64),
        c.BindStorageBuffer(stage=ShaderStage.VERTEX, index=15, address=buffer.get_address() + 16, size_B=0),
        c.BindImage(stage=ShaderStage.FRAGMENT, index=7, handle=300),
        c.DispatchCompute(groups_x=4, groups_y=2, groups_z=1),
        c.DispatchComputeIndirect(address=buffer.get_address()),
    )


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda d, c: c.bind_storage_buffer("COMPUTE", 16, d.buffer(4)), "bind_storage_buffer: index is 16"),
        (lambda d, c: c.bind_storage_buffer("COMPUTE", 0, d.buffer(4), 8), "bind_storage_buffer: buffer has 4 bytes"),
        (lambda d, c: c.bind_storage_buffer("PIXEL", 0, d.buffer(4)), "bind_storage_buffer: stage is 'PIXEL'"),
        (lambda _, c: c.bind_storage_buffer("COMPUTE", 0, 4096), "bind_storage_buffer: size is None"),
        (lambda _, c: c.bind_storage_buffer("COMPUTE", 0, 4096, 4), "bind_storage_buffer: buffer"),
        (
            lambda d, c: c.bind_storage_buffer("COMPUTE", 0, d.buffer(8).get_address() + 2, 4),
            "bind_storage_buffer: buffer",
        ),
        (lambda _, c: c.bind_image("COMPUTE", 8, 300), "bind_image: index is 8"),
        (lambda _, c: c.bind_image("COMPUTE", 0, -1), "bind_image: image is -1"),
        (
            lambda d, c: c.bind_image("COMPUTE", 0, d.texture("R8", 1)),
            "bind_image: image is <refnvn.nvn.texture.Texture",
        ),
        (lambda _, c: c.dispatch_compute(65536), "dispatch_compute: groups_x is 65536"),
        (lambda _, c: c.dispatch_compute(1, 1, -1), "dispatch_compute: groups_z is -1"),
        (lambda _, c: c.dispatch_compute(1.5), "dispatch_compute: groups_x is 1.5"),
        (lambda d, c: c.dispatch_compute_indirect(d.buffer(8)), "dispatch_compute_indirect: buffer has 8 bytes"),
    ],
)
def test_what_a_call_cannot_take_is_refused(call: Call, message: str) -> None:
    """Nothing is recorded."""
    device = Device()
    commands = device.command_buffer()
    with pytest.raises(ArgumentError) as caught:
        call(device, commands)
    assert str(caught.value).startswith(message)
    assert commands.unsubmitted == 0


@pytest.mark.parametrize(
    ("command", "field"),
    [
        (c.BindStorageBuffer(stage=ShaderStage.COMPUTE, index=0, address=BASE + 4096, size_B=4), "address"),
        (c.BindStorageBuffer(stage=ShaderStage.COMPUTE, index=0, address=BASE + 2, size_B=4), "address"),
        (c.BindStorageBuffer(stage=ShaderStage.COMPUTE, index=0, address=0, size_B=0), "address"),
        (c.DispatchComputeIndirect(address=BASE + 4088), "address"),
        (c.DispatchComputeIndirect(address=BASE + 1), "address"),
    ],
)
def test_a_trace_is_checked_before_it_is_believed(command: c.Command, field: str) -> None:
    """The field is named."""
    resources = Resources(pools=(MemoryPool(size_B=4096),), blobs={})
    with pytest.raises(RefnvnError, match=field):
        check_command(resources, command)


@pytest.mark.parametrize(
    "text",
    [
        b'{"command": "DispatchCompute", "groups_x": 65536, "groups_y": 1, "groups_z": 1}',
        b'{"command": "BindImage", "stage": 5, "index": 8, "handle": 0}',
        b'{"command": "BindStorageBuffer", "stage": 6, "index": 0, "address": 0, "size_B": 0}',
    ],
)
def test_numbers_out_of_range_are_no_command(text: bytes) -> None:
    """The types say so."""
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(text, type=c.AnyCommand)
