# SPDX-License-Identifier: MIT
"""The profile page in a real browser: forms bound to one profile, both ways."""

import re

from playwright.sync_api import expect


class Profile:
    """The page and everything that its console and network complained of."""

    def __init__(self, context, url):
        self.noise = []
        self.page = context.new_page()
        self.page.on("console", lambda message: self.noise.append(f"console: {message.text}"))
        self.page.on("pageerror", lambda error: self.noise.append(f"error: {error}"))
        self.page.on("response", lambda response: response.status >= 400 and self.noise.append(f"{response.status}: {response.url}"))
        self.forms = self.page.locator(".forms .card")
        self.page.goto(url + "profile.html")
        expect(self.page.locator("html")).to_have_attribute("data-vm", "live")
        expect(self.forms).not_to_have_count(0)

    def field(self, form, label):
        return self.forms.nth(form).get_by_label(re.compile(label))

    def told(self, form):
        return self.forms.nth(form).locator(".facts dd").nth(1)


def test_s4_4_s4_5_each_kind_of_field_that_is_written_in_one_form_is_shown_by_the_other_and_told_to_it_alone(context, url):
    profile = Profile(context, url)
    expect(profile.told(0)).to_have_text("7")
    expect(profile.told(1)).to_have_text("7")
    profile.field(0, "Motto").fill("Slow and steady")
    expect(profile.field(1, "Motto")).to_have_value("Slow and steady")
    profile.field(0, "Height").fill("1.5")
    expect(profile.field(1, "Height")).to_have_value("1.5")
    expect(profile.told(0)).to_have_text("7")
    expect(profile.told(1)).to_have_text("9")
    profile.field(1, "Name").fill("Homarus")
    expect(profile.field(0, "Name")).to_have_value("Homarus")
    profile.field(1, "Age").fill("50")
    expect(profile.field(0, "Age")).to_have_value("50")
    profile.field(1, "Colour").select_option("blue")
    expect(profile.field(0, "Colour")).to_have_value("blue")
    expect(profile.forms.nth(0).locator(".facts dd").first).to_have_text("Homarus, 50, blue")
    profile.field(1, "Everybody").uncheck()
    expect(profile.field(0, "Everybody")).not_to_be_checked()
    assert profile.noise == []


def test_s4_4_typing_is_not_disturbed_by_an_echo(context, url):
    profile = Profile(context, url)
    name = profile.field(0, "Name")
    name.focus()
    profile.page.keyboard.press("Home")
    text = "The quick brown fox jumps over the lazy "
    profile.page.keyboard.type(text, delay=10)
    expect(name).to_have_value(text + "Lobster")
    expect(profile.field(1, "Name")).to_have_value(text + "Lobster")
    assert name.evaluate("field => field.selectionStart") == len(text)
    assert profile.noise == []


def test_s4_8_a_form_that_is_bound_to_the_other_profile_hears_no_more_of_the_first(context, url):
    profile = Profile(context, url)
    profile.field(1, "Profile").select_option("crab")
    expect(profile.field(1, "Name")).to_have_value("Crab")
    expect(profile.field(1, "Motto")).to_have_value("")
    expect(profile.field(1, "Everybody")).not_to_be_checked()
    profile.field(0, "Name").fill("Homarus")
    profile.forms.nth(1).get_by_role("button", name="Birthday").click()
    expect(profile.field(1, "Age")).to_have_value("8")
    expect(profile.field(1, "Name")).to_have_value("Crab")
    expect(profile.field(0, "Age")).to_have_value("36")
    profile.field(1, "Profile").select_option("lobster")
    expect(profile.field(1, "Name")).to_have_value("Homarus")
    assert profile.noise == []


def test_s4_6_forms_are_opened_and_closed(context, url):
    profile = Profile(context, url)
    crabs = profile.page.get_by_role("button", name="Open the crab's")
    crabs.click()
    expect(profile.forms).to_have_count(3)
    crabs.click()
    expect(profile.forms).to_have_count(4)
    expect(crabs).to_have_attribute("aria-disabled", "true")
    profile.forms.nth(0).get_by_role("button", name="Close").click()
    expect(profile.forms).to_have_count(3)
    profile.field(1, "Name").fill("Cancer pagurus")
    expect(profile.field(2, "Name")).to_have_value("Cancer pagurus")
    expect(profile.field(0, "Name")).to_have_value("Lobster")
    assert profile.noise == []
