"""The report page holds both sides and every status, and no name becomes markup."""

from __future__ import annotations

import base64
import json
import re
import zlib

import numpy as np
import pytest

from refnvn.compare import page_data
from refnvn.compare.judge import weighed, weighed_raw
from refnvn.compare.page import report_page
from refnvn.compare.page_data import accepted_comparison, comparison_object
from refnvn.errors import SizeError
from refnvn.golden.result import Image, image
from tests.compare.page_cases import hostile_comparison, plain_golden, rounding_golden


def data_of(page: str) -> dict:
    """Return the data of a page as a browser would parse it."""
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert found is not None
    return json.loads(found.group(1))


def unpacked(text: str, dtype: str = "uint8") -> list[int]:
    return np.frombuffer(zlib.decompress(base64.b64decode(text)), dtype).tolist()


def test_both_sides_and_statuses_are_in_the_page():
    """Expected 1, 2, 3 and actual 1, 9, 3: the second element is wrong (status 5), the others are the same."""
    found = weighed_raw(np.array([1, 2, 3], np.uint16), np.array([1, 9, 3], np.uint16))
    data = data_of(report_page("two files", [comparison_object("a", "b", found)]))
    (result,) = data["comparisons"][0]["results"]
    assert unpacked(result["data"]["expected"], "uint16") == [1, 2, 3]
    assert unpacked(result["data"]["actual"], "uint16") == [1, 9, 3]
    assert unpacked(result["data"]["status"]) == [0, 5, 0]
    assert data["comparisons"][0]["verdict"] == "wrong"


def test_what_slack_permits_is_in_the_page():
    """An element that a slack setting makes 128 travels as the exclusive or of 127 and 128, 0xFF."""
    golden = rounding_golden()
    found = weighed(golden, {"target": np.array([[[128, 0, 0, 255]]], np.uint8)})
    comparison = comparison_object(golden.name, golden.says, found)
    (result,) = comparison["results"]
    assert comparison["verdict"] == "permitted"
    assert unpacked(result["alternatives"][0]["exclusive_or"]) == [0xFF, 0, 0, 0]
    assert unpacked(result["data"]["status"]) == [2, 0, 0, 0]
    assert unpacked(result["data"]["mask"]) == [2, 0, 0, 0]
    assert result["choices"][0]["because"] == "another GPU rounds to nearest"


def test_no_name_becomes_markup():
    """Names that try to end the script, or to stand for a place of the page, stay text."""
    title = '</script><img src=x onerror=alert(1)> @DATA@ @SCRIPT@ "&'
    page = report_page(title, [hostile_comparison()])
    assert page.count("<img") == 0
    assert page.lower().count("</script") == 2
    data = data_of(page)
    assert data["title"] == title
    assert data["comparisons"][0]["name"] == "</script><b>@SCRIPT@"


def test_no_address_is_asked_for():
    """The page names no other file and no host: it opens without a network."""
    page = report_page("t", [hostile_comparison()])
    assert not re.search(r"https?://|src=|@import|url\(", page)


def test_blocks_come_with_pictures():
    """A BC1 block of red (0xF800 twice, indices 0) is 4 x 4 texels of 255, 0, 0, 255."""
    block = np.array([[[0x00, 0xF8, 0x00, 0xF8, 0, 0, 0, 0]]], np.uint8)
    what = Image(format="RGB_DXT1", width_px=4, height_px=4)
    found = weighed_raw(block, block)
    (result,) = comparison_object("a", "b", found, image=what)["results"]
    assert unpacked(result["pictures"]["expected"]) == [255, 0, 0, 255] * 16
    assert result["image"]["components"] == []


def test_an_image_that_does_not_fit_is_shown_as_bytes():
    """12 bytes are no 4 x 4 RGBA8 image."""
    found = weighed_raw(np.zeros(12, np.uint8), np.zeros(12, np.uint8))
    (result,) = comparison_object("a", "b", found, image=Image(format="RGBA8", width_px=4, height_px=4))["results"]
    assert (result["kind"], result["image"]) == ("bytes", None)


def test_a_page_that_no_browser_takes_is_refused(monkeypatch):
    """More bytes of results than a page holds is one error."""
    monkeypatch.setattr(page_data, "MOST_PAGE_B", 2)
    found = weighed_raw(np.zeros(3, np.uint8), np.zeros(3, np.uint8))
    with pytest.raises(SizeError, match="3 bytes of results; a report page holds 2"):
        comparison_object("a", "b", found)


def test_an_accepted_result_stands_beside_what_is_built_now():
    """The accepted red of 5 is expected, today's 6 is actual; what has another shape is in words alone."""
    golden = plain_golden(image("a", np.array([[[6]]], np.uint8), Image(format="R8", width_px=1, height_px=1)))
    comparison = accepted_comparison(golden, {"a.npy": np.array([[[5]]], np.uint8)}, ["a: 1 of 1 elements differ"])
    (result,) = comparison["results"]
    assert (unpacked(result["data"]["expected"]), unpacked(result["data"]["actual"])) == ([5], [6])
    assert comparison["counts"] == "1 elements differ from what was accepted"
    other = accepted_comparison(golden, {"a.npy": np.array([5], np.uint8)}, ["a is another shape"])
    assert (other["results"], other["words"]) == ([], "a is another shape")
