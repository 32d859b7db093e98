"""What a call cannot take is refused when it is called, with call, argument, value and what is allowed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from refnvn.errors import ArgumentError
from refnvn.nvn.device import Device
from refnvn.nvn.states import ColorState, DepthStencilState, VertexStreamState
from refnvn.shader.ir import Stage
from refnvn.testing import pass_through

Call = Callable[[Any, Any], object]


def refused(call: Call, message: str) -> None:
    """Hold that a call of a device and a command buffer is refused so, and records nothing."""
    device = Device()
    commands = device.command_buffer()
    with pytest.raises(ArgumentError) as caught:
        call(device, commands)
    assert str(caught.value).startswith(message)
    assert commands.unsubmitted == 0
    assert device.trace().recording.timeline == ()


@pytest.mark.parametrize(
    ("name", "argument", "allowed"),
    [
        ("depth_stencil", "depth_stencil", "DepthStencilState"),
        ("channel_mask", "channel_mask", "ChannelMaskState"),
        ("polygon", "polygon", "PolygonState"),
        ("color", "color", "ColorState"),
        ("blend", "blend", "BlendState"),
        ("multisample", "multisample", "MultisampleState"),
    ],
    ids=["depth-stencil", "channel-mask", "polygon", "color", "blend", "multisample"],
)
def test_a_state_is_of_the_class_that_its_command_binds(name: str, argument: str, allowed: str) -> None:
    """A state of another class, a list and None are no such state."""
    call = f"bind_{name}_state"
    for value, found in ((VertexStreamState(), "VertexStreamState"), ([], "list"), (None, "None")):
        refused(lambda _, c, v=value: getattr(c, call)(v), f"{call}: {argument} is {found}, allowed is {allowed}")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda _, c: c.bind_depth_stencil_state(ColorState()),
         "bind_depth_stencil_state: depth_stencil is ColorState, allowed is DepthStencilState"),
        (lambda _, c: c.bind_vertex_stream_state(VertexStreamState()),
         "bind_vertex_stream_state: streams is VertexStreamState, allowed is a list of VertexStreamState"),
        (lambda _, c: c.bind_vertex_stream_state([VertexStreamState(), None]),
         "bind_vertex_stream_state: streams[1] is None, allowed is VertexStreamState"),
        (lambda _, c: c.bind_vertex_attrib_state([DepthStencilState()]),
         "bind_vertex_attrib_state: attribs[0] is DepthStencilState, allowed is VertexAttribState"),
        (lambda _, c: c.bind_vertex_attrib_state(None),
         "bind_vertex_attrib_state: attribs is None, allowed is a list of VertexAttribState"),
        (lambda _, c: c.bind_program(pass_through(Stage.VERTEX)),
         "bind_program: program is Shader, allowed is Program"),
    ],
    ids=["other-state", "one-for-a-list", "none-in-a-list", "other-in-a-list", "no-list", "shader"],
)  # fmt: skip
def test_what_is_bound_is_of_its_class(call: Call, message: str) -> None:
    """The error names the class that was given and the one that is allowed."""
    refused(call, message)
