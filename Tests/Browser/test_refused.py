# SPDX-License-Identifier: MIT
"""What the server does not take: a text stays and says why, a choice goes back, and no action runs on an older value than
the person sees."""

import json
import re

import pytest
from conftest import HeldRequests, Server, live, settled
from playwright.sync_api import expect
from test_look import PLACES, WIDTHS, expect_words_to_cover_no_control
from test_recordings import Recordings

LONG = "My long title " + "y" * 300


@pytest.fixture(scope="module")
def server(binary):
    server = Server(binary)
    yield server
    server.stop()


class Naming:
    """The recordings' form for a new folder, and the requests and errors of its page."""

    def __init__(self, context, url):
        self.recordings = Recordings(context, url)
        self.page = self.recordings.page
        column = self.recordings.column("Recordings")
        self.name, self.button = column.get_by_label("Name", exact=True), column.get_by_role("button", name="New folder")
        self.actions = []
        self.page.on("request", lambda request: "/actions/" in request.url and self.actions.append(request.url))

    def enter(self, text):
        """Types over what is there, as one input: a paste."""
        self.name.focus()
        self.page.keyboard.press("ControlOrMeta+a")
        self.page.keyboard.insert_text(text)

    def expect_refused(self, reason):
        expect(self.name).to_have_attribute("data-vm-refused", reason)
        expect(self.name).to_have_attribute("aria-invalid", "true")
        expect(self.name).to_have_value(LONG)

    def expect_not_made(self, reason):
        expect(self.button).to_have_attribute("data-vm-refused", reason)
        settled(self.page)
        expect(self.name).to_have_value(LONG)
        assert self.actions == []

    def expect_made(self, name):
        """Types a name, and presses the button."""
        self.enter(name)
        self.button.click()
        expect(self.recordings.rows("Recordings").get_by_text(name, exact=True)).to_be_visible()


def test_a_name_that_is_too_long_stays_marked_and_no_folder_is_made_of_the_name_before_it(context, server):
    naming = Naming(context, server.url)
    naming.enter("Talks")
    settled(naming.page)
    with naming.page.expect_response(lambda response: response.status == 422) as answer:
        naming.enter(LONG)
    reason = answer.value.json()["detail"]
    naming.expect_refused(reason)
    naming.button.click()
    naming.expect_not_made(reason)
    # The mark stays with the text, and goes with the next edit.
    naming.expect_refused(reason)
    naming.enter("Song")
    expect(naming.name).not_to_have_attribute("data-vm-refused", reason)
    expect(naming.name).not_to_have_attribute("aria-invalid", "true")
    naming.expect_made("Songs")
    expect(naming.button).not_to_have_attribute("data-vm-refused", reason)


# The words that the style draws in a label.
DRAWN = "label => { const style = getComputedStyle(label, '::after'); return style.visibility === 'visible' && +style.opacity && style.content }"


@WIDTHS
def test_the_reason_of_a_refused_text_is_seen_and_heard_at_its_field_before_a_press_and_nothing_moves_for_it(open_context, server, width):
    naming = Naming(open_context(viewport={"width": width, "height": 760}), server.url)
    # A list that is longer than its page, so that there is a row right above the form.
    for at in range(6):
        naming.expect_made(f"Talk {at} at {width}")
    settled(naming.page)
    naming.name.focus()
    before = naming.page.evaluate(PLACES)
    naming.enter(LONG)
    expect(naming.name).to_have_attribute("aria-invalid", "true")
    reason = naming.name.get_attribute("data-vm-refused")
    expect(naming.name).to_have_accessible_name(f"Name {reason}")
    assert naming.name.locator("xpath=ancestor::label").evaluate(DRAWN) == json.dumps(reason)
    assert naming.page.evaluate(PLACES) == before
    expect_words_to_cover_no_control(naming.page)
    assert naming.actions[6:] == []
    naming.enter("Song")
    expect(naming.name).to_have_accessible_name("Name")


@WIDTHS
def test_the_reason_of_a_refused_new_name_of_a_folder_is_seen_and_heard_at_its_field(open_context, server, width):
    naming = Naming(open_context(viewport={"width": width, "height": 760}), server.url)
    naming.expect_made(f"Songs at {width}")
    naming.recordings.open("Recordings", f"Songs at {width}")
    name = naming.page.get_by_role("textbox", name="Folder name")
    expect(name).to_have_value(f"Songs at {width}")
    settled(naming.page)
    name.fill(LONG)
    expect(name).to_have_accessible_name(re.compile("^Folder name expected .* at most 300"))
    expect_words_to_cover_no_control(naming.page)


