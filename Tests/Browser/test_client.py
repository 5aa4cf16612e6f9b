# SPDX-License-Identifier: MIT
"""The promises of the passive view to a person who types, in a real browser."""

import itertools
import json
import os

import pytest
from conftest import DEMOS, LIMIT, PAGES, Composition, Line, count_frames, live, noise_of, settled, visit
from playwright.sync_api import expect

TEXT = "The quick brown fox jumps over the lazy dog, then sleeps."


@pytest.mark.story
def test_57_characters_arrive_at_300_to_1000_ms_of_latency_while_somebody_writes_the_same_field(context, url):
    assert len(TEXT) == 57
    page = visit(context, url, "login")
    noise = noise_of(page)
    html, username, session = page.locator("html"), page.locator("#username"), page.evaluate("sessionStorage['euripus:login']")
    line, latencies = Line(page), itertools.cycle((300, 1000, 450, 600))
    count_frames(page)
    line.set(next(latencies))
    username.focus()
    page.keyboard.type(TEXT[0])
    for at, letter in enumerate(TEXT[1:], 1):
        if at % 10 == 0:
            line.set(next(latencies))
        frames = html.get_attribute("data-frames") or ""
        # Another client writes before each letter, so the person who types is the last to write.
        data = json.dumps(f"other {at}")
        assert context.request.put(url.rstrip("/") + session + "/state/username", data=data, headers={"content-type": "application/json"}).ok
        page.keyboard.type(letter)
        if at % 10 == 9:
            # The page has heard of the other's text, and leaves the field alone.
            expect(html).not_to_have_attribute("data-frames", frames)
        assert username.input_value() == TEXT[: at + 1]
    settled(page)
    expect(username).to_have_value(TEXT)
    state = page.evaluate("async (url) => (await (await fetch(url, { cache: 'no-store' })).json()).state.username", session)
    assert state == TEXT
    page.locator("#password").focus()
    expect(username).to_have_value(TEXT)
    assert noise == []


CHAT = """
<form data-vm-do="say"><input aria-label="Say" data-vm-bind="draft"><button type="submit">Say</button></form>
<output data-vm-text="news"></output><ol><template data-vm-each="said"><li data-vm-text="text"></li></template></ol>"""


@pytest.fixture
def chat(play):
    """A server of a chat, and a page of it."""
    def say(state, path, value):
        said, key = state["said"], f"k{len(state['said']['order'])}"
        said["order"].append(key)
        said["items"][key] = {"text": state["draft"]}
        state["draft"] = ""

    return play(CHAT, {"draft": "", "news": "", "said": {"order": [], "items": {}}}, say)


def test_a_text_that_is_typed_on_after_enter_is_the_next_thing_said_and_the_field_keeps_its_focus(chat):
    played, page = chat
    Line(page).set(400)
    field = page.get_by_label("Say")
    field.focus()
    page.keyboard.type("milk\neggs\nbread\nan")
    expect(page.locator("li")).to_have_text(["milk", "eggs", "bread"])
    expect(field).to_have_value("an")
    page.keyboard.type("d")
    settled(page)
    assert (played.state["draft"], field.input_value()) == ("and", "and")
    expect(field).to_be_focused()
    page.keyboard.press("Enter")
    expect(field).to_have_value("")
    expect(field).to_be_focused()
    assert [each for each in played.applied if each[0] == "POST"] == [("POST", "/actions/say", None)] * 4


def test_a_composition_after_enter_is_all_that_is_left_when_it_ends(chat):
    played, page = chat
    field, ime = page.get_by_label("Say"), Composition(page)
    field.focus()
    with page.expect_response("**/actions/say*"):
        played.hold("/actions/say")
        page.keyboard.type("milk\n")
        for text in ["n", "ni", "nih", "niha", "nihao"]:
            ime.set(text)
            expect(field).to_have_value("milk" + text)
            played.change(lambda state: state.update(news=text))
            expect(page.locator("output")).to_have_text(text)
            expect(field).to_have_value("milk" + text)
        played.release()
    # The answer meets a composition, which it leaves alone.
    expect(page.locator("li")).to_have_text(["milk"])
    settled(page)
    assert played.state["draft"] == "nihao"
    expect(field).to_have_value("milknihao")
    ime.end("你好")
    expect(field).to_have_value("你好")
    settled(page)
    assert played.state["draft"] == "你好"


def test_a_page_that_is_left_takes_along_the_last_text_of_each_of_six_fields(play):
    fields = [f'<input aria-label="f{at}" data-vm-bind="f{at}" data-vm-debounce="600000">' for at in range(6)]
    played, page = play("".join(fields), {f"f{at}": "" for at in range(6)})
    Line(page).set(300)
    for at in range(6):
        page.get_by_label(f"f{at}").fill(f"text {at}")
    assert played.applied == []
    page.goto("about:blank")
    with played.changed:
        assert played.changed.wait_for(lambda: len(played.applied) == 6, timeout=LIMIT), played.applied
    assert played.state == {f"f{at}": f"text {at}" for at in range(6)}


