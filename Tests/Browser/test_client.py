# SPDX-License-Identifier: MIT
"""The promises of the passive view to a person who types, in a real browser."""

import itertools
import json
import os
import re
import threading
import urllib.request

import pytest
from conftest import ROOT, sign_in
from played import Played
from playwright.sync_api import expect

PAGES = sorted(page.name for page in (ROOT / "Public").glob("*.html"))
TEXT = "The quick brown fox jumps over the lazy dog, then sleeps."
PENDING = re.compile(".*")


def noise_of(page):
    noise = []
    page.on("console", lambda message: noise.append(f"console: {message.text}"))
    page.on("pageerror", lambda error: noise.append(f"error: {error}"))
    return noise


class Slow:
    """The network of a page with a latency, which the browser itself adds to each request."""

    def __init__(self, page):
        self.network = page.context.new_cdp_session(page)
        self.network.send("Network.enable")

    def set(self, milliseconds):
        conditions = {"offline": False, "latency": milliseconds, "downloadThroughput": -1, "uploadThroughput": -1}
        self.network.send("Network.emulateNetworkConditions", conditions)


class Pushes:
    """Another client, which writes into one value 25 times a second."""

    def __init__(self, url, cookie):
        self.url, self.cookie, self.count, self.over = url, cookie, 0, threading.Event()
        self.thread = threading.Thread(target=self.push, daemon=True)
        self.thread.start()

    def push(self):
        headers = {"Content-Type": "application/json", "Cookie": self.cookie}
        while not self.over.wait(1 / 25):
            body = json.dumps(f"other {self.count}").encode()
            urllib.request.urlopen(urllib.request.Request(self.url, body, headers, method="PUT"), timeout=10).read()
            self.count += 1

    def stop(self):
        self.over.set()
        self.thread.join(timeout=10)


def test_57_characters_arrive_at_300_to_1000_ms_of_latency_while_somebody_writes_the_same_field_25_times_a_second(context, url):
    assert len(TEXT) == 57
    page = context.new_page()
    noise = noise_of(page)
    page.goto(url + "login.html")
    expect(page.locator("html")).to_have_attribute("data-vm", "live")
    username, session = page.locator("#username"), page.evaluate("sessionStorage['euripus:login']")
    cookie = "; ".join(f"{each['name']}={each['value']}" for each in context.cookies())
    slow = Slow(page)
    slow.set(300)
    username.focus()
    page.keyboard.type(TEXT[0])
    pushes = Pushes(url.rstrip("/") + session + "/state/username", cookie)
    latencies = itertools.cycle((300, 1000, 450, 600))
    for at, letter in enumerate(TEXT[1:], 1):
        if at % 10 == 0:
            slow.set(next(latencies))
        if at == len(TEXT) - 1:
            # The person who types is the last to write.
            pushes.stop()
        page.keyboard.type(letter, delay=30)
        assert username.input_value() == TEXT[: at + 1]
    expect(username).not_to_have_attribute("data-vm-pending", PENDING)
    expect(username).to_have_value(TEXT)
    assert pushes.count > 20
    state = page.evaluate("async (url) => (await (await fetch(url, { cache: 'no-store' })).json()).state.username", session)
    assert state == TEXT
    page.locator("#password").focus()
    expect(username).to_have_value(TEXT)
    assert noise == []


