# SPDX-License-Identifier: MIT
"""Fixtures: a server (the one at EURIPUS_URL, or one started from EURIPUS_BIN) and Debian's chromium.

A test waits for what the page says of itself (CLIENT.md, "CSS hooks"), and never for a time."""

import contextlib
import os
import re
import secrets
import sys
from pathlib import Path

import pytest
from playwright.sync_api import expect, sync_playwright

ROOT = Path(__file__).resolve().parents[2]
sys.path += [str(ROOT / "Tests" / name) for name in ("Referee", "Faults", "Transcript")]

import one_server  # noqa: E402
from one_server import pytest_collection_modifyitems  # noqa: E402, F401
from played import PAGE, Played  # noqa: E402
from processes import free_port, until  # noqa: E402, F401
from relay import relayed  # noqa: E402
from server import Server  # noqa: E402
from wire import Wire  # noqa: E402

PAGES = sorted(page.stem for page in (ROOT / "Public").glob("*.html"))
DEMOS = [name for name in PAGES if "data-vm-root" in (ROOT / "Public" / f"{name}.html").read_text()]

# In seconds. A wait that is longer than this hangs. It says nothing else.
LIMIT = 90

expect.set_options(timeout=LIMIT * 1000)


def pytest_configure(config):
    one_server.pytest_configure(config)
    config.addinivalue_line("markers", "story: a test of 'make test-stories', which needs Chromium and one server alone")


def live(page):
    """Waits until the page says that it is connected, and that each of its roots shows a state."""
    expect(page.locator("html")).to_have_attribute("data-vm", "live")
    expect(page.locator("[data-vm-root]:not([data-vm-ready])")).to_have_count(0)


def settled(page):
    """Waits until the page says that all its edits and actions are answered, and that none of its commands runs."""
    expect(page.locator("[data-vm-pending], [aria-busy=true]")).to_have_count(0)


def noise_of(page):
    """All that the page's console and network complain of, from now on, but for a poll that crossed the page's own
    signing in: the page sends it again (CLIENT.md, `credential-replaced`)."""
    noise = []

    def hear(text, url=""):
        if not ("401" in text and "/changes?" in url):
            noise.append(f"{text} {url}")

    page.on("console", lambda message: hear(message.text, message.location["url"]))
    page.on("pageerror", lambda error: hear(str(error)))
    page.on("response", lambda response: response.status >= 400 and hear(str(response.status), response.url))
    return noise


class Demo:
    """A page, once it is live, with all that its console and network complain of."""

    def __init__(self, context, url, page=None):
        self.page = page or context.new_page()
        self.noise = noise_of(self.page)
        self.page.goto(url)
        live(self.page)

    def state(self, name):
        """The state that the server has of the session of that view model."""
        return self.page.evaluate(
            "async name => (await (await fetch(sessionStorage[`euripus:${name}`], { cache: 'no-store' })).json()).state", name)


def visit(context, url, name):
    """A page of the server, which shows its state if it is a demo. The account's is that of a new user."""
    if name == "account":
        sign_in(context, url)
    page = context.new_page()
    page.goto(f"{url}{name}.html" if name in PAGES else f"{url}{name}")
    if name in DEMOS:
        live(page)
    return page


def duplicate(context, url, page):
    """A page of the server with the sessions of that page's tab, as in a tab that a person has duplicated."""
    other = context.new_page()
    kept = page.evaluate("JSON.stringify(sessionStorage)")
    other.goto(url)
    other.evaluate("kept => Object.entries(JSON.parse(kept)).forEach(([key, value]) => sessionStorage.setItem(key, value))", kept)
    return other


def count_frames(page):
    """Counts the frames that the page takes from now on, in its `<html data-frames>`."""
    page.evaluate("""() => {
        let count = 0;
        document.addEventListener("vm:frame", () => (document.documentElement.dataset.frames = ++count));
    }""")


class Line:
    """The line between a page and the network, which the browser slows down."""

    def __init__(self, page):
        self._session = page.context.new_cdp_session(page)
        self._session.send("Network.enable")

    def set(self, milliseconds):
        conditions = {"offline": False, "latency": milliseconds, "downloadThroughput": -1, "uploadThroughput": -1}
        self._session.send("Network.emulateNetworkConditions", conditions)


