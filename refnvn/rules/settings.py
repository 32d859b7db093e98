"""What are the settings of each field, in words: NVN's, those that NVN or a port may have, and the faults?

The words stand in the source of ``fields.py`` only. Read next: ``slack.py``.
"""

from __future__ import annotations

import ast
import functools
import inspect
from dataclasses import dataclass
from pathlib import Path

from refnvn.rules import fields
from refnvn.rules.fields import NVN, settings_of
from refnvn.rules.slack import SLACK
from refnvn.rules.worlds import WORLDS


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
