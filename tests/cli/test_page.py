"""``diff --html`` and ``golden check --html`` write one page, or nothing."""

from __future__ import annotations

import numpy as np
import pytest

from tests.cli.harness import complaint, refnvn


def test_diff_writes_a_page(tmp_path):
    """The page of two RGBA8 files of 2 x 1 texels holds an image, and the exit code says that they differ."""
    np.save(tmp_path / "a.npy", np.zeros((1, 2, 4), np.uint8))
    np.save(tmp_path / "b.npy", np.ones((1, 2, 4), np.uint8))
    page = tmp_path / "page.html"
    files = (tmp_path / "a.npy", tmp_path / "b.npy")
    assert refnvn("diff", *files, "--html", page, "--format", "RGBA8", "--size", "2x1").code == 1
    text = page.read_text(encoding="utf-8")
    assert '"format":"RGBA8"' in text
    assert '"kind":"image"' in text


def test_golden_check_writes_a_page(tmp_path):
    """Where nothing differs the page shows what was asked for."""
    page = tmp_path / "page.html"
    found = refnvn("golden", "check", "tex_layout/sparse_small", "--html", page)
    assert (found.code, found.out) == (0, "1 goldens checked, 0 differ\n")
    assert '"name":"tex_layout/sparse_small"' in page.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["page.png", "missing/page.html"])
def test_a_page_that_cannot_be_meant_is_refused(tmp_path, name):
    """Another form's ending, or a folder that is not there: exit 2, one line, no file."""
    np.save(tmp_path / "a.npy", np.zeros(3, np.uint8))
    complaint("diff", tmp_path / "a.npy", tmp_path / "a.npy", "--html", tmp_path / name)
    assert not (tmp_path / name).exists()
