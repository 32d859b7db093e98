"""What does a texture show through a view now, as sampling needs it?

Content is copied out of the surfaces once and kept until one of them changes or goes: draws that sample the same
texture again copy nothing.

Read next: ``texture_reads.py``.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass

from refnvn.commands.resources import Texture, TextureRef, View
from refnvn.commands.subject import stored_format
from refnvn.errors import SizeError
from refnvn.memory.memory import Memory
from refnvn.memory.surface import Surface
from refnvn.replay.unordered import SeenMemory
from refnvn.replay.views import Textures
from refnvn.rules.evidence import Evidence
from refnvn.rules.fields import Rules
from refnvn.rules.registry import rule
from refnvn.texture.sampled import SampledTexture
from refnvn.texture.view import WHOLE, StoredTexture, ViewFields, sampled_texture, shown

MOST_TEXELS = 1 << 28
"""Of one texture through one view."""
MOST_KEPT_B = 1 << 28
"""Bytes of content that are kept from draw to draw."""


@dataclass(frozen=True, slots=True)
class _Kept:
    """Content, and the surfaces it was copied from, as they were then."""

    content: SampledTexture
    surfaces: tuple[tuple[Surface, int], ...]
    size_B: int

    @property
    def is_current(self) -> bool:
        return all(surface.is_current and surface.version == version for surface, version in self.surfaces)


class SampledContent:
    """The content of textures, kept as long as it is what memory holds.

    Parameters
    ----------
    memory, textures, rules
        Of the replay.
    """

    def __init__(self, memory: Memory, textures: Textures, rules: Rules) -> None:
        self._memory = memory
        self._textures = textures
        self._rules = rules
        self._kept: OrderedDict[TextureRef, _Kept] = OrderedDict()
        self._lock = threading.Lock()

    def of(self, ref: TextureRef, seen: SeenMemory) -> SampledTexture:
        """Return what a texture shows through a view now, to a reader that may see something older.

        Raises
        ------
        ReplayError, ArgumentError
            For a view that the texture does not have.
        """
        with self._lock:
            kept = self._kept.get(ref)
            if kept is None or not kept.is_current:
                kept = self._copied(ref)
                self._keep(ref, kept)
            else:
                self._kept.move_to_end(ref)
            if seen.are_latest(surface for surface, _ in kept.surfaces):
                return kept.content
            stored, view = self.stored(ref)
            return sampled_texture(self._memory, stored, view, self._rules, seen.codes_of)

    def _copied(self, ref: TextureRef) -> _Kept:
        stored, view = self.stored(ref)
        check_texels(stored, view)
        content = sampled_texture(self._memory, stored, view, self._rules)
        surfaces = tuple((surface, surface.version) for _, surface in self._surfaces(stored, view))
        return _Kept(content, surfaces, sum(level.nbytes for level in content.levels))

    def _keep(self, ref: TextureRef, kept: _Kept) -> None:
        self._kept[ref] = kept
        self._kept.move_to_end(ref)
        while len(self._kept) > 1 and sum(one.size_B for one in self._kept.values()) > MOST_KEPT_B:
            self._kept.popitem(last=False)

    def stored(self, ref: TextureRef) -> tuple[StoredTexture, ViewFields]:
        """Return a texture and a view as the texture room knows them."""
        texture, layout = self._textures.texture(ref.texture)
        stored = StoredTexture(
            pool=texture.pool,
            offset_B=storage_start_B(texture),
            layout=layout,
            fmt=stored_format(texture.format),
            swizzle=texture.swizzle,
            depth_stencil_mode=texture.depth_stencil_mode,
        )
        return stored, view_fields(ref.view)

    def surfaces(self, ref: TextureRef) -> dict[tuple[int, int], Surface]:
        """Return the surfaces that a texture shows through a view, by level and layer of storage."""
        return dict(self._surfaces(*self.stored(ref)))

    def _surfaces(self, stored: StoredTexture, view: ViewFields) -> Iterable[tuple[tuple[int, int], Surface]]:
        seen = shown(stored, view)
        layers = (
            range(1) if stored.layout.description.is_3d else range(seen.base_layer, seen.base_layer + seen.layers)
        )
        for level in range(seen.base_level, seen.base_level + seen.levels):
            for layer in layers:
                yield (
                    (level, layer),
                    self._memory.surface(stored.pool, stored.offset_B, stored.layout, level, layer),
                )


def check_texels(stored: StoredTexture, view: ViewFields) -> None:
    """Raise for more texels than are copied for shaders: content may not be larger than what traces may hold.

    Raises
    ------
    SizeError
        With both numbers.
    """
    seen = shown(stored, view)
    levels = stored.layout.levels[seen.base_level : seen.base_level + seen.levels]
    images = 1 if stored.layout.description.is_3d else seen.layers
    texels = sum(level.width_px * level.height_px * level.slices for level in levels) * images
    samples = stored.layout.description.samples
    if texels * samples > MOST_TEXELS:
        raise SizeError(f"{texels * samples} texels of a texture for shaders; {MOST_TEXELS} are allowed")


@rule(
    "REPLAY-SAMPLED-2",
    "A sampled texture's storage starts at its offset exactly: element k of a buffer texture lies at the offset plus "
    "k elements, whatever the offset is a multiple of.",
    evidence=Evidence.INFERRED,
    sources=("seed-titles",),
    ledger=("tbuf-offset16", "tbuf-rows-align"),
    refuted_by="a console that reads a buffer texture at offset 4 from offset 0",
)
def storage_start_B(texture: Texture) -> int:
    """Return where in its pool a texture's storage starts."""
    return texture.offset_B


def view_fields(view: View | None) -> ViewFields:
    """Return a recorded view as the texture room knows it."""
    if view is None:
        return WHOLE
    return ViewFields(
        base_level=view.base_level,
        levels=view.levels,
        base_layer=view.base_layer,
        layers=view.layers,
        fmt=None if view.format is None else stored_format(view.format),
        target=view.target,
        swizzle=view.swizzle,
        depth_stencil_mode=view.depth_stencil_mode,
    )
