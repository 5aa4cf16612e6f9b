# SPDX-License-Identifier: MIT
"""Logging in, and the page that shows itself only to a signed-in user."""

import re
import secrets

import pytest
from conftest import sign_in
from playwright.sync_api import expect

SUCCESS = "You are logged in (*^▽^*)"
WRONG = "*The name is taken, and the password is not its own"


@pytest.fixture
def other(browser):
    """Another browser."""
    context = browser.new_context(viewport={"width": 1180, "height": 760}, reduced_motion="reduce")
    yield context
    context.close()


@pytest.fixture
def name():
    """A user name that nobody has yet."""
    return secrets.token_hex(6)


class Login:
    def __init__(self, context, url):
        self.page = context.new_page()
        self.message = self.page.locator("#message")
        self.page.goto(url + "login.html")
        expect(self.page.locator("html")).to_have_attribute("data-vm", "live")

    def enter(self, name, password):
        self.page.get_by_label("User name").fill(name)
        self.page.get_by_label("Password").fill(password)
        self.press()

    def press(self):
        """Presses the button, and answers the body of the server's answer."""
        with self.page.expect_response("**/actions/loginTouched*") as answer:
            self.page.get_by_role("button", name="Log in").click()
        return answer.value.text()


class Account:
    def __init__(self, context, url):
        self.page = context.new_page()
        self.note = self.page.get_by_label("Private note")
        self.save = self.page.get_by_role("button", name="Save the note")
        self.status = self.page.locator("[data-vm-status]")
        self.way = self.page.get_by_role("link", name="Go to the login")
        self.page.on("dialog", lambda dialog: dialog.accept())
        self.page.goto(url + "account")

    def expect_open(self, name):
        expect(self.page.locator("html")).to_have_attribute("data-vm", "live")
        expect(self.page.get_by_text(name, exact=True)).to_be_visible()
        expect(self.way).to_be_hidden()

    def expect_closed(self, words):
        expect(self.status).to_have_text(words)
        expect(self.way).to_be_visible()
        expect(self.note).to_be_hidden()


def test_who_has_not_logged_in_is_led_to_the_login_and_back(context, url, name):
    account = Account(context, url)
    account.expect_closed("Nobody is signed in here.")
    account.way.click()
    page = account.page
    expect(page.locator("html")).to_have_attribute("data-vm", "live")
    page.get_by_label("User name").fill(name)
    page.get_by_label("Password").fill("123456")
    page.get_by_role("button", name="Log in").click()
    expect(page.locator("#message")).to_have_text(SUCCESS)
    expect(page.locator("#message")).to_have_css("font-weight", "600")
    page.get_by_role("link", name="your page").click()
    account.expect_open(name)


def test_a_page_that_waits_for_a_login_comes_when_another_tab_has_logged_in(context, url, name):
    account = Account(context, url)
    account.expect_closed("Nobody is signed in here.")
    login = Login(context, url)
    login.enter(name, "123456")
    expect(login.message).to_have_text(SUCCESS)
    # The page tries again by itself. The event makes it try now, if it has not yet.
    account.page.evaluate("dispatchEvent(new Event('online'))")
    account.expect_open(name)


@pytest.mark.one_server("the demo keeps its users in the memory of one process")
def test_a_wrong_password_is_told_and_after_some_the_wait(context, other, url, name):
    sign_in(other, url, name)
    login = Login(context, url)
    for number in range(5):
        login.enter(name, f"wrong-{number}")
        expect(login.message).to_have_text(WRONG)
    # The waits grow, so one of them is longer than a press takes, on a slow machine too.
    assert any("Too many tries" in login.press() for _ in range(12))
    expect(login.message).to_have_text(re.compile(r"^\*Too many tries: try again in \d+ s$"))
    account = Account(context, url)
    account.expect_closed("Nobody is signed in here.")


def test_the_message_is_in_the_language_of_the_browser_or_the_one_that_is_chosen(context, url):
    login = Login(context, url)
    expect(login.message).to_have_text("*The user name is missing")
    login.page.get_by_role("button", name="中文").click()
    expect(login.message).to_have_text("*用户名不能为空")
    login.page.reload()
    expect(login.message).to_have_text("*用户名不能为空")
    login.page.get_by_role("button", name="English").click()
    expect(login.message).to_have_text("*The user name is missing")


@pytest.mark.one_server("the demo keeps its users in the memory of one process")
def test_a_note_is_shown_on_each_device_as_it_is_typed_and_kept_when_it_is_saved(context, other, url, name):
    first, second = [Account(each, url) for each in (context, other) if sign_in(each, url, name)]
    for account in (first, second):
        account.expect_open(name)
        expect(account.save).to_have_attribute("aria-disabled", "true")
    first.note.fill("for me alone")
    expect(second.note).to_have_value("for me alone")
    expect(second.page.get_by_text("Not saved yet.")).to_be_visible()
    second.save.click()
    for account in (first, second):
        expect(account.save).to_have_attribute("aria-disabled", "true")
        expect(account.page.get_by_text("Not saved yet.")).to_be_hidden()


def test_signing_out_closes_the_page_in_this_browser_alone(context, other, url, name):
    here, there = [Account(each, url) for each in (context, other) if sign_in(each, url, name)]
    for account in (here, there):
        account.expect_open(name)
    here.page.get_by_role("button", name="Sign out", exact=True).click()
    here.expect_closed("Nobody is signed in here.")
    there.note.fill("still here")
    there.save.click()
    expect(there.save).to_have_attribute("aria-disabled", "true")
    there.expect_open(name)


@pytest.mark.one_server("the demo keeps its users in the memory of one process")
def test_signing_out_everywhere_closes_it_in_all_until_the_next_login(context, other, url, name):
    here, there = [Account(each, url) for each in (context, other) if sign_in(each, url, name)]
    for account in (here, there):
        account.expect_open(name)
    here.page.get_by_role("button", name="Sign out everywhere").click()
    here.expect_closed("Nobody is signed in here.")
    there.expect_closed("You were signed out.")
    login = Login(other, url)
    login.enter(name, "123456")
    expect(login.message).to_have_text(SUCCESS)
    Account(other, url).expect_open(name)
