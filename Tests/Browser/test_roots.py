# SPDX-License-Identifier: MIT
"""Two roots on one page, in a browser that the server does not know yet."""

from playwright.sync_api import expect

ROOT = '<section data-vm-root="login"><input data-vm-bind="username"><p role="status" data-vm-status data-expired="lost"></p></section>'
PAGE = f'<!doctype html><html lang="en"><title>Two</title><script type="module" src="/euripus.js"></script>{ROOT}{ROOT}'


def test_two_roots_each_open_one_session_and_have_it_again_after_a_reload(context, url):
    page = context.new_page()
    page.route(url + "two", lambda route: route.fulfill(content_type="text/html", body=PAGE))
    openings = []
    page.on("request", lambda request: openings.append(request.url) if request.method == "POST" and request.url.endswith("/sessions/login") else None)
    page.goto(url + "two")
    inputs = page.locator("input")
    expect(page.locator("[data-vm-ready]")).to_have_count(2)
    for at, word in enumerate(["one", "two"]):
        inputs.nth(at).fill(word)
    expect(page.locator("[data-vm-pending]")).to_have_count(0)
    assert len(openings) == 2
    page.reload()
    expect(page.locator("[data-vm-ready]")).to_have_count(2)
    for at, word in enumerate(["one", "two"]):
        expect(inputs.nth(at)).to_have_value(word)
    assert len(openings) == 2
