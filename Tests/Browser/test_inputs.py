# SPDX-License-Identifier: MIT
"""Inputs and elements that cannot have their attribute, and choices that tell of their change alone."""

import pytest
from conftest import live, noise_of, settled
from played import Played
from playwright.sync_api import expect

PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Inputs</title><link rel="icon" href="/favicon.svg">
<script type="module" src="/euripus.js"></script><main data-vm-root="m">%s<output data-vm-text="word"></output></main></html>"""


@pytest.mark.parametrize("kind, markup", [
    ("select-multiple", '<select multiple aria-label="odd" data-vm-bind="word"><option>a</option><option>b</option></select>'),
    ("file", '<input type="file" aria-label="odd" data-vm-bind="word">'),
])
def test_an_input_that_cannot_be_bound_yet_is_named_in_the_console_and_sends_nothing(context, kind, markup):
    with Played(PAGE % markup, {"word": "a"}) as played:
        page = context.new_page()
        noise = noise_of(page)
        with page.expect_console_message() as said:
            page.goto(played.url)
        assert said.value.text == f'Euripus: m: data-vm-bind="word" on <{"select" if kind != "file" else "input"}>: {kind} cannot be bound yet'
        live(page)
        odd = page.get_by_label("odd")
        if kind == "file":
            odd.set_input_files({"name": "a.txt", "mimeType": "text/plain", "buffer": b"a"})
        else:
            odd.select_option(["a", "b"])
        played.change(lambda state: state.update(word="b"))
        expect(page.locator("output")).to_have_text("b")
        settled(page)
        assert played.applied == []
        assert len(noise) == 1


@pytest.mark.parametrize("markup, choose, value", [
    ('<select aria-label="choice" data-vm-bind="word"><option>a</option><option>b</option></select>', "choice => (choice.value = 'b')", "b"),
    ('<input type="checkbox" aria-label="choice" data-vm-bind="word">', "choice => (choice.checked = true)", True),
    ('<input type="range" max="9" aria-label="choice" data-vm-bind="word">', "choice => (choice.value = 7)", 7),
    ('<input type="date" aria-label="choice" data-vm-bind="word">', "choice => (choice.value = '2026-11-26')", "2026-11-26"),
], ids=["select", "checkbox", "range", "date"])
def test_a_choice_that_tells_of_its_change_alone_is_sent_at_once_under_the_focus(context, markup, choose, value):
    with Played(PAGE % markup, {"word": "a" if value == "b" else False if value is True else 3 if value == 7 else ""}) as played:
        page = context.new_page()
        page.goto(played.url)
        live(page)
        choice = page.get_by_label("choice")
        choice.focus()
        choice.evaluate(f"choice => {{ ({choose})(choice); choice.dispatchEvent(new Event('change', {{ bubbles: true }})) }}")
        settled(page)
        expect(choice).to_be_focused()
        assert played.applied == [("PUT", "/state/word", value)]


def test_a_list_on_an_element_that_is_no_template_is_named_in_the_console_and_throws_at_no_frame(context):
    rows = {"order": ["a"], "items": {"a": {"title": "A"}}}
    with Played(PAGE % '<ul><li data-vm-each="rows"><b data-vm-text="title"></b></li></ul>', {"word": "a", "rows": rows}) as played:
        page = context.new_page()
        noise = noise_of(page)
        with page.expect_console_message() as said:
            page.goto(played.url)
        assert 'data-vm-each="rows" on <li>' in said.value.text
        live(page)
        for word in ("b", "c", "d"):
            played.change(lambda state: state.update(word=word))
            expect(page.locator("output")).to_have_text(word)
        assert len(noise) == 1