CHAT = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Chat</title><link rel="icon" href="/favicon.svg">
<script type="module" src="/euripus.js"></script><main data-vm-root="m">
<form data-vm-do="say"><input aria-label="Say" data-vm-bind="draft"><button type="submit">Say</button></form>
<output data-vm-text="news"></output><ol><template data-vm-each="said"><li data-vm-text="text"></li></template></ol></main></html>"""


def chat():
    def say(state, path, value):
        said, key = state["said"], f"k{len(state['said']['order'])}"
        said["order"].append(key)
        said["items"][key] = {"text": state["draft"]}
        state["draft"] = ""

    return Played(CHAT, {"draft": "", "news": "", "said": {"order": [], "items": {}}}, say)


@pytest.mark.parametrize("latency", [0, 100, 400, 1000])
def test_what_is_typed_on_after_enter_is_the_next_thing_said_and_the_field_keeps_its_focus(context, latency):
    with chat() as played:
        page = context.new_page()
        noise = noise_of(page)
        page.goto(played.url)
        expect(page.locator("html")).to_have_attribute("data-vm", "live")
        Slow(page).set(latency)
        field = page.get_by_label("Say")
        field.focus()
        page.keyboard.type("milk\neggs\nbread\nan", delay=60)
        expect(page.locator("li")).to_have_text(["milk", "eggs", "bread"])
        expect(field).to_have_value("an")
        page.keyboard.type("d")
        expect(field).not_to_have_attribute("data-vm-pending", PENDING)
        assert (played.state["draft"], field.input_value()) == ("and", "and")
        expect(field).to_be_focused()
        page.keyboard.press("Enter")
        expect(field).to_have_value("")
        expect(field).to_be_focused()
        assert [each for each in played.applied if each[0] == "POST"] == [("POST", "/actions/say", None)] * 4
        assert noise == []


@pytest.mark.parametrize("latency", [0, 200, 1000])
def test_a_composition_after_enter_is_all_that_is_left_when_the_answer_has_come(context, latency):
    with chat() as played:
        page = context.new_page()
        noise = noise_of(page)
        page.goto(played.url)
        expect(page.locator("html")).to_have_attribute("data-vm", "live")
        Slow(page).set(latency)
        ime = context.new_cdp_session(page)
        field = page.get_by_label("Say")
        field.focus()
        page.keyboard.type("milk\n")
        for text in ["n", "ni", "nih", "niha", "nihao"]:
            ime.send("Input.imeSetComposition", {"text": text, "selectionStart": len(text), "selectionEnd": len(text)})
            expect(field).to_have_value("milk" + text)
            played.change(lambda state: state.update(news=text))
            expect(page.locator("output")).to_have_text(text)
            expect(field).to_have_value("milk" + text)
        ime.send("Input.insertText", {"text": "你好"})
        expect(field).to_have_value("你好")
        expect(field).not_to_have_attribute("data-vm-pending", PENDING)
        assert played.state["draft"] == "你好"
        expect(page.locator("li")).to_have_text(["milk"])
        assert noise == []


FORM = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Form</title><link rel="icon" href="/favicon.svg">
<script type="module" src="/euripus.js"></script><main data-vm-root="m">%s</main></html>""" % "".join(
    f'<input aria-label="f{at}" data-vm-bind="f{at}" data-vm-debounce="60000">' for at in range(6))


@pytest.mark.parametrize("latency", [0, 100, 1000])
def test_a_page_that_is_left_takes_along_what_was_typed_last_into_each_of_six_fields(context, latency):
    with Played(FORM, {f"f{at}": "" for at in range(6)}) as played:
        page = context.new_page()
        page.goto(played.url)
        expect(page.locator("html")).to_have_attribute("data-vm", "live")
        Slow(page).set(latency)
        for at in range(6):
            page.get_by_label(f"f{at}").fill(f"text {at}")
        assert played.applied == []
        page.goto("about:blank")
        with played.changed:
            assert played.changed.wait_for(lambda: len(played.applied) == 6, timeout=10), played.applied
        assert played.state == {f"f{at}": f"text {at}" for at in range(6)}


@pytest.mark.parametrize("latency", [0, 300, 1000])
def test_a_page_that_comes_back_from_the_history_as_it_was_left_shows_and_has_sent_what_was_typed_last(browser, url, latency):
    # Playwright turns the history's cache off.
    args = ["--no-sandbox"] if os.geteuid() == 0 else []
    remembering = browser.browser_type.launch(
        executable_path="/usr/bin/chromium", args=args, ignore_default_args=["--disable-back-forward-cache"])
    page = remembering.new_page()
    noise = noise_of(page)
    page.add_init_script("addEventListener('pageshow', ({ persisted }) => (document.documentElement.dataset.persisted = persisted))")
    page.goto(url + "login.html")
    html, username, password = page.locator("html"), page.locator("#username"), page.locator("#password")
    expect(html).to_have_attribute("data-vm", "live")
    Slow(page).set(latency)
    username.focus()
    page.keyboard.type("maru")
    password.focus()
    page.keyboard.type("123456")
    username.focus()
    page.keyboard.type("ko")
    page.goto(url, wait_until="commit")
    # The debugging protocol cannot go back while the browser still swaps the two pages. The page itself can.
    page.evaluate("void setTimeout(() => history.back())")
    expect(html).to_have_attribute("data-persisted", "true")
    expect(html).to_have_attribute("data-vm", "live")
    expect(username).to_have_value("maruko")
    expect(password).to_have_value("123456")
    expect(page.locator("[data-vm-pending]")).to_have_count(0)
    expect(page.get_by_role("button", name="Log in")).to_have_attribute("aria-disabled", "false")
    username.focus()
    page.keyboard.press("End")
    page.keyboard.type("-chan")
    expect(page.locator("[data-vm-pending]")).to_have_count(0)
    state = page.evaluate("async () => (await (await fetch(sessionStorage['euripus:login'], { cache: 'no-store' })).json()).state")
    assert (state["username"], state["loginEnabled"]) == ("maruko-chan", True)
    assert noise == []
    remembering.close()


