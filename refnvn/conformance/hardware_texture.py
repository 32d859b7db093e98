"""How are the measured families of filters scored: ``texfilter``, ``texwrap``, ``tx2_filter``, ``tx2_mipsum``?

Every result is the float bits of a sample with an explicit level of detail, computed here through the one door that
shaders use (:func:`refnvn.texture.sample.sample`). Formats carry OpenGL's names; depth was read in its luminance
mode.

Levels of detail: ``hardware_texture_lod.py``. Cubes, gathers, comparisons: ``hardware_texture_kinds.py``.
"""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np

from refnvn.conformance.hardware_blocks import block_format
from refnvn.conformance.hardware_formats import nvn_format
from refnvn.conformance.hardware_texture_kinds import numbered_cube
from refnvn.conformance.schema import Schema
from refnvn.conformance.score import ArrayScore, compare
from refnvn.conformance.texture_vectors import (
    BILINEAR,
    REPEAT,
    TARGET_2D,
    TRILINEAR,
    WRAPS,
    Scorer,
    as_opengl_reads,
    beside,
    coordinates_of,
    levels_named,
    schema,
    score_floats,
    stored_texels,
    texture_2d,
)
from refnvn.conformance.vector_file import VectorFile
from refnvn.enumerations import MagFilter, WrapMode
from refnvn.errors import InputFileError
from refnvn.formats.blocks import decode_image_codes
from refnvn.formats.table import format_named
from refnvn.layout.description import TextureTarget
from refnvn.rules.fields import Rules
from refnvn.rules.registry import collect
from refnvn.texture.border import integer_border
from refnvn.texture.fetch import fetch
from refnvn.texture.sample import sample
from refnvn.texture.sampled import SampledTexture
from refnvn.texture.sampler import Sampler, float_border

_NEAREST = Sampler(wrap=BILINEAR.wrap)
_INTEGER_BORDER = np.array([7, 300, 2**31 + 5, 2**32 - 3], np.int64)


def numbered_line(width: int) -> SampledTexture:
    """Return an R32F texture of one row whose texels hold their own number."""
    texels = np.arange(width, dtype="<f4").view(np.uint8).reshape(1, 1, width, 4)
    return SampledTexture(format_named("R32F"), TARGET_2D, (texels,))


def _curve(file: VectorFile, name: str, found: re.Match[str], rules: Rules) -> ArrayScore:
    width = int(found["width"])
    sampler = _NEAREST if found["what"] == "nearest" else BILINEAR
    own = f"in_{found['what']}{width}_u"
    source = own if own in file.headers else f"in_u{width}"
    u = coordinates_of(file, source, 1)[0]
    with collect() as used:
        values = sample(numbered_line(width), sampler, beside(u, 0.5), lod=0.0, rules=rules)
    return score_floats(file, name, values, used)


def _wide(file: VectorFile, name: str, found: re.Match[str], rules: Rules) -> ArrayScore:
    u = coordinates_of(file, f"in_wide{found['width']}", 1)[0]
    sampler = Sampler(wrap=(WRAPS[found["wrap"]], *BILINEAR.wrap[1:]))
    with collect() as used:
        values = sample(numbered_line(int(found["width"])), sampler, beside(u, 0.5), lod=0.0, rules=rules)
    return score_floats(file, name, values, used)


def _bilinear(file: VectorFile, name: str, found: re.Match[str], rules: Rules) -> ArrayScore:
    of = found["format"]
    what = found["what"]  # bilinear or special
    texels = f"in_special_{of}" if what == "special" else f"in_bilinear_tex_{of}"
    texture = texture_2d(file, texels, of)
    uv = coordinates_of(file, f"in_{what}_uv_{of}", 2)
    with collect() as used:
        values = sample(texture, BILINEAR, uv, lod=0.0, rules=rules)
    return score_floats(file, name, as_opengl_reads(texture.fmt, values), used)


def _volume(file: VectorFile, name: str, _found: re.Match[str], rules: Rules) -> ArrayScore:
    fmt = format_named("RGBA8")
    texture = SampledTexture(fmt, TextureTarget.TARGET_3D, (stored_texels(file, "in_3d_tex", fmt, 3),))
    wrap = (WrapMode.REPEAT, WrapMode.CLAMP_TO_EDGE, WrapMode.MIRRORED_REPEAT)
    with collect() as used:
        values = sample(
            texture, replace(BILINEAR, wrap=wrap), coordinates_of(file, "in_3d_uvw", 3), lod=0.0, rules=rules
        )
    return score_floats(file, name, values, used)


