"""A scene: a function that takes a device and records. ``record`` turns it into a trace.

A scene must be a function of its device alone: no clock, no randomness without a fixed seed. Recording it twice gives
equal traces.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable

from refnvn.errors import ArgumentError
from refnvn.nvn.arguments import shown, text
from refnvn.nvn.device import Device
from refnvn.trace.files import Trace

Scene = Callable[[Device], None]


def record(scene: Scene, name: str = "") -> Trace:
    """Record a scene.

    Parameters
    ----------
    scene : callable
        Takes a new device.
    name : str
        Of the recording; else the function's.

    Returns
    -------
    Trace
        With the queues, pools, textures, programs, command buffers and events that the scene made.

    Examples
    --------
    >>> def red(device):
    ...     target = device.texture("RGBA8", 4, 4)
    ...     commands = device.command_buffer()
    ...     commands.set_render_targets([target])
    ...     commands.clear_color(0, (1, 0, 0, 1))
    ...     device.queue().submit(commands)
    ...     target.read_texels("target")
    >>> [type(event).__name__ for event in record(red).recording.timeline]
    ['Submit', 'ReadTexels']
    """
    if not callable(scene):
        raise ArgumentError(f"record: scene is {shown(scene)}, allowed is a function that takes a device")
    text("record", "name", name)
    device = Device(name or getattr(scene, "__name__", ""))
    _check_takes_one(scene)
    scene(device)
    return device.trace()


def _check_takes_one(scene: Scene) -> None:
    """Raise for a function that cannot be called with a device and nothing else."""
    try:
        inspect.signature(scene).bind(None)
    except TypeError as error:
        name = shown(getattr(scene, "__name__", scene))
        raise ArgumentError(f"record: scene is {name} ({error}), allowed is a function that takes a device") from None
    except ValueError:
        return  # what is not written in Python may keep what it takes to itself
