"""What is a fault, and what does a scene leave when it is there?

A fault acts at one of four points: it sets rules otherwise (``rules``), rewrites what was recorded (``rewrite``),
replaces memory (``memory``), or changes what the processor reads back (``readback``). Only the first reaches kernels.

It does not look for faults in somebody's picture. Read next: ``clear_faults.py``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from refnvn.commands.recording import Readback, Recording
from refnvn.errors import FieldRangeError
from refnvn.memory.memory import Memory
from refnvn.replay.run import replay
from refnvn.rules.fields import NVN, Rules
from refnvn.trace.files import Trace

Bytes = NDArray[np.uint8]
Rewrite = Callable[[Trace], Trace]
Patch = Callable[[Rules], Rules]
Crossing = Callable[[Recording, Readback, Bytes], Bytes]


def _same_trace(trace: Trace) -> Trace:
    return trace


def _same_rules(rules: Rules) -> Rules:
    return rules


def _same_bytes(_: Recording, __: Readback, content: Bytes) -> Bytes:
    return content


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """One fault.

    Attributes
    ----------
    id : str
        The ledger row, and after a slash the variant where there are several.
    symptom : str
        What somebody sees, in a sentence.
    rewrite : callable
        From a trace to the trace that the faulty path executes.
    rules : callable
        From rules to the rules of the faulty path.
    memory : type
        The memory of the faulty path.
    readback : callable
        From what was read to what the processor gets.
    served : tuple of str, or None
        Rows of the ledger, where the id does not start with one, as that of a setting; None: the one of the id.
    """

    id: str
    symptom: str
    rewrite: Rewrite = _same_trace
    rules: Patch = _same_rules
    memory: type[Memory] = Memory
    readback: Crossing = _same_bytes
    served: tuple[str, ...] | None = None

    @property
    def row(self) -> str:
        """The ledger row that the id starts with."""
        return self.id.split("/")[0]

    @property
    def rows(self) -> tuple[str, ...]:
        """All rows of the ledger that it is a fault of."""
        return (self.row,) if self.served is None else self.served

    def run(self, trace: Trace, rules: Rules = NVN) -> dict[str, Bytes]:
        """Return what a trace leaves with this fault: every readback by name.

        Parameters
        ----------
        trace : Trace
            What NVN was told.
        rules : Rules
            The rules that the fault departs from.
        """
        changed = self.rewrite(trace)
        results = replay(changed.recording, changed.blobs, self.rules(rules), memory=self.memory)
        events = [e for e in trace.recording.timeline if isinstance(e, Readback)]
        return {event.name: self.readback(trace.recording, event, results[event.name]) for event in events}


_FAULTS: dict[str, Fault] = {}


def register(*faults: Fault) -> None:
    """Add faults to the list.

    Raises
    ------
    ValueError
        For an id that is taken.
    """
    for fault in faults:
        if fault.id in _FAULTS:
            raise ValueError(f"fault id {fault.id} is taken")
        _FAULTS[fault.id] = fault


def all_faults() -> dict[str, Fault]:
    """Return every modelled fault by id, sorted."""
    from refnvn.faults import (  # noqa: F401  they register themselves
        barrier_faults,
        blend_faults,
        boundary_faults,
        clear_faults,
        copy_faults,
        draw_faults,
        draw_texture_faults,
        feedback_faults,
        late_faults,
        memory_faults,
        mesh_faults,
        order_faults,
        present_faults,
        primitive_faults,
        query_faults,
        sample_faults,
        sampler_faults,
        stage_faults,
        store_faults,
        target_faults,
        texture_faults,
        upscaler_faults,
        vertex_faults,
    )

    return dict(sorted(_FAULTS.items()))


def fault_named(fault_id: str) -> Fault:
    """Return a fault by id.

    Raises
    ------
    FieldRangeError
        For no such fault, naming those of the same ledger row.
    """
    faults = all_faults()
    if fault_id not in faults:
        close = [one for one in faults if one.startswith(fault_id.split("/", maxsplit=1)[0])] or list(faults)
        raise FieldRangeError(f"fault {fault_id!r} is not modelled; there are: {', '.join(close)}")
    return faults[fault_id]
