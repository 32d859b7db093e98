"""What the chip stored to images and loaded from them, asked of a shader in a whole recording."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from refnvn.conformance.hardware_formats import nvn_format, texel_bytes
from refnvn.conformance.vector_file import VectorFile
from refnvn.formats.packing import unpack_codes
from refnvn.nvn.device import Device
from refnvn.nvn.scene import record
from refnvn.replay.run import replay
from refnvn.shader.image_formats import component_type
from refnvn.shader.ir import Shader, from_object

FILE = VectorFile(Path(__file__).parents[1] / "data" / "hardware" / "imagestore.npz")
FORMATS = [name.removeprefix("in_") for name in FILE.headers if name.startswith("in_")]
ROWS_APART = 4


def stored_and_loaded(format_name: str, kind: str, width: int) -> Shader:
    """Return a shader that stores four words of buffer 0 to each texel, and what a load then gives to buffer 1."""
    number, four, at_B, width_register = 0, 1, 2, 9
    statements: list[dict[str, Any]] = [
        {"do": "load_builtin", "to": 7, "builtin": "global_id_x"},
        {"do": "load_builtin", "to": 8, "builtin": "global_id_y"},
        {"do": "constant", "to": width_register, "bits": width},
        {"do": "operate", "name": "word.mul", "to": number, "of": [8, width_register]},
        {"do": "operate", "name": "word.add", "to": number, "of": [number, 7]},
        {"do": "constant", "to": four, "bits": 16},
        {"do": "operate", "name": "word.mul", "to": at_B, "of": [number, four]},
    ]
    places = [{"offset_B": 4 * k, "plus_B": at_B} for k in range(4)]
    statements += [{"do": "load_memory", "binding": 0, "to": 3 + k} | place for k, place in enumerate(places)]
    statements.append({"do": "store_image", "binding": 0, "at": [7, 8], "of": [3, 4, 5, 6]})
    statements.append({"do": "load_image", "binding": 0, "at": [7, 8], "to": [3, 4, 5, 6]})
    statements += [{"do": "store_memory", "binding": 1, "of": 3 + k} | place for k, place in enumerate(places)]
    return from_object({
        "refnvn_shader": 1, "stage": "compute", "local_size": [width, 1, 1],
        "storage": [{"binding": 0}, {"binding": 1}],
        "images": [{"binding": 0, "format": format_name, "type": kind}], "registers": ["word"] * 10,
        "statements": statements,
    })  # fmt: skip


def ran(format_name: str, kind: str, values: NDArray[np.uint32]) -> tuple[NDArray[np.uint8], NDArray[np.uint32]]:
    """Return the texels that four words each become, and what is loaded from them."""
    height, width = values.shape[:2]

    def scene(device: Device) -> None:
        given, loaded = device.buffer(np.ascontiguousarray(values).tobytes()), device.buffer(values.nbytes)
        image = device.texture(format_name, width, height)
        commands = device.command_buffer()
        pool = device.texture_pool(512)
        commands.set_texture_pool(pool)
        commands.bind_image("COMPUTE", 0, device.get_image_handle(pool.register_image(None, image)))
        commands.bind_program(device.program(compute=stored_and_loaded(format_name, kind, width)), "COMPUTE")
        commands.bind_storage_buffer("COMPUTE", 0, given)
        commands.bind_storage_buffer("COMPUTE", 1, loaded)
        commands.dispatch_compute(1, height)
        device.queue().submit(commands)
        image.read_texels("image")
        loaded.read("loaded")

    trace = record(scene)
    results = replay(trace.recording, trace.blobs)
    texels = np.ascontiguousarray(results["image"]).view(np.uint8).reshape(height, width, -1)
    return texels, results["loaded"].view("<u4").reshape(height, width, 4)


@pytest.mark.rule("REPLAY-IMAGE-1")
@pytest.mark.parametrize("name", FORMATS)
def test_texels_are_those_of_the_chip(name: str) -> None:
    """Bit for bit, both ways; a load is measured in every fourth row."""
    fmt = nvn_format(FILE, name)
    values = FILE.array(f"in_{name}")
    four = values if values.ndim == 3 else np.repeat(values[..., np.newaxis], 4, axis=2)
    texels, loaded = ran(fmt.name, component_type(fmt).value, four.astype(np.uint32))
    measured = unpack_codes(fmt, texel_bytes(FILE, f"out_{name}", fmt))
    assert np.array_equal(unpack_codes(fmt, texels), measured)
    if f"out_load_{name}" in FILE.headers:
        assert np.array_equal(loaded[::ROWS_APART], FILE.array(f"out_load_{name}"))
