"""How well a rule is known: the ranks of evidence, strongest first.

Where two sources disagree, the stronger rank decides. A golden is as good as the weakest rule it rests on.
"""

from __future__ import annotations

from enum import IntEnum


class Evidence(IntEnum):
    """Rank of a rule's evidence; a smaller number is stronger."""

    SWITCH = 1
    NVN_DOCUMENTATION = 2
    NVIDIA_HARDWARE = 3
    SPECIFICATION = 4
    DRIVER_MADE = 5
    INFERRED = 6
    OPEN = 7

    @property
    def title(self) -> str:
        """What the rank means, in words for a table."""
        return _TITLES[self]


_TITLES = {
    Evidence.SWITCH: "Switch measurement or shipped game data",
    Evidence.NVN_DOCUMENTATION: "NVN or Tegra documentation",
    Evidence.NVIDIA_HARDWARE: "fixed-function vectors on NVIDIA hardware (Hopper)",
    Evidence.SPECIFICATION: "public specification",
    Evidence.DRIVER_MADE: "vectors that the driver made, not the chip",
    Evidence.INFERRED: "inferred",
    Evidence.OPEN: "open: a choice is recorded, nothing decides",
}
