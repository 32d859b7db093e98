"""What does blending leave in a colour target? From two sources, a constant and the stored codes to new codes.

Which arithmetic does it is decided by the target's format: codes for normalised targets, halves or float32 for float
targets, halves for sRGB. Integer targets do not blend. Channel masks come afterwards, and a logic operation takes
blending's place (``logic_op.py``).

Read next: ``blend_factors.py``, then ``blend_norm.py`` or ``blend_float.py``; ``advanced_blend.py``.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from refnvn.enumerations import BlendAdvancedMode, BlendAdvancedOverlap, BlendEquation, BlendFunc
from refnvn.errors import ShapeError
from refnvn.formats.floatbits import Float32, UInt32
from refnvn.formats.table import Format, NumericClass
from refnvn.raster.advanced_blend import Pair, advanced, as_factors
from refnvn.raster.blend_factors import Arithmetic, Factors, Operands, Values, factor, reads_source1
from refnvn.raster.blend_float import FloatArithmetic
from refnvn.raster.blend_float32 import Float32Arithmetic
from refnvn.raster.blend_kept import Equation, left_alone
from refnvn.raster.blend_norm import NormArithmetic
from refnvn.raster.blend_srgb import SrgbArithmetic
from refnvn.rules.evidence import Evidence
from refnvn.rules.fields import NVN, BlendPrecision, MissingSource1, Rules
from refnvn.rules.registry import rule


@dataclass(frozen=True, slots=True, kw_only=True)
class BlendTargetState:
    """How one target blends; the defaults replace what is stored.

    Attributes
    ----------
    source_color, destination_color, source_alpha, destination_alpha : BlendFunc
        Factors for the colours and for alpha.
    color_equation, alpha_equation : BlendEquation
    advanced_mode : BlendAdvancedMode
        Where it is not NONE it takes the place of factors and equations.
    advanced_overlap : BlendAdvancedOverlap
    advanced_premultiplied : bool
        Whether the source's colour was multiplied with its alpha.
    """

    source_color: BlendFunc = BlendFunc.ONE
    destination_color: BlendFunc = BlendFunc.ZERO
    source_alpha: BlendFunc = BlendFunc.ONE
    destination_alpha: BlendFunc = BlendFunc.ZERO
    color_equation: BlendEquation = BlendEquation.ADD
    alpha_equation: BlendEquation = BlendEquation.ADD
    advanced_mode: BlendAdvancedMode = BlendAdvancedMode.NONE
    advanced_overlap: BlendAdvancedOverlap = BlendAdvancedOverlap.UNCORRELATED
    advanced_premultiplied: bool = True

    @property
    def is_advanced(self) -> bool:
        """Whether an advanced mode is set."""
        return self.advanced_mode is not BlendAdvancedMode.NONE

    @property
    def color(self) -> Equation:
        """Equation and factors of the colours."""
        return Equation(self.color_equation, self.source_color, self.destination_color)

    @property
    def alpha(self) -> Equation:
        """Equation and factors of alpha."""
        return Equation(self.alpha_equation, self.source_alpha, self.destination_alpha)

    @property
    def uses_source1(self) -> bool:
        """Whether any factor is made of the second source."""
        factors = (self.source_color, self.destination_color, self.source_alpha, self.destination_alpha)
        return not self.is_advanced and any(map(reads_source1, factors))


@rule(
    "RASTER-BLEND-12",
    "Integer targets do not blend: the source is stored.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("hardware-pipeline-rules",),
)
def blends(fmt: Format) -> bool:
    """Say whether a target of this format blends.

    >>> from refnvn.formats.table import format_named
    >>> blends(format_named("RGBA8")), blends(format_named("RGBA8UI"))
    (True, False)
    """
    return not fmt.is_integer


@rule(
    "RASTER-BLEND-15",
    "Normalised targets blend in codes, sRGB and small float targets in halves, 32-bit float targets in float32.",
    evidence=Evidence.NVIDIA_HARDWARE,
    sources=("blend-vectors", "hardware-pixel-rules", "metal-specification"),
    fields=("blend_precision",),
)
def arithmetic_of(fmt: Format, rules: Rules) -> Arithmetic:
    """Return how a format counts while it blends; reads ``blend_precision``."""
    if rules.blend_precision is BlendPrecision.FLOAT32:
        return Float32Arithmetic(fmt, rules)
    if fmt.srgb:
        return SrgbArithmetic(fmt, rules)
    if fmt.numeric_class in (NumericClass.UNORM, NumericClass.SNORM):
        return NormArithmetic(fmt, rules)
    return FloatArithmetic(fmt, rules)


@rule(
    "RASTER-BLEND-13",
    "A second source that the shader does not write reads as 0 in all four channels.",
    evidence=Evidence.DRIVER_MADE,
    sources=("blend-probe", "seed-titles"),
    ledger=("src1-unwritten",),
    refuted_by="a console that draws with a SRC1 factor and a shader of one output, and shows another colour",
    fields=("missing_source1",),
)
def missing_source1(source: Float32, rules: Rules) -> Float32:
    """Return what stands in for the second source, shape (lanes, 4)."""
    if rules.missing_source1 is MissingSource1.SOURCE:
        return source
    found = np.zeros_like(source)
    if rules.missing_source1 is MissingSource1.OPAQUE:
        found[:, 3] = 1.0
    return found


def _by_equation(equation: Equation, operands: Operands, arithmetic: Arithmetic) -> Values:
    factors = Factors(
        factor(equation.source, operands, arithmetic), factor(equation.destination, operands, arithmetic)
    )
    return arithmetic.combine(equation.equation, operands, factors)


def _blended(state: BlendTargetState, operands: Operands, arithmetic: Arithmetic) -> Values:
    """Return all channels by their equations."""
    found = _by_equation(state.color, operands, arithmetic)
    if state.alpha == state.color:
        return found
    return np.concatenate([found[:, :3], _by_equation(state.alpha, operands, arithmetic)[:, 3:]], axis=1)


def _of_factors(colors: Pair, alphas: Pair) -> BlendTargetState:
    return BlendTargetState(
        source_color=colors[0], destination_color=colors[1], source_alpha=alphas[0], destination_alpha=alphas[1]
    )


def as_plain(state: BlendTargetState) -> BlendTargetState | None:
    """Return how a target blends by factors; None where its advanced mode is a program."""
    if not state.is_advanced:
        return state
    factors = as_factors(state.advanced_mode, state.advanced_overlap, state.advanced_premultiplied)
    return None if factors is None else _of_factors(*factors)


def _check(fmt: Format, source: Float32, codes: UInt32) -> None:
    if source.dtype != np.float32 or source.ndim != 2 or source.shape[1] != 4:
        raise ShapeError(f"a blend's source must be float32 of shape (lanes, 4), not {source.dtype} {source.shape}")
    if codes.dtype != np.uint32 or codes.shape != (len(source), len(fmt.components)):
        raise ShapeError(
            f"codes of a {fmt.nvn_name} target must be uint32 of shape ({len(source)}, {len(fmt.components)}), "
            f"not {codes.dtype} {codes.shape}"
        )


def blend(
    state: BlendTargetState,
    fmt: Format,
    source: Float32,
    source1: Float32 | None,
    constant: Float32,
    destination_codes: UInt32,
    rules: Rules = NVN,
    *,
    mask: int = 15,
) -> UInt32:
    """Blend shader outputs with stored codes.

    Parameters
    ----------
    state : BlendTargetState
    fmt : Format
        A format that :func:`blends`.
    source : float32, shape (lanes, 4)
    source1 : float32, shape (lanes, 4), or None
        None where the shader does not write it.
    constant : float32, shape (4,)
        The blend colour.
    destination_codes : uint32, shape (lanes, components)
        In the order of the format's components.
    rules : Rules
        Reads ``blend_precision``, ``missing_source1`` and what the conversions need.
    mask : int
        The channels that will be written (R, G, B, A in bits 0 to 3): it decides which pixels are left alone.

    Returns
    -------
    uint32, shape (lanes, components)

    Raises
    ------
    ShapeError
        For arrays of another shape or dtype.

    Examples
    --------
    >>> from refnvn.formats.table import format_named
    >>> over = BlendTargetState(source_color=BlendFunc.SRC_ALPHA, destination_color=BlendFunc.ONE_MINUS_SRC_ALPHA)
    >>> white = np.array([[1, 1, 1, 0.5]], np.float32)
    >>> blend(over, format_named("RGBA8"), white, None, np.zeros(4, np.float32), np.zeros((1, 4), np.uint32)).tolist()
    [[127, 127, 127, 127]]
    """
    _check(fmt, source, destination_codes)
    with np.errstate(all="ignore"):
        plain = as_plain(state)
        if plain is None:
            how = (state.advanced_mode, state.advanced_overlap, state.advanced_premultiplied)
            return advanced(*how, fmt, source, destination_codes, rules)
        state = plain
        arithmetic = arithmetic_of(fmt, rules)
        if state.uses_source1 and source1 is None:
            source1 = missing_source1(source, rules)
        first = arithmetic.source(source)
        operands = Operands(
            source=first,
            source1=first if source1 is None or not state.uses_source1 else arithmetic.source(source1),
            destination=arithmetic.destination(destination_codes),
            constant=np.broadcast_to(arithmetic.constant(constant.reshape(1, 4)), first.shape),
        )
        codes = arithmetic.codes(_blended(state, operands, arithmetic))
        if rules.blend_precision is BlendPrecision.FLOAT32:
            return codes
        kept = left_alone(state.color, state.alpha, fmt, mask, operands, arithmetic)
        return np.where(kept[:, np.newaxis], destination_codes, codes)
