"""Windows: the textures that are shown in turn, their crops, and the picture that a present leaves as a result.

The layer of ``vi`` that a window is made for stands here as :class:`NativeWindow`: it has a crop of its own, which
games set instead of the window's.

Read next: ``queue.py``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from refnvn.commands.presents import Rectangle
from refnvn.errors import ArgumentError
from refnvn.nvn.arguments import instance, owned, series, whole
from refnvn.nvn.recorder import device_for
from refnvn.nvn.texture import Texture, check_window_texture
from refnvn.rules.evidence import Evidence
from refnvn.rules.registry import rule

if TYPE_CHECKING:
    from refnvn.nvn.device import Device

MOST_PX = (1 << 16) - 1
MOST_INTERVAL = 5


def rectangle(call: str, x: int, y: int, width: int, height: int) -> Rectangle | None:
    """Return a crop; None for one of no width or height, which is as good as none."""
    given = (("x", x), ("y", y), ("width", width), ("height", height))
    found = [whole(call, name, value, 0, MOST_PX) for name, value in given]
    return (found[0], found[1], found[2], found[3]) if found[2] and found[3] else None


class NativeWindow:
    """The layer of ``vi`` under a window."""

    def __init__(self) -> None:
        self.crop: Rectangle | None = None

    def set_layer_crop(self, x: int, y: int, width: int, height: int) -> None:
        """``nn::vi::SetLayerCrop``: show this part of what is presented; no width or height takes it back."""
        self.crop = rectangle("set_layer_crop", x, y, width, height)


class WindowBuilder:
    """``NVNwindowBuilder``."""

    def __init__(self) -> None:
        self.set_defaults()

    def set_defaults(self) -> WindowBuilder:
        """No device, no textures, a present at every frame."""
        self._device: Device | None = None
        self._native_window: NativeWindow | None = None
        self._textures: tuple[Texture | None, ...] = ()
        self._present_interval = 1
        return self

    def set_device(self, device: Device) -> WindowBuilder:
        """Set the device."""
        self._device = device_for("WindowBuilder.set_device", device)
        return self

    def set_native_window(self, native_window: NativeWindow) -> WindowBuilder:
        """Set the layer; without one the window gets a layer of its own."""
        call = "WindowBuilder.set_native_window"
        self._native_window = instance(call, "native_window", native_window, NativeWindow)
        return self

    def set_textures(self, textures: Sequence[Texture | None]) -> WindowBuilder:
        """Set the textures that are shown in turn; None is tolerated, and cannot be presented.

        Raises
        ------
        ArgumentError
            For no textures, or anything but 2D colour textures of one sample.
        """
        call = "WindowBuilder.set_textures"
        given = series(call, "textures", textures, "Texture")
        if not given:
            raise ArgumentError(f"{call}: textures is empty, allowed is at least one")
        for place, texture in enumerate(given):
            if texture is not None:
                check_window_texture(
                    call, f"textures[{place}]", instance(call, f"textures[{place}]", texture, Texture)
                )
        self._textures = given
        return self

    def set_present_interval(self, present_interval: int) -> WindowBuilder:
        """Set the frames that a picture is shown for; it changes no bytes."""
        call = "WindowBuilder.set_present_interval"
        self._present_interval = whole(call, "present_interval", present_interval, 0, MOST_INTERVAL)
        return self

    def get_native_window(self) -> NativeWindow | None:
        """Return the layer."""
        return self._native_window

    def get_present_interval(self) -> int:
        """Return the interval."""
        return self._present_interval

    def get_device(self) -> Device | None:
        """Return the device: a convenience."""
        return self._device

    def get_textures(self) -> tuple[Texture | None, ...]:
        """Return the textures: a convenience."""
        return self._textures


class Window:
    """``NVNwindow``.

    Parameters
    ----------
    builder : WindowBuilder
        Copied.

    Raises
    ------
    ArgumentError
        Without device or textures, or for textures of another device.
    """

    def __init__(self, builder: WindowBuilder) -> None:
        call = "Window"
        instance(call, "builder", builder, WindowBuilder)
        device, textures = builder.get_device(), builder.get_textures()
        if device is None or not textures:
            raise ArgumentError(
                f"{call}: the builder lacks a device or textures; set_device and set_textures give it"
            )
        for place, texture in enumerate(textures):
            if texture is not None:
                owned(call, f"textures[{place}]", texture, Texture, device)
        self.device = device
        self.textures = textures
        self.native_window = builder.get_native_window() or NativeWindow()
        self.crop: Rectangle | None = None
        self._present_interval = builder.get_present_interval()
        self._acquired = 0

    def acquire_texture(self) -> int:
        """``nvnWindowAcquireTexture``: return the number of the next texture to draw into."""
        number = next_texture(self._acquired, len(self.textures))
        self._acquired += 1
        return number

    def get_native_window(self) -> NativeWindow:
        """Return the layer."""
        return self.native_window

    def get_present_interval(self) -> int:
        """Return the interval."""
        return self._present_interval

    def set_present_interval(self, present_interval: int) -> None:
        """Set the frames that a picture is shown for; it changes no bytes."""
        call = "Window.set_present_interval"
        self._present_interval = whole(call, "present_interval", present_interval, 0, MOST_INTERVAL)

    def set_crop(self, x: int, y: int, w: int, h: int) -> None:
        """Show this part of the textures, in rows of memory; no width or height takes it back."""
        self.crop = rectangle("Window.set_crop", x, y, w, h)

    def get_crop(self) -> Rectangle:
        """Return the crop; zeros where none is set."""
        return self.crop or (0, 0, 0, 0)


@rule(
    "NVN-WINDOW-1",
    "AcquireTexture gives the textures of a window in turn, the first one first.",
    evidence=Evidence.INFERRED,
    sources=("nvn-header",),
    refuted_by="a console that hands out a texture of the window twice before another",
)
def next_texture(acquired: int, textures: int) -> int:
    """Return the number of the texture that is handed out after so many others.

    >>> [next_texture(acquired, 3) for acquired in range(4)]
    [0, 1, 2, 0]
    """
    return acquired % textures
