"""The catalogue: as accepted, as evidence has it, awake for its faults, and read by a C program."""

from __future__ import annotations

import dataclasses
import functools
import shutil
import subprocess
from enum import IntEnum
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from goldens.textures import numbered_blocks, texture
from refnvn.compare.judge import judge
from refnvn.errors import SizeError
from refnvn.golden.accepted import check_golden
from refnvn.golden.build import build
from refnvn.golden.case import case_named, catalogue
from refnvn.golden.export_c import c_header
from refnvn.golden.scene import SceneFunction
from refnvn.layout.description import PackagedLayout, TextureDescription
from refnvn.layout.texture import texture_layout
from refnvn.layout.tiling import linear_size_B, tile_texture, untile_texture
from refnvn.rules.fields import (
    NVN,
    AutoBlockDepth,
    AutoBlockHeight,
    CubeArrayDepth,
    SparseHeight,
    SparsePadding,
    SparseSmall,
)
from refnvn.rules.slack import METAL

CASES = catalogue()

FAULTS: list[tuple[str, str, IntEnum]] = [
    ("tex_layout/auto_block_height", "auto_block_height", AutoBlockHeight.ROUND_UP),
    ("tex_layout/auto_block_height", "auto_block_height", AutoBlockHeight.ROWS_OVER_8),
    ("tex_layout/measured_textures", "auto_block_height", AutoBlockHeight.ROUND_UP),
    ("tex_layout/measured_textures", "auto_block_height", AutoBlockHeight.ROWS_OVER_8),
    ("tex_layout/bc3_160x160", "auto_block_height", AutoBlockHeight.ROUND_UP),
    ("tex_layout/sparse_small", "sparse_small", SparseSmall.TILE),
    ("sparse_layout/textures", "sparse_padding", SparsePadding.NEVER),
    ("sparse_layout/textures", "sparse_height", SparseHeight.AUTOMATIC),
    ("sparse_layout/astc_6x6_levels", "sparse_padding", SparsePadding.NEVER),
    ("sparse_layout/bc3_384x384", "sparse_height", SparseHeight.AUTOMATIC),
    ("sparse_layout/bc1_1024x512", "sparse_height", SparseHeight.AUTOMATIC),
    ("sparse_layout/slab_3d", "sparse_height", SparseHeight.AUTOMATIC),
    ("sparse_layout/tile_shapes", "sparse_height", SparseHeight.AUTOMATIC),
    ("nvn/cube_array_storage", "cube_array_depth", CubeArrayDepth.CUBES),
    ("nvn/storage_size", "auto_block_depth", AutoBlockDepth.THIRTY_TWO),
    ("nvn/tolerated_textures", "auto_block_height", AutoBlockHeight.ROUND_UP),
    ("tex_layout/bc1_mip_chain", "auto_block_height", AutoBlockHeight.ROUND_UP),
]


built = functools.cache(build)
"""Each golden once, for every test that looks at it."""


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_golden_is_as_accepted(case: Any) -> None:
    """A fresh build equals the accepted result: arrays, masks, choices, rules."""
    assert check_golden(built(case)).differences == ()


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_golden_accepts_a_port_with_metals_conversions(case: Any) -> None:
    """All documented conversions of Metal at once are permitted everywhere: a faithful port is never called wrong."""
    port = {result.name: result.array for result in case.run(METAL)}
    assert judge(built(case), port).wrong == 0


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_golden_judges_its_own_results_as_the_same(case: Any) -> None:
    """NVN's own bytes are the same, whatever else is permitted."""
    golden = build(case)
    assert judge(golden, {one.base.name: one.base.array for one in golden.results}).outcome == "same"


@pytest.mark.parametrize(("name", "field", "setting"), FAULTS, ids=[f"{n}-{s.name.lower()}" for n, _, s in FAULTS])
def test_golden_fails_for_its_fault_with_slack_on(name: str, field: str, setting: IntEnum) -> None:
    """What a path with the ledger's fault leaves is wrong, not permitted; a wrong number of bytes is refused."""
    case = case_named(name)
    golden = build(case)
    faulty = {result.name: result.array for result in case.run(NVN.with_(**{field: setting}))}
    if any(golden.result(one).base.array.shape != array.shape for one, array in faulty.items()):
        with pytest.raises(SizeError):
            judge(golden, faulty)
        return
    assert judge(golden, faulty).outcome == "wrong"


def test_every_layout_golden_is_awake_for_a_fault() -> None:
    """Each golden of the layout tests that is no scene appears above with a fault that makes it fail."""
    areas = ("nvn", "sparse_layout", "tex_layout")
    tables = {case.name for case in CASES if not isinstance(case.function, SceneFunction)}
    assert {name for name in tables if name.split("/")[0] in areas} == {name for name, _, _ in FAULTS}


