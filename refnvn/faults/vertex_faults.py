"""Faults of vertex input: formats that the host lacks, padding, signs, addresses and sizes of streams.

Each reads attributes in another format, or streams from other bytes, than the scene said.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import msgspec

from refnvn.commands import commands as c
from refnvn.commands.recording import POOL_SPACING_B, pool_base_B
from refnvn.commands.state import VertexAttribState
from refnvn.faults.fault import Fault, register
from refnvn.faults.rewrite import Pass, rewrite_commands
from refnvn.formats.table import Format, NumericClass, format_named, formats
from refnvn.rules.fields import AttributeNorm
from refnvn.trace.files import Trace

Commands = Iterable[c.AnyCommand]
Attribs = tuple[VertexAttribState, ...]
INTEGERS = (NumericClass.UINT, NumericClass.SINT)
SCALED = (NumericClass.UINT_TO_FLOAT, NumericClass.SINT_TO_FLOAT)
WORD_B = 4
SHADOWED_INTEGERS = 7
EMPTY_STREAM = 15
COMMON_ATTRIBS = 16


def _attribs(trace: Trace, change: Callable[[Attribs], Attribs]) -> Trace:
    """Return a trace whose attributes are bound as ``change`` says."""

    def rebound(command: c.AnyCommand, _: Pass) -> Commands:
        if not isinstance(command, c.BindVertexAttribState):
            return (command,)
        return (c.BindVertexAttribState(attribs=change(command.attribs)),)

    return rewrite_commands(trace, rebound)


def _formats(trace: Trace, other: Callable[[Format], str | None]) -> Trace:
    """Return a trace whose attributes have other formats; None leaves one as it is."""

    def changed(attribs: Attribs) -> Attribs:
        return tuple(
            msgspec.structs.replace(one, format=other(format_named(one.format)) or one.format) for one in attribs
        )

    return _attribs(trace, changed)


def _named(name: str) -> str | None:
    """Return a name if a format has it."""
    return name if name in formats() else None


def _stem(fmt: Format) -> str:
    """Return the letters and widths of a format's name."""
    return fmt.name.removesuffix("SN").removesuffix("UI").removesuffix("I").removesuffix("F")


def _integer_padding(fmt: Format) -> str | None:
    """Read short vectors of 32-bit floats as integers: their bits stay, the padding is the integer 1."""
    return f"{_stem(fmt)}UI" if fmt.numeric_class is NumericClass.FLOAT and fmt.components[0].bits == 32 else None


def _converted(fmt: Format) -> str | None:
    """Turn integers into floats."""
    if fmt.numeric_class not in INTEGERS:
        return None
    return _named(f"{_stem(fmt)}_{'UI2F' if fmt.numeric_class is NumericClass.UINT else 'I2F'}")


def _raw(fmt: Format) -> str | None:
    """Read halves and normalised codes as unsigned integers."""
    normalised = fmt.numeric_class in (NumericClass.UNORM, NumericClass.SNORM)
    half = fmt.numeric_class is NumericClass.FLOAT and fmt.components[0].bits == 16
    return _named(f"{_stem(fmt)}UI") if normalised or half else None


def _unsigned(fmt: Format) -> str | None:
    return _named(f"{_stem(fmt)}UI") if fmt.numeric_class is NumericClass.SINT else None


def _four_bytes(fmt: Format) -> str | None:
    """Read formats without a counterpart as four raw components."""
    return "RGBA8UI" if fmt.numeric_class in SCALED or fmt.name == "RGB10A2SN" else None


def _normalised(fmt: Format) -> str | None:
    """Divide integers that should only be converted by their largest."""
    if fmt.numeric_class not in SCALED:
        return None
    is_signed = fmt.numeric_class is NumericClass.SINT_TO_FLOAT
    return _named(fmt.name.removesuffix("_UI2F").removesuffix("_I2F") + ("SN" if is_signed else ""))


def _late_integers_empty(attribs: Attribs) -> Attribs:
    """Let integer attributes past the seventh read a stream that nothing is bound to."""
    found = []
    integers = 0
    for one in attribs:
        integers += format_named(one.format).numeric_class in INTEGERS
        late = integers > SHADOWED_INTEGERS and format_named(one.format).numeric_class in INTEGERS
        found.append(msgspec.structs.replace(one, stream=EMPTY_STREAM) if late else one)
    return tuple(found)


def _refuse_many(attribs: Attribs) -> Attribs:
    """Let attributes past the sixteenth be what another location had before."""
    return attribs[:COMMON_ATTRIBS] + attribs[:1] * max(0, len(attribs) - COMMON_ATTRIBS)


def _snapped(command: c.AnyCommand, _: Pass) -> Commands:
    """Start streams at multiples of four bytes."""
    if not isinstance(command, c.BindVertexBuffer):
        return (command,)
    return (msgspec.structs.replace(command, address=command.address // WORD_B * WORD_B),)


def _unbounded(command: c.AnyCommand, state: Pass) -> Commands:
    """Bind everything from a stream's first byte to the end of its pool."""
    if not isinstance(command, c.BindVertexBuffer):
        return (command,)
    pool = (command.address - pool_base_B(0)) // POOL_SPACING_B
    end = pool_base_B(pool) + state.recording.pools[pool].size_B
    return (msgspec.structs.replace(command, size_B=end - command.address),)


register(
    Fault(
        id="float-pad",
        symptom="fullscreen draws are clipped away, blur darkens the scenery",
        rewrite=lambda trace: _formats(trace, _integer_padding),
    ),
    Fault(
        id="int-vertex-inputs",
        symptom="bone indices are garbage, skinned characters vanish or streak",
        rewrite=lambda trace: _formats(trace, _converted),
    ),
    Fault(
        id="vconv-format-sign/raw",
        symptom="texture coordinates collapse to one texel, characters are flat",
        rewrite=lambda trace: _formats(trace, _raw),
    ),
    Fault(
        id="vconv-format-sign/zero-extended",
        symptom="terrain vertices lie far outside the view",
        rewrite=lambda trace: _formats(trace, _unsigned),
    ),
    Fault(
        id="vertex-formats",
        symptom="normals and colours are skewed, shading is blotchy",
        rewrite=lambda trace: _formats(trace, _four_bytes),
    ),
    Fault(
        id="s4-sw-vconv",
        symptom="converted on the processor, meshes of integer positions shrink into one point",
        rewrite=lambda trace: _formats(trace, _normalised),
    ),
    Fault(
        id="vin-shadow",
        symptom="late integer attributes read 0",
        rewrite=lambda trace: _attribs(trace, _late_integers_empty),
    ),
    Fault(
        id="vin-pull/fast-division",
        symptom="last bits of positions differ, so an EQUAL pass loses scattered pixels",
        rules=lambda rules: rules.with_(attribute_norm=AttributeNorm.MULTIPLIED),
    ),
    Fault(
        id="attribs-32",
        symptom="a draw keeps the previous vertex layout: the scene is wrong or missing",
        rewrite=lambda trace: _attribs(trace, _refuse_many),
    ),
    Fault(
        id="vb-unaligned",
        symptom="positions are garbage, white sheets cover the screen",
        rewrite=lambda trace: rewrite_commands(trace, _snapped),
    ),
    Fault(
        id="vb-bound-size",
        symptom="a second triangle blends its effect twice, translucent wedges follow the camera",
        rewrite=lambda trace: rewrite_commands(trace, _unbounded),
    ),
)
