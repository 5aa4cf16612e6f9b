# SPDX-License-Identifier: MIT
"""The address is state: deep links, back and forward, reload, other windows, a server that was killed, and links."""

import re

import pytest
from conftest import Server
from playwright.sync_api import expect


@pytest.fixture
def server(binary, tmp_path):
    server = Server(binary, recordings=tmp_path / "recordings", store=tmp_path / "sessions.db")
    yield server
    server.stop()


class Window:
    """One page of the recordings, and the complaints of its console."""

    def __init__(self, context, url, path="recordings", page=None):
        self.noise, self.url = [], url
        self.page = page or context.new_page()
        self.page.on("console", lambda message: self.noise.append(message.text))
        self.page.on("pageerror", lambda error: self.noise.append(str(error)))
        self.page.goto(url + path)
        expect(self.page.locator("html")).to_have_attribute("data-vm", "live")
        self.titles = self.page.get_by_role("main").locator("section h2")

    def shows(self, address, *titles):
        expect(self.titles).to_have_text(titles)
        expect(self.page).to_have_url(self.url + address)

    def create(self, folder, name):
        column = self.page.get_by_role("region", name=folder, exact=True)
        column.get_by_label("Name", exact=True).fill(name)
        column.get_by_role("button", name="New folder").click()
        expect(column.locator(".row").filter(has_text=name)).to_be_visible()

    def open(self, folder, name):
        self.page.get_by_role("region", name=folder, exact=True).locator(".row").filter(has_text=name).click()


def nested(context, server):
    """A window at a folder within a folder."""
    window = Window(context, server.url)
    window.create("Recordings", "Talks")
    window.open("Recordings", "Talks")
    window.shows("recordings/1", "Recordings", "Talks")
    window.create("Talks", "Monday")
    window.open("Talks", "Monday")
    window.shows("recordings/1/2", "Recordings", "Talks", "Monday")
    return window


def test_back_and_forward_are_steps_of_the_state_and_the_new_page_has_the_focus(context, server):
    window = nested(context, server)
    expect(window.page.get_by_role("heading", name="Monday")).to_be_focused()
    window.page.go_back()
    window.shows("recordings/1", "Recordings", "Talks")
    window.page.go_back()
    window.shows("recordings", "Recordings")
    window.page.go_forward()
    window.page.go_forward()
    window.shows("recordings/1/2", "Recordings", "Talks", "Monday")
    window.page.get_by_role("button", name="Back").click()
    window.shows("recordings/1", "Recordings", "Talks")
    window.page.go_back()
    window.shows("recordings/1/2", "Recordings", "Talks", "Monday")
    assert window.noise == []


@pytest.mark.one_server("the demo keeps its recordings in the memory of one process")
def test_a_deep_link_opens_there_and_one_that_leads_nowhere_as_far_as_it_leads(context, server, browser):
    nested(context, server)
    other = browser.new_context()
    Window(other, server.url, "recordings/1/2").shows("recordings/1/2", "Recordings", "Talks", "Monday")
    lost = Window(other, server.url, "recordings/1/77")
    lost.shows("recordings/1", "Recordings", "Talks")
    expect(lost.page.get_by_text("The address leads to nothing further")).to_be_visible()
    other.close()


def test_a_page_without_a_link_to_it_is_reached_by_its_address(context, server):
    Window(context, server.url, "recordings/about").shows("recordings/about", "Recordings", "About")


@pytest.mark.one_server("the demo keeps its recordings in the memory of one process")
def test_two_windows_have_addresses_of_their_own_on_one_list(context, server):
    first = nested(context, server)
    second = Window(context, server.url, "recordings/1")
    second.shows("recordings/1", "Recordings", "Talks")
    first.shows("recordings/1/2", "Recordings", "Talks", "Monday")
    second.page.on("dialog", lambda dialog: dialog.accept())
    second.page.get_by_role("button", name="Delete Monday").click()
    first.shows("recordings/1", "Recordings", "Talks")


def test_a_duplicated_tab_has_the_address_of_the_other_after_a_step_in_either(context, server):
    first = nested(context, server)
    kept = first.page.evaluate("JSON.stringify(sessionStorage)")
    page = context.new_page()
    page.goto(server.url)
    page.evaluate("kept => Object.entries(JSON.parse(kept)).forEach(([key, value]) => sessionStorage.setItem(key, value))", kept)
    second = Window(context, server.url, "recordings/1/2", page)
    second.shows("recordings/1/2", "Recordings", "Talks", "Monday")
    first.page.go_back()
    for window in (first, second):
        window.shows("recordings/1", "Recordings", "Talks")
    second.open("Talks", "Monday")
    for window in (first, second):
        window.shows("recordings/1/2", "Recordings", "Talks", "Monday")
    assert first.noise == second.noise == []


