# SPDX-License-Identifier: MIT
"""A window of rows and the device's signs in a real browser. The page is the test's own, and the test plays its
server."""

import json
from pathlib import Path

from playwright.sync_api import expect

PUBLIC = Path(__file__).resolve().parents[2] / "Public"
CSP = (
    "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self'; img-src 'self'; base-uri 'none'; "
    "form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
)


def noise_of(page):
    noise = []
    page.on("console", lambda message: noise.append(f"console: {message.text}"))
    page.on("pageerror", lambda error: noise.append(f"error: {error}"))
    return noise


PAGE = """<!doctype html><html lang="en"><title>Rows</title><link rel="stylesheet" href="/rows.css">
<script type="module" src="/euripus.js"></script>
<main data-vm-root="rows">
  <i hidden data-vm-do="appeared" data-vm-on="visible"></i><i hidden data-vm-do="rotated" data-vm-on="rotate"></i>
  <div id="box" tabindex="0" data-vm-window="rows"><ul><template data-vm-each="rows"><li data-vm-text="title"></li></template></ul></div>
</main></html>"""
STYLE = "#box { height: 300px; overflow: auto } ul { margin: 0; list-style: none } li { height: 30px; overflow: hidden }"


class Rows:
    """A server of 100,000 rows, of which the page shows a window. It answers each request with the whole state."""

    def __init__(self, page):
        self.window, self.number, self.asked, self.actions = {"first": 0, "count": 50}, 1, [], []
        page.route("**/*", self.answer)

    def state(self):
        first, count = self.window["first"], self.window["count"]
        keys = [f"k{at}" for at in range(first, min(100_000, first + count))]
        items = {key: {"title": f"row {key[1:]}"} for key in keys}
        return {"rows": {"order": keys, "items": items, "count": 100_000, "window": self.window}}

    def answer(self, route):
        request, path = route.request, route.request.url.split("/", 3)[3].split("?")[0]
        files = {"rows.html": (PAGE, "text/html"), "rows.css": (STYLE, "text/css"), "favicon.ico": ("", "image/x-icon")}
        for script in PUBLIC.glob("euripus*.js"):
            files[script.name] = (script.read_text(), "text/javascript")
        if path in files:
            body, kind = files[path]
            return route.fulfill(body=body, content_type=kind, headers={"content-security-policy": CSP})
        if path.endswith("/changes"):
            # A poll is held without an end, as only this page changes anything.
            return None if "prefer" in request.headers else route.fulfill(status=204)
        if path.endswith("/state/rows/window"):
            self.window, self.number = request.post_data_json, self.number + 1
            self.asked.append(self.window)
        elif "/actions/" in path:
            self.actions.append((path.rsplit("/", 1)[1], request.post_data))
        to = f"e.{self.number}"
        answer = {"url": "/sessions/rows/s", "version": to, "from": None, "to": to, "state": self.state()}
        return route.fulfill(status=200, content_type="application/json", body=json.dumps(answer))


def test_a_window_of_100_000_rows_follows_the_scrolling_and_the_device_is_told_of(browser):
    context = browser.new_context(viewport={"width": 400, "height": 800}, is_mobile=True, has_touch=True)
    page = context.new_page()
    noise = noise_of(page)
    rows = Rows(page)
    page.goto("http://rows.test/rows.html")
    box, seen = page.locator("#box"), page.locator("li")
    expect(seen).to_have_count(30)
    assert box.evaluate("box => box.scrollHeight") == 3_000_000
    box.evaluate("box => box.scrollTop = 1_500_000")
    expect(seen.first).to_have_text("row 49990")
    assert rows.asked == [{"first": 0, "count": 30}, {"first": 49_990, "count": 30}]
    assert box.evaluate("box => [box.scrollTop, box.scrollHeight]") == [1_500_000, 3_000_000]
    # The right row is at the top of the box.
    at = "box => { const { left, top } = box.getBoundingClientRect(); return document.elementFromPoint(left + 60, top + 5).textContent }"
    assert box.evaluate(at) == "row 50000"
    box.evaluate("box => box.scrollTop = box.scrollHeight")
    expect(seen.last).to_have_text("row 99999")
    assert box.evaluate("box => box.scrollHeight") == 3_000_000
    assert rows.actions == [("appeared", None), ("rotated", "1")]
    with page.expect_response(lambda response: "rotated" in response.url):
        page.set_viewport_size({"width": 800, "height": 400})
    expect(page.locator("[aria-busy]")).to_have_count(0)
    assert rows.actions[2:] == [("rotated", "3")]
    assert noise == []
    context.close()
