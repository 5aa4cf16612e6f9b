# SPDX-License-Identifier: MIT
"""All demos speak of the connection in the same way, stand in the same grid, and move nothing for a person who
prefers less motion."""

import re

import pytest
from conftest import DEMOS, PAGES, cut, live, settled, visit
from playwright.sync_api import expect

MOVING = """() => [...document.querySelectorAll("*")].flatMap((node) => ["", "::before", "::after"].map((part) => getComputedStyle(node, part)))
    .filter(({ animationDuration, transitionProperty, transitionDuration }) =>
        parseFloat(animationDuration) > 0.001 || (transitionProperty !== "none" && parseFloat(transitionDuration) > 0.001)).length"""


# The places of the controls, texts and boxes of a page, in the order of the document.
PLACES = """() => [...document.querySelectorAll("main, form, .card, button, input, select, h1, h2, p")].filter((node) => !node.closest(".connection") && node.getClientRects().length)
    .map((node) => { const { x, y, width, height } = node.getBoundingClientRect(); return [node.tagName + " " + node.textContent.trim().slice(0, 20), x, y + scrollY, width, height].join() })"""

# The controls that an element lies over, as they are seen.
COVERED = """(selector) => {
    const { left, right, top, bottom } = document.querySelector(selector).getBoundingClientRect();
    return [...document.querySelectorAll("button, input, select, a")].filter((node) => !node.closest(selector) && node.checkVisibility({ visibilityProperty: true }))
        .filter((node) => { const box = node.getBoundingClientRect(); return box.left < right && left < box.right && box.top < bottom && top < box.bottom })
        .map((node) => node.textContent || node.id);
}"""


def words_of(page):
    """The places, as x, y, width and height, of the words that the style draws at all that was refused."""
    snapshot = page.context.new_cdp_session(page).send("DOMSnapshot.captureSnapshot", {"computedStyles": []})
    nodes, layout, strings = snapshot["documents"][0]["nodes"], snapshot["documents"][0]["layout"], snapshot["strings"]
    refused = [at for at, names in enumerate(nodes["attributes"]) if "data-vm-refused" in [strings[name] for name in names[::2]]]
    drawn = [at for at in nodes["pseudoType"]["index"] if nodes["parentIndex"][at] in refused]
    return [bounds for at, bounds in zip(layout["nodeIndex"], layout["bounds"]) if at in drawn]


# The controls that such words lie over, but for the one that was refused.
UNDER = """([x, y, width, height]) => [...document.querySelectorAll("button, input, select, textarea, a")].filter((node) => node.checkVisibility({ visibilityProperty: true }) && !node.closest(".connection"))
    .filter((node) => { const box = node.getBoundingClientRect(); return box.left < x - scrollX + width && x - scrollX < box.right && box.top < y - scrollY + height && y - scrollY < box.bottom })
    .filter((node) => !(node.localName === "button" && "vmRefused" in node.dataset))
    .map((node) => node.textContent || node.labels?.[0].textContent || node.id)"""


def expect_words_to_cover_no_control(page):
    words = words_of(page)
    assert words
    assert [page.evaluate(UNDER, each) for each in words] == [[]] * len(words)


WIDTHS = pytest.mark.parametrize("width", [390, 1280])


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


@WIDTHS
@pytest.mark.parametrize("name, label", [("follow", "Suggest more"), ("follow", "Hide"), ("login", "Log in"), ("page", "Login"), ("recordings", "New recording"), ("signup", "Sign up")])
def test_a_press_that_was_not_done_says_so_at_its_button_and_moves_nothing(open_context, url, name, label, width):
    context = open_context(viewport={"width": width, "height": 760})
    page = visit(context, url, name)
    button = page.locator("main").get_by_role("button", name=label).first
    context.set_offline(True)
    expect(page.locator("html")).to_have_attribute("data-vm", "offline")
    before = page.evaluate(PLACES)
    button.focus()
    page.keyboard.press("Enter")
    words = page.locator("[data-vm-status]").text_content()
    expect(button).to_have_attribute("data-vm-refused", words)
    expect(button, "a screen reader says it with the button's name").to_have_accessible_name(re.compile(re.escape(words)))
    assert page.evaluate(PLACES) == before
    expect_words_to_cover_no_control(page)
    context.set_offline(False)
    live(page)
    expect(page.locator("[data-vm-refused]")).to_have_count(0)


@WIDTHS
def test_a_press_that_the_view_model_does_not_take_moves_nothing(open_context, url, width):
    page = visit(open_context(viewport={"width": width, "height": 760}), url, "login")
    button = page.get_by_role("button", name="Log in")
    before = page.evaluate(PLACES)
    button.focus()
    page.keyboard.press("Enter")
    expect(button).to_have_attribute("data-vm-refused", "Not yet: the message above says what is missing.")
    settled(page)
    assert page.evaluate(PLACES) == before


@WIDTHS
def test_a_toast_covers_no_control_and_moves_nothing(open_context, url, width):
    page = visit(open_context(viewport={"width": width, "height": 760}), url, "page")
    before = page.evaluate(PLACES)
    page.get_by_role("button", name="Register").click()
    expect(page.locator(".toast")).to_have_text("Register Done.")
    settled(page)
    assert page.evaluate(COVERED, ".toast") == []
    # The texts differ, the places do not.
    assert [each.split(",")[-4:] for each in page.evaluate(PLACES)] == [each.split(",")[-4:] for each in before]


@WIDTHS
@pytest.mark.parametrize("name", DEMOS)
def test_the_words_about_the_connection_cover_no_control_of_a_page_that_is_not_scrolled(open_context, url, name, width):
    context = open_context(viewport={"width": width, "height": 760})
    page = visit(context, url, name)
    context.set_offline(True)
    expect(page.locator(".connection [data-vm-countdown]")).not_to_be_empty()
    # The header's links lead to other pages, which cannot be had now.
    links = page.locator(".top a").all_text_contents()
    assert [each for each in page.evaluate(COVERED, ".connection") if each not in links] == []


PRESSES = {
    "account": "Save the note", "board": "Delete Bring a blanket", "cookbook": "Look in the harbour", "follow": "Suggest more", "login": "Log in", "page": "Register", "profile": "Open a crab form",
    "recordings": "New folder", "reference": "Count to ten", "signup": "Sign up"}


@pytest.mark.parametrize("name", DEMOS)
def test_a_page_without_a_connection_says_the_same_of_a_press_in_both_places_and_promises_nothing_of_it(context, wire, name):
    page = visit(context, wire.url, name)
    cut(wire, page)
    button = page.get_by_role("button", name=PRESSES[name])
    button.focus()
    page.keyboard.press("Enter")
    line = page.locator(".connection [data-vm-status]")
    words = line.text_content()
    assert "nothing is lost" not in words and ("button presses are not" in words or "buttons do nothing" in words)
    # The page of the attributes has another status, as an example, which is the first.
    expect(button).to_have_attribute("data-vm-refused", page.locator("[data-vm-status]").first.text_content())
    # A password is sent later too, but is nowhere kept over a reload (CLIENT.md, "Without a connection").
    has_password = page.locator("[data-vm-root] input[type=password]").count() > 0
    for said in (words, line.get_attribute("data-offline")):
        assert ("A password is lost if you reload." in said) == has_password


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
