# SPDX-License-Identifier: MIT
"""A person who acts by keyboard in a row that goes is where they were: in the next row, or at the list's heading."""

import pytest
from conftest import Line, settled
from playwright.sync_api import expect
from test_follow import FIRST, Follow


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


CARDS = """<h1>Cards</h1><ul><template data-vm-each="cards">
<li data-vm-attr-aria-label="#" data-vm-show="!isAway"><button data-vm-attr-aria-label="open" data-vm-show="!isLocked" data-vm-do="open">Open</button>
<button data-vm-attr-aria-label="delete" data-vm-show="!isKept" data-vm-attr-disabled="isBusy" data-vm-do="delete">Delete</button></li>
</template></ul>"""


def card(name, **more):
    return {"open": f"Open {name}", "delete": f"Delete {name}", **more}


def delete(state, path, value):
    """Deletes the card of an action `cards/items/KEY/delete`."""
    key = path.split("/")[2]
    state["cards"]["order"].remove(key)
    del state["cards"]["items"][key]


@pytest.mark.parametrize("one, two, then", [
    ({"isKept": True}, {}, "Open one"),
    ({"isBusy": True}, {}, "Open one"),
    ({"isKept": True, "isLocked": True}, {}, "one"),
    ({"isAway": True}, {}, "Delete two"),
    ({"isAway": True}, {"isAway": True}, "Cards"),
])
def test_the_focus_of_a_row_that_goes_passes_over_controls_and_rows_that_take_none(play, one, two, then):
    cards = {"gone": card("gone"), "one": card("one", **one), "two": card("two", **two)}
    _, page = play(CARDS, {"cards": {"order": list(cards), "items": cards}}, delete)
    page.get_by_role("button", name="Delete gone").focus()
    page.keyboard.press("Enter")
    expect(page.locator(":focus")).to_have_accessible_name(then)


def test_a_person_who_has_gone_on_meanwhile_keeps_their_focus(context, url):
    follow = Follow(context, url + "follow.html")
    follow.button("Hide", FIRST[0]).focus()
    Line(follow.page).set(300)
    follow.page.keyboard.press("Enter")
    follow.order.focus()
    expect(follow.row(FIRST[0])).to_have_count(0)
    settled(follow.page)
    expect(follow.order).to_be_focused()


def test_the_focus_of_a_button_that_hides_itself_goes_to_what_follows(context, url):
    follow = Follow(context, url + "follow.html")
    follow.button("Follow", "Kurt Gödel").click()
    dismiss = follow.page.get_by_role("button", name="Dismiss")
    dismiss.focus()
    follow.page.keyboard.press("Enter")
    expect(dismiss).to_be_hidden()
    expect(follow.button("Unfollow", "Ada Lovelace").or_(follow.button("Follow", "Ada Lovelace"))).to_be_focused()


LAST = '<button>First</button><button>Before</button><button data-vm-show="isTold" data-vm-do="close">Ok</button>'


def test_the_focus_of_a_button_that_hides_itself_goes_to_what_is_before_where_nothing_follows(play):
    _, page = play(LAST, {"isTold": True}, lambda state, path, value: state.update(isTold=False))
    page.get_by_role("button", name="Ok").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Before")).to_be_focused()
