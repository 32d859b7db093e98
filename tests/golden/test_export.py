"""Exports: which there are for a golden, and what they hold."""

from __future__ import annotations

import dataclasses
import json

import numpy as np
import pytest

from refnvn.containers.dds import read_dds
from refnvn.containers.ktx2 import read_ktx2
from refnvn.errors import ArgumentError
from refnvn.golden.build import build
from refnvn.golden.bundle import bundle_files, read_bundle
from refnvn.golden.case import GoldenCase, Image, image
from refnvn.golden.export import export, exports_of

from .made_up import made_up_golden


def images_golden(*images):
    """Return a golden of images, each an :class:`Image` of zeros and counting bytes."""
    results = [
        image(f"image_{i}", np.arange(what.size_B, dtype=np.uint32).astype(np.uint8), what, axes=("byte",))
        for i, what in enumerate(images)
    ]
    return build(GoldenCase(name="made_up/images", t_test="t_x", says="Images.", function=lambda _: results))


VOLUME = Image(format="R8", width_px=4, height_px=2, depth_px=4, dimensions="3d", levels=2)
ARRAY = Image(format="RGBA_DXT1", width_px=10, height_px=6, layers=3, levels=2)
CUBE = Image(format="RGBA8", width_px=2, height_px=2, layers=6, dimensions="cube")


@pytest.mark.parametrize("what", [VOLUME, ARRAY, CUBE], ids=["volume", "array", "cube"])
@pytest.mark.parametrize(("to", "read"), [("dds", read_dds), ("ktx2", read_ktx2)], ids=["dds", "ktx2"])
def test_export_image_reads_back(tmp_path, what, to, read):
    """An image file holds the golden's bytes, layer by layer and level by level."""
    path = tmp_path / "x"
    export(images_golden(what), to, path)
    surfaces = read(path)
    content = b"".join(part for levels in surfaces.parts for part in levels)
    assert content == bytes(i % 256 for i in range(what.size_B))
    assert (surfaces.format, surfaces.layers, surfaces.levels) == (what.format, what.layers, what.levels)


def test_export_dir_is_the_bundle(tmp_path):
    """The folder export is the bundle itself."""
    export(made_up_golden(), "dir", tmp_path / "x")
    assert bundle_files(read_bundle(tmp_path / "x")) == bundle_files(made_up_golden())


def test_export_npz_holds_arrays_and_their_description(tmp_path):
    """The npz export is what numpy opens, with golden.json beside the arrays."""
    export(made_up_golden(), "npz", tmp_path / "x.npz")
    with np.load(tmp_path / "x.npz") as arrays:
        assert arrays["numbers"].tolist() == [[1, 100], [2, -(2**31)], [3, 300]]
        assert json.loads(arrays["golden.json"])["name"] == "made_up/everything"


def test_export_without_images_tells_which_there_are(tmp_path):
    """A golden without images has no DDS, and the error says what it has."""
    golden = dataclasses.replace(made_up_golden(), results=made_up_golden().results[:3])
    assert exports_of(golden) == ("c-header", "dir", "npz")
    with pytest.raises(ArgumentError, match=r"no export 'dds'; it has c-header, dir, npz$"):
        export(golden, "dds", tmp_path / "x")
    assert list(tmp_path.iterdir()) == []


def test_export_of_several_images_needs_a_name(tmp_path):
    """A DDS holds one image; which one has to be said where there are several."""
    golden = images_golden(VOLUME, CUBE)
    with pytest.raises(ArgumentError, match="say which of image_0, image_1"):
        export(golden, "dds", tmp_path / "x")
    export(golden, "dds", tmp_path / "x", result="image_1")
    assert read_dds(tmp_path / "x").layers == 6


def test_export_guest_image_is_refused(tmp_path):
    """Guest bytes are no linear image."""
    golden = images_golden(CUBE, dataclasses.replace(CUBE, layout="guest"))
    with pytest.raises(ArgumentError, match="image_1 is no linear image"):
        export(golden, "ktx2", tmp_path / "x", result="image_1")


def test_export_unknown_form_is_refused(tmp_path):
    """A form that there is not is refused with those there are."""
    with pytest.raises(ArgumentError, match="c-header, dir, npz, dds, ktx2"):
        export(made_up_golden(), "bmp", tmp_path / "x")
