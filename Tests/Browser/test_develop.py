# SPDX-License-Identifier: MIT
"""The console of a page whose server runs in development."""

import pytest


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
def test_the_demos_have_no_mistake(context, developing, name):
    assert Developed(context, developing.url + name).said == []


def test_mistakes_are_in_the_console(context, developing):
    body = """<p data-vm-text="x"></p><main data-vm-root="recordings" data-vm-at="/recordings"><span data-vm-bind="problem"></span>
      <button data-vm-do="navigation/bak" data-vm-on="clik">Back</button>
      <template data-vm-each="navigation/pages"><b data-vm-kind="foldr"></b></template><template data-vm-each="navigation/path"><i></i></template></main>"""
    said = [text.removeprefix("Euripus: ").split(":")[0] for text in Developed(context, developing.url + "wrong", body).said]
    assert said == ['data-vm-text="x"', 'data-vm-at="/recordings"', 'data-vm-bind="problem"', 'data-vm-do="navigation/bak"', 'data-vm-on="clik"',
                    'data-vm-kind="foldr"', 'data-vm-each="navigation/path"']
