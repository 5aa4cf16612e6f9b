# SPDX-License-Identifier: MIT
"""The sign-up page in a real browser: hints, a field that waits for another, an alert."""

import re

import pytest
from conftest import DEMOS, Demo, HeldRequests, live, settled
from playwright.sync_api import expect

USERNAME_HINT = "Use at least 5 characters"
PASSWORD_HINT = "Use at least 5 characters"


class SignUp(Demo):
    def __init__(self, context, url):
        super().__init__(context, url + "signup.html")
        self.username = self.page.get_by_label("User name")
        self.password = self.page.get_by_label("Password")
        self.button = self.page.get_by_role("button", name="Sign up")
        self.alert = self.page.get_by_role("alert")
        self.ok = self.page.get_by_role("button", name="Ok")

    def expect_closed(self, is_closed):
        """Whether the password waits for the name, as the page shows it. It is never locked."""
        expect(self.password).to_have_class("closed" if is_closed else "")
        expect(self.password).to_be_editable()

    def expect_button(self, enabled):
        expect(self.button).to_have_attribute("aria-disabled", "false" if enabled else "true")


def test_s3_10_at_first_both_hints_are_shown_and_the_password_and_the_button_wait(context, url):
    signup = SignUp(context, url)
    expect(signup.page.locator("#username-hint")).to_have_text(USERNAME_HINT)
    expect(signup.page.locator("#password-hint")).to_have_text(PASSWORD_HINT)
    expect(signup.username).to_have_accessible_description(USERNAME_HINT)
    signup.expect_closed(True)
    signup.expect_button(False)
    assert signup.noise == []


def test_s3_7_to_s3_11_by_keyboard_from_the_name_to_the_alert(context, url):
    signup = SignUp(context, url)
    keyboard = signup.page.keyboard
    signup.username.focus()
    keyboard.type("maru")
    expect(signup.username).to_have_attribute("aria-invalid", "true")
    signup.expect_closed(True)
    keyboard.type("k")
    signup.expect_closed(False)
    expect(signup.page.locator("#username-hint")).to_have_text("")
    keyboard.press("Tab")
    expect(signup.password).to_be_focused()
    keyboard.type("1234")
    expect(signup.page.locator("#password-hint")).to_have_text(PASSWORD_HINT)
    signup.expect_button(False)
    keyboard.type("5")
    signup.expect_button(True)
    keyboard.press("Enter")
    expect(signup.alert).to_have_text("RxExample This is wonderful")
    keyboard.press("Tab")
    keyboard.press("Tab")
    expect(signup.ok).to_be_focused()
    keyboard.press("Enter")
    expect(signup.alert).to_have_text("")
    expect(signup.ok).to_be_hidden()
    # A name that is too short again closes the password, and keeps it.
    signup.username.fill("maru")
    signup.expect_closed(True)
    signup.expect_button(False)
    signup.username.fill("maruko")
    signup.expect_button(True)
    expect(signup.password).to_have_value("12345")
    assert signup.noise == []


# A password manager writes into the fields, and says so by events.
FILL = """fields => {
    for (const [id, value] of fields) {
        const field = document.getElementById(id);
        field.value = value;
        for (const type of ["input", "change"]) field.dispatchEvent(new Event(type, { bubbles: true }));
    }
}"""


@pytest.mark.parametrize("order", [["username", "password"], ["password", "username"]])
@pytest.mark.parametrize("is_early", [False, True], ids=["on a page that is live", "before there is a session"])
def test_a_password_manager_fills_both_fields_in_any_order(context, url, order, is_early):
    page = context.new_page()
    held = HeldRequests(page, "**/sessions/**") if is_early else None
    page.goto(url + "signup.html")
    if not is_early:
        live(page)
    page.evaluate(FILL, [[id, {"username": "maruko", "password": "123456"}[id]] for id in order])
    if held:
        held.release()
    button = page.get_by_role("button", name="Sign up")
    expect(button).to_have_attribute("aria-disabled", "false")
    settled(page)
    expect(page.locator("[data-vm-refused]")).to_have_count(0)
    button.click()
    expect(page.get_by_role("alert")).to_have_text("RxExample This is wonderful")


def test_a_password_that_is_typed_before_the_name_counts_as_soon_as_the_name_is_valid(context, url):
    signup = SignUp(context, url)
    signup.password.focus()
    signup.page.keyboard.type("123456")
    expect(signup.password).to_have_attribute("aria-invalid", "true")
    hint = signup.page.locator("#password-hint")
    expect(signup.password).to_have_accessible_name(re.compile("^Password .*a valid name first"))
    expect(hint).to_be_hidden()
    signup.expect_button(False)
    signup.username.focus()
    signup.page.keyboard.type("maruko")
    signup.expect_button(True)
    expect(signup.password).to_have_value("123456")
    expect(signup.password).to_have_attribute("aria-invalid", "false")
    expect(signup.password).to_have_accessible_name("Password")
    expect(hint).to_be_visible()
    signup.button.click()
    expect(signup.alert).to_have_text("RxExample This is wonderful")


@pytest.mark.parametrize("name", DEMOS)
def test_no_field_of_a_demo_is_locked_before_there_is_a_state_nor_then(context, url, name):
    page = context.new_page()
    held = HeldRequests(page, "**/sessions/**")
    page.goto(f"{url}{name}.html")
    locked = page.locator(":is(input, select, textarea):is(:disabled, [readonly], [data-vm-attr-disabled], [data-vm-attr-readonly], [data-vm-prop-disabled])")
    expect(locked).to_have_count(0)
    held.release()
    if name != "account":
        live(page)
    expect(locked).to_have_count(0)
