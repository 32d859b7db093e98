"""``refnvn shader``."""

import json
from pathlib import Path

import pytest

from refnvn.conformance.alu_shaders import SHADERS
from refnvn.shader.glsl import glsl
from refnvn.shader.ir import to_json
from tests.cli.harness import complaint, refnvn

QUOTIENT = SHADERS["A.x/B.x"]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Return a file with a shader."""
    path = tmp_path / "quotient.json"
    path.write_bytes(to_json(QUOTIENT))
    return path


def test_a_shader_is_described(file: Path) -> None:
    """Interface, size, operations, and the GLSL after them."""
    outcome = refnvn("shader", file)
    assert outcome.code == 0
    first = outcome.out.splitlines()[0]
    assert first.startswith("fragment shader quotient_x: supported, ")
    assert "operations: float.div" in outcome.out
    assert outcome.out.endswith(glsl(QUOTIENT))


def test_only_glsl(file: Path) -> None:
    """--glsl prints what a compiler takes, and nothing else."""
    assert refnvn("shader", file, "--glsl").out == glsl(QUOTIENT)


def test_json_says_all(file: Path) -> None:
    """One object with the interface, the rules and the GLSL."""
    said = refnvn("shader", file, "--json").json
    assert said["supported"] is True
    assert said["stage"] == "fragment"
    assert [one["location"] for one in said["inputs"]] == [0, 1]
    assert said["outputs"] == [{"location": 0, "components": 1, "type": "float", "name": ""}]
    assert said["operations"] == ["float.div"]
    assert {"SHADER-DIV-1", "SHADER-RCP-1"} <= set(said["rules"])
    assert said["glsl"] == glsl(QUOTIENT)
    assert said["statements"] == len(QUOTIENT.statements)


def test_what_is_no_shader_is_refused(file: Path) -> None:
    """One line names the file and the statement; Python is not run."""
    broken = json.loads(to_json(QUOTIENT))
    broken["statements"][0]["to"] = 99
    file.write_text(json.dumps(broken))
    assert "statements[0]: register 99; there are 2" in complaint("shader", file)
    file.write_text("import os\n")
    assert "is not a shader" in complaint("shader", file)
    assert "No such file" in complaint("shader", file.with_name("none.json"))


def test_a_compute_shader_says_what_it_reaches(tmp_path: Path) -> None:
    """Buffers, images, the workgroup; and the same as JSON."""
    shader = {
        "refnvn_shader": 1, "stage": "compute", "local_size": [8, 4, 1], "shared_B": 64, "registers": ["word"],
        "storage": [{"binding": 2, "name": "Counts"}], "images": [{"binding": 5, "format": "R32UI", "type": "uint"}],
        "statements": [{"do": "store_memory", "binding": 2, "of": 0}],
    }  # fmt: skip
    file = tmp_path / "compute.json"
    file.write_text(json.dumps(shader))
    told = refnvn("shader", file).out.splitlines()
    for line in (
        "  storage buffer 2: Counts",
        "  image 5: 2d of R32UI, uint",
        "  workgroup: 8 x 4 x 1, 64 bytes shared",
    ):
        assert line in told
    said = refnvn("shader", file, "--json").json
    assert (said["local_size"], said["shared_B"], said["storage"]) == ([8, 4, 1], 64, shader["storage"])


def test_textures_are_listed(tmp_path: Path) -> None:
    """Slots with dimension and type, those by handle, separate ones and samplers."""
    sample = {"do": "sample_texture", "to": [0, 1, 2, 3], "coordinates": [4, 5]}
    shader = {
        "refnvn_shader": 1, "stage": "fragment", "registers": ["word"] * 7, "outputs": [{"location": 0}],
        "textures": [{"binding": 3, "name": "albedo"}, {"dimension": "cube"}, {"binding": 0, "separate": True}],
        "samplers": [{"binding": 9, "name": "smooth"}],
        "statements": [
            {**sample, "texture": 0},
            {**sample, "texture": 1, "handle": 6, "coordinates": [4, 5, 6]},
            {**sample, "texture": 2, "sampler": 0},
            {"do": "store_output", "location": 0, "of": 0},
        ],
    }  # fmt: skip
    path = tmp_path / "sampling.json"
    path.write_text(json.dumps(shader))
    said = refnvn("shader", path).out
    for line in (
        "texture 3: 2d of float, albedo",
        "texture by handle: cube of float",
        "separate texture 0: 2d of float",
        "separate sampler 9 smooth",
    ):
        assert f"  {line}\n" in said
    assert [one["binding"] for one in refnvn("shader", path, "--json").json["textures"]] == [3, None, 0]
