"""Which formats may an image in a shader declare, and how does GLSL write them?"""

from __future__ import annotations

from refnvn.formats.table import Format, NumericClass, formats
from refnvn.shader.ir_base import ComponentType

_SUFFIXES = {"": "", "SN": "_snorm", "UI": "ui", "I": "i", "F": "f"}


def _names() -> dict[str, str]:
    """Return GLSL's qualifiers by NVN's names of formats."""
    found = {"R11G11B10F": "r11f_g11f_b10f", "RGB10A2": "rgb10_a2", "RGB10A2UI": "rgb10_a2ui"}
    for channels in ("R", "RG", "RGBA"):
        for bits in (8, 16, 32):
            for suffix, written in _SUFFIXES.items():
                name = f"{channels}{bits}{suffix}"
                is_float = suffix == "F"
                if (bits == 32 and suffix in ("", "SN")) or (bits == 8 and is_float):
                    continue
                found[name] = f"{channels.lower()}{bits}{written}"
    return found


GLSL_QUALIFIERS = _names()
"""By NVN's name without ``NVN_FORMAT_``: the 39 formats that GLSL has for images."""
ATOMIC_FORMATS = ("R32UI", "R32I", "R32F")
"""The formats of images that are changed atomically; floats are exchanged only."""


def component_type(fmt: Format) -> ComponentType:
    """Return what the components of a format's texels are in a shader.

    >>> from refnvn.formats.table import format_named
    >>> component_type(format_named("RG16I")).value
    'int'
    """
    if fmt.numeric_class is NumericClass.SINT:
        return ComponentType.INT
    return ComponentType.UINT if fmt.is_integer else ComponentType.FLOAT


def image_format(name: str) -> Format | None:
    """Return a format that an image may declare; None for another name."""
    return formats()[name] if name in GLSL_QUALIFIERS else None
