# SPDX-License-Identifier: MIT
"""A person who acts by keyboard in a row that goes is where they were: in the next row, or at the list's heading."""

import pytest
from conftest import Line, Server, settled
from playwright.sync_api import expect
from test_follow import FIRST, Follow
from test_profile import Profile
from test_recordings import Recordings
from test_signup import SignUp


@pytest.mark.parametrize("latency", [0, 300])
def test_the_focus_of_a_person_who_is_hidden_goes_to_the_next_and_in_the_end_to_the_heading(context, url, latency):
    follow = Follow(context, url + "follow.html")
    if latency:
        Line(follow.page).set(latency)
    hide = lambda name: follow.button("Hide", name)
    hide(FIRST[1]).focus()
    for gone, then in [(1, 2), (2, 3), (3, 0)]:
        follow.page.keyboard.press("Enter")
        expect(follow.row(FIRST[gone])).to_have_count(0)
        expect(hide(FIRST[then])).to_be_focused()
        settled(follow.page)
    follow.page.keyboard.press("Enter")
    expect(follow.names).to_have_count(0)
    expect(follow.page.get_by_role("heading", name="Who to follow")).to_be_focused()
    assert follow.noise == []


def test_the_focus_of_a_folder_that_is_deleted_goes_to_the_next_and_then_to_the_columns_heading(context, binary):
    server = Server(binary)
    recordings = Recordings(context, server.url)
    for name in ("Birds", "Frogs", "Owls"):
        recordings.create("Recordings", name)
    delete = lambda name: recordings.column("Recordings").get_by_role("button", name=f"Delete {name}")
    delete("Frogs").focus()
    recordings.page.keyboard.press("Enter")
    expect(delete("Owls")).to_be_focused()
    recordings.page.keyboard.press("Enter")
    expect(delete("Birds")).to_be_focused()
    recordings.page.keyboard.press("Enter")
    expect(recordings.column("Recordings").get_by_role("heading")).to_be_focused()
    assert recordings.noise == []
    server.stop()


def test_the_focus_of_a_form_that_is_closed_goes_to_the_next_one_and_then_to_the_heading(context, url):
    profile = Profile(context, url)
    close = profile.page.get_by_role("button", name="Close")
    expect(close).to_have_count(2)
    close.first.focus()
    profile.page.keyboard.press("Enter")
    expect(close).to_have_count(1)
    expect(close).to_be_focused()
    profile.page.keyboard.press("Enter")
    expect(close).to_have_count(0)
    expect(profile.page.get_by_role("heading", name="Two forms, one profile")).to_be_focused()
    assert profile.noise == []


def test_a_person_who_has_gone_on_meanwhile_keeps_their_focus(context, url):
    follow = Follow(context, url + "follow.html")
    follow.button("Hide", FIRST[0]).focus()
    Line(follow.page).set(300)
    follow.page.keyboard.press("Enter")
    follow.order.focus()
    expect(follow.row(FIRST[0])).to_have_count(0)
    settled(follow.page)
    expect(follow.order).to_be_focused()


def test_the_focus_of_a_button_that_hides_itself_goes_to_what_follows_or_else_to_what_is_before(context, url):
    follow = Follow(context, url + "follow.html")
    follow.button("Follow", "Kurt Gödel").click()
    dismiss = follow.page.get_by_role("button", name="Dismiss")
    dismiss.focus()
    follow.page.keyboard.press("Enter")
    expect(dismiss).to_be_hidden()
    expect(follow.button("Unfollow", "Ada Lovelace").or_(follow.button("Follow", "Ada Lovelace"))).to_be_focused()
    signup = SignUp(context, url)
    signup.username.fill("maruko")
    signup.password.fill("123456")
    signup.expect_button(True)
    signup.button.click()
    signup.ok.focus()
    signup.page.keyboard.press("Enter")
    expect(signup.ok).to_be_hidden()
    expect(signup.button).to_be_focused()
