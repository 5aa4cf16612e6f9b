# SPDX-License-Identifier: MIT
"""The board: two people with browsers of their own, in one room."""

import pytest
from conftest import live, noise_of, until
from playwright.sync_api import expect


class Person:
    """A person with a browser of their own, who looks at the board."""

    def __init__(self, context, url, name):
        self.context = context
        self.page = context.new_page()
        self.noise = noise_of(self.page)
        self.page.goto(f"{url}board.html")
        live(self.page)
        self.people = self.page.get_by_role("list", name="People here").get_by_role("listitem")
        self.cards = self.page.locator(".slip")
        self.title = self.page.get_by_label("Title")
        self.clash = self.page.get_by_role("alert").filter(has_text="Somebody else wrote")
        self.page.get_by_label("Your name").fill(name)
        self.page.keyboard.press("Enter")
        expect(self.people.filter(has_text=name)).to_have_count(1)

    def add(self, text):
        self.page.get_by_label("New card").fill(text)
        self.page.get_by_role("button", name="Add it").click()
        expect(self.page.get_by_label("New card")).to_have_value("")

    def card(self, text):
        """The card with a text, once it is there, by its key, so that it stays the same card."""
        find = "text => [...document.querySelectorAll('.slip')].find(card => card.querySelector('input').value === text)?.dataset.key"
        until(lambda: self.page.evaluate(find, text))
        key = self.page.evaluate(find, text)
        return self.page.locator(f'.slip[data-key="{key}"]')


@pytest.fixture
def two(open_context, url):
    anna, bert = Person(open_context(), url, "Anna"), Person(open_context(), url, "Bert")
    yield anna, bert
    assert anna.noise == [] and bert.noise == []


def test_two_people_change_one_board_and_see_each_other(two, request):
    anna, bert = two
    mark = request.node.name
    expect(anna.people.filter(has_text="Bert")).to_have_count(1)
    anna.add(f"Lemonade {mark}")
    card, same = anna.card(f"Lemonade {mark}"), bert.card(f"Lemonade {mark}")
    same.get_by_role("textbox").fill(f"Water {mark}")
    expect(card.get_by_role("textbox")).to_have_value(f"Water {mark}")
    expect(card.locator(".here")).to_have_text("Bert")
    # It is moved while Bert is in it: he stays there, with the text that he goes on with.
    card.get_by_role("button", name="Done").click()
    expect(same).to_have_class("slip done")
    expect(same.get_by_role("textbox")).to_be_focused()
    bert.page.keyboard.type("!")
    expect(card.get_by_role("textbox")).to_have_value(f"Water {mark}!")
    bert.title.fill(f"Feast {mark}")
    expect(anna.title).to_have_value(f"Feast {mark}")
    card.get_by_role("button", name="Delete").click()
    expect(same).to_have_count(0)


def test_two_people_in_one_title_are_shown_both_texts_and_choose(two, request):
    anna, bert = two
    hers, his = (f"{name} {request.node.name}" for name in ("Feast", "Picnic"))
    anna.title.fill(hers)
    expect(bert.title).to_have_value(hers)
    bert.title.fill(his)
    expect(anna.clash).to_have_text(f"Somebody else wrote {his} Take theirs Keep mine")
    # Text that she types on is not sent before she has chosen.
    anna.page.keyboard.type("!")
    expect(anna.title).to_have_value(f"{hers}!")
    anna.clash.get_by_role("button", name="Keep mine").click()
    expect(anna.clash).to_have_count(0)
    expect(anna.title).to_be_focused()
    # He is in the field as well, so now it is his turn to choose.
    expect(bert.clash).to_contain_text(f"{hers}!")
    expect(bert.title).to_have_value(his)
    bert.clash.get_by_role("button", name="Take theirs").click()
    expect(bert.title).to_have_value(f"{hers}!")
    expect(bert.clash).to_have_count(0)
    anna.page.keyboard.type("?")
    expect(bert.title).to_have_value(f"{hers}!?")


def test_a_card_is_dragged_to_another_column_and_before_another_card(two, request):
    anna, bert = two
    mark = request.node.name
    for text in ("one", "two"):
        anna.add(f"{text} {mark}")
    one, two_ = anna.card(f"one {mark}"), anna.card(f"two {mark}")
    heading = anna.page.get_by_role("heading", name="Doing")
    drag(anna.page, one, heading, 70)
    expect(bert.card(f"one {mark}")).to_have_class("slip doing")
    drag(anna.page, two_, one, 8)
    expect(bert.card(f"two {mark}")).to_have_class("slip doing")
    order = bert.cards.evaluate_all("cards => cards.map(card => card.querySelector('input').value)")
    assert order.index(f"two {mark}") == order.index(f"one {mark}") - 1
    for card in (one, two_):
        card.get_by_role("button", name="Delete").click()
        expect(card).to_have_count(0)


def test_a_card_changes_its_place_within_its_column_by_keyboard(two, request):
    anna, bert = two
    texts = [f"{text} {request.node.name}" for text in ("first", "second", "third")]
    for text in texts:
        anna.add(text)
    cards = [anna.card(text) for text in texts]

    def order():
        shown = bert.cards.evaluate_all("cards => cards.map(card => card.querySelector('input').value)")
        return [texts.index(text) for text in shown if text in texts]

    up, down = (cards[number].get_by_role("button", name=name) for number, name in ((2, "Up"), (0, "Down")))
    up.focus()
    anna.page.keyboard.press("Enter")
    until(lambda: order() == [0, 2, 1])
    expect(up).to_be_focused()
    anna.page.keyboard.press("Enter")
    until(lambda: order() == [2, 0, 1])
    down.focus()
    anna.page.keyboard.press("Enter")
    until(lambda: order() == [2, 1, 0])
    for card in cards:
        card.get_by_role("button", name="Delete").click()
        expect(card).to_have_count(0)


def test_words_in_a_card_that_somebody_else_deletes_meanwhile_are_told_and_kept(two, request):
    anna, bert = two
    mark = request.node.name
    anna.add(f"Tea {mark}")
    card, same = anna.card(f"Tea {mark}"), bert.card(f"Tea {mark}")
    bert.context.set_offline(True)
    same.get_by_role("textbox").fill(f"Tea with milk {mark}")
    card.get_by_role("button", name="Delete").click()
    expect(card).to_have_count(0)
    bert.context.set_offline(False)
    expect(same).to_have_count(0)
    told = bert.page.get_by_role("alert").filter(has_text="Somebody has deleted the card")
    expect(told).to_contain_text(f"Tea with milk {mark}")
    told.get_by_role("button").click()
    expect(told).to_have_count(0)
    anna.card(f"Tea with milk {mark}").get_by_role("button", name="Delete").click()
    # The browser complains of each request that fails, and the page of the edit that is refused.
    bert.noise.clear()


def test_a_person_who_leaves_is_gone_and_has_the_name_again_when_coming_back(two):
    anna, bert = two
    bert.page.goto("about:blank")
    expect(anna.people.filter(has_text="Bert")).to_have_count(0)
    bert.page.go_back()
    live(bert.page)
    expect(anna.people.filter(has_text="Bert")).to_have_count(1)


def drag(page, card, target, below):
    """Drags a card by its edge to a place below the top of another element."""
    card.scroll_into_view_if_needed()
    box, to = card.bounding_box(), target.bounding_box()
    page.mouse.move(box["x"] + 3, box["y"] + 3)
    page.mouse.down()
    page.mouse.move(to["x"] + 20, to["y"] + below, steps=4)
    page.mouse.up()