def _array(file: VectorFile, name: str, _found: re.Match[str], rules: Rules) -> ArrayScore:
    fmt = format_named("RGBA8")
    texture = SampledTexture(fmt, TextureTarget.TARGET_2D_ARRAY, (stored_texels(file, "in_array_tex", fmt, 3),))
    layer = coordinates_of(file, "in_array_layer", 1)[0]
    place = np.stack([np.full_like(layer, 0.3), np.full_like(layer, 0.6), layer])
    with collect() as used:
        values = sample(texture, replace(BILINEAR, wrap=REPEAT), place, lod=0.0, rules=rules)
    return score_floats(file, name, values, used)


def _rectangle(file: VectorFile, name: str, _found: re.Match[str], rules: Rules) -> ArrayScore:
    fmt = format_named("RGBA8")
    texture = SampledTexture(fmt, TextureTarget.TARGET_RECTANGLE, (stored_texels(file, "in_rect_tex", fmt),))
    with collect() as used:
        values = sample(texture, BILINEAR, coordinates_of(file, "in_rect_uv", 2), rules=rules)
    return score_floats(file, name, values, used)


def _offset(file: VectorFile, name: str, _found: re.Match[str], rules: Rules) -> ArrayScore:
    uv = coordinates_of(file, "in_offset_uv", 2)
    sampler = replace(BILINEAR, wrap=(WrapMode.REPEAT, *BILINEAR.wrap[1:]))
    texture = texture_2d(file, "in_offset_tex", "RGBA8")
    with collect() as used:
        values = sample(texture, sampler, uv, lod=0.0, offset=(-8, 7, 0), rules=rules)
    return score_floats(file, name, values, used)


def _outside(file: VectorFile, name: str, _found: re.Match[str], rules: Rules) -> ArrayScore:
    texel = np.trunc(coordinates_of(file, "in_offset_uv", 2) * np.float32(8)).astype(np.int64)
    with collect() as used:
        values = fetch(texture_2d(file, "in_offset_tex", "RGBA8"), texel, rules=rules)
    return score_floats(file, name, values, used)


def _wrap(file: VectorFile, name: str, found: re.Match[str], rules: Rules) -> ArrayScore:
    texture = texture_2d(file, f"in_tex{found['width']}", "RGBA8")
    is_linear = found["filter"] == "LINEAR"
    sampler = Sampler(
        mag_filter=MagFilter.LINEAR if is_linear else MagFilter.NEAREST,
        wrap=(WRAPS[found["wrap"]], *BILINEAR.wrap[1:]),
        border=float_border(file.array("in_border")),
    )
    u = coordinates_of(file, f"in_u{found['width']}", 1)[0]
    with collect() as used:
        values = sample(texture, sampler, beside(u, 0.5), lod=0.0, rules=rules)
    return score_floats(file, name, values, used)


def _border(file: VectorFile, name: str, found: re.Match[str], rules: Rules) -> ArrayScore:
    texture = texture_2d(file, f"in_bordertex_{found['format']}", found["format"])
    place = beside(coordinates_of(file, "in_border_u", 1)[0], 0.4)
    sampler = replace(BILINEAR, wrap=(WrapMode.CLAMP_TO_BORDER,) * 3)
    with collect() as used:
        values = [
            sample(texture, replace(sampler, border=float_border(colour)), place, lod=0.0, rules=rules)
            for colour in file.array("in_border_colors")
        ]
    shown = np.concatenate([as_opengl_reads(texture.fmt, v) for v in values], axis=1)
    return score_floats(file, name, shown, used, file.array(name).reshape(-1, 4))


def _integer_border(file: VectorFile, name: str, found: re.Match[str], _rules: Rules) -> ArrayScore:
    fmt = nvn_format(file, found["format"])
    measured = file.array(name)
    with collect() as used:
        border = integer_border(fmt, _INTEGER_BORDER)
    if measured.dtype != np.uint32 or measured.shape != (2, 4):
        raise InputFileError(f"{file.path}: array {name!r} is {measured.dtype} of shape {measured.shape}, not (2, 4)")
    return compare(name, border, measured[0], used)


def _mip(file: VectorFile, name: str, found: re.Match[str], rules: Rules) -> ArrayScore:
    of = found["format"]
    texture = texture_2d(file, levels_named(file, f"in_mip_{of}_"), of)
    place = coordinates_of(file, f"in_mip_uvl_{of}", 3)
    sampler = replace(TRILINEAR, wrap=(WrapMode.REPEAT, *BILINEAR.wrap[1:]))
    with collect() as used:
        values = sample(texture, sampler, place[:2], lod=place[2], rules=rules)
    return score_floats(file, name, as_opengl_reads(texture.fmt, values), used)


