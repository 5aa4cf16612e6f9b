# SPDX-License-Identifier: MIT
"""Pages by their names without an ending, and the page at the root of an app that has none there."""

import re
import shutil
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from conftest import DEMOS, ROOT, Server, live, noise_of
from playwright.sync_api import expect

NAMES = ["login", "signup", "page", "profile", "client", "index"]


@pytest.mark.parametrize("name", NAMES)
def test_a_page_is_had_by_its_name_without_an_ending_with_all_that_it_needs(context, url, name):
    page = context.new_page()
    noise = noise_of(page)
    answer = page.goto(f"{url}{name}?from=a-letter")
    assert answer.status == 200
    if name in DEMOS:
        live(page)
    title = re.search("<title>(.*)</title>", (ROOT / "Public" / f"{name}.html").read_text())[1]
    expect(page).to_have_title(title)
    assert page.evaluate("location.pathname") == f"/{name}"
    assert page.evaluate("document.styleSheets.length") == 1
    assert noise == []


@pytest.fixture
def bare(binary, tmp_path):
    """An app with a folder for its pages, which is empty."""
    server = Server(str(Path(binary).parent / "GatehouseApp"), is_demos=False, public=tmp_path)
    yield server
    server.stop()


def test_an_app_without_a_page_says_at_its_root_what_there_is_and_leads_to_a_page_once_there_is_one(context, bare, tmp_path):
    page = context.new_page()
    assert page.goto(bare.url).status == 200
    expect(page.get_by_role("listitem")).to_have_count(3)
    links = page.get_by_role("link").evaluate_all("links => links.map(link => link.href)")
    assert len(links) >= 4
    for link in links:
        assert context.request.get(link).status == 200, link
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
    shutil.copy(ROOT / "Public" / "euripus.js", tmp_path)
    (tmp_path / "gate.html").write_text(
        '<!doctype html><html lang="en"><meta charset="utf-8"><title>Gate</title><script type="module" src="/euripus.js"></script>'
        '<main data-vm-root="gate"><output data-vm-text="name"></output></main></html>')
    page.reload()
    page.get_by_role("link", name="gate", exact=True).click()
    live(page)
    expect(page.locator("output")).to_have_text("nobody")
    assert page.evaluate("location.pathname") == "/gate.html"
