"""Are pixels textured and stored in one go? Where the shader only samples, and nothing stands before the target.

The same steps as :func:`refnvn.raster.fragment.shade` takes: planes at the pixels of quads, differences, levels of
detail, samples, conversion, store; both ways give the same bits.

Read next: ``textured_kernel.py``.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from refnvn.formats.norm import encode_unorm
from refnvn.raster import output
from refnvn.raster.at_once import plain_target
from refnvn.raster.batch import Batch, note_planes
from refnvn.raster.fragment import shade
from refnvn.raster.inputs import Inputs
from refnvn.raster.sampled_rows import SampledRows
from refnvn.raster.setup import Primitives
from refnvn.raster.spans import Spans, batches
from refnvn.raster.stage import Stage
from refnvn.raster.target import ColorTarget
from refnvn.rules.registry import note
from refnvn.shader.execute_textures import TextureReads
from refnvn.texture.plain import is_known, parts_of
from refnvn.texture.sampled import SampledTexture, mapped_channels
from refnvn.texture.sampler import Sampler

_BYTE = np.uint32(0xFF)


class Textured(NamedTuple):
    """A target and what fills it.

    Attributes
    ----------
    target : ColorTarget
    mask : int
        Its channels that are written.
    rows : tuple of int
        The output rows of its R, G, B, A.
    sampled : SampledRows
    texture : SampledTexture
    sampler : Sampler
    """

    target: ColorTarget
    mask: int
    rows: tuple[int, ...]
    sampled: SampledRows
    texture: SampledTexture
    sampler: Sampler


def textured_target(stage: Stage) -> Textured | None:
    """Return the target that can be textured in one go, or None where something stands between."""
    fragment = stage.fragment
    if fragment is None or fragment.sampled is None or stage.planes is not None:
        return None
    found = plain_target(stage)
    if found is None or found.merge is not None or not stage.state.channel_masks[found.location]:
        return None
    reads = TextureReads(fragment.shader, stage.textures, [], stage.rules)
    texture, sampler = reads.named_by_slots(fragment.sampled.statement)
    if not is_known(texture, sampler, stage.rules):
        return None
    mask = stage.state.channel_masks[found.location]
    return Textured(found.target, mask, found.rows, fragment.sampled, texture, sampler)


def shade_textured(stage: Stage, primitives: Primitives, inputs: Inputs, spans: Spans) -> int | None:
    """Take all spans to the one target, and return how many pixels there were; None where that is not possible.

    Where there are too many footprints a batch goes the way of all others.
    """
    found = textured_target(stage)
    if found is None:
        return None
    filler = _Filler(found, stage, inputs)
    for part in batches(spans):
        if not filler.fill(part):
            shade(stage, primitives, inputs, Batch(part, True))
    return spans.lanes


class _Filler:
    """Batches of one draw on their way, and the footprints that were met so far."""

    def __init__(self, textured: Textured, stage: Stage, inputs: Inputs) -> None:
        from refnvn.raster import span_kernel, unorm8_kernel
        from refnvn.texture.sample_kernel import plain_of, scratch_of, sum_codes

        self.textured, self.rules, self.inputs = textured, stage.rules, inputs
        texture, sampler = textured.texture, textured.sampler
        self.planes = _rows_of(span_kernel.plane_arrays(inputs), textured.sampled.coordinates)
        self.words = unorm8_kernel.words_of(textured.target, textured.mask)
        self.plain = plain_of(texture, sampler, textured.sampled.statement.offset)
        self.conversion = (sum_codes(), *_places(textured))
        self.scratch = scratch_of()
        self._forget()

    def _forget(self) -> None:
        from refnvn.texture.footprint_kernel import new_tables

        self.tables = new_tables()
        self.count = 0
        self.parts: list[NDArray[Any]] = [np.zeros((5, 0), np.int64)]
        self.kinds: tuple[Any, ...] = ()

    def fill(self, spans: Spans) -> bool:
        """Fill spans; return whether it was done, which it is not where there are too many footprints."""
        from refnvn.raster import textured_kernel

        uv, of_lane = np.empty((2, spans.lanes), np.float32), np.empty(spans.lanes, np.int32)
        where = (spans.row, spans.left, spans.right, spans.start)
        widest = int(spans.right.max(initial=0) - spans.left.min(initial=0)) + 2
        count = int(
            textured_kernel.locate_kernel(
                uv,
                of_lane,
                *self.planes,
                spans.primitive,
                *where,
                *self.tables,
                np.int64(self.count),
                *textured_kernel.scratch_of(widest),
            )
        )
        if count < 0:
            self._forget()
            return False
        self._plan(count)
        sums = np.empty(spans.lanes, np.uint64)
        textured_kernel.fill_kernel(
            *self.words, uv, of_lane, *self.kinds, *self.conversion, *where, sums, *self.scratch
        )
        self._note()
        return True

    def _plan(self, count: int) -> None:
        """Find the levels of footprints that are new, and which footprints are alike."""
        from refnvn.texture.footprint_kernel import gradients_of

        if count == self.count:
            return
        gradients = gradients_of(self.tables[0][:, self.count : count])
        parts = parts_of(self.textured.texture, self.textured.sampler, None, 0.0, gradients, self.rules)
        nearer, further, shares, linear = (
            np.broadcast_to(one, (*one.shape[:-1], count - self.count)) for one in parts
        )
        self.parts.append(np.stack([nearer, further, *shares, linear.astype(np.int64)]))
        self.count = count
        kinds, alike = np.unique(np.concatenate(self.parts, axis=1), axis=1, return_inverse=True)
        kinds = np.ascontiguousarray(kinds)
        self.kinds = (alike.reshape(-1).astype(np.int32), self.plain, kinds[:2], kinds[2:4], kinds[4] != 0)

    def _note(self) -> None:
        from refnvn.texture.sample_kernel import note_plain

        note(("RASTER-ORDER-1", "RASTER-EARLY-1", "RASTER-BUILTIN-1", "SHADER-SHARED-1", "TEX-LOD-7"))
        note_planes(self.inputs)
        note_plain(self.textured.sampler, self.kinds[-1])
        output.note_unorm8()


def _rows_of(planes: tuple[Any, ...], rows: tuple[int, ...]) -> tuple[Any, ...]:
    """Return the planes of some input rows."""
    how, flat, a, b, c, *others = planes
    chosen = list(rows)
    return how[chosen], *(np.ascontiguousarray(one[:, chosen]) for one in (flat, a, b, c)), *others


def _places(textured: Textured) -> tuple[Any, ...]:
    """Return where each byte of the target comes from.

    Shifts to the byte of a texel and masks, uint32 of shape (4,), a word of what is constant, and whether bytes stay
    where they are.
    """
    texture, channels = textured.texture, textured.sampled.channels
    names = [component.name for component in texture.fmt.components]
    probe = np.arange(1, 5, dtype=np.uint32).reshape(4, 1)
    mapped = mapped_channels(probe, texture.swizzle, is_integer=False).reshape(-1)
    shifts, masks, constant = np.zeros(4, np.uint32), np.zeros(4, np.uint32), 0
    for byte, component in enumerate(textured.target.fmt.components):
        word = mapped[channels[textured.rows["RGBA".index(component.name)]]]
        if 1 <= word <= 4:
            shifts[byte], masks[byte] = 8 * names.index("RGBA"[word - 1]), _BYTE
        else:
            constant |= int(encode_unorm(np.array([word], np.uint32).view(np.float32), 8)[0]) << 8 * byte
    straight = bool((shifts == np.arange(0, 32, 8)).all() and (masks == _BYTE).all())
    return shifts, masks, np.uint32(constant), straight
