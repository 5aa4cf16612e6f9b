# SPDX-License-Identifier: MIT
"""Each recipe of the cookbook does in Chromium what its text says."""

import re

import pytest
from conftest import Demo, HeldRequests, live, settled, visit
from playwright.sync_api import expect

BOATS = ["Aurora", "Borea", "Cormorant", "Dolphin"]


@pytest.fixture
def page(context, url):
    demo = Demo(context, url + "cookbook.html")
    yield demo.page
    assert demo.noise == []


def recipe(page, name):
    """The live part of a recipe, by the `id` of its article."""
    return page.locator(f"#{name} > .live")


def names(page, name):
    return recipe(page, name).locator("li > span:first-child")


def test_each_recipe_shows_its_own_markup_in_about_ten_lines(page):
    for article in page.locator("article:has(> .live)").all():
        markup = article.locator("[data-of=live] code").text_content()
        assert 1 <= len(markup.split("\n")) <= 14, article.get_attribute("id")
        for start in re.findall(r"<[\w-]+", markup):
            assert article.locator(f".live {start[1:]}, .live template").count(), start


def test_a_modal_is_open_while_the_state_says_so_and_names_the_harbour(page):
    dialog = page.get_by_role("dialog", name="Rename the harbour")
    recipe(page, "modal").get_by_role("button", name="Rename it").click()
    expect(dialog).to_be_visible()
    assert dialog.evaluate("dialog => dialog.matches(':modal')")
    box, height = dialog.bounding_box(), page.viewport_size["height"]
    assert abs(box["y"] + box["height"] / 2 - height / 2) < 1, "it stands in the middle of the window"
    dialog.get_by_label("Name").fill("Eretria")
    dialog.get_by_role("button", name="Done").click()
    expect(dialog).to_be_hidden()
    expect(recipe(page, "modal").locator("p")).to_have_text("Harbour: Eretria")


def test_escape_closes_the_modal_by_the_state_and_gives_the_focus_back(page):
    button = recipe(page, "modal").get_by_role("button", name="Rename it")
    button.click()
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_be_hidden()
    expect(button).to_be_focused()
    button.click()
    expect(page.get_by_role("dialog"), "it opens again, as the state had closed it").to_be_visible()


def test_a_second_escape_leaves_a_modal_open_while_the_state_says_so(page):
    recipe(page, "modal").get_by_role("button", name="Rename it").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Name").click()
    held = HeldRequests(page, "**/actions/stopRenaming*")
    dialog.evaluate("dialog => dialog.addEventListener('close', () => (dialog.dataset.reopened = dialog.open))")
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    expect(dialog, "the browser closed it, and the script opened it again").to_have_attribute("data-reopened", "true")
    expect(dialog).to_be_visible()
    held.release()
    expect(dialog).to_be_hidden()


def test_escape_keeps_the_name_that_was_typed_in_the_modal(page):
    recipe(page, "modal").get_by_role("button", name="Rename it").click()
    page.get_by_role("dialog").get_by_label("Name").fill("Eretria")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_be_hidden()
    expect(recipe(page, "modal").locator("p")).to_have_text("Harbour: Eretria")


def test_without_a_connection_a_modal_stays_open_and_says_why(context, url):
    page = visit(context, url, "cookbook")
    recipe(page, "modal").get_by_role("button", name="Rename it").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Name").fill("Eretria")
    settled(page)
    context.set_offline(True)
    expect(page.locator("html")).to_have_attribute("data-vm", "offline")
    page.keyboard.press("Escape")
    expect(dialog).to_have_attribute("data-vm-refused", re.compile("offline"))
    expect(dialog, "the words below its edge are not cut off").to_have_css("overflow", "visible")
    expect(dialog).to_be_in_viewport(ratio=1)
    context.set_offline(False)
    live(page)
    dialog.get_by_role("button", name="Done").click()
    expect(dialog).to_be_hidden()


@pytest.mark.parametrize("answer, words", [("accept", "Everything sank."), ("dismiss", "")])
def test_a_question_lets_the_action_pass_after_a_yes_alone(page, answer, words):
    asked = []
    page.on("dialog", lambda dialog: (asked.append(dialog.message), getattr(dialog, answer)()))
    recipe(page, "confirm").get_by_role("button").click()
    settled(page)
    expect(recipe(page, "confirm").get_by_role("status")).to_have_text(words)
    assert asked == ["Sink all boats?"]


