"""The measured families with several samples in a pixel."""

from pathlib import Path

import numpy as np
import pytest

from refnvn.conformance.hardware_multisample import LOCATION, score_sample_locations
from refnvn.conformance.report import Report
from refnvn.conformance.run import run
from refnvn.conformance.vector_file import VectorFile
from refnvn.rules.fields import NVN

FOLDER = Path(__file__).parents[1] / "data" / "hardware_multisample"


@pytest.fixture(scope="module")
def report() -> Report:
    """Score the files that take only the rasteriser once."""
    return run([FOLDER / f"{name}.npz" for name in ("msaa", "a2cdither", "cov2color")])


def total(report: Report, file: str, field: str, word: str = "") -> int:
    """Return the sum of a count over the arrays of a file whose names hold a word."""
    arrays = [a for f in report.files if f.file == file for a in f.arrays if word in a.array]
    return sum(int(getattr(one, field)) for one in arrays)


@pytest.mark.rule("RASTER-SAMPLES-1", "RASTER-SAMPLES-2", "RASTER-COVERAGE-3")
def test_covered_samples_are_matched(report: Report) -> None:
    """180 triangles at 2, 4 and 8 samples, and at 16 as that driver draws them: every pixel."""
    for samples in (2, 4, 8, 16):
        assert total(report, "msaa.npz", "equal", f"_{samples}x") == 414_720 + 138_240 + 2 * samples
        assert total(report, "msaa.npz", "wrong", f"_{samples}x") == 0


@pytest.mark.rule("RASTER-ALPHACOVERAGE-1", "RASTER-ALPHACOVERAGE-2")
def test_alpha_to_coverage_is_matched(report: Report) -> None:
    """96 alphas at 2, 4 and 8 samples, with dither and without: every pixel."""
    assert total(report, "a2cdither.npz", "cases") == total(report, "a2cdither.npz", "equal") == 55_296


@pytest.mark.rule("RASTER-MASK-1", "RASTER-ALPHAONE-1", "RASTER-COVERAGE-4")
def test_written_masks_and_coverage_colours_are_matched(report: Report) -> None:
    """Masks that a shader writes and alpha to one exactly; coverage as a colour in all but one clipped triangle."""
    for exact in ("samplemask", "alpha_to_one", "RGBA8UI"):
        assert total(report, "cov2color.npz", "wrong", exact) == 0
        assert total(report, "cov2color.npz", "cases", exact) > 0
    assert total(report, "cov2color.npz", "wrong") == total(report, "cov2color.npz", "known") == 4 * (9 + 17)
    assert report.exit_code() == 0


@pytest.mark.rule("RASTER-SAMPLES-3", "RASTER-SAMPLES-4")
def test_programmable_positions_are_matched() -> None:
    """Sixteen positions of one's own, for all pixels and by pixel of a grid: every sample of 40 triangles."""
    file = VectorFile(FOLDER / "nvraster.npz")
    scores = [score_sample_locations(file, name, NVN) for name in file.headers if LOCATION.fullmatch(name)]
    assert len(scores) == 6
    assert all(one.cases == one.equal == 92_160 for one in scores)


@pytest.mark.rule("RESOLVE-MEAN-1", "RESOLVE-COPY-1", "RESOLVE-COPY-2")
def test_resolves_are_matched() -> None:
    """13 formats at 2, 4 and 8 samples, NaN and infinities among them: every component."""
    scored = run([FOLDER / "resolve.npz"])
    assert total(scored, "resolve.npz", "cases") == total(scored, "resolve.npz", "equal") == 35_328


@pytest.mark.rule("RESOLVE-MEAN-2", "RESOLVE-MEAN-1", "RESOLVE-COPY-1", "RESOLVE-COPY-2", "TEX-FLOAT-3")
def test_resolves_of_sixteen_and_near_nothing_are_matched() -> None:
    """13 formats at 16 samples, and float ones at 2, 4 and 8 with means that vanish: every component."""
    (scored,) = run([FOLDER / "resolve_probe.npz"]).files
    assert sum(one.cases for one in scored.arrays) == sum(one.equal for one in scored.arrays) == 4_480


