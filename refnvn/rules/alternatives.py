"""An alternative: one other setting of one field, who may ask for it, and why."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from refnvn.rules.fields import NVN, Rules, Scope


@dataclass(frozen=True, slots=True)
class Alternative:
    """One other setting of one field of :class:`~refnvn.rules.fields.Rules`.

    Attributes
    ----------
    setting : IntEnum
        The other setting.
    field : str
        The field that would hold it.
    because : str
        Why it is allowed, in a sentence.
    scope : Scope
        Whether one result may mix this setting with the default.
    probes : tuple of IntEnum
        Where each place of memory may choose for itself: settings that mix choices. They are run in place of
        ``setting``, and an element that any of them takes out of what the field's other settings give may be
        anything.
    """

    field: str
    setting: IntEnum
    because: str
    scope: Scope = Scope.RUN
    probes: tuple[IntEnum, ...] = ()

    def of(self, rules: Rules = NVN) -> Rules:
        """Return ``rules`` with this alternative taken."""
        return rules.with_(**{self.field: self.setting})
