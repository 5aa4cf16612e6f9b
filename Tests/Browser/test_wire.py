# SPDX-License-Identifier: MIT
"""The drawer that shows the wire of a demo: requests, answers, states, source, and ways to the session from elsewhere."""

import json
import re
import secrets
import subprocess

import pytest
from axe_playwright_python.sync_playwright import Axe
from conftest import DEMOS, ROOT, live, noise_of, settled, sign_in
from playwright.sync_api import expect

WIRED = [name for name in DEMOS if "data-vm-wire" in (ROOT / "Public" / f"{name}.html").read_text()]
WIDE = {"width": 1280, "height": 900}
NARROW = {"width": 390, "height": 760}


class Drawer:
    """A page of a demo with its drawer, once that is there."""

    def __init__(self, context, url, name="login", ending=".html"):
        self.page = context.new_page()
        self.page.goto(f"{url}{name}{ending}")
        live(self.page)
        self.host = self.page.locator("euripus-wire")
        self.button = self.host.get_by_role("button", name=re.compile("the traffic"))
        self.panel = self.host.get_by_role("complementary", name="Traffic")
        self.exchanges = self.host.get_by_role("list", name="Requests and answers").locator("> li")
        self.tree = self.host.locator(".tree")
        self.source = self.host.get_by_role("group", name="The view model in Swift")
        self.shell = self.host.get_by_role("group", name="Lines for a shell")
        expect(self.button).to_be_visible()

    def write(self, name, value):
        """Writes a value of the session from elsewhere, as another window would."""
        request, session = self.page.context.request, self.page.evaluate("sessionStorage['euripus:login']")
        address = self.page.evaluate("location.origin") + f"{session}/state/{name}"
        assert request.put(address, data=json.dumps(value), headers={"content-type": "application/json"}).ok

    def exchange(self, title):
        return self.exchanges.filter(has_text=title)

    def text(self):
        """All text of the drawer, folded or not."""
        return self.host.evaluate("host => host.shadowRoot.textContent")


@pytest.fixture
def wide(open_context):
    return open_context(viewport=WIDE)


@pytest.fixture
def drawer(wide, url):
    return Drawer(wide, url)


def test_the_opening_of_the_session_is_the_first_exchange_as_it_was_sent(drawer):
    first = drawer.exchanges.first
    expect(first.locator(".line")).to_have_text(re.compile(r"^POST /sessions/login201 · \d+ ms$"))
    sent, received = [json.loads(each.text_content()) for each in first.locator("pre").all()]
    assert sent["client"]["timeZone"] and received["state"]["username"] == ""
    assert received["url"] == drawer.page.evaluate("sessionStorage['euripus:login']")


def test_an_edit_is_a_request_with_its_bytes_and_its_time_and_the_answer_to_it(drawer):
    drawer.page.get_by_label("User name").fill("maruko")
    edit = drawer.exchange("PUT …/state/username")
    expect(edit.locator(".line")).to_have_text(re.compile(r"^PUT …/state/username\?since=\w+\.1200 · \d+ ms$"))
    expect(edit.locator(".direction").first).to_have_text("up 8 B")
    expect(edit.locator(".direction").last).to_have_text(re.compile(r"^down \d+ B$"))
    expect(edit.locator("pre").first).to_have_text('"maruko"')
    assert json.loads(edit.locator("pre").last.text_content())["to"]
    expect(edit).to_have_class("lit")


def test_a_poll_says_that_it_waits_and_is_a_frame_once_there_is_news(drawer):
    waiting = drawer.exchanges.filter(has=drawer.page.get_by_text("waiting", exact=True))
    expect(waiting.locator("code")).to_have_text(re.compile(r"^GET …/changes\?since="))
    first = waiting.locator("code").text_content()
    drawer.write("username", "maruko")
    expect(drawer.exchange(first).locator("pre")).to_contain_text("maruko")


def test_the_state_is_a_tree_whose_changed_places_alone_are_marked(drawer):
    expect(drawer.tree).to_contain_text('username ""')
    expect(drawer.tree.locator(".lit")).to_have_count(0)
    drawer.page.get_by_label("User name").fill("maruko")
    expect(drawer.tree.locator(".lit")).to_have_text(['username "maruko"', re.compile("^instruction "), "usernameValid true"])


def test_a_change_in_a_folded_part_of_the_tree_is_marked_at_the_fold(wide, url):
    drawer = Drawer(wide, url, "follow")
    people = drawer.tree.locator("summary", has_text=re.compile("^people$"))
    people.click()
    drawer.page.get_by_role("button", name="Follow Ada").click()
    expect(people).to_have_class("lit")