@pytest.mark.rule("RASTER-MODULATION-1", "RASTER-MODULATION-2", "RASTER-MODULATION-3", "RASTER-MODULATION-4")
@pytest.mark.rule("RASTER-MODULATION-5", "RASTER-MODULATION-6", "RASTER-MIXED-1", "RASTER-MIXED-2")
@pytest.mark.rule("RASTER-SAMPLES-2", "RASTER-ALPHACOVERAGE-1", "RASTER-ALPHACOVERAGE-2")
def test_mixed_samples_are_matched() -> None:
    """14 formats modulated, nine blended, masks, alpha, tests, 1 to 8 of 2 to 16 samples: all but last bits."""
    (scored,) = run([FOLDER / "covmod.npz"]).files
    assert sum(one.cases for one in scored.arrays) == 489_730
    assert sum(one.wrong for one in scored.arrays) == 0
    assert {one.array for one in scored.arrays if one.within} == {
        "out_depth_after_4x_NONE",
        "out_depth_after_4x_RGBA",
    }
    assert sum(one.within for one in scored.arrays) == 2 * 41


@pytest.mark.rule("RASTER-LINE-6")
def test_lines_of_several_samples_are_within_their_bound() -> None:
    """20 lines: each sample covered as measured, depths within 2 / 2^24, all but 4360 values equal."""
    (scored,) = run([FOLDER / "mslines.npz"]).files
    assert sum(one.cases for one in scored.arrays) == 471_040
    assert sum(one.wrong for one in scored.arrays) == 0
    assert sum(one.within for one in scored.arrays) == 4_360


@pytest.fixture(scope="module")
def seen() -> Report:
    """Score what was measured by format and by sample."""
    return run([FOLDER / "samples.npz"])


@pytest.mark.rule("RASTER-ALPHACOVERAGE-1", "RASTER-ALPHACOVERAGE-2", "RASTER-ALPHACOVERAGE-3")
def test_alpha_to_coverage_of_ten_formats_is_matched(seen: Report) -> None:
    """4,736 alphas around all thresholds, NaN and infinities among them, at 2, 4 and 8 samples: every pixel."""
    assert total(seen, "samples.npz", "cases", "a2c") == total(seen, "samples.npz", "equal", "a2c") == 60 * 18_944


@pytest.mark.rule("RASTER-SAMPLING-1", "RASTER-CENTROID-1", "RASTER-ORDER-2", "RASTER-BUILTIN-1")
def test_what_shaders_see_of_samples_is_matched(seen: Report) -> None:
    """With sample shading forced and not, with a mask and without: all but 80 depths, which are 1 / 2^24 off."""
    assert total(seen, "samples.npz", "wrong") == 0
    shaded = total(seen, "samples.npz", "cases") - 60 * 18_944
    assert shaded == 16 * 4 * 24 * 24 * 4
    assert total(seen, "samples.npz", "within") == total(seen, "samples.npz", "within", "coord") == 80
    assert total(seen, "samples.npz", "equal") - 60 * 18_944 == shaded - 80
    assert seen.exit_code(strict=True) == 0


def test_fetches_of_single_samples_are_scored(tmp_path: Path) -> None:
    """Two rows of a half-float texture of two samples come back as they were stored, and a wrong word is seen."""
    with np.load(FOLDER / "resolve.npz") as kept:
        arrays = {name: kept[name] for name in kept.files}
    halves = np.linspace(-2, 2, 2 * 16 * 32 * 4).reshape(2, 16, 32, 4).astype(np.float16).astype(np.float32)
    fetched = halves[:, :2].view(np.uint32).copy()
    for wrong in (0, 1):
        fetched[0, 0, 0, 0] ^= np.uint32(wrong)
        arrays |= {"in_RGBA16F_2x": halves.view(np.uint32), "out_samples_RGBA16F_2x": fetched}
        arrays["out_RGBA16F_2x"] = np.zeros((16, 32, 4), np.uint16)
        np.savez(tmp_path / "resolve.npz", **arrays)
        scores = {one.array: one for one in run([tmp_path]).files[0].arrays}
        assert scores["out_samples_RGBA16F_2x"].wrong == wrong
