# SPDX-License-Identifier: MIT
"""The console of a page whose server runs in development."""

import pytest
from conftest import Server
from playwright.sync_api import expect


@pytest.fixture(scope="module")
def server(binary):
    server = Server(binary, options=["--dev"])
    yield server
    server.stop()


class Developed:
    """A page and its console, once the client has checked the page."""

    def __init__(self, context, url, body=None):
        self.said = []
        self.page = context.new_page()
        self.page.on("console", lambda message: self.said.append(message.text))
        self.page.on("pageerror", lambda error: self.said.append(str(error)))
        if body:
            html = f'<!doctype html><html lang="en"><title>Wrong</title><link rel="icon" href="data:,"><script type="module" src="/euripus.js"></script>{body}'
            self.page.route(url, lambda route: route.fulfill(content_type="text/html", body=html))
        with self.page.expect_response("**/openapi.json") as description:
            self.page.goto(url)
        description.value.finished()
        expect(self.page.locator("[data-vm-ready]")).to_have_count(1)
        # After a whole round trip the page has read the description.
        self.page.evaluate("async () => void (await (await fetch('/models')).text())")


@pytest.mark.parametrize("name", ["follow", "login.html", "page.html", "profile.html", "recordings", "reference", "signup.html"])
def test_the_demos_have_no_mistake(context, server, name):
    assert Developed(context, server.url + name).said == []


def test_mistakes_are_in_the_console(context, server):
    body = """<p data-vm-text="x"></p><main data-vm-root="recordings" data-vm-at="/recordings"><span data-vm-bind="problem"></span>
      <button data-vm-do="navigation/bak" data-vm-on="clik">Back</button>
      <template data-vm-each="navigation/pages"><b data-vm-kind="foldr"></b></template><template data-vm-each="navigation/path"><i></i></template></main>"""
    said = [text.removeprefix("Euripus: ").split(":")[0] for text in Developed(context, server.url + "wrong", body).said]
    assert said == ['data-vm-text="x"', 'data-vm-at="/recordings"', 'data-vm-bind="problem"', 'data-vm-do="navigation/bak"', 'data-vm-on="clik"',
                    'data-vm-kind="foldr"', 'data-vm-each="navigation/path"']


def test_a_refused_press_names_its_button(context, server):
    body = '<main data-vm-root="recordings"><button data-vm-do="navigation/bak">Back</button></main>'
    developed = Developed(context, server.url + "refused", body)
    developed.said.clear()
    developed.page.get_by_role("button").click()
    expect(developed.page.locator("[data-vm-refused]")).to_have_count(1)
    said = [text for text in developed.said if text.startswith("Euripus")]
    assert len(said) == 1
    assert said[0].startswith('Euripus: data-vm-do="navigation/bak": refused (422): Nothing was applied\n  no action \'navigation/bak\'')
