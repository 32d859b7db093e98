"""Which texels does a draw write: a layer of each bound target, as the rasteriser sees it.

Read next: ``rasterise.py``.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import TracebackType

from refnvn.errors import ArgumentError
from refnvn.memory.pool import Bytes
from refnvn.raster.target import ColorTarget, DepthStencilTarget, sample_views
from refnvn.replay.context import Context
from refnvn.replay.errors import NotReplayed, field
from refnvn.replay.views import Part, Target
from refnvn.rules.evidence import Evidence
from refnvn.rules.registry import rule


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


class DrawTargets:
    """The bound targets, layer by layer as they are asked for; a context in which a draw runs."""

    def __init__(self, context: Context) -> None:
        self._state = context.state
        self._parts: dict[tuple[int, int], Part] = {}
        self._layers: dict[int, LayerTargets] = {}
        for target in (*self._state.colors, self._state.depth_stencil):
            if target is not None and not target.subject.layers:
                raise ArgumentError("the view has no layer")

    def __enter__(self) -> DrawTargets:
        """Give the targets."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Say that they were written."""
        if error is None:
            for surface in {id(part.surface): part.surface for part in self._parts.values()}.values():
                if not surface.is_current:
                    raise NotReplayed(
                        "a shader stored to bytes of a target of its own draw otherwise than through an image of it"
                    )
                surface.written()

    @property
    def are_kept_back(self) -> bool:
        """Whether what was drawn to the layers asked for is still held back from memory: nobody has read it."""
        return all(part.surface.is_current and part.surface.is_dirty for part in self._parts.values())

    @property
    def most_layers(self) -> int:
        """The most layers that one of the targets has."""
        bound = (*self._state.colors, self._state.depth_stencil)
        return max((target.subject.layers for target in bound if target is not None), default=1)

    def layer(self, number: int) -> LayerTargets:
        """Return a layer of each target.

        Raises
        ------
        NotReplayed
            For targets that overlap in memory.
        """
        if number not in self._layers:
            self._layers[number] = self._made(number)
        if not all(part.surface.is_current for part in self._parts.values()):
            raise NotReplayed("targets of one draw overlap in memory with different layouts")
        return self._layers[number]

    def _made(self, number: int) -> LayerTargets:
        state = self._state
        colors = [self._color(slot, target, number) for slot, target in enumerate(state.colors)]
        depth_stencil = None
        if state.depth_stencil is not None:
            with field("depth_stencil"):
                codes, others = self._texels(-1, state.depth_stencil, number)
                depth_stencil = DepthStencilTarget(state.depth_stencil.fmt, codes, others)
                mine = {id(part.surface) for (slot, _), part in self._parts.items() if slot < 0}
                if any(id(part.surface) in mine for (slot, _), part in self._parts.items() if slot >= 0):
                    raise NotReplayed("the depth-stencil target is a colour target too")
        return LayerTargets(colors, depth_stencil)

    def _color(self, slot: int, target: Target | None, number: int) -> ColorTarget | None:
        if target is None:
            return None
        with field(f"colors[{slot}]"):
            return ColorTarget(target.fmt, *self._texels(slot, target, number))

    def _texels(self, slot: int, target: Target, number: int) -> tuple[Bytes, tuple[Bytes, ...]]:
        """Return the texels of the first sample and of the others, in place."""
        layer = layer_of(number, target.subject.layers)
        if (slot, layer) not in self._parts:
            self._parts[slot, layer] = next(iter(target.parts(layer, 1)))
        part = self._parts[slot, layer]
        first, *others = sample_views(part.surface.codes[part.first_slice], target.subject.samples)
        return first, tuple(others)
