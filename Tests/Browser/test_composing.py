# SPDX-License-Identifier: MIT
"""A phone composes every word, and its keyboard may never end a composition: what is composed counts as it is typed."""

import pytest
from conftest import Composition, live, noise_of, settled
from played import PAGE, Played
from playwright.sync_api import expect

THINGS = """<form data-vm-do="add"><input aria-label="Thing" data-vm-bind="draft"><button data-vm-attr-aria-disabled="!canAdd">Add</button></form>
<input aria-label="Note" data-vm-bind="note"><input aria-label="Title" data-vm-bind="title" data-vm-compose="end"><button type="button" data-vm-do="look">Look</button>
<ul><template data-vm-each="things"><li data-vm-text="text"></li></template></ul>"""


def perform(state, path, value):
    if path == "add" and state["draft"]:
        things, key = state["things"], f"k{len(state['things']['order'])}"
        things["order"].append(key)
        things["items"][key] = {"text": state["draft"]}
        state["draft"] = ""


class Things:
    """A page of things to do on a phone, and its server."""

    def __init__(self, context, played):
        self.played, self.page = played, context.new_page()
        self.noise = noise_of(self.page)
        self.page.goto(played.url)
        live(self.page)
        self.field, self.note = self.page.get_by_label("Thing"), self.page.get_by_label("Note")
        self.add = self.page.get_by_role("button", name="Add")
        self.ime = Composition(self.page)

    def compose(self, *texts):
        self.field.focus()
        for text in texts:
            self.ime.press("Unidentified", 229)
            self.ime.set(text)

    def expect_things(self, *texts):
        expect(self.page.locator("li")).to_have_text(list(texts))
        expect(self.field).to_have_value("")
        settled(self.page)
        assert [self.played.state["things"]["items"][key]["text"] for key in self.played.state["things"]["order"]] == list(texts)


@pytest.fixture
def things(open_context):
    state = {"draft": "", "note": "", "title": "", "things": {"order": [], "items": {}}}
    with Played(PAGE % THINGS, state, perform, lambda state: {**state, "canAdd": state["draft"] != ""}) as played:
        yield (things := Things(open_context(viewport={"width": 390, "height": 760}, is_mobile=True, has_touch=True), played))
        assert things.noise == []


def test_a_word_that_is_never_committed_can_be_added_from_its_first_letter_on(things):
    expect(things.add).to_have_attribute("aria-disabled", "true")
    for text in ("h", "he", "hel"):
        things.compose(text)
        expect(things.add).to_have_attribute("aria-disabled", "false")
        expect(things.field).to_have_value(text)
        settled(things.page)
        assert things.played.state["draft"] == text


def test_the_keyboards_enter_in_a_composition_adds_the_word_as_it_ends(things):
    things.compose("h", "he", "hel")
    # The key of the composition is no Enter. The keyboard ends the word, and only then presses it.
    things.ime.press("Enter", 229)
    things.ime.end("hello")
    things.ime.press("Enter", 13)
    things.expect_things("hello")


def test_an_enter_into_a_composition_that_goes_on_adds_its_last_word(things):
    things.compose("h", "he", "hel")
    things.ime.press("Enter", 13)
    things.expect_things("hel")


def test_a_press_of_the_button_adds_the_last_word_of_a_composition(things):
    things.compose("h", "he", "hel")
    things.add.tap()
    things.expect_things("hel")


def test_another_field_and_an_action_go_out_while_a_word_is_composed(things):
    things.compose("h")
    settled(things.page)
    things.played.hold("/actions/look")
    # Without a tap: that would end the composition.
    with things.page.expect_request("**/actions/look*"):
        things.page.get_by_role("button", name="Look").evaluate("button => button.click()")
    things.compose("he", "hel")
    things.note.evaluate("note => { note.value = 'filled in'; note.dispatchEvent(new Event('input', { bubbles: true })) }")
    things.played.release()
    settled(things.page)
    assert (things.played.state["draft"], things.played.state["note"]) == ("hel", "filled in")
    expect(things.field).to_have_value("hel")


def test_nothing_that_comes_is_written_into_a_word_that_is_composed(things):
    things.compose("h", "he")
    settled(things.page)
    things.played.change(lambda state: state.update(draft="somebody else's", note="news"))
    expect(things.note).to_have_value("news")
    expect(things.field).to_have_value("he")
    things.compose("hel")
    settled(things.page)
    things.ime.end("hello")
    settled(things.page)
    assert things.played.state["draft"] == "hello"
    expect(things.field).to_have_value("hello")


def test_a_field_that_waits_for_the_end_of_a_composition_sends_the_word_once_and_nothing_of_it_before(things):
    title = things.page.get_by_label("Title")
    title.focus()
    for text in ("h", "he", "hel"):
        things.ime.press("Unidentified", 229)
        things.ime.set(text)
        expect(title).to_have_value(text)
        settled(things.page)
    things.played.change(lambda state: state.update(title="somebody else's", note="news"))
    expect(things.note).to_have_value("news")
    expect(title).to_have_value("hel")
    assert things.played.applied == []
    with things.page.expect_response("**/state/title*"):
        things.ime.end("hello")
    settled(things.page)
    expect(title).to_have_value("hello")
    assert things.played.applied == [("PUT", "/state/title", "hello")]
