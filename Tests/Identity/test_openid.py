# SPDX-License-Identifier: MIT
"""Signing in through an OpenID provider, by nginx's auth_request. The proxy checks each request, and names the user to
the server. Both have the lines of the guide of users."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
import requests
from oidc_provider_mock import User, run_server_in_thread
from playwright.sync_api import expect

from relying import RelyingParty

ROOT = Path(__file__).resolve().parents[2]
sys.path += [str(ROOT / "Tests" / "Browser"), str(ROOT / "Tests" / "OutsidePackage")]
from conftest import LIMIT, Server, browser, context, free_port, open_context, until  # noqa: E402, F401
from guide import block, words  # noqa: E402

USERS = (User(sub="anna-7", claims={"name": "Anna"}), User(sub="bert-8", claims={"name": "Bert"}))


@pytest.fixture(scope="module")
def relying():
    with run_server_in_thread(user_claims=USERS) as provider:
        party = RelyingParty(f"http://localhost:{provider.server_port}")
        yield party
        party.stop()


@pytest.fixture(scope="module")
def server():
    _, _, *options = words(block("Users", "sh", "board serve"))
    server = Server(os.environ["EURIPUS_BIN"], options=options)
    yield server
    server.stop()


@pytest.fixture(scope="module")
def url(tmp_path_factory, relying, server):
    directory, port = tmp_path_factory.mktemp("nginx"), free_port()
    text = (Path(__file__).parent / "nginx.conf").read_text()
    for name, value in {"DIRECTORY": directory, "PORT": port, "RELYING": relying.port, "SERVER": server.port}.items():
        text = text.replace(f"@{name}@", str(value))
    (directory / "nginx.conf").write_text(text)
    (directory / "guide.conf").write_text(block("Users", "nginx", "auth_request"))
    nginx = subprocess.Popen([os.environ["NGINX"], "-p", str(directory), "-c", str(directory / "nginx.conf")])
    address = f"http://127.0.0.1:{port}"

    def is_listening():
        assert nginx.poll() is None, (directory / "error.log").read_text()
        try:
            return requests.get(f"{address}/healthz", timeout=LIMIT).ok
        except requests.ConnectionError:
            return False

    until(is_listening)
    yield address
    nginx.terminate()
    nginx.wait(timeout=LIMIT)


@pytest.fixture
def page(context):
    return context.new_page()


def sign_in(page, url, subject):
    page.goto(f"{url}/oauth2/login")
    page.get_by_role("button", name=subject).click()
    page.wait_for_url(f"{url}/account")


def test_a_person_signs_in_at_the_provider_sees_the_name_and_signs_out(page, url):
    page.goto(f"{url}/account")
    expect(page.locator("[data-vm-status]")).to_contain_text("You are not logged in")
    sign_in(page, url, "anna-7")
    expect(page.locator("[data-vm-text=name]")).to_have_text("Anna")
    page.get_by_label("Private note").fill("only mine")
    expect(page.get_by_text("Not saved yet.")).to_be_visible()
    # The person signs out at the relying party, so the page's next poll has no user.
    page.evaluate("fetch('/oauth2/logout', {method: 'POST'})")
    page.get_by_label("Private note").fill("whose?")
    expect(page.locator("[data-vm-status]")).to_contain_text("logged out")


def test_another_person_in_the_same_browser_sees_nothing_of_the_first(page, url):
    sign_in(page, url, "anna-7")
    expect(page.locator("[data-vm-text=name]")).to_have_text("Anna")
    page.get_by_label("Private note").fill("Anna's secret")
    page.evaluate("fetch('/oauth2/logout', {method: 'POST'})")
    sign_in(page, url, "bert-8")
    expect(page.locator("[data-vm-text=name]")).to_have_text("Bert")
    expect(page.get_by_label("Private note")).to_have_value("")
    assert "Anna" not in page.content()


@pytest.mark.parametrize("name", ["X-Forwarded-User", "x-forwarded-user", "X-Forwarded-Groups"])
def test_a_clients_own_word_about_itself_is_removed_by_the_proxy(url, name):
    answer = requests.post(f"{url}/sessions/account", headers={name: "anna-7"}, timeout=LIMIT)
    assert (answer.status_code, answer.json()["type"]) == (401, "/problems/sign-in-needed")


def test_a_field_that_comes_past_the_proxy_under_a_name_like_its_own_is_refused(url):
    # nginx by itself drops a field whose name has underscores. The server would refuse it.
    answer = requests.post(f"{url}/sessions/account", headers={"X_Forwarded_User": "anna-7"}, timeout=LIMIT)
    assert answer.status_code == 401


def test_the_server_itself_believes_nobody_twice(server):
    direct = f"http://127.0.0.1:{server.port}"
    for headers, status in [({"X-Forwarded-User": "anna-7"}, 201), ({"X_Forwarded_User": "anna-7"}, 400)]:
        answer = requests.post(f"{direct}/sessions/account", headers=headers, timeout=LIMIT)
        assert answer.status_code == status, answer.text
