"""What was registered in pools of textures and samplers, by the address of the descriptor.

It knows no pool and no id. Read next: ``descriptors.py``.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from refnvn.commands.resources import TextureRef
from refnvn.texture.sampler import Sampler


@dataclass(slots=True)
class Descriptors:
    """All that was registered, by address.

    Attributes
    ----------
    textures, images : dict of int to TextureRef
    samplers : dict of int to Sampler
    """

    textures: dict[int, TextureRef] = field(default_factory=dict)
    images: dict[int, TextureRef] = field(default_factory=dict)
    samplers: dict[int, Sampler] = field(default_factory=dict)
