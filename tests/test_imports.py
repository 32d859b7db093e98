"""Imports run one way, and starting a command loads no more than it needs."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "refnvn"

FLOORS: tuple[tuple[str, ...], ...] = (
    ("kernel", "files", "errors", "version", "enumerations"),
    ("rules",),
    ("containers",),
    ("layout",),
    ("formats",),
    ("memory",),
    ("texture",),
    ("shader",),
    ("raster",),
    ("commands",),
    ("replay",),
    ("trace",),
    ("nvn",),
    ("conformance",),
    ("dumps",),
    ("golden", "compare", "faults"),
    ("testing",),
    ("cli", "__main__"),
)
"""The rooms from the ground up: a room imports its own floor and those below."""

FLOOR = {room: floor for floor, rooms in enumerate(FLOORS) for room in rooms}
COMPILERS = {"numba", "llvmlite"}
PROGRAM_FACE = {"click", "tqdm"}
SOURCES = sorted(PACKAGE.rglob("*.py"))


def name_of(path: Path) -> str:
    """Return a source's name below the package: ``layout/gob.py``."""
    return path.relative_to(PACKAGE).as_posix()


def room_of(path: Path) -> str:
    """Return the room of a source: a folder, or a module of the ground floor."""
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imported(path: Path) -> set[str]:
    """Return the dotted names that a source imports, inside functions too."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {one.name for one in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are absolute"
            found |= {f"{node.module}.{one.name}" for one in node.names}
    return found


def loaded_by(statement: str, modules: set[str]) -> set[str]:
    """Return which of ``modules`` a fresh interpreter has loaded after a statement."""
    program = f"import sys\n{statement}\nprint(*sorted(set({sorted(modules)!r}) & set(sys.modules)), file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return set(done.stderr.split())


def test_every_room_has_a_floor() -> None:
    """A new room says where it stands."""
    assert {room_of(path) for path in SOURCES} - {"__init__"} <= set(FLOOR)


@pytest.mark.parametrize("path", SOURCES, ids=name_of)
def test_imports_run_downward(path: Path) -> None:
    """A room imports nothing of a floor above; rules find the other rooms by name only."""
    if path == PACKAGE / "__init__.py":
        assert imported(path) == {"refnvn.version"}
        return
    below = FLOOR[room_of(path)]
    for name in imported(path):
        root, _, rest = name.partition(".")
        if root == "refnvn" and rest:
            room = rest.split(".")[0]
            assert FLOOR[room] <= below, f"{name_of(path)} imports {name} from a floor above"


@pytest.mark.parametrize("path", SOURCES, ids=name_of)
def test_only_the_kernel_imports_the_compiler(path: Path) -> None:
    """The compiler, numba and llvmlite, is imported by kernel.py alone, and there inside functions."""
    if path.name == "kernel.py" and path.parent == PACKAGE:
        top = ast.Module(
            [n for n in ast.parse(path.read_text()).body if isinstance(n, ast.Import | ast.ImportFrom)], []
        )
        assert not any(word in ast.unparse(top) for word in COMPILERS)
        return
    assert not {name.split(".")[0] for name in imported(path)} & COMPILERS


@pytest.mark.parametrize("path", SOURCES, ids=name_of)
def test_only_commands_import_their_face(path: Path) -> None:
    """What talks to people, click and tqdm, is imported under cli alone."""
    if room_of(path) != "cli":
        assert not {name.split(".")[0] for name in imported(path)} & PROGRAM_FACE


@pytest.mark.parametrize(
    ("statement", "unwanted"),
    [
        pytest.param("import refnvn", {"numpy", "numba", "llvmlite", "click"}, id="package"),
        pytest.param("import refnvn.cli.main", {"numpy", "numba", "PIL", "tqdm"}, id="main"),
        pytest.param(
            "import refnvn.cli.layout_command, refnvn.cli.texel_command, refnvn.cli.formats_command",
            {"numpy", "numba", "PIL"},
            id="light-commands",
        ),
        pytest.param(
            "import refnvn.cli.detile_command, refnvn.cli.tile_command, refnvn.cli.decode_command\n"
            "import refnvn.cli.rules_command, refnvn.cli.conformance_command",
            {"numpy", "numba"},
            id="heavy-commands",
        ),
        pytest.param("import refnvn.layout.tiling, refnvn.formats.codec", {"numba", "llvmlite"}, id="engines"),
        pytest.param(
            "from refnvn.rules.registry import load_all; load_all()",
            {"numba", "llvmlite"},
            id="all-rules",
        ),
    ],
)
def test_imports_stay_light(statement: str, unwanted: set[str]) -> None:
    """What a statement does not need is not loaded."""
    assert loaded_by(statement, unwanted) == set()


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param(["--help"], id="help"),
        pytest.param(["layout", "--format", "RGBA8", "--size", "64x64"], id="layout"),
        pytest.param(["layout", "--format", "RGBA8", "--size", "64x64", "--sparse", "--json"], id="layout-json"),
        pytest.param(["texel", "--format", "RGBA8", "--size", "64x64", "--at", "3,4"], id="texel"),
        pytest.param(["formats"], id="formats"),
    ],
)
def test_quick_commands_run_without_numpy(arguments: list[str]) -> None:
    """Answers about numbers and tables need no arrays."""
    statement = (
        "from refnvn.cli.main import main\n"
        "try:\n"
        f"    main({arguments!r})\n"
        "except SystemExit as stop:\n"
        "    assert stop.code == 0"
    )
    assert loaded_by(statement, {"numpy", "numba", "PIL"}) == set()
