# SPDX-License-Identifier: MIT
"""Makes the README's moving pictures: the board in two browsers, and the login in one, with curl on the same session.

Usage: take-moving-picture.py SERVER FOLDER, which makes board.webp and login.webp, and of each a picture that stands still.

Each frame is a screenshot of a stage. It has two pages, or the page on its left and a terminal on its right. A real curl
printed everything in the terminal.
"""

import base64
import queue
import struct
import subprocess
import sys
import tempfile
import threading
from html import escape
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "Tests" / "Browser"))

from conftest import Server  # noqa: E402
from playwright.sync_api import expect, sync_playwright  # noqa: E402

PAGE = {"width": 460, "height": 600}
STAGE = {"width": 1060, "height": 600}
PAUSE, LAST_PAUSE = 1800, 4500  # milliseconds
LIMIT = 500 * 1024
STILL = {"board": 4, "login": 5}  # the number of the frame that stands for all, where motion is not wanted
TIME_LIMIT = 20  # seconds

STYLE = """
body { margin: 0; display: flex; background: #10191d; color: #d5e3e6 }
img { display: block }
img + img { border-left: 2px solid #10191d }
pre { margin: 0; padding: 18px 20px; box-sizing: border-box; width: 600px; height: 600px; overflow: hidden;
      display: flex; flex-direction: column; justify-content: flex-end; font: 13px/1.5 "DejaVu Sans Mono", monospace }
span { white-space: pre-wrap; overflow-wrap: anywhere } b { color: #7fd6c2; font-weight: normal }
"""


class Stream:
    """A curl that follows a session as a stream of events."""

    def __init__(self, command, folder):
        self.process = subprocess.Popen(["bash", "-c", "exec " + command], cwd=folder, stdout=subprocess.PIPE, text=True)
        self.lines = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        for line in self.process.stdout:
            if line.startswith("data: {"):
                self.lines.put(line.rstrip("\n"))

    def next(self):
        return self.lines.get(timeout=TIME_LIMIT)

    def stop(self):
        self.process.terminate()
        self.process.wait()


def mark(line):
    """A line of the terminal as HTML: a command in a colour of its own."""
    return f"<b>{escape(line)}</b>" if line.startswith("$ ") else escape(line) or " "


def photograph(context, stage, pages, terminal=None):
    """A frame, as the bytes of a WebP picture."""
    shots = [base64.b64encode(page.screenshot(animations="disabled", caret="hide")).decode() for page in pages]
    parts = [f'<img src="data:image/png;base64,{shot}">' for shot in shots]
    if terminal is not None:
        parts.append("<pre>" + "".join(f"<span>{mark(line)}</span>" for line in terminal) + "</pre>")
    stage.set_content(f"<style>{STYLE}</style>" + "".join(parts))
    options = {"format": "webp", "quality": 72, "clip": {"x": 0, "y": 0, "scale": 1} | STAGE}
    return base64.b64decode(context.new_cdp_session(stage).send("Page.captureScreenshot", options)["data"])


