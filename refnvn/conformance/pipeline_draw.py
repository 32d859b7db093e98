"""How is a command of a random pipeline executed? Its vertices, its primitives, a draw or a clear.

The vertex stage adds an instance's shift to the position and to the colour number; it is done here, the rest is the
rasteriser's.

Read next: ``hardware_pipeline.py``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from refnvn.conformance.fields import Fields, number
from refnvn.conformance.pipeline_contents import LARGEST_PX, color_format, initial_color
from refnvn.conformance.pipeline_shaders import NAMES, PALETTE, fragment_shader, palette, uniform_block
from refnvn.conformance.pipeline_state import channel_mask, rectangle, state_of
from refnvn.enumerations import DrawPrimitive, IndexType, MagFilter, MinFilter, WrapMode
from refnvn.errors import InputFileError
from refnvn.layout.description import TextureTarget
from refnvn.raster.assembled import Assembled
from refnvn.raster.clear import clear_color, clear_depth_stencil
from refnvn.raster.draw import draw_primitives
from refnvn.raster.shapes import Vertices
from refnvn.raster.state import ALL_CHANNELS
from refnvn.raster.target import ColorTarget, DepthStencilTarget
from refnvn.replay.assemble import primitives_of_runs
from refnvn.replay.indices import runs_between, vertex_numbers
from refnvn.rules.fields import Rules
from refnvn.shader.ir_base import ComponentType
from refnvn.shader.textures import NO_TEXTURES, Textures, textures_of
from refnvn.texture.sampled import SampledTexture
from refnvn.texture.sampler import Sampler

_INDEX_TYPES = {"u8": (IndexType.BYTE, "<u1"), "u16": (IndexType.SHORT, "<u2"), "u32": (IndexType.INT, "<u4")}
_INSTANCES_MOST, _VERTICES_MOST = 64, 4096
_WORD_MOST = 0xFFFFFFFF
_WRAPS = ("REPEAT", "CLAMP_TO_EDGE", "MIRRORED_REPEAT")


@dataclass(frozen=True, slots=True)
class Targets:
    """What the commands of a case draw to.

    Attributes
    ----------
    colors : tuple of ColorTarget
    depth : DepthStencilTarget or None
    shape : tuple of int
        Samples, rows, columns.
    """

    colors: tuple[ColorTarget, ...]
    depth: DepthStencilTarget | None
    shape: tuple[int, int, int]

    @property
    def types(self) -> tuple[ComponentType, ...]:
        """What a shader writes to each colour target."""
        return tuple(
            (ComponentType.INT if one.fmt.numeric_class.name == "SINT" else ComponentType.UINT)
            if one.fmt.is_integer
            else ComponentType.FLOAT
            for one in self.colors
        )


def primitives(draw: Fields, vertices: int) -> Assembled:
    """Return what the vertices of a draw make."""
    kind = DrawPrimitive[draw.word("primitive", DrawPrimitive.__members__)]
    first = draw.word("provoking", ("FIRST", "LAST"), "LAST") == "FIRST"
    if "index" not in draw:
        return primitives_of_runs(kind, [np.arange(vertices, dtype=np.int64)], first)
    told = draw.inner("index")
    index_type, dtype = _INDEX_TYPES[told.word("type", _INDEX_TYPES)]
    largest = int(np.iinfo(dtype).max)
    values = [number(f"{told.name}: values", one, 0, largest) for one in told.items("values")[:_VERTICES_MOST]]
    base = told.integer("base_vertex", 0, high=_VERTICES_MOST)
    numbers = vertex_numbers(np.array(values, dtype=dtype).view(np.uint8), index_type, base)
    runs = runs_between(numbers, base, largest if told.flag("restart", False) else None)
    return primitives_of_runs(kind, runs, first)


def instances(draw: Fields) -> Iterator[tuple[float, float, int]]:
    """Yield by instance what is added to clip x and y and to the colour number."""
    count = draw.integer("instances", 1, high=_INSTANCES_MOST)
    if "instance_data" not in draw:
        yield from [(0.0, 0.0, 0)] * count
        return
    rows = draw.real_rows("instance_data", 3)
    divisor, base = draw.integer("divisor", high=_INSTANCES_MOST), draw.integer("base_instance", high=_INSTANCES_MOST)
    for instance in range(count):
        place = base + instance // max(divisor, 1)
        if place >= len(rows):
            raise InputFileError(
                f"{draw.name}: instance_data has {len(rows)} rows; instance {instance} reads {place}"
            )
        dx, dy, shift = rows[place]
        yield dx, dy, int(shift)


def vertices_of(case: Fields, draw: Fields, moved: tuple[float, float, int]) -> Vertices:
    """Return the outputs of the vertex shader for one instance."""
    positions = np.array(draw.real_rows("vertices", 4), np.float32).reshape(-1, 4)
    colours = np.array([number(draw.name, one, 0, _WORD_MOST) for one in draw.items("color_index")], np.int64)
    if len(colours) != len(positions) or len(positions) > _VERTICES_MOST:
        raise InputFileError(f"{draw.name}: {len(positions)} vertices with {len(colours)} colours")
    dx, dy, shift = moved
    positions[:, :2] += np.array([dx, dy], np.float32)
    numbers = (colours + shift) % PALETTE
    rows = [numbers.astype(np.uint32), np.full(len(numbers), shift, np.uint32)]
    if draw.word("shader", NAMES) == "smooth":
        rows += list(palette(case)[numbers].view(np.uint32).T)
    return Vertices(positions, np.stack(rows))


def textures_of_draw(case: Fields, draw: Fields) -> Textures:
    """Return what the shader of a draw samples: the texture of the case by the draw's sampler."""
    if "sampler" not in draw:
        return NO_TEXTURES
    told, sampler = case.inner("texture"), draw.inner("sampler")
    shape = (1, told.integer("height", high=LARGEST_PX), told.integer("width", high=LARGEST_PX))
    content = SampledTexture(color_format(told), TextureTarget.TARGET_2D, (initial_color(told, shape),))
    wrap = WrapMode[sampler.word("wrap", _WRAPS)]
    how = sampler.word("filter", ("NEAREST", "LINEAR"))
    filters = Sampler(wrap=(wrap, wrap, wrap), min_filter=MinFilter[how], mag_filter=MagFilter[how])
    return textures_of({0: (content, filters)})


