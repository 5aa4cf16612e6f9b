# SPDX-License-Identifier: MIT
"""Users, parameters, and the languages and time zone that a page tells of its client, in a browser with several tabs
(Tests/GatehouseApp)."""

import os
import re
import time
import urllib.request
from pathlib import Path

import pytest
from conftest import Server
from playwright.sync_api import expect

STATUS = ('<p role="status" data-vm-status data-signed-out="out" data-sign-in-needed="needed" data-superseded="ended" data-retrying="lost"></p>'
          '<button type="button" id="again" data-vm-retry hidden>Again</button><a href="/gate" data-vm-signin hidden>Sign in</a>')
GATE = f"""<main data-vm-root="gate">{STATUS}<output id="name" data-vm-text="name"></output><input id="note" data-vm-bind="note">
  <button type="button" id="enter" data-vm-do="enter" data-vm-arg="=anna">Enter</button>
  <button type="button" id="leave" data-vm-do="leave">Leave</button>
  <button type="button" id="everywhere" data-vm-do="leaveEverywhere">Leave everywhere</button>
  <button type="button" id="ring" data-vm-do="ring">Ring</button></main>"""
HOUSE = f'<main data-vm-root="house">{STATUS}<output id="owner" data-vm-text="owner"></output></main>'
COUNTER = f"""<section data-vm-root="counter" %s>{STATUS}<output class="count" data-vm-text="count"></output><output class="board" data-vm-text="board"></output>
  <output class="zone" data-vm-text="zone"></output><output class="language" data-vm-text="language"></output>
  <button type="button" class="add" data-vm-do="add">Add</button></section>"""
TEXT = "The quick brown fox jumps over the lazy dog, then sleeps."


class Tab:
    """A page of that markup, the errors that it reports, and the sessions that it opens."""

    def __init__(self, context, url, markup, path="gate"):
        self.page, self.url, self.openings, self.noise = context.new_page(), url + path, [], []
        self.page.on("pageerror", lambda error: self.noise.append(str(error)))
        self.page.on("request", lambda request: self.openings.append(request.url) if request.method == "POST" and request.url.count("/") == 4 else None)
        self.show(markup)
        self.page.goto(self.url)

    def show(self, markup):
        """Gives the page that markup from its next load on."""
        page = f'<!doctype html><html lang="en"><title>Gate</title><script type="module" src="/euripus.js"></script>{markup}'
        self.page.unroute(self.url)
        self.page.route(self.url, lambda route: route.fulfill(content_type="text/html", body=page))

    def is_live(self):
        expect(self.page.locator("html")).to_have_attribute("data-vm", "live")

    def is_ended(self, words, shown):
        expect(self.page.locator("html")).to_have_attribute("data-vm", "blocked")
        expect(self.page.locator("[data-vm-status]")).to_have_text(words)
        for selector in ("#again", "[data-vm-signin]"):
            expect(self.page.locator(selector)).to_be_visible(visible=selector in shown)

    def listen(self):
        self.page.evaluate("""() => {
            window.told = [];
            for (const name of ["vm:state", "vm:error"]) document.addEventListener(name, ({ detail }) => told.push(detail.state ?? detail.type));
        }""")


def test_a_tab_that_is_typed_into_while_another_one_signs_in_and_out_goes_on_without_a_word(context, gatehouse):
    other, tab = Tab(context, gatehouse, GATE), Tab(context, gatehouse, GATE)
    other.is_live()
    tab.is_live()
    tab.listen()
    refused = []
    tab.page.on("response", lambda response: refused.append(response.status) if response.status >= 400 else None)
    tab.page.locator("#note").focus()
    for at, letter in enumerate(TEXT):
        if at % 12 == 6:
            # The test does not wait for this, so that the next letters are on their way meanwhile.
            other.page.evaluate(f"document.querySelector('#{'enter' if at % 24 == 6 else 'leave'}').click()")
        tab.page.keyboard.type(letter, delay=25)
    expect(other.page.locator("#name")).to_have_text("anna")
    expect(tab.page.locator("#name")).to_have_text("anna")
    expect(tab.page.locator("[data-vm-pending]")).to_have_count(0)
    assert tab.page.locator("#note").input_value() == TEXT
    assert tab.page.evaluate("told") == []
    assert set(refused) <= {401}
    # A reload shows the server's values.
    tab.page.reload()
    expect(tab.page.locator("#note")).to_have_value(TEXT)
    expect(tab.page.locator("#name")).to_have_text("anna")
    assert len(tab.openings) == 1
    assert tab.noise == []


