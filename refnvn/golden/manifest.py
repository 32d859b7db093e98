"""What does ``golden.json`` say? Its fields as types, and the one function that fills them from a golden.

Every field but the hashes of files follows from the golden itself, so a reader fills them anew and refuses a file
that says otherwise; a digest of all fields covers those that are merely told. The meaning of each field is in
``docs/golden-bundle.md``.

What it does not do: it reads and writes no file. Read next: ``bundle.py``.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any, Literal

import msgspec
import numpy as np
from numpy.typing import NDArray

from refnvn.golden.model import Choice, Golden, GoldenResult, Outcome, Reason, touched
from refnvn.rules.evidence import Evidence

VERSION = 1
"""The version of the bundle that this code writes, and the only one that it reads."""


class _Strict(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    pass


class FileEntry(_Strict):
    """Size and SHA-256 of one file of the bundle."""

    size_B: int
    sha256: str


class SettingEntry(_Strict):
    """One other setting of a choice."""

    setting: str
    reason: Literal["undefined", "imprecise"]
    because: str


class ChoiceEntry(_Strict):
    """One field that could be otherwise; its position + 1 is the number in ``NAME.field.npy``."""

    field: str
    scope: Literal["run", "texel"]
    default: str
    settings: tuple[SettingEntry, ...]


class RuleEntry(_Strict):
    """One rule that ran."""

    id: str
    says: str
    evidence: str
    exactness: str


class OutcomeEntry(_Strict):
    """One result under one other setting."""

    field: str
    setting: str
    file: str
    padding_file: str | None
    shape: tuple[int, ...]
    row_labels: tuple[str, ...]
    elements: int


class ImageEntry(_Strict):
    """What the bytes of an image are."""

    format: str
    width_px: int
    height_px: int
    depth_px: int
    layers: int
    levels: int
    samples: int
    dimensions: Literal["1d", "2d", "3d", "cube"]
    layout: Literal["linear", "guest"]
    row_order: Literal["top_down", "memory"]


class CountEntry(_Strict):
    """How many elements of the base carry each reason."""

    elements: int
    undefined: int
    imprecise: int
    any: int
    padding: int


class ResultEntry(_Strict):
    """One result and its files."""

    name: str
    kind: Literal["table", "bytes", "image"]
    file: str
    mask_file: str
    field_file: str
    preview_file: str | None
    dtype: str
    shape: tuple[int, ...]
    strides_B: tuple[int, ...]
    endianness: Literal["little"]
    axes: tuple[str, ...]
    columns: tuple[str, ...]
    row_labels: tuple[str, ...]
    image: ImageEntry | None
    exactness: str
    count: CountEntry
    alternatives: tuple[OutcomeEntry, ...]
    variants: tuple[OutcomeEntry, ...]


class Manifest(_Strict):
    """The whole of ``golden.json``."""

    refnvn_golden: int
    name: str
    t_test: str
    says: str
    ledger: tuple[str, ...]
    refnvn_version: str
    fields_reached: tuple[str, ...]
    choices: tuple[ChoiceEntry, ...]
    rules: tuple[RuleEntry, ...]
    weakest_evidence: str | None
    results: tuple[ResultEntry, ...]
    files: dict[str, FileEntry]
    sha256_of_this: str


def digest(manifest: Manifest) -> str:
    """Return the SHA-256 of ``golden.json`` without the field that holds it: its JSON with sorted keys and no spaces.

    It shows that a field was changed by mistake. Whoever means to can write another: nothing else vouches for it.
    """
    content = msgspec.to_builtins(manifest)
    del content["sha256_of_this"]
    text = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


def evidence_name(evidence: Evidence | None) -> str | None:
    """Return how a bundle writes a rank of evidence.

    >>> evidence_name(Evidence.NVIDIA_HARDWARE)
    'nvidia_hardware'
    """
    return None if evidence is None else evidence.name.lower()


def outcome_file(result: str, choice: Choice, setting: int) -> str:
    """Return the file of one result under one other setting."""
    return f"{result}.{choice.field}.{choice.setting_name(setting)}.npy"


def padding_file(result: str, choice: Choice, setting: int) -> str:
    """Return the file of the padding under one other setting, where that is not the base's."""
    return f"{result}.{choice.field}.{choice.setting_name(setting)}.padding.npy"


