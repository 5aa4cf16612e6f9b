# SPDX-License-Identifier: MIT
"""The console of a page whose server runs in development."""

import pytest
from conftest import Server


@pytest.fixture(scope="module")
def server(binary):
    server = Server(binary, options=["--dev"])
    yield server
    server.stop()


# A mistake at the end of each root. Once the console has it, it has all others.
LAST = '<i data-vm-text="last"></i>'


class Developed:
    """A page and its console, once the client has checked the page."""

    def __init__(self, context, url, body=None):
        self.said = []
        self.page = context.new_page()
        self.page.on("pageerror", lambda error: self.said.append(str(error)))
        html = f'<!doctype html><html lang="en"><title>Wrong</title><link rel="icon" href="data:,"><script type="module" src="/euripus.js"></script>{body}'

        def answer(route):
            text = html if body else route.fetch().text()
            route.fulfill(content_type="text/html", body=text.replace("</main>", LAST + "</main>"))

        self.page.route(url, answer)
        with self.page.expect_console_message(self._hear):
            self.page.goto(url)

    def _hear(self, message):
        if 'data-vm-text="last"' in message.text:
            return True
        self.said.append(message.text)
        return False


@pytest.mark.parametrize("name", ["cookbook", "follow", "login.html", "page.html", "profile.html", "recordings", "reference", "signup.html"])
def test_the_demos_have_no_mistake(context, server, name):
    assert Developed(context, server.url + name).said == []


def test_mistakes_are_in_the_console(context, server):
    body = """<p data-vm-text="x"></p><main data-vm-root="recordings" data-vm-at="/recordings"><span data-vm-bind="problem"></span>
      <button data-vm-do="navigation/bak" data-vm-on="clik">Back</button>
      <template data-vm-each="navigation/pages"><b data-vm-kind="foldr"></b></template><template data-vm-each="navigation/path"><i></i></template></main>"""
    said = [text.removeprefix("Euripus: ").split(":")[0] for text in Developed(context, server.url + "wrong", body).said]
    assert said == ['data-vm-text="x"', 'data-vm-at="/recordings"', 'data-vm-bind="problem"', 'data-vm-do="navigation/bak"', 'data-vm-on="clik"',
                    'data-vm-kind="foldr"', 'data-vm-each="navigation/path"']


def test_the_console_names_the_nearest_value_the_names_of_a_rows_kind_alone_and_inputs_that_cannot_be_bound(context, server):
    body = """<main data-vm-root="page"><template data-vm-each="modules">
      <p data-vm-kind="text" data-vm-text="account"></p><p data-vm-kind="fields" data-vm-text="acount"></p></template>
      <button data-vm-do="rotated" data-vm-arg="upright">Turn</button><select multiple data-vm-bind="toast"></select><input type="file" data-vm-bind="toast"></main>"""
    said = [text.removeprefix("Euripus: ") for text in Developed(context, server.url + "wrong", body).said]
    # Before the first answer the page does not know that it is in development, and warns once as in production.
    said = [text for text in said if not text.startswith("page: ")]
    starts = ["data-vm-text=\"account\": there is no value 'account' on page/modules/items/*; expected one of: ",
              "data-vm-text=\"acount\": there is no value 'acount' on page/modules/items/*; the nearest is 'account'; expected one of: ",
              "data-vm-arg=\"upright\": there is no value 'upright' on page; ",
              'data-vm-bind="toast": stands on <select multiple>, which cannot be bound yet',
              'data-vm-bind="toast": stands on <input type="file">, which cannot be bound yet']
    assert [text[: len(start)] for text, start in zip(said, starts, strict=True)] == starts
    assert "; for the text itself: =upright" in said[2]
