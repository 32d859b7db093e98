"""Faults that are a setting of the rules which neither NVN nor a faithful port may have: those of layout, and more.

Each is named ``field=setting``. What somebody sees of it, and its rows of the ledger, are given here where the rules
that read the field serve more rows than that one; otherwise the setting's own words and those rules' rows are.

Read next: ``refnvn/rules/settings.py``.
"""

from __future__ import annotations

from collections.abc import Collection

from refnvn.errors import FieldRangeError
from refnvn.faults.fault import Fault
from refnvn.rules.fields import FIELDS, Rules, settings_of
from refnvn.rules.registry import load_all
from refnvn.rules.settings import Setting, settings

_SEEN: dict[str, tuple[str, tuple[str, ...]]] = {
    "auto_block_height=round_up": ("digits are torn, backgrounds stepped", ("auto-block-height",)),
    "auto_block_height=rows_over_8": ("digits are torn, backgrounds stepped", ("auto-block-height",)),
    "auto_block_depth=thirty_two": ("slices of deep volumes are shuffled", ()),
    "astc_profile=hdr": ("blocks that should show the error colour show something else", ()),
    "cube_array_depth=cubes": (
        "cubes read each other's faces: what lies behind the array in the pool is shifted",
        ("cube-array-faces",),
    ),
    "sparse_height=automatic": (
        "rectangles of a sparse texture are shuffled into a patchwork, and lookups in the holes of a volume read 0",
        ("sparse-tile-height", "sparse-8gob-cap", "sparse-3d-tile"),
    ),
    "sparse_small=tile": (
        "the left half of a small sparse texture shows, with stray fragments, and is cut off below",
        ("sparse-small-auto",),
    ),
    "sparse_padding=never": ("zero blocks show as magenta patches from level 1 on", ("sparse-64k",)),
    "own_target_reads=blocks": (
        "hard-edged blocks of undefined content on a grid of 16 pixels",
        ("feedback-snapshot", "s4-sw-fbsnap"),
    ),
    "attribute_norm=multiplied": ("last bits of positions differ", ("vin-pull",)),
}


def setting_faults(fields_read: Collection[str]) -> list[Fault]:
    """Return a fault for each setting, of the fields that are read, that neither NVN nor a faithful port may have.

    >>> [one.id for one in setting_faults(["depth_clear", "cube_array_depth"])]
    ['cube_array_depth=cubes']
    """
    read = [field for field in FIELDS if field in fields_read]
    return [_fault(one) for field in read for one in settings(field) if one.role == "fault"]


def setting_fault(field: str, setting: str) -> Fault:
    """Return what a path does that has another setting, in lower case, of one field.

    Raises
    ------
    FieldRangeError
        For no such field, or no such setting.
    """
    name = f"{field}={setting}"
    if field not in FIELDS:
        raise FieldRangeError(f"{name}: the rules have no field {field}")
    found = [one for one in settings(field) if one.name.lower() == setting]
    if not found:
        allowed = ", ".join(one.name.lower() for one in settings(field))
        raise FieldRangeError(f"{name}: allowed are {allowed}")
    return _fault(found[0])


def _fault(one: Setting) -> Fault:
    set_ = settings_of(one.field)[one.name]

    def patched(rules: Rules) -> Rules:
        return rules.with_(**{one.field: set_})

    name = f"{one.field}={one.name.lower()}"
    symptom, rows = _SEEN.get(name, (f"{one.field} is otherwise: {_start(one.says)}", ()))
    return Fault(id=name, symptom=symptom, rules=patched, served=rows or _rows(one.field))


def _start(says: str) -> str:
    """Return a setting's words as the rest of a sentence."""
    return says[0].lower() + says[1:].removesuffix(".")


def _rows(field: str) -> tuple[str, ...]:
    """Return the rows of the ledger that the rules serve which read a field."""
    return tuple(dict.fromkeys(row for rule in load_all().values() if field in rule.fields for row in rule.ledger))
