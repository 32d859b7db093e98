"""The command itself: finding subcommands, one-line errors, exit codes."""

import subprocess
import sys
from pathlib import Path

import pytest

from refnvn.cli import main as main_module
from refnvn.cli.main import COMMANDS
from refnvn.version import VERSION
from tests.cli.harness import RGBA8_64, complaint, files_in, noise, refnvn


def in_a_process(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run ``python -m refnvn`` as a shell would."""
    return subprocess.run([sys.executable, "-m", "refnvn", *arguments], capture_output=True, text=True, check=False)


def test_help_lists_every_command() -> None:
    """``refnvn --help`` names each subcommand in a line and exits with 0."""
    outcome = refnvn("--help")
    assert outcome.code == 0
    assert all(f"\n  {name} " in outcome.out for name in COMMANDS)


def test_the_version_is_told() -> None:
    """``--version`` prints name and version."""
    assert refnvn("--version").out == f"refnvn {VERSION}\n"


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_with_an_example(name: str) -> None:
    """``--help`` of a subcommand exits with 0 and shows how to call it."""
    outcome = refnvn(name, "--help")
    assert (outcome.code, outcome.err) == (0, "")
    assert "Example" in outcome.out
    assert f"refnvn {name}" in outcome.out.split("Example")[1]


@pytest.mark.parametrize("name", [name for name in COMMANDS if name != "golden"])
def test_every_command_has_json(name: str) -> None:
    """Each subcommand can answer as JSON."""
    assert "--json" in refnvn(name, "--help").out


def test_an_unknown_command_is_told_with_what_there_is() -> None:
    """The error names the word and every command."""
    said = complaint("frobnicate")
    assert "no command 'frobnicate'" in said
    assert all(name in said for name in COMMANDS)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        pytest.param(("--frobnicate",), "No such option '--frobnicate'", id="unknown-option"),
        pytest.param(("layout", "--frobnicate"), "refnvn layout: No such option '--frobnicate'", id="of-a-command"),
        pytest.param(("layout", "--size"), "'--size' requires an argument", id="no-value"),
        pytest.param(("layout", "--target", "4d"), "'4d' is not one of '1d', '2d', '3d'", id="no-such-choice"),
        pytest.param(("layout", "--bytes", "many"), "'many' is not a valid integer", id="no-number"),
        pytest.param(("layout", "extra"), "unexpected extra argument (extra)", id="extra"),
        pytest.param(("detile",), "Missing argument 'FILE'", id="no-file"),
        pytest.param(("detile", "x.bin"), "Missing option '-o' / '--output'", id="no-output"),
        pytest.param(("layout", "--json=3"), "'--json' does not take a value", id="value-of-a-flag"),
    ],
)
def test_a_usage_error_is_one_line(arguments: tuple[str, ...], words: str) -> None:
    """Wrong usage exits with 2 and says in one line what was wrong and where to read on."""
    said = complaint(*arguments)
    assert words in said
    assert "--help` tells more" in said


def test_the_bare_command_shows_its_help() -> None:
    """``refnvn`` alone is no question: its help, on standard error, and exit 2."""
    outcome = refnvn()
    assert (outcome.code, outcome.out) == (2, "")
    assert "Usage: refnvn" in outcome.err


@pytest.mark.parametrize(
    ("output", "words"),
    [
        pytest.param("folder.png", "folder.png: Is a directory", id="a-folder"),
        pytest.param("file.bin/out.png", "file.bin: File exists", id="below-a-file"),
    ],
)
def test_an_output_that_cannot_be_written_is_one_line(tmp_path: Path, output: str, words: str) -> None:
    """The file system's refusal is told, and nothing half-written is left."""
    (tmp_path / "folder.png").mkdir()
    (tmp_path / "file.bin").write_bytes(noise(16384).tobytes())
    said = complaint("detile", tmp_path / "file.bin", *RGBA8_64, "-o", tmp_path / output)
    assert words in said
    assert files_in(tmp_path) == {"file.bin"}


def test_an_interrupt_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C ends with 130, as shells expect, and one line."""

    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(main_module.cli, "main", interrupted)
    outcome = refnvn("layout")
    assert (outcome.code, outcome.err) == (130, "refnvn: interrupted\n")


def test_python_dash_m_runs_the_same_command() -> None:
    """``python -m refnvn`` answers and exits as ``refnvn`` does: 0 for an answer, 1 for none, 2 for bad input."""
    texture = ("layout", "--format", "RGBA8", "--size", "64x64")
    assert in_a_process(*texture).stdout == refnvn(*texture).out
    assert in_a_process(*texture, "--bytes", "513").returncode == 1
    refused = in_a_process("layout", "--format", "RGBA7", "--size", "64x64")
    assert (refused.returncode, refused.stdout) == (2, "")
    assert refused.stderr.startswith("refnvn: format 'RGBA7' is not an NVN format; close to it: RGBA8")
    assert refused.stderr.count("\n") == 1


def test_a_closed_pipe_is_no_error() -> None:
    """``refnvn formats | head -1`` ends quietly."""
    program = f"{sys.executable} -m refnvn formats --json | head -c 1; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", program], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("{0\n", "")
