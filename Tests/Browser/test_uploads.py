# SPDX-License-Identifier: MIT
"""Files that a person chooses, drops or pastes, in the cookbook's recipe."""

import hashlib

import pytest
from conftest import Demo, Server, live
from playwright.sync_api import expect

# The signature of a GIF, its size of 1 × 1 and one black pixel. A browser passes over what comes behind it.
PIXEL = bytes.fromhex("47494638396101000100800000000000ffffff2c00000000010001000002024401003b")
DROP = """(zone, [kind, files]) => {
  const data = new DataTransfer();
  for (const [name, type, bytes] of files) data.items.add(new File([new Uint8Array(bytes)], name, { type }));
  const event = kind === "paste" ? new ClipboardEvent(kind, { clipboardData: data, bubbles: true, cancelable: true }) : new DragEvent(kind, { dataTransfer: data, bubbles: true, cancelable: true });
  zone.dispatchEvent(event);
}"""


class Uploads:
    def __init__(self, context, url):
        self.page = Demo(context, url + "cookbook.html").page
        self.zone = self.page.locator("[data-vm-upload]")
        self.input = self.zone.get_by_label("Up to three pictures")
        self.rows = self.zone.locator("li")

    def choose(self, name, content=PIXEL, kind="image/gif"):
        self.input.set_input_files({"name": name, "mimeType": kind, "buffer": content})

    def throw(self, kind, *files):
        self.zone.evaluate(DROP, [kind, [[name, "image/gif", list(content)] for name, content in files]])

    def shown(self, name):
        row = self.rows.filter(has_text=name)
        picture = row.locator("img")
        expect(picture).to_be_visible()
        assert picture.evaluate("async picture => { await picture.decode(); return picture.naturalWidth; }") == 1


@pytest.fixture
def uploads(context, url):
    return Uploads(context, url)


def test_a_picture_that_is_chosen_is_shown_and_can_be_removed(uploads):
    uploads.choose("boat.gif")
    uploads.shown("boat.gif")
    expect(uploads.input).to_have_attribute("accept", "image/png,image/jpeg,image/gif,image/webp,image/avif")
    expect(uploads.rows.locator("progress")).to_be_hidden()
    uploads.rows.get_by_role("button", name="Remove").click()
    expect(uploads.rows).to_have_count(0)
    # The same file can be chosen once more.
    uploads.choose("boat.gif")
    uploads.shown("boat.gif")


def test_pictures_that_are_dropped_or_pasted_come_too(uploads):
    uploads.throw("dragover", ("one.gif", PIXEL))
    expect(uploads.zone).to_have_attribute("data-vm-over", "")
    uploads.throw("drop", ("one.gif", PIXEL), ("two.gif", PIXEL + b"2"))
    expect(uploads.zone).not_to_have_attribute("data-vm-over", "")
    uploads.throw("paste", ("three.gif", PIXEL + b"33"))
    for name in ("one.gif", "two.gif", "three.gif"):
        uploads.shown(name)


def test_a_file_of_another_kind_is_refused_in_words_at_the_input(uploads):
    uploads.choose("notes.txt", b"text", "text/plain")
    expect(uploads.input).to_have_attribute("data-vm-refused", "expected a file of the type png, jpeg, gif, webp or avif, got 'notes.txt'")
    expect(uploads.rows).to_have_count(0)
    uploads.choose("false.png", b"no picture", "image/png")
    expect(uploads.rows).to_contain_text(["The file is not what it says that it is: image/png."])


def test_a_file_that_was_refused_is_sent_anew_when_it_is_chosen_again(uploads):
    file = """zone => {
      const data = new DataTransfer();
      data.items.add(new File(["no picture"], "false.png", { type: "image/png", lastModified: 1 }));
      zone.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
    }"""
    for _ in range(2):
        with uploads.page.expect_response(lambda answer: answer.request.method == "PATCH" and answer.status == 415):
            uploads.zone.evaluate(file)
        expect(uploads.rows).to_contain_text(["The file is not what it says that it is: image/png."])


def test_a_page_that_was_loaded_anew_asks_for_the_rest_of_a_file(uploads):
    page = uploads.page
    page.route("**/uploads/photos/**", lambda route: route.abort() if route.request.method == "PATCH" else route.continue_())
    uploads.choose("boat.gif")
    expect(uploads.rows.get_by_text("Waits for the connection.")).to_be_visible()
    page.unroute("**/uploads/photos/**")
    page.reload()
    live(page)
    expect(uploads.rows.get_by_text("Choose it again to go on.")).to_be_visible()


def test_a_file_goes_on_when_its_server_was_killed_and_is_whole(context, binary, tmp_path):
    content = PIXEL + bytes(range(256)) * 19_000
    server = Server(binary, store=tmp_path / "sessions.db")
    uploads = Uploads(context, server.url)
    page = uploads.page
    page.context.new_cdp_session(page).send(
        "Network.emulateNetworkConditions", {"offline": False, "latency": 0, "downloadThroughput": -1, "uploadThroughput": 1_000_000})
    uploads.choose("long.gif", content)
    progress = uploads.rows.locator("progress")
    expect(progress).not_to_have_js_property("value", 0)
    server.kill()
    server = Server(binary, port=server.port, store=tmp_path / "sessions.db")
    uploads.shown("long.gif")
    source = uploads.rows.locator("img").get_attribute("src")
    digest = page.evaluate(
        """async source => { const bytes = await (await fetch(source)).arrayBuffer();
          return [...new Uint8Array(await crypto.subtle.digest("SHA-256", bytes))].map(byte => byte.toString(16).padStart(2, "0")).join(""); }""", source)
    assert digest == hashlib.sha256(content).hexdigest()
    server.stop()