def test_a_toast_comes_and_goes_by_itself(page):
    toast = recipe(page, "toast").get_by_role("status")
    recipe(page, "toast").get_by_role("button", name="Save").click()
    expect(toast).to_have_text("Saved.")
    expect(toast).to_have_text("")


def test_a_menu_closes_once_one_of_its_actions_is_taken(page):
    menu = recipe(page, "menu")
    menu.get_by_role("button", name="More…").click()
    menu.get_by_role("button", name="Moor", exact=True).click()
    expect(menu.locator("[popover]")).to_be_hidden()
    expect(menu.get_by_role("status")).to_have_text("Moored.")


def test_a_menu_stands_below_its_button(page):
    menu = recipe(page, "menu")
    button = menu.get_by_role("button", name="More…")
    button.click()
    above, below = button.bounding_box(), menu.locator("[popover]").bounding_box()
    assert below["x"] == above["x"] and 0 <= below["y"] - above["y"] - above["height"] < 16


@pytest.mark.parametrize("key, words", [
    ("Alt+KeyN", "New boat, with the keyboard."), ("Control+KeyS", "Saved, with the keyboard."), ("Meta+KeyS", "Saved, with the keyboard.")])
def test_a_key_presses_the_button_that_names_it(page, key, words):
    page.keyboard.press(key)
    expect(recipe(page, "shortcut").get_by_role("status")).to_have_text(words)


def test_a_key_with_another_modifier_presses_no_button(page):
    sent = []
    page.on("request", lambda request: "/actions/" in request.url and sent.append(request.post_data_json))
    for key in ("KeyS", "Shift+KeyS", "Control+Alt+KeyS", "Alt+KeyN"):
        page.keyboard.press(key)
    settled(page)
    assert sent == ["New boat, with the keyboard."]


@pytest.mark.parametrize("key, code, modifier, words", [
    ("s", "Semicolon", "ctrlKey", "Saved, with the keyboard."), ("ы", "KeyS", "ctrlKey", "Saved, with the keyboard."), ("˜", "KeyN", "altKey", "New boat, with the keyboard.")],
    ids=["on Dvorak by its letter", "on a Russian keyboard by its place", "with Alt on a Mac by its place"])
def test_a_key_of_another_keyboard_presses_the_button_that_names_it(page, key, code, modifier, words):
    page.evaluate("([key, code, modifier]) => document.dispatchEvent(new KeyboardEvent('keydown', { key, code, [modifier]: true }))", [key, code, modifier])
    expect(recipe(page, "shortcut").get_by_role("status")).to_have_text(words)


def test_a_field_is_sent_once_the_person_has_paused(page):
    field = recipe(page, "debounce").get_by_label("Boats that begin with")
    sent = []
    page.on("request", lambda request: request.method == "PUT" and sent.append(request.post_data))
    # From here on the page's timers run only when the test says so.
    page.clock.install()
    field.press_sequentially("bor")
    assert sent == []
    page.clock.run_for(300)
    expect(recipe(page, "debounce").get_by_role("status")).to_have_text("1 found")
    assert sent == ['"bor"']


def test_a_widget_and_a_field_are_bound_to_the_same_day(page):
    calendar, field = page.get_by_role("group", name="Day of departure"), recipe(page, "date-picker").get_by_label("The same day")
    chosen = calendar.locator("[aria-pressed=true]")
    expect(chosen).to_have_text("23")
    calendar.get_by_role("button", name="24", exact=True).click()
    expect(field).to_have_value("2026-11-24")
    field.fill("2027-02-03")
    expect(chosen).to_have_text("3")
    expect(calendar.locator("p")).to_have_text("February 2027")


def test_a_widget_is_used_with_the_keys(page):
    calendar = page.get_by_role("group", name="Day of departure")
    calendar.locator("[aria-pressed=true]").focus()
    for key in ("ArrowDown", "ArrowRight"):
        page.keyboard.press(key)
    expect(recipe(page, "date-picker").get_by_label("The same day")).to_have_value("2026-12-01")
    expect(calendar.locator("[aria-pressed=true]")).to_be_focused()


