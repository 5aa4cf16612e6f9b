# SPDX-License-Identifier: MIT
"""The pages that 'euripus page' prints, and that a server in development makes, of each view model of the demos."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from conftest import Demo, ROOT, Server, live, settled, sign_in
from playwright.sync_api import expect
from test_accessibility import expect_no_violation

MODELS = ["account", "board", "card-finder", "cookbook", "follow", "login", "page", "profile", "recordings", "reference", "signup"]
PARAMS = {"board": "?board=lobby", "card-finder": "?board=lobby"}


def program(binary, name, *options, **more):
    return Server(str(Path(binary).parent / name), options=["--dev", *options], is_demos=False, **more)


def made(context, server, name, query=None):
    """The page of a view model, once it is live, with what its console and its network complain of."""
    if name == "account":
        sign_in(context, server.url)
    demo = Demo(context, f"{server.url}models/{name}/page{PARAMS.get(name, '') if query is None else query}")
    demo.page.evaluate("() => { window.errors = []; document.addEventListener('vm:error', ({ detail }) => errors.push(detail)); }")
    return demo


def complaints(demo):
    """Without the browser's advice about a password that stands in no form, as in a module of its own."""
    return [text for text in demo.noise if "[DOM]" not in text]


@pytest.mark.parametrize("name", MODELS)
def test_each_page_is_live_accessible_and_without_a_mistake(open_context, developing, name):
    demo = made(open_context(bypass_csp=True), developing, name)
    expect(demo.page.get_by_role("heading", level=1)).to_be_visible()
    expect_no_violation(demo.page)
    assert demo.page.evaluate("errors") == []
    assert complaints(demo) == []


@pytest.mark.one_server("the examples are programs of one server here")
@pytest.mark.parametrize("name, model, query", [("Todo", "todo", ""), ("GatehouseApp", "gate", ""), ("GatehouseApp", "counter", "?start=3")])
def test_the_pages_of_other_programs_are_too(open_context, binary, name, model, query):
    server = program(binary, name)
    demo = made(open_context(bypass_csp=True), server, model, query)
    expect_no_violation(demo.page)
    assert demo.page.evaluate("errors") == [] and complaints(demo) == []
    server.stop()


@pytest.mark.one_server("the examples are programs of one server here")
def test_a_help_desk_is_worked_with_by_its_made_pages_alone(open_context, binary, tmp_path):
    server = program(
        binary, "HelpDesk", "--examples", "300", "--attachments", str(tmp_path / "attachments"), store=tmp_path / "desk.db")
    context = open_context(bypass_csp=True)
    queue = made(context, server, "queue")
    page = queue.page
    page.get_by_label("Name").fill("anna")
    page.get_by_label("Code").fill("1234")
    page.keyboard.press("Enter")
    tickets = page.get_by_role("group", name="Tickets").get_by_role("listitem")
    expect(tickets.first).to_be_visible()
    live(page)
    settled(page)
    expect_no_violation(page)
    new = made(context, server, "new-ticket").page
    new.get_by_label("Title").fill("A")
    new.keyboard.press("Tab")
    expect(new.get_by_label("Title")).to_have_attribute("aria-invalid", "true")
    expect(new.get_by_label("Title")).to_have_accessible_description("3 to 120 characters")
    expect_no_violation(new)
    for model in ["answer", "ticket"]:
        demo = made(context, server, model, "?ticket=1")
        expect_no_violation(demo.page)
        assert demo.page.evaluate("errors") == [] and complaints(demo) == []
    demo.page.get_by_label("Note").fill("Ask again tomorrow")
    settled(demo.page)
    server.stop()


def test_a_printed_page_works_as_a_file_of_the_app(context, binary, tmp_path):
    printed = subprocess.run([binary, "page", "recordings"], capture_output=True, text=True, check=True).stdout
    (tmp_path / "recordings.html").write_text(printed)
    for file in (ROOT / "Public").glob("*.*"):
        if file.suffix != ".html":
            shutil.copy(file, tmp_path)
    server = Server(binary, options=["--dev"], public=tmp_path)
    demo = Demo(context, server.url + "recordings")
    page = demo.page
    page.get_by_label("New name").fill("Talks")
    page.get_by_role("button", name="Create folder").click()
    page.get_by_role("button", name="Open Talks").click()
    expect(page).to_have_url(re.compile("/recordings/[^/]+$"))
    expect(page.get_by_role("button", name="Back")).not_to_have_attribute("aria-disabled", "true")
    page.go_back()
    expect(page).to_have_url(server.url + "recordings")
    assert complaints(demo) == []
    server.stop()


