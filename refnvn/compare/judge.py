"""Is ACTUAL the same as a golden, permitted, or wrong?

Results are weighed in the golden's order, because a choice that allows one setting for the whole golden is narrowed
by each result for the next. A result may have the golden's shape or, where a choice changes the size, a variant's;
of the shapes that fit, the one with the fewest wrong elements is taken.

What it does not do: it converts nothing. ACTUAL is bytes as they lie in memory, little-endian, or an array of the
result's dtype and shape, or of floats or signed integers where those are the codes of its format. Read next:
``weigh.py``.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from refnvn.compare.fitting import what_fits
from refnvn.compare.places import View, index_of, result_verdict
from refnvn.compare.verdict import Contradiction, Verdict
from refnvn.compare.weigh import Status, Weighing, allowed_settings, weigh_base, weigh_variant
from refnvn.errors import ArgumentError, ShapeError, SizeError
from refnvn.formats.table import NumericClass, format_named
from refnvn.golden.model import Choice, Golden, GoldenResult, Outcome, bits
from refnvn.golden.result import Result

Actual = bytes | bytearray | memoryview | NDArray[Any]

_KINDS = {
    NumericClass.FLOAT: "f",
    NumericClass.DEPTH_FLOAT: "f",
    NumericClass.SNORM: "i",
    NumericClass.SINT: "i",
}
"""Kinds of numpy's numbers whose bits are the codes of a component."""

Place = tuple[str, tuple[int, ...] | None]
"""A result, and an index into it or None for all of it."""


def judge(
    golden: Golden,
    actual: Mapping[str, Actual],
    *,
    exact: bool = False,
    most_places: int = 16,
    required: Collection[str] = (),
) -> Verdict:
    """Compare results with a golden: the verdict of :func:`weighed`, which says what goes in and what is refused.

    The verdict's ``exit_code`` is 0 for same or permitted, and 1 for wrong or incomplete.
    """
    return weighed(golden, actual, exact=exact, most_places=most_places, required=required).verdict


@dataclass(frozen=True, slots=True)
class Weighed:
    """A verdict, and each result that was judged with the status of every element."""

    verdict: Verdict
    views: tuple[View, ...]


def weighed(
    golden: Golden,
    actual: Mapping[str, Actual],
    *,
    exact: bool = False,
    most_places: int = 16,
    required: Collection[str] = (),
) -> Weighed:
    """Compare results with a golden, element by element.

    Parameters
    ----------
    golden : Golden
        From :func:`refnvn.golden.build.build` or :func:`refnvn.golden.bundle.read_bundle`.
    actual : dict of result name to bytes or ndarray
        Raw bytes (or uint8 on one axis) are read by the result's dtype and shape. Results that are not given are
        listed in the verdict and not judged.
    exact : bool
        Refuse what only slack permits; worlds and padding still count.
    most_places : int
        How many wrong places to list for each result.
    required : collection of str
        Results that have to be given: one that is not fails the comparison.

    Returns
    -------
    Weighed
        The verdict and what it was made from.

    Raises
    ------
    ArgumentError
        For no result, or a name that the golden does not have.
    SizeError, ShapeError
        For a number of bytes, a dtype or a shape that neither the golden nor a variant of it has.
    """
    if not actual:
        raise ArgumentError(f"golden {golden.name}: nothing to compare; it has {_names(golden)}")
    for name in (*actual, *required):
        golden.result(name)
    judgement = _Judgement(golden, exact)
    left_out = [r.base.name for r in golden.results if r.base.name not in actual]
    views = tuple(judgement.result(r, actual[r.base.name]) for r in golden.results if r.base.name in actual)
    verdict = Verdict(
        golden=golden.name,
        exact=exact,
        results=tuple(result_verdict(view, most_places) for view in views),
        not_judged=tuple(name for name in left_out if name not in required),
        missing=tuple(name for name in left_out if name in required),
        chosen=judgement.chosen(),
        contradictions=tuple(judgement.contradictions),
        weakest_evidence=None if golden.weakest is None else golden.weakest.title,
    )
    return Weighed(verdict, views)


