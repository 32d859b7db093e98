"""What the rule tables say beside the registry: sources by title, and where the code is."""

from __future__ import annotations

import functools
import importlib
import inspect
import tomllib
from pathlib import Path
from typing import Any

import refnvn
from refnvn.rules import fields
from refnvn.rules.evidence import Evidence
from refnvn.rules.registry import Rule
from refnvn.rules.settings import Setting, settings

EVIDENCE_WORDS = {
    Evidence.SWITCH: "switch",
    Evidence.NVN_DOCUMENTATION: "documents",
    Evidence.NVIDIA_HARDWARE: "hardware",
    Evidence.SPECIFICATION: "specification",
    Evidence.DRIVER_MADE: "driver",
    Evidence.INFERRED: "inferred",
    Evidence.OPEN: "open",
}


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
