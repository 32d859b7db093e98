"""Mistakes in scenes are told by their line."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from refnvn.errors import ArgumentError, SizeError
from refnvn.golden.author_errors import told_by_line
from refnvn.golden.case import GoldenCase
from refnvn.golden.scene import SceneFunction, trace_of
from refnvn.nvn.device import Device
from refnvn.rules import registry
from refnvn.rules.fields import NVN

HERE = Path(__file__).name


def misspelled(device: Device) -> None:
    """Ask for what the device has not."""
    device.textures("RGBA8", 4, 4)  # type: ignore[attr-defined]


def in_a_library(device: Device) -> None:
    """Let NumPy raise."""
    device.buffer(np.zeros(3).reshape(2, 2))


def case_of(scene: object) -> GoldenCase:
    """Return a case of a scene that is in no catalogue."""
    function = SceneFunction(scene, "test/one")  # type: ignore[arg-type]
    return GoldenCase(name="test/one", t_test="t_one", says="One.", function=function)


@pytest.mark.parametrize("scene", [misspelled, in_a_library])
def test_an_error_of_python_names_the_line_of_the_scene(scene: object) -> None:
    """Also one that a library raises; for a run by rules as for a trace."""
    words = r"golden test/one: " + HERE + r":\d+: (AttributeError|ValueError): "
    with pytest.raises(ArgumentError, match=words):
        case_of(scene).run(NVN)
    with pytest.raises(ArgumentError, match=words):
        trace_of(case_of(scene))


def test_what_refnvn_says_stays_and_its_own_mistakes_keep_their_traceback() -> None:
    """An error with a sentence is not told twice; a bug is no author's line."""
    with pytest.raises(SizeError, match=r"^too wide$"), told_by_line("golden"):
        raise SizeError("too wide")
    with pytest.raises(KeyError), told_by_line("golden"):
        registry.rules_named(["TEST-NO-1"])
