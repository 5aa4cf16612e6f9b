# SPDX-License-Identifier: MIT
"""Edits that are made without a connection: over a reload, as the tab is closed, in another session, and on connections
that died without a word."""

import contextlib

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
    expect(login.connection).to_contain_text("Trying again")
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
