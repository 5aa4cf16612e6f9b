# SPDX-License-Identifier: MIT
"""Fixtures: a server (the one at EURIPUS_URL, or one started from EURIPUS_BIN) and Debian's chromium."""

import os
import queue
import re
import secrets
import signal
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

import pytest
from playwright.sync_api import expect, sync_playwright

ROOT = Path(__file__).resolve().parents[2]
sys.path += [str(ROOT / "Tests" / "Referee"), str(ROOT / "Tests" / "Nodes")]

from one_server import pytest_collection_modifyitems, pytest_configure  # noqa: E402, F401
from relay import relayed  # noqa: E402

SERVING = re.compile(r"Euripus is serving \d+ view models? on (http://127\.0\.0\.1:(\d+)/)")

expect.set_options(timeout=10_000)


def count_frames(page):
    """Counts the frames that the page takes from now on, in its `<html data-frames>`."""
    page.evaluate("""() => {
        let count = 0;
        document.addEventListener("vm:frame", () => (document.documentElement.dataset.frames = ++count));
    }""")


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

    def abort(self):
        self._is_released = True
        for route in self._routes:
            route.abort()


def sign_in(context, url, name=None):
    """Signs the whole context in, as its login page would; by default under a new name. Answers the name."""
    name = name or secrets.token_hex(6)
    session = url.rstrip("/") + context.request.post(url + "sessions/login").json()["url"]
    for field, text in [("username", name), ("password", "123456")]:
        assert context.request.put(f"{session}/state/{field}", data=f'"{text}"', headers={"content-type": "application/json"}).ok
    assert context.request.post(f"{session}/actions/loginTouched").ok
    assert context.request.post(url + "sessions/account").status == 201
    return name


class Server:
    """One run of the binary; its port is kept, so that it can be stopped and started under the same address."""

    def __init__(self, binary, port=0, recordings=None, store=None, options=(), is_demos=True):
        # The demos write here, and never into the stores of the person who runs the tests.
        self.temporary = tempfile.TemporaryDirectory()
        command = [binary, "serve", "--port", str(port), "--public", str(ROOT / "Public"), "--openings-per-minute", "0", *options]
        if is_demos:
            command += ["--recordings", str(recordings or f"{self.temporary.name}/recordings"), "--users", f"{self.temporary.name}/users"]
        if store:
            command += ["--store", str(store)]
        # The server's log is a part of a recording.
        directory = os.environ.get("EURIPUS_RECORDING")
        self.errors = open(Path(directory) / "server.log", "ab") if directory else None
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=self.errors, text=True)
        lines = queue.Queue()
        threading.Thread(target=self._read, args=(lines,), daemon=True).start()
        try:
            found = SERVING.search(lines.get(timeout=20))
        except queue.Empty:
            found = None
        if not found:
            self.process.kill()
            raise RuntimeError(f"{binary} did not say where it serves within 20 s")
        self.url, self.port = found.group(1), int(found.group(2))

    def _read(self, lines):
        for line in self.process.stdout:
            if SERVING.search(line):
                lines.put(line)

    def kill(self):
        self.process.kill()
        self.process.wait()
        self._clean_up()

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        assert self.process.wait(timeout=10) == 0, "SIGTERM ends the server with status 0"
        self._clean_up()

    def _clean_up(self):
        if self.errors:
            self.errors.close()
        self.temporary.cleanup()


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
    """The URL of Tests/GatehouseApp, built beside the server: in that app a button signs the user in."""
    server = Server(str(Path(binary).parent / "GatehouseApp"), options=("--sessions-per-client", "4"), is_demos=False)
    yield server.url
    server.stop()


@pytest.fixture(scope="session")
def browser():
    with sync_playwright() as playwright:
        args = ["--no-sandbox"] if os.geteuid() == 0 else []
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", headless=True, args=args)
        yield browser
        browser.close()


@pytest.fixture
def context(browser):
    context = browser.new_context(viewport={"width": 1180, "height": 760}, reduced_motion="reduce")
    yield context
    context.close()
