# SPDX-License-Identifier: MIT
"""The sign-up page in a real browser: hints, a field that opens, an alert."""

from conftest import Demo
from playwright.sync_api import expect

USERNAME_HINT = "Username has to be at least 5 characters"
PASSWORD_HINT = "Password has to be at least 5 characters"


class SignUp(Demo):
    def __init__(self, context, url):
        super().__init__(context, url + "signup.html")
        self.username = self.page.get_by_label("User name")
        self.password = self.page.get_by_label("Password")
        self.button = self.page.get_by_role("button", name="Sign up")
        self.alert = self.page.get_by_role("alert")
        self.ok = self.page.get_by_role("button", name="Ok")

    def expect_button(self, enabled):
        expect(self.button).to_have_attribute("aria-disabled", "false" if enabled else "true")


def test_s3_10_at_first_both_hints_are_shown_and_the_password_and_the_button_are_disabled(context, url):
    signup = SignUp(context, url)
    expect(signup.page.locator("#username-hint")).to_have_text(USERNAME_HINT)
    expect(signup.page.locator("#password-hint")).to_have_text(PASSWORD_HINT)
    expect(signup.username).to_have_accessible_description(USERNAME_HINT)
    expect(signup.password).to_be_disabled()
    signup.expect_button(False)
    assert signup.noise == []


def test_s3_7_to_s3_11_by_keyboard_from_the_name_to_the_alert(context, url):
    signup = SignUp(context, url)
    keyboard = signup.page.keyboard
    signup.username.focus()
    keyboard.type("maru")
    expect(signup.username).to_have_attribute("aria-invalid", "true")
    expect(signup.password).to_be_disabled()
    keyboard.type("k")
    expect(signup.password).to_be_enabled()
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
    expect(signup.password).to_be_disabled()
    signup.expect_button(False)
    signup.username.fill("maruko")
    signup.expect_button(True)
    expect(signup.password).to_have_value("12345")
    assert signup.noise == []
