# SPDX-License-Identifier: MIT
"""The address is state: deep links, back and forward, reload, other windows, a server that was killed, and links."""

import re

import pytest
from conftest import Demo, Server
from playwright.sync_api import expect
from test_recordings import Recordings, server  # noqa: F401


class Window(Recordings):
    def __init__(self, context, server, path="recordings"):
        super().__init__(context, server.url, path)
        self.url = server.url

    def shows(self, address, *headings, title=None):
        self.expect_columns(*headings)
        expect(self.page).to_have_url(self.url + address)
        expect(self.page).to_have_title(title or headings[-1])


def nested(context, server):
    """A window at a folder within a folder."""
    window = Window(context, server)
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
def test_a_deep_link_opens_there_and_one_that_leads_nowhere_as_far_as_it_leads(context, other, server):
    nested(context, server)
    Window(other, server, "recordings/1/2").shows("recordings/1/2", "Recordings", "Talks", "Monday")
    lost = Window(other, server, "recordings/1/77")
    lost.shows("recordings/1", "Recordings", "Talks")
    expect(lost.page.get_by_text("Nothing found here; it may have been deleted.")).to_be_visible()


def test_a_page_without_a_link_to_it_is_reached_by_its_address(context, server):
    Window(context, server, "recordings/about").shows("recordings/about", "Recordings", "About", title="about")


@pytest.mark.one_server("the demo keeps its recordings in the memory of one process")
def test_two_windows_have_addresses_of_their_own_on_one_list(context, server):
    first = nested(context, server)
    second = Window(context, server, "recordings/1")
    second.shows("recordings/1", "Recordings", "Talks")
    first.shows("recordings/1/2", "Recordings", "Talks", "Monday")
    second.delete("Talks", "Monday")
    first.shows("recordings/1", "Recordings", "Talks")


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


def test_an_order_in_the_query_is_no_step_and_comes_back_with_the_address(context, server):
    page = Demo(context, server.url + "follow").page
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
    # The heading gets the focus as the position is brought back, a moment after the text.
    expect(page.get_by_role("heading", name="Talks")).to_be_focused()
    assert page.evaluate("scrollY") == 0
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


def test_the_title_follows_the_name_of_the_page_that_is_shown(context, server):
    window = nested(context, server)
    monday = window.page.get_by_role("region", name="Monday", exact=True)
    monday.get_by_label("Folder name").fill("Songs")
    monday.get_by_role("button", name="Rename").click()
    window.shows("recordings/1/2", "Recordings", "Talks", "Songs")
    assert window.noise == []
