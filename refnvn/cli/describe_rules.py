"""What the rule tables say beside the registry: sources by title, settings in words, where the code is."""

from __future__ import annotations

import ast
import functools
import importlib
import inspect
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import refnvn
from refnvn.rules import fields
from refnvn.rules.evidence import Evidence
from refnvn.rules.fields import NVN, settings_of
from refnvn.rules.registry import Rule
from refnvn.rules.slack import SLACK
from refnvn.rules.worlds import WORLDS

EVIDENCE_WORDS = {
    Evidence.SWITCH: "switch",
    Evidence.NVN_DOCUMENTATION: "documents",
    Evidence.NVIDIA_HARDWARE: "hardware",
    Evidence.SPECIFICATION: "specification",
    Evidence.DRIVER_MADE: "driver",
    Evidence.INFERRED: "inferred",
    Evidence.OPEN: "open",
}


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting of one field: its role (``nvn``, ``world``, ``slack`` or ``fault``) and why it is there."""

    field: str
    name: str
    role: str
    scope: str
    says: str
    because: str


def settings(field: str) -> list[Setting]:
    """Return all settings of a field, NVN's first.

    A setting that neither NVN nor a port may have is a fault: what ``diagnose`` looks for.
    """
    texts = _texts()[settings_of(field).__name__]
    reasons = {
        setting: (role, one.scope.name.lower(), one.because)
        for role, alternatives in (("world", WORLDS), ("slack", SLACK))
        for one in alternatives
        for setting in (one.setting, *one.probes)
        if one.field == field
    }
    found = []
    for setting in settings_of(field):
        role, scope, because = reasons.get(setting, ("fault", "", ""))
        if setting is getattr(NVN, field):
            role = "nvn"
        found.append(Setting(field, setting.name, role, scope, texts[setting.name], because))
    return found


def field_title(field: str) -> str:
    """Return what a field decides, in words.

    >>> field_title("zero_layers")
    'The storage of an array, or of a 3D texture, of no layers, which NVN accepts.'
    """
    return " ".join((inspect.getdoc(settings_of(field)) or "").split())


@functools.cache
def _texts() -> dict[str, dict[str, str]]:
    """Return the text under each setting, by enumeration and name: it stands in the source only."""
    tree = ast.parse(Path(fields.__file__).read_text(encoding="utf-8"))
    return {node.name: _texts_in(node) for node in tree.body if isinstance(node, ast.ClassDef)}


def _texts_in(enumeration: ast.ClassDef) -> dict[str, str]:
    texts = {}
    for statement, after in zip(enumeration.body, enumeration.body[1:], strict=False):
        if isinstance(statement, ast.Assign) and isinstance(after, ast.Expr):
            name = statement.targets[0]
            assert isinstance(name, ast.Name)
            texts[name.id] = " ".join(str(ast.literal_eval(after.value)).split())
    return texts


@functools.cache
def sources() -> dict[str, dict[str, str]]:
    """Return ``sources.toml``: title, place and file of each source by its key."""
    found: dict[str, dict[str, str]] = tomllib.loads(
        Path(fields.__file__).with_name("sources.toml").read_text(encoding="utf-8")
    )
    return found


def code_place(rule: Rule) -> str:
    """Return where a rule is written: ``refnvn/layout/gob.py:33 gob_offset_B``."""
    module_name, _, function_name = rule.code.rpartition(".")
    function = inspect.unwrap(getattr(importlib.import_module(module_name), function_name))
    file = Path(function.__code__.co_filename).relative_to(Path(refnvn.__file__).parents[1])
    return f"{file.as_posix()}:{function.__code__.co_firstlineno} {function_name}"


def faults_of(rule: Rule) -> list[Setting]:
    """Return the wrong settings of the fields that a rule reads."""
    return [one for field in rule.fields for one in settings(field) if one.role == "fault"]


def rule_dict(rule: Rule) -> dict[str, Any]:
    """Return a rule as plain texts and lists, ready for JSON."""
    return {
        "id": rule.id,
        "says": rule.says,
        "evidence": rule.evidence.name,
        "evidence_rank": int(rule.evidence),
        "exactness": rule.exactness,
        "sources": [{"key": key, **sources()[key]} for key in rule.sources],
        "ledger": list(rule.ledger),
        "refuted_by": rule.refuted_by,
        "fields": list(rule.fields),
        "code": code_place(rule),
    }


def setting_dict(setting: Setting) -> dict[str, str]:
    """Return a setting as plain texts, ready for JSON."""
    return {name: getattr(setting, name) for name in ("name", "role", "scope", "says", "because")}
