# SPDX-License-Identifier: MIT
"""The login's whole story and the cookbook's scripts in Firefox, driven by WebDriver BiDi, which Firefox speaks without a driver."""

import itertools
import json
import os
import queue
import re
import shutil
import subprocess
import threading

import pytest
from conftest import LIMIT, until
from test_login import GOLDEN
from test_uploads import PIXEL
from websockets.sync.client import connect

LISTENING = re.compile(r"WebDriver BiDi listening on (ws://[^\s]+)")
CONTROL = "\ue009"
DELETE = "\ue017"


class Firefox:
    """A Firefox with a profile of its own, and one page in it."""

    def __init__(self, profile):
        binary = shutil.which("firefox-esr") or shutil.which("firefox")
        assert binary, "Firefox is needed: Debian's package is firefox-esr"
        command = [binary, "--headless", "--no-remote", "--profile", str(profile), "--remote-debugging-port", "0"]
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env={**os.environ, "HOME": str(profile)})
        self.numbers, self.noise = itertools.count(1), []
        self.address = self._address() + "/session"

    def begin(self, socket):
        self.socket = socket
        self.send("session.new", capabilities={})
        self.send("session.subscribe", events=["log.entryAdded"])
        self.page = self.send("browsingContext.getTree")["contexts"][0]["context"]

    def _address(self):
        lines = queue.Queue()
        threading.Thread(target=lambda: [lines.put(line) for line in self.process.stderr], daemon=True).start()
        while True:
            found = LISTENING.search(lines.get(timeout=LIMIT))
            if found:
                return found.group(1)

    def send(self, method, **params):
        number = next(self.numbers)
        self.socket.send(json.dumps({"id": number, "method": method, "params": params}))
        while True:
            answer = json.loads(self.socket.recv(timeout=LIMIT))
            if answer.get("method") == "log.entryAdded":
                self.noise.append(answer["params"]["text"])
            elif answer.get("id") == number:
                assert answer["type"] == "success", answer
                return answer["result"]

    def goto(self, url):
        self.send("browsingContext.navigate", context=self.page, url=url, wait="complete")

    def value(self, expression):
        result = self.send("script.evaluate", expression=expression, target={"context": self.page}, awaitPromise=True)
        assert result["type"] == "success", result
        return result["result"].get("value")

    def expect(self, expression, value):
        """Waits until the expression has that value, as a locator's claim does."""
        until(lambda: self.value(expression) == value, f"{expression} == {value!r}")

    def press(self, *keys):
        """Presses the keys together, and lets them go in the opposite order."""
        actions = [{"type": "keyDown", "value": key} for key in keys] + [{"type": "keyUp", "value": key} for key in reversed(keys)]
        self.perform(actions)

    def type(self, text):
        self.perform([{"type": kind, "value": letter} for letter in text for kind in ("keyDown", "keyUp")])

    def perform(self, actions):
        self.send("input.performActions", context=self.page, actions=[{"type": "key", "id": "keyboard", "actions": actions}])

    def choose(self, selector, *files):
        """Chooses files in an input, as a person does."""
        [node] = self.send("browsingContext.locateNodes", context=self.page, locator={"type": "css", "value": selector})["nodes"]
        self.send("input.setFiles", context=self.page, element={"sharedId": node["sharedId"]}, files=[str(each) for each in files])

    def stop(self):
        self.send("browser.close")
        self.process.wait(timeout=LIMIT)


@pytest.fixture
def firefox(tmp_path):
    # The login's document is in Chinese. What is fetched is kept here, without a question.
    kept = {"intl.accept_languages": "zh-CN", "browser.download.folderList": 2, "browser.download.dir": str(tmp_path / "kept")}
    (tmp_path / "user.js").write_text("\n".join(f"user_pref({json.dumps(name)}, {json.dumps(value)});" for name, value in kept.items()))
    firefox = Firefox(tmp_path)
    with connect(firefox.address, max_size=None) as socket:
        firefox.begin(socket)
        yield firefox
        firefox.stop()


