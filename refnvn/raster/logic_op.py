"""What does a logic operation leave in a colour target? Bits of the source's code and of the stored one, combined.

The source becomes a code of the target first, by the rules of a plain store. An operation takes the place of
blending, on every target of the draw; targets that have none (float and sRGB) take the source as it is.

Read next: ``blend.py``; which draws have an operation is said in ``state.py``.
"""

from __future__ import annotations

import numpy as np

from refnvn.enumerations import LogicOp
from refnvn.formats.floatbits import UInt32
from refnvn.formats.table import Format, NumericClass
from refnvn.rules.evidence import Evidence
from refnvn.rules.registry import rule


@rule(
    "RASTER-LOGIC-1",
    "The sixteen operations are numbered as in OpenGL: bit 3 of the number is the result of 0 and 0, bit 2 of source "
    "0 and stored 1, bit 1 of source 1 and stored 0, bit 0 of 1 and 1.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("blend-vectors", "gl-blending"),
    ledger=("logic-op",),
)
def combined(op: LogicOp, source: UInt32, destination: UInt32) -> UInt32:
    """Combine 32 bits each.

    >>> hex(int(combined(LogicOp.AND_REVERSE, np.uint32(0b1100), np.uint32(0b1010))))
    '0x4'
    """
    both, source_only = source & destination, source & ~destination
    destination_only, neither = ~source & destination, ~(source | destination)
    found = np.zeros_like(source)
    for bit, part in enumerate((both, source_only, destination_only, neither)):
        if op >> bit & 1:
            found = found | part
    return found


@rule(
    "RASTER-LOGIC-2",
    "Logic operations act on unorm, snorm and integer targets; float and sRGB targets ignore them and store the "
    "source.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("blend-vectors", "hardware-pipeline-rules"),
    ledger=("logic-op",),
)
def acts_on(fmt: Format) -> bool:
    """Say whether a target of this format takes part in logic operations.

    >>> from refnvn.formats.table import format_named
    >>> [acts_on(format_named(name)) for name in ("RGBA8SN", "R32UI", "RGBA8_SRGB", "R16F")]
    [True, True, False, False]
    """
    classes = (NumericClass.UNORM, NumericClass.SNORM, NumericClass.UINT, NumericClass.SINT)
    return fmt.numeric_class in classes and not fmt.srgb


@rule(
    "RASTER-LOGIC-3",
    "The codes of all components are combined bit by bit, each in its own width.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("blend-vectors",),
    ledger=("logic-op",),
)
def logic_op(op: LogicOp, fmt: Format, source_codes: UInt32, destination_codes: UInt32) -> UInt32:
    """Combine the codes that a draw would store with those that are stored.

    Parameters
    ----------
    op : LogicOp
    fmt : Format
        Where :func:`acts_on` does not hold the source comes back.
    source_codes, destination_codes : uint32, shape (lanes, components)
        In the order of the format's components.

    Returns
    -------
    uint32, shape (lanes, components)

    Examples
    --------
    >>> from refnvn.formats.table import format_named
    >>> logic_op(LogicOp.INVERT, format_named("RGB565"), *np.zeros((2, 1, 3), np.uint32)).tolist()
    [[31, 63, 31]]
    """
    if not acts_on(fmt):
        return source_codes
    widths = np.array([(1 << c.bits) - 1 for c in fmt.components], dtype=np.uint32)
    return combined(op, source_codes, destination_codes) & widths
