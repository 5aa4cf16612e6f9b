#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Counts with callgrind the instructions that the server takes for an action, for a poll that waits and is
answered by an action, and for opening the demos.

Usage: Benchmarks/Server/instructions.py SERVER CASE COUNT

Prints the instructions of a server that answers COUNT of them, with its start and its end: the cost of one
follows from the difference of two such counts. The server has one loop, as a poll and the action that answers
it must not race.
"""

import http.client
import json
import re
import signal
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

CASES = ("action", "poll", "open", "open_rows")
# The demos that a case opens. They are named, so that a demo which is added costs nothing beside a server without it. The
# reference has 1,000 rows.
DEMOS = {"open": ("follow", "login", "page", "profile", "recordings", "signup"), "open_rows": ("reference",)}


class Connection:
    """A connection to the server. It sends a request with one call, as the server's loop would read a request
    in pieces in as many turns."""

    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=60)

    def send(self, request: str) -> None:
        self.socket.sendall(request.encode())

    def receive(self, status: int = 200) -> bytes:
        data = b""
        while b"\r\n\r\n" not in data:
            data += self._more()
        head, body = data.split(b"\r\n\r\n", 1)
        if not head.startswith(b"HTTP/1.1 %d " % status):
            sys.exit(f"expected status {status}, got {head.decode()}")
        length = int(re.search(rb"Content-Length: (\d+)", head).group(1))
        while len(body) < length:
            body += self._more()
        return body

    def _more(self) -> bytes:
        if not (data := self.socket.recv(65_536)):
            sys.exit("the server closed a connection")
        return data


def open_demos(port: int, case: str, count: int) -> None:
    """Opens each demo of the case `count` times."""
    connection = Connection(port)
    for name in DEMOS[case] * count:
        connection.send(f"POST /sessions/{name} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Length: 0\r\n\r\n")
        connection.receive(201)


def drive(port: int, case: str, count: int) -> None:
    opening = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    opening.request("POST", "/sessions/login")
    response = opening.getresponse()
    session = json.loads(response.read())
    fields = f"Host: 127.0.0.1:{port}\r\nCookie: {response.getheader('Set-Cookie').split(';')[0]}\r\n"
    opening.close()
    actions = [f"POST {session['url']}/actions/usernameDidChange HTTP/1.1\r\n{fields}Content-Type: application/json\r\n"
               f'Content-Length: 8\r\n\r\n"maruk{letter}"' for letter in "oa"]
    acting, polling = Connection(port), Connection(port)
    version = session["version"]
    for number in range(count):
        if case == "poll":
            polling.send(f"GET {session['url']}/changes?since={version} HTTP/1.1\r\n{fields}Prefer: wait=50\r\n\r\n")
        acting.send(actions[number % 2])
        answer = json.loads(acting.receive())
        if case == "poll" and json.loads(polling.receive())["to"] != answer["to"]:
            sys.exit("the poll was answered with another version than the action")
        version = answer["to"]


def main() -> None:
    if len(sys.argv) != 4 or sys.argv[2] not in CASES:
        sys.exit(f"Usage: {sys.argv[0]} SERVER {'|'.join(CASES)} COUNT")
    server, case, count = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        counts = Path(folder) / "counts"
        process = subprocess.Popen(
            ["valgrind", "--tool=callgrind", f"--callgrind-out-file={counts}", server, "serve", "--port", "0", "--users", "", "--loops", "1",
             "--actions-per-second", "0", "--action-time", "0", "--openings-per-minute", "0", "--sessions-per-client", "10000"],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, cwd=Path(__file__).resolve().parents[2])
        try:
            port = int(re.search(r":(\d+)/$", process.stdout.readline().strip()).group(1))
            if case.startswith("open"):
                open_demos(port, case, int(count))
            else:
                drive(port, case, int(count))
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(60)
        print(re.search(r"^(?:summary|totals): (\d+)", counts.read_text(), re.MULTILINE).group(1))


if __name__ == "__main__":
    main()
