# SPDX-License-Identifier: MIT
"""Users, parameters, and the languages and time zone that a page tells of its client, in a browser with several tabs
(Tests/GatehouseApp)."""

import os
from pathlib import Path

from conftest import Server, live, settled, until
from playwright.sync_api import expect

STATUS = ('<p role="status" data-vm-status data-signed-out="out" data-retrying="lost"></p>'
          '<button type="button" id="again" data-vm-retry hidden>Again</button><a href="/gate" data-vm-signin hidden>Sign in</a>')
GATE = f"""<main data-vm-root="gate">{STATUS}<output id="name" data-vm-text="name"></output><input id="note" data-vm-bind="note">
  <button type="button" id="enter" data-vm-do="enter" data-vm-arg="=anna">Enter</button>
  <button type="button" id="leave" data-vm-do="leave">Leave</button>
  <button type="button" id="everywhere" data-vm-do="leaveEverywhere">Leave everywhere</button></main>"""
COUNTER = f"""<section data-vm-root="counter" %s>{STATUS}<output class="count" data-vm-text="count"></output><output class="board" data-vm-text="board"></output>
  <output class="zone" data-vm-text="zone"></output><output class="language" data-vm-text="language"></output>
  <button type="button" class="add" data-vm-do="add">Add</button></section>"""
TEXT = "The quick brown fox jumps over the lazy dog, then sleeps."


class Tab:
    """A page of that markup, the errors that it reports, and the sessions that it opens."""

    def __init__(self, context, url, markup, path="gate", script=""):
        self.script = script
        self.page, self.url, self.openings, self.noise = context.new_page(), url + path, [], []
        self.page.on("pageerror", lambda error: self.noise.append(str(error)))
        self.page.on("request", lambda request: self.openings.append(request.url) if request.method == "POST" and request.url.count("/") == 4 else None)
        self.show(markup)
        self.page.goto(self.url)

    def show(self, markup):
        """Gives the page that markup from its next load on."""
        page = f'<!doctype html><html lang="en"><title>Gate</title>{self.script}<script type="module" src="/euripus.js"></script>{markup}'
        self.page.unroute(self.url + "*")
        self.page.route(self.url + "*", lambda route: route.fulfill(content_type="text/html", body=page))


def test_a_tab_that_is_typed_into_while_another_one_signs_in_and_out_goes_on_without_a_word(context, gatehouse):
    other, tab = Tab(context, gatehouse.url, GATE), Tab(context, gatehouse.url, GATE)
    live(other.page)
    live(tab.page)
    tab.page.evaluate("""() => {
        window.told = [];
        for (const name of ["vm:state", "vm:error"]) document.addEventListener(name, ({ detail }) => told.push(detail.state ?? detail.type));
    }""")
    refused = []
    tab.page.on("response", lambda response: refused.append(response.status) if response.status >= 400 else None)
    tab.page.locator("#note").focus()
    for at, letter in enumerate(TEXT):
        if at % 12 == 6:
            # A press is nothing while the one before it is not answered. The test does not wait for this press to be
            # answered, so that the next letters are on their way meanwhile.
            settled(other.page)
            other.page.evaluate(f"document.querySelector('#{'enter' if at % 24 == 6 else 'leave'}').click()")
        tab.page.keyboard.type(letter)
    expect(other.page.locator("#name")).to_have_text("anna")
    expect(tab.page.locator("#name")).to_have_text("anna")
    settled(tab.page)
    assert tab.page.locator("#note").input_value() == TEXT
    assert tab.page.evaluate("told") == []
    assert set(refused) <= {401}
    # A reload shows the server's values.
    tab.page.reload()
    expect(tab.page.locator("#note")).to_have_value(TEXT)
    expect(tab.page.locator("#name")).to_have_text("anna")
    assert len(tab.openings) == 1
    assert tab.noise == []


def test_a_page_that_is_signed_out_by_another_browser_says_so_shows_nothing_and_comes_back_only_by_a_press(context, other, gatehouse):
    one, two = [Tab(each, gatehouse.url, GATE) for each in (context, other)]
    for tab in (one, two):
        live(tab.page)
        tab.page.locator("#enter").click()
        expect(tab.page.locator("#name")).to_have_text("anna")
    two.page.locator("#note").fill("of anna's")
    settled(two.page)
    one.page.locator("#everywhere").click()
    expect(one.page.locator("#name")).to_have_text("nobody")
    expect(two.page.locator("html")).to_have_attribute("data-vm", "blocked")
    expect(two.page.locator("[data-vm-status]")).to_have_text("out")
    expect(two.page.locator("#again")).to_be_visible()
    expect(two.page.locator("[data-vm-signin]")).to_be_visible()
    expect(two.page.locator("#note")).to_have_value("")
    expect(two.page.locator("#name")).to_have_text("")
    two.page.evaluate("dispatchEvent(new Event('pagehide'))")
    assert two.page.evaluate("Object.values(sessionStorage).join('')") == ""
    assert len(two.openings) == 1
    two.page.locator("#again").click()
    live(two.page)
    expect(two.page.locator("#name")).to_have_text("nobody")
    expect(two.page.locator("#note")).to_have_value("")
    assert len(two.openings) == 2
    assert one.noise + two.noise == []


