"""Textures and views: ``NVNtexture`` and ``NVNtextureView``, their comparison, and texels read and written.

A command copies the description when it is recorded. Initialising the object again, from another builder, is allowed
at any time and changes nothing that was recorded before.

Read next: ``states.py``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from refnvn.commands import recording as r
from refnvn.commands.resources import Region, Swizzle, TextureRef, View
from refnvn.commands.resources import Texture as TextureRecord
from refnvn.commands.subject import Subject, check_region, description_of, packed_rows, subject_of, whole_region
from refnvn.enumerations import MemoryPoolFlags, TextureDepthStencilMode
from refnvn.errors import ArgumentError, SizeError
from refnvn.layout.description import TextureFlags, TextureTarget
from refnvn.layout.texture import texture_layout
from refnvn.nvn.arguments import boolean, content, instance, member, named_format, naming, owned, series, shown, whole
from refnvn.nvn.memory_pool import Data, MemoryPool
from refnvn.nvn.recorder import copied_texture, device_for
from refnvn.nvn.texture_builder import MOST, TextureBuilder, swizzle_of, texture_target
from refnvn.rules.evidence import Evidence
from refnvn.rules.registry import rule
from refnvn.trace.check import texture_size_B
from refnvn.trace.check_commands import check_presented

if TYPE_CHECKING:
    from refnvn.nvn.device import Device

_SIZES = ("width", "height", "depth")
RegionLike = Region | tuple[int, int, int, int] | tuple[int, int, int, int, int, int]


class TextureView:
    """``NVNtextureView``: what is set replaces what the texture says.

    Examples
    --------
    >>> view = TextureView().set_levels(2, 1).set_format("R32UI")
    >>> view.record.base_level, view.record.format
    (2, 'R32UI')
    """

    def __init__(self) -> None:
        self.set_defaults()

    def set_defaults(self) -> TextureView:
        """Set nothing: the texture as it is."""
        self.record = View()
        return self

    def _set(self, **fields: object) -> TextureView:
        self.record = msgspec.structs.replace(self.record, **fields)
        return self

    def set_levels(self, base_level: int, num_levels: int) -> TextureView:
        """Set the first level and how many there are."""
        call = "TextureView.set_levels"
        return self._set(
            base_level=whole(call, "base_level", base_level, 0, 14),
            levels=whole(call, "num_levels", num_levels, 1, 15),
        )

    def set_layers(self, min_layer: int, num_layers: int) -> TextureView:
        """Set the first layer and how many there are; slices of 3D textures.

        Cubes are counted where the view sets a cube-map target, by :meth:`set_target`. A view that sets no target
        counts the texture's own layers, and those of a cube-map array are faces: six for each cube.
        """
        call = "TextureView.set_layers"
        return self._set(
            base_layer=whole(call, "min_layer", min_layer, 0, MOST),
            layers=whole(call, "num_layers", num_layers, 1, MOST),
        )

    def set_format(self, format_name: str) -> TextureView:
        """Set a format of the same bytes per texel or block."""
        return self._set(format=named_format("TextureView.set_format", "format_name", format_name).name)

    def set_target(self, target: TextureTarget | str | int) -> TextureView:
        """Set the target."""
        return self._set(target=texture_target("TextureView.set_target", target))

    def set_swizzle(self, r: object, g: object, b: object, a: object) -> TextureView:
        """Set the channel mapping."""
        return self._set(swizzle=swizzle_of("TextureView.set_swizzle", r, g, b, a))

    def set_depth_stencil_mode(self, mode: TextureDepthStencilMode | str | int) -> TextureView:
        """Set what a combined format reads as: DEPTH or STENCIL."""
        found = member("TextureView.set_depth_stencil_mode", "mode", mode, TextureDepthStencilMode)
        return self._set(depth_stencil_mode=found)

    def compare(self, other: TextureView) -> bool:
        """``nvnTextureViewCompare``: whether two views are equal."""
        return self.record == instance("TextureView.compare", "other", other, TextureView).record


class Texture:
    """``NVNtexture``.

    Parameters
    ----------
    device : Device
        Records what happens to it.
    builder : TextureBuilder
        With format, size and storage; copied.
    """

    def __init__(self, device: Device, builder: TextureBuilder) -> None:
        self.device = device_for("Texture", device)
        self.initialize(builder)

    def initialize(self, builder: TextureBuilder) -> None:
        """Make this the texture that a builder describes; what was recorded before keeps the old description.

        Raises
        ------
        ArgumentError
            Without storage, or for a description that cannot be stored there.
        """
        pool = instance("Texture.initialize", "builder", builder, TextureBuilder).get_memory_pool()
        if pool is None:
            raise ArgumentError("Texture.initialize: the builder has no storage, set_storage gives it a pool")
        if pool.device is not self.device:
            raise ArgumentError("Texture.initialize: the builder's pool is of another device")
        with naming("Texture.initialize"):
            self.device.recorder.texture_index(builder.record)
        self.pool = pool
        self.record: TextureRecord = builder.record

    def ref(self, view: TextureView | None = None) -> TextureRef:
        """Return the copy that a command carries."""
        index = copied_texture(self.device.recorder, self.record)
        record = None if view is None or view.record == View() else view.record
        return TextureRef(texture=index, view=record)

    def subject(self, view: TextureView | None = None) -> Subject:
        """Return what is seen through a view: level, layers, size and format."""
        return subject_of(self.record, None if view is None else view.record)

    def compare(self, other: Texture) -> bool:
        """``nvnTextureCompare``: whether description, storage and channel mapping are equal."""
        return same_texture(self.record, instance("Texture.compare", "other", other, Texture).record)

    def write_texels(
        self,
        data: Data,
        view: TextureView | None = None,
        region: RegionLike | None = None,
        *,
        level: int = 0,
        racing: bool = False,
    ) -> None:
        """``nvnTextureWriteTexels``: write packed rows by the processor, now in the order of the recording.

        Parameters
        ----------
        data : bytes or ndarray
            The codes of the region, rows after rows; an array's elements are written little-endian.
        view : TextureView or None
            Its first level is written, its format counts.
        region : Region or tuple
            ``(x, y, width, height)`` or ``(x, y, z, width, height, depth)``; None is all of the level.
        level : int
            Short for a view of one level.
        racing : bool
            As of :meth:`refnvn.nvn.memory_pool.MemoryPool.write`.

        Raises
        ------
        SizeError
            For more or fewer bytes than the region has.
        """
        view = view_of("write_texels", self, view, level)
        where = region_of("write_texels", self, view, region)
        raw = content("write_texels", "data", data)
        expected_B = packed_rows(self.subject(view), where).size_B
        if len(raw) != expected_B:
            raise SizeError(f"write_texels: data has {len(raw)} bytes, allowed are the {expected_B} of the region")
        self._check_cpu("write_texels")
        recorder = self.device.recorder
        races = boolean("write_texels", "racing", racing)
        event = r.WriteTexels(texture=self.ref(view), region=where, blob=recorder.blob(raw), racing=races)
        recorder.add_event("write_texels", event)

    def read_texels(
        self,
        name: str,
        view: TextureView | None = None,
        region: RegionLike | None = None,
        *,
        level: int = 0,
    ) -> None:
        """``nvnTextureReadTexels``: read packed rows by the processor, now, as a result of that name.

        Parameters are as in :meth:`write_texels`.
        """
        view = view_of("read_texels", self, view, level)
        where = region_of("read_texels", self, view, region)
        self._check_cpu("read_texels")
        recorder = self.device.recorder
        name = recorder.result_name("read_texels", name)
        recorder.add_event("read_texels", r.ReadTexels(name=name, texture=self.ref(view), region=where))

    def read_storage(self, name: str) -> None:
        """Read the texture's bytes as they lie in its pool, padding too, as a result of that name."""
        self.pool.read(name, self.record.offset_B, texture_size_B(description_of(self.record)))

    def _check_cpu(self, call: str) -> None:
        if self.pool.flags & MemoryPoolFlags.CPU_NO_ACCESS:
            raise ArgumentError(
                f"{call}: the texture is in pool {self.pool.index}, which is CPU_NO_ACCESS; "
                "a copy to a buffer elsewhere can be read"
            )

    def get_flags(self) -> TextureFlags:
        """Return the flags."""
        return self.record.texture_flags

    def get_target(self) -> TextureTarget:
        """Return the target."""
        return self.record.target

    def get_width(self) -> int:
        """Return the width."""
        return self.record.width

    def get_height(self) -> int:
        """Return the height, or the layers of a 1D array."""
        return self.record.height

    def get_depth(self) -> int:
        """Return the slices, or the layers of other arrays."""
        return self.record.depth

    def get_levels(self) -> int:
        """Return the number of levels."""
        return self.record.levels

    def get_format(self) -> str:
        """Return the format's name."""
        return self.record.format

    def get_samples(self) -> int:
        """Return the samples of a pixel."""
        return self.record.samples

    def get_swizzle(self) -> Swizzle:
        """Return the channel mapping."""
        return self.record.swizzle

    def get_depth_stencil_mode(self) -> TextureDepthStencilMode:
        """Return what a combined format reads as."""
        return self.record.depth_stencil_mode

    def get_stride(self) -> int:
        """Return the stride that was set."""
        return self.record.stride_B

    def get_texture_address(self) -> int:
        """Return the GPU address of the storage."""
        return self.pool.get_buffer_address(self.record.offset_B)

    def get_memory_pool(self) -> MemoryPool:
        """Return the pool."""
        return self.pool

    def get_memory_offset(self) -> int:
        """Return the offset in the pool."""
        return self.record.offset_B

    def get_storage_size(self) -> int:
        """Return the bytes of storage."""
        return texture_layout(description_of(self.record)).storage_size_B


