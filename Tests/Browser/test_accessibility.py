# SPDX-License-Identifier: MIT
"""Axe finds no fault with any page, in light and dark, on a small phone, a phone or a screen."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from conftest import ROOT, HeldRequests, sign_in
from playwright.sync_api import expect

PAGES = sorted(page.stem for page in (ROOT / "Public").glob("*.html")) + ["problems", "problems/invalid-action"]


def use(page, name):
    """Makes the page show the parts that it hides at first, if it has any."""
    if name == "login":
        page.fill("#username", "mar")
        expect(page.locator("#username")).to_have_attribute("aria-invalid", "true")
    elif name == "signup":
        page.fill("#username", "maruko")
        page.fill("#password", "12345")
        page.click("button[type=submit]")
        expect(page.locator(".alert")).to_contain_text("This is wonderful")
    elif name == "page":
        page.get_by_role("button", name="Register").click()
        expect(page.locator(".toast")).to_have_text("Register Done.")
    elif name == "follow":
        page.locator("li", has_text="Kurt").locator("button.follow").click()
        expect(page.get_by_role("alert")).not_to_be_empty()
    elif name == "recordings":
        page.get_by_label("Name", exact=True).fill("Talks")
        page.get_by_role("button", name="New folder").click()
        page.locator("button.row", has_text="Talks").first.click()
        expect(page.get_by_role("textbox", name="Folder name")).to_have_value("Talks")
    elif name == "profile":
        page.get_by_role("button", name="crab's").click()
        expect(page.locator(".forms .card")).to_have_count(3)


def expect_no_violation(page):
    violations = Axe().run(page).response["violations"]
    found = [(each["id"], [node["html"] for node in each["nodes"]]) for each in violations]
    assert found == [], found
    width = page.viewport_size["width"]
    assert page.evaluate("document.documentElement.scrollWidth") <= width, "nothing is scrolled sideways"


@pytest.mark.parametrize("width", [320, 390, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", [
    pytest.param(name, marks=pytest.mark.one_server("the demo keeps its recordings in the memory of one process"))
    if name == "recordings" else name for name in PAGES])
def test_axe_finds_no_violation(browser, url, name, scheme, width):
    context = browser.new_context(
        viewport={"width": width, "height": 760}, color_scheme=scheme, reduced_motion="reduce", bypass_csp=True)
    if name == "account":
        sign_in(context, url)
    page = context.new_page()
    page.goto(url + (name if name.startswith("problems") else f"{name}.html"))
    if page.locator("[data-vm-root]").count():
        expect(page.locator("html")).to_have_attribute("data-vm", "live")
    use(page, name)
    expect_no_violation(page)
    context.close()


@pytest.mark.parametrize("width", [320, 390, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_no_violation_before_the_first_state_and_without_a_connection(browser, url, scheme, width):
    context = browser.new_context(
        viewport={"width": width, "height": 760}, color_scheme=scheme, reduced_motion="reduce", bypass_csp=True)
    page = context.new_page()
    held = HeldRequests(page, "**/sessions/**")
    page.goto(url + "follow.html")
    expect(page.locator("[data-vm-status]")).to_have_text("Connecting…")
    expect_no_violation(page)
    held.release()
    expect(page.locator("html")).to_have_attribute("data-vm", "live")
    context.set_offline(True)
    expect(page.get_by_role("button", name="Try now")).to_be_visible()
    page.locator("[data-vm-do=suggest]").click()
    page.locator("li", has_text="Grace").locator("button.follow").click()
    expect(page.locator("[data-vm-refused]")).to_have_count(2)
    expect_no_violation(page)
    context.close()
