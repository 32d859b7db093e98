"""How is the measured family ``stages`` scored: layers, viewports and clip distances that vertex shaders write?

``out_layer_*`` and ``out_viewport_*`` hold what fragments saw (a tag, the layer, the viewport, 1) in every texel of
every layer, 9999 where nothing was drawn; each is recorded and replayed as a scene. ``out_clip_*`` hold the depth,
1 / w and a varying of triangles and lines that clip distances cut, drawn one by one.

NVN draws by the last vertex: arrays that OpenGL measured by the first are information. Read next:
``hardware_geometry.py``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from refnvn.conformance.hardware_draws import array_of, within
from refnvn.conformance.hardware_geometry import score_geometry
from refnvn.conformance.hardware_primitives import drawn_bytes, square
from refnvn.conformance.schema import Schema
from refnvn.conformance.score import ArrayScore, compare, information
from refnvn.conformance.signature import has_arrays
from refnvn.conformance.vector_file import VectorFile
from refnvn.enumerations import DrawPrimitive
from refnvn.errors import InputFileError
from refnvn.nvn.device import Device
from refnvn.nvn.states import VertexAttribState, VertexStreamState
from refnvn.nvn.texture import TextureView
from refnvn.raster.shapes import Vertices
from refnvn.replay.assemble import primitives_of
from refnvn.replay.run import replay
from refnvn.rules.fields import Rules
from refnvn.rules.registry import collect
from refnvn.shader.python import (
    attribute,
    flat,
    fragment_shader,
    gl,
    ivec4,
    uint,
    uvec4,
    varying,
    vec4,
    vertex_shader,
)

_EMPTY = 9999
_SIZE_PX = 24
_DEPTH_BOUND, _ULP_BOUND = 2.0**-22, 32.0
_CORNERS: dict[int, list[tuple[float, float]]] = {
    3: [(-1, -1), (3, -1), (-1, 3)],
    2: [(-1, 0.1), (1, 0.1)],
    1: [(0, 0)],
}
_THREE = [(0, 0, 10), (1, 0, 11), (2, 0, 12)]


@vertex_shader
def choosing(position: vec4 = attribute(0), chosen: ivec4 = attribute(1)):  # type: ignore[no-untyped-def]
    """Write the layer and viewport of a vertex."""
    gl.layer = chosen.x
    gl.viewport_index = chosen.y
    gl.point_size = 4.0
    return position, chosen


@fragment_shader
def seen_once(chosen: ivec4 = varying(0, flat)):  # type: ignore[no-untyped-def]
    """Write the tag, layer and viewport."""
    return uvec4(uint(chosen.z), uint(gl.layer), uint(gl.viewport_index), uint(1))


@fragment_shader
def seen_twice(chosen: ivec4 = varying(0, flat)):  # type: ignore[no-untyped-def]
    """Write them to two targets."""
    found = uvec4(uint(chosen.z), uint(gl.layer), uint(gl.viewport_index), uint(1))
    return found, found


@fragment_shader
def places(value: vec4 = varying(0)):  # type: ignore[no-untyped-def]
    """Write depth, 1 / w and a varying."""
    return vec4(gl.frag_coord.z, gl.frag_coord.w, value.x, 1.0)


def _same(layer: int, viewport: int = 0, tag: int = 7) -> list[tuple[int, int, int]]:
    return [(layer, viewport, tag)] * 3


class _Scene:
    """A scene that draws primitives whose vertices choose; read back as words (layers, rows, columns, 4)."""

    def __init__(self, size_px: int, targets: Sequence[dict[str, Any]], view: TextureView | None = None) -> None:
        self.device = Device("stages")
        self.targets = [self.device.texture("RGBA32UI", size_px, size_px, **one) for one in targets]
        self.size_px = size_px
        self.commands = self.device.command_buffer()
        self.commands.set_render_targets(self.targets, None if view is None else [view])
        shader = seen_once if len(self.targets) == 1 else seen_twice
        self.commands.bind_program(self.device.program(choosing, shader))
        formats = [VertexAttribState().set_format("RGBA32F", 0), VertexAttribState().set_format("RGBA32I", 16)]
        self.commands.bind_vertex_attrib_state(formats)
        self.commands.bind_vertex_stream_state([VertexStreamState().set_stride(32)])

    def drawn(
        self, mode: str, chosen: Sequence[tuple[int, int, int]], empty: Sequence[int], rules: Rules
    ) -> NDArray[np.uint32]:
        """Return the texels of all targets after a draw."""
        per = {"TRIANGLES": 3, "LINES": 2, "POINTS": 1}[mode]
        rows = np.zeros((len(chosen), 8), np.uint32)
        corners = np.array([(x, y, 0, 1) for x, y in _CORNERS[per]], np.float32)
        rows[:, :4] = np.tile(corners, (len(chosen) // per, 1)).view(np.uint32)
        rows[:, 4:7] = np.array(chosen, np.int64).astype(np.int32).view(np.uint32)
        for slot, number in enumerate(empty):
            self.commands.clear_colorui(slot, (number,) * 4)
        self.commands.bind_vertex_buffer(0, self.device.buffer(rows))
        self.commands.draw_arrays(mode, 0, len(chosen))
        self.device.queue().submit(self.commands)
        for number, target in enumerate(self.targets):
            target.read_texels(f"target{number}")
        trace = self.device.trace()
        found = replay(trace.recording, trace.blobs, rules)
        words = [found[f"target{k}"].view(np.uint32).reshape(-1) for k in range(len(self.targets))]
        return np.concatenate(words).reshape(-1, self.size_px, self.size_px, 4)


_FOUR = {"target": "2D_ARRAY", "depth": 4}
_VOLUME = {"target": "3D", "depth": 4}


def _layers(file: VectorFile, name: str, rules: Rules) -> NDArray[np.uint32]:
    """Replay an array of layers."""
    plain = name.removeprefix("out_layer_")
    kind, _, rest = plain.partition("_")
    view: TextureView | None = None
    targets: list[dict[str, Any]] = [_FOUR]
    mode, chosen, empty = "TRIANGLES", _same(2), [_EMPTY]
    if kind == "vertex":
        mode = rest.partition("_")[0]
        chosen = _THREE[: 2 if mode == "LINES" else 3]
    elif kind == "points":
        mode, chosen = "POINTS", _THREE
    elif kind == "outside":
        chosen = _same(_listed(file, "in_layer_outside", rest))
    elif kind == "uneven":
        targets, chosen, empty = [_FOUR, _FOUR | {"depth": 2}], _same(int(rest)), [0, 0]
    elif plain == "flat_target":
        view = TextureView().set_layers(1, 1)
    elif plain == "2d":
        targets = [{}]
    elif kind == "3d":
        targets, chosen = [_VOLUME], _same(5) if rest else _same(2) + _same(3, tag=8)
    scene = _Scene(4, targets, view)
    scene.commands.set_viewport(0, 0, 4, 4)
    return scene.drawn(mode, chosen, empty, rules)


def _viewports(file: VectorFile, name: str, rules: Rules) -> NDArray[np.uint32]:
    """Replay an array of viewports: viewport k is column k."""
    plain = name.removeprefix("out_viewport_")
    chosen = [(0, 2, 10), (0, 5, 11), (0, 9, 12)]
    if plain.startswith("outside_"):
        chosen = _same(0, _listed(file, "in_viewport_outside", plain.removeprefix("outside_")))
    scene = _Scene(16, [{}])
    scene.commands.set_viewports(0, [(float(k), 0.0, 1.0, 16.0) for k in range(16)])
    found: NDArray[np.uint32] = scene.drawn("TRIANGLES", chosen, [_EMPTY], rules)[0]
    return found


def _listed(file: VectorFile, name: str, place: str) -> int:
    """Return the number at a place of an array of inputs."""
    numbers = array_of(file, name, (None,), "i")
    if not place.isdigit() or int(place) >= len(numbers):
        raise InputFileError(f"{file.path}: array {name!r} has {len(numbers)} numbers, none at {place!r}")
    return int(numbers[int(place)])


def _score_chosen(file: VectorFile, name: str, rules: Rules) -> ArrayScore:
    """Score an array of layers or viewports; of layers that nothing was drawn to only that counts."""
    if name.endswith("FIRST"):
        return information(name, "NVN draws by the last vertex")
    with collect() as used:
        found = (_layers if name.startswith("out_layer_") else _viewports)(file, name, rules)
    measured = array_of(file, name, found.shape, "u").astype(np.uint32)
    blank = np.where(measured[..., 3:] == 1, measured, 0)
    return compare(name, np.where(found[..., 3:] == 1, found, 0).astype(np.uint32), blank.astype(np.uint32), used)


def _clipped(file: VectorFile, name: str, rules: Rules) -> ArrayScore:
    """Score depth, 1 / w and a varying of primitives that clip distances cut."""
    plain = name.replace("out_", "in_", 1)
    primitive, vertices = (DrawPrimitive.LINES, 2) if plain.endswith("lines") else (DrawPrimitive.TRIANGLES, 3)
    clip = array_of(file, plain, (None, vertices, 4), "f").astype(np.float32)
    values = array_of(file, f"{plain}_a", (len(clip), vertices, 4), "f").astype(np.float32)
    distances = array_of(file, f"{plain}_d", (len(clip), vertices, 8), "f").astype(np.float32)
    measured = array_of(file, name, (len(clip), _SIZE_PX, _SIZE_PX, 3), "u").astype(np.uint32)
    drawn = primitives_of(primitive, vertices)
    images = []
    with collect() as used:
        for one, value, distance in zip(clip, values, distances, strict=True):
            shaded = Vertices(one, np.ascontiguousarray(value.T).view(np.uint32), None, distance)
            image, _ = drawn_bytes(_SIZE_PX, square(_SIZE_PX), shaded, drawn, places, "RGBA32F", rules)
            images.append(image.view(np.uint32).reshape(_SIZE_PX, _SIZE_PX, 4)[..., :3])
    found = np.stack(images)
    return within(compare(name, found, measured, used), _errors(found, measured, values), 1.0, "bounds")


def _errors(
    found: NDArray[np.uint32], measured: NDArray[np.uint32], values: NDArray[np.float32]
) -> NDArray[np.float64]:
    """Return how far values are off, in bounds of the planes; a pixel that only one of them covers is far off."""
    pair = [np.ascontiguousarray(one).view(np.float32).astype(np.float64) for one in (found, measured)]
    largest = np.maximum(np.abs(pair[1][..., 1]).max(axis=(1, 2)), 1e-30).astype(np.float32)
    scale = np.stack(
        [
            np.full(len(found), _DEPTH_BOUND),
            np.spacing(largest) * _ULP_BOUND,
            np.spacing(np.abs(values[..., 0]).max(axis=1)) * _ULP_BOUND,
        ],
        axis=1,
    )
    return np.asarray(np.abs(pair[0] - pair[1]) / scale[:, np.newaxis, np.newaxis])


def _special(file: VectorFile, name: str, rules: Rules) -> ArrayScore:
    """Score which pixels a point or triangle with special distances covers."""
    special = array_of(file, "in_clip_special", (None,), "f").astype(np.float32)
    size, vertices = (4, 1) if name.endswith("points") else (8, 3)
    clip = np.array([(0, 0, 0, 1)] if vertices == 1 else [(x, y, 0, 1) for x, y in _CORNERS[3]], np.float32)
    measured = array_of(file, name, (len(special), size, size, 3), "u")[..., 1] != 0
    drawn = primitives_of(DrawPrimitive.POINTS if vertices == 1 else DrawPrimitive.TRIANGLES, vertices)
    rows = []
    with collect() as used:
        for one in special:
            distance = np.ones((vertices, 1), np.float32)
            distance[: vertices if name.endswith("all") else 1] = one
            shaded = Vertices(clip, np.zeros((4, vertices), np.uint32), None, distance)
            image, _ = drawn_bytes(size, square(size, point_sprite=False), shaded, drawn, places, "RGBA32F", rules)
            rows.append(image.view(np.uint32).reshape(size, size, 4)[..., 3] != 0)
    return compare(name, np.stack(rows).astype(np.uint8), measured.astype(np.uint8), used)


def score_stages(file: VectorFile, rules: Rules) -> Iterator[ArrayScore]:
    """Score ``stages``."""
    for name in file.headers:
        if name.startswith(("out_layer_", "out_viewport_")):
            yield _score_chosen(file, name, rules)
        elif name in ("out_clip_points", "out_clip_special_one", "out_clip_special_all"):
            yield _special(file, name, rules)
        elif name.startswith("out_clip_"):
            yield _clipped(file, name, rules)
        elif name.startswith("out_"):
            yield score_geometry(file, name, rules)


SCHEMAS: tuple[Schema, ...] = (
    Schema(name="stages", recognises=has_arrays("out_layer_points", "out_clip_points"), score=score_stages),
)
