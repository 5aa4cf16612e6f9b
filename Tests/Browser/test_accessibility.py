# SPDX-License-Identifier: MIT
"""Axe finds no fault with any page, in light and dark, on a small phone, a phone or a screen."""

import itertools

import pytest
from axe_playwright_python.sync_playwright import Axe
from conftest import PAGES, HeldRequests, live, visit
from playwright.sync_api import expect


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
    elif name == "board":
        page.get_by_label("Find a card").fill("blanket")
        expect(page.locator(".slip.found")).to_have_count(1)
        page.locator(".slip.found").get_by_role("textbox").focus()
        expect(page.locator(".slip.found .here")).to_have_text("Guest")
    elif name == "profile":
        page.get_by_role("button", name="Open a crab form").click()
        expect(page.locator(".forms .card")).to_have_count(3)


SCHEMES, WIDTHS = ("light", "dark"), (320, 390, 1280)


def expect_no_violation(page, schemes=SCHEMES, widths=WIDTHS):
    """Looks at the page as it is, in each scheme and at each width."""
    found = []
    for scheme, width in itertools.product(schemes, widths):
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        page.set_viewport_size({"width": width, "height": 760})
        violations = Axe().run(page).response["violations"]
        found += [(scheme, width, each["id"], [node["html"] for node in each["nodes"]]) for each in violations]
        assert page.evaluate("document.documentElement.scrollWidth") <= width, "nothing is scrolled sideways"
    assert found == [], found


@pytest.mark.parametrize("name", [
    pytest.param(name, marks=pytest.mark.one_server("the demo keeps its recordings in the memory of one process"))
    if name == "recordings" else name for name in [*PAGES, "problems", "problems/invalid-action"]])
def test_axe_finds_no_violation(open_context, url, name):
    page = visit(open_context(bypass_csp=True), url, name)
    use(page, name)
    expect_no_violation(page)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("scheme", SCHEMES)
def test_axe_finds_no_violation_before_the_first_state_and_without_a_connection(open_context, url, scheme, width):
    # The line about the connection lies over the page, so it depends on the width at which the page was scrolled.
    context = open_context(bypass_csp=True, viewport={"width": width, "height": 760}, color_scheme=scheme)
    page = context.new_page()
    held = HeldRequests(page, "**/sessions/**")
    page.goto(url + "follow.html")
    expect(page.locator("[data-vm-status]")).to_have_text("Connecting…")
    expect_no_violation(page, [scheme], [width])
    held.release()
    live(page)
    context.set_offline(True)
    expect(page.get_by_role("button", name="Try now")).to_be_visible()
    page.locator("[data-vm-do=suggest]").click()
    page.locator("li", has_text="Grace").locator("button.follow").click()
    expect(page.locator("[data-vm-refused]")).to_have_count(2)
    expect_no_violation(page, [scheme], [width])
