# SPDX-License-Identifier: MIT
"""Edits that are made without a connection: over a reload, as the tab is closed, in another session, and on connections
that died without a word."""

import contextlib
import re

import pytest
from conftest import HeldRequests, cut, live, settled, until
from playwright.sync_api import Error, expect
from test_login import Login

MISSING = "Enter a password"


@pytest.fixture
def login(context, wire):
    """A page that has lost its connection, with a name and a password that are typed then."""
    login = Login(context, wire.url)
    cut(wire, login.page)
    login.enter(login.username, "maruko")
    login.enter(login.password, "123456")
    expect(login.page.locator("[data-vm-pending]")).to_have_count(2)
    return login


def reload(page, meanwhile=lambda: None):
    """Loads a page again in vain, as there is no connection. The browser asks first, and the person goes on."""
    with page.expect_event("dialog") as asked:
        page.once("dialog", lambda dialog: (dialog.accept(), meanwhile()))
        with contextlib.suppress(Error):
            page.reload()
    assert asked.value.type == "beforeunload"
    # The page is left once the browser shows its own in the place of it.
    expect(page.locator("html[data-vm]")).to_have_count(0)


def test_a_text_that_was_typed_without_a_connection_is_there_after_a_reload_and_is_sent_and_a_password_is_not(login, wire):
    reload(login.page)
    wire.mend()
    held = HeldRequests(login.page, "**/sessions/**")
    login.page.goto(wire.url + "login.html")
    expect(login.username).to_have_value("maruko")
    expect(login.password).to_have_value("")
    assert "123456" not in login.page.evaluate("JSON.stringify(sessionStorage)")
    held.release()
    live(login.page)
    settled(login.page)
    expect(login.username).to_have_value("maruko")
    expect(login.message).to_have_text(MISSING)
    assert login.state("login")["username"] == "maruko"


def test_a_text_that_was_typed_without_a_connection_goes_to_another_session_which_is_told_of(login, wire):
    session = login.page.evaluate("sessionStorage['euripus:login']")
    reload(login.page)
    wire.mend()
    assert login.page.context.request.delete(wire.url.rstrip("/") + session).ok
    login.page.goto(wire.url + "login.html")
    expect(login.connection).to_contain_text("Your session ended")
    settled(login.page)
    expect(login.username).to_have_value("maruko")
    assert login.state("login")["username"] == "maruko"
    assert login.page.evaluate("sessionStorage['euripus:login']") != session


ASKS = "!dispatchEvent(new Event('beforeunload', { cancelable: true }))"


def test_a_text_that_was_typed_on_a_connection_that_died_without_a_word_is_asked_about_and_there_after_a_reload(context, wire):
    login = Login(context, wire.url)
    wire.fall_silent()
    login.enter(login.username, "maruko")
    assert not login.page.evaluate(ASKS)
    until(lambda: login.page.evaluate(ASKS), "a question")
    expect(login.page.locator("html")).to_have_attribute("data-vm", "live")
    # The browser would wait for its dead connections for long.
    reload(login.page, wire.cut)
    wire.mend()
    wire.speak()
    login.page.goto(wire.url + "login.html")
    live(login.page)
    settled(login.page)
    expect(login.username).to_have_value("maruko")
    assert login.state("login")["username"] == "maruko"


HIDE = "document => { Object.defineProperty(document, 'hidden', { get: () => true }); document.dispatchEvent(new Event('visibilitychange', { bubbles: true })) }"


def test_a_text_that_was_typed_without_a_connection_outlives_a_hidden_page_that_a_phone_ends_without_a_word(login, context, wire):
    login.page.evaluate(f"({HIDE})(document)")
    # The storage is all that a phone keeps of such a tab.
    kept = login.page.evaluate("Object.entries(sessionStorage)")
    login.page.close()
    wire.mend()
    again = context.new_page()
    again.goto(wire.url + "favicon.svg")
    again.evaluate("kept => kept.forEach(([key, value]) => sessionStorage.setItem(key, value))", kept)
    again.goto(wire.url + "login.html")
    expect(again.get_by_label("User name")).to_have_value("maruko")
    live(again)
    settled(again)
    assert again.evaluate("async () => (await (await fetch(sessionStorage['euripus:login'], { cache: 'no-store' })).json()).state.username") == "maruko"


