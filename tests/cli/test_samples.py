"""Textures that refnvn did not make, in place when they are there.

They belong to other projects and are not kept here. ``REFNVN_SAMPLES`` names their folder; without it the folder
``../shared/samples`` beside the repository is looked at.
"""

from __future__ import annotations

import os
import struct
from pathlib import Path

import pytest
from click.testing import CliRunner

from refnvn.cli.main import cli
from refnvn.errors import InputFileError

SAMPLES = Path(os.environ.get("REFNVN_SAMPLES") or Path(__file__).parents[3] / "shared" / "samples")
pytestmark = pytest.mark.skipif(not SAMPLES.is_dir(), reason=f"no samples at {SAMPLES}")

TEXTURES = [
    ("128_bc1", "RGBA_DXT1", "128x128"),
    ("128_bc3", "RGBA_DXT5", "128x128"),
    ("128_rgba", "RGBA8", "128x128"),
    ("128_rgbaf32", "RGBA32F", "128x128"),
    ("16_16_16_rgba", "RGBA8", "16x16x16"),
    ("33_33_33_rgba", "RGBA8", "33x33x33"),
    ("64_bc7", "BPTC_UNORM", "64x64"),
]


def run(*arguments: str | Path) -> None:
    """Run a command that must succeed."""
    result = CliRunner().invoke(cli, [str(one) for one in arguments], catch_exceptions=False)
    assert result.exit_code == 0, result.output


@pytest.mark.parametrize(("name", "fmt", "size"), TEXTURES, ids=[name for name, _, _ in TEXTURES])
def test_sample_detiles_to_its_linear_file_and_tiles_back(name: str, fmt: str, size: str, tmp_path: Path) -> None:
    """Other people's tiled file becomes their linear file, byte for byte, and the other way round."""
    tiled, linear = SAMPLES / f"{name}_tiled.bin", SAMPLES / f"{name}.bin"
    run("detile", tiled, "--format", fmt, "--size", size, "-o", tmp_path / "linear.bin")
    run("tile", linear, "--format", fmt, "--size", size, "-o", tmp_path / "tiled.bin")
    assert (tmp_path / "linear.bin").read_bytes() == linear.read_bytes()
    assert (tmp_path / "tiled.bin").read_bytes() == tiled.read_bytes()


def test_switch_dds_detiles_to_the_linear_dds_beside_it(tmp_path: Path) -> None:
    """All nine levels of a BC1 picture; only the headers are written by different tools."""
    run("detile", SAMPLES / "bc1_256x256_mips_switch.dds", "-o", tmp_path / "linear.dds")
    expected = (SAMPLES / "bc1_256x256_mips.dds").read_bytes()[128:]
    written = (tmp_path / "linear.dds").read_bytes()
    assert written[148:] == expected
    assert struct.unpack_from("<I", written, 28)[0] == 9


def test_file_whose_size_does_not_fit_says_what_would(tmp_path: Path) -> None:
    """A dump longer than its layout is refused with the sizes that would fit, and nothing is written."""
    path = SAMPLES / "320_rgba_tiled.bin"
    arguments = ["detile", str(path), "--format", "RGBA8", "--size", "320x320", "-o", str(tmp_path / "out.bin")]
    with pytest.raises(InputFileError, match=r"500000 bytes; .* lays out in 491520; .*nearest"):
        CliRunner().invoke(cli, arguments, catch_exceptions=False)
    assert list(tmp_path.iterdir()) == []
