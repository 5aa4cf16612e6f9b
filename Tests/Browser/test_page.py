# SPDX-License-Identifier: MIT
"""The page of modules in a real browser."""

import pytest
from conftest import Demo
from playwright.sync_api import expect

PORTRAIT = {"width": 700, "height": 1000}


class Page(Demo):
    def __init__(self, context, url):
        super().__init__(context, url + "page.html")
        self.account = self.page.get_by_label("Account")
        self.password = self.page.get_by_label("Password")
        self.register = self.page.get_by_role("button", name="Register")
        self.login = self.page.get_by_role("button", name="Login")
        self.toast = self.page.locator(".toast")
        self.fields = self.page.locator(".fields")

    def fact(self, name):
        return self.page.locator(".facts div", has_text=name).locator("dd")

    def turn(self, angle, width=1000, height=700):
        """Turns the device. The size is that of the screen after the turn."""
        kind = {0: "portraitPrimary", 90: "landscapePrimary", 270: "landscapeSecondary"}[angle]
        self.device = self.page.context.new_cdp_session(self.page)
        self.device.send(
            "Emulation.setDeviceMetricsOverride",
            {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": True, "screenOrientation": {"type": kind, "angle": angle}},
        )

@pytest.fixture
def upright(open_context):
    return open_context(viewport=PORTRAIT)


def test_s2_9_s2_10_the_modules_stand_in_order_and_a_blank_one_leaves_no_hole(upright, url):
    page = Page(upright, url)
    texts = ["Swiped to the top", "Start A Journey"]
    tops = [page.page.get_by_text(text, exact=True).bounding_box()["y"] for text in texts]
    rest = [item.bounding_box() for item in (page.account, page.password, page.register)]
    assert sorted(tops + [box["y"] for box in rest]) == tops + [box["y"] for box in rest]
    assert [blank.bounding_box()["height"] for blank in page.page.locator(".blank").all()] == [16, 10]
    expect(page.account).to_have_attribute("placeholder", "Input account please.")
    expect(page.password).to_have_attribute("placeholder", "Input password please.")
    assert page.noise == []


def test_s2_10_the_whole_story_works_by_keyboard_alone(upright, url):
    page = Page(upright, url)
    page.account.focus()
    page.page.keyboard.type("admin")
    page.page.keyboard.press("Tab")
    expect(page.password).to_be_focused()
    page.page.keyboard.type("123456")
    page.page.keyboard.press("Enter")
    expect(page.toast).to_have_text("Login Succeed.")
    expect(page.page.get_by_role("status").first).to_have_text("Login Succeed.")
    page.page.keyboard.press("Tab")
    expect(page.register).to_be_focused()
    page.page.keyboard.press("Tab")
    expect(page.login).to_be_focused()
    assert page.noise == []


def test_s2_7_a_rotation_lays_the_fields_out_anew_and_nothing_else_is_bound(upright, url):
    page = Page(upright, url)
    expect(page.fields).to_have_attribute("data-layout", "below")
    account, password = page.account.bounding_box(), page.password.bounding_box()
    assert account["x"] == password["x"] and account["y"] < password["y"]
    expect(page.fact("that had changed")).to_have_text("9")
    page.account.fill("mar")
    page.account.focus()
    page.turn(90)
    expect(page.fields).to_have_attribute("data-layout", "beside")
    account, password = page.account.bounding_box(), page.password.bounding_box()
    assert account["x"] < password["x"] and account["y"] == password["y"]
    expect(page.fact("view").get_by_text("wide")).to_be_visible()
    expect(page.fact("that had changed")).to_have_text("10")
    expect(page.account).to_be_focused()
    expect(page.account).to_have_value("mar")
    page.turn(0, **PORTRAIT)
    expect(page.fields).to_have_attribute("data-layout", "below")
    page.turn(90, 640, 320)
    expect(page.fields).to_have_attribute("data-layout", "beside")
    assert page.page.evaluate("document.documentElement.scrollWidth") <= 640
    assert page.noise == []