def needs_padding_file(result: GoldenResult, outcome: Outcome) -> bool:
    """Whether the padding of an outcome does not follow from the base's mask."""
    if outcome.array.shape != result.base.array.shape:
        return bool(outcome.padding.any())
    return not np.array_equal(outcome.padding, result.padding)


def describe(golden: Golden, files: Mapping[str, FileEntry]) -> Manifest:
    """Return what ``golden.json`` says about a golden whose files are these."""
    manifest = Manifest(
        refnvn_golden=VERSION,
        name=golden.name,
        t_test=golden.t_test,
        says=golden.says,
        ledger=golden.ledger,
        refnvn_version=golden.refnvn_version,
        fields_reached=golden.reached,
        choices=tuple(_choice(choice) for choice in golden.choices),
        rules=tuple(
            RuleEntry(id=r.id, says=r.says, evidence=r.evidence.name.lower(), exactness=r.exactness)
            for r in golden.rules
        ),
        weakest_evidence=evidence_name(golden.weakest),
        results=tuple(_result(golden, result, files) for result in golden.results),
        files=dict(sorted(files.items())),
        sha256_of_this="",
    )
    return msgspec.structs.replace(manifest, sha256_of_this=digest(manifest))


def _choice(choice: Choice) -> ChoiceEntry:
    settings = tuple(
        SettingEntry(
            setting=s.name,
            reason="undefined" if s.reason is Reason.UNDEFINED else "imprecise",
            because=s.because,
        )
        for s in choice.settings
    )
    return ChoiceEntry(field=choice.field, scope=choice.scope, default=choice.default, settings=settings)


def _result(golden: Golden, result: GoldenResult, files: Mapping[str, FileEntry]) -> ResultEntry:
    base, name = result.base, result.base.name
    image = base.image
    return ResultEntry(
        name=name,
        kind=base.kind,
        file=f"{name}.npy",
        mask_file=f"{name}.mask.npy",
        field_file=f"{name}.field.npy",
        preview_file=f"{name}.png" if f"{name}.png" in files else None,
        dtype=base.array.dtype.name,
        shape=base.array.shape,
        strides_B=base.array.strides,
        endianness="little",
        axes=base.axes,
        columns=base.columns,
        row_labels=base.row_labels,
        image=None if image is None else ImageEntry(**{f: getattr(image, f) for f in ImageEntry.__struct_fields__}),
        exactness=base.exactness,
        count=_count(result.mask),
        alternatives=tuple(_outcome(golden, result, outcome) for outcome in result.alternatives),
        variants=tuple(_outcome(golden, result, outcome) for outcome in result.variants),
    )


def _count(mask: NDArray[Any]) -> CountEntry:
    count = {r.name.lower(): int(np.count_nonzero(mask & np.uint16(r))) for r in Reason if r.name}
    return CountEntry(elements=mask.size, **count)


def _outcome(golden: Golden, result: GoldenResult, outcome: Outcome) -> OutcomeEntry:
    base, choice = result.base, golden.choices[outcome.choice]
    same_shape = outcome.array.shape == base.array.shape
    where = touched(base.array, result.padding, outcome.array, outcome.padding) if same_shape else outcome.array
    return OutcomeEntry(
        field=choice.field,
        setting=choice.setting_name(outcome.setting),
        file=outcome_file(base.name, choice, outcome.setting),
        padding_file=(
            padding_file(base.name, choice, outcome.setting) if needs_padding_file(result, outcome) else None
        ),
        shape=outcome.array.shape,
        row_labels=outcome.row_labels,
        elements=int(np.count_nonzero(where)) if same_shape else outcome.array.size,
    )
