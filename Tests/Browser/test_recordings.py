# SPDX-License-Identifier: MIT
"""The recordings in a real browser, each test on a server with a store of its own."""

import pytest
from conftest import Demo, Server
from playwright.sync_api import expect


class Recordings(Demo):
    def __init__(self, context, url, path="recordings.html"):
        super().__init__(context, url + path)
        self.page.on("dialog", lambda dialog: dialog.accept())
        self.back = self.page.get_by_role("button", name="Back")
        self.columns = self.page.get_by_role("main").locator("section")
        expect(self.column("Recordings")).to_be_visible()

    def column(self, title):
        return self.page.get_by_role("region", name=title, exact=True)

    def expect_columns(self, *titles):
        expect(self.columns.locator("h2")).to_have_text(titles)

    def rows(self, title):
        return self.column(title).get_by_role("listitem").locator(".row")

    def create(self, folder, name, seconds=None):
        column = self.column(folder)
        column.get_by_label("Name", exact=True).fill(name)
        if seconds is not None:
            column.get_by_label("Seconds").fill(seconds)
        column.get_by_role("button", name="New folder" if seconds is None else "New recording").click()
        expect(self.rows(folder).filter(has_text=name)).to_be_visible()
        expect(column.get_by_label("Name", exact=True)).to_have_value("")

    def open(self, folder, name):
        self.rows(folder).filter(has_text=name).click()
        expect(self.column(name)).to_be_visible()

    def delete(self, folder, name):
        self.column(folder).get_by_role("button", name=f"Delete {name}").click()


@pytest.fixture
def server(binary, tmp_path):
    server = Server(binary, recordings=tmp_path / "recordings", store=tmp_path / "sessions.db")
    yield server
    server.stop()


def test_folders_and_recordings_are_created_sorted_opened_renamed_and_deleted(context, server):
    page = Recordings(context, server.url)
    expect(page.page.get_by_text("This folder is empty. Add something below.")).to_be_visible()
    expect(page.back).to_have_attribute("aria-disabled", "true")
    page.create("Recordings", "Talks")
    page.create("Recordings", "Birdsong", "3725")
    expect(page.rows("Recordings")).to_have_text(["Birdsong1:02:05", "Talks"], use_inner_text=False)
    signs = [page.column("Recordings").get_by_role("button", name=name, exact=True) for name in ["Recording Birdsong 1:02:05", "Folder Talks"]]
    for sign in signs:
        expect(sign).to_be_visible()
    page.open("Recordings", "Talks")
    page.create("Talks", "Monday", "65")
    page.open("Talks", "Monday")
    page.expect_columns("Recordings", "Talks", "Monday")
    expect(page.column("Monday").locator(".clock")).to_contain_text("1:05")
    page.column("Monday").get_by_label("Recording name").fill("Tuesday")
    page.column("Monday").get_by_role("button", name="Rename").click()
    page.expect_columns("Recordings", "Talks", "Tuesday")
    expect(page.rows("Talks")).to_have_text(["Tuesday1:05"])
    page.back.click()
    page.expect_columns("Recordings", "Talks")
    page.open("Recordings", "Birdsong")
    page.expect_columns("Recordings", "Birdsong")
    page.open("Recordings", "Talks")
    page.delete("Recordings", "Talks")
    page.expect_columns("Recordings")
    expect(page.rows("Recordings")).to_have_count(1)
    assert page.noise == []


def test_without_a_name_nothing_is_created_and_enter_records(context, server):
    page = Recordings(context, server.url)
    page.column("Recordings").get_by_role("button", name="New folder").click()
    name = page.column("Recordings").get_by_label("Name", exact=True)
    name.focus()
    page.page.keyboard.type("Solo")
    page.page.keyboard.press("Enter")
    expect(page.rows("Recordings")).to_have_text(["Solo1:00"])
    expect(name).to_be_focused()
    assert page.noise == []


def test_a_corrupt_store_is_said_aloud(binary, context, tmp_path):
    (tmp_path / "store.json").write_text('{"format":1,')
    server = Server(binary, recordings=tmp_path)
    page = Recordings(context, server.url)
    expect(page.page.get_by_role("alert")).to_contain_text("store.json cannot be used: at byte 12")
    server.stop()


def test_at_320_px_the_top_page_is_shown_alone_and_nothing_scrolls_sideways(open_context, server):
    page = Recordings(open_context(viewport={"width": 320, "height": 640}, has_touch=True, is_mobile=True), server.url)
    page.create("Recordings", "A name that is much too long for a page of three hundred and twenty pixels, " + "x" * 60)
    page.rows("Recordings").click()
    expect(page.columns).to_have_count(2)
    expect(page.columns.nth(0)).to_be_hidden()
    expect(page.columns.nth(1)).to_be_visible()
    assert page.page.evaluate("document.documentElement.scrollWidth") <= 320
    page.back.click()
    expect(page.columns.nth(0)).to_be_visible()


def test_the_newest_of_many_pages_is_in_view(context, server):
    page = Recordings(context, server.url)
    above = "Recordings"
    for name in ["one", "two", "three", "four", "five"]:
        page.create(above, name)
        page.open(above, name)
        above = name
    expect(page.column("five")).to_be_in_viewport(ratio=0.9)


def test_each_control_can_be_reached_by_keyboard(context, server):
    page = Recordings(context, server.url)
    page.create("Recordings", "Talks")
    page.open("Recordings", "Talks")
    wanted = page.page.locator("main button:visible, main input:visible").count()
    page.page.evaluate("document.activeElement.blur()")
    reached = set()
    for _ in range(wanted + page.page.locator("a, summary, :not(main) > button").count() + 5):
        page.page.keyboard.press("Tab")
        reached.add(page.page.evaluate("[...document.querySelectorAll('main button, main input')].indexOf(document.activeElement)"))
    assert len(reached - {-1}) == wanted
    expect(page.page.get_by_role("button", name="Delete Talks", exact=True)).to_be_visible()
