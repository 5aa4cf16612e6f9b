# SPDX-License-Identifier: MIT
"""All demos speak of the connection in the same way, stand in the same grid, and move nothing for a person who
prefers less motion."""

import pytest
from conftest import DEMOS, PAGES, live, visit
from playwright.sync_api import expect

MOVING = """() => [...document.querySelectorAll("*")].flatMap((node) => ["", "::before", "::after"].map((part) => getComputedStyle(node, part)))
    .filter(({ animationDuration, transitionProperty, transitionDuration }) =>
        parseFloat(animationDuration) > 0.001 || (transitionProperty !== "none" && parseFloat(transitionDuration) > 0.001)).length"""


@pytest.mark.parametrize("name", DEMOS)
def test_each_demo_says_how_long_it_waits_and_lets_one_try_at_once(context, url, name):
    page = visit(context, url, name)
    line = page.locator(".connection")
    retry = line.get_by_role("button", name="Try now")
    expect(line.locator("[data-vm-status]")).to_have_text("")
    expect(retry).to_be_hidden()
    expect(page.locator("[data-blocked]"), "what the server refuses is said in its own words").to_have_count(0)
    expect(page.locator("[role=status] [data-vm-countdown], [role=alert] [data-vm-countdown]")).to_have_count(0)
    context.set_offline(True)
    expect(line.locator("[data-vm-status]")).to_contain_text("offline")
    expect(line.locator("[data-vm-countdown]")).not_to_be_empty()
    expect(retry).to_be_visible()
    context.set_offline(False)
    expect(line.locator("[data-vm-status]")).to_have_text("")
    expect(retry).to_be_hidden()


def test_a_press_that_was_not_done_says_so_at_its_button(context, url):
    page = visit(context, url, "follow")
    button = page.locator("[data-vm-do=suggest]")
    height = button.bounding_box()["height"]
    context.set_offline(True)
    expect(page.locator("html")).to_have_attribute("data-vm", "offline")
    button.click()
    expect(button).to_have_accessible_name("Suggest more This page is offline. What you press now is not done.")
    assert button.bounding_box()["height"] > height, "it has a line of its own"
    context.set_offline(False)
    live(page)
    button.click()
    expect(page.locator("[data-vm-refused]")).to_have_count(0)
    expect(page.locator(".person").nth(4), "it is done this time").to_be_visible()


@pytest.mark.parametrize("name", PAGES)
def test_the_aside_is_beside_the_main_column_or_below_it(context, url, name):
    page = visit(context, url, name)
    aside, main = page.locator(".stage > .aside"), page.locator(".stage > :not(.intro, .aside, .connection, .toast, [hidden])").first
    a, m = aside.bounding_box(), main.bounding_box()
    assert a["x"] >= m["x"] + m["width"] and abs(a["y"] - m["y"]) < 1
    top = page.locator(".brand").bounding_box()
    assert top["x"] == m["x"] == page.locator(".intro").bounding_box()["x"]
    page.set_viewport_size({"width": 390, "height": 760})
    a, m = aside.bounding_box(), main.bounding_box()
    assert a["x"] == m["x"] and (a["y"] >= m["y"] + m["height"] or m["y"] >= a["y"] + a["height"])


@pytest.mark.parametrize("name", PAGES)
def test_nothing_moves_where_less_motion_is_preferred(context, url, name):
    page = visit(context, url, name)
    assert page.evaluate(MOVING) == 0
