# SPDX-License-Identifier: MIT
"""The login page in a real browser. Playwright's wait_for_function needs eval, which the page's CSP forbids. So the
claims are about locators, which try again until a claim holds."""

import pytest
from conftest import Demo, duplicate, live, noise_of
from playwright.sync_api import expect

SUCCESS = "登录成功(*^▽^*)"

# The first steps of the golden script: the deed, the message that follows, whether the button is enabled (S0-30).
GOLDEN = [
    ("username", "maruko", "*密码不能为空", False),
    ("password", "1234", "*密码必须超过6个字符", False),
    ("password", "123456", "", True),
    ("tap", None, SUCCESS, True),
    ("username", "mar", "*用户名必须超过6个字符", False),
    ("password", "12", "*用户名必须超过6个字符", False),
    ("username", "maruko", "*密码必须超过6个字符", False),
    ("password", "123456", "", True),
]


@pytest.fixture
def context(open_context):
    """A context whose language is that of the document."""
    return open_context(locale="zh-CN")


class Login(Demo):
    def __init__(self, context, url, page=None):
        super().__init__(context, url + "login.html", page)
        self.username = self.page.get_by_label("User name")
        self.password = self.page.get_by_label("Password")
        self.button = self.page.get_by_role("button", name="Log in")
        self.message = self.page.locator("#message")
        self.connection = self.page.locator("[data-vm-status]")
        self.html = self.page.locator("html")

    def enter(self, field, text):
        """Types over the text that is there, by keyboard."""
        field.focus()
        self.page.keyboard.press("ControlOrMeta+a")
        self.page.keyboard.type(text) if text else self.page.keyboard.press("Delete")

    def expect_button(self, enabled):
        expect(self.button).to_have_attribute("aria-disabled", "false" if enabled else "true")

    def border(self, field):
        return field.evaluate("element => getComputedStyle(element).borderTopColor")


@pytest.mark.story
def test_the_golden_script_shows_each_message_and_the_buttons_state_and_the_console_stays_empty(context, url):
    login = Login(context, url)
    expect(login.message).to_have_text("*用户名不能为空")
    login.expect_button(False)
    for step, (what, text, message, enabled) in enumerate(GOLDEN, 1):
        if what == "tap":
            login.button.click()
        else:
            login.enter(getattr(login, what), text)
        expect(login.message, f"step {step}: {what} {text}").to_have_text(message)
        login.expect_button(enabled)
    assert login.noise == []


def test_the_whole_story_works_by_keyboard_alone(context, url):
    login = Login(context, url)
    keyboard = login.page.keyboard
    for _ in range(10):
        keyboard.press("Tab")
        if login.username.evaluate("element => element.matches(':focus')"):
            break
    keyboard.type("maruko")
    keyboard.press("Tab")
    expect(login.password).to_be_focused()
    keyboard.type("123456")
    keyboard.press("Tab")
    expect(login.button).to_be_focused()
    keyboard.press("Shift+Tab")
    keyboard.press("Enter")
    expect(login.message).to_have_text(SUCCESS)
    expect(login.password).to_be_focused()
    assert login.noise == []


def test_an_untouched_field_is_calm_and_an_invalid_one_is_marked_in_aria_and_colour(context, url):
    login = Login(context, url)
    calm = login.border(login.username)
    expect(login.username).to_have_attribute("aria-invalid", "false")
    expect(login.password).to_have_attribute("aria-invalid", "false")
    login.enter(login.username, "mar")
    expect(login.username).to_have_attribute("aria-invalid", "true")
    login.enter(login.password, "12")
    expect(login.password).to_have_attribute("aria-invalid", "true")
    red = login.border(login.username)
    assert red != calm and red == login.border(login.password)
    login.enter(login.username, "maruko")
    expect(login.username).to_have_attribute("aria-invalid", "false")
    assert login.border(login.username) == calm
    expect(login.password).to_have_attribute("aria-invalid", "true")


def test_the_message_is_a_live_region_and_the_fields_refer_to_it(context, url):
    login = Login(context, url)
    expect(login.page.get_by_role("status").first).to_have_id("message")
    for field in (login.username, login.password):
        expect(field).to_have_accessible_description("*用户名不能为空")
    expect(login.password).to_have_attribute("autocomplete", "current-password")
    expect(login.username).to_have_attribute("autocomplete", "username")


def test_two_windows_on_one_session_stay_in_step_and_a_reload_goes_on(context, url):
    one = Login(context, url)
    two = Login(context, url, duplicate(context, url, one.page))
    one.enter(one.username, "maruko")
    expect(two.username).to_have_value("maruko")
    expect(two.message).to_have_text("*密码不能为空")
    two.enter(two.password, "123456")
    one.expect_button(True)
    expect(one.password).to_have_value("")
    one.button.click()
    expect(two.message).to_have_text(SUCCESS)
    one.page.reload()
    expect(one.username).to_have_value("maruko")
    expect(one.message).to_have_text(SUCCESS)


@pytest.mark.parametrize("name, heading", [("Login", "Log in"), ("Recordings", "Recordings")])
def test_the_list_of_demos_leads_to_each(context, url, name, heading):
    page = context.new_page()
    noise = noise_of(page)
    page.goto(url)
    page.get_by_role("list").get_by_role("link", name=name).click()
    expect(page.get_by_role("heading", name=heading, level=1)).to_be_visible()
    live(page)
    assert noise == []