@pytest.mark.parametrize("word", ["ciao", "grazie"])
def test_a_choice_by_radio_buttons_without_a_connection_is_there_after_a_reload_and_is_sent(context, wire, word):
    page = context.new_page()
    address = wire.url + "reference.html"
    page.goto(address)
    live(page)
    choice = page.get_by_role("group", name="A word from Italy").get_by_role("radio", name=word)
    cut(wire, page)
    choice.check()
    reload(page)
    wire.mend()
    held = HeldRequests(page, "**/sessions/**")
    page.goto(address)
    expect(choice).to_be_checked()
    held.release()
    live(page)
    settled(page)
    expect(choice).to_be_checked()
    expect(page.get_by_label("A word to add")).to_have_value(word)


def test_a_tab_that_is_closed_asks_while_an_edit_is_not_sent_and_not_before_or_after(context, wire):
    page = Login(context, wire.url).page
    asks = lambda: page.evaluate(ASKS)
    assert not asks()
    cut(wire, page)
    assert not asks()
    page.get_by_label("User name").fill("maruko")
    assert asks()
    wire.mend()
    live(page)
    settled(page)
    assert not asks()


def test_two_fields_of_one_value_are_in_another_session_as_they_were_edited_last(context, url):
    page = context.new_page()
    page.goto(url + "reference.html")
    live(page)
    word, other = page.locator("[data-vm-bind=word]").first, page.get_by_label("A word to add")
    session = page.evaluate("sessionStorage['euripus:reference']")
    context.set_offline(True)
    expect(page.locator("html")).to_have_attribute("data-vm", "offline")
    other.fill("earlier")
    word.fill("later")
    # A request of the test's own, which the browser lets pass.
    assert context.request.delete(url.rstrip("/") + session).ok
    context.set_offline(False)
    live(page)
    settled(page)
    other.blur()
    expect(word).to_have_value("later")
    expect(other).to_have_value("later")
    assert page.evaluate("async () => (await (await fetch(sessionStorage['euripus:reference'], { cache: 'no-store' })).json()).state.word") == "later"


def test_an_action_that_is_lost_with_its_session_is_told_as_that_and_not_as_a_lost_connection(context, url):
    page = context.new_page()
    page.goto(url + "profile.html")
    live(page)
    session = page.evaluate("sessionStorage['euripus:profile']")
    held = HeldRequests(page, "**/actions/open*")
    button = page.get_by_role("button", name="Open a crab form")
    with page.expect_request("**/actions/open*"):
        button.click()
    assert context.request.delete(url.rstrip("/") + session).ok
    held.release()
    expect(button).to_have_attribute("data-vm-refused", "Your session ended, so this is a new one.")


# The waits of a page, in milliseconds of its clock: a poll, what the network may take besides, and a try after a failure
# where chance adds nothing.
POLL, NETWORK, PAUSE = 25_000, 5_000, 100


def test_connections_that_died_without_a_word_are_found_out_within_a_polls_time(context, wire):
    context.add_init_script("Math.random = () => 0")
    page = context.new_page()
    page.clock.install()
    page.goto(wire.url + "login.html")
    live(page)
    html, name = page.locator("html"), page.get_by_label("User name")
    # The browser has more connections to the server, as a page needs them for its files, and uses those first.
    page.evaluate("async () => { await Promise.all([1, 2, 3, 4].map(async (n) => (await fetch(`/favicon.svg?${n}`, { cache: 'no-store' })).text())) }")
    wire.fall_silent()
    name.fill("maruko")
    # The edit is sent on a dead connection, and nothing is heard of it.
    until(lambda: wire.lost > 0, "a request on a dead connection")
    page.clock.run_for(POLL + NETWORK - 1_000)
    expect(html).to_have_attribute("data-vm", "live")
    page.clock.run_for(1_000)
    expect(html).to_have_attribute("data-vm", "retrying")
    wire.speak()
    # The browser may have more of them. Each takes the network's time.
    spent = POLL + NETWORK
    while html.get_attribute("data-vm") != "live":
        before = wire.lost
        page.clock.run_for(PAUSE)
        until(lambda: wire.lost > before or html.get_attribute("data-vm") == "live", "a request")
        if html.get_attribute("data-vm") != "live":
            page.clock.run_for(NETWORK)
            spent += PAUSE + NETWORK
    settled(page)
    expect(page.get_by_role("status").first).to_have_text(MISSING)
    print("found out, and live again, after", spent / 1000, "s")
    # Chromium has six connections to a server.
    assert spent <= POLL + NETWORK + 6 * (PAUSE + NETWORK)