def test_the_login_tells_its_story_in_firefox_too_and_leaves_the_console_empty(firefox, url):
    firefox.goto(url + "login.html")
    firefox.expect("document.documentElement.dataset.vm", "live")
    firefox.expect("document.querySelector('#message').textContent", "*用户名不能为空")
    for what, text, message, enabled in GOLDEN:
        if what == "tap":
            firefox.value("document.querySelector('form [type=submit]').click()")
        else:
            firefox.value(f"document.querySelector('#{what}').focus()")
            firefox.press(CONTROL, "a")
            if text:
                firefox.type(text)
            else:
                firefox.press(DELETE)
        firefox.expect("document.querySelector('#message').textContent", message)
        firefox.expect("document.querySelector('form [type=submit]').getAttribute('aria-disabled')", str(not enabled).lower())
    assert firefox.value("document.querySelector('#username').value") == "maruko"
    # A reload goes on with the session; the secret is not shown.
    firefox.goto(url + "login.html")
    firefox.expect("document.documentElement.dataset.vm", "live")
    firefox.expect("document.querySelector('#username').value", "maruko")
    assert firefox.value("document.querySelector('#password').value") == ""
    assert firefox.noise == []


def test_the_recipes_with_a_script_run_in_firefox_too_and_leave_the_console_empty(firefox, url):
    firefox.goto(url + "cookbook")
    firefox.expect("document.documentElement.dataset.vm", "live")
    firefox.expect("document.querySelector('local-number').textContent", "1,234.5")
    firefox.expect("document.querySelector('month-calendar [aria-pressed=true]').textContent", "23")
    firefox.expect("document.querySelectorAll('bar-chart rect').length", 4)
    firefox.value("document.querySelector('#modal .live button').click()")
    firefox.expect("document.querySelector('dialog').matches(':modal')", True)
    firefox.value("document.querySelector('dialog [type=submit]').click()")
    firefox.expect("document.querySelector('dialog').open", False)
    firefox.value("document.querySelector('#menu .live button').click()")
    firefox.expect("document.querySelector('[popover]').matches(':popover-open')", True)
    firefox.value("document.querySelector('[popover] button').click()")
    firefox.expect("document.querySelector('[popover]').matches(':popover-open')", False)
    firefox.expect("document.querySelector('#menu [role=status]').textContent", "Anchored.")
    firefox.value("document.querySelector('#leaving li button').click()")
    firefox.expect("document.querySelectorAll('#leaving li').length", 3)
    firefox.value("document.querySelector('[aria-keyshortcuts]').focus()")
    firefox.press("\ue00a", "n")
    firefox.expect("document.querySelector('#shortcut [role=status]').textContent", "New boat, with the keyboard.")
    assert firefox.noise == []


def test_files_are_sent_and_fetched_in_firefox_too_and_the_console_is_empty(firefox, url, tmp_path):
    for name, data in [("one.gif", PIXEL), ("zwei ü.gif", PIXEL + b"2"), ("notes.txt", b"text")]:
        (tmp_path / name).write_bytes(data)
    firefox.goto(url + "cookbook")
    firefox.expect("document.documentElement.dataset.vm", "live")
    names = "[...document.querySelectorAll('#upload .live li')].map((row) => row.querySelector('[data-vm-text=name]').textContent).sort().join()"
    firefox.choose("#upload .live input[type=file]", tmp_path / "one.gif", tmp_path / "zwei ü.gif")
    firefox.expect(names, "one.gif,zwei ü.gif")
    firefox.expect("[...document.querySelectorAll('#upload .live li progress')].every((each) => each.hidden)", True)
    firefox.expect("[...document.querySelectorAll('#upload .live li img')].every((each) => each.naturalWidth === 1)", True)
    # Two are sent at once, so either may come first.
    firefox.value("[...document.querySelectorAll('#upload .live li')].find((row) => row.textContent.includes('one.gif')).querySelector('button').click()")
    firefox.expect(names, "zwei ü.gif")
    firefox.value("[...document.querySelectorAll('#download .live button')][0].click()")
    until(lambda: (tmp_path / "kept" / "Chalkis.txt").exists(), "the file is kept")
    firefox.expect("document.querySelector('#download a[download]').textContent", "Chalkis.txt")
    assert (tmp_path / "kept" / "Chalkis.txt").read_text().startswith("Aurora, 12 m\n")
    # A refusal is the page's to say, and Firefox logs the status that it has.
    firefox.choose("#upload .live input[type=file]", tmp_path / "notes.txt")
    firefox.expect("document.querySelector('#upload .live input').dataset.vmRefused?.endsWith(\"got 'notes.txt'\")", True)
    firefox.expect("document.documentElement.dataset.vm", "live")
    assert [each for each in firefox.noise if "notes.txt" not in each] == []