@pytest.mark.parametrize("modifier", ["Alt", "Control", "Meta"])
def test_a_widget_leaves_an_arrow_with_a_modifier_to_the_browser(page, modifier):
    calendar = page.locator("month-calendar")
    calendar.locator("[aria-pressed=true]").focus()
    calendar.evaluate("calendar => calendar.addEventListener('keydown', (event) => (calendar.dataset.taken = event.defaultPrevented))")
    page.keyboard.down(modifier)
    page.keyboard.press("ArrowDown")
    page.keyboard.up(modifier)
    assert calendar.evaluate("calendar => [calendar.value, calendar.dataset.taken]") == ["2026-11-23", "false"]


def test_a_widget_that_was_moved_says_a_choice_once(page):
    calendar = page.locator("month-calendar")
    said = calendar.evaluate("""calendar => {
        let count = 0;
        calendar.addEventListener("input", () => (count += 1));
        calendar.parentElement.append(calendar);
        calendar.querySelector("[data-day$='-24']").click();
        return count;
    }""")
    assert said == 1


def test_a_form_has_the_value_of_a_widget_under_its_name(page):
    value = page.locator("month-calendar").evaluate("""calendar => {
        calendar.setAttribute("name", "day");
        const form = document.createElement("form");
        calendar.before(form);
        form.append(calendar);
        return new FormData(form).get("day");
    }""")
    assert value == "2026-11-23"


def test_a_widget_takes_a_value_that_was_set_before_its_class_was_there(context, url):
    page = context.new_page()
    page.route("**/early", lambda route: route.fulfill(content_type="text/html", body="<!doctype html><title>Early</title><month-calendar name='day'></month-calendar>"))
    page.goto(url + "early")
    page.locator("month-calendar").evaluate("calendar => (calendar.value = '2026-11-24')")
    page.add_script_tag(url="/calendar.js", type="module")
    expect(page.locator("month-calendar [aria-pressed=true]")).to_have_text("24")


def test_a_widget_shows_the_kept_state_after_a_reload(page):
    page.get_by_role("group", name="Day of departure").get_by_role("button", name="24", exact=True).click()
    settled(page)
    held = HeldRequests(page, "**/sessions/**")
    page.reload()
    expect(page.locator("month-calendar [aria-pressed=true]")).to_have_text("24")
    expect(page.locator("bar-chart rect")).to_have_count(4)
    held.release()
    settled(page)


def test_a_row_that_was_added_gets_the_focus(page):
    page.get_by_label("A new boat").fill("Egret")
    page.keyboard.press("Enter")
    expect(page.get_by_label("Name of the boat").last).to_be_focused()
    expect(page.get_by_label("Name of the boat").last).to_have_value("Egret")


def test_a_press_on_a_columns_head_sorts_by_it_and_says_so(page):
    table = recipe(page, "sort")
    head, cells = table.get_by_role("columnheader", name="Length"), table.locator("tbody td:last-child")
    for direction, lengths in [("ascending", ["8", "12", "24", "31"]), ("descending", ["31", "24", "12", "8"])]:
        head.get_by_role("button").click()
        expect(cells).to_have_text(lengths)
        expect(head).to_have_attribute("aria-sort", direction)


def test_a_row_that_is_dropped_on_another_one_takes_its_place(page):
    rows = recipe(page, "drag").get_by_role("listitem")
    rows.filter(has_text="Aurora").drag_to(rows.filter(has_text="Cormorant"))
    expect(names(page, "drag")).to_have_text(["Borea", "Cormorant", "Aurora", "Dolphin"])


def test_a_drop_of_something_else_moves_no_row(page):
    part = recipe(page, "drag")
    sent = []
    page.on("request", lambda request: "/actions/" in request.url and sent.append(request.post_data_json))
    rows = part.get_by_role("listitem")
    rows.filter(has_text="Aurora").drag_to(part.page.locator("#drag h3"))
    rows.filter(has_text="Cormorant").dispatch_event("drop")
    rows.filter(has_text="Dolphin").get_by_role("button", name="Up").click()
    expect(names(page, "drag")).to_have_text(["Aurora", "Borea", "Dolphin", "Cormorant"])
    assert len(sent) == 1


