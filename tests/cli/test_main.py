"""The command itself: finding subcommands, one-line errors, exit codes."""

import os
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import NoReturn

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
        pytest.param(("detile", "x.bin"), "where to write is not said", id="no-output"),
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
        pytest.param("folder.png", "folder.png: cannot be written: Is a directory", id="a-folder"),
        pytest.param("file.bin/out.png", "file.bin is no folder", id="below-a-file"),
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


def piped(*arguments: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run ``python -m refnvn`` with a standard output whose reader has gone away."""
    reading, writing = os.pipe()
    os.close(reading)
    try:
        return subprocess.run(
            [sys.executable, "-m", "refnvn", *arguments],
            stdout=writing, stderr=subprocess.PIPE, text=True, check=False, cwd=cwd,
        )  # fmt: skip
    finally:
        os.close(writing)


def raising(error: BaseException) -> object:
    """Return a stand-in for the command line that fails in one way."""

    def fail(*_: object, **__: object) -> NoReturn:
        raise error

    return fail


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        pytest.param(("formats",), 0, id="a-table"),
        pytest.param(("--help",), 0, id="help"),
        pytest.param(("formats", "--help"), 0, id="help-of-a-command"),
        pytest.param(("--version",), 0, id="version"),
        pytest.param(("diff", "one.bin", "one.bin"), 0, id="same"),
        pytest.param(("diff", "one.bin", "two.bin"), 1, id="different"),
        pytest.param(("layout", "--format", "RGBA8", "--size", "4x4", "--bytes", "513"), 1, id="none-of-that-size"),
        pytest.param(("layout", "--format", "RGBA8", "--size", "9x9", "--strict-evidence"), 3, id="weak-evidence"),
        pytest.param(("layout", "--format", "RGBA7", "--size", "9x9"), 2, id="bad-input"),
    ],
)
def test_a_closed_pipe_is_quiet_and_keeps_the_answer(tmp_path: Path, arguments: tuple[str, ...], code: int) -> None:
    """``| head -1`` is no error: the exit code is the answer's where it was known before it was printed, else 0."""
    (tmp_path / "one.bin").write_bytes(b"one")
    (tmp_path / "two.bin").write_bytes(b"two")
    done = piped(*arguments, cwd=tmp_path)
    assert done.returncode == code, done
    assert done.stderr.count("\n") == (1 if code == 2 else 0), done.stderr


def test_a_closed_standard_error_keeps_the_exit_code() -> None:
    """A complaint that nobody reads still ends with 2."""
    reading, writing = os.pipe()
    os.close(reading)
    command = [sys.executable, "-m", "refnvn", "layout", "--format", "RGBA7", "--size", "4x4"]
    assert subprocess.run(command, stderr=writing, stdout=writing, check=False).returncode == 2
    os.close(writing)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full to print to")
@pytest.mark.parametrize("arguments", [("formats",), ("layout", "--format", "R8", "--size", "4x4"), ("--help",)])
def test_a_full_standard_output_is_named(arguments: tuple[str, ...]) -> None:
    """What cannot be printed is one line that says where."""
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "refnvn", *arguments], stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert (done.returncode, done.stderr) == (2, "refnvn: standard output: No space left on device\n")


def test_no_standard_output_at_all_is_no_error() -> None:
    """A shell may close it: ``>&-``."""
    command = f"{sys.executable} -m refnvn layout --format R8 --size 4x4 >&-"
    done = subprocess.run(["sh", "-c", command], stderr=subprocess.PIPE, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    ("error", "words"),
    [
        pytest.param(MemoryError(), "not enough memory: the command asks for more than there is", id="of-python"),
        pytest.param(
            MemoryError("Unable to allocate 4.00 GiB"), "memory: Unable to allocate 4.00 GiB", id="of-numpy"
        ),
        pytest.param(OSError(11, "Resource temporarily unavailable"), "refnvn: Resource temporarily", id="no-name"),
    ],
)
def test_what_the_machine_refuses_is_one_line(
    monkeypatch: pytest.MonkeyPatch, error: BaseException, words: str
) -> None:
    """Wherever memory or another thing runs out, the answer is one line and exit 2."""
    monkeypatch.setattr(main_module.cli, "main", raising(error))
    assert words in complaint("layout")


@pytest.mark.skipif(sys.platform != "linux", reason="only here does the limit hold for every allocation")
def test_a_texture_that_does_not_fit_into_memory_is_one_line(tmp_path: Path) -> None:
    """64 KiB of rows at a stride of 256 KiB are a legal texture of 4 GiB."""
    (tmp_path / "rows.bin").write_bytes(bytes(65536))
    texture = "--format RGBA8 --size 1x16384 --linear --stride 262144 -o out.bin"
    done = subprocess.run(
        [sys.executable, "-m", "refnvn", "tile", "rows.bin", *texture.split()],
        capture_output=True, text=True, check=False, cwd=tmp_path,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (3 << 30, 3 << 30)),
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("refnvn: not enough memory: Unable to allocate 4.00 GiB")
    assert done.stderr.count("\n") == 1
    assert files_in(tmp_path) == {"rows.bin"}


def test_an_interrupt_that_python_drops_comes_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a destructor Python can only print and ignore it; here it ends the command, with one line."""

    class Dying:
        def __del__(self) -> None:
            raise KeyboardInterrupt

    def work(*_: object, **__: object) -> None:
        Dying()
        for _second in range(500):
            time.sleep(0.01)

    monkeypatch.setattr(main_module.cli, "main", work)
    outcome = refnvn("layout")
    assert (outcome.code, outcome.err) == (130, "refnvn: interrupted\n")


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_ctrl_c_ends_a_build_with_one_line(tmp_path: Path, jobs: str) -> None:
    """However often it is pressed: no traceback of this process or of its workers, and no half bundle."""
    process = subprocess.Popen(
        [sys.executable, "-m", "refnvn", "golden", "build", "-o", "out", "--jobs", jobs],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=tmp_path, start_new_session=True,
    )  # fmt: skip
    deadline = time.monotonic() + 30
    while not list(tmp_path.glob("out/*/*")) and time.monotonic() < deadline:
        time.sleep(0.02)
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err.strip()) == (130, "", "refnvn: interrupted")
    assert not [name for name in files_in(tmp_path) if ".part" in name]
