# SPDX-License-Identifier: MIT
"""Logging in, and the page that shows itself only to a signed-in user."""

import secrets

import pytest
from conftest import Line, live, settled, sign_in
from playwright.sync_api import expect
from test_login import Login

CLOSED = "You are not logged in."


@pytest.fixture
def name():
    """A user name that nobody has yet."""
    return secrets.token_hex(6)


@pytest.fixture
def accounts(context, other, url, name):
    """The page of one user in two browsers."""
    accounts = [Account(each, url) for each in (context, other) if sign_in(each, url, name)]
    for account in accounts:
        account.expect_open(name)
    return accounts


class Account:
    def __init__(self, context, url, latency=0):
        self.page = context.new_page()
        if latency:
            # From the beginning: a line that changes later is another network to the page, which asks at once then.
            Line(self.page).set(latency)
        self.note = self.page.get_by_label("Private note")
        self.save = self.page.get_by_role("button", name="Save the note")
        self.status = self.page.locator("[data-vm-status]")
        self.way = self.page.get_by_role("link", name="Log in", exact=True)
        self.page.on("dialog", lambda dialog: dialog.accept())
        self.page.goto(url + "account")

    def expect_open(self, name):
        live(self.page)
        expect(self.page.get_by_text(name, exact=True)).to_be_visible()
        expect(self.way).to_be_hidden()

    def expect_closed(self, words):
        expect(self.status).to_have_text(words)
        expect(self.way).to_be_visible()
        expect(self.note).to_be_hidden()


def test_a_visitor_without_a_login_is_led_to_the_login_and_back(context, url, name):
    account = Account(context, url)
    account.expect_closed(CLOSED)
    account.way.click()
    page = account.page
    live(page)
    page.get_by_label("User name").fill(name)
    page.get_by_label("Password").fill("123456")
    page.get_by_role("button", name="Log in").click()
    account.expect_open(name)
    assert page.evaluate("location.pathname") == "/account"


def test_the_message_is_in_the_language_of_the_browser_or_the_one_that_is_chosen(context, url):
    login = Login(context, url)
    expect(login.message).to_have_text("Enter a user name")
    login.page.get_by_role("button", name="中文").click()
    expect(login.message).to_have_text("*用户名不能为空")
    login.page.reload()
    expect(login.message).to_have_text("*用户名不能为空")
    login.page.get_by_role("button", name="English").click()
    expect(login.message).to_have_text("Enter a user name")


@pytest.mark.one_server("the demo keeps its users in the memory of one process")
def test_a_note_is_shown_on_each_device_as_it_is_typed_and_kept_when_it_is_saved(accounts):
    first, second = accounts
    for account in accounts:
        expect(account.save).to_have_attribute("aria-disabled", "true")
    first.note.fill("for me alone")
    expect(second.note).to_have_value("for me alone")
    expect(second.page.get_by_text("Not saved yet.")).to_be_visible()
    second.save.click()
    for account in accounts:
        expect(account.save).to_have_attribute("aria-disabled", "true")
        expect(account.page.get_by_text("Not saved yet.")).to_be_hidden()


# Looks at the page each time before the browser paints it, from the moment on at which the page has the answer to signing
# out, or says that it is blocked: the server may let the poll go before that.
WATCH = """
const told = window.told = { frames: [], states: [], words: [] };
const start = () => told.frames.length || requestAnimationFrame(look);
const look = () => {
    const { body } = document;
    told.frames.push(body.textContent + [...body.querySelectorAll("input")].map(({ value }) => value).join());
    requestAnimationFrame(look);
};
const { fetch: ask } = window;
window.fetch = async (target, how) => {
    const response = await ask(target, how);
    const json = response.json.bind(response);
    response.json = () => json().finally(() => {
        if (target.includes("/actions/signOut") && response.ok) start();
    });
    return response;
};
document.addEventListener("vm:state", ({ detail: { state } }) => {
    told.states.push(state);
    if (state === "blocked") start();
});
addEventListener("DOMContentLoaded", () => {
    const status = document.querySelector("[data-vm-status]");
    new MutationObserver(() => told.words.push(status.textContent)).observe(status, { childList: true, characterData: true, subtree: true });
});
"""


@pytest.mark.parametrize("latency", [0, 300])
def test_nothing_of_a_user_is_on_the_page_once_they_have_signed_out(context, url, name, latency):
    sign_in(context, url, name)
    context.add_init_script(WATCH)
    account = Account(context, url, latency)
    account.expect_open(name)
    account.note.fill("for me alone")
    settled(account.page)
    asked = []
    account.page.on("request", lambda request: asked.append(request.url.split("/")[-1].split("?")[0]))
    account.page.get_by_role("button", name="Log out", exact=True).click()
    account.expect_closed(CLOSED)
    told = account.page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(told))))")
    assert told["frames"]
    assert not [frame for frame in told["frames"] if "for me alone" in frame or name in frame]
    # Nothing is asked to know it. A poll that was let go before the answer may be on its way.
    assert asked[asked.index("signOut"):] in (["signOut"], ["signOut", "changes"])
    assert "expired" not in told["states"]
    account.page.evaluate("dispatchEvent(new Event('pagehide'))")
    assert "for me alone" not in account.page.evaluate("Object.values(sessionStorage).join()")
    assert not [words for words in told["words"] if "session" in words], "nothing is said of a loss"
