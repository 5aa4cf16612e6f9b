# SPDX-License-Identifier: MIT
"""Makes the README's moving picture: the login demo in a browser, and beside it curl on the same session.

Usage: take-moving-picture.py SERVER FILE.webp, which also makes FILE-still.webp.

Each frame is a screenshot of a stage that has the page on its left and a terminal on its right. A real curl printed
everything in the terminal.
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
STILL = 5  # the number of the frame that stands for all, where motion is not wanted
TIME_LIMIT = 20  # seconds

STYLE = """
body { margin: 0; display: flex; background: #10191d; color: #d5e3e6 }
img { display: block }
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


def photograph(context, stage, page, terminal):
    """A frame, as the bytes of a WebP picture."""
    picture = base64.b64encode(page.screenshot(animations="disabled", caret="hide")).decode()
    lines = "".join(f"<span>{mark(line)}</span>" for line in terminal)
    stage.set_content(f'<style>{STYLE}</style><img src="data:image/png;base64,{picture}"><pre>{lines}</pre>')
    options = {"format": "webp", "quality": 72, "clip": {"x": 0, "y": 0, "scale": 1} | STAGE}
    return base64.b64decode(context.new_cdp_session(stage).send("Page.captureScreenshot", options)["data"])


def play(browser, server, folder):
    """The frames of the story."""
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
        frames.append(photograph(outside, stage, page, terminal))

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


def main(binary, file):
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        server = Server(binary)
        frames = play(browser, server, Path(folder))
        server.stop()
        browser.close()
    result = moving(frames)
    assert len(result) <= LIMIT, f"{file} has {len(result)} bytes"
    file.write_bytes(result)
    file.with_name(f"{file.stem}-still.webp").write_bytes(frames[STILL])


main(sys.argv[1], Path(sys.argv[2]))
