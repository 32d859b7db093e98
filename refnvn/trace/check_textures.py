"""May descriptors lie where they are registered or set, and may a texture be read by shaders?

Read next: ``check.py``.
"""

from __future__ import annotations

from refnvn.commands import commands as c
from refnvn.commands import recording as r
from refnvn.commands.subject import CUBES, Subject
from refnvn.errors import ArgumentError, SizeError, UnsupportedFormat
from refnvn.formats.table import Use
from refnvn.layout.description import CUBE_FACES
from refnvn.trace.numbers import check_float32
from refnvn.trace.place import at
from refnvn.trace.resources import Resources, check_address, check_texture_ref

DESCRIPTOR_B = 32
MOST_TEXTURES, MOST_SAMPLERS = 1 << 20, 1 << 12


def _pool(resources: Resources, address: int, descriptors: int) -> None:
    with at("address"):
        if address % DESCRIPTOR_B:
            raise ArgumentError(f"{address:#x}, allowed are multiples of {DESCRIPTOR_B}")
        check_address(resources, address, descriptors * DESCRIPTOR_B)


def set_texture_pool(resources: Resources, command: c.SetTexturePool) -> None:
    """Check a pool of textures.

    Raises
    ------
    Misplaced
        At the field that is wrong.
    """
    _pool(resources, command.address, command.descriptors)


def set_sampler_pool(resources: Resources, command: c.SetSamplerPool) -> None:
    """Check a pool of samplers; errors as for textures, or for more than there may be."""
    with at("descriptors"):
        if command.descriptors > MOST_SAMPLERS:
            raise SizeError(f"{command.descriptors}, allowed are up to {MOST_SAMPLERS}")
    _pool(resources, command.address, command.descriptors)


def register_texture(resources: Resources, event: r.RegisterTexture | r.RegisterImage) -> int:
    """Check a descriptor of a texture or an image; return its bytes."""
    with at("texture"):
        subject = check_texture_ref(resources, event.texture)
        if isinstance(event, r.RegisterTexture):
            check_sampled(subject)
    _pool(resources, event.address, event.id + 1)
    return DESCRIPTOR_B


def check_sampled(subject: Subject) -> None:
    """Raise unless shaders can read a subject.

    Raises
    ------
    UnsupportedFormat
        For a format without such a use.
    SizeError
        For fewer layers than a cube has.
    """
    if not any(subject.fmt.has(use) for use in (Use.TEXTURE, Use.BUFFER_TEXTURE)):
        raise UnsupportedFormat(f"{subject.fmt.nvn_name} is not read by shaders")
    if subject.target in CUBES and subject.layers < CUBE_FACES:
        raise SizeError(f"{subject.layers} layers, a {subject.target.name} has at least {CUBE_FACES}")


def register_sampler(resources: Resources, event: r.RegisterSampler) -> int:
    """Check a descriptor of a sampler; return its bytes."""
    with at("id"):
        if event.id >= MOST_SAMPLERS:
            raise SizeError(f"{event.id}, allowed are 0 to {MOST_SAMPLERS - 1}")
    with at("sampler"):
        for name in ("lod_bias", "max_anisotropy"):
            with at(name):
                check_float32(getattr(event.sampler, name))
        with at("lod_clamp"):
            for value in event.sampler.lod_clamp:
                check_float32(value)
    _pool(resources, event.address, event.id + 1)
    return DESCRIPTOR_B
