"""``refnvn diagnose SCENE ACTUAL``: from a readback in a file to a named fault."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from refnvn.compare.candidates import UNCHANGED, left_by
from refnvn.containers.png import write_png
from refnvn.faults.fault import fault_named
from refnvn.faults.setting_faults import setting_fault
from refnvn.golden.case import case_named
from refnvn.golden.scene import trace_of
from refnvn.rules.fields import NVN
from refnvn.rules.slack import METAL
from tests.cli.harness import complaint, refnvn, tiled_by_hand

SCENE = "clear_tex/mask"
FAULT = "clear-tex-partial/mask"


def readback(folder: Path, content: dict[str, np.ndarray]) -> Path:
    """Write results as raw files."""
    folder.mkdir()
    for name, one in content.items():
        (folder / f"{name}.bin").write_bytes(one.tobytes())
    return folder


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_fault_is_named(tmp_path, jobs):
    """The readback of a path with one fault: exit 1, the fault first and exact, whatever the number of processes."""
    actual = readback(tmp_path / "actual", fault_named(FAULT).run(trace_of(case_named(SCENE))))
    found = refnvn("diagnose", SCENE, actual, "--jobs", jobs)
    assert found.code == 1
    assert f" 1. exact: {FAULT}\n" in found.out
    answer = refnvn("diagnose", SCENE, actual, "--jobs", jobs, "--json").json
    assert (answer["explained"], answer["faults"][0]["ids"]) == (True, [FAULT])
    assert answer["faults"][0]["ledger"] == ["clear-tex-partial"]


def test_a_wrong_block_height_is_named_with_its_row(tmp_path):
    """A setting of the rules that nobody may have is a fault like others: its symptom and its row are told."""
    scene = "storage/block_heights"
    actual = readback(tmp_path / "actual", setting_fault("sparse_small", "tile").run(trace_of(case_named(scene))))
    found = refnvn("diagnose", scene, actual)
    assert " 1. exact: sparse_small=tile\n" in found.out
    assert "the left half of a small sparse texture shows, with stray fragments, and is cut off below" in found.out
    assert "[sparse-small-auto]" in found.out
    assert refnvn("diagnose", scene, actual, "--json").json["faults"][0]["ledger"] == ["sparse-small-auto"]


def test_a_faithful_port_is_not_blamed(tmp_path):
    """Metal's conversions are permitted: exit 0, nothing named."""
    trace = trace_of(case_named("clear_tex/rounding"))
    left = {name: np.frombuffer(raw, np.uint8) for name, raw in left_by(UNCHANGED, trace, METAL).results.items()}
    found = refnvn("diagnose", "clear_tex/rounding", readback(tmp_path / "actual", left))
    assert (found.code, "nothing to explain" in found.out) == (0, True)


def test_what_explains_a_part_is_not_said_to_explain_it(tmp_path):
    """A fault and one more texel that is wrong besides: the fault explains a part, and that is the heading."""
    ((name, content),) = fault_named(FAULT).run(trace_of(case_named(SCENE))).items()
    spoiled = content.copy().reshape(-1)
    spoiled[:4] ^= 0x55
    found = refnvn("diagnose", SCENE, readback(tmp_path / "actual", {name: spoiled}))
    assert "known faults that explain a part of it (" in found.out
    assert "known faults that explain it" not in found.out
    assert "none of them explains all of it" in found.out


def test_weak_explanations_are_one_line(tmp_path):
    """Half of it noise: no fault is said to explain it, and those that explain some are named in one line."""
    content = fault_named("alpha-test").run(trace_of(case_named("alpha/ramp")))["target"].copy().reshape(-1)
    noise = np.random.default_rng(3)
    where = noise.random(content.size) < 0.5
    content[where] ^= noise.integers(1, 256, int(where.sum()), np.uint8)
    actual = readback(tmp_path / "actual", {"target": content})
    lines = refnvn("diagnose", "alpha/ramp", actual).out.splitlines()
    assert any(one.startswith("none of the known faults explains it (") for one in lines)
    weak = [one for one in lines if one.startswith("weak, since each leaves more than half of it open: alpha-test (")]
    assert len(weak) == 1
    answer = refnvn("diagnose", "alpha/ramp", actual, "--json").json
    assert all(one["weak"] for one in answer["faults"])


def test_images_speak_where_no_fault_does(tmp_path):
    """Red and blue exchanged in every texel: no modelled fault, but seen in the images."""
    trace = trace_of(case_named(SCENE))
    left = fault_named(FAULT).run(trace)
    name, plain = next(iter(left_by(UNCHANGED, trace, NVN).results.items()))
    assert list(left) == [name]
    texels = np.frombuffer(plain, np.uint8).reshape(-1, 4)[:, [2, 1, 0, 3]]
    found = refnvn("diagnose", SCENE, readback(tmp_path / "actual", {name: texels}))
    assert found.code == 1
    assert "components RGBA hold BGRA" in found.out


def test_block_linear_readbacks_take_format_and_size_of_the_result(tmp_path):
    """A result says what its texture is, so that nobody has to: 16x40 texels of four bytes are a column of GOBs."""
    left = left_by(UNCHANGED, trace_of(case_named("alpha/ramp")), NVN).results["target"]
    stored = tmp_path / "stored.bin"
    stored.write_bytes(tiled_by_hand(np.frombuffer(left, np.uint8).reshape(40, 64), 4))
    assert refnvn("diagnose", "alpha/ramp", stored, "--layout", "guest").code == 0
    assert refnvn("diff", "alpha/ramp", stored, "--layout", "guest").code == 0
    assert "as block-linear bytes RGBA8 16x40" in complaint("diagnose", "alpha/ramp", stored)


def test_a_trace_and_a_page(tmp_path):
    """A trace's file does as well as a scene's name, and the page holds what was printed."""
    assert refnvn("run", SCENE, "-o", tmp_path / "results", "--trace", tmp_path / "mask.zip").code == 0
    actual = readback(tmp_path / "actual", fault_named(FAULT).run(trace_of(case_named(SCENE))))
    page = tmp_path / "page.html"
    assert refnvn("diagnose", tmp_path / "mask.zip", actual, "--html", page).code == 1
    assert FAULT in page.read_text(encoding="utf-8")


def test_what_cannot_be_diagnosed_is_one_line(tmp_path):
    """No readback, a readback of another size, a scene that is not there: exit 2, with what is allowed."""
    assert "SCENE-or-TRACE and ACTUAL" in complaint("diagnose", SCENE)
    (tmp_path / "short.bin").write_bytes(b"123")
    assert "3 bytes given" in complaint("diagnose", SCENE, tmp_path / "short.bin")
    grey = np.zeros((40, 16, 3), np.uint8)
    write_png(tmp_path / "p.png", grey)
    for command in ("diff", "diagnose"):
        for scene, words in (("alpha/ramp_float", "RGBA32F: a PNG of 8 bits does not hold its codes; give npy"),
                             ("alpha/ramp", "RGBA8 does not have component A; npy and raw bytes have")):  # fmt: skip
            assert words in complaint(command, scene, tmp_path / "p.png")
    assert "is missing" in complaint("diagnose", tmp_path / "no.zip", tmp_path / "short.bin")
