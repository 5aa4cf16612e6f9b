# SPDX-License-Identifier: MIT
"""The weight of a first view of the login and the sign-up, by the browser's own count. The drawer of the wire is counted
by itself: an app's page has none."""

import pytest
from conftest import HeldRequests, live
from playwright.sync_api import expect

# All that the browser has asked for, with the bytes of content as they came, compressed. Its icon comes when the page is
# there, once a site.
ASKED = """() => ["navigation", "resource"].flatMap((type) => performance.getEntriesByType(type))
    .filter(({ name }) => !/[/]changes|[/]favicon/.test(name)).map(({ name, encodedBodySize }) => [name, encodedBodySize])"""


@pytest.mark.parametrize("name", ["login", "signup"])
def test_a_first_view_has_at_most_4_requests_and_20_000_bytes_of_content(context, url, name):
    page = context.new_page()
    page.goto(f"{url}{name}")
    live(page)
    asked = page.evaluate(ASKED)
    page_itself = [each for each in asked if "wire" not in each[0] and "/surfaces/" not in each[0]]
    assert len(page_itself) == 4, asked
    assert all(size for _, size in page_itself), asked
    assert sum(size for _, size in page_itself) <= 20_000, asked


@pytest.mark.parametrize("name", ["login", "signup"])
def test_the_drawer_of_the_wire_has_at_most_1_000_bytes_before_the_first_state_and_8_000_in_all(context, url, name):
    page = context.new_page()
    held = HeldRequests(page, "**/sessions/**")
    page.goto(f"{url}{name}")
    expect(page.locator("[data-vm-root]")).to_have_attribute("aria-busy", "true")
    wire = lambda: [each for each in page.evaluate(ASKED) if "wire" in each[0]]  # noqa: E731
    first = wire()
    assert [address for address, _ in first] == [url + "euripus-wire.js"] and first[0][1] <= 1_000, first
    held.release()
    expect(page.get_by_role("button", name="Show the traffic")).to_be_visible()
    assert len(wire()) == 3 and sum(size for _, size in wire()) <= 8_000, wire()