def test_who_is_signed_out_by_another_browser_is_told_leaves_nothing_on_the_page_and_comes_back_only_by_a_press(browser, gatehouse):
    contexts = [browser.new_context() for _ in range(2)]
    one, two = [Tab(context, gatehouse, GATE) for context in contexts]
    for tab in (one, two):
        tab.is_live()
        tab.page.locator("#enter").click()
        expect(tab.page.locator("#name")).to_have_text("anna")
    two.page.locator("#note").fill("of anna's")
    expect(two.page.locator("[data-vm-pending]")).to_have_count(0)
    one.page.locator("#everywhere").click()
    expect(one.page.locator("#name")).to_have_text("nobody")
    two.is_ended("out", ["#again", "[data-vm-signin]"])
    expect(two.page.locator("#note")).to_have_value("")
    expect(two.page.locator("#name")).to_have_text("")
    two.page.evaluate("dispatchEvent(new Event('pagehide'))")
    assert two.page.evaluate("Object.values(sessionStorage).join('')") == ""
    assert len(two.openings) == 1
    two.page.locator("#again").click()
    two.is_live()
    expect(two.page.locator("#name")).to_have_text("nobody")
    expect(two.page.locator("#note")).to_have_value("")
    assert len(two.openings) == 2
    assert one.noise + two.noise == []
    for context in contexts:
        context.close()


def test_what_is_for_users_says_so_and_is_there_once_somebody_has_signed_in(context, gatehouse):
    house = Tab(context, gatehouse, HOUSE, "house")
    house.is_ended("needed", ["#again", "[data-vm-signin]"])
    assert len(house.openings) == 1
    gate = Tab(context, gatehouse, GATE)
    gate.is_live()
    gate.page.locator("#enter").click()
    expect(gate.page.locator("#name")).to_have_text("anna")
    house.page.locator("#again").click()
    expect(house.page.locator("#owner")).to_have_text("anna")
    for selector in ("#again", "[data-vm-signin]"):
        expect(house.page.locator(selector)).to_be_hidden()


