# SPDX-License-Identifier: MIT
"""Makes the pictures of the page of demos: each demo in use, light and dark. Usage: take-pictures.py SERVER FOLDER"""

import base64
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "Tests" / "Browser"))

from conftest import Server  # noqa: E402
from playwright.sync_api import expect, sync_playwright  # noqa: E402

# The part of a page that is shown, and the width of its picture: about twice its width on the page of demos.
PART = {"width": 720, "height": 450}
WIDTH = 640
LIMIT = 40 * 1024


def board(page):
    page.get_by_label("Your name").fill("Anna")
    page.get_by_label("Your name").press("Enter")
    expect(page.locator(".visitors")).to_have_text("Anna")
    page.locator(".slip.todo").first.get_by_role("button", name="Done").click()
    expect(page.locator(".slip.done")).to_have_count(1)
    page.locator(".slip.todo").get_by_role("textbox").focus()
    expect(page.locator(".slip.todo .here")).to_have_text("Anna")


def login(page):
    page.fill("#username", "maruko")
    page.fill("#password", "1234")
    expect(page.locator("#message")).to_have_text("Use at least 6 characters for the password")


def follow(page):
    for name in ("Ada", "Grace"):
        page.locator("li", has_text=name).locator("button.follow").click()
        expect(page.locator("li", has_text=name)).to_have_class("person followed")


def signup(page):
    page.fill("#username", "maruko")
    expect(page.locator("#password")).to_be_enabled()
    page.fill("#password", "1234")
    expect(page.locator("#password-hint")).not_to_be_empty()


def modules(page):
    page.get_by_label("Account").fill("admin")


def profile(page):
    page.get_by_label("Motto").first.fill("Slow and steady")
    expect(page.get_by_label("Motto").nth(1)).to_have_value("Slow and steady")


def recordings(page):
    columns = page.get_by_role("main").locator("section")
    for folder in ("Lectures", "Talks"):
        columns.first.get_by_label("Name", exact=True).fill(folder)
        columns.first.get_by_role("button", name="New folder").click()
        expect(columns.first.locator(".row", has_text=folder)).to_be_visible()
    columns.first.locator(".row", has_text="Talks").click()
    for talk in ("Monday", "Tuesday"):
        columns.nth(1).get_by_label("Name", exact=True).fill(talk)
        columns.nth(1).get_by_role("button", name="New recording", exact=True).click()
        expect(columns.nth(1).locator(".row", has_text=talk)).to_be_visible()


PICTURES = {"board": board, "login": login, "follow": follow, "signup": signup, "page": modules, "profile": profile, "recordings": recordings}


def take(browser, server, name, scheme, file):
    # The window is wide enough for columns beside each other. The picture shows the page's main column.
    context = browser.new_context(viewport={"width": 1100, "height": 900}, color_scheme=scheme, reduced_motion="reduce")
    page = context.new_page()
    page.goto(f"{server.url}{name}.html")
    expect(page.locator("html")).to_have_attribute("data-vm", "live")
    PICTURES[name](page)
    page.evaluate("document.activeElement.blur()")
    page.mouse.move(0, 0)
    left, top = (page.locator(".alive").first.bounding_box()[each] for each in "xy")
    clip = {"x": left - 24, "y": top - 24, "scale": WIDTH / PART["width"]} | PART
    options = {"format": "webp", "quality": 80, "clip": clip}
    picture = base64.b64decode(context.new_cdp_session(page).send("Page.captureScreenshot", options)["data"])
    assert len(picture) <= LIMIT, f"{file} has {len(picture)} bytes"
    file.write_bytes(picture)
    context.close()


def main(binary, folder):
    folder.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        for scheme in ["light", "dark"]:
            server = Server(binary)
            try:
                for name in PICTURES:
                    take(browser, server, name, scheme, folder / f"{name}-{scheme}.webp")
            finally:
                server.stop()
        browser.close()


main(sys.argv[1], Path(sys.argv[2]))