def test_a_row_is_moved_with_the_keyboard_and_keeps_the_focus(page):
    button = recipe(page, "drag").get_by_role("listitem").filter(has_text="Dolphin").get_by_role("button", name="Up")
    button.focus()
    page.keyboard.press("Enter")
    expect(names(page, "drag")).to_have_text(["Aurora", "Borea", "Dolphin", "Cormorant"])
    expect(button).to_be_focused()


def test_an_infinite_list_brings_the_rows_that_are_scrolled_to(page):
    box = recipe(page, "infinite-list").get_by_role("group", name="Departures")
    expect(box.get_by_text("departure 501", exact=True)).to_have_count(0)
    box.evaluate("box => (box.scrollTop = 500 * 32)")
    expect(box.get_by_text("departure 501", exact=True)).to_be_visible()


def test_a_row_that_leaves_stays_until_its_animation_has_ended(open_context, url):
    page = Demo(open_context(reduced_motion="no-preference"), url + "cookbook.html").page
    page.emulate_media(reduced_motion="no-preference")
    row = recipe(page, "leaving").locator("li").filter(has_text="Borea")
    # The animation stands still, so that it can be looked at.
    animations = page.context.new_cdp_session(page)
    animations.send("Animation.enable")
    animations.send("Animation.setPlaybackRate", {"playbackRate": 0})
    row.get_by_role("button", name="Leave").click()
    expect(recipe(page, "leaving").locator("li.leaving")).to_have_text(re.compile("Borea"))
    expect(recipe(page, "leaving").locator("li:not([inert])"), "what leaves cannot be used").to_have_count(3)
    animations.send("Animation.setPlaybackRate", {"playbackRate": 1})
    expect(recipe(page, "leaving").locator("li")).to_have_count(3)


def test_rows_that_leave_together_leave_none_behind(page):
    for _ in range(2):
        recipe(page, "leaving").get_by_role("button", name="Reset the boats").click()
        settled(page)
    expect(recipe(page, "leaving").locator("li")).to_have_count(4)
    expect(names(page, "leaving")).to_have_text(BOATS)


def test_a_name_that_is_written_in_one_view_is_in_the_other(page):
    views = recipe(page, "two-views").locator("ul")
    views.first.get_by_label("Name").nth(1).fill("Bora")
    expect(views.last.get_by_role("listitem").nth(1)).to_have_text("Bora, 31 m")


def test_a_skeleton_is_shown_while_a_command_runs(page):
    part = recipe(page, "loading")
    part.get_by_role("button").click()
    expect(part.locator(".skeleton")).to_be_visible()
    expect(part.get_by_role("button")).to_have_attribute("aria-busy", "true")
    expect(part.get_by_role("status")).to_have_text(re.compile("Boats in the harbour: 4."))
    expect(part.locator(".skeleton")).to_be_hidden()


def test_a_redirect_opens_the_other_page_once(page):
    recipe(page, "redirect").get_by_role("button").click()
    page.wait_for_url("**/reference.html")
    page.go_back()
    expect(page.locator("html")).to_have_attribute("data-vm", "live")
    settled(page)
    assert page.url.endswith("/cookbook.html")


def test_tabs_are_changed_with_the_keys(page):
    tabs = recipe(page, "tabs")
    expect(tabs.locator("p:visible")).to_have_text("The boats lie in the harbour.")
    tabs.get_by_label("Boats").focus()
    page.keyboard.press("ArrowDown")
    expect(tabs.locator("p:visible")).to_have_text("A crossing costs less than a boat.")


def test_a_chart_follows_the_list(page):
    bars = page.locator("bar-chart rect")
    expect(bars).to_have_count(4)
    recipe(page, "leaving").get_by_role("button", name="Leave").first.click()
    expect(bars).to_have_count(3)


@pytest.mark.parametrize("locale, price, time", [
    ("de-DE", "1.234,5", "23. November 2026 um 15:30"), ("en-GB", "1,234.5", "23 November 2026 at 15:30"), ("ja-JP", "1,234.5", "2026年11月23日 15:30")])
def test_numbers_and_times_are_in_the_readers_language_and_time_zone(open_context, url, locale, price, time):
    page = Demo(open_context(locale=locale, timezone_id="Europe/Vienna"), url + "cookbook.html").page
    expect(page.locator("local-number")).to_have_text(price)
    expect(page.locator("local-time")).to_have_text(time)


