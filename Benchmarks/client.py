# SPDX-License-Identifier: MIT
"""The costs of the passive view in Debian's chromium: from a letter to the text that the server makes of it, and a
list of 10,000 rows.

Usage: $(Scripts/python-environment.sh Tests/Browser)/bin/python Benchmarks/client.py SERVER [--actions 500]"""

import argparse
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "Tests" / "Browser"))

from conftest import Server  # noqa: E402
from played import Played  # noqa: E402
from playwright.sync_api import expect, sync_playwright  # noqa: E402

# Each edit waits until the page shows the one before.
LETTERS = """async (count) => {
  const [field, message] = ["#username", "#message"].map((each) => document.querySelector(each));
  const times = [];
  for (let number = 0; number < count; number++) {
    const start = performance.now();
    const seen = new Promise((done) => new MutationObserver((_, observer) => done(observer.disconnect())).observe(message, { childList: true, characterData: true, subtree: true }));
    field.value = number % 2 ? "" : "mar";
    field.dispatchEvent(new Event("input", { bubbles: true }));
    await seen;
    times.push(performance.now() - start);
  }
  return times.sort((a, b) => a - b);
}"""

ROWS = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Rows</title><link rel="icon" href="/favicon.svg">
<script type="module" src="/euripus.js"></script><main data-vm-root="m"><ul><template data-vm-each="rows">
<li data-vm-class-odd="odd"><b data-vm-text="title"></b> <i data-vm-text="text"></i></li></template></ul></main></html>"""

# The page tells of a frame before it shows it. The microtask runs once the script has shown it, the timer after
# the paint.
FRAMES = """addEventListener("vm:frame", () => {
  const start = performance.now();
  queueMicrotask(() => {
    const script = performance.now() - start;
    requestAnimationFrame(() => setTimeout(() => (window.shown = [...(window.shown ?? []), [script, performance.now() - start]])));
  });
}, true);"""


def letters(browser, server, count):
    page = browser.new_page()
    page.goto(server.url + "login.html")
    expect(page.locator("html")).to_have_attribute("data-vm", "live")
    page.evaluate(LETTERS, 50)
    times = page.evaluate(LETTERS, count)
    page.close()
    print(f"a letter to the text made of it: p50 {times[count // 2]:.1f} ms, p99 {times[count * 99 // 100]:.1f} ms, of {count}")


def rows(browser, count=10_000):
    keys = [f"k{number}" for number in range(count)]
    items = {key: {"title": key, "text": f"text of {key}", "odd": at % 2 == 1} for at, key in enumerate(keys)}
    with Played(ROWS, {"rows": {"order": keys, "items": items}}) as played:
        page = browser.new_page()
        page.add_init_script(FRAMES)
        page.goto(played.url)
        expect(page.locator("li")).to_have_count(count, timeout=60_000)
        for number in range(20):
            played.patch({"op": "replace", "path": f"/rows/items/k{number * 499}/text", "value": f"changed {number}"})
            expect(page.get_by_text(f"changed {number}", exact=True)).to_have_count(1)
        page.wait_for_timeout(500)
        shown = page.evaluate("shown")
        page.close()
    first, *changes = shown
    script, visible = [sorted(times)[len(times) // 2] for times in zip(*changes)]
    print(f"{count} rows, first: {first[0]:.0f} ms of script, {first[1]:.0f} ms until painted")
    print(f"one row of them changed: {script:.1f} ms of script, {visible:.1f} ms until painted (median of {len(changes)})")


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("server")
    arguments.add_argument("--actions", type=int, default=500)
    given = arguments.parse_args()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        server = Server(given.server)
        letters(browser, server, given.actions)
        server.stop()
        rows(browser)
        browser.close()


main()