def test_a_page_that_comes_back_from_the_history_as_it_was_left_shows_and_has_sent_the_last_text(browser, url):
    # Playwright turns the history's cache off.
    args = ["--no-sandbox"] if os.geteuid() == 0 else []
    remembering = browser.browser_type.launch(
        executable_path="/usr/bin/chromium", args=args, ignore_default_args=["--disable-back-forward-cache"])
    page = remembering.new_page()
    page.set_default_timeout(LIMIT * 1000)
    noise = noise_of(page)
    page.add_init_script("addEventListener('pageshow', ({ persisted }) => (document.documentElement.dataset.persisted = persisted))")
    page.goto(url + "login.html")
    live(page)
    username, password = page.locator("#username"), page.locator("#password")
    Line(page).set(300)
    username.focus()
    page.keyboard.type("maru")
    password.focus()
    page.keyboard.type("123456")
    username.focus()
    page.keyboard.type("ko")
    page.goto(url, wait_until="commit")
    # The debugging protocol cannot go back while the browser still swaps the two pages. The page itself can.
    page.evaluate("void setTimeout(() => history.back())")
    expect(page.locator("html")).to_have_attribute("data-persisted", "true")
    live(page)
    expect(username).to_have_value("maruko")
    expect(password).to_have_value("123456")
    settled(page)
    expect(page.get_by_role("button", name="Log in")).to_have_attribute("aria-disabled", "false")
    username.focus()
    page.keyboard.press("End")
    page.keyboard.type("-chan")
    settled(page)
    state = page.evaluate("async () => (await (await fetch(sessionStorage['euripus:login'], { cache: 'no-store' })).json()).state")
    assert (state["username"], state["loginEnabled"]) == ("maruko-chan", True)
    assert noise == []
    remembering.close()


ROWS = """<ul><template data-vm-each="rows"><li><input data-vm-attr-aria-label="#" data-vm-bind="title"></li></template></ul>"""


def test_a_row_that_is_typed_into_keeps_focus_and_selection_while_the_others_are_moved_around_it(play):
    keys = [f"k{at}" for at in range(12)]
    state = {"rows": {"order": list(keys), "items": {key: {"title": f"title of {key}"} for key in keys}}}
    played, page = play(ROWS, state)
    field, labels = page.get_by_label("k5", exact=True), page.locator("li input")
    field.focus()
    page.evaluate("document.activeElement.setSelectionRange(2, 6)")
    page.evaluate("document.activeElement.addEventListener('blur', () => (document.title = 'blurred'))")
    orders = [list(reversed(keys)), keys[6:] + keys[:6], ["k5", *keys[:5], *keys[6:]], [*keys[:5], *keys[6:], "k5"]]
    for order in orders:
        played.change(lambda state: state["rows"].update(order=order))
        expect(labels.last).to_have_attribute("aria-label", order[-1])
        shown = labels.evaluate_all("all => all.map((each) => each.getAttribute('aria-label'))")
        assert shown == order
        expect(field).to_be_focused()
        assert field.evaluate("each => [each.selectionStart, each.selectionEnd]") == [2, 6]
    page.keyboard.type("le")
    expect(field).to_have_value("tileof k5")
    settled(page)
    assert played.state["rows"]["items"]["k5"]["title"] == "tileof k5"
    assert page.title() == "Played", "the focus never left"


def test_seven_tabs_all_load_and_follow_each_other(context, url):
    first = visit(context, url, "login")
    session = first.evaluate("sessionStorage['euripus:login']")
    released = []
    # A poll that makes room for a newer one. If none did, the seventh tab would load only as a poll ends by itself.
    context.on("response", lambda response: released.append(response.url) if response.status == 204 and "retry-after" in response.headers else None)
    tabs = [first]
    for _ in range(6):
        tab = context.new_page()
        tab.add_init_script(f"sessionStorage['euripus:login'] = {json.dumps(session)}")
        tab.goto(url + "login.html")
        live(tab)
        tabs.append(tab)
    assert released
    tabs[3].locator("#username").focus()
    tabs[3].keyboard.type("maruko")
    for tab in tabs:
        expect(tab.locator("#username")).to_have_value("maruko")


@pytest.mark.parametrize("name", PAGES)
def test_each_page_runs_under_the_strict_policy_with_trusted_types_and_an_empty_console(context, url, name):
    noise = []
    context.on("page", lambda page: noise.append(noise_of(page)))
    policies = []
    context.on("response", lambda response: response.request.is_navigation_request() and policies.append(response.headers["content-security-policy"]))
    page = visit(context, url, name)
    directives = [each.strip() for each in policies[-1].split(";")]
    expected = ["default-src 'none'", "script-src 'self'", "connect-src 'self'", "base-uri 'none'"]
    expected += ["require-trusted-types-for 'script'", "trusted-types 'none'"]
    assert set(expected) <= set(directives), policies
    assert "unsafe" not in policies[-1]
    scripts = page.locator("script").evaluate_all("all => all.map((each) => [each.type, each.getAttribute('src'), each.text])")
    cookbook = ["/calendar.js", "/chart.js", "/euripus.js", "/cookbook.js", "/contents.js", "/code.js"]
    board = ["/euripus-wire.js", "/euripus.js", "/board.js"]
    allowed = {"board": board, "cookbook": cookbook, "index": ["/origin.js"], "client": ["/origin.js", "/code.js"]}.get(name, ["/euripus-wire.js", "/euripus.js", "/chart.js", "/contents.js", "/code.js"])
    assert scripts == [["module", each, ""] for each in allowed][: len(scripts)], "a page has no script of its own, but for the named"
    # After two frames the page has done its first work, and the browser has painted it.
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert noise == [[]]


@pytest.mark.parametrize("name", PAGES)
def test_without_javascript_each_page_says_so_and_still_shows_its_text(open_context, url, name):
    page = open_context(java_script_enabled=False).new_page()
    page.goto(f"{url}{name}.html")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    assert len(page.locator("main").inner_text()) > 200
    if name in DEMOS:
        expect(page.locator("noscript .notice")).to_be_visible()
        expect(page.locator("noscript .notice")).to_contain_text("JavaScript")
        expect(page.locator("button, input, select").filter(visible=True), "nothing is there that does nothing").to_have_count(0)
