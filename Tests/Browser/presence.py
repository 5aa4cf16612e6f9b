# SPDX-License-Identifier: MIT
"""Measures how soon a member of a room is gone from it, and how soon there again: a Chromium with the board, in a network
namespace of its own, and a reader that follows the same room by long polls. For each way to go the reader's first version
without the member, after the way began; and its first version with the member, after the way back began.

It needs root, for the namespace. Usage: presence.py [--minutes N] SERVER
"""

import argparse
import contextlib
import json
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from playwright.sync_api import expect, sync_playwright

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "Tests" / "Faults"))

from client import Client  # noqa: E402
from processes import Server  # noqa: E402

SPACE, HERE, THERE = "euripus-presence", "10.213.77.1", "10.213.77.2"
# Seconds after which somebody has to be gone, with a network that says nothing any more, and otherwise; and there again.
GONE_IN_SILENCE, GONE, BACK = 30, 3, 1
ROUNDS = 5


def run(*command):
    subprocess.run(command, check=True)


@contextlib.contextmanager
def namespace():
    """A network namespace with one link to this one."""
    subprocess.run(["ip", "netns", "delete", SPACE], check=False, stderr=subprocess.DEVNULL)
    run("ip", "netns", "add", SPACE)
    try:
        run("ip", "link", "add", "eup0", "type", "veth", "peer", "name", "eup1", "netns", SPACE)
        run("ip", "address", "add", f"{HERE}/30", "dev", "eup0")
        run("ip", "link", "set", "eup0", "up")
        for command in (["address", "add", f"{THERE}/30", "dev", "eup1"], ["link", "set", "eup1", "up"], ["link", "set", "lo", "up"]):
            run("ip", "-n", SPACE, *command)
        yield
    finally:
        run("ip", "netns", "delete", SPACE)


def link(state):
    run("ip", "-n", SPACE, "link", "set", "eup1", state)


class Reader(threading.Thread):
    """Follows the board by long polls, and notes who is there besides itself, with the time of each change."""

    def __init__(self, port):
        super().__init__(daemon=True)
        self.client = Client(port, 60)
        self.client.open("board", '{"params":{"board":"everyone"}}')
        self.seen, self.others, self.ends = threading.Condition(), None, False
        self.changes = []
        self.start()

    def run(self):
        version = None
        while not self.ends:
            since = f"?since={version}" if version else ""
            status, answer, _ = self.client.ask("GET", f"{self.client.url}/changes{since}", Prefer="wait=55")
            if status == 200:
                version = json.loads(answer)["to"]
                self.look()
            elif status != 204:
                # The server is away. This is no wait for it, but keeps the loop from being busy.
                time.sleep(0.05)

    def look(self):
        status, answer, _ = self.client.ask("GET", f"{self.client.url}/state/people/order")
        if status != 200:
            return
        others = len(json.loads(answer)) - 1
        with self.seen:
            if others != self.others:
                self.others = others
                self.changes.append((time.monotonic(), others))
                self.seen.notify_all()

    def wait(self, others, limit=120):
        """Waits until so many others are there, and gives the time."""
        with self.seen:
            if not self.seen.wait_for(lambda: self.others == others, limit):
                raise SystemExit(f"expected {others} others within {limit} s, and there are {self.others}")
            return self.changes[-1][0]


class Person:
    """A person with a Chromium of their own, in the namespace."""

    def __init__(self, playwright, url, folder):
        program = Path(folder, "chromium")
        program.write_text(f'#!/bin/sh\nexec ip netns exec {SPACE} chromium "$@"\n', encoding="utf-8")
        program.chmod(0o755)
        self.browser = playwright.chromium.launch(executable_path=str(program), args=["--no-sandbox"])
        self.url = url
        self.context = self.browser.new_context()
        self.open()

    def open(self):
        self.page = self.context.new_page()
        self.page.goto(self.url)
        expect(self.page.locator("html")).to_have_attribute("data-vm", "live", timeout=60_000)

    def processes(self):
        return [int(pid) for pid in subprocess.run(["ip", "netns", "pids", SPACE], check=True, capture_output=True, text=True).stdout.split()]

    def signal(self, what):
        for pid in self.processes():
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, what)


def closed(person):
    person.page.close()
    return person.open


def navigated(person):
    person.page.goto("about:blank")
    return person.page.go_back


def killed(person):
    person.signal(signal.SIGKILL)
    return None


def cut(_):
    link("down")
    return lambda: link("up")


def asleep(person):
    """The lid is closed: the network goes, and no process runs any more."""
    link("down")
    person.signal(signal.SIGSTOP)

    def wake():
        link("up")
        person.signal(signal.SIGCONT)
    return wake


WAYS = {"tab closed": (closed, GONE), "navigated away": (navigated, GONE), "network cut": (cut, GONE_IN_SILENCE),
        "laptop asleep": (asleep, GONE_IN_SILENCE), "browser killed": (killed, GONE)}


def measure(playwright, server, url, folder, minutes):
    reader, misses = Reader(server.port), []
    print("| way | gone after s | there again after s |\n|---|---|---|")
    for name, (go, limit) in WAYS.items():
        person, gone, back = None, [], []
        for _ in range(ROUNDS):
            if person is None:
                person = Person(playwright, url, folder)
                reader.wait(1)
            began = time.monotonic()
            come = go(person)
            gone.append(reader.wait(0) - began)
            if come is None:
                person = None
                continue
            began = time.monotonic()
            come()
            back.append(reader.wait(1) - began)
        if person:
            person.browser.close()
            reader.wait(0)
        print(f"| {name} | {told(gone)} | {told(back)} |", flush=True)
        misses += [f"{name}: gone after {each:.2f} s" for each in gone if each > limit]
        misses += [f"{name}: there again after {each:.2f} s" for each in back if each > BACK]
    person = Person(playwright, url, folder)
    reader.wait(1)
    for name, wait in ((f"{minutes} minutes of polling", lambda: time.sleep(60 * minutes)), ("kill -9 of the server", lambda: restart(server, person))):
        before = len(reader.changes)
        wait()
        gone = sum(others == 0 for _, others in reader.changes[before:])
        print(f"| {name} | {gone} times gone | |", flush=True)
        misses += [f"{name}: {gone} times gone"] * bool(gone)
    person.browser.close()
    return misses


def told(times):
    return f"{statistics.median(times):.2f} ({min(times):.2f} – {max(times):.2f})" if times else ""


def restart(server, person):
    server.kill()
    server.serve()
    expect(person.page.locator("html")).to_have_attribute("data-vm", "live", timeout=60_000)
    # So long that a member who had not come back would be told as gone.
    time.sleep(5)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=10, help="how long it looks at a member who only polls")
    parser.add_argument("server")
    options = parser.parse_args()
    folder = tempfile.mkdtemp(prefix="euripus-presence-")
    server = Server([os.path.abspath(options.server), "serve", "--host", "0.0.0.0", "--host-name", HERE, "--port", "{port}", "--public", str(ROOT / "Public"),
                     "--users", "", "--store", f"{folder}/sessions.db"], folder, "server")
    with namespace(), sync_playwright() as playwright:
        server.serve()
        try:
            misses = measure(playwright, server, f"http://{HERE}:{server.port}/board.html", folder, options.minutes)
        finally:
            server.kill()
    for miss in misses:
        print(miss)
    sys.exit(1 if misses else 0)


if __name__ == "__main__":
    main()
