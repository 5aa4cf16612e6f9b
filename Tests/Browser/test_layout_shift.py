# SPDX-License-Identifier: MIT
"""No page jumps as it loads, by the browser's own measure (CLS), and no page shows words of a state
before it has the state."""

import pytest
from conftest import DEMOS, PAGES, HeldRequests, live, sign_in
from playwright.sync_api import expect

MOST = 0.05

# Parts of a page that moved, and how far: layout shifts that no input has caused, from the page's start on.
SHIFTS = """() => new Promise((done) => {
    const found = [];
    const take = (list) => {
        for (const { value, hadRecentInput, sources } of list.getEntries())
            if (!hadRecentInput) found.push([value, sources.map(({ node }) => (node?.outerHTML ?? node?.textContent ?? "").slice(0, 60))]);
    };
    const observer = new PerformanceObserver(take);
    observer.observe({ type: "layout-shift", buffered: true });
    requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => done(found))));
})"""

PAINTED = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"

# Visible elements that show a part of the state.
SEEN = """() => [...document.querySelectorAll("[data-vm-root] :is([data-vm-text], [data-vm-show])")]
    .filter((node) => !node.matches("[data-vm-permanent] *") && node.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
    .map((node) => node.outerHTML)"""


@pytest.fixture(scope="module")
def measured():
    """The sum of each page's shifts, at a first visit or a reload, whichever is worse. A table of all is
    printed at the end."""
    found = {}
    yield found
    widths = sorted({width for _, width in found})
    print("\n\nLayout shift\n" + "page".ljust(12), *(f"{width} px".rjust(8) for width in widths))
    for name in sorted({name for name, _ in found}):
        print(name.ljust(12), *(f"{found.get((name, width), 0):.4f}".rjust(8) for width in widths))


def shifts(page, load):
    """The parts that moved until the page shows its state and all pictures. The state comes once the browser has
    painted the page without it."""
    held = HeldRequests(page, "**/sessions/**")
    load()
    page.evaluate(PAINTED)
    held.release()
    live(page) if page.locator("[data-vm-root]").count() else page.wait_for_load_state("load")
    found = page.evaluate(SHIFTS)
    page.unroute("**/sessions/**")
    return found


def total(found):
    return sum(value for value, _ in found)


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("name", PAGES)
def test_nothing_jumps_as_a_page_loads(open_context, url, measured, name, width):
    context = open_context(viewport={"width": width, "height": 760}, reduced_motion="no-preference")
    if name == "account":
        sign_in(context, url)
    page = context.new_page()
    first = shifts(page, lambda: page.goto(f"{url}{name}.html"))
    again = shifts(page, page.reload)
    measured[name, width] = max(total(first), total(again))
    assert measured[name, width] <= MOST, (first, again)


@pytest.mark.parametrize("name", DEMOS)
def test_nothing_of_a_state_is_said_before_the_first_one(context, url, name):
    page = context.new_page()
    held = HeldRequests(page, "**/sessions/**")
    page.goto(f"{url}{name}.html")
    expect(page.locator("[data-vm-root]").first).to_have_attribute("aria-busy", "true")
    assert page.evaluate(SEEN) == []
    held.release()
