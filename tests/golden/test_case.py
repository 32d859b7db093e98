"""Golden cases: registration, names and the catalogue."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from refnvn.errors import ArgumentError, ShapeError, SizeError
from refnvn.golden.case import (
    GoldenCase,
    Image,
    Result,
    case_named,
    catalogue,
    golden_case,
    guest_bytes,
    image,
    table,
)
from refnvn.rules.fields import NVN

ONE = """
from refnvn.golden.case import golden_case, guest_bytes

@golden_case("{name}", t_test="t_x", says="A byte.")
def a_case(rules):
    return [guest_bytes("pool", bytes(1))]
"""


@pytest.fixture
def made_up_package(tmp_path, monkeypatch, request):
    """Give a function that writes an importable package whose modules register cases of the given names."""
    package = f"made_up_{request.node.name}"
    monkeypatch.syspath_prepend(tmp_path)

    def make(**names):
        folder = tmp_path / package
        folder.mkdir()
        (folder / "__init__.py").write_text("")
        for module, name in names.items():
            (folder / f"{module}.py").write_text(ONE.format(name=name))
        return package

    yield make
    for module in [m for m in sys.modules if m.startswith(package)]:
        del sys.modules[module]


def test_catalogue_lists_cases_by_name(made_up_package):
    """A catalogue imports every module of its package and gives the cases sorted by name."""
    package = made_up_package(first="area/zebra_1", second="area/ape_1")
    assert [case.name for case in catalogue(package)] == ["area/ape_1", "area/zebra_1"]
    assert case_named("area/ape_1", package).run(NVN)[0].name == "pool"


def test_catalogue_duplicate_name_is_refused(made_up_package):
    """Two cases of one name are an error that names the first."""
    package = made_up_package(first="area/twice", second="area/twice")
    with pytest.raises(ArgumentError, match=r"area/twice: two cases .*first\.a_case"):
        catalogue(package)


def test_case_named_unknown_tells_close_names(made_up_package):
    """An unknown golden is refused with names that come close."""
    package = made_up_package(first="area/height_2")
    with pytest.raises(ArgumentError, match="close are area/height_2"):
        case_named("area/hieght_2", package)


@pytest.mark.parametrize(
    "name",
    ["plain", "../up/x", "a/b/c", "Area/x", "a/", "/a/b", "a/b c", "a/..", "a\\b/c", "a/b\n"],
    ids=["no_area", "parent", "three", "capital", "empty", "absolute", "blank", "dots", "backslash", "newline"],
)
def test_case_name_outside_area_topic_is_refused(name):
    """A golden's name is area/topic and cannot leave a folder."""
    with pytest.raises(ArgumentError, match="allowed is area/topic"):
        golden_case(name, t_test="t_x", says="No.")(lambda _: [])


@pytest.mark.parametrize(
    "name", ["../x", "a.b", "", "A", "1a", "a/b", "con", "nul", "a" * 65, "a\n"],
    ids=["parent", "dot", "empty", "capital", "digit", "slash", "con", "nul", "long", "newline"],
)  # fmt: skip
def test_result_name_unsafe_for_files_is_refused(name):
    """A result's name is a part of a file name and of a C identifier on every system."""
    with pytest.raises(ArgumentError, match="result name"):
        guest_bytes(name, bytes(1))


@pytest.mark.parametrize(("field", "value"), [("t_test", "x"), ("says", " "), ("says", "two\nlines")])
def test_case_without_test_or_sentence_is_refused(field, value):
    """A case names the renderer's test it serves and says in one line what it shows."""
    fields = {"t_test": "t_x", "says": "One.", field: value}
    with pytest.raises(ArgumentError, match=field):
        GoldenCase(name="a/b", function=lambda _: [], **fields)


@pytest.mark.parametrize("names", [(), ("a", "a")], ids=["none", "twice"])
def test_case_run_needs_results_of_different_names(names):
    """A case returns at least one result, and no two of a name."""
    case = GoldenCase(
        name="a/b", t_test="t_x", says="No.", function=lambda _: [guest_bytes(n, bytes(1)) for n in names]
    )
    with pytest.raises(ArgumentError, match="golden a/b"):
        case.run(NVN)