def test_a_reload_stays_and_an_address_that_is_typed_is_gone_to(context, server):
    window = nested(context, server)
    window.page.reload()
    window.shows("recordings/1/2", "Recordings", "Talks", "Monday")
    window.page.goto(server.url + "recordings/1")
    window.shows("recordings/1", "Recordings", "Talks")
    assert window.noise == []


def test_back_goes_on_over_a_server_that_was_killed(context, binary, tmp_path):
    server = Server(binary, recordings=tmp_path / "recordings", store=tmp_path / "sessions.db")
    window = nested(context, server)
    server.kill()
    window.page.go_back()
    server = Server(binary, server.port, recordings=tmp_path / "recordings", store=tmp_path / "sessions.db")
    window.shows("recordings/1", "Recordings", "Talks")
    window.page.go_forward()
    window.shows("recordings/1/2", "Recordings", "Talks", "Monday")
    server.stop()


def test_what_replaces_is_no_step_and_comes_back_with_the_address(context, server):
    page = context.new_page()
    page.goto(server.url + "follow")
    expect(page.locator("html")).to_have_attribute("data-vm", "live")
    length = page.evaluate("history.length")
    page.get_by_role("combobox").select_option(label="followed first")
    expect(page).to_have_url(re.compile(r"/follow\?order="))
    assert page.evaluate("history.length") == length
    shown = page.url
    other = context.new_page()
    other.goto(shown)
    expect(other.get_by_role("combobox")).to_have_value(page.get_by_role("combobox").input_value())
    expect(other).to_have_url(shown)


def test_forward_brings_the_scroll_position_back_as_back_does(context, server):
    window = nested(context, server)
    page = window.page
    page.set_viewport_size({"width": 600, "height": 200})

    def scrolled(by):
        page.evaluate(f"scrollTo(0, {by})")
        assert page.evaluate("scrollY") == by

    scrolled(90)
    page.go_back()
    window.shows("recordings/1", "Recordings", "Talks")
    # The position at which it was left. It comes a moment after the text, and would undo what is scrolled before it.
    expect(page.locator("html")).to_have_js_property("scrollTop", 0)
    scrolled(40)
    page.go_forward()
    window.shows("recordings/1/2", "Recordings", "Talks", "Monday")
    expect(page.locator("html")).to_have_js_property("scrollTop", 90)
    page.reload()
    window.shows("recordings/1/2", "Recordings", "Talks", "Monday")
    expect(page.locator("html")).to_have_js_property("scrollTop", 90)
    page.go_back()
    window.shows("recordings/1", "Recordings", "Talks")
    expect(page.locator("html")).to_have_js_property("scrollTop", 40)
    assert window.noise == []


def test_nobody_who_composes_is_disturbed_by_the_way_to_another_page(context, server):
    window = nested(context, server)
    page = window.page
    name = page.get_by_role("region", name="Monday", exact=True).get_by_label("Name", exact=True)
    ime = context.new_cdp_session(page)

    def compose(text):
        ime.send("Input.imeSetComposition", {"text": text, "selectionStart": len(text), "selectionEnd": len(text)})
        expect(name).to_have_value(text)
        expect(name).to_be_focused()

    name.focus()
    compose("n")
    page.evaluate("history.back()")
    expect(page).to_have_url(server.url + "recordings/1")
    for text in ["ni", "nih", "niha", "nihao"]:
        compose(text)
    ime.send("Input.insertText", {"text": "你好"})
    window.shows("recordings/1", "Recordings", "Talks")
    page.go_forward()
    window.shows("recordings/1/2", "Recordings", "Talks", "Monday")
    assert window.noise == []


def test_the_title_is_that_of_the_page_that_is_shown(context, server):
    window = nested(context, server)
    expect(window.page).to_have_title("Monday")
    window.page.go_back()
    expect(window.page).to_have_title("Talks")
    talks = window.page.get_by_role("region", name="Talks", exact=True)
    talks.get_by_label("Folder name").fill("Songs")
    talks.get_by_role("button", name="Rename").click()
    expect(window.page).to_have_title("Songs")
    window.page.go_back()
    expect(window.page).to_have_title("Recordings")
    window.page.go_forward()
    expect(window.page).to_have_title("Songs")
    assert window.noise == []