@WIDTHS
@pytest.mark.parametrize("page_name, role, name", [("reference", "checkbox", "open"), ("reference", "radio", "grazie"), ("profile", "checkbox", "Public profile"), ("follow", "combobox", "Order")])
def test_the_reason_of_a_refused_choice_is_seen_and_heard_at_its_field_and_nothing_moves_for_it(open_context, url, page_name, role, name, width):
    page = open_context(viewport={"width": width, "height": 760}).new_page()
    page.goto(f"{url}{page_name}.html")
    live(page)
    reason = "this is not for you: only the owner may change it"
    problem = json.dumps({"type": "/problems/not-allowed", "title": "Refused", "status": 403, "detail": reason})
    page.route("**/state/**", lambda route: route.fulfill(status=403, content_type="application/problem+json", body=problem))
    field = page.get_by_role(role, name=name).first
    field.focus()
    before = page.evaluate(PLACES)
    page.keyboard.press("ArrowDown" if role == "combobox" else "Space")
    expect(field).to_have_attribute("data-vm-refused", reason)
    expect(field).to_have_accessible_name(re.compile(f"{name}.* {reason}"))
    assert field.evaluate(f"field => ({DRAWN})(field.labels[0])") == json.dumps(reason)
    settled(page)
    assert page.evaluate(PLACES) == before
    expect_words_to_cover_no_control(page)


def test_a_press_behind_a_refused_edit_is_not_sent_though_the_person_has_typed_on(context, server):
    naming = Naming(context, server.url)
    naming.enter("Talks")
    settled(naming.page)
    held = HeldRequests(naming.page, "**/newName*")
    with naming.page.expect_request("**/newName*"):
        naming.enter(LONG)
    naming.name.press("Enter")
    naming.enter("Songs")
    held.release()
    settled(naming.page)
    expect(naming.name).to_have_value("Songs")
    assert naming.actions == []


@pytest.mark.parametrize("options, length", [(("--max-body", "400"), 600), ((), 70_000)])
def test_an_edit_that_is_longer_than_the_server_takes_stays_and_says_why_and_the_next_one_is_taken(context, binary, options, length):
    server = Server(binary, options=options)
    naming = Naming(context, server.url)
    naming.enter("Talks")
    settled(naming.page)
    # The server answers while the browser still sends, and closes the connection.
    with naming.page.expect_response(lambda response: response.status == 413) as answer:
        naming.enter("y" * length)
    reason = answer.value.json()["detail"]
    expect(naming.name).to_have_attribute("data-vm-refused", reason)
    expect(naming.name).to_have_value("y" * length)
    naming.button.click()
    expect(naming.button).to_have_attribute("data-vm-refused", reason)
    settled(naming.page)
    expect(naming.page.locator("html")).to_have_attribute("data-vm", "live")
    assert naming.actions == []
    naming.expect_made("Songs")
    server.stop()


BROKEN = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Broken</title><link rel="icon" href="data:,">
<script src="/broken.js"></script><script type="module" src="/euripus.js"></script>
<body><main data-vm-root="reference"><x-date data-vm-bind="word"></x-date><x-clock data-vm-prop-time="word"></x-clock>
<input aria-label="Word" data-vm-bind="word"><output data-vm-text="word"></output>
<p role="status" data-vm-status data-live="live" data-retrying="lost"></p></main></body></html>"""
BROKEN_SCRIPT = """
const failing = (value) => { if (value === "boom") throw RangeError("no such date: " + value); };
customElements.define("x-date", class extends HTMLElement {
  static formAssociated = true;
  get value() { return this.held ?? ""; }
  set value(next) { failing(next); this.held = next; }
});
customElements.define("x-clock", class extends HTMLElement { set time(next) { failing(next); } get time() { return undefined; } });
"""


def test_elements_whose_setters_throw_are_named_in_the_console_and_take_no_other_part_and_no_connection(context, url):
    page = context.new_page()
    errors = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.route("**/broken", lambda route: route.fulfill(content_type="text/html", body=BROKEN))
    page.route("**/broken.js", lambda route: route.fulfill(content_type="text/javascript", body=BROKEN_SCRIPT))
    page.goto(url + "broken")
    live(page)
    field, word = page.get_by_label("Word"), page.locator("output")
    for text in ("boom", "bang", "boom", "good"):
        field.fill(text)
        expect(word).to_have_text(text)
        settled(page)
        expect(page.locator("html")).to_have_attribute("data-vm", "live")
        expect(page.get_by_role("status").last).to_have_text("live")
    assert page.locator("x-date").evaluate("date => date.value") == "good"
    assert set(errors) == {'<x-date> {"vmBind":"word"}: no such date: boom', '<x-clock> {"vmPropTime":"word"}: no such date: boom'}
