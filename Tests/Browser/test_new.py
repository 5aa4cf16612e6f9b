# SPDX-License-Identifier: MIT
"""The pages of the packages that `euripus new` makes, served by the programs of their templates."""

import subprocess
from pathlib import Path

import pytest
from conftest import Demo, Server
from playwright.sync_api import expect
from test_accessibility import expect_no_violation


@pytest.fixture
def make(binary, tmp_path):
    """Makes a package, and serves its page. Arguments: the template's program, and options of both."""
    servers = []

    def made(program, *options, new=()):
        folder = tmp_path / "shop"
        subprocess.run([binary, "new", "shop", "--directory", folder, *new], check=True, stdout=subprocess.DEVNULL)
        servers.append(Server(str(Path(binary).parent / program), is_demos=False, public=folder / "Public", options=options))
        return servers[-1].url

    yield made
    for server in servers:
        server.stop()


def test_a_new_page_is_driven_by_keyboard_and_axe_finds_no_violation(open_context, make, tmp_path):
    demo = Demo(open_context(bypass_csp=True), make("Starter", "--copies", str(tmp_path / "copies")))
    page = demo.page
    expect(page.get_by_role("button", name="Keep a copy")).to_have_attribute("aria-disabled", "true")
    page.get_by_label("Thing").press("Enter")
    expect(page.locator("#thing-error")).to_have_text("This is needed")
    expect(page.get_by_label("Thing")).to_be_focused()
    expect_no_violation(page)
    page.keyboard.type("Milk")
    page.keyboard.press("Enter")
    milk = page.get_by_role("listitem").filter(has_text="1 × Milk")
    milk.get_by_role("checkbox").press("Space")
    expect(page.get_by_text("0 left to buy")).to_be_visible()
    page.get_by_role("button", name="Keep a copy").press("Enter")
    expect(page.get_by_text("Kept as list-")).to_be_visible()
    expect_no_violation(page)
    page.get_by_role("button", name="Remove Milk").press("Enter")
    expect(milk).to_have_count(0)
    assert demo.noise == []
    assert [each.read_text() for each in (tmp_path / "copies").iterdir()] == ["[x] 1 × Milk\n"]


def test_the_counter_of_a_minimal_package_counts_and_axe_finds_no_violation(open_context, make):
    page = Demo(open_context(bypass_csp=True), make("Tally", new=["--minimal"])).page
    page.get_by_role("button", name="Add").press("Enter")
    expect(page.locator("output")).to_have_text("1")
    expect_no_violation(page)
