# SPDX-License-Identifier: MIT
"""The follow page in a real browser: rows with commands of their own."""

import re

from playwright.sync_api import expect

FIRST = ["Ada Lovelace", "Alan Turing", "Grace Hopper", "Kurt Gödel"]


class Follow:
    """The page and everything that its console and network complained of."""

    def __init__(self, context, url):
        self.noise = []
        self.page = context.new_page()
        self.page.on("console", lambda message: self.noise.append(f"console: {message.text}"))
        self.page.on("pageerror", lambda error: self.noise.append(f"error: {error}"))
        self.page.on("response", lambda response: response.status >= 400 and self.noise.append(f"{response.status}: {response.url}"))
        self.names = self.page.locator(".person .who strong")
        self.failure = self.page.get_by_role("alert")
        self.order = self.page.get_by_label("Order")
        self.page.goto(url + "follow.html")
        expect(self.page.locator("html")).to_have_attribute("data-vm", "live")
        expect(self.names.first).to_be_visible()

    def row(self, name):
        return self.page.get_by_role("listitem").filter(has_text=name)

    def button(self, deed, name):
        return self.page.get_by_role("button", name=re.compile(f"^{deed}\\s+{name}$"))


def test_s1_2_a_follow_shows_progress_then_its_result_in_that_row_alone(context, url):
    follow = Follow(context, url)
    expect(follow.names).to_have_text(FIRST)
    button = follow.button("Follow", "Ada Lovelace")
    button.click()
    expect(button).to_have_attribute("aria-busy", "true")
    expect(follow.row("Ada Lovelace").get_by_role("progressbar")).to_be_visible()
    expect(follow.button("Follow", "Alan Turing")).to_have_attribute("aria-disabled", "false")
    expect(follow.button("Unfollow", "Ada Lovelace")).to_be_visible()
    expect(follow.row("Ada Lovelace").get_by_role("progressbar")).to_be_hidden()
    expect(follow.page.locator(".lead strong")).to_have_text("1")
    assert follow.noise == []


def test_s1_6_cancel_is_there_while_it_executes_and_leaves_the_row_as_it_was(context, url):
    follow = Follow(context, url)
    expect(follow.button("Cancel", "Alan Turing")).to_be_hidden()
    follow.button("Follow", "Alan Turing").click()
    follow.button("Cancel", "Alan Turing").click()
    expect(follow.button("Follow", "Alan Turing")).not_to_have_attribute("aria-busy", "true")
    expect(follow.page.locator(".lead strong")).to_have_text("0")
    expect(follow.failure).to_have_text("")
    assert follow.noise == []


def test_s1_11_a_failure_is_one_message_for_all_which_can_be_dismissed(context, url):
    follow = Follow(context, url)
    follow.button("Follow", "Kurt Gödel").click()
    expect(follow.failure).to_have_text("Kurt Gödel: the service did not answer. Try again.")
    expect(follow.row("Kurt Gödel")).to_have_class(re.compile(r"\bfailed\b"))
    follow.page.get_by_role("button", name="Dismiss").click()
    expect(follow.failure).to_have_text("")
    expect(follow.page.get_by_role("button", name="Dismiss")).to_be_hidden()
    follow.button("Follow", "Kurt Gödel").click()
    expect(follow.button("Unfollow", "Kurt Gödel")).to_be_visible()
    assert follow.noise == []


def test_s1_9_followed_first_a_row_moves_and_the_focus_goes_with_it(context, url):
    follow = Follow(context, url)
    follow.order.select_option("followed")
    button = follow.button("Follow", "Grace Hopper")
    button.focus()
    follow.page.keyboard.press("Enter")
    expect(follow.names).to_have_text(["Grace Hopper", "Ada Lovelace", "Alan Turing", "Kurt Gödel"])
    expect(follow.button("Unfollow", "Grace Hopper")).to_be_focused()
    follow.order.select_option("name")
    expect(follow.names).to_have_text(FIRST)
    assert follow.noise == []


def test_s1_10_hidden_rows_go_and_more_are_suggested_until_there_are_no_more(context, url):
    follow = Follow(context, url)
    follow.button("Hide", "Alan Turing").click()
    expect(follow.names).to_have_text(["Ada Lovelace", "Grace Hopper", "Kurt Gödel"])
    suggest = follow.page.get_by_role("button", name="Suggest more")
    suggest.click()
    expect(follow.names).to_have_count(7)
    suggest.click()
    expect(follow.names).to_have_count(9)
    expect(suggest).to_have_attribute("aria-disabled", "true")
    assert follow.noise == []