@rule(
    "NVN-COMPARE-1",
    "Two textures are equal when description, storage and channel mapping are; an unset mapping is (R, G, B, A).",
    evidence=Evidence.INFERRED,
    sources=("seed-titles",),
    ledger=("texture-compare",),
    refuted_by="nvnTextureCompare that calls textures equal whose channel mappings differ",
)
def same_texture(one: TextureRecord, other: TextureRecord) -> bool:
    """Return whether ``nvnTextureCompare`` calls two textures equal; labels do not count.

    >>> plain = TextureRecord(pool=0, format="R8", width=8, height=8)
    >>> same_texture(plain, msgspec.structs.replace(plain, label="again"))
    True
    """
    return bool(msgspec.structs.replace(one, label="") == msgspec.structs.replace(other, label=""))


def check_window_texture(call: str, argument: str, texture: Texture) -> None:
    """Raise for a texture that cannot be shown.

    Raises
    ------
    ArgumentError
        For anything but a 2D colour texture of one sample.
    """
    with naming(call, argument):
        check_presented(texture.subject())


def ref_of(
    call: str, argument: str, texture: object, view: object, device: Device, view_argument: str = "view"
) -> TextureRef:
    """Return the copy of a texture and a view that a command of a device carries.

    Raises
    ------
    ArgumentError
        For anything but a texture of that device, and a view or None.
    """
    found = owned(call, argument, texture, Texture, device)
    return found.ref(None if view is None else instance(call, view_argument, view, TextureView))