def test_a_row_that_goes_leaves_the_tree(wide, url):
    drawer = Drawer(wide, url, "follow")
    expect(drawer.tree).to_contain_text('"Ada Lovelace"')
    drawer.page.get_by_role("button", name="Hide Ada").click()
    expect(drawer.tree).not_to_contain_text('"Ada Lovelace"')


@pytest.mark.parametrize("name, before", [("login", {}), ("signup", {"User name": "maruko"}), ("page", {"Account": "admin"})])
def test_a_typed_password_appears_nowhere_in_the_drawer(wide, url, name, before):
    drawer, password = Drawer(wide, url, name), secrets.token_hex(6)
    for label, value in before.items():
        drawer.page.get_by_label(label).fill(value)
    drawer.page.get_by_label("Password").press_sequentially(password)
    settled(drawer.page)
    request = drawer.exchange(re.compile(r"PUT …/state/.*password")).first
    expect(request.locator("pre").first).to_have_text('"•••"')
    expect(request.locator(".direction").first, "the length of a secret is a part of it").to_have_text("up")
    expect(drawer.shell, "a shell does not send the dots").to_contain_text(re.compile(r"\n# curl .*•••"))
    text = drawer.text()
    assert not [length for length in range(3, 13) if password[:length] in text]


@pytest.mark.parametrize("viewport", [WIDE, NARROW], ids=["open", "closed"])
def test_a_sign_out_takes_all_of_the_user_off_the_drawer(open_context, url, viewport):
    context = open_context(viewport=viewport)
    sign_in(context, url)
    drawer, note = Drawer(context, url, "account"), secrets.token_hex(6)
    drawer.page.get_by_label("Private note").fill(note)
    settled(drawer.page)
    drawer.page.locator("[data-vm-do=signOut]").click()
    expect(drawer.page.locator(".outside")).to_be_visible()
    if viewport == NARROW:
        drawer.button.click()
    expect(drawer.panel).to_be_visible()
    expect(drawer.tree).to_be_empty()
    assert note not in drawer.text()


def test_lines_of_swift_that_did_not_come_are_there_at_the_next_opening(wide, url):
    wide.route("**/surfaces/login.txt", lambda route: route.abort(), times=1)
    drawer = Drawer(wide, url)
    expect(drawer.source).to_contain_text("The lines did not come")
    drawer.button.click()
    drawer.button.click()
    expect(drawer.source).to_contain_text('"login"')


@pytest.mark.parametrize("name", WIRED)
def test_the_lines_of_swift_are_those_of_the_view_models_source(wide, url, name):
    if name == "account":
        sign_in(wide, url)
    drawer = Drawer(wide, url, name)
    expect(drawer.source).to_contain_text(f'"{name}"')
    path, lines = re.match(r"// ([^\n]*)\n\n(.*)", drawer.source.text_content(), re.DOTALL).groups()
    assert lines in (ROOT / path).read_text()


def test_the_line_of_swift_that_names_what_changed_is_marked_and_seen(drawer):
    expect(drawer.source).to_contain_text("loginEnabled")
    drawer.page.get_by_label("User name").fill("maruko")
    lines = drawer.source.locator(".lit", has_text='"usernameValid"')
    expect(lines).to_have_count(1)
    expect(lines).to_be_in_viewport()


def test_a_second_window_has_the_same_session(drawer):
    with drawer.page.expect_popup() as opened:
        drawer.panel.get_by_role("link", name="Open this session in a second window").click()
    second = opened.value
    live(second)
    session = "sessionStorage['euripus:login']"
    assert second.evaluate(session) == drawer.page.evaluate(session)
    second.get_by_label("User name").fill("maruko")
    expect(drawer.page.get_by_label("User name")).to_have_value("maruko")


def test_a_second_window_leaves_the_session_at_the_address_where_it_is(wide, url):
    drawer = Drawer(wide, url, "follow", ending="")
    drawer.page.get_by_label("Order").select_option("followed")
    expect(drawer.page).to_have_url(re.compile("order=followed"))
    with drawer.page.expect_popup() as opened:
        drawer.panel.get_by_role("link", name="Open this session in a second window").click()
    live(opened.value)
    expect(opened.value).to_have_url(drawer.page.url)
    expect(drawer.page.get_by_label("Order")).to_have_value("followed")