class Composition:
    """A text that is composed in the field of a page that has the focus."""

    def __init__(self, page):
        self._session = page.context.new_cdp_session(page)

    def set(self, text):
        self._session.send("Input.imeSetComposition", {"text": text, "selectionStart": len(text), "selectionEnd": len(text)})

    def end(self, text):
        self._session.send("Input.insertText", {"text": text})

    def press(self, key, code):
        """Presses a key as a keyboard says it. In a composition its code is 229."""
        text = {"text": "\r"} if code == 13 else {}
        for kind in ("keyDown" if text else "rawKeyDown", "keyUp"):
            self._session.send("Input.dispatchKeyEvent", {"type": kind, "key": key, "windowsVirtualKeyCode": code, **(text if kind == "keyDown" else {})})


class HeldRequests:
    """A page's requests that match a pattern: they wait until they are released, and later ones pass."""

    def __init__(self, page, pattern):
        self._routes = []
        self._is_released = False
        page.route(pattern, self._take)

    def _take(self, route):
        if self._is_released:
            route.continue_()
        else:
            self._routes.append(route)

    def release(self):
        self._is_released = True
        for route in self._routes:
            route.continue_()


def sign_in(context, url, name=None):
    """Signs the whole context in, as its login page would; by default under a new name. Answers the name."""
    name = name or secrets.token_hex(6)
    session = url.rstrip("/") + context.request.post(url + "sessions/login").json()["url"]
    for field, text in [("username", name), ("password", "123456")]:
        assert context.request.put(f"{session}/state/{field}", data=f'"{text}"', headers={"content-type": "application/json"}).ok
    assert context.request.post(f"{session}/actions/loginTouched").ok
    assert context.request.post(url + "sessions/account").status == 201
    return name


@pytest.fixture(scope="session")
def binary():
    """The server's binary, for tests that must stop and start one of their own."""
    path = os.environ.get("EURIPUS_BIN")
    if not path:
        pytest.skip("EURIPUS_BIN is not set: there is no server to stop and start")
    return str(Path(path).resolve())


@pytest.fixture(scope="session")
def url():
    given = os.environ.get("EURIPUS_URL")
    if given:
        yield given.rstrip("/") + "/"
        return
    path = os.environ.get("EURIPUS_BIN")
    assert path, "set EURIPUS_URL to a running server or EURIPUS_BIN to the binary"
    server = Server(str(Path(path).resolve()))
    with relayed(server.port) as port:
        yield f"http://127.0.0.1:{port}/"
    server.stop()


@pytest.fixture(scope="session")
def gatehouse(binary):
    """Tests/GatehouseApp, built beside the server: in that app a button signs the user in."""
    server = Server(str(Path(binary).parent / "GatehouseApp"), options=("--sessions-per-client", "4"), is_demos=False)
    yield server
    server.stop()


@pytest.fixture(scope="session")
def developing(binary):
    """A server in development."""
    server = Server(binary, options=("--dev",))
    yield server
    server.stop()


@pytest.fixture(scope="session")
def browser():
    with sync_playwright() as playwright:
        args = ["--no-sandbox"] if os.geteuid() == 0 else []
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", headless=True, args=args)
        yield browser
        browser.close()


@pytest.fixture
def open_context(browser):
    """Opens contexts, each like a browser of its own, which are closed at the test's end."""
    contexts = []

    def open_one(**options):
        contexts.append(browser.new_context(**{"viewport": {"width": 1180, "height": 760}, "reduced_motion": "reduce", **options}))
        contexts[-1].set_default_timeout(LIMIT * 1000)
        return contexts[-1]

    yield open_one
    for context in contexts:
        context.close()


@pytest.fixture
def context(open_context):
    return open_context()


@pytest.fixture
def other(open_context):
    """Another browser."""
    return open_context()


@pytest.fixture
def play(context):
    """Opens the markup of a root before a server that the test plays. Nothing may be complained of."""
    with contextlib.ExitStack() as stack:
        noises = []

        def opened(markup, *more):
            played, page = stack.enter_context(Played(PAGE % markup, *more)), context.new_page()
            noises.append(noise_of(page))
            page.goto(played.url)
            live(page)
            return played, page

        yield opened
        assert not any(noises), noises


@pytest.fixture
def wire(url):
    """A wire to the server, which a test cuts or silences."""
    wire = Wire(int(re.search(r":(\d+)/", url)[1]))
    yield wire
    wire.close()


def cut(wire, page):
    wire.cut()
    expect(page.locator("html")).to_have_attribute("data-vm", "retrying")
