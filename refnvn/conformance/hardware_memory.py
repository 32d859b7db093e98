"""How is the measured family ``imagebounds`` scored: what shaders find outside of images?

``in_texel_F`` holds the bytes of every texel of a 4 x 4 image of format F (GLSL's name), ``in_at`` coordinates, and
``out_at_F`` the four words of a load at each. ``out_array`` holds what loads and atomic accesses find in two layers
of words 7, inside and outside, and ``out_array_after`` the words afterwards.

Read next: ``refnvn/replay/images.py``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from refnvn.conformance.schema import Schema
from refnvn.conformance.score import ArrayScore, compare, not_run
from refnvn.conformance.signature import has_arrays
from refnvn.conformance.vector_file import VectorFile
from refnvn.errors import InputFileError
from refnvn.formats.table import formats
from refnvn.nvn.device import Device
from refnvn.nvn.scene import record
from refnvn.replay.run import replay
from refnvn.rules.fields import Rules
from refnvn.rules.registry import collect
from refnvn.shader.image_formats import GLSL_QUALIFIERS, component_type
from refnvn.shader.ir import Shader, from_object

SIZE = 4
LAYERS = 2
WORD_B = 4
_NVN_NAMES = {glsl: name for name, glsl in GLSL_QUALIFIERS.items()}
_ARRAY_ACCESSES: tuple[tuple[str, tuple[int, int, int], int], ...] = (
    ("load", (0, 0, 1), 0), ("load", (0, 0, 2), 0), ("load", (0, 0, -1), 0), ("add", (0, 0, 2), 5),
    ("add", (-1, 0, 0), 5), ("compare_exchange", (4, 0, 0), 5), ("add", (0, 0, 0), 5), ("max_uint", (0, 4, 1), 5),
)  # fmt: skip
"""What the probe did in order: kind, coordinates, operand."""

Statement = dict[str, Any]


def _constants(first: int, values: tuple[int, ...]) -> list[Statement]:
    return [{"do": "constant", "to": first + k, "bits": v & 0xFFFFFFFF} for k, v in enumerate(values)]


def loading(format_name: str, coordinates: NDArray[np.int32]) -> Shader:
    """Return a shader that loads texels at coordinates and stores their words one after another."""
    statements: list[Statement] = []
    for place, at in enumerate(coordinates.tolist()):
        statements += _constants(0, tuple(at))
        statements.append({"do": "load_image", "binding": 0, "to": [2, 3, 4, 5], "at": [0, 1]})
        statements += _kept(16 * place, (2, 3, 4, 5))
    return _shader(format_name, "2d", statements)


def _kept(offset_B: int, registers: tuple[int, ...]) -> list[Statement]:
    return [
        {"do": "store_memory", "binding": 0, "offset_B": offset_B + WORD_B * k, "of": register}
        for k, register in enumerate(registers)
    ]


def _shader(format_name: str, dimension: str, statements: list[Statement]) -> Shader:
    kind = component_type(formats()[format_name]).value
    image = {"binding": 0, "dimension": dimension, "format": format_name, "type": kind}
    return from_object({
        "refnvn_shader": 1, "stage": "compute", "storage": [{"binding": 0}], "images": [image],
        "registers": ["word"] * 8, "statements": statements,
    })  # fmt: skip


def accessing() -> Shader:
    """Return the shader that loads from two layers, changes them, and stores beside them."""
    statements: list[Statement] = []
    for place, (kind, at, operand) in enumerate(_ARRAY_ACCESSES):
        statements += _constants(0, (*at, operand, 0))
        if kind == "load":
            statements.append({"do": "load_image", "binding": 0, "to": [5, 6, 7, 4], "at": [0, 1, 2]})
        else:
            compare = {"compare": 4} if kind == "compare_exchange" else {}
            atomic = {"do": "atomic_image", "binding": 0, "operation": kind, "to": 5, "at": [0, 1, 2], "of": 3}
            statements.append(atomic | compare)
        statements += _kept(WORD_B * place, (5,))
    for layer in (LAYERS, -1):
        statements += _constants(0, (1, 1, layer, 9))
        statements.append({"do": "store_image", "binding": 0, "at": [0, 1, 2], "of": [3, 3, 3, 3]})
    return _shader("R32UI", "2d_array", statements)


def ran(
    shader: Shader, texels: bytes, words: int, rules: Rules, **texture: Any
) -> tuple[NDArray[np.uint32], NDArray[np.uint32]]:
    """Return the words that a shader stores, and those of its image afterwards."""

    def scene(device: Device) -> None:
        out = device.buffer(words * WORD_B)
        image = device.texture(shader.images[0].format, SIZE, SIZE, **texture)
        image.write_texels(texels)
        commands = device.command_buffer()
        pool = device.texture_pool(512)
        commands.set_texture_pool(pool)
        commands.bind_image("COMPUTE", 0, device.get_image_handle(pool.register_image(None, image)))
        commands.bind_program(device.program(compute=shader), "COMPUTE")
        commands.bind_storage_buffer("COMPUTE", 0, out)
        commands.dispatch_compute(1)
        device.queue().submit(commands)
        out.read("out")
        image.read_texels("image")

    trace = record(scene)
    results = replay(trace.recording, trace.blobs, rules)
    return results["out"].view("<u4"), np.ascontiguousarray(results["image"]).view(np.uint8)


def _score_load(file: VectorFile, name: str, rules: Rules) -> ArrayScore:
    glsl = name.removeprefix("out_at_")
    if glsl not in _NVN_NAMES:
        raise InputFileError(f"{file.path}: {name}: GLSL has no image format {glsl}")
    coordinates, texel, measured = file.array("in_at"), file.array(f"in_texel_{glsl}"), file.array(name)
    fmt = formats()[_NVN_NAMES[glsl]]
    if coordinates.dtype != np.int32 or coordinates.shape != (len(measured), 2):
        raise InputFileError(f"{file.path}: in_at must be int32 of shape ({len(measured)}, 2)")
    if texel.dtype != np.uint8 or texel.shape != (fmt.bytes_per_block,):
        raise InputFileError(f"{file.path}: in_texel_{glsl} must be uint8 of shape ({fmt.bytes_per_block},)")
    with collect() as used:
        shader = loading(fmt.name, coordinates)
        found, _ = ran(shader, texel.tobytes() * SIZE * SIZE, measured.size, rules)
    return compare(name, found.reshape(measured.shape), measured, used)


def _score_array(file: VectorFile, name: str, rules: Rules) -> ArrayScore:
    measured = file.array(name)
    with collect() as used:
        sevens = np.full(SIZE * SIZE * LAYERS, 7, "<u4").tobytes()
        found, after = ran(accessing(), sevens, len(_ARRAY_ACCESSES), rules, depth=LAYERS, target="2D_ARRAY")
    ours = found if name == "out_array" else after.view("<u4")
    if measured.shape != ours.shape:
        raise InputFileError(f"{file.path}: {name} must have shape {ours.shape}, not {measured.shape}")
    return compare(name, ours, measured, used)


_ARRAYS: dict[str, Callable[[VectorFile, str, Rules], ArrayScore]] = {
    "out_array": _score_array,
    "out_array_after": _score_array,
}


def score_image_bounds(file: VectorFile, rules: Rules) -> Iterator[ArrayScore]:
    """Score ``imagebounds``; a case is a word."""
    for name in file.headers:
        if name.startswith("out_at_"):
            yield _score_load(file, name, rules)
        elif name in _ARRAYS:
            yield _ARRAYS[name](file, name, rules)
        elif name.startswith("out_"):
            yield not_run(name, "an array that this family does not have")


SCHEMAS: tuple[Schema, ...] = (
    Schema(name="imagebounds", recognises=has_arrays("in_at", "out_at_*"), score=score_image_bounds),
)
