"""The report page in a real browser: opened from a file, clicked, read, without an error in its console.

Runs where Chromium, its driver and selenium are installed; REFNVN_REQUIRE_BROWSER=1 makes their absence a failure.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from refnvn.compare.judge import weighed_raw
from refnvn.compare.page import report_page
from refnvn.compare.page_data import comparison_object
from tests.compare.page_cases import followed_comparison, hostile_comparison, picture_comparison

REQUIRED = os.environ.get("REFNVN_REQUIRE_BROWSER") == "1"


def missing() -> str | None:
    """Return what a browser test lacks here."""
    try:
        import selenium  # noqa: F401
    except ImportError:
        return "selenium is not installed"
    lacking = [name for name in ("chromium", "chromedriver") if shutil.which(name) is None]
    return f"{' and '.join(lacking)} not found" if lacking else None


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Return a headless Chromium."""
    lacking = missing()
    if lacking is not None:
        if REQUIRED:
            pytest.fail(lacking)
        pytest.skip(lacking)
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    options.binary_location = str(shutil.which("chromium"))
    for argument in ("--headless=new", "--no-sandbox", "--window-size=1366,900", "--disable-gpu"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    service = webdriver.ChromeService(executable_path=shutil.which("chromedriver"))
    driver = webdriver.Chrome(options=options, service=service)
    yield driver
    driver.quit()


def opened(browser: Any, folder: Path, comparison: dict[str, Any]) -> None:
    """Open a page of one comparison and wait until it is drawn."""
    from selenium.webdriver.support.ui import WebDriverWait

    path = folder / "report.html"
    path.write_text(report_page("a report", [comparison]), encoding="utf-8")
    browser.get(path.as_uri())
    WebDriverWait(browser, 20, 0.05).until(lambda b: text_of(b, "body", "dataset.ready") == "yes")


def text_of(browser: Any, selector: str, what: str = "textContent") -> Any:
    """Return a property of an element of the page."""
    return browser.execute_script(f"return document.querySelector(arguments[0]).{what}", selector)


def press(browser: Any, *keys: str) -> None:
    """Press keys on the page."""
    from selenium.webdriver.common.action_chains import ActionChains

    ActionChains(browser).send_keys(*keys).perform()


def console(browser: Any) -> list[str]:
    """Return what the page's console says."""
    return [entry["message"] for entry in browser.get_log("browser")]


def rows_of(browser: Any, selector: str) -> list[list[str]]:
    """Return the cells of a table."""
    script = "return [...document.querySelectorAll(arguments[0])].map((r) => [...r.cells].map((c) => c.textContent))"
    found: list[list[str]] = browser.execute_script(script, selector)
    return found


@pytest.mark.slow
def test_the_first_wrong_texel_is_under_the_loupe(browser, tmp_path):
    """Green of layer 1, column 3, row 1 is code 31 * 7 = 217 and should not be 0x2a."""
    opened(browser, tmp_path, picture_comparison())
    assert "column 3, row 1, level 0, layer 1" in text_of(browser, "#where")
    green = rows_of(browser, "#texel tbody tr")[1]
    assert green == ["G", "0.850980392  0xd9", "0.164705882  0x2a", "wrong"]
    assert rows_of(browser, "#wrong-list tr") == [["layer 1, row 1, column 3, component 1", "217", "42"]]
    assert text_of(browser, "#history") == "draw 7 <b>stored</b> 0x2a"
    assert console(browser) == []


@pytest.mark.slow
def test_every_view_draws_and_keys_choose_it(browser, tmp_path):
    """Keys 1 to 9 press the nine buttons; the pixels of actual at the wrong texel are R 210, G 42."""
    opened(browser, tmp_path, picture_comparison())
    for number, mode in enumerate(
        ("expected", "actual", "difference", "heat", "verdict", "mask", "side", "flicker", "wipe"), start=1
    ):
        press(browser, str(number))
        assert text_of(browser, '#modes button[aria-pressed="true"]', "dataset.mode") == mode
    press(browser, "2")
    pixel = browser.execute_script(
        "return [...document.querySelector('#stage canvas').getContext('2d').getImageData(3, 1, 1, 1).data]"
    )
    assert pixel == [30 * 7, 0x2A, 0, 255]
    assert console(browser) == []


@pytest.mark.slow
def test_arrows_and_clicks_move_the_loupe(browser, tmp_path):
    """An arrow goes one texel left; a click on the top left texel goes there; n comes back to the wrong one."""
    from selenium.webdriver.common.keys import Keys

    opened(browser, tmp_path, picture_comparison())
    press(browser, Keys.ARROW_LEFT)
    assert text_of(browser, "#where").startswith("column 2, row 1")
    browser.execute_script(
        "const c = document.querySelector('#stage canvas'), b = c.getBoundingClientRect();"
        "c.dispatchEvent(new MouseEvent('click', {clientX: b.left + 1, clientY: b.top + 1}))"
    )
    assert text_of(browser, "#where").startswith("column 0, row 0")
    press(browser, "n")
    assert text_of(browser, "#where").startswith("column 3, row 1")
    assert console(browser) == []


@pytest.mark.slow
def test_tables_show_rows_that_differ(browser, tmp_path):
    """Only the second row differs: its width is 9 instead of 3."""
    from selenium.webdriver.support.ui import Select, WebDriverWait

    opened(browser, tmp_path, picture_comparison())
    Select(browser.find_element("id", "result")).select_by_index(1)
    WebDriverWait(browser, 10, 0.05).until(lambda b: not text_of(b, "#table-view", "hidden"))
    assert rows_of(browser, "#table tr") == [["", "width_px", "height_px"], ["second", "3 → 9", "4"]]
    browser.find_element("id", "only-differing").click()
    assert len(rows_of(browser, "#table tr")) == 3
    assert console(browser) == []


@pytest.mark.slow
def test_hostile_names_stay_text(browser, tmp_path):
    """Markup in names is shown as it is; nothing runs, and bytes are listed with the wrong one."""
    opened(browser, tmp_path, hostile_comparison())
    assert browser.execute_script("return document.querySelectorAll('img, svg, b').length") == 0
    assert text_of(browser, "#says") == "<!--<script>"
    assert "<svg onload=alert(1)>" in text_of(browser, "#result option")
    assert text_of(browser, "#hex").count("00000000 ") == 2
    assert console(browser) == []


@pytest.mark.slow
def test_a_laptop_shows_no_sideways_scroll(browser, tmp_path):
    """At 1366 pixels the page is not wider than the window."""
    opened(browser, tmp_path, picture_comparison())
    assert browser.execute_script("return document.documentElement.scrollWidth <= window.innerWidth")


@pytest.mark.slow
def test_long_words_break(browser, tmp_path):
    """Names, words and a diagnosis of 400 letters without a space make no page wider than the window."""
    long = "y" * 400
    found = weighed_raw(np.zeros(3, np.uint8), np.array([0, 1, 0], np.uint8), name=long)
    opened(browser, tmp_path, comparison_object(long, long, found, diagnosis=[f" 1. exact: {long}"]))
    assert text_of(browser, "#diagnosis").endswith(long)
    assert browser.execute_script("return document.documentElement.scrollWidth <= window.innerWidth")


@pytest.mark.slow
def test_every_key_is_safe_where_there_is_no_picture(browser, tmp_path):
    """Bytes and tables have no zoom, level, layer or views: after a picture their keys do nothing; n and p go on."""
    from selenium.webdriver.common.keys import Keys
    from selenium.webdriver.support.ui import Select, WebDriverWait

    opened(browser, tmp_path, picture_comparison())
    Select(browser.find_element("id", "result")).select_by_index(1)
    WebDriverWait(browser, 10, 0.05).until(lambda b: not text_of(b, "#table-view", "hidden"))
    for comparison in (None, hostile_comparison()):
        if comparison is not None:
            opened(browser, tmp_path, comparison)
        browser.execute_script("document.activeElement.blur()")
        press(browser, *"123456789+-=[],.fnp", Keys.ARROW_LEFT, Keys.ARROW_DOWN)
        assert console(browser) == []


@pytest.mark.slow
def test_a_wrong_sample_shows_its_history(browser, tmp_path):
    """Sample 5 of pixel 3, 3 is looked at first, with what became of all eight; sample 4 was right: no history."""
    from selenium.webdriver.support.ui import Select

    opened(browser, tmp_path, followed_comparison("ms_slot/eight_samples", "target", ((3 * 8 + 3) * 8 + 5) * 4))
    assert "column 3, row 3, level 0, layer 0, slice 0, sample 5" in text_of(browser, "#where")
    lost = browser.execute_script("return [...document.querySelectorAll('#history .lost')].map((e) => e.textContent)")
    assert [line.strip() for line in lost] == [f"sample {number}: not covered" for number in (0, 2, 6, 7)]
    assert "sample 5: stored" in text_of(browser, "#history")
    assert "read by processor" in text_of(browser, "#history .read")
    Select(browser.find_element("id", "sample")).select_by_index(4)
    assert text_of(browser, "#history-box", "hidden") is True
    assert console(browser) == []


@pytest.mark.slow
def test_a_wrong_word_shows_who_wrote_and_read_it(browser, tmp_path):
    """Of bytes, the word of the wrong one: written by a copy, read by the processor."""
    opened(browser, tmp_path, followed_comparison("copy_order/overlapping_writes", "copied", 5))
    assert text_of(browser, "#history-box", "hidden") is False
    assert "CopyBufferToBuffer: stores 11 11 11 11" in text_of(browser, "#history")
    assert text_of(browser, "#history .read").strip().endswith("ReadMemory 'copied': read by processor")
    assert console(browser) == []