def run_draw(case: Fields, draw: Fields, targets: Targets, rules: Rules) -> int:
    """Execute a draw and return how many samples passed."""
    samples, rows, columns = targets.shape
    state = state_of(draw, columns, rows, samples)
    shader = fragment_shader(draw.word("shader", NAMES), targets.types, draw.flag("early_tests", False))
    block = uniform_block(case, draw)
    textures = textures_of_draw(case, draw)
    passed = 0
    for moved in instances(draw):
        vertices = vertices_of(case, draw, moved)
        passed += draw_primitives(
            state, targets.colors, targets.depth, vertices, primitives(draw, len(vertices.positions)), shader,
            lambda _binding: block, rules, textures=textures,
        )  # fmt: skip
    return passed


def _clear_words(told: Fields, target: ColorTarget) -> NDArray[np.uint32]:
    """Return the four words of a clear value, floats or integers as the target's format has them."""
    if not target.fmt.is_integer:
        return np.array(told.reals("value", 4), np.float32).view(np.uint32)
    words = [number(f"{told.name}: value", one, -(1 << 31), _WORD_MOST) & _WORD_MOST for one in told.row("value", 4)]
    return np.array(words, np.uint32)


def run_clear(told: Fields, targets: Targets, rules: Rules) -> None:
    """Execute a clear of a colour or of depth and stencil."""
    what, where = told.get("op"), rectangle(told)
    for sample in range(targets.shape[0]):
        if what == "clear_color":
            color = targets.colors[told.integer("target", high=len(targets.colors) - 1)]
            mask = channel_mask(told.name, told.row("color_mask", 4)) if "color_mask" in told else ALL_CHANNELS
            clear_color(color.of_sample(sample), _clear_words(told, color), mask, where, rules)
        elif targets.depth is not None:
            has_depth, has_stencil = ("depth" in told, "stencil" in told)
            clear_depth_stencil(
                targets.depth.of_sample(sample),
                told.float_bits("depth") if has_depth else 0,
                has_depth and told.flag("depth_write", True),
                told.integer("stencil", high=255) if has_stencil else 0,
                told.integer("stencil_write_mask", 255, high=255) if has_stencil else 0,
                where,
                rules,
            )


def run_command(case: Fields, told: Fields, targets: Targets, rules: Rules) -> int | None:
    """Execute a command and return how many samples passed, None for a clear."""
    if told.word("op", ("draw", "clear_color", "clear_depth", "clear_stencil", "clear_depth_stencil")) == "draw":
        return run_draw(case, told, targets, rules)
    run_clear(told, targets, rules)
    return None
