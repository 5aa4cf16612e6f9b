# SPDX-License-Identifier: MIT
"""A window of rows and the device's signs in a real browser. The page is the test's own, and the test plays its
server."""

from conftest import live, noise_of, settled
from played import PAGE, Played
from playwright.sync_api import expect

BOX = """<i hidden data-vm-do="appeared" data-vm-on="visible"></i><i hidden data-vm-do="rotated" data-vm-on="rotate"></i>
  <div id="box" tabindex="0" data-vm-window="rows"><ul><template data-vm-each="rows"><li data-vm-text="title"></li></template></ul></div>"""
STYLE = "#box { height: 300px; overflow: auto } ul { margin: 0; list-style: none } li { height: 30px; overflow: hidden }"


def window(state):
    """The part of 100,000 rows that the page has asked for."""
    first, count = (state["rows"]["window"][name] for name in ("first", "count"))
    keys = [f"k{at}" for at in range(first, min(100_000, first + count))]
    return {"rows": {**state["rows"], "order": keys, "items": {key: {"title": f"row {key[1:]}"} for key in keys}}}


def test_a_window_of_100_000_rows_follows_the_scrolling_and_the_device_is_told_of(open_context):
    page = open_context(viewport={"width": 400, "height": 800}, is_mobile=True, has_touch=True).new_page()
    noise = noise_of(page)
    with Played(PAGE % BOX, {"rows": {"count": 100_000, "window": {"first": 0, "count": 50}}}, show=window, style=STYLE) as rows:
        page.goto(rows.url)
        live(page)
        box, seen = page.locator("#box"), page.locator("li")
        expect(seen).to_have_count(30)
        assert box.evaluate("box => box.scrollHeight") == 3_000_000
        box.evaluate("box => box.scrollTop = 1_500_000")
        expect(seen.first).to_have_text("row 49990")
        asked = [value for method, _, value in rows.applied if method == "PUT"]
        assert asked == [{"first": 0, "count": 30}, {"first": 49_990, "count": 30}]
        assert box.evaluate("box => [box.scrollTop, box.scrollHeight]") == [1_500_000, 3_000_000]
        # The right row is at the top of the box.
        at = "box => { const { left, top } = box.getBoundingClientRect(); return document.elementFromPoint(left + 60, top + 5).textContent }"
        assert box.evaluate(at) == "row 50000"
        box.evaluate("box => box.scrollTop = box.scrollHeight")
        expect(seen.last).to_have_text("row 99999")
        assert box.evaluate("box => box.scrollHeight") == 3_000_000
        with page.expect_response("**/actions/rotated*"):
            page.set_viewport_size({"width": 800, "height": 400})
        settled(page)
        told = [(path, value) for method, path, value in rows.applied if method == "POST"]
        assert told == [("/actions/appeared", None), ("/actions/rotated", 1), ("/actions/rotated", 3)]
        assert noise == []
