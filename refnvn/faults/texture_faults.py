"""Faults of textures in shaders: views, mappings, dimensions and buffer textures that a path gets wrong.

Most change what is registered; what no longer can be read is not registered at all. Read next: ``sampler_faults.py``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from refnvn.commands import commands as c
from refnvn.commands import recording as r
from refnvn.commands.recording import Recording
from refnvn.commands.resources import IDENTITY, Swizzle, Texture, TextureRef, View
from refnvn.commands.subject import subject_of
from refnvn.enumerations import TextureDepthStencilMode, TextureSwizzle
from refnvn.faults.fault import Fault, register
from refnvn.faults.rewrite import DRAWS, rewrite_commands, with_recording
from refnvn.layout.description import TextureTarget
from refnvn.texture.handles import COMBINED_SLOTS
from refnvn.trace.files import Trace

Change = Callable[[Recording, r.RegisterTexture], r.RegisterTexture | None]
_DIMENSIONS = {
    TextureTarget.TARGET_1D: "1d",
    TextureTarget.TARGET_2D: "2d",
    TextureTarget.TARGET_3D: "3d",
    TextureTarget.TARGET_CUBEMAP: "cube",
    TextureTarget.TARGET_1D_ARRAY: "1d_array",
    TextureTarget.TARGET_2D_ARRAY: "2d_array",
    TextureTarget.TARGET_CUBEMAP_ARRAY: "cube_array",
    TextureTarget.TARGET_BUFFER: "buffer",
}
_ROW_ELEMENTS = 16384
_VIEWED_B = 16
_MOST_LAYERS = 2048
_ROW_ALIGNMENT_B = 64


def register_otherwise(trace: Trace, change: Change) -> Trace:
    """Return a trace whose textures are registered as ``change`` says, or not."""
    events: list[r.AnyEvent] = []
    for event in trace.recording.timeline:
        changed = change(trace.recording, event) if isinstance(event, r.RegisterTexture) else event
        events += [] if changed is None else [changed]
    return with_recording(trace, msgspec.structs.replace(trace.recording, timeline=tuple(events)))


def _view(event: r.RegisterTexture, **fields: Any) -> r.RegisterTexture:
    """Return a registration with fields of its view set otherwise."""
    view = msgspec.structs.replace(event.texture.view or View(), **fields)
    return msgspec.structs.replace(event, texture=TextureRef(texture=event.texture.texture, view=view))


def _texture(recording: Recording, event: r.RegisterTexture) -> Texture:
    return recording.textures[event.texture.texture]


def _unmapped(_recording: Recording, event: r.RegisterTexture) -> r.RegisterTexture:
    return _view(event, swizzle=IDENTITY)


def _nested_unmapped(_recording: Recording, event: r.RegisterTexture) -> r.RegisterTexture:
    """Lose the mapping of a view that chooses levels or layers."""
    view = event.texture.view
    chooses = view is not None and (view.base_level is not None or view.base_layer is not None)
    return _view(event, swizzle=IDENTITY) if chooses else event


def _replicated(recording: Recording, event: r.RegisterTexture) -> r.RegisterTexture:
    """Show depth in three channels where a view makes it red."""
    is_depth = _texture(recording, event).format.startswith("DEPTH")
    red, one = TextureSwizzle.R, TextureSwizzle.ONE
    grey: Swizzle = (red, red, red, one)
    has_view = event.texture.view is not None and event.texture.view.format is not None
    return _view(event, swizzle=grey) if is_depth and has_view else event


def _at_base(_recording: Recording, event: r.RegisterTexture) -> r.RegisterTexture:
    """Lose the first level and the first layer."""
    view = event.texture.view
    levels = None if view is None or view.levels is None else view.levels
    return _view(event, base_level=0, base_layer=0, levels=levels)


def _faces(_recording: Recording, event: r.RegisterTexture) -> r.RegisterTexture:
    """Take a count of cubes for one of faces: what is left is no cube."""
    view = event.texture.view
    counts = view is not None and view.target is TextureTarget.TARGET_CUBEMAP and view.layers == 1
    return _view(event, target=TextureTarget.TARGET_2D_ARRAY) if counts else event


def _depth_mode(_recording: Recording, event: r.RegisterTexture) -> r.RegisterTexture:
    """Show depth where a view asks for stencil."""
    view = event.texture.view
    asks = view is not None and view.depth_stencil_mode is TextureDepthStencilMode.STENCIL
    return _view(event, depth_stencil_mode=TextureDepthStencilMode.DEPTH) if asks else event


def _builder_depth_mode(recording: Recording, event: r.RegisterTexture) -> r.RegisterTexture:
    """Show depth where a builder asked for stencil."""
    asks = _texture(recording, event).depth_stencil_mode is TextureDepthStencilMode.STENCIL
    return _view(event, depth_stencil_mode=TextureDepthStencilMode.DEPTH) if asks else event


def _declared(recording: Recording) -> set[str]:
    """Return the dimensions that shaders of a recording declare."""
    shaders = [getattr(one, stage) for one in recording.programs for stage in ("vertex", "fragment")]
    slots = [slot for shader in shaders if shader is not None for slot in shader.get("textures", ())]
    return {slot.get("dimension", "2d") for slot in slots}


def _is_declared(recording: Recording, ref: TextureRef) -> bool:
    subject = subject_of(recording.textures[ref.texture], ref.view)
    return _DIMENSIONS.get(subject.target, "") in _declared(recording)


def _same_dimension(recording: Recording, event: r.RegisterTexture) -> r.RegisterTexture | None:
    """Leave a slot empty whose shaders declare another dimension."""
    return event if _is_declared(recording, event.texture) else None


def _only_of_slots(dimension: str) -> Change:
    """Leave out what is not of the dimension, where nothing but that dimension would read it."""

    def change(recording: Recording, event: r.RegisterTexture) -> r.RegisterTexture | None:
        subject = subject_of(_texture(recording, event), event.texture.view)
        wrong = _DIMENSIONS.get(subject.target) == dimension and dimension not in _declared(recording)
        return None if wrong else event

    return change


def _no_buffers(recording: Recording, event: r.RegisterTexture) -> r.RegisterTexture | None:
    """Take a buffer texture behind a handle for nothing."""
    return None if _texture(recording, event).target is TextureTarget.TARGET_BUFFER else event


def _possible_size(recording: Recording, event: r.RegisterTexture) -> r.RegisterTexture | None:
    """Leave out textures of more levels than their size has, or of more layers than a Metal texture may have."""
    texture = _texture(recording, event)
    deep = texture.levels > max(texture.width, texture.height, texture.depth).bit_length()
    layers = subject_of(texture, None).layers
    return None if deep or (layers > _MOST_LAYERS and texture.target is not TextureTarget.TARGET_3D) else event


def _aligned_rows(recording: Recording, event: r.RegisterTexture) -> r.RegisterTexture | None:
    """Leave out buffer textures that a device would not view at their offset."""
    texture = _texture(recording, event)
    misses = texture.target is TextureTarget.TARGET_BUFFER and texture.offset_B % _ROW_ALIGNMENT_B
    return None if misses else event


def _change_textures(trace: Trace, change: Callable[[Texture], Texture]) -> Trace:
    textures = tuple(change(one) for one in trace.recording.textures)
    return with_recording(trace, msgspec.structs.replace(trace.recording, textures=textures))


def _snapped(texture: Texture) -> Texture:
    """Let a buffer texture start at a multiple of 16 bytes."""
    if texture.target is not TextureTarget.TARGET_BUFFER:
        return texture
    return msgspec.structs.replace(texture, offset_B=texture.offset_B // _VIEWED_B * _VIEWED_B)


def _one_row(texture: Texture) -> Texture:
    """Cut a buffer texture off where a row of a Metal texture would end."""
    if texture.target is not TextureTarget.TARGET_BUFFER:
        return texture
    return msgspec.structs.replace(texture, width=min(texture.width, _ROW_ELEMENTS))


def _once_but_for_mapping(trace: Trace) -> Trace:
    """Register an id only once where what comes later differs in the channel mapping alone."""
    seen: dict[tuple[int, int], Texture] = {}

    def change(recording: Recording, event: r.RegisterTexture) -> r.RegisterTexture | None:
        texture = msgspec.structs.replace(_texture(recording, event), swizzle=IDENTITY, label="")
        before = seen.setdefault((event.address, event.id), texture)
        seen[event.address, event.id] = texture
        is_same = before == texture and before is not texture
        return None if is_same else event

    return register_otherwise(trace, change)


def _after_fetch(operation: str, operands: int) -> Callable[[Trace], Trace]:
    """Put an operation behind each fetch of the programs: on the register alone, or with 1.0."""

    def shader_of(shader: dict[str, Any] | None) -> dict[str, Any] | None:
        if shader is None or not any(one["do"] == "fetch_texel" for one in shader["statements"]):
            return shader
        one = len(shader["registers"])
        statements: list[dict[str, Any]] = [{"do": "constant", "to": one, "bits": 0x3F800000}]
        for statement in shader["statements"]:
            statements.append(statement)
            if statement["do"] == "fetch_texel":
                statements += [
                    {"do": "operate", "name": operation, "to": to, "of": [to, one][:operands]}
                    for to in statement["to"]
                ]
        return {**shader, "registers": [*shader["registers"], "word"], "statements": statements}

    def rewrite(trace: Trace) -> Trace:
        programs = tuple(
            msgspec.structs.replace(program, vertex=shader_of(program.vertex), fragment=shader_of(program.fragment))
            for program in trace.recording.programs
        )
        return with_recording(trace, msgspec.structs.replace(trace.recording, programs=programs))

    return rewrite


def _refused_draws(dimension: str) -> Callable[[Trace], Trace]:
    """Leave draws out where a slot of a dimension holds a texture of another: a false error."""

    def rewrite(trace: Trace) -> Trace:
        registered = [e.texture for e in trace.recording.timeline if isinstance(e, r.RegisterTexture)]
        wrong = dimension in _declared(trace.recording) and not all(
            _is_declared(trace.recording, one) for one in registered
        )
        return rewrite_commands(trace, lambda one, _: () if wrong and isinstance(one, DRAWS) else (one,))

    return rewrite


def _first_update_only(trace: Trace) -> Trace:
    """Read handles before inline updates: only the first of each range is in time."""
    seen: set[tuple[int, int]] = set()

    def change(command: c.AnyCommand, _: object) -> tuple[c.AnyCommand, ...]:
        if not isinstance(command, c.UpdateUniformBuffer):
            return (command,)
        key = (command.address, command.offset_B)
        late = key in seen
        seen.add(key)
        return () if late else (command,)

    return rewrite_commands(trace, change)


def _first_pool_only(trace: Trace) -> Trace:
    """Keep what ids named in the first pool of textures."""
    seen: list[c.SetTexturePool] = []

    def change(command: c.AnyCommand, _: object) -> tuple[c.AnyCommand, ...]:
        if not isinstance(command, c.SetTexturePool):
            return (command,)
        seen.append(command)
        return (seen[0],)

    return rewrite_commands(trace, change)


def _without(*kinds: type[c.Command], slots: int | None = None) -> Callable[[Trace], Trace]:
    """Leave out bindings of a kind, or those beyond so many slots."""

    def rewrite(trace: Trace) -> Trace:
        return rewrite_commands(
            trace,
            lambda one, _: () if isinstance(one, kinds) and getattr(one, "index", 0) >= (slots or 0) else (one,),
        )

    return rewrite


def _one_further(command: c.AnyCommand, _: object) -> tuple[c.AnyCommand, ...]:
    """Bind textures one slot further, the last in the first."""
    if not isinstance(command, c.BindTexture):
        return (command,)
    return (msgspec.structs.replace(command, index=(command.index + 1) % COMBINED_SLOTS),)


def _no_writes(trace: Trace) -> Trace:
    """Start storage that the processor wrote as zeros."""
    timeline = trace.recording.timeline
    kept = tuple(one for one in timeline if not isinstance(one, r.WriteMemory) or not _flushed(trace, one))
    return with_recording(trace, msgspec.structs.replace(trace.recording, timeline=kept))


def _flushed(trace: Trace, event: r.WriteMemory) -> bool:
    """Whether what is written is flushed: the storage of a texture, not vertices."""
    flushes = [one for one in trace.recording.timeline if isinstance(one, r.FlushMappedRange)]
    return any((one.pool, one.offset_B) == (event.pool, event.offset_B) for one in flushes)


def _registered(fault_id: str, symptom: str, change: Change) -> Fault:
    return Fault(id=fault_id, symptom=symptom, rewrite=lambda trace: register_otherwise(trace, change))


register(
    _registered("tex-swizzle", "a glyph of an R8 atlas is a solid box", _unmapped),
    _registered("depth-as-red/replicated", "data in a depth texture reads grey instead of red alone", _replicated),
    _registered("tex-fit-root/base", "a nested view shows the base level and layer", _at_base),
    _registered("tex-fit-root/mapping", "a nested view has lost its channel mapping", _nested_unmapped),
    _registered("cube-view-cubes", "a cube view holds one face, others read 0", _faces),
    _registered("stencil-view", "a test of stencil bits lights stripes of depth", _depth_mode),
    _registered("stencil-builder-mode", "silhouettes are dithered inside a dithered square", _builder_depth_mode),
    _registered("sample-dim-mismatch", "a lit scene washes out to one colour", _same_dimension),
    _registered("tex-1d-row", "lookup tables read 0, materials are flat", _only_of_slots("1d")),
    _registered("cube-as-array", "reflections and ambient probes are black", _only_of_slots("cube")),
    _registered("tex-illegal-fields/read", "textures of extra levels or many layers read 0", _possible_size),
    _registered("tbuf-ubo-handle", "fetched coordinates and colours read 0, objects are flat", _no_buffers),
    _registered("tbuf-rows-align", "lighting alternates between lit and unlit frames", _aligned_rows),
    Fault(
        id="tbuf-offset16",
        symptom="particles have the wrong scale or place",
        rewrite=lambda trace: _change_textures(trace, _snapped),
    ),
    Fault(
        id="tbuf-1d-fetch",
        symptom="lights and decals past element 16383 are missing",
        rewrite=lambda trace: _change_textures(trace, _one_row),
    ),
    Fault(
        id="tex-int-as-float",
        symptom="light-grid offsets read 0: small integers are flushed as denormals",
        rewrite=_after_fetch("float.mul", 2),
    ),
    Fault(
        id="tbuf-int-as-float",
        symptom="light counts read huge: integers are converted, not reinterpreted",
        rewrite=_after_fetch("float.from_int", 1),
    ),
    Fault(
        id="cube-slot-2d",
        symptom="a draw with a flat texture in a cube slot that it does not read is refused",
        rewrite=_refused_draws("cube"),
    ),
    Fault(
        id="vol-slot-2d",
        symptom="a draw with a flat texture in a 3D slot that it does not read is refused",
        rewrite=_refused_draws("3d"),
    ),
    Fault(
        id="texture-compare",
        symptom="soft panes are hard boxes: a descriptor keeps its old channel mapping",
        rewrite=_once_but_for_mapping,
    ),
    Fault(
        id="s4-4-bindless",
        symptom="the previous object's texture appears: a handle is read before its inline update",
        rewrite=_first_update_only,
    ),
    Fault(
        id="s4-3-bindings",
        symptom="textures are shifted by a slot",
        rewrite=lambda trace: rewrite_commands(trace, _one_further),
    ),
    Fault(
        id="s4-3a-combined",
        symptom="combined slots from 32 on are empty",
        rewrite=_without(c.BindTexture, slots=32),
    ),
    Fault(
        id="s4-3c-septex",
        symptom="separate textures are lost, passes read nothing",
        rewrite=_without(c.BindSeparateTexture),
    ),
    Fault(
        id="s4-3d-sepsamp",
        symptom="separate samplers filter and wrap as sampler 0 does",
        rewrite=_without(c.BindSeparateSampler),
    ),
    Fault(
        id="s4-sw-flushfill/zeros",
        symptom="tables that the processor filled read 0, the effect built on them is black",
        rewrite=_no_writes,
    ),
    Fault(
        id="texid-stale-view",
        symptom="an id without a texture shows one that was released",
        rewrite=_first_pool_only,
    ),
)