def test_a_login_by_keyboard(context, developing):
    page = made(context, developing, "login").page
    button = page.get_by_role("button", name="Login touched")
    expect(button).to_have_attribute("aria-disabled", "true")
    page.keyboard.press("Tab")
    expect(page.get_by_label("Username")).to_be_focused()
    page.keyboard.type("maruko-of-the-page")
    page.keyboard.press("Tab")
    expect(page.get_by_label("Password")).to_be_focused()
    page.keyboard.type("123456")
    expect(button).to_have_attribute("aria-disabled", "false")
    page.keyboard.press("Enter")
    expect(page.get_by_role("status").filter(has_text="You are logged in")).to_be_visible()
    page.get_by_role("group", name="Speak").get_by_role("button", name="Zh").press("Enter")
    expect(page.get_by_text("登录成功(*^▽^*)")).to_be_visible()


def test_a_list_by_keyboard(context, developing):
    page = made(context, developing, "cookbook").page
    boats = page.get_by_role("region", name="Boats").get_by_role("listitem")
    expect(boats).to_have_count(4)
    page.get_by_label("New boat").fill("Eos")
    page.get_by_role("button", name="Add", exact=True).press("Enter")
    expect(boats).to_have_count(5)
    expect(boats.last.get_by_label("Name")).to_have_value("Eos")
    page.get_by_role("button", name="Move up Eos").press("Enter")
    expect(boats.nth(3).get_by_label("Name")).to_have_value("Eos")
    page.on("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Remove Eos").press("Enter")
    expect(boats).to_have_count(4)
    boats.first.get_by_label("Name").fill("Argo")
    settled(page)
    expect(page.get_by_role("button", name="Remove Argo")).to_be_visible()


def test_actions_that_take_a_value_and_the_rows_of_a_window_by_keyboard(context, developing):
    demo = made(context, developing, "reference")
    page = demo.page
    page.get_by_label("How for Greet").fill("Hello")
    page.get_by_label("Whom for Greet").fill("Ada")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Hello, Ada")).to_be_visible()
    expect(page.get_by_label("Whom for Greet")).to_have_value("")
    window = page.get_by_role("group", name="Numbers")
    window.focus()
    page.keyboard.press("End")
    expect(window.get_by_role("listitem").last).to_be_in_viewport()
    expect(window.get_by_text("number 1", exact=True)).to_have_count(0)
    assert page.evaluate("errors") == []


def test_a_command_of_a_row_shows_its_progress_and_is_cancelled(context, developing):
    page = made(context, developing, "follow").page
    ada = page.get_by_role("listitem").filter(has_text="Ada Lovelace")
    ada.get_by_role("button", name="Follow", exact=True).press("Enter")
    ada.get_by_role("button", name="Cancel Follow").press("Enter")
    expect(ada.get_by_role("button", name="Cancel Follow")).to_be_hidden()
    kurt = page.get_by_role("listitem").filter(has_text="Kurt")
    kurt.get_by_role("button", name="Follow", exact=True).press("Enter")
    expect(kurt.get_by_role("status").filter(has_text="Follow:").locator(".wrong")).not_to_be_empty()


def test_a_value_that_is_refused_is_said_beside_its_form(context, developing):
    page = made(context, developing, "board").page
    name = page.get_by_label("Text for Call")
    # The browser takes no more characters than the bound.
    name.evaluate("input => input.removeAttribute('maxlength')")
    name.fill("x" * 301)
    page.keyboard.press("Enter")
    said = page.locator("[data-page-do=call]").get_by_role("status")
    expect(said).to_contain_text("at most 300 characters")
    name.fill("Ada")
    page.keyboard.press("Enter")
    expect(said).to_have_text("Done.")
    expect(said).not_to_have_class(re.compile("wrong"))
    page.get_by_label("Text for Add").fill("Bring a kite")
    page.get_by_label("Column for Add").select_option("doing")
    page.get_by_role("button", name="Add", exact=True).press("Enter")
    expect(page.get_by_role("button", name="Remove Bring a kite")).to_be_visible()


def test_a_page_asks_for_the_parameters_of_its_session(context, developing):
    page = context.new_page()
    page.goto(developing.url + "models/board/page")
    page.get_by_label("Board").fill("garden")
    page.keyboard.press("Enter")
    live(page)
    expect(page).to_have_url(developing.url + "models/board/page?board=garden")
    expect(page.get_by_label("Title")).not_to_have_value("")