def test_the_lines_for_a_shell_reach_the_session_with_the_key_of_the_browser(drawer, tmp_path):
    drawer.page.get_by_label("User name").fill("it's me")
    expect(drawer.shell).to_contain_text("--json")
    (cookie,) = drawer.page.context.cookies()
    assert cookie["value"] not in drawer.text()
    script = drawer.shell.text_content().replace("PASTE-IT-HERE", cookie["value"])
    answers = subprocess.run(["sh", "-ec", script], cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    assert '"username":"it\'s me"' in answers and '"result":null' in answers


def test_the_lines_for_a_shell_are_copied_at_a_press(drawer):
    drawer.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    drawer.panel.get_by_role("button", name="Copy the lines").click()
    expect(drawer.panel.get_by_role("button", name="Copied")).to_be_visible()
    assert drawer.page.evaluate("navigator.clipboard.readText()") == drawer.shell.text_content()


def test_a_drawer_with_a_column_is_open_and_covers_nothing_of_the_page(drawer):
    expect(drawer.panel).to_be_visible()
    left = drawer.panel.bounding_box()["x"]
    for each in drawer.page.locator("main, header, form, .aside").all():
        box = each.bounding_box()
        assert box["x"] + box["width"] <= left


def test_a_drawer_that_its_reader_closed_stays_closed_after_a_reload(drawer):
    drawer.button.click()
    expect(drawer.panel).to_be_hidden()
    drawer.page.reload()
    expect(drawer.button).to_have_accessible_name("Show the traffic")
    drawer.button.click()
    expect(drawer.panel).to_be_visible()
    drawer.page.reload()
    expect(drawer.panel).to_be_visible()


def test_a_drawer_on_a_narrow_page_is_closed_and_shows_what_came_before_it_was_opened(open_context, url):
    drawer = Drawer(open_context(viewport=NARROW), url)
    expect(drawer.panel).to_be_hidden()
    drawer.page.get_by_label("User name").fill("maruko")
    settled(drawer.page)
    drawer.button.click()
    expect(drawer.exchange("PUT …/state/username")).to_be_visible()
    expect(drawer.tree).to_contain_text('username "maruko"')


def test_the_keyboard_opens_and_closes_the_drawer_and_keeps_the_focus(open_context, url):
    drawer = Drawer(open_context(viewport=NARROW), url)
    drawer.button.focus()
    drawer.page.keyboard.press("Enter")
    expect(drawer.panel).to_be_visible()
    expect(drawer.button).to_be_focused()
    drawer.page.keyboard.press("Enter")
    expect(drawer.panel).to_be_hidden()
    expect(drawer.button).to_be_focused()


def test_a_drawer_over_the_page_closes_where_the_focus_goes_behind_it(open_context, url):
    drawer = Drawer(open_context(viewport=NARROW), url)
    drawer.button.click()
    expect(drawer.panel).to_be_visible()
    drawer.page.keyboard.press("Shift+Tab")
    expect(drawer.panel).to_be_hidden()
    expect(drawer.page.locator(":focus")).to_be_in_viewport()


def test_paper_has_no_drawer_and_no_column_for_it(drawer):
    drawer.page.emulate_media(media="print")
    expect(drawer.panel).to_be_hidden()
    expect(drawer.button).to_be_hidden()
    assert drawer.page.evaluate("getComputedStyle(document.body).paddingInlineEnd") == "0px"


@pytest.mark.parametrize("forced_colors", ["none", "active"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("viewport", [WIDE, NARROW], ids=["wide", "narrow"])
def test_axe_finds_no_violation_in_an_open_drawer(open_context, url, viewport, scheme, forced_colors):
    context = open_context(bypass_csp=True, viewport=viewport, color_scheme=scheme, forced_colors=forced_colors)
    drawer = Drawer(context, url)
    if viewport == NARROW:
        drawer.button.click()
    drawer.write("username", "maruko")
    expect(drawer.tree.locator(".lit")).to_have_count(3)
    found = Axe().run(drawer.page)
    assert found.violations_count == 0, found.generate_report()


def test_a_page_without_the_attribute_loads_no_drawer(context, url):
    page = context.new_page()
    noise = noise_of(page)
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.route("**/login.html", lambda route: route.fulfill(response=(response := route.fetch()), body=response.text().replace("data-vm-wire", "data-other")))
    page.goto(url + "login.html")
    live(page)
    page.get_by_label("User name").fill("maruko")
    settled(page)
    assert not [each for each in asked if "drawer" in each or "surfaces" in each]
    assert noise == []
