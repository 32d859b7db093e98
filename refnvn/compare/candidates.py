"""Which wrong things could a scene's replay do: every modelled fault, and every setting that nobody may have?

A candidate that the scene cannot reach is left out: its rewriting leaves the trace alone, the fields that it sets are
never read, and it touches neither memory nor readbacks.

Read next: ``diagnose.py``.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from refnvn.commands.recording import Recording
from refnvn.errors import ArgumentError, RefnvnError
from refnvn.faults.fault import Fault, all_faults, fault_named
from refnvn.faults.setting_faults import setting_fault, setting_faults
from refnvn.memory.memory import Memory
from refnvn.rules.fields import NVN, Rules
from refnvn.trace.files import Trace

Bytes = NDArray[np.uint8]
PLUS = " + "
UNCHANGED = Fault(id="none", symptom="nothing is wrong")


def reaches(fault: Fault, trace: Trace, fields_read: Collection[str]) -> bool:
    """Whether a fault could change anything in a scene.

    Parameters
    ----------
    fault : Fault
    trace : Trace
        Of the scene.
    fields_read : collection of str
        The fields of ``Rules`` that its replay reads.
    """
    changed = fault.rules(NVN)
    if any(getattr(changed, name) is not getattr(NVN, name) for name in fields_read):
        return True
    if fault.memory is not Memory or fault.readback is not UNCHANGED.readback:
        return True
    return fault.rewrite(trace) != trace


def candidates(trace: Trace, fields_read: Collection[str]) -> list[Fault]:
    """Return what could be wrong in a scene: modelled faults first, by id, then settings."""
    everything = [*all_faults().values(), *setting_faults(fields_read)]
    return [one for one in everything if reaches(one, trace, fields_read)]


def candidate_named(name: str) -> Fault:
    """Return a candidate by its id: a modelled fault, ``field=setting``, or two of them with `` + `` between.

    Raises
    ------
    FieldRangeError, ArgumentError
        For none of that name, or a pair that cannot be.
    """
    first, plus, second = name.partition(PLUS)
    if plus:
        pair = together(candidate_named(first), candidate_named(second))
        if pair is None:
            raise ArgumentError(f"{name}: both replace memory, which cannot be put into one another")
        return pair
    field, equals, setting = name.partition("=")
    if not equals:
        return fault_named(name)
    return setting_fault(field, setting)


def together(first: Fault, second: Fault) -> Fault | None:
    """Return a fault that is both; None where both replace memory, which cannot be put into one another."""
    memories = [one.memory for one in (first, second) if one.memory is not Memory]
    if len(memories) > 1:
        return None

    def rewritten(trace: Trace) -> Trace:
        return second.rewrite(first.rewrite(trace))

    def patched(rules: Rules) -> Rules:
        return second.rules(first.rules(rules))

    def crossed(recording: Recording, event: object, content: Bytes) -> Bytes:
        return second.readback(recording, event, first.readback(recording, event, content))  # type: ignore[arg-type]

    return Fault(
        id=f"{first.id}{PLUS}{second.id}",
        symptom=f"{first.symptom}; and {second.symptom}",
        rewrite=rewritten,
        rules=patched,
        memory=memories[0] if memories else Memory,
        readback=crossed,
        served=tuple(dict.fromkeys((*first.rows, *second.rows))),
    )


@dataclass(frozen=True, slots=True)
class Left:
    """What a replay with a fault left: bytes by result, or why it could not run."""

    results: dict[str, bytes]
    error: str = ""


def left_by(fault: Fault, trace: Trace, rules: Rules) -> Left:
    """Return what a trace leaves with a fault; a fault that makes a trace impossible says so."""
    try:
        found = fault.run(trace, rules)
    except RefnvnError as error:
        return Left({}, str(error))
    return Left({name: content.tobytes() for name, content in found.items()})