def test_result_array_is_a_locked_little_endian_copy():
    """What a case does to its array afterwards does not reach the result."""
    mine = np.array([[1, 2]], dtype=">i4")
    result = table("t", ("a", "b"), mine, dtype="int32")
    mine[0, 0] = 9
    assert result.array.tolist() == [[1, 2]]
    assert result.array.dtype.str == "<i4"
    assert not result.array.flags.writeable


def refused_results():
    """Give pairs of a word and a function that makes a result that is refused."""
    rgba8 = Image(format="RGBA8", width_px=2, height_px=2)
    grid = np.zeros((2, 2), dtype=np.int64)
    u8 = np.zeros((2, 2), dtype=np.uint8)
    return {
        "no_elements": lambda: guest_bytes("x", b""),
        "objects": lambda: Result(name="x", array=np.array([[None]]), kind="table", columns=("a",)),
        "bool_elements": lambda: Result(name="x", array=u8 != 0, kind="table", columns=("a", "b")),
        "columns_missing": lambda: table("x", ("a",), grid),
        "labels_missing": lambda: table("x", ("a", "b"), grid, row_labels=("one",)),
        "bytes_of_two_axes": lambda: Result(name="x", array=u8, kind="bytes"),
        "image_of_wrong_size": lambda: image("x", np.zeros((2, 2, 3), dtype=np.uint8), rgba8),
        "image_without_image": lambda: Result(name="x", array=u8, kind="image"),
        "table_with_image": lambda: Result(name="x", array=grid, kind="table", columns=("a", "b"), image=rgba8),
        "mask_of_other_shape": lambda: guest_bytes("x", bytes(2), any_mask=np.zeros(3, dtype=bool)),
        "number_too_large": lambda: table("x", ("a",), [(300,)], dtype="uint8"),
        "axes_miscounted": lambda: Result(name="x", array=u8[0], kind="bytes", axes=("a", "b")),
        "labels_on_bytes": lambda: Result(name="x", array=u8[0], kind="bytes", columns=("a", "b")),
        "kind_unknown": lambda: Result(name="x", array=u8[0], kind="song"),
        "depth_of_2d": lambda: Image(format="RGBA8", width_px=1, height_px=1, depth_px=2),
        "width_zero": lambda: Image(format="RGBA8", width_px=0, height_px=1),
        "levels_too_many": lambda: Image(format="RGBA8", width_px=4, height_px=4, levels=4),
        "layout_unknown": lambda: Image(format="RGBA8", width_px=4, height_px=4, layout="spiral"),
        "rows_unknown": lambda: Image(format="RGBA8", width_px=4, height_px=4, row_order="up"),
        "format_unknown": lambda: Image(format="RGBA9", width_px=4, height_px=4),
    }


@pytest.mark.parametrize("make", refused_results().values(), ids=refused_results().keys())
def test_result_that_does_not_fit_itself_is_refused(make):
    """A result's shape, dtype, labels and image must fit each other."""
    with pytest.raises((ArgumentError, ShapeError, SizeError)):
        make()


@pytest.mark.parametrize(
    ("what", "size_B"),
    [
        (Image(format="NVN_FORMAT_RGBA8", width_px=5, height_px=3), 60),
        (Image(format="RGBA_DXT1", width_px=10, height_px=6, levels=4), 80),
        (Image(format="R8", width_px=4, height_px=2, depth_px=4, dimensions="3d", levels=3), 32 + 4 + 1),
        (Image(format="RGBA8", width_px=2, height_px=2, layers=6, dimensions="cube", samples=1), 96),
    ],
    ids=["colour", "blocks", "volume", "cube"],
)
def test_image_size_counts_blocks_levels_layers(what, size_B):
    """A linear image has the bytes of all blocks of all levels of all layers."""
    assert what.size_B == size_B