ROWS = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Rows</title><link rel="icon" href="/favicon.svg">
<script type="module" src="/euripus.js"></script><main data-vm-root="m">
<ul><template data-vm-each="rows"><li><input data-vm-attr-aria-label="#" data-vm-bind="title"></li></template></ul></main></html>"""


def test_a_row_that_is_typed_into_keeps_focus_and_selection_while_the_others_are_moved_around_it(context):
    keys = [f"k{at}" for at in range(12)]
    state = {"rows": {"order": list(keys), "items": {key: {"title": f"title of {key}"} for key in keys}}}
    with Played(ROWS, state) as played:
        page = context.new_page()
        noise = noise_of(page)
        page.goto(played.url)
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
        expect(field).not_to_have_attribute("data-vm-pending", PENDING)
        assert played.state["rows"]["items"]["k5"]["title"] == "tileof k5"
        assert page.title() == "Rows", "the focus never left"
        assert noise == []


def test_seven_tabs_all_load_and_follow_each_other(context, url):
    first = context.new_page()
    first.goto(url + "login.html")
    expect(first.locator("html")).to_have_attribute("data-vm", "live")
    session = first.evaluate("sessionStorage['euripus:login']")
    tabs = [first]
    for _ in range(6):
        tab = context.new_page()
        tab.add_init_script(f"sessionStorage['euripus:login'] = {json.dumps(session)}")
        tab.goto(url + "login.html", timeout=15_000)
        expect(tab.locator("html")).to_have_attribute("data-vm", "live")
        tabs.append(tab)
    tabs[3].locator("#username").focus()
    tabs[3].keyboard.type("maruko")
    for tab in tabs:
        expect(tab.locator("#username")).to_have_value("maruko", timeout=20_000)


@pytest.mark.parametrize("name", PAGES)
def test_each_page_runs_under_the_strict_policy_with_trusted_types_and_an_empty_console(context, url, name):
    if name == "account.html":
        sign_in(context, url)
    page = context.new_page()
    noise = noise_of(page)
    policy = page.goto(url + name).headers["content-security-policy"]
    directives = [each.strip() for each in policy.split(";")]
    expected = ["default-src 'none'", "script-src 'self'", "connect-src 'self'", "base-uri 'none'"]
    expected += ["require-trusted-types-for 'script'", "trusted-types 'none'"]
    assert set(expected) <= set(directives), policy
    assert "unsafe" not in policy
    scripts = page.locator("script").evaluate_all("all => all.map((each) => [each.type, each.getAttribute('src'), each.text])")
    allowed = [["module", "/euripus.js", ""]] + ([["module", "/chart.js", ""]] if name == "reference.html" else [])
    assert scripts == allowed[: len(scripts)], "a page has no script of its own, but for the reference's widget"
    if page.locator("[data-vm-root]").count():
        expect(page.locator("html")).to_have_attribute("data-vm", "live")
    # After two frames the page has done its first work, and the browser has painted it.
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert noise == []


@pytest.mark.parametrize("name", PAGES)
def test_without_javascript_each_page_says_so_and_still_shows_its_text(browser, url, name):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(url + name)
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    assert len(page.locator("main").inner_text()) > 200
    if page.locator("[data-vm-root]").count():
        expect(page.locator("noscript .notice")).to_be_visible()
        expect(page.locator("noscript .notice")).to_contain_text("JavaScript")
        expect(page.locator("button, input, select").filter(visible=True), "nothing is there that does nothing").to_have_count(0)
    context.close()
