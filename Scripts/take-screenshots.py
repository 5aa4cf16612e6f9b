# SPDX-License-Identifier: MIT
"""Makes the pictures of Documentation/DEMOS.md: the follow demo in use, light and dark.

Usage: take-screenshots.py SERVER FOLDER"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "Tests" / "Browser"))

from conftest import Server  # noqa: E402
from playwright.sync_api import expect, sync_playwright  # noqa: E402


def follow(page):
    page.locator("li", has_text="Grace").locator("button.follow").click()
    expect(page.locator("li", has_text="Grace")).to_have_class("person followed")
    page.locator("li", has_text="Ada").locator("button.follow").click()
    expect(page.locator("li", has_text="Ada").locator("progress")).to_have_attribute("value", re.compile("0"))


PICTURES = {"follow": follow}


def main(binary, folder):
    folder.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        for scheme in ["light", "dark"]:
            server = Server(binary)
            for name, act in PICTURES.items():
                size = {"width": 960, "height": 640}
                context = browser.new_context(viewport=size, color_scheme=scheme, reduced_motion="reduce")
                page = context.new_page()
                page.goto(f"{server.url}{name}.html")
                expect(page.locator("html")).to_have_attribute("data-vm", "live")
                act(page)
                page.evaluate("document.activeElement.blur()")
                page.mouse.move(0, 0)
                page.screenshot(path=folder / f"{name}-{scheme}.png")
                context.close()
            server.stop()
        browser.close()


main(sys.argv[1], Path(sys.argv[2]))
