"""Which texels does a draw write: a layer of each bound target, as the rasteriser sees it.

Read next: ``rasterise.py``.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from types import TracebackType
from typing import NamedTuple

from refnvn.errors import ArgumentError
from refnvn.memory.pool import Bytes
from refnvn.memory.surface import Surface
from refnvn.raster.target import ColorTarget, DepthStencilTarget, sample_views
from refnvn.replay.context import Context
from refnvn.replay.errors import NotReplayed, field
from refnvn.replay.views import Target
from refnvn.rules.evidence import Evidence
from refnvn.rules.registry import rule

Colors = tuple[Target | None, ...]


@rule(
    "REPLAY-LAYER-1",
    "A target's layers are counted from the first of its view, slices of a 3D texture likewise; a layer that a "
    "target does not have, negative ones too, is its first, whatever layers the other targets have.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("stage-vectors", "seed-titles"),
    ledger=("layered-vs",),
)
def layer_of(layer: int, layers: int) -> int:
    """Return which of a target's layers a primitive goes to.

    Examples
    --------
    >>> [layer_of(one, 4) for one in (3, 4, -1)]
    [3, 0, 0]
    """
    return layer if 0 <= layer < layers else 0


@dataclass(frozen=True, slots=True)
class LayerTargets:
    """One layer of each bound target.

    Attributes
    ----------
    colors : list of ColorTarget or None
        By slot.
    depth_stencil : DepthStencilTarget or None
    """

    colors: list[ColorTarget | None]
    depth_stencil: DepthStencilTarget | None


class _Reached(NamedTuple):
    """One layer of the bound targets, and the surfaces that it lies in: all, each once, and that of depth."""

    targets: LayerTargets
    surfaces: tuple[Surface, ...]
    depth: Surface | None = None

    @property
    def is_current(self) -> bool:
        """Whether no surface was taken away since."""
        return all(surface.is_current for surface in self.surfaces)


class DrawTargets:
    """The bound targets, layer by layer as they are asked for; a context in which a draw runs."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._bound = (context.state.colors, context.state.depth_stencil)
        self._layers: dict[int, _Reached] = {}
        self.most_layers = context.kept.of(_most_layers, self._bound, *self._bound)
        """The most layers that one of the targets has."""

    def __enter__(self) -> DrawTargets:
        """Give the targets."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Say that they were written."""
        if error is None:
            for surface in self._surfaces():
                if not surface.is_current:
                    raise NotReplayed(
                        "a shader stored to bytes of a target of its own draw otherwise than through an image of it"
                    )
                surface.written()

    def _surfaces(self) -> tuple[Surface, ...]:
        """Return the surfaces of all layers that were asked for."""
        if len(self._layers) == 1:
            return next(iter(self._layers.values())).surfaces
        return _each_once(surface for one in self._layers.values() for surface in one.surfaces)

    @property
    def held_back(self) -> tuple[tuple[bool, bool], ...]:
        """Of each surface that is drawn to whether it is current, and whether memory lacks what it holds."""
        return tuple((surface.is_current, surface.is_dirty) for surface in self._surfaces())

    @property
    def are_kept_back(self) -> bool:
        """Whether what was drawn to the layers asked for is still held back from memory: nobody has read it."""
        return all(surface.is_current and surface.is_dirty for surface in self._surfaces())

    def layer(self, number: int) -> LayerTargets:
        """Return a layer of each target.

        Raises
        ------
        NotReplayed
            For targets that overlap in memory.
        """
        found = self._layers.get(number)
        if found is None:
            found = self._layers[number] = self._reached(number)
            self._require_apart()
        if not all(one.is_current for one in self._layers.values()):
            raise NotReplayed("targets of one draw overlap in memory with different layouts")
        return found.targets

    def _require_apart(self) -> None:
        """Raise where depth goes to a layer of a colour target, each layer having been looked at alone."""
        if len(self._layers) == 1:
            return
        depths = {id(one.depth) for one in self._layers.values() if one.depth is not None}
        colors = {id(part) for one in self._layers.values() for part in one.surfaces if part is not one.depth}
        if not depths.isdisjoint(colors):
            with field("depth_stencil"):
                raise NotReplayed("the depth-stencil target is a colour target too")

    def _reached(self, number: int) -> _Reached:
        kept = self._context.kept
        found = kept.of(_reached, (*self._bound, number), *self._bound, number)
        if not found.is_current:
            kept.forget(_reached)
            found = kept.of(_reached, (*self._bound, number), *self._bound, number)
        return found


def _most_layers(colors: Colors, depth_stencil: Target | None) -> int:
    """Return the most layers of some targets, of which each has one at least."""
    layers = [target.subject.layers for target in (*colors, depth_stencil) if target is not None]
    if not all(layers):
        raise ArgumentError("the view has no layer")
    return max(layers, default=1)


def _reached(colors: Colors, depth_stencil: Target | None, number: int) -> _Reached:
    """Take one layer of each target from memory."""
    reached: list[ColorTarget | None] = []
    surfaces: list[Surface] = []
    for slot, target in enumerate(colors):
        if target is None:
            reached.append(None)
            continue
        with field(f"colors[{slot}]"):
            texels, surface = _texels(target, number)
            reached.append(ColorTarget(target.fmt, *texels))
            surfaces.append(surface)
    if depth_stencil is None:
        return _Reached(LayerTargets(reached, None), _each_once(surfaces))
    with field("depth_stencil"):
        texels, surface = _texels(depth_stencil, number)
        depth = DepthStencilTarget(depth_stencil.fmt, *texels)
        if any(surface is one for one in surfaces):
            raise NotReplayed("the depth-stencil target is a colour target too")
    return _Reached(LayerTargets(reached, depth), _each_once([*surfaces, surface]), surface)


def _texels(target: Target, number: int) -> tuple[tuple[Bytes, tuple[Bytes, ...]], Surface]:
    """Return the texels of the first sample and of the others, in place, and the surface that they lie in."""
    part = next(iter(target.parts(layer_of(number, target.subject.layers), 1)))
    first, *others = sample_views(part.surface.codes[part.first_slice], target.subject.samples)
    return (first, tuple(others)), part.surface


def _each_once(surfaces: Iterable[Surface]) -> tuple[Surface, ...]:
    return tuple({id(one): one for one in surfaces}.values())
