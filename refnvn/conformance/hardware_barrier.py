"""How is the measured family ``barrier`` scored: draws that sample the texture that they render?

Each draw covers the target and stores ``(1 - r, g / 2, a, b)`` of what it fetches at its own pixel. With a texture
barrier between draws each sees the one before. ``out_two_nobarrier`` is undefined: each texel has to be what the
second draw gives of something that the texel held since the first one began. On the chip every texel was the oldest.

The draws are recorded and replayed as a scene. Read next: ``refnvn/replay/unordered.py``.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from refnvn.conformance.hardware_conditions import whole
from refnvn.conformance.hardware_draws import array_of
from refnvn.conformance.hardware_primitives import schemas_of
from refnvn.conformance.score import ArrayScore, compare
from refnvn.conformance.vector_file import VectorFile
from refnvn.errors import InputFileError
from refnvn.nvn.device import Device
from refnvn.nvn.sampler import Sampler, SamplerBuilder
from refnvn.replay.run import replay
from refnvn.rules.fields import Rules, UnorderedReads
from refnvn.rules.registry import collect
from refnvn.shader.python import binding, fragment_shader, gl, ivec2, sampler2D, texel_fetch, vec4
from refnvn.trace.files import Trace

Bytes = NDArray[np.uint8]

DRAWS = {
    "out_one": (1, True),
    "out_two_barrier": (2, True),
    "out_two_nobarrier": (2, False),
    "out_ten_barrier": (10, True),
}
"""By array: how many draws, and whether barriers stand between."""


@fragment_shader
def turned(own: sampler2D = binding(0)):  # type: ignore[no-untyped-def]
    """Change what the target holds at the own pixel."""
    held = texel_fetch(own, ivec2(int(gl.frag_coord.x), int(gl.frag_coord.y)), 0)
    return vec4(1.0 - held.x, held.y * 0.5, held.w, held.z)


def recorded(content: Bytes, draws: int, has_barriers: bool) -> Trace:
    """Return the trace of some draws over a target that holds ``content``, shape (rows, columns, 4)."""
    device = Device("barrier")
    height_px, width_px = content.shape[:2]
    target = device.texture("RGBA8", width_px, height_px)
    target.write_texels(content)
    textures, samplers = device.texture_pool(512), device.sampler_pool(512)
    own = textures.register_texture(None, target)
    handle = device.get_texture_handle(own, samplers.register_sampler(None, Sampler(SamplerBuilder())))
    commands = device.command_buffer()
    commands.set_texture_pool(textures)
    commands.set_sampler_pool(samplers)
    commands.bind_texture("FRAGMENT", 0, handle)
    commands.set_render_targets([target])
    commands.bind_program(device.program(whole, turned))
    commands.set_viewport(0, 0, width_px, height_px)
    commands.set_scissor(0, 0, width_px, height_px)
    for number in range(draws):
        if number and has_barriers:
            commands.barrier("ORDER_FRAGMENTS | INVALIDATE_TEXTURE")
        commands.draw_arrays("TRIANGLES", 0, 3)
    device.queue().submit(commands)
    target.read_texels("target")
    return device.trace()


def _score_barrier(file: VectorFile, name: str, rules: Rules) -> ArrayScore:
    if name not in DRAWS:
        raise InputFileError(f"{file.path}: no array {name!r} is known; there are {', '.join(DRAWS)}")
    draws, has_barriers = DRAWS[name]
    content = array_of(file, "in_tex", (None, None, 4), "u").astype(np.uint8)
    measured = array_of(file, name, content.shape, "u")
    trace = recorded(content, draws, has_barriers)
    with collect() as used:
        found = _target(trace, content, rules)
    if not has_barriers:
        oldest = _target(trace, content, rules.with_(unordered_reads=UnorderedReads.OLDEST))
        is_oldest = (measured == oldest).all(axis=2, keepdims=True)
        found = np.where(is_oldest, oldest, found)
    return compare(name, found, measured, used)


def _target(trace: Trace, content: Bytes, rules: Rules) -> Bytes:
    """Return what the draws leave."""
    return replay(trace.recording, trace.blobs, rules)["target"].reshape(content.shape)


SCHEMAS = schemas_of({"barrier": (("in_tex", "out_one", "out_two_barrier"), _score_barrier)})