def test_roots_have_their_parameters_and_the_client_its_language_and_time_zone(open_context, gatehouse):
    context = open_context(locale="de-AT", timezone_id="Europe/Vienna")
    roots = [COUNTER % 'data-vm-params-start="=10" data-vm-params-board-name="x"', COUNTER % "data-vm-params='={\"start\":20,\"boardName\":\"y\"}'"]
    tab = Tab(context, gatehouse.url, "".join(roots), "counters")
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


def test_a_link_with_an_invitation_lets_one_browser_in_and_leaves_nothing_in_the_address(open_context, gatehouse):
    invited = """<script type="module" src="/euripus-invitation.js"></script>"""
    yard = f"""<section data-vm-root="yard" data-vm-invited><p role="status" class="told" data-vm-status data-sign-in-needed="closed" data-no-invitation="no more"></p>
      <input class="note" data-vm-bind="note"></section>"""
    contexts = [open_context() for _ in range(3)]
    anna = Tab(contexts[0], gatehouse.url, GATE)
    anna.page.locator("#enter").click()
    expect(anna.page.locator("#name")).to_have_text("anna")
    anna.show(GATE + yard)
    anna.page.goto(anna.url)
    anna.page.locator(".note").fill("Welcome")
    link = lambda: "#invitation=" + anna.page.evaluate("import('/euripus.js').then(({ root }) => root('yard').perform('invite'))")
    first = link()
    # Its script stands before the client.
    guest, late = (Tab(context, gatehouse.url, yard, "yard", invited) for context in contexts[1:])
    # They show the page already, so the browser goes to the fragment alone.
    guest.page.goto(guest.url + first)
    expect(guest.page.locator(".note")).to_have_value("Welcome")
    assert guest.page.url == guest.url
    guest.page.locator(".note").fill("Thank you")
    expect(anna.page.locator(".note")).to_have_value("Thank you")
    guest.page.reload()
    expect(guest.page.locator(".note")).to_have_value("Thank you")
    late.page.goto(late.url + first)
    expect(late.page.locator(".told")).to_have_text("no more")
    anna.page.evaluate("import('/euripus.js').then(({ root }) => root('yard').perform('dismiss'))")
    expect(guest.page.locator(".told")).to_have_text("closed")
    expect(guest.page.locator(".note")).to_have_value("")
    assert anna.noise + guest.noise + late.noise == []


def test_a_page_that_is_closed_takes_its_leave_and_one_that_is_loaded_again_has_its_session(context, gatehouse):
    # By the server's count: a browser tells a test of no request that outlives its page.
    farewells = lambda: gatehouse.metrics(r'/leaving",status="204"} (\d+)')
    tab = Tab(context, gatehouse.url, GATE)
    live(tab.page)
    tab.page.locator("#note").fill("mine")
    settled(tab.page)
    before = farewells()
    tab.page.reload()
    live(tab.page)
    expect(tab.page.locator("#note")).to_have_value("mine")
    until(lambda: farewells() == before + 1)
    assert len(tab.openings) == 1
    tab.page.close(run_before_unload=True)
    until(lambda: farewells() == before + 2)


def test_after_twenty_tabs_that_were_closed_the_next_one_works_and_the_sessions_are_those_of_the_living_ones(context, binary):
    options = ("--sessions-per-client", "4", "--idle", "15")
    server = Server(str(Path(binary).parent / "GatehouseApp"), options=options, is_demos=False)
    kept = Tab(context, server.url, GATE)
    live(kept.page)
    for _ in range(20):
        tab = Tab(context, server.url, GATE)
        live(tab.page)
        tab.page.close()
    last = Tab(context, server.url, GATE)
    live(last.page)
    last.page.locator("#enter").click()
    for tab in (kept, last):
        expect(tab.page.locator("#name")).to_have_text("anna")
        assert not tab.noise
    # With several servers each counts its own sessions, and one of them answers.
    if "EURIPUS_NODES" not in os.environ:
        assert server.metrics(r'^euripus_sessions_opened_total\{model="gate"\} (\d+)$') >= 22
        # Polls keep two gates alive. The others end for newer ones, or because no request came for 15 s.
        until(lambda: server.metrics(r'^euripus_sessions\{model="gate"\} (\d+)$') == 2)
    for tab in (kept, last):
        live(tab.page)
    server.stop()