def compare_raw(
    expected: NDArray[Any], actual: NDArray[Any], *, name: str = "file", most_places: int = 16
) -> Verdict:
    """Compare two arrays that no golden speaks about; see :func:`weighed_raw`."""
    return weighed_raw(expected, actual, name=name, most_places=most_places).verdict


def weighed_raw(
    expected: NDArray[Any], actual: NDArray[Any], *, name: str = "file", most_places: int = 16
) -> Weighed:
    """Compare two arrays that no golden speaks about, element by element: every one must have the same bits.

    Raises
    ------
    ShapeError
        Where dtype or shape differ.
    """
    if _little(expected.dtype) != _little(actual.dtype) or expected.shape != actual.shape:
        raise ShapeError(
            f"{name}: {actual.dtype.name} {actual.shape} given, {expected.dtype.name} {expected.shape} expected"
        )
    expected, actual = (np.atleast_1d(a).astype(_little(a.dtype)) for a in (expected, actual))
    same = (bits(expected) == bits(actual)).reshape(-1)
    status = np.where(same, Status.SAME, Status.WRONG).astype(np.uint8)
    view = View(name, expected, actual, Weighing(status, []), None, (), ())
    verdict = Verdict(golden="", exact=True, results=(result_verdict(view, most_places),), chosen={})
    return Weighed(verdict, (view,))


def _names(golden: Golden) -> str:
    return ", ".join(r.base.name for r in golden.results)


def _little(dtype: np.dtype[Any]) -> np.dtype[Any]:
    return dtype.newbyteorder("<")


class _Judgement:
    """One comparison under way: what each choice may still be, and who decided."""

    def __init__(self, golden: Golden, exact: bool) -> None:
        self.golden = golden
        self.allowed = allowed_settings(golden.choices, exact)
        self.possible = list(self.allowed)
        self.decided: dict[int, Place] = {}
        self.contradictions: list[Contradiction] = []

    def result(self, golden_result: GoldenResult, given: Actual) -> View:
        """Weigh one result each way that fits, keep the best, and let it narrow the choices."""
        base, choices = golden_result.base, self.golden.choices
        variants = [o for o in golden_result.variants if self.allowed[o.choice] >> o.setting & 1]
        weighings: list[tuple[Weighing, NDArray[Any], NDArray[Any]]] = []
        given = _as_codes(base, given)
        for frame in _fitting(base, variants, given, choices):
            expected = base.array if frame is None else frame.array
            actual = _as_array(base, given, expected.shape)
            if frame is None:
                weighing = weigh_base(golden_result, actual, choices, self.allowed, self.possible)
            else:
                weighing = weigh_variant(golden_result, frame, actual, choices, self.possible)
            weighings.append((weighing, expected, actual))
        weighing, expected, actual = min(weighings, key=lambda w: (w[0].impossible is not None, w[0].wrong))
        self._note(base.name, expected.shape, weighing)
        return View(base.name, expected, actual, weighing, golden_result, choices, self.allowed)

    def _note(self, name: str, shape: tuple[int, ...], weighing: Weighing) -> None:
        """Narrow the choices by a weighed result, and say where it contradicts."""
        choices = self.golden.choices
        if weighing.impossible is not None:
            number, claimed = weighing.impossible
            chosen = _first_setting(self.possible[number])
            self._contradict(number, chosen, claimed, (name, None))
            return
        for number, left in enumerate(weighing.possible):
            if left != self.possible[number] and choices[number].scope == "run":
                position = weighing.deciders.get(number, -1)
                self.decided[number] = (name, index_of(position, shape) if position >= 0 else None)
        self.possible = weighing.possible
        for clash in weighing.clashes:
            if choices[clash.choice].scope == "run":
                self._contradict(clash.choice, clash.chosen, clash.claimed, (name, index_of(clash.position, shape)))

    def _contradict(self, number: int, chosen: int, claimed: int, here: Place) -> None:
        choice = self.golden.choices[number]
        there = self.decided.get(number, (here[0], None))
        self.contradictions.append(
            Contradiction(
                choice.field, choice.setting_name(chosen), choice.setting_name(claimed), *here, *there
            )
        )  # fmt: skip

    def chosen(self) -> dict[str, tuple[str, ...]]:
        """Return what each choice of one setting for the whole golden may still be."""
        return {
            choice.field: tuple(choice.setting_name(n) for n in range(32) if self.possible[number] >> n & 1)
            for number, choice in enumerate(self.golden.choices)
            if choice.scope == "run"
        }


