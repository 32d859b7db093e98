"""Every example that a ``--help`` text shows runs as it stands."""

import contextlib
import json
import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path

import click
import numpy as np
import pytest

from refnvn.cli.main import COMMANDS, cli
from refnvn.conformance.alu_shaders import SHADERS
from refnvn.shader.ir import to_json
from tests.cli.harness import RGBA8_64, noise, refnvn

DATA = Path(__file__).parents[1] / "data"
RGBA8_128 = ("--format", "RGBA8", "--size", "128x128")
ANSWERS_NO = {("refnvn", "diff", "rows.npy"), ("refnvn", "diagnose", "clear_tex/mask")}
"""Examples that compare files which differ: exit 1."""
OF_ALL_GOLDENS = (["golden", "check", "--jobs"], ["golden", "build", "-o"])
"""Examples that take the whole catalogue; here a part of it does, and the whole is built elsewhere."""


def help_texts(command: click.Command) -> Iterator[str]:
    """Give the help of a command and of all below it."""
    yield command.help or ""
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            assert below is not None
            yield from help_texts(below)


def examples() -> list[str]:
    """Return every line of a help text that calls ``refnvn``, remarks behind three spaces cut off."""
    lines = [line.strip() for text in help_texts(cli) for line in text.splitlines()]
    return list(dict.fromkeys(line.split("   ")[0] for line in lines if line.startswith("refnvn ")))


def run(*arguments: object) -> None:
    """Run a command that must succeed."""
    outcome = refnvn(*arguments)
    assert outcome.code == 0, outcome


@pytest.fixture(scope="module")
def full_desk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the files that examples read, but for those of one size only."""
    folder = tmp_path_factory.mktemp("desk")
    with contextlib.chdir(folder):
        Path("tests").mkdir()
        Path("tests/data").symlink_to(DATA)
        Path("rgba8.bin").write_bytes(noise(4 * (64 * 64 + 32 * 32 + 16 * 16)).tobytes())
        run("tile", "rgba8.bin", *RGBA8_64, "--levels", "3", "-o", "tiled.bin")
        for name in ("picture.ktx2", "picture.dds"):
            run("detile", "tiled.bin", *RGBA8_64, "--levels", "3", "-o", name)
        header = Path("picture.dds").read_bytes()[:148]
        Path("texture.dds").write_bytes(header + Path("tiled.bin").read_bytes())
        Path("zb_17.bin").write_bytes(noise(16 * 8 * 16).tobytes())
        Path("F120_p7_vb0_1a2b3c000.bin").write_bytes(bytes(3 * 32))
        run("golden", "build", "tex_layout/bc3_160x160", "sparse_layout/slab_3d", "-o", "out")
        shutil.copytree("out/sparse_layout/slab_3d", "readbacks")
        run("golden", "export", "tex_layout/bc3_160x160", "--to", "npz", "-o", "bc3.npz")
        run("run", "clear_tex/mask", "-o", "mask", "--trace", "mask.zip")
        shutil.copy("mask.zip", "triangle.zip")
        run("run", "clear_tex/mask", "-o", "wrong", "--fault", "clear-tex-partial/mask")
        run("run", "clear_ds/in_pass", "-o", "frame", "--trace", "frame.zip")
        lay_out_dumps(Path("dumps"))
        Path("targets").mkdir()
        Path("targets/end_1700.raw").write_bytes(np.load("frame/target.npy").tobytes())
        Path("fragment.json").write_bytes(to_json(SHADERS["sqrt(A.x)"]))
    return folder


def lay_out_dumps(folder: Path) -> None:
    """Write what lies in the first texture of ``frame.zip`` at its end, as a dump after its last command."""
    last = len(refnvn("bisect", "frame.zip", "--list").out.splitlines())
    folder.mkdir()
    shutil.copy("frame/target.npy", folder / "end.npy")
    entry = {"file": "end.npy", "after": last, "texture": 0}
    (folder / "readbacks.json").write_text(json.dumps({"refnvn_readbacks": 1, "readbacks": [entry]}))


@pytest.fixture
def desk(full_desk: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a copy of that folder, now the current one."""
    copy = tmp_path / "desk"
    shutil.copytree(full_desk, copy, symlinks=True)
    monkeypatch.chdir(copy)
    return copy


def lay_out(example: str) -> None:
    """Write the raw files of an example, whose size its own options say."""
    import numpy as np

    sizes_B = {"160x160": 40 * 40 * 16, "128x128": 128 * 128 * 4, "64x64": 64 * 64 * 4}
    size_B = next((size for text, size in sizes_B.items() if f"--size {text}" in example), 0)
    Path("rows.bin").write_bytes(noise(size_B).tobytes())
    np.save("rows.npy", noise(size_B))
    if "--format RGBA_DXT5" in example:
        run("tile", "rows.bin", "--format", "RGBA_DXT5", "--size", "160x160", "-o", "dump.bin")
    elif size_B:
        Path("dump.bin").write_bytes(noise(size_B, seed=1).tobytes())
    Path("readback.bin").write_bytes(np.load("out/tex_layout/bc3_160x160/storage.npy").tobytes())


def test_every_command_shows_examples() -> None:
    """Each subcommand is called in some example."""
    assert {shlex.split(line)[1] for line in examples()} == set(COMMANDS)


@pytest.mark.usefixtures("desk")
@pytest.mark.parametrize("example", examples())
def test_an_example_runs(example: str) -> None:
    """An example exits with 0, or with 1 where it compares files that differ, and complains of nothing."""
    lay_out(example)
    words = shlex.split(example)
    if words[1:3] == ["golden", "accept"]:
        words += ["--accepted", "accepted"]
    if words[1:4] in OF_ALL_GOLDENS:
        words += ["tex_layout"]
    if words[1:3] == ["conformance", "tests/data"]:
        words[2] = "tests/data/hardware_copies"  # every family has a test of its own
    outcome = refnvn(*words[1:])
    assert outcome.code == (1 if tuple(words[:3]) in ANSWERS_NO else 0), outcome
    assert outcome.err == ""
    assert outcome.out
