# SPDX-License-Identifier: MIT
"""A typed password is kept nowhere in the browser, and sent to the server alone."""

import os
import secrets

import pytest
from conftest import live, settled
from playwright.sync_api import expect

# The password that the referee looks for in everything that the server gave out. Every page takes its 12
# letters and digits.
CANARY = os.environ.get("EURIPUS_CANARY") or secrets.token_hex(6)
STORES = "JSON.stringify([{...localStorage}, {...sessionStorage}, document.cookie, location.href, document.title])"


@pytest.mark.parametrize("name, before", [("login", {}), ("signup", {"User name": "maruko"}), ("page", {"Account": "admin"})])
def test_a_password_is_kept_in_no_store_of_the_browser_and_no_text_of_the_page(context, url, name, before):
    page = context.new_page()
    heard = []
    page.on("console", lambda message: heard.append(message.text))
    page.on("request", lambda request: heard.append(request.url + str(request.headers)))
    page.goto(f"{url}{name}.html")
    live(page)
    for label, value in before.items():
        page.get_by_label(label).fill(value)
    password = page.get_by_label("Password")
    expect(password).to_be_enabled()
    # Waits for the request that has the password: letters that were typed before may still be on their way.
    with page.expect_response(lambda response: CANARY in (response.request.post_data or "") and response.ok):
        password.fill(CANARY)
        password.press("Tab")
    settled(page)
    expect(password).to_have_value(CANARY)
    kept = [page.evaluate(STORES), page.content(), str(context.cookies()), str(context.storage_state()), *heard]
    page.reload()
    live(page)
    kept += [page.evaluate(STORES), page.content(), *heard]
    assert not [text for text in kept if CANARY[:8] in text or CANARY[-8:] in text]