def _first_setting(possible: int) -> int:
    return (possible & -possible).bit_length() - 1


def _is_raw(given: Actual) -> bool:
    return not isinstance(given, np.ndarray) or (given.dtype == np.uint8 and given.ndim == 1)


def _fitting(
    base: Result, variants: Sequence[Outcome], given: Actual, choices: Sequence[Choice]
) -> list[Outcome | None]:
    """Return the shapes that what was given fits: None for the base, then variants."""
    frames: list[Outcome | None] = [None, *variants]
    arrays = [base.array, *(v.array for v in variants)]
    names = ["", *(f"{choices[v.choice].field} = {choices[v.choice].setting_name(v.setting)}" for v in variants)]
    if _is_raw(given):
        size_B = given.nbytes if isinstance(given, np.ndarray | memoryview) else len(given)
        fitting = [frame for frame, array in zip(frames, arrays, strict=True) if array.nbytes == size_B]
        if not fitting:
            others = [f"{a.nbytes} with {n}" for a, n in zip(arrays[1:], names[1:], strict=True)]
            also = f", or {', or '.join(others)}" if others else ""
            fits = "" if base.image is None else what_fits(base.image, size_B)
            raise SizeError(
                f"result {base.name}: {size_B} bytes given, {base.array.nbytes} expected "
                f"({base.array.dtype.name} {base.array.shape}){also}{fits}"
            )
        return fitting
    assert isinstance(given, np.ndarray)
    if _little(given.dtype) == base.array.dtype:
        fitting = [frame for frame, array in zip(frames, arrays, strict=True) if array.shape == given.shape]
        if fitting:
            return fitting
    allowed = ", or ".join(f"{a.shape}{' with ' + n if n else ''}" for a, n in zip(arrays, names, strict=True))
    codes = "" if base.image is None else f", the stored codes of {base.image.format}"
    there = f"{given.dtype.name} {given.shape}"
    raise ShapeError(f"result {base.name}: {there} given, {base.array.dtype.name} {allowed} expected{codes}")


def _as_codes(base: Result, given: Actual) -> Actual:
    """Return an array of floats or signed integers as the codes of an image whose components are just these."""
    if base.image is None or _is_raw(given):
        return given
    assert isinstance(given, np.ndarray)
    kinds = _KINDS.get(format_named(base.image.format).numeric_class, "")
    if given.dtype.kind in kinds and given.dtype.itemsize == base.array.dtype.itemsize:
        given = np.ascontiguousarray(given, _little(given.dtype)).view(base.array.dtype)
    if given.shape != base.array.shape and _long_axes(given.shape) == _long_axes(base.array.shape):
        given = given.reshape(base.array.shape)
    return given


def _long_axes(shape: tuple[int, ...]) -> list[int]:
    return [size for size in shape if size > 1]


def _as_array(base: Result, given: Actual, shape: tuple[int, ...]) -> NDArray[Any]:
    """Return what was given as an array of the result's dtype and ``shape``."""
    if isinstance(given, np.ndarray) and not _is_raw(given):
        return np.ascontiguousarray(given, dtype=base.array.dtype).reshape(shape)
    raw = given.tobytes() if isinstance(given, np.ndarray | memoryview) else bytes(given)
    return np.frombuffer(raw, dtype=base.array.dtype).reshape(shape)
