# SPDX-License-Identifier: MIT
"""The follow page in a real browser: rows with commands of their own."""

import re

import pytest
from conftest import ROOT, Demo, settled
from played import Played
from playwright.sync_api import expect

FIRST = ["Ada Lovelace", "Alan Turing", "Grace Hopper", "Kurt Gödel"]


class Follow(Demo):
    def __init__(self, context, url):
        super().__init__(context, url)
        self.names = self.page.locator(".person .who strong")
        self.failure = self.page.get_by_role("alert")
        self.order = self.page.get_by_label("Order")

    def row(self, name):
        return self.page.get_by_role("listitem").filter(has_text=name)

    def button(self, deed, name):
        return self.page.get_by_role("button", name=re.compile(f"^{deed}\\s+{name}$"))


def idle(**changes):
    return {"enabled": True, "executing": False, "progress": None, "result": None, "error": None, **changes}


@pytest.fixture
def played():
    """The page before a server whose commands end when the test says so."""
    people = {name: {"id": name, "name": name, "about": "", "isFollowed": False, "follow": idle()} for name in ("Ada", "Alan")}

    def perform(state, path, value):
        person = state["people"]["items"][path.split("/")[-2]]
        person["follow"] = idle(enabled=False, executing=True, progress=0) if value else idle()

    state = {"people": {"order": list(people), "items": people}, "followed": 0, "order": "name", "error": None, "suggest": idle()}
    with Played((ROOT / "Public" / "follow.html").read_text(), state, perform) as played:
        yield played


def test_s1_2_a_follow_shows_progress_then_its_result_in_that_row_alone(context, played):
    follow = Follow(context, played.url)
    button, progress = follow.button("Follow", "Ada"), follow.row("Ada").get_by_role("progressbar")
    expect(progress).to_be_hidden()
    button.click()
    expect(button).to_have_attribute("aria-busy", "true")
    expect(progress).to_be_visible()
    expect(follow.button("Follow", "Alan")).to_have_attribute("aria-disabled", "false")
    played.change(lambda state: state.update(followed=1) or state["people"]["items"]["Ada"].update(isFollowed=True, follow=idle()))
    expect(follow.button("Unfollow", "Ada")).to_be_visible()
    expect(progress).to_be_hidden()
    expect(follow.page.locator(".lead strong")).to_have_text("1")


def test_cancel_takes_the_place_of_hide_so_that_no_place_of_a_row_is_empty(context, played):
    follow = Follow(context, played.url)
    hide, cancel = follow.button("Hide", "Ada"), follow.button("Cancel", "Ada")
    place, row = hide.bounding_box(), follow.row("Ada").bounding_box()
    assert place["x"] + place["width"] == row["x"] + row["width"]
    expect(cancel).to_be_hidden()
    follow.button("Follow", "Ada").click()
    expect(cancel).to_be_visible()
    expect(hide).to_be_hidden()
    assert cancel.bounding_box() == place
    assert follow.row("Ada").bounding_box() == row
    cancel.click()
    settled(follow.page)
    expect(cancel).to_have_attribute("aria-disabled", "true")
    expect(follow.button("Follow", "Ada")).to_have_attribute("aria-disabled", "false")
    assert [each[0] for each in played.applied] == ["POST", "DELETE"]


def test_s1_11_a_failure_is_one_message_for_all_which_can_be_dismissed(context, url):
    follow = Follow(context, url + "follow.html")
    follow.button("Follow", "Kurt Gödel").click()
    expect(follow.failure).to_have_text("Kurt Gödel: the service did not answer. Try again.")
    expect(follow.row("Kurt Gödel")).to_have_class(re.compile(r"\bfailed\b"))
    follow.page.get_by_role("button", name="Dismiss").click()
    expect(follow.failure).to_have_text("")
    expect(follow.page.get_by_role("button", name="Dismiss")).to_be_hidden()
    follow.button("Follow", "Kurt Gödel").click()
    expect(follow.button("Unfollow", "Kurt Gödel")).to_be_visible()
    assert follow.noise == []


@pytest.mark.story
def test_s1_9_followed_first_a_row_moves_and_the_focus_goes_with_it(context, url):
    follow = Follow(context, url + "follow.html")
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
    follow = Follow(context, url + "follow.html")
    follow.button("Hide", "Alan Turing").click()
    expect(follow.names).to_have_text(["Ada Lovelace", "Grace Hopper", "Kurt Gödel"])
    suggest = follow.page.get_by_role("button", name="Suggest more")
    suggest.click()
    expect(follow.names).to_have_count(7)
    suggest.click()
    expect(follow.names).to_have_count(9)
    expect(suggest).to_have_attribute("aria-disabled", "true")
    assert follow.noise == []
