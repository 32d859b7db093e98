"""The measured families of block compression, and files that only look like them."""

from pathlib import Path

import numpy as np
import pytest

from refnvn.conformance.run import run
from refnvn.errors import InputFileError

HARDWARE = Path(__file__).parents[1] / "data" / "hardware"
META = np.array('{"what": "made up"}')


def test_both_families_are_matched_to_the_bit() -> None:
    """All block formats, and all end points: 2,328,606 cases, none wrong, and every rule of BC1 to BC7 answers."""
    report = run([HARDWARE / "bc.npz", HARDWARE / "tx2_bcends.npz"])
    assert report.total("cases") == report.total("equal") == 2_328_606
    assert report.exit_code(strict=True) == 0
    used = {rule for file in report.files for array in file.arrays for rule in array.rules}
    expected = {"BC1": 3, "BC2": 1, "BC3": 1, "BC4": 4, "BC6H": 5, "BC7": 3}
    assert {f"FMT-{name}-{n}" for name, count in expected.items() for n in range(1, count + 1)} <= used


@pytest.mark.parametrize(
    ("name", "arrays", "complaint"),
    [
        pytest.param("bc", {"out_BC9": np.zeros((1, 4, 4, 4), np.uint32)}, "'BC9' is no block format", id="format"),
        pytest.param(
            "bc",
            {"in_BC7": np.zeros((2, 8), np.uint8), "out_BC7": np.zeros((2, 4, 4, 4), np.uint32)},
            r"not uint8 of shape \(blocks, 16\)",
            id="short-blocks",
        ),
        pytest.param(
            "bc",
            {"in_BC7": np.zeros((0, 16), np.uint8), "out_BC7_rest": np.zeros(4, np.uint32)},
            "shape",
            id="no-blocks",
        ),
        pytest.param(
            "bc",
            {"in_BC7": np.zeros((2, 16), np.uint8), "out_BC7": np.zeros((3, 4, 4, 4), np.uint32)},
            r"has shape \(3, 4, 4, 4\), not \(2, 4, 4, 4\)",
            id="other-count",
        ),
        pytest.param(
            "bc",
            {"in_BC7": np.zeros((2, 16), np.uint8), "out_BC7": np.zeros((2, 4, 4), np.uint32)},
            "1 to 4",
            id="no-channels",
        ),
        pytest.param("tx2_bcends", {"out_delta_BC5U": np.zeros((8, 256, 256), np.uint16)}, "BC4U", id="ends-format"),
        pytest.param("tx2_bcends", {"out_delta_BC4U": np.zeros((8, 256, 2), np.uint16)}, "256, 256", id="ends-shape"),
        pytest.param(
            "tx2_bcends",
            {"out_delta_BC3": np.zeros((8, 256, 256), np.uint8), "out_inexact_BC3": np.zeros(3, np.int64)},
            "two int64",
            id="counts",
        ),
    ],
)
def test_a_misfit_is_refused(name: str, arrays: dict[str, np.ndarray], complaint: str, tmp_path: Path) -> None:
    """One sentence that names the array."""
    path = tmp_path / f"{name}.npz"
    np.savez(path, meta=META, **arrays)  # type: ignore[arg-type]
    with pytest.raises(InputFileError, match=complaint):
        run([path])