def view_of(call: str, texture: Texture, view: TextureView | None, level: int) -> TextureView | None:
    """Return a view, or one of a single level where only that is asked for.

    Raises
    ------
    ArgumentError
        For both, or anything but a view.
    """
    if view is not None:
        instance(call, "view", view, TextureView)
        if level:
            raise ArgumentError(f"{call}: level is {shown(level)} beside a view, allowed is one of them")
        return view
    found = whole(call, "level", level, 0, texture.record.levels - 1)
    return TextureView().set_levels(found, 1) if found else None


def region_of(
    call: str, texture: Texture, view: TextureView | None, region: RegionLike | None, side: str = ""
) -> Region:
    """Return a region of the level that a view shows; None is all of it.

    Parameters
    ----------
    call, side : str
        For errors: the call, and what its arguments ``region`` and ``view`` begin with.
    texture, view, region
        As the call takes them.

    Raises
    ------
    ArgumentError
        For anything but a region, four numbers or six, and for what lies outside of the level.
    """
    with naming(call, f"{side}view" if view is not None else ""):
        subject = texture.subject(view)
    if region is None:
        return whole_region(subject)
    found = region if isinstance(region, Region) else _region(call, f"{side}region", region)
    for name, size, most in zip(_SIZES, (found.width, found.height, found.depth), subject.extent, strict=True):
        whole(call, f"{side}region {name}", size, 1, max(1, most))
    with naming(call, f"{side}region"):
        check_region(subject, found)
    return found


def _region(call: str, argument: str, region: object) -> Region:
    """Return a region of four numbers or six."""
    numbers = series(call, argument, region, "numbers")
    if len(numbers) == 4:
        numbers = (numbers[0], numbers[1], 0, numbers[2], numbers[3], 1)
    if len(numbers) != 6:
        raise ArgumentError(
            f"{call}: {argument} is {shown(region)}, allowed are (x, y, width, height) "
            "and (x, y, z, width, height, depth)"
        )
    x, y, z, width, height, depth = (
        whole(call, f"{argument} {name}", number, 0, MOST)
        for name, number in zip(("x", "y", "z", *_SIZES), numbers, strict=True)
    )
    return Region(x=x, y=y, z=z, width=width, height=height, depth=depth)
