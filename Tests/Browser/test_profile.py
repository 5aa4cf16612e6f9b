# SPDX-License-Identifier: MIT
"""The profile page in a real browser: forms bound to one profile, both ways."""

import re

from conftest import Demo
from playwright.sync_api import expect


class Profile(Demo):
    def __init__(self, context, url):
        super().__init__(context, url + "profile.html")
        self.forms = self.page.locator(".forms .card")

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
    profile.field(1, "Public profile").uncheck()
    expect(profile.field(0, "Public profile")).not_to_be_checked()
    profile.field(1, "Profile").select_option("crab")
    expect(profile.field(1, "Name")).to_have_value("Crab")
    assert profile.noise == []
