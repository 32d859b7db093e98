"""What do the worlds of a feedback golden cost: everything that reads without a barrier may see?

Usage::

    python benchmarks/worlds.py [--repetitions 5] [--json FILE]

Builds one golden of 64x64 pixels in which a draw samples what two draws before it rendered, without a barrier: by
NVN's rules alone, and with all worlds. Both are built in turn, so that the difference is what worlds add. A third
golden has the barrier: its worlds are never reached, and what they add there is what asking costs.
Read next: ``README.md`` for what the columns mean.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import measure

from goldens.feedback import SEEN, combined, orange, red_target, violet
from goldens.sampling import Sampling
from refnvn.golden.build import build
from refnvn.golden.case import GoldenCase
from refnvn.golden.scene import SceneFunction
from refnvn.nvn.device import Device
from refnvn.rules.worlds import WORLDS

SIZE_PX = 64
GOAL_S = 1.0


def case_of(name: str, has_barrier: bool) -> GoldenCase:
    """Return the case with a barrier before the draw that samples, or without."""

    def scene(device: Device) -> None:
        draws = Sampling(device)
        target = red_target(draws, size_px=SIZE_PX)
        draws.bind(0, target)
        draws.draw(violet)
        draws.draw(orange)
        if has_barrier:
            draws.commands.barrier(SEEN)
        draws.draw(combined)
        draws.submit()
        target.read_texels("target")

    function = SceneFunction(scene, name)
    function.recorded()
    return GoldenCase(name=f"worlds/{name}", t_test="t_feedback", says="A benchmark.", function=function)


def figures(name: str, has_barrier: bool, repetitions: int) -> dict[str, Any]:
    """Return the figures of one case."""
    case = case_of(name, has_barrier)
    works: dict[str, Callable[[], object]] = {
        "without": lambda: build(case, worlds=(), slack=()),
        "with": lambda: build(case, worlds=WORLDS, slack=()),
    }
    found = measure.medians(works, repetitions)
    return {
        "case": name,
        "without_s": found["without"],
        "with_s": found["with"],
        "added_s": found["with"] - found["without"],
        "times": found["with"] / found["without"],
    }


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repetitions", type=int, default=5)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    found = []
    columns = f"{'without':>9} {'with':>9} {'added':>9} {'times':>6}"
    print(f"{'golden of 64x64':20} {columns}   goal: adds less than {GOAL_S} s")
    for name, has_barrier in (("no_barrier", False), ("barrier", True)):
        row = figures(name, has_barrier, options.repetitions)
        found.append(row)
        seconds = " ".join(f"{row[key]:8.3f}s" for key in ("without_s", "with_s", "added_s"))
        print(f"{name:20} {seconds} {row['times']:6.1f}")
    if options.json:
        options.json.write_text(json.dumps({"versions": measure.versions(), "cases": found}, indent=2) + "\n")


if __name__ == "__main__":
    main()