def test_sizes_named_by_the_seeds() -> None:
    """0x40000 for 384x384 DXT5, 0x210000 for 1350x270 BGRA8, level 1 of the ASTC texture at 0x90000."""
    sizes = build(case_named("sparse_layout/textures")).result("textures").base
    by_label = dict(zip(sizes.row_labels, sizes.array[:, -1].tolist(), strict=True))
    assert by_label["RGBA_DXT5 384x384"] == 0x40000
    assert by_label["BGRA8 1350x270"] == 0x210000
    levels = build(case_named("sparse_layout/astc_6x6_levels")).result("levels").base
    assert levels.array[1, 0] == 0x90000


@pytest.mark.parametrize(
    ("description", "wrong_gob", "blocks", "in_place"),
    [
        (texture("RGBA_DXT5", 160, 160), 8, 1600, 160),
        (texture("RGBA_DXT1", 1024, 512, sparse=True), 16, 32768, 1024),
        (texture("RGBA8", 512, 512, sparse=True), 8, 262144, 8192),
        (texture("RGBA_DXT5", 192, 160, sparse=True), 8, 1920, 160),
        (texture("RGBA_DXT1", 384, 384, sparse=True), 8, 9216, 768),
    ],
    ids=["bc3_160x160", "bc1_1024x512", "rgba8_512x512", "icon", "dxt1_384x384"],
)
def test_blocks_that_stay_in_place_at_the_wrong_height(
    description: TextureDescription, wrong_gob: int, blocks: int, in_place: int
) -> None:
    """The ledger counts how many numbered blocks a wrong block height leaves where they belong."""
    layout = texture_layout(description)
    size_B = linear_size_B(layout)
    numbers = numbered_blocks(blocks, description.element.bytes_per_block)
    assert numbers.size == size_B
    storage = tile_texture(layout, numbers)
    other = dataclasses.replace(description, packaged=PackagedLayout(wrong_gob))
    wrong = texture_layout(other)
    room = np.zeros(max(wrong.size_B, storage.size), np.uint8)
    room[: storage.size] = storage
    read = untile_texture(wrong, room[: wrong.size_B])
    same = (read.reshape(blocks, -1) == numbers.reshape(blocks, -1)).all(axis=1)
    assert int(same.sum()) == in_place


def test_slab_covers_the_box_of_the_title() -> None:
    """Both formats map exactly x 128..511, y 64..191 of every slice: blocks 32..127 by 16..47."""
    golden = build(case_named("sparse_layout/slab_3d"))
    box = np.zeros((16, 64, 128), np.uint8)
    box[:, 16:48, 32:128] = 1
    for name in ("bc1", "bc6h"):
        assert np.array_equal(golden.result(name).base.array, box)


def test_c_program_reads_the_exported_header_and_compares(tmp_path: Path) -> None:
    """The system's compiler takes the header; the program accepts the golden's bytes and refuses one wrong byte."""
    compiler = shutil.which("cc")
    assert compiler, "no C compiler `cc` was found; this test needs one"
    golden = build(case_named("tex_layout/bc3_160x160"))
    (tmp_path / "golden.h").write_text(c_header(golden))
    (tmp_path / "main.c").write_text(C_PROGRAM)
    program = tmp_path / "program"
    flags = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic"]
    subprocess.run([compiler, *flags, "main.c", "-o", str(program)], cwd=tmp_path, check=True)
    storage = golden.result("storage").base
    right = storage.array.tobytes()
    texel = int(np.flatnonzero(~golden.result("storage").padding)[100])
    wrong = bytearray(right)
    wrong[texel] ^= 1
    padding = bytearray(right)
    for byte in np.flatnonzero(golden.result("storage").padding):
        padding[byte] ^= 0xFF
    for content, code in ((right, 0), (bytes(wrong), 1), (bytes(padding), 0), (right[:-1], 1)):
        assert subprocess.run([str(program)], input=content, check=False, capture_output=True).returncode == code


C_PROGRAM = """
#include <stdio.h>
#include <stdlib.h>
#include "golden.h"

int main(void)
{
    static unsigned char actual[1 << 20];
    size_t size = fread(actual, 1, sizeof actual, stdin);
    refnvn_choices choices = REFNVN_CHOICES_INIT;
    refnvn_report report = refnvn_tex_layout_bc3_160x160_storage_compare(actual, size, &choices);
    refnvn_print_report(stderr, &report);
    return refnvn_exit_code(&report);
}
"""