@pytest.mark.parametrize("element", ["local-number", "local-time"])
def test_a_value_that_is_null_is_an_empty_text_in_every_format(page, element):
    # The page takes the attribute off for null.
    page.locator(element).evaluate("element => element.removeAttribute('value')")
    expect(page.locator(element)).to_have_text("")


def test_a_line_is_on_paper_alone_and_the_button_prints(page):
    line = recipe(page, "print").get_by_text("This line is only on paper.")
    expect(line).to_be_hidden()
    page.evaluate("() => (window.print = () => (document.documentElement.dataset.printed = ''))")
    recipe(page, "print").get_by_role("button").click()
    expect(page.locator("html")).to_have_attribute("data-printed", "")
    page.emulate_media(media="print")
    expect(line).to_be_visible()
    expect(recipe(page, "print").get_by_role("button")).to_be_hidden()


def test_colours_follow_the_device_until_a_person_chooses(page):
    paper = recipe(page, "dark-mode").locator(".paper")
    page.emulate_media(color_scheme="dark")
    expect(paper).to_have_css("color", "rgb(255, 255, 255)")
    recipe(page, "dark-mode").get_by_label("light", exact=True).check()
    expect(paper).to_have_css("color", "rgb(0, 0, 0)")
    page.emulate_media(color_scheme="light")
    recipe(page, "dark-mode").get_by_label("dark", exact=True).check()
    expect(paper).to_have_css("color", "rgb(255, 255, 255)")


def test_one_of_two_parts_is_shown(page):
    expect(recipe(page, "else").locator("p:visible")).to_have_text("There is room for another boat.")
    field = page.get_by_label("A new boat")
    for boat in range(5, 21):
        field.fill(f"boat {boat}")
        field.press("Enter")
        expect(page.get_by_label("Name of the boat")).to_have_count(boat)
    expect(recipe(page, "else").locator("p:visible")).to_have_text("The harbour is full.")


def test_an_element_and_the_one_around_it_listen_for_a_key_each(page):
    part = recipe(page, "two-actions")
    for key in ("Enter", "Escape"):
        part.get_by_label("Press Enter or Escape").press(key)
        expect(part.get_by_role("status")).to_have_text(f"{key} was pressed.")


def test_a_label_finds_the_field_of_its_row_by_the_rows_key(page):
    expect(recipe(page, "id").get_by_label("8 m")).to_have_value("Cormorant")


def test_a_link_leads_to_its_recipe_and_the_first_state_does_not_push_it_away(context, url):
    page = context.new_page()
    held = HeldRequests(page, "**/sessions/**")
    page.goto(url + "cookbook#dark-mode")
    heading = page.get_by_role("heading", name="Dark mode")
    expect(heading).to_be_in_viewport()
    held.release()
    live(page)
    expect(recipe(page, "drag").get_by_role("listitem")).to_have_count(4)
    expect(heading).to_be_in_viewport()


@pytest.mark.parametrize("word, name", [
    ("dialog", "modal"), ("spinner", "loading"), ("hotkey", "shortcut"), ("snackbar", "toast"), ("dropdown", "menu"), ("sortable", "drag"),
    ("currency", "formats"), ("theme", "dark-mode"), ("transition", "leaving"), ("pagination", "infinite-list"), ("upload", "upload"), ("export", "download")])
def test_a_recipe_is_found_by_another_word_for_it(page, word, name):
    page.get_by_label("Find").fill(word)
    expect(page.locator("article:visible").first).to_be_visible()
    assert name in page.locator("article:visible").evaluate_all("all => all.map(({ id }) => id)")
    expect(page.locator("article:visible")).not_to_have_count(page.locator("article").count())


def test_a_button_says_copied_until_another_one_does(open_context, url):
    page = Demo(open_context(permissions=["clipboard-read", "clipboard-write"]), url + "cookbook.html").page
    first, second = page.locator(".code > .copy").nth(0), page.locator(".code > .copy").nth(1)
    # In Safari a button that is clicked gets no focus, so it loses none either.
    page.evaluate("document.addEventListener('mousedown', (event) => event.preventDefault())")
    first.click()
    expect(first).to_have_text("Copied")
    second.click()
    expect(second).to_have_text("Copied")
    expect(first).to_have_text("Copy")