def _mip_volume(file: VectorFile, name: str, found: re.Match[str], rules: Rules) -> ArrayScore:
    fmt = nvn_format(file, found["format"])
    levels = [stored_texels(file, array, fmt, 3) for array in levels_named(file, f"in_vol_{found['format']}_")]
    texture = SampledTexture(fmt, TextureTarget.TARGET_3D, tuple(levels))
    place = coordinates_of(file, f"in_vol_uvwl_{found['format']}", 4)
    with collect() as used:
        values = sample(texture, TRILINEAR, place[:3], lod=place[3], rules=rules)
    return score_floats(file, name, values, used)


def _blocks(file: VectorFile, name: str, found: re.Match[str], rules: Rules) -> ArrayScore:
    fmt = block_format(file, found["format"])
    with collect() as used:
        codes = decode_image_codes(fmt, file.array(f"in_bc_{found['format']}"), 16, 16, rules)
        texture = SampledTexture(fmt, TARGET_2D, (codes[np.newaxis],))
        if found["what"] == "bcfetch":
            rows, columns = np.divmod(np.arange(256), 16)
            values = fetch(texture, np.stack([columns, rows]), rules=rules)
        else:
            place = coordinates_of(file, f"in_bc_uv_{found['format']}", 2)
            values = sample(texture, BILINEAR, place, lod=0.0, rules=rules)
    return score_floats(file, name, values, used, file.array(name).reshape(-1, 4))


def _two_levels(file: VectorFile, name: str, found: re.Match[str], rules: Rules) -> ArrayScore:
    """Score arrays whose layers have a first level of four equal texels and a second of one."""
    fmt = nvn_format(file, found["format"])
    first, second = (
        stored_texels(file, f"in_l{level}_{found['format']}", fmt, 1).reshape(-1, 1, 1, fmt.bytes_per_block)
        for level in (0, 1)
    )
    texture = SampledTexture(fmt, TextureTarget.TARGET_2D_ARRAY, (np.tile(first, (1, 2, 2, 1)), second))
    count = len(first)
    place = np.stack([np.full(count, {"c": 0.25, "m": 0.5}[found["place"]]), np.arange(count)])[[0, 0, 1]]
    lod = file.array(f"in_frac_{found['format']}").astype(np.float32) / np.float32(256)
    with collect() as used:
        values = sample(texture, TRILINEAR, place.astype(np.float32), lod=lod, rules=rules)
    return score_floats(file, name, values, used)


_WIDTH, _FORMAT = r"(?P<width>\d+)", r"(?P<format>\w+)"
_FILTER: dict[str, Scorer] = {
    f"out_(?P<what>curve|nearest){_WIDTH}": _curve,
    f"out_(?P<what>bilinear)_{_FORMAT}": _bilinear,
    "out_3d": _volume,
    "out_array": _array,
    "out_rect": _rectangle,
    "out_offset": _offset,
    "out_fetch_oob": _outside,
}
_WRAP: dict[str, Scorer] = {
    rf"out_w{_WIDTH}_(?P<wrap>\w+)_(?P<filter>NEAREST|LINEAR)": _wrap,
    f"out_border_{_FORMAT}": _border,
    f"out_iborder_{_FORMAT}": _integer_border,
}
_COORDINATES: dict[str, Scorer] = {
    f"out_(?P<what>linear|nearest){_WIDTH}": _curve,
    rf"out_wide{_WIDTH}_(?P<wrap>\w+)": _wide,
    "out_cube_(?P<filter>linear|nearest)": numbered_cube,
}
_MIPS: dict[str, Scorer] = {
    f"out_mip_{_FORMAT}": _mip,
    f"out_vol_{_FORMAT}": _mip_volume,
    f"out_(?P<what>special)_{_FORMAT}": _bilinear,
    f"out_(?P<what>bcfetch|bc)_{_FORMAT}": _blocks,
}
_SUMS: dict[str, Scorer] = {f"out_(?P<place>[cm])_{_FORMAT}": _two_levels}


SCHEMAS: tuple[Schema, ...] = (
    schema("texfilter", _FILTER, "in_curve*", "out_bilinear_*"),
    schema("texwrap", _WRAP, "in_bordertex_*", "out_w*"),
    schema("tx2_coord", _COORDINATES, "in_wide*"),
    schema("tx2_filter", _MIPS, "in_mip_*"),
    schema("tx2_mipsum", _SUMS, "in_l0_*"),
)