def play_board(browser, server, _):
    """The frames of two people at one board."""
    half = {"width": STAGE["width"] // 2 - 1, "height": STAGE["height"]}
    people = [browser.new_context(viewport=half, color_scheme=scheme, reduced_motion="reduce") for scheme in ("light", "dark")]
    pages = [person.new_page() for person in people]
    outside = browser.new_context(viewport=STAGE)
    stage = outside.new_page()
    frames = []

    def shoot():
        frames.append(photograph(outside, stage, pages))

    for page, name in zip(pages, ("Anna", "Bert")):
        page.goto(f"{server.url}board.html")
        expect(page.locator("html")).to_have_attribute("data-vm", "live")
        page.get_by_label("Your name").fill(name)
        page.get_by_label("Your name").press("Enter")
        page.evaluate("window.scrollTo(0, document.querySelector('.visitors').offsetTop - 24)")
    anna, bert = pages
    expect(anna.locator(".visitors li")).to_have_text(["Anna", "Bert"])
    shoot()
    cake = bert.locator('.slip[data-key="2"]')
    cake.get_by_role("textbox").focus()
    expect(anna.locator('.slip[data-key="2"] .here')).to_have_text("Bert")
    shoot()
    cake.get_by_role("textbox").fill("Ask Lena for two cakes")
    expect(anna.locator('.slip[data-key="2"] input')).to_have_value("Ask Lena for two cakes")
    shoot()
    for key, column, button in (("2", "doing", "Doing"), ("3", "done", "Done")):
        anna.locator(f'.slip[data-key="{key}"]').get_by_role("button", name=button).click()
        for page in pages:
            expect(page.locator(f'.slip[data-key="{key}"]')).to_have_class(f"slip {column}")
        shoot()
    for context in (*people, outside):
        context.close()
    return frames


def play_login(browser, server, folder):
    """The frames of a login, with a terminal beside it."""
    context = browser.new_context(viewport=PAGE, color_scheme="light", reduced_motion="reduce", locale="en-GB")
    page = context.new_page()
    outside = browser.new_context(viewport=STAGE)
    stage = outside.new_page()
    page.goto(f"{server.url}login.html")
    expect(page.locator("html")).to_have_attribute("data-vm", "live")
    page.evaluate("window.scrollTo(0, 115)")
    session = context.request.get(f"{server.url}sessions").json()["sessions"][0]["url"]
    cookie = context.cookies()[0]
    jar = ["127.0.0.1", "FALSE", "/", "FALSE", "0", cookie["name"], cookie["value"]]
    (folder / "jar").write_text("# Netscape HTTP Cookie File\n" + "\t".join(jar) + "\n")

    url = server.url.rstrip("/") + session
    follow = "curl -sNb jar -H 'Accept: text/event-stream' $S/changes"
    write = "curl -sb jar -o /dev/null -X PUT --json '\"temari\"' $S/state/username"
    frames, terminal = [], ["# the session of the page on the left", f"$ {follow} | grep data &"]
    stream = Stream(follow.replace("$S", url), folder)

    def shoot():
        frames.append(photograph(outside, stage, [page], terminal))

    def told(action):
        action()
        terminal.extend(["", stream.next()])

    told(lambda: None)
    shoot()
    for field, text in [("username", "mar"), ("username", "maruko"), ("password", "1234"), ("password", "123456")]:
        told(lambda: page.fill(f"#{field}", text))
        shoot()
    expect(page.get_by_role("button", name="Log in")).not_to_have_attribute("aria-disabled", "true")
    page.evaluate("document.activeElement.blur()")
    terminal.extend(["", f"$ {write}"])
    shoot()
    told(lambda: subprocess.run(["bash", "-c", write.replace("$S", url)], cwd=folder, check=True))
    expect(page.locator("#username")).to_have_value("temari")
    shoot()
    page.get_by_role("button", name="Log in").click()
    expect(page.get_by_role("heading", name="Your page")).to_be_visible()
    expect(page.locator("html")).to_have_attribute("data-vm", "live")
    shoot()
    stream.stop()
    for each in (context, outside):
        each.close()
    return frames


def chunk(name, body):
    """A chunk of RIFF, which is padded to an even length."""
    return name + struct.pack("<I", len(body)) + body + b"\0" * (len(body) % 2)


def three_bytes(number):
    return struct.pack("<I", number)[:3]


def moving(pictures):
    """One moving WebP picture, made of many still ones of the stage's size (Google's "WebP Container
    Specification")."""
    size = three_bytes(STAGE["width"] - 1) + three_bytes(STAGE["height"] - 1)
    animation = 0x02
    chunks = [chunk(b"VP8X", bytes([animation, 0, 0, 0]) + size), chunk(b"ANIM", struct.pack("<IH", 0xFFFFFFFF, 0))]
    for index, picture in enumerate(pictures):
        pause = LAST_PAUSE if index == len(pictures) - 1 else PAUSE
        no_blending = 0x02
        head = three_bytes(0) + three_bytes(0) + size + three_bytes(pause) + bytes([no_blending])
        chunks.append(chunk(b"ANMF", head + image(picture)))
    return chunk(b"RIFF", b"WEBP" + b"".join(chunks))


def image(picture):
    """The chunk of a still picture that has its pixels. A picture without transparency has one such chunk."""
    at = 12
    while at < len(picture):
        name, length = struct.unpack("<4sI", picture[at : at + 8])
        end = at + 8 + length + length % 2
        if name in (b"VP8 ", b"VP8L"):
            return picture[at:end]
        at = end
    raise ValueError("expected a WebP picture with the chunk VP8 or VP8L")


def main(binary, folder):
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as place:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        for name, play in (("board", play_board), ("login", play_login)):
            server = Server(binary)
            try:
                frames = play(browser, server, Path(place))
            finally:
                server.stop()
            result = moving(frames)
            assert len(result) <= LIMIT, f"{name} has {len(result)} bytes"
            (folder / f"{name}.webp").write_bytes(result)
            (folder / f"{name}-still.webp").write_bytes(frames[STILL[name]])
        browser.close()


main(sys.argv[1], Path(sys.argv[2]))
