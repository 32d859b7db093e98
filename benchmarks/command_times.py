"""How long does a user wait for ``refnvn layout`` and ``refnvn texel``?

Usage::

    python benchmarks/command_times.py [--repetitions 15] [--json FILE]

Wall time of whole processes, beside that of an interpreter that does nothing: what is above it is refnvn's.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import measure

GOAL_S = 0.2
TEXTURE = ("--format", "RGBA_DXT5", "--size", "160x160", "--levels", "full")
COMMANDS = {
    "python -c pass": ("-c", "pass"),
    "refnvn --help": ("-m", "refnvn", "--help"),
    "refnvn layout": ("-m", "refnvn", "layout", *TEXTURE),
    "refnvn texel --at": ("-m", "refnvn", "texel", *TEXTURE, "--at", "16,0"),
    "refnvn texel --offset": ("-m", "refnvn", "texel", *TEXTURE, "--offset", "0x1000"),
}


def runner(arguments: tuple[str, ...]) -> Callable[[], object]:
    """Return a function that runs this interpreter with ``arguments`` and throws its output away."""
    return lambda: subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL)


def main() -> None:
    """Measure all commands in one run."""
    parser = argparse.ArgumentParser(description="Wall time of the commands that answer at once.")
    parser.add_argument("--repetitions", type=int, default=15, help="samples per median (default 15)")
    parser.add_argument("--json", type=Path, help="also write all figures to this file")
    options = parser.parse_args()
    found = measure.medians({name: runner(words) for name, words in COMMANDS.items()}, options.repetitions)
    nothing_s = found["python -c pass"]
    print(f"{'command':<24}{'ms':>6}{'above python':>14}   goal {GOAL_S * 1000:.0f} ms")
    for name, wall_s in found.items():
        print(f"{name:<24}{wall_s * 1000:>6.0f}{(wall_s - nothing_s) * 1000:>14.0f}")
    if options.json:
        content = {"repetitions": options.repetitions, "versions": measure.versions(), "seconds": found}
        options.json.write_text(json.dumps(content, indent=2) + "\n")


if __name__ == "__main__":
    main()
