# SPDX-License-Identifier: MIT
"""Files that a session offers, in the cookbook's recipe."""

from pathlib import Path

import pytest
from conftest import Demo, live
from playwright.sync_api import expect

BOATS = "Aurora, 12 m\nBorea, 31 m\nCormorant, 8 m\nDolphin, 24 m\n"


@pytest.fixture
def page(context, url):
    page = Demo(context, url + "cookbook.html").page
    live(page)
    return page


def saved(page, press):
    with page.expect_download() as download:
        press()
    return download.value.suggested_filename, Path(download.value.path()).read_text()


def test_an_action_has_the_browser_keep_a_file_and_the_page_stays(page):
    name = page.get_by_role("button", name="Rename it")
    link = page.locator("#download a[download]")
    expect(link).to_be_hidden()
    assert saved(page, page.get_by_role("button", name="Save the boats").click) == ("Chalkis.txt", BOATS)
    # The page goes on: its next action is answered.
    expect(link).to_have_text("Chalkis.txt")
    for _ in range(2):
        assert saved(page, link.click) == ("Chalkis.txt", BOATS)
    name.click()
    expect(page.get_by_role("dialog")).to_be_visible()