@pytest.mark.one_server("each server knows the readers of its own sessions alone, so a client may have one more")
def test_a_session_that_ended_for_others_of_this_browser_is_said_to_have_and_ends_no_other(context, gatehouse):
    first = Tab(context, gatehouse, GATE)
    first.is_live()
    first.page.locator("#note").fill("kept")
    expect(first.page.locator("[data-vm-pending]")).to_have_count(0)
    network = context.new_cdp_session(first.page)
    network.send("Network.enable")
    conditions = {"latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}
    network.send("Network.emulateNetworkConditions", {**conditions, "offline": True})
    # A client may have four sessions. The fifth ends the first one once the server has noticed that its poll
    # is gone.
    others = [Tab(context, gatehouse, GATE) for _ in range(4)]
    for each in others:
        each.is_live()
    network.send("Network.emulateNetworkConditions", {**conditions, "offline": False})
    first.is_ended("ended", ["#again"])
    expect(first.page.locator("#note")).to_have_value("kept")
    assert len(first.openings) == 1
    others[0].page.close()
    first.page.locator("#again").click()
    first.is_live()
    expect(first.page.locator("#note")).to_have_value("kept")
    assert len(first.openings) == 2


def test_a_press_that_is_for_others_is_refused_at_its_button(context, gatehouse):
    tab = Tab(context, gatehouse, GATE)
    tab.is_live()
    tab.page.locator("#ring").click()
    expect(tab.page.locator("#ring")).to_have_attribute("data-vm-refused", "'ring' is for the role 'guest' alone")
    tab.page.locator("#enter").click()
    expect(tab.page.locator("#name")).to_have_text("anna")
    tab.page.locator("#ring").click()
    expect(tab.page.locator("#ring[data-vm-refused]")).to_have_count(0)


def test_roots_have_their_parameters_and_the_client_its_language_and_time_zone(browser, gatehouse):
    context = browser.new_context(locale="de-AT", timezone_id="Europe/Vienna")
    roots = [COUNTER % 'data-vm-params-start="=10" data-vm-params-board-name="x"', COUNTER % "data-vm-params='={\"start\":20,\"boardName\":\"y\"}'"]
    tab = Tab(context, gatehouse, "".join(roots), "counters")
    expect(tab.page.locator(".count")).to_have_text(["10", "20"])
    expect(tab.page.locator(".board")).to_have_text(["x", "y"])
    expect(tab.page.locator(".zone")).to_have_text(["Europe/Vienna"] * 2)
    expect(tab.page.locator(".language")).to_have_text(["de-AT"] * 2)
    tab.page.locator(".add").first.click()
    expect(tab.page.locator(".count")).to_have_text(["11", "20"])
    tab.page.reload()
    expect(tab.page.locator(".count")).to_have_text(["11", "20"])
    assert len(tab.openings) == 2
    tab.show(roots[0] + COUNTER % 'data-vm-params-start="=30"')
    tab.page.reload()
    expect(tab.page.locator(".count")).to_have_text(["11", "30"])
    assert len(tab.openings) == 3
    tab.page.evaluate("""async () => {
        const { root } = await import("/euripus.js");
        await (await root("counter")).prefer({ languages: ["fr"], timeZone: "Asia/Tokyo" });
    }""")
    expect(tab.page.locator(".zone").first).to_have_text("Asia/Tokyo")
    expect(tab.page.locator(".language").first).to_have_text("fr")
    assert tab.noise == []
    context.close()


def farewells(url):
    """The number of pages that have taken their leave, by the server's count: a browser tells a test of no request
    that outlives its page."""
    with urllib.request.urlopen(url + "metrics", timeout=10) as answer:
        counts = re.findall(r'/leaving",status="204"} (\d+)', answer.read().decode())
    return int(counts[0]) if counts else 0


def wait_for_farewells(url, count):
    end = time.monotonic() + 10
    while farewells(url) < count:
        assert time.monotonic() < end, "no page took its leave within 10 s"


def test_a_page_that_is_closed_takes_its_leave_and_one_that_is_loaded_again_has_its_session(context, gatehouse):
    tab = Tab(context, gatehouse, GATE)
    tab.is_live()
    tab.page.locator("#note").fill("mine")
    expect(tab.page.locator("[data-vm-pending]")).to_have_count(0)
    before = farewells(gatehouse)
    tab.page.reload()
    tab.is_live()
    expect(tab.page.locator("#note")).to_have_value("mine")
    wait_for_farewells(gatehouse, before + 1)
    assert len(tab.openings) == 1
    tab.page.close(run_before_unload=True)
    wait_for_farewells(gatehouse, before + 2)


def gates(url):
    """The gates that the server has, and those that were opened, as /metrics counts them."""
    with urllib.request.urlopen(url + "metrics") as response:
        text = response.read().decode()
    return [int(re.search(rf'^{name}\{{model="gate"\}} (\d+)$', text, re.MULTILINE).group(1)) for name in ("euripus_sessions", "euripus_sessions_opened_total")]


def test_after_sixty_tabs_that_were_closed_the_next_one_works_and_the_sessions_are_those_of_the_living_ones(context, binary):
    options = ("--sessions-per-client", "4", "--idle", "15")
    server = Server(str(Path(binary).parent / "GatehouseApp"), options=options, is_demos=False)
    kept = Tab(context, server.url, GATE)
    kept.is_live()
    for _ in range(60):
        tab = Tab(context, server.url, GATE)
        tab.is_live()
        tab.page.close()
    last = Tab(context, server.url, GATE)
    last.is_live()
    last.page.locator("#enter").click()
    for tab in (kept, last):
        expect(tab.page.locator("#name")).to_have_text("anna")
        assert not tab.noise
    # With several servers each counts its own sessions, and one of them answers.
    if "EURIPUS_NODES" not in os.environ:
        assert gates(server.url)[1] >= 62
        deadline = time.monotonic() + 60
        # Polls keep two gates alive. The others end for newer ones, or because no request came for 15 s.
        while gates(server.url)[0] > 2 and time.monotonic() < deadline:
            kept.page.wait_for_timeout(100)
        assert gates(server.url)[0] == 2
    for tab in (kept, last):
        tab.is_live()
    server.stop()
