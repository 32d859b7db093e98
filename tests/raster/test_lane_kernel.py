"""Compiled loops against NumPy: the same bits, whatever is drawn."""

import os
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

from refnvn.enumerations import DepthFunc, StencilOp
from refnvn.formats.norm import encode_unorm
from refnvn.raster import chunks
from refnvn.raster import draw as draw_module
from refnvn.raster.state import StencilFace
from refnvn.raster.unorm8_kernel import UNORM8, unorm8_code
from refnvn.rules.registry import collect
from tests.raster.scenes import color, draw, passthrough, shader, view, zeta

SIZE = 37
SPECIAL = (0x7F800000, 0xFFC01234, 0x00000001, 0x7F7FFFFF, 0x80000000)


def scene(seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Return positions of 40 triangles, half with w other than 1 and a few behind the eye, and words for inputs."""
    rng = np.random.default_rng(seed)
    positions = rng.uniform(-1.5, 1.5, (120, 4)).astype(np.float32)
    positions[:, 3] = 1
    positions[60:, 3] = rng.uniform(0.3, 4, 60)
    positions[60:, :3] *= positions[60:, 3:]
    positions[114::3, 3] *= -1
    words = rng.normal(0.5, 0.5, (120, 4)).astype(np.float32).view(np.uint32)
    words[rng.integers(0, 120, 5), rng.integers(0, 4, 5)] = SPECIAL
    return positions, words


def discarding() -> Any:
    """Return a shader that passes its input on where the first component is above one half."""
    steps: list[dict[str, Any]] = [
        {"do": "load_input", "to": 0, "location": 0, "component": 0},
        {"do": "constant", "to": 1, "bits": 0x3F000000},
        {"do": "operate", "name": "float.less", "to": 2, "of": [0, 1]},
        {"do": "if", "condition": 2, "then": [{"do": "discard"}]},
    ]
    for k in range(4):
        steps.append({"do": "load_input", "to": 0, "location": 0, "component": k})
        steps.append({"do": "store_output", "location": 0, "component": k, "of": 0})
    return shader(
        inputs=[{"location": 0}], outputs=[{"location": 0}], registers=["word", "word", "bool"], statements=steps
    )


def both(monkeypatch: pytest.MonkeyPatch, **options: Any) -> list[tuple[Any, ...]]:
    """Draw one scene in NumPy and in compiled loops; return what each left, and the rules that each counted."""
    found = []
    for compiled in (False, True):
        for module in (draw_module, chunks):
            monkeypatch.setattr(module, "wants_kernels", lambda _pixels, answer=compiled: answer)
        target = color(options["format"], SIZE, SIZE, fill=0x5A)
        depth = zeta(options["depth"], SIZE, SIZE, fill=0x3E) if options["depth"] else None
        face = StencilFace(fail=StencilOp.INCR_WRAP, depth_fail=StencilOp.DECR, depth_pass=StencilOp.INVERT)
        state = view(
            target, channel_masks=(options.get("mask", 15),) * 8, depth_test=True, depth_write=True,
            depth_func=options.get("func", DepthFunc.LESS), stencil_test=True, front=face,
        )  # fmt: skip
        positions, words = scene(options["seed"])
        with collect() as used:
            passed = draw(state, [target], depth, positions, options["fragment"], words)
        found.append((passed, used, target.codes.tobytes(), depth.codes.tobytes() if depth else b""))
    return found


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("format_name", ["RGBA8", "BGRA8", "RGBA32F", "RGBA8_SRGB", "RG16", "RGB565", "R32UI"])
def test_stores_agree(monkeypatch: pytest.MonkeyPatch, format_name: str, seed: int) -> None:
    """Every class of format, smooth inputs, no tests."""
    numpy, compiled = both(monkeypatch, seed=seed, format=format_name, depth="", fragment=passthrough())
    assert numpy == compiled


@pytest.mark.parametrize("interpolation", ["flat", "noperspective", "smooth"])
@pytest.mark.parametrize("mask", [15, 5, 8])
def test_interpolations_and_masks_agree(monkeypatch: pytest.MonkeyPatch, interpolation: str, mask: int) -> None:
    """Every interpolation, with masked channels."""
    numpy, compiled = both(
        monkeypatch, seed=7, format="RGBA8", depth="", mask=mask, fragment=passthrough(4, interpolation)
    )
    assert numpy == compiled


@pytest.mark.parametrize("depth", ["DEPTH16", "DEPTH24_STENCIL8", "DEPTH32F", "DEPTH32F_STENCIL8", "STENCIL8"])
@pytest.mark.parametrize("func", [DepthFunc.LESS, DepthFunc.GEQUAL, DepthFunc.NOTEQUAL, DepthFunc.ALWAYS])
@pytest.mark.parametrize("late", [False, True], ids=["early", "late"])
def test_tests_agree(monkeypatch: pytest.MonkeyPatch, depth: str, func: DepthFunc, late: bool) -> None:
    """Stencil and depth in every format, before and after a shader that discards."""
    fragment = discarding() if late else passthrough()
    numpy, compiled = both(monkeypatch, seed=3, format="RGBA8", depth=depth, func=func, fragment=fragment)
    assert numpy == compiled
    assert numpy[0] > 0


def test_compiled_unorm8_is_the_rule() -> None:
    """On both sides of every threshold, and on special values, the compiled code is ``encode_unorm``'s."""
    codes = np.arange(256)
    near = ((codes[:, None] + np.linspace(0.4, 0.6, 4001)) / 255).astype(np.float32).ravel()
    special = np.array([*SPECIAL, 0xFF800000, 0x7FFFFFFF, 0xBF800000], np.uint32).view(np.float32)
    values = np.concatenate([near, special])
    assert [int(unorm8_code(v, UNORM8)) for v in values[::37]] == encode_unorm(values[::37], 8).tolist()
    assert [int(unorm8_code(v, UNORM8)) for v in special] == encode_unorm(special, 8).tolist()


def test_without_the_compiler_the_bytes_are_the_same() -> None:
    """A process with ``NUMBA_DISABLE_JIT=1`` draws the same image."""
    code = (
        "import hashlib\n"
        "from tests.raster.test_lane_kernel import SIZE, scene\n"
        "from tests.raster.scenes import *\n"
        "t, d = color('RGBA8', SIZE, SIZE), zeta(width=SIZE, height=SIZE, fill=0x80)\n"
        "positions, words = scene(11)\n"
        "import refnvn.raster.draw as module, sys\n"
        "import refnvn.raster.chunks as chunks\n"
        "if 'kernels' in sys.argv: module.wants_kernels = chunks.wants_kernels = lambda pixels: True\n"
        "passed = draw(view(t, depth_test=True, depth_write=True), [t], d, positions, passthrough(), words)\n"
        "print(passed, hashlib.sha256(t.codes.tobytes() + d.codes.tobytes()).hexdigest())\n"
    )
    found = []
    for switch, way in (("0", "kernels"), ("1", "numpy")):
        environment = {**os.environ, "NUMBA_DISABLE_JIT": switch}
        done = subprocess.run(
            [sys.executable, "-c", code, way], capture_output=True, text=True, env=environment, check=True
        )
        found.append(done.stdout)
    assert found[0] == found[1]
    assert found[0].split()[0] != "0"
