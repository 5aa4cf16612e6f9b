# SPDX-License-Identifier: MIT
"""The ways between the pages: each demo leads to all others and to its source, and a login to the user's own page."""

import pytest
from conftest import live, visit
from playwright.sync_api import expect
from test_login import Login
from test_look import COVERED

# The pages that the header of each of them lists.
LISTED = ["board", "login", "account", "signup", "follow", "page", "profile", "recordings"]


@pytest.mark.parametrize("name", LISTED)
def test_a_demo_lists_all_demos_and_marks_itself(context, url, name):
    page = visit(context, url, name)
    links = page.get_by_role("navigation", name="Demos").get_by_role("link")
    expect(links).to_have_text(["Board", "Login", "Your page", "Sign up", "Follow", "Modules", "Profile", "Recordings"])
    marks = links.evaluate_all("links => links.map(link => link.getAttribute('aria-current'))")
    assert marks == ["page" if each == name else None for each in LISTED]


def test_each_link_of_that_list_leads_to_its_demo(context, url):
    page = visit(context, url, "account")
    for name, model in [("Board", "board"), ("Login", "login"), ("Sign up", "signup"), ("Follow", "follow"), ("Modules", "page"), ("Profile", "profile"),
                        ("Recordings", "recordings"), ("Your page", "account")]:
        page.get_by_role("navigation", name="Demos").get_by_role("link", name=name).click()
        expect(page.locator("main[data-vm-root]")).to_have_attribute("data-vm-root", model)
        live(page)


@pytest.mark.parametrize("name", LISTED)
def test_a_demo_leads_to_the_swift_source_of_its_view_model(context, url, name):
    page = visit(context, url, name)
    source = context.request.get(url.rstrip("/") + page.get_by_role("link", name="Source").get_attribute("href"))
    assert source.status == 200
    assert f'"{name}"' in source.text() and "Surface<" in source.text()


def test_the_list_of_demos_leads_first_to_the_board(context, url):
    page = context.new_page()
    page.goto(url)
    page.get_by_role("link", name="Try the board").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("One board, many hands")


def test_a_login_leads_to_the_users_own_page_and_back_leads_not_to_the_form(context, url):
    login = Login(context, url)
    login.page.goto(url)
    login.page.locator(".demos").get_by_role("link", name="Login").click()
    live(login.page)
    login.username.fill("a new name")
    login.password.fill("123456")
    login.button.click()
    expect(login.page.get_by_role("heading", name="Your page")).to_be_visible()
    live(login.page)
    login.page.go_back()
    expect(login.page).to_have_url(url)
    assert login.noise == []


def test_a_user_who_logs_out_finds_the_form_empty_of_the_password(context, url):
    login = Login(context, url)
    login.username.fill("a third name")
    login.password.fill("123456")
    login.button.click()
    page = login.page
    live(page)
    page.get_by_role("button", name="Log out", exact=True).click()
    page.get_by_role("link", name="Log in", exact=True).click()
    live(page)
    expect(login.password).to_have_value("")
    login.expect_button(False)


def test_the_words_for_a_visitor_without_a_login_cover_no_link(context, url):
    page = context.new_page()
    page.goto(url + "account")
    expect(page.locator("[data-vm-status]")).to_have_text("You are not logged in.")
    expect(page.get_by_role("link", name="Log in", exact=True)).to_be_visible()
    assert page.evaluate(COVERED, ".connection") == []


def test_the_list_of_demos_is_not_printed(context, url):
    page = visit(context, url, "login")
    demos = page.locator(".ways")
    expect(demos).to_be_visible()
    page.emulate_media(media="print")
    expect(demos).to_be_hidden()


@pytest.mark.parametrize("motion, picture", [("reduce", "login-still.webp"), ("no-preference", "login.webp")])
def test_the_picture_of_the_first_page_moves_unless_less_motion_is_preferred(open_context, url, motion, picture):
    page = open_context(reduced_motion=motion).new_page()
    page.goto(url)
    assert page.locator(".first img").evaluate("img => img.decode().then(() => img.currentSrc)") == f"{url}pictures/{picture}"
